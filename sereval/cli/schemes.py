"""What belongs to which scheme on the command line, and scores of any of them to look at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..corpus.pairing import Pair
from ..corpus.pairs import Loaded, Pairs
from ..evaluation.evaluate import Evaluation, count, paired, score_pair
from ..evaluation.settings import ByWords, Settings
from ..labels.relabel import Labels
from ..measures.slots import Costs
from ..schemes.table import MAPPINGS, SCHEMES, schemes_that_count, schemes_with
from .inputs import (
    AtLeast,
    options,
    read_sides,
)
from .outputs import with_progress
from .scoring import (
    LABEL_OPTIONS,
    neutral_option,
    scheme_score,
    scoring_with,
    split,
    understood,
)
from .sides import keep_sides

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore, Rated
    from ..schemes.result import Options


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
    neutral: Iterable[str],
    labels: Labels,
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
        neutral=frozenset(neutral),
        labels=labels,
        max_states=max_states,
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
    scored = pairs.each(partial(score_pair, settings=settings))
    return Evaluation(tuple(scored), settings, how["grammar"])


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


def score_sides(ref: str, hyp: str, **given: Any) -> AnyScore:
    """Read and score what the options ask for, under any scheme that tells elements apart.

    Args:
        given: the values of ``scored_options``, ``words_options``, ``side_options`` and
            ``workers_options``.
    """
    how, sides = split(given, *SCORED)
    workers, tolerance, through, how["grammar"], labels, sides = understood(how["grammar"], sides)
    both = read_sides(ref, hyp, empty=how["missing"] == "empty", **sides)
    keep_sides({("ref", ref): both[0], ("hyp", hyp): both[1]}, labels, sides)
    settings = settings_of(tolerance=tolerance, through=through, labels=labels, **how)
    pairs = Loaded(paired(*both, settings), workers, with_progress)
    return score_of(pairs, settings, **how)


def figure_name(scheme: str, given: str | None) -> str:
    """The figure that was asked for, or the scheme's first one."""
    if given is not None and given not in SCHEMES[scheme].figures:
        raise click.UsageError(
            f"found --figure {given}, expected one of {', '.join(SCHEMES[scheme].figures)}"
        )
    return given or SCHEMES[scheme].figures[0]
