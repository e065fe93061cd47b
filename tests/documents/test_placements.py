"""All placements of mentions: those that find the most with the least distances, and no others."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_placement, spans_of

from sereval import Document, Mention, SerevalError, find_mentions
from sereval.documents.mentions import FINDERS
from sereval.documents.placements import Placements


def of_list(mentions, words, by, joined=()):
    """The placements of a list."""
    found = find_mentions(
        Document("d", (), mentions=tuple(mentions)), Document("d", tuple(words)), by=by
    )
    return Placements(found.places, joined)


def all_paths(placements):
    """Every placement of the graph, as labels and spans."""

    def walk(node):
        if node.stop == len(placements.stops):
            yield ()
            return
        for step in placements.ways.get(node, ()):
            own = tuple(
                (placements.places.mentions[k].label, place.start, place.end)
                for k, place in step.chosen
            )
            yield from (own + rest for rest in walk(step.to))

    return list(walk(min(placements.ways))) if placements.ways else [()]


@pytest.mark.parametrize("by", FINDERS)
@given(data=st.data())
def test_the_graph_has_all_placements_each_once(by, data):
    """Whatever words are joined, its paths are the placements that enumeration finds."""
    mentions = data.draw(drawn_mentions())
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=6))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(words)), max_size=4)))
    joined = list(itertools.pairwise(cuts))[:: data.draw(st.integers(1, 2))]

    placements = of_list(mentions, words, by, joined)
    paths = all_paths(placements)
    expected = {spans_of(way) for way in every_placement(mentions, words, by)}

    assert expected == set(paths)
    assert len(expected) == len(paths)
    assert (len(expected) > 1) == (placements.open > 0)


@given(mentions=drawn_mentions(), words=st.lists(st.sampled_from(WORDS), max_size=6))
def test_without_costs_it_is_what_find_mentions_prefers(mentions, words):
    """The criteria that decide among equal costs are those of find_mentions."""
    placements = of_list(mentions, words, "exact")
    chosen = [place for _, place in placements.cheapest(lambda start, end, chosen: 0)]
    usual = find_mentions(Document("d", (), mentions=tuple(mentions)), Document("d", tuple(words)))

    def preferred(spans):
        return len(spans) - len({*spans}), sum(start for start, _ in spans)

    assert preferred([(e.start, e.end) for e in usual.elements]) == preferred(
        [place[:2] for place in chosen]
    )


@pytest.mark.parametrize(
    ("texts", "words", "open"),
    [
        (["Dol"], "Dol", 0),
        (["Dol"], "Dol or Dol", 1),
        (["Dol", "Dol"], "Dol or Dol", 0),
        (["Dol", "Dol"], "Dol or Dol or Dol", 2),
        (["Rome", "Dol"], "Dol Rome Dol", 0),
        (["Dol", "Rome"], "Dol Rome Dol", 0),
        (["Dol", "Rome"], "Dol Dol Rome", 1),
        (["Rome", "Dol"], "Dol Rome", 2),
        (["Pau"], "Dol", 0),
        ([], "Dol", 0),
    ],
)
def test_what_is_open(texts, words, open):
    """A mention is open if it is on other words, or on none, in another placement."""
    mentions = [Mention("loc", text) for text in texts]
    assert open == of_list(mentions, words.split(), "exact").open


def test_too_many_placements():
    """What would take too long to compare is refused; the limit counts ways between two stops."""
    mentions = tuple(Mention("x", f"a{k}") for k in range(3))
    words = tuple(["a0", "a1", "a2"] * 3)
    places = find_mentions(Document("d", (), mentions=mentions), Document("d", words)).places

    assert 3 == Placements(places, [(0, 9)], 300).open
    with pytest.raises(SerevalError, match="3 mentions have more than 9 placements to compare"):
        Placements(places, [(0, 9)], 9)


def test_a_long_list_is_quick():
    """Repeated texts far apart are decided stop by stop, so that many of them are few ways."""
    mentions = [Mention("x", f"a{k % 7}") for k in range(200)]
    words = [word for k in range(200) for word in (f"a{k % 7}", f"a{k % 5}")]
    placements = of_list(mentions, words, "exact")

    assert placements.tried < 20_000
    assert placements.open > 0
