"""The definition of the score as an integer programme, solved by HiGHS.

Where documents are too large for `brute_force.py`: one programme for a whole document, which is
not cut into parts, not walked along the tags, and keeps no states. Written from the definition,
sections 2 and 3, and sharing nothing with the package; elements are those of `brute_force`.

Unknowns, all 0 or 1:

* ``x[t, k]``: tag ``t`` sits at frontier ``k``; each tag at one of its candidates;
* ``y[r, h]``: reference element ``r`` is paired with hypothesis element ``h``;
* ``e[r, h]``: the two are paired, and their spans are the same.

"From k on" is the sum of a tag's ``x`` at ``k`` and after: frontiers do not decrease where it
does not fall from one tag to the next, for every ``k``; and no element is empty where, from
``k + 1`` on, its closing tag has at least what its opening tag has from ``k`` on.

The order of section 3 among solutions of equal cost is that of further programmes, each with what
the ones before it found as a condition. All coefficients are whole numbers.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy
from brute_force import Costs, HypEl, RefEl, ancestors, tags
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

Terms = dict[int, int]
"""A linear form: the coefficient of each unknown."""


class Row(NamedTuple):
    """``low <= form <= high``."""

    form: Terms
    low: float
    high: float


class Programme:
    """All placements and mappings of a document, as the solutions of linear inequalities."""

    def __init__(
        self, elements: Sequence[RefEl], hypothesis: Sequence[HypEl], *, exact: bool = False
    ) -> None:
        """With `exact`, pairs of class C only, and rule 3 does not apply (section 3)."""
        self.elements, self.hypothesis = elements, hypothesis
        self.size = 0
        self.rows: list[Row] = []
        self.opening: list[Terms] = [{} for _ in elements]  # frontier: its unknown
        self.closing: list[Terms] = [{} for _ in elements]
        self.pairs: dict[tuple[int, int], int] = {}
        self.same: dict[tuple[int, int], int] = {}
        self._place()
        for r in range(len(elements)):
            for h in range(len(hypothesis)):
                if not exact or hypothesis[h].label in elements[r].labels:
                    self._pair(r, h)
        self._one_each()
        if exact:
            for pair, y in self.pairs.items():
                self._at_most({y: 1, self.same[pair]: -1} if pair in self.same else {y: 1}, 0)
        else:
            self._nest()

    def _unknown(self) -> int:
        self.size += 1
        return self.size - 1

    def _at_most(self, form: Terms, high: float) -> None:
        self.rows.append(Row(form, -numpy.inf, high))

    def _place(self) -> None:
        """Section 2."""
        order = tags([e.parent for e in self.elements])
        where = [(self.opening if opening else self.closing)[r] for r, opening in order]
        for (r, opening), unknowns in zip(order, where, strict=True):
            element = self.elements[r]
            for frontier in sorted({*(element.starts if opening else element.ends)}):
                unknowns[frontier] = self._unknown()
            self.rows.append(Row(dict.fromkeys(unknowns.values(), 1), 1, 1))
        for before, after in zip(where, where[1:], strict=False):
            self._not_before(before, after, 0)
        for start, end in zip(self.opening, self.closing, strict=True):
            self._not_before(start, end, 1)

    def _not_before(self, first: Terms, second: Terms, gap: int) -> None:
        """The second tag sits at least `gap` frontiers after the first."""
        for k in first:
            later = {x: 1 for at, x in first.items() if at >= k}
            self._at_most(later | {x: -1 for at, x in second.items() if at >= k + gap}, 0)

    def _pair(self, r: int, h: int) -> None:
        """Rule 2: where the two spans share a word, each begins before the other ends."""
        hyp, opening, closing = self.hypothesis[h], self.opening[r], self.closing[r]
        before = [x for k, x in opening.items() if k < hyp.end]
        after = [x for k, x in closing.items() if k > hyp.start]
        if not before or not after:
            return
        y = self.pairs[r, h] = self._unknown()
        self._at_most({y: 1} | dict.fromkeys(before, -1), 0)
        self._at_most({y: 1} | dict.fromkeys(after, -1), 0)
        if hyp.start in opening and hyp.end in closing:
            e = self.same[r, h] = self._unknown()
            start, end = opening[hyp.start], closing[hyp.end]
            for implied in (y, start, end):
                self._at_most({e: 1, implied: -1}, 0)
            self._at_most({y: 1, start: 1, end: 1, e: -1}, 2)

    def _one_each(self) -> None:
        """Rule 1."""
        for side in (0, 1):
            forms: dict[int, Terms] = {}
            for pair, y in self.pairs.items():
                forms.setdefault(pair[side], {})[y] = 1
            for form in forms.values():
                self._at_most(form, 1)

    def _nest(self) -> None:
        """Rule 3."""
        above_r = [set(ancestors([e.parent for e in self.elements], r)) for r in self._all_r()]
        above_h = [set(ancestors([e.parent for e in self.hypothesis], h)) for h in self._all_h()]
        for (r1, h1), y1 in self.pairs.items():
            for (r2, h2), y2 in self.pairs.items():
                if r1 in above_r[r2] and h2 in above_h[h1]:
                    self._at_most({y1: 1, y2: 1}, 1)

    def _all_r(self) -> range:
        return range(len(self.elements))

    def _all_h(self) -> range:
        return range(len(self.hypothesis))

    def is_right(self, pair: tuple[int, int]) -> bool:
        """Whether the reference element accepts the label of the hypothesis element."""
        r, h = pair
        return self.hypothesis[h].label in self.elements[r].labels

    def number(self, name: str) -> Terms:
        """How many pairs are of a class (section 3), or how many there are: ``pairs``."""
        form: Terms = {}
        for pair, y in self.pairs.items():
            is_right = self.is_right(pair)
            if name in ("pairs", "S_S" if is_right else "S_ST"):
                form[y] = 1
            if pair in self.same and name in ("S_S" if is_right else "S_ST",):
                form[self.same[pair]] = -1
            if pair in self.same and name == ("C" if is_right else "S_T"):
                form[self.same[pair]] = 1
        return form

    def cost(self, costs: Costs) -> tuple[Terms, int]:
        """The total cost, in whole numbers, less that of leaving all alone; and the scale."""
        scale = lcm(*(cost.denominator for cost in costs.values()))
        form: Terms = {}
        for name, charge in {**{n: costs[n] for n in ("S_S", "S_T", "S_ST")}, "C": 0}.items():
            for unknown, sign in self.number(name).items():
                form[unknown] = form.get(unknown, 0) + sign * int(charge * scale)
        saved = int((costs["D"] + costs["I"]) * scale)
        for y in self.pairs.values():
            form[y] = form.get(y, 0) - saved
        return form, scale

    def shift(self) -> Terms:
        """Total distance of the chosen frontiers from the strict ones (section 3)."""
        return {
            x: abs(k - strict)
            for r, element in enumerate(self.elements)
            if element.strict is not None
            for unknowns, strict in zip(
                (self.opening[r], self.closing[r]), element.strict, strict=True
            )
            for k, x in unknowns.items()
        }

    def least(self, form: Terms) -> int:
        """The least value of a form of whole numbers; it is a condition of what follows."""
        if not any(form.values()):
            return 0
        objective = numpy.zeros(self.size)
        objective[list(form)] = list(form.values())
        found = milp(
            objective,
            integrality=numpy.ones(self.size),
            bounds=Bounds(0, 1),
            constraints=self._constraints(),
            options={"mip_rel_gap": 0},
        )
        assert found.status == 0, found.message
        value = sum(numpy.rint(found.x[unknown]) * factor for unknown, factor in form.items())
        assert abs(value - found.fun) < 1e-3
        assert found.mip_dual_bound is None or value - found.mip_dual_bound < 0.5
        self.rows.append(Row(form, -numpy.inf, value))
        return int(value)

    def most(self, name: str) -> int:
        """The largest number of pairs of a class, negated; it is a condition of what follows."""
        return self.least({x: -sign for x, sign in self.number(name).items()})

    def _constraints(self) -> LinearConstraint:
        entries = [(i, x, c) for i, row in enumerate(self.rows) for x, c in row.form.items()]
        rows, columns, values = zip(*entries, strict=True)
        matrix = coo_array((values, (rows, columns)), shape=(len(self.rows), self.size))
        lows, highs = ([row[side] for row in self.rows] for side in (1, 2))
        return LinearConstraint(matrix.tocsc(), lows, highs)


def key(
    elements: Sequence[RefEl], hypothesis: Sequence[HypEl], costs: Costs
) -> tuple[Fraction, ...]:
    """The smallest (cost, -C, -pairs, -S_S, -S_T, shift) (section 3)."""
    alone = costs["D"] * len(elements) + costs["I"] * len(hypothesis)
    if not elements:
        return (Fraction(alone), *[Fraction(0)] * 5)
    programme = Programme(elements, hypothesis)
    form, scale = programme.cost(costs)
    cost = alone + Fraction(programme.least(form), scale)
    most = [programme.most(name) for name in ("C", "pairs", "S_S", "S_T")]
    return cost, *most, programme.least(programme.shift())


def exact_correct(elements: Sequence[RefEl], hypothesis: Sequence[HypEl]) -> int:
    """`exact_C`: most pairs with accepted label and same span, of any placement (section 3)."""
    if not elements or not hypothesis:
        return 0
    programme = Programme(elements, hypothesis, exact=True)
    return -programme.least(dict.fromkeys(programme.pairs.values(), -1))
