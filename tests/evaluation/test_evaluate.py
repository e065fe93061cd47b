"""The whole flow: documents pair, each is projected, mapped and counted; nothing is left out."""

from collections import Counter

import pytest
from pairing import paired
from tables import tables

from sereval.alignment.text import align_text
from sereval.corpus.pairs import UNASKED, UNHEARD, empty_hypothesis
from sereval.documents.model import (
    Document,
    Mention,
    Note,
    Reference,
    ReferenceElement,
    Unplaceable,
    tree,
)
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import (
    evaluate,
    projection,
    score_document,
    score_documents,
    score_projected,
)
from sereval.evaluation.settings import ByWords, Settings
from sereval.labels.grammar import load_grammar
from sereval.labels.relabel import Labels
from sereval.mapping.best import (
    EXACT_PAIRS,
    MOST_CORRECT,
    PAIRINGS,
    as_lne,
    best_mapping,
    cheapest,
    extremes_as_lne,
    outcomes,
    upper_bound,
)
from sereval.measures.slots import Costs, Counts
from sereval.projection.project import project, project_aligned

TABLES = tables(__file__)

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


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {}),
        ({"tolerance": 0.3}, {"tolerance": (300, 300)}),
        ({"tolerance": ("300ms", 0)}, {"tolerance": (300, 0)}),
        ({"tolerance": 0}, {"tolerance": (0, 0)}),
        *(
            (one, one)
            for one in [
                {"unplaceable": "miss"},
                {"costs": Costs.parse("D=2")},
                {"missing": "empty"},
                {"pairing": "label"},
                {"scheme": "quaero-lne"},
                {"through": ByWords(tolerance=1)},
                {"is_bound": True},
                {"neutral": frozenset("x")},
                {"labels": Labels(level=1)},
                {"max_states": 5},
                {"max_placements": 5},
            ]
        ),
    ],
)
def test_every_option_is_a_setting(given, expected):
    """What is asked for is what is done and said, and what is not stays as it is."""
    sides = [document("d", times=TIMES)], [document("d", times=TIMES)]
    evaluation = evaluate(*sides, **given)
    assert Settings(**expected) == evaluation.settings
    assert evaluation.settings.grammar is None


def test_the_hierarchy_of_labels_is_the_grammars():
    """A grammar is kept for the reports, and has the hierarchy unless the labels have one."""
    grammar = load_grammar("quaero")
    evaluation = evaluate([document("d")], [document("d")], grammar=grammar)
    assert evaluation.settings.grammar is grammar
    assert evaluation.settings.labels.grammar is grammar


def test_a_notebook_shows_the_scores():
    """As the summary in a table."""
    shown = evaluate([document("d", ("x", 0, 1))], [document("d")])._repr_html_()
    assert "<table" in shown
    assert "SER" in shown


# --- pairs ---------------------------------------------------------------------------------------


def test_documents_pair_by_id():
    """In the order of the ids, whatever the order they are given in."""
    left, right = [document(name) for name in "ca"], [document(name, ("x", 0, 1)) for name in "ac"]
    assert paired(left, right, Settings()) == [(left[1], right[0]), (left[0], right[1])]


@pytest.mark.parametrize(
    ("references", "hypotheses", "message"),
    TABLES["alone"],
)
def test_who_is_alone_is_named(references, hypotheses, message):
    """How many, the first three, and what the other side has."""
    sides = map(document, references), map(document, hypotheses)
    assert message_of(lambda: paired(*sides, Settings())) == message


def test_one_document_on_each_side_pairs():
    """Whatever the ids; the id is the reference's, and a note says so."""
    [(_, hypothesis)] = paired([document("a")], [document("b", ("x", 0, 1))], Settings())
    assert ("a", ["b with a"]) == (hypothesis.id, [str(p) for p in hypothesis.notes[0].places])


def test_a_missing_hypothesis_may_count_as_empty():
    """Words and nothing found in them; a missing reference is an error all the same."""
    left = document("a"), document("b", ("x", 0, 1), words=("other",))
    settings = Settings(missing="empty")
    found = paired(left, [left[0]], settings)
    assert found == [(left[0], left[0]), (left[1], Document("b", ("other",)))]
    message = (
        "1 of the 3 documents of the hypothesis has no reference (c); the reference has a, b; "
        "--missing drop leaves it out"
    )
    assert message_of(lambda: paired(left, [document("c")], settings)) == message
    projected = Settings((0, 0), missing="empty")
    message = (
        "document b has no hypothesis, and no words to count as an empty one; "
        "expected the recogniser's words for it, or --missing drop"
    )
    assert message_of(lambda: paired(left, [left[0]], projected)) == message


def test_documents_of_one_side_may_be_left_out():
    """The policy ``drop`` holds for either side; the first pair has a note on each."""
    left = document("a"), document("b"), document("c")
    right = document("b", ("x", 0, 1)), document("d")
    settings = Settings(missing="drop")
    [(reference, hypothesis)] = paired(left, right, settings)
    assert (reference.id, hypothesis.elements) == ("b", right[0].elements)
    assert [note.what for note in reference.notes] == [UNHEARD]
    assert [note.what for note in hypothesis.notes] == [UNASKED]
    assert [2, 1] == [reference.notes[0].count, hypothesis.notes[0].count]
    message = "no document is on both sides, expected at least one"
    assert message_of(lambda: paired(left, [document("d")], settings)) == message


def test_an_empty_one_says_so_and_has_nothing():
    """Neither elements nor mentions; what was said of it before is said still."""
    found = document("d", ("x", 0, 1), mentions=(Mention("x", "a"),), notes=(Note("skipped", 1),))
    nothing = empty_hypothesis(found)
    assert (WORDS, (), None) == (nothing.words, nothing.elements, nothing.mentions)
    assert nothing.notes == (
        Note("skipped", 1),
        Note("documents without a hypothesis, taken for ones in which nothing was found", 1),
    )


def test_labels_are_changed_before_anything_else():
    """On both sides."""
    sides = [document("d", ("a.b", 0, 1))], [document("d", ("a.c", 0, 1))]
    [pair] = paired(*sides, Settings(labels=Labels(level=1)))
    assert [["a"], ["a"]] == [[e.label for e in one.elements] for one in pair]


def test_a_side_is_a_list_of_documents():
    """Neither one document nor a list of other things."""
    sides = [document("d")], [document("d")]
    for one in (document("d"), Reference("d", WORDS)):
        message = "d: found one document, expected a list of them"
        assert message_of(lambda side=one: paired(side, sides[1], Settings())) == message
        assert message_of(lambda side=one: paired(sides[0], side, Settings())) == message
    for given in ((["x"], sides[1]), (sides[0], ["x"])):
        message = "found 'x', expected a Document, as from_spans, from_tags and others make them"
        assert message_of(lambda both=given: paired(*both, Settings())) == message


def test_a_hypothesis_has_places():
    """What may be in several places is no answer."""
    sides = [document("d")], [Reference("d", WORDS)]
    message = "d: found a fuzzy reference (starts and ends), expected a document with one start"
    message += " and end for each element"
    assert message_of(lambda: paired(*sides, Settings())) == message


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

SETTINGS = [
    Settings(),
    Settings(neutral=frozenset("nb")),
    Settings(pairing="label"),
    Settings(costs=Costs.parse("S_T.depth=2")),
    Settings(costs=Costs.parse("S_T.depth=2"), neutral=frozenset("m"), pairing="half"),
    Settings(costs=Costs.parse("S_S=0.1,S_T=2,D=0.3")),
    Settings(scheme="quaero-lne"),
    Settings(scheme="quaero-lne", pairing="label", neutral=frozenset("c")),
]


def counted(reference, hypothesis, mapping, exact, settings):
    """Counts by label, recounted here."""
    total = Counter()
    slots = outcomes(reference, hypothesis, mapping, settings.neutral, settings.nearness)
    for slot in slots:
        total[slot.label, slot.slot.value] += 1
        total[slot.label, "right_levels"] += slot.right_levels
        if slot.is_neutral and slot.slot.value != "C":
            total[slot.label, f"free_{slot.slot.value}"] += 1
    for one in (*hypothesis.elements, *(hypothesis.mentions or ())):
        total[one.label, "hyp"] += 1
    for r, h in exact:
        total[reference.elements[r].label, "exact"] += 1
        total[hypothesis.elements[h].label, "exact_hyp"] += 1
    for lost in reference.unplaceable:
        total[lost.element.label, "unplaceable"] += 1
    return {
        label: Counts(**{what: n for (of, what), n in total.items() if of == label})
        for label in sorted({label for label, _ in total})
    }


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_document_is_mapped_and_counted(settings):
    """By the costs, rules and labels that are asked for; exact pairs know nothing of them."""
    reference = Reference(
        "d",
        WORDS,
        Reference.exact(REFERENCE).elements,
        (Unplaceable(ReferenceElement(("u",), (), ()), "missed"),),
        slack=3,
    )
    rules = PAIRINGS[settings.pairing]
    prefers = {"quaero": cheapest, "quaero-lne": as_lne}[settings.scheme](settings.costs)
    given = rules, settings.neutral, settings.nearness
    mapping = best_mapping(reference, HYPOTHESIS, prefers, *given)
    exact = best_mapping(reference, HYPOTHESIS, MOST_CORRECT, EXACT_PAIRS).pairs
    others = []
    if settings.scheme != "quaero":
        preferences = cheapest(settings.costs), *extremes_as_lne(settings.costs)
        mappings = [best_mapping(reference, HYPOTHESIS, one, *given) for one in preferences]
        exact, *correct = (
            [
                (slot.reference, slot.hypothesis)
                for slot in outcomes(reference, HYPOTHESIS, one)
                if slot.slot.value == "C"
            ]
            for one in (mapping, *mappings)
        )
        least, low, high = (
            sum(counted(reference, HYPOTHESIS, *both, settings).values(), Counts())
            for both in zip(mappings, correct, strict=True)
        )
        others = [least, (low, high)]
    labels = counted(reference, HYPOTHESIS, mapping, exact, settings)
    found = score_projected(REFERENCE, reference, HYPOTHESIS, settings)
    assert found.mapped == (REFERENCE, reference, HYPOTHESIS, mapping, tuple(exact))
    assert (labels, others or [None, None]) == (found.labels, [found.definition, found.extremes])
    assert list(found.labels) == sorted(labels)
    assert found.counts == sum(labels.values(), Counts())
    assert ("d", {"missed": 1}, 3, None) == (found.id, found.fates, found.slack, found.fuzzy)
    assert ((), (Note("skipped", 1),)) == found.notes


def test_without_elements_there_are_counts_of_nothing():
    """Those of the definition's own mapping too."""
    sides = document("d"), document("d")
    assert score_document(*sides, Settings(scheme="quaero-lne")).definition == Counts()
    assert score_document(*sides, Settings()).definition is None
    assert score_document(*sides, Settings(scheme="quaero-lne")).extremes == (Counts(), Counts())
    assert score_document(*sides, Settings()).extremes is None


def test_the_upper_bound_is_scored_in_the_place_of_the_elements():
    """What the readers said of the hypothesis is kept."""
    reference = Reference.exact(REFERENCE)
    found = score_projected(REFERENCE, reference, HYPOTHESIS, Settings(is_bound=True))
    assert upper_bound(reference) == found.mapped.hypothesis
    hypothesis = found.mapped.hypothesis
    assert (HYPOTHESIS.notes, TIMES) == (hypothesis.notes, hypothesis.times)
    assert Counts(C=6, hyp=6, exact=6, exact_hyp=6) == found.counts


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


def test_exact_pairs_have_the_same_limit():
    """The search for exact pairs is refused where it needs more states than the mapping."""
    outer = ReferenceElement(("c",), (0, 1, 2), (3,), strict=(1, 3))
    inner = ReferenceElement(("a", "b"), (0, 1), (2, 3), 0, strict=(1, 3))
    reference = Reference("d", WORDS, (outer, inner))
    hypothesis = document("d", ("b", 0, 3), ("a", 0, 2))
    best_mapping(reference, hypothesis, max_states=15)
    message = message_of(lambda: score_document(reference, hypothesis, Settings(max_states=15)))
    assert message.startswith("d: reference element 0 (c) and 3 more")


def test_one_element_for_two_of_its_label_and_span():
    """One of both is an exact pair, whichever it is."""
    sides = document("d", ("a", 0, 2), ("a", 0, 2)), document("d", ("a", 0, 2))
    found = score_document(*sides, Settings()).labels
    assert {"a": Counts(C=1, D=1, hyp=1, exact=1, exact_hyp=1)} == found


OTHERS = [
    HYPOTHESIS,
    document("d", ("b", 2, 4), times=TIMES),
    document("d", ("b", 2, 4), times=TIMES, mentions=(Mention("lost", "x"),)),
]


@pytest.mark.parametrize(
    ("hypotheses", "settings", "projections"),
    [
        (OTHERS, Settings(), 3),
        (OTHERS, Settings((100, 100)), 2),
        ([*OTHERS, document("d", words=WORDS[::-1], times=TIMES)], Settings((100, 100)), 3),
        ([*OTHERS, document("d", times=((0, 50), *TIMES[1:]))], Settings((100, 100)), 3),
    ],
)
def test_systems_on_the_same_words_share_a_projection(hypotheses, settings, projections):
    """Each has the score that it has alone; another word, time or kind of side is another one."""
    pairs = [(REFERENCE, one) for one in hypotheses]
    found = score_documents(pairs, settings)
    assert [score_documents([pair], settings)[0] for pair in pairs] == found
    assert projections == len({id(one.mapped.reference) for one in found})


@pytest.mark.parametrize("name", ["reference", "hypothesis"])
def test_mentions_are_found_first(name):
    """Those of the hypothesis must have been looked for in words, unless there are none."""
    mentions = (Mention("loc", "Dol"),)
    bare = Document("d", (), mentions=mentions)
    sides = {"reference": document("d"), "hypothesis": document("d")} | {name: bare}
    expected = {
        "hypothesis": "them found in words (find_mentions)",
        "reference": "places for all of a reference; scheme slue compares mentions as they are",
    }
    message = f"d: mentions without places, expected {expected[name]}"
    assert message_of(lambda: projection(*sides.values(), Settings())) == message
    if name == "reference":
        given = document("d", mentions=mentions)
        assert message_of(lambda: projection(given, document("d"), Settings())) == message
        fuzzy = Reference("d", WORDS)
        message = f"d: mentions without places, expected {expected['hypothesis']}"
        assert message_of(lambda: projection(fuzzy, bare, Settings())) == message
    else:
        found = document("d", mentions=mentions)
        assert projection(document("d"), found, Settings())[1] is found
        assert projection(Document("d", ()), bare, Settings())[1] is bare


def test_a_reference_reaches_the_words_it_is_scored_on():
    """Both sides on the same pieces of words; a fuzzy one placed; through time; through words."""
    exact = Reference.exact(REFERENCE)
    assert (exact, HYPOTHESIS) == projection(REFERENCE, HYPOTHESIS, Settings())
    cut = document("d", ("x", 0, 1), words=("ab", "c")), document("d", words=("a", "bc"))
    found = projection(*cut, Settings())
    assert (("a", "b", "c"), ("a", "b", "c")) == tuple(side.words for side in found)
    lost = ReferenceElement(("x",), (), ())
    [one] = projection(Reference("d", WORDS, (lost,)), HYPOTHESIS, Settings(unplaceable="miss"))[
        0
    ].unplaceable
    assert one.fate == "missed"
    heard = Document("d", ("ab", "x"), times=((0, 150), (150, 800)))
    for policy in ("drop", "miss", "merge"):
        settings = Settings((100, 50), unplaceable=policy)
        expected = project(REFERENCE, heard, tolerance=(0.1, 0.05), unplaceable=policy)
        assert (expected, heard) == projection(REFERENCE, heard, settings)
        through = Settings(through=ByWords(tolerance=1), unplaceable=policy)
        aligned = project_aligned(
            REFERENCE,
            heard,
            align_text(REFERENCE.words, heard.words),
            tolerance=1,
            unplaceable=policy,
        )
        assert (aligned, heard) == projection(REFERENCE, heard, through)


@pytest.mark.parametrize("settings", [Settings((0, 0)), Settings(through=ByWords())])
def test_a_fuzzy_reference_is_projected_already(settings):
    """By time or by words, it is not projected again."""
    message = "d: a fuzzy reference is projected, it takes no tolerance"
    assert message_of(lambda: projection(Reference("d", WORDS), HYPOTHESIS, settings)) == message


def test_a_fuzzy_reference_says_how_it_was_made():
    """Its score has it as it was given."""
    fuzzy = Reference("d", WORDS, Reference.exact(REFERENCE).elements, projection="by hand")
    found = score_document(fuzzy, HYPOTHESIS, Settings())
    assert found.mapped.annotated is fuzzy
    assert found.fuzzy == "by hand"
