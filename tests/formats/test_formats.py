"""The readers: cases in folders, laws, and every file of the shared corpora."""

import json
import re
import subprocess
import sys
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import CORPORA, ROOT, TESTS
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

from sereval.documents.model import Document, Element, Reference, tree
from sereval.documents.notes import Note
from sereval.errors import InputError, SerevalError
from sereval.formats import (
    FORMATS,
    ReadingOptions,
    native,
    read,
)
from sereval.formats.crossing import crossing, uncrossed
from sereval.formats.paths import stem_of
from sereval.formats.source import Source

CASES = TESTS / "formats" / "cases"
HIPE = ("NE-FINE-METO", "NE-FINE-LIT", "NE-FINE-COMP", "NE-NESTED")


def suffix_of(format):
    """The suffix of the cases of a format."""
    return ".TextGrid" if format == "textgrid" else FORMATS[format].suffixes[0]


def cases(kind, name="*"):
    """Files of the cases, with the name of their folder in front."""
    found = [
        pytest.param(path, id=f"{format}-{path.stem}")
        for format in FORMATS
        for path in sorted((CASES / format / kind).glob(f"{name}{suffix_of(format)}"))
    ]
    assert found
    return found


def options(path):
    """Arguments of `read` for a case; mostly none."""
    file = path.with_suffix(".options")
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def file_beside(path):
    """The place of the file that a case stands beside, if its format has one."""
    beside = FORMATS[path.parent.parent.name].beside
    return path.with_name(stem_of(path.name) + beside) if beside else None


def text_beside(path):
    """The text of the file that a case stands beside, or nothing."""
    file = file_beside(path)
    return content(file) if file and file.exists() else ""


def content(path):
    """Text of a UTF-8 file, line ends as they are."""
    return path.read_bytes().decode("utf-8")


# --- cases ---------------------------------------------------------------------------------------


def test_every_format_has_cases():
    """Each format of the table has valid and invalid cases, and nothing else has."""
    folders = {folder.name for folder in CASES.iterdir()}

    assert set(FORMATS) == folders
    for format in FORMATS:
        assert list((CASES / format / "valid").glob("*.expected"))
        assert list((CASES / format / "invalid").glob("*.error"))


@pytest.mark.parametrize("path", cases("valid"))
def test_valid(path):
    """A valid file reads to the documents beside it, with a note of all that was not plain."""
    found = read(path, **options(path))
    file = path.with_suffix(".notes")
    notes = [f"{note} {note.choice}".rstrip() for document in found for note in document.notes]

    assert content(path.with_suffix(".expected")) == native.write(found)
    assert (content(file).splitlines() if file.exists() else []) == notes


@pytest.mark.parametrize("path", cases("invalid"))
def test_invalid(path, monkeypatch):
    """An invalid file is refused with exactly the message beside it."""
    monkeypatch.chdir(path.parent)

    with pytest.raises(InputError) as caught:
        read(path.name, **options(path))

    assert content(path.with_suffix(".error")) == f"{caught.value}\n"
    assert path.name == caught.value.path
    assert str(caught.value).isprintable()


def texts(kind):
    """The cases of formats that hold text."""
    return [case for case in cases(kind) if not FORMATS[case.id.split("-")[0]].is_binary]


@pytest.mark.parametrize("path", texts("valid"))
def test_line_ends_and_encodings(path, tmp_path):
    """Line ends, byte order marks and UTF-16 change nothing."""
    if "encoding" in options(path) or path.stem == "texts":
        pytest.skip("not UTF-8, or line ends are part of a word")
    text, expected = content(path).replace("\r\n", "\n"), read(path, **options(path))
    copy, beside = tmp_path / path.name, text_beside(path)
    place = tmp_path / file_beside(path).name if beside else None
    for data, encoding in [
        (text.replace("\n", "\r\n").encode(), "utf-8"),
        (text.encode("utf-8-sig"), "utf-8"),
        (text.encode("utf-16"), "utf-16"),
        (("\ufeff" + text).encode("utf-16-be"), "utf-16-be"),
    ]:
        copy.write_bytes(data)
        if place:
            place.write_bytes(beside.encode(encoding))
        assert expected == read(copy, **{**options(path), "encoding": encoding})


def test_textgrid_knows_utf16_by_its_mark(tmp_path):
    """Praat writes UTF-16 with a byte order mark: no option is needed, either endianness."""
    path = CASES / "textgrid" / "valid" / "long.TextGrid"
    copy = tmp_path / path.name
    for encoding in ("utf-16-le", "utf-16-be"):
        copy.write_bytes(("\ufeff" + content(path)).encode(encoding))
        assert read(path) == read(copy)


@pytest.mark.check
@settings(max_examples=150)
@given(data=st.data())
def test_damaged_files(data):
    """Whatever is done to a file, it is read or refused with its path: nothing else is raised."""
    case = data.draw(st.sampled_from(texts("valid")))
    path = case.values[0]
    if "encoding" in options(path):
        return
    text = content(path)
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.text(max_size=3) | st.sampled_from(['"', "<", "\n", "-", "1e9", "[", "{"]))
    damaged = text[:at] + put + text[at + cut :]
    given = options(path)
    chosen = ReadingOptions(
        policies=tuple(given.get("policies", {}).items()), labels=tuple(given.get("labels", ()))
    )
    source = Source(path.name, "damaged", damaged, chosen, text_beside(path))

    error = None
    try:
        found = FORMATS[case.id.split("-")[0]].parse(source)
    except InputError as refused:
        error = refused

    if error:
        assert error.path == path.name
        assert str(error).isprintable()
    else:
        assert all(isinstance(document, Document | Reference) for _, document in found)


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


def test_elements_know_their_lines(tmp_path):
    """An element carries the line of its opening tag, or of its document; a document its file."""
    path = tmp_path / "d.ne"
    path.write_text("un\n<a> deux\n<b> trois </b>\n</a>", "utf-8")
    [document] = read(path)
    assert [element.line for element in document.elements] == [2, 3]
    assert str(path) == document.source

    path = tmp_path / "d.jsonl"
    path.write_text("\n" + native.write([document]), "utf-8")
    [document] = read(path)
    assert [element.line for element in document.elements] == [2, 2]
    assert str(path) == document.source


# --- native, written and read --------------------------------------------------------------------


@given(st.lists(documents() | references(), max_size=3))
def test_written_and_read(values):
    """What is written reads back to equal values of the same type, and is written the same."""
    text = native.write(values)
    found = [document for _, document in native.parse(Source("a.jsonl", "a", text))]

    assert values == found
    assert [type(value) for value in values] == [type(value) for value in found]
    assert text == native.write(found)
    assert len(values) == text.count("\n")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (Document("d", ("\ud800",)), "expected no half of a surrogate pair"),
        (Document("d", ("a",), (Element("\udfff", 0, 1),)), "expected no half of a surrogate pair"),
    ],
)
def test_not_writable(document, message):
    """What could not be read back is not written."""
    with pytest.raises(SerevalError, match=message):
        native.write([document])


# --- one format alone -------------------------------------------------------------------------


def test_words_without_times_are_counted(tmp_path):
    """A note of the document says how many words were put between others; it is no value."""
    path = tmp_path / "d.whisper"
    words = [{"word": "un", "start": 0, "end": 1}, {"word": "2"}, {"word": "trois"}]
    path.write_text(json.dumps([{"start": 0, "end": 2, "words": words}]), "utf-8")
    [document] = read(path)
    note = Note("words without times, put between their neighbours", 2)

    assert (note,) == document.notes
    assert Document("d", document.words, times=document.times) == document


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


@pytest.mark.parametrize("path", texts("valid"))
def test_json_is_told_by_its_keys(path, tmp_path):
    """A file of JSON that is called so is read as what it is, or as native, and never silently."""
    name = path.parent.parent.name
    if name not in IN_JSON or content(path).lstrip()[:1] not in ("{", "["):
        return
    copy = tmp_path / f"{path.stem}.json"
    copy.write_bytes(path.read_bytes())
    how = options(path)
    try:
        found = read(copy, **{"wanted": None, **how, "format": None})
    except InputError as refused:  # as no native file
        found = []
        message = str(refused)
    if found:
        notes = [note.what for document in found for note in document.notes]
        guess = f"files of .json taken for {name}, by their keys"
        assert read(path, **how) == found
        assert (guess in notes) == (name != "native")
    else:
        assert message.startswith(f"{copy}")


@pytest.mark.parametrize(
    "path", [*sorted(CASES.glob("offsets/valid/*.offsets")), *CASES.glob("mentions/valid/*.jsonl")]
)
def test_json_lines_are_told_by_their_keys(path, tmp_path):
    """Lines of JSON that are called so, as their programs call them, are read as what they are."""
    copy = tmp_path / "d.jsonl"
    copy.write_bytes(path.read_bytes().replace(path.stem.encode(), b"d"))
    name = path.parent.parent.name
    how = options(path)

    found = read(copy, **how)

    assert found == read(copy, **how, format=name)
    assert f"files of .jsonl taken for {name}, by their keys" in [n.what for n in found[0].notes]


@pytest.mark.parametrize(
    "path", sorted((CASES / "eaf" / "valid").glob("*.eaf")), ids=lambda path: path.stem
)
def test_eaf_as_pympi_reads_it(path, tmp_path):
    """The words and times of a tier are those that pympi finds in it."""
    from pympi import Elan

    if "encoding" in options(path) or path.with_suffix(".notes").exists():
        pytest.skip("pympi reads UTF-8, and no time that is not there")
    [document] = read(path, **options(path))
    head = {"VERSION": "3.0", "xsi:noNamespaceSchemaLocation": "EAFv3.0.xsd"}
    head["xmlns:xsi"] = "http://www.w3.org/2001/XMLSchema-instance"
    text, copy = content(path), tmp_path / path.name
    added = "".join(f' {key}="{value}"' for key, value in head.items() if f"{key}=" not in text)
    text = text.replace("<ANNOTATION_DOCUMENT", f"<ANNOTATION_DOCUMENT{added}")
    number = count(1)  # it wants different ones
    text = re.sub(' ANNOTATION_ID="[^"]*"', lambda _: f' ANNOTATION_ID="a{next(number)}"', text)
    copy.write_text(text, "utf-8")
    theirs = Elan.Eaf(str(copy))
    tier = options(path).get("tier")
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
    ours = [(*time, word) for time, word in zip(document.times, document.words, strict=True)]

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


def test_imports_are_light():
    """The table of readers is had without the packages that are slow to import."""
    code = "import sys, sereval.formats; print({'textgrid', 'networkx', 'numpy'} & {*sys.modules})"
    root = ROOT
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root)

    assert run.stdout == "set()\n"


# --- the shared corpora --------------------------------------------------------------------------

shared = pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not part of the project")


@pytest.mark.check
@shared
@pytest.mark.parametrize("part", ["human", "tts"])
def test_speech(part):
    """Annotations have the words of their alignments; hypotheses those of the recogniser."""
    folder = CORPORA / "speech" / part
    times = ("textgrid", "ctm", "native")
    reference, aligned = read(folder / "ref"), read(folder / "align", wanted=times)
    assert [(d.id, d.words) for d in reference] == [(d.id, d.words) for d in aligned]
    for condition in ("asr", "asr_adapted"):
        words = [(d.id, d.words) for d in read(folder / condition, wanted=times)]
        for system in ("compromise", "crf", "gaz"):
            hypothesis = read(folder / "hyp" / system / condition)
            assert words == [(d.id, d.words) for d in hypothesis]


@shared
def test_soduco():
    """Two versions of one text: a line an entry, the same tags in the same order."""
    clean, ocr = (read(CORPORA / "soduco" / f"{name}.ne")[0] for name in ("clean", "ocr"))

    assert [e.label for e in clean.elements] == [e.label for e in ocr.elements]
    assert [len(document.breaks) for document in (clean, ocr)] == [2499, 2499]


# --- the manual ----------------------------------------------------------------------------------


def test_manual():
    """Every example of the manual is read, and each format has one."""
    text = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
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
        source = Source("formats.md", "example", example, ReadingOptions(columns=columns), beside)
        for _, document in FORMATS[format].parse(source):
            assert document.words or document.mentions
        beside = ""
