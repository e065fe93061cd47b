"""What a command about several systems computes: comparisons, blames and sweeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ..corpus.corpus import OTHER_NAME, exact, together
from ..documents.model import Document, Note, Place
from ..errors import SerevalError, UsageFault
from ..formats import FORMATS, ReadingOptions, files
from ..labels.relabel import labels_of
from ..schemes.table import MEASURED, OUTCOMES, schemes_that_count
from ..version import __version__
from .api import as_read, measured_runs
from .campaign import (
    ON_REFERENCE,
    Condition,
    blame_each,
    campaign_blames,
    check_groups,
    identical_systems,
    in_condition,
    recognisers,
)
from .scoring import (
    LABEL_OPTIONS,
    Run,
    RunRequest,
    flag,
    has_outcomes,
    run_of,
    runs_of,
    with_alternatives,
)
from .sides import Sides, SideSource, check_labels, distinct_names, scores_for, sides_of, systems_of

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.agreement import Annotators
    from ..analysis.audit import AnyScore
    from ..analysis.blame import SystemBlame
    from ..analysis.collate import Collation
    from ..analysis.compare import Comparison
    from ..analysis.grids import Axis, Confidences
    from ..analysis.resampling import Resampling
    from ..analysis.stability import Stability
    from ..analysis.sweep import Sweep
    from ..analysis.thresholds import Thresholds
    from ..schemes.measure import Measure

Systems = Mapping[str, SideSource]
"""The hypotheses of systems, by their names."""


class Compared(NamedTuple):
    """A comparison of systems.

    Args:
        comparison: the comparison.
        scores: by the first measure, the score of each system in each condition.
    """

    comparison: Comparison
    scores: dict[str, dict[str, Any]]


def compare(
    asked: RunRequest,
    sides: Sequence[Condition],
    groups: Mapping[str, Collection[str]] | None = None,
    path: str | None = None,
    *,
    keeps_outcomes: bool = False,
) -> Compared:
    """Compare systems by each measure, in one condition or in those of a campaign."""
    from ..analysis.compare import by_measure
    from ..analysis.compare import compare as compare_scores

    every = []
    for run, own in _runs(asked, is_campaign=sides[0].alignment is not None):
        drawn = asked.resampling
        if run.scheme.counts in MEASURED:
            drawn = _of_documents(drawn, run.measure)
        conditions = [in_condition(one, own, run) for one in sides]
        kept = None if keeps_outcomes else drawn
        scores = {name: scores_for(kept, how, corpus) for name, how, corpus in conditions}
        every.append((run, own, drawn, conditions, scores))
    copies = [
        {one.name: identical_systems(one, scores[one.name]) for one in conditions}
        for *_, conditions, scores in every
    ]
    corpora = [one.corpus for *_, conditions, _ in every for one in conditions]
    check_labels(asked, corpora, *(run.settings for run, *_ in every))
    check_groups(path, groups or {}, asked.known, [one.ref for one in sides])
    run, own, *_, first = every[0]
    blames = campaign_blames(sides, first, run, own)
    found = {
        str(run.measure): compare_scores(scores, drawn, same, blames=blames, groups=groups)
        for (run, _, drawn, _, scores), same in zip(every, copies, strict=True)
    }
    return Compared(by_measure(found), first)


def outcomes(asked: RunRequest, sides: Sequence[Condition]) -> list[Collation]:
    """The outcome of each element under each system, in each condition."""
    from ..analysis.collate import collate

    check_outcomes(asked, "--collate")
    [(run, own)] = _runs(asked, is_campaign=sides[0].alignment is not None)
    read = [in_condition(one, own, run) for one in sides]
    scores: list[tuple[str, Any]] = [
        (name, scores_for(None, how, corpus)) for name, how, corpus in read
    ]
    check_labels(asked, [one.corpus for one in read], run.settings)
    return [collate(*one) for one in scores]


def stability(asked: RunRequest, sides: Sequence[Condition]) -> list[Stability]:
    """The systems of each condition under other alignment criteria."""
    from ..analysis.stability import stability as stability_of  # slow to import

    check_outcomes(asked, "--stability")
    [(run, own)] = _runs(asked, is_campaign=sides[0].alignment is not None)
    _check_stability(run, asked)
    read = [in_condition(one, own, run) for one in sides]
    for one in read:
        if one.run.settings.through is not None:
            raise SerevalError(
                f"--stability: condition {one.name!r} aligns words, expected a tolerance in time"
            )
    found = [stability_of(one.name, one.corpus, one.run.settings) for one in read]
    check_labels(asked, [one.corpus for one in read], run.settings)
    return found


def check_outcomes(asked: RunRequest, option: str) -> None:
    """Refuse measures that give no element an outcome, or several, where outcomes are needed."""
    measures: Sequence[Measure] = asked.values["measure"] or ()
    for one in measures:
        if not has_outcomes(one):
            raise UsageFault(
                f"{option} needs the outcome of each element, expected it without --measure {one}"
            )
    if len(measures) > 1:
        raise UsageFault(f"{option} takes one measure, found {len(measures)} of them")


_WITHOUT_EFFECT = (
    *("groups", "alternatives", "resamples", "seed", "confidence", "unit", "grammar", "is_bound"),
)
"""Options without effect on stability: it draws no samples and reports no labels."""


def _check_stability(run: Run, asked: RunRequest) -> None:
    """Refuse options that have no effect on stability."""
    if run.scheme.counts != "slots" or run.measure.values["by"] != "time":
        raise UsageFault(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))} and without --by"
        )
    has_levels = any(asked.values[each] for each in LABEL_OPTIONS)
    for name in _WITHOUT_EFFECT:
        if name in asked.named and not (name == "grammar" and has_levels):
            raise UsageFault(f"{flag(name)} has no effect with --stability, expected it without")


def _runs(asked: RunRequest, *, is_campaign: bool) -> list[tuple[Run, RunRequest]]:
    """How systems are scored by each measure, with the options of their sides."""
    runs = runs_of(asked, *OUTCOMES, *MEASURED)
    keeps = is_campaign or any(one.scheme.counts == "words" for one in runs)
    return [
        (one, with_alternatives(asked, compares_words=keeps or one.compares_words)) for one in runs
    ]


def _of_documents(resampling: Resampling, measure: Measure) -> Resampling:
    """The resampling of documents, for a measure that is counted by document only."""
    if resampling.unit == "utterance":
        raise UsageFault(f"--measure {measure} is counted by document, expected --unit document")
    return replace(resampling, unit="document")


# What the recogniser costs


def blame(
    asked: RunRequest,
    sides: Sequence[Condition],
    path: str | None = None,
    *,
    keeps_outcomes: bool = False,
) -> tuple[list[SystemBlame], AnyScore | None]:
    """What the recognisers cost the systems."""
    run = run_of(asked)
    if sides[-1].alignment is None and not run.settings.is_projected:
        raise UsageFault(
            "expected --tolerance, or --by text or phones: the words of the recogniser are "
            "others than those of the reference"
        )
    systems = recognisers(sides, path, run, asked)
    found = blame_each(systems, asked.values["context"])
    score = None
    if keeps_outcomes:
        as_blamed = run._replace(settings=found[0].blame.settings)
        score = as_blamed.scorer().scores(systems[0].recognised)[""]
    check_labels(asked, [each for one in systems for each in one[2:]], run.settings)
    return found, score


def with_manual(ref: SideSource, manual: SideSource, recognised: SideSource) -> list[Condition]:
    """The conditions of a system on manual and on recognised words."""
    return [Condition(ref, {"": manual}, alignment=ON_REFERENCE), Condition(ref, {"": recognised})]


# Sweeps


def sweep(
    asked: RunRequest, ref: SideSource, hyps: Systems, axis: Axis, points: Sequence[int]
) -> Sweep:
    """The counts, or the values of measures, of each system at each point of an axis."""
    from ..analysis.grids import TIME
    from ..analysis.sweep import AxisMeasures, sweep_along, sweep_of

    measures: Sequence[Measure] = asked.values["measure"] or ()
    if axis is TIME and (not measures or _is_of_counts(measures)):
        run = _at_first(asked, points)
        corpus = systems_of(asked, ref, hyps, run)
        found = sweep_of(corpus, points, run.settings)
    else:
        _check_swept(measures, axis, asked)
        asked, runs, shared, _ = measured_runs(asked)
        along = AxisMeasures([one.measure for one in runs], axis, points)
        run = as_read(
            [
                one._replace(settings=at[0].settings(shared))
                for one, at in zip(runs, along.each.values(), strict=True)
            ]
        )
        corpus = systems_of(asked, ref, hyps, run)
        found = sweep_along(corpus, along, shared)
    check_labels(asked, [corpus], run.settings)
    return found


def thresholds(
    asked: RunRequest, ref: SideSource, hyps: Systems, points: Confidences, tolerance: Any
) -> Thresholds:
    """The counts of each system at thresholds of confidence, through one tolerance or none."""
    from ..analysis.thresholds import thresholds_of

    run = run_of(asked, "slots")
    if tolerance is not None:
        run = _at_first(asked, (tolerance,))
    if run.settings.is_bound:
        raise UsageFault("--upper-bound keeps no element of a hypothesis, nor its --confidence")
    precision, default = (asked.values[name] for name in ("precision", "confidence_default"))
    corpus = systems_of(asked, ref, hyps, run)
    found = thresholds_of(
        corpus,
        points,
        run.settings,
        default=default and float(default),
        precision=precision and Fraction(precision),
    )
    check_labels(asked, [corpus], run.settings)
    return found


def sweep_elements(
    asked: RunRequest, ref: SideSource, hyps: Systems, points: Sequence[int]
) -> tuple[Sweep, dict[str, list[AnyScore]]]:
    """The sweep of systems in time, and the scores of each at each tolerance, with all outcomes."""
    from ..analysis.compare import with_interval
    from ..analysis.resampling import Resampling
    from ..analysis.sweep import sweep_of

    measures: Sequence[Measure] = asked.values["measure"] or ()
    if measures and not _is_of_counts(measures):
        raise UsageFault("a page shows slot error rates, expected it without other measures")
    run = _at_first(asked, points)
    corpus = systems_of(asked, ref, hyps, run)
    every = [run.but(tolerance=(at, at)).scorer() for at in points]
    found = together(every).scores(corpus)
    scores: dict[str, list[AnyScore]] = {
        name: [with_interval(score, Resampling(resamples=1000)) for score in own]
        for name, own in found.items()
    }
    swept = sweep_of(corpus, points, run.settings)
    check_labels(asked, [corpus], run.settings)
    return swept, scores


def _at_first(asked: RunRequest, points: Sequence[int]) -> Run:
    """The scoring of slots at the first of the points."""
    run = run_of(asked, "slots")
    if run.settings.tolerance is not None:
        raise UsageFault(f"--measure {run.measure}: tolerance has no effect in this command")
    return run.but(tolerance=(points[0], points[0]))


def _is_of_counts(measures: Sequence[Measure]) -> bool:
    """Whether a sweep of counts shows the measures: one slot error rate through times."""
    [first, *others] = measures
    is_rate = first.family.counts == "slots" and first.figure == "SER"
    return is_rate and not others and first.values["by"] == "time"


def _check_swept(measures: Sequence[Measure], axis: Axis, asked: RunRequest) -> None:
    """Refuse a sweep without a measure, or with one that no tolerance changes."""
    from ..analysis.grids import EXTENT

    if not measures:
        example = "mitre.extent" if axis is EXTENT else "SER(by=text)"
        raise UsageFault(
            f"found no measure for these points, expected one such as --measure {example}"
        )
    for one in measures:
        is_swept = one.family.counts in ("slots", "elements", "words") and one.family.has_places
        if not is_swept:
            raise UsageFault(f"--measure {one} is not for {asked.what}: no tolerance changes it")


# --- several annotators --------------------------------------------------------------------------


EFFECTIVE = {
    *LABEL_OPTIONS,
    *("grammar", "places", "ref_format", "encoding", "reading", "columns"),
    *("format", "output", "table"),
}
"""The options that have an effect with several annotators: their annotations are not aligned."""


def agreement_of(
    paths: Sequence[str],
    asked: RunRequest,
    places: int,
    tell: Callable[[str, Iterable[Note]], object] = lambda *_: None,
) -> Annotators:
    """Read the annotations of several annotators, and count their agreement."""
    from ..analysis.agreement import annotators

    for name in asked.named:
        if name not in EFFECTIVE and name in asked.values:
            expected = f"{flag(name)} has no effect with several annotators"
            raise UsageFault(f"{expected}, expected two")
    run, sides = run_of(asked), sides_of(asked)
    read = {
        # nothing is shared: each annotator of an export has other documents at the same path
        name: _read(path, sides._replace(reading=reading, known={}), tell)
        for name, path, reading in _annotations(paths, asked, sides)
    }
    if all(len(own) == 1 for own in read.values()):
        read = _as_one(read, paths, tell)
    every = [one for own in read.values() for one in own]
    labels = run.settings.labels
    labels.check(labels_of(every), run.settings.neutral)
    found = {}
    for name, own in read.items():
        found[name] = [labels.relabel(one) for one in own]
    settings = (*labels.signature, ("version", __version__))
    return annotators(found, places=places, settings=settings)


def _as_one(
    read: Mapping[str, list[Document]],
    paths: Sequence[str],
    tell: Callable[[str, Iterable[Note]], object],
) -> dict[str, list[Document]]:
    """The only document of each annotator, under the name of the first."""
    first = next(iter(read.values()))[0].id
    for path, [one] in zip(paths, read.values(), strict=False):
        if one.id != first:
            tell(path, [Note(OTHER_NAME, 1, places=(Place(f"{one.id} with {first}"),))])
    return {name: [replace(one, id=first)] for name, [one] in read.items()}


def _annotations(
    paths: Sequence[str], asked: RunRequest, sides: Sides
) -> list[tuple[str, str, ReadingOptions]]:
    """The name of each annotator, the path of the annotations, and how it is read."""
    reading = sides.reading
    if len(paths) > 1:
        named = distinct_names(paths, "annotators")
        return [(name, path, reading) for name, path in zip(named, paths, strict=True)]
    own = _annotators_in(paths[0], sides)
    if len(own) < 2:
        raise UsageFault(
            "found one path, expected the annotations of two or more annotators, or an export of "
            "Label Studio with several"
        )
    policies = dict(reading.policies)
    return [
        (name, paths[0], replace(reading, policies=tuple({**policies, "annotator": name}.items())))
        for name in own
    ]


def _annotators_in(path: str, sides: Sides) -> list[str]:
    """The annotators of the exports of Label Studio at a path."""
    from ..formats.annotated import annotators as annotators_of_tasks

    reading = sides.wanting(ref=FORMATS).reading_of("ref")
    found: set[str] = set()
    for file in files(path, reading):
        if file.format == "labelstudio":
            found.update(annotators_of_tasks(file.opened()))
    return sorted(filter(None, found))


def _read(
    path: str,
    sides: Sides,
    tell: Callable[[str, Iterable[Note]], object],
) -> list[Document]:
    """The documents of one annotator."""
    [entries] = sides.entries({"ref": path})
    found = [exact(entry.read()) for entry in entries or []]
    tell(path, [note for one in found for note in one.notes])
    return found
