"""The whole score: pair the documents, project, map, count.

For each document::

    reference ── project ──▶ Reference ── best_mapping ──▶ Mapping ── count ──▶ Counts
                    ▲ tolerance, unplaceable    ▲ hypothesis, costs

The counts are summed over documents before any division.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, Any, TypeVar

from ..corpus.corpus import Corpus, Pair, Scorer, read_pair, under_name, unread_pairs
from ..corpus.entries import in_memory
from ..documents.model import Document, Reference, cut_short, has_own_words
from ..documents.words import recut
from ..errors import SerevalError
from ..mapping.best import (
    PAIRINGS,
    cheapest,
    correct_pairs,
    exact_pairs,
    extremes_as_lne,
    map_parts,
    outcomes,
    upper_bound,
)
from ..mapping.clusters import clusters
from ..measures.slots import Costs, Counts, Slot, once
from ..projection.project import Tolerance, place, project_aligned, project_ms, tolerance_of
from .settings import SEARCHES, Settings, check_choice
from .totals import DocumentScore, Evaluation, Mapped

if TYPE_CHECKING:
    from .words import DocumentErrors

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
    return Settings(both, costs=costs, neutral=neutral, **others)


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
    check_choice(settings.scheme, SEARCHES)
    work = partial(score_pair, settings=settings)
    return Scorer(work, lambda found: Evaluation(tuple(found), settings))


def with_mappings(settings: Settings) -> Scorer:
    """The same, with the mapping of each document."""
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
