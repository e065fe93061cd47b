"""Groups of documents: a file that says to which group each document belongs."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..corpus.entries import Side
from ..documents.files import read_text
from ..documents.model import HasId
from ..errors import InputError, SerevalError, nearest
from ..formats.file import File
from ..labels.toml import read_toml
from .sides import SideSource


def read_groups(path: str) -> dict[str, list[str]]:
    """The ids of the documents of each group, in the order of the file."""
    if path.lower().endswith(".toml"):
        return read_toml(Path(path), lambda written: _groups(_of_toml(written)))
    source = File(path, text=read_text(path))
    with source.at():
        return _groups(_of_lines(source))


def document_ids(text: str) -> tuple[str, ...]:
    """The ids of a list of documents, each once, in alphabetical order."""
    found = text.split(",")
    if os.path.isfile(text):
        found = read_text(text).split("\n")
        found = [id for id in found if id.strip()]
    ids = {id.strip() for id in found}
    if not all(ids) or not ids:
        raise SerevalError(f"found {text!r}, expected ids of documents, or a file with some")
    return tuple(sorted(ids))


def _groups(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id, group in rows:
        own = found.setdefault(group, [])
        if id in own:
            raise SerevalError(f"document {id} is twice in group {group}, expected it once")
        own.append(id)
    if not found:
        raise SerevalError("no document, expected the group of each")
    return found


def _of_toml(written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for id, value in written.items():
        for group in value if isinstance(value, list) else [value]:
            if not isinstance(group, str) or not group:
                raise SerevalError(f"{id} is {value!r}, expected a group or a list of groups")
            yield id, group


def _of_lines(source: File) -> Iterator[tuple[str, str]]:
    for number, line in source.lines():
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            error = SerevalError(
                f"found {line.strip()!r}, expected a document, a tab and its group"
            )
            raise source.located(error, number)
        yield cells[0], cells[1]


def check_groups(
    path: str | None,
    groups: Mapping[str, Collection[str]],
    known: Mapping[Side, Sequence[HasId]],
    references: Iterable[SideSource] = (),
) -> None:
    """Check that the reference has each document of each group."""
    ids = {entry.id for (side, _), every in known.items() if side == "ref" for entry in every}
    ids |= {one.id for each in references if not isinstance(each, str) for one in each}
    for id in (id for own in groups.values() for id in own):
        if id not in ids:
            there = f"{', '.join(sorted(ids)[:3])}{', …' if len(ids) > 3 else ''}"
            raise InputError(
                f"no document {id!r}, expected some of {there}{nearest(id, ids)}", path=path
            )
