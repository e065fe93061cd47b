"""The options that say how it is scored, and the scoring of what they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from ..errors import SerevalError
from ..evaluate import MISSING, SEARCHES, Evaluation, Pair, Settings, evaluate, paired
from ..grammar import load
from ..mapping import PAIRINGS
from ..model import seconds
from ..project import POLICIES
from ..readers import parse_duration
from ..scheme import SchemeScore
from ..score import Costs
from .inputs import options, read_sides
from .outputs import with_progress


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
    given = [parse_duration(part) for part in text.split(",")]
    if max(given) > LONGEST:
        raise SerevalError(
            f"found {text!r}, expected at most {seconds(LONGEST)} s; milliseconds are 300ms"
        )
    if len(given) > 2:
        raise SerevalError(f"found {text!r}, expected one duration, or two: START,END")
    return given[0], given[-1]


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


def scoring_with(schemes: Iterable[str]) -> Callable[[Any], Any]:
    """All that says how it is scored, but for the tolerance."""
    return options(
        unplaceable_option,
        click.option(
            "--missing",
            type=click.Choice(MISSING),
            default="error",
            show_default=True,
            help="What a reference without a hypothesis is.",
        ),
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
            help="Of errors, any of S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1 (the defaults).",
        ),
        click.option(
            "--grammar",
            metavar="GRAMMAR",
            help="Report types and components apart: a bundled grammar (quaero), or a TOML file.",
        ),
    )


scoring_options = scoring_with(SEARCHES)


def score_sides(
    ref: str,
    hyp: str,
    *,
    tolerance: tuple[int, int] | None,
    unplaceable: str,
    missing: str,
    pairing: str,
    scheme: str,
    costs: Costs | None,
    grammar: str | None,
    **sides: Any,
) -> Evaluation:
    """Read and score what the options ask for.

    Args:
        sides: the values of ``side_options``.
    """
    rules = load(grammar) if grammar else None
    references, hypotheses = read_sides(ref, hyp, empty=missing == "empty", **sides)
    return evaluate(
        references,
        hypotheses,
        tolerance=tolerance,
        unplaceable=unplaceable,
        missing=missing,
        pairing=pairing,
        scheme=scheme,
        costs=costs,
        grammar=rules,
        watch=with_progress,
    )


def scheme_sides(
    scheme: Callable[[Iterable[Pair], Settings], SchemeScore],
    ref: str,
    hyp: str,
    *,
    tolerance: tuple[int, int] | None,
    unplaceable: str,
    missing: str,
    pairing: str,
    costs: Costs | None,
    grammar: str | None,
    **sides: Any,
) -> SchemeScore:
    """Read what the options ask for, and score it as another scheme does.

    Raises:
        click.UsageError: an option that has no part in it.
    """
    if costs is not None or grammar is not None or pairing != "word":
        raise click.UsageError("--costs, --grammar and --pairing have no part in this scheme")
    settings = Settings(tolerance, unplaceable, missing=missing)
    references, hypotheses = read_sides(ref, hyp, empty=missing == "empty", **sides)
    return scheme(with_progress(paired(references, hypotheses, settings)), settings)
