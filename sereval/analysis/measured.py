"""Several measures on the same documents, computed with as little repeated work as possible.

Measures of the definition with the same settings are read from the same counts. Counts with the
same tolerance share one projection. Each other scheme goes through the documents once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..alignment.normalise import normalisation
from ..alignment.text import WEIGHTS
from ..corpus.executor import THIS_PROCESS, Workers, as_it_is
from ..corpus.pairing import Pair
from ..corpus.pairs import PairList, Pairs
from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.evaluate import paired, projection, score_projected
from ..evaluation.settings import Settings
from ..evaluation.signature import Signature
from ..evaluation.totals import DocumentCounts, Notes, Score, counts_of, notes_of, sentences
from ..labels.grammar import Grammar
from ..labels.relabel import AS_THEY_ARE, Labels
from ..mapping.search import MAX_STATES
from ..measures.figures import Figure
from ..measures.slots import Counts
from ..measures.words import WordErrors
from ..projection.project import became
from ..schemes.measure import Measure, parse_measures
from ..schemes.result import SchemeScore
from ..schemes.words import DocumentErrors, HowWords, WordScore, errors_of, word_score

AnyMeasured: TypeAlias = Score | SchemeScore | WordScore
"""A score from which the value of a measure is read."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The values of measures.

    Args:
        scores: for each measure, in the order requested, the score that holds its value.
        read: the notes of the readers of either side, a sentence each: what they skipped, merged
            or added.

    >>> from sereval.measures.words import WordErrors
    >>> errors = WordScore({"d": WordErrors(correct=1, S=1)})
    >>> Measured({Measure("WER"): errors}).values
    {WER: 0.5}
    """

    scores: Mapping[Measure, AnyMeasured]
    read: tuple[str, ...] = ()

    @property
    def values(self) -> dict[Measure, float | None]:
        """The value of each measure over all documents; ``None`` where its denominator is 0."""
        return {m: _value(m, score, _total(score)) for m, score in self.scores.items()}

    @property
    def documents(self) -> dict[str, dict[Measure, float | None]]:
        """The values of each document, in the order of ids."""
        found: dict[str, dict[Measure, float | None]] = {}
        for measure, score in self.scores.items():
            for id, part in _by_document(score).items():
                found.setdefault(id, {})[measure] = _value(measure, score, part)
        return found

    @property
    def signatures(self) -> dict[Measure, Signature]:
        """The signature of each measure: all settings that can change a digit."""
        return {measure: score.signature for measure, score in self.scores.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader of the values, a sentence each."""
        of_scores = (note for score in self.scores.values() for note in _notes(score))
        return tuple(dict.fromkeys([*self.read, *of_scores]))


def measure(
    references: Iterable[Document | Reference],
    hypotheses: Iterable[Document],
    measures: str | Iterable[Measure],
    *,
    missing: str = "error",
    neutral: frozenset[str] = frozenset(),
    labels: Labels = AS_THEY_ARE,
    max_states: int = MAX_STATES,
    grammar: Grammar | None = None,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> Measured:
    """Compute several measures, for each document and for all documents together.

    Args:
        references: annotated documents.
        hypotheses: annotated documents; they pair with the references by ``id``.
        measures: names separated by commas, such as ``"SER@0.3,F1@0.3,WER"``, or measures.
        missing, neutral, labels, max_states, grammar: as in :func:`sereval.evaluate`.
        workers, watch: as in :func:`sereval.evaluate`; they do not change the result.

    Returns:
        The values, with the scores that hold them.

    Raises:
        SerevalError: a name is not the name of a measure; a measure refuses the documents, as
            :func:`sereval.evaluate` does.

    >>> from sereval import Document, tree
    >>> words = ("Jacques", "Chirac")
    >>> gold = Document("d", words, tree([("pers", 0, 2)]))
    >>> found = Document("d", ("Jack", "Chirac"), tree([("pers", 1, 2)]))
    >>> measure([gold], [found], "wer,mitre.type,slue.label").values
    {WER: 0.5, mitre.type: 1.0, slue.label: 1.0}
    """
    requested = parse_measures(measures) if isinstance(measures, str) else tuple(measures)
    run = Settings(
        missing=missing,
        neutral=neutral,
        labels=labels.by(grammar),
        max_states=max_states,
    )
    check_run(requested, run)
    every = [one.settings(run) for one in requested if one.family.counts != "words"]
    strictest = next((one for one in every if one.is_projected), run)
    pairs = PairList(paired(references, hypotheses, strictest), workers, watch)
    return measured(pairs, requested, run, grammar)


def check_run(measures: Sequence[Measure], run: Settings) -> None:
    """Check that the settings of a run make sense for its measures.

    Raises:
        SerevalError: there is no measure; missing hypotheses count as empty, but a measure needs
            all hypotheses; labels are neutral, but no measure has costs.
    """
    if not measures:
        raise SerevalError("found no measure, expected one or more")
    for one in measures:
        if run.missing != "error" and not one.family.takes("missing"):
            raise SerevalError(f"measure {one} needs all hypotheses, expected none to be missing")
    if run.neutral and not any(one.family.takes("neutral") for one in measures):
        raise SerevalError("neutral labels have no part in the measures, expected one with costs")


def measured(
    pairs: Pairs[Pair],
    measures: Sequence[Measure],
    run: Settings,
    grammar: Grammar | None = None,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> Measured:
    """Compute measures on pairs of documents, which are read once.

    Args:
        pairs: references and hypotheses; their labels are already mapped.
        measures: each measure once.
        run: the settings that hold for all measures.
        grammar: tells types from components.
        workers, watch: used by schemes that go through the documents again.
    """
    if goes_again(measures):
        pairs = PairList(list(pairs.each(as_it_is)), workers, watch)
    counted = list(dict.fromkeys(m.settings(run) for m in measures if m.family.counts == "slots"))
    words = list(dict.fromkeys(_how_words(m) for m in measures if m.family.counts == "words"))
    work = partial(_document, every=counted, words=words)
    found = list(pairs.each(work))
    scores: dict[Any, AnyMeasured] = {}
    for k, settings in enumerate(counted):
        scores[settings] = Score(tuple(one.counts[k] for one in found), settings, grammar)
    for k, own in enumerate(words):
        errors = [one.words[k] for one in found]
        scores[own] = word_score(errors, own, ())
    for one in measures:
        key = _scored_as(one, run)
        if key not in scores:
            scores[key] = _checked(one.family.score(pairs, one.settings(run), one.scheme_options))
    return Measured(
        {one: scores[_scored_as(one, run)] for one in measures},
        sentences(one.notes for one in found),
    )


def goes_again(measures: Iterable[Measure]) -> bool:
    """Whether a measure needs to go through the documents by itself."""
    return any(one.family.counts in ("elements", "tags") for one in measures)


def _how_words(measure: Measure) -> HowWords:
    """How a word error rate aligns words."""
    values = measure.values
    return HowWords(WEIGHTS[values["weights"]], normalisation(values["normalise"]))


def _scored_as(measure: Measure, run: Settings) -> Any:
    """The key of the score that holds a measure; measures with equal keys share one score."""
    if measure.family.counts == "slots":
        return measure.settings(run)
    if measure.family.counts == "words":
        return _how_words(measure)
    return measure.scheme, measure.settings(run), measure.scheme_options


def _checked(score: Score | SchemeScore) -> SchemeScore:
    assert isinstance(score, SchemeScore)  # measures of slots are read from counts instead
    return score


class _Document(NamedTuple):
    """The counts of one document by settings, its word errors, its readers' notes."""

    counts: tuple[DocumentCounts, ...]
    words: tuple[DocumentErrors, ...]
    notes: Notes


def _document(pair: Pair, every: Sequence[Settings], words: Sequence[HowWords]) -> _Document:
    """Count one document; settings that project it alike share one projection."""
    projected: dict[Any, tuple[Reference, Document]] = {}
    counts = []
    for settings in every:
        how = settings.tolerance, settings.through, settings.unplaceable
        if how not in projected:
            projected[how] = projection(*pair, settings)
        counts.append(DocumentCounts.of(score_projected(pair[0], *projected[how], settings)))
    errors = tuple(errors_of(pair, how) for how in words)
    return _Document(tuple(counts), errors, notes_of(pair))


# Values read from a score


def _notes(score: AnyMeasured) -> tuple[str, ...]:
    if not isinstance(score, Score):
        return score.notes
    fates = sum((Counter(one.fates) for one in score.documents), Counter[str]())
    return (f"{became(fates)}.",) if fates else ()


def _total(score: AnyMeasured) -> Any:
    return score.counts if isinstance(score, Score) else score.total


def _by_document(score: AnyMeasured) -> Mapping[str, Any]:
    if isinstance(score, Score):
        return {document.id: counts_of(document) for document in score.documents}
    return score.totals if isinstance(score, SchemeScore) else score.documents


def _value(measure: Measure, score: AnyMeasured, part: Any) -> float | None:
    """The value of a measure in a whole score or in a part of it."""
    if isinstance(score, WordScore):
        errors: WordErrors = part
        return errors.rate
    if isinstance(score, SchemeScore):
        figure: Figure = part.get(measure.figure, Figure())
        return figure.f()
    counts: Counts = part
    if measure.figure == "SER":
        return counts.ser(score.settings.costs)
    return {"P": counts.precision, "R": counts.recall, "F1": counts.f1}[measure.figure]
