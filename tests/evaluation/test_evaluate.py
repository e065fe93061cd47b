"""The whole flow: documents pair, each is projected, mapped and counted; nothing is left out."""

import pytest

from sereval.documents.model import (
    Document,
    Mention,
    Note,
    Reference,
    ReferenceElement,
    tree,
)
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import (
    score_document,
    score_pair,
)
from sereval.evaluation.settings import Settings
from sereval.evaluation.words import errors_beside

WORDS = tuple("abcdefgh")
TIMES = tuple((100 * k, 100 * k + 100) for k in range(8))


def document(name, *spans, words=WORDS, times=None, **more):
    return Document(name, words, tree(spans), times, **more)


def message_of(make):
    """What is said of something that is refused."""
    with pytest.raises(SerevalError) as error:
        make()
    return str(error.value)


# --- options -------------------------------------------------------------------------------------


# --- pairs ---------------------------------------------------------------------------------------


# --- one document --------------------------------------------------------------------------------

REFERENCE = document(
    "d",
    *(("a.x", 0, 2), ("b", 2, 4), ("c", 4, 6), ("b", 4, 5), ("n", 6, 7), ("d.x", 7, 8)),
    times=TIMES,
)
HYPOTHESIS = document(
    "d",
    *(("z", 0, 2), ("a.y", 0, 2), ("b", 2, 3), ("b", 4, 6), ("c", 4, 5), ("n", 6, 7)),
    *(("d.y", 7, 8), ("z", 7, 8)),
    times=TIMES,
    mentions=(Mention("lost", "x"), Mention("z", "y")),
    notes=(Note("skipped", 1),),
)


def test_the_limit_of_the_search_is_that_of_each():
    """Mappings by costs, exact pairs, the definition's beside LNE's, and the upper bound."""
    crossed = document("d", ("a", 0, 2), ("b", 0, 2)), document("d", ("b", 0, 2), ("a", 0, 2))
    fuzzy = ReferenceElement(("x",), (0, 1), (2, 3), strict=(2, 1))
    bound = Reference("d", WORDS, (fuzzy,)), document("d")
    for sides, settings in (
        (crossed, Settings(max_states=1)),
        (crossed, Settings(max_states=1, scheme="quaero-lne")),
        (bound, Settings(max_states=1, is_bound=True)),
    ):
        message = message_of(lambda given=(*sides, settings): score_document(*given))
        assert "need a search of more than 1 states" in message


OTHERS = [
    HYPOTHESIS,
    document("d", ("b", 2, 4), times=TIMES),
    document("d", ("b", 2, 4), times=TIMES, mentions=(Mention("lost", "x"),)),
]


IN_TIME = Settings((100, 100), figure="SER")


@pytest.mark.parametrize(
    ("hypotheses", "settings", "projections"),
    [
        (OTHERS, Settings(figure="SER"), 3),
        (OTHERS, IN_TIME, 2),
        ([*OTHERS, document("d", words=WORDS[::-1], times=TIMES)], IN_TIME, 3),
        ([*OTHERS, document("d", times=((0, 50), *TIMES[1:]))], IN_TIME, 3),
    ],
)
def test_systems_on_the_same_words_share_a_projection(hypotheses, settings, projections):
    """Each has the score that it has alone; another word, time or kind of side is another one."""
    pairs = [(REFERENCE, one) for one in hypotheses]
    found = [score_pair(pair, settings) for pair in pairs]
    for pair, one in zip(pairs, found, strict=True):
        words = errors_beside(pair, settings) if settings.is_projected else None
        assert score_document(*pair, settings)._replace(words=words) == one
    assert projections == len({id(one.mapped.reference) for one in found})
