"""What a path names, as far as a session cannot show it: links, rights, encodings, extras."""

import pytest
from refusals import refusal

from sereval.formats import file


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

    monkeypatch.setattr(file.os, "listdir", listdir)

    assert refusal("corpus") == "corpus: Permission denied"
