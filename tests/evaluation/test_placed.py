"""The least and the greatest cost of all placements of mentions, against all of them one by one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_placement
from strategies import forests, word_times

import sereval
from sereval import Costs, Document, find_mentions, tree
from sereval.labels.relabel import LabelMap, Labels
from sereval.mapping.best import PAIRINGS

RENAMED = LabelMap({"a": "x"}, {"b": "x", "c": None})
CHANGES = [
    Labels(),
    Labels(map=RENAMED),
    Labels(only=("outermost",)),
    Labels(map=RENAMED, only=("x", "outermost")),
]


@st.composite
def listed(draw, is_timed):
    """A reference, the words of the hypothesis, and mentions."""
    mentions = draw(drawn_mentions(["a", "b", "c"]))
    words = tuple(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)))
    if not is_timed:
        return Document("d", words, draw(forests(len(words)))), Document("d", words), mentions
    n = draw(st.integers(0, 5))
    own = tuple(f"r{k}" for k in range(n))
    reference = Document("d", own, draw(forests(n)), draw(word_times(n)))
    return reference, Document("d", words, times=draw(word_times(len(words)))), mentions


def one_by_one(reference, words, mentions, by, labels, **choices):
    """The evaluation of every placement."""
    for way in every_placement(mentions, words.words, by):
        placed = {one[0] for one in way}
        missed = tuple(one for k, one in enumerate(mentions) if k not in placed)
        elements = tree((label, start, end) for _, label, start, end, _ in way)
        document = replace(words, elements=elements, mentions=missed)
        ours, theirs = labels.relabel(reference), labels.relabel(document, "hypothesis")
        yield sereval.evaluate([ours], [theirs], **choices)


def settings_drawn(is_timed):
    return st.fixed_dictionaries(
        {
            "tolerance": st.sampled_from([0, "10ms", "30ms"]) if is_timed else st.none(),
            "unplaceable": st.sampled_from(["drop", "miss", "merge"] if is_timed else ["drop"]),
            "costs": st.sampled_from([Costs(), Costs.parse("D=2,I=0.3"), Costs.parse("S_ST=0.7")]),
            "pairing": st.sampled_from(list(PAIRINGS)),
            "scheme": st.sampled_from(["quaero", "quaero-lne"]),
            "neutral": st.sampled_from([frozenset(), frozenset({"b"})]),
        }
    )


@pytest.mark.parametrize("by", ["exact", "nearest"])
@pytest.mark.parametrize("is_timed", [False, True])
@settings(max_examples=60)
@given(data=st.data())
def test_no_placement_is_beyond_the_range(is_timed, by, data):
    """The ends are the least and the greatest cost of all placements, scored one by one."""
    reference, words, mentions = data.draw(listed(is_timed))
    choices = data.draw(settings_drawn(is_timed))
    labels = data.draw(st.sampled_from(CHANGES))
    every = list(one_by_one(reference, words, mentions, by, labels, **choices))
    found = find_mentions(Document("d", (), mentions=tuple(mentions)), words, by=by)
    ours, theirs = labels.relabel(reference), labels.relabel(found, "hypothesis")

    costs = choices["costs"]
    usual, best, worst, both = (
        sereval.evaluate([ours], [theirs], placement=end, **choices)
        for end in (None, "best", "worst", "range")
    )
    expected = [one.counts.cost(costs) for one in every]
    assert min(expected) == best.counts.cost(costs)
    assert max(expected) == worst.counts.cost(costs)
    assert (best.counts, worst.counts) == both.placements[1:]
    assert usual.counts == both.counts
    assert (len(every) > 1) >= (both.placements.open > 0)
    assert {one.counts.ref for one in every} == {both.counts.ref}
