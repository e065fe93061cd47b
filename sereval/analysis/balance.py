"""The costs and the outcomes of reference elements and insertions on two kinds of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..documents.model import Time
from ..measures.slots import Slot
from .audit import REFERENCE
from .causes import CAUSES, MISHEARD

MANUAL, RECOGNISED = "manual", "recognised"
"""The sides of insertions: the words on which the system made them."""

UNPLACEABLE = "unplaceable"
OUTCOMES = (*(slot.value for slot in Slot if slot is not Slot.INSERTION), UNPLACEABLE)
"""The outcomes of a reference element on one kind of words; ``unplaceable``: without a place."""

KEPT, LOST, FOUND, WRONG = GROUPS = ("kept", "lost", "found", "wrong")
"""The groups of reference elements: right on both kinds of words, on reference words only, on the
recogniser's words only, on neither."""


def group_of(manual: str, recognised: str) -> str:
    """The group of a reference element by its two outcomes.

    >>> group_of("C", "S_T"), group_of("D", "unplaceable")
    ('lost', 'wrong')
    """
    right = Slot.CORRECT.value
    return {(True, True): KEPT, (True, False): LOST, (False, True): FOUND, (False, False): WRONG}[
        manual == right, recognised == right
    ]


@dataclass(frozen=True, slots=True)
class Corners:
    """The costs of the corners, as integers in multiples of ``1/scale``; they add up with ``+``.

    Args:
        manual: ``v(E)``, the system on reference words.
        perfect: ``v(A)``, a perfect system on the recogniser's words.
        recognised: ``v(AE)``, the system on the recogniser's words.
        reference: the number of reference elements, ``Ref``.
        scale: the integer that stands for a cost of 1.

    >>> corners = Corners(manual=6, perfect=2, recognised=11, reference=7)
    >>> corners.interaction, {name: str(share) for name, share in corners.shares.items()}
    (3, {'recogniser': '7/4', 'system': '15/4'})
    """

    manual: int = 0
    perfect: int = 0
    recognised: int = 0
    reference: int = 0
    scale: int = 2

    def __add__(self, other: Corners) -> Corners:
        return Corners(
            self.manual + other.manual,
            self.perfect + other.perfect,
            self.recognised + other.recognised,
            self.reference + other.reference,
            self.scale,
        )

    @property
    def interaction(self) -> int:
        """``v(AE) − v(E) − v(A)``, as an integer in multiples of ``1/scale``."""
        return self.recognised - self.manual - self.perfect

    @property
    def doubled(self) -> dict[str, int]:
        """Corners, interaction and shares, as integers in multiples of ``1/(2 scale)``."""
        return {
            MANUAL: 2 * self.manual,
            "perfect": 2 * self.perfect,
            RECOGNISED: 2 * self.recognised,
            "interaction": 2 * self.interaction,
            "recogniser": self.perfect + self.recognised - self.manual,
            "system": self.manual + self.recognised - self.perfect,
        }

    @property
    def costs(self) -> dict[str, Fraction]:
        """Corners, interaction and shares, in the units that ``Costs.parse`` reads."""
        return {name: Fraction(value, 2 * self.scale) for name, value in self.doubled.items()}

    @property
    def shares(self) -> dict[str, Fraction]:
        """The shares of ``recogniser`` and ``system``; they add up to ``recognised``."""
        costs = self.costs
        return {name: costs[name] for name in ("recogniser", "system")}

    def rate(self, cost: Fraction) -> Fraction | None:
        """A cost per reference element; ``None`` if there is none."""
        return cost / self.reference if self.reference else None


@dataclass(frozen=True, slots=True)
class Case:
    """A reference element with its outcomes on both kinds of words, or an insertion.

    Args:
        document: the id of its document.
        side: ``reference``; ``manual`` or ``recognised`` for an insertion on these words.
        index: its index among the elements of its side as annotated.
        label: its own label.
        words: the words under it, on its side.
        span: its ``(start, end)`` frontiers on these words; ``None`` for a mention without a place.
        time: its ``(start, end)`` in ms; ``None`` without times.
        utterance: the number of its utterance, from 0.
        manual: its outcome on reference words, one of ``OUTCOMES``, or ``I``; ``None``: none.
        recognised: its outcome on the recogniser's words, likewise.
        costs: its costs on reference words and on the recogniser's words, in multiples of
            ``1/Costs.scale``.
        heard: the recognised words that are aligned with its words; empty for insertions.
        cause: for a lost or found element, what the recogniser did to its words (``causes``).

    >>> dol = Case("d", "reference", 0, "loc", ("Dol",), (0, 1), None, 0, "C", "S_T", (0, 1))
    >>> dol.group, dol.change
    ('lost', 1)
    """

    document: str
    side: str
    index: int
    label: str
    words: tuple[str, ...]
    span: tuple[int, int] | None
    time: Time | None
    utterance: int
    manual: str | None
    recognised: str | None
    costs: tuple[int, int]
    heard: tuple[str, ...] = ()
    cause: str | None = None

    def __reduce__(self) -> tuple[type[Case], tuple[object, ...]]:
        """The values that ``pickle`` keeps. What a dataclass gives it takes twice the time."""
        return Case, (
            *(self.document, self.side, self.index, self.label, self.words, self.span, self.time),
            *(self.utterance, self.manual, self.recognised, self.costs, self.heard, self.cause),
        )

    @property
    def group(self) -> str | None:
        """``kept``, ``lost``, ``found`` or ``wrong``; ``None`` for an insertion."""
        if self.manual is None or self.recognised is None:
            return None
        return group_of(self.manual, self.recognised)

    @property
    def change(self) -> int:
        """What the recogniser changed: the cost on its words less that on the reference's."""
        return self.costs[1] - self.costs[0]

    @property
    def perfect(self) -> int:
        """What the element costs a perfect system: its deletion, if it has no place."""
        return self.costs[1] if self.recognised == UNPLACEABLE else 0

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference element, not an insertion."""
        return self.side == REFERENCE


@dataclass(frozen=True, slots=True)
class Balance:
    """The costs and the outcomes of some cases.

    Args:
        corners: the sums of their costs.
        table: the number of reference elements by outcome on manual and on the recogniser's words.
        causes: for ``lost`` and for ``found``, the number of elements by cause.
        insertions: the number of insertions on ``manual`` and on ``recognised`` words.

    >>> dol = Case("d", "reference", 0, "loc", ("Dol",), (0, 1), None, 0, "C", "D", (0, 2))
    >>> balance([dol], scale=2).table
    {('C', 'D'): 1}
    """

    corners: Corners
    table: Mapping[tuple[str, str], int]
    causes: Mapping[str, Mapping[str, int]]
    insertions: Mapping[str, int]

    @property
    def outcomes(self) -> dict[str, int]:
        """The number of reference elements in each of ``GROUPS``."""
        found = Counter[str]()
        for outcomes, number in self.table.items():
            found[group_of(*outcomes)] += number
        return {group: found[group] for group in GROUPS}


def balance(cases: Iterable[Case], scale: int) -> Balance:
    """The balance of some cases.

    Args:
        cases: reference elements and insertions.
        scale: the scale of their costs.

    >>> lost = Case("d", "reference", 0, "loc", ("Dol",), (0, 1), None, 0, "C", "D", (0, 2))
    >>> balance([lost], 2).outcomes
    {'kept': 0, 'lost': 1, 'found': 0, 'wrong': 0}
    """
    tally = CaseTally()
    for case in cases:
        tally.add(case)
    return tally.balance(scale)


class CaseTally:
    """The sums over cases; the cases are added one at a time."""

    def __init__(self) -> None:
        self.manual = self.perfect = self.recognised = self.reference = 0
        self.table = Counter[tuple[str, str]]()
        self.insertions = Counter[str]()
        self.causes = {LOST: Counter[str](), FOUND: Counter[str]()}

    def add(self, case: Case) -> None:
        """Add a case."""
        self.manual += case.costs[0]
        self.perfect += case.perfect
        self.recognised += case.costs[1]
        if case.manual is not None and case.recognised is not None:
            self.table[case.manual, case.recognised] += 1
        else:
            self.insertions[case.side] += 1
        self.reference += case.is_reference
        if case.cause is not None and case.group in self.causes:
            self.causes[case.group][case.cause] += 1

    def add_all(self, other: CaseTally) -> None:
        """Add the cases of another tally."""
        self.manual += other.manual
        self.perfect += other.perfect
        self.recognised += other.recognised
        self.reference += other.reference
        self.table.update(other.table)
        self.insertions.update(other.insertions)
        for group, causes in self.causes.items():
            causes.update(other.causes[group])

    def balance(self, scale: int) -> Balance:
        """The balance of the cases so far.

        Args:
            scale: the scale of their costs.
        """
        table, insertions = self.table, self.insertions
        return Balance(
            Corners(self.manual, self.perfect, self.recognised, self.reference, scale),
            {
                (one, two): table[one, two]
                for one in OUTCOMES
                for two in OUTCOMES
                if table[one, two]
            },
            {group: {cause: own[cause] for cause in CAUSES} for group, own in self.causes.items()},
            {side: insertions[side] for side in (MANUAL, RECOGNISED)},
        )


FourSums = tuple[int, int, int, int]
"""The costs and the number of reference elements of ``Corners``, in its order."""


class Sums:
    """The sums over the cases of documents: each document is read once.

    Attributes:
        labels: the sums of each label.
        documents, utterances: the sums of each.
        misheard: the misheard words of lost elements.
    """

    def __init__(self) -> None:
        self.labels: dict[str, CaseTally] = {}
        self.documents: list[FourSums] = []
        self.utterances: list[FourSums] = []
        self.misheard = MishearingTally()
        self._known: dict[FourSums, FourSums] = {}

    def add(self, cases: Iterable[Case], utterances: int) -> None:
        """Add the cases of a document.

        Args:
            cases: reference elements and insertions.
            utterances: the number of its utterances.
        """
        own = [[0, 0, 0, 0] for _ in range(utterances)]
        for case in cases:
            tally = self.labels.get(case.label)
            if tally is None:
                tally = self.labels[case.label] = CaseTally()
            tally.add(case)
            utterance = own[case.utterance]
            utterance[0] += case.costs[0]
            utterance[1] += case.perfect
            utterance[2] += case.costs[1]
            utterance[3] += case.is_reference
            self.misheard.add(case)
        self.documents.append(self._shared([*map(sum, zip(*own, strict=True))] or [0, 0, 0, 0]))
        self.utterances += map(self._shared, own)

    def _shared(self, sums: Sequence[int]) -> FourSums:
        """The same sums; equal ones are in memory once, because many utterances have no element."""
        manual, perfect, recognised, reference = sums
        found = manual, perfect, recognised, reference
        return self._known.setdefault(found, found)

    def balance(self, scale: int) -> Balance:
        """The balance of all cases.

        Args:
            scale: the scale of their costs.
        """
        total = CaseTally()
        for tally in self.labels.values():
            total.add_all(tally)
        return total.balance(scale)


@dataclass(frozen=True, slots=True)
class Mishearing:
    """Words of lost elements, and the words that the recogniser wrote for them.

    Args:
        words: the reference words.
        heard: the recognised words.
        labels: the labels of the elements, in alphabetical order.
        change: how much more these elements cost than on reference words, in multiples of
            ``1/Costs.scale``.
        count: the number of elements.

    >>> from sereval import Document, blame, from_spans
    >>> words, times = ("mister", "Chirac"), ((0, 300), (300, 800))
    >>> gold = Document("d", words, from_spans(words, [("pers", 1, 2)]).elements, times)
    >>> found = Document("d", ("mister", "she"), times=times)
    >>> divided = blame(gold, gold, found, tolerance="100ms")
    >>> [mishearing] = divided.mishearings
    >>> mishearing.words, mishearing.heard, mishearing.count
    (('Chirac',), ('she',), 1)
    """

    words: tuple[str, ...]
    heard: tuple[str, ...]
    labels: tuple[str, ...]
    change: int
    count: int


class MishearingTally:
    """The misheard words of lost elements; the cases are added one at a time."""

    def __init__(self) -> None:
        self._found: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[set[str], list[int]]] = {}
        self._known: dict[str, str] = {}

    def add(self, case: Case) -> None:
        """Add a case, if it is a lost element whose words were misheard."""
        if case.cause != MISHEARD or case.group != LOST:
            return
        known = self._known.setdefault
        words, heard = (tuple(known(w, w) for w in own) for own in (case.words, case.heard))
        labels, sums = self._found.setdefault((words, heard), (set(), [0, 0]))
        labels.add(known(case.label, case.label))
        sums[0] += case.change
        sums[1] += 1

    def sorted(self) -> list[Mishearing]:
        """The most costly first, then by their text."""
        every = (
            Mishearing(*both, tuple(sorted(labels)), change, count)
            for both, (labels, (change, count)) in self._found.items()
        )
        return sorted(every, key=lambda one: (-one.change, -one.count, one.words, one.heard))
