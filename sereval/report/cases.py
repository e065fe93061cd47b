"""The cases of an audited document: one for each slot.

A pair of elements is two rows and one case. An unplaceable element that does not count is a case
too, of the class ``U``, which is no slot.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.audit import Audit, Row
from ..measures.slots import Slot

LOST = "unplaceable"

UNCOUNTED = "U"
"""Stands where a class would, for unplaceable elements that do not count."""

NAMES = {
    "C": "correct",
    "S_S": "span substitution",
    "S_T": "type substitution",
    "S_ST": "span and type substitution",
    "D": "deletion",
    "I": "insertion",
    UNCOUNTED: "unplaceable, not counted",
}
"""What the class letters stand for, in the order of reports."""


@dataclass(frozen=True, slots=True)
class Case:
    """A slot, or an unplaceable element that does not count.

    Args:
        reference: the reference's row, ``None`` for an insertion.
        hypothesis: the hypothesis's row, ``None`` for a deletion.
    """

    reference: Row | None
    hypothesis: Row | None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the sides that have one."""
        return tuple(row for row in (self.reference, self.hypothesis) if row is not None)

    @property
    def row(self) -> Row:
        """The row that the slot is counted with."""
        row = self.reference or self.hypothesis
        assert row is not None
        return row

    @property
    def name(self) -> str:
        """What it is called within its document: ``r12``, or ``h7`` for an insertion."""
        return f"{'h' if self.reference is None else 'r'}{self.row.index}"

    @property
    def letter(self) -> str:
        """Its class."""
        return UNCOUNTED if self.row.slot is None else self.row.slot.value

    @property
    def is_lost(self) -> bool:
        """Whether it is unplaceable, counted or not."""
        return self.row.why is not None

    @property
    def filters(self) -> tuple[str, ...]:
        """All that it can be found by, besides its labels."""
        return (self.letter, LOST) if self.is_lost else (self.letter,)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels of either side, each once."""
        return tuple(dict.fromkeys(label for row in self.rows for label in row.labels))

    @property
    def cell(self) -> tuple[str | None, str | None] | None:
        """Its row and column in the confusion matrix; ``None`` for what does not count."""
        if self.letter == UNCOUNTED:
            return None
        sides = (self.reference, self.hypothesis)
        own, other = (None if row is None else row.label for row in sides)
        return own, other


def cases(document: Audit) -> list[Case]:
    """The cases of a document: reference elements, then insertions."""
    hypotheses = document.hypotheses
    answered = [
        Case(row, None if row.partner is None else hypotheses[row.partner])
        for row in document.references
    ]
    return answered + [Case(None, row) for row in hypotheses if row.slot is Slot.INSERTION]


def counted_as(row: Row) -> str:
    """What an element counts as in each figure of a scheme.

    >>> from types import SimpleNamespace
    >>> counted_as(SimpleNamespace(figures={"type": "COR", "extent": "INC"}))
    'type COR, extent INC'
    """
    return ", ".join(f"{name} {count}" for name, count in row.figures.items())
