"""Fuzzy references in the format of LNE's program, ``.aref``.

``<annotation id="0" type="loc" ftype="s" depth="0" parent="-1" /> Dol
<annotation id="0" type="loc" ftype="e" depth="0" parent="-1" />``

The file is running text. An empty tag ``annotation`` marks each place where an element may start
(``s``), end (``e``) or do both (``se``). As in the inline format, white space and tags end a word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..documents.model import Document, Reference, ReferenceElement, depths
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .inline import Builder, check_writable, escape, is_unreadable
from .marks import Marks
from .records import with_place
from .writers import BREAKS, LABELS, PROJECTION, STRICT, UNPLACEABLE, WrittenFiles, lost_of

_TAG = re.compile(r"<annotation\b([^<>]*)/>")
_ATTRIBUTES = re.compile(r'(?:\s+\w+="[^"]*")*\s*')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_EXAMPLE = '<annotation id="3" type="name.first" ftype="s" depth="1" parent="2" />'
_NAMES = ("id", "type", "ftype", "depth", "parent")
_FTYPES = ("s", "e", "se")


class _Annotation(NamedTuple):
    """The attributes that all tags of one element share."""

    id: int
    label: str
    depth: int
    parent: int | None


class _Places(NamedTuple):
    """An element and the frontiers of its tags, while the file is read."""

    annotation: _Annotation
    line: int  # of its first tag
    starts: list[int]
    ends: list[int]


def read_aref(source: Source) -> list[tuple[int | None, Reference]]:
    """The fuzzy reference of an aref file.

    The attribute ``parent`` defines the tree. The format does not define the order of siblings. The
    reader sorts them by their ids, which number the opening tags of an annotation, and refuses a
    file whose places allow only another order.

    Args:
        source: the file; the reference takes its id.

    Returns:
        One reference, without a line of its own. Its elements have no strict frontiers.

    Raises:
        InputError: another tag; a missing, unknown or repeated attribute; tags of one id that
            disagree; a parent that does not exist or is not one level up; an element without a
            start or an end, with two equal ones, with a start after the last word or an end before
            the first; ids out of document order.

    >>> tag = '<annotation id="0" type="loc" ftype="%s" depth="0" parent="-1" />'
    >>> text = f"{tag % 's'} à {tag % 's'} Dol {tag % 'e'}"
    >>> [(_, dol)] = read_aref(Source("a.aref", text=text))
    >>> dol.words, dol.elements[0].starts, dol.elements[0].ends
    (('à', 'Dol'), (0, 1), (2,))
    """
    reader = _Reader(source)
    for line, text in source.lines():
        reader.read_line(line, text)
    return [(None, reader.reference())]


class _Reader:
    """The words and elements that have been read of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = Builder(source, example=_EXAMPLE)
        self.text.marks = Marks("keep")  # places count all words
        self.found: dict[int, _Places] = {}

    def read_line(self, line: int, text: str) -> None:
        at = 0
        for tag in _TAG.finditer(text):
            self.text.read_words(line, text[at : tag.start()])
            self.annotate(line, self.attributes(line, tag))
            at = tag.end()
        self.text.read_words(line, text[at:])

    def attributes(self, line: int, tag: re.Match[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        if not _ATTRIBUTES.fullmatch(tag[1]):
            raise self.source.error(f"found {quote(tag[0])}, expected {_EXAMPLE}", line)
        for name, value in _ATTRIBUTE.findall(tag[1]):
            if name not in _NAMES or name in found:
                what = "stands twice" if name in found else f"expected {', '.join(_NAMES)}"
                raise self.source.error(f"attribute {name} of an annotation, {what}", line)
            found[name] = value
        for name in _NAMES:
            if not found.get(name):
                raise self.source.error(f"an annotation has no {name}, expected {_EXAMPLE}", line)
        return found

    def annotate(self, line: int, values: dict[str, str]) -> None:
        """Add one place of an element."""
        annotation = _Annotation(
            self.number(line, "id", values),
            self.text.characters(line, values["type"]),
            self.number(line, "depth", values),
            None if values["parent"] == "-1" else self.number(line, "parent", values),
        )
        id, ftype = annotation.id, values["ftype"]
        known = self.found.setdefault(id, _Places(annotation, line, [], []))
        for name, ours, first in zip(
            ("id", "type", "depth", "parent"), annotation, known.annotation, strict=True
        ):
            if ours != first:
                raise self.source.error(
                    f"annotation {id} has the {name} {quote(values[name])}, expected "
                    f"{quote(str(-1 if first is None else first))} as on line {known.line}",
                    line,
                )
        if ftype not in _FTYPES:
            raise self.source.error(f"ftype {quote(ftype)}, expected {', '.join(_FTYPES)}", line)
        for letter, places, verb in (("s", known.starts, "start"), ("e", known.ends, "end")):
            if letter in ftype:
                self.place(line, id, places, verb)

    def number(self, line: int, name: str, values: dict[str, str]) -> int:
        if not re.fullmatch("[0-9]{1,9}", values[name]):
            hint = ", or -1 at the top" if name == "parent" else ""
            raise self.source.error(
                f"{name} {quote(values[name])}, expected a whole number of 0 or more{hint}", line
            )
        return int(values[name])

    def place(self, line: int, id: int, places: list[int], verb: str) -> None:
        here = len(self.text.words)
        if places[-1:] == [here]:
            raise self.source.error(f"annotation {id} may {verb} here twice", line)
        if verb == "end" and here == 0:
            raise self.source.error(f"annotation {id} may end here, before the first word", line)
        places.append(here)

    def reference(self) -> Reference:
        for places in self.found.values():
            self.check(places)
        ids = _document_order({id: p.annotation.parent for id, p in self.found.items()})
        index = {id: place for place, id in enumerate(ids)}
        elements = tuple(_element(self.found[id], index) for id in ids)
        if (wrong := _disorder(elements)) is not None:
            earlier, later = (self.found[ids[r]] for r in wrong)
            raise self.source.error(
                f"annotation {later.annotation.id} has places before annotation "
                f"{earlier.annotation.id} only, expected ids in document order",
                later.line,
            )
        return Reference(
            self.source.id,
            tuple(self.text.words),
            elements,
            source=self.source.path,
            notes=self.text.marks.notes(),
        )

    def check(self, places: _Places) -> None:
        """Refuse an element without a start, an end or its parent, or with another depth."""
        id, _, depth, parent = places.annotation
        for verb, where in (("start", places.starts), ("end", places.ends)):
            if not where:
                raise self.source.error(f"annotation {id} may {verb} nowhere", places.line)
        if places.starts[-1] == len(self.text.words):
            raise self.source.error(
                f"annotation {id} may start after the last word, expected a word after it",
                places.line,
            )
        if parent is not None and parent not in self.found:
            raise self.source.error(
                f"annotation {id} has the parent {parent}, which is nowhere", places.line
            )
        expected = 0 if parent is None else self.found[parent].annotation.depth + 1
        if depth != expected:
            above = "at the top" if parent is None else f"below annotation {parent}"
            raise self.source.error(
                f"annotation {id} has depth {depth}, expected {expected} {above}", places.line
            )


def _element(places: _Places, index: dict[int, int]) -> ReferenceElement:
    _, label, _, parent = places.annotation
    return ReferenceElement(
        (label,),
        tuple(places.starts),
        tuple(places.ends),
        None if parent is None else index[parent],
    )


def _document_order(parents: dict[int, int | None]) -> list[int]:
    """The ids in document order: parents before their children, siblings by id."""
    children: dict[int | None, list[int]] = {}
    for id in sorted(parents, reverse=True):
        children.setdefault(parents[id], []).append(id)
    order: list[int] = []
    waiting = children.get(None, [])
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


def write_aref(document: Document | Reference) -> WrittenFiles:
    """The file of a document or a fuzzy reference, and notes on what it does not hold."""
    lost = lost_of(document)
    if isinstance(document, Document):
        reference = Reference.exact(document)
        lost[BREAKS] = len(document.breaks)
    else:
        elements = tuple(replace(e, labels=e.labels[:1]) for e in document.elements)
        reference = replace(document, elements=elements, unplaceable=())
        lost |= {
            LABELS: sum(len(e.labels) - 1 for e in document.elements),
            STRICT: sum(e.strict is not None for e in document.elements),
            UNPLACEABLE: len(document.unplaceable),
            PROJECTION: int(bool(document.projection)),
        }
    return WrittenFiles({".aref": write(reference)}, count_notes(lost))


def write(reference: Reference) -> str:
    """A fuzzy reference as the text of an aref file; reading it gives the same elements.

    Ids are indices of elements, from 0. The format has no times, strict frontiers, unplaceable
    elements or description of the projection; these are left out.

    Args:
        reference: a reference with at least one word, and one label for each element.

    Raises:
        SerevalError: the format cannot hold the reference: it has no word, white space in a word,
            a quote in a label, several labels, or an element without a place.

    >>> dol = ReferenceElement(("loc",), (0,), (1,))
    >>> print(write(Reference("d", ("Dol", "est"), (dol,))), end="")
    <annotation id="0" type="loc" ftype="s" depth="0" parent="-1" /> Dol
    <annotation id="0" type="loc" ftype="e" depth="0" parent="-1" /> est
    """
    check_writable(reference)
    with_place(reference.id, _check_elements, reference)
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


def _check_elements(reference: Reference) -> None:
    elements = reference.elements
    for element in elements:
        _check_element(element)
    if (wrong := _disorder(elements)) is not None:
        names = " and ".join(f"{r} ({elements[r].label})" for r in wrong)
        raise SerevalError(f"elements {names} have places in the other order only")


def _check_element(element: ReferenceElement) -> None:
    if len(element.labels) > 1:
        raise SerevalError(f"an element accepts {', '.join(element.labels)}, expected one label")
    if any(mark in element.label for mark in '"\n') or is_unreadable(element.label):
        raise SerevalError(f"label {quote(element.label)}, expected no quote or line break in it")
    if not (element.starts and element.ends):
        raise SerevalError(f"{element.label} has no place, expected starts and ends")
