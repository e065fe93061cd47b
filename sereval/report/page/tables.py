"""The figures of a page: rows of totals, and who was taken for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...analysis.rates import AnyScore, classes, figure_of, unplaceable
from ...evaluation.evaluate import Evaluation
from ...measures.figures import Figure
from ...measures.slots import Costs, Counts, Slot, decimal
from ...schemes.result import Row, SchemeScore
from ..text import EXACT, OWN, free, lost, near, percent, read
from .cases import Case

COLUMNS = ("Ref", "Hyp", *(slot.value for slot in Slot), "cost", "SER", "P", "R", "F1")
"""Headings of :class:`Figures`, those of slot error rates."""

OF_SCHEMES = ("POS", "ACT", *(slot.value for slot in Slot), "errors", "F", "P", "R")
"""The same for another scheme: figure by figure in the places of what corresponds to it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A row of a table: what it is of, and its figures in the order of the columns.

    Args:
        shares: for each class that occurs, its letter and its part of all slots in percent.
    """

    name: str
    cells: tuple[str, ...]
    shares: tuple[tuple[str, str], ...]
    unplaceable: int


def figures(name: str, counts: Counts, costs: Costs) -> Figures:
    """The figures of some counts, as every report shows them.

    >>> figures("all", Counts(C=1, S_S=1, hyp=2, exact=1, exact_hyp=1), Costs()).cells
    ('2', '2', '1', '1', '0', '0', '0', '0', '0.5', '25.0', '50.0', '50.0', '50.0')
    """
    rates = counts.ser(costs), counts.precision, counts.recall, counts.f1
    numbers = (counts.ref, counts.hyp, *(counts[slot] for slot in Slot))
    slots = counts.ref + counts.I
    return Figures(
        name,
        (*map(str, numbers), decimal(counts.cost(costs)), *map(percent, rates)),
        tuple((s.value, f"{100 * counts[s] / slots:.2f}") for s in Slot if counts[s]),
        counts.unplaceable,
    )


def of_scheme(name: str, figure: Figure, slots: Counter[Slot], unplaceable: int) -> Figures:
    """The figures of a scheme, under ``OF_SCHEMES``.

    >>> of_scheme("all", Figure(cor=1, mis=1), Counter([Slot.CORRECT, Slot.DELETION]), 0).cells
    ('2', '1', '1', '0', '0', '0', '1', '0', '1', '66.7', '100.0', '50.0')
    """
    errors = 2 * figure.inc + figure.par + figure.mis + figure.spu
    numbers = (figure.possible, figure.actual, *(slots[slot] for slot in Slot), errors)
    rates = figure.f(), figure.precision, figure.recall
    every = slots.total()
    return Figures(
        name,
        (*map(str, numbers), *map(percent, rates)),
        tuple((s.value, f"{100 * slots[s] / every:.2f}") for s in Slot if slots[s]),
        unplaceable,
    )


@dataclass(frozen=True, slots=True)
class Tables:
    """All figures of a score, as the page shows them.

    Args:
        rate: what is told of all, in words.
        sizes: of the reference and of the hypothesis, in words.
        documents: worst first. kinds: how many of ``labels`` are kinds.
        wrong: labels that have an error, by document.
    """

    columns: tuple[str, ...]
    rate: str
    sizes: tuple[str, str]
    total: Figures
    documents: list[Figures]
    labels: list[Figures]
    kinds: int
    notes: list[str]
    wrong: dict[str, dict[str, bool]]


def tables(score: AnyScore) -> Tables:
    """The figures of a score of any scheme."""
    if isinstance(score, SchemeScore):
        return _of_scheme(score)
    counts, costs = score.counts, score.settings.costs
    return Tables(
        COLUMNS,
        "slot error rate",
        ("reference elements", "in the hypothesis"),
        figures("all", counts, costs),
        by_document(score),
        by_label(score),
        len(score.kinds),
        notes(score),
        {
            document.id: {
                label: max(its.ref + its.I, its.hyp) > its.C
                for label, its in document.labels.items()
            }
            for document in score.documents
        },
    )


def _of_scheme(score: SchemeScore) -> Tables:
    measure = figure_of(score)
    slots, lost = classes(score), unplaceable(score)
    of_label: dict[str, Counter[Slot]] = {}
    for labels in slots.values():
        for label, its in labels.items():
            of_label[label] = of_label.get(label, Counter()) + its
    every: Counter[Slot] = sum(of_label.values(), Counter())

    def figure(row: Row) -> Figure:
        return row.get(measure.figure, Figure())

    documents = [
        of_scheme(id, figure(row), sum(slots[id].values(), Counter()), lost[id])
        for id, row in score.totals.items()
    ]
    best = {id: figure(row).f() for id, row in score.totals.items()}
    total = figure(score.total)
    return Tables(
        OF_SCHEMES,
        measure.title,
        ("in the reference (POS)", "in the hypothesis (ACT)"),
        of_scheme("all", total, every, sum(lost.values())),
        sorted(documents, key=lambda d: (best[d.name] is None, best[d.name] or 0.0, d.name)),
        [of_scheme(name, figure(row), of_label[name], 0) for name, row in score.labels.items()],
        0,
        [*score.notes, "F, P and R in percent; the class of an element is the nearest one."],
        {
            id: {label: its.total() > its[Slot.CORRECT] for label, its in labels.items()}
            for id, labels in slots.items()
        },
    )


def notes(evaluation: Evaluation) -> list[str]:
    """What the figures alone would hide; the same that the report in text says."""
    least = evaluation.definition_counts
    told = [
        *free(evaluation),
        *near(evaluation),
        f"{lost(evaluation)}.",
        EXACT if least is None else OWN,
    ]
    if least is not None:
        rate = percent(least.ser(evaluation.settings.costs))
        told.append(f"The mapping is another program’s; the definition’s minimum is {rate} %.")
    return [*told, *read(evaluation)]


def by_label(evaluation: Evaluation) -> list[Figures]:
    """Figures of each label; first of each kind, if there is a grammar."""
    rows = [*evaluation.kinds.items(), *evaluation.labels.items()]
    return [figures(name, counts, evaluation.settings.costs) for name, counts in rows]


def by_document(evaluation: Evaluation) -> list[Figures]:
    """Figures of each document, worst first, those without a rate last."""
    costs = evaluation.settings.costs

    def badness(row: tuple[str, Counts]) -> tuple[bool, float, str]:
        rate = row[1].ser(costs)
        return rate is None, -(rate or 0.0), row[0]

    rows = sorted(((d.id, d.counts) for d in evaluation.documents), key=badness)
    return [figures(name, counts, costs) for name, counts in rows]


Cell = tuple[str | None, str | None]
"""Reference label and hypothesis label; ``None`` where there is no such element."""


@dataclass(frozen=True, slots=True)
class Found:
    """A case as it is listed under its cell."""

    document: str
    case: str
    letter: str
    reference: str
    hypothesis: str


@dataclass(slots=True)
class Confusion:
    """Reference labels against hypothesis labels, with the cases of each cell.

    The diagonal holds ``C`` and ``S_S``, which can be off it only where an element accepts several
    labels: it stands under its own. A row adds up to ``Ref`` of its label, a column to ``Hyp``; the
    margins are ``D``, in no column, and ``I``, in no row.
    """

    cells: dict[Cell, list[Found]] = field(default_factory=dict)

    def add(self, document: str, case: Case) -> None:
        """List a case, if it counts."""
        if case.cell is not None:
            rows = (case.reference, case.hypothesis)
            texts = ["" if row is None else " ".join(row.words) for row in rows]
            found = Found(document, case.name, case.letter, *map(_cut, texts))
            self.cells.setdefault(case.cell, []).append(found)

    @property
    def labels(self) -> list[str]:
        """All labels that occur on either side, in alphabetical order."""
        return sorted({label for cell in self.cells for label in cell if label is not None})

    def table(self) -> list[MatrixRow]:
        """The matrix as it is shown, rows and columns that hold something, margins last."""
        rows, columns = self.rows(), self.columns()
        number = {label: n for n, label in enumerate(self.labels)}
        return [
            MatrixRow(
                label,
                tuple(self._shown(label, other, number) for other in columns),
                sum(len(found) for cell, found in self.cells.items() if cell[0] == label),
            )
            for label in rows
        ]

    def _shown(self, label: str | None, other: str | None, number: Mapping[str, int]) -> Shown:
        found = self.cells.get((label, other), [])
        letters = {one.letter for one in found}
        kind = "hit" if letters <= {"C", "S_S"} else min(letters)[0]
        return Shown(len(found), cell_anchor(label, other, number), kind)

    def rows(self) -> list[str | None]:
        """Reference labels, then ``None`` for insertions if there are any."""
        return _axis(cell[0] for cell in self.cells)

    def columns(self) -> list[str | None]:
        """Hypothesis labels, then ``None`` for deletions if there are any."""
        return _axis(cell[1] for cell in self.cells)

    def totals(self) -> list[int]:
        """Of the columns."""
        return [
            sum(len(found) for cell, found in self.cells.items() if cell[1] == label)
            for label in self.columns()
        ]

    def groups(self) -> list[Group]:
        """The cells with something in them, row by row, the confusions of a row first."""
        number = {label: n for n, label in enumerate(self.labels)}
        return [
            Group(label, other, cell_anchor(label, other, number), tuple(self.cells[label, other]))
            for label in self.rows()
            for other in self.columns()
            if (label, other) in self.cells
        ]


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell of the matrix; ``kind`` is ``hit``, ``S``, ``D`` or ``I``."""

    count: int
    anchor: str
    kind: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A row of the matrix, with its sum; the label is ``None`` for insertions."""

    label: str | None
    cells: tuple[Shown, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one cell."""

    reference: str | None
    hypothesis: str | None
    anchor: str
    found: tuple[Found, ...]


def cell_anchor(label: str | None, other: str | None, number: Mapping[str, int]) -> str:
    """The anchor of a cell's cases.

    >>> cell_anchor("pers", None, {"loc": 0, "pers": 1})
    'cell-1-D'
    """
    row = "I" if label is None else number[label]
    return f"cell-{row}-{'D' if other is None else number[other]}"


def _axis(labels: Iterable[str | None]) -> list[str | None]:
    found = set(labels)
    return [*sorted(label for label in found if label is not None), *({None} & found)]


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
