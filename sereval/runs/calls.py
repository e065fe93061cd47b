"""The commands as functions: ``score``, ``compare``, ``sweep``, ``audit`` and ``blame``.

Each takes the inputs of the command of its name as paths, as documents or as plain lists, and the
command's options as arguments: ``--extent-tolerance 2`` is ``extent_tolerance=2``. It returns the
value from which the command makes its report. ``compare``, ``sweep``, ``audit`` and ``blame`` also
take the values of the stages that they are named for, as those stages define.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.resampling import Resampling
from ..documents.files import json_of, read_text
from ..documents.model import Document, Reference
from ..errors import SerevalError, located, naming, nearest
from ..integrations.documents import listed, paired
from ..labels import Grammar, LabelMap
from ..measures import Costs
from ..projection import duration_text
from ..schemes.measure import Measure, Option, names
from . import api
from .options import BUNDLED, options_of
from .scoring import Request, refuse
from .sides import (
    ALIGNMENT_OPTIONS,
    SideSource,
    conditions_of,
    named_systems,
    read_campaign,
)

if TYPE_CHECKING:
    from ..analysis.audit import Audit, Audits
    from ..analysis.blame import Blame
    from ..analysis.compare import Comparison
    from ..analysis.gate import Gate
    from ..analysis.measured import Measured
    from ..analysis.stability import Stability
    from ..analysis.strata import Strata
    from ..analysis.sweep import Sweep, Thresholds
    from ..evaluation.evaluate import Evaluation
    from ..schemes.result import SchemeScore


def score(
    reference: Any, hypothesis: Any, **options: Any
) -> Evaluation | SchemeScore | Measured | Strata:
    """Score a hypothesis against a reference, as ``sereval score`` does.

    Args:
        reference, hypothesis: a path; a document or a list of documents, which pair by id; or a
            list with the annotation of each document, which pair by order: tags, as for seqeval
            and Hugging Face's ``evaluate``; spans ``(label, start, end)`` in frontiers; objects
            with ``label``, ``start`` and ``end``, the last word, as for nervaluate; pairs of a
            label and a text (scheme ``slue``); or a form that :class:`sereval.Metric` takes.
        options: the options of ``sereval score`` by their names, with underscores: ``align``,
            ``words``, ``tolerance``, ``scheme``, ``measure`` and others
            (docs/reference/options.md). ``tolerance`` is in seconds, a ``float`` or a text,
            or has its unit: ``"300ms"``; a whole number has none and is refused. ``grammar``,
            ``map`` and ``costs`` may also be values. ``confidence``, such as ``0.95``, asks for an
            interval, the member ``interval`` of the score.

    Returns:
        An :class:`sereval.Evaluation`; under another scheme a :class:`sereval.SchemeScore`; with
        ``measure`` a :class:`sereval.Measured`; with ``strata``, ``train`` or ``groups`` an object
        whose ``score`` is the score and whose ``counts`` are those of each stratum, by property.
        ``to_json()`` gives the report of the command.

    Raises:
        SerevalError: as for the command; the message names the argument.
        TypeError: there is no such argument.

    >>> score([["B-PER", "O", "O"]], [["B-PER", "O", "B-LOC"]]).ser
    1.0
    >>> score([[("PER", 0, 2)]], [[("PER", 0, 1)]], measure="SER,F1").values
    {SER: 0.5, F1: 0.0}
    """
    asked = _asked("score", [reference, hypothesis], options, "hypothesis")
    found: Evaluation | SchemeScore | Measured | Strata = api.score(asked)
    return found


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
    if "conditions" in options or inputs and isinstance(inputs[0], Mapping):
        from ..analysis import compare as comparisons  # a command loads its own stage

        return comparisons.compare(*inputs, **options)
    return api.compare(_asked("compare", inputs, options))


def sweep(*inputs: Any, **options: Any) -> Sweep | Thresholds:
    """Score systems at many tolerances in time or confidences, as ``sereval sweep`` does.

    Args:
        inputs: as for :func:`sereval.compare`.
        options: the options of ``sereval sweep``. ``tolerance`` is a text such as ``"0:1:0.05"``,
            or a list of seconds; ``extent_tolerance`` a text or a list of numbers of words;
            ``confidence`` a text such as ``"all"``; ``measure`` as for :func:`sereval.score`.

    Returns:
        The counts, or the values of the measures, of each system at each tolerance; with
        ``confidence`` the counts at each threshold, the best thresholds and the calibration.

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> words = dict(words=("a", "Dol"), times=((0, 200), (200, 600)))
    >>> gold = Document("d", **words)
    >>> sweep(gold, {"crf": gold}, tolerance="0,300ms").tolerances
    (0, 300)
    """
    return api.sweep(_asked("sweep", inputs, options))


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
    if len(inputs) != 2:
        raise TypeError(f"audit() takes reference and hypothesis, found {len(inputs)} of them")
    found = api.audit(_asked("audit", inputs, options, "hypothesis"))
    return audits.Audits(found, tuple(audits.audit(found)))


def blame(reference: Any, manual: Any, recognised: Any, **options: Any) -> Blame:
    """Divide a system's errors between the recogniser and the system, as ``sereval blame`` does.

    Args:
        reference, manual, recognised: the reference, the system's output on the words of the
            reference, and its output on the recogniser's words, each as for :func:`sereval.score`.
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
    sides = [reference, manual, recognised]
    [found] = api.blame(_asked("blame", sides, options, "manual", "recognised"))
    return found.blame


def campaign(
    campaign: str | os.PathLike[str] | Mapping[str, object],
    **options: Any,
) -> Comparison:
    """Compare systems on several versions of the words, as ``sereval compare --campaign`` does.

    Args:
        campaign: the path of a campaign file, or a mapping with its keys: ``reference``, ``align``,
            ``conditions`` (for each its ``words``, ``tolerance`` and other options of alignment)
            and ``systems`` (for each its hypotheses by condition). In a mapping each side is a path
            or documents, as for :func:`sereval.score`.
        groups: the ids of the documents of each group, by name, or the path of a file of groups.
        options: the other options of ``sereval compare``.

    Returns:
        The comparison, with what each recogniser cost each system (``blames``), and the comparison
        of each group (``groups``).

    Raises:
        SerevalError: as for the command.
        TypeError: there is no such argument.

    >>> from sereval import from_tags
    >>> gold, bad = ([from_tags(None, [tag], id="d")] for tag in ("B-PER", "B-LOC"))
    >>> sides = {"reference": gold, "conditions": {"manual": {}}}
    >>> found = campaign({**sides, "systems": {"crf": {"manual": bad}}}, groups={"news": ["d"]})
    >>> found.conditions[0].systems[0].evaluation.ser, list(found.groups)
    (0.5, ['news'])
    """
    values, named = values_of("compare", options)
    asked = Request.of("compare", [], {}, named, named, **values)
    refuse(asked.named, (*ALIGNMENT_OPTIONS, "align", "words"), "with a campaign")
    if isinstance(campaign, Mapping):
        asked.conditions = conditions_of(
            campaign,
            Path(),
            asked.sides,
            lambda written: {at: one or [] for at, one in sources_of(written).items()},
        )
    else:
        asked.conditions = read_campaign(os.fspath(campaign), asked.sides)
    return api.compare(asked)


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
    >>> found.order(found.base)
    [('good',), ('bad',)]
    """
    [found] = api.stability(_asked("compare", inputs, options))
    return found


def gate(
    report: str | os.PathLike[str] | Mapping[str, object] | Evaluation | SchemeScore,
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

    path = os.fspath(report) if isinstance(report, str | os.PathLike) else ""
    with located(path):
        if hasattr(report, "to_json"):
            stored = json.loads(report.to_json())
        else:
            stored = json_of(read_text(path)) if path else report
        if not isinstance(stored, Mapping):
            raise SerevalError("found no JSON object, expected a stored report")
        kept = kept_options(stored)
    now = score(reference, hypothesis, **{**kept, **options})
    with located(path):
        return gate_of(stored, json.loads(now.to_json()), margin, resampling, figure)


def _asked(
    function: str, inputs: Sequence[Any], options: Mapping[str, object], *roles: str
) -> Request:
    """What is asked with a reference and hypotheses: of one system with roles, or of several."""
    reference, *hyps = inputs or [None]
    values, named = values_of(function, options)
    names: Any = values.get("names")  # without any, those of the paths
    if not roles:
        if not hyps:
            raise TypeError(f"{function}() takes a reference and one hypothesis or more")
        if len(hyps) == 1 and isinstance(hyps[0], Mapping):
            names, hyps = [*hyps[0]], [*hyps[0].values()]
    sides = {"reference": reference}
    sides |= zip(roles or [f"hypothesis {k + 1}" for k in range(len(hyps))], hyps, strict=True)
    words: Any = values.pop("words") or []
    is_one = not isinstance(words, list | tuple)
    if is_one or words and all(isinstance(one, Document | Reference) for one in words):
        words = [words]
    times = {"align": values.pop("align")}
    times |= {f"words {k}": one for k, one in enumerate(words, 1)}
    sources = sources_of({**sides, **times})
    ref, *found = (sources.pop(name) or [] for name in sides)
    values |= {"align": sources.pop("align"), "words": (*sources.values(),)}
    if roles:
        asked = Request.of(function, ref, {"": found[-1]}, named, named, **values)
        return api.with_manual(asked, found[0]) if found[1:] else asked
    paths = [one if isinstance(one, str) else "" for one in found]
    if not names and "" in paths:
        raise SerevalError(
            "argument system: found none, expected a name for each hypothesis that is no path"
        )
    systems = dict(zip(named_systems(paths, names), found, strict=True))
    return Request.of(function, ref, systems, named, named, **values)


# Arguments


def arguments_of(function: str) -> dict[str, Option]:
    """The options that a function takes, by the name of the argument."""
    every = options_of(function).values()
    return {one.on_command_line.removeprefix("--").replace("-", "_"): one for one in every}


def values_of(function: str, given: Mapping[str, object]) -> tuple[dict[str, object], list[str]]:
    """The values of the options of a function, by name, and the names of those that are given."""
    known = arguments_of(function)
    values = {option.name: option.value_of(option.default) for option in known.values()}
    named = []
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{function}() has no argument {name!r}{nearest(name, known)}")
        if value is not None:
            with naming(f"argument {name}"):
                values[known[name].name] = _value(name, known[name], value)
            named.append(known[name].name)
    return values, named


_TYPES: Mapping[str, tuple[Any, str]] = {
    "documents": (Iterable, "a text or a list of texts"),
    "grammar": (str | os.PathLike | Grammar, "a path, or what load_grammar returns"),
    "map": (str | os.PathLike | LabelMap, "a path, or what load_map returns"),
    "measure": (Iterable | Measure, "a text such as 'SER,F1'"),
}
"""The types of the values of some arguments, and what a message expects."""


def _value(name: str, option: Option, given: Any) -> Any:
    """The value of an argument, as the command line would make it from its text."""
    types, expected = _TYPES.get(name, (object, ""))
    if not isinstance(given, types):
        raise SerevalError(f"found {given!r}, expected {expected}")
    if name in ("align", "words") or name == "costs" and isinstance(given, Costs):
        return given  # a side, or as it is
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if name == "read" and isinstance(given, Mapping):
        given = tuple(f"{choice}={policy}" for choice, policy in given.items())
    if option.is_multiple:
        texts = (given,) if isinstance(given, str) else given
        try:
            given = tuple(map(os.fspath, texts))
        except TypeError:
            raise SerevalError(f"found {given!r}, expected a text or a list of texts") from None
    elif name == "tolerance":
        given = duration_text(given)
    elif option.parse is not None:
        given = _text(given)
    return option.value_of(given)


def _text(value: Any) -> str:
    """The text of a value on the command line."""
    if isinstance(value, int | float):
        return format(float(value), ".15g")
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(one)}" for key, one in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return str(value)


# Sides


def sources_of(sides: Mapping[str, object]) -> dict[str, SideSource | None]:
    """The path or the documents of each side.

    >>> both = sources_of({"reference": [["B-PER", "O"]], "hypothesis": [["O", "O"]]})
    >>> [document.words for document in both["hypothesis"]]
    [('0', '1')]
    """
    # Documents pair by their ids. If a side has anything else than documents, all pair by their
    # order, and their numbers are their ids.
    given = {}
    for name, value in sides.items():
        with naming(f"argument {name}"):
            given[name] = _listed(value)
    lists = {name: value for name, value in given.items() if isinstance(value, list)}
    if all(isinstance(one, Document | Reference) for side in lists.values() for one in side):
        return given
    longest = max(map(len, lists.values()))
    width = len(str(longest - 1))
    return given | paired(lists, (f"{k:0{width}}" for k in range(longest)))


def _listed(value: Any) -> Any:
    """A path as text, documents and plain values as a list."""
    if value is None:
        return None
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if not path:
            raise SerevalError("found an empty path, expected a file or a folder")
        return path
    if isinstance(value, Document | Reference):
        return [value]
    found = listed(
        value,
        "a path, documents (from_frame makes those of a data frame), or a list with the annotation "
        "of each document",
    )
    if found and all(isinstance(one, str) for one in found):
        raise SerevalError(
            "found a list of texts, expected a path (an argument for each of "
            "several systems), documents, or a list with the annotation of each document, such as "
            "[['B-PER', 'O']]"
        )
    return found


# Reports


def kept_options(report: Mapping[str, object]) -> dict[str, object]:
    """The arguments of ``score`` that a report holds in its provenance; none without provenance."""
    kept = report.get("provenance", {"command": "score", "options": []})
    words = None
    if isinstance(kept, Mapping) and kept.get("command") == "score":
        words = kept.get("options")
    if not isinstance(words, list):
        raise SerevalError("argument report: expected a report of sereval score --format json")
    known, found, rest = arguments_of("score"), dict[str, object](), iter(map(str, words))
    for word in rest:
        name = word.removeprefix("--").replace("-", "_")
        if name not in known or name in HELD_BY_NONE:
            raise SerevalError(f"argument report: its options include {word}, expected others")
        option = known[name]
        value: Any = True if option.is_flag else next(rest, "")
        if value not in BUNDLED.get(name, (value,)) or str(value).lower().endswith(".toml"):
            raise SerevalError(f"argument report: its options name {value}, expected no file")
        earlier: Any = found.get(name, [])
        if option.is_multiple:
            value = [*earlier, value]
        if name not in Resampling.__dataclass_fields__:  # an interval changes no score
            found[name] = names(value) if name == "documents" else value
    return found


HELD_BY_NONE = {"align", "words", "alternatives", "map", "jobs"}
"""Arguments of which a report holds no value."""
