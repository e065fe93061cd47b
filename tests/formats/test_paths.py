"""What a path names: files, folders, standard input; and what is refused of each."""

import io
import sys

import pytest
from refusals import refusal
from tables import tables
from timed_words import WORDS, as_ctm, as_textgrid, as_whisper

from sereval.formats import FORMATS, POLICIES, ReadingOptions, files, find, read

TABLES = tables(__file__)


@pytest.fixture
def corpus(here):
    """A folder as people have it: annotations, times and other things side by side."""
    folder = here / "corpus"
    (folder / "b.ne").parent.mkdir()
    (folder / "b.ne").write_text("un deux", "utf-8")
    (folder / "a.ne").write_text("trois", "utf-8")
    (folder / "a.ctm").write_text("a 1 0 1 trois\n", "utf-8")
    (folder / "a.TextGrid").write_text(as_textgrid(is_short=False), "utf-8")
    (folder / "a.lines.tsv").write_text("1\t2\n", "utf-8")
    (folder / ".hidden.ne").write_text("<", "utf-8")
    (folder / "README.md").write_text("# corpus", "utf-8")
    (folder / "sub.ne").mkdir()
    return folder


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
    formats = "columns (.iob .iob2 .bio .conll .conllu .conllup), native (.jsonl .json), "
    formats += "inline (.ne), … (see sereval formats)"
    nothing = "corpus: no file to read in this folder, which has 2 '.ne', 1 '.ctm' "
    nothing += "(words and times but no elements), 1 '.md'"
    nothing += ", and those inside ('empty', 'sub.ne') are not looked into"

    assert f"corpus/empty: no file to read in this folder; expected {formats}" == refusal(
        "corpus/empty"
    )
    assert f"{nothing}; expected native (.jsonl .json)" == refusal("corpus", wanted=("native",))
    assert f"{nothing}; expected mfa (.mfa .csv .json .jsonl)" == refusal("corpus", format="mfa")


def test_broken_link_in_a_folder(corpus):
    """A file that is named in a folder but not there is not passed over."""
    (corpus / "c.ne").symlink_to("nowhere")

    assert refusal("corpus", format="inline") == "corpus/c.ne: No such file or directory"


def test_folder_that_cannot_be_listed(corpus, monkeypatch):
    """The system's reason is given."""

    def listdir(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(find.os, "listdir", listdir)

    assert refusal("corpus") == "corpus: Permission denied"


@pytest.mark.parametrize(
    ("path", "options", "message"),
    [
        *TABLES["wrong"],
        (
            "corpus/a.ne",
            {"format": "xml"},
            f"format 'xml', expected one of {', '.join(FORMATS)}",
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
    """A suffix of several formats counts in a folder if the content is of a wanted format."""
    (corpus / "b.json").write_text(as_whisper(), "utf-8")
    (corpus / "c.whisper").write_text(as_whisper(), "utf-8")

    assert ["b", "c"] == [document.id for document in read(corpus, format="whisper")]
    assert ["b", "c"] == [d.id for d in read(corpus, wanted=("textgrid", "whisper"))[1:]]
    (corpus / "d.tsv").write_text(
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=NamedEntity|value\n\n\n#Text=Dol\n1-1\t0-3\tDol\tloc\n",
        "utf-8",
    )
    assert ["a", "b", "d"] == [d.id for d in read(corpus, wanted=("inline", "webanno"))]


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
    there = "native (.jsonl .json), inline (.ne)"
    message = (
        f"{path}: its keys are those of whisper (words and times but no elements), expected "
        f"{there}; or name its format"
    )

    assert refusal(path, wanted=("inline", "native")) == message


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


def test_files_beside_documents_are_none(tmp_path):
    """In a folder, a file that stands beside a document is no document, and may stand alone."""
    (tmp_path / "d.nlp").write_text("token|tags|wer_tags\nDol|[]|['0']\n", "utf-8")
    (tmp_path / "d.wer_tag.json").write_text('{"0": {"entity_type": "loc"}}', "utf-8")
    [document] = read(tmp_path)
    assert ["loc"] == [element.label for element in document.elements]

    (tmp_path / "d.wer_tag.json").rename(tmp_path / "e.wer_tag.json")
    assert "e.wer_tag.json: its keys (0) are those of no format" in refusal(tmp_path)


def test_tables_are_told_by_their_first_line(tmp_path):
    """A single file with tabs is SLUE's or WebAnno's if its first line says so, else columns."""
    path = tmp_path / "d.tsv"
    for text, format in [
        ("id\tnormalized_text\tnormalized_ner\na\tDol\tNone\n", "slue"),
        ("#FORMAT=WebAnno TSV 3.3\r\n", "webanno"),
        ("Dol\tB-loc\n", "columns"),
        ("id\tB-loc\n", "columns"),
    ]:
        path.write_text(text, "utf-8")
        assert [format] == [file.format for file in files(path)]
    path.write_bytes("\ufeff#FORMAT=WebAnno TSV 3.3\n".encode("utf-16-le"))
    options = ReadingOptions(encoding="utf-16-le")
    assert ["webanno"] == [file.format for file in files(path, options)]
    assert "suffix '.tsv'" in refusal(path, wanted=("ctm",))


def test_spacy_is_an_extra(tmp_path, monkeypatch):
    """Without spaCy, a file of spaCy's is refused in one line that says what to install."""
    path = tmp_path / "d.spacy"
    path.write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)

    assert refusal(path) == (
        f"{path}: a file of spaCy needs spaCy, which is not installed: pip install 'sereval[spacy]'"
    )
