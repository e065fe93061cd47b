"""A gate: whether a score is worse than that of a stored report.

A system passes unless its slot error rate is greater than the stored one by more than a margin, and
the difference is significant by the paired permutation test of ``compare`` over documents. With so
few documents that no arrangement could be significant, the margin alone decides. Under the scheme
of another scorer, the rate is that of a figure: an error rate, or an F-measure, which may not fall.
A fall of F is a growth of ``1 - F``: the errors of precision and recall over their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ..documents.model import cut_short
from ..errors import SerevalError, one_line
from ..formats.records import Record
from ..measures import SLOT_ERROR_RATE, Errors, Rate
from ..render.report import (
    Look,
    Report,
    Reported,
    chance,
    counted,
    filled,
    lines,
    percent,
    row,
    rows,
    signed,
)
from ..schemes.result import figure_rate
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
    """A document or a label, with its errors in the stored report and now, as those of pairs."""

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
        test = self.test
        tables = filled(
            FORMS,
            documents=(self._row(one) for one in self.documents),
            labels=(self._row(one) for one in self.labels),
            verdict=[(self.rate.short, self.is_worse, self.growth, self.margin)],
            then=[self._sums(self.then)],
            now=[self._sums(self.now)],
            test=[] if test is None else [test],
            resampling=[self.resampling.numbers],
        )
        return Report("gate", tables, self._text, self.signature)

    def _sums(self, errors: Errors) -> tuple[object, ...]:
        return self.rate.of(errors), errors.total, errors.size

    def _row(self, change: Change) -> tuple[object, ...]:
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
                heads = f"{title} that got worse", self.rate.errors_are, self.rate.short, "before"
                yield from lines([heads, *map(self._worse, worse[:MOST_SHOWN])])
                if len(worse) > MOST_SHOWN:
                    yield f"… {len(worse) - MOST_SHOWN} more"
                yield ""
        yield self.signature

    def _worse(self, one: Change) -> tuple[str, ...]:
        rates = (percent(self.rate.of(errors)) for errors in (one.now, one.then))
        cost = one.cost if self.rate is SLOT_ERROR_RATE else round(one.cost, 2)
        return (f"  {one_line(one.name)}", signed(cost), *rates)


def gate_of(
    then: Mapping[str, object],
    now: Mapping[str, object],
    margin: float | Fraction | str = MARGIN,
    resampling: Resampling | None = None,
    figure: str | None = None,
) -> Gate:
    """Compare the report of a score with a stored one."""
    allowed = margin_of(margin)
    resampling = resampling or Resampling()
    before, after = (_stored(Record({**one}, "report"), figure) for one in (then, now))
    if before.settings != after.settings:
        raise SerevalError(
            f"found the settings {after.settings}, expected those of the report: {before.settings}"
        )
    if before.documents.keys() != after.documents.keys():
        other = sorted(before.documents.keys() ^ after.documents.keys())[0]
        where = "the report alone" if other in before.documents else "the score alone"
        raise SerevalError(f"document {other} is in {where}, expected the same documents")
    for errors, whose in ((before.total, "the report"), (after.total, "the score")):
        if not errors.size:
            raise SerevalError(f"the rate of {whose} is undefined, expected a reference element")
    return Gate(
        before.total,
        after.total,
        allowed,
        _changes(before.documents, after.documents),
        _changes(before.labels, after.labels),
        _test([*before.documents.values()], [*after.documents.values()], resampling),
        resampling,
        len(before.documents),
        after.signature,
        before.rate,
    )


class _Stored(NamedTuple):
    """What a stored report has of a rate: the errors of all, by document and by label."""

    signature: str
    rate: Rate
    total: Errors
    documents: Mapping[str, Errors]
    labels: Mapping[str, Errors]

    @property
    def settings(self) -> str:
        """The signature without its version."""
        return self.signature.partition("|version:")[0]


def _stored(report: Record, figure: str | None) -> _Stored:
    """What a report has of a figure, or of its first."""
    if "counts" not in report:
        rate, row = _figure(report, figure)
    elif figure is None:
        rate, row = SLOT_ERROR_RATE, report.record("counts")
    else:
        reason = "expected none: the report counts slots"
        raise SerevalError(f"found the figure {figure}, {reason}")
    documents, labels = (_parts(report, key, rate) for key in ("document", "label"))
    return _Stored(report.string("signature"), rate, _errors(row), documents, labels)


def _figure(report: Record, figure: str | None) -> tuple[Rate, Record]:
    """The rate of a figure or of a measure, and its row."""
    rows = {_name(row): row for row in report.records(report.first("measures", "figures"))}
    signature = "" if report.is_absent("signature") else report.string("signature")
    scheme = SCHEMES.get(signature.partition("|")[0])
    usual = [one for one in (*(scheme.figures if scheme else ()), *rows) if one in rows]
    if not usual:
        raise SerevalError(
            "found no counts by document and label, expected a report of sereval score "
            "--format json"
        )
    name = figure or usual[0]
    if name not in [*rows]:
        raise SerevalError(f"no figure {name!r}, expected one of {', '.join(sorted(rows))}")
    short, better = f"F of {name}", "higher"
    if "value" in rows[name]:
        short, better = name, rows[name].string("better")
    elif "error_rate" in rows[name]:
        short, better = f"{name} error rate", "lower"
    return figure_rate(name)._replace(short=short, is_better=better), rows[name]


def _name(row: Record) -> str:
    """The figure or the measure of a row of a report; empty: it counts slots."""
    key = row.first("figure", "measure")
    return row.string(key) if key in row else ""


def _parts(report: Record, key: str, rate: Rate) -> dict[str, Errors]:
    """The errors of the documents or labels of a report, in order."""
    found: dict[str, Errors] = {}
    for one in report.records(f"{key}s"):
        if _name(one) in ("", rate.figure):
            name = one.text(key)
            if name in found:
                raise SerevalError(f"{key} {name} is in the report twice, expected each once")
            found[name] = _errors(one)
    return dict(sorted(found.items()))


SUMS_OF = {
    "value": ({"errors": 1}, {"size": 1}),
    "cost": ({"cost": 1}, {"Ref": 1}),
    "error_rate": ({"errors": 1}, {"Ref": 1}),
    "TP": ({"FP": 1, "FN": 1}, {"TP": 2, "FP": 1, "FN": 1}),
    "INC": ({"INC": 2, "PAR": 1, "MIS": 1, "SPU": 1}, {"POS": 1, "ACT": 1}),
}
"""The errors and the size of each kind of rows, which the first of its columns here tells from
those below: columns, and how often each counts."""


def _errors(row: Record) -> Errors:
    """The errors of a row of a report."""
    errors, size = (
        sum((n * row.checked(name, _count) for name, n in times.items()), Fraction(0))
        for times in SUMS_OF[row.first(*SUMS_OF)]
    )
    return Errors(S=errors, size=size)


MOST = 10**15
"""The greatest count of a report; greater ones would only cost time."""


def _count(value: object) -> Fraction:
    """A count, or a sum of errors."""
    try:
        found = Fraction(repr(value))
    except ValueError:
        found = Fraction(-1)
    if not 0 <= found <= MOST:
        raise SerevalError(f"found {cut_short(value)}, expected a number from 0 to {MOST}")
    return found


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
    try:
        found = Fraction(str(float(margin)))
    except ValueError:
        found = Fraction(-1)
    if not 0 <= found <= MOST_MARGIN:
        raise SerevalError(
            f"margin {margin!r}, expected points of SER such as 0.5, from 0 to {MOST_MARGIN}"
        )
    return found
