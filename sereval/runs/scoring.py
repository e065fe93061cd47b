"""A run: what a user asks with options and sides, and how it scores by each measure.

The user sets the options on the command line or as arguments of a function.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.normalise import normalisation
from ..analysis.resampling import Resampling
from ..corpus.corpus import (
    Corpus,
    Pair,
    PairReader,
    ReadPair,
    Scorer,
    UnreadPair,
    read_pair,
    unread_pairs,
)
from ..corpus.workers import Watch
from ..documents.files import read_text
from ..documents.model import Reference
from ..documents.words import recut
from ..errors import SerevalError, UsageFault, located
from ..evaluation.evaluate import notes_of
from ..evaluation.settings import CONTEXT_WORDS, ByWords, Settings
from ..formats import ANNOTATIONS, WORDS
from ..labels import Grammar, LabelMap, Labels, load_grammar, load_map
from ..schemes.measure import (
    DEFINITION,
    OF_LABELS,
    OF_RUN,
    OPTIONS,
    Measure,
    Value,
    check_alignment,
    fields_of,
    filled,
)
from ..schemes.table import (
    BY_LIST,
    MEASURED,
    OF_ELEMENTS,
    OUTCOMES,
    SCHEMES,
    WITHOUT_ELEMENTS,
    Scheme,
    schemes_that_count,
    schemes_with,
)
from .options import flag
from .sides import Groups, Sides, SideSource, sides_of

if TYPE_CHECKING:
    from ..analysis.points import Confidences
    from ..analysis.rates import Score
    from ..schemes.result import DocumentFigures

PRINTS_WORDS = ("score", "compare", "audit", "blame")
"""The commands that print word error rates beside scores through time, so that ``normalise`` has an
effect there too."""

UNITS = {"audit": OUTCOMES, "compare": (*OUTCOMES, *MEASURED)}
"""The units that the measures of a command may count, values of ``Scheme.counts``; others: all."""

SHOWN = {"audit": ("align", "words")}
"""The options that a command takes under every scheme, for what it shows."""


@dataclass(eq=False, repr=False)
class Request:
    """What a user asks of a run."""

    what: str  # the name of the command or function
    options: Mapping[str, Value]  # of schemes: their values, defaults included, by name
    changes: Labels  # of labels
    conditions: Sequence[Sides]  # of a campaign, or the only one
    resampling: Callable[[], Resampling]
    named: Collection[str]  # options that the user set in the command or the call
    chosen: Collection[str]  # the same, and those from a file of settings
    # wraps documents in an iterator that shows progress
    watch: Watch[Any]
    # with the settings of their scores
    opened: list[tuple[Corpus, Settings]] = field(default_factory=list)
    # the options of their names
    measure: Sequence[Measure] | None = None
    jobs: int = 1
    documents: str | Iterable[str] | None = None
    biasing: str | None = None
    strata: Sequence[str] = ()
    train: str | None = None
    groups: Groups = None
    speakers: str | None = None
    campaign: str | None = None
    context: int = CONTEXT_WORDS
    grid_text: Sequence[int] | None = None
    extent_points: Sequence[int] | None = None
    thresholds: Confidences | None = None
    precision: str | None = None
    confidence_default: str | None = None
    format: str = ""
    table: str | None = None

    @classmethod
    def of(
        cls,
        what: str,
        ref: SideSource,
        systems: Mapping[str, SideSource | None],
        named: Collection[str],
        chosen: Collection[str],
        watch: Watch[Any] = iter,
        /,
        **values: Any,
    ) -> Request:
        """What the values of options ask for, by name of the parameter, with the sides."""
        return cls(
            what,
            {name: values[name] for name in OPTIONS.keys() & values.keys()},
            labels_of(**values),
            [sides_of(ref, systems, **values)],
            partial(resampling_of, **values),
            named,
            chosen,
            watch,
            **{name: values[name] for name in cls.__dataclass_fields__.keys() & values.keys()},
        )

    @property
    def sides(self) -> Sides:
        """The sides of the first condition."""
        return self.conditions[0]

    @cached_property
    def runs(self) -> list[Run]:
        """How it scores by each measure that the user names, or by a scheme with its options."""
        named = self.measure
        if named is None:
            measures = [_of_scheme(self)]
        else:
            _check_kinds(named, self)
            measures = [_beside(one, self) for one in named]
            _check_options(measures, self)
        if "align" in {*self.named} - {*SHOWN.get(self.what, ())} and all(
            one.family.aligns_words and one.values["cut"] != "times" for one in measures
        ):
            raise UsageFault("--align goes with --cut times")
        found = []
        for one in measures:
            shared = settings_for(self, one.family)
            if named is None and _has_time(self, one):
                shared = replace(shared, normalise=normalisation(str(self.options["normalise"])))
            found.append(Run(one, one.settings(shared)))
        return found

    @property
    def run(self) -> Run:
        """How it scores by its only measure."""
        if len(self.runs) > 1:
            raise UsageFault(f"{self.what} takes one measure, found {len(self.runs)} of them")
        return self.runs[0]

    def open(self, run: Run, sides: Sides | None = None) -> Corpus:
        """The systems of some sides, or of its own, unread."""
        corpus = self.corpus(run, sides or self.sides)
        self.opened.append((corpus, run.settings))
        return corpus

    def corpus(self, run: Run, sides: Sides, *, has_stand_ins: bool = False) -> Corpus:
        """The documents of systems, which are read one by one as they are scored."""
        settings, scheme = run.settings, run.scheme
        if scheme.counts == "tags":
            sides = sides.wanting(ref=ANNOTATIONS, hyp=ANNOTATIONS)
        if scheme in WITHOUT_ELEMENTS:
            sides = sides.wanting(ref=WORDS, hyp=WORDS)
        elif scheme in OF_ELEMENTS:
            sides = sides.wanting(hyp=WORDS)
        pairs: dict[str, list[UnreadPair]] = {}
        for own in sides.of_each():
            [(name, hyp)] = own.systems.items()
            with located(hyp if isinstance(hyp, str) and len(sides.systems) > 1 else None):
                references, hypotheses, *of_words = own.selected(settings.documents)
                pairs[name] = unread_pairs(
                    references or [],
                    hypotheses or [],
                    *of_words,
                    missing=settings.missing,
                    offers_missing="missing" in self.options and scheme.takes("missing"),
                    is_projected=settings.is_projected,
                    has_stand_ins=has_stand_ins or settings.missing == "empty",
                )
        has_one_text = scheme.takes("altered_words") and not settings.is_projected
        return Corpus(
            pairs,
            run.reading(sides.alternatives if self.compares_words() else ()),
            jobs=self.jobs,
            watch=self.watch,
            check=_same_words if has_one_text else bool,
        )

    def compares_words(self) -> bool:
        """Whether the words of the sides may differ in some condition; other readings need that."""
        compares = self.sides.alignment is not None or any(
            one.compares_words or one.scheme.counts == "words" for one in self.runs
        )
        if "alternatives" in self.named and not compares:
            raise UsageFault(
                "--alternatives goes with --measure WER, with a tolerance, or with an alignment by "
                "text or phones: otherwise both sides have the same words"
            )
        return compares

    def check_labels(self) -> None:
        """Check that each label that an option names is in some document, after all were read."""
        found = frozenset[str]().union(*(corpus.labels for corpus, _ in self.opened))
        for _, settings in self.opened:
            settings.labels.check(found, settings.neutral)


def refuse(named: Collection[str], names: Iterable[str], where: str) -> None:
    """Refuse options that the user named, and that have no effect in some place."""
    for name in names:
        if name in named:
            raise UsageFault(f"{flag(name)} has no effect {where}")


def resampling_of(**values: Any) -> Resampling:
    """The settings of resampling that the values of options ask for."""
    known = Resampling.__dataclass_fields__.keys() & values.keys()
    return Resampling(**{name: values[name] for name in known if values[name] is not None})


class Run(NamedTuple):
    """How a run scores by one measure."""

    measure: Measure  # also where the user names a scheme and its options
    settings: Settings

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

    def of(self, condition: Sides) -> Run:
        """The same with the alignment of a condition."""
        how = condition.alignment
        if how is None:
            by_words = self.settings.through or ByWords()
            return self.but(through=by_words) if self.scheme.aligns_words else self
        form = self.settings.normalise if how.tolerance is None else how.normalise
        return self.but(tolerance=how.tolerance, through=how.through, normalise=form)

    def but(self, **settings: Any) -> Run:
        """The same with other values of some settings."""
        return self._replace(settings=replace(self.settings, **settings))

    def scorer(self, *, keeps_outcomes: bool = True) -> Scorer:
        """The scorer, which keeps the outcome of each element, or only counts."""
        figure = self.measure.figure if keeps_outcomes else None
        found = self.scheme.scorer(replace(self.settings, figure=figure))
        if self.scheme.counts == "slots":  # this scorer collects the notes itself
            return found
        return found._replace(work=partial(_with_notes, work=found.work, run=self))

    def reading(self, alternatives: Sequence[str]) -> PairReader:
        """How the pairs of a system are read."""
        settings = self.settings
        read_one: PairReader = partial(
            read_pair,
            labels=settings.labels,
            is_found=self.scheme.has_places,
            max_states=settings.max_states,
            by_position=settings.altered_words == "position",
            has_tags=self.scheme.counts == "tags",
        )
        if alternatives:
            from ..formats.nlp import norm_files  # most scores have none

            return partial(_with_alternatives, read=read_one, files=norm_files(alternatives))
        return read_one

    def scores(self, corpus: Corpus, resampling: Resampling | None) -> dict[str, Score]:
        """The scores of systems on the same words, with all that a comparison needs."""
        if self.scheme.counts in MEASURED:
            from ..analysis.measured import measuring  # most comparisons are of another rate

            measured = measuring([self.measure], self.settings).scores(corpus)
            return {name: one.scored[self.measure] for name, one in measured.items()}
        is_counted = resampling is not None and all(
            resampling.unit_of(len(pairs)) == "document" for pairs in corpus.systems.values()
        )
        found = self.scorer(keeps_outcomes=not is_counted).scores(corpus)
        return {name: score.by(self.measure.figure) for name, score in found.items()}


def _same_words(pair: Pair) -> None:
    """Refuse a pair of different words."""
    recut(*pair)


def _with_alternatives(
    pair: UnreadPair, read: PairReader, files: dict[tuple[str, str], str]
) -> ReadPair:
    """Read a pair, and give its reference the alternatives of its files."""
    (reference, hypothesis), parts = found = read(pair)
    if isinstance(reference, Reference):
        return found  # the stage that needs the words that were said refuses it
    from ..formats.nlp import alternatives_of

    own = replace(reference, alternatives=alternatives_of(reference, files))
    return (own, hypothesis), parts


def _with_notes(pair: Pair, work: Callable[[Pair], DocumentFigures], run: Run) -> DocumentFigures:
    """The figures of a pair with the notes of its readers and its word errors."""
    from ..evaluation.words import errors_beside  # slot errors do not need it

    settings, found = run.settings, work(pair)
    try:
        notes = notes_of(pair if settings.is_projected else recut(*pair))
    except SerevalError:  # the words differ
        notes = notes_of(pair)
    words = errors_beside(pair, settings) if run.compares_words else None
    return found._replace(notes=notes, words=words)


def settings_for(asked: Request, scheme: Scheme) -> Settings:
    """The settings that all measures of a run share, as far as a scheme takes them."""
    fields = fields_of(asked.options, scheme)
    own = {name: one for name, one in fields.items() if name in OF_RUN}
    if asked.documents is not None:
        own["documents"] = document_ids(asked.documents)
    return filled(Settings(labels=asked.changes, grammar=asked.changes.grammar), **own)


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


def _of_scheme(asked: Request) -> Measure:
    """The measure that a scheme and its options ask for."""
    scheme = SCHEMES[str(asked.options.get("scheme", DEFINITION.name))]
    _check_options([Measure(scheme.name)], asked)
    figure = str(asked.options.get("figure") or "")
    if figure and figure not in scheme.figures:
        expected = ", ".join(scheme.figures)
        raise UsageFault(f"found --figure {figure}, expected one of {expected}")
    found = _beside(Measure(scheme.name, figure), asked)
    if scheme.takes("by"):
        is_of_words = _has_time(asked, found)
        named = [name for name in asked.named if name != "normalise" or not is_of_words]
        check_alignment(str(found.values["by"]), named, found.tolerance)
    return found


def _has_time(asked: Request, measure: Measure) -> bool:
    """Whether word errors stand beside a score through time, which normalises words itself."""
    return asked.what in PRINTS_WORDS and isinstance(measure.tolerance, tuple)


def _beside(measure: Measure, asked: Request) -> Measure:
    """The measure with the options of the run that it takes and does not give itself."""
    family = measure.family
    values = {
        name: value
        for name, value in asked.options.items()
        if name in asked.chosen or value != OPTIONS[name].default  # others are as usual
    }
    if family.aligns_words and values.get("by") == "time":
        del values["by"]  # its own way
    fields = fields_of(values, family)
    for name in values.keys() & {*asked.named}:
        if measure.given.get(name, fields.get(name)) != fields.get(name):
            raise UsageFault(
                f"found {flag(name)} and --measure {measure}, which says otherwise, "
                "expected one of them"
            )
    found = measure.beside(fields)
    if fields.get("is_bound") and "unplaceable" not in asked.chosen:
        return found.beside({"unplaceable": "miss"})  # to drop them makes the bound trivial
    return found


def _check_kinds(measures: Sequence[Measure], asked: Request) -> None:
    """Refuse measures that the run cannot show, and upper bounds of measures that have none."""
    counts = UNITS.get(asked.what, ())
    for one in measures:
        takes_counts = not counts or "words" in counts
        if counts and one.family.counts not in counts or not (takes_counts or has_outcomes(one)):
            expected = "SER, P, R, F1, WER" if takes_counts else "SER"
            raise UsageFault(
                f"--measure {one} is not for {asked.what}, expected {expected} or a "
                f"figure of {', '.join(schemes_that_count(*counts))}"
            )
        if asked.options.get("is_bound") and not one.family.takes("is_bound"):
            raise UsageFault(
                f"found --upper-bound: a perfect tagger has no --measure {one}, expected figures "
                f"of {', '.join(schemes_with('is_bound'))}"
            )


def has_outcomes(measure: Measure) -> bool:
    """Whether a measure gives each element an outcome, as SER and figures of schemes do."""
    if measure.family.counts == "slots":
        return measure.figure == "SER"
    return measure.family.counts in OUTCOMES


def _check_options(measures: Sequence[Measure], asked: Request) -> None:
    """Refuse options that the user set and that have no effect on the measures of the run."""
    is_scheme = asked.measure is None
    for name in (name for name in asked.named if name not in SHOWN.get(asked.what, ())):
        is_own = name in OPTIONS and name not in (*OF_RUN, *OF_LABELS)
        if is_scheme and not measures[0].family.takes(name):
            if name == "grammar" and asked.changes.has_changes:
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


def labels_of(
    label_map: str | LabelMap | None = None,
    only: tuple[str, ...] | None = (),
    level: int | None = None,
    grammar: str | Grammar | None = None,
    **_: object,
) -> Labels:
    """The changes of labels that the values of options ask for."""
    if label_map and not isinstance(label_map, LabelMap):
        label_map = load_map(label_map)
    if grammar and not isinstance(grammar, Grammar):
        grammar = load_grammar(grammar)
    return Labels(label_map or None, only or (), level, grammar or None)
