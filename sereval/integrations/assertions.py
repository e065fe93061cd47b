"""Helpers for the tests of a system: its slot error rate is small enough, or has not grown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation
from ..formats.records import report as read_report

_WORST = 3  # labels that a message names


def assert_ser_at_most(evaluation: Evaluation, limit: float | Fraction) -> None:
    """Fail a test if the slot error rate is greater than a limit.

    Args:
        evaluation: of the system.
        limit: a fraction, not a percentage; compared exactly, as the decimal that is written.

    Raises:
        AssertionError: it is greater, or undefined for want of a reference element.

    >>> from sereval import evaluate, from_spans
    >>> words = ["Jacques", "Chirac"]
    >>> gold, found = from_spans(words, [("pers", 0, 2)]), from_spans(words, [("pers", 1, 2)])
    >>> assert_ser_at_most(evaluate([gold], [found]), 0.5)
    """
    __tracebackhide__ = True
    ser = _ser(evaluation)
    if ser > Fraction(str(limit)):
        raise AssertionError(f"SER {float(ser):.4f}, expected at most {limit}; {_why(evaluation)}")


def assert_ser_not_grown(
    evaluation: Evaluation,
    stored: str | os.PathLike[str] | Mapping[str, Any],
    *,
    by: float | Fraction = 0,
) -> None:
    """Fail a test if the slot error rate is greater than that of a stored report.

    Args:
        evaluation: of the system as it is now.
        stored: a report of ``sereval score --format json``, or the path of one.
        by: how much it may grow, as a fraction.

    Raises:
        AssertionError: it has grown by more, or is undefined on either side; the settings are not
            those of the report, so that the two cannot be compared.
        SerevalError: the report cannot be read.

    >>> from sereval import evaluate, from_spans
    >>> now = evaluate([from_spans(["Paris"], [("loc", 0, 1)])], [from_spans(["Paris"])])
    >>> report = {"signature": now.signature, "counts": {"cost": 1, "Ref": 1}}
    >>> assert_ser_not_grown(now, report)
    """
    __tracebackhide__ = True
    report = stored if isinstance(stored, Mapping) else _load(stored)
    try:
        signature = str(report["signature"])
        cost, ref = (_number(report["counts"][name]) for name in ("cost", "Ref"))
    except (KeyError, TypeError, ValueError):
        raise SerevalError(
            "the stored report has no signature or no counts, expected one of "
            "sereval score --format json"
        ) from None
    texts = (str(evaluation.signature), signature)
    ours, theirs = (text.rpartition("|version:")[0] for text in texts)
    if ours != theirs:
        raise AssertionError(f"settings {ours}, expected those of the stored report: {theirs}")
    if not ref:
        raise AssertionError("the stored SER is undefined, expected a reference element")
    ser = _ser(evaluation)
    if ser > cost / ref + Fraction(str(by)):
        more = f" and {by} more" if by else ""
        raise AssertionError(
            f"SER {float(ser):.4f}, expected at most the stored {float(cost / ref):.4f}{more}; "
            + _why(evaluation)
        )


def _ser(evaluation: Evaluation) -> Fraction:
    """The rate before it is rounded."""
    __tracebackhide__ = True
    counts = evaluation.counts
    if not counts.ref:
        raise AssertionError("the SER is undefined, expected a reference element")
    return counts.cost(evaluation.settings.costs) / counts.ref


def _why(evaluation: Evaluation) -> str:
    """Where it comes from: the labels that cost most."""
    costs = evaluation.settings.costs
    labels = [(counts.cost(costs), label) for label, counts in evaluation.labels.items()]
    worst = sorted(labels, key=lambda one: (-one[0], one[1]))[:_WORST]
    shown = ", ".join(f"{label} {float(cost):g}" for cost, label in worst if cost)
    counts = evaluation.counts
    return f"cost {float(counts.cost(costs)):g} for {counts.ref} elements, most by {shown}"


def _number(value: Any) -> Fraction:
    """The decimal that is written; a string could be of any size."""
    if not isinstance(value, int | float | Fraction) or isinstance(value, bool):
        raise TypeError
    return Fraction(str(value))


def _load(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            found = read_report(file.read())
    except (OSError, ValueError) as error:
        raise SerevalError(f"{os.fspath(path)}: {error}, expected a stored report") from None
    if not isinstance(found, Mapping):
        raise SerevalError(f"{os.fspath(path)}: found no JSON object, expected a stored report")
    return found
