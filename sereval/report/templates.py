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
from ..schemes.result import SchemeScore
from ..templates.entropy import NO_VALUE, SlotValues
from ..templates.model import Fill
from ..templates.ranges import RateRange
from ..templates.rows import OUTCOMES, PARTIAL, TemplateRows
from ..templates.score import FILLS, TemplateScore, TemplateSettings
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
    parts = [_listing(id, compared) for id, compared in score.documents.items()] * listing
    scheme = score.scheme
    groups = {
        "": {"all": score.total, **score.types},
        "by slot": {name: row[FILLS] for name, row in scheme.labels.items()},
        "by document": {id: _sum(scheme, id) for id in scheme.documents},
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


TIED = {
    "greedy": "Documents with ties, broken in the order of the files",
    "optimal": "Documents in which other alignments have, or may have, as many common values",
}
ELSEWHERE = (
    "With another order of templates fills may count in other types and slots, and an INC as a MIS "
    "and a SPU."
)


def notes(score: TemplateScore) -> list[str]:
    """The notes of a score. The first ones say how the score depends on the order of templates."""
    return [*_ties(score), *score.notes]


def _ties(score: TemplateScore) -> Iterator[str]:
    tied = [id for id, ties in score.ties.items() if ties.tied]
    if not tied:
        return
    decided = [id for id in tied if score.range(id).decides]
    if decided:
        found = score.range()
        at_least = "" if found.is_known else "at least "
        rates = ", ".join(
            f"{name} {at_least}{percent(least, 2)}–{percent(most, 2)}"
            for name, (least, most) in (
                ("F", found.f),
                ("PRE", found.precision),
                ("REC", found.recall),
            )
        )
        yield f"Ties between templates decide the score: {rates}, by the order of templates."
        named = ", ".join(decided[:MOST_NAMED]) + ", …" * (len(decided) > MOST_NAMED)
        yield f"Documents with such ties: {len(decided)} ({named})."
        if unknown := sum(not score.ties[id].is_known for id in decided):
            yield (
                f"Documents with more ways to break ties than can be tried: {unknown}. The range "
                "covers the order of the files, and on either side the last template first."
            )
    yield f"{TIED[score.settings.alignment]}: {len(tied)}. {ELSEWHERE}"


def _range(found: RateRange) -> dict[str, Any]:
    return {
        "range": {
            "precision": list(found.precision),
            "recall": list(found.recall),
            "f": list(found.f),
            "complete": found.is_known,
        }
    }


def _sum(scheme: SchemeScore, id: str) -> Figure:
    return sum((row[FILLS] for row in scheme.documents[id].values()), Figure())


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
    for id, compared in score.documents.items():
        row: dict[str, Any] = {
            "id": id,
            **values(own, _sum(scheme, id), beta),
            **_range(score.range(id)),
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
            **_range(score.range()),
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
