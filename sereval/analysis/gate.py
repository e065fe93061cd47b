"""A gate: whether a score is worse than that of a stored report.

A system passes unless its slot error rate is greater than the stored one by more than a margin, and
the difference is significant by the paired permutation test of ``compare`` over documents. With so
few documents that no arrangement could be significant, the margin alone decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from ..errors import SerevalError
from ..evaluation.shown import Shown
from .compare import Significance, permutation
from .resampling import Resampling

MARGIN = Fraction(1, 2)
"""The margin, in points of SER, unless the user names another."""


class Part(NamedTuple):
    """The cost and the reference elements of a document or of a label.

    Args:
        cost: the total cost.
        ref: the number of reference elements.

    >>> Part(Fraction(1, 2), 2).rate
    Fraction(1, 4)
    """

    cost: Fraction = Fraction(0)
    ref: int = 0

    @property
    def rate(self) -> Fraction | None:
        """The slot error rate; ``None`` without reference elements."""
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


@dataclass(frozen=True, slots=True)
class Gate(Shown):
    """A score beside that of a stored report.

    Args:
        then, now: the sums in the report and in the score.
        margin: the growth that passes, in points of SER.
        documents, labels: those whose sums changed, the greatest growth of cost first.
        test: the permutation test over documents; ``None``: there are too few documents.
        resampling: the settings of the test; a difference is significant below ``1 - confidence``.
        number: the number of documents.
        signature: the signature of the score.
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

    @property
    def growth(self) -> Fraction:
        """The growth of the slot error rate, in points."""
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


def gate_of(
    then: Mapping[str, Any],
    now: Mapping[str, Any],
    margin: float | Fraction | str = MARGIN,
    resampling: Resampling | None = None,
) -> Gate:
    """Compare the report of a score with a stored one.

    Args:
        then, now: reports of ``sereval score --format json``, the stored one first, with the same
            settings and the same documents.
        margin: the growth that passes, in points of SER; exact in its decimal form.
        resampling: the settings of the test; ``None``: the defaults.

    Raises:
        SerevalError: a report of something else; other settings or documents; an undefined rate;
            a margin that is negative or no number.

    >>> def report(cost):
    ...     one = {"counts": {"cost": cost, "Ref": 4}}
    ...     own = {"signature": "SER", "labels": {"loc": one}, "documents": [{"id": "d", **one}]}
    ...     return {**one, **own}
    >>> gate = gate_of(report(1), report(2))
    >>> gate.is_worse, str(gate.growth), [change.name for change in gate.labels]
    (True, '25', ['loc'])
    """
    allowed = margin_of(margin)
    resampling = resampling or Resampling()
    signatures = [_without_version(one) for one in (then, now)]
    if signatures[0] != signatures[1]:
        raise SerevalError(
            f"found the settings {signatures[1]}, expected those of the report: {signatures[0]}"
        )
    old, new = (_parts(report, "documents") for report in (then, now))
    if old.keys() != new.keys():
        other = sorted(old.keys() ^ new.keys())[0]
        where = "the report alone" if other in old else "the score alone"
        raise SerevalError(f"document {other} is in {where}, expected the same documents")
    before, after = _part(then), _part(now)
    for part, whose in zip((before, after), ("the report", "the score"), strict=True):
        if part.rate is None:
            raise SerevalError(f"the rate of {whose} is undefined, expected a reference element")
    return Gate(
        before,
        after,
        allowed,
        _changes(old, new),
        _changes(*(_parts(report, "labels") for report in (then, now))),
        _test([*old.values()], [*new.values()], resampling),
        resampling,
        len(old),
        str(now["signature"]),
    )


def _alpha(resampling: Resampling) -> Fraction:
    """The greatest p-value of a significant difference."""
    return 1 - Fraction(str(resampling.confidence))


def _test(old: Sequence[Part], new: Sequence[Part], resampling: Resampling) -> Significance | None:
    """The permutation test over documents; ``None`` if no arrangement could be significant."""
    if Fraction(2, 2 ** len(old)) > _alpha(resampling):
        return None
    scale = lcm(*(part.cost.denominator for part in (*old, *new)))
    ours, theirs = ([(int(part.cost * scale), part.ref) for part in side] for side in (new, old))
    return permutation(ours, theirs, resampling)


def _changes(old: Mapping[str, Part], new: Mapping[str, Part]) -> tuple[Change, ...]:
    """The documents or labels whose sums changed, the greatest growth of cost first."""
    found = [
        Change(name, old.get(name, Part()), new.get(name, Part())) for name in old.keys() | new
    ]
    changed = [one for one in found if one.then != one.now]
    return tuple(sorted(changed, key=lambda one: (-one.cost, one.name)))


def margin_of(margin: float | Fraction | str) -> Fraction:
    """A margin in points of SER, in its exact decimal form.

    Args:
        margin: the margin.

    Raises:
        SerevalError: it is negative, or no number.
    """
    try:
        found = Fraction(str(margin))
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if found < 0:
        raise SerevalError(f"margin {margin!r}, expected points of SER such as 0.5, 0 or more")
    return found


def _without_version(report: Mapping[str, Any]) -> str:
    signature = report.get("signature")
    if not isinstance(signature, str):
        raise _nothing()
    return signature.rpartition("|version:")[0] or signature


def _parts(report: Mapping[str, Any], name: str) -> dict[str, Part]:
    """The sums of the documents or labels of a report, in order."""
    found = report.get(name)
    rows = found.items() if isinstance(found, Mapping) else _by_id(found)
    return {key: _part(row) for key, row in sorted(rows)}


def _by_id(rows: Any) -> list[tuple[str, Any]]:
    if not isinstance(rows, list) or not all(
        isinstance(row, Mapping) and isinstance(row.get("id"), str) for row in rows
    ):
        raise _nothing()
    return [(row["id"], row) for row in rows]


def _part(row: Any) -> Part:
    """The sums of a row of a report."""
    counts = row.get("counts") if isinstance(row, Mapping) else None
    cost, ref = (
        (counts.get("cost"), counts.get("Ref")) if isinstance(counts, Mapping) else (None, None)
    )
    if not isinstance(cost, int | float) or not isinstance(ref, int) or isinstance(cost, bool):
        raise _nothing()
    return Part(Fraction(str(cost)), ref)


def _nothing() -> SerevalError:
    return SerevalError(
        "found no counts of slots by document and label, expected a report of "
        "sereval score --format json"
    )
