"""Files of other people's programs, as they wrote them: read whole, or skipped where they are not.

``shared/corpora/formats`` says where each comes from.
"""

import json

import pytest
from paths import FORMATS
from tables import tables

from sereval.formats import read

TABLES = tables(__file__)

pytestmark = pytest.mark.skipif(
    not FORMATS.exists(), reason="the corpora are not part of the project"
)


def first_alternatives(path):
    """The words of a CTM by recording and channel, with those of later alternatives left out."""
    words = {}
    is_kept = True
    for line in path.read_text("utf-8").splitlines():
        columns = line.split()
        if not columns or line.startswith(";;"):
            continue
        if columns[4] in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>"):
            is_kept = columns[4] != "<ALT>"
        elif is_kept:
            words.setdefault((columns[0], columns[1]), []).append(columns[4])
    return words


@pytest.mark.parametrize(
    ("name", "documents", "skipped"), [("lvc_hypc.ctm", 4, 3), ("asclite_basic.ctm", 5, 4)]
)
def test_ctm_of_nist(name, documents, skipped):
    """NIST's test data, which have confidences at the tags of alternatives, are read whole."""
    found = read(FORMATS / name)
    expected = first_alternatives(FORMATS / name)

    assert documents == len(found)
    assert [sorted(words) for words in expected.values()] == [sorted(d.words) for d in found]
    assert skipped == sum(note.count for document in found for note in document.notes)


@pytest.mark.parametrize(
    ("name", "words", "notes"),
    TABLES["tiers"],
)
def test_tiers_of_words(name, words, notes):
    """The tiers of FAVE's speakers, of WebMAUS and of plain Praat are found by their names."""
    [document] = read(FORMATS / name)

    assert words == document.words
    assert list(notes) == [str(note) for note in document.notes]


def test_aws_transcribe():
    """The words of a real file of AWS Transcribe are those of its transcript, with its times."""
    path = FORMATS / "aws_todayinfocus.sample.json"
    [document] = read(path)
    results = json.loads(path.read_text("utf-8"))["results"]
    spoken = [one for one in results["items"] if one["type"] == "pronunciation"]

    assert results["transcripts"][0]["transcript"].split() == list(document.words)
    assert [(one["start_time"], one["end_time"]) for one in spoken] == [
        (f"{start / 1000}", f"{end / 1000}") for start, end in document.times
    ]
    assert str(document.notes[0]) == "words in the JSON of AWS Transcribe: 725"


def test_word_list_of_the_bbc():
    """A real list of words of the BBC's editor is read whole."""
    path = FORMATS / "words-list.sample.json"
    [document] = read(path)
    words = json.loads(path.read_text("utf-8"))["words"]

    assert [one["text"].strip() for one in words] == list(document.words)
    assert [(one["start"], one["end"]) for one in words] == [
        (start / 1000, end / 1000) for start, end in document.times
    ]
    assert len(document.words) == 1454


def test_utterances_of_meeteval():
    """The utterances of real files in STM and SegLST keep every word, merged where they overlap."""
    stm, seglst = (
        {one.id: one for one in read(FORMATS / name)} for name in ("ref.stm", "hyp.seglst.json")
    )
    lines = (FORMATS / "ref.stm").read_text("utf-8").splitlines()
    rows = json.loads((FORMATS / "hyp.seglst.json").read_text("utf-8"))
    for id in ("recordingA", "recordingB"):
        spoken = [line.split()[5:] for line in lines if line.startswith(id)]
        written = [row["words"].split() for row in rows if row["session_id"] == id]

        assert sorted(word for words in spoken for word in words) == sorted(stm[id].words)
        assert sorted(word for words in written for word in words) == sorted(seglst[id].words)
    assert {"recordingA": 62, "recordingB": 30} == {id: len(d.words) for id, d in stm.items()}
    assert {"recordingA": 62, "recordingB": 23} == {id: len(d.words) for id, d in seglst.items()}
