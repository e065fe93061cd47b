"""What a template file holds: documents of templates, whose slots have fills.

Source: Kehler, Bear and Appelt 2001, section 2.1 and figure 1: string fills, set fills and pointers
at other templates. Alternatives and optional parts are those of the keys of MUC: footnote 6, and
the user's manual of its scoring software (M98-1030).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..documents.checks import canonical

MOST_TEMPLATES = 500
"""Templates of one document; a text has some dozens, and every two of a type are compared."""

MOST_FILLS = 200
"""Fills of one slot, and alternatives of one fill; a slot has two or three."""


@dataclass(frozen=True, slots=True)
class Value:
    """A string, a member of a set, or a pointer at a template.

    Args:
        text: the string, or the identifier of the template. Accents are equal however they are
            composed (NFC, NFD).
        pointer: whether it is an identifier.
        quoted: how it was written. Not compared: which slots hold strings and which a member of a
            set is part of a task's definition, which the files do not have.

    >>> Value("CEO", quoted=True) == Value("CEO"), str(Value("ORG-024-1", pointer=True))
    (True, '<ORG-024-1>')
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
    """One fill of a slot: a value, or several of which any is right.

    >>> print(Fill((Value("IN"), Value("IN_ACTING"))))
    IN / IN_ACTING
    """

    values: tuple[Value, ...]

    def __str__(self) -> str:
        return " / ".join(map(str, self.values))


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that has at least one fill.

    Args:
        name: as written, such as ``ORG_NAME``.
        fills: in the order of the file, which means nothing to the score.
        optional: a response without this slot misses nothing.
    """

    name: str
    fills: tuple[Fill, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A template, such as one organisation.

    Args:
        id: what pointers name it by; unique in its document.
        type: templates of one type only are compared.
        slots: those that have a fill.
        optional: a response without a template for it misses nothing.
        line: where it begins in its file.

    >>> star = Template("ORG-024-1", "ORG", (Slot("ORG_TYPE", (Fill((Value("COMPANY"),)),)),))
    >>> star.slot("ORG_TYPE").fills[0].values, star.slot("ORG_NAME")
    ((Value(text='COMPANY', pointer=False, quoted=False),), None)
    """

    id: str
    type: str
    slots: tuple[Slot, ...]
    optional: bool = False
    line: int = field(default=0, compare=False)

    def slot(self, name: str) -> Slot | None:
        """The slot of that name, if it has a fill."""
        return next((slot for slot in self.slots if slot.name == name), None)


@dataclass(frozen=True, slots=True)
class TemplateDocument:
    """All templates of one document, in the order of the file."""

    id: str
    templates: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotNames:
    """Some slots: ``ORG_TYPE`` of all types, or ``ORGANIZATION.ORG_TYPE`` of one.

    >>> low = SlotNames(("ORG_TYPE", "PERSON.TITLE"))
    >>> low.has("ORG", "ORG_TYPE"), low.has("PERSON", "TITLE"), low.has("ORG", "TITLE")
    (True, True, False)
    """

    names: tuple[str, ...]

    def has(self, type: str, slot: str) -> bool:
        """Whether the slot of templates of that type is one of them."""
        return slot in self.names or f"{type}.{slot}" in self.names

    def absent(self, documents: Iterable[TemplateDocument]) -> list[str]:
        """Those of the names that no document has, in their order."""
        found = {
            name
            for document in documents
            for template in document.templates
            for slot in template.slots
            for name in (slot.name, f"{template.type}.{slot.name}")
        }
        return [name for name in self.names if name not in found]
