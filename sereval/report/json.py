"""An evaluation as JSON, for programs.

Format history: 1, the first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from ..evaluation.totals import Score, counts_of
from ..measures.slots import Costs, Counts, Slot

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
        "signature": str(evaluation.signature),
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
    several times as slow; a table that stands in many places is written once.

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
    return _text(report, "\n") + "\n"


def with_key(text: str, key: str, value: Any) -> str:
    """A report that is written, and not empty, with one more key as ``dumps`` would write it.

    >>> with_key(dumps({"a": 1, "c": 3}), "b", 2) == dumps({"a": 1, "b": 2, "c": 3})
    True
    """
    lines = re.finditer(r'\n  "((?:[^"\\]|\\.)*)"', text)  # of the top, as no text has a line end
    place = next((line.start() for line in lines if json.loads(f'"{line[1]}"') > key), None)
    own = f"\n  {_key(key)}: {_text(value, _INDENT)}"
    if place is not None:
        return f"{text[:place]}{own},{text[place:]}"
    return f"{text[:-3]},{own}{text[-3:]}"


_INDENT = "\n  "
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)


def _text(value: Any, end: str) -> str:
    """A value as text; ``end`` is what ends a line where it stands."""
    pieces: list[str] = []
    _write(value, end, pieces, {})
    return "".join(pieces)


def _write(value: Any, end: str, pieces: list[str], written: dict[tuple[int, str], str]) -> None:
    """Add a value to the pieces of a text.

    Args:
        written: the text of tables that hold no other values in turn, by identity and place.
    """
    if not value or not isinstance(value, _NESTED):
        pieces.append(_PLAIN.get(type(value), _ENCODER.encode)(value))
        return
    inner = f"{end}  "
    if not isinstance(value, dict):
        gap = f"[{inner}"
        for one in value:
            pieces.append(gap)
            _write(one, inner, pieces, written)
            gap = f",{inner}"
        pieces.append(f"{end}]")
        return
    place = id(value), end
    if place in written:
        pieces.append(written[place])
        return
    first, is_plain = len(pieces), True
    gap = f"{{{inner}"
    for key, one in sorted(value.items()):
        plain = _PLAIN.get(type(one))
        if plain:
            pieces.append(f"{gap}{_key(key)}: {plain(one)}")
        else:
            pieces.append(f"{gap}{_key(key)}: ")
            _write(one, inner, pieces, written)
            is_plain = False
        gap = f",{inner}"
    pieces.append(f"{end}}}")
    if is_plain:
        written[place] = "".join(pieces[first:])
        pieces[first:] = [written[place]]


def _number(value: float) -> str:
    return repr(value) if isfinite(value) else _ENCODER.encode(value)


_NESTED = (dict, list, tuple)

_PLAIN: dict[type, Callable[[Any], str]] = {
    int: repr,
    float: _number,
    str: _ENCODER.encode,
    type(None): lambda _: "null",
}
"""How most values are written; all others are left to the encoder."""


@lru_cache(maxsize=1 << 12)  # a report has the same keys in many rows
def _key(key: str) -> str:
    return _ENCODER.encode(key)


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
