"""Blame: which part of the cost on recognised words is the recogniser's, and which the system's.

The same system annotates the reference's words and the words of a recogniser.
Four costs over the same reference elements tell the two apart::

                         perfect system        the system
    reference words      v(0) = 0              v(E)
    recogniser's words   v(A)                  v(AE)

``v(E)`` is the cost of the system on reference words. The reference is projected onto these
words with the settings of the recognised side, so both sides have the same tolerance.
``v(A)`` is the cost of the elements without a place on the recogniser's words, which is the upper
bound's. ``v(AE)`` is the cost of the system there. The *interaction* is
``v(AE) − v(E) − v(A)``: the cost that misheard words add.

**Shares.** Each takes half of the interaction: the recogniser ``(v(A) + v(AE) − v(E)) / 2``, the
system ``(v(E) + v(AE) − v(A)) / 2`` (the Shapley values of a game of two players). They add up
to ``v(AE)``, also for each label and each document, where either may be negative.

**Causes.** The cause of a change is what the recogniser did to the words of an element. It is read
off the alignment of words that gives the word error rate (``alignment.words``). The first that
holds counts, so each element has exactly one:

* ``deleted``: no word of the element is aligned with a recognised word. An element without a place
  on the recognised words is deleted too.
* ``misheard``: a word of the element is substituted or deleted, or a word is inserted between two
  of its words.
* ``context``: all words of the element are right, and one of the next words on either side is not.
* ``unexplained``: no word in or near the element is wrong.

Source: Shapley 1953, for the shares.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, pairwise, product
from typing import Any, NamedTuple

from ..alignment.blocks import CORRECT, INSERTION
from ..alignment.words import WordOperations, word_operations
from ..corpus.corpus import Corpus, Pair
from ..documents.model import Document, Note, Reference, Time
from ..documents.words import recut
from ..errors import SerevalError, one_line
from ..evaluation.evaluate import (
    DocumentScore,
    Evaluation,
    projection,
    read_choices,
    score_document,
    sentences,
    shared,
    signature_of,
    with_mappings,
)
from ..evaluation.report import WORDS, word_rows, words_lines
from ..evaluation.settings import CONTEXT_WORDS, OfDocuments, Settings, Signature
from ..evaluation.words import (
    DocumentErrors,
    WordScore,
    errors_in,
    transcripts,
    word_score,
    word_settings,
)
from ..measures import Additive, Slot, decimal
from ..render.report import (
    TERMINAL,
    Paged,
    Report,
    Reported,
    Table,
    TextRow,
    clip,
    columns,
    counted,
    filled,
    lines,
    percent,
    prefixed,
    row,
    rows,
    side_by_side,
    stacked,
    wrapped,
)
from .audit import REFERENCE, UNPLACEABLE, audit, place_of
from .rates import utterances
from .resampling import FEW, Interval, Resampling, bootstrap, interval, whole

DELETED, MISHEARD, CONTEXT, UNEXPLAINED = CAUSES = (
    "deleted",
    "misheard",
    "context",
    "unexplained",
)
"""The causes, in the order in which they are looked for."""


class Recognition:
    """What was recognised for the words of a document, and the cause of a change at each place."""

    def __init__(self, found: WordOperations, recognised: Sequence[str]) -> None:
        # of the alignment that gives the word error rate
        self._operations, self._recognised = found.operations, recognised
        every = enumerate(self._operations)
        self._said = [(ref, number) for number, (_, ref, _) in every if ref is not None]

    def became(self, start: int, end: int, context: int) -> tuple[str, tuple[str, ...]]:
        """The cause of a change at some words, and the recognised words that stand for them."""
        low, high = (bisect_left(self._said, (frontier,)) for frontier in (start, end))
        first = self._said[low][1] if low < len(self._said) else len(self._operations)
        after = first if low == high else self._said[high - 1][1] + 1  # alike: all punctuation
        own = self._operations[first:after]
        near = (
            *self._operations[max(0, first - context) : first],
            *self._operations[after : after + context],
        )
        cause = CONTEXT if any(op != CORRECT for op, _, _ in near) else UNEXPLAINED
        if any(op != CORRECT for op, _, _ in own):
            is_left_out = all(ref is None or hyp is None for _, ref, hyp in own)
            cause = DELETED if is_left_out else MISHEARD
            while own[0][0] != CORRECT and first and self._operations[first - 1][0] == INSERTION:
                first -= 1
        places = [hyp for _, _, hyp in self._operations[first:after] if hyp is not None]
        return cause, tuple(self._recognised[places[0] : places[-1] + 1]) if places else ()


# Costs

MANUAL, RECOGNISED = "manual", "recognised"
"""The sides of insertions: the words on which the system made them."""

SIDES = (REFERENCE, MANUAL, RECOGNISED)
"""The sides of the notes of readers."""

OUTCOMES = (*(slot.value for slot in Slot if slot is not Slot.INSERTION), UNPLACEABLE)
"""The outcomes of a reference element on one kind of words; ``unplaceable``: without a place."""

KEPT, LOST, FOUND, WRONG = GROUPS = ("kept", "lost", "found", "wrong")
"""The groups of reference elements: right on both kinds of words, on reference words only, on the
recogniser's words only, on neither."""


@dataclass(frozen=True, slots=True)
class Corners(Additive):
    """The exact costs of the corners, in the units of ``Costs.parse``; they add up with ``+``."""

    manual: Fraction = Fraction(0)  # v(E), the system on reference words
    perfect: Fraction = Fraction(0)  # v(A), a perfect system on the recogniser's words
    recognised: Fraction = Fraction(0)  # v(AE), the system on the recogniser's words
    reference: int = 0  # the number of reference elements

    @property
    def costs(self) -> dict[str, Fraction]:
        """Corners, interaction and shares."""
        return {
            MANUAL: self.manual,
            "perfect": self.perfect,
            RECOGNISED: self.recognised,
            "interaction": self.recognised - self.manual - self.perfect,
            "recogniser": (self.perfect + self.recognised - self.manual) / 2,
            "system": (self.manual + self.recognised - self.perfect) / 2,
        }

    @property
    def shares(self) -> dict[str, Fraction]:
        """The shares of ``recogniser`` and ``system``; they add up to ``recognised``."""
        costs = self.costs
        return {name: costs[name] for name in ("recogniser", "system")}

    def rate(self, name: str) -> Fraction | None:
        """A cost per reference element; ``None`` if there is none."""
        return self.costs[name] / self.reference if self.reference else None


@dataclass(frozen=True, slots=True)
class Case:
    """A reference element with its outcomes on both kinds of words, or an insertion."""

    document: str
    side: str  # "reference"; "manual" or "recognised" for an insertion on these words
    index: int  # among the elements of its side as annotated
    label: str
    words: tuple[str, ...]
    # frontiers on the words of its side; None: a mention without a place
    span: tuple[int, int] | None
    time: Time | None  # start and end in ms
    utterance: int  # from 0
    # its outcomes on reference words and on the recogniser's, of OUTCOMES, or "I"; None: none
    manual: str | None = None
    recognised: str | None = None
    manual_cost: Fraction = Fraction(0)
    recognised_cost: Fraction = Fraction(0)
    # the recognised words that are aligned with its words; empty for insertions
    heard: tuple[str, ...] = ()
    cause: str | None = None  # of a lost or found element: what the recogniser did to its words

    @property
    def group(self) -> str | None:
        """``kept``, ``lost``, ``found`` or ``wrong``; ``None`` for an insertion."""
        if self.manual is None or self.recognised is None:
            return None
        right = Slot.CORRECT.value
        return GROUPS[2 * (self.manual != right) + (self.recognised != right)]

    @property
    def change(self) -> Fraction:
        """What the recogniser changed: the cost on its words less that on the reference's."""
        return self.recognised_cost - self.manual_cost

    @property
    def corners(self) -> Corners:
        """Its costs; it costs a perfect system its deletion, if it has no place."""
        lost = self.recognised_cost if self.recognised == UNPLACEABLE else Fraction(0)
        return Corners(self.manual_cost, lost, self.recognised_cost, int(self.is_reference))

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference element, not an insertion."""
        return self.side == REFERENCE


class Balance:
    """The costs and the outcomes of some cases: reference elements and insertions."""

    def __init__(self, cases: Iterable[Case]) -> None:
        cases = list(cases)
        groups = Counter(one.group for one in cases)
        pairs = Counter((one.manual, one.recognised) for one in cases if one.is_reference)
        causes = Counter((one.group, one.cause) for one in cases if one.cause is not None)
        sides = Counter(one.side for one in cases)
        self.corners = Corners.sum(one.corners for one in cases)
        # the number of reference elements in each group, and by their two outcomes
        self.outcomes = {group: groups[group] for group in GROUPS}
        every = product(OUTCOMES, repeat=2)
        self.table = {pair: pairs[pair] for pair in every if pairs[pair]}
        # of changed elements by group and cause; of insertions by side
        self.causes = {each: causes[each] for each in product((LOST, FOUND), CAUSES)}
        self.insertions = {side: sides[side] for side in (MANUAL, RECOGNISED)}

    @property
    def cells(self) -> tuple[Any, ...]:
        """Its figures under the columns ``BALANCE``."""
        costs = self.corners.costs
        return (
            *(self.corners.reference, self.corners.rate("recognised")),
            *(costs[name] for name in LINES),
            *self.outcomes.values(),
            *self.causes.values(),
            *self.insertions.values(),
        )


class Mishearing(NamedTuple):
    """Words of lost elements, and the words that the recogniser wrote for them."""

    words: tuple[str, ...]
    heard: tuple[str, ...]
    labels: tuple[str, ...]  # of the elements, in alphabetical order
    number: int  # of the elements
    change: Fraction  # how much more these elements cost than on reference words


@dataclass(frozen=True)
class DocumentBlame:
    """The blame of one document; of one side it has the outcomes on these words."""

    id: str
    cases: Sequence[Case]  # reference elements, then insertions on manual and on recognised words
    utterances: int
    # of the readers of the reference, the manual and the recognised side
    notes: tuple[tuple[Note, ...], ...]
    # the cost of the system on reference words without a projection
    manual_without_tolerance: Fraction = Fraction(0)
    # errors of the recogniser's words, also of those of elements; None: of reference words
    words: DocumentErrors | None = None

    @cached_property
    def balance(self) -> Balance:
        """The balance of its cases."""
        return Balance(self.cases)


@dataclass(frozen=True, repr=False)
class Blame(Paged, Reported, OfDocuments):
    """The errors of a system on recognised words, divided between the recogniser and the system.

    Args:
        documents: the blame of each document, in the order of their ids.
        settings: the settings of the scores.
        context: how many words on either side are near an element.
        resampling: the settings of the intervals.
        corpus: the system on the recogniser's words, which the page scores anew.

    >>> from sereval import Document, blame, from_spans
    >>> words, times = ("mister", "Chirac"), ((0, 300), (300, 800))
    >>> gold = Document("d", words, from_spans(words, [("pers", 1, 2)]).elements, times)
    >>> found = Document("d", ("mister", "she"), times=times)
    >>> divided = blame(gold, gold, found, tolerance="100ms")
    >>> {name: float(share) for name, share in divided.shares.items()}
    {'recogniser': 0.5, 'system': 0.5}
    >>> [(case.label, case.cause) for case in divided.cases]
    [('pers', 'misheard')]
    """

    documents: tuple[DocumentBlame, ...]
    settings: Settings
    context: int = CONTEXT_WORDS
    resampling: Resampling = Resampling()
    corpus: Corpus | None = field(default=None, compare=False)

    def score(self) -> Evaluation:
        """The score on the recogniser's words, with the outcome of each element.

        Raises:
            SerevalError: the blame was made without its corpus.

        >>> from sereval import Document, blame
        >>> said = Document("d", ("Dol",), times=((0, 200),))
        >>> blame(said, said, said, tolerance="100ms").score().ids
        ['d']
        """
        if self.corpus is None:
            raise SerevalError("found a blame without its documents, expected that of blame()")
        found: Evaluation
        [found] = with_mappings(self.settings).scores(self.corpus).values()
        ids = {one.id for one in self.documents}
        return replace(found, documents=tuple(one for one in found.documents if one.id in ids))

    @property
    def cases(self) -> Iterator[Case]:
        """The cases of all documents, in order."""
        return (case for document in self.documents for case in document.cases)

    @cached_property
    def balance(self) -> Balance:
        """The balance of all cases."""
        return Balance(self.cases)

    @property
    def corners(self) -> Corners:
        """The costs of the corners over all documents."""
        return self.balance.corners

    @property
    def shares(self) -> dict[str, Fraction]:
        """The shares of ``recogniser`` and ``system``, in the units of ``Costs.parse``."""
        return self.corners.shares

    @cached_property
    def labels(self) -> dict[str, Balance]:
        """The balance of each label, in alphabetical order; insertions under their own label."""
        found = defaultdict(list)
        for case in self.cases:
            found[case.label].append(case)
        return {label: Balance(found[label]) for label in sorted(found)}

    @property
    def manual_without_tolerance(self) -> Fraction:
        """The cost of the system on reference words without a projection."""
        return sum((one.manual_without_tolerance for one in self.documents), Fraction(0))

    @property
    def words(self) -> WordScore:
        """The errors of the recogniser's words, which give the word error rate."""
        found = [document.words for document in self.documents if document.words]
        return word_score(found, word_settings(self.settings))

    @property
    def mishearings(self) -> list[Mishearing]:
        """The misheard words of lost elements, the most costly first, then by their text."""
        found = defaultdict(list)
        for case in self.cases:
            if case.cause == MISHEARD and case.group == LOST:
                found[case.words, case.heard].append(case)
        every = (
            Mishearing(
                *both,
                tuple(sorted({one.label for one in own})),
                len(own),
                sum((one.change for one in own), Fraction(0)),
            )
            for both, own in found.items()
        )
        return sorted(every, key=lambda one: (-one.change, -one.number, one.words, one.heard))

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the readers over all documents, a sentence each."""
        return sentences((document.notes for document in self.documents), SIDES)

    @property
    def signature(self) -> Signature:
        """All names and values that can change a result; its text is one line."""
        read = read_choices(
            (reference, (*manual, *recognised))
            for reference, manual, recognised in (one.notes for one in self.documents)
        )
        words = dict(self.words.settings)
        own = [("blame", None), ("context", str(self.context)), ("words", words["weights"])]
        own += [part for part in words.items() if part[0] == "alternatives"]
        of_all = [*own, *signature_of(self.settings, read)]
        return Signature([*of_all, *self.resampling.signature(self.unit)])

    @property
    def unit(self) -> str:
        """What is resampled: ``document`` or ``utterance``."""
        return self.resampling.unit_of(len(self.documents))

    @property
    def units(self) -> list[Corners]:
        """The corners of each document or of each utterance."""
        if self.unit == "document":
            return [document.balance.corners for document in self.documents]
        found = []
        for document in self.documents:
            own = [Corners()] * document.utterances
            for case in document.cases:
                own[case.utterance] += case.corners
            found += own
        return found

    def intervals(self) -> dict[str, Interval]:
        """The bootstrap intervals of corners, interaction and shares, as rates.

        Returns:
            The interval of each name in ``Corners.costs``.
        """
        units, found = self.units, {}
        for name in Corners().costs:
            sums = whole([[(one.costs[name], one.reference) for one in units]])
            [rates] = bootstrap(sums, self.resampling)
            found[name] = interval(rates, sums, self.resampling)
        return found

    def report(self) -> Report:
        """Shares, outcomes, causes, labels, documents and cases."""
        return Report(
            "blame",
            filled(FORMS, **table_rows(self)),
            lambda _: text(self),
            self.signature,
            self.notes,
            headline(self.corners),
        )


def blame_together(
    manual: Mapping[str, Sequence[DocumentBlame]],
    recognised: Corpus,
    settings: Settings,
    *,
    context: int,
    resampling: Resampling,
) -> dict[str, Blame]:
    """The blame of systems on the words of one recogniser."""
    if context < 0:
        raise SerevalError(f"found a context of {context} words, expected 0 or more")
    settings = _with_policies(settings)
    work = partial(_score_recognised, settings=settings, context=context)
    found = {}
    for name, theirs in recognised.by_system(work).items():
        ids, others = ([one.id for one in side] for side in (theirs, manual[name]))
        if ids != others:
            alone = ", ".join(sorted({*ids} ^ {*others}))
            raise SerevalError(
                f"{name or 'HYP_MANUAL'}: found other documents on reference words than on the "
                f"recogniser's, expected the same: {alone}"
            )
        documents = tuple(map(_of_document, manual[name], theirs))
        own = replace(recognised, systems={name: recognised.systems[name]})
        found[name] = Blame(documents, settings, context, resampling, own)
    return found


def score_manual(corpus: Corpus, settings: Settings) -> dict[str, list[DocumentBlame]]:
    """Systems on reference words, which several recognisers may share."""
    work = partial(_score_manual, settings=_with_policies(settings))
    corpus.check = _on_same_words  # of the documents after one that is refused
    return corpus.by_system(work)


def _with_policies(settings: Settings) -> Settings:
    """The settings with the policies of blame."""
    if not settings.is_projected:
        raise SerevalError(
            "blame without a projection, expected a tolerance, or an alignment by text or phones"
        )
    return replace(settings, unplaceable="miss", scheme="quaero", is_bound=False)


# One document


def _of_document(manual: DocumentBlame, recognised: DocumentBlame) -> DocumentBlame:
    """The blame of a document that was scored on both kinds of words."""
    known = {one.index: one for one in manual.cases if one.is_reference}
    both = []
    for one in recognised.cases:
        if one.is_reference:
            own = known[one.index]
            case = replace(one, manual=own.manual, manual_cost=own.manual_cost)
            # only a change has a cause
            both.append(case if case.group in (LOST, FOUND) else replace(case, cause=None))
    inserted = (one for side in (manual, recognised) for one in side.cases if not one.is_reference)
    return replace(
        recognised,
        cases=(*both, *inserted),
        notes=(*manual.notes, recognised.notes[1]),
        manual_without_tolerance=manual.manual_without_tolerance,
    )


def _on_same_words(pair: Pair) -> tuple[Document, Document]:
    """The reference and the system's output on its words."""
    reference, manual = pair
    if isinstance(reference, Reference):
        raise SerevalError(
            f"{reference.id}: found a fuzzy reference, expected one on its own words"
        )
    advice = "HYP_MANUAL must have the words of REF: are HYP_MANUAL and HYP_ASR swapped?"
    return recut(reference, manual, advice=advice)


def _score_manual(pair: Pair, settings: Settings) -> DocumentBlame:
    """Score a system on reference words; its words have the times of the reference's words."""
    reference, manual = _on_same_words(pair)
    same_words = replace(settings, tolerance=None, through=None)
    strict = score_document(reference, manual, same_words).counts.cost(settings.costs)
    timed = replace(manual, times=reference.times)
    scored = score_document(reference, timed, settings)
    return replace(_side(scored, settings), manual_without_tolerance=strict)


def _score_recognised(pair: Pair, settings: Settings, context: int) -> DocumentBlame:
    """Score a system on a recogniser's words, and say what was recognised for each element."""
    projected, words, errors = _recognise(pair, settings)
    scored = score_document(*pair, settings, projected)
    return replace(_side(scored, settings, words, context), words=errors)


@shared
def _recognise(pair: Pair, settings: Settings) -> tuple[Reference, Recognition, DocumentErrors]:
    """The reference on the recogniser's words, what became of its words, and their errors."""
    reference, recognised = transcripts(pair)
    how = word_settings(settings)
    found = word_operations(
        reference.words, recognised.words, how.weights, how.normalise, reference.alternatives
    )
    words = Recognition(found, recognised.words)
    return projection(*pair, settings)[0], words, errors_in(reference, found, how)


def _side(
    score: DocumentScore, settings: Settings, words: Recognition | None = None, context: int = 0
) -> DocumentBlame:
    """A scored document; on recognised words with what the recogniser did to its elements."""
    [document] = audit(Evaluation((score,), settings))
    kind = MANUAL if words is None else RECOGNISED
    utterance, cases = utterances(document), []
    for each in document.cases:
        one = each.row
        is_reference = each.reference is not None
        assert one.slot is not None  # unplaceable elements count
        outcome = UNPLACEABLE if is_reference and one.placement is None else one.slot.value
        side = REFERENCE if is_reference else kind
        its = one.document, side, one.index, one.label, one.words, one.span, one.time
        place = *its, utterance(one)
        if words is None:
            cases.append(Case(*place, manual=outcome, manual_cost=one.cost))
            continue
        case = Case(*place, recognised=outcome, recognised_cost=one.cost)
        if is_reference:
            assert one.span is not None  # every reference element is on words
            cause, heard = words.became(*one.span, context)
            case = replace(case, heard=heard, cause=DELETED if outcome == UNPLACEABLE else cause)
        cases.append(case)
    return DocumentBlame(score.id, cases, 1 + len(document.annotated.breaks), score.notes)


# The report

SHOWN = 8
"""The most labels and the most misheard words that the text shows; the tables have all."""

PARTS = {
    "manual": "even on perfect words",
    "interaction": "added by misheard words",
    "perfect": "left without a word",
}
"""The parts of the cost on recognised words, in the order of the headline."""

LINES = {
    **PARTS,
    "recognised": "in all",
    "system": "the system's share",
    "recogniser": "the recogniser's share",
}
"""The rows of the first table."""


BALANCE = (
    *("reference integer", "ser", *PARTS, "recognised", "system_share", "recogniser_share"),
    *(f"{group} integer" for group in GROUPS),
    *(f"{group}_{cause} integer" for group, cause in product((LOST, FOUND), CAUSES)),
    *(f"insertions_{side} integer" for side in (MANUAL, RECOGNISED)),
)
"""The costs of the corners, the shares, the outcomes, the causes and the insertions."""

CASE = columns(
    *("document text", "side text", "index integer", "label text", "words texts"),
    *("start integer", "end integer", "start_time number s", "end_time number s"),
    *("manual text", "recognised text", "manual_cost", "recognised_cost"),
    *("group text", "cause text", "heard texts"),
)

FORMS = {
    "elements": Table(CASE, kind="detail"),
    "corners": row(*BALANCE, "manual_without_tolerance"),
    "intervals": rows("share text", "rate", "low", "high", "undefined integer"),
    "labels": rows("label text", *BALANCE),
    "documents": rows("document text", *BALANCE, "manual_without_tolerance"),
    "outcomes": rows(
        *("document text", "label text", "manual text", "recognised text", "elements integer")
    ),
    "cases": Table(CASE),
    "mishearings": rows("words texts", "heard texts", "labels texts", "count integer", "change"),
    "resampling": row(
        *("unit text", "units integer", "resamples integer", "seed integer", "confidence"),
        "signature text",
    ),
    **WORDS,
    "word_documents": WORDS["word_documents"]._replace(kind="rows"),
}
"""The tables of the report: ``elements`` has all cases, ``cases`` the lost and found ones.
Outcomes without a document are of a label, without a label too of all."""


def table_rows(blame: Blame) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of ``FORMS``."""
    outcomes: dict[tuple[str | None, str | None], Balance] = {
        (None, None): blame.balance,
        **{(None, label): one for label, one in blame.labels.items()},
        **{(one.id, None): one.balance for one in blame.documents},
    }
    return {
        "elements": (_fields(one) for one in blame.cases),
        "corners": [(*blame.balance.cells, blame.manual_without_tolerance)],
        "intervals": (  # they are resampled when they are asked for
            (name, own.corners.rate(name), *one)
            for own in [blame]
            for name, one in own.intervals().items()
        ),
        "labels": ((label, *one.cells) for label, one in blame.labels.items()),
        "documents": (
            (one.id, *one.balance.cells, one.manual_without_tolerance) for one in blame.documents
        ),
        "outcomes": (
            (*names, *pair, count)
            for names, one in outcomes.items()
            for pair, count in one.table.items()
        ),
        "cases": (_fields(one) for one in blame.cases if one.cause is not None),
        "mishearings": blame.mishearings,
        "resampling": [
            (blame.unit, len(blame.units), *blame.resampling.numbers, str(blame.signature))
        ],
        **word_rows(blame.words),
    }


def _fields(case: Case) -> tuple[Any, ...]:
    """A case under ``CASE``; times are in seconds."""
    return (
        *(case.document, case.side, case.index, case.label, case.words),
        *place_of(case.span, case.time),
        *(case.manual, case.recognised, case.manual_cost, case.recognised_cost),
        *(case.group, case.cause, case.heard),
    )


# Text


def text(blame: Blame) -> Iterator[str]:
    """The sentence to quote, the shares, the outcomes, the causes, the labels and the signature."""
    yield from headline(blame.corners)
    for block in (
        lines(cost_rows(blame)),
        [*beside(blame), *words_lines(blame.words)],
        _outcomes(blame.balance),
        _causes(blame),
        _mishearings(blame.mishearings),
        _labels(blame.labels),
        [*_notes(blame), str(blame.signature)],
    ):
        yield from ("", *block) if block else ()


def headline(corners: Corners) -> list[str]:
    """The cost on recognised words and its three parts, in one line that can be quoted."""
    rates = {name: rate for name in LINES if (rate := corners.rate(name)) is not None}
    if not rates:
        return ["n/a: no reference element"]
    parts = (
        f"{'−' if rates[name] < 0 else '+'} {percent(abs(rates[name]))} {PARTS[name]}"
        for name in PARTS
    )
    text = f"{percent(rates['recognised'])} % = {' '.join(parts).removeprefix('+ ')}"
    shown = {name: Fraction(percent(rate)) for name, rate in rates.items()}
    is_sum = shown["recognised"] == sum(shown[name] for name in PARTS)
    return [text] if is_sum else [text, "(rounded: the costs below add up exactly)"]


def cost_rows(blame: Blame) -> Iterator[TextRow]:
    """The table of costs, rates and intervals; an empty row stands ahead of the shares."""
    corners, intervals = blame.corners, blame.intervals()
    yield "", "cost", "%", f"{blame.resampling.confidence * 100:g} % interval"
    for name, title in LINES.items():
        cost = corners.costs[name]
        yield title, decimal(cost), percent(corners.rate(name)), intervals[name].text()
        if name == "recognised":
            yield ()


def beside(blame: Blame) -> list[str]:
    """The score on reference words without tolerance, and what the tolerance forgives."""
    corners, strict = blame.corners, blame.manual_without_tolerance
    gain = strict - corners.costs["manual"]
    rates = [
        percent(cost / corners.reference if corners.reference else None) for cost in (strict, gain)
    ]
    return [
        f"On reference words without tolerance: {rates[0]} % (cost {decimal(strict)}).",
        f"The tolerance forgives {rates[1]} points of it (cost {decimal(gain)}).",
    ]


def _outcomes(balance: Balance) -> list[str]:
    """The table of two outcomes, and its four groups."""
    rows: list[TextRow] = [("", *OUTCOMES)]
    for one in OUTCOMES:
        own = [balance.table.get((one, two), 0) for two in OUTCOMES]
        if any(own):
            rows.append((one, *map(str, own)))
    groups, insertions = balance.outcomes, balance.insertions
    return [
        "Outcomes on reference words (rows) and on the recogniser's words (columns):",
        *lines(rows),
        f"Kept {groups['kept']}, lost {groups['lost']}, found {groups['found']}, "
        f"wrong on both {groups['wrong']}.",
        f"Insertions: {insertions['manual']} on reference words, "
        f"{insertions['recognised']} on the recogniser's.",
    ]


def _causes(blame: Blame) -> list[str]:
    """The causes of lost and of found elements."""
    rows: list[TextRow] = [("", *CAUSES)]
    causes = blame.balance.causes
    rows += ((group, *(str(causes[group, one]) for one in CAUSES)) for group in (LOST, FOUND))
    return [
        "What the recogniser did to the words of lost and found elements:",
        *lines(rows),
        f"{CONTEXT}: a word within {blame.context} of its borders is wrong, its own are right.",
        f"{UNEXPLAINED}: no word in or near it is wrong; the system is unstable.",
    ]


def _mishearings(found: Sequence[Mishearing]) -> list[str]:
    """The misheard words of lost elements that cost most."""
    if not found:
        return []
    rows: list[TextRow] = [("cost", "times", "words", "recognised as", "labels")]
    for one in found[:SHOWN]:
        texts = (" ".join(one.words), " ".join(one.heard), ", ".join(one.labels))
        rows.append((decimal(one.change), str(one.number), *(clip(text, 20) for text in texts)))
    return [
        "Misheard words of lost elements, the most costly first:",
        *lines(rows, left=(2, 3, 4), width=TERMINAL),
        *_more(len(found), "row"),
    ]


def _labels(labels: Mapping[str, Balance]) -> list[str]:
    """The labels with the greatest share of the recogniser."""
    every = sorted(labels.items(), key=lambda of: (-of[1].corners.shares["recogniser"], of[0]))
    rows: list[TextRow] = [("", "Ref", "recogniser", "system", "in all", LOST, FOUND)]
    for label, one in every[:SHOWN]:
        costs = (one.corners.costs[name] for name in ("recogniser", "system", "recognised"))
        numbers = one.corners.reference, one.outcomes[LOST], one.outcomes[FOUND]
        reference, *changed = map(str, numbers)
        rows.append((clip(label), reference, *map(decimal, costs), *changed))
    return [
        "Shares by label (costs), the greatest share of the recogniser first:",
        *lines(rows, width=TERMINAL),
        *_more(len(every), "label"),
    ]


def _more(number: int, noun: str) -> list[str]:
    """A line for the rows that are not shown."""
    return [f"… {counted(number - SHOWN, f'more {noun}')}"] if number > SHOWN else []


def _notes(blame: Blame) -> Iterator[str]:
    """All that limits what the figures mean."""
    yield "Shares: the system has its errors on perfect words, the recogniser the elements"
    yield "left without a word; each has half of what misheard words add."
    parts = [*blame.labels.items(), *((one.id, one.balance) for one in blame.documents)]
    below = [name for name, one in parts if min(one.corners.shares.values()) < 0]
    if below:
        yield from wrapped(f"A share is negative for {', '.join(below)}.", TERMINAL)
    table = blame.balance.table
    lost = sum(number for (_, outcome), number in table.items() if outcome == UNPLACEABLE)
    if lost:
        yield f"{counted(lost, 'element')} left without a word of the recogniser, deleted."
    unit, units = blame.unit, len(blame.units)
    yield (
        f"Intervals: expanded bootstrap over {counted(units, unit)}, "
        f"{counted(blame.resampling.resamples, 'resample')}."
    )
    if units < 2:
        yield f"A single {unit} gives no interval."
    elif unit == "utterance" and units > len(blame.documents):
        yield "Utterances of one document are alike: intervals may be too narrow."
    elif units < FEW:
        yield f"Fewer than {FEW} {unit}s: intervals are too narrow."
    yield from blame.notes


# Several blames: what the recognisers cost the systems


class SystemBlame(NamedTuple):
    """The blame of a system on the words of one recogniser."""

    system: str
    condition: str  # the name of the recogniser's words
    blame: Blame


BLAMES = prefixed(FORMS, "system text", "condition text")
"""The tables of several blames."""


def stacked_blames(blames: Sequence[SystemBlame]) -> dict[str, list[Sequence[Any]]]:
    """The rows of ``BLAMES``."""
    return stacked(((one.system, one.condition), table_rows(one.blame)) for one in blames)


def report_of_blames(rows: Sequence[SystemBlame]) -> Report:
    """The tables of the costs of each system on the words of each recogniser."""
    signed, tables = cost_signatures(rows), filled(BLAMES, **stacked_blames(rows))
    return Report("blame", tables, lambda _: [*cost_lines(rows), *signed], "; ".join(signed))


PIECES = {
    "manual": ("perfect words", "█"),
    "interaction": ("misheard", "░"),
    "perfect": ("no word", "▓"),
}
"""The heads and the signs of the parts of a cost, in the order of ``PARTS``."""

BAR = 40
"""How many signs the longest bar has."""


def _costs(blame: Blame) -> dict[str, str]:
    """Costs and errors of words; the shares, and the elements lost, found and left whole."""
    words, found = blame.words, blame.balance.outcomes
    rates = {name: percent(blame.corners.rate(name)) for name in LINES}
    entities = words.parts.entities
    return {
        "SER %": rates["recognised"],
        **{title: rates[name] for name, (title, _) in PIECES.items()},
        "WER %": percent(words.total.rate),
        "entities": percent(entities.errors.rate),
        "system's share": rates["system"],
        "recogniser's share": f"{rates['recogniser']} {blame.intervals()['recogniser'].text()}",
        **{group: str(found[group]) for group in (LOST, FOUND)},
        "survival": percent(entities.survival),
    }


def cost_lines(rows: Sequence[SystemBlame]) -> Iterator[str]:
    """Tables with a row for each system on the words of each recogniser, and a bar for each."""
    first = [["system", *(clip(row.system) for row in rows)]]
    first.append(["words", *(clip(row.condition) for row in rows)])
    every = [_costs(row.blame) for row in rows]
    cells = ([name, *(own[name] for own in every)] for name in every[0])
    for table in side_by_side(first, cells, width=TERMINAL):
        yield from (*lines(table, left=(0, 1)), "")
    bars = [*first, ["", *_bars([row.blame.corners for row in rows])]]
    yield from lines(zip(*bars, strict=True), left=(0, 1, 2))
    yield from (
        "",
        "In percent of the reference elements: errors even on perfect words (█), errors added by",
        "misheard words (░), elements left without a word (▓). The system's share has the first,",
        "the recogniser's the last; each has half of what misheard words add.",
        "WER: of all words of the reference, and of the words in its elements (entities);",
        "survival: the share of its elements without a word error.",
    )


def _bars(corners: Iterable[Corners]) -> Iterator[str]:
    """A bar for each blame, of its parts one after the other; a part below 0 has no sign."""
    rates = [
        [max(one.rate(name) or Fraction(0), Fraction(0)) for name in PIECES] for one in corners
    ]
    longest = max(map(sum, rates), default=0) or 1
    for own in rates:
        places = [
            int(end * BAR / longest + Fraction(1, 2))
            for end in accumulate(own, initial=Fraction(0))
        ]
        pieces = zip(pairwise(places), PIECES.values(), strict=True)
        yield "".join(sign * (end - start) for (start, end), (_, sign) in pieces)


def cost_signatures(rows: Iterable[SystemBlame]) -> list[str]:
    """The signatures of blame, each after the names of the recognisers that have it."""
    signed: dict[str, list[str]] = {}
    for one in rows:
        names = signed.setdefault(str(one.blame.signature), [])
        names += [] if one.condition in names else [one.condition]
    return [one_line(f"{', '.join(names)}: {line}") for line, names in signed.items()]
