"""What commands compute: functions of what a user asks of a run.

The command line and the functions in Python call the same functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..corpus.corpus import (
    ALTERED,
    EMPTIED,
    UNASKED,
    UNHEARD,
    Corpus,
    Entry,
    exact,
    have_same_output,
)
from ..documents.model import Note
from ..errors import POLICY, InputError, SerevalError, UsageFault
from ..evaluation.settings import ByWords, Settings, Signature
from ..formats import ANNOTATIONS, FORMATS, files, read_each
from ..labels import labels_of
from ..schemes.measure import DEFINITION, OF_LABELS, Measure, parse_measure
from ..schemes.table import BY_LIST, MEASURED, WITHOUT_ELEMENTS, WORDS, schemes_that_count
from .scoring import (
    Request,
    Run,
    has_outcomes,
    refuse,
    settings_for,
)
from .sides import (
    Sides,
    SideSource,
    distinct_names,
    groups_of,
    with_common_name,
)

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.agreement import Annotations, Annotators
    from ..analysis.audit import AnyScore
    from ..analysis.blame import SystemBlame
    from ..analysis.compare import Comparison
    from ..analysis.measured import Measured
    from ..analysis.points import Axis, Confidences
    from ..analysis.rates import Score
    from ..analysis.stability import Stability
    from ..analysis.strata import Property
    from ..analysis.sweep import Sweep, Thresholds

# --- one system ----------------------------------------------------------------------------------


def score(asked: Request) -> Any:
    """The score of a system, with an interval if a confidence is asked for."""
    resampling = asked.resampling() if "confidence" in asked.chosen else None
    if resampling is None:
        refuse(asked.named, ("resamples", "seed", "unit"), "without --confidence")
    if asked.measure is not None:
        refuse(asked.named, ("confidence", *STRATA), "with --measure")
        return _measured(asked)
    run = asked.run
    if run.scheme.counts != "slots":
        refuse(asked.named, STRATA, f"with --scheme {run.scheme.name}")
    has_strata = any((asked.strata, asked.train, asked.groups, asked.speakers))
    corpus = asked.open(run)
    properties = _properties(asked, run) if has_strata else {}
    keeps_outcomes = not asked.format  # a function has none: its score may be audited
    keeps = (keeps_outcomes or has_strata) and run.scheme.counts == "slots"
    if resampling is not None:
        keeps = keeps_outcomes or resampling.unit_of(len(corpus.documents)) == "utterance"
    [found] = run.scorer(keeps_outcomes=keeps).scores(corpus).values()
    asked.check_labels()
    if resampling is not None:
        from ..analysis.compare import with_interval  # slow to import

        found = with_interval(found.by(run.measure.figure), resampling)
    if not properties:
        return found
    from ..analysis.strata import strata

    return strata(found, properties)


STRATA = ("strata", "train", "groups", "speakers")
"""The options that ask for strata."""


def _properties(asked: Request, run: Run) -> dict[str, Property]:
    """The properties that the options ask for."""
    from ..analysis.strata import PROPERTIES, by_group, by_speaker, by_training, read_turns

    names = ",".join(asked.strata).split(",") if asked.strata else []
    for name in names:
        if name not in PROPERTIES:
            known = ", ".join(PROPERTIES)
            raise UsageFault(f"--strata is {name!r}, expected one of {known}")
    found = {name: PROPERTIES[name] for name in names}
    if asked.train is not None:
        reading = asked.sides.reading_of("ref", ANNOTATIONS)
        documents = map(exact, read_each(asked.train, reading))
        found["training"] = by_training(map(run.settings.labels.relabel, documents))
    if asked.groups:
        found["group"] = by_group(groups_of(asked.groups, asked.sides.reference_ids))
    if asked.speakers is not None:
        found["speaker"] = by_speaker(read_turns(asked.speakers))
    return found


def _measured(asked: Request) -> Measured:
    """The values of several measures; those that need places of mentions read documents apart."""
    from ..analysis.measured import Measured, biasing_of, check_run, measuring

    measures = [one.measure for one in asked.runs]
    shared = settings_for(asked, DEFINITION)
    lists = biasing_of(asked.biasing, measures)
    check_run(measures, shared)
    scores: dict[Measure, Score] = {}
    notes: list[str] = []
    for has_places in (True, False):
        own = [one for one in asked.runs if one.scheme.has_places == has_places]
        if own:
            scorer = measuring([one.measure for one in own], shared, lists)
            [part] = scorer.scores(asked.open(_as_read(own, has_lists=bool(lists)))).values()
            scores |= part.scores
            notes += part.read
    asked.check_labels()
    return Measured({one: scores[one] for one in measures}, tuple(dict.fromkeys(notes)))


def _as_read(runs: Sequence[Run], *, has_lists: bool = False) -> Run:
    """How documents are read that all measures score; with biasing lists, words may be enough."""
    if has_lists:
        words = parse_measure(WORDS.name)
        runs = [one._replace(measure=words) if one.scheme in BY_LIST else one for one in runs]
    settings = next((one.settings for one in runs if one.settings.is_projected), runs[0].settings)
    first = min(runs, key=lambda one: one.scheme in WITHOUT_ELEMENTS)
    return first._replace(settings=settings)


def audit(asked: Request) -> AnyScore:
    """The score of a system with the outcome of each element."""
    found: AnyScore
    [found] = asked.run.scorer().scores(asked.open(asked.run)).values()
    asked.check_labels()
    return found


def agreement(asked: Request) -> Annotations:
    """The scores from which the agreement of two annotators is computed."""
    from ..analysis.agreement import score_annotations

    found = score_annotations(asked.open(asked.run), asked.run.settings)
    asked.check_labels()
    return found


OF_POLICIES = (ALTERED, EMPTIED, UNASKED, UNHEARD)
"""The notes on what ``--altered-words`` and ``--missing`` change."""


def ways_to_read(asked: Request) -> tuple[list[str], list[str]] | None:
    """The options, such as ``--read crossing=drop``, with which a system can be scored.

    They are those that refusals name, tried one after another; ``None``: they are not enough.
    Beside them what they change.
    """
    reading = asked.sides.reading
    taken: dict[str, str] = {}  # as they are typed, by name of the policy or of the option
    while True:
        options = [one.split() for one in taken.values()]
        read = dict(value.split("=") for name, value in options if name == "--read")
        policies = {**dict(reading.policies), **read}
        how = replace(reading, policies=tuple(sorted(policies.items())))
        values = {name[2:].replace("-", "_"): value for name, value in options if name != "--read"}
        tried = replace(
            asked,
            options={**asked.options, **values},
            conditions=[asked.sides._replace(reading=how)],
        )
        try:
            corpus = tried.corpus(tried.run, tried.sides)
            corpus.by_system(corpus.check)
            break
        except SerevalError as error:
            named = reversed(re.findall(POLICY, str(error)))
            new = {re.split("[ =]", one)[-2]: one for one in named}
            if new.keys() <= taken.keys():
                return None
            taken = {**new, **taken}
    changes = [
        f"{path or role}: {note.what}: {note.count}"
        for (role, path), notes in corpus.notes.items()
        for note in notes
        if note.choice in [value for _, value in options] or note.what in OF_POLICIES
    ]
    return [*taken.values()], changes


HTML = "html"
"""The format of pages, which need the outcome of each element."""


# --- several systems, in one condition or more ---------------------------------------------------


def _systems(asked: Request, run: Run) -> dict[str, tuple[Run, Corpus]]:
    """The systems of each condition, unread, and how they are scored with its alignment."""
    found = {}
    for condition in asked.conditions:
        how = run.of(condition)
        name = "same words" if how.settings.tolerance is None else "through time"
        if how.settings.through is not None or how.scheme.name == "evalita2011":
            name = f"by {(how.settings.through or ByWords()).by}"
        if how.scheme.counts == "words":
            name = "words"
        found[condition.condition or name] = how, asked.open(how, condition)
    return found


def compare(asked: Request) -> Comparison:
    """Compare systems by each measure, in one condition or in those of a campaign."""
    from ..analysis.compare import compare as compare_scores

    conditions: dict[str, dict[str, Score]] = {}
    same, units, resampling = {}, {}, asked.resampling()
    needs = f"--format {HTML}" if asked.format == HTML else ""
    if asked.table == "elements":
        needs = "--table elements"
    if needs:
        check_outcomes(asked, needs)
    keeps_outcomes = needs or not asked.format  # a function has none: its page may be asked for
    for run in asked.runs:
        drawn = resampling
        if run.scheme.counts in MEASURED:
            if drawn.unit == "utterance":
                raise UsageFault(
                    f"--measure {run.measure} is counted by document, expected --unit document"
                )
            drawn = replace(drawn, unit="document")
        systems = _systems(asked, run)
        groups = groups_of(asked.groups, asked.sides.reference_ids)
        for name, (how, corpus) in systems.items():
            if len(asked.runs) > 1:
                name = f"{run.measure}, {name}" if len(systems) > 1 else str(run.measure)
            conditions[name] = how.scores(corpus, None if keeps_outcomes else drawn)
            same[name] = _identical_systems(corpus, conditions[name])
            units[name] = drawn.unit
    asked.check_labels()
    blames = _campaign_blames(asked, [*conditions.values()])
    return compare_scores(conditions, resampling, same, blames=blames, groups=groups, units=units)


def _identical_systems(corpus: Corpus, scores: Mapping[str, Score]) -> tuple[tuple[str, ...], ...]:
    """The systems with the same output; those with equal rates are read again."""
    from ..analysis.rates import exact_rate

    def outputs(name: str) -> list[Entry | None]:
        return [one for pair in corpus.systems[name] for one in (pair.hyp_times, pair.hypothesis)]

    found: list[list[str]] = []
    for name in sorted(scores):
        for group in found:
            first = group[0]
            is_level = exact_rate(scores[first]) == exact_rate(scores[name])
            if is_level and have_same_output(outputs(first), outputs(name)):
                group.append(name)
                break
        else:
            found.append([name])
    return tuple(tuple(group) for group in found if len(group) > 1)


def stability(asked: Request) -> list[Stability]:
    """The systems of each condition under other alignment criteria."""
    from ..analysis.stability import stability as stability_of  # slow to import

    check_outcomes(asked, "--stability")
    if asked.run.scheme.counts != "slots" or asked.run.measure.values["by"] != "time":
        raise UsageFault(
            "--stability is about slot error rates through time or on the same words, expected it "
            f"with --scheme {' or '.join(schemes_that_count('slots'))} and without --by"
        )
    needs_grammar = asked.changes.has_changes
    unused = _WITHOUT_EFFECT if needs_grammar else ("grammar", *_WITHOUT_EFFECT)
    refuse(asked.named, unused, "with --stability")
    read = _systems(asked, asked.run)
    for name, (how, _) in read.items():
        if how.settings.through is not None:
            raise SerevalError(
                f"--stability: condition {name!r} aligns words, expected a tolerance in time"
            )
    found = [stability_of(name, corpus, how.settings) for name, (how, corpus) in read.items()]
    asked.check_labels()
    return found


def check_outcomes(asked: Request, option: str) -> None:
    """Refuse measures that give no element an outcome, or several, where outcomes are needed."""
    measures = asked.measure or ()
    for one in measures:
        if not has_outcomes(one):
            raise UsageFault(
                f"{option} needs the outcome of each element, expected it without --measure {one}"
            )
    if len(measures) > 1:
        raise UsageFault(f"{option} takes one measure, found {len(measures)} of them")


_WITHOUT_EFFECT = (
    "groups",
    "alternatives",
    "resamples",
    "seed",
    "confidence",
    "unit",
    "is_bound",
)
"""Options that change nothing in stability, which draws no samples and reports no labels."""


# --- what recognisers cost -----------------------------------------------------------------------


def blame(asked: Request) -> list[SystemBlame]:
    """What the recognisers cost the systems.

    Args:
        asked: the run; its first condition may have the outputs on the words of the references.
    """
    run = asked.run
    if asked.conditions[-1].alignment is None and not run.settings.is_projected:
        raise UsageFault(
            "expected --tolerance, or --by text or phones: the words of the recogniser are "
            "others than those of the reference"
        )
    found = list(_blames(asked, asked.conditions))
    asked.check_labels()
    return found


def with_manual(asked: Request, manual: SideSource) -> Request:
    """The same run with the output of its system on the words of the references beside it."""
    own = asked.sides._replace(systems={"": manual}, alignment=Settings())
    asked.conditions = [own, *asked.conditions]
    return asked


def _blames(asked: Request, conditions: Sequence[Sides]) -> Iterator[SystemBlame]:
    """The blame of each system on the words of each recogniser, in the order of the conditions."""
    from ..analysis.blame import SystemBlame, blame_together, score_manual

    manual = [one for one in conditions if not one.is_projected]
    if len(manual) != 1 or len(conditions) < 2:
        s = "" if len(conditions) == 1 else "s"
        raise InputError(
            f"{len(manual)} of {len(conditions)} condition{s} without a tolerance, expected one, "
            "on reference words, and others with a tolerance",
            path=asked.campaign,
        )
    [own] = manual
    others = [one for one in conditions if one is not own]
    for one in others:
        for system in one.systems.keys() - own.systems.keys():
            raise InputError(
                f"systems.{system} has {one.condition} and no {own.condition}, expected both",
                path=asked.campaign,
            )
    known: dict[tuple[str, ...], Any] = {}
    for one in others:
        heard = asked.runs[0].of(one)
        systems = {name: own.systems[name] for name in one.systems}
        said = heard.but(tolerance=None, through=None)
        # reference words have no word errors
        plain = one._replace(systems=systems, words=(), alternatives=())
        on_manual, on_heard = asked.open(said, plain), asked.open(heard, one)
        key = (str(heard.settings.signature), *systems)
        if key not in known:
            known[key] = score_manual(on_manual, heard.settings)
        blames = blame_together(
            known[key],
            on_heard,
            heard.settings,
            context=asked.context,
            resampling=asked.resampling(),
        )
        for system, blame in blames.items():
            yield SystemBlame(system, one.condition, blame)


def _campaign_blames(asked: Request, scored: Sequence[Mapping[str, Score]]) -> list[SystemBlame]:
    """What the recognisers of a campaign cost each system that was run on reference words too."""
    manual = [one for one in asked.conditions if not one.is_projected]
    if asked.runs[0].scheme.name != DEFINITION.name or len(manual) != 1:
        return []
    [own] = manual
    both = [own]
    for one, scores in zip(asked.conditions, scored, strict=False):  # those of the first measure
        if one is not own and not any(map(_has_mentions, scores.values())):
            of_both = one.systems.items()
            shared = {name: hyp for name, hyp in of_both if name in own.systems}
            both.append(one._replace(systems=shared))
    return list(_blames(asked, both)) if len(both) > 1 else []


def _has_mentions(score: Any) -> bool:
    """Whether the mentions of a hypothesis of an evaluation were found in the reference's words."""
    notes = (note for one in score.documents for note in one.notes[1])
    return any(note.choice.endswith(":reference") for note in notes)


# --- sweeps --------------------------------------------------------------------------------------


def sweep(asked: Request) -> Sweep | Thresholds:
    """The counts, or the values of measures, of each system at each point that is asked for."""
    from ..analysis.points import EXTENT, TIME, axis_of
    from ..analysis.sweep import NO_PAGE, sweep_of

    times, extents, kept = asked.grid_text or (), asked.extent_points or (), asked.thresholds
    if kept is not None:
        if len(times) > 1 or extents or asked.format == HTML:
            raise UsageFault(
                "--confidence takes one --tolerance or none, no --extent-tolerance and no page; "
                "expected text, json, csv or --plot"
            )
        return _thresholds(asked, kept, times)
    refuse(asked.named, ("precision", "confidence_default"), "without --confidence")
    if times and extents:
        raise UsageFault("found --tolerance and --extent-tolerance, expected one of them")
    if not times and not extents:
        raise UsageFault(
            "expected --tolerance, in seconds such as 0:1:0.05 or 0,0.1,0.3; or --extent-tolerance"
        )
    axis, points = (axis_of(times), times) if times else (EXTENT, extents)
    first, *others = (one.measure for one in asked.runs)
    is_rate = first.family.counts == "slots" and first.figure == "SER" and not others
    if axis is TIME and is_rate and first.values["by"] == "time":
        run = _of_slots(asked, points)
        found = sweep_of(asked.open(run), points, run.settings)
    elif asked.format == HTML:
        raise UsageFault(NO_PAGE)
    else:
        found = _sweep_measures(asked, axis, points)
    asked.check_labels()
    return found


def _sweep_measures(asked: Request, axis: Axis, points: Sequence[int]) -> Sweep:
    """The values of measures at each point."""
    from ..analysis.measured import check_run
    from ..analysis.points import EXTENT
    from ..analysis.sweep import sweep_along

    if asked.measure is None:
        example = "mitre.extent" if axis is EXTENT else "SER(by=text)"
        raise UsageFault(
            f"found no measure for these points, expected one such as --measure {example}"
        )
    measures = [one.measure for one in asked.runs]
    for one in measures:
        is_swept = one.family.counts in ("slots", "elements", "words") and one.family.has_places
        if not is_swept:
            raise UsageFault(f"--measure {one} is not for {asked.what}: no tolerance changes it")
    shared = settings_for(asked, DEFINITION)
    check_run(measures, shared)
    along = axis.along(measures, points)
    run = _as_read(
        [
            one._replace(settings=at[0].settings(shared))
            for one, at in zip(asked.runs, along.values(), strict=True)
        ]
    )
    return sweep_along(asked.open(run), along, axis, points, shared)


def _thresholds(asked: Request, kept: Confidences, times: Sequence[int]) -> Thresholds:
    """The counts of each system at thresholds of confidence, through one tolerance or none."""
    from ..analysis.sweep import thresholds_of

    run = _of_slots(asked, times)
    if run.settings.is_bound:
        raise UsageFault("--upper-bound keeps no element of a hypothesis, nor its --confidence")
    precision, default = asked.precision, asked.confidence_default
    found = thresholds_of(
        asked.open(run),
        kept,
        run.settings,
        default=float(default) if default else None,
        precision=Fraction(precision) if precision else None,
    )
    asked.check_labels()
    return found


def _of_slots(asked: Request, points: Sequence[int]) -> Run:
    """The scoring of slots by the only measure, at the first of the points if there are some."""
    run = asked.run
    if run.scheme.counts != "slots" or not has_outcomes(run.measure):
        raise UsageFault(f"--measure {run.measure} is not for {asked.what}, expected SER")
    if not points:
        return run
    if run.settings.tolerance is not None:
        raise UsageFault(f"--measure {run.measure}: tolerance has no effect in this command")
    return run.but(tolerance=(points[0], points[0]))


# --- several annotators --------------------------------------------------------------------------


EFFECTIVE = {
    *OF_LABELS,
    *("places", "ref_format", "encoding", "reading", "columns", "format", "output", "table"),
}
"""The options that have an effect with several annotators: their annotations are not aligned."""


def agreement_of(
    paths: Sequence[str],
    asked: Request,
    places: int,
    tell: Callable[[str, Iterable[Note]], object],
) -> Annotators:
    """Read the annotations of several annotators, and count their agreement."""
    from ..analysis.agreement import annotators

    idle = sorted({*asked.named} - EFFECTIVE)
    refuse(asked.named, idle, "with several annotators, expected two")
    labels = asked.changes
    sources = list(_annotations(paths, asked.sides))
    listed = with_common_name(None, [sides.listed("ref", path) for _, path, sides in sources])
    read = {}
    for (name, path, _), own in zip(sources, listed, strict=True):
        read[name] = [exact(entry.read()) for entry in own or ()]
        tell(path, [note for one in read[name] for note in one.notes])
    labels.check(labels_of(chain(*read.values())), frozenset())
    found = {name: [*map(labels.relabel, own)] for name, own in read.items()}
    return annotators(found, places=places, settings=Signature.of(*labels.signature))


def _annotations(paths: Sequence[str], sides: Sides) -> Iterator[tuple[str, str, Sides]]:
    """The name of each annotator, the path of the annotations, and how it is read."""
    if len(paths) > 1:
        for name, path in zip(distinct_names(paths, "annotators"), paths, strict=True):
            yield name, path, sides
        return
    from ..formats.annotated import annotators as annotators_of_tasks

    [path] = paths
    listed = files(path, sides.reading_of("ref", FORMATS))
    tasks = [file.opened() for file in listed if file.format == "labelstudio"]
    names = sorted({name for file in tasks for name in annotators_of_tasks(file) if name})
    if len(names) < 2:
        raise UsageFault(
            "found one path, expected the annotations of two or more annotators, or an export of "
            "Label Studio with several"
        )
    for name in names:
        policies = {**dict(sides.reading.policies), "annotator": name}
        reading = replace(sides.reading, policies=tuple(policies.items()))
        yield name, path, sides._replace(reading=reading)
