"""All placements of mentions: those that find the most with the least distances, and no others."""

import itertools
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_placement, spans_of

from sereval import Document, find_mentions
from sereval.documents.mentions import FINDERS, Placements


def of_list(mentions, words, by, joined=()):
    """The placements of a list."""
    found = find_mentions(
        Document("d", (), mentions=tuple(mentions)), Document("d", tuple(words)), by=by
    )
    return Placements(found.places, joined)


def assert_all_placements(placements, mentions, words, by):
    """The paths of the graph are the placements that enumeration finds, which are returned."""
    paths = all_paths(placements)
    expected = {spans_of(way) for way in every_placement(mentions, words, by)}
    assert expected == set(paths)
    assert len(expected) == len(paths)
    return expected


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
    expected = assert_all_placements(placements, mentions, words, by)

    starts = {place.start for of_kind in placements.places.places for place in of_kind}
    outside = {start for start in starts if not any(a < start < b for a, b in joined)}
    assert sorted(outside | {a for a, _ in joined}) == placements.stops
    assert (len(expected) > 1) == (placements.open > 0)


@given(data=st.data())
def test_the_cheapest_of_all(data):
    """No placement costs less; of equal costs one is preferred as find_mentions prefers it.

    The cost of a step is any number, and that of a placement the sum over its steps.
    """
    mentions = data.draw(drawn_mentions())
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=6))
    placements = of_list(mentions, words, "nearest")
    seed = data.draw(st.integers(0, 9))

    def cost(start, end, chosen):
        return crc32(repr((seed, start, end, chosen)).encode()) % 3

    frontiers = [*placements.stops, *(stop + 1 for stop in placements.stops[-1:])]

    def values(node):
        """The steps of each placement from a node, with what they cost, and the mentions."""
        if node.stop == len(placements.stops):
            yield (0, 0, 0, 0, 0), ()
            return
        for step in placements.ways.get(node, ()):
            own = cost(frontiers[node.stop], frontiers[step.to.stop], step.chosen)
            spans = [place[:2] for _, place in step.chosen]
            numbers = sum(k for k, _ in step.chosen)
            tidy = (
                own,
                len(spans) - len({*spans}),
                *map(sum, zip((0, 0), *spans, strict=True)),
                numbers,
            )
            for rest, chosen in values(step.to):
                yield tuple(map(sum, zip(rest, tidy, strict=True))), (*step.chosen, *chosen)

    every = list(values(min(placements.ways))) if placements.ways else [((0, 0, 0, 0, 0), ())]
    least = min(value for value, _ in every)
    assert placements.cheapest(cost) in [chosen for value, chosen in every if value == least]
