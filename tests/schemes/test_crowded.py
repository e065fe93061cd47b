"""The matching found by arrays, beside that of ``assignment``."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.mapping import assignment
from sereval.schemes import lists


def naive(worth, ranks):
    """The pairs that ``assignment`` takes."""
    return assignment.best_pairs(
        {(r, c): worth[rank] for r, row in enumerate(ranks) for c, rank in enumerate(row)}
    )


def of_worths(rows, factor=1, more=0):
    """Worths and ranks of a table of small worths, which are made larger."""
    worth = sorted({one for row in rows for one in row} | {0})
    ranks = [[worth.index(one) for one in row] for row in rows]
    return [one and factor * one + more for one in worth], ranks


@pytest.fixture(autouse=True, scope="module")
def arrays_for_all():
    """Small tables go through arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lists, "CELLS", 0)
        yield


@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
        lambda size: st.lists(
            st.lists(st.sampled_from([0, 0, 1, 2, 3, 5, 9]), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    ),
    st.sampled_from([(1, 0), (1, 2**58), (3**50, 0), (1, 2**200)]),
)
def test_the_same_pairs(rows, large):
    """Of equal sums the same matching is chosen, however large the worths are."""
    table = of_worths(rows, *large)
    assert naive(*table) == lists.best_pairs(*table)


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 0], [2, 1], [2, 1]],  # the third row is added to prices below 0
        [[3, 0], [6, 3]],  # to leave the first row alone or to move it costs the same
        [[6, 5], [7, 7], [2, 0], [0, 6]],  # paths reach rows at several excesses
        [[1, 1, 5], [5, 9, 6], [0, 6, 0]],  # of the rows that lead to a column, one is nearest
        [[1, 2, 1], [2, 2, 1], [1, 1, 1]],
    ],
)
@pytest.mark.parametrize("large", [(1, 0), (1, 2**58), (2**50, 0), (1, 2**200)])
def test_prices_that_paths_change(rows, large):
    """The matching does not depend on how prices are kept, nor on how large worths are."""
    table = of_worths(rows, *large)
    assert naive(*table) == lists.best_pairs(*table)


@pytest.mark.parametrize("rows", [110, 130])
def test_more_rows_than_a_crowd(rows):
    """Rows with more than 100 columns are added last, as ``assignment`` adds them."""
    chance = random.Random(rows)
    worth = [0, 1, 2, 3, 5, 8]
    nothing = [[0] * (r % 4) for r in range(rows)]
    ranks = [[chance.choice((*none, *[1, 2, 3, 4, 5] * 4)) for _ in range(125)] for none in nothing]
    assert 20 < len({max(assignment.CROWD, sum(map(bool, row))) for row in ranks})

    assert naive(worth, ranks) == lists.best_pairs(worth, ranks)


def test_nothing_to_pair():
    """No rows, and no pair that may be taken."""
    assert {} == lists.best_pairs([], [])
    assert {} == lists.best_pairs([0], [[0, 0]])
