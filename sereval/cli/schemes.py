"""What belongs to which scheme on the command line, and scores of any of them to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..evaluation.evaluate import Evaluation, count, score_pair
from ..evaluation.settings import ByWords, Settings
from ..labels.grammar import Grammar
from ..labels.relabel import Labels
from ..measures.slots import Costs
from ..schemes.table import MAPPINGS, SCHEMES, schemes_that_count, schemes_with
from .inputs import AtLeast, options
from .scoring import (
    LABEL_OPTIONS,
    neutral_option,
    scheme_score,
    scoring_with,
    split,
    understood,
)
from .unread import score_pairs

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore, Rated
    from ..schemes.result import Options

_R = TypeVar("_R")


def check_parts(context: click.Context, scheme: str, *, besides: Iterable[str] = ()) -> None:
    """Refuse what was asked for and would change nothing.

    Args:
        besides: options that this command has another use for.
    """
    for option in context.command.params:
        name = option.name or ""
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        schemes = {scheme} if name in besides else {*schemes_with(name)}
        if name == "grammar" and any(context.params[each] for each in LABEL_OPTIONS):
            schemes = {scheme}  # it has the hierarchy of labels
        if is_given and scheme not in schemes:
            known = schemes & _schemes_of(context)
            raise click.UsageError(
                f"{option.opts[-1]} has no part in --scheme {scheme}, "
                f"expected it with {', '.join(sorted(known))}"
            )


def _schemes_of(context: click.Context) -> set[str]:
    """The schemes that a command offers."""
    [offered] = (option for option in context.command.params if option.name == "scheme")
    assert isinstance(offered.type, click.Choice)
    return set(offered.type.choices)


mapping_options = (
    click.option(
        "--extent-tolerance",
        "extent",
        metavar="N",
        type=AtLeast(0),
        default=1,
        show_default=True,
        help="Words that a boundary may be off by if they are all errors (mitre).",
    ),
    click.option(
        "--mapping",
        type=click.Choice(list(MAPPINGS)),
        default="greedy",
        show_default=True,
        help="How entities are paired (mitre, muc).",
    ),
)

scored_options = options(
    scoring_with(schemes_that_count("slots", "elements")),
    neutral_option,
    *mapping_options,
    click.option(
        "--figure",
        metavar="NAME",
        help="What is looked at under another scheme: "
        + "; ".join(
            f"{', '.join(SCHEMES[name].figures)} ({name})" for name in schemes_with("figure")
        )
        + ". The first of each is the default.",
    ),
)
"""All that says how it is scored, where elements are told apart; but for how words meet."""

SCORED = (
    *("unplaceable", "missing", "pairing", "scheme", "costs", "max_states"),
    *("grammar", "neutral", "extent", "mapping", "figure"),
)
"""The names of their values."""


def settings_of(
    *,
    tolerance: tuple[int, int] | None,
    through: ByWords | None,
    unplaceable: str,
    missing: str,
    pairing: str,
    scheme: str,
    costs: Costs | None,
    max_states: int,
    labels: Labels,
    neutral: Iterable[str] = (),
    is_bound: bool = False,
    **_: Any,
) -> Settings:
    """The settings that options amount to; those that have no part in a scheme are as they are not
    asked for.

    Args:
        tolerance, through: as ``how_words_meet`` gives them; the others are the values of
            ``scored_options``.
    """
    own = scheme if scheme in schemes_that_count("slots") else "quaero"
    return Settings(
        tolerance,
        unplaceable,
        costs or Costs(),
        missing,
        pairing,
        own,
        through,
        is_bound,
        frozenset(neutral),
        labels,
        max_states,
    )


def score_of(pairs: Pairs[Pair], settings: Settings, **how: Any) -> AnyScore:
    """Score pairs under any scheme that tells elements apart, and keep all that became of them.

    Args:
        how: the values of ``scored_options``, the grammar as loaded.

    Raises:
        click.UsageError: not a figure of this scheme.
    """
    if how["scheme"] in schemes_that_count("elements"):
        return scheme_score(how["scheme"], pairs, settings, _chosen(**how))
    return evaluation_of(pairs, settings, **how)


def evaluation_of(
    pairs: Pairs[Pair], settings: Settings, *, grammar: Grammar | None, **_: Any
) -> Evaluation:
    """The same under a scheme that counts slots."""
    scored = pairs.each(partial(score_pair, settings=settings))
    return Evaluation(tuple(scored), settings, grammar)


def count_of(pairs: Pairs[Pair], settings: Settings, **how: Any) -> Rated:
    """The same, and keep counts alone."""
    if how["scheme"] in schemes_that_count("elements"):
        chosen = _chosen(**how)
        assert chosen.figure is not None
        counted = scheme_score(how["scheme"], pairs, settings, chosen._replace(figure=None))
        return counted.by(chosen.figure)
    return count(pairs, settings, how["grammar"])


def _chosen(*, scheme: str, extent: int, mapping: str, figure: str | None, **_: Any) -> Options:
    from ..schemes.result import Options

    return Options(extent, mapping, figure=figure_name(scheme, figure))


def score_sides(
    ref: str,
    hyp: str,
    score: Callable[..., _R],
    *,
    is_bound: bool = False,
    **given: Any,
) -> _R:
    """Read and score what the options ask for.

    Args:
        score: from pairs, settings and the values of ``scored_options``, such as ``score_of``.
        given: the values of ``scored_options``, ``words_options``, ``side_options`` and
            ``workers_options``, as many as the command has.
    """
    how, sides = split(given, *SCORED)
    workers, tolerance, through, how["grammar"], labels, sides = understood(how["grammar"], sides)
    settings = settings_of(
        tolerance=tolerance, through=through, labels=labels, is_bound=is_bound, **how
    )
    work = partial(score, settings=settings, **how)
    return score_pairs(ref, hyp, settings, work, workers=workers, scheme=how["scheme"], **sides)


def figure_name(scheme: str, given: str | None) -> str:
    """The figure that was asked for, or the scheme's first one."""
    if given is not None and given not in SCHEMES[scheme].figures:
        raise click.UsageError(
            f"found --figure {given}, expected one of {', '.join(SCHEMES[scheme].figures)}"
        )
    return given or SCHEMES[scheme].figures[0]
