"""A gate: whether a score is worse than that of a stored report.

A system passes unless its slot error rate is greater than the stored one by more than a margin, and
the difference is significant by the paired permutation test of ``compare`` over documents. With so
few documents that no arrangement could be significant, the margin alone decides. Under the scheme
of another scorer, the rate is that of a figure: an error rate, or an F-measure, which may not fall.
A fall of F is a growth of ``1 - F``: the errors of precision and recall over their size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import SerevalError, one_line
from ..measures.figures import Figure, figure_rate
from ..measures.rates import Errors, Rate, slot_error_rate
from ..measures.slots import Costs
from ..render.report import Look, Report, Reported, filled, row, rows
from ..render.text import chance, counted, lines, percent, signed
from ..schemes.table import SCHEMES
from .resampling import Resampling, Significance, permutation, whole

MARGIN = Fraction(1, 2)
"""The margin, in points of the rate, unless the user names another."""

MOST_MARGIN = 1_000_000
"""The greatest margin."""


MOST_SHOWN = 5
"""The most documents, and labels, that the text names."""

SUMS = ("rate", "errors", "size")
CHANGE = tuple(f"{name}_{when}" for when in ("then", "now") for name in SUMS)

FORMS = {
    "documents": rows("document text", *CHANGE),
    "labels": rows("label text", *CHANGE),
    "verdict": row("measure text", "worse boolean", "growth number points", "margin number points"),
    "then": row(*SUMS),
    "now": row(*SUMS),
    "test": row("p", "exact boolean", "arrangements integer"),
    "resampling": row("resamples integer", "seed integer", "confidence"),
}
"""The tables of the report; the growth of a figure that should be high is that of its errors."""


class Change(NamedTuple):
    """A document or a label then and now.

    Args:
        name: its id, or the label.
        then, now: its errors in the stored report and in the score, all as those of pairs.
    """

    name: str
    then: Errors
    now: Errors

    @property
    def cost(self) -> Fraction:
        """The growth of its errors."""
        return self.now.total - self.then.total


@dataclass(frozen=True, slots=True, repr=False)
class Gate(Reported):
    """The comparison of a score with a stored report.

    Args:
        then, now: the sums in the report and in the score.
        margin: the growth that passes, in points of the rate.
        documents, labels: the documents and labels whose sums changed, the greatest growth of cost
            first.
        test: the permutation test over documents; ``None``: there are too few documents.
        resampling: the settings of the test; a difference is significant if p is at most
            ``1 - confidence``.
        number: the number of documents.
        signature: the signature of the score.
        rate: the rate.

    >>> from sereval import gate, score
    >>> gold = [["B-PER"]]
    >>> found = gate(score(gold, gold), gold, [["O"]], margin=0.5)
    >>> found.is_worse, float(found.growth), found.is_significant
    (True, 100.0, None)
    """

    then: Errors
    now: Errors
    margin: Fraction
    documents: tuple[Change, ...]
    labels: tuple[Change, ...]
    test: Significance | None
    resampling: Resampling
    number: int
    signature: str
    rate: Rate

    @property
    def change(self) -> Fraction:
        """The rate now less the rate then, in points."""
        then, now = map(self.rate.of, (self.then, self.now))
        assert then is not None  # gate_of checks both
        assert now is not None
        return 100 * (now - then)

    @property
    def growth(self) -> Fraction:
        """The growth of the rate of errors, in points; of an F-measure, its fall."""
        return self.change if self.rate.is_better == "lower" else -self.change

    @property
    def is_significant(self) -> bool | None:
        """Whether the difference is significant; ``None``: there are too few documents."""
        return None if self.test is None else self.test.p <= _alpha(self.resampling)

    @property
    def is_worse(self) -> bool:
        """Whether the score does not pass."""
        return self.growth > self.margin and self.is_significant is not False

    def report(self) -> Report:
        """The verdict, the rates, the test, and all documents and labels that changed."""
        test, sampled = self.test, self.resampling
        tables = filled(
            FORMS,
            documents=(self._row(one) for one in self.documents),
            labels=(self._row(one) for one in self.labels),
            verdict=[(self.rate.short, self.is_worse, self.growth, self.margin)],
            then=[self._sums(self.then)],
            now=[self._sums(self.now)],
            test=[] if test is None else [(test.p, test.exact, test.arrangements)],
            resampling=[(sampled.resamples, sampled.seed, sampled.confidence)],
        )
        return Report("gate", tables, self._text, self.signature)

    def _sums(self, errors: Errors) -> tuple[Any, ...]:
        return self.rate.of(errors), errors.total, errors.size

    def _row(self, change: Change) -> tuple[Any, ...]:
        return (change.name, *self._sums(change.then), *self._sums(change.now))

    def _text(self, _: Look) -> Iterator[str]:
        """The verdict, the test, and the documents and labels that got worse."""
        then, now = (percent(self.rate.of(one), 2) for one in (self.then, self.now))
        verdict = "worse" if self.is_worse else "not worse"
        yield (
            f"{verdict}: {self.rate.short} {now}, in the report {then}; "
            f"{float(self.change):+.2f} points, margin {float(self.margin):g}"
        )
        if self.test is None:
            few = counted(self.number, "document")
            yield f"{few}: too few for a test, the margin alone decides"
        else:
            kind = "significant" if self.is_significant else "not significant"
            yield (f"the difference is {kind}: p {chance(self.test.p)}, {self.number} documents")
        yield ""
        for title, changes in (("documents", self.documents), ("labels", self.labels)):
            worse = [one for one in changes if one.cost > 0]
            if worse:
                yield from lines(self._worse(f"{title} that got worse", worse[:MOST_SHOWN]))
                if len(worse) > MOST_SHOWN:
                    yield f"… {len(worse) - MOST_SHOWN} more"
                yield ""
        yield self.signature

    def _worse(self, title: str, changes: Sequence[Change]) -> Iterator[tuple[str, ...]]:
        yield (title, self.rate.errors_are, self.rate.short, "before")
        for one in changes:
            rates = (percent(self.rate.of(errors)) for errors in (one.now, one.then))
            cost = one.cost if self.rate.costs else round(one.cost, 2)
            yield (f"  {one_line(one.name)}", signed(cost), *rates)


def gate_of(
    then: Mapping[str, Any],
    now: Mapping[str, Any],
    margin: float | Fraction | str = MARGIN,
    resampling: Resampling | None = None,
    figure: str | None = None,
) -> Gate:
    """Compare the report of a score with a stored one."""
    allowed = margin_of(margin)
    resampling = resampling or Resampling()
    signatures = [_without_version(one) for one in (then, now)]
    if signatures[0] != signatures[1]:
        raise SerevalError(
            f"found the settings {signatures[1]}, expected those of the report: {signatures[0]}"
        )
    rate = _rate(then, figure)
    old, new = (_parts(report, "document", rate) for report in (then, now))
    if old.keys() != new.keys():
        other = sorted(old.keys() ^ new.keys())[0]
        where = "the report alone" if other in old else "the score alone"
        raise SerevalError(f"document {other} is in {where}, expected the same documents")
    before, after = _total(then, rate), _total(now, rate)
    for errors, whose in ((before, "the report"), (after, "the score")):
        if not errors.size:
            raise SerevalError(f"the rate of {whose} is undefined, expected a reference element")
    return Gate(
        before,
        after,
        allowed,
        _changes(old, new),
        _changes(*(_parts(report, "label", rate) for report in (then, now))),
        _test([*old.values()], [*new.values()], resampling),
        resampling,
        len(old),
        str(now["signature"]),
        rate,
    )


def _rate(report: Mapping[str, Any], figure: str | None) -> Rate:
    """The rate of a report: of slots, or of this figure or the first."""
    if "counts" in report:
        if figure is not None:
            raise SerevalError(f"found the figure {figure}, expected none: the report counts slots")
        return slot_error_rate(Costs())
    table = "measures" if "measures" in report else "figures"
    rows = {_figure(row): row for row in _rows(report, table)}
    scheme = SCHEMES.get(str(report["signature"]).partition("|")[0])
    figures = scheme.figures if scheme else ()
    name = figure or next((one for one in (*figures, *rows) if one in rows), None)
    if name is None:
        raise _nothing()
    if name not in rows:
        known = ", ".join(sorted(map(str, rows)))
        raise SerevalError(f"no figure {name!r}, expected one of {known}")
    short, better = f"F of {name}", "higher"
    if "value" in rows[name]:
        short, better = name, str(rows[name].get("better"))
    elif "error_rate" in rows[name]:
        short, better = f"{name} error rate", "lower"
    return figure_rate(name, Figure())._replace(short=short, is_better=better)


def _alpha(resampling: Resampling) -> Fraction:
    """The greatest p-value of a significant difference."""
    return 1 - Fraction(str(resampling.confidence))


def _test(
    old: Sequence[Errors], new: Sequence[Errors], resampling: Resampling
) -> Significance | None:
    """The permutation test over documents; ``None`` if no arrangement could be significant."""
    if Fraction(2, 2 ** len(old)) > _alpha(resampling):
        return None
    if not any(one.size for one in (*old, *new)):
        return None  # a bound is of all documents together
    then, now = whole([[(one.total, one.size) for one in own] for own in (old, new)])
    return permutation(now, then, resampling)


def _changes(old: Mapping[str, Errors], new: Mapping[str, Errors]) -> tuple[Change, ...]:
    """The documents or labels whose sums changed, the greatest growth of errors first."""
    found = [
        Change(name, old.get(name, Errors()), new.get(name, Errors())) for name in old.keys() | new
    ]
    changed = [one for one in found if one.then != one.now]
    return tuple(sorted(changed, key=lambda one: (-one.cost, one.name)))


def margin_of(margin: float | Fraction | str) -> Fraction:
    """A margin in points, in its exact decimal form."""
    text = str(margin)
    try:  # a long exponent is a number that would fill the memory
        found = Fraction(-1 if _LONG_EXPONENT.search(text) else text)
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if not 0 <= found <= MOST_MARGIN:
        raise SerevalError(
            f"margin {margin!r}, expected points of SER such as 0.5, from 0 to {MOST_MARGIN}"
        )
    return found


_LONG_EXPONENT = re.compile(r"[eE][+-]?[0-9_]{4}")


def _without_version(report: Mapping[str, Any]) -> str:
    signature = report.get("signature")
    if not isinstance(signature, str):
        raise _nothing()
    return signature.rpartition("|version:")[0] or signature


def _rows(report: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The rows of a table of a report."""
    rows = report.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise _nothing()
    return rows


def _figure(row: Mapping[str, Any]) -> Any:
    """The figure or the measure of a row of a report; ``None``: it counts slots."""
    return row.get("figure", row.get("measure"))


def _total(report: Mapping[str, Any], rate: Rate) -> Errors:
    """The errors of all documents."""
    if rate.costs:
        return _errors(report["counts"])
    table = "measures" if "measures" in report else "figures"
    return next(_errors(row) for row in _rows(report, table) if _figure(row) == rate.figure)


def _parts(report: Mapping[str, Any], key: str, rate: Rate) -> dict[str, Errors]:
    """The errors of the documents or labels of a report, in order."""
    if key == "label" and "measures" in report:
        return {}
    rows = [row for row in _rows(report, f"{key}s") if _figure(row) in (None, rate.figure)]
    names = Counter(row.get(key) for row in rows)
    if not all(isinstance(name, str) for name in names):
        raise _nothing()
    if again := [name for name, times in names.items() if times > 1]:
        raise SerevalError(f"{key} {again[0]} is in the report twice, expected each once")
    return {row[key]: _errors(row) for row in sorted(rows, key=lambda row: str(row[key]))}


SUMS_OF = {
    "value": ({"errors": 1}, {"size": 1}),
    "cost": ({"cost": 1}, {"Ref": 1}),
    "error_rate": ({"errors": 1}, {"Ref": 1}),
    "TP": ({"FP": 1, "FN": 1}, {"TP": 2, "FP": 1, "FN": 1}),
    "INC": ({"INC": 2, "PAR": 1, "MIS": 1, "SPU": 1}, {"POS": 1, "ACT": 1}),
}
"""The errors and the size of each kind of rows, which the first of its columns here tells from
those below: columns, and how often each counts."""


def _errors(row: Any) -> Errors:
    """The errors of a row of a report."""
    kind = next((one for one in SUMS_OF if isinstance(row, Mapping) and one in row), None)
    if kind is None:
        raise _nothing()
    sums = []
    for times in SUMS_OF[kind]:
        if not all(_is_number(row.get(name)) for name in times):
            raise _nothing()
        sums.append(sum(n * Fraction(str(row[name])) for name, n in times.items()))
    return Errors(S=Fraction(sums[0]), size=sums[1])


MOST = 10**15
"""The greatest count of a report; greater ones would only cost time."""


def _is_number(value: object) -> bool:
    """Whether a value is a count, or a sum of errors."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= MOST


def _nothing() -> SerevalError:
    return SerevalError(
        "found no counts by document and label, expected a report of sereval score --format json"
    )
