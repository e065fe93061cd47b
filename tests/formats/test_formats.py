"""The readers: cases in folders, laws, and every file of the shared corpora."""

import csv
import html
import io
import json
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import CORPORA, ROOT, TESTS
from strategies import documents, references

from sereval.documents.model import Document, Element, Note, Reference, tree
from sereval.errors import InputError, SerevalError
from sereval.formats import (
    FORMATS,
    POLICIES,
    ReadingOptions,
    milliseconds,
    native,
    parse_duration,
    paths,
    read,
    whisper,
)
from sereval.formats.crossing import crossing, uncrossed
from sereval.formats.records import plain_times
from sereval.formats.source import Source

CASES = TESTS / "formats" / "cases"
SUFFIX = {
    "inline": ".ne",
    "sgml": ".sgml",
    "columns": ".iob",
    "aref": ".aref",
    "native": ".jsonl",
    "textgrid": ".TextGrid",
    "ctm": ".ctm",
    "whisper": ".whisper",
    "vosk": ".vosk",
    "mfa": ".mfa",
    "eaf": ".eaf",
    "brat": ".ann",
    "transcriber": ".trs",
    "kaldi": ".kaldi",
    "offsets": ".offsets",
    "labelstudio": ".labelstudio",
    "mentions": ".mentions.jsonl",
}


HIPE = ("NE-FINE-METO", "NE-FINE-LIT", "NE-FINE-COMP", "NE-NESTED")


def cases(kind, name="*"):
    """Files of the cases, with the name of their folder in front."""
    found = [
        pytest.param(path, id=f"{format}-{path.stem}")
        for format in FORMATS
        for path in sorted((CASES / format / kind).glob(name + SUFFIX[format]))
    ]
    assert found
    return found


def options(path):
    """Arguments of `read` for a case; mostly none."""
    file = path.with_suffix(".options")
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def text_beside(path):
    """The text that a case stands beside, or nothing."""
    file = path.with_suffix(".txt")
    return content(file) if file.exists() else ""


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


@pytest.mark.parametrize("path", cases("valid"))
def test_line_ends_and_encodings(path, tmp_path):
    """Line ends, byte order marks and UTF-16 change nothing."""
    if "encoding" in options(path) or path.stem == "texts":
        pytest.skip("not UTF-8, or line ends are part of a word")
    text, expected = content(path).replace("\r\n", "\n"), read(path, **options(path))
    copy, beside = tmp_path / path.name, text_beside(path)
    for data, encoding in [
        (text.replace("\n", "\r\n").encode(), "utf-8"),
        (text.encode("utf-8-sig"), "utf-8"),
        (text.encode("utf-16"), "utf-16"),
        (("\ufeff" + text).encode("utf-16-be"), "utf-16-be"),
    ]:
        copy.write_bytes(data)
        copy.with_suffix(".txt").write_bytes(beside.encode(encoding))
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
    case = data.draw(st.sampled_from(cases("valid")))
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

WORDS = ("item", "[", '"', "</a>", "l'", "B-LOC", "&lt;", "été")
TIMES = tuple((500 * k, 500 * k + 250) for k in range(len(WORDS)))


def as_ctm():
    rows = zip(WORDS, TIMES, strict=True)
    return "".join(f"d 1 {start / 1000} 0.25 {word}\n" for word, (start, _) in rows)


def as_textgrid(is_short):
    marks = [
        (f"{start / 1000}", f"{end / 1000}", '"' + word.replace('"', '""') + '"')
        for word, (start, end) in zip(WORDS, TIMES, strict=True)
    ]
    if is_short:
        rows = "\n".join("\n".join(mark) for mark in marks)
        return (
            'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9\n<exists>\n1\n'
            f'"IntervalTier"\n"words"\n0\n9\n{len(marks)}\n{rows}\n'
        )
    rows = "\n".join(
        f"intervals [{k}]:\n xmin = {start} \n xmax = {end} \n text = {text} "
        for k, (start, end, text) in enumerate(marks, 1)
    )
    return (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0 \nxmax = 9 \n'
        "tiers? <exists> \nsize = 1 \nitem []: \nitem [1]:\n"
        'class = "IntervalTier" \nname = "words" \nxmin = 0 \nxmax = 9 \n'
        f"intervals: size = {len(marks)} \n{rows}\n"
    )


def as_whisper():
    """Words as Whisper writes them, with a space before each."""
    rows = zip(WORDS, TIMES, strict=True)
    words = [{"word": f" {w}", "start": a / 1000, "end": b / 1000} for w, (a, b) in rows]
    return json.dumps({"text": "", "segments": [{"id": 0, "words": words}]})


def as_vosk():
    """Words as Vosk writes them, a result each."""
    rows = zip(WORDS, TIMES, strict=True)
    words = [{"conf": 1.0, "start": a / 1000, "end": b / 1000, "word": w} for w, (a, b) in rows]
    return "".join(json.dumps({"result": [word], "text": word["word"]}) for word in words)


def as_mfa(is_json):
    """Words as the Montreal Forced Aligner writes them, with silence and phones."""
    entries = [[a / 1000, b / 1000, w] for w, (a, b) in zip(WORDS, TIMES, strict=True)]
    if is_json:
        tiers = {"words": {"type": "interval", "entries": [[0.25, 0.5, "<eps>"], *entries]}}
        return json.dumps({"start": 0, "end": 9, "tiers": tiers})
    file = io.StringIO()
    rows = [[*entry, kind, "x"] for kind in ("words", "phones") for entry in entries]
    csv.writer(file).writerows([["Begin", "End", "Label", "Type", "Speaker"], *rows])
    return file.getvalue()


def as_eaf():
    """Words as ELAN writes them, each between two slots of its own."""
    slots, words = [], []
    for k, (word, times) in enumerate(zip(WORDS, TIMES, strict=True)):
        for side, ms in zip("ab", times, strict=True):
            slots.append(f'<TIME_SLOT TIME_SLOT_ID="{side}{k}" TIME_VALUE="{ms}"/>')
        words.append(
            f'<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a{k}" TIME_SLOT_REF2="b{k}">\n'
            f"<ANNOTATION_VALUE>{html.escape(word)}</ANNOTATION_VALUE>\n"
            "</ALIGNABLE_ANNOTATION></ANNOTATION>"
        )
    return (
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{''.join(slots)}</TIME_ORDER>\n"
        f'<TIER TIER_ID="words">{"".join(words)}</TIER></ANNOTATION_DOCUMENT>'
    )


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
            ("d.mfa", as_mfa(is_json=False)),
            ("d.mfa", as_mfa(is_json=True)),
            ("d.eaf", as_eaf()),
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


# --- times ---------------------------------------------------------------------------------------


WRITTEN = st.from_regex(r"[0-9]{1,9}\.[0-9]{1,4}|[0-9]{1,3}(\.[0-9]e[+-]?[0-9])?", fullmatch=True)


@given(st.lists(st.tuples(WRITTEN, WRITTEN)))
def test_times_that_are_read_together(pairs):
    """Times read all at once are those read one by one, exactly, wherever there are any."""
    exact = tuple(tuple(int(Decimal(text) * 1000) for text in pair) for pair in pairs)
    is_plain = all(re.fullmatch(r"[0-9]{1,8}\.[0-9]{1,3}", text) for pair in pairs for text in pair)
    items = [[text.encode() for text in pair] for pair in pairs]
    assert (exact if is_plain else None) == plain_times(items)


@pytest.mark.parametrize("most", [10**4, 10**7, 10**11])
def test_no_float_decides_a_millisecond(most):
    """Each number below 10**8 s with three decimals is the ms that it says."""
    rng = Random(most)
    ms = [most - 1, *(rng.randrange(most) for _ in range(10_000))]
    written = [f"{k // 1000}.{k % 1000:03d}".encode() for k in ms]
    assert tuple(zip(ms, ms, strict=True)) == plain_times([[text, text] for text in written])


@given(
    st.lists(st.sampled_from([b"1.5", b"1e3", "1.5", 1, None, [b"1.5", b"2.5"], {}]), max_size=3)
)
def test_times_that_are_no_numbers(item):
    """What is no pair of numbers is left to whoever says what is wrong with it."""
    expected = ((1500, 1500),) if item == [b"1.5", b"1.5"] else None
    assert expected == plain_times([item])
    assert plain_times(["ab"]) is plain_times([{"a": 1, "b": 2}]) is plain_times([7]) is None


@given(st.decimals(-(10**9), 10**9, allow_nan=False))
def test_milliseconds(seconds):
    """Halves go up, exactly: the same as the floor of the fraction and a half."""
    expected = (Fraction(seconds) * 1000 + Fraction(1, 2)).__floor__()

    assert expected == milliseconds(seconds) == milliseconds(f"{seconds:f}")


@pytest.mark.parametrize(
    "text",
    ["", " 1", "1_0", "0x1", "NaN", "sNaN", "inf", "-Infinity", "1e", "1e-99999", ".", "١", "1,5"]
    + ["1000000000.001", "-1e10", "1e9999"],
)
def test_not_a_time(text):
    """Anything but a plain decimal of at most 10**9 s is refused, without a huge integer."""
    with pytest.raises(SerevalError, match="expected a (decimal number|time of at most)"):
        milliseconds(text)


@pytest.mark.parametrize(
    ("text", "ms"),
    [("0.3", 300), ("300ms", 300), ("0.3s", 300), (" 0.3 s ", 300), ("0", 0), ("1e-3", 1)]
    + [("0.5ms", 1), ("0.4999999999999999999999999999999999ms", 0), ("1e3ms", 1000)],
)
def test_durations(text, ms):
    """Bare numbers are seconds; ms and s are accepted."""
    assert ms == parse_duration(text)


@pytest.mark.parametrize("text", ["", "s", "ms", "-1", "-1ms", "1m", "1 2", "nan", "300MS", "1e12"])
def test_not_a_duration(text):
    """Anything else is refused."""
    with pytest.raises(SerevalError, match="expected a "):
        parse_duration(text)


# --- files, folders, standard input --------------------------------------------------------------


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A folder as people have it: annotations, times and other things side by side."""
    folder = tmp_path / "corpus"
    (folder / "b.ne").parent.mkdir()
    (folder / "b.ne").write_text("un deux", "utf-8")
    (folder / "a.ne").write_text("trois", "utf-8")
    (folder / "a.ctm").write_text("a 1 0 1 trois\n", "utf-8")
    (folder / "a.TextGrid").write_text(as_textgrid(is_short=False), "utf-8")
    (folder / "a.lines.tsv").write_text("1\t2\n", "utf-8")
    (folder / ".hidden.ne").write_text("<", "utf-8")
    (folder / "README.md").write_text("# corpus", "utf-8")
    (folder / "sub.ne").mkdir()
    monkeypatch.chdir(tmp_path)
    return folder


def refusal(*args, **options):
    """The message of what `read` refuses."""
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_folder(corpus):
    """Files of the wanted formats, by name; hidden files, folders and the rest are passed over."""
    annotations = read(corpus, wanted=("inline", "native"))

    assert [document.id for document in annotations] == ["a", "b"]
    assert [str(corpus / "a.ne"), str(corpus / "b.ne")] == [d.source for d in annotations]
    assert annotations == read(corpus, format="inline")
    assert [d.words for d in read(corpus, format="textgrid")] == [WORDS]


def test_ids_are_unique_over_files(corpus):
    """Two files with the same document are refused with both places."""
    assert refusal("corpus", wanted=("textgrid", "ctm", "native")) == (
        "corpus/a.ctm:1: document 'a' stands twice, expected ids to be unique; "
        "the first is in corpus/a.TextGrid"
    )


def test_nothing_to_read(corpus):
    """A folder without a wanted file says what was looked for."""
    (corpus / "empty").mkdir()
    formats = ", ".join(f"{n} ({' '.join(r.suffixes)})" for n, r in FORMATS.items())
    nothing = "corpus: no file to read in this folder, which has 2 '.ne', 1 '.ctm', 1 '.md'"
    nothing += ", and those inside ('empty', 'sub.ne') are not looked into"

    assert f"corpus/empty: no file to read in this folder; expected {formats}" == refusal(
        "corpus/empty"
    )
    assert f"{nothing}; expected native (.jsonl .json)" == refusal("corpus", wanted=("native",))
    assert f"{nothing}; expected mfa (.mfa .csv .json)" == refusal("corpus", format="mfa")


def test_broken_link_in_a_folder(corpus):
    """A file that is named in a folder but not there is not passed over."""
    (corpus / "c.ne").symlink_to("nowhere")

    assert refusal("corpus", format="inline") == "corpus/c.ne: No such file or directory"


def test_folder_that_cannot_be_listed(corpus, monkeypatch):
    """The system's reason is given."""

    def listdir(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(paths.os, "listdir", listdir)

    assert refusal("corpus") == "corpus: Permission denied"


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        ("no.ne", {}, "no.ne: No such file or directory"),
        ("no", {}, "no: No such file or directory"),
        ("no.such/a.ne", {}, "no.such/a.ne: No such file or directory"),
        ("a\0.ne", {}, "'a\\x00.ne': embedded null byte"),
        ("-", {}, "-: standard input has no suffix: name its format"),
        (
            "corpus/README.md",
            {"wanted": ("inline", "native")},
            "corpus/README.md: suffix '.md', expected inline (.ne), native (.jsonl .json); "
            "or name its format",
        ),
        (
            "corpus/a.ctm",
            {"wanted": ("inline",)},
            "corpus/a.ctm: suffix '.ctm', expected inline (.ne); or name its format",
        ),
        (
            "corpus/a.ne",
            {"format": "xml"},
            f"format 'xml', expected one of {', '.join(FORMATS)}",
        ),
        (
            "corpus/a.ctm",
            {"format": "ctm", "wanted": ("inline",)},
            "format 'ctm' makes no sense here, expected inline (.ne)",
        ),
    ],
)
def test_wrong_arguments(corpus, path, options, message):
    """Wrong paths and formats are refused with what was expected."""
    assert message == refusal(path, **options)


def test_format_goes_before_suffix(corpus):
    """A named format is taken whatever the suffix."""
    [document] = read("corpus/README.md", format="inline")

    assert (document.id, document.words) == ("README", ("#", "corpus"))


def test_shared_suffix_in_a_folder(corpus):
    """A suffix of another format counts in a folder where the format that shares it is named."""
    (corpus / "b.json").write_text(as_whisper(), "utf-8")
    (corpus / "c.whisper").write_text(as_whisper(), "utf-8")

    assert ["b", "c"] == [document.id for document in read(corpus, format="whisper")]
    assert ["c"] == [document.id for document in read(corpus, wanted=("textgrid", "whisper"))[1:]]


def test_words_without_times_are_counted(tmp_path):
    """A note of the document says how many words were put between others; it is no value."""
    path = tmp_path / "d.whisper"
    words = [{"word": "un", "start": 0, "end": 1}, {"word": "2"}, {"word": "trois"}]
    path.write_text(json.dumps([{"start": 0, "end": 2, "words": words}]), "utf-8")
    [document] = read(path)
    note = Note("words without times, put between their neighbours", 2)

    assert (note,) == document.notes
    assert Document("d", document.words, times=document.times) == document


IN_JSON = ("native", "whisper", "vosk", "kaldi", "mfa", "labelstudio")


@pytest.mark.parametrize("path", cases("valid"))
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
    "text", ['[{"text": "Dol"}]', '{"text": "Dol"}\n{"id": "d", "words": ["Dol"]}']
)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_json_that_no_format_has(text, suffix, tmp_path):
    """Keys of no format are said, with the formats that can be told by theirs."""
    path = tmp_path / f"d{suffix}"
    path.write_text(text, "utf-8")
    expected = "expected those of native, offsets; or name its format"
    message = f"{path}: its keys (text) are those of no format, {expected}"

    assert refusal(path, wanted=("inline", "native", "offsets")) == message


def test_json_that_makes_no_sense_here(tmp_path):
    """Where the format that the keys say is not wanted, the message names it."""
    path = tmp_path / "d.json"
    path.write_text(as_whisper(), "utf-8")
    there = "inline (.ne), native (.jsonl .json)"
    message = f"{path}: its keys are those of whisper, expected {there}; or name its format"

    assert refusal(path, wanted=("inline", "native")) == message


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


def test_brat_needs_its_text(tmp_path, monkeypatch):
    """Annotations without the text that they count the characters of are refused."""
    path = tmp_path / "d.ann"
    path.write_text("T1\tloc 0 3\tDol\n", "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))

    assert refusal(path) == f"{path}: no d.txt is beside it, expected one"
    path.with_suffix(".txt").write_text(" \n", "utf-8")
    assert refusal(path) == f"{path.with_suffix('.txt')}: the file is empty, expected words"
    assert refusal("-", format="brat") == "standard input: no .txt is beside it, expected a file"


def test_policies_that_are_none(tmp_path):
    """A policy that no reader has is refused, whatever the file."""
    for policies, message in [
        ({"cross": "drop"}, f"found 'cross', expected one of {', '.join(POLICIES)}"),
        ({"crossing": "x"}, "found 'crossing=x', expected one of crossing=refuse, crossing=drop"),
    ]:
        assert refusal(tmp_path, policies=policies) == message


@given(st.lists(st.integers(1, 20), min_size=1), st.integers(0, 10**6), st.integers(0, 10**5))
def test_spread(widths, start, duration):
    """Words that share a gap fill it, in order, each within a millisecond of its share."""
    spans = whisper.spread(widths, start, start + duration)

    assert (start, start + duration) == (spans[0][0], spans[-1][1])
    assert all(one[1] == next[0] for one, next in zip(spans, spans[1:], strict=False))
    for (a, b), width in zip(spans, widths, strict=True):
        assert abs(b - a - Fraction(duration * width, sum(widths))) <= 1


def test_standard_input(monkeypatch):
    """Standard input takes the same path as a file; its one document is called after it."""
    for format, text, id in [
        ("inline", "un <a> deux </a>", "-"),
        ("textgrid", as_textgrid(is_short=True), "-"),
        ("ctm", as_ctm(), "d"),
    ]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert [id] == [document.id for document in read("-", format=format)]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"un\n<a>")))
    assert refusal("-", format="inline") == "-:2: <a> is never closed"


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


@shared
def test_nne(tmp_path):
    """A corpus of native lines is written as it was read."""
    found = read(CORPORA / "nne" / "gold.jsonl")
    copy = tmp_path / "gold.jsonl"
    copy.write_text(native.write(found), "utf-8")

    assert (len(found), sum(len(document.elements) for document in found)) == (1989, 10463)
    assert found == read(copy)


# --- the manual ----------------------------------------------------------------------------------


def test_manual():
    """Every example of the manual is read, and each format has one."""
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    blocks = re.findall(r"^```(?!console)(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)

    assert {format for format, _ in blocks} == {*FORMATS, "txt", "hipe"}
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
