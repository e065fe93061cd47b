"""The outcomes of the fills of one document under an alignment.

A fill of the key and a fill of the response in the same slot of aligned templates are correct if
they are common (see ``common``). Of the fills that are left in such a slot, one of the key and one
of the response are incorrect together, in the order of the files. What is left over is missing or
spurious. With partial credit, two fills of which one is a part of the other are partially correct
(Kehler et al. 2001, footnote 2).

Source: Kehler et al. 2001, section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..mapping.assignment import best_pairs
from .common import CommonFill, PositionPair, match
from .model import Fill, SlotNames, Template, TemplateDocument, TemplateSlot

OUTCOMES = ("cor", "inc", "mis", "spu")
PARTIAL = "par"
"""The outcome of a fill with half the credit; without ``--partial`` there is none."""

NOT_COUNTED = "opt"
"""The outcome of an optional fill of the key that the response lacks."""

PARTIALS = ("none", "part")
"""The choices of ``--partial``: no fill is partially correct; or a part of the right text is."""


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A fill of the key, one of the response, or both: a line of figure 3.

    Args:
        outcome: one of ``OUTCOMES``, or ``NOT_COUNTED``.
        slot: the name of the slot.
        key, response: the fill on either side.
    """

    outcome: str
    slot: str
    key: Fill | None
    response: Fill | None


@dataclass(frozen=True, slots=True)
class TemplateRows:
    """A template of the key, one of the response, or both, with the outcomes of their fills."""

    key: Template | None
    response: Template | None
    rows: tuple[TemplateRow, ...]

    @property
    def type(self) -> str:
        """The type of the templates, which both have."""
        template = self.key or self.response
        return template.type if template else ""


def rows_of(
    key: TemplateDocument,
    response: TemplateDocument,
    pairs: Iterable[PositionPair],
    ignored: SlotNames,
    partial: str = "none",
) -> list[TemplateRows]:
    """Templates of the key in their order, then templates of the response without a partner.

    Args:
        key, response: one document.
        pairs: the aligned templates.
        ignored: slots that are left out.
        partial: one of ``PARTIALS``.
    """
    aligned = dict(pairs)
    slots = _Slots(key, response, aligned, ignored, partial)
    found = []
    for place, template in enumerate(key.templates):
        other = response.templates[aligned[place]] if place in aligned else None
        found.append(TemplateRows(template, other, tuple(slots.rows(template, other))))
    left = set(range(len(response.templates))) - set(aligned.values())
    for place in sorted(left):
        template = response.templates[place]
        found.append(TemplateRows(None, template, tuple(slots.rows(None, template))))
    return found


class _Slots:
    """The slots of one document under an alignment."""

    def __init__(
        self,
        key: TemplateDocument,
        response: TemplateDocument,
        aligned: Mapping[int, int],
        ignored: SlotNames,
        partial: str,
    ) -> None:
        self.ignored = ignored
        self.partial = partial
        self.partner = {  # identifiers of templates of the key, and of the response
            key.templates[i].id: response.templates[j].id for i, j in aligned.items()
        }
        self.left_out = {
            template.id
            for template in key.templates
            if template.optional and template.id not in self.partner
        }

    def rows(self, key: Template | None, response: Template | None) -> Iterator[TemplateRow]:
        """The outcomes of the fills of two templates, or of a template without a partner."""
        slots: dict[str, list[TemplateSlot | None]] = {}
        for side, template in enumerate((key, response)):
            for slot in template.slots if template else ():
                if template and not self.ignored.has(template.type, slot.name):
                    slots.setdefault(slot.name, [None, None])[side] = slot
        is_left_out = key is not None and key.id in self.left_out
        for name, (mine, theirs) in slots.items():
            fills = mine.fills if mine else ()
            others = theirs.fills if theirs else ()
            if is_left_out or (mine and mine.optional and not others):
                yield from (TemplateRow(NOT_COUNTED, name, fill, None) for fill in fills)
            else:
                yield from self._slot(name, fills, others)

    def _slot(
        self, name: str, fills: Sequence[Fill], others: Sequence[Fill]
    ) -> Iterator[TemplateRow]:
        """The rows of a slot: matched fills, then the others in pairs, in their order."""
        counted = [fill for fill in fills if not self._is_left_out(fill)]
        pairs = self._match(counted, others)
        rest = [other for j, other in enumerate(others) if j not in pairs.values()]
        wrong = iter(zip_longest((f for i, f in enumerate(counted) if i not in pairs), rest))
        for i, fill in enumerate(counted):
            if i in pairs:
                other = others[pairs[i]]
                yield TemplateRow(
                    "cor" if self.is_common(fill, other) else PARTIAL, name, fill, other
                )
            else:
                _, other = next(wrong)
                yield TemplateRow("inc" if other else "mis", name, fill, other)
        yield from (TemplateRow("spu", name, None, other) for _, other in wrong)
        yield from (
            TemplateRow(NOT_COUNTED, name, fill, None) for fill in fills if fill not in counted
        )

    def _match(self, fills: Sequence[Fill], others: Sequence[Fill]) -> dict[int, int]:
        """Matched fills, by position: most common ones, then most of which one is a part."""
        both = [(i, j) for i in range(len(fills)) for j in range(len(others))]
        common = [CommonFill(i, j) for i, j in both if self.is_common(fills[i], others[j])]
        if self.partial == "none":
            return match(common)
        most = 1 + min(len(fills), len(others))  # one common value outweighs all partial ones
        worth = {(i, j): 1 for i, j in both if is_part(fills[i], others[j])}
        worth |= {(edge.key, edge.response): most for edge in common}
        return best_pairs(worth)

    def is_common(self, fill: Fill, other: Fill) -> bool:
        """Whether two fills are equal texts, or pointers to templates that are aligned."""
        [value] = other.values
        if not value.pointer:
            return value in fill.values
        return any(
            each.pointer and self.partner.get(each.text) == value.text for each in fill.values
        )

    def _is_left_out(self, fill: Fill) -> bool:
        """Whether all values point to optional templates that the response lacks."""
        return all(value.pointer and value.text in self.left_out for value in fill.values)


def is_part(fill: Fill, other: Fill) -> bool:
    """Whether the words of a text stand in the other text, in a row.

    Args:
        fill: a fill of the key; one of its alternatives is enough.
        other: a fill of the response.

    >>> from .model import Value
    >>> star, tv = Fill((Value("STAR TV"),)), Fill((Value("TV"),))
    >>> is_part(star, tv), is_part(tv, star), is_part(tv, Fill((Value("TVS"),)))
    (True, True, False)
    """
    [value] = other.values
    theirs = _in_words(value.canonical)
    return not value.pointer and any(
        not each.pointer and (ours in theirs or theirs in ours)
        for each in fill.values
        for ours in [_in_words(each.canonical)]
    )


def _in_words(text: str) -> str:
    """A text with one space on either side of each word, so that its parts are whole words."""
    return f" {' '.join(text.split())} "


def count_composed(rows: Iterable[TemplateRows]) -> int:
    """How many correct values differ from the key's in the composition of their accents only."""
    return sum(
        row.outcome == "cor"
        and row.response is not None
        and not row.response.values[0].pointer
        and row.response.values[0].text not in {value.text for value in row.key.values}
        for one in rows
        for row in one.rows
        if row.key is not None
    )
