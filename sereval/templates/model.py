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
    """A string, a member of a set, or a pointer to a template."""

    text: str = field(compare=False)  # NFC and NFD are equal
    pointer: bool = False  # whether the text is the identifier of a template
    # Quotation marks are not compared: the files do not say which slots hold strings and which hold
    # members of a set.
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
    """The fills of a slot, at least one."""

    fills: list[Fill]  # in the order of the file, which does not affect the score
    optional: bool = False  # a response may lack it without a missing fill


class Template(NamedTuple):
    """A template, such as one organisation."""

    id: str  # unique in its document; pointers use it
    type: str  # only templates of one type are compared
    slots: Mapping[str, TemplateSlot]  # those with a fill, by a name such as ORG_NAME
    optional: bool = False  # a response may lack it without missing fills
    line: int = 0  # where it begins


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
