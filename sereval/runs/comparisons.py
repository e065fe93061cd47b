"""The reports of ``sereval compare`` as functions: ``campaign``, ``stability`` and ``collate``."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.resampling import Resampling
from ..corpus.corpus import Corpus
from ..errors import SerevalError, UsageFault
from ..labels.toml import read_toml
from ..schemes.table import OUTCOMES, schemes_that_count
from .arguments import asked_with, in_seconds
from .calls import RESAMPLING, one_measure, plain, systems_asked, with_measures
from .campaign import (
    ConditionPairs,
    campaign_blames,
    pairs_of_condition,
    scores_of,
    stability_of,
)
from .conditions import OF_CONDITIONS, ConditionSides, conditions_of
from .groups import check_groups, read_groups
from .lists import sources_of
from .measure_runs import runs_of
from .measures import rate_measure, with_measure
from .pairs import check_labels, condition_of
from .scoring import RunRequest, ScoringOptions, flag, scoring_of
from .sides import SideSource

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.campaign import Campaign
    from ..analysis.collate import Collation
    from ..analysis.stability import Stability


def campaign(
    campaign: str | os.PathLike[str] | Mapping[str, Any],
    *,
    groups: str | os.PathLike[str] | Mapping[str, Collection[str]] | None = None,
    **options: Any,
) -> Campaign:
    """Compare systems on several versions of the words, as ``sereval compare --campaign`` does.

    Args:
        campaign: the path of a campaign file, or a mapping with its keys: ``reference``, ``align``,
            ``conditions`` (for each its ``words``, ``tolerance`` and other options of alignment)
            and ``systems`` (for each its hypotheses by condition). In a mapping each side is a path
            or documents, as for :func:`sereval.score`.
        groups: the ids of the documents of each group, by name, or the path of a file of groups.
        options: the other options of ``sereval compare``.

    Returns:
        The comparison, what each recogniser cost each system, and the same for each group.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> from sereval import from_tags
    >>> gold, bad = ([from_tags(None, [tag], id="d")] for tag in ("B-PER", "B-LOC"))
    >>> sides = {"reference": gold, "conditions": {"manual": {}}}
    >>> found = campaign({**sides, "systems": {"crf": {"manual": bad}}}, groups={"news": ["d"]})
    >>> found.comparison.conditions[0].systems[0].evaluation.ser, list(found.groups)
    (0.5, ['news'])
    """
    from ..analysis.campaign import by_measure
    from ..analysis.campaign import campaign as campaign_of

    own = {name: getattr(Resampling(), name) for name in RESAMPLING}
    asked = asked_with("compare", options, *OUTCOMES, measure=None, **own)
    named = [name for name in (*OF_CONDITIONS, "align", "words") if name in asked.named]
    if named:
        raise SerevalError(f"{flag(named[0])} and a campaign, expected one of them")
    resampling = Resampling(**{name: asked.values[name] for name in RESAMPLING})
    asked = with_measures(asked.without(*RESAMPLING))
    runs = runs_of(asked, resampling, OF_CONDITIONS)
    conditions = _conditions(campaign)
    shared: dict[str, Any] = {"known": {}}
    sides = [{**plain(run.sides), **shared} for run in runs]
    scored = []
    streams: list[Corpus] = []
    for run, own in zip(runs, sides, strict=True):
        scores, copies, read = run.scores(conditions, own, run.resampling)
        scored.append((scores, copies))
        streams += read
    check_labels(streams, *(run.how.settings for run in runs))
    path, grouped = _groups(groups)
    check_groups(path, grouped, shared["known"], [one.sides["ref"] for one in conditions])
    blames = campaign_blames(conditions, scored[0][0], runs[0].how, sides[0])
    return by_measure(
        {
            str(run.measure): campaign_of(scores, blames, run.resampling, grouped, copies)
            for run, (scores, copies) in zip(runs, scored, strict=True)
        }
    )


def _conditions(campaign: str | os.PathLike[str] | Mapping[str, Any]) -> list[ConditionSides]:
    """The conditions of a campaign from its file, or from a mapping with paths or documents."""
    if not isinstance(campaign, Mapping):
        path = Path(campaign)
        return read_toml(path, lambda file: conditions_of(file, path.parent), decimals=str)
    named: dict[str, Any] = {name: campaign.get(name) for name in ("reference", "align")}
    conditions = dict(campaign.get("conditions", {}))
    for name, row in conditions.items():
        named[f"conditions.{name}.words"] = row.get("words")
        if "tolerance" in row:
            conditions[name] = {**row, "tolerance": in_seconds("tolerance", row["tolerance"])}
    for system, cells in campaign.get("systems", {}).items():
        named |= {f"systems.{system}.{name}": cell for name, cell in cells.items()}
    found = sources_of(named)

    def source(where: str, _: Any) -> SideSource:
        return found[where] or []

    known = {"conditions": conditions} if conditions else {}
    return conditions_of({**campaign, **known}, Path(), source)


def _groups(
    groups: str | os.PathLike[str] | Mapping[str, Collection[str]] | None,
) -> tuple[str | None, Mapping[str, Collection[str]]]:
    """The path of a file of groups, if there is one, and the groups."""
    if groups is None or isinstance(groups, Mapping):
        return None, groups or {}
    path = os.fspath(groups)
    return path, read_groups(path)


def stability(*inputs: Any, **options: Any) -> Stability:
    """Score systems under other alignment criteria, as ``sereval compare --stability`` does.

    Args:
        inputs: as for :func:`sereval.compare`.
        options: the options of ``sereval compare`` that say how to score.

    Returns:
        The counts of each system under each criterion.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> gold, bad = [["B-PER", "O"]], [["B-LOC", "O"]]
    >>> found = stability(gold, {"good": gold, "bad": bad})
    >>> found.order(found.at(found.base))
    [('good',), ('bad',)]
    """
    asked = one_measure(asked_with("compare", options, "slots", measure=None, system=()))
    if rate_measure(asked.values["measure"]) or asked.values["by"] != "time":
        raise UsageFault(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))}"
        )
    read, how = _only_condition(asked, inputs, with_measure(asked, "slots"))
    found = stability_of(read)
    check_labels([read.corpus], how.settings)
    return found


def collate(*inputs: Any, **options: Any) -> Collation:
    """The outcome of each element under each system, as ``sereval compare --collate`` writes it.

    Args:
        inputs: as for :func:`sereval.compare`.
        options: the options of ``sereval compare`` that say how to score.

    Returns:
        The collated elements, first those that no system has right.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> gold, bad = [["B-PER", "O"]], [["B-LOC", "O"]]
    >>> [(item.labels, item.agreement) for item in collate(gold, {"bad": bad}).references]
    [(('PER',), 'other label')]
    """
    from ..analysis.collate import collate as collated

    asked = one_measure(asked_with("compare", options, *OUTCOMES, measure=None, system=()))
    if rate_measure(asked.values["measure"]):
        named = asked.values["measure"]
        raise UsageFault(
            f"--collate needs the outcome of each element, expected it without --measure {named}"
        )
    read, how = _only_condition(asked, inputs, with_measure(asked, *OUTCOMES))
    [(name, scored)] = scores_of([read], None, None).items()
    check_labels([read.corpus], how.settings)
    return collated(name, scored)


def _only_condition(
    asked: RunRequest, inputs: tuple[Any, ...], values: Mapping[str, Any]
) -> tuple[ConditionPairs, ScoringOptions]:
    """The condition of systems, unread, and how it is scored.

    Raises:
        UsageFault: alternatives, which change no outcome of an element.
    """
    if asked.values["alternatives"]:
        raise UsageFault("--alternatives has no effect here, expected none")
    names, ref, hyps, sides = systems_asked(asked, inputs)
    how, rest = scoring_of(asked.with_values({**values, **sides}))
    name, alignment = condition_of(how)
    own = {"ref": ref, **sides}
    condition = ConditionSides(name, alignment, dict(zip(names, hyps, strict=True)), own)
    read = pairs_of_condition(condition, {**plain(rest)}, how)
    return read, how
