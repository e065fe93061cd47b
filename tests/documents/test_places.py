"""The places of mentions, before and after the words or the labels change."""

from sereval import Document, Mention
from sereval.documents.model import Reference, is_to_be_found

WORDS = ("a", "b")


def test_what_has_mentions_and_no_words_is_to_be_found():
    """A list of mentions has no place yet; a reference and tagged words have theirs."""
    mentions = (Mention("loc", "Dol"),)
    assert is_to_be_found(Document("d", (), mentions=mentions))
    assert is_to_be_found(Document("d", (), mentions=()))
    assert not is_to_be_found(Document("d", WORDS, mentions=mentions))
    assert not is_to_be_found(Document("d", ()))
    assert not is_to_be_found(Reference("d", ()))
