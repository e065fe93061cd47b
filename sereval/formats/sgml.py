"""MUC's SGML: ``<ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX>``, with ``TIMEX`` and ``NUMEX``.

Hub-4 writes ``<b_enamex type="PERSON">`` and ``<e_enamex>``. As in the inline format, white space
and tags end a word, and a line break is an utterance boundary. The label is the type. The reader
skips tags of the structure around the text, and refuses other markup.

The policy ``marks=hub4`` prepares a transcript of HUB-4 as LDC published it: it takes the marks at
words away (``hub4``), leaves out comments, counts each kind of tag by itself, and gives the words
the times of the smallest stretch with times around them.

Source: Chinchor, MUC-6 and MUC-7 named entity task definitions; the transcripts of Hub-4 of LDC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..documents.model import Document
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .inline import Builder
from .times import SPREAD, Moments, milliseconds

_NAMES = ("DOCID", "DOCNO", "STORYID", "STORID")
"""Tags around the name of the document, which is not among its words."""

_PARTS = (
    *("DOC", *_NAMES),
    *("SLUG", "DATE", "NWORDS", "PREAMBLE", "TEXT", "TRAILER"),  # MUC-7
    *("TXT", "HL", "DD", "SO", "IN", "CO", "GV", "AUTHOR", "DATELINE"),  # MUC-6
    *("BODY", "HEADLINE", "UTF", "BN_EPISODE_TRANS", "EPISODE", "SECTION", "SEGMENT", "TURN"),
    *("SYNC", "TIME", "BACKGROUND", "OVERLAP", "FOREIGN", "UNCLEAR", "EXPAND"),  # Hub-4
    *("B_OVERLAP", "E_OVERLAP", "B_FOREIGN", "E_FOREIGN", "B_UNCLEAR", "E_UNCLEAR"),
    *("CONTRACTION", "FRAGMENT", "SEPARATOR"),
)
"""Tags around the text. ``<p>`` and ``<s>`` are missing: some files mark persons with ``<P>``."""

_COMMENT = "COMMENT"
"""A tag whose text is no speech; only ``marks=hub4`` reads it."""

_SEGMENTS = {"SEGMENT": ("S_TIME", "E_TIME"), "TURN": ("STARTTIME", "ENDTIME")}
_MOMENTS = {"SYNC": "TIME", "TIME": "SEC"}
"""The attributes with times of the tags that say when the words were said."""

_ENTITIES = ("ENAMEX", "TIMEX", "NUMEX")
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'<>]++)"""


def _tags(parts: Iterable[str]) -> re.Pattern[str]:
    """The pattern of a tag of an entity or of one of these parts."""
    return re.compile(
        rf"<(/)?((?i:[be]_)?+(?i:{'|'.join(_ENTITIES)})|(?i:{'|'.join(parts)})|[ps])"
        rf"((?:\s++[\w:-]++(?:\s*+=\s*+{_VALUE})?+)*+)\s*+/?>"
        r"|<!--.*?-->|<[!?][A-Za-z][^<>]*+>"
    )


_TAG, _TAG_OF_HUB_4 = _tags(_PARTS), _tags((*_PARTS, _COMMENT))
_ATTRIBUTE = re.compile(rf"([\w:-]++)\s*+=\s*+({_VALUE})")
_TYPE = re.compile(r"[\w.:-]+")
_DOC = re.compile(r"<DOC(?=[\s>])", re.IGNORECASE)

OPTIONAL = "optional elements (STATUS=OPT), counted like all others"
ALTERNATIVES = "elements with alternatives (ALT, MIN), which are not looked at"
STRUCTURE = "tags around the text, passed over"
COMMENTS = "comments of the transcribers, left out"
NAMING = "words that name a document (DOCID), skipped"


class _Builder(Builder):
    """The words and elements that have been read of one document of a file."""

    def __init__(self, source: Source, tags: re.Pattern[str] = _TAG) -> None:
        super().__init__(source, tags, '<ENAMEX TYPE="PERSON"> or </ENAMEX>')
        self.done: Counter[str] = Counter()
        self.part = ""  # the last tag of the structure, with a slash if it was a closing tag
        self.id = ""

    def read_tag(self, line: int, tag: re.Match[str]) -> None:
        name = (tag[2] or "").upper()
        kind = name.removeprefix("B_").removeprefix("E_")
        if kind not in _ENTITIES:
            self.read_part(line, name, is_end=bool(tag[1]))
        elif tag[1] or name.startswith("E_"):
            self.close(line, kind)
        else:
            self.begin(line, kind, self.label(line, tag))

    def read_part(self, line: int, name: str, *, is_end: bool) -> None:
        self.done[STRUCTURE] += 1
        if self.part != "/DOC":  # nothing may follow </DOC>
            self.part = "/" * is_end + name
        if self.part == "DOC" and self.words:
            raise self.source.error("<DOC> found after words, expected all words in one", line)

    def label(self, line: int, tag: re.Match[str]) -> str:
        """The label of an opening tag, which is its type."""
        attributes = _ATTRIBUTE.finditer(tag[3])
        found = {one[1].upper(): one[2].strip("\"'") for one in attributes}
        label = found.get("TYPE", "")
        if not _TYPE.fullmatch(label):
            super().read_words(line, tag[0])  # raises
        self.done[OPTIONAL] += found.get("STATUS", "").upper() == "OPT"
        self.done[ALTERNATIVES] += bool(found.get("ALT") or found.get("MIN"))
        return label

    def read_words(self, line: int, text: str) -> None:
        if self.part in _NAMES:
            self.id += text
            self.done[NAMING] += len(text.split())
            return
        before = len(self.words)
        super().read_words(line, text)
        if self.part == "/DOC" and len(self.words) > before:
            raise self.source.error("words found after </DOC>, expected all words in one", line)

    def document(self) -> Document:
        document = super().document()
        return replace(
            document, notes=(*document.notes, *count_notes(dict(sorted(self.done.items()))))
        )


class _Hub4Builder(_Builder):
    """A document of HUB-4, by the policy ``marks=hub4``."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TAG_OF_HUB_4)
        self.moments = Moments(self.words)
        self.has_times = source.policy("times") != "none"
        self.is_inside = self.is_timed = False  # of a segment with times, and whether one came
        self.outside: int | None = None  # the line of the first words outside all segments
        self.comment: int | None = None  # the line of the comment that is open

    def read_tag(self, line: int, tag: re.Match[str]) -> None:
        name = (tag[2] or "").upper()
        is_end = bool(tag[1])
        if name == _COMMENT:
            if is_end == (self.comment is None):
                raise self.source.error(
                    f"found {quote(tag[0])}, expected each comment to end", line
                )
            self.comment = None if is_end else line
            self.done[COMMENTS] += not is_end
        elif self.comment is None:
            super().read_tag(line, tag)
            if self.has_times and name in (*_SEGMENTS, *_MOMENTS):
                self.read_time(line, name, tag, is_end=is_end)

    def read_part(self, line: int, name: str, *, is_end: bool) -> None:
        super().read_part(line, name, is_end=is_end)
        if name:
            self.done[STRUCTURE] -= 1
            what = f"tags <{name.lower()}> around the text, passed over"
            self.done[what] += 1

    def read_time(self, line: int, name: str, tag: re.Match[str], *, is_end: bool) -> None:
        """The times of a tag that has some."""
        if name in _SEGMENTS:
            self.leave(line)
        if is_end:
            return
        found = {one[1].upper(): one[2].strip("\"'") for one in _ATTRIBUTE.finditer(tag[3])}
        names = _SEGMENTS.get(name) or (_MOMENTS[name],)
        with self.source.at(line):
            times = [milliseconds(found[each]) for each in names if each in found]
            if name in _MOMENTS and times:
                self.advance(times[0], line)
            elif len(times) == 1:
                raise SerevalError(f"found {quote(tag[0])}, expected a start and an end")
            elif times:
                self.check()
                self.is_inside = self.is_timed = True
                self.moments.end = times[1]
                self.advance(times[0], line)

    def advance(self, time: int, line: int) -> None:
        """Go on to a moment; outside a segment with times it is not used."""
        if not self.is_inside:
            return
        try:
            self.moments.advance(time)
        except SerevalError as error:
            raise self.source.error(f"{error}; --read times=none takes it", line) from None

    def leave(self, line: int) -> None:
        """End a segment with times, if one is open."""
        self.advance(self.moments.end, line)
        self.is_inside = False

    def check(self) -> None:
        """Refuse words outside the segments with times."""
        if self.outside is not None:
            raise self.source.error(
                "words outside the segments with times, expected them inside; --read times=none "
                "takes them",
                self.outside,
            )

    def read_words(self, line: int, text: str) -> None:
        before = len(self.words)
        if self.comment is None:
            super().read_words(line, text)
        if len(self.words) > before and not self.is_inside:
            self.outside = self.outside or line

    def document(self) -> Document:
        if self.comment is not None:
            raise self.source.error("the comment is never closed", self.comment)
        document = super().document()
        self.leave(1)
        if not self.is_timed:
            return document
        self.check()
        notes = (*document.notes, *count_notes({SPREAD: len(self.words)}))
        return replace(document, times=tuple(self.moments.times), notes=notes)


def read_sgml(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an SGML file.

    Args:
        source: the file.

    Returns:
        A document for each ``<DOC>``, with its first line. Its id is its ``DOCID`` or ``DOCNO``,
        else ``file-1``, ``file-2`` and so on. A single document takes the id of the file and has
        no line.

    Raises:
        InputError: an opening tag without a type; another tag; words outside ``<DOC>``; a fault
            that the inline format refuses; by ``marks=hub4``, times out of order.

    >>> text = '<ENAMEX TYPE="PERSON">NEWT GINGRICH</ENAMEX>'
    >>> [(_, newt)] = read_sgml(Source("a.sgml", text=text))
    >>> newt.elements
    (Element(label='PERSON', start=0, end=2, parent=None),)
    """
    found: list[tuple[int | None, Document]] = []
    pieces = list(_pieces(source.text))
    for k, (line, text) in enumerate(pieces, 1):
        builder = _Hub4Builder(source) if source.policy("marks") == "hub4" else _Builder(source)
        for at, one in enumerate(text.split("\n"), line):
            builder.read_line(at, one)
        document = builder.document()
        if len(pieces) == 1:
            return [(None, document)]
        name = " ".join(builder.id.split()) or f"{source.id}-{k}"
        found.append((line, replace(document, id=name)))
    return found


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text of each ``<DOC>``, with its line; the first has the text before it too."""
    starts = [found.start() for found in _DOC.finditer(text)][1:]
    line = 1
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        yield line, text[start:end]
        line += text.count("\n", start, end)
