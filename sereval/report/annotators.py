"""The agreement of several annotators as text and JSON.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..analysis.annotators import Annotators, Coefficients, PairOfAnnotators
from ..errors import one_line
from .agreement import COEFFICIENT
from .columns import Column, heads, of, texts, values
from .json import dumps
from .numbers import counted, real
from .table import group_rows, lines

COLUMNS: tuple[Column[Coefficients, None], ...] = (
    Column("units", of("units"), json=("units",)),
    Column("kappa", of("kappa"), COEFFICIENT, ("kappa",)),
    Column("alpha", of("alpha"), COEFFICIENT, ("alpha",)),
)

PAIRS: tuple[Column[PairOfAnnotators, None], ...] = (
    Column("A", of("a"), json=("A",)),
    Column("B", of("b"), json=("B",)),
    Column("correct", of("correct"), json=("correct",)),
    Column("F", of("f"), COEFFICIENT, ("F",)),
)

LEGEND = (
    "kappa: Fleiss, on units of documents that all annotated. alpha: Krippendorff, nominal.",
    "elements: spans with an element of some annotator; words: all words, with their labels.",
)


def text(found: Annotators) -> str:
    """The coefficients on units of each kind and on each label, then the pairs; signature last.

    Args:
        found: the agreement.
    """
    names = [f"{one_line(name)}: {_size(found, name)}" for name in found.elements]
    groups = {"": found.all, "words by label": found.labels}
    rows = group_rows(("", *heads(COLUMNS)), groups, lambda row: texts(COLUMNS, row, None))
    pairs = {f"{one.first}, {one.second}": one for one in found.pairs}
    every = group_rows(("", *heads(PAIRS)), {"": pairs}, lambda row: texts(PAIRS, row, None))
    mean = f"F, mean of all pairs: {COEFFICIENT(found.f)}"
    shared = f"{counted(found.shared, 'document')} annotated by all"
    parts = [*names, shared, "", *lines(rows), "", *lines(every), "", mean, *LEGEND, ""]
    return "\n".join([*parts, str(found.signature), ""])


def _size(found: Annotators, name: str) -> str:
    documents = counted(found.documents[name], "document")
    return f"{documents}, {counted(found.elements[name], 'element')}"


def as_json(found: Annotators) -> str:
    """The same counts and coefficients as JSON; an undefined coefficient is ``null``.

    Args:
        found: the agreement.
    """
    annotators = [
        {"name": name, "documents": found.documents[name], "elements": elements}
        for name, elements in found.elements.items()
    ]
    pairs = [
        {"first": one.first, "second": one.second, **values(PAIRS, one, None)}
        for one in found.pairs
    ]
    report = {
        "format": 1,
        "signature": str(found.signature),
        "annotators": annotators,
        "shared": found.shared,
        **_rows(found.all),
        "labels": _rows(found.labels),
        "pairs": pairs,
        "F": real(found.f),
    }
    return dumps(report)


def _rows(rows: Mapping[str, Coefficients]) -> dict[str, Any]:
    return {name: values(COLUMNS, row, None) for name, row in rows.items()}


FORMATS = {"text": text, "json": as_json}
