"""Alternatives in files: the field of native files, and the files of Earnings-21."""

import json

import pytest
from cli_files import put

from sereval.documents.model import Alternative, Document
from sereval.errors import InputError
from sereval.formats import native
from sereval.formats.file import File
from sereval.formats.nlp import alternatives_of, norm_files

NLP = """token|speaker|ts|endTs|punctuation|case|tags|wer_tags
In|0||||UC|[]|[]
<laugh>|0||||CA|[]|[]
2020|0|||,|CA|['0:YEAR']|['0', '1']
A |0||||CA|['1:ABBREVIATION']|['2']
'|0||||CA|['1:ABBREVIATION']|['2']
B|0||||CA|['1:ABBREVIATION']|['2']
&|0||||CA|['2:FALLBACK']|[]
"""
WORDS = ("In", "2020", "A", "B", "&")
NORM = {
    "0": {
        "candidates": [
            {"probability": 0.9, "verbalization": ["twenty", "twenty"]},
            {"probability": 0.1, "verbalization": ["two", "thousand", "twenty"]},
        ],
        "class": "YEAR",
    },
    "1": {"candidates": [{"probability": 1.0, "verbalization": ["AB"]}], "class": "ABBREVIATION"},
    "2": {"candidates": [{"probability": 1.0, "verbalization": []}], "class": "FALLBACK"},
    "9": {"candidates": [{"probability": 1.0, "verbalization": ["x"]}], "class": "YEAR"},
}
READ = (
    Alternative(1, 2, (("twenty", "twenty"), ("two", "thousand", "twenty"))),
    Alternative(2, 4, (("AB",),)),
    Alternative(4, 5, ((),)),
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The files of a document, in two folders."""
    monkeypatch.chdir(tmp_path)
    put("norm/d.norm.json", json.dumps(NORM))
    put("nlp/d.nlp", NLP)
    put("nlp/d.wer_tag.json", "{}")
    return tmp_path


def read(document=None):
    return alternatives_of(document or Document("d", WORDS), norm_files(["norm", "nlp/d.nlp"]))


def test_entities_are_stretches_of_the_reference(here):
    """Marks that the reference lacks are passed over; entities without a row are too."""
    assert READ == read()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("In|", "On|", "nlp/d.nlp:2: found the word 'On', expected 'In' of d"),
        ("&|0", "more|0", "nlp/d.nlp:8: found the word 'more', expected '&' of d"),
        ("&|0||||CA|['2:FALLBACK']|[]\n", "", "nlp/d.nlp: the words end before '&' of d"),
        ("['0:YEAR']", "['0:DATE']", "nlp/d.nlp:4: entity 0 is DATE, expected YEAR"),
        ("['0:YEAR']", "0:YEAR", "nlp/d.nlp:4: tags '0:YEAR', expected a list"),
        ("['2:FALLBACK']", "['0:YEAR']", "nlp/d.nlp:8: entity 0 stands in two places"),
        ("|tags|", "|marks|", "nlp/d.nlp:1: found 'token|speaker|"),
        ("In|0||||UC", "In|0|||UC", "nlp/d.nlp:2: found 7 fields, expected 8"),
    ],
)
def test_bad_rows_are_refused(here, old, new, message):
    """The message names the line."""
    assert old in NLP
    put("nlp/d.nlp", NLP.replace(old, new))
    with pytest.raises(InputError) as caught:
        read()
    assert str(caught.value).startswith(message)


def parse(text):
    [found] = native.read_native(File("a.jsonl", text=text))
    return found


def test_native_files_have_them():
    """A document is read as it was written, and one without alternatives has no such key."""
    document = Document("d", WORDS, alternatives=READ)
    text = native.write([document])
    assert '"alternatives":[{"start":1,"end":2,"readings":[["twenty","twenty"],' in text
    assert document == parse(text)
    assert "alternatives" not in native.write([Document("d", WORDS)])
