"""The options of a run as the user set them, and the settings and the scoring that they ask for.

The user sets them on the command line or as arguments of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.blocks import WEIGHTS
from ..alignment.normalise import normalisation
from ..corpus.corpus import Corpus, Scorer
from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import Pair
from ..documents.words import recut
from ..errors import SerevalError, UsageFault
from ..evaluation.aligned import GivenAlignment
from ..evaluation.settings import BY_WORDS, OWNERS, ByWords, Settings, settings_of
from ..evaluation.totals import Notes, notes_of, sentences
from ..evaluation.totals import read_choices as choices_of
from ..labels.grammar import Grammar, load_grammar
from ..labels.relabel import LabelMap, Labels, load_map
from ..projection.project import LONGEST
from ..schemes.options import OPTIONS, InWords, fields_of
from ..schemes.table import SCHEMES, Scheme, schemes_with
from .sides import Sides

if TYPE_CHECKING:
    from ..analysis.rates import AnyScore
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
        paths: checks the paths of a system before they are read.
        read: is called with the corpora that were read.
    """

    watch: Callable[[Sequence[Any]], Iterable[Any]] = iter
    tell: Callable[[str, int, int], object] = lambda *_: None
    paths: Callable[[Sequence[str]], object] = lambda _: None
    read: Callable[[Sequence[Corpus]], object] = lambda _: None


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a user asks of a run.

    Args:
        values: the values of all options, defaults included, by name of the parameter; ``words``
            has the words of each system, or of all.
        named: the names of the options that the user set in the command or the call.
        chosen: the same, and those from a file of settings.
        schemes: the names of the schemes that the command or the function offers.
        what: the name of the command or function.
        hooks: what the door does while documents are found and scored.
        known: the documents of each path, by side and path, so that a folder is listed once.
    """

    values: Mapping[str, Any]
    named: Collection[str] = ()
    chosen: Collection[str] = ()
    schemes: Collection[str] = tuple(SCHEMES)
    what: str = "score"
    hooks: Hooks = Hooks()
    known: dict[Side, list[Entry]] = field(default_factory=dict)

    def but(self, **values: Any) -> RunRequest:
        """The same with other values of some options."""
        return replace(self, values={**self.values, **values})

    @property
    def sides(self) -> Sides:
        """How the sides are read."""
        return Sides.of(self.values, self.known)


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How a command scores, and the processes that do the work.

    Args:
        scheme: the scheme, with its scorer.
        settings: the settings; ``figure`` is the figure that the user names.
        workers: the processes that score.
        has_missing: whether the user may choose what happens to documents that only one side has.
    """

    scheme: Scheme
    settings: Settings
    workers: Workers = THIS_PROCESS
    has_missing: bool = False

    @property
    def offers_missing(self) -> bool:
        """Whether messages about such a document name the policies that the scheme takes."""
        return self.has_missing and self.scheme.takes("missing")

    @property
    def compares_words(self) -> bool:
        """Whether word errors stand beside the score: the words of the two sides may differ."""
        if self.settings.is_projected:
            return True
        if self.scheme.counts in ("slots", "tags"):
            return False
        return self.settings.missing == "error" and not self.scheme.takes("tolerance")

    def score(self, corpus: Corpus) -> dict[str, AnyScore]:
        """The score of each system, with the outcome of each element."""
        return self.scorer(self.settings.figure or self.scheme.figures[0]).scores(corpus)

    def count(self, corpus: Corpus) -> dict[str, AnyScore]:
        """The score of each system, without the outcomes of elements."""
        scores, figure = self.scorer(None).scores(corpus), self.settings.figure
        if self.scheme.counts == "slots" or not figure:
            return scores
        return {name: score.by(figure) for name, score in scores.items()}

    def scorer(self, figure: str | None) -> Scorer:
        """The scorer, which keeps the outcomes of elements if there is a figure."""
        found = self.scheme.scorer(replace(self.settings, figure=figure))
        if self.scheme.counts == "slots":  # this scorer collects the notes itself
            return found
        work = partial(_with_notes, work=found.work, how=self)
        return Scorer(work, partial(_noted, score=found.score, settings=self.settings))


_Noted = tuple[Any, Notes, "DocumentErrors | None"]
"""What a scorer finds in a pair, the notes of its readers, and its word errors."""


def _with_notes(
    pairs: Sequence[Pair], work: Callable[[Sequence[Pair]], Any], how: ScoringOptions
) -> list[_Noted]:
    from ..evaluation.words import errors_beside  # slot errors do not need it

    settings = how.settings
    return [
        (
            found,
            notes_of(pair) if settings.is_projected else on_same_words(pair),
            errors_beside(pair, settings) if how.compares_words else None,
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


def split(
    values: Mapping[str, Any], names: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of the options with these names, and the values of the others."""
    named = {name: value for name, value in values.items() if name in names}
    return named, {name: value for name, value in values.items() if name not in names}


def scoring_of(asked: RunRequest, *, besides: Collection[str] = ()) -> ScoringOptions:
    """The scoring that the options of a run ask for.

    Args:
        asked: the options.
        besides: options that the run accepts under every scheme.

    Raises:
        UsageFault: an option that the scheme does not take; options that contradict each other.
        SerevalError: a grammar or a map that cannot be read; as ``Settings``.
    """
    values, _ = split(asked.values, OPTIONS.keys() - WRITTEN)
    scheme = SCHEMES[values.get("scheme", Settings().scheme)]
    check_parts(asked, scheme, besides=besides)
    workers = workers_of(asked.values)
    fields = fields_of(values, scheme)
    if "is_bound" in fields and "unplaceable" not in asked.chosen:
        fields["unplaceable"] = "miss"  # dropping them would make the bound trivial
    words, _ = split(fields, ALIGNMENT_OPTIONS)
    if scheme.aligns_words and "by" not in asked.named and OWNERS.keys() & {*asked.named}:
        words["by"] = "text"  # its own way
    is_of_words = asked.what in PRINTS_WORDS and isinstance(words.get("tolerance"), tuple)
    named = [name for name in asked.named if not (is_of_words and name == "normalise")]
    tolerance, through = alignment_of(named, **words)
    if is_of_words and "normalise" in words:
        fields["normalise"] = normalisation(words["normalise"])
    else:
        fields.pop("normalise", None)
    if asked.values.get("given") is not None and scheme.takes("given"):
        through = _with_given(through, asked, scheme)
    _check_times(through, asked, scheme, besides)
    grammar = grammar_of(values.get("grammar"))
    labels = labels_of(**split(values, LABEL_OPTIONS)[0], grammar=grammar)
    fields |= {"tolerance": tolerance, "through": through, "labels": labels, "grammar": grammar}
    if "documents" in fields:
        fields["documents"] = _selected(fields["documents"])
    if scheme.counts != "slots":
        del fields["scheme"]  # ``Settings`` has schemes of slots only
    if "figure" in values and scheme.takes("figure"):
        fields["figure"] = figure_name(scheme, values["figure"])
    _check_placement(asked, fields)
    settings = settings_of(**split(fields, Settings.__dataclass_fields__)[0])
    settings = replace(settings, aligned=asked.values.get("aligned"))
    return ScoringOptions(scheme, settings, workers, "missing" in asked.values)


def _check_placement(asked: RunRequest, fields: Mapping[str, Any]) -> None:
    """Refuse options about the places of mentions that have no effect.

    Args:
        asked: the options.
        fields: the values of those that the scheme takes.

    Raises:
        UsageFault: a limit of placements without a placement; a placement with an upper bound.
    """
    placement = fields.get("placement")
    if "max_placements" in asked.named and placement is None:
        raise UsageFault("--max-placements goes with --placement")
    if placement is not None and fields.get("is_bound"):
        raise UsageFault("--placement has no effect with --upper-bound")


def _with_given(through: ByWords | None, asked: RunRequest, scheme: Scheme) -> ByWords | None:
    """The alignment of words that the user gives, as ``with_given``.

    Raises:
        UsageFault: an option about how words are aligned, which has no effect; as ``with_given``.
    """
    if "weights" in asked.named and scheme.takes("weights"):
        raise UsageFault("--weights has no effect with --aligned-input, expected one of them")
    way = "--by text" if "by" in asked.values else "--measure SER(by=text)"
    fault = f"--aligned-input goes with {way}"
    return with_given(through, asked.values["given"], scheme, fault)


def with_given(
    through: ByWords | None, given: GivenAlignment, scheme: Scheme, fault: str
) -> ByWords | None:
    """An alignment of words that is taken as it is; a scheme of tags has it among its options.

    Args:
        through: how the words are aligned; ``None``: by time, or as the scheme says.
        given: the alignment.
        scheme: the scheme that scores; it takes such an alignment.
        fault: the message about words that are aligned by time or phones.

    Raises:
        UsageFault: they are, or the texts are to be cut.
    """
    if scheme.has_own_alignment:
        return through
    if through is None and scheme.aligns_words:
        through = ByWords()
    if through is None or through.by != "text":
        raise UsageFault(fault)
    try:
        return replace(through, given=given)
    except SerevalError as error:
        raise UsageFault(str(error)) from None


def _check_times(
    through: ByWords | None, asked: RunRequest, scheme: Scheme, besides: Collection[str]
) -> None:
    """Refuse times of the reference's words where an alignment of words does not use them.

    Raises:
        UsageFault: the scheme aligns words, and they are not cut by times.
    """
    is_cut = through is not None and through.cut == "times"
    if scheme.aligns_words and "align" in {*asked.named} - {*besides} and not is_cut:
        raise UsageFault("--align goes with --cut times")


def _selected(named: str | Iterable[str]) -> tuple[str, ...]:
    """The ids of the documents to be scored: from a list or a file, or the ids themselves."""
    if not isinstance(named, str):
        return tuple(sorted({*named}))
    from .groups import document_ids

    return document_ids(named)


def grammar_of(named: str | Grammar | None) -> Grammar | None:
    """A grammar by its name or path, or the grammar itself."""
    if named is None or isinstance(named, Grammar):
        return named
    return load_grammar(named) if named else None


def check_parts(asked: RunRequest, scheme: Scheme, *, besides: Collection[str] = ()) -> None:
    """Refuse options that the scheme does not take.

    Args:
        asked: the options.
        scheme: the scheme that scores.
        besides: options that the run accepts under every scheme.

    Raises:
        UsageFault: the user set such an option.
    """
    for name in asked.named:
        is_needed = name == "grammar" and any(asked.values.get(each) for each in LABEL_OPTIONS)
        if not (is_needed or name in besides or scheme.takes(name)):
            known = {*schemes_with(name)} & {*asked.schemes}
            raise UsageFault(
                f"{flag(name)} has no effect with --scheme {scheme.name}, "
                f"expected it with {', '.join(sorted(known))}"
            )


def workers_of(values: Mapping[str, Any]) -> Workers:
    """The processes that the options ask for; without any, this process works."""
    workers = Workers(values.get("jobs", 1), values.get("scheduler"))
    if workers.scheduler is not None and workers.jobs > 1:
        raise UsageFault("--jobs is for this machine, expected it without --scheduler")
    return workers


WRITTEN = {"aligned"}
"""Scoring options that name a file to be written; each command opens its own files."""

LABEL_OPTIONS = ("label_map", "only", "level")


def labels_of(
    *,
    label_map: str | LabelMap | None = None,
    only: tuple[str, ...] | None = None,
    level: int | None = None,
    grammar: Grammar | None = None,
) -> Labels:
    """The changes of labels that the values of ``LABEL_OPTIONS`` ask for."""
    rules = label_map if isinstance(label_map, LabelMap) else label_map and load_map(label_map)
    return Labels(rules or None, only or (), level, grammar)


ALIGNMENT_OPTIONS = ("tolerance", "by", *OWNERS)

PRINTS_WORDS = ("score", "compare", "audit", "blame")
"""The commands that print word error rates beside scores through time, so that ``normalise`` has an
effect there too."""


def alignment_of(
    named: Collection[str] = (),
    *,
    tolerance: tuple[int, int] | InWords | None = None,
    by: str = "time",
    weights: str = ByWords().weights.name,
    normalise: str = ByWords().normalise.name,
    language: str = ByWords().language,
    cut: str = ByWords().cut,
) -> tuple[tuple[int, int] | None, ByWords | None]:
    """The tolerance in time or the alignment of words that these options ask for.

    Args:
        named: the names of the options that the user set.

    Raises:
        UsageFault: a tolerance of the other kind; an option for another way to align words.
    """
    for name, owners in OWNERS.items():
        if name in named and by not in owners:
            ways = " or ".join(f"--by {owner}" for owner in owners)
            raise UsageFault(f"{flag(name)} goes with {ways}")
    if by == "time":
        if isinstance(tolerance, InWords):
            ways = " or ".join(f"--by {way}" for way in BY_WORDS)
            raise UsageFault(f"a tolerance in words goes with {ways}")
        return tolerance, None
    if isinstance(tolerance, tuple):
        raise UsageFault(f"--by {by} takes a tolerance in words, such as 1w")
    words = int(tolerance or 0)
    form = normalisation(normalise)
    return None, ByWords(by, WEIGHTS[weights], language, words, normalise=form, cut=cut)


def figure_name(scheme: Scheme, name: str | None) -> str:
    """The figure of a scheme by its name; without a name, the first one.

    Raises:
        UsageFault: the scheme has no such figure.
    """
    if name is not None and name not in scheme.figures:
        expected = ", ".join(scheme.figures)
        raise UsageFault(f"found --figure {name}, expected one of {expected}")
    return name or scheme.figures[0]


def on_same_words(pair: Pair) -> Notes:
    """The notes of both sides and of their common words, if their words are the same."""
    try:
        return notes_of(recut(*pair))
    except SerevalError:
        return notes_of(pair)


def tolerances(text: str) -> tuple[int, ...]:
    """Tolerances in ms, from seconds; or in words.

    Raises:
        SerevalError: not a list or a range of durations; one above ``LONGEST``.

    >>> tolerances("0:0.1:0.05")
    (0, 50, 100)
    """
    from ..analysis.grids import grid  # only for sweeps

    found = grid(text)
    if found[-1] > LONGEST:
        raise SerevalError(f"found {text!r}, expected at most {LONGEST // 1000} s")
    return found
