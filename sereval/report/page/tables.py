"""The figures of a page: tables of counts and rates, and the confusion matrix of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from sys import intern
from typing import Any, NamedTuple

from ...analysis.rates import (
    AnyScore,
    FMeasure,
    ListErrorRate,
    classes,
    each_document,
    figure_of,
    measure_of,
    rate_of,
    unplaceable,
)
from ...corpus.store import Store, StoredList
from ...evaluation.report import (
    EXACT,
    ON_PAGE,
    OWN,
    level_notes,
    lne_notes,
    neutral_notes,
    reading_notes,
    unplaceable_notes,
    words_sentences,
)
from ...evaluation.totals import Evaluation
from ...measures.figures import Figure
from ...measures.slots import Costs, Counts, Slot, decimal
from ...render.numbers import percent
from ...render.report import heads, texts
from ...schemes.result import FigureRow, SchemeScore
from ..cases import SlotCase

OF_SCHEMES = ("POS", "ACT", *(slot.value for slot in Slot), "errors", "F", "P", "R")
"""The columns of the other schemes."""


class Figures(NamedTuple):
    """A row of a table.

    Args:
        name: the document, the label or the kind.
        cells: the text of each column.
        shares: for each class that occurs, its letter and its share of all slots in percent.
        unplaceable: the number of unplaceable reference elements.
    """

    name: str
    cells: dict[str, str]
    shares: tuple[tuple[str, str], ...]
    unplaceable: int


def figures(name: str, counts: Counts, costs: Costs) -> Figures:
    """The row of some counts, with the columns of the definition.

    >>> figures("all", Counts(C=1, S_S=1, hyp=2, exact=1, exact_hyp=1), Costs()).cells["cost"]
    '0.5'
    """
    slots = Counter({slot: counts[slot] for slot in Slot})
    cells = dict(zip(heads(ON_PAGE), map(intern, texts(ON_PAGE, counts, costs)), strict=True))
    return Figures(name, cells, _shares(slots), counts.unplaceable)


def of_scheme(
    name: str,
    row: FigureRow,
    measure: FMeasure | ListErrorRate,
    slots: Counter[Slot],
    unplaceable: int = 0,
) -> Figures:
    """The row of a scheme's figures, with the columns ``OF_SCHEMES``.

    >>> slots = Counter([Slot.CORRECT, Slot.DELETION])
    >>> of_scheme("all", {"type": Figure(cor=1, mis=1)}, FMeasure("type"), slots).cells["F"]
    '66.7'
    """
    figure, errors = row.get(measure.figure, Figure()), decimal(measure.errors(row).total)
    numbers = (figure.possible, figure.actual, *(slots[slot] for slot in Slot), errors)
    is_error_rate = isinstance(measure, ListErrorRate)
    others = (None, None) if is_error_rate else (figure.precision, figure.recall)
    rates = figure.value, *others
    cells = dict(zip(OF_SCHEMES, (*map(str, numbers), *map(percent, rates)), strict=True))
    return Figures(name, cells, _shares(slots), unplaceable)


def _shares(slots: Counter[Slot]) -> tuple[tuple[str, str], ...]:
    """The letter and the share of each class that occurs, in percent of all slots."""
    every = slots.total()
    return tuple((s.value, f"{100 * slots[s] / every:.2f}") for s in Slot if slots[s])


class Tables(NamedTuple):
    """All figures of a score, as the page shows them.

    Args:
        columns: the names of the columns.
        rate: the name of the rate, in words.
        headline: the columns of the rate, of its errors, and of the sizes of both sides.
        sizes: the names of the sizes of both sides, in words.
        total: the row of all documents.
        order: the ids of the documents, the worst first.
        documents: a row for each document, in that order.
        labels: a row for each kind, then a row for each label.
        kinds: the number of kinds among ``labels``.
        notes: the notes under the figures.
        worst: for each label, the worst document that has an error with it; if there is none, the
            worst document that has the label.
    """

    columns: tuple[str, ...]
    rate: str
    headline: tuple[str, str, str, str]
    sizes: tuple[str, str]
    total: Figures
    order: list[str]
    documents: StoredList[Figures]
    labels: list[Figures]
    kinds: int
    notes: list[str]
    worst: dict[str, str]


def tables(score: AnyScore) -> Tables:
    """The figures of a score of any scheme."""
    if isinstance(score, SchemeScore):
        return _of_scheme(score)
    counts, costs = score.counts, score.settings.costs
    order = _worst_first(score)
    of_document = {document.id: document for document in score.documents}
    worst = _Worst(order)
    for document in score.documents:
        for label, its in document.labels.items():
            is_wrong = max(its.ref + its.I, its.hyp) > its.C
            worst.add(label, document.id, is_wrong=is_wrong)
    return Tables(
        heads(ON_PAGE),
        "slot error rate",
        ("SER", "cost", "Ref", "Hyp"),
        ("reference elements", "in the hypothesis"),
        figures("all", counts, costs),
        order,
        _on_disk(figures(id, of_document[id].counts, costs) for id in order),
        by_label(score),
        len(score.kinds),
        notes(score),
        worst.of_label(),
    )


def _on_disk(rows: Iterable[Figures]) -> StoredList[Figures]:
    found: StoredList[Figures] = StoredList(Store())
    for row in rows:
        found.append(row)
    return found


class _Worst:
    """The worst document for each label.

    Args:
        order: the ids of the documents, the worst first.
    """

    def __init__(self, order: Sequence[str]) -> None:
        self._order, self._places = order, {id: number for number, id in enumerate(order)}
        self._found: dict[str, tuple[bool, int]] = {}

    def add(self, label: str, id: str, *, is_wrong: bool) -> None:
        """Add a label of a document, and whether the document has an error with it."""
        place = not is_wrong, self._places[id]
        self._found[label] = min(self._found.get(label, place), place)

    def of_label(self) -> dict[str, str]:
        """For each label, the first document that has an error with it, or that has it."""
        return {label: self._order[place] for label, (_, place) in self._found.items()}


def _of_scheme(score: SchemeScore) -> Tables:
    measure = figure_of(score)
    order, lost, totals = _worst_first(score), unplaceable(score), score.totals
    of_document: dict[str, Counter[Slot]] = {}
    of_label: dict[str, Counter[Slot]] = {}

    worst = _Worst(order)
    for id, labels in classes(score):
        of_document[id] = sum(labels.values(), Counter())
        for label, its in labels.items():
            of_label[label] = of_label.get(label, Counter()) + its
            worst.add(label, id, is_wrong=its.total() > its[Slot.CORRECT])
    every: Counter[Slot] = sum(of_document.values(), Counter())
    return Tables(
        OF_SCHEMES,
        measure.title,
        ("F", "errors", "POS", "ACT"),
        ("in the reference (POS)", "in the hypothesis (ACT)"),
        of_scheme("all", score.total, measure, every, sum(lost.values())),
        order,
        _on_disk(of_scheme(id, totals[id], measure, of_document[id], lost[id]) for id in order),
        [of_scheme(name, row, measure, of_label[name]) for name, row in score.labels.items()],
        0,
        [
            *score.notes,
            *words_sentences(score.word_errors),
            "F, P and R in percent; each element has the nearest class of the definition.",
        ],
        worst.of_label(),
    )


def notes(evaluation: Evaluation) -> list[str]:
    """The notes of an evaluation."""
    sentences = [
        *neutral_notes(evaluation),
        *level_notes(evaluation),
        *(f"{note}." for note in unplaceable_notes(evaluation)),
        EXACT if evaluation.definition_counts is None else OWN,
        *lne_notes(evaluation),
    ]
    return [*sentences, *words_sentences(evaluation.word_errors), *reading_notes(evaluation)]


def by_label(evaluation: Evaluation) -> list[Figures]:
    """A row for each kind, if there is a grammar, then a row for each label."""
    rows = [*evaluation.kinds.items(), *evaluation.labels.items()]
    return [figures(name, counts, evaluation.settings.costs) for name, counts in rows]


def _worst_first(score: AnyScore) -> list[str]:
    """The ids of the documents, the worst rate first, documents without a rate last."""
    measure = measure_of(score)
    sign = 1 if measure.is_better == "higher" else -1
    rates = {id: rate_of(measure, errors) for id, errors in each_document(score)}
    return sorted(rates, key=lambda id: (rates[id] is None, sign * (rates[id] or 0), id))


LabelPair = tuple[str | None, str | None]
"""The reference label and the hypothesis label; ``None``: no element on that side."""


class CaseLink(NamedTuple):
    """An error in the list of its cell, with the words of both sides."""

    case: str
    reference: str = ""
    hypothesis: str = ""

    @classmethod
    def of(cls, case: SlotCase) -> CaseLink:
        """The link to a case."""
        rows = (case.reference, case.hypothesis)
        texts = ["" if row is None else " ".join(row.words) for row in rows]
        return cls(case.name, *map(_cut, texts))


class CellCases(NamedTuple):
    """The cases of a cell.

    Args:
        letters: the number of cases of each class.
        documents: for each document, its id, the number of its cases of each class, and its errors.
    """

    letters: Counter[str]
    documents: StoredList[tuple[str, dict[str, int], list[CaseLink]]]


MANY = 200
"""The number of hypothesis labels up to which each has a cell in each row of the matrix."""


class Confusion:
    """Reference labels against hypothesis labels, with the cases of each cell.

    The diagonal holds ``C`` and ``S_S``. If a reference element accepts several labels, they may
    lie outside the diagonal, because its row is the row of its own label. The sum of a row is
    ``Ref`` of its label, the sum of a column is ``Hyp``. Deletions have a separate column,
    insertions a separate row.

    Attributes:
        cells: the cases of each cell that has any.

    >>> matrix = Confusion()
    >>> matrix.rows, matrix.columns
    ([], [])
    """

    def __init__(self) -> None:
        self.cells: dict[LabelPair, CellCases] = {}
        self._store: Store[Any] = Store()

    def add(self, id: str, cases: Iterable[SlotCase]) -> None:
        """Add the cases of a document, before anything is asked.

        Args:
            id: the id of the document.
            cases: in their order on the page.
        """
        found: dict[LabelPair, list[SlotCase]] = {}
        for case in cases:
            if case.cell is not None:
                found.setdefault(case.cell, []).append(case)
        for cell, own in found.items():
            letters = Counter(case.letter for case in own)
            errors = [CaseLink.of(case) for case in own if case.letter != "C"]
            if cell not in self.cells:
                self.cells[cell] = CellCases(Counter(), StoredList(self._store))
            self.cells[cell].letters.update(letters)
            self.cells[cell].documents.append((id, dict(letters), errors))

    @cached_property
    def rows(self) -> list[str | None]:
        """The reference labels, then ``None`` for insertions if there are any."""
        return _axis(reference for reference, _ in self.cells)

    @cached_property
    def columns(self) -> list[str | None]:
        """The hypothesis labels, then ``None`` for deletions if there are any."""
        return _axis(hypothesis for _, hypothesis in self.cells)

    @cached_property
    def _number(self) -> dict[str, int]:
        labels = {label for label in (*self.rows, *self.columns) if label is not None}
        return {label: number for number, label in enumerate(sorted(labels))}

    def in_order(self) -> list[LabelPair]:
        """The cells row by row."""
        rows, columns = (
            {label: k for k, label in enumerate(each)} for each in (self.rows, self.columns)
        )
        return sorted(self.cells, key=lambda cell: (rows[cell[0]], columns[cell[1]]))

    def in_row(self, row: str | None) -> list[tuple[int, LabelPair | None]]:
        """The cells of a row, each with its columns: 1, or those of a stretch without cases.

        A stretch is one cell of the table only if there are many labels, whose table would be
        quadratic.
        """
        if len(self.columns) <= MANY:
            cells = ((row, column) for column in self.columns)
            return [(1, cell if cell in self.cells else None) for cell in cells]
        found: list[tuple[int, LabelPair | None]] = []
        at = 0
        for column in sorted({*self._columns_of.get(row, ()), len(self.columns) - 1}):
            if at < column:
                found.append((column - at, None))
            cell = row, self.columns[column]
            found.append((1, cell if cell in self.cells else None))
            at = column + 1
        return found

    @cached_property
    def _columns_of(self) -> dict[str | None, list[int]]:
        """The numbers of the columns in which each row has cases, in order."""
        number = {label: k for k, label in enumerate(self.columns)}
        found: dict[str | None, list[int]] = {}
        for row, column in self.in_order():
            found.setdefault(row, []).append(number[column])
        return found

    def by_document(self, cell: LabelPair) -> Iterator[tuple[str, dict[str, int], list[CaseLink]]]:
        """The documents of a cell: the name, the number of cases of each class, the errors."""
        return iter(self.cells[cell].documents)

    def size(self, cell: LabelPair) -> int:
        """The number of cases of a cell."""
        return self.cells[cell].letters.total()

    def kind(self, cell: LabelPair) -> str:
        """The kind of a cell's cases: ``hit``, ``S``, ``D`` or ``I``."""
        letters = self.cells[cell].letters.keys()
        return "hit" if letters <= {"C", "S_S"} else min(letters)[0]

    def total(self, side: int, label: str | None) -> int:
        """The sum of a row (side 0) or of a column (side 1)."""
        return self._totals[side][label]

    @cached_property
    def _totals(self) -> tuple[Counter[str | None], Counter[str | None]]:
        found: tuple[Counter[str | None], Counter[str | None]] = Counter(), Counter()
        for cell in self.cells:
            for side in (0, 1):
                found[side][cell[side]] += self.size(cell)
        return found

    def anchor(self, cell: LabelPair) -> str:
        """The anchor of a cell's cases."""
        label, other = cell
        row = "I" if label is None else self._number[label]
        return f"cell-{row}-{'D' if other is None else self._number[other]}"


def _axis(labels: Iterable[str | None]) -> list[str | None]:
    found = set(labels)
    return [*sorted(label for label in found if label is not None), *({None} & found)]


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
