"""A reference on other words: candidates, the walk along the tags, and what has no place."""

import random

import brute_force as oracle
import pytest
from strategies import as_scoring, in_ms

from sereval.alignment.blocks import WordAlignment
from sereval.alignment.text import align_text
from sereval.documents.model import Document, tree
from sereval.projection import (
    Frontiers,
    place,
    project,
    project_aligned,
)


def random_times(rng, words):
    """Words in order of their starts, some of which are empty or overlap."""
    starts = sorted(rng.randint(0, 40) for _ in range(words))
    return tuple((start, start + rng.randint(0, 15)) for start in starts)


@pytest.mark.parametrize("seed", range(40))
def test_frontiers_are_those_within_the_tolerance(seed):
    """Every word whose start or end is near enough, and the strict frontier if it may be."""
    rng = random.Random(f"frontiers-{seed}")
    times = random_times(rng, n := rng.randint(0, 6))
    frontiers = Frontiers(times)
    for time in range(-3, 60):
        late = [max(a + b for a, b in times[: k + 1]) for k in range(n)]
        strict = sum(doubled < 2 * time for doubled in late)
        assert strict == frontiers.strict(time)
        for tolerance in (0, 1, 5):
            starts = {k for k in range(n) if abs(times[k][0] - time) <= tolerance}
            ends = {k + 1 for k in range(n) if abs(times[k][1] - time) <= tolerance}
            for side, those, beyond in (("starts", starts, n), ("ends", ends, 0)):
                expected = tuple(sorted({strict, *those} - {beyond}))
                assert expected == frontiers.near(side, time, tolerance)


def seeded_cases(seed, count):
    rng = random.Random(f"project-{seed}")
    return [oracle.random_case(rng) for _ in range(count)]


@pytest.mark.parametrize("seed", range(60))
def test_what_remains_is_what_the_definition_leaves(seed):
    """Elements, parents, candidates, strict frontiers and the number of unplaceable ones."""
    for case in seeded_cases(seed, 5):
        scoring = as_scoring(case)
        [given], [words] = scoring.references, scoring.hypotheses
        if case.timing is None:
            found = place(given, unplaceable=case.policy)
        else:
            found = project(
                given, words, tolerance=in_ms(scoring.tolerance), unplaceable=scoring.unplaceable
            )
        elements, unplaceable, missed = oracle.remaining_reference(
            case.reference, case.policy, case.timing
        )
        assert elements == [
            oracle.RefEl(tuple(sorted(e.labels)), e.starts, e.ends, e.parent, e.strict)
            for e in found.elements
        ]
        fates = [lost.fate for lost in found.unplaceable]
        assert (unplaceable, missed) == (len(fates), fates.count("missed"))
        assert found.words == words.words
        assert [given.elements[e.source].label for e in found.elements] == [
            e.label for e in found.elements
        ]


@pytest.mark.parametrize("seed", range(40))
def test_an_alignment_leaves_each_frontier_its_candidates(seed):
    """All within the tolerance of one of them, of a start but the last, of an end but the first."""
    rng = random.Random(f"aligned-{seed}")
    left = tuple(rng.choices("abc", k=rng.randint(1, 6)))
    right = tuple(rng.choices("abc", k=rng.randint(1, 6)))
    n, m = len(left), len(right)
    start = rng.randrange(n)
    end = rng.randint(start + 1, n)
    reference = Document("d", left, tree([("x", start, end)]), tuple((k, k) for k in range(n)))
    words = Document("d", right, (), tuple((k, k) for k in range(m)))
    found = align_text(left, right)
    slack = rng.randrange(5)
    alignment = WordAlignment(found.blocks, found.cost, slack, found.how, found.otherwise)
    tolerance = rng.randrange(3)

    def near(frontier, allowed):
        low, high, *_ = alignment.places(frontier)
        return tuple(k for k in allowed if low - tolerance <= k <= high + tolerance)

    for policy in ("drop", "miss", "merge"):
        found = project_aligned(
            reference, words, alignment, tolerance=tolerance, unplaceable=policy
        )
        [element] = [*found.elements, *(lost.element for lost in found.unplaceable)]
        assert near(start, range(m)) == element.starts
        assert near(end, range(1, m + 1)) == element.ends
        strict = alignment.places(start)[2], alignment.places(end)[3]
        assert (strict, 0, None) == (element.strict, element.source, element.parent)
        assert (words.words, words.times, alignment.slack) == (
            found.words,
            found.times,
            found.slack,
        )
        assert found.projection == f"{alignment.how} tolerance:{tolerance}w unplaceable:{policy}"
