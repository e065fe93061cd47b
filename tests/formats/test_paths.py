"""What a path names, as far as a session cannot show it: links, rights, encodings, extras."""

import sys

import pytest
from refusals import refusal

from sereval.formats import ReadingOptions, files, find, read


@pytest.fixture
def corpus(here):
    """A folder with a file."""
    (here / "corpus").mkdir()
    (here / "corpus" / "a.ne").write_text("trois", "utf-8")
    return here / "corpus"


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


def test_formats_of_the_call(corpus):
    """A format that is not wanted is refused, and so are one and a path that cannot be."""
    makes_no_sense = "format 'ctm' makes no sense here, expected inline (.ne)"

    assert makes_no_sense == refusal("corpus/a.ne", format="ctm", wanted=["inline"])
    assert refusal("corpus/a.ne", format="xml").startswith("format 'xml', expected one of inline,")
    assert refusal("a\0.ne") == "'a\\x00.ne': embedded null byte"
    assert ["a"] == [document.id for document in read(corpus, wanted=("inline", "native"))]


def test_content_in_another_encoding(tmp_path):
    """The beginning of a file is decoded as the whole of it."""
    path = tmp_path / "d.tsv"
    path.write_bytes("\ufeff#FORMAT=WebAnno TSV 3.3\n".encode("utf-16-le"))
    options = ReadingOptions(encoding="utf-16-le")

    assert ["webanno"] == [file.format for file in files(path, options)]


def test_spacy_is_an_extra(tmp_path, monkeypatch):
    """Without spaCy, a file of spaCy's is refused in one line that says what to install."""
    path = tmp_path / "d.spacy"
    path.write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)

    assert refusal(path) == (
        f"{path}: a file of spaCy needs spaCy, which is not installed: pip install 'sereval[spacy]'"
    )
