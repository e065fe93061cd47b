"""The rows of an audit, one for each element of either side, as JSON lines and CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from ..analysis.audit import Audit, AuditRow
from ..analysis.rates import AnyScore
from ..documents.model import seconds
from ..measures.slots import decimal
from ..render.numbers import number
from .audit_text import Wanted
from .columns import words_member
from .csv import lines
from .json import attributes, notes

FIELDS = (
    *("document", "side", "index", "parent", "depth", "label", "labels", "words", "span", "time"),
    *("class", "partner", "partner_label", "cost", "starts", "ends", "strict", "placement"),
    *("why", "blocker", "into", "figures"),
)
"""The members of a JSON line."""

PAIRS = {
    "span": ("start", "end"),
    "time": ("start_time", "end_time"),
    "strict": ("strict_start", "strict_end"),
    "placement": ("placed_start", "placed_end"),
}
"""The two CSV columns of each pair in the JSON lines."""

COLUMNS = tuple(name for field in FIELDS for name in PAIRS.get(field, (field,)))
"""The columns of the CSV, in order."""


def everything(_row: AuditRow, _partner: AuditRow | None) -> bool:
    """Select all rows: the default of the tables."""
    return True


def jsonl(audits: Iterable[Audit], score: AnyScore, wanted: Wanted = everything) -> Iterator[str]:
    """JSON lines, one by one: an object with sorted keys for each element.

    An undefined value is ``null``.

    Spans are ``[start, end]`` in frontiers, times ``[start, end]`` in seconds. The costs of all
    rows add up to the total cost. ``figures`` has the outcome of the element in each figure of
    another scheme. The last line holds the ``signature`` and the ``notes`` of the report, and
    ``words`` if words are wrong, instead of an element.

    Args:
        audits: the audits of the documents to show.
        score: the score that was audited.
        wanted: selects the rows.
    """
    for row, partner in _rows(audits, wanted):
        yield _line(object_of(row, partner))
    words = words_member(score.word_errors)
    yield _line({"signature": str(score.signature), **notes(score), **words})


def _line(member: dict[str, Any]) -> str:
    return json.dumps(member, ensure_ascii=False, sort_keys=True) + "\n"


def csv(audits: Iterable[Audit], _: AnyScore, wanted: Wanted = everything) -> Iterator[str]:
    """CSV of the same rows, one by one, under ``COLUMNS``; an undefined value is an empty field.

    Spaces join words and frontiers, ``|`` joins labels. A word or a label may contain these
    characters itself; only the JSON lines are then unambiguous.
    """
    return lines(COLUMNS, (_cells(row, partner) for row, partner in _rows(audits, wanted)))


def _rows(audits: Iterable[Audit], wanted: Wanted) -> Iterator[tuple[AuditRow, AuditRow | None]]:
    for audit in audits:
        for row, partner in audit.with_partners():
            if wanted(row, partner):
                yield row, partner


def object_of(row: AuditRow, partner: AuditRow | None) -> dict[str, Any]:
    """The members of the JSON line of a row."""
    computed = {
        "time": None if row.time is None else [_number(time) for time in row.time],
        "class": None if row.slot is None else row.slot.value,
        "partner_label": None if partner is None else partner.label,
        "cost": number(row.cost),
        "figures": dict(row.figures),
    }
    return attributes(row, *(name for name in FIELDS if name not in computed)) | computed


def _number(ms: int) -> int | float:
    """A time in seconds as a JSON number."""
    exact = Decimal(seconds(ms))
    return int(exact) if exact == int(exact) else float(exact)


def _cells(row: AuditRow, partner: AuditRow | None) -> list[object]:
    """The fields of a row under ``COLUMNS``; ``None`` is an empty field."""
    fields = object_of(row, partner) | {
        "labels": "|".join(row.labels),
        "time": None if row.time is None else map(seconds, row.time),
        "cost": decimal(row.cost, places=15),
        "figures": " ".join(f"{name}={count}" for name, count in row.figures.items()),
    }
    for name in ("words", "starts", "ends"):
        fields[name] = " ".join(map(str, fields[name]))
    for name, ends in PAIRS.items():
        fields |= zip(ends, fields[name] or (None, None), strict=True)
    return [fields[name] for name in COLUMNS]
