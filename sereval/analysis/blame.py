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

**Exactness.** Costs are integers in the units of ``Costs``; shares are divided by 2 at the end.
Each run compares the sums over elements with the costs that the scores count, and ends with an
error if they differ.

Source: Shapley 1953, for the shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from ..corpus.corpus import Corpus, corpus_of
from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import apart
from ..documents.model import Document, Note
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings, Signature, settings_of
from ..evaluation.totals import notes_by_side, read_choices, signature_of
from ..evaluation.words import (
    DocumentErrors,
    WordScore,
    word_score,
    word_settings,
)
from ..labels.grammar import Grammar
from ..labels.relabel import AS_THEY_ARE, Labels
from ..mapping.search import MAX_STATES
from ..measures.slots import Costs
from ..projection.project import Tolerance, tolerance_of
from ..render.chart import bars
from ..render.report import Report, Reported
from .audit import REFERENCE
from .balance import (
    FOUND,
    LOST,
    MANUAL,
    RECOGNISED,
    Balance,
    Case,
    Corners,
    Mishearing,
    Sums,
    balance,
    group_of,
)
from .blame_sides import (
    ManualScore,
    RecognisedScore,
    score_manual_pair,
    score_recognised,
)
from .compare import Interval, bootstrap, interval
from .resampling import Resampling

SIDES = (REFERENCE, MANUAL, RECOGNISED)
"""The sides of the notes of readers."""

CONTEXT_WORDS = 2
"""How many words on either side are near an element, unless the user says otherwise."""


@dataclass(frozen=True, slots=True)
class DocumentBlame:
    """The blame of one document.

    Args:
        id: the document's name.
        corners: its costs, as its scores count them.
        cases: its reference elements, then its insertions on manual and on recognised words; each
            time they are asked for, they may be read from disk.
        utterances: the number of its utterances.
        manual_without_tolerance: the cost of the system on reference words without a projection, in
            multiples of ``1/Costs.scale``.
        words: the errors of the recogniser's words, also those of the words of elements.
        notes: the notes of the readers, for the reference, the manual and the recognised side.

    >>> from sereval import Document, blame, from_spans
    >>> words, times = ("mister", "Chirac"), ((0, 300), (300, 800))
    >>> gold = Document("d", words, from_spans(words, [("pers", 1, 2)]).elements, times)
    >>> found = Document("d", ("mister", "she"), times=times)
    >>> divided = blame(gold, gold, found, tolerance="100ms")
    >>> divided.documents[0].id, divided.documents[0].balance.outcomes
    ('d', {'kept': 0, 'lost': 1, 'found': 0, 'wrong': 0})
    """

    id: str
    corners: Corners
    cases: Sequence[Case]
    utterances: int
    manual_without_tolerance: int
    words: DocumentErrors
    notes: tuple[tuple[Note, ...], ...] = ((), (), ())

    @property
    def balance(self) -> Balance:
        """The balance of its cases."""
        return balance(self.cases, self.corners.scale)


@dataclass(frozen=True, repr=False)
class Blame(Reported):
    """The errors of a system on recognised words, divided between the recogniser and the system.

    Args:
        documents: the blame of each document, in the order of their ids.
        settings: the settings of the scores.
        context: how many words on either side are near an element.

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

    @property
    def cases(self) -> Iterator[Case]:
        """The cases of all documents, in order."""
        return (case for document in self.documents for case in document.cases)

    @cached_property
    def _sums(self) -> Sums:
        """The sums over all cases."""
        found = Sums()
        for document in self.documents:
            found.add(document.cases, document.utterances)
        return found

    @cached_property
    def balance(self) -> Balance:
        """The balance of all cases."""
        return self._sums.balance(self.settings.costs.scale)

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
        scale = self.settings.costs.scale
        return {label: own.balance(scale) for label, own in sorted(self._sums.labels.items())}

    @property
    def manual_without_tolerance(self) -> Fraction:
        """The cost of the system on reference words without a projection."""
        cost = sum(document.manual_without_tolerance for document in self.documents)
        return Fraction(cost, self.settings.costs.scale)

    @property
    def words(self) -> WordScore:
        """The errors of the recogniser's words, which give the word error rate."""
        return word_score(
            [document.words for document in self.documents], word_settings(self.settings)
        )

    @property
    def mishearings(self) -> list[Mishearing]:
        """The misheard words of lost elements, the most costly first, then by their text."""
        return self._sums.misheard.sorted()

    @property
    def notes(self) -> dict[str, tuple[Note, ...]]:
        """The notes of the readers over all documents, by side."""
        return notes_by_side(SIDES, [document.notes for document in self.documents])

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
        return Signature([*own, *signature_of(self.settings, read)])

    def intervals(self, resampling: Resampling | None = None) -> dict[str, Interval]:
        """The bootstrap intervals of corners, interaction and shares, as rates.

        Args:
            resampling: its settings; ``None``: the defaults. The same resamples give all intervals.

        Returns:
            The interval of each name in ``Corners.costs``.
        """
        resampling = resampling or Resampling()
        units = self.units(resampling.unit_of(len(self.documents)))
        names = list(Corners().doubled)
        sums = [[(one.doubled[name], one.reference) for one in units] for name in names]
        rates = bootstrap(sums, 2 * self.settings.costs.scale, resampling)
        return {
            name: interval(own, len(units), resampling)
            for name, own in zip(names, rates, strict=True)
        }

    def units(self, unit: str) -> list[Corners]:
        """The corners of each document or of each utterance.

        Args:
            unit: ``document`` or ``utterance``.
        """
        if unit == "document":
            return [document.corners for document in self.documents]
        scale = self.settings.costs.scale
        return [Corners(*sums, scale) for sums in self._sums.utterances]

    def report(self, resampling: Resampling | None = None) -> Report:
        """Shares, outcomes, causes, labels, documents and cases.

        Args:
            resampling: the settings of the intervals; ``None``: the defaults.
        """
        from .blame_report import report_of  # which needs this class

        return report_of(self, resampling or Resampling())

    def plot(self) -> Any:
        """The shares of each label as a figure of ``matplotlib``.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        rows = {label: [*one.corners.shares.values()] for label, one in self.labels.items()}
        return bars("Cost of the errors on the recogniser's words", ["recogniser", "system"], rows)


def blame(
    references: Iterable[Document],
    manual: Iterable[Document],
    recognised: Iterable[Document],
    *,
    tolerance: Tolerance | None = None,
    through: ByWords | None = None,
    context: int = CONTEXT_WORDS,
    costs: Costs | None = None,
    missing: str = "error",
    pairing: str = "word",
    neutral: frozenset[str] = frozenset(),
    labels: Labels = AS_THEY_ARE,
    max_states: int = MAX_STATES,
    grammar: Grammar | None = None,
    workers: Workers = THIS_PROCESS,
) -> Blame:
    """Divide the cost of a system on recognised words between the recogniser and the system.

    Elements without a place count as deletions, so all costs have the same reference elements.

    Args:
        references: annotated documents, on the words that were said; with times if ``tolerance`` is
            given.
        manual: the system's output on the words of the references; they need no times.
        recognised: the system's output on the recogniser's words; with times if ``tolerance`` is
            given.
        tolerance: in seconds, as for ``evaluate``.
        through: an alignment of words that replaces a tolerance in time.
        context: how many words on either side are near an element (see ``causes``).
        costs: the costs of the classes of error; ``None``: the definition's.
        missing: policy for a reference without a hypothesis: ``error``, ``empty`` or ``drop``.
        pairing: which pairs a mapping may hold, as in ``evaluate``.
        neutral: labels that cost nothing.
        labels: how the labels of all documents change before anything else.
        max_states: how many states the search of a cluster may visit; it changes no result.
        grammar: gives the hierarchy of labels, unless ``labels`` has one.
        workers: the processes or the cluster that do the work; they change no result.

    Returns:
        The costs, the shares, and the outcomes of each element on both kinds of words.

    Raises:
        SerevalError: neither ``tolerance`` nor ``through``; a document on one side only or twice;
            manual words that differ from the reference's; as ``evaluate``.

    >>> from sereval import Document, tree
    >>> words, times = ("mister", "Chirac"), ((0, 300), (300, 800))
    >>> gold = Document("d", words, tree([("pers", 1, 2)]), times)
    >>> found = Document("d", ("mister", "she", "rack"), times=((0, 300), (300, 500), (500, 800)))
    >>> of_both = blame([gold], [gold], [found], tolerance=0.1)
    >>> [(name, str(share)) for name, share in of_both.shares.items()], of_both.mishearings[0].heard
    ([('recogniser', '1/2'), ('system', '1/2')], ('she', 'rack'))
    """
    settings = settings_of(
        tolerance=None if tolerance is None else tolerance_of(tolerance),
        through=through,
        costs=costs,
        missing=missing,
        pairing=pairing,
        neutral=neutral,
        labels=labels,
        grammar=grammar,
        max_states=max_states,
    )
    _with_policies(settings)
    references = references if isinstance(references, Document) else list(references)
    corpora = partial(
        corpus_of, references, labels=settings.labels, missing=missing, workers=workers
    )
    first, second = corpora({"": manual}), corpora({"": recognised}, is_projected=True)
    ours = score_manual(first, settings)
    [found] = blame_together(ours, second, settings, context=context).values()
    settings.labels.check(first.labels | second.labels)
    return found


def blame_together(
    manual: Mapping[str, Sequence[ManualScore]],
    recognised: Corpus,
    settings: Settings,
    *,
    context: int = CONTEXT_WORDS,
) -> dict[str, Blame]:
    """The blame of systems on the words of one recogniser.

    Args:
        manual: the scores of each system on reference words, from ``score_manual`` with the same
            settings.
        recognised: the output of the same systems on the recogniser's words.
        settings: the settings of the scores; ``unplaceable`` is always ``miss``.
        context: how many words on either side are near an element.

    Raises:
        SerevalError: as ``blame``; the sums over elements are not the costs of the scores, which is
            a defect of sereval.
    """
    if context < 0:
        raise SerevalError(f"found a context of {context} words, expected 0 or more")
    work = partial(score_recognised, settings=_with_policies(settings), context=context)
    return {
        name: _blame_of(manual[name], theirs, settings, context)
        for name, theirs in recognised.by_system(work).items()
    }


def _blame_of(
    manual: Iterable[ManualScore],
    recognised: Iterable[RecognisedScore],
    settings: Settings,
    context: int,
) -> Blame:
    """The blame of the scores of a system on both kinds of words, whose sums are checked."""
    settings = _with_policies(settings)
    scale = settings.costs.scale
    documents = tuple(_of_document(*both, scale) for both in zip(manual, recognised, strict=True))
    blamed = Blame(documents, settings, context)
    check_sums(blamed)
    return blamed


def score_manual(corpus: Corpus, settings: Settings) -> dict[str, list[ManualScore]]:
    """Systems on reference words, which several recognisers may share."""
    work = partial(score_manual_pair, settings=_with_policies(settings))
    return corpus.by_system(partial(apart, work=work))


def _with_policies(settings: Settings) -> Settings:
    """The settings with the policies of blame.

    Raises:
        SerevalError: they project nothing, so the two words cannot be told apart.
    """
    if not settings.is_projected:
        raise SerevalError(
            "blame without a projection, expected a tolerance, or an alignment by text or phones"
        )
    return replace(settings, unplaceable="miss", scheme="quaero", is_bound=False)


# One document


def _of_document(manual: ManualScore, recognised: RecognisedScore, scale: int) -> DocumentBlame:
    """The blame of a document that was scored on both kinds of words."""
    side = recognised.side
    if manual.id != side.id:
        raise SerevalError(f"{side.id}: found {manual.id} on reference words, expected the same")
    ours, theirs = manual.cases, recognised.cases
    if ours.outcomes.keys() != theirs.rows.keys():
        raise SerevalError(
            f"{side.id}: other reference elements on reference words, expected the same"
        )
    cases = [_merge(ours.outcomes[index], case) for index, case in theirs.rows.items()]
    return DocumentBlame(
        side.id,
        Corners(manual.cost, side.perfect, side.cost, side.reference, scale),
        (*cases, *ours.inserted, *theirs.inserted),
        side.utterances,
        manual.without_tolerance,
        recognised.words,
        (manual.notes[0], manual.notes[1], side.notes[1]),
    )


def _merge(manual: tuple[str | None, int], recognised: Case) -> Case:
    """A reference element with both outcomes; only a change has a cause."""
    outcome, cost = manual
    assert outcome is not None
    assert recognised.recognised is not None
    group = group_of(outcome, recognised.recognised)
    return replace(
        recognised,
        manual=outcome,
        costs=(cost, recognised.costs[1]),
        cause=recognised.cause if group in (LOST, FOUND) else None,
    )


# The sums


def check_sums(found: Blame) -> None:
    """Compare the sums over elements with the costs that the scores count.

    Raises:
        SerevalError: a sum differs, which is a defect of sereval.
    """
    scale = found.settings.costs.scale
    nothing = Corners(scale=scale)
    counted = sum((document.corners for document in found.documents), nothing)
    for document, sums in zip(found.documents, found._sums.documents, strict=True):
        _check_equal(f"{document.id}: the elements'", Corners(*sums, scale), document.corners)
    _check_equal("the labels'", sum((o.corners for o in found.labels.values()), nothing), counted)
    _check_equal("the utterances'", sum(found.units("utterance"), nothing), counted)
    changes = sum(own.recognised - own.manual for own in found._sums.labels.values())
    _check_equal("the changes'", counted.manual + changes, counted.recognised)
    _check_equal("the shares'", sum(found.shares.values()), Fraction(counted.recognised, scale))
    _check_equal("the outcomes'", sum(found.balance.table.values()), counted.reference)
    for group, causes in found.balance.causes.items():
        _check_equal("the causes'", sum(causes.values()), found.balance.outcomes[group])


def _check_equal(whose: str, found: object, expected: object) -> None:
    if found != expected:
        raise SerevalError(
            f"{whose} sum is {found}, expected {expected}; this is a defect of sereval, "
            "and no figure of this run holds"
        )
