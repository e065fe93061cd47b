"""The agreement of two annotators as text and JSON."""

from __future__ import annotations

from ..analysis.agreement import Agreement, Annotations, agreement, by_label
from ..analysis.annotators import COEFFICIENT
from ..evaluation.settings import Signature
from ..render.table import group_rows, lines
from .columns import Column, heads, of, texts, values
from .json import dumps, notes
from .text import reading_notes, unplaceable_notes

COLUMNS: tuple[Column[Agreement, None], ...] = (
    Column("A", of("a"), json=("counts", "A")),
    Column("B", of("b"), json=("counts", "B")),
    Column("correct", of("correct"), json=("counts", "correct")),
    Column("substituted", of("substituted"), json=("counts", "substituted")),
    Column("void", of("void_void"), json=("counts", "void_void")),
    Column("S", of("s"), COEFFICIENT, ("S",)),
    Column("pi", of("pi"), COEFFICIENT, ("pi",)),
    Column("kappa", of("kappa"), COEFFICIENT, ("kappa",)),
    Column("F", of("f"), COEFFICIENT, ("F",)),
)


def text(evaluation: Annotations, *, places: int, is_open: bool) -> str:
    """A table of counts and coefficients: a row for all labels, then one for each label.

    Args:
        evaluation: the annotations of both annotators, mapped onto each other.
        places, is_open: as for ``analysis.agreement.agreement``.

    Returns:
        The table, notes and the signature. Coefficients lie between -1 and 1; ``n/a`` stands for
        an undefined one.
    """
    every = {"all": agreement(evaluation, places=places, is_open=is_open)}
    every |= by_label(evaluation, places=places, is_open=is_open)
    rows = group_rows(("", *heads(COLUMNS)), {"": every}, lambda row: texts(COLUMNS, row, None))
    signature = str(_signature(evaluation, places, is_open=is_open))
    notes = [*(f"{note}." for note in unplaceable_notes(evaluation)), *reading_notes(evaluation)]
    return "\n".join([*lines(rows), "", *notes, signature, ""])


def as_json(evaluation: Annotations, *, places: int, is_open: bool) -> str:
    """The same counts and coefficients as JSON; an undefined coefficient is ``null``."""
    rows = by_label(evaluation, places=places, is_open=is_open)
    report = {
        "format": 1,
        "signature": str(_signature(evaluation, places, is_open=is_open)),
        **values(COLUMNS, agreement(evaluation, places=places, is_open=is_open), None),
        "unplaceable": evaluation.counts.unplaceable,
        "labels": {label: values(COLUMNS, row, None) for label, row in rows.items()},
        **notes(evaluation),
    }
    return dumps(report)


FORMATS = {"text": text, "json": as_json}


def _signature(evaluation: Annotations, places: int, *, is_open: bool) -> Signature:
    kind = "open" if is_open else "closed"
    own = [("agreement", None), ("places", str(places)), ("substitutions", kind)]
    return Signature([*own, *evaluation.signature])
