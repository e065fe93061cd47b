"""The reports of the score of templates, and of the values of slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ..errors import one_line
from ..measures.figures import Figure
from ..render.report import (
    Column,
    Report,
    Table,
    columns,
    filled,
    grouped,
    of,
    rows,
    values,
)
from ..render.text import lines, percent
from .entropy import NO_VALUE, SlotValues
from .model import Fill
from .score import FILLS, OUTCOMES, TemplateRows, TemplateScore

RATE = partial(percent, digits=2)


COLUMNS: tuple[Column[Figure, float], ...] = (
    *(Column(outcome.upper(), "integer", value=of(outcome)) for outcome in OUTCOMES),
    Column("POS", "integer", value=of("possible")),
    Column("ACT", "integer", value=of("actual")),
    Column("precision", value=of("precision"), title="PRE", text=RATE),
    Column("recall", value=of("recall"), title="REC", text=RATE),
    Column("f1", value=lambda figure, beta: figure.f(beta), title="F", text=RATE),
)

RANGE = columns(
    *(f"{rate}_{end}" for rate in ("f1", "precision", "recall") for end in ("least", "greatest"))
)

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

VALUE_FORMS = {
    "values": rows("type text", "slot text", "value text", "count integer"),
    "slots": rows("type text", "slot text", "templates integer", "entropy", "none integer"),
}
"""The tables of the values of slots."""


def report_of(score: TemplateScore, *, listing: bool = True) -> Report:
    """The counts in all, by type, slot and document; with the fills if ``listing``."""
    how, scheme = score.settings, score.scheme

    def cells(figure: Figure) -> list[Any]:
        return values(COLUMNS, figure, how.beta)

    def range_of(both: tuple[Figure, Figure]) -> Iterator[float | None]:
        return (rate for _, rates in _rates(both, how.beta) for rate in rates)

    tables = filled(
        FORMS,
        document_slots=(
            (id, *label.partition(".")[::2], *cells(row[FILLS]))
            for id, labels in scheme.documents.items()
            for label, row in labels.items()
        ),
        total=[(how.beta, *cells(score.total), *range_of(score.range()))],
        types=((type, *cells(figure)) for type, figure in score.types.items()),
        slots=((name, *cells(row[FILLS])) for name, row in scheme.labels.items()),
        documents=(
            (id, *cells(score.document(id)), *range_of(score.range(id))) for id in scheme.documents
        ),
        fills=((id, *row) for id, found in score.compared for each in found for row in _fills(each))
        if listing
        else (),
    )
    return Report(
        "templates",
        tables,
        lambda _: _text(score, listing=listing),
        scheme.signature,
        notes(score),
    )


def _fills(compared: TemplateRows) -> Iterable[Sequence[Any]]:
    """The fills of two aligned templates, or the templates alone."""
    names = (
        *(compared.type, compared.key and compared.key.id),
        compared.response and compared.response.id,
    )
    if not compared.rows:
        yield (*names, None, None, None, None)
    for row in compared.rows:
        fills = (None if fill is None else str(fill) for fill in (row.key, row.response))
        yield (*names, row.outcome, row.slot, *fills)


LEGEND = """\
COR correct, INC incorrect, MIS missing, SPU spurious; POS = COR + INC + MIS, ACT = COR + INC + SPU.
PRE = COR / ACT, REC = COR / POS and F in percent; n/a where there is nothing to divide by."""


def _text(score: TemplateScore, *, listing: bool) -> Iterator[str]:
    """The aligned fills, then the counts by type, slot and document; notes and signature last."""
    for one in score.compared if listing else ():
        yield from _listing(*one)
    scheme = score.scheme
    groups = {
        "": {"all": score.total, **score.types},
        "by slot": {name: row[FILLS] for name, row in scheme.labels.items()},
        "by document": {id: score.document(id) for id in scheme.documents},
    }
    beta = score.settings.beta
    yield from (*lines(grouped(COLUMNS, groups, beta)), "", LEGEND)
    yield from (*map(one_line, notes(score)), "", one_line(str(scheme.signature)))


MOST_NAMED = 5
"""The most documents that a note names."""


def notes(score: TemplateScore) -> list[str]:
    """The notes of a score. The first ones say how the score depends on the order of templates."""
    return [*_ties(score), *score.notes]


def _ties(score: TemplateScore) -> Iterator[str]:
    ids = [*score.ranges]
    if not ids:
        return
    rates = ", ".join(
        f"{name} at least {percent(least, 2)}–{percent(most, 2)}"
        for name, (least, most) in _rates(score.range(), score.settings.beta)
    )
    yield f"Ties between templates decide the score: {rates}, by the order of templates."
    named = ", ".join(ids[:MOST_NAMED]) + ", …" * (len(ids) > MOST_NAMED)
    yield f"Documents with such ties: {len(ids)} ({named})."


Rates = tuple[float | None, float | None]


def _rates(both: tuple[Figure, Figure], beta: float) -> Iterator[tuple[str, Rates]]:
    """F, precision and recall of the figures with least and with greatest F."""
    least, most = both
    yield "F", (least.f(beta), most.f(beta))
    yield "PRE", (least.precision, most.precision)
    yield "REC", (least.recall, most.recall)


def _listing(id: str, compared: Sequence[TemplateRows]) -> list[str]:
    """The fills of a document: outcome, slot, fill of the key, fill of the response (figure 3)."""
    table: list[tuple[str, str, str, str]] = []
    for each in compared:
        one, other = (one_line(f"<{t.id}>") if t else "—" for t in (each.key, each.response))
        table.append(("", one, other, ""))
        table += [
            (row.outcome, f"  {row.slot}", _show(row.key), _show(row.response)) for row in each.rows
        ]
    slot = max((len(r[1]) for r in table if r[0]), default=0)
    key = max((len(r[2]) for r in table if r[0]), default=0)
    listed = [one_line(id)]
    for outcome, first, second, third in table:
        if outcome:
            listed.append(f"  {outcome}  {first:<{slot}}  {second:<{key}}  {third}".rstrip())
        else:
            listed.append(f"       {first:<{slot + 2 + key}}  {second}")
    return [*listed, ""]


def _show(fill: Fill | None) -> str:
    return one_line(str(fill)) if fill else ""


# --- the values of slots --------------------------------------------------------------------------

SHOWN = 6
"""The most values of a slot that the text shows; the other formats have all values."""


def report_of_values(found: Sequence[SlotValues]) -> Report:
    """The entropy of each slot with all its values."""
    tables = filled(
        VALUE_FORMS,
        values=(
            (row.type, row.slot, *each)
            for row in found
            for each in (*row.values.items(), *([(None, row.none)] if row.none else []))
        ),
        slots=((row.type, row.slot, row.templates, row.entropy, row.none) for row in found),
    )
    return Report("templates", tables, lambda _: _entropies(found))


def _entropies(found: Sequence[SlotValues]) -> Iterator[str]:
    """A table of slots in order of entropy, each with its most frequent values (table 1)."""
    table: list[tuple[str, ...]] = [
        ("type", "slot", "templates", "values", "entropy", "distribution")
    ]
    for row in found:
        some = sum(count > 0 for count in row.values.values())
        head = (row.type, row.slot, str(row.templates), str(some), f"{row.entropy:.2f}")
        for k, value in enumerate(_distribution(row)):
            table.append((*(head if k == 0 else ("",) * 5), value))
    yield from lines(table, left=(0, 1, 5))
    yield from ("", "Entropy of the values in bits, without (none).")


def _distribution(row: SlotValues) -> Iterator[str]:
    for k, (value, count) in enumerate(row.values.items()):
        if k == SHOWN and len(row.values) > SHOWN + 1:
            rest = list(row.values.values())[SHOWN:]
            yield f"… {len(rest)} more: {sum(rest)}"
            break
        yield f"{one_line(value)}: {count}"
    if row.none:
        yield f"{NO_VALUE}: {row.none}"
