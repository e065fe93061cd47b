"""Documents, elements and references.

A *document* is a sequence of words. *Frontier* ``k`` is the place before word ``k``, so a document
of ``n`` words has the frontiers ``0 … n``. An *element* (an entity or one of its components) is a
label over the words between two frontiers, ``[start, end)``. The elements form an ordered forest,
kept as a tuple in *document order* (that of the opening tags); each names the index of its parent.

A hypothesis is scored against a *reference*. Each element of a reference may accept several
labels, and has a set of *candidate* frontiers for its start and another for its end. A document
on the hypothesis's own words is a special case: each tag has one candidate.

The constructors check their arguments, and the values are frozen. Times are integer milliseconds.
Definition: sections 1, 2, 5 and 6 of ``docs/why/definition.md``.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar
from unicodedata import combining, normalize

from ..errors import CrossingError, SerevalError, one_line

if TYPE_CHECKING:
    import networkx

    from .tags import Tags

Time = tuple[int, int]
"""Start and end of a word, in ms."""


class HasId(Protocol):
    """A value with an id, by which documents pair."""

    @property
    def id(self) -> str:
        """The document's name."""


@dataclass(frozen=True, slots=True)
class Element:
    """An entity or a component: a label over a span of words.

    Args:
        label: its type, compared as an exact string.
        start: frontier before its first word.
        end: frontier after its last word, greater than ``start``.
        parent: index of its parent in the document's elements, ``None`` at the top.
        line: line of its opening tag in the file it was read from; not part of the value.
        confidence: how sure the system is of it, from 0 to 1; ``None``: it does not say.

    >>> Element("name.first", 0, 1, parent=0)
    Element(label='name.first', start=0, end=1, parent=0)
    """

    label: str
    start: int
    end: int
    parent: int | None = None
    line: int | None = field(default=None, compare=False, repr=False)
    confidence: float | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.label} [{self.start}, {self.end})"

    @property
    def labels(self) -> tuple[str]:
        """Its label alone; a `ReferenceElement` may accept several."""
        return (self.label,)

    def labelled(self, labels: Sequence[str], parent: int | None) -> Element:
        """The element with another label, the first of these, and another parent."""
        return Element(labels[0], self.start, self.end, parent, self.line, self.confidence)


class Mention(NamedTuple):
    """An entity without a place: a system gave its label and its text only.

    Args:
        label: its type.
        text: its words, as the system wrote them.

    >>> Mention("loc", "Dol").text
    'Dol'
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """Words with a forest of elements over them, and times if they are known.

    Args:
        id: name of the document, unique in a corpus; documents pair by it.
        words: the words, in order; like all sequences below a tuple, which a list becomes.
        elements: the elements in document order, each after its parent.
        times: start and end of each word in integer ms, ordered by start; ``None``: unknown.
            ``from_spans`` takes seconds.
        breaks: frontiers at which a new utterance begins, increasing, within ``1 … n-1``.
        source: the file it was read from; not part of the value.
        notes: notes of its reader on what it skipped, merged, repaired or interpolated; not part
            of the value.
        mentions: entities without a place, each counted as an insertion (``find_mentions``);
            ``None``: the system gives places.
        tags: the tags of the words, if the file has a column of tags; not part of the value. They
            stay as they were read when the elements change.
        alternatives: stretches that may be said in other words, by start and then by end. Only word
            error rates use them.
        places: the places where its mentions may stand (``find_mentions``); not part of the value.

    Raises:
        SerevalError: an empty id, word or span; crossing elements, a child outside its parent,
            overlapping siblings, an element before its parent; times, breaks or alternatives out of
            order; a mention without label or text.

    >>> chirac = Document("d", ("Jacques", "Chirac"), tree([
    ...     ("pers.ind", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2)]))
    >>> [element.parent for element in chirac.elements]
    [None, 0, 0]
    """

    id: str
    words: tuple[str, ...]
    elements: tuple[Element, ...] = ()
    times: tuple[Time, ...] | None = None
    breaks: tuple[int, ...] = ()
    source: str | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)
    mentions: tuple[Mention, ...] | None = field(default=None, repr=False)
    tags: Tags | None = field(default=None, compare=False, repr=False)
    alternatives: tuple[Alternative, ...] = field(default=(), repr=False)
    unplaceable: ClassVar[tuple[Unplaceable, ...]] = ()  # all its elements have a place

    def __post_init__(self) -> None:
        for name in ("words", "elements", "times", "breaks"):
            values = getattr(self, name)
            if type(values) is list:
                tuples = (tuple(one) if type(one) is list else one for one in values)
                object.__setattr__(self, name, tuple(tuples))
        check_names(self.id, self.words)
        try:
            _check_forest(self.elements, len(self.words))
            check_alternatives(self.alternatives, len(self.words))
            if self.times is not None:
                _check_times(self.times, len(self.words))
            check_increasing(self.breaks, 1, len(self.words) - 1, "an utterance boundary")
            if not all(map(all, self.mentions or ())):
                raise SerevalError("a mention without label or text")
        except SerevalError as error:
            raise SerevalError(f"{self.id}: {error}") from None

    def to_networkx(self) -> networkx.DiGraph[int]:
        """The forest as a graph: a node per element, an edge from each parent to its child.

        Returns:
            A graph whose nodes are indices into ``elements``. Each node has the attributes
            ``label``, ``start``, ``end``, ``words`` and, if the document has times, ``start_ms``
            and ``end_ms``.

        >>> russia = Document("d", ("la", "Russie"), tree([("org", 1, 2), ("loc", 1, 2)]))
        >>> graph = russia.to_networkx()
        >>> list(graph.edges), graph.nodes[1]["label"]
        ([(0, 1)], 'loc')
        """
        import networkx  # slow to import, and not needed to score

        graph: networkx.DiGraph[int] = networkx.DiGraph(id=self.id)
        for index, element in enumerate(self.elements):
            graph.add_node(
                index,
                label=element.label,
                start=element.start,
                end=element.end,
                words=self.words[element.start : element.end],
            )
            if self.times is not None:
                graph.nodes[index]["start_ms"] = self.times[element.start][0]
                graph.nodes[index]["end_ms"] = self.times[element.end - 1][1]
            if element.parent is not None:
                graph.add_edge(element.parent, index)
        return graph


@dataclass(frozen=True, slots=True)
class ReferenceElement:
    """An element of a reference: the labels it accepts, and the candidates of its tags.

    Args:
        labels: accepted labels; the first is its own label, merging adds the others.
        starts: candidate frontiers of its opening tag, increasing, within ``0 … n-1``.
        ends: candidate frontiers of its closing tag, increasing, within ``1 … n``.
        parent: index of its parent in the reference's elements, ``None`` at the top.
        strict: its strict frontiers, from which the shift is counted; ``None``: the shift is 0.
        source: index of the annotated element it comes from; not part of the value.

    >>> ReferenceElement(("name.last",), (2,), (3, 4, 5), parent=0, strict=(2, 4)).label
    'name.last'
    """

    labels: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    parent: int | None = None
    strict: tuple[int, int] | None = None
    source: int | None = field(default=None, compare=False, repr=False)

    @property
    def label(self) -> str:
        """Its own label, under which it is counted."""
        return self.labels[0]

    def labelled(self, labels: tuple[str, ...], parent: int | None) -> ReferenceElement:
        """The element with other labels and another parent."""
        return replace(self, labels=labels, parent=parent)


@dataclass(frozen=True, slots=True)
class Unplaceable:
    """An element that has no place on the hypothesis's words (definition, section 5).

    Args:
        element: the element as projected; its ``parent`` is the index of its nearest ancestor
            among the reference's placed elements.
        fate: what the policy did with it: ``dropped``, ``missed`` (counted as a deletion) or
            ``merged``.
        into: index of the placed element it was merged into; ``None``: it was not merged.
        blocker: index, among the elements before the walk, of the element whose tag stands in the
            way; ``None``: its own candidates leave it no word. Not part of the value.

    Raises:
        SerevalError: an unknown fate, ``merged`` without ``into``, or ``into`` with another fate.

    >>> Unplaceable(ReferenceElement(("loc",), (0,), (1,)), "missed").fate
    'missed'
    """

    element: ReferenceElement
    fate: str
    into: int | None = None
    blocker: int | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.fate not in FATES or (self.fate == "merged") != (self.into is not None):
            raise SerevalError(
                f"{self.element.label} is {self.fate} with into={self.into}, expected one of "
                f"{', '.join(FATES)}; only merged has an into"
            )


FATES = ("dropped", "missed", "merged")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a hypothesis is scored against: elements with candidate frontiers.

    Args:
        id: name of the document.
        words: the words that its frontiers count; after a projection, the hypothesis's words.
        elements: the elements in document order, each after its parent.
        unplaceable: the elements that the walk took out, in document order.
        times: start and end of each word in ms; ``None``: unknown.
        projection: the projection, as a signature names it; empty: it was not projected.
        slack: the most that its alignment of words may cost beyond the cheapest, in the weights of
            the alignment; not part of the value.
        source: the file it was read from; not part of the value.
        notes: notes of its reader, as for a document; not part of the value.

    Raises:
        SerevalError: an empty id or word; a candidate outside the document or out of order;
            elements that are not in document order; an element without a label or with a label
            twice; times out of order.

    >>> figure4 = Reference("show", ("magie", "mais"), (
    ...     ReferenceElement(("name.last",), (0,), (1, 2), strict=(0, 2)),))
    >>> figure4.elements[0].ends
    (1, 2)
    """

    id: str
    words: tuple[str, ...]
    elements: tuple[ReferenceElement, ...] = ()
    unplaceable: tuple[Unplaceable, ...] = ()
    times: tuple[Time, ...] | None = None
    projection: str = ""
    slack: int = field(default=0, compare=False, repr=False)
    source: str | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)
    # it is not divided into utterances, and has no mentions
    breaks: ClassVar[tuple[int, ...]] = ()
    mentions: ClassVar[None] = None

    def __post_init__(self) -> None:
        check_names(self.id, self.words)
        try:
            _check_reference(self)
        except SerevalError as error:
            raise SerevalError(f"{self.id}: {error}") from None

    @classmethod
    def exact(cls, document: Document) -> Reference:
        """A document as a reference on its own words: each tag has one candidate.

        Args:
            document: an annotated document.

        >>> Reference.exact(Document("d", ("Dol",), (Element("loc", 0, 1),))).elements[0].ends
        (1,)
        """
        elements = tuple(
            [
                ReferenceElement(
                    (e.label,), (e.start,), (e.end,), e.parent, (e.start, e.end), source=index
                )
                for index, e in enumerate(document.elements)
            ]
        )
        same = {name: getattr(document, name) for name in ("id", "words", "times", "source")}
        return unchecked(cls, **same, elements=elements)  # the document's checks are stricter


_D = TypeVar("_D", "Document", "Reference", "Document | Reference")


def unchecked(cls: type[_D], **values: Any) -> _D:
    """A document or a reference whose parts another one has checked already."""
    made = object.__new__(cls)
    for each in fields(cls):
        object.__setattr__(made, each.name, values.get(each.name, each.default))
    return made


def changed(document: _D, **values: Any) -> _D:
    """A document or a reference with other values of some fields, which are not checked."""
    same = {each.name: getattr(document, each.name) for each in fields(document)}
    return unchecked(type(document), **{**same, **values})


def tags(parents: Sequence[int | None]) -> list[tuple[int, bool]]:
    """The inline tags of a forest in document order."""
    order: list[tuple[int, bool]] = []
    open_elements: list[int] = []
    for index, parent in enumerate(parents):
        while open_elements and open_elements[-1] != parent:
            order.append((open_elements.pop(), True))
        order.append((index, False))
        open_elements.append(index)
    order.extend((index, True) for index in reversed(open_elements))
    return order


def depths(parents: Sequence[int | None]) -> list[int]:
    """How deep each element of a forest is nested."""
    found: list[int] = []
    for parent in parents:
        found.append(1 if parent is None else 1 + found[parent])
    return found


def tree(spans: Iterable[tuple[Any, ...]]) -> tuple[Element, ...]:
    """Elements in document order with their parents, from spans in any order.

    The spans determine the tree. Of two equal spans the earlier one is the parent, unless a span
    names the later one as its parent.

    Args:
        spans: ``(label, start, end)``, which ``parent``, ``line`` and ``confidence`` may follow.
            ``parent`` is an index into ``spans``; ``None``: the spans determine the parent.
            ``line`` is the line of the span in its file.

    Raises:
        SerevalError: an empty span, a parent that does not exist or contradicts the spans.
        CrossingError: crossing elements.

    >>> [(e.label, e.parent) for e in tree([("name", 1, 2), ("pers", 0, 2), ("loc", 1, 2)])]
    [('pers', None), ('name', 0), ('loc', 1)]
    >>> [(e.label, e.parent) for e in tree([("loc", 0, 1, 1), ("org", 0, 1)])]
    [('org', None), ('loc', 0)]
    """
    listed = [Element(*checked_span(span)) for span in spans]
    for element in listed:
        if element.start >= element.end:
            raise SerevalError(f"element {element} is empty")
    order = _document_order(listed)
    nested: list[Element] = []
    position = {index: place for place, index in enumerate(order)}
    open_places: list[int] = []
    for place, index in enumerate(order):
        element = listed[index]
        while open_places and nested[open_places[-1]].end <= element.start:
            open_places.pop()
        parent = open_places[-1] if open_places else None
        if parent is not None and nested[parent].end < element.end:
            raise CrossingError(f"elements {nested[parent]} and {element} cross")
        if element.parent is not None and position[element.parent] != parent:
            raise SerevalError(
                f"element {element} names {listed[element.parent]} as its parent, "
                f"but by the spans it is {'at the top' if parent is None else nested[parent]}"
            )
        is_same = element.parent == parent  # making another one takes time
        nested.append(element if is_same else element.labelled(element.labels, parent))
        open_places.append(place)
    return tuple(nested)


def _document_order(listed: Sequence[Element]) -> list[int]:
    """Indices by start, longest first; equal spans in list order, unless a parent is named."""
    for element in listed:
        if element.parent is not None and not 0 <= element.parent < len(listed):
            raise SerevalError(
                f"element {element} names parent {element.parent}, "
                f"expected an index below {len(listed)}"
            )
    child = {  # by index: the element of the same span that names it as parent
        element.parent: index
        for index, element in enumerate(listed)
        if element.parent is not None
        and (element.start, element.end)
        == (listed[element.parent].start, listed[element.parent].end)
    }
    below = set(child.values())
    heads = sorted(
        (i for i in range(len(listed)) if i not in below),
        # of equal spans, the one that names a parent with another span is the outermost
        key=lambda i: (listed[i].start, -listed[i].end, listed[i].parent is None, i),
    )
    order: list[int] = []
    for head in heads:
        link: int | None = head
        while link is not None:
            order.append(link)
            link = child.get(link)
    if stuck := {*range(len(listed))} - {*order}:
        raise SerevalError(f"element {listed[min(stuck)]} is its own ancestor")
    return order


def _check_forest(elements: Sequence[Element], n: int) -> None:
    """Refuse elements that are no forest over the words, in document order."""
    if not isinstance(elements, tuple):
        raise SerevalError(f"elements in a {type(elements).__name__}, expected a tuple")
    if not {*map(type, elements)} <= {Element}:
        raise SerevalError("elements that are no Element; from_spans takes (label, start, end)")
    if (index := _misplaced(elements)) is not None:
        raise SerevalError(f"element {elements[index]} is not in document order below its parent")
    last: dict[int | None, Element] = {}  # of the children of each element
    for element in elements:
        if not isinstance(element.label, str) or not element.label:
            raise SerevalError(f"element {element} has no label")
        is_whole = type(element.start) is type(element.end) is int
        if not is_whole or not 0 <= element.start < element.end <= n:
            raise SerevalError(f"element {element} is no stretch of the {n} words")
        parent = element.parent
        if parent is not None:
            outer = elements[parent]
            if element.start < outer.start or element.end > outer.end:
                raise SerevalError(f"element {element} is outside its parent {outer}")
        before = last.get(parent)
        if before is not None and element.start < before.end:
            raise SerevalError(
                f"element {element} starts before {before} ends, expected siblings apart and in "
                "order; see tree()"
            )
        last[parent] = element


def _misplaced(elements: Sequence[Element | ReferenceElement]) -> int | None:
    """The first element that is not in document order below its parent; ``None``: there is none."""
    open_elements: list[int] = []
    for index, element in enumerate(elements):
        while open_elements and open_elements[-1] != element.parent:
            open_elements.pop()
        if element.parent is not None and not open_elements:
            return index
        open_elements.append(index)
    return None


def _check_times(times: Sequence[Time], n: int) -> None:
    if len(times) != n:
        raise SerevalError(f"{len(times)} times for {n} words")
    if not isinstance(times, tuple):
        raise SerevalError(f"times in a {type(times).__name__}, expected a tuple")
    before = None
    are_lists = all(map(isinstance, times, repeat((tuple, list))))
    if not are_lists or not {*map(len, times)} <= {2}:
        raise SerevalError("times that are no pairs, expected (start, end) for each word")
    for k, (start, end) in enumerate(times):
        if type(start) is not int or type(end) is not int:
            raise SerevalError(
                f"word {k} has the times {start!r} and {end!r}, expected integer ms; "
                "from_spans(words, spans, times=…) takes seconds"
            )
        if end < start:
            raise SerevalError(
                f"word {k} ends ({seconds(end)} s) before it starts ({seconds(start)} s)"
            )
        if before is not None and start < before:
            raise SerevalError(
                f"word {k} starts ({seconds(start)} s) before the word ahead of it "
                f"({seconds(before)} s), expected words by start time"
            )
        before = start


def _check_reference(reference: Reference) -> None:
    n = len(reference.words)
    lost_elements = (lost.element for lost in reference.unplaceable)
    for element in (*reference.elements, *lost_elements):
        if not isinstance(element.labels, tuple) or not element.labels or not all(element.labels):
            raise SerevalError("a reference element has no label")
        if len(set(element.labels)) < len(element.labels):
            raise SerevalError(f"a label of {', '.join(element.labels)} stands twice")
        check_increasing(element.starts, 0, n - 1, f"{element.label} can start")
        check_increasing(element.ends, 1, n, f"{element.label} can end")
        strict = (0, 0) if element.strict is None else element.strict
        if len(strict) != 2 or not all(type(k) is int and 0 <= k <= n for k in strict):
            raise SerevalError(
                f"{element.label} has the strict frontiers {list(strict)}, "
                f"expected two from 0 to {n}"
            )
    if (index := _misplaced(reference.elements)) is not None:
        element = reference.elements[index]
        raise SerevalError(
            f"reference element {index} ({element.label}) is not in document order "
            f"below its parent {element.parent}"
        )
    for lost in reference.unplaceable:
        for index_of in (lost.element.parent, lost.into):
            if index_of is not None and not 0 <= index_of < len(reference.elements):
                raise SerevalError(f"unplaceable {lost.element.label} names element {index_of}")
    if reference.times is not None:
        _check_times(reference.times, n)


def seconds(ms: int) -> str:
    """Milliseconds as seconds, exactly, without needless zeros."""
    return f"{Decimal(ms).scaleb(-3).normalize():f}"


# Notes: what a reader or a stage did with some things of a file, and how many there were.

PLACES = 3
"""How many places a note shows; ``sereval check`` lists all of them."""


class Place(NamedTuple):
    """The place of one of the things that a note counts."""

    what: str  # as a message shows it
    where: str = ""  # such as a file and a line; empty: its name says it
    line: int | None = None  # from 1; None: unknown

    def __str__(self) -> str:
        return f"{self.what} at {self.where}" if self.where else self.what


@dataclass(frozen=True, slots=True)
class Note:
    """A message for the user: what a reader or a stage did with some things, and their number.

    Reports add up the notes of each side, JSON has them under ``notes``, and the command line
    prints them on standard error.

    Args:
        what: the name of the things in the plural, and what was done with them; a reason may stand
            before it, with a semicolon.
        count: the number of things.
        choice: the policy that was applied, for the signature; empty if there is only one policy.
        places: the places of the things; a message shows the first ``PLACES``.

    >>> print(Note("words without times, put between their neighbours", 2))
    words without times, put between their neighbours: 2
    >>> print(Note("no tagging scheme named; tags read as IOB2", 3))
    no tagging scheme named; 3 tags read as IOB2
    """

    what: str
    count: int
    choice: str = ""
    places: tuple[Place, ...] = ()

    def __str__(self) -> str:
        first = ", ".join(map(str, self.places[:PLACES]))
        reason, semicolon, things = self.what.partition("; ")
        if semicolon:
            return f"{reason}; {self.count} {things}{first and f', {first}'}"
        return f"{self.what}: {self.count}{first and f', the first {first}'}"


def sum_notes(notes: Iterable[Iterable[Note]]) -> tuple[Note, ...]:
    """Notes added up, in alphabetical order, with the places that a message shows."""
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in chain.from_iterable(notes):
        groups.setdefault((note.what, note.choice), []).append(note)
    found = []
    for (what, choice), group in sorted(groups.items()):
        places = [place for note in group for place in note.places[:PLACES]][:PLACES]
        found.append(Note(what, sum(note.count for note in group), choice, tuple(places)))
    return tuple(found)


# Notes on what is odd in a document whatever its format: labels, ids, repeated elements.

_UNSEEN = "a blank at an end, a character that cannot be seen, or accents not composed (NFC)"
ODD_LABELS = f"elements whose label has {_UNSEEN}"
ODD_IDS = f"documents whose id has {_UNSEEN}"
TWICE = "elements inside one of the same label on the same words"
"""Texts of the notes; ``sereval doctor`` names the place of each thing that they count."""

_kind = attrgetter("label", "start", "end")


def with_oddities(
    document: Document | Reference, line: int | None, place: Callable[[str, int | None], Place]
) -> Document | Reference:
    """The document with notes on odd labels, an odd id and repeated elements."""
    if not isinstance(document, Document):
        return document  # a fuzzy reference, which was made from a document
    elements = document.elements
    found: list[Note] = []
    if is_odd(document.id):
        found.append(Note(ODD_IDS, 1, places=(place(ascii(document.id), line),)))
    odd = [e for e in elements if is_odd(e.label)]
    if odd:
        first = {e.label: e for e in reversed(odd)}.values()
        places = (place(ascii(e.label), e.line or line) for e in first)
        found.append(Note(ODD_LABELS, len(odd), places=tuple(places)))
    again = [e for e in elements if e.parent is not None and _kind(e) == _kind(elements[e.parent])]
    if again:
        shown = (place(one_line(str(e)), e.line or line) for e in again)
        found.append(Note(TWICE, len(again), places=tuple(shown)))
    return replace(document, notes=(*document.notes, *found)) if found else document


@lru_cache(maxsize=4096)
def is_odd(name: str) -> bool:
    """Whether a name has outer blanks, invisible characters or accents that are not composed."""
    try:
        return name != name.strip() or not name.isprintable() or canonical(name) != name
    except SerevalError:  # too many accents on one letter
        return True


def is_to_be_found(document: Document | Reference) -> bool:
    """Whether a document has mentions, and no words yet."""
    return document.mentions is not None and not document.words


def has_own_words(hypothesis: Document) -> bool:
    """Whether the words of a hypothesis are no stand-ins for those of mentions."""
    return not is_to_be_found(hypothesis) and not any(
        note.choice.endswith(":reference") for note in hypothesis.notes
    )


# Checks of values from outside: names, frontiers, numbers, nesting, alternatives


MOST_DIGITS = 15
"""The most characters of a whole number in a file; no index, line or offset needs more."""


def whole_number(digits: str) -> int:
    """Read a whole number of a file."""
    if len(digits) > MOST_DIGITS:
        raise SerevalError(f"found {digits[:MOST_DIGITS]}…, expected a smaller number")
    return int(digits)


MOST_MARKS = 1_000
"""The most combining marks on one letter; no script needs more than three or four."""


def canonical(text: str) -> str:
    """A text with its accents composed in one way (NFC)."""
    if len(text) > MOST_MARKS and not text.isascii():
        marks = 0
        for c in text:
            marks = marks + 1 if combining(c) else 0
            if marks > MOST_MARKS:
                begins = one_line(text[:10])
                raise SerevalError(
                    f"a letter of {begins!r}… has more than {MOST_MARKS} combining marks, "
                    "expected fewer"
                )
    return normalize("NFC", text)


@contextmanager
def limited_depth(refusal: SerevalError) -> Iterator[None]:
    """A context for code that recurses as deep as its input is nested."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    except RecursionError:
        raise refusal from None
    finally:
        if is_on:
            gc.enable()


def check_names(id: str, words: Sequence[str]) -> None:
    """Refuse an id or a word that is empty or no string, and words that are no tuple."""
    if not isinstance(id, str) or not id:
        raise SerevalError(f"a document has the id {id!r}, expected a text that is not empty")
    if not isinstance(words, tuple):
        raise SerevalError(f"{id}: words in a {type(words).__name__}, expected a tuple")
    if all(words) and {*map(type, words)} <= {str}:
        return
    for k, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise SerevalError(f"{id}: word {k} is {word!r}, expected a text that is not empty")


def checked_span(span: Any) -> Sequence[Any]:
    """A span as it is, if it is ``(label, start, end)``, which more may follow."""
    found: Sequence[Any] = span if isinstance(span, tuple | list) else ()
    if 3 <= len(found) <= 6 and type(found[1]) is type(found[2]) is int:
        return found
    is_first = found and isinstance(found[0], int)
    offsets = "; from_offsets takes (start, end, label) in characters" if is_first else ""
    raise SerevalError(
        f"found {cut_short(span)}, expected (label, start, end) in words, such as ('LOC', 0, 2)"
        f"{offsets}"
    )


def cut_short(value: object) -> str:
    """A value of a user as a message shows it: on one line, of at most 60 characters."""
    shown = " ".join(repr(value).split())
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def check_increasing(frontiers: Sequence[int], low: int, high: int, what: str) -> None:
    """Refuse frontiers that are no increasing tuple within ``low`` to ``high``."""
    if not isinstance(frontiers, tuple):
        raise SerevalError(f"{what}: a {type(frontiers).__name__}, expected a tuple of frontiers")
    before = low - 1
    for k in frontiers:
        if type(k) is not int or not before < k <= high:
            raise SerevalError(
                f"{what} at {k!r}, expected frontiers from {low} to {high} that increase"
            )
        before = k


# Alternatives


class Alternative(NamedTuple):
    """A stretch of words with other readings.

    Args:
        start, end: the frontiers of the stretch.
        readings: what may be said in place of its words, each reading as words, in order of
            preference; in a reading without words nothing is said.

    >>> Alternative(3, 4, (("twenty", "twenty"), ("two", "thousand", "twenty"))).readings[0]
    ('twenty', 'twenty')
    """

    start: int
    end: int
    readings: tuple[tuple[str, ...], ...]


def check_alternatives(alternatives: Sequence[Alternative], n: int) -> None:
    """Check the alternatives of a document."""
    last = (-1, -1)
    for start, end, readings in alternatives:
        what = f"alternative [{start}, {end})"
        if not 0 <= start < end <= n or (start, end) <= last:
            raise SerevalError(f"{what}, expected stretches of the {n} words, in order")
        if not readings or not all(all(reading) for reading in readings):
            raise SerevalError(f"{what}, expected a reading or more, without empty words")
        last = (start, end)


# Crossing spans: two spans cross if they overlap and neither contains the other.

Span = tuple[int, int]
"""The frontiers ``(start, end)`` of words."""


def crossing(spans: Sequence[Span]) -> tuple[int, int] | None:
    """Indices of two spans that cross, in order of their starts; ``None``: no spans cross."""
    around: list[int] = []
    for k in sorted(range(len(spans)), key=lambda k: (spans[k][0], -spans[k][1])):
        start, end = spans[k]
        while around and spans[around[-1]][1] <= start:
            around.pop()
        if around and spans[around[-1]][1] < end:
            return around[-1], k
        around.append(k)
    return None


def uncrossed(spans: Sequence[Span]) -> list[int]:
    """Indices of the spans that cross no span kept before them, in order."""
    kept: list[int] = []
    furthest: dict[int, int] = {}  # the largest end of the kept spans, by start
    earliest: dict[int, int] = {}  # the smallest start of the kept spans, by end
    for k, (start, end) in enumerate(spans):
        inside = range(start + 1, end)
        if any(furthest.get(p, end) > end or earliest.get(p, start) < start for p in inside):
            continue
        kept.append(k)
        furthest[start] = max(furthest.get(start, end), end)
        earliest[end] = min(earliest.get(end, start), start)
    return kept
