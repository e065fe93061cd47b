"""Alternatives in files: the field of native files, and the files of Earnings-21."""

import json

import pytest
from cli_files import put

from sereval.documents.checks import Alternative
from sereval.documents.model import Document
from sereval.errors import InputError, SerevalError
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


def test_entities_on_the_same_words_share_a_stretch(here):
    """Their readings follow each other in the order of the rows, each once."""
    put("nlp/d.nlp", NLP.replace("['0:YEAR']", "['0:YEAR', '9:YEAR']"))
    assert (*READ[0].readings, ("x",)) == read()[0].readings


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected an object"),
        ('{"0": {"class": "YEAR"}}', "entity 0: no candidate"),
        ('{"0": {"candidates": []}}', "entity 0: no candidate"),
        ('{"0": {"candidates": [{"verbalization": ["a"]}]}}', 'entity 0: no "class"'),
        ('{"0": {"candidates": [{"words": []}], "class": "A"}}', 'no "verbalization"'),
        ('{"0": {"candidates": [{"verbalization": "a"}], "class": "A"}}', "expected a list"),
        ('{"0": {"candidates": [{"verbalization": [""]}], "class": "A"}}', "empty string"),
        ("{", "not JSON"),
    ],
)
def test_bad_entities_are_refused(here, text, message):
    """The message names the file and the entity."""
    put("norm/d.norm.json", text)
    with pytest.raises(InputError) as caught:
        read()
    assert "norm/d.norm.json" in str(caught.value)
    assert message in str(caught.value)


def test_missing_files_are_refused(here):
    """A document needs both files; a path needs at least one; two files of a kind are too many."""
    with pytest.raises(SerevalError, match=r"no file e\.norm\.json among the alternatives"):
        read(Document("e", WORDS))
    with pytest.raises(SerevalError, match=r"no file d\.nlp among"):
        alternatives_of(Document("d", WORDS), norm_files(["norm"]))
    put("other/d.nlp", NLP)
    with pytest.raises(InputError, match=r"found nlp.d\.nlp too, expected one of them"):
        norm_files(["nlp", "other"])
    put("none/d.txt", "")
    with pytest.raises(InputError, match="no file of alternatives"):
        norm_files(["none"])
    with pytest.raises(InputError, match="gone: No such file"):
        norm_files(["gone"])


def parse(text):
    [(_, found)] = native.read_native(File("a.jsonl", text=text))
    return found


def test_native_files_have_them():
    """A document is read as it was written, and one without alternatives has no such key."""
    document = Document("d", WORDS, alternatives=READ)
    text = native.write([document])
    assert '"alternatives":[{"start":1,"end":2,"readings":[["twenty","twenty"],' in text
    assert document == parse(text)
    assert "alternatives" not in native.write([Document("d", WORDS)])


@pytest.mark.parametrize(
    ("alternatives", "message"),
    [
        ('[{"start": 0, "end": 0, "readings": [["x"]]}]', r"alternative \[0, 0\), expected words"),
        ('[{"start": 0, "end": 9, "readings": [["x"]]}]', r"alternative \[0, 9\), expected words"),
        ('[{"start": 0, "end": 1, "readings": []}]', "has no reading"),
        ('[{"start": 0, "end": 1, "readings": ["x"]}]', "expected a list"),
        ('[{"start": 0, "end": 1, "readings": [[""]]}]', "found an empty string"),
        ('[{"start": 0, "end": 1, "readings": [[1]]}]', "expected a string"),
        ('[{"start": 0, "end": 1}]', 'no "readings"'),
        ('[{"start": 0, "end": 1, "readings": [[]], "p": 1}]', "unknown key 'p'"),
        (
            '[{"start": 0, "end": 1, "readings": [[]]}, {"start": 0, "end": 1, "readings": [[]]}]',
            "expected them in order",
        ),
        ("{}", "expected a list"),
    ],
)
def test_bad_fields_are_refused(alternatives, message):
    """One line, with the place."""
    with pytest.raises(InputError, match=message):
        parse(f'{{"id": "d", "words": ["a", "b"], "alternatives": {alternatives}}}')
