"""The scoring options of the commands, and the settings and the scoring that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from ..alignment.normalise import normalisation
from ..alignment.weights import WEIGHTS
from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs, WithNotes
from ..documents.recut import recut
from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation
from ..evaluation.settings import OWNERS, ByWords, Settings, settings_of
from ..evaluation.totals import Notes, Score, notes_of, sentences
from ..evaluation.totals import read_choices as choices_of
from ..evaluation.words import DocumentErrors, errors_beside, score_beside
from ..formats.lists import document_ids
from ..labels.grammar import Grammar, load
from ..labels.relabel import Labels, load_map
from ..schemes.options import OPTIONS, InWords, Option, fields_of
from ..schemes.table import SCHEMES, Options, Scheme, schemes_that_count, schemes_with
from .help import option
from .options import AtLeast, options, parsed
from .outputs import writable_as
from .paths import OUTPUTS

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore
    from ..schemes.result import SchemeScore


# The options of a command


def scoring_options(command: str, *units: str, **defaults: Any) -> Callable[[Any], Any]:
    """The scoring options of a command, as one decorator.

    Args:
        command: the name of the command, as in ``Option.commands``.
        units: the units that its schemes count, values of ``Scheme.counts``.
        defaults: the values of options that have another default in this command, by name.
    """
    schemes = schemes_that_count(*units)
    return options(
        *(
            _click_option(
                one._replace(default=defaults.get(one.name, one.default)),
                schemes if one.name == "scheme" else one.choices,
            )
            for one in OPTIONS.values()
            if command in one.commands.split()
        )
    )


def _click_option(declared: Option, choices: Sequence[str]) -> Callable[[Any], Any]:
    kind = click.Choice(choices) if choices else None
    callback = None if declared.parse is None else parsed(declared.parse)
    return option(
        *filter(None, (declared.letter, declared.on_command_line)),
        declared.name,
        group=declared.group,
        type=kind if declared.least is None else AtLeast(declared.least),
        metavar=declared.metavar,
        default=declared.default,
        is_flag=declared.is_flag,
        multiple=declared.is_multiple,
        callback=writable_as() if declared.name in OUTPUTS else callback,
        help=declared.help,
    )


workers_options = options(
    option(
        "--jobs",
        group="Work",
        metavar="N",
        type=AtLeast(1),
        default=1,
        help="Number of processes that share the documents. It changes no figure.",
    ),
    option(
        "--scheduler",
        group="Work",
        metavar="ADDRESS",
        help="Score on the Dask cluster of this address, such as tcp://10.0.0.1:8786; needs "
        "sereval[dask].",
    ),
)


# The scoring that they ask for


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How a command scores, and the processes that do the work.

    Args:
        scheme: the scheme, with its scorer.
        settings: the settings that all schemes share.
        options: the options of this scheme alone; ``figure`` is the figure that the user names.
        workers: the processes that score.
    """

    scheme: Scheme
    settings: Settings
    options: Options
    workers: Workers = THIS_PROCESS

    def score(self, pairs: Pairs[Pair]) -> AnyScore:
        """The score of pairs, with the outcome of each element.

        Args:
            pairs: references and hypotheses.
        """
        figure = self.options.figure or self.scheme.figures[0]
        score = self._score(pairs, self.options._replace(figure=figure))
        assert isinstance(score, Evaluation) or not isinstance(score, Score)
        return score

    def count(self, pairs: Pairs[Pair]) -> Score | SchemeScore:
        """The score of pairs, without the outcomes of elements.

        Args:
            pairs: references and hypotheses.
        """
        score = self._score(pairs, self.options._replace(figure=None))
        figure = self.options.figure
        return score if isinstance(score, Score) or not figure else score.by(figure)

    def _score(self, pairs: Pairs[Pair], options: Options) -> Score | SchemeScore:
        if self.scheme.counts in ("slots", "tags"):  # these scorers collect the notes themselves
            return self.scheme.score(pairs, self.settings, options)
        has_own_words = self.settings.missing == "error" and not self.scheme.takes("tolerance")
        compares = self.settings.is_projected or has_own_words
        beside = partial(_beside, settings=self.settings) if compares else _on_same_words
        noted = WithNotes(pairs, beside)
        score = self.scheme.score(noted, self.settings, options)
        assert not isinstance(score, Score)
        notes = [one.notes for one in noted.notes]
        return replace(
            score,
            notes=(*score.notes, *sentences(notes)),
            settings=(*score.settings, *choices_of(notes)),
            word_errors=score_beside((one.words for one in noted.notes), self.settings),
        )


class _Beside(NamedTuple):
    """What stands beside the score of a pair: the notes of its readers and its word errors."""

    notes: Notes
    words: DocumentErrors | None


def _beside(pair: Pair, settings: Settings) -> _Beside:
    """The notes and the word errors of a pair whose words may differ."""
    notes = notes_of(pair) if settings.is_projected else on_same_words(pair)
    return _Beside(notes, errors_beside(pair, settings))


def _on_same_words(pair: Pair) -> _Beside:
    """The notes of a pair with the same words on both sides."""
    return _Beside(on_same_words(pair), None)


def split(
    values: Mapping[str, Any], names: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the options with these names, and the values of the others."""
    named = {name: value for name, value in values.items() if name in names}
    return named, {name: value for name, value in values.items() if name not in names}


def scoring_of(
    values: Mapping[str, Any], *, besides: Collection[str] = ()
) -> tuple[ScoringOptions, dict[str, Any]]:
    """The scoring that the options of a command ask for, and the values of the other options.

    Args:
        values: the values of the options of a command, by name of the parameter.
        besides: options that the command accepts under every scheme.

    Raises:
        click.UsageError: an option that the scheme does not take; options that contradict each
            other.
        SerevalError: a grammar or a map that cannot be read; as ``Settings``.
    """
    context = click.get_current_context()
    values, others = split(values, OPTIONS.keys() - OUTPUTS)
    scheme = SCHEMES[values.get("scheme", Settings().scheme)]
    check_parts(context, scheme, besides=besides)
    workers = take_workers(others)
    fields = fields_of(values, scheme)
    source = context.get_parameter_source("unplaceable")
    if "is_bound" in fields and source is ParameterSource.DEFAULT:
        fields["unplaceable"] = "miss"  # dropping them would make the bound trivial
    words, _ = split(fields, ALIGNMENT_OPTIONS)
    tolerance, through = alignment_of(**words)
    grammar = load(values["grammar"]) if values.get("grammar") else None
    labels = labels_of(**split(values, LABEL_OPTIONS)[0], grammar=grammar)
    fields |= {"tolerance": tolerance, "through": through, "labels": labels, "grammar": grammar}
    if "documents" in fields:
        fields["documents"] = document_ids(fields["documents"])
    if scheme.counts != "slots":
        del fields["scheme"]  # ``Settings`` has schemes of slots only
    if "figure" in values and scheme.counts == "elements":
        fields["figure"] = figure_name(scheme, values["figure"])
    settings = settings_of(**split(fields, Settings.__dataclass_fields__)[0])
    own = Options(**split(fields, Options._fields)[0])
    return ScoringOptions(scheme, settings, own, workers), others


def on_command_line(context: click.Context) -> dict[str, str]:
    """The options on the command line as they are written, by name of the parameter."""
    return {
        option.name: option.opts[-1]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def check_parts(context: click.Context, scheme: Scheme, *, besides: Collection[str] = ()) -> None:
    """Refuse options that the scheme does not take.

    Args:
        context: click's context of the running command.
        scheme: the scheme that scores.
        besides: options that the command accepts under every scheme.

    Raises:
        click.UsageError: the command line has such an option.
    """
    for name, flag in on_command_line(context).items():
        is_needed = name == "grammar" and any(context.params[each] for each in LABEL_OPTIONS)
        if not (is_needed or name in besides or scheme.takes(name)):
            [offered] = (one for one in context.command.params if one.name == "scheme")
            assert isinstance(offered.type, click.Choice)
            known = {*schemes_with(name)} & {*offered.type.choices}
            raise click.UsageError(
                f"{flag} has no effect with --scheme {scheme.name}, "
                f"expected it with {', '.join(sorted(known))}"
            )


def take_workers(values: dict[str, Any]) -> Workers:
    """Take the options about processes out of ``values``; without any, this process works.

    Raises:
        click.UsageError: both several jobs and a scheduler.
    """
    workers = Workers(values.pop("jobs", 1), values.pop("scheduler", None))
    if workers.scheduler is not None and workers.jobs > 1:
        raise click.UsageError("--jobs is for this machine, expected it without --scheduler")
    return workers


LABEL_OPTIONS = ("label_map", "only", "level")


def labels_of(
    *,
    label_map: str | None = None,
    only: tuple[str, ...] | None = None,
    level: int | None = None,
    grammar: Grammar | None = None,
) -> Labels:
    """The changes of labels that the values of ``LABEL_OPTIONS`` ask for."""
    return Labels(load_map(label_map) if label_map else None, only or (), level, grammar)


ALIGNMENT_OPTIONS = ("tolerance", "by", *OWNERS)


def alignment_of(
    *,
    tolerance: tuple[int, int] | InWords | None = None,
    by: str = "time",
    weights: str = ByWords().weights.name,
    normalise: str = ByWords().normalise.name,
    language: str = ByWords().language,
) -> tuple[tuple[int, int] | None, ByWords | None]:
    """The tolerance in time or the alignment of words that these options ask for.

    Raises:
        click.UsageError: a tolerance of the other kind; an option for another ``--by``.
    """
    flags = on_command_line(click.get_current_context())
    for name, owner in OWNERS.items():
        if name in flags and by != owner:
            raise click.UsageError(f"{flags[name]} goes with --by {owner}")
    if by == "time":
        if isinstance(tolerance, InWords):
            raise click.UsageError("a tolerance in words goes with --by text or --by phones")
        return tolerance, None
    if isinstance(tolerance, tuple):
        raise click.UsageError(f"--by {by} takes a tolerance in words, such as 1w")
    words = int(tolerance or 0)
    form = normalisation(normalise)
    return None, ByWords(by, WEIGHTS[weights], language, words, normalise=form)


def figure_name(scheme: Scheme, name: str | None) -> str:
    """The figure of a scheme by its name; without a name, the first one.

    Raises:
        click.UsageError: the scheme has no such figure.
    """
    if name is not None and name not in scheme.figures:
        raise click.UsageError(
            f"found --figure {name}, expected one of {', '.join(scheme.figures)}"
        )
    return name or scheme.figures[0]


def on_same_words(pair: Pair) -> Notes:
    """The notes of both sides and of their common words, if their words are the same."""
    try:
        return notes_of(recut(*pair))
    except SerevalError:
        return notes_of(pair)
