"""The options of a run as the user set them, and the settings and the scoring that they ask for.

The user sets them on the command line or as arguments of a function.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.normalise import normalisation
from ..analysis.resampling import Resampling
from ..corpus.corpus import Corpus, Pair, Scorer
from ..documents.files import read_text
from ..documents.words import recut
from ..errors import SerevalError, UsageFault
from ..evaluation.settings import OWNERS, Settings
from ..evaluation.totals import Notes, notes_of, sentences
from ..evaluation.totals import read_choices as choices_of
from ..labels.grammar import Grammar, load_grammar
from ..labels.relabel import LabelMap, Labels, load_map
from ..measures.words import BiasingList
from ..schemes.measure import OF_RUN, Measure
from ..schemes.options import OPTIONS, check_alignment, fields_of
from ..schemes.table import BY_LIST, OUTCOMES, SCHEMES, Scheme, schemes_that_count, schemes_with

if TYPE_CHECKING:
    from ..corpus.entries import Entry, Side
    from ..evaluation.words import DocumentErrors
    from ..schemes.result import SchemeScore


def flag(name: str) -> str:
    """The spelling of an option on the command line.

    Args:
        name: the name of its parameter.

    >>> flag("label_map"), flag("align")
    ('--map', '--align')
    """
    option = OPTIONS.get(name)
    return option.on_command_line if option else f"--{name.replace('_', '-')}"


def argument(name: str) -> str:
    """The name of an option as an argument in Python: its flag with underscores.

    Args:
        name: the name of its parameter.

    >>> argument("label_map"), argument("extent"), argument("is_bound")
    ('map', 'extent_tolerance', 'upper_bound')
    """
    return flag(name).removeprefix("--").replace("-", "_")


class Hooks(NamedTuple):
    """What a door does while documents are found and scored.

    Args:
        watch: wraps the documents in an iterator that shows progress.
        tell: is called if documents are selected, with the path of the references (empty if they
            are in memory), the number of the selected documents and the number of all.
        read: is called with the corpora that were read.
    """

    watch: Callable[[Sequence[Any]], Iterable[Any]] = iter
    tell: Callable[[str, int, int], object] = lambda *_: None
    read: Callable[[Sequence[Corpus]], object] = lambda _: None


class RunRequest(NamedTuple):
    """What a user asks of a run.

    Args:
        values: the values of all options, defaults included, by name of the parameter; ``words``
            has the words of each system, or of all.
        known: the documents of each path, by side and path, so that a folder is listed once.
        named: the names of the options that the user set in the command or the call.
        chosen: the same, and those from a file of settings.
        what: the name of the command or function.
        hooks: what the door does while documents are found and scored.
    """

    values: Mapping[str, Any]
    known: dict[Side, list[Entry]]
    named: Collection[str] = ()
    chosen: Collection[str] = ()
    what: str = "score"
    hooks: Hooks = Hooks()

    def but(self, **values: Any) -> RunRequest:
        """The same with other values of some options."""
        return self._replace(values={**self.values, **values})

    @property
    def resampling(self) -> Resampling:
        """The settings of resampling."""
        known = Resampling.__dataclass_fields__.keys() & self.values.keys()
        asked = {name: self.values[name] for name in known}
        return Resampling(**{name: one for name, one in asked.items() if one is not None})


class Run(NamedTuple):
    """How a run scores by one measure, and the number of processes that do the work.

    Args:
        measure: the measure, also where the user names a scheme and its options.
        settings: all its settings.
        jobs: the number of processes that score.
        offers_missing: whether messages about documents that only one side has name the policies.
    """

    measure: Measure
    settings: Settings
    jobs: int = 1
    offers_missing: bool = False

    @property
    def scheme(self) -> Scheme:
        """The record of the scheme."""
        return self.measure.family

    @property
    def compares_words(self) -> bool:
        """Whether word errors stand beside the score: the words of the two sides may differ."""
        if self.settings.is_projected:
            return True
        if self.scheme.counts in ("slots", "tags"):
            return False
        return self.settings.missing == "error" and not self.scheme.takes("tolerance")

    def but(self, **settings: Any) -> Run:
        """The same with other values of some settings."""
        return self._replace(settings=replace(self.settings, **settings))

    def scorer(self, *, keeps_outcomes: bool = True) -> Scorer:
        """The scorer, which keeps the outcome of each element, or only counts."""
        figure = self.measure.figure if keeps_outcomes else None
        found = self.scheme.scorer(replace(self.settings, figure=figure))
        if self.scheme.counts == "slots":  # this scorer collects the notes itself
            return found
        work = partial(_with_notes, work=found.work, run=self)
        return Scorer(work, partial(_noted, score=found.score, settings=self.settings))


_Noted = tuple[Any, Notes, "DocumentErrors | None"]
"""What a scorer finds in a pair, the notes of its readers, and its word errors."""


def _with_notes(
    pairs: Sequence[Pair], work: Callable[[Sequence[Pair]], Any], run: Run
) -> list[_Noted]:
    from ..evaluation.words import errors_beside  # slot errors do not need it

    settings = run.settings
    return [
        (
            found,
            notes_of(pair) if settings.is_projected else on_same_words(pair),
            errors_beside(pair, settings) if run.compares_words else None,
        )
        for found, pair in zip(work(pairs), pairs, strict=True)
    ]


def _noted(
    found: Sequence[_Noted], score: Callable[[Sequence[Any]], SchemeScore], settings: Settings
) -> SchemeScore:
    from ..evaluation.words import score_beside

    own = score([one for one, _, _ in found])
    notes = [each for _, each, _ in found]
    return replace(
        own,
        notes=(*own.notes, *sentences(notes)),
        settings=(*own.settings, *choices_of(notes)),
        word_score=score_beside((words for _, _, words in found), settings),
    )


RUN_WIDE = (*("documents", "missing", "altered_words", "is_bound", "max_states"),)
"""The fields of ``Settings`` that an option fills for all measures of a run."""

WRITTEN = {"aligned"}
"""Scoring options that name a file to be written; each command opens its own files."""

LABEL_OPTIONS = ("label_map", "only", "level")

ALIGNMENT_OPTIONS = ("tolerance", "by", *OWNERS)

PRINTS_WORDS = ("score", "compare", "audit", "blame")
"""The commands that print word error rates beside scores through time, so that ``normalise`` has an
effect there too."""

NO_MEASURES = ("scheme", "figure", "tolerance")
"""The options of a run that have no effect with a measure, unless it takes them."""


def run_of(asked: RunRequest, *counts: str, besides: Collection[str] = ()) -> Run:
    """How a run scores by its only measure; arguments as for :func:`runs_of`."""
    [found] = runs_of(asked, *counts, besides=besides)
    return found


def runs_of(asked: RunRequest, *counts: str, besides: Collection[str] = ()) -> list[Run]:
    """How a run scores by each measure that the user names, or by a scheme with its options.

    Args:
        asked: the options.
        counts: the units that the measures of the run may count, values of ``Scheme.counts``. With
            ``words`` it takes measures of words, and all figures of slots.
        besides: options that the run accepts under every scheme.

    Raises:
        UsageFault: an option that no measure takes; options that contradict each other.
        SerevalError: a grammar or a map that cannot be read; as ``Settings``.
    """
    named: Measure | Sequence[Measure] | None = asked.values.get("measure")
    if named is None:
        measures = [_of_scheme(asked, besides)]
    else:
        measures = [named] if isinstance(named, Measure) else [*named]
        _check_kinds(measures, asked, counts)
        measures = [_beside(one, asked, asked.chosen) for one in measures]
        _check_options(measures, asked, besides)
    if "align" in {*asked.named} - {*besides} and all(
        one.family.aligns_words and one.values["cut"] != "times" for one in measures
    ):
        raise UsageFault("--align goes with --cut times")
    jobs = asked.values.get("jobs", 1)
    found = []
    for one in measures:
        shared = settings_for(asked, one.family)
        if named is None and _has_time(asked, one):
            shared = replace(shared, normalise=normalisation(asked.values["normalise"]))
        offers_missing = "missing" in asked.values and one.family.takes("missing")
        found.append(Run(one, one.settings(shared), jobs, offers_missing))
    return found


def settings_for(asked: RunRequest, scheme: Scheme) -> Settings:
    """The settings that all measures of a run share, as far as a scheme takes them."""
    values = asked.values
    labels = labels_of(values)
    fields = {name: one for name, one in fields_of(values, scheme).items() if name in RUN_WIDE}
    if "documents" in fields:
        fields["documents"] = document_ids(fields["documents"])
    return Settings(
        **fields,
        neutral=frozenset(scheme.takes("neutral") and values.get("neutral") or ()),
        labels=labels,
        grammar=labels.grammar,
        aligned=values.get("aligned"),
    )


def document_ids(text: str | Iterable[str]) -> tuple[str, ...]:
    """The ids of a list of documents, or of a file with one, in alphabetical order."""
    if not isinstance(text, str):
        return tuple(sorted({*text}))
    found = text.split(",")
    if os.path.isfile(text):
        found = read_text(text).split("\n")
        found = [id for id in found if id.strip()]
    ids = {id.strip() for id in found}
    if not all(ids) or not ids:
        raise SerevalError(f"found {text!r}, expected ids of documents, or a file with some")
    return tuple(sorted(ids))


def _of_scheme(asked: RunRequest, besides: Collection[str]) -> Measure:
    """The measure that a scheme and its options ask for."""
    values = asked.values
    scheme = SCHEMES[values.get("scheme", Settings().scheme)]
    _check_options([Measure(scheme.name)], asked, besides)
    figure = values.get("figure") or ""
    if figure and figure not in scheme.figures:
        expected = ", ".join(scheme.figures)
        raise UsageFault(f"found --figure {figure}, expected one of {expected}")
    usual = values.keys() - {"normalise"}  # its default is the scheme's
    found = _beside(Measure(scheme.name, figure), asked, usual | {*asked.chosen})
    if scheme.takes("by"):
        is_of_words = _has_time(asked, found)
        named = [name for name in asked.named if name != "normalise" or not is_of_words]
        check_alignment(found.values["by"], named, found.tolerance)
    return found


def _has_time(asked: RunRequest, measure: Measure) -> bool:
    """Whether word errors stand beside a score through time, which normalises words itself."""
    return asked.what in PRINTS_WORDS and isinstance(measure.tolerance, tuple)


def _beside(measure: Measure, asked: RunRequest, names: Collection[str]) -> Measure:
    """The measure with those of some options that it takes and does not give itself."""
    family = measure.family
    values = {name: one for name, one in asked.values.items() if name in {*names, "is_bound"}}
    if family.aligns_words and values.get("by") == "time":
        del values["by"]  # its own way
    fields = fields_of(values, family)
    for name in values.keys() & {*asked.named} & OPTIONS.keys():
        field = OPTIONS[name].field or name
        if measure.given.get(field, fields.get(field)) != fields.get(field):
            raise UsageFault(
                f"found {flag(name)} and --measure {measure}, which says otherwise, "
                "expected one of them"
            )
    found = measure.beside(fields)
    if fields.get("is_bound") and "unplaceable" not in asked.chosen:
        return found.beside({"unplaceable": "miss"})  # to drop them makes the bound trivial
    return found


def _check_kinds(measures: Sequence[Measure], asked: RunRequest, counts: Sequence[str]) -> None:
    """Refuse measures that the run cannot show, and upper bounds of measures that have none."""
    for one in measures:
        takes_counts = not counts or "words" in counts
        if counts and one.family.counts not in counts or not (takes_counts or has_outcomes(one)):
            expected = "SER, P, R, F1, WER" if takes_counts else "SER"
            raise UsageFault(
                f"--measure {one} is not for {asked.what}, expected {expected} or a "
                f"figure of {', '.join(schemes_that_count(*counts))}"
            )
        if asked.values.get("is_bound") and not one.family.takes("is_bound"):
            raise UsageFault(
                f"found --upper-bound: a perfect tagger has no --measure {one}, expected figures "
                f"of {', '.join(schemes_with('is_bound'))}"
            )


def has_outcomes(measure: Measure) -> bool:
    """Whether a measure gives each element an outcome, as SER and figures of schemes do."""
    if measure.family.counts == "slots":
        return measure.figure == "SER"
    return measure.family.counts in OUTCOMES


def _check_options(
    measures: Sequence[Measure], asked: RunRequest, besides: Collection[str]
) -> None:
    """Refuse options that the user set and that have no effect on the measures of the run."""
    is_scheme = asked.values.get("measure") is None
    for name in (name for name in asked.named if name not in besides):
        is_own = name in OPTIONS and (name not in OF_RUN or name in NO_MEASURES)
        if is_scheme and not measures[0].family.takes(name):
            if name == "grammar" and any(asked.values.get(each) for each in LABEL_OPTIONS):
                continue  # they need it
            raise UsageFault(
                f"{flag(name)} has no effect with --scheme {measures[0].scheme}, "
                f"expected it with {', '.join(sorted(schemes_with(name)))}"
            )
        if not is_scheme and is_own and not any(one.takes(name) for one in measures):
            named = ",".join(map(str, measures))
            raise UsageFault(f"found {flag(name)}, which has no effect with --measure {named}")
        if name == "biasing" and not any(one.family in BY_LIST for one in measures):
            raise UsageFault("--biasing goes with --measure B-WER or U-WER")


def labels_of(values: Mapping[str, Any]) -> Labels:
    """The changes of labels that the values of options ask for."""
    label_map, only, level, grammar = (values.get(name) for name in (*LABEL_OPTIONS, "grammar"))
    if label_map and not isinstance(label_map, LabelMap):
        label_map = load_map(label_map)
    if grammar and not isinstance(grammar, Grammar):
        grammar = load_grammar(grammar)
    return Labels(label_map or None, only or (), level, grammar or None)


# What measures of words need


def biasing_of(asked: RunRequest, measures: Sequence[Measure]) -> BiasingList | None:
    """The biasing lists that measures take; a path that a file of settings names may have no part.

    Raises:
        InputError: as ``load_biasing``.
    """
    path = asked.values.get("biasing")
    if path is None or not any(one.family in BY_LIST for one in measures):
        return None
    from ..analysis.measured import load_biasing

    return load_biasing(path)


def with_alternatives(asked: RunRequest, *, compares_words: bool) -> RunRequest:
    """The options without alternatives, unless the run compares words.

    A file of settings may name alternatives for other runs.

    Raises:
        UsageFault: the user named a path, but the run compares no words.
    """
    if compares_words or "alternatives" not in asked.values:
        return asked
    if "alternatives" in asked.named:
        raise UsageFault(
            "--alternatives goes with --measure WER, with a tolerance, or with an alignment by "
            "text or phones: otherwise both sides have the same words"
        )
    return asked.but(alternatives=())


def on_same_words(pair: Pair) -> Notes:
    """The notes of both sides and of their common words, if their words are the same."""
    try:
        return notes_of(recut(*pair))
    except SerevalError:
        return notes_of(pair)
