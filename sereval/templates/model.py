"""The content of template files: documents with templates, whose slots have fills.

Source: Kehler, Bear and Appelt 2001, section 2.1 and figure 1, for string fills, set fills and
pointers to other templates; footnote 6, and the user's manual of the MUC scoring software
(M98-1030), for alternatives and optional parts of a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..documents.model import canonical

MOST_TEMPLATES = 500
"""The most templates of one document. A text has some dozens; all pairs of a type are compared."""

MOST_FILLS = 200
"""The most fills of one slot, and alternatives of one fill. A slot usually has two or three."""


@dataclass(frozen=True, slots=True)
class Value:
    """A string, a member of a set, or a pointer to a template.

    Args:
        text: the string, or the identifier of the template. Composed and decomposed accents (NFC,
            NFD) are equal.
        pointer: whether the text is an identifier.
        quoted: whether the file has quotation marks around it. This is not compared, because the
            files do not say which slots hold strings and which hold members of a set.
    """

    text: str = field(compare=False)
    pointer: bool = False
    quoted: bool = field(default=False, compare=False)
    canonical: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "canonical", canonical(self.text))

    def __str__(self) -> str:
        if self.pointer:
            return f"<{self.text}>"
        return f'"{self.text}"' if self.quoted else self.text


Fill: TypeAlias = tuple[Value, ...]
"""One fill of a slot: a value, or several alternatives, each of which is correct."""


def written(fill: Fill) -> str:
    """A fill as a file has it."""
    return " / ".join(map(str, fill))


class TemplateSlot(NamedTuple):
    """A slot.

    Args:
        fills: its fills, at least one, in the order of the file, which does not affect the score.
        optional: whether a response may lack this slot without a missing fill.
    """

    fills: list[Fill]
    optional: bool = False


class Template(NamedTuple):
    """A template, such as one organisation.

    Args:
        id: its identifier, which pointers use; unique in its document.
        type: its type. Only templates of the same type are compared.
        slots: the slots that have a fill, by the name in the file, such as ``ORG_NAME``.
        optional: whether a response may lack this template without missing fills.
        line: the line of the file where it begins.
    """

    id: str
    type: str
    slots: Mapping[str, TemplateSlot]
    optional: bool = False
    line: int = 0


class TemplateDocument(NamedTuple):
    """All templates of one document, in the order of the file."""

    id: str
    templates: Sequence[Template] = ()


class SlotNames(NamedTuple):
    """Slots, each named ``ORG_TYPE`` for all types or ``ORGANIZATION.ORG_TYPE`` for one."""

    names: tuple[str, ...]

    def has(self, type: str, slot: str) -> bool:
        """Whether the set has a slot of templates of a type."""
        return slot in self.names or f"{type}.{slot}" in self.names
