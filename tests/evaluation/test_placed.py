"""The least and the greatest cost of all placements of mentions, against all of them one by one."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_placement
from paths import CORPORA
from strategies import forests, word_times

import sereval
from sereval import Costs, Document, Mention, SerevalError, find_mentions, from_spans, tree
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
        [[ours], [theirs]] = labels.relabelled([reference], [document])
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
    [[ours], [theirs]] = labels.relabelled([reference], [found])

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


def test_what_the_settings_refuse():
    """Only three placements can be scored, and the upper bound has none."""
    with pytest.raises(SerevalError, match="found 'first', expected one of best, worst, range"):
        sereval.Settings(placement="first")
    with pytest.raises(SerevalError, match="found 0 placements, expected 1 or more"):
        sereval.Settings(max_placements=0)
    with pytest.raises(SerevalError, match="a placement of mentions has no effect on the upper"):
        sereval.Settings(placement="best", is_bound=True)


DOL = from_spans(("Dol", "or", "Dol"), [("loc", 2, 3)], id="d")
SAID = find_mentions(Document("d", (), mentions=(Mention("loc", "Dol"),)), DOL, whose="reference")


def test_documents_without_a_list_have_one_placement():
    """Their cost stands at both ends of the range; the sums are those of all documents."""
    plain = replace(DOL, id="e")
    found = sereval.evaluate([DOL, plain], [SAID, plain], placement="range")

    assert (1, 0, 2) == (
        found.placements.open,
        found.placements.best.cost(Costs()),
        found.placements.worst.cost(Costs()),
    )
    assert [found.documents[0].placements.open, None] == [1, found.documents[1].placements]
    assert sereval.evaluate([DOL], [SAID]).placements is None
    assert sereval.evaluate([plain], [plain], placement="range").placements == (
        0,
        *(sereval.evaluate([plain], [plain]).counts,) * 2,
    )


def test_the_notes_say_what_is_open():
    """Each placement has the notes of its own labels, and the number of open mentions."""
    labels = Labels(only=("outermost",))
    words = ("a", "b", "c", "b")
    said = Document("d", (), mentions=(Mention("x", "a b c"), Mention("y", "b")))
    found = find_mentions(said, Document("d", words))
    [[gold], [changed]] = labels.relabelled([from_spans(words, [("y", 3, 4)], id="d")], [found])

    notes = {
        end: {
            note.what: note.count
            for note in sereval.evaluate([gold], [changed], placement=end).notes["hypothesis"]
        }
        for end in ("best", "worst")
    }
    inside = "elements not counted, being inside another"
    assert {"best": 0, "worst": 1} == {end: of.get(inside, 0) for end, of in notes.items()}
    assert {1} == {of["mentions with more than one place in the words"] for of in notes.values()}


def test_words_that_are_cut_otherwise():
    """The places move with the words when the two sides cut one text otherwise."""
    reference = from_spans(("l'", "a", "b", "l'", "a"), [("x", 4, 5)], id="d")
    said = Document("d", (), mentions=(Mention("x", "l'a"),))
    found = find_mentions(said, Document("d", ("l'a", "b", "l'a")))
    usual, best = (sereval.evaluate([reference], [found], placement=end) for end in (None, "best"))

    assert (2, Costs().S_S / Costs().scale) == (usual.ser, best.ser)
    assert (3, 5) == (
        best.documents[0].mapped.hypothesis.elements[0].start,
        best.documents[0].mapped.hypothesis.elements[0].end,
    )


@pytest.mark.parametrize("labels", [("org.x", "loc.x"), ("loc.x", "org.x")])
def test_levels_of_labels_count_among_the_costs_of_places(labels):
    """At each place the mapping pairs the label with a level in common, whichever is outermost."""
    spans = [*((label, 0, 1) for label in labels), ("loc.y", 2, 4)]
    reference = from_spans(("Dol", "or", "Dol", "de"), spans, id="d")
    said = Document("d", (), mentions=(Mention("loc.y", "Dol"),))
    found = find_mentions(said, reference, whose="reference")
    costs = Costs.parse("S_T.depth=2,S_S=0.4")
    score = sereval.evaluate([reference], [found], placement="range", costs=costs)

    # two deletions, and a type with half of its levels right, or a span
    assert (2.25, Fraction("2.4")) == tuple(end.cost(costs) for end in score.placements[1:])


def test_the_limit_of_the_search_holds_for_every_place():
    """A place that is not chosen is refused if the mapping there needs too many states."""
    words = ("x", "y", "or", "x", "y")
    reference = from_spans(words, [("a", 0, 2), ("b", 0, 2)], id="d")
    said = Document("d", (), mentions=(Mention("b", "x y"),))
    found = find_mentions(said, reference, whose="reference")

    [document] = sereval.evaluate([reference], [found], placement="worst").documents
    assert [(3, 5)] == [(one.start, one.end) for one in document.mapped.hypothesis.elements]
    with pytest.raises(SerevalError, match=r"^d: reference element 0 \(a\) and 2 more"):
        sereval.evaluate([reference], [found], placement="worst", max_states=1)


EARNINGS = CORPORA / "earnings21"


@pytest.mark.check
@pytest.mark.skipif(not EARNINGS.is_dir(), reason="the corpus is not part of the project")
@pytest.mark.parametrize("system", ["compromise", "crf", "gazetteer"])
def test_the_places_of_the_system_lie_in_the_range(system):
    """Lists made of what a system placed: its own cost is one of those of all placements."""
    references = sereval.read(EARNINGS / "ref")[:4]
    placed = sereval.read(EARNINGS / "hyp" / system / "manual")[:4]
    lists = [
        find_mentions(
            Document(
                one.id,
                (),
                mentions=tuple(
                    Mention(e.label, " ".join(one.words[e.start : e.end])) for e in one.elements
                ),
            ),
            Document(one.id, one.words),
        )
        for one in placed
    ]
    ends = sereval.evaluate(references, lists, placement="range").placements
    own = sereval.evaluate(references, placed).counts.cost(Costs())

    assert ends.open > 0
    assert ends.best.cost(Costs()) <= own <= ends.worst.cost(Costs())
    assert ends.best.cost(Costs()) < ends.worst.cost(Costs())


def test_the_signature_names_the_placement():
    """The usual placement has no part in it; the limit never has."""
    parts = [sereval.Settings(placement=end).signature for end in (None, "best", "range")]

    assert [None, "best", "range"] == [dict(signature).get("placement") for signature in parts]
    assert parts[1] == sereval.Settings(placement="best", max_placements=7).signature


def test_later_trees_of_the_reference_keep_their_shape():
    """What a place costs beside a nested element does not depend on the elements before it."""
    words = ("w", "a", "b", "c", "a", "b")
    spans = [("x", 0, 1), ("y", 1, 3), ("z", 1, 2), ("y", 4, 6), ("z", 5, 6)]
    reference = from_spans(words, spans, id="d")
    said = Document("d", (), mentions=(Mention("y", "a b"), Mention("z", "b")))
    found = find_mentions(said, Document("d", words))
    ends = sereval.evaluate([reference], [found], placement="range").placements

    every = list(one_by_one(reference, Document("d", words), said.mentions, "exact", Labels()))
    costs = [one.counts.cost(Costs()) for one in every]
    assert (3, 5) == (min(costs), max(costs))  # two C; or one, and the other is an insertion
    assert (min(costs), max(costs)) == tuple(end.cost(Costs()) for end in ends[1:])
