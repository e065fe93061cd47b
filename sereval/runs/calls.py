"""The commands as functions: ``score``, ``compare``, ``sweep``, ``audit`` and ``blame``.

Each takes the inputs of the command of its name as paths, as documents or as plain lists, and the
command's options as arguments: ``--extent-tolerance 2`` is ``extent_tolerance=2``. It returns the
value from which the command makes its report. ``compare``, ``sweep``, ``audit`` and ``blame`` also
take the values of the stages that they are named for, as those stages define.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..analysis.resampling import Resampling
from ..documents.model import Document, Reference
from ..errors import InputError, SerevalError
from ..evaluation.totals import Evaluation
from ..integrations.documents import recognised
from ..schemes.table import OUTCOMES
from .arguments import asked_with, kept_options, seconds_in
from .lists import sources_of
from .measures import (
    alternatives_beside,
    measure_sides,
    with_measure,
    without_words,
)
from .pairs import (
    check_labels,
    condition_of,
    for_interval,
    pairs_of,
    pairs_of_both,
    system_names,
)
from .scoring import RunRequest, scoring_of, split, tolerances
from .sides import SideSource

if TYPE_CHECKING:  # each function loads the stage that it calls
    from ..analysis.audit import Audit, Audits
    from ..analysis.blame import Blame
    from ..analysis.compare import Comparison
    from ..analysis.gate import Gate
    from ..analysis.grids import Axis
    from ..analysis.measured import Measured
    from ..analysis.sweep import Sweep
    from ..schemes.result import SchemeScore

RESAMPLING = ("resamples", "seed", "confidence", "unit")
"""The arguments about resampling."""


def score(reference: Any, hypothesis: Any, **options: Any) -> Evaluation | SchemeScore | Measured:
    """Score a hypothesis against a reference, as ``sereval score`` does.

    Args:
        reference, hypothesis: a path; a document or a list of documents, which pair by id; or a
            list with the annotation of each document, which pair by order: tags, as for seqeval
            and Hugging Face's ``evaluate``; spans ``(label, start, end)`` in frontiers; objects
            with ``label``, ``start`` and ``end``, the last word, as for nervaluate; pairs of a
            label and a text (scheme ``slue``); or a form that :class:`sereval.Metric` takes.
        options: the options of ``sereval score`` by their names, with underscores: ``align``,
            ``words``, ``tolerance``, ``scheme``, ``measure`` and others
            (docs/reference/settings.md). ``tolerance`` is in seconds, a ``float`` or a text,
            or has its unit: ``"300ms"``; a whole number has none and is refused. ``grammar``,
            ``map`` and ``costs`` may also be values. ``confidence``, such as ``0.95``, asks for an
            interval, the member ``interval`` of the score.

    Returns:
        An :class:`sereval.Evaluation`; under another scheme a :class:`sereval.SchemeScore`; with
        ``measure`` a :class:`sereval.Measured`. ``to_json()`` gives the report of the command.

    Raises:
        SerevalError: as for the command; the message names the argument.
        TypeError: there is no such argument.

    >>> score([["B-PER", "O", "O"]], [["B-PER", "O", "B-LOC"]]).ser
    1.0
    >>> score([[("PER", 0, 2)]], [[("PER", 0, 1)]], measure="SER,F1").values
    {SER: 0.5, F1: 0.0}
    """
    own = {"measure": None, "biasing": None, **dict.fromkeys(RESAMPLING)}
    asked = asked_with("score", options, *OUTCOMES, **own)
    asked, resampling = _interval(asked)
    sides = _sources(asked, {"reference": reference, "hypothesis": hypothesis})
    ref, hyp = sides.pop("reference"), sides.pop("hypothesis")
    if asked.values["measure"] is not None:
        values = {name: one for name, one in asked.values.items() if name != "measure"}
        measures = _measures(asked.values["measure"])
        return measure_sides(ref, hyp, measures, asked.with_values({**values, **sides}))[0]
    values = {name: one for name, one in without_words(asked).values.items() if name != "measure"}
    how, others = scoring_of(asked.with_values({**values, **sides}))
    others["alternatives"] = alternatives_beside(asked, how)
    others.pop("aligned")
    if resampling is not None:
        how = for_interval(how)
    pairs = pairs_of(ref, hyp, how, **others)
    has_outcomes = how.scheme.counts == "slots" or resampling is not None
    [found] = (how.score(pairs) if has_outcomes else how.count(pairs)).values()
    check_labels([pairs], how.settings)
    if resampling is not None:
        from ..analysis.compare import with_interval

        found = with_interval(found, resampling)
    return found


def _interval(asked: RunRequest) -> tuple[RunRequest, Resampling | None]:
    """The options without those of resampling, and the settings of resampling if there are some.

    Raises:
        SerevalError: settings of resampling without ``confidence``, or with ``measure``.
    """
    own, others = split(asked.values, RESAMPLING)
    named = {name: value for name, value in own.items() if value is not None}
    asked = replace(asked, values=others)
    if own["confidence"] is None:
        if named:
            raise SerevalError(f"--{min(named)} goes with --confidence")
        return asked, None
    if others["measure"] is not None:
        raise SerevalError("--confidence has no effect with --measure, expected one of them")
    return asked, Resampling(**named)


def compare(*inputs: Any, **options: Any) -> Comparison:
    """Compare several systems on one reference, as ``sereval compare`` does.

    Args:
        inputs: the reference, then the hypothesis of each system, each an argument of its own as
            for :func:`sereval.score`: ``compare("ref", "hyp/crf", "hyp/gaz")``. One mapping from
            the names of systems may replace the hypotheses. Scores are compared as they are:
            ``conditions`` maps each condition to the scores of its systems by name, and
            ``resampling`` is a :class:`sereval.Resampling`.
        options: the options of ``sereval compare``; ``system`` names the systems, ``words`` may be
            one source or a list with one for each system; ``measure`` as for
            :func:`sereval.score`.

    Returns:
        The rates with their intervals, and the differences with their tests. Rates are fractions.

    Raises:
        SerevalError: as for the command; hypotheses that are no paths have no names.
        TypeError: there is no such argument.

    >>> gold, bad = [["B-PER", "O"]], [["B-LOC", "O"]]
    >>> [system.name for system in compare(gold, {"good": gold, "bad": bad}).conditions[0].systems]
    ['bad', 'good']
    """
    from ..analysis import compare as comparisons
    from .conditions import ConditionSides
    from .measure_runs import runs_of

    if "conditions" in options or inputs and isinstance(inputs[0], Mapping):
        return comparisons.compare(*inputs, **options)
    own = {name: getattr(Resampling(), name) for name in RESAMPLING}
    asked = asked_with("compare", options, *OUTCOMES, measure=None, system=(), **own)
    names, ref, hyps, sides = systems_asked(asked, inputs)
    resampling = Resampling(**{name: asked.values[name] for name in RESAMPLING})
    asked = with_measures(asked.without(*RESAMPLING))
    runs = runs_of(asked.with_values({**asked.values, **sides}), resampling)
    found, read = {}, []
    for run in runs:
        condition, alignment = condition_of(run.how, run.rate)
        own = {"ref": ref, **{name: run.sides[name] for name in ("align", "words")}}
        systems = ConditionSides(condition, alignment, dict(zip(names, hyps, strict=True)), own)
        values = {**plain(run.sides)}
        scored, copies, streams = run.scores([systems], values, run.resampling)
        read += streams
        found[str(run.measure)] = comparisons.compare(scored, run.resampling, copies)
    check_labels(read, *(run.how.settings for run in runs))
    return comparisons.by_measure(found)


def sweep(*inputs: Any, **options: Any) -> Sweep:
    """Score systems at many tolerances in time, as ``sereval sweep`` does.

    Args:
        inputs: as for :func:`sereval.compare`.
        options: the options of ``sereval sweep``. ``tolerance`` is a text such as ``"0:1:0.05"``,
            or a list of seconds; ``extent_tolerance`` a text or a list of numbers of words;
            ``measure`` as for :func:`sereval.score`.

    Returns:
        The counts, or the values of the measures, of each system at each tolerance.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> words = dict(words=("a", "Dol"), times=((0, 200), (200, 600)))
    >>> gold = Document("d", **words)
    >>> sweep(gold, {"crf": gold}, tolerance="0,300ms").tolerances
    (0, 300)
    """
    from .sweeps import sweep_sides

    axis, points = _points_of(options)
    given = {name: one for name, one in options.items() if name not in _POINTS}
    asked = asked_with("sweep", given, "slots", measure=None, system=())
    names, ref, hyps, sides = systems_asked(asked, inputs)
    asked = with_measures(asked.with_values({**plain(asked.values), **sides}))
    return sweep_sides(ref, dict(zip(names, hyps, strict=True)), axis, points, asked)[0]


_POINTS = ("tolerance", "extent_tolerance")


def _points_of(options: Mapping[str, Any]) -> tuple[Axis, tuple[int, ...]]:
    """The points of a sweep, and what changes from point to point.

    Raises:
        SerevalError: there are none, or two kinds of points.
    """
    named = [name for name in _POINTS if options.get(name) is not None]
    if len(named) != 1:
        raise SerevalError(
            "argument tolerance: found none, expected tolerances in seconds, such as '0:1:0.05' or "
            "[0, 0.1, 0.3]; or extent_tolerance"
        )
    from ..analysis.grids import EXTENT, axis_of, extents

    value = options[named[0]]
    if named[0] == "tolerance":
        points = seconds_in("tolerance", tolerances, value)
        return axis_of(points), points
    text = value if isinstance(value, str) else ",".join(map(str, value))
    return EXTENT, extents(text)


def audit(*inputs: Any, **options: Any) -> Audits | Iterator[Audit]:
    """Explain a score: all elements with their outcomes, as ``sereval audit`` does.

    Args:
        inputs: reference and hypothesis, as for :func:`sereval.score`. Or one score: an evaluation,
            or the score of another scheme with a chosen figure.
        options: the options of ``sereval audit`` that say how to score.

    Returns:
        The audits of all documents; ``to_json()`` gives the lines of ``--format jsonl``. Of one
        score, an iterator over its audits.

    Raises:
        SerevalError: as for the command; the score of another scheme has no chosen figure.
        TypeError: there is no such argument.

    >>> found = audit([["B-PER", "O"]], [["B-LOC", "O"]])
    >>> [(row.side, row.label, row.slot.value) for row in found.rows]
    [('reference', 'PER', 'S_T'), ('hypothesis', 'LOC', 'S_T')]
    """
    from ..analysis import audit as audits

    if "score" in options or len(inputs) == 1:
        return audits.audit(*inputs, **options)
    asked = asked_with("audit", options, *OUTCOMES, measure=None)
    sides = _sources(asked, _named(inputs, ("reference", "hypothesis"), "audit"))
    ref, hyp = sides.pop("reference"), sides.pop("hypothesis")
    values = _with_measure(asked, *OUTCOMES)
    shown = ("align", "words")  # for what is shown
    how, rest = scoring_of(asked.with_values({**values, **sides}), besides=shown)
    rest["alternatives"] = alternatives_beside(asked, how)
    pairs = pairs_of(ref, hyp, how, **plain(rest))
    [found] = how.score(pairs).values()
    check_labels([pairs], how.settings)
    return audits.Audits(found, tuple(audits.audit(found)))


def blame(*inputs: Any, **options: Any) -> Blame:
    """Divide a system's errors between the recogniser and the system, as ``sereval blame`` does.

    Args:
        inputs: the reference, the system's output on the words of the reference, and its output on
            the recogniser's words, each as for :func:`sereval.score`. Lists of documents may come
            with ``through``, ``labels`` and ``workers``, as for :func:`sereval.evaluate`.
        options: the options of ``sereval blame`` that say how to score, and ``context``, the number
            of words on either side that are near an element.

    Returns:
        The costs, the shares, and the outcomes of each element on both kinds of words.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> from sereval import from_spans
    >>> words, times = ("mister", "Chirac"), ((0, 300), (300, 800))
    >>> gold = Document("d", words, from_spans(words, [("pers", 1, 2)]).elements, times)
    >>> found = Document("d", ("mister", "she", "rack"), times=((0, 300), (300, 500), (500, 800)))
    >>> str(blame(gold, gold, found, tolerance="100ms").shares["recogniser"])
    '1/2'
    """
    from ..analysis import blame as blames

    if not inputs or options.keys() & {"through", "labels", "workers"}:
        return blames.blame(*inputs, **options)
    asked = asked_with("blame", options, context=blames.CONTEXT_WORDS)
    names = ("reference", "manual", "recognised")
    sides = _sources(asked, _named(inputs, names, "blame"))
    ref, manual, recognised = (sides.pop(name) for name in names)
    how, rest = scoring_of(replace(asked, values={**asked.values, **sides}))
    if not how.settings.is_projected:
        raise SerevalError(
            "argument tolerance: found none, expected one, or by='text' or 'phones': the words of "
            "the recogniser are others than those of the reference"
        )
    context, words = rest.pop("context"), rest.pop("words")
    values = plain({**rest, "known": {}, "words": [words] if words else []})
    both = pairs_of_both(ref, ({"": manual}, {"": recognised}), how, **values)
    settings, grammar = how.settings, how.settings.grammar
    scored = blames.score_manual(both[0], settings)
    together = blames.blame_together(scored, both[1], settings, context=context, grammar=grammar)
    [found] = together.values()
    check_labels(both, settings)
    return found


def gate(
    report: str | os.PathLike[str] | Mapping[str, Any] | Evaluation | SchemeScore,
    reference: Any,
    hypothesis: Any,
    *,
    margin: float | str = 0.5,
    resampling: Resampling | None = None,
    figure: str | None = None,
    **options: Any,
) -> Gate:
    """Compare the score of a hypothesis with a stored report, as ``sereval gate`` does.

    Args:
        report: a report of ``sereval score --format json``, or its path; its options hold for the
            score. Or a score; its options must then be given again.
        reference, hypothesis: as for :func:`sereval.score`.
        margin: the growth of the rate that still passes, in percentage points.
        resampling: the settings of the permutation test; ``None``: the defaults.
        figure: the figure of a report under another scheme; ``None``: the first of the scheme.
        options: ``align``, ``words``, ``grammar`` and other inputs, which the report does not hold.

    Returns:
        The comparison; ``is_worse`` says whether the score fails.

    Raises:
        SerevalError: the report cannot be read or is of another kind; the settings or the documents
            are not those of the report; as :func:`sereval.score`.

    >>> gold = [["B-PER", "O"]]
    >>> gate(score(gold, gold), gold, [["O", "O"]]).is_worse
    True
    """
    import json

    from ..analysis.gate import gate_of

    stored: Mapping[str, Any]
    if isinstance(report, str | os.PathLike):
        stored = _stored(os.fspath(report))
    else:
        stored = report if isinstance(report, Mapping) else json.loads(report.to_json())
    now = score(reference, hypothesis, **{**kept_options(stored), **options})
    return gate_of(stored, json.loads(now.to_json()), margin, resampling, figure)


def _stored(path: str) -> Mapping[str, Any]:
    """A report from a file.

    Raises:
        InputError: the file cannot be read, or holds no object.
    """
    from ..documents.files import json_of, read_text

    try:
        found = json_of(read_text(path))
    except InputError:
        raise
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    if not isinstance(found, Mapping):
        raise InputError("found no JSON object, expected a stored report", path=path)
    return found


def _are_documents(side: Any) -> bool:
    return isinstance(side, list | tuple) and all(
        isinstance(one, Document | Reference) for one in side
    )


def _named(inputs: Sequence[Any], names: Sequence[str], function: str) -> dict[str, Any]:
    """The inputs of a function by name.

    Raises:
        TypeError: there are more inputs or fewer.
    """
    if len(inputs) != len(names):
        raise TypeError(f"{function}() takes {' and '.join(names)}, found {len(inputs)} of them")
    return dict(zip(names, inputs, strict=True))


def _sources(asked: RunRequest, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs and the times of words, as paths or documents."""
    found = sources_of(inputs)
    first, *_, last = found.values()
    sides = {"align": first, "words": last}
    times = {name: _times(name, asked.values[name], side) for name, side in sides.items()}
    return {**found, **times}


def _times(name: str, value: Any, side: SideSource | None = None) -> SideSource | None:
    """The times of the words of a side: a path, documents, or the outputs of a recogniser."""
    outputs = value if isinstance(value, list) else [value]
    if side is None or not all(isinstance(one, Mapping) for one in outputs):
        return sources_of({name: value})[name]
    if isinstance(side, str) or len(side) != len(outputs):
        raise SerevalError(
            f"argument {name}: found {len(outputs)} outputs of a recogniser, expected one for each "
            "document of a list; or a path"
        )
    return [recognised(one, each.id) for one, each in zip(outputs, side, strict=True)]


def systems_asked(
    asked: RunRequest, inputs: Sequence[Any]
) -> tuple[Sequence[str], SideSource, list[SideSource], dict[str, Any]]:
    """The names of systems, the reference, their hypotheses, and the times of words."""
    if len(inputs) < 2:
        raise TypeError(f"{asked.what}() takes a reference and one hypothesis or more")
    reference, *hyps = inputs
    names = _names(asked)
    if len(hyps) == 1 and isinstance(hyps[0], Mapping):
        names, hyps = [*hyps[0]], [*hyps[0].values()]
    numbered = {f"hypothesis {k}": hyp for k, hyp in enumerate(hyps, 1)}
    given = sources_of({"reference": reference, **numbered})
    ref, *found = given.values()
    paths = [one for one in found if isinstance(one, str)]
    if len(paths) < len(found) and not names:
        raise SerevalError(
            "argument system: found none, expected a name for each hypothesis that is no path"
        )
    if len(names) == len(found):
        paths = [*names]  # only their number counts
    named = system_names(paths, names)
    words = asked.values["words"]
    is_each = isinstance(words, list | tuple) and not _are_documents(words)
    times = [_times("words", one) for one in (words if is_each else [words]) if one is not None]
    sides = {"align": _times("align", asked.values["align"]), "words": times}
    assert ref is not None
    return named, ref, [one for one in found if one is not None], sides


def _names(asked: RunRequest) -> Sequence[str]:
    system = asked.values["system"]
    return (system,) if isinstance(system, str) else tuple(system)


def plain(rest: Mapping[str, Any]) -> dict[str, Any]:
    """The options that name sides."""
    return {name: one for name, one in rest.items() if name not in ("aligned", "system")}


def _with_measure(asked: RunRequest, *units: str) -> dict[str, Any]:
    return with_measure(one_measure(asked), *units)


def one_measure(asked: RunRequest) -> RunRequest:
    """The options with the measure that the argument ``measure`` names."""
    measure = asked.values["measure"]
    if isinstance(measure, str):
        from ..schemes.measure import parse_measure  # slow to import, and seldom asked for

        measure = parse_measure(measure)
    return asked.but(measure=measure)


def with_measures(asked: RunRequest) -> RunRequest:
    """The options with the measures that the argument ``measure`` names."""
    measure = asked.values["measure"]
    return asked if measure is None else asked.but(measure=_measures(measure))


def _measures(measures: Any) -> Sequence[Any]:
    from ..schemes.measure import Measure, parse_measures

    if isinstance(measures, str):
        return parse_measures(measures)
    return (measures,) if isinstance(measures, Measure) else tuple(measures)
