"""The cases of an audited document: one for each slot.

A pair of elements has two rows and is one case. An unplaceable element that does not count is a
case too, although it is no slot; its class is ``U``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.audit import Audit, AuditRow
from ..measures.slots import CLASSES, Slot

UNPLACEABLE = "unplaceable"

UNCOUNTED = "U"
"""The class letter of unplaceable elements that do not count."""

NAMES = {
    **{slot.value: name for slot, name in CLASSES.items()},
    UNCOUNTED: "unplaceable, not counted",
}
"""The names of the classes by letter, in the order of the reports."""


@dataclass(frozen=True, slots=True)
class SlotCase:
    """A slot, or an unplaceable element that does not count.

    Args:
        reference: the reference's row, ``None`` for an insertion.
        hypothesis: the hypothesis's row, ``None`` for a deletion.
    """

    reference: AuditRow | None
    hypothesis: AuditRow | None

    @property
    def rows(self) -> tuple[AuditRow, ...]:
        """The row of each side that has an element in this case."""
        return tuple(row for row in (self.reference, self.hypothesis) if row is not None)

    @property
    def row(self) -> AuditRow:
        """The reference's row, or the hypothesis's for an insertion: the row with the cost."""
        row = self.reference or self.hypothesis
        assert row is not None
        return row

    @property
    def name(self) -> str:
        """The name of the case in its document: ``r12``, or ``h7`` for an insertion."""
        return f"{'h' if self.reference is None else 'r'}{self.row.index}"

    @property
    def letter(self) -> str:
        """The letter of its class."""
        return UNCOUNTED if self.row.slot is None else self.row.slot.value

    @property
    def is_unplaceable(self) -> bool:
        """Whether its element has no place, whether it counts or not."""
        return self.row.why is not None

    @property
    def cell(self) -> tuple[str | None, str | None] | None:
        """Its row and column in the confusion matrix; ``None`` if it does not count."""
        if self.letter == UNCOUNTED:
            return None
        sides = (self.reference, self.hypothesis)
        own, other = (None if row is None else row.label for row in sides)
        return own, other


def cases(document: Audit) -> list[SlotCase]:
    """The cases of a document: a case for each reference element, then the insertions."""
    hypotheses = document.hypotheses
    answered = [
        SlotCase(row, None if row.partner is None else hypotheses[row.partner])
        for row in document.references
    ]
    return answered + [SlotCase(None, row) for row in hypotheses if row.slot is Slot.INSERTION]


def candidates(row: AuditRow, side: int) -> list[tuple[int, bool, bool]]:
    """The candidates of an element: frontier, whether it is strict, whether it is chosen.

    Args:
        row: the row of the element.
        side: 0 for its start, 1 for its end.

    >>> from types import SimpleNamespace
    >>> row = SimpleNamespace(starts=(1, 2), ends=(3,), strict=(1, 3), placement=(2, 3))
    >>> candidates(row, 0)
    [(1, True, False), (2, False, True)]
    """
    strict = None if row.strict is None else row.strict[side]
    chosen = None if row.placement is None else row.placement[side]
    return [(k, k == strict, k == chosen) for k in (row.starts, row.ends)[side]]


def counted_as(row: AuditRow) -> str:
    """The outcome of an element in each figure of a scheme.

    >>> from types import SimpleNamespace
    >>> counted_as(SimpleNamespace(figures={"type": "COR", "extent": "INC"}))
    'type COR, extent INC'
    """
    return ", ".join(f"{name} {count}" for name, count in row.figures.items())
