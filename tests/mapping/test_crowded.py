"""The matching found by arrays, beside that of ``assignment``."""

import random
from contextlib import contextmanager
from types import SimpleNamespace

import numpy
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


@contextmanager
def each_way():
    """How matchings are found: the kind of the numbers in arrays; exact numbers in no array."""
    found = []

    class Seen(crowded._Matching):
        def __init__(self, costs):
            found.append(costs.dtype.name)
            super().__init__(costs)

    def exact_pairs(worth):
        found.append("exact")
        return best_pairs(worth)

    best_pairs = assignment.best_pairs
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowded, "_Matching", Seen)
        patch.setattr(assignment, "best_pairs", exact_pairs)
        yield found


def of_worths(rows, factor=1, more=0):
    """Worths and ranks of a table of small worths, which are made larger."""
    worth = sorted({one for row in rows for one in row} | {0})
    ranks = [[worth.index(one) for one in row] for row in rows]
    return [one and factor * one + more for one in worth], ranks


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


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 0], [2, 1], [2, 1]],  # the third row is added to prices below 0
        [[3, 0], [6, 3]],  # to leave the first row alone or to move it costs the same
        [[6, 5], [7, 7], [2, 0], [0, 6]],  # paths reach rows at several excesses
        [[1, 1, 5], [5, 9, 6], [0, 6, 0]],  # of the rows that lead to a column, one is nearest
    ],
)
def test_prices_that_paths_change(rows):
    """The matching does not depend on how prices are kept, nor on how large worths are."""
    for factor, more in ((1, 0), (1, 2**58), (2**50, 0)):
        table = of_worths(rows, factor, more)
        assert naive(*table) == crowded.best_pairs(*table)


def test_integers_stay_exact():
    """Worths that no float of 64 bits tells apart."""
    table = of_worths([[1], [4]], more=2**58)
    assert {1: 0} == crowded.best_pairs(*table)


@pytest.mark.parametrize(
    ("function", "most", "cells", "expected"),
    [
        (crowded.best_pairs, 2, 6, ["exact"]),
        (crowded.best_pairs, 2, 5, ["int64"]),
        (crowded.best_pairs, crowded.LARGEST, 5, ["int64"]),
        (crowded.best_pairs, crowded.LARGEST + 1, 5, ["exact"]),
        (crowded.best_sum, crowded.LARGEST + 1, 6, ["exact"]),
        (crowded.best_sum, crowded.LARGEST + 1, 5, ["float64"]),
        (crowded.best_sum, crowded.LARGEST, 5, ["int64"]),
    ],
)
def test_arrays_are_for_many_pairs(monkeypatch, function, most, cells, expected):
    """Few pairs go without arrays; integers that are too large for them, by their sum only."""
    monkeypatch.setattr(crowded, "CELLS", cells)
    with each_way() as found:
        function([0, 1, most], [[2, 1, 0], [1, 2, 1]])
    assert expected == found


@given(tables(factor=3**50))
def test_the_same_sum_of_large_worths(table):
    """Floating-point numbers only leave pairs out: the sum is exact, and is proved at once."""
    expected = total(*table, naive(*table))
    with each_way() as found:
        assert expected == crowded.best_sum(*table)
    assert found == (["float64"] if max(table[0]) > crowded.LARGEST else ["int64"])


@pytest.mark.parametrize(
    ("rows", "far"),
    [
        ([[9, 5], [8, 1]], {(1, 1)}),
        ([[9, 9], [9, 2]], {(1, 1)}),
        ([[9, 0, 0], [4, 0, 0], [2, 0, 0]], {(2, 0)}),
        ([[9, 6, 1], [8, 8, 3], [7, 1, 5]], {(0, 1), (0, 2), (1, 0), (1, 2), (2, 1)}),
    ],
)
def test_pairs_that_are_not_near_are_left_out(monkeypatch, rows, far):
    """Only pairs whose prices do not exceed their worth by more than rounding are looked at."""
    seen = []

    def is_proved_best(matching, near, most, limit):
        seen.append(({*near}, bool(limit < 1e-9)))
        return is_proved(matching, near, most, limit)

    is_proved = crowded._is_proved_best
    monkeypatch.setattr(crowded, "_is_proved_best", is_proved_best)
    table = of_worths(rows, 3**50)
    assert total(*table, naive(*table)) == crowded.best_sum(*table)
    allowed = {(r, c) for r, row in enumerate(rows) for c, one in enumerate(row) if one}
    assert [(allowed - far, True)] == seen


@st.composite
def guesses(draw):
    """A table of large worths, some matching in it, and some prices."""
    worth, ranks = draw(tables(factor=3**50))
    pairs = [(r, c) for r, row in enumerate(ranks) for c, k in enumerate(row) if worth[k]]
    column_of, row_of = {}, {}
    for r, c in draw(st.permutations(pairs)):
        if r not in column_of and c not in row_of and draw(st.booleans()):
            column_of[r], row_of[c] = c, r
    price = st.sampled_from([0, 0, 1 / 9, 1 / 3, 0.5, 1])
    prices = [
        numpy.array([-draw(price) for _ in range(n)], float) for n in (len(ranks), len(ranks[0]))
    ]
    guess = SimpleNamespace(
        column_of=column_of, row_of=row_of, of_rows=prices[0], of_columns=prices[1]
    )
    return worth, ranks, guess


@given(guesses())
def test_a_wrong_matching_is_not_proved(drawn):
    """The sum is exact whatever matching and prices the floating-point numbers give."""
    worth, ranks, guess = drawn
    expected = total(worth, ranks, naive(worth, ranks))
    with pytest.MonkeyPatch.context() as patch:
        if max(worth) > crowded.LARGEST:
            patch.setattr(crowded, "_Matching", lambda costs: guess)
        assert expected == crowded.best_sum(worth, ranks)


def test_a_pair_that_is_worth_more_than_its_prices(monkeypatch):
    """By as much another pair of a best matching may exceed what is known to be near."""
    quarters = numpy.array([-1 / 4, -1 / 4])
    guess = SimpleNamespace(
        column_of={0: 0, 1: 1}, row_of={0: 0, 1: 1}, of_rows=quarters, of_columns=quarters
    )
    monkeypatch.setattr(crowded, "_Matching", lambda costs: guess)
    assert (6 + 18) * 3**50 == crowded.best_sum(*of_worths([[9, 6], [18, 9]], 3**50))


MOST, LIMIT = 1 << 100, 1 / 8


@pytest.mark.parametrize(
    ("near", "pairs", "rows", "columns", "expected"),
    [
        # one pair: its price is that of the row, and the column's is no more than rounding
        ({(0, 0): MOST}, [(0, 0)], [1], [2**-40], True),
        ({(0, 0): MOST}, [(0, 0)], [1], [-(2**-40)], True),
        # no price is 0: that of the row is rounded, and that of the column follows
        ({(0, 0): MOST}, [(0, 0)], [1 / 2], [1 / 2], True),
        # exact prices differ by a quarter of the limit, and by more
        ({(0, 0): MOST}, [(0, 0)], [1 - LIMIT / 4], [0], True),
        ({(0, 0): MOST}, [(0, 0)], [1 - LIMIT / 3], [0], False),
        # a row alone is worth nothing, so the price of the column is exact, which no float is
        ({(0, 0): MOST // 3, (1, 0): MOST // 3}, [(1, 0)], [0, 0], [1 / 3], True),
        # another pair follows one whose prices are known already
        ({(0, 0): MOST // 4, (1, 1): MOST}, [(0, 0), (1, 1)], [1 / 4, 1 / 2], [0, 1 / 2], True),
        # nothing is known of a row and a column that are in no near pair
        ({(0, 0): MOST}, [(0, 0)], [1, 0], [0, 0], True),
        # a row alone has a price; a pair is worth more than its prices; a price is below 0
        ({(0, 0): MOST, (1, 0): MOST // 2}, [(1, 0)], [1 / 2, 0], [1 / 2], False),
        ({(0, 0): MOST, (1, 0): MOST // 2}, [(0, 0)], [1, 0], [0], False),
        ({(0, 0): MOST, (1, 0): MOST + 1}, [(0, 0)], [0, 0], [1], False),
    ],
)
def test_what_proves_a_matching_best(near, pairs, rows, columns, expected):
    """Exact prices near the approximate ones, which no near pair exceeds."""
    matching = SimpleNamespace(
        column_of=dict(pairs),
        row_of={c: r for r, c in pairs},
        of_rows=-numpy.array(rows, float),
        of_columns=-numpy.array(columns, float),
    )
    assert expected == crowded._is_proved_best(matching, near, MOST, LIMIT)


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
    nothing = [[0] * (r % 4) for r in range(rows)]
    ranks = [[chance.choice((*none, *[1, 2, 3, 4, 5] * 4)) for _ in range(125)] for none in nothing]
    assert 20 < len({max(assignment.CROWD, sum(map(bool, row))) for row in ranks})

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
