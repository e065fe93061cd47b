"""Campaign files: the references, conditions and systems of a comparison, in TOML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..alignment.normalise import check_normalisation
from ..errors import SerevalError
from ..evaluation.settings import ByWords
from ..labels.toml import read_toml
from ..schemes.options import any_tolerance
from .paths import names
from .scoring import ALIGNMENT_OPTIONS, alignment_of, on_command_line

Alignment = tuple[tuple[int, int] | None, ByWords | None]
"""A tolerance in time, in ms, or an alignment of words; neither: both sides have the same words."""

_KEYS = ("reference", "conditions", "systems")
"""The keys that a campaign file must have."""


@dataclass(frozen=True, slots=True, eq=False)
class ConditionFiles:
    """The files of one condition.

    Args:
        name: the name of the condition.
        alignment: the tolerance in time or the alignment of words.
        paths: the path of the hypotheses of each system.
        sides: values of ``systems_options`` for this condition alone, and ``ref``.
    """

    name: str
    alignment: Alignment
    paths: Mapping[str, str]
    sides: Mapping[str, Any]

    @property
    def is_projected(self) -> bool:
        """Whether the words are a recogniser's; otherwise they are the reference's own."""
        return self.alignment != (None, None)


def read_campaign(path: str) -> list[ConditionFiles]:
    """The conditions of a campaign, in the order of the file.

    Paths in the file are relative to its folder.

    Raises:
        InputError: the file is not TOML, or a key is unknown or missing, or a value has the wrong
            type.
    """
    file = Path(path)
    # decimals stay text: 0.3 is exactly 300 ms
    return read_toml(file, lambda campaign: _conditions(file.parent, campaign), decimals=str)


def check_campaign(context: click.Context, ref: str | None) -> None:
    """Refuse arguments and options that the campaign file replaces.

    Args:
        context: of the command.
        ref: the value of its argument REF.

    Raises:
        click.UsageError: the command line has one of them.
    """
    flags = on_command_line(context)
    found = ["REF"] if ref is not None else []
    found += [flags[key] for key in ("names", "align", "words", *ALIGNMENT_OPTIONS) if key in flags]
    if found:
        raise click.UsageError(f"found {found[0]} and --campaign, expected one of them")


def _conditions(folder: Path, campaign: Mapping[str, Any]) -> list[ConditionFiles]:
    _check_keys(campaign, "the file", {*_KEYS, "align"})
    for key in _KEYS:
        if key not in campaign:
            raise SerevalError(f"no key {key!r}, expected one in the file")
    conditions = _table(campaign["conditions"], "conditions")
    systems = {
        name: _table(row, f"systems.{name}")
        for name, row in _table(campaign["systems"], "systems").items()
    }
    for name, row in systems.items():
        _check_keys(row, f"systems.{name}", conditions)
    return [_condition(folder, campaign, systems, name) for name in conditions]


def _condition(
    folder: Path,
    campaign: Mapping[str, Any],
    systems: Mapping[str, Mapping[str, Any]],
    name: str,
) -> ConditionFiles:
    where = f"conditions.{name}"
    row = _table(campaign["conditions"][name], where)
    _check_keys(row, where, {"words", *ALIGNMENT_OPTIONS})
    align = campaign.get("align")
    alignment = _alignment(folder, row, where)
    through_time = alignment[0] is not None
    if alignment == (None, None) and "words" in row:
        raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
    paths = {
        system: _path(folder, cells[name], f"systems.{system}.{name}")
        for system, cells in systems.items()
        if name in cells
    }
    if not paths:
        raise SerevalError(f"{where} has no system, expected at least one")
    sides = {
        "ref": _path(folder, campaign["reference"], "reference"),
        "align": _path(folder, align, "align") if align is not None and through_time else None,
        "words": [_path(folder, row["words"], f"{where}.words")] if "words" in row else [],
    }
    return ConditionFiles(name, alignment, paths, sides)


def _path(folder: Path, value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise SerevalError(f"{where} is {value!r}, expected a path")
    return str(folder / value)


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


def _alignment(folder: Path, row: Mapping[str, Any], where: str) -> Alignment:
    """How the words of both sides are aligned in a condition."""
    values = {key: row[key] for key in ALIGNMENT_OPTIONS if key in row}
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            expected = "seconds such as 0.3" if key == "tolerance" else "a name"
            raise SerevalError(f"{where}.{key} is {value!r}, expected {expected}")
    place = f"{where}.tolerance" if values.keys() == {"tolerance"} else where
    try:
        if "normalise" in values and values["normalise"] not in names("normalise"):
            values["normalise"] = str(folder / check_normalisation(str(values["normalise"])))
        if "tolerance" in values:
            values["tolerance"] = any_tolerance(str(values["tolerance"]))
        return alignment_of(**values)
    except click.UsageError as error:
        raise SerevalError(f"{place}: {error.message}") from None
    except SerevalError as error:
        raise SerevalError(f"{place}: {error}") from None
