"""Rows put together to what a reader steps through: one case for every slot.

A pair is one case, though it is two rows. Elements that have no place and do not count are cases
too, of a class of their own that is no slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...analysis.audit import Audit, Row
from ...measures.slots import Slot
from ..audit_text import LOST, counted_as

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
    def row(self) -> Row:
        """The one that the slot is counted with."""
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
    def is_error(self) -> bool:
        """Whether one steps on it."""
        return self.row.is_error

    @property
    def cost(self) -> Fraction:
        """Of the slot."""
        return self.row.cost

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels of either side, each once."""
        both = (row.labels for row in (self.reference, self.hypothesis) if row is not None)
        return tuple(dict.fromkeys(label for labels in both for label in labels))

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


def chips(counted: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """What a page filters by: a name, how many cases, and what it stands for.

    These are the classes that occur, and unplaceable elements if one has another class than ``U``.

    Args:
        counted: cases by class, and unplaceable ones among them.

    >>> chips({"D": 2, "unplaceable": 1})
    [('D', 2, 'deletion'), ('unplaceable', 1, 'no place among the hypothesis’s words')]
    """
    found = [(letter, counted[letter], name) for letter, name in NAMES.items() if letter in counted]
    if counted.get(LOST, 0) > counted.get(UNCOUNTED, 0):
        found.append((LOST, counted[LOST], "no place among the hypothesis’s words"))
    return found


def reason(case: Case, words: Sequence[str]) -> str:
    """Why a case is in its class, in a sentence; empty where one of the sides says it all.

    Args:
        words: the hypothesis's, which placements count.
    """
    if case.row.why is not None:
        return case.row.why
    if case.reference is None or case.hypothesis is None:
        return ""
    parts = [counted_as(case.row)] if case.row.figures else []
    if case.letter in {"S_T", "S_ST"}:
        parts.append(
            f"label {case.hypothesis.label}, expected {' or '.join(case.reference.labels)}"
        )
    if case.letter in {"S_S", "S_ST"} and case.reference.placement is not None:
        parts += _shifts(case.reference, case.hypothesis, words)
    return "; ".join(parts)


def _shifts(reference: Row, hypothesis: Row, words: Sequence[str]) -> Iterable[str]:
    """Which tags of a pair stand wrong."""
    if reference.placement is None or hypothesis.span is None:
        return
    tags = (
        ("starts before", [*words, "the end"], reference.starts),
        ("ends after", ["the beginning", *words], reference.ends),
    )
    for side, (verb, names, candidates) in enumerate(tags):
        found, placed = hypothesis.span[side], reference.placement[side]
        if found == placed:
            continue
        if found in candidates:
            others = f"“{names[placed]}” fits the elements around it better"
        else:
            others = "expected " + " or ".join(f"“{names[k]}”" for k in candidates)
        yield f"{verb} “{names[found]}”, {others}"
