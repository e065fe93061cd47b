"""The prices of a matching are fair, and no fair prices are higher in sum."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from strategies import LABELS  # noqa: F401 - hypothesis runs without chance, see there

from sereval.prices import prices

whole = st.integers(-3, 6)


@st.composite
def matchings(draw):
    """What pairs of rows and columns cost, some of them impossible, and all that are left alone."""
    rows, columns = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    pairs = [
        draw(st.dictionaries(st.integers(0, columns - 1), whole)) if columns else {}
        for _ in range(rows)
    ]
    alone = [draw(st.lists(whole, min_size=n, max_size=n)) for n in (rows, columns)]
    return pairs, *alone


def cheapest(pairs, rows_alone, columns_alone):
    """Every way to give each row a column, or a blank that leaves it alone."""
    blanks = [None] * len(pairs)
    costs = []
    for choice in permutations([*range(len(columns_alone)), *blanks], len(pairs)):
        if all(c is None or c in pairs[row] for row, c in enumerate(choice)):
            paid = (rows_alone[r] if c is None else pairs[r][c] for r, c in enumerate(choice))
            left = (cost for c, cost in enumerate(columns_alone) if c not in choice)
            costs.append(sum(paid) + sum(left))
    return min(costs)


@given(matchings())
def test_prices_add_up_to_the_cheapest_matching(case):
    """Prices of columns, and what they leave for the rows, add up to the least cost there is."""
    pairs, rows_alone, columns_alone = case
    found = prices(pairs, rows_alone, columns_alone)
    of_rows = [
        min(alone, *(cost - found[c] for c, cost in costs.items()), alone)
        for alone, costs in zip(rows_alone, pairs, strict=True)
    ]
    assert sum(found) + sum(of_rows) == cheapest(*case)


@given(matchings())
def test_no_price_is_above_what_is_left_alone(case):
    """A column that is left alone pays its price with what that costs."""
    pairs, rows_alone, columns_alone = case
    found = prices(pairs, rows_alone, columns_alone)
    assert [p for p, alone in zip(found, columns_alone, strict=True) if p > alone] == []


def test_rows_that_want_one_column_share_its_price():
    """Where all rows want one column its price is what they would give to be left alone."""
    assert prices([{0: 0}, {0: 0}, {0: 1}], [2, 2, 2], [5]) == [-2]
