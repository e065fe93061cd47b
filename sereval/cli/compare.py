"""``sereval compare``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..analysis import stability as stabilities
from ..analysis.collate import collate as collated
from ..analysis.compare import UNITS, Resampling
from ..analysis.compare import compare as compared
from ..analysis.systems import Systems
from ..corpus.pairing import Pair
from ..corpus.unread import PairStream, joined
from ..errors import SerevalError
from ..evaluation.settings import ByWords
from ..labels.toml import read_toml
from ..report.collate import COLLATIONS
from ..report.compare import COMPARISONS
from ..report.stability import STABILITIES
from ..schemes.options import any_tolerance
from ..schemes.table import SCHEMES, schemes_that_count
from .inputs import AtLeast, systems_options
from .measures import measure_option, with_measure
from .outputs import output_options, suffix_of, writable_as
from .provenance import write_report
from .scoring import (
    HOW_WORDS_MEET,
    LABEL_OPTIONS,
    ScoringOptions,
    check_parts,
    how_words_meet,
    on_command_line,
    scoring_of,
    scoring_options,
    split,
    workers_options,
)
from .systems import system_names, system_option
from .unread import check_read, names_of_pairs, systems_of

DEFAULT = Resampling()
SAME_WORDS, THROUGH_TIME = "same words", "through time"
"""Names of the one condition of a comparison without a campaign."""


Meeting = tuple[tuple[int, int] | None, ByWords | None]
"""A tolerance in time, or an alignment of words; neither on the same words."""


@dataclass(frozen=True, slots=True, eq=False)
class ConditionFiles:
    """The files of one condition.

    Args:
        meeting: how the words of both sides are aligned.
        paths: of the hypotheses, by system.
        sides: values of ``systems_options`` that are its own, and ``ref``.
    """

    name: str
    meeting: Meeting
    paths: Mapping[str, str]
    sides: Mapping[str, Any]


class Share(click.FloatRange):
    """A number between 0 and 1; the message about another one gives an example."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of a text."""
        try:
            return float(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(
                f"found {str(value)!r}, expected a number between 0 and 1, such as 0.95", param, ctx
            )


@click.command()
@click.argument("ref", required=False)
@click.argument("hyps", metavar="[HYP]...", nargs=-1)
@click.option(
    "--campaign",
    metavar="FILE",
    help="A TOML file that names reference, conditions and systems, instead of REF and HYP.",
)
@system_option
@systems_options
@scoring_options("compare", "slots", "elements")
@measure_option
@workers_options
@click.option(
    "--resamples",
    metavar="N",
    type=AtLeast(1),
    default=DEFAULT.resamples,
    show_default=True,
    help="Of the bootstrap, and arrangements of the permutation tests.",
)
@click.option("--seed", metavar="N", type=AtLeast(0), default=DEFAULT.seed, show_default=True)
@click.option(
    "--confidence",
    metavar="RATE",
    type=Share(0, 1, min_open=True, max_open=True),
    default=DEFAULT.confidence,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--unit",
    type=click.Choice(UNITS),
    default=DEFAULT.unit,
    show_default=True,
    help="What is resampled; auto: utterances, where there are fewer than 10 documents.",
)
@click.option(
    "--stability",
    is_flag=True,
    help="Report, instead, whether the order of systems holds under other alignment criteria.",
)
@click.option(
    "--collate",
    metavar="FILE",
    callback=writable_as(COLLATIONS),
    help="Also write what each system did with each element: .html or .csv.",
)
@output_options(COMPARISONS)
def compare(
    *,
    ref: str | None,
    hyps: Sequence[str],
    campaign: str | None,
    names: Sequence[str],
    stability: bool,
    collate: str | None,
    format: str,
    output: str,
    **given: Any,
) -> None:
    """Compare the HYPs of several systems with REF and with one another.

    Slot error rates, or the F of another scheme, with intervals; differences with permutation
    tests and by label.
    """
    context = click.get_current_context()
    given = with_measure(given, "slots", "elements")
    check_parts(context, SCHEMES[given["scheme"]])
    if stability:
        _check_parts(context, given)
    if campaign is not None:
        _check_alone(context, ref)
        _, given = split(given, HOW_WORDS_MEET)  # each condition has its own
    drawn, given = split(given, Resampling.__dataclass_fields__)
    resampling = Resampling(**drawn)
    how, sides = scoring_of(given)
    if campaign is None:
        columns = [_column(ref, hyps, names, how, sides)]
    else:
        columns = read_campaign(campaign)
    sides["known"] = {}  # what stands in the paths that several conditions and systems share
    if stability:
        read = [_condition(column, sides, how) for column in columns]
        streams = [joined([*condition.systems.values()]) for condition in read]
        text = STABILITIES[format](list(map(_stability, read, streams)))
    if collate is not None or not stability:
        read = [_condition(column, sides, how) for column in columns]
        streams = [pairs for condition in read for pairs in condition.systems.values()]
        scored = _scored(read, None if collate is not None else resampling)
    check_read(streams, how.settings.labels)
    if not stability:
        text = COMPARISONS[format](compared(scored, resampling))
    beside: dict[str, str] = {}
    if collate is not None:
        pages = [collated(name, evaluations) for name, evaluations in scored.items()]
        beside[collate] = COLLATIONS[suffix_of(collate)](pages)
    write_report(text, format, output, beside)


def _column(
    ref: str | None,
    hyps: Sequence[str],
    names: Sequence[str],
    how: ScoringOptions,
    given: Mapping[str, Any],
) -> ConditionFiles:
    """The only condition of a command line without a campaign."""
    if ref is None or not hyps:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    tolerance, through = how.settings.tolerance, how.settings.through
    if how.scheme.aligns_words:
        through = through or ByWords()
    name = SAME_WORDS if tolerance is None else THROUGH_TIME
    name = name if through is None else f"by {through.by}"
    sides = {"ref": ref, "align": given["align"], "words": given["words"]}
    return ConditionFiles(
        name, (tolerance, through), dict(zip(system_names(hyps, names), hyps, strict=True)), sides
    )


def _check_alone(context: click.Context, ref: str | None) -> None:
    """Refuse options of the command line that a campaign sets."""
    flags = on_command_line(context)
    found = ["REF"] if ref is not None else []
    found += [flags[key] for key in ("names", "align", "words", *HOW_WORDS_MEET) if key in flags]
    if found:
        raise click.UsageError(f"found {found[0]} and --campaign, expected one of them")


NO_PART = ("resamples", "seed", "confidence", "unit", "grammar")
"""Options without a part in ``--stability``, which draws no samples and reports no labels."""


def _check_parts(context: click.Context, given: Mapping[str, Any]) -> None:
    """Refuse options that change nothing under ``--stability``."""
    if given["scheme"] not in schemes_that_count("slots") or given["by"] != "time":
        raise click.UsageError(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))} and without --by"
        )
    flags, costs = on_command_line(context), given["costs"]
    needs_grammar = (costs and costs.depth > 1) or any(given[each] for each in LABEL_OPTIONS)
    for name in NO_PART:
        if name in flags and not (name == "grammar" and needs_grammar):
            raise click.UsageError(f"{flags[name]} has no part in --stability, expected it without")


class ConditionPairs(NamedTuple):
    """The pairs of one condition, unread.

    Args:
        how: with the alignment of words of this condition.
        systems: their pairs, by name.
    """

    name: str
    how: ScoringOptions
    systems: Mapping[str, PairStream[Pair]]


def _condition(
    column: ConditionFiles, given: Mapping[str, Any], how: ScoringOptions
) -> ConditionPairs:
    """The pairs of one condition, unread."""
    tolerance, through = column.meeting
    how = replace(how, settings=replace(how.settings, tolerance=tolerance, through=through))
    found = systems_of(hyps=list(column.paths.values()), how=how, **{**given, **column.sides})
    return ConditionPairs(column.name, how, dict(zip(column.paths, found, strict=True)))


def _scored(
    conditions: Iterable[ConditionPairs], resampling: Resampling | None
) -> dict[str, dict[str, Any]]:
    """The score of each system in each condition.

    Args:
        resampling: where documents are drawn, counts are enough; for utterances all is kept that
            became of each element. ``None``: all is kept.
    """
    return {
        name: {
            system: how.count(pairs)
            if resampling and resampling.unit_of(len(pairs.pairs)) == "document"
            else how.score(pairs)
            for system, pairs in systems.items()
        }
        for name, how, systems in conditions
    }


def _stability(condition: ConditionPairs, pairs: PairStream[Pair]) -> stabilities.Stability:
    """The systems of a condition under other criteria; ``pairs``: of all systems."""
    if condition.how.settings.through is not None:
        raise SerevalError(f"{condition.name} aligns words, expected stability through time")
    systems = Systems(names_of_pairs(condition.systems), pairs)
    return stabilities.stability(condition.name, systems, condition.how.settings)


# Campaigns


def read_campaign(path: str) -> list[ConditionFiles]:
    """The conditions of a campaign, in the order of the file.

    Raises:
        InputError: not TOML, a key that is not known or missing, a value of another type.
    """
    file = Path(path)
    return read_toml(  # decimals stay as written: 0.3 is 300 ms
        file, lambda written: _Campaign(file, written).columns(), decimals=str
    )


class _Campaign:
    """A campaign file as it was written; its paths are relative to its folder."""

    def __init__(self, path: Path, written: Mapping[str, Any]) -> None:
        self.folder = path.parent
        self.written = written
        _check_keys(written, "the file", {"reference", "align", "conditions", "systems"})
        for key in ("reference", "conditions", "systems"):
            if key not in written:
                raise SerevalError(f"no key {key!r}, expected one in the file")

    def columns(self) -> list[ConditionFiles]:
        """The conditions, in the order of the file."""
        conditions = _table(self.written["conditions"], "conditions")
        systems = {
            name: _table(row, f"systems.{name}")
            for name, row in _table(self.written["systems"], "systems").items()
        }
        for name, row in systems.items():
            _check_keys(row, f"systems.{name}", conditions)
        return [self._column(name, row, systems) for name, row in conditions.items()]

    def _column(
        self, name: str, row: Any, systems: Mapping[str, Mapping[str, Any]]
    ) -> ConditionFiles:
        where = f"conditions.{name}"
        _check_keys(_table(row, where), where, {"words", *HOW_WORDS_MEET})
        align = self.written.get("align")
        meeting = _meeting(row, where)
        through_time = meeting[0] is not None
        if meeting == (None, None) and "words" in row:
            raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
        paths = {
            system: self._path(cells[name], f"systems.{system}.{name}")
            for system, cells in systems.items()
            if name in cells
        }
        if not paths:
            raise SerevalError(f"{where} has no system, expected at least one")
        sides = {
            "ref": self._path(self.written["reference"], "reference"),
            "align": self._path(align, "align") if align is not None and through_time else None,
            "words": [self._path(row["words"], f"{where}.words")] if "words" in row else [],
        }
        return ConditionFiles(name, meeting, paths, sides)

    def _path(self, value: Any, where: str) -> str:
        if not isinstance(value, str) or not value:
            raise SerevalError(f"{where} is {value!r}, expected a path")
        return str(self.folder / value)


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


def _meeting(row: Mapping[str, Any], where: str) -> Meeting:
    """How the words of a condition meet."""
    how = {key: row[key] for key in HOW_WORDS_MEET if key in row}
    for key, value in how.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            expected = "seconds such as 0.3" if key == "tolerance" else "a name"
            raise SerevalError(f"{where}.{key} is {value!r}, expected {expected}")
    where_of = f"{where}.tolerance" if how.keys() == {"tolerance"} else where
    try:
        given = any_tolerance(str(how.pop("tolerance"))) if "tolerance" in how else None
        return how_words_meet(tolerance=given, **how)
    except (SerevalError, click.UsageError) as error:
        message = error.message if isinstance(error, click.UsageError) else str(error)
        raise SerevalError(f"{where_of}: {message}") from None
