"""The conditions of a campaign: its references, versions of the words and systems.

A file in TOML names them by their paths; a mapping of the same form also by documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..alignment.normalise import (
    LETTERS,
    NORMALISATIONS,
    Normalisation,
    check_normalisation,
    normalisation,
)
from ..errors import SerevalError
from ..evaluation.aligned import GivenAlignment, load_alignment
from ..labels.toml import read_toml
from ..schemes.options import Alignment, alignment_of, any_tolerance, check_alignment
from .scoring import ALIGNMENT_OPTIONS
from .sides import SideSource

_KEYS = ("reference", "conditions", "systems")
"""The keys that a campaign file must have."""

GIVEN = "aligned_input"
"""The key of the path of an alignment of words, in a condition."""

OF_CONDITIONS = (*ALIGNMENT_OPTIONS, "given")
"""The scoring options that each condition has of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class ConditionSides:
    """The sides of one condition.

    Args:
        name: the name of the condition.
        alignment: the tolerance in time or the alignment of words.
        systems: the hypotheses of each system.
        sides: the references, ``ref``; the times of their words, ``align``; and those of the
            words of the hypotheses, ``words``.
        normalise: in which form words are compared through time; ``None``: as the run says.
        given: an alignment of the words, taken as it is; ``None``: the words are aligned.
    """

    name: str
    alignment: Alignment
    systems: Mapping[str, SideSource]
    sides: Mapping[str, Any]
    normalise: Normalisation | None = None
    given: GivenAlignment | None = None

    @property
    def is_projected(self) -> bool:
        """Whether the words are a recogniser's; otherwise they are the reference's own."""
        return self.alignment != (None, None) or self.given is not None


def read_campaign(path: str) -> list[ConditionSides]:
    """The conditions of a campaign, in the order of the file.

    Paths in the file are relative to its folder.

    Raises:
        InputError: the file is not TOML, or a key is unknown or missing, or a value has the wrong
            type.
    """
    file = Path(path)
    # decimals stay text: 0.3 is exactly 300 ms
    return read_toml(file, lambda written: conditions_of(written, file.parent), decimals=str)


def conditions_of(
    campaign: Mapping[str, Any],
    folder: Path,
    source: Callable[[str, Any], SideSource] | None = None,
) -> list[ConditionSides]:
    """The conditions of a campaign, in their order.

    Args:
        campaign: what its file holds; tolerances are texts.
        folder: the folder of the file; paths in it are relative to it.
        source: gives the source that a value names, from the place of the value and the value;
            ``None``: values are paths.

    Raises:
        SerevalError: a key is unknown or missing, or a value has the wrong type.
    """
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
    find = source or partial(_path, folder)
    return [_condition(campaign, systems, name, folder, find) for name in conditions]


def _condition(
    campaign: Mapping[str, Any],
    systems: Mapping[str, Mapping[str, Any]],
    name: str,
    folder: Path,
    source: Callable[[str, Any], SideSource],
) -> ConditionSides:
    where = f"conditions.{name}"
    row = _table(campaign["conditions"][name], where)
    _check_keys(row, where, {"words", GIVEN, *ALIGNMENT_OPTIONS})
    align = campaign.get("align")
    alignment, form = _alignment(folder, row, where)
    tolerance, through = alignment
    has_times = tolerance is not None or through is not None and through.cut == "times"
    if alignment == (None, None) and "words" in row:
        raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
    outputs = {
        system: source(f"systems.{system}.{name}", cells[name])
        for system, cells in systems.items()
        if name in cells
    }
    if not outputs:
        raise SerevalError(f"{where} has no system, expected at least one")
    sides = {
        "ref": source("reference", campaign["reference"]),
        "align": source("align", align) if align is not None and has_times else None,
        "words": [source(f"{where}.words", row["words"])] if "words" in row else [],
    }
    given = None
    if GIVEN in row:
        if tolerance is not None or through is not None and through.by != "text":
            raise SerevalError(f'{where} has {GIVEN}, expected it with by = "text"')
        if "weights" in row:
            raise SerevalError(f"{where} has {GIVEN} and weights, expected one of them")
        given = load_alignment(_path(folder, f"{where}.{GIVEN}", row[GIVEN]))
    return ConditionSides(name, alignment, outputs, sides, form, given)


def _path(folder: Path, where: str, value: Any) -> str:
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


def _alignment(
    folder: Path, row: Mapping[str, Any], where: str
) -> tuple[Alignment, Normalisation | None]:
    """How the words of both sides are aligned in a condition, and compared through time."""
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
        form = normalisation(values.pop("normalise", LETTERS.name)) if is_timed else None
        check_alignment(values.get("by", "time"), values, values.get("tolerance"))
        return alignment_of(**values), form
    except SerevalError as error:
        raise SerevalError(f"{place}: {error}") from None
