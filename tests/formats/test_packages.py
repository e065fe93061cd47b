"""Readers beside the packages of others: the same words, times and tags of the same files."""

import pytest
from paths import FORMATS, TESTS

from sereval.formats import read

SRT = """1
00:00:00,500 --> 00:00:01,500
<i>à</i> Dol,
hier

2
01:00:02,000 --> 01:00:02,400
oui
"""
VTT = """WEBVTT

00:00.500 --> 00:01.500 align:start
à <b>Dol</b>
hier

01:00:02.000 --> 01:00:02.400
oui
"""


@pytest.mark.parametrize(("name", "text"), [("d.srt", SRT), ("d.vtt", VTT)])
def test_subtitles_as_pysubs2_reads_them(name, text, tmp_path):
    """The cues of a file of subtitles have the starts, the ends and the words of pysubs2's.

    Its reader takes the name of a cue for words of the cue before, and no marks of time.
    """
    import pysubs2

    path = tmp_path / name
    path.write_text(text, "utf-8")
    [document] = read(path)
    frontiers = [0, *document.breaks, len(document.words)]
    ours = [
        (document.times[i][0], document.times[j - 1][1], list(document.words[i:j]))
        for i, j in zip(frontiers, frontiers[1:], strict=False)
    ]

    assert ours == [(e.start, e.end, e.plaintext.split()) for e in pysubs2.load(str(path))]


CONLLU = TESTS / "formats" / "cases" / "columns" / "valid"


def test_conllu_as_conllu_reads_it():
    """The words of CoNLL-U, and the tags of its last column, are those of the package conllu."""
    import conllu

    path = CONLLU / "conllu.iob"
    [document] = read(path)
    theirs = [
        [token for token in sentence if isinstance(token["id"], int)]
        for sentence in conllu.parse(path.read_text("utf-8"))
    ]
    tokens = [token for sentence in theirs for token in sentence]

    assert [token["form"] for token in tokens] == list(document.words)
    assert [(token["misc"] or {}).get("name", "O") for token in tokens] == list(document.tags.tags)
    assert (len(theirs[0]),) == document.breaks


@pytest.mark.skipif(not FORMATS.exists(), reason="the corpora are not part of the project")
def test_conllu_plus_as_conllu_reads_it():
    """So are those of a real file of CoNLL-U Plus."""
    import conllu

    path = FORMATS / "nerkor_w10.conllup"
    [document] = read(path)
    names, _, _ = path.read_text("utf-8").partition("\n")
    fields = names.partition("=")[2].lower().split()
    theirs = conllu.parse(path.read_text("utf-8"), fields=fields)
    tokens = [token for sentence in theirs for token in sentence]

    assert [token["form"] for token in tokens] == list(document.words)
    assert [token["conll:ner"] for token in tokens] == list(document.tags.tags)
    assert len(theirs) == len(document.breaks) + 1
