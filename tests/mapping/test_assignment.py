"""The prices of a matching are fair, and no fair prices are higher in sum."""

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from sereval.mapping.assignment import Matching, best_pairs

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
def test_the_matching_costs_the_least(case):
    """What is paired and what is left alone cost the least there is; nobody has two partners."""
    pairs, rows_alone, columns_alone = case
    matching = Matching(*case)
    assert {c: r for r, c in matching.column_of.items()} == matching.row_of
    paired = sum(pairs[r][c] for r, c in matching.column_of.items())
    rows = sum(cost for r, cost in enumerate(rows_alone) if r not in matching.column_of)
    columns = sum(cost for c, cost in enumerate(columns_alone) if c not in matching.row_of)
    assert cheapest(*case) == paired + rows + columns


@given(matchings())
def test_prices_of_both_sides_are_fair(case):
    """No pair costs less than its two prices, nothing left alone less than its own; all is paid."""
    pairs, rows_alone, columns_alone = case
    matching = Matching(*case)
    of_rows, of_columns = matching.of_rows, matching.of_columns
    dear = [
        (r, c)
        for r, costs in enumerate(pairs)
        for c, cost in costs.items()
        if of_rows[r] + of_columns[c] > cost
    ]
    assert dear == []
    assert all(map(int.__le__, of_rows, rows_alone))
    assert all(map(int.__le__, of_columns, columns_alone))
    assert cheapest(*case) == sum(of_rows) + sum(of_columns)


class Counted(dict):
    """Costs of a row that count how often one is looked at."""

    looks = 0

    def items(self):
        Counted.looks += len(self)
        return super().items()


def looks(rows):
    """How many costs are looked at where one row, and one column, can be paired with all."""
    rng = random.Random(1)
    wanted = [0, *(rng.randrange(3) for _ in range(1, rows))]
    there = {0: 0} | {column: rng.choice([wanted[column], 1]) for column in range(1, rows, 2)}
    costs = [
        Counted(
            (column, (label != wanted[row]) + (row != column))
            for column, label in there.items()
            if row in (0, column) or column == 0
        )
        for row in range(rows)
    ]
    Counted.looks = 0
    Matching(costs, [2] * rows, [2] * rows)
    return Counted.looks


def test_best_pairs_are_worth_most():
    """The pairs chosen are worth as much as the best of all, for numbers of any size."""
    dice = random.Random(3)
    for _ in range(200):
        rows, columns = dice.randint(1, 4), dice.randint(1, 5)
        most = dice.choice([2, 9, 10**40])
        worth = [[dice.randint(0, most) for _ in range(columns)] for _ in range(rows)]
        found = best_pairs({(i, j): worth[i][j] for i in range(rows) for j in range(columns)})
        assert len({*found.values()}) == len(found)
        assert 0 not in [worth[i][j] for i, j in found.items()]
        wide = [row + [0] * rows for row in worth]
        best = max(
            sum(wide[i][j] for i, j in enumerate(order))
            for order in permutations(range(columns + rows), rows)
        )
        assert sum(worth[i][j] for i, j in found.items()) == best
