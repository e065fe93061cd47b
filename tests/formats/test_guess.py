"""Which program wrote a file in JSON: all keys of its first object say so, however long it is."""

import json

import pytest
from format_cases import READ
from hypothesis import given
from hypothesis import strategies as st
from paths import FORMATS as SHARED
from refusals import refusal
from tables import tables

from sereval.documents.model import Document
from sereval.errors import InputError
from sereval.formats import FORMATS, File, native, read
from sereval.formats.find import UNREAD, first_keys, program_of

TABLES = tables(__file__)
OWN = ("inline", "native", "mentions")

WORDS = [{"start": 0.1, "end": 0.4, "text": "Dol"}]
DOL = Document("d", ("Dol",), times=((100, 400),))


def put(path, value, **how):
    path.write_text(json.dumps(value, **how), "utf-8")
    return path


# --- keys ----------------------------------------------------------------------------------------


SCALARS = st.none() | st.integers() | st.text('"\\{}[]:, a', max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:"), inner)
)
OBJECTS = st.dictionaries(st.text("abc{[:", max_size=3), VALUES, max_size=4)


@pytest.mark.check
@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_keys_of_the_first_object(value, is_list, indent):
    """They are those that a parser finds, and a second time where objects are listed."""
    text = json.dumps([value, {"z": 1}] if is_list else value, indent=indent)
    lists = {
        f"{key}[{{"
        for key, found in value.items()
        if isinstance(found, list) and found[:1]
        if isinstance(found[0], dict)
    }

    assert ({*value} | lists, True) == first_keys(text)


@pytest.mark.check
@given(OBJECTS, st.data())
def test_keys_of_a_beginning(value, data):
    """A text that is cut says so, and has no key that the whole has not."""
    text = json.dumps(value)
    keys, _ = first_keys(text)
    cut = data.draw(st.integers(1, len(text) - 1))
    found, is_whole = first_keys(text[:cut])

    assert found <= keys
    assert not is_whole


def test_escapes_are_passed_over_once():
    """A string of escaped quotes without an end costs no more than its length."""
    text = '{"a": 1, "text": "' + '\\"' * 10**6

    assert first_keys(text) == ({"a", "text"}, False)


@pytest.mark.parametrize("text", ["", "Dol", "  \ufeff", "Dol {", "<a>"])
def test_no_json(text):
    """What begins with no bracket has no keys, and nothing more of it need be read."""
    assert first_keys(text) == (set(), True)


@pytest.mark.parametrize("long", ["é" * 600_000, '"' * 600_000, "\\" * 600_000])
def test_keys_after_a_long_text(long, tmp_path):
    """A file is told by keys that come after a text longer than what is read at first."""
    value = {"text": f"Dol {long}", "entities": [[0, 3, "loc"]]}
    [document] = read(put(tmp_path / "d.jsonl", value, ensure_ascii=False))

    assert document.words[0] == "Dol"
    assert [str(element) for element in document.elements] == ["loc [0, 1)"]


# --- programs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [sign for sign in UNREAD if not sign.startswith(".")])
def test_programs_that_are_not_read(sign, tmp_path):
    """Each program is named by what its keys say, whatever the layout of its file."""
    value = {key: [{"a": 1}] for key in sign.split()}
    for k, (text, how) in enumerate([(value, {"indent": 2}), ([value], {})]):
        path = put(tmp_path / f"{k}.json", text, **how)
        assert f"look like {UNREAD[sign]}, which sereval does not read" in refusal(path)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "value",
    [
        *TABLES["whisper"],
        {"segments": [{"start": 0.1, "end": 0.4, "text": "Dol", "words": WORDS}], "info": None},
    ],
)
def test_segments_of_whisper(value, indent, tmp_path):
    """Lists of segments, and segments beside what else was found, are Whisper's."""
    [document] = read(put(tmp_path / "d.json", value, indent=indent))

    assert document == DOL
    assert [note.what for note in document.notes] == [
        "files of .json read as whisper, by their keys"
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    TABLES["over_lines"],
)
def test_json_over_lines(value, message, tmp_path):
    """Valid JSON over several lines is not called anything else."""
    path = put(tmp_path / "d.json", value, indent=2)

    assert refusal(path).startswith(f"{path}{message}")


def test_native_files_are_told_whatever_else_they_have(tmp_path):
    """A key too many in a native document is said by its reader."""
    path = put(tmp_path / "d.jsonl", {"id": "d", "words": ["Dol"], "element": []})
    assert refusal(path).startswith(f"{path}:1: document 'd': unknown key 'element', expected id,")

    path.write_text(native.write([DOL]), "utf-8")
    assert [DOL] == read(path)


def test_doctor_names_the_program(tmp_path, run):
    """A line of the doctor says which program wrote a file, on either side."""
    words = [{"text": "Dol", "start": 100, "end": 400}]
    put(tmp_path / "d.json", {"audio_url": "a", "status": "completed", "words": words})
    spans = put(
        tmp_path / "d.tokens", {"id": "d", "tokenized_text": ["Dol"], "ner": [[0, 0, "loc"]]}
    )
    status, _, err = run(f"doctor {spans} {spans} --align {tmp_path / 'd.json'}")

    assert status in (0, 1)
    assert f"sereval: {spans}: words in the JSON of GLiNER: 1\n" in err
    assert f"sereval: {tmp_path / 'd.json'}: words in the JSON of AssemblyAI: 1\n" in err


# --- where files come from -----------------------------------------------------------------------


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in OWN])
def test_the_origin_of_each_case(format, tmp_path):
    """Every file of a format of others that is read has an origin."""
    plain = [case for case in READ if case.format == format and case.is_plain]

    assert plain
    assert all(program_of(File(str(case.put(tmp_path)), format)) for case in plain)


def test_origins_of_real_files():
    """Files that look alike come from where their keys and first lines say."""
    if not SHARED.exists():
        pytest.skip("the corpora are not part of the project")
    for name, format, origin in (
        ("aws_todayinfocus.sample.json", "recogniser", "AWS Transcribe"),
        ("spacy_v2_ner-token-per-line.json", "tokens", "spaCy 2"),
        ("nerkor_w10.conllup", "columns", "CoNLL-U Plus"),
        ("germeval_flair_NER-de-dev.tsv", "columns", "GermEval"),
        ("ref.stm", "stm", "NIST's STM"),
    ):
        assert origin == program_of(File(str(SHARED / name), format))


def test_files_of_programs_that_are_not_read(tmp_path):
    """A suffix of a program whose files sereval does not read is named in one line."""
    path = tmp_path / "d.tag"
    path.write_text("<AGSet/>", "utf-8")

    with pytest.raises(InputError, match=r"suffix '.tag' of TranscriberAG, which sereval does not"):
        read(path)
