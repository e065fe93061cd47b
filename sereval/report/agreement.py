"""Agreement between two annotators, for people and for programs."""

from __future__ import annotations

from functools import partial

from ..analysis.agreement import Agreement, Annotations, agreement, by_label
from ..evaluation.signature import Signature
from .columns import Column, heads, of, texts, values
from .json import dumps, notes
from .numbers import rounded
from .table import grouped, lines
from .text import lost, read

COEFFICIENT = partial(rounded, digits=3, ends=(-1.0, 0.0, 1.0))

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
    """Over all labels, then each alone; coefficients from -1 to 1."""
    every = {"all": agreement(evaluation, places=places, is_open=is_open)}
    every |= by_label(evaluation, places=places, is_open=is_open)
    rows = grouped(("", *heads(COLUMNS)), {"": every}, lambda row: texts(COLUMNS, row, None))
    signature = str(_signature(evaluation, places, is_open=is_open))
    return "\n".join([*lines(rows), "", f"{lost(evaluation)}.", *read(evaluation), signature, ""])


def as_json(evaluation: Annotations, *, places: int, is_open: bool) -> str:
    """The same as JSON; undefined coefficients are ``null``."""
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
"""What ``--format`` offers."""


def _signature(evaluation: Annotations, places: int, *, is_open: bool) -> Signature:
    kind = "open" if is_open else "closed"
    own = [("agreement", None), ("places", str(places)), ("substitutions", kind)]
    return Signature([*own, *evaluation.signature])
