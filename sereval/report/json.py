"""An evaluation as JSON, for programs.

Format history: 1, the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from ..evaluation.totals import Score, counts_of
from ..measures.slots import Costs, Counts, Slot
from ..schemes.result import SchemeScore
from .columns import COUNTS, values

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
    return _text(report, "\n", {}) + "\n"


def with_key(text: str, key: str, value: Any) -> str:
    """A report that is written, and not empty, with one more key as ``dumps`` would write it.

    >>> with_key(dumps({"a": 1, "c": 3}), "b", 2) == dumps({"a": 1, "b": 2, "c": 3})
    True
    """
    top = '\n  "'  # of the top level alone: what is deeper stands further right
    members = text[len("{" + top) : -len("\n}\n")].split("," + top)
    members.append(dumps({key: value})[len("{" + top) : -len("\n}\n")])
    members.sort(key=lambda member: json.JSONDecoder().raw_decode(f'"{member}')[0])
    return "{" + top + ("," + top).join(members) + "\n}\n"


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)

_PLAIN: dict[type, Callable[[Any], str]] = {
    int: repr,
    float: lambda value: repr(value) if isfinite(value) else _ENCODER.encode(value),
    str: _ENCODER.encode,
    type(None): lambda _: "null",
}
"""How most values are written; all others are left to the encoder."""


def _text(value: Any, end: str, written: dict[tuple[int, str], str]) -> str:
    """A value as text.

    Args:
        end: what ends a line where it stands.
        written: the text of tables that hold no other values in turn, by identity and place.
    """
    known = written.get((id(value), end))
    if known is not None:
        return known
    if not value or not isinstance(value, (dict, list, tuple)):
        return _PLAIN.get(type(value), _ENCODER.encode)(value)
    inner = f"{end}  "
    if not isinstance(value, dict):
        members = [_text(one, inner, written) for one in value]
        return f"[{inner}{f',{inner}'.join(members)}{end}]"
    members, is_plain = [], True
    for key, one in sorted(value.items()):
        plain = _PLAIN.get(type(one))
        is_plain = is_plain and plain is not None
        shown = plain(one) if plain else _text(one, inner, written)
        members.append(f"{_key(key)}: {shown}")
    text = f"{{{inner}{f',{inner}'.join(members)}{end}}}"
    if is_plain:
        written[id(value), end] = text
    return text


@lru_cache(maxsize=1 << 12)  # a report has the same keys in many rows
def _key(key: str) -> str:
    return _ENCODER.encode(key)


def attributes(value: object, *names: str) -> dict[str, Any]:
    """Some attributes of a value, under their names.

    >>> attributes(Costs(), "S_S", "scale")
    {'S_S': 1, 'scale': 2}
    """
    return {name: getattr(value, name) for name in names}


def notes(evaluation: Score | SchemeScore) -> dict[str, Any]:
    """``notes``: what was skipped, merged or made up in reading, by side; nothing if none was.

    Of another scheme: what a reader of the figures must know, a sentence each.
    """
    if isinstance(evaluation, SchemeScore):
        return {"notes": evaluation.notes}
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
        **values(COUNTS, counts, costs),
    }
