"""Documents from pandas frames. pandas is an optional dependency."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from ..documents.model import Document, cut_short
from ..errors import SerevalError
from .documents import from_spans, from_tags, times_in_ms

Frame: TypeAlias = Any
"""A ``pandas.DataFrame``, untyped because pandas has no types and may not be installed."""


def from_frame(
    words: Frame, elements: Frame | None = None, *, unit: str | None = None
) -> list[Document]:
    """Make documents from a frame of words and an optional frame of elements.

    Args:
        words: one row for each word, in order, with the columns ``document`` and ``word``.
            Optional columns are ``start`` and ``end``, and ``tag``, in IOB, IOBES or BILOU.
        elements: one row for each element, in any order, with the columns ``document``, ``label``,
            ``start`` and ``end``, the last two in frontiers of the document; ``None``: the tags, if
            any, give the elements.
        unit: the unit of the times of words, as for :func:`sereval.from_spans`: ``None`` for
            seconds, of which none is a whole number; ``s`` or ``ms``.

    Returns:
        The documents in the order of their first words.

    Raises:
        SerevalError: a column is missing or has an empty cell; there are both elements and tags;
            an element has a document without words; a document refuses its content.

    >>> import pandas
    >>> words = pandas.DataFrame({"document": ["d", "d"], "word": ["la", "Russie"]})
    >>> spans = pandas.DataFrame({"document": ["d"], "label": ["loc"], "start": [1], "end": [2]})
    >>> from_frame(words, spans)[0].elements
    (Element(label='loc', start=1, end=2, parent=None),)
    """
    spans = {} if elements is None else _rows(elements, ("label", "start", "end"), "elements")
    columns = {*getattr(words, "columns", ())}
    times = ("start", "end") if columns & {"start", "end"} else ()
    tags = ("tag",) if "tag" in columns else ()
    if tags and elements is not None:
        raise SerevalError("found elements and a column of tags, expected one of them")
    found = []
    for id, rows in _rows(words, ("word", *tags, *times), "words").items():
        named, *more = zip(*rows, strict=True)
        if tags:
            document = from_tags(named, more.pop(0), id=id)
        else:
            document = from_spans(named, spans.pop(id, ()), id=id)
        at = times_in_ms([*zip(*more, strict=True)], unit, id) if times else None
        found.append(replace(document, times=at))
    for id in spans:
        raise SerevalError(f"an element of document {id!r}, expected one that has words")
    return found


def _rows(table: Frame, columns: Iterable[str], name: str) -> dict[str, list[tuple[Any, ...]]]:
    """The cells of some columns by document, row by row, as plain values; none is empty."""
    columns = ("document", *columns)
    if not hasattr(table, "columns"):
        raise SerevalError(f"found {cut_short(table)}, expected a data frame of the {name}")
    for column in columns:
        if column not in table.columns:
            there = ", ".join(map(str, table.columns))
            raise SerevalError(f"no column {column!r} in the {name}, expected it among: {there}")
        if table[column].isna().any():
            raise SerevalError(f"column {column!r} of the {name} has an empty cell, expected none")
    found: dict[str, list[tuple[Any, ...]]] = {}
    for id, *cells in zip(*(table[column].tolist() for column in columns), strict=True):
        found.setdefault(str(id), []).append(tuple(cells))
    return found
