"""Inline annotation, ``.ne``: words and tags in running text, one document a file.

``<pers.ind> <name.first> Jacques </name.first> <name.last> Chirac </name.last> </pers.ind>``

Only white space and tags end a word. A line break is an utterance boundary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..documents.files import SURROGATE
from ..documents.model import Document, Element, Reference, tags, tree
from ..documents.notes import Note, count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .marks import marks_of

if TYPE_CHECKING:
    from .writers import WrittenFiles

_TAG = re.compile(r"<(/)?([\w.:-]+)>")
_ENTITY = re.compile(r"&(#?\w+);")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
_ENTITIES = {character: f"&{name};" for name, character in _CHARACTERS.items()}
_NAME = re.compile(r"[\w.:-]+")
_OTHERS = {
    "JSON": re.compile(r'\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:'),
    "a TextGrid": re.compile(r'\s*File type\s*=\s*"ooTextFile'),
}
"""Beginnings of files of other formats, which would pass as running text."""


class _OpenTag(NamedTuple):
    """An opening tag whose closing tag has not been read."""

    name: str
    label: str
    start: int
    line: int
    place: int  # its index in the elements
    dropped: int  # number of words dropped before it


class Builder:
    """The words and elements that have been read of one document.

    Args:
        source: the file.
        tags: pattern of a tag, with the groups slash and name.
        example: example of a tag, for messages.
    """

    def __init__(
        self,
        source: Source,
        tags: re.Pattern[str] = _TAG,
        example: str = "<pers.ind> or </pers.ind>",
    ) -> None:
        for kind, beginning in _OTHERS.items():
            if beginning.match(source.text):
                raise source.error(f"found {kind}, expected words and tags such as {example}", 1)
        self.source = source
        self.tags, self.example = tags, example
        self.words: list[str] = []
        self.elements: list[Element | None] = []  # by opening tag; None until it closes
        self.open: list[_OpenTag] = []
        self.breaks: list[int] = []
        self.is_crossed = False  # whether tags cross, which the policy allows
        self.marks = marks_of(source)

    def read_line(self, line: int, text: str) -> None:
        if self.words and self.breaks[-1:] != [len(self.words)]:
            self.breaks.append(len(self.words))
        at = 0
        for tag in self.tags.finditer(text):
            self.read_words(line, text[at : tag.start()])
            self.read_tag(line, tag)
            at = tag.end()
        self.read_words(line, text[at:])

    def read_tag(self, line: int, tag: re.Match[str]) -> None:
        """Read a tag that ``tags`` matches; its name is the label."""
        if tag[1]:
            self.close(line, tag[2])
        else:
            self.begin(line, tag[2], tag[2])

    def begin(self, line: int, name: str, label: str) -> None:
        here = len(self.words), line, len(self.elements), self.marks.alone
        self.open.append(_OpenTag(name, label, *here))
        self.elements.append(None)

    def read_words(self, line: int, text: str) -> None:
        if "<" in text:
            raise self.source.error(
                f"found {quote(text[text.index('<') :].rstrip(), 20)}, expected a tag such as "
                f"{self.example}; the character itself is written &lt;",
                line,
            )
        words = (self.characters(line, word) for word in text.split())
        self.words += self.marks.words(words, line)

    def characters(self, line: int, word: str) -> str:
        """The word with its entity references decoded; any other ``&`` stays."""

        def character(match: re.Match[str]) -> str:
            if match[1] not in _CHARACTERS:
                raise self.source.error(
                    f"found {quote(match[0])}, expected &lt; &gt; or &amp;; "
                    f"the characters themselves are written {quote('&amp;' + match[0][1:])}",
                    line,
                )
            return _CHARACTERS[match[1]]

        return _ENTITY.sub(character, word) if "&" in word else word

    def close(self, line: int, name: str) -> None:
        if not self.open:
            raise self.source.error(f"</{name}> found, but no element is open", line)
        top = self.open.pop(self.opened(line, name))
        if top.start == len(self.words) and self.marks.alone > top.dropped:
            self.marks.emptied += 1  # the element stays None
            return
        if top.start == len(self.words):
            raise self.source.error(f"element <{name}> is empty, expected words in it", top.line)
        parent = self.open[-1].place if self.open else None
        self.elements[top.place] = Element(top.label, top.start, len(self.words), parent, top.line)

    def opened(self, line: int, name: str) -> int:
        """The index of the open tag that a closing tag closes.

        It is the last open tag or, by the policy ``crossing``, the last one of that name.
        """
        top = self.open[-1]
        if name == top.name:
            return -1
        message = f"</{name}> found where </{top.name}> is expected (opened on line {top.line})"
        place = max((k for k, other in enumerate(self.open) if other.name == name), default=None)
        if place is None:
            raise self.source.error(f"{message}; no <{name}> is open", line)
        if self.source.policy("crossing") != "drop":
            raise self.source.error(
                f"{message}; it crosses <{name}> of line {self.open[place].line}; "
                f"{self.source.hint('crossing')}",
                line,
            )
        self.is_crossed = True
        return place

    def document(self) -> Document:
        self.marks.finish()
        if self.open:
            last = self.open[-1]
            raise self.source.error(f"<{last.name}> is never closed", last.line)
        elements: Sequence[Element] = [one for one in self.elements if one is not None]
        notes: tuple[Note, ...] = ()
        if self.is_crossed or self.marks.emptied:
            elements, notes = self.nested(elements)
        return Document(
            self.source.id,
            tuple(self.words),
            tuple(elements),
            breaks=tuple(k for k in self.breaks if k < len(self.words)),
            source=self.source.path,
            notes=(*self.marks.notes(), *notes),
        )

    def nested(self, found: Sequence[Element]) -> tuple[Sequence[Element], tuple[Note, ...]]:
        """The tree of the elements without those that cross an earlier one, and a note of these."""
        from .crossing import place_at, without_crossings  # only if tags cross

        kept, notes = without_crossings(
            self.source,
            [(element.start, element.end) for element in found],
            lambda k: place_at(self.source, found[k].label, found[k].line or 0),
        )
        spans = ((e.label, e.start, e.end, None, e.line) for e in (found[k] for k in kept))
        return tree(spans), notes


def read_inline(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an inline file.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document, without a line of its own. Its ``breaks`` are the line breaks.

    Raises:
        InputError: a tag that is not closed, closes no element, holds no word, or crosses another
            (the policy ``crossing=drop`` drops the element that opens later); a ``<`` that begins
            no tag; an entity reference other than the three of the format.

    >>> [(_, dol)] = read_inline(Source("a.ne", text="<name>Dol</name>, 12"))
    >>> dol.words, dol.elements
    (('Dol', ',', '12'), (Element(label='name', start=0, end=1, parent=None),))
    """
    return build(Builder(source))


def build(builder: Builder) -> list[tuple[int | None, Document]]:
    """The document that a builder makes of all lines of its source."""
    for line, text in builder.source.lines():
        builder.read_line(line, text)
    return [(None, builder.document())]


# --- writing -------------------------------------------------------------------------------------


def write_inline(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    from .writers import WrittenFiles, exact, lost_of

    found = exact(document)
    return WrittenFiles({".ne": write(found)}, count_notes(lost_of(found)))


def write(document: Document) -> str:
    """A document as the text of an inline file, with a line for each utterance, without times.

    Args:
        document: a document with at least one word.

    Raises:
        SerevalError: the format cannot hold the document: it has no word, white space in a word,
            or a label that cannot be the name of a tag.

    >>> write(Document("d", ("à", "Dol"), (Element("loc", 1, 2),), breaks=(1,)))
    'à\\n<loc> Dol </loc>\\n'
    """
    check_writable(document)
    for element in document.elements:
        if not _NAME.fullmatch(element.label):
            raise SerevalError(
                f"{document.id}: label {quote(element.label)}, expected letters, digits, _ . : or -"
            )
    closing, opening = tags_at(document)
    lines: list[list[str]] = [[]]
    for k in range(len(document.words) + 1):
        lines[-1] += (f"</{label}>" for label in closing.get(k, ()))
        if k in document.breaks:
            lines.append([])
        lines[-1] += (f"<{label}>" for label in opening.get(k, ()))
        lines[-1] += map(escape, document.words[k : k + 1])
    return "".join(f"{' '.join(line)}\n" for line in lines)


def tags_at(document: Document) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The labels of the closing and of the opening tags at each frontier, in order."""
    closing: dict[int, list[str]] = {}
    opening: dict[int, list[str]] = {}
    for index, is_closing in tags([element.parent for element in document.elements]):
        element = document.elements[index]
        at, found = (element.end, closing) if is_closing else (element.start, opening)
        found.setdefault(at, []).append(element.label)
    return closing, opening


def escape(text: str) -> str:
    """A word or label with the characters ``<``, ``>`` and ``&`` as entity references."""
    return "".join(_ENTITIES.get(character, character) for character in text)


def check_writable(document: Document | Reference) -> None:
    """Refuse words that running text cannot hold.

    Args:
        document: the document to be written.

    Raises:
        SerevalError: no word; white space or half of a surrogate pair in a word; a byte order
            mark at the start.
    """
    words = document.words
    if not words:
        raise SerevalError(f"{document.id}: no word, expected at least one")
    for word in words:
        if word.split() != [word] or is_unreadable(word):
            raise SerevalError(
                f"{document.id}: word {quote(word)}, expected no white space or control in it"
            )
    if words[0].startswith("\ufeff"):
        raise SerevalError(
            f"{document.id}: word {quote(words[0])}, expected no byte order mark at the start"
        )


def is_unreadable(text: str) -> bool:
    """Whether readers refuse a text: it has a NUL or half of a surrogate pair."""
    return re.search(f"\0|{SURROGATE.pattern}", text) is not None
