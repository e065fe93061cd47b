"""The sides of a run: references, hypotheses and times of words, as entries that are not read yet.

A side is a path, or documents in memory. Either gives entries, so all that follows is the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ..corpus.entries import IN_MEMORY, Entry, Side, entries, in_memory
from ..corpus.pairs import under_name
from ..documents.files import read_text
from ..documents.model import Document, HasId, Reference
from ..errors import InputError, Problems, SerevalError, nearest
from ..formats import (
    ANNOTATIONS,
    FOUND,
    POLICIES,
    TIMES,
    ReadingOptions,
    files,
)
from ..formats.file import UNKNOWN_FORMAT
from ..formats.table import NO_ELEMENTS, SUFFIXES
from ..labels.grammar import load_grammar

SideSource: TypeAlias = str | Sequence[Document | Reference]
"""Where documents come from: a path, or the documents themselves."""

_D = TypeVar("_D", bound=HasId)

FORMATS: Mapping[str, Iterable[str]] = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""The formats that make sense for each side."""


class Sides(NamedTuple):
    """How the sides of a run are read, and what they have besides references and hypotheses.

    Args:
        reading: how files are read.
        formats: the format of each side; ``None``: the suffix of each file tells it.
        known: the documents of each path, by side and path, so that a folder is listed once.
        align: the times of the reference's words.
        words: the words of the systems: none, one for all, or one for each.
        alternatives: paths of the files of the references' alternatives.
        name: the name of the one document of every side; ``None``: documents keep their names.
        hyp_columns: the columns of the hypotheses; none: those of ``reading``.
        wanted: the formats that make sense for each side.
    """

    reading: ReadingOptions
    formats: Mapping[str, str | None]
    known: dict[Side, list[Entry]]
    align: SideSource | None = None
    words: Sequence[SideSource] = ()
    alternatives: Sequence[str] = ()
    name: str | None = None
    hyp_columns: tuple[str, ...] = ()
    wanted: Mapping[str, Iterable[str]] = FORMATS

    @classmethod
    def of(cls, values: Mapping[str, Any], known: dict[Side, list[Entry]]) -> Sides:
        """The sides that the values of options ask for."""
        named = ("align", "words", "alternatives", "name", "hyp_columns")
        return cls(
            **{name: values[name] for name in named if name in values},
            reading=reading_of(values, None, ()),
            formats={side: values.get(f"{side}_format") for side in FORMATS},
            known=known,
        )

    def wanting(self, **wanted: Iterable[str]) -> Sides:
        """The same with other formats that make sense for some sides."""
        return self._replace(wanted={**self.wanted, **wanted})

    def with_tags(self, ref: SideSource, hyp: SideSource | None) -> Sides:
        """The same for a scheme that compares tags: of a folder with columns, columns alone."""
        found = {
            side: "columns"
            for side, source in (("ref", ref), ("hyp", hyp))
            if isinstance(source, str) and not self.formats.get(side) and _has_columns(source)
        }
        formats = {**self.formats, **found}
        return self.wanting(ref=ANNOTATIONS, hyp=ANNOTATIONS)._replace(formats=formats)

    def reading_of(self, side: str) -> ReadingOptions:
        """How the files of a side are read."""
        wanted, columns = tuple(self.wanted[side]), self.reading.columns
        if side == "hyp" and self.hyp_columns:
            columns = self.hyp_columns
        format = self.formats.get(side)
        return replace(self.reading, format=format, wanted=wanted, columns=columns)

    def entries(
        self, sources: Mapping[str, SideSource | None], named: str = ""
    ) -> list[list[Entry] | None]:
        """The documents of each side, unread; ``None`` for a side without a source."""
        found: list[list[Entry] | None] = []
        errors: list[SerevalError] = []
        for side, source in sources.items():
            reading = self.reading_of(side)
            if source is None or source == "":
                found.append(None)
            elif not isinstance(source, str):
                file = replace(IN_MEMORY, options=replace(reading, format=None))
                found.append(in_memory(source, side, file))
            else:
                try:
                    if (side, source) not in self.known:
                        option = named or f"--{side}-format"
                        self.known[side, source] = _at(source, side, reading, option)
                    found.append(self.known[side, source])
                except SerevalError as error:
                    errors.append(error)
        if errors:
            raise Problems.of(errors)
        return with_common_name(self.name, found)


def _at(path: str, side: str, reading: ReadingOptions, named: str) -> list[Entry]:
    """The documents at a path; a message about the format says how to name it."""
    try:
        return entries(files(path, reading), (side, path))
    except InputError as error:
        message = error.message
        if message.endswith(UNKNOWN_FORMAT):
            message += f", {named}"
        if side in ("ref", "hyp") and NO_ELEMENTS in message:
            times = "--align" if side == "ref" else "--words"
            message += f"; the times of {side.upper()}'s words go with {times}"
        elif message != error.message and side in ("ref", "hyp") and path.lower().endswith(".txt"):
            message += " (inline if elements stand in tags, as in <loc> Dol </loc>)"
        if message == error.message:
            raise
        raise InputError(message, path=error.path) from None


def with_common_name(
    name: str | None, sides: Sequence[list[Entry] | None]
) -> list[list[Entry] | None]:
    """The documents of each side, under one id where each side has one document."""
    if name is not None:
        if any(side and len(side) > 1 for side in sides):
            raise SerevalError(
                f"found --name {name!r} and a side with several documents, expected one"
            )
        return [side and [entry._replace(id=name) for entry in side] for side in sides]
    if any(side is not None and len(side) != 1 for side in sides[:2]):
        only = (side[0] for side in sides if side and len(side) == 1)
        id = next((entry.id for entry in only if not _is_nameless(entry)), "-")
        return [
            side and [one._replace(id=id) if _is_nameless(one) else one for one in side]
            for side in sides
        ]
    every = [entry for side in sides if side for entry in side if len(side) == 1]
    id = next((entry.id for entry in every if not _is_nameless(entry)), "-")
    of_hyp = sides[1][0].id if len(sides) > 1 and sides[1] else id
    old = (id, of_hyp, id, of_hyp)
    return [side and _as_one(side, id, other) for side, other in zip(sides, old, strict=False)]


def _as_one(side: list[Entry], id: str, other: str) -> list[Entry]:
    """A side whose only document, or whose document of another id, gets this id."""
    found = side if len(side) == 1 else [one for one in side if one.id == other]
    if not found or found[0].id == id:
        return side
    [entry] = found
    others = [one for one in side if one is not entry and one.id != id]
    if _is_nameless(entry) or len(side) > 1:
        return [entry._replace(id=id), *others]
    return [under_name(entry, id)]


def with_ids(documents: Sequence[_D], ids: Sequence[str]) -> list[_D]:
    """The documents with these ids; without ids, all documents."""
    check_ids([document.id for document in documents], ids)
    return [document for document in documents if not ids or document.id in ids]


def check_ids(known: Sequence[str], ids: Iterable[str]) -> None:
    """Check that there is a document with each of some ids."""
    for one in ids:
        if one not in known:
            more = ", …" if len(known) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(known[:3])}{more}"
                f"{nearest(one, known)}"
            )


def document_ids(text: str | Iterable[str]) -> tuple[str, ...]:
    """The ids of a list of documents, or of a file with one, in alphabetical order."""
    if not isinstance(text, str):
        return tuple(sorted({*text}))
    found = text.split(",")
    if os.path.isfile(text):
        found = read_text(text).split("\n")
        found = [id for id in found if id.strip()]
    ids = {id.strip() for id in found}
    if not all(ids) or not ids:
        raise SerevalError(f"found {text!r}, expected ids of documents, or a file with some")
    return tuple(sorted(ids))


def _is_nameless(entry: Entry) -> bool:
    """Whether a document comes from standard input; inside a file ``-`` is an ordinary id."""
    return entry.id == "-" == entry.file.path


def reading_of(
    values: Mapping[str, Any], format: str | None, wanted: Iterable[str]
) -> ReadingOptions:
    """How files are read."""
    reading: ReadingOptions = values["reading"]
    policies = dict(reading.policies)
    if values.get("unreadable", POLICIES["unreadable"][0]) != POLICIES["unreadable"][0]:
        policies["unreadable"] = values["unreadable"]
    return replace(
        reading,
        format=format,
        wanted=tuple(wanted),
        encoding=values["encoding"],
        tiers=values.get("tier", ()),
        columns=values["columns"],
        policies=tuple(sorted(policies.items())),
    )


def reading_policies(texts: Iterable[str]) -> ReadingOptions:
    """The reading options that policies ask for."""
    policies: dict[str, str] = {}
    labels: tuple[str, ...] = ()
    for text in texts:
        name, _, policy = text.partition("=")
        if name == "equal" and policy != "appearance":  # the policy names a grammar
            grammar = load_grammar(policy)
            policy, labels = grammar.name, (*grammar.types, *grammar.components)
        if policies.setdefault(name, policy) != policy:
            raise SerevalError(
                f"found {name}={policies[name]} and {name}={policy}, expected one of them"
            )
    return ReadingOptions(policies=tuple(sorted(policies.items())), labels=labels)


def column_names(text: str | None) -> tuple[str, ...]:
    """Names of columns, with commas between them."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


def _has_columns(path: str) -> bool:
    """Whether a path is a folder with files of columns; then its other files are not read."""
    names = os.listdir(path) if os.path.isdir(path) else []
    return any(SUFFIXES.get(os.path.splitext(name)[1].lower()) == "columns" for name in names)
