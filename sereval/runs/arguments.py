"""The arguments of the functions in Python: those of the commands, under the same names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from ..alignment.normalise import NORMALISATIONS
from ..analysis.resampling import Resampling
from ..errors import SerevalError, nearest
from ..formats import FOUND, TIMES
from ..labels.grammar import Grammar, bundled_grammars
from ..labels.relabel import LabelMap
from ..projection.project import duration_text
from ..schemes.measure import Measure
from ..schemes.options import OPTIONS, Option, names
from ..schemes.table import schemes_that_count
from .scoring import WRITTEN, RunRequest, argument
from .sides import column_names, reading_policies

_P = ParamSpec("_P")
_R = TypeVar("_R")

SIDES: dict[str, Any] = {
    "align": None,
    "words": None,
    "alternatives": (),
    "name": None,
    "ref_format": None,
    "hyp_format": None,
    "align_format": None,
    "words_format": None,
    "tier": (),
    "encoding": "utf-8",
    "read": (),
    "unreadable": "error",
    "columns": (),
    "jobs": 1,
    "scheduler": None,
}
"""The arguments about sides and processes, with their defaults."""


def options_of(function: str) -> dict[str, Option]:
    """The scoring options that a function takes, by the name of the argument."""
    return {
        argument(option.name): option.of(function)
        for option in OPTIONS.values()
        if function in option.commands.split() and option.name not in WRITTEN
    }


def asked_with(function: str, given: Mapping[str, Any], *units: str, **own: Any) -> RunRequest:
    """What a user asks with the arguments of a function."""
    scoring = options_of(function)
    schemes = schemes_that_count(*units)
    known = {**SIDES, **own}
    for name in given:
        if name not in scoring and name not in known:
            raise TypeError(
                f"{function}() has no argument {name!r}{nearest(name, {*scoring, *known})}"
            )
        _check_kind(name, given[name])
    values = {option.name: option.default for option in scoring.values()}
    values |= known | {"aligned": None}
    for name, value in given.items():
        if name in scoring:
            option = scoring[name]
            choices = schemes if option.name == "scheme" else option.choices
            values[option.name] = _value(name, option, choices, value)
        else:
            values[name] = value
    for name in ("tier", "alternatives"):
        values[name] = _texts(values[name])
    columns = values["columns"]
    values["columns"] = column_names(columns) if isinstance(columns, str) else tuple(columns)
    values["reading"] = reading_policies(_policies(values.pop("read")))
    _check_formats(values)
    named = [scoring[name].name if name in scoring else name for name in given]
    chosen = [name for name in named if values.get(name) is not None]
    return RunRequest(values, tuple(chosen), tuple(chosen), schemes, function)


_LISTS = ("tier", "read", "columns", "alternatives", "neutral", "only", "documents")
"""Arguments that take a text or several."""


def _check_kind(name: str, value: Any) -> None:
    """Refuse a value of a kind that no argument of its name takes."""
    if value is None:
        return
    is_list = hasattr(value, "__iter__")
    is_path = isinstance(value, str | os.PathLike)
    if name in _LISTS:
        _expect(name, value, "a text or a list of texts", is_right=is_list or is_path)
    elif name in ("jobs", "resamples", "seed"):
        _expect(name, value, "a whole number", is_right=type(value) is int)
    elif name == "confidence":
        _expect(name, value, "a number such as 0.95", is_right=isinstance(value, int | float))
    elif name == "measure":
        is_right = is_list or isinstance(value, Measure)
        _expect(name, value, "a text such as 'SER,F1'", is_right=is_right)
    elif name in ("grammar", "map"):
        is_right = is_path or isinstance(value, Grammar | LabelMap)
        _expect(name, value, f"a path, or what load_{name} returns", is_right=is_right)


def _value(name: str, option: Option, choices: tuple[str, ...], value: Any) -> Any:
    """The value of a scoring option, as the command line would make it from its text."""
    if value is None:
        return option.default
    if option.is_flag:
        return _expect(name, value, "True or False", is_right=isinstance(value, bool))
    if choices:
        return _expect(name, value, f"one of {', '.join(choices)}", is_right=value in choices)
    if option.least is not None:
        is_number = isinstance(value, int) and not isinstance(value, bool) and value >= option.least
        return _expect(name, value, f"a whole number of {option.least} or more", is_right=is_number)
    if option.is_multiple:
        return _texts(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if option.parse is None:
        return value
    if option.name == "tolerance":
        value = in_seconds(name, value)
    text = _text(value)
    return value if text is None else _parsed(name, option.parse, text)


def _parsed(name: str, parse: Callable[[Any], _R], value: Any) -> _R:
    try:
        return parse(value)
    except SerevalError as error:
        raise SerevalError(f"argument {name}: {error}") from None


def seconds_in(name: str, parse: Callable[[str], _R], value: Any) -> _R:
    """Durations that an argument gives as numbers of seconds or as text."""
    return _parsed(name, parse, in_seconds(name, value))


def in_seconds(name: str, value: Any) -> str:
    """The text of durations that an argument gives as numbers of seconds or as text."""
    return _parsed(name, duration_text, value)


def _text(value: Any) -> str | None:
    """The text of a value on the command line; ``None``: it is no plain value."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return format(float(value), ".15g")
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ",".join(_text(one) or "" for one in value)
    return None


def _texts(value: Any) -> tuple[str, ...]:
    values = (value,) if isinstance(value, str | os.PathLike) else value or ()
    return tuple(os.fspath(one) if isinstance(one, os.PathLike) else one for one in values)


def _policies(value: Any) -> tuple[str, ...]:
    """The policies of the argument ``read``: texts such as ``crossing=drop``, or a mapping."""
    if isinstance(value, Mapping):
        return tuple(f"{name}={policy}" for name, policy in value.items())
    return _texts(value)


def _expect(name: str, value: Any, expected: str, *, is_right: object) -> Any:
    if not is_right:
        raise SerevalError(f"argument {name}: found {value!r}, expected {expected}")
    return value


def _check_formats(values: Mapping[str, Any]) -> None:
    """Check the names of formats, as the command line does."""
    for side, formats in {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}.items():
        name = f"{side}_format"
        value = values[name]
        if value is not None:
            _expect(name, value, f"one of {', '.join(formats)}", is_right=value in formats)


# Reports


def kept_options(report: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``score`` that a report holds in its provenance; none without provenance."""
    kept = report.get("provenance", {"command": "score", "options": []})
    words = kept.get("options") if isinstance(kept, Mapping) else None
    if words is None or kept.get("command") != "score" or not isinstance(words, list):
        raise SerevalError("argument report: expected a report of sereval score --format json")
    scoring, found, rest = options_of("score"), dict[str, Any](), iter(words)
    for word in rest:
        name = str(word).removeprefix("--").replace("-", "_")
        if name not in {*scoring, *SIDES, *OF_INTERVALS} or name in FILES:
            raise SerevalError(f"argument report: its options include {word}, expected others")
        if name in OF_INTERVALS:
            next(rest, "")
            continue
        if name in scoring and scoring[name].is_flag:
            found[name] = True
            continue
        value = next(rest, "")
        if name == "read" and str(value).lower().endswith(".toml"):
            raise SerevalError(f"argument report: its options include {word}, expected others")
        is_list = name in ("read", "tier") or name in scoring and scoring[name].is_multiple
        found[name] = [*found.get(name, []), value] if is_list else _kept(scoring.get(name), value)
    return found


FILES = {"align", "words", "alternatives", "map", "jobs", "scheduler"}
"""Arguments of which a report holds no value."""

OF_INTERVALS = {*Resampling.__dataclass_fields__}
"""Options of a report's interval, which change no score."""


def _kept(option: Option | None, text: str) -> Any:
    """The value of an option of a report."""
    if option is not None and option.name in ("grammar", "normalise"):
        known = bundled_grammars() if option.name == "grammar" else NORMALISATIONS
        if text not in known:
            raise SerevalError(f"argument report: its options name {text}, expected no file")
    if option is not None and option.name == "subset":
        return names(text)
    return int(text) if option is not None and option.least is not None else text
