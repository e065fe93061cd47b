"""Readers beside the packages of others: the same words, times and tags of the same files."""

from itertools import accumulate

import pytest
from format_cases import of
from hypothesis import given, settings
from paths import FORMATS
from strategies import documents

from sereval.documents.model import Document, tree
from sereval.formats import read
from sereval.formats.file import File
from sereval.formats.rare import layers
from sereval.integrations.documents import files_of

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


def test_conllu_as_conllu_reads_it(tmp_path):
    """The words of CoNLL-U, and the tags of a column, are those of the package conllu."""
    import conllu

    path = of("columns", "conllu").put(tmp_path)
    [document] = read(path, columns=["XPOS"])
    theirs = [
        [token for token in sentence if isinstance(token["id"], int)]
        for sentence in conllu.parse(path.read_text("utf-8"))
    ]
    tokens = [token for sentence in theirs for token in sentence]

    assert [token["form"] for token in tokens] == list(document.words)
    assert [token["xpos"] or "O" for token in tokens] == list(document.tags.tags)
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


@pytest.mark.check
@settings(max_examples=40)
@given(document=documents())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_xmi_that_cassis_writes(document):
    """What dkpro-cassis writes of a document is read as its words and its elements."""
    import cassis

    types = cassis.load_dkpro_core_typesystem()
    named = types.get_type("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
    token = types.get_type("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token")
    words = [f"w😀{k}" for k in range(len(document.words))]
    starts = [*accumulate((len(word) + 1 for word in words), initial=0)]
    cas = cassis.Cas(types)
    cas.sofa_string = " ".join(words) or "-"
    for k, word in enumerate(words):
        cas.add(token(begin=starts[k], end=starts[k] + len(word)))
    for element in document.elements:
        label = f"x{len(element.label)}"
        cas.add(named(begin=starts[element.start], end=starts[element.end] - 1, value=label))
    source = File("d.xmi", text=cas.to_xmi())
    if not words:
        return
    [found] = layers.read_xmi(source)

    assert words == list(found.words)
    assert sorted((e.start, e.end, f"x{len(e.label)}") for e in document.elements) == sorted(
        (e.start, e.end, e.label) for e in found.elements
    )


def test_docbin_as_spacy_reads_it(tmp_path):
    """A DocBin that is written has the entities, or the spans, that spaCy finds in it."""
    import spacy
    from spacy.tokens import DocBin

    flat = Document("d", ("à", "Dol", "hier"), tree([("loc", 1, 2), ("date", 2, 3)]), breaks=(2,))
    nested = Document("d", ("New", "York"), tree([("loc", 0, 2), ("city", 0, 2)]))
    for document in (flat, nested):
        path = tmp_path / "d.spacy"
        path.write_bytes(files_of(document, "docbin").files[".spacy"])
        [doc] = DocBin().from_disk(path).get_docs(spacy.blank("xx").vocab)
        spans = doc.ents or doc.spans["sc"]

        assert list(document.words) == [token.text for token in doc]
        assert [(e.label, e.start, e.end) for e in document.elements] == [
            (span.label_, span.start, span.end) for span in spans
        ]
        assert [document] == read(path)
    assert files_of(flat, "docbin").lost == ()
