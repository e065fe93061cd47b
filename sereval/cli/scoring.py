"""The options that say how it is scored, and the scoring of what they ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from ..alignment.text import SCLITE, WEIGHTS
from ..corpus.executor import Workers
from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..documents.model import seconds
from ..documents.recut import recut
from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation, evaluate
from ..evaluation.settings import BY_WORDS, MISSING, ByWords, Settings
from ..evaluation.totals import Notes, Score, notes_of, sentences
from ..evaluation.totals import chosen as choices_of
from ..formats import parse_duration
from ..labels.grammar import Grammar, bundled, load
from ..labels.relabel import Labels, load_map
from ..mapping.best import PAIRINGS
from ..mapping.search import MAX_STATES
from ..measures.slots import Costs
from ..projection.project import POLICIES
from ..schemes.table import SCHEMES, schemes_that_count
from .inputs import (
    AtLeast,
    options,
    read_sides,
)
from .outputs import with_progress
from .sides import keep_sides

if TYPE_CHECKING:
    from ..schemes.result import Options, SchemeScore

_P = TypeVar("_P", bound="tuple[Any, Any]")
_R = TypeVar("_R")
_N = TypeVar("_N")

COLUMN_SCHEMES = schemes_that_count("tags")
"""Schemes that score columns of tags (``columns``)."""


def parsed(parse: Callable[[str], Any]) -> Callable[[Any, Any, str | None], Any]:
    """An option's callback that parses its text; what is wrong with it is a usage error."""

    def callback(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


LONGEST = 60_000
"""No tolerance is longer, in ms: what is meant is another unit."""


def tolerance_pair(text: str) -> tuple[int, int]:
    """A tolerance in ms for starts and one for ends, from one duration or two.

    >>> tolerance_pair("0.3"), tolerance_pair("0.3,500ms")
    ((300, 300), (300, 500))
    """
    if re.fullmatch(r"\s*0,[0-9]+\s*", text):  # a decimal comma would be a pair in silence
        raise SerevalError(
            f"found {text!r}, expected {text.strip().replace(',', '.')}; "
            f"or, if two are meant, {'s,'.join(text.strip().split(','))}s"
        )
    given = [parse_duration(part) for part in text.split(",")]
    if max(given) > LONGEST:
        raise SerevalError(
            f"found {text!r}, expected at most {seconds(LONGEST)} s; milliseconds are 300ms"
        )
    if len(given) > 2:
        raise SerevalError(f"found {text!r}, expected one duration, or two: START,END")
    return given[0], given[-1]


class Wanted(click.types.StringParamType):
    """The text of an option that has to be given, and what to give where it is not."""

    def __init__(self, said: str) -> None:
        self.said = said

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """What click says after the name of the option."""
        return f"Expected {self.said}."


unplaceable_option = click.option(
    "--unplaceable",
    type=click.Choice(list(POLICIES)),
    default="drop",
    show_default=True,
    help="What becomes of the reference elements that the words have no place for.",
)

TOLERANCE_HELP = (
    "Carry REF onto HYP's words through time, with this tolerance on either side of a frontier: "
    "seconds, or with a unit (300ms); START,END for two."
)


tolerance_option = click.option(
    "--tolerance",
    metavar="SECONDS",
    callback=parsed(tolerance_pair),
    help=f"{TOLERANCE_HELP} Without it both sides must have the same words.",
)


def _listed(text: str) -> tuple[str, ...]:
    """What stands between commas.

    >>> _listed("types, loc")
    ('types', 'loc')
    """
    return tuple(part.strip() for part in text.split(","))


grammar_option = click.option(
    "--grammar",
    metavar="GRAMMAR",
    help="Report types and components apart, and take the hierarchy of labels from there: a "
    f"bundled grammar ({', '.join(bundled())}), or a TOML file.",
)

label_options = options(
    click.option(
        "--map",
        "label_map",
        metavar="FILE",
        help="Rename, merge or remove labels of either side first, as a TOML file says.",
    ),
    click.option(
        "--only",
        metavar="LABELS",
        callback=parsed(_listed),
        help="Count these alone, on both sides, and remove all others before anything is mapped: "
        "types or components of the --grammar, or labels with all below them; commas between.",
    ),
    click.option(
        "--level",
        metavar="N",
        type=AtLeast(1),
        help="Score labels by what is above them: loc for loc.adm.town at level 1.",
    ),
)

LABEL_OPTIONS = ("label_map", "only", "level")


def asked_labels(
    *,
    label_map: str | None = None,
    only: tuple[str, ...] | None = None,
    level: int | None = None,
    grammar: Grammar | None = None,
) -> Labels:
    """What becomes of labels, from the values of ``label_options``."""
    return Labels(load_map(label_map) if label_map else None, only or (), level, grammar)


def split(given: dict[str, Any], *names: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the options of these names, and the rest."""
    named = {name: value for name, value in given.items() if name in names}
    return named, {name: value for name, value in given.items() if name not in names}


missing_option = click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="error",
    show_default=True,
    help="What a reference without a hypothesis is.",
)


max_states_option = click.option(
    "--max-states",
    metavar="N",
    type=AtLeast(1),
    default=MAX_STATES,
    show_default=True,
    help="How far to search for the best mapping of elements that hang together, before the "
    "document is refused; no digit depends on it.",
)


def scoring_with(schemes: Iterable[str]) -> Callable[[Any], Any]:
    """All that says how it is scored, but for the tolerance."""
    return options(
        unplaceable_option,
        missing_option,
        click.option(
            "--pairing",
            type=click.Choice(list(PAIRINGS)),
            default="word",
            show_default=True,
            help="Which elements may be paired: they share a word (the definition's rule); half "
            "the words of the longer one; or label or span is right.",
        ),
        click.option(
            "--scheme",
            type=click.Choice(list(schemes)),
            default="quaero",
            show_default=True,
            help="The definition's score, or another scorer's.",
        ),
        click.option(
            "--costs",
            metavar="COSTS",
            callback=parsed(Costs.parse),
            help="Of errors, any of S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1 (the defaults); S_T.depth=N "
            "shares S_T out over N levels of labels, and each level that is right is free.",
        ),
        label_options,
        grammar_option,
        max_states_option,
    )


scoring_options = scoring_with(schemes_that_count("slots"))

neutral_option = click.option(
    "--neutral",
    metavar="LABEL",
    multiple=True,
    help="Elements with this label cost nothing, on either side, paired or not; they count all "
    "the same. May be repeated.",
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


def split_workers(given: dict[str, Any]) -> Workers:
    """Who does the work, taken out of the options."""
    workers = Workers(given.pop("jobs"), given.pop("scheduler"))
    if workers.scheduler is not None and workers.jobs > 1:
        raise click.UsageError("--jobs are of this machine, expected them without --scheduler")
    return workers


class InWords(int):
    """A tolerance in words."""


def any_tolerance(text: str) -> tuple[int, int] | InWords:
    """A tolerance in time, or in words.

    >>> any_tolerance("0.3"), any_tolerance("2w")
    ((300, 300), 2)
    """
    words = text.strip().removesuffix("w")
    if words != text.strip():
        if not (words.isascii() and words.isdecimal() and len(words) < 4):
            raise SerevalError(f"found {text!r}, expected a number of words such as 1w")
        return InWords(words)
    return tolerance_pair(text)


words_options = options(
    click.option(
        "--tolerance",
        metavar="SECONDS|Nw",
        callback=parsed(any_tolerance),
        help=f"{TOLERANCE_HELP} In words (1w) with --by text or phones. "
        "Without it both sides must have the same words.",
    ),
    click.option(
        "--by",
        type=click.Choice(["time", *BY_WORDS]),
        default="time",
        show_default=True,
        help="What brings the words of REF and HYP together.",
    ),
    click.option(
        "--weights",
        type=click.Choice(list(WEIGHTS)),
        default=SCLITE.name,
        show_default=True,
        help="Of word errors, with --by text.",
    ),
    click.option(
        "--language",
        metavar="NAME",
        default="en-us",
        show_default=True,
        help="Of the words, with --by phones, as espeak-ng names it.",
    ),
)


def how_words_meet(
    *,
    tolerance: tuple[int, int] | InWords | None,
    by: str = "time",
    weights: str = SCLITE.name,
    language: str = "en-us",
) -> tuple[tuple[int, int] | None, ByWords | None]:
    """A tolerance in time, or an alignment of the words, from the values of ``words_options``.

    Raises:
        click.UsageError: a tolerance of the other kind.
    """
    given = click.get_current_context().get_parameter_source
    for name, owner in (("weights", "text"), ("language", "phones")):
        if given(name) is ParameterSource.COMMANDLINE and by != owner:
            raise click.UsageError(f"--{name} goes with --by {owner}")
    in_words = isinstance(tolerance, InWords)
    if by == "time":
        if in_words:
            raise click.UsageError("a tolerance in words goes with --by text or --by phones")
        return tolerance, None  # type: ignore[return-value]  # not InWords
    if tolerance is not None and not in_words:
        raise click.UsageError(f"--by {by} takes a tolerance in words, such as 1w")
    through = ByWords(by, WEIGHTS[weights], language, int(tolerance or 0))  # type: ignore[arg-type]
    return None, through


HOW_WORDS_MEET = ("tolerance", "by", "weights", "language")


class Understood(NamedTuple):
    """What the options that every scheme has amount to.

    Args:
        tolerance, through: as ``how_words_meet`` gives them.
        grammar: as loaded.
        sides: the values of the options that are left, of ``side_options``.
    """

    workers: Workers
    tolerance: tuple[int, int] | None
    through: ByWords | None
    grammar: Grammar | None
    labels: Labels
    sides: dict[str, Any]


def understood(grammar: str | None, given: dict[str, Any]) -> Understood:
    """What is meant by the options that every scheme has.

    Args:
        given: the values of ``label_options``, ``words_options``, ``side_options`` and
            ``workers_options``.
    """
    workers = split_workers(given)
    words, sides = split(given, *HOW_WORDS_MEET)
    asked, sides = split(sides, *LABEL_OPTIONS)
    tolerance, through = how_words_meet(**words)
    rules = load(grammar) if grammar else None
    labels = asked_labels(**asked, grammar=rules)
    return Understood(workers, tolerance, through, rules, labels, sides)


def score_sides(
    ref: str,
    hyp: str,
    *,
    unplaceable: str,
    missing: str,
    pairing: str,
    scheme: str,
    costs: Costs | None,
    max_states: int,
    grammar: str | None,
    is_bound: bool = False,
    neutral: Iterable[str] = (),
    **sides: Any,
) -> Evaluation:
    """Read and score what the options ask for.

    Args:
        sides: as for ``understood``.
    """
    workers, tolerance, through, rules, labels, sides = understood(grammar, sides)
    references, hypotheses = read_sides(ref, hyp, empty=missing == "empty", **sides)
    keep_sides({("ref", ref): references, ("hyp", hyp): hypotheses}, labels, sides)
    return evaluate(
        references,
        hypotheses,
        tolerance=tolerance,
        unplaceable=unplaceable,
        missing=missing,
        pairing=pairing,
        scheme=scheme,
        through=through,
        is_bound=is_bound,
        neutral=frozenset(neutral),
        labels=labels,
        costs=costs,
        max_states=max_states,
        grammar=rules,
        workers=workers,
        watch=with_progress,
    )


class Heard(Generic[_P, _N]):
    """Pairs of which it is kept what was said of them.

    Args:
        notes_of: what is said of a pair; it goes from process to process.
    """

    def __init__(self, pairs: Pairs[_P], notes_of: Callable[[_P], _N]) -> None:
        self.pairs, self.notes_of = pairs, notes_of
        self.notes: list[_N] = []

    def each(self, work: Callable[[_P], _R]) -> Iterator[_R]:
        """What ``work`` makes of each pair, in order."""
        for found, notes in self.pairs.each(partial(_heard, work=work, notes_of=self.notes_of)):
            self.notes.append(notes)
            yield found


def _heard(pair: _P, work: Callable[[_P], _R], notes_of: Callable[[_P], _N]) -> tuple[_R, _N]:
    return work(pair), notes_of(pair)


def on_same_words(pair: Pair) -> Notes:
    """What was said of both sides, and what was taken as equal; some schemes take other words."""
    try:
        return notes_of(recut(*pair))
    except SerevalError:
        return notes_of(pair)


def scheme_score(
    scheme: str, pairs: Pairs[Pair], settings: Settings, chosen: Options
) -> SchemeScore:
    """Score as another scheme does, and tell how it was read."""
    heard = Heard(pairs, notes_of if settings.is_projected else on_same_words)
    found = SCHEMES[scheme].score(heard, settings, chosen)
    assert not isinstance(found, Score)
    return with_notes(found, heard.notes)


def with_notes(score: SchemeScore, notes: Sequence[Notes]) -> SchemeScore:
    """A score that tells how it was read."""
    return replace(
        score,
        notes=(*score.notes, *sentences(notes)),
        settings=(*score.settings, *choices_of(notes)),
    )
