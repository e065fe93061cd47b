"""The readers: cases in folders, laws, and every file of the shared corpora."""

import codecs
import json
import re
import tempfile
from itertools import count
from pathlib import Path

import pytest
from format_cases import ALL, READ, of
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import CORPORA, ROOT
from strategies import documents, references
from timed_words import (
    TIMES,
    WORDS,
    as_ctm,
    as_eaf,
    as_mfa,
    as_nlp,
    as_recogniser,
    as_rttm,
    as_subtitles,
    as_textgrid,
    as_vosk,
    as_whisper,
)

from sereval.documents.model import Document, Reference, crossing, tree, uncrossed
from sereval.errors import InputError
from sereval.formats import (
    FORMATS,
    ReadingOptions,
    native,
    read,
)
from sereval.formats.file import File, stem_of

HIPE = ("NE-FINE-METO", "NE-FINE-LIT", "NE-FINE-COMP", "NE-NESTED")


TEXTS = [case for case in READ if not FORMATS[case.format].is_binary]


def named(cases):
    """Parameters of a test, by the names of the cases."""
    return [pytest.param(case, id=f"{case.format}-{case.title}") for case in cases]


# --- cases ---------------------------------------------------------------------------------------


def test_every_format_has_cases():
    """Of each format some files are read and some are refused."""
    assert {case.format for case in READ} == {*FORMATS}
    assert {case.format for case in ALL if not case.is_read} == {*FORMATS}


@pytest.mark.parametrize("case", named(TEXTS))
def test_line_ends_and_encodings(case, here, run):
    """Line ends, byte order marks and UTF-16 change nothing."""
    marks = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE)
    has_mark = any(text.startswith(marks) for text in case.files.values())
    if "--encoding" in case.line or has_mark or case.title == "texts":
        pytest.skip("not plain UTF-8, or line ends are part of a word")
    case.put(here)
    expected = run("", *case.line)
    for ends, encoding in (("\r\n", "utf-8"), ("\n", "utf-8-sig"), ("\n", "utf-16")):
        for name, content in case.files.items():
            text = content.decode("utf-8")
            if name == case.name:  # offsets count the characters of a text beside it
                text = text.replace("\r\n", "\n").replace("\n", ends)
            is_read = not name.endswith(".toml")  # a grammar is always in UTF-8
            (here / name).write_bytes(text.encode(encoding if is_read else "utf-8"))
        assert expected == run("", *case.line, "--encoding", encoding.removesuffix("-sig"))


def test_textgrid_knows_utf16_by_its_mark(here, run):
    """Praat writes UTF-16 with a byte order mark: no option is needed, either endianness."""
    case = of("textgrid", "long")
    path = case.put(here)
    expected = run("", *case.line)
    for encoding in ("utf-16-le", "utf-16-be"):
        path.write_bytes(("\ufeff" + case.text).encode(encoding))
        assert expected == run("", *case.line)


@pytest.mark.check
@settings(max_examples=150)
@given(data=st.data())
def test_damaged_files(data):
    """Whatever is done to a file, it is read or refused with its path: nothing else is raised."""
    case = data.draw(st.sampled_from([case for case in TEXTS if case.is_plain]))
    text = case.text
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.text(max_size=3) | st.sampled_from(['"', "<", "\n", "-", "1e9", "[", "{"]))
    with tempfile.TemporaryDirectory() as folder:
        path = case.put(Path(folder))
        path.write_text(text[:at] + put + text[at + cut :], "utf-8", newline="")
        error, found = None, []
        try:
            found = read(path, format=case.format)
        except InputError as refused:
            error = str(refused)

    assert error is None or str(path) in error and error.isprintable()
    assert all(isinstance(document, Document | Reference) for document in found)


# --- formats agree -------------------------------------------------------------------------------


def test_formats_agree(tmp_path):
    """The same timed words in all formats that have times are the same document."""
    document = Document("d", WORDS, times=TIMES)
    for k, (name, text) in enumerate(
        [
            ("d.ctm", as_ctm()),
            ("d.TextGrid", as_textgrid(is_short=False)),
            ("d.TEXTGRID", as_textgrid(is_short=True)),
            ("d.jsonl", native.write([document])),
            ("d.whisper", as_whisper()),
            ("d.vosk", as_vosk()),
            ("d.recogniser", as_recogniser()),
            ("d.mfa", as_mfa(is_json=False)),
            ("d.mfa", as_mfa(is_json=True)),
            ("d.eaf", as_eaf()),
            ("d.rttm", as_rttm()),
            ("d.vtt", as_subtitles()),
            ("d.nlp", as_nlp()),
        ]
    ):
        path = tmp_path / str(k) / name
        path.parent.mkdir()
        path.write_text(text, "utf-8")
        assert [document] == read(path)


def test_inline_and_native_agree(tmp_path):
    """The same annotated words in both formats of annotation are the same document."""
    inline = tmp_path / "d.ne"
    inline.write_text("item [ &lt;/a&gt;\n<x> &amp;lt; <y>\"</y> l' </x>", "utf-8")
    other = tmp_path / "d.jsonl"
    elements = tree([("x", 3, 6), ("y", 4, 5)])
    document = Document("d", ("item", "[", "</a>", "&lt;", '"', "l'"), elements, breaks=(3,))
    other.write_text(native.write([document]), "utf-8")

    assert [document] == read(inline) == read(other)


# --- native, written and read --------------------------------------------------------------------


@given(st.lists(documents() | references(), max_size=3))
def test_written_and_read(values):
    """What is written reads back to equal values of the same type, and is written the same."""
    text = native.write(values)
    found = list(native.read_native(File("a.jsonl", text=text)))

    assert values == found
    assert [type(value) for value in values] == [type(value) for value in found]
    assert text == native.write(found)
    assert len(values) == text.count("\n")


# --- one format alone -------------------------------------------------------------------------


IN_JSON = (
    "native",
    "whisper",
    "vosk",
    "kaldi",
    "recogniser",
    "seglst",
    "mfa",
    "labelstudio",
    "tokens",
)


@pytest.mark.parametrize("case", named(case for case in TEXTS if case.format in IN_JSON))
def test_json_is_told_by_its_keys(case, here, run):
    """A file of JSON that is called so is read as what it is, or as native, and never silently."""
    if case.text.lstrip()[:1] not in ("{", "[") or "--from" in case.line:
        return
    case.put(here)
    expected = run("", *case.line)
    name = f"{stem_of(case.name)}.json"
    (here / name).write_bytes(case.files[case.name])

    status, out, err = run("", "convert", name, *case.line[2:])

    if not status:
        guess = f"files of .json read as {case.format}, by their keys"
        assert expected[1] == out
        assert (guess in err) == (case.format != "native")
    else:
        assert err.startswith(f"sereval: {name}")


@pytest.mark.parametrize("case", named(case for case in READ if case.format == "eaf"))
def test_eaf_as_pympi_reads_it(case, tmp_path, here, run):
    """The words and times of a tier are those that pympi finds in it."""
    from pympi import Elan

    path = case.put(here)
    status, out, err = run("", *case.line)
    if "--encoding" in case.line or err:
        pytest.skip("pympi reads UTF-8, and no time that is not there")
    found = json.loads(out)
    head = {"VERSION": "3.0", "xsi:noNamespaceSchemaLocation": "EAFv3.0.xsd"}
    head["xmlns:xsi"] = "http://www.w3.org/2001/XMLSchema-instance"
    added = "".join(
        f' {key}="{value}"' for key, value in head.items() if f"{key}=" not in case.text
    )
    text = case.text.replace("<ANNOTATION_DOCUMENT", f"<ANNOTATION_DOCUMENT{added}")
    number = count(1)  # it wants different ones
    text = re.sub(' ANNOTATION_ID="[^"]*"', lambda _: f' ANNOTATION_ID="a{next(number)}"', text)
    path.write_text(text, "utf-8")
    theirs = Elan.Eaf(str(path))
    tier = case.line[case.line.index("--tier") + 1] if "--tier" in case.line else None
    names = [
        name
        for name in theirs.get_tier_names()
        if (name == tier if tier else name.casefold() == "words" or name.endswith(" - words"))
    ]
    words = [
        (start, end, text.strip())
        for name in names
        for start, end, text, *_ in theirs.get_annotation_data_for_tier(name)
        if text.strip() not in ("", "sp", "sil", "<eps>")
    ]
    ours = [
        (round(start * 1000), round(end * 1000), word)
        for (start, end), word in zip(found["times"], found["words"], strict=True)
    ]

    assert sorted(words) == sorted(ours)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=12))
def test_what_crosses(lengths):
    """Spans that cross none before them are kept, and none of those that are kept cross."""
    spans = [(start, start + length) for start, length in lengths]

    def cross(one, other):
        (a, b), (c, d) = sorted((spans[one], spans[other]))
        return a < c < b < d

    expected = []
    for k in range(len(spans)):
        if not any(cross(k, other) for other in expected):
            expected.append(k)

    assert expected == uncrossed(spans)
    found = crossing(spans)
    assert (found is None) == (expected == list(range(len(spans))))
    assert found is None or cross(*found)


# --- the shared corpora --------------------------------------------------------------------------

shared = pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not part of the project")


# --- the manual ----------------------------------------------------------------------------------


def test_manual():
    """Every example of the manual is read, and each format has one."""
    page = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
    mark = re.compile(r"^.*<!-- format: (\w+) -->$", re.MULTILINE)
    text = mark.sub(lambda found: FORMATS[found[1]].manual(), page)
    blocks = re.findall(r"^```(?!console)(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)

    in_text = {name for name, one in FORMATS.items() if not one.is_binary}
    assert {format for format, _ in blocks} == {*in_text, "txt", "hipe"}
    beside = ""
    for format, example in blocks:
        if format == "txt":  # what the next example stands beside
            beside = example
            continue
        columns = ()
        if format == "hipe":  # one of the layouts of columns, whose tags are in several
            format, columns = "columns", HIPE
        source = File(
            "example", format, text=example, options=ReadingOptions(columns=columns), beside=beside
        )
        for _, document in source.documents():
            assert document.words or document.mentions
        beside = ""
