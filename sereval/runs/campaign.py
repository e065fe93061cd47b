"""A campaign: its systems scored in each condition, and what its recognisers cost them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..corpus.corpus import Corpus
from ..corpus.entries import have_same_output
from ..errors import InputError, SerevalError, UsageFault
from ..evaluation.settings import ByWords, Settings
from ..evaluation.totals import Evaluation
from .conditions import GIVEN, ConditionSides
from .pairs import systems_of
from .scoring import Run, RunRequest
from .sides import Sides, SideSource

if TYPE_CHECKING:  # loaded when something is scored
    from ..analysis.campaign import SystemBlame
    from ..analysis.rates import Score


class Condition(NamedTuple):
    """The systems of one condition, unread.

    Args:
        name: the name of the condition.
        run: the scoring, with the alignment of this condition.
        corpus: its systems.
    """

    name: str
    run: Run
    corpus: Corpus


def in_condition(condition: ConditionSides, asked: RunRequest, run: Run) -> Condition:
    """The systems of a condition, unread; the scoring gets the alignment of the condition."""
    run = _in_condition(run, condition)
    sides = dict(condition.sides)
    ref, own = sides.pop("ref"), replace(asked.sides, **sides)
    return Condition(condition.name, run, systems_of(asked, ref, condition.systems, run, sides=own))


def _in_condition(run: Run, condition: ConditionSides) -> Run:
    """The scoring with the alignment of a condition.

    Raises:
        UsageFault: an alignment is given, and the scheme aligns the words of the condition by time.
    """
    tolerance, through = condition.alignment
    given = condition.given if run.scheme.takes("given") else None
    if given is not None and not run.scheme.has_own_alignment:
        if through is None and run.scheme.aligns_words:
            through = ByWords()
        if through is None or through.by != "text":
            raise UsageFault(f'conditions.{condition.name}.{GIVEN} goes with by = "text"')
        try:
            through = replace(through, given=given)
        except SerevalError as error:
            raise UsageFault(str(error)) from None
    form = condition.normalise or run.settings.normalise
    return run.but(tolerance=tolerance, through=through, normalise=form, given=given)


def identical_systems(
    condition: Condition, scores: Mapping[str, Score]
) -> tuple[tuple[str, ...], ...]:
    """The systems of a condition with the same output; those with equal rates are read again.

    Args:
        condition: the pairs of each system.
        scores: the score of each.
    """
    from ..analysis.rates import exact_rate

    found: list[list[str]] = []
    for name in sorted(scores):
        for group in found:
            first = group[0]
            is_level = exact_rate(scores[first]) == exact_rate(scores[name])
            if is_level and _are_copies(condition.corpus, first, name):
                group.append(name)
                break
        else:
            found.append([name])
    return tuple(tuple(group) for group in found if len(group) > 1)


def _are_copies(corpus: Corpus, one: str, other: str) -> bool:
    """Whether two systems have the same output, on words with the same times."""
    return all(
        have_same_output(
            *([getattr(pair, side) for pair in corpus.systems[name]] for name in (one, other))
        )
        for side in ("hyp_times", "hypothesis")
    )


# What the recognisers cost


class RecogniserPairs(NamedTuple):
    """Systems on reference words and on those of one recogniser, unread.

    Args:
        condition: the name of the recogniser's words.
        run: the scoring, with the alignment of these words.
        manual, recognised: the systems on reference words, and on the recogniser's.
    """

    condition: str
    run: Run
    manual: Corpus
    recognised: Corpus


def blame_each(
    recognisers: Iterable[RecogniserPairs], context: int | None = None
) -> list[SystemBlame]:
    """The blame of each system on the words of each recogniser.

    The scores on reference words are found once for recognisers with equal settings.
    """
    from ..analysis.blame import CONTEXT_WORDS, SideScore, blame_together, score_manual
    from ..analysis.campaign import SystemBlame

    near = CONTEXT_WORDS if context is None else context
    known: dict[tuple[str, ...], dict[str, list[SideScore]]] = {}
    found = []
    for condition, run, manual, recognised in recognisers:
        settings = run.settings
        key = (str(settings.signature), *manual.systems)
        if key not in known:
            known[key] = score_manual(manual, settings)
        blames = blame_together(known[key], recognised, settings, context=near)
        found += [SystemBlame(system, condition, blame) for system, blame in blames.items()]
    return found


def campaign_blames(
    conditions: Sequence[ConditionSides],
    scored: Mapping[str, Mapping[str, Score]],
    run: Run,
    asked: RunRequest,
) -> list[SystemBlame]:
    """What the recognisers of a campaign cost each system that was run on reference words too.

    There is nothing to divide without exactly one condition on reference words and another one,
    under a scheme without blame, and where mentions stand for the words of a recogniser.

    Args:
        conditions: the conditions of the campaign.
        scored: the score of each system in each condition.
        run: the scoring.
        asked: the options of the run.
    """
    manual = [one for one in conditions if not one.is_projected]
    known = [one for one in conditions if not any(map(_has_mentions, scored[one.name].values()))]
    if run.scheme.name != Settings().scheme or len(manual) != 1:
        return []
    [own] = manual
    both = [
        replace(
            one, systems={name: one.systems[name] for name in one.systems if name in own.systems}
        )
        for one in known
        if one is not own
    ]
    return blame_each(campaign_systems([own, *both], None, run, asked)) if both else []


def _has_mentions(score: Score) -> bool:
    """Whether the mentions of a hypothesis were found in the words of the reference."""
    notes = score.notes["hypothesis"] if isinstance(score, Evaluation) else ()
    return any(note.choice.endswith(":reference") for note in notes)


def campaign_systems(
    conditions: Sequence[ConditionSides], path: str | None, run: Run, asked: RunRequest
) -> list[RecogniserPairs]:
    """The systems on the words of each recogniser, in the order of the campaign.

    Args:
        conditions: the conditions of the campaign.
        path: the path of the campaign's file; ``None``: it is in memory.
        run: the scoring.
        asked: the options of the run.

    Raises:
        InputError: not exactly one condition is on reference words; a system lacks them; no other
            condition.
    """
    manual = [one for one in conditions if not one.is_projected]
    if len(manual) != 1 or len(conditions) < 2:
        s = "" if len(conditions) == 1 else "s"
        raise InputError(
            f"{len(manual)} of {len(conditions)} condition{s} without a tolerance, expected one, "
            "on reference words, and others with a tolerance",
            path=path,
        )
    return [
        _of_recogniser(path, manual[0], condition, run, asked)
        for condition in conditions
        if condition is not manual[0]
    ]


def _of_recogniser(
    path: str | None,
    manual: ConditionSides,
    recognised: ConditionSides,
    run: Run,
    asked: RunRequest,
) -> RecogniserPairs:
    """The systems on reference words and on the words of one recogniser."""
    run = _in_condition(run, recognised)
    for system in recognised.systems:
        if system not in manual.systems:
            raise InputError(
                f"systems.{system} has {recognised.name} and no {manual.name}, expected both",
                path=path,
            )
    sides = dict(recognised.sides)
    systems = {name: manual.systems[name] for name in recognised.systems}, recognised.systems
    ref, own = sides.pop("ref"), replace(asked.sides, **sides)
    both = pairs_of_both(asked, ref, systems, run, own)
    return RecogniserPairs(recognised.name, run, *both)


def pairs_of_both(
    asked: RunRequest,
    ref: SideSource,
    hyps: tuple[Mapping[str, SideSource], Mapping[str, SideSource]],
    run: Run,
    sides: Sides,
) -> tuple[Corpus, Corpus]:
    """The documents of systems on manual and on recognised words, by the name of each.

    Args:
        asked: the options of the run.
        ref: the references.
        hyps: the output of each system on manual and on recognised words.
        run: the scoring on the recogniser's words.
        sides: how the sides are read; ``words`` are those of the recogniser.
    """
    manual, recognised = hyps
    same_words = run.but(tolerance=None, through=None)
    plain = replace(sides, words=(), alternatives=())  # reference words have no word errors
    return (
        systems_of(asked, ref, manual, same_words, sides=plain, is_located=True),
        systems_of(asked, ref, recognised, run, sides=sides, is_located=True),
    )
