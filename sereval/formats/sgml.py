"""MUC's SGML: ``<ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX>``, with ``TIMEX`` and ``NUMEX``.

Source: Chinchor, MUC-6 and MUC-7 named entity task definitions; the transcripts of Hub-4 of LDC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..documents.model import Document
from ..errors import SerevalError
from .file import Documents, File, quote
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


_TAG = re.compile(
    rf"<(/)?((?i:[be]_)?+(?i:{'|'.join(_ENTITIES)})|(?i:{'|'.join((*_PARTS, _COMMENT))})|[ps])"
    rf"((?:\s++[\w:-]++(?:\s*+=\s*+{_VALUE})?+)*+)\s*+/?>"
    r"|<!--.*?-->|<[!?][A-Za-z][^<>]*+>"
)
_ATTRIBUTE = re.compile(rf"([\w:-]++)\s*+=\s*+({_VALUE})")
_TYPE = re.compile(r"[\w.:-]+")
_DOC = re.compile(r"<DOC(?=[\s>])", re.IGNORECASE)

OPTIONAL = "optional elements (STATUS=OPT), counted like all others"
ALTERNATIVES = "elements with alternatives (ALT, MIN), which are not looked at"


class _Builder(Builder):
    """The words and elements that have been read of one document of a file."""

    def __init__(self, file: File) -> None:
        super().__init__(file, _TAG, '<ENAMEX TYPE="PERSON"> or </ENAMEX>')
        self.part = ""  # the last tag of the structure, with a slash if it was a closing tag
        self.id = ""
        self.is_hub4 = file.policy("marks") == "hub4"
        self.moments = Moments(self.words)
        self.is_inside = self.is_timed = False  # of a segment with times, and whether one came
        self.outside: int | None = None  # the line of the first words outside all segments
        self.comment: int | None = None  # the line of the comment that is open

    def read_tag(self, tag: re.Match[str]) -> None:
        name = (tag[2] or "").upper()
        kind = name.removeprefix("B_").removeprefix("E_")
        if name == _COMMENT:
            self.read_comment(tag)
        elif self.comment is not None:
            return
        elif kind not in _ENTITIES:
            self.read_part(name, tag)
        elif tag[1] or name.startswith("E_"):
            self.close(kind)
        else:
            self.begin(kind, self.label(tag))

    def read_comment(self, tag: re.Match[str]) -> None:
        if not self.is_hub4:
            super().read_words(tag[0])  # raises
        if bool(tag[1]) == (self.comment is None):
            raise SerevalError(f"found {quote(tag[0])}, expected each comment to end")
        self.comment = None if tag[1] else self.line
        self.notes.add("comments of the transcribers, left out", not tag[1])

    def read_part(self, name: str, tag: re.Match[str]) -> None:
        """Read a tag around the text; comments and declarations have no name."""
        what = f"<{name.lower()}> " if self.is_hub4 and name else ""
        self.notes.add(f"tags {what}around the text, passed over")
        if self.part != "/DOC":  # nothing may follow </DOC>
            self.part = (tag[1] or "") + name
        if self.part == "DOC" and self.words:
            raise SerevalError("<DOC> found after words, expected all words in one")
        if self.is_hub4 and name in _TIMES and self.file.policy("times") != "none":
            self.read_times(name, tag)

    def read_times(self, name: str, tag: re.Match[str]) -> None:
        """Read the times of a segment, or a moment in it."""
        names = _TIMES[name]
        if len(names) == 2:
            self.leave()
        found = {} if tag[1] else _attributes(tag)
        times = [milliseconds(found[each]) for each in names if each in found]
        if not times:
            return
        if len(times) < len(names):
            raise SerevalError(f"found {quote(tag[0])}, expected a start and an end")
        if len(times) == 2:
            self.check()
            self.is_inside = self.is_timed = True
            self.moments.end = times[1]
        self.advance(times[0])

    def advance(self, time: int) -> None:
        """Go on to a moment; outside a segment with times it is not used."""
        if self.is_inside:
            try:
                self.moments.advance(time)
            except SerevalError as error:
                raise SerevalError(f"{error}; {self.file.hint('times')}") from None

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

    def label(self, tag: re.Match[str]) -> str:
        """The label of an opening tag, which is its type."""
        found = _attributes(tag)
        label = found.get("TYPE", "")
        if not _TYPE.fullmatch(label):
            super().read_words(tag[0])  # raises
        self.notes.add(OPTIONAL, found.get("STATUS", "").upper() == "OPT")
        self.notes.add(ALTERNATIVES, bool(found.get("ALT") or found.get("MIN")))
        return label

    def read_words(self, text: str) -> None:
        if self.comment is not None:
            return
        if self.part in _NAMES:
            self.id += text
            self.notes.add("words that name a document (DOCID), skipped", len(text.split()))
            return
        before = len(self.words)
        super().read_words(text)
        if len(self.words) > before and not self.is_inside:
            self.outside = self.outside or self.line
            if self.part == "/DOC":
                raise SerevalError("words found after </DOC>, expected all words in one")

    def document(self) -> Document:
        if self.comment is not None:
            raise self.file.error("the comment is never closed", self.comment)
        self.leave()
        if not self.is_timed:
            return super().document()
        self.check()
        self.notes.add(SPREAD, len(self.words))
        return replace(super().document(), times=tuple(self.moments.times))


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    return {one[1].upper(): one[2].strip("\"'") for one in _ATTRIBUTE.finditer(tag[3])}


def read_sgml(file: File) -> Documents:
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
        builder = _Builder(file)
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
