"""The score of templates, and the values of slots, as text, JSON and CSV.

All formats read the same figures, so they show the same digits. Format history of the JSON: 1, the
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ..errors import one_line
from ..measures.figures import Figure
from ..render.numbers import percent
from ..render.table import group_rows, lines
from ..templates.entropy import NO_VALUE, SlotValues
from ..templates.model import Fill
from ..templates.score import (
    FILLS,
    OUTCOMES,
    PARTIAL,
    TemplateRows,
    TemplateScore,
    TemplateSettings,
)
from .columns import Column, heads, of, texts, values
from .csv import tidy
from .json import attributes, dumps

FORMAT = 1

RATE = partial(percent, digits=2)


def _counted(outcome: str) -> Column[Figure, float]:
    return Column(outcome.upper(), of(outcome), json=("counts", outcome.upper()))


COLUMNS: tuple[Column[Figure, float], ...] = (
    *map(_counted, OUTCOMES),
    Column("POS", of("possible"), json=("counts", "POS")),
    Column("ACT", of("actual"), json=("counts", "ACT")),
    Column("PRE", of("precision"), RATE, ("precision",)),
    Column("REC", of("recall"), RATE, ("recall",)),
    Column("F", Figure.f, RATE, ("f",)),
)

WITH_PARTIAL = (*COLUMNS[:2], _counted(PARTIAL), *COLUMNS[2:])
"""The columns of a score with partial credit."""


def columns(settings: TemplateSettings) -> tuple[Column[Figure, float], ...]:
    """The columns of a score.

    Args:
        settings: the settings of the score.
    """
    return COLUMNS if settings.partial == "none" else WITH_PARTIAL


LEGEND = """\
COR correct, INC incorrect, MIS missing, SPU spurious; POS = COR + INC + MIS, ACT = COR + INC + SPU.
PRE = COR / ACT, REC = COR / POS and F in percent; n/a where there is nothing to divide by."""


def text(score: TemplateScore, *, listing: bool = True) -> str:
    """The aligned fills, then the counts by type, slot and document; notes and signature last.

    Args:
        score: the score of templates.
        listing: whether to list every fill, as in figures 3 and 4 of Kehler et al. 2001.
    """
    parts = [_listing(*one) for one in score.compared] * listing
    scheme = score.scheme
    groups = {
        "": {"all": score.total, **score.types},
        "by slot": {name: row[FILLS] for name, row in scheme.labels.items()},
        "by document": {id: score.document(id) for id in scheme.documents},
    }
    beta, own = score.settings.beta, columns(score.settings)
    rows = group_rows(("", *heads(own)), groups, lambda figure: texts(own, figure, beta))
    parts += [*lines(rows), ""]
    parts += [
        LEGEND,
        *credit(score.settings),
        *map(one_line, notes(score)),
        "",
        one_line(str(scheme.signature)),
        "",
    ]
    return "\n".join(parts)


def credit(settings: TemplateSettings) -> list[str]:
    """Lines of the legend about partial credit and about weights, if there are any.

    Args:
        settings: the settings of the score.
    """
    found = []
    if settings.partial != "none":
        found.append("PAR partially correct: half correct; it is in POS and in ACT.")
    if settings.weights.weights:
        found.append(f"Fills count as often as the weight of their slot: {settings.weights}.")
    return found


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


def _range(both: tuple[Figure, Figure], beta: float) -> dict[str, Any]:
    names = {"F": "f", "PRE": "precision", "REC": "recall"}
    return {"range": {names[name]: list(rates) for name, rates in _rates(both, beta)}}


def _listing(id: str, compared: Sequence[TemplateRows]) -> str:
    """The fills of a document: outcome, slot, fill of the key, fill of the response (figure 3)."""
    rows: list[tuple[str, str, str, str]] = []
    for each in compared:
        one, other = (one_line(f"<{t.id}>") if t else "—" for t in (each.key, each.response))
        rows.append(("", one, other, ""))
        rows += [
            (row.outcome, f"  {row.slot}", _show(row.key), _show(row.response)) for row in each.rows
        ]
    slot = max((len(r[1]) for r in rows if r[0]), default=0)
    key = max((len(r[2]) for r in rows if r[0]), default=0)
    listed = [one_line(id)]
    for outcome, first, second, third in rows:
        if outcome:
            listed.append(f"  {outcome}  {first:<{slot}}  {second:<{key}}  {third}".rstrip())
        else:
            listed.append(f"       {first:<{slot + 2 + key}}  {second}")
    return "\n".join([*listed, ""])


def _show(fill: Fill | None) -> str:
    return one_line(str(fill)) if fill else ""


def as_json(score: TemplateScore, *, listing: bool = True) -> str:
    """JSON: the totals, then the counts by type, slot and document; with the fills if ``listing``.

    Rates are fractions; an undefined rate is ``null``. Keys are sorted and there is no date.
    """
    beta, scheme, own = score.settings.beta, score.scheme, columns(score.settings)
    documents: list[dict[str, Any]] = []
    for id, compared in score.compared:
        row: dict[str, Any] = {
            "id": id,
            **values(own, score.document(id), beta),
            **_range(score.range(id), beta),
        }
        if listing:
            row["templates"] = [_alignment(each) for each in compared]
        documents.append(row)
    return dumps(
        {
            "format": FORMAT,
            "signature": str(scheme.signature),
            "notes": notes(score),
            "beta": beta,
            **values(own, score.total, beta),
            **_range(score.range(), beta),
            "types": {type: values(own, figure, beta) for type, figure in score.types.items()},
            "slots": {name: values(own, row[FILLS], beta) for name, row in scheme.labels.items()},
            "documents": documents,
        }
    )


def _alignment(compared: TemplateRows) -> dict[str, Any]:
    return {
        "type": compared.type,
        "key": compared.key and compared.key.id,
        "response": compared.response and compared.response.id,
        "fills": [
            {
                "outcome": row.outcome,
                "slot": row.slot,
                "key": row.key and str(row.key),
                "response": row.response and str(row.response),
            }
            for row in compared.rows
        ],
    }


def as_csv(score: TemplateScore, *, listing: bool = True) -> str:
    """Tidy CSV: a row for each document, type, slot and outcome, even if its count is 0.

    Args:
        score: the score of templates.
        listing: has no effect; CSV has no list of fills.
    """
    rows = (
        (id, *label.partition(".")[::2], outcome, getattr(row[FILLS], outcome))
        for id, labels in score.scheme.documents.items()
        for label, row in labels.items()
        for outcome in score.settings.outcomes
    )
    return tidy(("document", "type", "slot", "class", "count"), rows)


FORMATS: dict[str, Callable[..., str]] = {"text": text, "json": as_json, "csv": as_csv}


# --- the values of slots --------------------------------------------------------------------------

SHOWN = 6
"""The most values of a slot that the text shows; the other formats have all values."""


def entropy_text(rows: Sequence[SlotValues]) -> str:
    """A table of slots in order of entropy, each with its most frequent values (table 1)."""
    cells: list[tuple[str, ...]] = [
        ("type", "slot", "templates", "values", "entropy", "distribution")
    ]
    for row in rows:
        some = sum(count > 0 for count in row.values.values())
        head = (row.type, row.slot, str(row.templates), str(some), f"{row.entropy:.2f}")
        for k, value in enumerate(_distribution(row)):
            cells.append((*(head if k == 0 else ("",) * 5), value))
    table = lines(cells, left=(0, 1, 5))
    return "\n".join([*table, "", "Entropy of the values in bits, without (none).", ""])


def _distribution(row: SlotValues) -> Iterator[str]:
    for k, (value, count) in enumerate(row.values.items()):
        if k == SHOWN and len(row.values) > SHOWN + 1:
            rest = list(row.values.values())[SHOWN:]
            yield f"… {len(rest)} more: {sum(rest)}"
            break
        yield f"{one_line(value)}: {count}"
    if row.none:
        yield f"{NO_VALUE}: {row.none}"


def entropy_json(rows: Sequence[SlotValues]) -> str:
    """JSON: the entropy of each slot with all its values."""
    return dumps(
        {
            "format": FORMAT,
            "slots": [
                attributes(row, "type", "slot", "templates", "entropy", "values", "none")
                for row in rows
            ],
        }
    )


def entropy_csv(rows: Sequence[SlotValues]) -> str:
    """Tidy CSV: a row for each value of each slot; an empty value means none."""
    cells = (
        (row.type, row.slot, row.templates, row.entropy, value, count)
        for row in rows
        for value, count in (*row.values.items(), *([("", row.none)] if row.none else []))
    )
    return tidy(("type", "slot", "templates", "entropy", "value", "count"), cells)


ENTROPIES: dict[str, Callable[[Sequence[SlotValues]], str]] = {
    "text": entropy_text,
    "json": entropy_json,
    "csv": entropy_csv,
}
"""The reports of ``--entropy``, by the names that ``--format`` accepts."""
