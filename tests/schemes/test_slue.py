"""SLUE: labels and texts as multisets, whatever their order and place."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sereval
from sereval import Document, Mention
from sereval.evaluation.evaluate import Settings
from sereval.schemes.lists import scorer

MENTIONS = st.lists(
    st.builds(Mention, st.sampled_from("xy"), st.sampled_from(["a", "b", "a b"])), max_size=6
)


def document(mentions, id="d"):
    return Document(id, (), mentions=tuple(mentions))


def counts(ours, theirs):
    """Correct, missing and spurious of two multisets, by the standard library's."""
    both = Counter(ours) & Counter(theirs)
    return both.total(), len(ours) - both.total(), len(theirs) - both.total()


def score(*pairs, figure=None):
    return scorer(Settings(scheme="slue", figure=figure)).of(list(pairs))


@given(MENTIONS, MENTIONS)
def test_both_figures_are_of_multisets(ours, theirs):
    """Entities are pairs of label and text, and labels are labels; no more than that."""
    total = score((document(ours), document(theirs))).total

    for name, one, other in [
        ("entity", ours, theirs),
        ("label", [m.label for m in ours], [m.label for m in theirs]),
    ]:
        figure = total.get(name, sereval.schemes.result.Figure())
        assert counts(one, other) == (figure.cor, figure.mis, figure.spu)


@pytest.mark.check
@given(MENTIONS, MENTIONS, st.randoms(use_true_random=False))
def test_order_means_nothing(ours, theirs, chance: random.Random):
    """The figures of each label are the same in any order of either list."""
    before = score((document(ours), document(theirs))).labels
    chance.shuffle(ours)
    chance.shuffle(theirs)

    assert before == score((document(ours), document(theirs))).labels
