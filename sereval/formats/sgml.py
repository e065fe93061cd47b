"""MUC's SGML: ``<ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX>``, with ``TIMEX`` and ``NUMEX``.

Source: Chinchor, MUC-6 and MUC-7 named entity task definitions; the transcripts of Hub-4 of LDC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..documents.model import Document
from ..errors import SerevalError
from .build import Notes
from .file import File, quote
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

_TIMES = {
    "SEGMENT": ("S_TIME", "E_TIME"),
    "TURN": ("STARTTIME", "ENDTIME"),
    "SYNC": ("TIME",),
    "TIME": ("SEC",),
}
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

    def __init__(self, file: File, tags: re.Pattern[str] = _TAG) -> None:
        super().__init__(file, tags, '<ENAMEX TYPE="PERSON"> or </ENAMEX>')
        self.done = Notes()
        self.part = ""  # the last tag of the structure, with a slash if it was a closing tag
        self.id = ""

    def read_tag(self, tag: re.Match[str]) -> None:
        name = (tag[2] or "").upper()
        kind = name.removeprefix("B_").removeprefix("E_")
        if kind not in _ENTITIES:
            self.read_part(name, tag)
        elif tag[1] or name.startswith("E_"):
            self.close(kind)
        else:
            self.begin(kind, self.label(tag))

    def read_part(self, name: str, tag: re.Match[str]) -> None:
        """Read a tag around the text; comments and declarations have no name."""
        self.done.add(self.note(name))
        if self.part != "/DOC":  # nothing may follow </DOC>
            self.part = (tag[1] or "") + name
        if self.part == "DOC" and self.words:
            raise SerevalError("<DOC> found after words, expected all words in one")

    def note(self, name: str) -> str:
        """The text of the note on a tag around the text."""
        return STRUCTURE

    def label(self, tag: re.Match[str]) -> str:
        """The label of an opening tag, which is its type."""
        found = _attributes(tag)
        label = found.get("TYPE", "")
        if not _TYPE.fullmatch(label):
            super().read_words(tag[0])  # raises
        self.done.add(OPTIONAL, found.get("STATUS", "").upper() == "OPT")
        self.done.add(ALTERNATIVES, bool(found.get("ALT") or found.get("MIN")))
        return label

    def read_words(self, text: str) -> None:
        if self.part in _NAMES:
            self.id += text
            self.done.add(NAMING, len(text.split()))
            return
        before = len(self.words)
        super().read_words(text)
        if self.part == "/DOC" and len(self.words) > before:
            raise SerevalError("words found after </DOC>, expected all words in one")

    def document(self) -> Document:
        document = super().document()
        return replace(document, notes=(*document.notes, *self.done.all()))


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    return {one[1].upper(): one[2].strip("\"'") for one in _ATTRIBUTE.finditer(tag[3])}


class _Hub4Builder(_Builder):
    """A document of HUB-4, by the policy ``marks=hub4``."""

    def __init__(self, file: File) -> None:
        super().__init__(file, _TAG_OF_HUB_4)
        self.moments = Moments(self.words)
        self.has_times = file.policy("times") != "none"
        self.is_inside = self.is_timed = False  # of a segment with times, and whether one came
        self.outside: int | None = None  # the line of the first words outside all segments
        self.comment: int | None = None  # the line of the comment that is open

    def read_tag(self, tag: re.Match[str]) -> None:
        name = (tag[2] or "").upper()
        if name == _COMMENT:
            if bool(tag[1]) == (self.comment is None):
                raise SerevalError(f"found {quote(tag[0])}, expected each comment to end")
            self.comment = None if tag[1] else self.line
            self.done.add(COMMENTS, not tag[1])
        elif self.comment is None:
            super().read_tag(tag)
            if self.has_times and name in _TIMES:
                self.read_times(name, tag)

    def note(self, name: str) -> str:
        return f"tags <{name.lower()}> around the text, passed over" if name else STRUCTURE

    def read_times(self, name: str, tag: re.Match[str]) -> None:
        if len(_TIMES[name]) == 2:
            self.leave()
        if tag[1]:
            return
        found = _attributes(tag)
        times = [milliseconds(found[each]) for each in _TIMES[name] if each in found]
        if len(times) < len(_TIMES[name]):
            if times:
                raise SerevalError(f"found {quote(tag[0])}, expected a start and an end")
            return
        if len(times) == 2:
            self.check()
            self.is_inside = self.is_timed = True
            self.moments.end = times[1]
        self.advance(times[0])

    def advance(self, time: int) -> None:
        """Go on to a moment; outside a segment with times it is not used."""
        if not self.is_inside:
            return
        try:
            self.moments.advance(time)
        except SerevalError as error:
            raise SerevalError(f"{error}; --read times=none takes it") from None

    def leave(self) -> None:
        """End a segment with times, if one is open."""
        self.advance(self.moments.end)
        self.is_inside = False

    def check(self) -> None:
        """Refuse words outside the segments with times."""
        if self.outside is not None:
            raise self.file.error(
                "words outside the segments with times, expected them inside; --read times=none "
                "takes them",
                self.outside,
            )

    def read_words(self, text: str) -> None:
        before = len(self.words)
        if self.comment is None:
            super().read_words(text)
        if len(self.words) > before and not self.is_inside:
            self.outside = self.outside or self.line

    def document(self) -> Document:
        if self.comment is not None:
            raise self.file.error("the comment is never closed", self.comment)
        self.leave()
        if self.is_timed:
            self.check()
            self.done.add(SPREAD, len(self.words))
        times = tuple(self.moments.times) if self.is_timed else None
        return replace(super().document(), times=times)


def read_sgml(file: File) -> Iterator[tuple[int | None, Document]]:
    """
    The markup of the MUC and Hub-4 evaluations:

    ```sgml
    <ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX> spoke <TIMEX TYPE="DATE">yesterday</TIMEX>
    ```

    The tags are `ENAMEX`, `TIMEX` and `NUMEX`, in capital or small letters. The `TYPE` of an
    opening tag, with or without quotes, is the label. Hub-4's `<b_enamex type="PERSON">` and
    `<e_enamex>` mean the same. Otherwise the rules of the inline format apply.

    * Other **attributes** (`ID`, `S_OFF`, `E_OFF`, …) change nothing. A note counts elements that
      MUC's scorer would treat otherwise: with `STATUS="OPT"` (ignored where the response has none),
      `ALT` or `MIN` (other extents are right too).
    * **Tags around the text** are skipped: `<DOC>` and the parts of MUC's documents (`<SLUG>`,
      `<DATE>`, `<PREAMBLE>`, `<TXT>`, `<TEXT>`, `<HL>`, `<DATELINE>`, …), `<p>` and `<s>` in small
      letters, Hub-4's `<Episode>`, `<Section S_time=…>`, `<Segment>`, `<Turn>`, `<Sync>`, `<Time>`,
      `<Background>`, `<Overlap>` and similar tags, with their times; comments and declarations; and
      the words in `<DOCID>`, `<DOCNO>` and `<STORYID>`. [Transcripts of
      HUB-4](#transcripts-of-hub-4) can be read with their times.
    * A file with one `<DOC>`, or none, is one document, named by the file. Each `<DOC>` of several
      is a document, named by its `DOCID` or `DOCNO`, or else `file-1`, `file-2`, ….

    Refused: an opening tag without a type or with several (`"PERSON|LOCATION"`); words outside
    `<DOC>` in a file that has one; any other markup, such as `<Noscore>`, whose words are not to be
    scored, or `<P>`, which means a person in some files.
    """
    pieces = list(_pieces(file.text))
    for k, (line, text) in enumerate(pieces, 1):
        builder = _Hub4Builder(file) if file.policy("marks") == "hub4" else _Builder(file)
        builder.read(enumerate(text.split("\n"), line))
        document = builder.document()
        if len(pieces) == 1:
            yield None, document
        else:
            name = " ".join(builder.id.split()) or f"{file.id}-{k}"
            yield line, replace(document, id=name)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text of each ``<DOC>``, with its line; the first has the text before it too."""
    starts = [found.start() for found in _DOC.finditer(text)][1:]
    line = 1
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        yield line, text[start:end]
        line += text.count("\n", start, end)
