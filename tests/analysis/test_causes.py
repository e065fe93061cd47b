"""What the recogniser did to words: the causes, worked by hand."""

import pytest

from sereval.alignment.words import word_operations
from sereval.analysis.causes import CAUSES, Recognition

SAID = ["we", "met", "Jacques", "Chirac", "in", "Dol", "today"]


def recognition(said, heard):
    return Recognition(word_operations(said, heard), heard)


def cause(recognised, start, end, context=2):
    return recognition(SAID, recognised.split()).cause(start, end, context)


@pytest.mark.parametrize(
    ("recognised", "expected"),
    [
        ("we met in Dol today", "deleted"),
        ("we met Jacques in Dol today", "misheard"),
        ("we met jack Chirac in Dol today", "misheard"),
        ("we met Jacques um Chirac in Dol today", "misheard"),
        ("we met um Jacques Chirac in Dol today", "context"),
        ("we met Jacques Chirac um in Dol today", "context"),
        ("we met Jacques Chirac in Tol today", "context"),
        ("me met Jacques Chirac in Dol today", "context"),
        ("met Jacques Chirac in Dol today", "context"),
        ("we met Jacques Chirac in Dol", "unexplained"),
        ("we met JACQUES, Chirac in Dol today", "unexplained"),
    ],
)
def test_the_first_cause_that_holds(recognised, expected):
    """Own words come before those around them; case and punctuation are no errors."""
    assert expected == cause(recognised, 2, 4)


def test_the_context_is_as_wide_as_asked():
    """A wrong word counts up to the number of words that the user says, on either side."""
    recognised = "me met Jacques Chirac in Tol today"
    assert ["unexplained", "unexplained", "context"] == [
        cause(recognised, 2, 4, context) for context in range(3)
    ]
    assert "context" == cause("we met Jacques Chirac in Dol to", 2, 4, 3)


def test_inserted_words_between_deleted_ones_keep_none():
    """An element all of whose words are deleted is deleted, whatever stands in their place."""
    heard = recognition(["a", "b", "c"], ["a", "c"])
    assert ("deleted", ()) == (heard.cause(1, 2, 2), heard.words(1, 2))


def test_words_heard_as_several():
    """A wrong first word takes the words inserted right before it; a right one does not."""
    heard = recognition(["in", "2020", "we"], ["in", "twenty", "twenty", "we"])
    assert ("twenty", "twenty") == heard.words(1, 2)
    assert ("we",) == recognition(["in", "we"], ["in", "um", "we"]).words(1, 2)
    inside = recognition(["New", "York"], ["New", "um", "York"])
    assert ("New", "um", "York") == inside.words(0, 2)


def test_punctuation_is_no_word():
    """An element of punctuation is neither deleted nor misheard; only words around it count."""
    heard = recognition(["he", "…", "left"], ["he", "lift"])
    assert ("context", ()) == (heard.cause(1, 2, 1), heard.words(1, 2))
    at_end = recognition(["he", "…"], ["he"])
    assert "unexplained" == at_end.cause(1, 2, 1)


def test_every_word_has_a_cause():
    """Each word alone has one of the causes."""
    heard = recognition(SAID, ["we", "met", "jack", "in", "Dol", "um", "today"])
    expected = ["context", "context", "deleted", "misheard", "context", "context", "context"]
    assert expected == [heard.cause(k, k + 1, 2) for k in range(len(SAID))]
    assert {*expected} <= {*CAUSES}
