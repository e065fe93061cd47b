"""Inline annotation, ``.ne``: words and tags in running text, one document a file.

Words may have marks of transcription, as in ESTER and ETAPE: ``^Dol``, ``(frag)ment``, ``&euh``,
``*c``, ``%%``. They are part of the words, unless the policy ``marks=strip`` removes them. The
marks of HUB-4 have a policy of their own (``marks``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..documents.model import Document, Element, tags, tree
from ..documents.words import Span
from ..errors import SerevalError
from .build import Notes, check_texts, check_words, uncrossed_spans
from .file import Documents, File, quote
from .find import Head
from .marks import EMPTIED, Marks

_TAG = re.compile(r"<(/)?([\w.:-]+)>")
_TAGGED = re.compile(r"<([\w.:-]+)>[^<>]*</\1>")
_ENTITY = re.compile(r"&(#?\w+);")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
_ENTITIES = {character: f"&{name};" for name, character in _CHARACTERS.items()}
_OTHERS = {
    "JSON": re.compile(r'\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:'),
    "a TextGrid": re.compile(r'\s*File type\s*=\s*"ooTextFile'),
}
"""Beginnings of files of other formats, which would pass as running text."""


# --- words and tags -------------------------------------------------------------------------------


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
        tags: pattern of a tag, with the groups slash and name.
        example: example of a tag, for messages.
    """

    def __init__(
        self, file: File, tags: re.Pattern[str] = _TAG, example: str = "<pers.ind> or </pers.ind>"
    ) -> None:
        for kind, beginning in _OTHERS.items():
            if beginning.match(file.text):
                raise file.error(f"found {kind}, expected words and tags such as {example}", 1)
        self.file, self.tags, self.example = file, tags, example
        self.line = 1
        self.words: list[str] = []
        self.elements: list[Element | None] = []  # by opening tag; None until it closes
        self.open: list[_OpenTag] = []
        self.breaks: list[int] = []
        self.is_crossed = False  # whether the spans decide anew what is inside what

        self.notes = Notes()
        self.marks = Marks(file, self.notes)

    def read(self, lines: Iterable[tuple[int, str]]) -> None:
        with self.file.at() as here:
            for line, text in lines:
                self.line = here.line = line
                if self.words and self.breaks[-1:] != [len(self.words)]:
                    self.breaks.append(len(self.words))
                at = 0
                for tag in self.tags.finditer(text):
                    self.read_words(text[at : tag.start()])
                    self.read_tag(tag)
                    at = tag.end()
                self.read_words(text[at:])

    def read_tag(self, tag: re.Match[str]) -> None:
        """Read a tag that ``tags`` matches; its name is the label."""
        if tag[1]:
            self.close(tag[2])
        else:
            self.begin(tag[2], tag[2])

    def begin(self, name: str, label: str) -> None:
        here = len(self.words), self.line, len(self.elements), self.marks.alone
        self.open.append(_OpenTag(name, label, *here))
        self.elements.append(None)

    def read_words(self, text: str) -> None:
        if "<" in text:
            raise SerevalError(
                f"found {quote(text[text.index('<') :].rstrip(), 20)}, expected a tag such as "
                f"{self.example}; the character itself is written &lt;"
            )
        self.words += self.marks.words(map(decoded, text.split()), self.line)

    def close(self, name: str) -> None:
        """Close the last open tag or, by the policy ``crossing``, the last one of that name."""
        if not self.open:
            raise SerevalError(f"</{name}> found, but no element is open")
        place = -1
        if name != self.open[-1].name:
            self.check_crossing(name)
            place = max(k for k, one in enumerate(self.open) if one.name == name)
        top = self.open.pop(place)
        if top.start < len(self.words):
            parent = self.open[-1].place if self.open else None
            found = Element(top.label, top.start, len(self.words), parent, top.line)
            self.elements[top.place] = found
        elif self.marks.alone > top.dropped:
            self.marks.add(EMPTIED)  # the element stays None
            self.is_crossed = True
        else:
            raise self.file.error(f"element <{name}> is empty, expected words in it", top.line)

    def check_crossing(self, name: str) -> None:
        """Refuse a closing tag that is not of the last open tag, unless the policy allows it."""
        last = self.open[-1]
        message = f"</{name}> found where </{last.name}> is expected (opened on line {last.line})"
        lines = [one.line for one in self.open if one.name == name]
        if not lines:
            raise SerevalError(f"{message}; no <{name}> is open")
        if self.file.policy("crossing") != "drop":
            hint = self.file.hint("crossing")
            raise SerevalError(f"{message}; it crosses <{name}> of line {lines[-1]}; {hint}")
        self.is_crossed = True

    def document(self) -> Document:
        self.marks.finish()
        if self.open:
            last = self.open[-1]
            raise self.file.error(f"<{last.name}> is never closed", last.line)
        elements = tuple(one for one in self.elements if one is not None)
        if self.is_crossed:
            spans = [Span(one.label, one.start, one.end, one.line) for one in elements]
            kept = uncrossed_spans(self.file, spans, self.notes)
            elements = tree(spans[k].element for k in kept)
        return Document(
            self.file.id,
            tuple(self.words),
            elements,
            breaks=tuple(k for k in self.breaks if k < len(self.words)),
            source=self.file.path,
            notes=self.notes.all(),
        )


def decoded(word: str) -> str:
    """The word with its entity references decoded; any other ``&`` stays."""
    return _ENTITY.sub(_character, word) if "&" in word else word


def _character(reference: re.Match[str]) -> str:
    if reference[1] not in _CHARACTERS:
        raise SerevalError(
            f"found {quote(reference[0])}, expected &lt; &gt; or &amp;; "
            f"the characters themselves are written {quote('&amp;' + reference[0][1:])}"
        )
    return _CHARACTERS[reference[1]]


def recognise(head: Head) -> str:
    return "inline" if _TAGGED.search(head.text) else ""


def read_inline(file: File) -> Documents:
    """
    ```inline
    <pers.ind> <name.first> Jacques </name.first> <name.last> Chirac </name.last> </pers.ind>
    habite <loc>Paris</loc>, 12
    ```

    Words and tags in running text. White space ends a word, and so does a tag: `<loc>Paris</loc>,
    12` holds the words `Paris` `,` `12`. A line break between words is the boundary of an
    utterance. An element may extend over several lines.

    Accepted:

    * tags `<label>` and `</label>`, without white space inside; a label consists of letters and
      digits of any script, `_`, `.`, `:` and `-`;
    * `&lt;` `&gt;` `&amp;` for `<` `>` `&`; a `>` alone and an `&` that begins no reference
      (`AT&T`) stand for themselves.

    Refused: `<br/>`, and any `<` that does not begin a tag; other references such as `&eacute;` or
    `&#233;`; a file that begins like JSON or a TextGrid.

    Files of the French campaigns are often in ISO-8859-15 (`--encoding iso-8859-15`), and have
    **marks of transcription** in their words: `^Dol` (a name), `(frag)ment`, `&euh` (a hesitation),
    `*c`, and `%%` alone. By default they are part of the words. `--read marks=strip` removes them:
    parentheses, `^` `&` `*` at the start of a word, and words that consist only of marks. Notes
    count the words that were stripped or dropped, and the elements that had no other word and were
    dropped with them.
    """
    builder = Builder(file)
    builder.read(file.lines())
    yield None, builder.document()


# --- writing -------------------------------------------------------------------------------------


def write_inline(document: Document, _: Notes) -> str:
    """The file of a document, with a line for each utterance, without times."""
    check_words(document, "inline file")
    labels = [element.label for element in document.elements]
    check_texts(document.id, "inline tag", labels, r"[^\w.:-]")
    closing: dict[int, list[str]] = {}
    opening: dict[int, list[str]] = {}
    for index, is_closing in tags([element.parent for element in document.elements]):
        element = document.elements[index]
        at, names = (element.end, closing) if is_closing else (element.start, opening)
        names.setdefault(at, []).append(element.label)
    lines: list[list[str]] = [[]]
    for k in range(len(document.words) + 1):
        lines[-1] += (f"</{label}>" for label in closing.get(k, ()))
        if k in document.breaks:
            lines.append([])
        lines[-1] += (f"<{label}>" for label in opening.get(k, ()))
        lines[-1] += map(escape, document.words[k : k + 1])
    return "".join(f"{' '.join(line)}\n" for line in lines)


def escape(text: str) -> str:
    """A word or label with the characters ``<``, ``>`` and ``&`` as entity references."""
    return "".join(_ENTITIES.get(character, character) for character in text)
