"""The score of templates, and the values of slots, as text, JSON and CSV.

All of them read the same figures, so they show the same digits. Format history of the JSON: 1, the
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import one_line
from ..measures.figures import Figure
from ..schemes.result import SchemeScore
from ..templates.entropy import NO_VALUE, SlotValues
from ..templates.model import Fill
from ..templates.ranges import Range, Rate
from ..templates.score import FILLS, OUTCOMES, Compared, TemplateScore
from .csv import line
from .json import dumps
from .text import percent

FORMAT = 1
LEGEND = """\
COR correct, INC incorrect, MIS missing, SPU spurious; POS = COR + INC + MIS, ACT = COR + INC + SPU.
PRE = COR / ACT, REC = COR / POS and F in percent; n/a where there is nothing to divide by."""


def text(score: TemplateScore, *, listing: bool = True) -> str:
    """The fills side by side, then the counts by type, slot and document; the signature last.

    Args:
        listing: whether to show every fill, as figures 3 and 4 of Kehler et al. 2001 do.
    """
    beta = score.settings.beta
    parts = [_listing(id, compared) for id, compared in score.documents.items()] * listing
    scheme = score.scheme
    documents = {id: _sum(scheme, id) for id in scheme.documents}
    groups: list[tuple[str, dict[str, Figure]]] = [
        ("", {"all": score.total, **score.types}),
        ("by slot", {name: row[FILLS] for name, row in scheme.labels.items()}),
        ("by document", documents),
    ]
    rows: list[list[str]] = [["", *map(str.upper, OUTCOMES), "POS", "ACT", "PRE", "REC", "F"]]
    for heading, figures in groups:
        rows += [[], [heading]] if heading else []
        rows += [[one_line(name), *_cells(figure, beta)] for name, figure in figures.items()]
    parts.append(_columns(rows))
    parts.append(
        "\n".join([LEGEND, *map(one_line, notes(score)), "", one_line(str(scheme.signature))])
    )
    return "\n".join([*parts, ""])


MOST_NAMED = 5
"""Documents that are named in a note."""


TIED = {
    "greedy": "Documents with ties, broken in the order of the files",
    "optimal": "Documents in which other alignments have, or may have, as many common values",
}
ELSEWHERE = (
    "With another order of templates fills may count in other types and slots, and an INC as a MIS "
    "and a SPU."
)


def notes(score: TemplateScore) -> list[str]:
    """What a reader of the figures must know: first, what hangs on how ties are broken."""
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
            for name, (least, most) in zip(("F", "PRE", "REC"), _rates(found), strict=True)
        )
        yield f"Ties between templates decide the score: {rates}, by the order of templates."
        named = ", ".join(decided[:MOST_NAMED]) + ", …" * (len(decided) > MOST_NAMED)
        yield f"Documents with such ties: {len(decided)} ({named})."
        if unknown := sum(not score.ties[id].is_known for id in decided):
            yield (
                f"Documents with more ways to break ties than can be tried: {unknown}; "
                "tried are the orders of the files, and the last template first on either side."
            )
    yield f"{TIED[score.settings.alignment]}: {len(tied)}. {ELSEWHERE}"


def _rates(found: Range) -> tuple[Rate, Rate, Rate]:
    """In the order of the note: what is looked at first."""
    return found.f, found.precision, found.recall


def _range(found: Range) -> dict[str, Any]:
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


def _cells(figure: Figure, beta: float) -> list[str]:
    counts = [*(getattr(figure, each) for each in OUTCOMES), figure.possible, figure.actual]
    rates = (figure.precision, figure.recall, figure.f(beta))
    return [*map(str, counts), *(percent(rate, 2) for rate in rates)]


def _columns(rows: Sequence[Sequence[str]]) -> str:
    """Numbers to the right; a row of one cell is a heading."""
    wide = [max(map(len, column)) for column in zip(*(r for r in rows if len(r) > 1), strict=True)]
    lines = []
    for row in rows:
        first, *numbers = row or [""]
        lines.append("  ".join([first.ljust(wide[0]), *map(str.rjust, numbers, wide[1:])]))
    return "".join(f"{each.rstrip()}\n" for each in lines)


def _listing(id: str, compared: Sequence[Compared]) -> str:
    """Outcome, slot, fill of the key, fill of the response: figure 3."""
    rows: list[tuple[str, str, str, str]] = []
    for each in compared:
        one, other = (one_line(f"<{t.id}>") if t else "—" for t in (each.key, each.response))
        rows.append(("", one, other, ""))
        rows += [
            (row.outcome, f"  {row.slot}", _shown(row.key), _shown(row.response))
            for row in each.rows
        ]
    slot = max((len(r[1]) for r in rows if r[0]), default=0)
    key = max((len(r[2]) for r in rows if r[0]), default=0)
    lines = [one_line(id)]
    for outcome, first, second, third in rows:
        if outcome:
            lines.append(f"  {outcome}  {first:<{slot}}  {second:<{key}}  {third}".rstrip())
        else:
            lines.append(f"       {first:<{slot + 2 + key}}  {second}")
    return "\n".join([*lines, ""])


def _shown(fill: Fill | None) -> str:
    return one_line(str(fill)) if fill else ""


def as_json(score: TemplateScore, *, listing: bool = True) -> str:
    """All of a score: in all, by type, slot and document, and the listing.

    Rates are fractions; an undefined one is ``null``. Keys are sorted and there is no date.
    """
    beta, scheme = score.settings.beta, score.scheme
    documents: list[dict[str, Any]] = []
    for id, compared in score.documents.items():
        shown: dict[str, Any] = {
            "id": id,
            **_figure(_sum(scheme, id), beta),
            **_range(score.range(id)),
        }
        if listing:
            shown["templates"] = [_aligned(each) for each in compared]
        documents.append(shown)
    return _dumped(
        {
            "format": FORMAT,
            "signature": str(scheme.signature),
            "notes": notes(score),
            "beta": beta,
            **_figure(score.total, beta),
            **_range(score.range()),
            "types": {type: _figure(figure, beta) for type, figure in score.types.items()},
            "slots": {name: _figure(row[FILLS], beta) for name, row in scheme.labels.items()},
            "documents": documents,
        }
    )


def _figure(figure: Figure, beta: float) -> dict[str, Any]:
    return {
        "counts": {
            **{each.upper(): getattr(figure, each) for each in OUTCOMES},
            "POS": figure.possible,
            "ACT": figure.actual,
        },
        "precision": figure.precision,
        "recall": figure.recall,
        "f": figure.f(beta),
    }


def _aligned(compared: Compared) -> dict[str, Any]:
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


def _dumped(report: dict[str, Any]) -> str:
    return dumps(report)


def as_csv(score: TemplateScore, *, listing: bool = True) -> str:
    """Tidy: a row for each document, type, slot and outcome, zeros too.

    Args:
        listing: without effect; what is listed is in the other formats.
    """
    rows = [line(("document", "type", "slot", "class", "count"))]
    for id, labels in score.scheme.documents.items():
        for label, row in labels.items():
            type, _, slot = label.partition(".")
            rows += [line((id, type, slot, each, getattr(row[FILLS], each))) for each in OUTCOMES]
    return "".join(rows)


FORMATS: dict[str, Callable[..., str]] = {"text": text, "json": as_json, "csv": as_csv}
"""Reports of a score by name; the choices of ``--format``."""


# --- the values of slots --------------------------------------------------------------------------

SHOWN = 6
"""Values of a slot in the text; the other formats have them all."""


def entropy_text(rows: Sequence[SlotValues]) -> str:
    """Table 1: slots from the lowest entropy on, each with its most frequent values below it."""
    cells: list[tuple[str, ...]] = [
        ("type", "slot", "templates", "values", "entropy", "distribution")
    ]
    for row in rows:
        head = (row.type, row.slot, str(row.templates), str(len(row.values)), f"{row.entropy:.2f}")
        for k, value in enumerate(_distribution(row)):
            cells.append((*(head if k == 0 else ("",) * 5), value))
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if k in {2, 3, 4} else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join([*lines, "", "Entropy of the values in bits; (none) has no part in it.", ""])


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
    """The same with all values."""
    return _dumped(
        {
            "format": FORMAT,
            "slots": [
                {
                    "type": row.type,
                    "slot": row.slot,
                    "templates": row.templates,
                    "entropy": row.entropy,
                    "values": row.values,
                    "none": row.none,
                }
                for row in rows
            ],
        }
    )


def entropy_csv(rows: Sequence[SlotValues]) -> str:
    """Tidy: a row for each value of each slot; an empty value is none."""
    lines = [line(("type", "slot", "templates", "entropy", "value", "count"))]
    for row in rows:
        values = {**row.values, **({"": row.none} if row.none else {})}
        lines += [
            line((row.type, row.slot, row.templates, row.entropy, value, count))
            for value, count in values.items()
        ]
    return "".join(lines)


ENTROPIES: dict[str, Callable[[Sequence[SlotValues]], str]] = {
    "text": entropy_text,
    "json": entropy_json,
    "csv": entropy_csv,
}
"""The same for ``--entropy``."""
