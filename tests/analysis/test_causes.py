"""What the recogniser did to words: the causes, worked by hand."""

import pytest

from sereval.alignment.words import word_operations
from sereval.analysis.blame import Recognition

SAID = ["we", "met", "Jacques", "Chirac", "in", "Dol", "today"]


def recognition(said, heard):
    return Recognition(word_operations(said, heard), heard)


def cause(recognised, start, end, context=2):
    return recognition(SAID, recognised.split()).became(start, end, context)[0]


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


def test_words_heard_as_several():
    """A wrong first word takes the words inserted right before it; a right one does not."""
    heard = recognition(["in", "2020", "we"], ["in", "twenty", "twenty", "we"])
    assert ("twenty", "twenty") == heard.became(1, 2, 0)[1]
    assert ("we",) == recognition(["in", "we"], ["in", "um", "we"]).became(1, 2, 0)[1]
    inside = recognition(["New", "York"], ["New", "um", "York"])
    assert ("New", "um", "York") == inside.became(0, 2, 0)[1]
