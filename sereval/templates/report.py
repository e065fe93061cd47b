"""The report of the score of templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from ..errors import one_line
from ..render.report import (
    Column,
    Report,
    Table,
    columns,
    filled,
    grouped,
    rows,
    texts,
    values,
)
from ..render.text import lines, percent
from ..schemes.result import FIGURES, Figure
from .score import FILLS, TemplateRow, TemplateScore

RATE = partial(percent, digits=2)

TITLES = {"precision": "PRE", "recall": "REC"}

COLUMNS: tuple[Column[Figure, float], ...] = tuple(
    one if one.type == "integer" else one._replace(title=TITLES.get(one.name, "F"), text=RATE)
    for one in FIGURES
    if one.name != "PAR"  # no fill is partially correct
)
"""The counts and rates; all rows share the beta of F."""

RATES = COLUMNS[-1], *COLUMNS[-3:-1]
"""F, precision and recall."""

RANGE = columns(*(f"{rate.name}_{end}" for rate in RATES for end in ("least", "greatest")))

FORMS = {
    "document_slots": Table(
        (*columns("document text", "type text", "slot text"), *COLUMNS), kind="detail"
    ),
    "total": Table((*columns("beta"), *COLUMNS, *RANGE), kind="row"),
    "types": Table((*columns("type text"), *COLUMNS)),
    "slots": Table((*columns("slot text"), *COLUMNS)),
    "documents": Table((*columns("document text"), *COLUMNS, *RANGE)),
    "fills": rows(
        *("document text", "type text", "key_template text", "response_template text"),
        *("outcome text", "slot text", "key text", "response text"),
    ),
}
"""The tables of the score of one response; the range is over the order of templates."""


def report_of(score: TemplateScore, *, listing: bool = True) -> Report:
    """The counts in all, by type, slot and document; with the fills if ``listing``."""
    how, scheme = score.settings, score.scheme
    types, slots, documents = score.groups

    def cells(figure: Figure, *ends: Figure) -> list[Any]:
        of_ends = zip(*(values(RATES, end, how.beta) for end in ends), strict=True)
        return [*values(COLUMNS, figure, how.beta), *(rate for both in of_ends for rate in both)]

    def of_each(named: Mapping[str, Figure]) -> Iterator[Sequence[Any]]:
        return ((name, *cells(one)) for name, one in named.items())

    tables = filled(
        FORMS,
        document_slots=(
            (one.id, *label.partition(".")[::2], *cells(row[FILLS]))
            for one in scheme.documents
            for label, row in one.labels.items()
        ),
        total=[(how.beta, *cells(score.total, *_range(score)))],
        types=of_each(types),
        slots=of_each(slots),
        documents=((id, *cells(figure, *score.ranges[id])) for id, figure in documents.items()),
        fills=((id, *row) for id, found in score.rows.items() for row in found) if listing else (),
    )
    notes = [*_ties(score), *scheme.notes]
    return Report(
        "templates",
        tables,
        lambda _: _text(score, notes, listing=listing),
        scheme.signature,
        notes,
    )


def _range(score: TemplateScore) -> list[Figure]:
    """The figures over all documents, with the least and with the greatest F of each."""
    return [Figure.sum(ends) for ends in zip(*score.ranges.values(), strict=True)]


LEGEND = """\
COR correct, INC incorrect, MIS missing, SPU spurious; POS = COR + INC + MIS, ACT = COR + INC + SPU.
PRE = COR / ACT, REC = COR / POS and F in percent; n/a where there is nothing to divide by."""


def _text(score: TemplateScore, notes: Sequence[str], *, listing: bool) -> Iterator[str]:
    """The aligned fills, then the counts by type, slot and document; notes and signature last."""
    for one in score.rows.items() if listing else ():
        yield from _listing(*one)
    types, slots, documents = score.groups
    groups = {"": {"all": score.total, **types}, "by slot": slots, "by document": documents}
    yield from (*lines(grouped(COLUMNS, groups, score.settings.beta)), "", LEGEND)
    yield from (*map(one_line, notes), "", one_line(str(score.scheme.signature)))


def _ties(score: TemplateScore) -> Iterator[str]:
    """How the score depends on the order of templates."""
    if ids := [id for id, (least, most) in score.ranges.items() if least != most]:
        ends = (texts(RATES, end, score.settings.beta) for end in _range(score))
        shown = ", ".join(
            f"{rate.title} at least {least}–{most}"
            for rate, least, most in zip(RATES, *ends, strict=True)
        )
        yield f"Ties between templates decide the score: {shown}, by the order of templates."
        yield f"Documents with such ties: {len(ids)}; the first is {ids[0]}."


def _listing(id: str, rows: Sequence[TemplateRow]) -> list[str]:
    """The fills of a document: outcome, slot, fill of the key, fill of the response (figure 3)."""
    slot = max((2 + len(row.slot) for row in rows if row.slot), default=0)
    key = max((len(one_line(row.key or "")) for row in rows), default=0)
    listed = [one_line(id)]
    for (_, *ids), together in groupby(rows, itemgetter(0, 1, 2)):
        one, other = ("—" if id is None else one_line(f"<{id}>") for id in ids)
        listed.append(f"       {one:<{slot + 2 + key}}  {other}")
        for *_, outcome, name, first, second in together:
            if name:
                fills = f"{one_line(first or ''):<{key}}  {one_line(second or '')}"
                listed.append(f"  {outcome}    {name:<{slot - 2}}  {fills}".rstrip())
    return [*listed, ""]
