"""The options that say how it is scored, and the scoring of what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..alignment.text import WEIGHTS
from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs, WithNotes
from ..documents.recut import recut
from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation
from ..evaluation.settings import ByWords, Settings, settings_of
from ..evaluation.totals import Notes, notes_of, sentences
from ..evaluation.totals import read_choices as choices_of
from ..labels.grammar import Grammar, load
from ..labels.relabel import Labels, load_map
from ..schemes.options import OPTIONS, InWords, Option, fields_of
from ..schemes.result import Options, SchemeScore
from ..schemes.table import SCHEMES, Scheme, schemes_that_count, schemes_with
from .inputs import AtLeast, options
from .outputs import writable_as
from .places import WRITTEN

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore, ComparableScore


# The options of a command


def parsed(parse: Callable[[str], Any]) -> Callable[[Any, Any, str | None], Any]:
    """An option's callback that parses its text; what is wrong with it is a usage error."""

    def callback(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


class Wanted(click.types.StringParamType):
    """The text of an option that is required, with the message if it is absent."""

    def __init__(self, expected: str) -> None:
        self.expected = expected

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """What click says after the name of the option."""
        return f"Expected {self.expected}."


def scoring_options(command: str, *units: str) -> Callable[[Any], Any]:
    """The scoring options of a command, as one decorator.

    Args:
        command: as ``Option.commands`` has it.
        units: what its schemes count (``Scheme.counts``).
    """
    schemes = schemes_that_count(*units)
    return options(
        *(
            _click_option(option, schemes if option.name == "scheme" else option.choices)
            for option in OPTIONS.values()
            if command in option.commands.split()
        )
    )


def _click_option(option: Option, choices: Sequence[str]) -> Callable[[Any], Any]:
    kind = click.Choice(choices) if choices else None
    callback = None if option.parse is None else parsed(option.parse)
    return click.option(
        option.on_command_line,
        option.name,
        type=kind if option.least is None else AtLeast(option.least),
        metavar=option.metavar,
        default=option.default,
        show_default=option.default is not None,
        is_flag=option.is_flag,
        multiple=option.is_multiple,
        callback=writable_as() if option.name in WRITTEN else callback,
        help=option.help,
    )


workers_options = options(
    click.option(
        "--jobs",
        metavar="N",
        type=AtLeast(1),
        default=1,
        show_default=True,
        help="Processes that share the documents; no digit depends on it.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Let a Dask cluster score, such as tcp://10.0.0.1:8786; needs sereval[dask].",
    ),
)


# What they amount to


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How it is scored, and who scores.

    Args:
        settings: of all schemes. options: of this one; its figure is the one that was asked for.
    """

    scheme: Scheme
    settings: Settings
    options: Options
    workers: Workers = THIS_PROCESS

    def score(self, pairs: Pairs[Pair]) -> AnyScore:
        """The score of pairs, with all that became of their elements."""
        figure = self.options.figure or self.scheme.figures[0]
        found = self._scored(pairs, self.options._replace(figure=figure))
        assert isinstance(found, Evaluation | SchemeScore)
        return found

    def count(self, pairs: Pairs[Pair]) -> ComparableScore:
        """The score of pairs, counts alone."""
        found = self._scored(pairs, self.options._replace(figure=None))
        figure = self.options.figure
        return found.by(figure) if isinstance(found, SchemeScore) and figure else found

    def _scored(self, pairs: Pairs[Pair], options: Options) -> ComparableScore:
        if self.scheme.counts in ("slots", "tags"):  # which tell how they were read themselves
            return self.scheme.score(pairs, self.settings, options)
        noted = WithNotes(pairs, notes_of if self.settings.is_projected else on_same_words)
        found = self.scheme.score(noted, self.settings, options)
        assert isinstance(found, SchemeScore)
        return with_notes(found, noted.notes)


def split(
    values: Mapping[str, Any], names: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the options of these names, and those of the others."""
    named = {name: value for name, value in values.items() if name in names}
    return named, {name: value for name, value in values.items() if name not in names}


def scoring_of(
    values: Mapping[str, Any], *, besides: Collection[str] = ()
) -> tuple[ScoringOptions, dict[str, Any]]:
    """What scoring options amount to, and the values of the other options.

    Args:
        values: of a command's options, by name of the parameter.
        besides: options that the command has another use for, whatever the scheme.

    Raises:
        click.UsageError: an option without a part in the scheme; options that do not go together.
        SerevalError: a grammar or a map that cannot be read; as ``Settings``.
    """
    context = click.get_current_context()
    values, others = split(values, OPTIONS.keys() - WRITTEN)
    scheme = SCHEMES[values.get("scheme", Settings().scheme)]
    check_parts(context, scheme, besides=besides)
    workers = split_workers(others)
    fields = fields_of(values, scheme)
    source = context.get_parameter_source("unplaceable")
    if "is_bound" in fields and source is ParameterSource.DEFAULT:
        fields["unplaceable"] = "miss"  # dropped elements would leave nothing to reach
    words, _ = split(fields, HOW_WORDS_MEET)
    tolerance, through = how_words_meet(**words)
    grammar = load(values["grammar"]) if values.get("grammar") else None
    labels = asked_labels(**split(values, LABEL_OPTIONS)[0], grammar=grammar)
    fields |= {"tolerance": tolerance, "through": through, "labels": labels, "grammar": grammar}
    if scheme.counts != "slots":
        del fields["scheme"]  # whose mapping is not searched for
    if "figure" in values and scheme.counts == "elements":
        fields["figure"] = figure_name(scheme, values["figure"])
    settings = settings_of(**split(fields, Settings.__dataclass_fields__)[0])
    own = Options(**split(fields, Options._fields)[0])
    return ScoringOptions(scheme, settings, own, workers), others


def on_command_line(context: click.Context) -> dict[str, str]:
    """The options that the command line has, by name of the parameter, as they are written."""
    return {
        option.name: option.opts[-1]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def check_parts(context: click.Context, scheme: Scheme, *, besides: Collection[str] = ()) -> None:
    """Refuse options without a part in the scheme; arguments as of ``scoring_of``."""
    for name, flag in on_command_line(context).items():
        is_needed = name == "grammar" and any(context.params[each] for each in LABEL_OPTIONS)
        if not (is_needed or name in besides or scheme.takes(name)):
            [offered] = (one for one in context.command.params if one.name == "scheme")
            assert isinstance(offered.type, click.Choice)
            known = {*schemes_with(name)} & {*offered.type.choices}
            raise click.UsageError(
                f"{flag} has no part in --scheme {scheme.name}, "
                f"expected it with {', '.join(sorted(known))}"
            )


def split_workers(given: dict[str, Any]) -> Workers:
    """Who does the work, taken out of the options; this process where a command has none."""
    workers = Workers(given.pop("jobs", 1), given.pop("scheduler", None))
    if workers.scheduler is not None and workers.jobs > 1:
        raise click.UsageError("--jobs are of this machine, expected them without --scheduler")
    return workers


LABEL_OPTIONS = ("label_map", "only", "level")


def asked_labels(
    *,
    label_map: str | None = None,
    only: tuple[str, ...] | None = None,
    level: int | None = None,
    grammar: Grammar | None = None,
) -> Labels:
    """What becomes of labels, from the values of ``LABEL_OPTIONS``."""
    return Labels(load_map(label_map) if label_map else None, only or (), level, grammar)


HOW_WORDS_MEET = ("tolerance", "by", "weights", "language")


def how_words_meet(
    *,
    tolerance: tuple[int, int] | InWords | None = None,
    by: str = "time",
    weights: str = ByWords().weights.name,
    language: str = ByWords().language,
) -> tuple[tuple[int, int] | None, ByWords | None]:
    """A tolerance in time, or an alignment of the words, from the values of ``HOW_WORDS_MEET``.

    Raises:
        click.UsageError: a tolerance of the other kind.
    """
    flags = on_command_line(click.get_current_context())
    for name, owner in (("weights", "text"), ("language", "phones")):
        if name in flags and by != owner:
            raise click.UsageError(f"{flags[name]} goes with --by {owner}")
    if by == "time":
        if isinstance(tolerance, InWords):
            raise click.UsageError("a tolerance in words goes with --by text or --by phones")
        return tolerance, None
    if isinstance(tolerance, tuple):
        raise click.UsageError(f"--by {by} takes a tolerance in words, such as 1w")
    return None, ByWords(by, WEIGHTS[weights], language, int(tolerance or 0))


def figure_name(scheme: Scheme, name: str | None) -> str:
    """The figure of this name; without a name the scheme's first one."""
    if name is not None and name not in scheme.figures:
        raise click.UsageError(
            f"found --figure {name}, expected one of {', '.join(scheme.figures)}"
        )
    return name or scheme.figures[0]


def on_same_words(pair: Pair) -> Notes:
    """The notes of both sides, and what was taken as equal; some schemes take other words."""
    try:
        return notes_of(recut(*pair))
    except SerevalError:
        return notes_of(pair)


def with_notes(score: SchemeScore, notes: Sequence[Notes]) -> SchemeScore:
    """A score that tells how it was read."""
    return replace(
        score,
        notes=(*score.notes, *sentences(notes)),
        settings=(*score.settings, *choices_of(notes)),
    )
