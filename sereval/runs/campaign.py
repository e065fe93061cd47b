"""Files of campaigns and of groups of documents.

A campaign has systems in several conditions, which are versions of the words. A file in TOML names
conditions by their paths; a mapping of the same form also by documents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from ..alignment.normalise import LETTERS, NORMALISATIONS, check_normalisation, normalisation
from ..documents.files import read_text, read_toml
from ..errors import InputError, SerevalError, located
from ..formats.file import File
from ..schemes.options import alignment_of, any_tolerance, check_alignment
from .scoring import ALIGNMENT_OPTIONS
from .sides import ON_REFERENCE, Sides, SideSource, check_ids

_KEYS = ("reference", "conditions", "systems")
"""The keys that a campaign file must have."""


def read_campaign(path: str, sides: Sides) -> list[Sides]:
    """The conditions of a campaign, in the order of the file, with their sides."""
    file = Path(path)
    # decimals stay text: 0.3 is exactly 300 ms
    return read_toml(file, lambda written: conditions_of(written, file.parent, sides), decimals=str)


def conditions_of(
    campaign: Mapping[str, Any],
    folder: Path,
    sides: Sides,
    sources_of: Callable[[Mapping[str, Any]], Mapping[str, SideSource]] | None = None,
) -> list[Sides]:
    """The conditions of a campaign, in their order; ``sources_of`` takes what stands for sides."""
    _check_keys(campaign, "the file", {*_KEYS, "align"})
    for key in _KEYS:
        if key not in campaign:
            raise SerevalError(f"no key {key!r}, expected one in the file")
    conditions, systems = (
        {name: _table(row, f"{key}.{name}") for name, row in _table(campaign[key], key).items()}
        for key in ("conditions", "systems")
    )
    written = {name: campaign[name] for name in ("reference", "align") if name in campaign}
    alignments = {}
    for name, row in conditions.items():
        where = f"conditions.{name}"
        _check_keys(row, where, {"words", *ALIGNMENT_OPTIONS})
        alignments[name] = _alignment(folder, row, where)
        if "words" in row:
            if alignments[name] == ON_REFERENCE:
                raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
            written[f"{where}.words"] = row["words"]
    for name, row in systems.items():
        _check_keys(row, f"systems.{name}", conditions)
        written |= {f"systems.{name}.{condition}": cell for condition, cell in row.items()}
    sources = _paths(folder, written) if sources_of is None else sources_of(written)
    found = []
    for name, alignment in alignments.items():
        outputs = {
            system: sources[f"systems.{system}.{name}"]
            for system, cells in systems.items()
            if name in cells
        }
        if not outputs:
            raise SerevalError(f"conditions.{name} has no system, expected at least one")
        through = alignment["through"]
        has_times = alignment["tolerance"] is not None or through and through.cut == "times"
        own = sides._replace(
            condition=name,
            alignment=alignment,
            ref=sources["reference"],
            systems=outputs,
            align=sources.get("align") if has_times else None,
            words=[source for at, source in sources.items() if at == f"conditions.{name}.words"],
        )
        found.append(own)
    return found


def _paths(folder: Path, written: Mapping[str, Any]) -> dict[str, SideSource]:
    """The paths of a file, relative to its folder."""
    for where, value in written.items():
        if not isinstance(value, str) or not value:
            raise SerevalError(f"{where} is {value!r}, expected a path")
    return {where: str(folder / value) for where, value in written.items()}


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not value and where in {"conditions", "systems"}:
        raise SerevalError(f"{where} is {value!r}, expected a table [{where}] with entries")
    return value


def _check_keys(row: Mapping[str, Any], where: str, known: Iterable[str]) -> None:
    for key in row:
        if key not in known:
            raise SerevalError(
                f"unknown key {key!r} in {where}, expected one of {', '.join(sorted(known))}"
            )


def _alignment(folder: Path, row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The settings that say how words are aligned in a condition, and compared through time."""
    values = {key: row[key] for key in ALIGNMENT_OPTIONS if key in row}
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            expected = "seconds such as 0.3" if key == "tolerance" else "a name"
            raise SerevalError(f"{where}.{key} is {value!r}, expected {expected}")
    place = f"{where}.tolerance" if values.keys() == {"tolerance"} else where
    try:
        if "normalise" in values and values["normalise"] not in NORMALISATIONS:
            values["normalise"] = str(folder / check_normalisation(str(values["normalise"])))
        if "tolerance" in values:
            values["tolerance"] = any_tolerance(str(values["tolerance"]))
        is_timed = isinstance(values.get("tolerance"), tuple) and "by" not in values
        form = values.pop("normalise", LETTERS.name) if is_timed else None
        check_alignment(values.get("by", "time"), values, values.get("tolerance"))
        tolerance, through = alignment_of(**values)
        own = {} if form is None else {"normalise": normalisation(form)}
        return {"tolerance": tolerance, "through": through, **own}
    except SerevalError as error:
        raise SerevalError(f"{place}: {error}") from None


# Groups of documents


Groups: TypeAlias = str | Mapping[str, Collection[str]] | None
"""The ids of the documents of each group, a file with them, or nothing."""


def read_groups(path: Groups) -> Mapping[str, Collection[str]]:
    """The ids of the documents of each group, in the order of the file; without a file, none."""
    found: dict[str, list[str]] = {}
    if not isinstance(path, str):
        return path or {}
    file = File(path, text=read_text(path))
    with file.at() as here:
        for here.line, line in file.lines():
            if not line.strip():
                continue
            cells = [cell.strip() for cell in line.split("\t")]
            if len(cells) != 2 or not all(cells):
                raise SerevalError(
                    f"found {line.strip()!r}, expected a document, a tab and its group"
                )
            id, group = cells
            own = found.setdefault(group, [])
            if id in own:
                raise SerevalError(f"document {id} is twice in group {group}, expected it once")
            own.append(id)
    if not found:
        raise InputError("no document, expected the group of each", path=path)
    return found


def check_groups(path: Groups, groups: Mapping[str, Collection[str]], ids: set[str]) -> None:
    """Check that each document of each group is among the references."""
    with located(path if isinstance(path, str) else None):
        check_ids(sorted(ids), chain(*groups.values()))
