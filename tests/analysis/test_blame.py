"""Whose errors they are: the laws of the shares, and a case worked by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from edit_distance import edit_cost
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from readings import expansions, lattices, texts
from strategies import forests, timed

import sereval
from sereval import (
    Costs,
    Document,
    blame,
    evaluate,
    project,
    tree,
    upper_bound,
)
from sereval.alignment.blocks import UNIT
from sereval.alignment.normalise import LETTERS
from sereval.alignment.words import word_operations
from sereval.analysis.blame import GROUPS, OUTCOMES, Blame, Corners, Recognition

EXAMPLE = ROOT / "docs" / "examples" / "blame"
COSTS = ["S_S=0.5", "S_S=0.3,S_T=0.7,D=2,I=0.25", "S_S=0,S_T=1,S_ST=1.5"]


@st.composite
def campaigns(draw, most=3):
    """References with times, the same system on manual and on recognised words, and settings."""
    triples = []
    for k in range(draw(st.integers(1, most))):
        reference, recognised = draw(timed(f"d{k}"))
        words = len(reference.words)
        breaks = tuple(sorted(draw(st.sets(st.integers(1, words - 1))))) if words > 1 else ()
        reference = replace(reference, breaks=breaks)
        triples.append((reference, reference_like(reference, draw(forests(words))), recognised))
    labels = {element.label for reference, *_ in triples for element in reference.elements}
    settings = {
        "tolerance": draw(st.sampled_from([0, "10ms", "50ms", 1.0])),
        "costs": Costs.parse(draw(st.sampled_from(COSTS))),
        "neutral": draw(st.sampled_from([frozenset(), labels & frozenset("a")])),
        "pairing": draw(st.sampled_from(["word", "half", "label"])),
    }
    return triples, settings


def reference_like(reference, elements):
    """Other elements on the words of a reference, without times."""
    return Document(reference.id, reference.words, elements)


def of(triples, **settings):
    return blame(*map(list, zip(*triples, strict=True)), **settings)


@pytest.mark.check
@given(campaigns())
def test_the_shares_add_up(drawn):
    """Overall, by label and by document the shares add up to the cost on recognised words."""
    triples, settings = drawn
    found = of(triples, **settings)
    parts = [found.balance, *found.labels.values(), *(one.balance for one in found.documents)]
    for part in parts:
        corners = part.corners
        assert corners.recognised == sum(corners.shares.values())
        assert corners.recognised == corners.manual + corners.perfect + corners.costs["interaction"]
    for parts in (found.labels.values(), (one.balance for one in found.documents)):
        assert sum((one.corners for one in parts), Corners()) == found.corners
        shares = [one.corners.shares["recogniser"] for one in found.labels.values()]
        assert sum(shares) == found.shares["recogniser"]


@pytest.mark.check
@given(campaigns())
def test_the_corners_are_scores(drawn):
    """Each corner is the cost that ``evaluate`` finds, with missed elements."""
    triples, settings = drawn
    found = of(triples, **settings)
    references, manual, recognised = map(list, zip(*triples, strict=True))
    timed_manual = [
        replace(one, times=reference.times)
        for one, reference in zip(manual, references, strict=True)
    ]

    def cost(hypotheses, **changes):
        score = evaluate(references, hypotheses, **{**settings, **changes}, unplaceable="miss")
        return score.counts.cost(settings["costs"])

    expected = {
        "manual": cost(timed_manual),
        "perfect": cost(recognised, is_bound=True),
        "recognised": cost(recognised),
    }
    assert expected == {name: found.corners.costs[name] for name in expected}
    assert cost(manual, tolerance=None) == found.manual_without_tolerance
    assert sum(len(one.elements) for one in references) == found.corners.reference


@pytest.mark.check
@given(campaigns())
def test_every_element_has_one_cell(drawn):
    """Each reference element is in one group and, if it changed, has one cause."""
    triples, settings = drawn
    found = of(triples, **settings)
    balance = found.balance
    assert sum(balance.outcomes.values()) == found.corners.reference
    assert {name for cell in balance.table for name in cell} <= {*OUTCOMES}
    assert tuple(balance.outcomes) == GROUPS
    for group in ("lost", "found"):
        causes = (number for (of, _), number in balance.causes.items() if of == group)
        assert sum(causes) == balance.outcomes[group]
    cases = list(found.cases)
    change = sum(case.change for case in cases)
    assert change == found.corners.recognised - found.corners.manual
    insertions = sum(balance.insertions.values())
    assert len(cases) == found.corners.reference + insertions
    assert all((case.cause is None) == (case.group in (None, "kept", "wrong")) for case in cases)


@pytest.mark.check
@given(campaigns())
def test_equal_words_cost_the_recogniser_nothing(drawn):
    """With the manual words, times and output, the recogniser's share is 0 at any tolerance."""
    triples, settings = drawn
    same = [(r, m, replace(m, times=r.times)) for r, m, _ in triples]
    found = of(same, **settings)
    assert found.shares["recogniser"] == 0
    assert (found.corners.perfect, found.corners.costs["interaction"]) == (0, 0)
    outcomes = found.balance.outcomes
    assert (outcomes["lost"], outcomes["found"]) == (0, 0)
    assert all(one.corners.shares["recogniser"] == 0 for one in found.labels.values())


@pytest.mark.check
@given(campaigns())
def test_a_perfect_system_has_no_share(drawn):
    """The reference on its own words, the upper bound on the others: the system's share is 0."""
    triples, settings = drawn
    perfect = []
    for reference, _, recognised in triples:
        projected = project(
            reference, recognised, tolerance=settings["tolerance"], unplaceable="miss"
        )
        own = reference_like(reference, reference.elements)
        perfect.append((reference, own, upper_bound(projected)))
    found = of(perfect, **settings)
    assert found.shares["system"] == 0
    assert found.corners.manual == 0
    assert found.corners.perfect == found.corners.recognised
    assert found.balance.insertions == {"manual": 0, "recognised": 0}


@pytest.mark.check
@given(campaigns(most=2))
def test_blame_by_text(drawn):
    """An alignment of words may stand for the tolerance; the laws are the same."""
    triples, settings = drawn
    by_text = {**settings, "tolerance": None, "by": "text"}
    found = of(triples, **by_text)
    assert sum(found.shares.values()) == found.corners.costs["recognised"]
    same = of([(r, m, m) for r, m, _ in triples], **by_text)
    assert same.shares["recogniser"] == 0


# A case worked by hand (docs/reference/commands/blame.md)


def worked(**settings) -> Blame:
    sides = (sereval.read(EXAMPLE / f"{name}.jsonl") for name in SIDES)
    return blame(*sides, tolerance=0.1, **settings)


SIDES = ("reference", "manual", "recognised")


def test_the_worked_case():
    """The costs, shares, outcomes and causes derived in docs/reference/commands/blame.md."""
    found = worked()
    half = Fraction(1, 2)
    expected = {
        "manual": 3 * half,
        "perfect": Fraction(1),
        "recognised": 7 * half,
        "interaction": Fraction(1),
        "recogniser": 3 * half,
        "system": Fraction(2),
    }
    assert expected == found.corners.costs
    assert [
        ("pers", "S_S", "C", "found", "misheard", ("jack", "Chirac")),
        ("name.first", "C", "D", "lost", "misheard", ("jack",)),
        ("name.last", "C", "S_T", "lost", "context", ("Chirac",)),
        ("loc", "D", "unplaceable", "wrong", None, ()),
        ("org", None, "I", None, None, ()),
    ] == [
        (case.label, case.manual, case.recognised, case.group, case.cause, case.heard)
        for case in found.cases
    ]
    shares = {label: one.corners.shares["recogniser"] for label, one in found.labels.items()}
    assert {
        "loc": half,
        "name.first": half,
        "name.last": half / 2,
        "org": half,
        "pers": -half / 2,
    } == shares
    assert "<Blame: blame|context:2|" in repr(found)


@pytest.mark.check
@given(lattice=lattices(), heard=texts)
def test_alternatives_against_all_texts(lattice, heard):
    """Causes and word errors are those of the cheapest text written out; costs do not move."""
    words, alternatives = lattice
    spans: list[tuple[int, int]] = []
    for start, end, _ in alternatives:  # an element for all that share words
        if spans and start < spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    said = Document("d", tuple(words), tree([("x", *span) for span in spans]))
    sides = [said], [Document("d", tuple(heard))]
    how = {"by": "text", "context": 0}
    found = blame([replace(said, alternatives=tuple(alternatives))], *sides, **how)
    assert blame([said], *sides, **how).corners == found.corners

    def cost(text):
        return edit_cost(*(LETTERS.forms(side).texts for side in (text, heard)), UNIT)

    best, _, _, text, chosen = min(
        (cost(text), len(chosen), order, text, chosen)
        for text, order, chosen in expansions(words, alternatives, len(words))
    )
    assert best == sum(found.words.total) - found.words.total.correct
    written = Recognition(word_operations(text, heard), heard)
    for case in found.cases:
        if case.recognised != "unplaceable":
            start, end = (
                frontier
                + sum(
                    len(reading) - (after - first)
                    for first, after, reading in chosen
                    if after <= frontier
                )
                for frontier in case.span
            )
            assert ("lost", written.became(start, end, 0)[0]) == (case.group, case.cause)


# Earnings-21
