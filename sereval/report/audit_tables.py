"""The report of an audit: a row for each element of either side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ..analysis.audit import Audit, AuditRow
from ..analysis.rates import AnyScore
from ..evaluation.report import WORDS, neutral_notes, reading_notes, word_rows
from ..render.report import Report, filled, rows
from ..schemes.result import SchemeScore
from .audit_text import Wanted, is_error, render

FORMS = {
    "elements": rows(
        *("document text", "side text", "index integer", "parent integer", "depth integer"),
        *("label text", "labels texts", "words texts", "start integer", "end integer"),
        *("start_time number s", "end_time number s", "class text", "partner integer"),
        *("partner_label text", "cost", "starts integers", "ends integers"),
        *("strict_start integer", "strict_end integer"),
        *("placed_start integer", "placed_end integer"),
        *("why text", "blocker integer", "into integer", "figures texts"),
    ),
    **WORDS,
}
"""The tables of an audit; starts and ends are frontiers. The costs of all elements add up to the
total cost; figures are the outcomes of an element in the figures of another scheme."""


def report_of(
    audits: Iterable[Audit],
    score: AnyScore,
    wanted: Wanted = lambda row, partner: True,
    in_text: Wanted = is_error,
) -> Report:
    """The report of some documents of a score.

    Args:
        audits: the audits of the documents to show, which are read once.
        score: the score that was audited.
        wanted: selects the elements of the tables.
        in_text: selects those that the text lists.
    """
    pairs = (pair for one in audits for pair in one.with_partners() if wanted(*pair))
    tables = filled(FORMS, elements=(_row(*pair) for pair in pairs), **word_rows(score.word_errors))
    notes = [] if isinstance(score, SchemeScore) else neutral_notes(score)

    def text(look: Any) -> Iterator[str]:
        return render(audits, score, in_text, width=look.width, colour=look.colour)

    return Report("audit", tables, text, score.signature, [*notes, *reading_notes(score)])


def _row(row: AuditRow, partner: AuditRow | None) -> list[Any]:
    """An element under the columns of ``elements``; times are in seconds."""
    time = row.time or (None, None)
    return [
        *(row.document, row.side, row.index, row.parent, row.depth),
        *(row.label, row.labels, row.words, *(row.span or (None, None))),
        *(None if ms is None else Fraction(ms, 1000) for ms in time),
        *(row.slot and row.slot.value, row.partner, partner and partner.label, row.cost),
        *(row.starts, row.ends, *(row.strict or (None, None)), *(row.placement or (None, None))),
        *(row.why, row.blocker, row.into),
        [f"{name}={count}" for name, count in row.figures.items()],
    ]
