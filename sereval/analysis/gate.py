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
from math import lcm
from typing import Any, NamedTuple

from ..errors import SerevalError, one_line
from ..render.report import Look, Report, Reported, filled, row, rows
from ..render.text import chance, counted, lines, percent, signed
from ..schemes.table import SCHEMES
from .resampling import Resampling, Significance, permutation

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


class GateRate(NamedTuple):
    """The rate of a gate.

    Args:
        name: its name before a value.
        key: its key in JSON: ``ser``, ``error_rate`` or ``f1``.
        cost: the name of the sum of errors.
        size: the name of the sum that the errors are divided by.
        figure: the figure of a scheme; ``None``: the slot error rate.
    """

    name: str
    key: str
    cost: str = "errors"
    size: str = "size"
    figure: str | None = None

    @property
    def is_better(self) -> str:
        """Whether ``lower`` or ``higher`` values are better."""
        return "higher" if self.key == "f1" else "lower"

    def shown(self, rate: Fraction | None) -> Fraction | None:
        """The rate as the report of a score shows it: F in place of ``1 - F``."""
        return rate if rate is None or self.is_better == "lower" else 1 - rate


SER = GateRate("SER", "ser", "cost", "Ref")
"""The slot error rate."""


class Part(NamedTuple):
    """The errors of a document or of a label, and what they are divided by.

    Args:
        cost: the total cost, or the errors of a figure.
        ref: the number of reference elements; for an F-measure, of all elements.
    """

    cost: Fraction = Fraction(0)
    ref: int | Fraction = 0

    @property
    def rate(self) -> Fraction | None:
        """The rate of errors; ``None`` without elements."""
        return self.cost / self.ref if self.ref else None


class Change(NamedTuple):
    """A document or a label then and now.

    Args:
        name: its id, or the label.
        then, now: its sums in the stored report and in the score.
    """

    name: str
    then: Part
    now: Part

    @property
    def cost(self) -> Fraction:
        """The growth of its cost."""
        return self.now.cost - self.then.cost


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

    then: Part
    now: Part
    margin: Fraction
    documents: tuple[Change, ...]
    labels: tuple[Change, ...]
    test: Significance | None
    resampling: Resampling
    number: int
    signature: str
    rate: GateRate = SER

    @property
    def growth(self) -> Fraction:
        """The growth of the rate of errors, in points; of an F-measure, its fall."""
        assert self.now.rate is not None  # gate_of checks both
        assert self.then.rate is not None
        return 100 * (self.now.rate - self.then.rate)

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
            verdict=[(self.rate.name, self.is_worse, self.growth, self.margin)],
            then=[self._sums(self.then)],
            now=[self._sums(self.now)],
            test=[] if test is None else [(test.p, test.exact, test.arrangements)],
            resampling=[(sampled.resamples, sampled.seed, sampled.confidence)],
        )
        return Report("gate", tables, self._text, self.signature)

    def _sums(self, part: Part) -> tuple[Any, ...]:
        return self.rate.shown(part.rate), part.cost, Fraction(part.ref)

    def _row(self, change: Change) -> tuple[Any, ...]:
        return (change.name, *self._sums(change.then), *self._sums(change.now))

    def _text(self, _: Look) -> Iterator[str]:
        """The verdict, the test, and the documents and labels that got worse."""
        then, now = (percent(self.rate.shown(part.rate), 2) for part in (self.then, self.now))
        verdict = "worse" if self.is_worse else "not worse"
        change = self.growth if self.rate.is_better == "lower" else -self.growth
        yield (
            f"{verdict}: {self.rate.name} {now}, in the report {then}; "
            f"{float(change):+.2f} points, margin {float(self.margin):g}"
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
        yield (title, self.rate.cost, self.rate.name, "before")
        for one in changes:
            rates = (percent(self.rate.shown(part.rate)) for part in (one.now, one.then))
            cost = one.cost if self.rate.figure is None else round(one.cost, 2)
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
    for part, whose in zip((before, after), ("the report", "the score"), strict=True):
        if part.rate is None:
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


def _rate(report: Mapping[str, Any], figure: str | None) -> GateRate:
    """The rate that the reports of a scheme have, of this figure."""
    if "counts" in report:
        if figure is not None:
            raise SerevalError(f"found the figure {figure}, expected none: the report counts slots")
        return SER
    if "measures" in report:
        measures = {row.get("measure"): row for row in _rows(report, "measures")}
        name = str(_named(figure, measures, next(iter(measures), None)))
        key = "f1" if measures[name].get("better") == "higher" else "rate"
        return GateRate(name, key, figure=name)
    rows = {row.get("figure"): row for row in _rows(report, "figures")}
    scheme = str(report["signature"]).partition("|")[0]
    if not rows or scheme not in SCHEMES:
        raise _nothing()
    first = next((one for one in SCHEMES[scheme].figures if one in rows), None)
    name = _named(figure, rows, first)
    if "error_rate" in rows[name]:
        return GateRate(f"{name} error rate", "error_rate", size="Ref", figure=name)
    return GateRate(f"F of {name}", "f1", figure=name)


def _named(figure: str | None, rows: Mapping[Any, Any], first: Any) -> Any:
    """The figure that is asked for, or the first."""
    name = figure or first
    if name not in rows:
        known = ", ".join(sorted(map(str, rows)))
        raise SerevalError(f"no figure {name!r}, expected one of {known}")
    return name


def _alpha(resampling: Resampling) -> Fraction:
    """The greatest p-value of a significant difference."""
    return 1 - Fraction(str(resampling.confidence))


def _test(old: Sequence[Part], new: Sequence[Part], resampling: Resampling) -> Significance | None:
    """The permutation test over documents; ``None`` if no arrangement could be significant."""
    if Fraction(2, 2 ** len(old)) > _alpha(resampling):
        return None
    every = (*old, *new)
    if not any(part.ref for part in every):
        return None  # a bound is of all documents together
    scale = lcm(*(part.cost.denominator for part in every))
    size = lcm(*(part.ref.denominator for part in every))
    ours, theirs = (
        [(int(part.cost * scale), int(part.ref * size)) for part in side] for side in (new, old)
    )
    return permutation(ours, theirs, resampling)


def _changes(old: Mapping[str, Part], new: Mapping[str, Part]) -> tuple[Change, ...]:
    """The documents or labels whose sums changed, the greatest growth of cost first."""
    found = [
        Change(name, old.get(name, Part()), new.get(name, Part())) for name in old.keys() | new
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


def _total(report: Mapping[str, Any], rate: GateRate) -> Part:
    """The sums of all documents."""
    if rate.figure is None:
        return _part(report["counts"], rate)
    table = "measures" if "measures" in report else "figures"
    return next(_part(row, rate) for row in _rows(report, table) if _is_of(row, rate))


def _is_of(row: Mapping[str, Any], rate: GateRate) -> bool:
    return rate.figure in (None, row.get("figure"), row.get("measure"))


def _parts(report: Mapping[str, Any], key: str, rate: GateRate) -> dict[str, Part]:
    """The sums of the documents or labels of a report, in order."""
    if key == "label" and "measures" in report:
        return {}
    rows = [row for row in _rows(report, f"{key}s") if _is_of(row, rate)]
    names = Counter(row.get(key) for row in rows)
    if not all(isinstance(name, str) for name in names):
        raise _nothing()
    if again := [name for name, times in names.items() if times > 1]:
        raise SerevalError(f"{key} {again[0]} is in the report twice, expected each once")
    return {row[key]: _part(row, rate) for row in sorted(rows, key=lambda row: str(row[key]))}


def _part(row: Any, rate: GateRate) -> Part:
    """The sums of a row of a report."""
    if not isinstance(row, Mapping):
        raise _nothing()

    def sum_of(**times: int) -> Fraction:
        """The sum of some counts, each so many times; those that a report lacks are 0."""
        counts = {key: row.get(key, 0) for key in times}
        if not all(map(_is_number, counts.values())):
            raise _nothing()
        return sum((Fraction(str(counts[key])) * n for key, n in times.items()), Fraction(0))

    if rate.figure is None:
        if not {"cost", "Ref"} <= row.keys():
            raise _nothing()
        return Part(sum_of(cost=1), sum_of(Ref=1))
    if "value" in row:
        return Part(sum_of(errors=1), sum_of(size=1))
    if "error_rate" in row:
        return Part(sum_of(errors=1), sum_of(Ref=1))
    if "TP" in row:
        return Part(sum_of(FP=1, FN=1), sum_of(TP=2, FP=1, FN=1))
    # an outcome counts as often as it is an error of recall or of precision: rates.FMeasure
    return Part(sum_of(INC=2, PAR=1, MIS=1, SPU=1), sum_of(POS=1, ACT=1))


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
