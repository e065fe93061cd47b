"""Assertions for the tests of a system, about its slot error rate."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..analysis.gate import gate_of
from ..documents.files import json_of
from ..errors import SerevalError
from ..evaluation.totals import Evaluation

_WORST = 3  # the most labels that a message names


def assert_ser_at_most(evaluation: Evaluation, limit: float | Fraction) -> None:
    """Fail a test if the slot error rate is greater than a limit.

    Args:
        evaluation: the evaluation of the system.
        limit: a fraction, not a percentage. The comparison uses its exact decimal form.

    Raises:
        AssertionError: the rate is greater, or undefined because there is no reference element.

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
    """Fail a test if the slot error rate is greater than the rate in a stored report.

    Args:
        evaluation: the current evaluation of the system.
        stored: a report of ``sereval score --format json``, or its path.
        by: the growth that is allowed, as a fraction.

    Raises:
        AssertionError: the rate has grown by more; it is undefined now.
        SerevalError: the report cannot be read, has no rate, or has other settings or documents.

    >>> from sereval import evaluate, from_spans
    >>> now = evaluate([from_spans(["Paris"], [("loc", 0, 1)])], [from_spans(["Paris"])])
    >>> assert_ser_not_grown(now, json.loads(now.to_json()))
    """
    __tracebackhide__ = True
    then = stored if isinstance(stored, Mapping) else _load(stored)
    _ser(evaluation)
    margin = 100 * Fraction(str(by))
    found = gate_of(then, json.loads(evaluation.to_json()), margin)
    if found.growth > margin:
        more = f" and {by} more" if by else ""
        rates = (float(part.rate or 0) for part in (found.now, found.then))
        now, before = (f"{rate:.4f}" for rate in rates)
        raise AssertionError(
            f"SER {now}, expected at most the stored {before}{more}; {_why(evaluation)}"
        )


def _ser(evaluation: Evaluation) -> Fraction:
    """The exact slot error rate."""
    __tracebackhide__ = True
    counts = evaluation.counts
    if not counts.ref:
        raise AssertionError("the SER is undefined, expected a reference element")
    return counts.cost(evaluation.settings.costs) / counts.ref


def _why(evaluation: Evaluation) -> str:
    """The cost, and the labels with the greatest cost, for a message."""
    costs = evaluation.settings.costs
    labels = [(counts.cost(costs), label) for label, counts in evaluation.labels.items()]
    worst = sorted(labels, key=lambda one: (-one[0], one[1]))[:_WORST]
    listed = ", ".join(f"{label} {float(cost):g}" for cost, label in worst if cost)
    counts = evaluation.counts
    return f"cost {float(counts.cost(costs)):g} for {counts.ref} elements, most by {listed}"


def _load(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json_of(file.read())
    except (OSError, ValueError) as error:
        raise SerevalError(f"{os.fspath(path)}: {error}, expected a stored report") from None
    if not isinstance(found, Mapping):
        raise SerevalError(f"{os.fspath(path)}: found no JSON object, expected a stored report")
    return found
