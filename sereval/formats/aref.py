"""Fuzzy references in the format of LNE's program, ``.aref``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..documents.model import Document, Reference, ReferenceElement, depths
from ..errors import SerevalError
from .build import LABELS, PROJECTION, STRICT, UNPLACEABLE, Notes, check_texts, check_words
from .file import Documents, File, quote
from .inline import Builder, decoded, escape
from .marks import Marks
from .records import with_place

_TAG = re.compile(r"<annotation\b([^<>]*)/>")
_ATTRIBUTES = re.compile(r'(?:\s+\w+="[^"]+")*\s*')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]+)"')
_EXAMPLE = '<annotation id="3" type="name.first" ftype="s" depth="1" parent="2" />'
_NUMBER = "[0-9]{1,9}"
_VALUES = {
    "id": _NUMBER,
    "type": ".+",
    "ftype": "s|e|se",
    "depth": _NUMBER,
    "parent": f"-1|{_NUMBER}",
}
"""The attributes of a tag, and patterns of their values."""


class _Places(NamedTuple):
    """An element and the frontiers of its tags, while the file is read."""

    label: str
    depth: int
    parent: int  # its id; -1: it is at the top
    line: int  # of its first tag
    starts: list[int]
    ends: list[int]


def read_aref(file: File) -> Documents:
    """
    The fuzzy references of LNE's program (its option `-a`), accepted only as REF:

    ```aref
    <annotation id="0" type="loc.adm" ftype="s" depth="0" parent="-1" /> à
    <annotation id="0" type="loc.adm" ftype="s" depth="0" parent="-1" />
    <annotation id="1" type="name" ftype="s" depth="1" parent="0" /> Dol
    <annotation id="0" type="loc.adm" ftype="e" depth="0" parent="-1" />
    <annotation id="1" type="name" ftype="e" depth="1" parent="0" /> hier
    ```

    Running text in which an empty `annotation`, on one line, marks each admissible place of an
    element: `ftype` is `s` where it may start, `e` where it may end, `se` for both. Words, white
    space and references such as `&amp;` (also in `type`) follow the inline format, but a line break
    is only white space.

    * Tags with the same `id` belong to one element and have the same `type`, `depth` and `parent`.
    * `parent` is the `id` of the element around it, -1 at the top. `depth` is 0 at the top and
      otherwise one more than that of `parent`. The five attributes are all present, in any order.
    * The children of one parent are in document order by `id`, whatever the order of their tags,
      because two neighbours may have the same places. Ids need not be consecutive. A file is
      refused if the places of two neighbours allow only the other order.

    Also refused: an element that may start or end nowhere, may start after the last word, or may
    end before the first.

    `sereval project … --format aref` writes this format for one document. It has one label for each
    element, so it cannot hold what `--unplaceable merge` has merged. It has no times, no strict
    frontiers (so the shift does not break ties) and no unplaceable elements: those that
    `--unplaceable miss` counts are not in the file.
    """
    builder = _Builder(file)
    builder.read(file.lines())
    yield None, builder.reference()


class _Builder(Builder):
    """The words and elements that have been read of one file."""

    def __init__(self, file: File) -> None:
        super().__init__(file, _TAG, _EXAMPLE)
        self.marks = Marks(file, self.notes, "keep")  # places count all words
        self.found: dict[int, _Places] = {}

    def read_tag(self, tag: re.Match[str]) -> None:
        """Add one place of an element."""
        values = _attributes(tag)
        id, label = int(values["id"]), decoded(values["type"])
        new = _Places(label, int(values["depth"]), int(values["parent"]), self.line, [], [])
        known = self.found.setdefault(id, new)
        if new[:3] != known[:3]:
            raise SerevalError(
                f"annotation {id} has another type, depth or parent than on line {known.line}"
            )
        here = len(self.words)
        for letter, places, verb in (("s", known.starts, "start"), ("e", known.ends, "end")):
            if letter in values["ftype"]:
                if places[-1:] == [here]:
                    raise SerevalError(f"annotation {id} may {verb} here twice")
                places.append(here)

    def reference(self) -> Reference:
        for id, places in self.found.items():
            with self.file.at(places.line):
                self.check(id, places)
        ids = _document_order({id: places.parent for id, places in self.found.items()})
        index = {id: place for place, id in enumerate(ids)}
        elements = tuple(
            ReferenceElement((label,), tuple(starts), tuple(ends), index.get(parent))
            for label, _, parent, _, starts, ends in map(self.found.__getitem__, ids)
        )
        if wrong := _disorder(elements):
            earlier, later = (ids[r] for r in wrong)
            raise self.file.error(
                f"annotation {later} has places before annotation {earlier} only, expected ids in "
                "document order",
                self.found[later].line,
            )
        return Reference(self.file.id, tuple(self.words), elements, source=self.file.path)

    def check(self, id: int, places: _Places) -> None:
        """Refuse an element without a start, an end or its parent, or with another depth."""
        last = len(self.words) - 1
        for where, first, what in (
            (places.starts, 0, "start before"),
            (places.ends, 1, "end after"),
        ):
            if not where or where[0] < first or where[-1] > last + first:
                raise SerevalError(f"annotation {id}: expected places to {what} a word")
        above = self.found.get(places.parent)
        if places.parent >= 0 and above is None:
            raise SerevalError(f"annotation {id} has the parent {places.parent}, which is nowhere")
        expected = above.depth + 1 if above else 0
        if places.depth != expected:
            there = f"below annotation {places.parent}" if above else "at the top"
            raise SerevalError(
                f"annotation {id} has depth {places.depth}, expected {expected} {there}"
            )


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    found = _ATTRIBUTE.findall(tag[1])
    if not _ATTRIBUTES.fullmatch(tag[1]) or sorted(name for name, _ in found) != sorted(_VALUES):
        raise SerevalError(f"found {quote(tag[0])}, expected {_EXAMPLE}")
    values = dict(found)
    for name, pattern in _VALUES.items():
        if not re.fullmatch(pattern, values[name]):
            raise SerevalError(f"{name} {quote(values[name])}, expected {_EXAMPLE}")
    return values


def _document_order(parents: dict[int, int]) -> list[int]:
    """The ids in document order: parents before their children, siblings by id."""
    children: dict[int, list[int]] = {}
    for id in sorted(parents, reverse=True):
        children.setdefault(parents[id], []).append(id)
    order: list[int] = []
    waiting = children.get(-1, [])
    while waiting:
        order.append(waiting.pop())
        waiting += children.get(order[-1], [])
    return order


def _disorder(elements: Sequence[ReferenceElement]) -> tuple[int, int] | None:
    """An element and a later sibling that can stand only before it; ``None``: there are none."""
    latest: dict[int | None, int] = {}  # by parent: the child with the latest first end
    for later, element in enumerate(elements):
        earlier = latest.setdefault(element.parent, later)
        other = elements[earlier]
        cannot_follow = earlier != later and element.starts[-1] < other.ends[0]
        if cannot_follow and element.ends[0] <= other.starts[-1]:
            return earlier, later
        if element.ends[0] > other.ends[0]:
            latest[element.parent] = later
    return None


# --- writing -------------------------------------------------------------------------------------


def write_aref(document: Document | Reference, lost: Notes) -> str:
    if isinstance(document, Document):
        reference = Reference.exact(document)
    else:
        elements = tuple(replace(e, labels=e.labels[:1]) for e in document.elements)
        reference = replace(document, elements=elements)
        lost.add(LABELS, sum(len(e.labels) - 1 for e in document.elements))
        lost.add(STRICT, sum(e.strict is not None for e in document.elements))
        lost.add(UNPLACEABLE, len(document.unplaceable))
        lost.add(PROJECTION, bool(document.projection))
    return write(reference)


def write(reference: Reference) -> str:
    """A fuzzy reference as the text of an aref file; reading it gives the same elements.

    Ids are indices of elements, from 0.

    Raises:
        SerevalError: the format cannot hold the reference: it has no word, white space in a word,
            a quote in a label, several labels, or an element without a place.

    >>> dol = ReferenceElement(("loc",), (0,), (1,))
    >>> print(write(Reference("d", ("Dol", "est"), (dol,))), end="")
    <annotation id="0" type="loc" ftype="s" depth="0" parent="-1" /> Dol
    <annotation id="0" type="loc" ftype="e" depth="0" parent="-1" /> est
    """
    check_words(reference, "aref")
    labels = [element.label for element in reference.elements]
    check_texts(reference.id, "aref", labels, '["\n]')
    with_place(reference.id, _check_elements, reference.elements)
    tags = _tags(reference)
    lines: list[str] = []
    for k in range(len(reference.words) + 1):
        items = [*tags.get(k, []), *map(escape, reference.words[k : k + 1])]
        if k in tags or not lines:
            lines.append(" ".join(items))
        elif items:
            lines[-1] += f" {items[0]}"
    return "\n".join(lines) + "\n"


def _tags(reference: Reference) -> dict[int, list[str]]:
    """The tags at each frontier, in document order of their elements."""
    found: dict[int, list[str]] = {}
    nesting = depths([element.parent for element in reference.elements])
    for r, element in enumerate(reference.elements):
        parent = -1 if element.parent is None else element.parent
        rest = f'depth="{nesting[r] - 1}" parent="{parent}" />'
        for k in sorted({*element.starts, *element.ends}):
            ftype = "s" * (k in element.starts) + "e" * (k in element.ends)
            label = escape(element.label)
            found.setdefault(k, []).append(
                f'<annotation id="{r}" type="{label}" ftype="{ftype}" {rest}'
            )
    return found


def _check_elements(elements: Sequence[ReferenceElement]) -> None:
    for element in elements:
        label = element.label
        if len(element.labels) > 1:
            labels = ", ".join(element.labels)
            raise SerevalError(f"an element accepts {labels}, expected one label")
        if not (element.starts and element.ends):
            raise SerevalError(f"{label} has no place, expected starts and ends")
    if wrong := _disorder(elements):
        names = " and ".join(f"{r} ({elements[r].label})" for r in wrong)
        raise SerevalError(f"elements {names} have places in the other order only")
