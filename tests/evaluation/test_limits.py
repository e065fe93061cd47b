"""What no search gets through is refused with a message that says where, and never guessed at."""

import json
import random
from functools import partial

import pytest
from cli_files import put
from stabilities import stability

from sereval.analysis import points
from sereval.analysis.sweep import sweep
from sereval.documents.model import Document, Element, Reference, ReferenceElement, tree
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.evaluation.settings import Settings
from sereval.mapping import best as mapping
from sereval.mapping.best import PAIRINGS, PORTION, best_mapping
from sereval.mapping.search import MAX_STATES
from sereval.measures.slots import Costs, Counts
from sereval.projection import project as projection
from sereval.projection.project import project
from sereval.schemes.semeval import ANY_PAIR, REGIMES, semeval2013

REFUSED = (
    "{}: reference element {} and {} more between frontiers {} need a search of more than {} "
    "states, expected fewer: a smaller tolerance, less nesting, or a larger --max-states"
)


def nested(id, words, labels):
    """Elements with these labels on all words, each inside the one before."""
    elements = [Element(label, 0, words, k - 1 if k else None) for k, label in enumerate(labels)]
    times = [(100 * k, 100 * k + 100) for k in range(words)]
    return Document(id, tuple(f"w{k}" for k in range(words)), tuple(elements), times=tuple(times))


def side_by_side(id, words, spans):
    """Elements beside one another, on words of a tenth of a second."""
    times = tuple((100 * k, 100 * k + 100) for k in range(words))
    return Document(id, tuple(f"w{k}" for k in range(words)), tree(spans), times=times)


def by_chance(seed, count):
    return random.Random(seed).choices("abc", k=count)


def message(error):
    return str(error.value)


@pytest.mark.check
def test_thirty_levels_are_searched():
    """Thirty levels on equal spans are scored, whatever labels they have."""
    reference, hypothesis = (nested("deep", 10, by_chance(side, 30)) for side in "rh")
    counts = evaluate([reference], [hypothesis]).counts
    paired = counts.C + counts.S_T
    assert (30, 30, 0) == (paired + counts.D, paired + counts.I, counts.S_S + counts.S_ST)


@pytest.mark.parametrize("labels", ["aaaa", "abcb"])
def test_elements_fuzzy_over_a_hundred_words_are_scored(labels):
    """Neighbours that may each begin and end on any of a hundred words are put where they fit."""
    spans = [(labels[k % 4], 5 * k, 5 * k + 2) for k in range(40)]
    moved = [(label, start + 1, end + 1) for label, start, end in spans]
    sides = side_by_side("fuzzy", 200, spans), side_by_side("fuzzy", 200, moved)
    evaluation = evaluate(*([one] for one in sides), tolerance=5.0)
    [document] = evaluation.documents
    assert min(len(element.starts) for element in document.mapped.reference.elements) >= 50
    assert Counts(C=40, hyp=40, exact=40, exact_hyp=40) == evaluation.counts


def test_a_thousand_elements_over_a_word_are_all_correct():
    """A thousand levels over one word need no search where both sides are equal."""
    sides = (nested("tower", 1, "a" * 1000) for _ in "rh")
    found = evaluate(*([one] for one in sides)).counts
    assert Counts(C=1000, hyp=1000, exact=1000, exact_hyp=1000) == found


@pytest.mark.parametrize("tolerance", [None, 1.0])
def test_a_thousand_elements_over_a_word_are_refused(tolerance):
    """A thousand levels over one word with labels by chance are refused."""
    reference, hypothesis = (nested("tower", 1, by_chance(side, 1000)) for side in "rh")
    label = reference.elements[0].label
    with pytest.raises(SerevalError) as error:
        evaluate([reference], [hypothesis], tolerance=tolerance)
    assert REFUSED.format("tower", f"0 ({label})", 1999, "0 and 1", MAX_STATES) == message(error)


def native(document):
    elements = [
        {"label": e.label, "start": e.start, "end": e.end}
        | ({} if e.parent is None else {"parent": e.parent})
        for e in document.elements
    ]
    times = [[start / 1000, end / 1000] for start, end in document.times]
    row = {"id": document.id, "words": list(document.words), "times": times, "elements": elements}
    return json.dumps(row) + "\n"


@pytest.fixture
def files(here):
    """``easy``, and ``hard``, whose labels are the other way round from the second word on."""
    easy = side_by_side("easy", 2, [("a", 0, 1)])
    reference = side_by_side("hard", 4, [("x", 0, 1), ("a", 1, 3), ("b", 1, 3), ("c", 1, 2)])
    hypothesis = side_by_side("hard", 4, [("x", 0, 1), ("b", 1, 3), ("a", 1, 4), ("c", 2, 3)])
    put("ref.jsonl", native(easy) + native(reference))
    put("hyp.jsonl", native(easy) + native(hypothesis))


COMMANDS = (
    "score ref.jsonl hyp.jsonl",
    "score ref.jsonl hyp.jsonl --scheme quaero-lne",
    "score ref.jsonl hyp.jsonl --scheme semeval2013",
    "score ref.jsonl hyp.jsonl --tolerance 0",
    "audit ref.jsonl hyp.jsonl",
    "audit ref.jsonl hyp.jsonl --scheme semeval2013 --figure type",
    "agreement ref.jsonl hyp.jsonl",
    "compare ref.jsonl hyp.jsonl",
    "compare ref.jsonl hyp.jsonl --scheme semeval2013",
    "compare ref.jsonl hyp.jsonl --stability",
    "sweep ref.jsonl hyp.jsonl --tolerance 0",
    "blame ref.jsonl hyp.jsonl hyp.jsonl --by text",
)


@pytest.mark.check
@pytest.mark.parametrize("jobs", ["", " --jobs 2"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_where(command, jobs, files, run):
    """The limit that was set, the document and the element are in one line, and nothing is out."""
    status, out, err = run(f"{command} --max-states 5{jobs}")
    where = REFUSED.format("hard", "1 (a)", 5, "1 and 4", 5)
    assert (1, "", f"sereval: {where}\n") == (status, out, err)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_digit_hangs_on_the_limit(command, files, run):
    """What is not refused is the same to the last byte, whatever the limit."""
    command += " --format jsonl" if command.startswith("audit") else " --format json"
    expected = run(command)
    assert expected[0] == 0
    assert expected == run(f"{command} --max-states 10000")


@pytest.mark.parametrize(
    "around", [[], [("c", 0, 9)], [("c", 0, 9), ("d", 0, 8)], [("c", 0, 9), ("d", 4, 8)]]
)
@pytest.mark.parametrize(("ends", "after"), [((7, 8), 8), ((8, 7), 8), ((7, 7), 7)])
def test_a_refusal_names_the_part_by_its_first_element(around, ends, after, monkeypatch):
    """It says where the part begins and ends, on whichever side, and how many elements it has."""
    words = ("x",) * 9
    reference, hypothesis = (
        Document("d", words, tree([*around, ("z", 0, 1), (outer, 5, end), (inner, 5, 7)]))
        for outer, inner, end in (("a", "b", ends[0]), ("b", "a", ends[1]))
    )
    whole = Reference.exact(reference)
    parts = mapping.cut(whole, hypothesis)
    monkeypatch.setattr(mapping, "MANY", 0)
    mapping.kept.cache_clear()
    with pytest.raises(SerevalError) as error:
        mapping.map_parts(whole, parts, mapping.cheapest(Costs()), PAIRINGS["word"], 1)
    assert str(error.value) == (
        f"d: reference element {1 + len(around)} (a) and 3 more between frontiers 5 and {after} "
        "need a search of more than 1 states, expected fewer: "
        "a smaller tolerance, less nesting, or a larger --max-states"
    )


def test_a_refusal_needs_no_hypothesis():
    """Where an element may lie is a question even if nothing was found."""
    fuzzy = ReferenceElement(("a",), (2, 3), (4, 5), None, (4, 3))
    with pytest.raises(SerevalError) as error:
        best_mapping(Reference("d", ("x",) * 9, (fuzzy,)), Document("d", ("x",) * 9), max_states=1)
    assert str(error.value) == REFUSED.format("d", "0 (a)", 0, "2 and 5", 1)


# --- of a document -------------------------------------------------------------------------------


def in_turn(count):
    """Stretches of ten words that are searched each for itself, no two of them alike."""
    rng = random.Random(1)
    places = [(10 * k + rng.randrange(2), 10 * k + rng.randrange(5, 8)) for k in range(count)]
    return [
        side_by_side(
            "hard",
            10 * count,
            [
                (rng.choice("abc"), start, end - shorter)
                for start, end in places
                for shorter in (0, 1, 2)
            ],
        )
        for _ in range(2)
    ]


def test_many_searches_are_refused_like_a_harder_one():
    """What the searches of a document come upon together has a limit that grows with elements."""
    reference, hypothesis = in_turn(30)
    states = [
        mapping.solve(cluster, mapping.cheapest(Costs()), PAIRINGS["word"]).states
        for _, cluster in mapping.cut(Reference.exact(reference), hypothesis)
    ]
    assert 2 * max(states) < sum(states)
    least = sum(states)
    assert evaluate([reference], [hypothesis], max_states=least).counts.ref == 90
    with pytest.raises(SerevalError) as error:
        evaluate([reference], [hypothesis], max_states=least - 1)
    assert together(reference, least - 1) == message(error)


def test_twice_the_elements_may_take_twice_the_states():
    """A long document is no harder than its parts: each portion of it has the limit of one."""
    reference, hypothesis = in_turn(30)
    states = states_of(reference, hypothesis, mapping.cheapest(Costs()), PAIRINGS["word"])
    half = -(-states // 2)
    words = len(reference.words)
    easy = [("easy", words + k, words + k + 1) for k in range((PORTION - 180) // 2)]
    longer = [
        side_by_side(
            each.id, words + len(easy), [*((e.label, e.start, e.end) for e in each.elements), *easy]
        )
        for each in (reference, hypothesis)
    ]
    assert evaluate(*([one] for one in longer), max_states=half).counts.ref == 90 + len(easy)
    with pytest.raises(SerevalError, match=f"need more than {2 * half - 2} states"):
        evaluate(*([one] for one in longer), max_states=half - 1)
    with pytest.raises(SerevalError, match=f"need more than {half} states"):
        evaluate([reference], [hypothesis], max_states=half)


def test_searches_inside_an_element_have_a_limit_together():
    """Where all of a document is in one element, what is searched inside counts together too."""
    sides = [
        Document(
            each.id,
            each.words,
            tree(
                [("all", 0, len(each.words)), *((e.label, e.start, e.end) for e in each.elements)]
            ),
        )
        for each in in_turn(30)
    ]
    [(_, cluster)] = mapping.cut(Reference.exact(sides[0]), sides[1])
    states = mapping.solve(cluster, mapping.cheapest(Costs()), PAIRINGS["word"]).states
    assert evaluate([sides[0]], [sides[1]], max_states=states).counts.ref == 91
    with pytest.raises(SerevalError) as error:
        evaluate([sides[0]], [sides[1]], max_states=states - 1)
    assert REFUSED.format("hard", "0 (all)", 181, "0 and 300", states - 1) == message(error)


def states_of(reference, hypothesis, preference, rules):
    """How many states the searches of a document come upon together."""
    parts = mapping.cut(Reference.exact(reference), hypothesis)
    return sum(mapping.solve(cluster, preference, rules).states for _, cluster in parts)


def together(reference, limit, *, last=None):
    """The message about a document whose searches together are too much."""
    last = len(reference.elements) - 3 if last is None else last
    return (
        f"hard: up to reference element {last} ({reference.elements[last].label}) all searches "
        f"together need more than {limit} states, expected fewer: a smaller tolerance, less "
        "nesting, or a larger --max-states"
    )


def test_the_figures_of_a_scheme_have_one_limit():
    """All that semeval2013 searches in a document for its four figures counts together."""
    reference, hypothesis = in_turn(30)
    least = sum(
        states_of(reference, hypothesis, regime.preference(), ANY_PAIR)
        for regime in REGIMES.values()
    )
    assert least > 0

    def scored(limit):
        return semeval2013(Settings(max_states=limit)).of([(reference, hypothesis)])

    assert scored(least).total["strict"].possible == 90
    with pytest.raises(SerevalError) as error:
        scored(least - 1)
    searched = [
        origin.reference
        for origin, cluster in mapping.cut(Reference.exact(reference), hypothesis)
        if mapping.solve(cluster, REGIMES["type"].preference(), ANY_PAIR).states
    ]
    assert message(error) == together(reference, least - 1, last=searched[-1])


def test_the_figures_of_a_cluster_have_one_limit():
    """Where one search after another stays within the limit, all four of a cluster may not."""
    sides = [nested("deep", 10, by_chance(side, 6)) for side in "rh"]
    states = [states_of(*sides, regime.preference(), ANY_PAIR) for regime in REGIMES.values()]
    assert 0 < max(states) < sum(states)
    with pytest.raises(SerevalError) as error:
        semeval2013(Settings(max_states=sum(states) - 1)).of([tuple(sides)])
    label = sides[0].elements[0].label
    assert REFUSED.format("deep", f"0 ({label})", 11, "0 and 10", sum(states) - 1) == message(error)


def test_the_tolerances_of_a_sweep_have_one_limit():
    """All tolerances together have so many times the limit of one, however many they are."""
    reference, hypothesis = in_turn(30)
    one = states_of(reference, hypothesis, mapping.cheapest(Costs()), PAIRINGS["word"])
    least = -(-2 * one // points.TIMES)
    swept = partial(sweep, [reference], {"x": [hypothesis]}, [0, 1])
    assert [counts.ref for counts in swept(max_states=least).systems["x"]] == [90, 90]
    with pytest.raises(SerevalError) as error:
        swept(max_states=least - 1)
    assert together(reference, points.TIMES * (least - 1)) == message(error)


def test_the_criteria_of_a_table_have_one_limit():
    """What a document takes under all criteria counts together."""
    reference, hypothesis = in_turn(30)
    cheapest = mapping.cheapest(Costs())
    states = [states_of(reference, hypothesis, cheapest, rules) for rules in PAIRINGS.values()]
    least = -(-sum(states) // points.TIMES)

    def table(limit):
        sides = [reference], [hypothesis]
        return stability("manual", {"x": sides}, Settings(max_states=limit)).table

    assert [scored.counts["x"].ref for scored in table(least)] == [90, 90, 90]
    with pytest.raises(SerevalError, match="all searches together need more than"):
        table(least - 1)


# --- of candidates -------------------------------------------------------------------------------


def at_once(words, count):
    """So many elements, and all words at the same time."""
    spans = [("a", k, k + 1) for k in range(count)]
    text = tuple(f"w{k}" for k in range(words))
    return Document("once", text, tree(spans), times=((0, 1000),) * words)


def test_a_search_has_no_more_candidates_than_states():
    """Elements that fit in more places than there may be states are refused."""
    reference = at_once(20, 10)
    hypothesis = at_once(20, 9)
    assert evaluate([reference], [hypothesis], tolerance=0).counts.C == 9
    with pytest.raises(SerevalError) as error:
        evaluate([reference], [hypothesis], tolerance=0, max_states=199)
    assert REFUSED.format("once", "0 (a)", 18, "0 and 20", 199) == message(error)


def test_all_tolerances_have_so_many_candidates(monkeypatch):
    """What one tolerance allows, many may not have together: all of them are in memory."""
    reference = at_once(20, 10)  # 20 frontiers for each of 20 tags, at each tolerance
    settings = Settings(tolerance=(0, 0))
    counts = partial(points.document_counts, reference, reference, settings)
    monkeypatch.setattr(points, "MOST_CANDIDATES", 200)
    assert [c.C for c in counts([0, 1])] == [10, 10]
    with pytest.raises(SerevalError) as error:
        counts([0, 1, 2])
    assert message(error) == (
        "once: reference element 0 (a) and others fit at more than 800 frontiers at all "
        "tolerances, counted for each, expected fewer: fewer tolerances, or smaller ones"
    )


def test_a_document_has_so_many_candidates(monkeypatch):
    """Places for elements are counted before they fill the memory, and the element is named."""
    reference = at_once(20, 10)
    projected = partial(project, reference, reference, tolerance=0)
    monkeypatch.setattr(projection, "MOST_CANDIDATES", 400)
    assert len(projected().elements) == 10  # 20 for each of 20 tags
    monkeypatch.setattr(projection, "MOST_CANDIDATES", 399)
    with pytest.raises(SerevalError) as error:
        projected()
    assert message(error) == (
        "once: reference element 9 (a) and those before it fit at more than 399 frontiers, counted "
        "for each, expected fewer: a smaller tolerance"
    )
