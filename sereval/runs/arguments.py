"""The arguments of the functions in Python: those of the commands, under the same names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..alignment.normalise import NORMALISATIONS
from ..analysis.resampling import Resampling
from ..errors import SerevalError, nearest
from ..formats import FOUND, TIMES
from ..labels.grammar import Grammar, bundled_grammars
from ..labels.relabel import LabelMap
from ..projection.project import duration_text
from ..schemes.measure import Measure, parse_measure, parse_measures
from ..schemes.options import OPTIONS, Option, names
from ..schemes.table import schemes_that_count
from .scoring import WRITTEN, RunRequest, argument
from .sides import column_names, reading_policies

SIDES: dict[str, Any] = {
    **dict.fromkeys(("align", "words", "name", "scheduler")),
    **dict.fromkeys(("ref_format", "hyp_format", "align_format", "words_format")),
    **dict.fromkeys(("tier", "alternatives", "read", "columns"), ()),
    "encoding": "utf-8",
    "unreadable": "error",
    "jobs": 1,
}
"""The arguments about sides and processes, with their defaults."""

_LISTS = ("tier", "read", "columns", "alternatives", "neutral", "only", "documents")
"""Arguments that take a text or several."""

_LEAST = {"jobs": 1, "resamples": 1, "seed": 0}


def options_of(function: str) -> dict[str, Option]:
    """The scoring options that a function takes, by the name of the argument."""
    return {
        argument(option.name): option.of(function)
        for option in OPTIONS.values()
        if function in option.commands.split() and option.name not in WRITTEN
    }


def asked_with(function: str, given: Mapping[str, Any], *units: str, **own: Any) -> RunRequest:
    """What a user asks with the arguments of a function."""
    schemes = schemes_that_count(*units)
    known = {name: _plain(name, default) for name, default in {**SIDES, **own}.items()}
    known |= options_of(function)
    if "scheme" in known:
        known["scheme"] = known["scheme"]._replace(choices=schemes)
    values = {option.name: option.default for option in known.values()}
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{function}() has no argument {name!r}{nearest(name, known)}")
        with of_argument(name):
            values[known[name].name] = _value(name, known[name], value)
    columns = values["columns"]
    values["columns"] = column_names(",".join(columns))
    values["reading"] = reading_policies(values.pop("read"))
    if isinstance(values.get("measure"), str):
        parse = parse_measure if function == "audit" else parse_measures
        values["measure"] = parse(values["measure"])
    named = tuple(known[name].name for name, value in given.items() if value is not None)
    return RunRequest({"aligned": None, **values}, named, named, schemes, function)


def _plain(name: str, default: Any) -> Option:
    """An argument that is no scoring option."""
    formats = {"align_format": TIMES, "words_format": TIMES}.get(name, FOUND)
    choices = tuple(formats) if name.endswith("_format") else ()
    return Option(name, "", "", "", default=default, choices=choices, least=_LEAST.get(name))


@contextmanager
def of_argument(name: str) -> Iterator[None]:
    """Name the argument in errors about its value."""
    try:
        yield
    except SerevalError as error:
        raise SerevalError(f"argument {name}: {error}") from None


def _value(name: str, option: Option, given: Any) -> Any:
    """The value of an argument, as the command line would make it from its text."""
    is_list, is_path = hasattr(given, "__iter__"), isinstance(given, str | os.PathLike)
    if given is None:
        return option.default
    if name in _LISTS and not (is_list or is_path):
        raise SerevalError(f"found {given!r}, expected a text or a list of texts")
    if name in ("grammar", "map") and not (is_path or isinstance(given, Grammar | LabelMap)):
        raise SerevalError(f"found {given!r}, expected a path, or what load_{name} returns")
    if name == "confidence" and not isinstance(given, int | float):
        raise SerevalError(f"found {given!r}, expected a number such as 0.95")
    if name == "measure" and not (is_list or isinstance(given, Measure)):
        raise SerevalError(f"found {given!r}, expected a text such as 'SER,F1'")
    if name == "read" and isinstance(given, Mapping):
        return tuple(f"{choice}={policy}" for choice, policy in given.items())
    if name in ("tier", "read", "columns", "alternatives", "neutral"):
        return tuple(map(os.fspath, (given,) if is_path else given))
    if name == "tolerance":
        given = duration_text(given)
    if option.parse is None:
        return option.value_of(os.fspath(given) if isinstance(given, os.PathLike) else given)
    text = _text(given)
    return given if text is None else option.value_of(text)


def _text(value: Any) -> str | None:
    """The text of a value on the command line; ``None``: it is no plain value."""
    if isinstance(value, str | os.PathLike):
        return os.fspath(value)
    if isinstance(value, int | float):
        return format(float(value), ".15g")
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ",".join(_text(one) or "" for one in value)
    return None


# Reports


def kept_options(report: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``score`` that a report holds in its provenance; none without provenance."""
    kept = report.get("provenance", {"command": "score", "options": []})
    words = kept.get("options") if isinstance(kept, Mapping) else None
    if words is None or kept.get("command") != "score" or not isinstance(words, list):
        raise SerevalError("argument report: expected a report of sereval score --format json")
    scoring, found, rest = options_of("score"), dict[str, Any](), iter(words)
    bundled = {"grammar": bundled_grammars(), "normalise": tuple(NORMALISATIONS)}
    for word in rest:
        name = str(word).removeprefix("--").replace("-", "_")
        option = scoring.get(name)
        value = True if option and option.is_flag else next(rest, "")
        if name in Resampling.__dataclass_fields__:  # an interval changes no score
            continue
        is_file = name == "read" and str(value).lower().endswith(".toml")
        if name not in {*scoring, *SIDES} or name in FILES or is_file:
            raise SerevalError(f"argument report: its options include {word}, expected others")
        if value not in bundled.get(name, (value,)):
            raise SerevalError(f"argument report: its options name {value}, expected no file")
        if name in ("read", "tier", "neutral"):
            value = [*found.get(name, []), value]
        found[name] = names(str(value)) if name == "documents" else value
    return found


FILES = {"align", "words", "alternatives", "map", "jobs", "scheduler"}
"""Arguments of which a report holds no value."""
