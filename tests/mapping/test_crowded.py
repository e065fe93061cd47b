"""The matching found by arrays, beside that of ``assignment``."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.mapping import assignment, crowded


def naive(worth, ranks):
    """The pairs that ``assignment`` takes."""
    return assignment.best_pairs(
        {(r, c): worth[rank] for r, row in enumerate(ranks) for c, rank in enumerate(row)}
    )


def total(worth, ranks, pairs):
    return sum(worth[ranks[r][c]] for r, c in pairs.items())


@st.composite
def tables(draw, factor=1):
    """Few worths, so that many sums are equal, and rows with more or fewer columns."""
    worth = [0, *draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))]
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    rank = st.integers(0, len(worth) - 1)
    row = st.lists(rank, min_size=columns, max_size=columns)
    return [factor * one for one in worth], draw(st.lists(row, min_size=rows, max_size=rows))


@pytest.fixture(autouse=True, scope="module")
def arrays_for_all():
    """Small tables go through arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowded, "CELLS", 0)
        yield


@given(tables())
def test_the_same_pairs(table):
    """Of equal sums the same matching is chosen."""
    assert naive(*table) == crowded.best_pairs(*table)


@given(tables(factor=3**50))
def test_the_same_sum_of_large_worths(table):
    """Floating-point numbers only leave pairs out: the sum is exact."""
    assert total(*table, naive(*table)) == crowded.best_sum(*table)


@given(tables())
def test_the_same_sum_of_worths_that_floats_confuse(table):
    """Where floating-point numbers take the wrong matching, exact prices do not prove it."""
    worth, ranks = table
    large = [one and 2**200 + one for one in worth]

    assert total(large, ranks, naive(large, ranks)) == crowded.best_sum(large, ranks)


@pytest.mark.parametrize("rows", [110, 130])
def test_more_rows_than_a_crowd(rows):
    """Rows with more than 100 columns are added last, as ``assignment`` adds them."""
    chance = random.Random(rows)
    worth = [0, 1, 2, 3, 5, 8]
    weights = [k % 3 for k in range(rows)]
    ranks = [[chance.choice((0, 0, k, 1, 5)) for _ in range(120)] for k in weights]

    assert naive(worth, ranks) == crowded.best_pairs(worth, ranks)


def test_sums_that_floats_cannot_tell_apart():
    """A difference in the last place of 200 bits decides."""
    large = 2**200
    worth = [0, large, large + 1]
    ranks = [[1, 2, 1], [2, 2, 1], [1, 1, 1]]

    assert 3 * large + 2 == crowded.best_sum(worth, ranks)


def test_nothing_to_pair():
    """No rows, and no pair that may be taken."""
    assert {} == crowded.best_pairs([], [])
    assert 0 == crowded.best_sum([], [])
    assert {} == crowded.best_pairs([0], [[0, 0]])
    assert 0 == crowded.best_sum([0], [[0]])
