"""An evaluation as JSON.

Format history: 1, the first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, repeat
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..analysis.rates import Score
from ..evaluation.placed import PlacementRange
from ..evaluation.totals import Evaluation
from ..measures.slots import Costs, Counts, Slot
from .columns import COUNTS, interval_member, values, words_member

if TYPE_CHECKING:
    pass

FORMAT = 1


def render(evaluation: Evaluation) -> Iterator[str]:
    """An evaluation as JSON, in pieces: totals, labels, documents, kinds if there is a grammar.

    If the mapping is not the definition's, ``definition`` holds the totals of the definition's
    mapping, and ``extremes`` those of the cheapest and the costliest mapping that LNE's program may
    choose. ``placements`` has those of the best and of the worst placement of mentions. ``words``
    has the word errors, if there are any. ``cost`` is in the units of the costs of the settings.
    Rates are fractions; an undefined rate is ``null``. Keys are sorted and there is no date, so
    equal evaluations give equal text.
    """
    costs = evaluation.settings.costs
    report: dict[str, Any] = {
        "format": FORMAT,
        "signature": str(evaluation.signature),
        **score(evaluation.counts, costs),
        "labels": {label: score(counts, costs) for label, counts in evaluation.labels.items()},
        "documents": (
            {
                "id": document.id,
                **score(document.counts, costs),
                **placements_member(document.placements, costs),
            }
            for document in evaluation.documents
        ),
    }
    if evaluation.settings.through is not None:
        report["alignment_slack"] = sum(one.slack for one in evaluation.documents)
    if evaluation.definition_counts is not None:
        report["definition"] = score(evaluation.definition_counts, costs)
    if evaluation.extreme_counts is not None:
        report["extremes"] = {
            name: score(counts, costs)
            for name, counts in zip(("lowest", "highest"), evaluation.extreme_counts, strict=True)
        }
    report |= placements_member(evaluation.placements, costs)
    report |= notes(evaluation) | words_member(evaluation.word_errors)
    unused = sorted(evaluation.settings.neutral - report["labels"].keys())
    if unused:
        report["neutral_labels_of_nothing"] = unused
    if evaluation.grammar is not None:
        report["kinds"] = {kind: score(c, costs) for kind, c in evaluation.kinds.items()}
    report |= interval_member(evaluation.interval)
    return pieces(report)


def placements_member(found: PlacementRange | None, costs: Costs) -> dict[str, Any]:
    """The member ``placements`` of a report or of a document; no member without a range.

    Args:
        found: the range.
        costs: the cost of each class of error.

    Returns:
        The number of mentions whose place is open, and the counts and rates at both ends.

    >>> ends = PlacementRange(2, Counts(C=1), Counts(D=1))
    >>> placements_member(ends, Costs())["placements"]["open"]
    2
    """
    if found is None:
        return {}
    ends = {"best": score(found.best, costs), "worst": score(found.worst, costs)}
    return {"placements": {"open": found.open, **ends}}


def dumps(report: Mapping[str, Any]) -> str:
    """The JSON text of a report: sorted keys, two spaces of indent per level, a final line end.

    The naive equivalent is ``json.dumps(report, ensure_ascii=False, indent=2, sort_keys=True)``,
    which takes several times as long. An object that occurs in many places is formatted once.

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
    return "".join(pieces(report))


def pieces(report: Mapping[str, Any]) -> Iterator[str]:
    """The text of ``dumps``, in pieces that are made one after another.

    Args:
        report: its members. A member may be an iterator, such as one of the rows of all documents;
            it is written as a list, value by value.

    Yields:
        Each member with the sign before it; of an iterator, each value; then the end.

    >>> list(pieces({"b": 1, "a": iter([2, 3])}))
    ['{\\n  "a": [', '\\n    2', ',\\n    3', '\\n  ]', ',\\n  "b": 1', '\\n}\\n']
    """
    if not report:
        yield "{}\n"
        return
    known = _Known()
    sign = "{"
    for key, value in sorted(report.items()):
        start = f"{sign}\n  {_key(key)}: "
        sign = ","
        if isinstance(value, Iterator):
            yield f"{start}["
            end = "]"
            for before, one in zip(chain([""], repeat(",")), value, strict=False):
                yield f"{before}\n    {_text(one, _ROWS, known)}"
                end = "\n  ]"
            yield end
        else:
            yield start + _text(value, _MEMBERS, known)
    yield _END


_MEMBERS, _ROWS, _END = "\n  ", "\n    ", "\n}\n"


def with_key(text: str | Iterable[str], key: str, value: Any) -> Iterator[str]:
    """The text of a report, in pieces, with one more key.

    Args:
        text: the JSON text of an object that is not empty: of ``dumps``, or of ``pieces``.
        key: the name of the new member.
        value: the value of the new member.

    >>> "".join(with_key(dumps({"a": 1, "c": 3}), "b", 2)) == dumps({"a": 1, "b": 2, "c": 3})
    True
    """
    # members of the top level only: deeper ones are indented further
    members = re.split(r'(?=[{,]\n  "|\n}\n$)', text)[1:] if isinstance(text, str) else text
    [added, end] = pieces({key: value})
    for member in members:
        is_next = member == end or member[1:5] == '\n  "' and _key_of(member) > key
        if added and is_next:
            yield added if member[0] == "{" else f",{added[1:]}"
            added, member = "", f",{member[1:]}" if member[0] == "{" else member
        yield member


def _key_of(member: str) -> str:
    """The key of a member of the top level, which begins with ``{`` or a comma."""
    return str(json.JSONDecoder().raw_decode(member, len(",\n  "))[0])


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)

_PLAIN: dict[type, Callable[[Any], str]] = {
    int: repr,
    float: lambda value: repr(value) if isfinite(value) else _ENCODER.encode(value),
    str: _ENCODER.encode,
    type(None): lambda _: "null",
}
"""How values of the usual types are written. The encoder writes all others."""


class _Known:
    """The texts of objects without nested values, by the identity and the indent of each.

    The objects stay in memory with their texts, so that no other object gets their identity. There
    are at most ``MOST`` of them.
    """

    MOST = 1 << 12

    def __init__(self) -> None:
        self._texts: dict[tuple[int, str], tuple[object, str]] = {}

    def get(self, value: object, end: str) -> str | None:
        """The text of an object; ``None``: it is not known."""
        found = self._texts.get((id(value), end))
        return found and found[1]

    def add(self, value: object, end: str, text: str) -> None:
        """Add the text of an object."""
        if len(self._texts) == self.MOST:
            self._texts.clear()
        self._texts[id(value), end] = value, text


def _text(value: Any, end: str, known: _Known) -> str:
    """The JSON text of a value.

    Args:
        end: a line end, followed by the indent of the value.
        known: the texts of objects that were written.
    """
    text = known.get(value, end)
    if text is not None:
        return text
    if not value or not isinstance(value, (dict, list, tuple)):
        return _PLAIN.get(type(value), _ENCODER.encode)(value)
    inner = f"{end}  "
    if not isinstance(value, dict):
        members = [_text(one, inner, known) for one in value]
        return f"[{inner}{f',{inner}'.join(members)}{end}]"
    members, is_plain = [], True
    for key, one in sorted(value.items()):
        plain = _PLAIN.get(type(one))
        is_plain = is_plain and plain is not None
        shown = plain(one) if plain else _text(one, inner, known)
        members.append(f"{_key(key)}: {shown}")
    text = f"{{{inner}{f',{inner}'.join(members)}{end}}}"
    if is_plain:
        known.add(value, end, text)
    return text


@lru_cache(maxsize=1 << 12)  # a report has the same keys in many rows
def _key(key: str) -> str:
    return _ENCODER.encode(key)


def attributes(value: object, *names: str) -> dict[str, Any]:
    """The named attributes of a value, by name.

    >>> attributes(Costs(), "S_S", "scale")
    {'S_S': 1, 'scale': 2}
    """
    return {name: getattr(value, name) for name in names}


def notes(evaluation: Score) -> dict[str, Any]:
    """The member ``notes`` of a report.

    For an evaluation it has the notes of the readers by side, with their counts; without notes
    there is no member. For another scheme it lists the notes of the score as sentences.
    """
    if not isinstance(evaluation, Evaluation):
        return {"notes": evaluation.notes}
    found = {
        side: {note.what: note.count for note in of_side}
        for side, of_side in evaluation.notes.items()
        if of_side
    }
    return {"notes": found} if found else {}


def score(counts: Counts, costs: Costs) -> dict[str, Any]:
    """The counts and rates of one row, under the names of the definition.

    ``neutral`` counts, by class, the slots that cost nothing because a label is neutral.
    ``right_levels`` counts the right levels of wrong labels; each reduces the cost of a type
    substitution. Either key is left out if there is nothing to count.

    >>> score(Counts(S_S=1, hyp=1), Costs())["ser"]
    0.5
    """
    free = {slot.value: counts.free(slot) for slot in Slot if counts.free(slot)}
    return {
        **({"neutral": free} if free else {}),
        **({"right_levels": counts.right_levels} if counts.right_levels else {}),
        **values(COUNTS, counts, costs),
    }
