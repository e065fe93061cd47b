"""The content of template files: documents with templates, whose slots have fills.

Source: Kehler, Bear and Appelt 2001, section 2.1 and figure 1, for string fills, set fills and
pointers to other templates; footnote 6, and the user's manual of the MUC scoring software
(M98-1030), for alternatives and optional parts of a key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..documents.checks import canonical

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


@dataclass(frozen=True, slots=True)
class Fill:
    """One fill of a slot: a value, or several alternatives, each of which is correct."""

    values: tuple[Value, ...]

    def __str__(self) -> str:
        return " / ".join(map(str, self.values))


@dataclass(frozen=True, slots=True)
class TemplateSlot:
    """A slot with at least one fill.

    Args:
        name: the name in the file, such as ``ORG_NAME``.
        fills: the fills in the order of the file, which does not affect the score.
        optional: whether a response may lack this slot without a missing fill.
    """

    name: str
    fills: tuple[Fill, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A template, such as one organisation.

    Args:
        id: its identifier, which pointers use; unique in its document.
        type: its type. Only templates of the same type are compared.
        slots: the slots that have a fill.
        optional: whether a response may lack this template without missing fills.
        line: the line of the file where it begins.
    """

    id: str
    type: str
    slots: tuple[TemplateSlot, ...]
    optional: bool = False
    line: int = field(default=0, compare=False)

    def slot(self, name: str) -> TemplateSlot | None:
        """The slot with a name; ``None``: it has no fill."""
        return next((slot for slot in self.slots if slot.name == name), None)


@dataclass(frozen=True, slots=True)
class TemplateDocument:
    """All templates of one document, in the order of the file."""

    id: str
    templates: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotNames:
    """Slots, each named ``ORG_TYPE`` for all types or ``ORGANIZATION.ORG_TYPE`` for one."""

    names: tuple[str, ...]

    def has(self, type: str, slot: str) -> bool:
        """Whether the set has a slot of templates of a type."""
        return slot in self.names or f"{type}.{slot}" in self.names

    def absent(self, documents: Iterable[TemplateDocument]) -> list[str]:
        """The names that occur in no document, in order."""
        found = {
            name
            for document in documents
            for template in document.templates
            for slot in template.slots
            for name in (slot.name, f"{template.type}.{slot.name}")
        }
        return [name for name in self.names if name not in found]
