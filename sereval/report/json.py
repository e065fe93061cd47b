"""An evaluation as JSON, for programs.

Format history: 1, the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ..score import Costs, Counts, Slot
from ..totals import Score, counts_of

FORMAT = 1


def render(evaluation: Score) -> str:
    """All of an evaluation: totals, labels, kinds if a grammar was given, documents.

    Under another scheme than the definition's, ``definition`` has the totals of the latter.

    ``cost`` is in units of the given costs. Rates are fractions; an undefined one is ``null``.
    Keys are sorted and there is no date: the same evaluation is the same text.
    """
    costs = evaluation.settings.costs
    report: dict[str, Any] = {
        "format": FORMAT,
        "signature": evaluation.signature,
        **score(evaluation.counts, costs),
        "labels": {label: score(counts, costs) for label, counts in evaluation.labels.items()},
        "documents": [
            {"id": document.id, **score(counts_of(document), costs)}
            for document in evaluation.documents
        ],
    }
    if evaluation.settings.through is not None:
        report["alignment_slack"] = sum(one.slack for one in evaluation.documents)
    if evaluation.definition_counts is not None:
        report["definition"] = score(evaluation.definition_counts, costs)
    report |= notes(evaluation)
    unused = sorted(evaluation.settings.neutral - report["labels"].keys())
    if unused:
        report["neutral_labels_of_nothing"] = unused
    if evaluation.grammar is not None:
        report["kinds"] = {kind: score(c, costs) for kind, c in evaluation.kinds.items()}
    return dumps(report)


def dumps(report: Mapping[str, Any]) -> str:
    """A report as it is written: keys sorted, two spaces a level, a line end.

    Same text as ``json.dumps(report, ensure_ascii=False, indent=2, sort_keys=True)``, which is
    several times as slow: it leaves what holds no other table to the encoder in C.

    >>> print(dumps({"b": {"c": 1.5}, "a": [None]}), end="")
    {
      "a": [
        null
      ],
      "b": {
        "c": 1.5
      }
    }
    """
    return _indented(report, 0) + "\n"


def _indented(value: Any, depth: int) -> str:
    if not isinstance(value, dict | list | tuple) or not value:
        return _encoder(depth)(value)
    inner = value.values() if isinstance(value, dict) else value
    pad = "  " * depth
    if not any(isinstance(each, dict | list | tuple) for each in inner):
        text = _encoder(depth + 1)(value)
        return f"{text[0]}\n{pad}  {text[1:-1]}\n{pad}{text[-1]}"
    if isinstance(value, dict):
        first, last = "{}"
        lines = [
            f"{_encoder(0)(key)}: {_indented(each, depth + 1)}"
            for key, each in sorted(value.items())
        ]
    else:
        first, last = "[]"
        lines = [_indented(each, depth + 1) for each in value]
    return f"{first}\n{pad}  " + f",\n{pad}  ".join(lines) + f"\n{pad}{last}"


@lru_cache(maxsize=16)
def _encoder(depth: int) -> Callable[[Any], str]:
    separators = (",\n" + "  " * depth, ": ")
    return json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=separators).encode


def notes(evaluation: Score) -> dict[str, Any]:
    """``notes``: what was skipped, merged or made up in reading, by side; nothing if none was."""
    found = {
        side: {note.what: note.count for note in of_side}
        for side, of_side in evaluation.notes.items()
        if of_side
    }
    return {"notes": found} if found else {}


def score(counts: Counts, costs: Costs) -> dict[str, Any]:
    """Counts and rates of one row, under the names of the definition.

    ``neutral``, where there is any, counts by class the slots that cost nothing; ``right_levels``
    what takes a share each off type substitutions.

    >>> score(Counts(S_S=1, hyp=1), Costs())["ser"]
    0.5
    """
    free = {slot.value: counts.free(slot) for slot in Slot if counts.free(slot)}
    return {
        **({"neutral": free} if free else {}),
        **({"right_levels": counts.right_levels} if counts.right_levels else {}),
        "ser": counts.ser(costs),
        "counts": {
            **{slot.value: counts[slot] for slot in Slot},
            "Ref": counts.ref,
            "Hyp": counts.hyp,
            "unplaceable": counts.unplaceable,
            "cost": number(counts.cost(costs)),
        },
        "exact": {
            "C": counts.exact,
            "precision": counts.precision,
            "recall": counts.recall,
            "f1": counts.f1,
        },
    }


def number(value: Fraction) -> int | float:
    """An exact value as a JSON number: an integer where it is one."""
    return value.numerator if value.denominator == 1 else float(value)
