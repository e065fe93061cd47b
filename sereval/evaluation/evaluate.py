"""The whole score: pair the documents, project, map, count; and the sums over documents.

For each document::

    reference ── project ──▶ Reference ── best_mapping ──▶ Mapping ── count ──▶ Counts
                    ▲ tolerance, unplaceable    ▲ hypothesis, costs

The counts are summed over documents before any division.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..corpus.corpus import Corpus, Pair, Scorer, in_memory, read_pair, under_name, unread_pairs
from ..documents.model import Document, Note, Reference, cut_short, has_own_words, sum_notes
from ..documents.words import recut
from ..errors import SerevalError, check_choice, one_line
from ..labels import SIDES, Grammar
from ..mapping.best import (
    PAIRINGS,
    Mapping,
    cheapest,
    correct_pairs,
    exact_pairs,
    extremes_as_lne,
    map_parts,
    outcomes,
    upper_bound,
)
from ..mapping.clusters import clusters
from ..measures import (
    SLOT_ERROR_RATE,
    Costs,
    Counts,
    Errors,
    Rate,
    Slot,
    match_rate,
    once,
    slot_errors,
)
from ..projection import Tolerance, place, project_aligned, project_ms, tolerance_of
from ..render.report import Paged, Report, Reported
from .settings import SEARCHES, CountedScore, Settings, Signature

if TYPE_CHECKING:
    from .words import DocumentErrors, WordScore


Notes = tuple[tuple[Note, ...], tuple[Note, ...]]
"""The notes of the readers of reference and hypothesis: what they skipped, merged or made up."""


class Mapped(NamedTuple):
    """The two sides of a scored document, and their mapping."""

    annotated: Document | Reference  # before projection
    reference: Reference  # on the hypothesis's words
    hypothesis: Document
    mapping: Mapping
    exact: tuple[tuple[int, int], ...] = ()  # the pairs that precision and recall count


class DocumentScore(NamedTuple):
    """The score of one document.

    Args:
        id: the document's name.
        labels: counts by label, labels in alphabetical order.
        notes: the notes of the readers of reference and hypothesis.
        fates: number of unplaceable elements by fate (``dropped``, ``missed``, ``merged``).
        slack: the most that its alignment of words may cost beyond the cheapest.
        fuzzy: the projection that a fuzzy reference from a file names; ``None``: the reference is
            not fuzzy.
        others: counts of other mappings: the definition's own, then the cheapest and the costliest
            that LNE's program may choose; empty for the definition's scheme.
        words: the errors of the hypothesis's words; ``None``: they are the reference's, or were not
            compared.
        mapped: both sides with their mapping; ``None``: only the counts were kept.

    >>> from sereval import evaluate, from_spans
    >>> gold = from_spans(["Dol"], [("loc", 0, 1)], id="d")
    >>> [document] = evaluate([gold], [gold]).documents
    >>> document.id, document.labels["loc"].C, document.mapped.mapping.pairs
    ('d', 1, ((0, 0),))
    """

    id: str
    labels: Table[str, Counts]
    notes: Notes
    fates: Table[str, int]
    slack: int = 0
    fuzzy: str | None = None
    others: tuple[Counts, ...] = ()
    words: DocumentErrors | None = None
    mapped: Mapped | None = None

    @property
    def counts(self) -> Counts:
        """The counts over all labels."""
        return Counts.sum(self.labels.values())


class ScoreInterval(NamedTuple):
    """A bootstrap interval of the rate of a score, and how it was made."""

    measure: str  # the name of the rate
    low: float | None  # rates, not in percent; None: a single unit, or no rate on any resample
    high: float | None
    undefined: int  # resamples left out: their denominator is 0
    unit: str  # what was resampled: document or utterance
    units: int  # their number
    confidence: float  # from 0 to 1
    resamples: int
    seed: int


@dataclass(frozen=True, repr=False)
class Evaluation(Paged, Reported, CountedScore):
    """A score: the counts of documents, and their sums.

    The rate ``ser``, the sums ``counts``, ``labels`` and ``kinds``, the ``word_errors``, the
    ``notes`` and the ``signature`` are computed from the documents when they are asked for.

    Args:
        documents: the score of each document, in the order of their ids.
        settings: the settings of the score.
        figure: the rate for comparisons: ``SER``, ``P``, ``R`` or an F-measure of exact matches.
        interval: the interval of ``ser``; ``None``: none was asked for.

    >>> from sereval import evaluate, from_spans
    >>> words = ["Jacques", "Chirac"]
    >>> gold, found = from_spans(words, [("pers", 0, 2)]), from_spans(words, [("pers", 1, 2)])
    >>> score = evaluate([gold], [found])
    >>> score.ser, score.counts.S_S, score.labels["pers"].ref
    (0.5, 1, 1)
    """

    documents: tuple[DocumentScore, ...]
    settings: Settings
    figure: str = "SER"
    interval: ScoreInterval | None = None

    def by(self, figure: str, _: str = "") -> Evaluation:
        """The same score with another rate for comparisons."""
        return replace(self, figure=figure)

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared."""
        return SLOT_ERROR_RATE if self.figure == "SER" else match_rate(self.figure)

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        return self._errors(self.counts)

    def _errors(self, counts: Counts) -> Errors:
        return slot_errors(counts, self.figure, self.settings.costs)

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        return ((one.id, self._errors(one.counts)) for one in self.documents)

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label, in alphabetical order."""
        return {label: self._errors(counts) for label, counts in self.labels.items()}

    @property
    def has_other_words(self) -> bool:
        """Whether the words of the two sides may differ."""
        return self.settings.is_projected

    @property
    def remarks(self) -> list[str]:
        """What the scorer says of its counts, a sentence each."""
        from .report import neutral_notes, unplaceable_notes

        return [*neutral_notes(self), *unplaceable_notes(self)]

    def classes(self) -> Iterator[tuple[str, dict[str, Counter[Slot]]]]:
        """The number of slots by label and class of each document, after its id."""
        for one in self.documents:
            rows = one.labels.items()
            yield one.id, {label: Counter({s: own[s] for s in Slot}) for label, own in rows}

    @cached_property
    def counts(self) -> Counts:
        """The counts over all documents and labels."""
        return Counts.sum(one.counts for one in self.documents)

    @cached_property
    def labels(self) -> dict[str, Counts]:
        """The counts of each label over all documents, in alphabetical order."""
        found: dict[str, list[Counts]] = {}
        for document in self.documents:
            for label, counts in document.labels.items():
                found.setdefault(label, []).append(counts)
        return {label: Counts.sum(counts) for label, counts in sorted(found.items())}

    @property
    def kinds(self) -> dict[str, Counts]:
        """The counts of types, components and unknown labels; empty without a grammar."""
        kinds = by_kind(self.labels, self.settings.grammar).items()
        return {kind: Counts.sum(map(self.labels.__getitem__, own)) for kind, own in kinds}

    @property
    def ser(self) -> float | None:
        """Slot error rate over all documents; ``None`` if the reference has no slot."""
        return self.counts.ser(self.settings.costs)

    @property
    def others(self) -> list[Counts]:
        """The counts of other mappings, as in the documents; empty for the definition's scheme.

        The definition's own mapping, then the cheapest and the most costly one that LNE's program
        may choose: equal costs mean that no tie can move the figure.
        """
        return [
            Counts.sum(own) for own in zip(*(one.others for one in self.documents), strict=True)
        ]

    @cached_property
    def word_score(self) -> WordScore | None:
        """The same as ``word_errors``, also if no word is wrong."""
        if not self.settings.is_projected:
            return None
        from .words import score_beside  # scores on the same words do not need it

        return score_beside((one.words for one in self.documents), self.settings)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the readers over all documents, a sentence each."""
        return sentences(document.notes for document in self.documents)

    @property
    def signature(self) -> Signature:
        """All names and values that can change a result; its text is one line."""
        ways = {one.fuzzy for one in self.documents if one.fuzzy is not None}
        how = " or ".join(sorted(filter(None, ways)))
        fuzzy = [("reference", f"fuzzy({how})" if how else "fuzzy")] if ways else []
        read = read_choices(document.notes for document in self.documents)
        return signature_of(self.settings, (*fuzzy, *read))

    @property
    def precision(self) -> float | None:
        """The share of the hypothesis's elements that are exact matches; ``None`` without any."""
        return self.counts.precision

    @property
    def recall(self) -> float | None:
        """The share of the reference's elements that are exact matches; ``None`` without any."""
        return self.counts.recall

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; ``None`` without elements."""
        return self.counts.f1

    def report(self) -> Report:
        """The counts and rates of all documents, by label and by document."""
        from .report import report_of  # many scores are never shown

        return report_of(self)


def signature_of(settings: Settings, parts: Iterable[tuple[str, str]]) -> Signature:
    """The signature of a score; ``parts`` are names and values that depend on the documents."""
    grammar = settings.grammar
    named = [] if grammar is None else [("grammar", grammar.signature)]
    return Signature.of(*settings.signature, *parts, *named)


def notes_of(pair: Pair) -> Notes:
    """The notes of both sides of a pair."""
    return pair[0].notes, pair[1].notes


def read_choices(notes: Iterable[tuple[Iterable[Note], Iterable[Note]]]) -> list[tuple[str, str]]:
    """The choices that changed how a side was read, as parts of a signature."""
    found = []
    for side, own in zip(SIDES, zip(*notes, strict=True), strict=False):
        if choices := {note.choice for note in chain.from_iterable(own) if note.choice}:
            found.append((f"{side} read", ",".join(sorted(choices))))
    return found


def sentences(
    documents: Iterable[Sequence[Iterable[Note]]], sides: Sequence[str] = SIDES
) -> tuple[str, ...]:
    """The notes of all documents as sentences, added up by side."""
    found = []
    for side, own in zip(sides, zip(*documents, strict=True), strict=False):
        found += [one_line(f"{side.capitalize()}: {note}.") for note in sum_notes(own)]
    return tuple(found)


def notes_by_system(notes: Iterable[tuple[str, Notes]]) -> tuple[str, ...]:
    """The notes of the readers, a sentence each; a note on a hypothesis begins with its system."""
    of_system: dict[str, list[Notes]] = {}
    for system, both in notes:
        of_system.setdefault(system, []).append(both)
    found: list[str] = []
    for system, own in of_system.items():
        for note in sentences(own):
            is_ours = note.startswith(SIDES[0].capitalize())
            found.append(note if is_ours else f"{system}: {note}")
    return tuple(dict.fromkeys(found))  # systems share the reference


def by_kind(labels: Iterable[str], grammar: Grammar | None) -> dict[str, list[str]]:
    """Labels by kind: types, components, and unknown ones if there are any."""
    if grammar is None:
        return {}
    found: dict[str, list[str]] = {"types": [], "components": []}
    for label in labels:
        kind = "components" if label in grammar.components else "unknown labels"
        found.setdefault("types" if label in grammar.types else kind, []).append(label)
    return found


_R = TypeVar("_R")


def evaluate(
    references: Iterable[Document | Reference],
    hypotheses: Iterable[Document],
    *,
    jobs: int = 1,
    **settings: Any,
) -> Evaluation:
    """Score hypotheses against references, document by document.

    Source: Galibert et al., IJCNLP 2011, section 3; ``docs/why/definition.md``.

    Args:
        references: annotated documents, or fuzzy references that were read from a file.
        hypotheses: annotated documents; they pair with the references by ``id``.
        jobs: the number of processes that do the work; it changes no result.
        settings: ``tolerance`` in seconds (``0.3``, ``"0.3"`` and ``"300ms"`` are the same; a pair
            for starts and for ends; ``None``: both sides have the same words), and the other fields
            of :class:`sereval.Settings`, such as ``costs``, ``unplaceable`` and ``labels``.

    Returns:
        The score of each document with its mapping, and their sums.

    Raises:
        TypeError: ``Settings`` has no such field.
        SerevalError: a value that ``Settings`` refuses; a document on one side only or twice;
            different words without a tolerance; a tolerance without times; a search that reaches
            its limit.

    >>> from sereval.documents.model import tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Document("d", words, tree([
    ...     ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2)]))
    >>> hypothesis = Document("d", words, tree([("pers.ind", 0, 1)]))
    >>> evaluation = evaluate([reference], [hypothesis])
    >>> evaluation.counts.S_S, evaluation.counts.D, evaluation.ser == 2.5 / 3
    (1, 2, True)
    """
    how = settings_from(**{"figure": "SER", **settings})
    corpus = corpus_of(references, hypotheses, how, jobs)
    found: Evaluation = slots(how).scores(corpus)[""]
    how.labels.check(corpus.labels)
    return found


def settings_from(tolerance: Tolerance | None = None, **others: Any) -> Settings:
    """The settings of the keyword arguments of :func:`evaluate`."""
    both = None if tolerance is None else tolerance_of(tolerance)
    neutral, costs = frozenset(others.pop("neutral", ())), others.pop("costs", None) or Costs()
    found = Settings(both, costs=costs, neutral=neutral, **others)
    check_choice(found.scheme, SEARCHES)
    return found


def corpus_of(
    references: Iterable[Document | Reference],
    hypotheses: Iterable[Document],
    settings: Settings,
    jobs: int = 1,
) -> Corpus:
    """The corpus of documents in memory, those of one system without a name."""
    ours, theirs = in_memory(_listed(references), "ref"), in_memory(_listed(hypotheses), "hyp")
    if len(ours) == len(theirs) == 1 and ours[0].id != theirs[0].id:
        theirs = [under_name(theirs[0], ours[0].id)]
    pairs = unread_pairs(
        ours,
        theirs,
        missing=settings.missing,
        offers_missing=True,
        is_projected=settings.is_projected,
    )
    by_position = settings.altered_words == "position"
    reading = partial(read_pair, labels=settings.labels, is_found=False, by_position=by_position)
    return Corpus({"": pairs}, reading, jobs=jobs)


def _listed(side: Iterable[Document | Reference]) -> list[Document | Reference]:
    """The documents of a side as a list."""
    if not hasattr(side, "__iter__"):
        raise SerevalError(f"found {cut_short(side)}, expected a list of documents")
    found = list(side)
    for one in found:
        if not isinstance(one, Document | Reference):
            raise SerevalError(
                f"found {cut_short(one)}, expected a Document, as from_spans, from_tags and "
                "others make them"
            )
    return found


def slots(settings: Settings) -> Scorer:
    """Score documents by slot errors (definition, section 3); ``figure`` keeps the mappings."""
    work = partial(score_pair, settings=settings)
    return Scorer(work, lambda found: Evaluation(tuple(found), settings))


def with_mappings(settings: Settings) -> Scorer:
    """Score documents by slot errors, and keep the mapping of each."""
    return slots(replace(settings, figure="SER"))


def score_pair(pair: Pair, settings: Settings) -> DocumentScore:
    """The score of a document, with its word errors if words may differ."""
    known = _on_words(pair, settings) if settings.is_projected else (None, None)
    found = score_document(*pair, settings, known[0])._replace(words=known[1])
    return found if settings.figure else found._replace(mapped=None)


def shared(make: Callable[[Pair, Settings], _R]) -> Callable[[Pair, Settings], _R]:
    """What depends on the words of a pair alone; systems on the same words share it."""
    known: list[tuple[tuple[object, ...], _R]] = []  # for one reference at a time

    def made(pair: Pair, settings: Settings) -> _R:
        reference, heard = pair
        words = heard.words, heard.times, heard.mentions is None, has_own_words(heard)
        key = reference, settings, *words
        known[:] = [one for one in known if one[0][:2] == key[:2]]
        for other, value in known:
            if other == key:
                return value
        found = make(pair, settings)
        known.append((key, found))
        return found  # and not the last of the list, which another thread may have changed

    return made


@shared
def _on_words(pair: Pair, settings: Settings) -> tuple[Reference, DocumentErrors | None]:
    """The projection of the reference, and the word errors."""
    from .words import errors_beside  # scores on the same words do not need it

    return projection(*pair, settings)[0], errors_beside(pair, settings)


def score_document(
    annotated: Document | Reference,
    hypothesis: Document,
    settings: Settings,
    projected: Reference | None = None,
) -> DocumentScore:
    """Project one document, unless both sides are those of ``projection``; map and count it."""
    if projected is None:
        projected, hypothesis = projection(annotated, hypothesis, settings)
    if settings.is_bound:
        bound = upper_bound(projected, settings.max_states)
        hypothesis = replace(bound, notes=hypothesis.notes)
    is_lne, costs, limit = settings.scheme == "quaero-lne", settings.costs, settings.max_states
    preferences = [SEARCHES[settings.scheme](costs)]
    if is_lne:
        preferences += [cheapest(costs), *extremes_as_lne(costs)]
    parts = clusters(projected, hypothesis, settings.neutral)
    rules = PAIRINGS[settings.pairing]
    mappings = [map_parts(projected, parts, one._replace(**rules), limit) for one in preferences]
    if settings.neutral:  # precision and recall ignore costs
        parts = clusters(projected, hypothesis)
    exact = partial(exact_pairs, projected, hypothesis, parts, max_states=limit)
    if is_lne:
        exact = partial(correct_pairs, projected, hypothesis)
    every = {  # they are mostly equal
        one: Mapped(annotated, projected, hypothesis, one, exact(one)) for one in mappings
    }
    labels = {one: _count(mapped, settings) for one, mapped in every.items()}
    return DocumentScore(
        projected.id,
        labels[mappings[0]],
        (annotated.notes, hypothesis.notes),
        Counter(lost.fate for lost in projected.unplaceable),
        projected.slack,
        annotated.projection if isinstance(annotated, Reference) else None,
        tuple(Counts.sum(labels[one].values()) for one in mappings[1:]),
        mapped=every[mappings[0]],
    )


def projection(
    reference: Document | Reference, hypothesis: Document, settings: Settings
) -> tuple[Reference, Document]:
    """Bring both sides onto the hypothesis's words, projected if the settings ask for it."""
    for side in (reference, hypothesis):
        is_found = side is hypothesis and (side.words or not reference.words)
        if side.mentions is not None and not is_found:
            expected = (
                "them found in words (find_mentions)"
                if side is hypothesis
                else "places for all of a reference; scheme slue compares mentions as they are"
            )
            raise SerevalError(f"{side.id}: mentions without places, expected {expected}")
    if not settings.is_projected:
        reference, hypothesis = recut(reference, hypothesis)
        if isinstance(reference, Reference):
            return place(reference, unplaceable=settings.unplaceable), hypothesis
        return Reference.exact(reference), hypothesis
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference is projected, it takes no tolerance")
    if settings.through is not None:
        projected = project_aligned(
            reference,
            hypothesis,
            settings.through.align_documents(reference, hypothesis),
            tolerance=settings.through.tolerance,
            unplaceable=settings.unplaceable,
        )
        return projected, hypothesis
    assert settings.tolerance is not None  # is_projected
    projected = project_ms(reference, hypothesis, settings.tolerance, settings.unplaceable)
    return projected, hypothesis


def placed(reference: Reference) -> tuple[Reference, Document]:
    """A fuzzy reference that was read, and its elements at the placement of least shift."""
    own = place(reference)
    return own, upper_bound(own)


_COUNTED = itemgetter(1, 0, 4)
"""The label and the class of an outcome, and whether it is neutral."""


def _count(mapped: Mapped, settings: Settings) -> dict[str, Counts]:
    """Counts by label, in alphabetical order."""
    _, reference, hypothesis, mapping, exact = mapped
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    slots = outcomes(reference, hypothesis, mapping, settings.neutral)
    for (label, slot, is_neutral), number in Counter(map(_COUNTED, slots)).items():
        rows[label][slot.value] += number
        if is_neutral and slot is not Slot.CORRECT:
            rows[label][f"free_{slot.value}"] += number
    for what, labels in (
        ("hyp", [element.label for element in hypothesis.elements]),
        ("hyp", [mention.label for mention in hypothesis.mentions or ()]),
        ("exact", [reference.elements[r].label for r, _ in exact]),
        ("exact_hyp", [hypothesis.elements[h].label for _, h in exact]),
        ("unplaceable", [lost.element.label for lost in reference.unplaceable]),
    ):
        for label, number in Counter(labels).items():
            rows[label][what] += number
    return {intern(label): once(Counts(**rows[label])) for label in sorted(rows)}
