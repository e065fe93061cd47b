"""Agreement between two annotators of structured entities: S, pi, kappa and F.

Chance-corrected agreement counts *places*: positions where an element is possible. A pair of the
mapping is one place. An element without a partner is one place, which is *void* on the other side.
The user sets the total number of places; the places that remain are void on both sides and count
as agreement.

Source: LNE's scorer; S after Bennett et al. 1954, pi after Scott 1955, kappa after Cohen 1960.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from ..corpus.corpus import Corpus
from ..corpus.pairs import Pair, apart
from ..errors import SerevalError
from ..evaluation.evaluate import score_document
from ..evaluation.report import reading_notes, unplaceable_notes
from ..evaluation.settings import Settings, Signature
from ..evaluation.totals import DocumentScore, Evaluation
from ..mapping.best import outcomes
from ..measures.slots import Slot
from ..render.report import (
    Column,
    Look,
    Report,
    Table,
    columns,
    filled,
    grouped,
    of,
    values,
)
from ..render.text import lines
from .annotators import COEFFICIENT


@dataclass(frozen=True, slots=True)
class Agreement:
    """The counts of agreement between side A (the reference) and side B (the hypothesis).

    Args:
        correct: the number of pairs with the same label and the same span.
        substituted: the number of other pairs. In an *open* count it is 0, because each such pair
            counts as an element of A and an element of B without partners.
        a, b: the number of elements of each side.
        places: the least number of places; 0: only the places that have an element.
        labels: each label with its number of elements in A and in B.
    """

    correct: int
    substituted: int
    a: int
    b: int
    places: int
    labels: tuple[tuple[str, int, int], ...]

    @property
    def void_b(self) -> int:
        """The number of elements of A without a partner."""
        return self.a - self.correct - self.substituted

    @property
    def void_a(self) -> int:
        """The number of elements of B without a partner."""
        return self.b - self.correct - self.substituted

    @property
    def void_void(self) -> int:
        """The number of places where neither side has an element."""
        return max(0, self.places - self._filled)

    @property
    def _filled(self) -> int:
        return self.correct + self.substituted + self.void_a + self.void_b

    @property
    def _items(self) -> int:
        return self._filled + self.void_void

    @property
    def observed(self) -> Fraction | None:
        """Observed agreement: the share of places on which both sides agree."""
        return Fraction(self.correct + self.void_void, self._items) if self._items else None

    @property
    def s(self) -> float | None:
        """Bennett's S, for which all labels and void are equally likely."""
        return self._coefficient(Fraction(1, len(self.labels) + 1))

    @property
    def pi(self) -> float | None:
        """Scott's pi, for which both annotators share one distribution of labels."""
        if not self._items:
            return None
        together = sum((a + b) ** 2 for _, a, b in self.labels)
        void = (self.void_a + self.void_b + 2 * self.void_void) ** 2
        return self._coefficient(Fraction(together + void, (2 * self._items) ** 2))

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, for which each annotator has a separate distribution of labels."""
        if not self._items:
            return None
        together = sum(a * b for _, a, b in self.labels)
        void = (self.void_a + self.void_void) * (self.void_b + self.void_void)
        return self._coefficient(Fraction(together + void, self._items**2))

    @property
    def f(self) -> float | None:
        """The F-measure ``2 correct / (A + B)``, without a correction for chance."""
        return 2 * self.correct / (self.a + self.b) if self.a + self.b else None

    def _coefficient(self, expected: Fraction) -> float | None:
        """The agreement beyond chance as a share of the most that is possible beyond chance."""
        if self.observed is None or expected == 1:
            return None
        return float((self.observed - expected) / (1 - expected))


SlotLabels = tuple[Slot, str | None, str | None]
"""The class of a slot, its label in A and its label in B; ``None`` for a side without element."""


COLUMNS: tuple[Column[Agreement, None], ...] = (
    Column("A", "integer", value=of("a")),
    Column("B", "integer", value=of("b")),
    Column("correct", "integer", value=of("correct")),
    Column("substituted", "integer", value=of("substituted")),
    Column("void", "integer", value=of("void_void")),
    Column("S", value=of("s"), text=COEFFICIENT),
    Column("pi", value=of("pi"), text=COEFFICIENT),
    Column("kappa", value=of("kappa"), text=COEFFICIENT),
    Column("F", value=of("f"), text=COEFFICIENT),
)

FORMS = {
    "agreement": Table((*COLUMNS, *columns("unplaceable integer")), kind="row"),
    "labels": Table((*columns("label text"), *COLUMNS)),
}
"""The tables of the report."""


@dataclass(frozen=True, repr=False)
class Annotations(Evaluation):
    """The score of one annotation as the reference against another as the hypothesis.

    Args:
        slots: the number of slots of each class and labels.
        places, is_open: as for :func:`agreement`.
    """

    slots: Counter[SlotLabels] = field(default_factory=Counter)
    places: int = 0
    is_open: bool = False

    def report(self) -> Report:
        """The counts and coefficients of all labels, and of each."""
        total = agreement(self, places=self.places, is_open=self.is_open)
        by = by_label(self, places=self.places, is_open=self.is_open)
        tables = filled(
            FORMS,
            agreement=[(*values(COLUMNS, total, None), self.counts.unplaceable)],
            labels=((label, *values(COLUMNS, one, None)) for label, one in by.items()),
        )
        kind = "open" if self.is_open else "closed"
        own = [("agreement", None), ("places", str(self.places)), ("substitutions", kind)]
        signature = Signature([*own, *self.signature])
        notes = [*(f"{note}." for note in unplaceable_notes(self)), *reading_notes(self)]

        def text(_: Look) -> Iterator[str]:
            rows = {"": {"all": total, **by}}
            yield from lines(grouped(COLUMNS, rows, None))
            yield from ("", *notes, str(signature))

        return Report("agreement", tables, text, signature, notes)


def score_annotations(corpus: Corpus, settings: Settings) -> Annotations:
    """Score two annotations against each other: that of A as the reference, that of B."""
    documents: list[DocumentScore] = []
    slots = Counter[SlotLabels]()
    work = partial(apart, work=partial(_score, settings=settings))
    for _, (counts, found) in corpus.each(work):
        documents.append(counts)
        slots.update(found)
    return Annotations(tuple(documents), settings, slots=slots)


def _score(pair: Pair, settings: Settings) -> tuple[DocumentScore, Counter[SlotLabels]]:
    document = score_document(*pair, settings)
    assert document.mapped is not None
    _, reference, hypothesis, mapping, _ = document.mapped
    found = Counter[SlotLabels]()
    labels: tuple[str | None, str | None]
    for slot in outcomes(reference, hypothesis, mapping):
        if slot.slot is Slot.INSERTION:
            labels = None, slot.label
        elif slot.hypothesis is None:
            labels = slot.label, None
        else:
            labels = slot.label, hypothesis.elements[slot.hypothesis].label
        found[slot.slot, *labels] += 1
    return document._replace(mapped=None), found


def agreement(found: Annotations, *, places: int = 0, is_open: bool = False) -> Agreement:
    """The agreement of two annotations over all documents."""
    if places < 0:
        raise SerevalError(f"{places} places, expected 0 or more")
    return _count(found.slots, places, is_open=is_open)


def by_label(found: Annotations, *, places: int = 0, is_open: bool = False) -> dict[str, Agreement]:
    """The agreement on each label alone, as if elements of other labels did not exist."""
    of_label: dict[str, Counter[SlotLabels]] = {}
    for (slot, a, b), number in found.slots.items():
        for label in {a, b} - {None}:
            of_label.setdefault(str(label), Counter())[_only(str(label), slot, a, b)] += number
    return {
        label: _count(slots, places, is_open=is_open) for label, slots in sorted(of_label.items())
    }


def _only(label: str, slot: Slot, a: str | None, b: str | None) -> SlotLabels:
    if a == b:
        return slot, a, b
    return (Slot.DELETION, label, None) if a == label else (Slot.INSERTION, None, label)


def _count(slots: Counter[SlotLabels], places: int, *, is_open: bool) -> Agreement:
    of_a, of_b = Counter[str](), Counter[str]()
    pairs = correct = 0
    for (slot, a, b), number in slots.items():
        if a is not None:
            of_a[a] += number
        if b is not None:
            of_b[b] += number
        if a is not None and b is not None:
            pairs += number
        if slot is Slot.CORRECT:
            correct += number
    return Agreement(
        correct,
        0 if is_open else pairs - correct,
        of_a.total(),
        of_b.total(),
        places,
        tuple((label, of_a[label], of_b[label]) for label in sorted({*of_a, *of_b})),
    )
