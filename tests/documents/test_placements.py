"""All placements of mentions: those that find the most with the least distances, and no others."""

import itertools
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_placement, spans_of

from sereval import Document, Mention, SerevalError, find_mentions
from sereval.documents.mentions import FINDERS, Placements, Search
from sereval.documents.model import MentionWords
from sereval.documents.words import significant


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


@pytest.mark.parametrize(
    ("mentions", "words"),
    [
        ([], "a"),
        ([("y", "a")], "a"),
        ([("y", "a"), ("x", "a")], "a"),
        ([("x", "a"), ("x", "ab")], "a a b ij abcdefgh a ,"),
        ([("y", "ab"), ("y", "abc"), ("y", "a")], "a b ab"),
        ([("x", "ab"), ("x", "abcd"), ("y", "a b")], "abcdefgh abcd ab"),
    ],
)
def test_worked_lists(mentions, words):
    """Worked lists have the placements that enumeration finds."""
    mentions = [Mention(*one) for one in mentions]
    placements = of_list(mentions, words.split(), "nearest")
    assert_all_placements(placements, mentions, words.split(), "nearest")


@pytest.mark.parametrize(
    ("joined", "stops"),
    [
        ([], [0, 1, 2]),
        ([(0, 1)], [0, 1, 2]),
        ([(0, 2)], [0, 2]),
        ([(1, 3)], [0, 1]),
        ([(0, 1), (1, 3)], [0, 1]),
        ([(3, 4)], [0, 1, 2, 3]),
    ],
)
def test_joined_words_have_no_stop_inside(joined, stops):
    """Places start at stops, also where joined words end; joined words start at one."""
    assert stops == of_list([Mention("x", "b")], ["b", "b", "b", "c"], "exact", joined).stops


def test_a_later_mention_is_not_ahead():
    """Among joined words, too, a mention is never found ahead of one that is listed before it."""
    mentions, words = [Mention("x", "b"), Mention("x", "a"), Mention("y", "b")], ["a", "b"]
    placements = of_list(mentions, words, "exact", [(0, 2)])
    expected = assert_all_placements(placements, mentions, words, "exact")
    assert {(("x", at, at + 1), ("y", 1, 2)) for at in (0, 1)} == expected


def test_a_worse_way_to_the_same_node():
    """What a node has found at best stays, whichever way to it is looked at last."""
    mentions, words = [Mention("x", "abcd")], ["abcd", "b", "a", "b"]
    placements = of_list(mentions, words, "nearest", [(2, 4)])
    assert_all_placements(placements, mentions, words, "nearest")
    assert ((0, MentionWords(0, 1, 0)),) == placements.cheapest(lambda *_: 0)


def test_equal_mentions_of_one_place():
    """Of two mentions with one label and text either may be beside a third, in its order."""
    mentions = [Mention("y", "a"), Mention("x", "a"), Mention("y", "a")]
    paths = all_paths(of_list(mentions, ["a"], "exact"))
    assert [(("x", 0, 1), ("y", 0, 1)), (("y", 0, 1), ("x", 0, 1))] == sorted(paths)


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


@given(mentions=drawn_mentions(), words=st.lists(st.sampled_from(WORDS), max_size=6))
def test_without_costs_it_is_what_find_mentions_prefers(mentions, words):
    """The criteria that decide among equal costs are those of find_mentions."""
    placements = of_list(mentions, words, "exact")
    places = placements.places
    usual = Search(places.mentions, places.kinds, places.places).best([*map(significant, words)])
    chosen = dict(placements.cheapest(lambda start, end, chosen: 0))

    def preferred(at):
        spans = [place[:2] for place in at.values()]
        return len(spans) - len({*spans}), *map(sum, zip((0, 0), *spans, strict=True)), sum(at)

    assert preferred(usual) == preferred(chosen)


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


def test_of_equal_costs_the_tidiest_and_leftmost():
    """Two labels of one text take words of their own, the first ones there are."""
    mentions = [Mention("org", "Dol"), Mention("loc", "Dol")]
    placements = of_list(mentions, ["Dol", "or", "Dol", "or", "Dol"], "exact")

    assert 2 == placements.open
    assert [(0, 1), (2, 3)] == [place[:2] for _, place in placements.cheapest(lambda *_: 0)]
    near = of_list([Mention("y", "abcd")], ["abc", "a"], "nearest")
    assert [(0, 1)] == [place[:2] for _, place in near.cheapest(lambda *_: 0)]
    assert 1 == near.open


def test_the_cost_of_all_steps_decides():
    """A cost at the beginning counts to the end, and so does one of the last step."""
    placements = of_list([Mention("x", "b")], ["b", "b", "c"], "exact")
    second = placements.cheapest(lambda start, end, chosen: start == 0 and len(chosen))
    assert ((0, MentionWords(1, 2, 0)),) == second

    placements = of_list([Mention("y", "a"), Mention("y", "a b")], ["a", "b"], "exact")
    longer = placements.cheapest(lambda start, end, chosen: chosen[0][1].end == 1)
    assert ((1, MentionWords(0, 2, 0)),) == longer


def test_a_cost_is_of_what_starts_between_two_stops():
    """The search asks for the costs of stretches that join, and only where there is a choice."""
    asked = set()
    placements = of_list([Mention("x", "a"), Mention("x", "b")], ["b", "a", "c", "a", "b"], "exact")
    placements.cheapest(lambda start, end, chosen: asked.add((start, end)) or 0)

    assert {(1, 3), (3, 4)} == asked
    assert [0, 1, 3, 4] == placements.stops
    asked.clear()
    of_list([Mention("x", "b")], ["a", "b", "b"], "exact").cheapest(
        lambda start, end, chosen: asked.add((start, end)) or 0
    )
    assert {(1, 2), (2, 3)} == asked


def test_too_many_placements():
    """What would take too long to compare is refused; the limit counts ways between two stops."""
    mentions = tuple(Mention("x", f"a{k}") for k in range(3))
    words = tuple(["a0", "a1", "a2"] * 3)
    places = find_mentions(Document("d", (), mentions=mentions), Document("d", words)).places

    assert 3 == Placements(places, [(0, 9)], 300).open
    tried = Placements(places, [(0, 9)], 300).tried
    assert tried == Placements(places, [(0, 9)], tried).tried
    message = f"3 mentions have more than {tried - 1} placements to compare"
    with pytest.raises(SerevalError, match=message):
        Placements(places, [(0, 9)], tried - 1)


def test_a_long_list_is_quick():
    """Repeated texts far apart are decided stop by stop, so that many of them are few ways."""
    mentions = [Mention("x", f"a{k % 7}") for k in range(200)]
    words = [word for k in range(200) for word in (f"a{k % 7}", f"a{k % 5}")]
    placements = of_list(mentions, words, "exact")

    assert placements.tried < 20_000
    assert placements.open > 0
