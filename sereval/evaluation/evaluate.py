"""The whole flow: pair the documents, project, map, count.

This is the table of contents of the package. For each document of the reference::

    reference ── project ──▶ Reference ── best_mapping ──▶ Mapping ── count ──▶ Counts
                    ▲ tolerance, unplaceable    ▲ hypothesis, costs

and the counts are summed over documents before anything is divided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Table
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairing import Pair, emptied, matched, refuse_empty
from ..corpus.pairs import PairList, Pairs
from ..documents.model import Document, Named, Note, Reference
from ..documents.recut import recut
from ..errors import SerevalError
from ..labels.grammar import Grammar
from ..labels.relabel import AS_THEY_ARE, Labels
from ..mapping.best import EXACT_PAIRS, MOST_CORRECT, PAIRINGS, Mapping, cheapest, cut, mapped
from ..mapping.outcomes import outcomes
from ..mapping.search import MAX_STATES
from ..mapping.upper_bound import upper_bound
from ..measures.slots import Costs, Counts, Slot
from ..projection.project import place, project, project_aligned
from .settings import SEARCHES, ByWords, Settings, settings_of
from .totals import DocumentCounts, Score, counts_of


class DocumentScore(NamedTuple):
    """One document's score, with all that is needed to see why.

    Args:
        annotated: the reference as given.
        reference: as projected onto the hypothesis's words.
        hypothesis: on the same words.
        mapping: the best one.
        labels: counts by label, by label in alphabetical order.
        definition: counts of the definition's own mapping, where the scheme has another.
    """

    annotated: Document | Reference
    reference: Reference
    hypothesis: Document
    mapping: Mapping
    labels: Table[str, Counts]
    definition: Counts | None = None

    @property
    def id(self) -> str:
        """The document's name."""
        return self.reference.id

    @property
    def counts(self) -> Counts:
        """Over all labels."""
        return counts_of(self)

    @property
    def fates(self) -> Table[str, int]:
        """What became of the unplaceable elements, and of how many."""
        return Counter(lost.fate for lost in self.reference.unplaceable)

    @property
    def slack(self) -> int:
        """How much dearer its alignment of words may be than the cheapest."""
        return self.reference.slack

    @property
    def fuzzy(self) -> str | None:
        """How a fuzzy reference says that it was made; ``None``: the reference is not fuzzy."""
        return self.annotated.projection if isinstance(self.annotated, Reference) else None

    @property
    def notes(self) -> tuple[tuple[Note, ...], tuple[Note, ...]]:
        """What the readers of reference and hypothesis skipped, merged or made up."""
        return self.annotated.notes, self.hypothesis.notes


class Evaluation(Score):
    """A score with all that is needed to see why.

    Attributes:
        documents: of each document its score, mapping and projected reference, by id.
        settings: what it was scored with.
        grammar: tells types from components in reports; ``None``: nothing is assumed.
        ser: slot error rate over all documents; ``None`` without any reference slot.
        counts: slots by class over all documents; precision, recall and F1 are theirs.
        labels: counts by label.
        kinds: counts of types and of components; empty without a grammar.
        definition_counts: counts of the definition's own mapping, where the scheme has another.
        notes: what the readers of either side skipped, merged or made up.
        signature: all that can change a digit, on one line.
    """

    __slots__ = ()
    documents: tuple[DocumentScore, ...]

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each document, label and class, as the CSV has.

        Raises:
            SerevalError: pandas is not installed; it is the extra ``pandas``.
        """
        from ..report.csv import to_frame

        return to_frame(self)

    def to_json(self) -> str:
        """The report that ``sereval score --format json`` writes."""
        from ..report.json import render

        return render(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from ..report.page import summary

        return summary(self)


_R = TypeVar("_R", Document, Document | Reference)
_A = TypeVar("_A", bound=Named)
_B = TypeVar("_B", bound=Named)


def evaluate(
    references: Iterable[Document | Reference],
    hypotheses: Iterable[Document],
    *,
    tolerance: int | tuple[int, int] | None = None,
    unplaceable: str = "drop",
    costs: Costs | None = None,
    missing: str = "error",
    pairing: str = "word",
    scheme: str = "quaero",
    through: ByWords | None = None,
    is_bound: bool = False,
    neutral: frozenset[str] = frozenset(),
    labels: Labels = AS_THEY_ARE,
    max_states: int = MAX_STATES,
    grammar: Grammar | None = None,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> Evaluation:
    """Score hypotheses against references, document by document.

    Source: Galibert et al., IJCNLP 2011, section 3; ``docs/definition.md``.

    Args:
        references: annotated documents, or fuzzy references that were read from a file.
        hypotheses: annotated documents; they pair with the references by ``id``.
        tolerance: in ms, on either side of a frontier, inclusive; a pair for starts and for ends;
            ``None``: both sides are on the same words.
        unplaceable: policy for elements without a place: ``drop``, ``miss`` or ``merge``.
        costs: of the classes of error; ``None``: the definition's.
        missing: a reference without a hypothesis is an ``error``, or counts as ``empty``.
        pairing: which pairs a mapping may hold; ``word``, the definition's: the two spans share a
            word; ``half``: half the words of the longer one; ``label``: label or span is right.
        scheme: ``quaero``, or ``quaero-lne`` for the figures that LNE's program prints: then
            precision, recall and F1 are of the mapping's own corrects.
        through: an alignment of the words in the place of a tolerance in time.
        is_bound: score the upper bound, what a perfect tagger would find on the hypothesis's
            words, in the place of its elements.
        neutral: labels that cost nothing on either side, paired or not; they count all the same.
        labels: what becomes of the labels of both sides before anything else: mapped, restricted,
            cut to a level; its hierarchy is that of ``grammar`` unless it has its own.
        max_states: how many states the search of a cluster may come upon; it changes no digit.
        grammar: tells types from components in the reports.
        workers, watch: who scores, and what sees the pairs go by; neither changes what comes back.

    Returns:
        The score of each document with its mapping, and what they add up to.

    Raises:
        SerevalError: a document on one side only or twice, different words without a tolerance,
            a tolerance without times, a search that comes to its limit.

    >>> from sereval.documents.model import tree
    >>> words = ("Jacques", "Chirac")
    >>> reference = Document("d", words, tree([
    ...     ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2)]))
    >>> hypothesis = Document("d", words, tree([("pers.ind", 0, 1)]))
    >>> evaluation = evaluate([reference], [hypothesis])
    >>> evaluation.counts.S_S, evaluation.counts.D, evaluation.ser == 2.5 / 3
    (1, 2, True)
    """
    settings = settings_of(
        tolerance=tolerance,
        unplaceable=unplaceable,
        costs=costs,
        missing=missing,
        pairing=pairing,
        scheme=scheme,
        through=through,
        is_bound=is_bound,
        neutral=neutral,
        labels=labels,
        grammar=grammar,
        max_states=max_states,
    )
    pairs = paired(references, hypotheses, settings)
    score = partial(score_pair, settings=settings)
    scored = PairList(pairs, workers, watch).each(score)
    return Evaluation(tuple(scored), settings, grammar)


def paired(
    references: Iterable[_R], hypotheses: Iterable[Document], settings: Settings
) -> list[tuple[_R, Document]]:
    """References with the hypotheses of the same id, in the order of the ids, relabelled.

    Raises:
        SerevalError: an id on one side only, or twice on one side; nothing at all; what the
            labels that are asked for do not allow; what is no list of documents.
    """
    references, hypotheses = _documents(references), _documents(hypotheses)
    references, hypotheses = settings.labels.applied(references, hypotheses)

    def empty(reference: Document | Reference) -> Document:
        refuse_empty(reference.id, is_projected=settings.is_projected)
        return emptied(Document(reference.id, reference.words))

    pairs = matched(references, hypotheses, empty if settings.missing == "empty" else None)
    for _, hypothesis in pairs:
        if not isinstance(hypothesis, Document):
            kind = type(hypothesis).__name__
            raise SerevalError(f"{hypothesis.id}: the hypothesis is a {kind}, expected a Document")
    return pairs


def _documents(side: Iterable[_A]) -> list[_A]:
    """The documents of a side; anything else is refused."""
    if isinstance(side, Document | Reference):
        raise SerevalError(f"{side.id}: found one document, expected a list of them")
    found = list(side)
    for one in found:
        if not isinstance(one, Document | Reference):
            raise SerevalError(
                f"found {type(one).__name__}, expected a Document, as from_spans, from_tags and "
                "others make them"
            )
    return found


def count(pairs: Pairs[Pair], settings: Settings, grammar: Grammar | None = None) -> Score:
    """The counts of each pair, without its mapping; else as ``evaluate``.

    Args:
        settings, grammar: as in ``evaluate``; labels have become what they are to be.
    """
    documents = tuple(pairs.each(partial(_counts, settings=settings)))
    return Score(documents, settings, grammar)


def _counts(pair: Pair, settings: Settings) -> DocumentCounts:
    return DocumentCounts.of(score_document(*pair, settings))


def score_pair(pair: Pair, settings: Settings) -> DocumentScore:
    """Project, map and count one document."""
    return score_document(*pair, settings)


def score_document(
    reference: Document | Reference, hypothesis: Document, settings: Settings
) -> DocumentScore:
    """Project, map and count one document."""
    return score_projected(reference, *projection(reference, hypothesis, settings), settings)


def score_projected(
    annotated: Document | Reference, projected: Reference, hypothesis: Document, settings: Settings
) -> DocumentScore:
    """Map and count one document that is projected.

    Args:
        annotated: the reference as given.
        projected: on the hypothesis's words, as ``projection`` gives both.
    """
    if settings.is_bound:
        bound = upper_bound(projected, settings.max_states)
        hypothesis = replace(bound, notes=hypothesis.notes)
    parts = cut(projected, hypothesis, settings.neutral, settings.nearness)
    best = partial(mapped, projected, max_states=settings.max_states)
    rules = PAIRINGS[settings.pairing]
    mapping = best(parts, SEARCHES[settings.scheme](settings.costs), rules)
    if settings.scheme == "quaero":
        if settings.neutral or settings.nearness:  # of which precision and recall know nothing
            parts = cut(projected, hypothesis)
        exact = best(parts, MOST_CORRECT, EXACT_PAIRS).pairs
        definition = None
    else:
        exact = _correct(projected, hypothesis, mapping)
        least = best(parts, cheapest(settings.costs), rules)
        own = _count(projected, hypothesis, least, _correct(projected, hypothesis, least), settings)
        definition = sum(own.values(), Counts())
    labels = _count(projected, hypothesis, mapping, exact, settings)
    return DocumentScore(annotated, projected, hypothesis, mapping, labels, definition)


def _correct(
    reference: Reference, hypothesis: Document, mapping: Mapping
) -> tuple[tuple[int, int], ...]:
    """The correct pairs of a mapping."""
    return tuple(
        (slot.reference, slot.hypothesis)
        for slot in outcomes(reference, hypothesis, mapping)
        if slot.slot is Slot.CORRECT and slot.reference is not None and slot.hypothesis is not None
    )


def projection(
    reference: Document | Reference, hypothesis: Document, settings: Settings
) -> tuple[Reference, Document]:
    """Both sides on the hypothesis's words: the same words, or the reference projected."""
    for side in (reference, hypothesis):
        is_found = side is hypothesis and (side.words or not reference.words)
        if isinstance(side, Document) and side.mentions is not None and not is_found:
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
            settings.through.align(reference.words, hypothesis.words),
            tolerance=settings.through.tolerance,
            unplaceable=settings.unplaceable,
        )
        return projected, hypothesis
    assert settings.tolerance is not None  # is_projected
    projected = project(
        reference,
        hypothesis,
        tolerance=settings.tolerance,
        unplaceable=settings.unplaceable,
    )
    return projected, hypothesis


_COUNTED = attrgetter("label", "slot", "right_levels", "is_neutral")
"""The attributes of an outcome that are counted."""


def _count(
    reference: Reference,
    hypothesis: Document,
    mapping: Mapping,
    exact: Sequence[tuple[int, int]],
    settings: Settings,
) -> dict[str, Counts]:
    """Counts by label, in alphabetical order."""
    tally: dict[str, dict[str, int]] = {}

    def add(label: str, what: str, number: int) -> None:
        row = tally.setdefault(label, {})
        row[what] = row.get(what, 0) + number

    slots = outcomes(reference, hypothesis, mapping, settings.neutral, settings.nearness)
    for (label, slot, levels, is_neutral), number in Counter(map(_COUNTED, slots)).items():
        add(label, slot.value, number)
        add(label, "right_levels", levels * number)
        if is_neutral and slot is not Slot.CORRECT:
            add(label, f"free_{slot.value}", number)
    for what, labels in (
        ("hyp", [element.label for element in hypothesis.elements]),
        ("hyp", [mention.label for mention in hypothesis.mentions or ()]),
        ("exact", [reference.elements[r].label for r, _ in exact]),
        ("exact_hyp", [hypothesis.elements[h].label for _, h in exact]),
        ("unplaceable", [lost.element.label for lost in reference.unplaceable]),
    ):
        for label, number in Counter(labels).items():
            add(label, what, number)
    return {label: Counts(**row) for label, row in sorted(tally.items())}
