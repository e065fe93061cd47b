"""The content of template files: documents with templates, whose slots have fills.

Source: Kehler, Bear and Appelt 2001, section 2.1 and figure 1, for string fills, set fills and
pointers to other templates; footnote 6, and the user's manual of the MUC scoring software
(M98-1030), for alternatives and optional parts of a key.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Value:
    """A string, a member of a set, or a pointer to a template."""

    text: str  # in NFC, so that NFC and NFD are equal
    pointer: bool = False  # whether the text is the identifier of a template
    # Quotation marks are not compared: the files do not say which slots hold strings and which hold
    # members of a set.
    quoted: bool = field(default=False, compare=False)

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
    slots: dict[str, TemplateSlot]  # those with a fill, by a name such as ORG_NAME
    optional: bool = False  # a response may lack it without missing fills
    line: int = 0  # where it begins


class TemplateDocument(NamedTuple):
    """All templates of one document, in the order of the file."""

    id: str
    templates: Sequence[Template] = ()


def is_named(names: Collection[str], type: str, slot: str) -> bool:
    """Whether ``ORG_TYPE``, or ``ORGANIZATION.ORG_TYPE`` for one type, is among some names."""
    return slot in names or f"{type}.{slot}" in names
