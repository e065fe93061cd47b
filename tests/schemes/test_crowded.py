"""The matching found by arrays, beside that of ``assignment``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.mapping import assignment
from sereval.schemes import lists


def naive(worth):
    """The pairs that ``assignment`` takes."""
    return assignment.best_pairs(
        {(r, c): one for r, row in enumerate(worth) for c, one in enumerate(row)}
    )


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
    factor, more = large
    table = [[one and factor * one + more for one in row] for row in rows]
    assert naive(table) == lists.best_pairs(table)
