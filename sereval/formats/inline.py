"""Tags in running text: the inline format, MUC's SGML, and the fuzzy references of LNE's program.

Words may have marks of transcription, which the policies ``marks=strip`` and ``marks=hub4`` take
away. ``strip`` takes those of ESTER and ETAPE. ``hub4`` takes those of the transcripts of HUB-4 as
LDC published them: it keeps what was said and drops what was not; any other bracket, and any other
use of these marks, is refused, as no public source says what it is.

Sources: Chinchor, MUC-6 and MUC-7 named entity task definitions; the transcripts of Hub-4 of LDC;
Burger, Palmer and Hirschman, 1998, section 2.1; the table of conventions in LDC's SPINE project,
which compares them with those of Hub-4 and Hub-5; the scripts of Kaldi's recipe ``hub4_english``
for the transcripts of 1996 and 1997.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..documents.model import Document, Element, Reference, ReferenceElement, depths, tree
from ..documents.words import Span
from ..errors import SerevalError, with_place
from .build import (
    LABELS,
    PROJECTION,
    SPREAD,
    STRICT,
    UNPLACEABLE,
    Moments,
    Notes,
    check_words,
    lines_of,
    milliseconds,
    uncrossed_spans,
)
from .file import Documents, File, Head, quote

_TAG = r"<(/)?([\w.:-]+)>"
_TAGGED = r"<([\w.:-]+)>[^<>]*</\1>"
_ENTITY = r"&(#?\w+);"
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&"}
_OTHERS = {
    "JSON": r'\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:',
    "a TextGrid": r'\s*File type\s*=\s*"ooTextFile',
}
"""Beginnings of files of other formats, which would pass as running text."""


def recognise(head: Head) -> str:
    return "inline" if re.search(_TAGGED, head.text) else ""


# --- marks of transcription ----------------------------------------------------------------------

EMPTIED = "elements without a word left, dropped"

_PARENTHESES = r"\(([^()]*)\)"


class Marks:
    """Takes the marks from words, by the policy ``marks``, and counts them."""

    def __init__(self, file: File, notes: Notes) -> None:
        self.file, self.notes, self.policy = file, notes, file.policy("marks")
        self.alone = 0  # dropped, without a word
        self.open: list[tuple[str, int | None]] = []  # brackets of HUB-4, each with its line
        self.kept = 0  # words in the unclear speech that is open

    def add(self, what: str, count: int = 1) -> None:
        self.notes.add(what, count, f"marks={self.policy}")

    def drop(self, what: str) -> None:
        self.add(what)
        self.alone += 1

    def words(self, words: Iterable[str]) -> list[str]:
        """The words that are left."""
        if self.policy == "keep":
            return [*words]
        if self.policy == "hub4":
            pieces = re.findall(_PIECE, " ".join(words))
            return [word for piece in pieces for word in self._of_hub4(piece)]
        kept = []
        for word in words:
            bare = re.sub(_PARENTHESES, r"\1", word).lstrip("^&*")
            if bare not in ("", "%%"):
                self.add("words with marks of transcription, stripped of them", bare != word)
                kept.append(bare)
            else:
                self.drop("marks of transcription without a word, dropped")
        return kept

    def finish(self) -> None:
        """Refuse a bracket that is open at the end."""
        for bracket, line in self.open:
            raise self.file.error(f"the mark {bracket} is never closed", line)

    # --- HUB-4 ---

    def _of_hub4(self, piece: str) -> list[str]:
        """The words of a piece, which may be a bracket."""
        inside = self.open[-1][0] if self.open else ""
        closing = _CLOSING.get(inside)
        if piece == closing:
            self.open.pop()
            self.drop(
                "noises of speakers ({breath}), dropped"
                if inside == "{"
                else "noises and stretches without a transcript ([[music]]), dropped"
            )
        elif closing and piece in (*_CLOSING, *_CLOSING.values()):
            raise SerevalError(f"found {quote(piece)} after {inside}, expected {closing}")
        elif closing:
            pass  # what is inside is dropped
        elif piece in _CLOSING or piece == "((" != inside:
            self.open.append((piece, self.file.here))
            self.kept = 0 if piece == "((" else self.kept
        elif piece == "))" and inside:
            self.open.pop()
            if self.kept:
                self.add("stretches of unclear speech (((…))), words kept")
            else:
                self.drop("stretches that nobody understands ((( ))), dropped")
        elif piece == "#":
            self.drop("marks of overlapping speech (#), dropped")
        elif len(piece) < 3 and piece.strip("()[]{}\\") == "":
            raise SerevalError(f"found {quote(piece)}, which is no mark of HUB-4")
        else:
            return self._unmarked(piece)
        return []

    def _unmarked(self, piece: str) -> list[str]:
        """The words of a piece without brackets."""
        if not piece.strip("*+@^~"):
            self.drop("marks at no word, dropped")
            return []
        marks = {
            mark for one in (_BEFORE, _BEHIND) for each in re.findall(one, piece) for mark in each
        }
        bare = re.sub(_BEHIND, "", re.sub(_BEFORE, "", piece))
        initials = re.fullmatch(_INITIALS, bare)
        if re.search(_UNSETTLED, bare) and not initials:
            raise SerevalError(f"found {quote(piece)}, whose mark is none of HUB-4")
        for mark in sorted(marks):
            self.add(_KINDS[mark])
        words = [bare]
        if initials is None:
            self.add("unfinished words (absolu-), kept", re.fullmatch(_CUT, bare) is not None)
        else:
            self.add("initials written as one word (_F_B_I), taken apart")
            words = [f"{letter}." for letter in initials[1].split("_")[1:]]
            words[-1] += (initials[2] or "") + initials[3].replace(".", "", 1)
        self.kept += len(words)
        return words


_KINDS = {
    "*": "invented words (*), without the mark",
    "+": "mispronounced words (+), without the mark",
    "@": "guessed names and acronyms (@), without the mark",
    "^": "proper names (^), without the mark",
    "~": "initials (~), without the mark",
    "%": "sounds that are no words (%), without the mark",
}
"""The notes of the marks at a word."""

_CLOSING = {"{": "}", "[": "]", "[[": "]]"}
_PIECE = r"\(\(|\)\)|\[\[|\]\]|[()\[\]{}\\#]|[^\s()\[\]{}\\#]+"
_BEFORE = r"(?:(?<=-)|(?<![^\"'.,;:!?*+@^~%]))[*+@^~%]+(?=\w)"
"""Marks before a word, or before a part of a word with a hyphen."""
_BEHIND = r"(?<=[\w'.-])[*+]+(?=[\"'.,;:!?]*$)"
_INITIALS = r"((?:_[A-Za-z])+)('s|s)?([.,;:!?]*)"
_CUT = r"-\w.*|.*\w-[.,;:!?]*"
_UNSETTLED = r"[*+@^~_]"


# --- words and tags ------------------------------------------------------------------------------


class _OpenTag(NamedTuple):
    """An opening tag whose closing tag has not been read."""

    name: str
    label: str
    start: int
    line: int | None
    place: int  # its index in the elements
    dropped: int  # number of words dropped before it


class Builder:
    """The words and elements that have been read of one document."""

    def __init__(
        self, file: File, tags: str = _TAG, example: str = "<pers.ind> or </pers.ind>"
    ) -> None:
        for kind, beginning in _OTHERS.items():
            if re.match(beginning, file.text):
                raise file.error(f"found {kind}, expected words and tags such as {example}", 1)
        # ``tags``: a pattern with the groups slash and name
        self.file, self.tags, self.example = file, tags, example
        self.words: list[str] = []
        self.elements: list[Element | None] = []  # by opening tag; None until it closes
        self.open: list[_OpenTag] = []
        self.breaks: list[int] = []
        self.is_crossed = False  # whether the spans decide anew what is inside what
        self.notes = Notes()
        self.marks = Marks(file, self.notes)

    def read(self, lines: str, first: int = 1) -> None:
        """Read lines, of which the first has this number in the file."""
        for self.file.here, text in enumerate(lines.split("\n"), first):
            if self.words and self.breaks[-1:] != [len(self.words)]:
                self.breaks.append(len(self.words))
            at = 0
            for tag in re.finditer(self.tags, text):
                self.read_words(text[at : tag.start()])
                self.read_tag(tag)
                at = tag.end()
            self.read_words(text[at:])
        self.file.here = None

    def read_tag(self, tag: re.Match[str]) -> None:
        """Read a tag that ``tags`` matches; its name is the label."""
        if tag[1]:
            self.close(tag[2])
        else:
            self.begin(tag[2], tag[2])

    def begin(self, name: str, label: str) -> None:
        here = len(self.words), self.file.here, len(self.elements), self.marks.alone
        self.open.append(_OpenTag(name, label, *here))
        self.elements.append(None)

    def read_words(self, text: str) -> None:
        if "<" in text:
            raise SerevalError(
                f"found {quote(text[text.index('<') :].rstrip(), 20)}, expected a tag such as "
                f"{self.example}; the character itself is written &lt;"
            )
        words = re.sub(_ENTITY, _character, text).split()
        self.words += self.marks.words(words)

    def close(self, name: str) -> None:
        """Close the last open tag or, by the policy ``crossing``, the last one of that name."""
        place = max((k for k, one in enumerate(self.open) if one.name == name), default=None)
        if place is None:
            raise SerevalError(f"</{name}> found, but no <{name}> is open")
        last = self.open[-1]
        if last.name != name and self.file.policy("crossing") != "drop":
            raise SerevalError(
                f"</{name}> found where </{last.name}> is expected (opened on line {last.line}); "
                f"it crosses <{name}> of line {self.open[place].line}; {self.file.hint('crossing')}"
            )
        top = self.open.pop(place)
        if top.start < len(self.words):
            parent = self.open[-1].place if self.open else None
            found = Element(top.label, top.start, len(self.words), parent, top.line)
            self.elements[top.place] = found
            self.is_crossed |= last.name != name
        elif self.marks.alone > top.dropped:
            self.marks.add(EMPTIED)  # the element stays None
            self.is_crossed = True
        else:
            raise self.file.error(f"element <{name}> is empty, expected words in it", top.line)

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


def _character(reference: re.Match[str]) -> str:
    """The character of an entity reference."""
    if reference[1] not in _CHARACTERS:
        raise SerevalError(
            f"found {quote(reference[0])}, expected &lt; &gt; or &amp;; "
            f"the characters themselves are written {quote('&amp;' + reference[0][1:])}"
        )
    return _CHARACTERS[reference[1]]


# --- the inline format ---------------------------------------------------------------------------


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
    builder.read(file.text)
    yield builder.document()


def write_inline(document: Document, _: Notes) -> str:
    """The file of a document, with a line for each utterance, without times."""
    check_words(document, "inline file", labels=r"[^\w.:-]")
    words = [*map(escape, document.words)]
    for element in reversed(document.elements):  # the inner first
        words[element.start] = f"<{element.label}> {words[element.start]}"
        words[element.end - 1] += f" </{element.label}>"
    return lines_of(document, words)


def escape(text: str) -> str:
    """A word or label with the characters ``<``, ``>`` and ``&`` as entity references."""
    from html import escape  # slow to import, and only writers need it

    return escape(text, quote=False)


# --- MUC ----------------------------------------------------------------------------------------

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

_WHEN = {
    "SEGMENT": ("S_TIME", "E_TIME"),
    "TURN": ("STARTTIME", "ENDTIME"),
    "SYNC": ("TIME",),
    "TIME": ("SEC",),
}
"""The attributes with times of the tags that say when the words were said."""

_EXPRESSIONS = ("ENAMEX", "TIMEX", "NUMEX")
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'<>]++)"""
_MUC_TAG = (
    rf"<(/)?((?i:[be]_)?+(?i:{'|'.join(_EXPRESSIONS)})|(?i:{'|'.join((*_PARTS, _COMMENT))})|[ps])"
    rf"((?:\s++[\w:-]++(?:\s*+=\s*+{_VALUE})?+)*+)\s*+/?>"
    r"|<!--.*?-->|<[!?][A-Za-z][^<>]*+>"
)
_MUC_ATTRIBUTE = rf"([\w:-]++)\s*+=\s*+({_VALUE})"
_TYPE = r"[\w.:-]+"
_DOC = r"(?i)(?=<DOC[\s>])"


class _Muc(Builder):
    """The words and elements that have been read of one document of a file."""

    def __init__(self, file: File) -> None:
        super().__init__(file, _MUC_TAG, '<ENAMEX TYPE="PERSON"> or </ENAMEX>')
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
        elif kind not in _EXPRESSIONS:
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
        self.comment = None if tag[1] else self.file.here
        self.notes.add("comments of the transcribers, left out", not tag[1])

    def read_part(self, name: str, tag: re.Match[str]) -> None:
        """Read a tag around the text; comments and declarations have no name."""
        what = f"<{name.lower()}> " if self.is_hub4 and name else ""
        self.notes.add(f"tags {what}around the text, passed over")
        if self.part != "/DOC":  # nothing may follow </DOC>
            self.part = (tag[1] or "") + name
        if self.part == "DOC" and self.words:
            raise SerevalError("<DOC> found after words, expected all words in one")
        if self.is_hub4 and name in _WHEN and self.file.policy("times") != "none":
            self.read_times(name, tag)

    def read_times(self, name: str, tag: re.Match[str]) -> None:
        """Read the times of a segment, or a moment in it."""
        names = _WHEN[name]
        if len(names) == 2:
            self.leave()
        found = {} if tag[1] else _attributes(tag)
        times = [milliseconds(found[each]) for each in names if each in found]
        if not times:
            return
        if len(times) < len(names):
            raise SerevalError(f"found {quote(tag[0])}, expected a start and an end")
        if len(times) == 2:
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

    def label(self, tag: re.Match[str]) -> str:
        """The label of an opening tag, which is its type."""
        found = _attributes(tag)
        label = found.get("TYPE", "")
        if not re.fullmatch(_TYPE, label):
            super().read_words(tag[0])  # raises
        self.notes.add(
            "optional elements (STATUS=OPT), counted like all others",
            found.get("STATUS", "").upper() == "OPT",
        )
        self.notes.add(
            "elements with alternatives (ALT, MIN), which are not looked at",
            bool(found.get("ALT") or found.get("MIN")),
        )
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
            self.outside = self.outside or self.file.here
            if self.part == "/DOC":
                raise SerevalError("words found after </DOC>, expected all words in one")

    def document(self) -> Document:
        if self.comment is not None:
            raise self.file.error("the comment is never closed", self.comment)
        self.leave()
        if not self.is_timed:
            return super().document()
        if self.outside is not None:
            raise self.file.error(
                "words outside the segments with times, expected them inside; --read times=none "
                "takes them",
                self.outside,
            )
        self.notes.add(SPREAD, len(self.words))
        return replace(super().document(), times=tuple(self.moments.times))


def _attributes(tag: re.Match[str]) -> dict[str, str]:
    return {one[1].upper(): one[2].strip("\"'") for one in re.finditer(_MUC_ATTRIBUTE, tag[3])}


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
    before, *others = re.split(_DOC, file.text)
    pieces, line = ["".join((before, *others[:1])), *others[1:]], 1
    for k, text in enumerate(pieces, 1):
        builder = _Muc(file)
        builder.read(text, line)
        document = builder.document()
        if len(pieces) == 1:
            yield document
        else:
            name = " ".join(builder.id.split()) or f"{file.id}-{k}"
            file.here = line
            yield replace(document, id=name)
        line += text.count("\n")


# --- fuzzy references ----------------------------------------------------------------------------

_AREF_TAG = r"<annotation\b([^<>]*)/>"
_EXAMPLE = '<annotation id="3" type="name.first" ftype="s" depth="1" parent="2" />'
_NUMBER = "[0-9]{1,9}"
_VALUES = {
    "id": _NUMBER,
    "type": '[^"]+',
    "ftype": "s|e|se",
    "depth": _NUMBER,
    "parent": f"-1|{_NUMBER}",
}
"""The attributes of a tag, and patterns of their values."""
_ATTRIBUTES = (
    "".join(rf'(?=.*\s{name}="(?P<{name}>{value})")' for name, value in _VALUES.items())
    + rf'(?:\s+\w+="[^"]+"){{{len(_VALUES)}}}\s*'
)


class _Places(NamedTuple):
    """An element and the frontiers of its tags, while the file is read."""

    label: str
    depth: int
    parent: int  # its id; -1: it is at the top
    line: int | None  # of its first tag
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
    builder = _Fuzzy(file)
    builder.read(file.text)
    yield builder.reference()


class _Fuzzy(Builder):
    """The words and elements that have been read of one file."""

    def __init__(self, file: File) -> None:
        super().__init__(file, _AREF_TAG, _EXAMPLE)
        self.marks.policy = "keep"  # places count all words
        self.found: dict[int, _Places] = {}

    def read_tag(self, tag: re.Match[str]) -> None:
        """Add one place of an element."""
        values = re.fullmatch(_ATTRIBUTES, tag[1])
        if values is None:
            raise SerevalError(f"found {quote(tag[0], 120)}, expected {_EXAMPLE}")
        id, label = int(values["id"]), re.sub(_ENTITY, _character, values["type"])
        new = _Places(label, int(values["depth"]), int(values["parent"]), self.file.here, [], [])
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
            self.check(id, places)
        children: defaultdict[int, list[int]] = defaultdict(list)
        for id in sorted(self.found, reverse=True):
            children[self.found[id].parent].append(id)
        ids, waiting = list[int](), children[-1]
        while waiting:
            ids.append(waiting.pop())
            waiting += children[ids[-1]]
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
        starts, ends = places.starts, places.ends
        if not (starts and ends and starts[-1] < len(self.words) and ends[0] > 0):
            raise self.file.error(
                f"annotation {id}: expected places to start before a word and to end after one",
                places.line,
            )
        above = self.found.get(places.parent)
        is_lost = places.parent >= 0 and above is None
        if is_lost or places.depth != (above.depth + 1 if above else 0):
            raise self.file.error(
                f"annotation {id} has depth {places.depth} and parent {places.parent}, expected 0 "
                "and -1, or one more than the depth of a parent in the file",
                places.line,
            )


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


def write_aref(document: Document | Reference, lost: Notes) -> str:
    """A fuzzy reference; read, it gives the same elements. Ids are indices of elements, from 0."""
    reference = Reference.exact(document) if isinstance(document, Document) else document
    lost.add(LABELS, sum(len(e.labels) - 1 for e in reference.elements))
    if reference is document:  # not exact
        lost.add(STRICT, sum(e.strict is not None for e in reference.elements))
    lost.add(UNPLACEABLE, len(reference.unplaceable))
    lost.add(PROJECTION, bool(reference.projection))
    check_words(reference, "aref", labels='["\n]')
    with_place(reference.id, _check_elements, reference.elements)
    tags, text = _tags(reference), ""
    for k in range(len(reference.words) + 1):
        items = [*tags[k], *map(escape, reference.words[k : k + 1])]
        text += ("\n" if tags[k] else " ") + " ".join(items)
    return text.strip() + "\n"


def _tags(reference: Reference) -> defaultdict[int, list[str]]:
    """The tags at each frontier, in document order of their elements."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    nesting = depths([element.parent for element in reference.elements])
    for r, (element, depth) in enumerate(zip(reference.elements, nesting, strict=True)):
        parent = -1 if element.parent is None else element.parent
        for k in sorted({*element.starts, *element.ends}):
            ftype = "s" * (k in element.starts) + "e" * (k in element.ends)
            found[k].append(
                f'<annotation id="{r}" type="{escape(element.label)}" ftype="{ftype}" '
                f'depth="{depth - 1}" parent="{parent}" />'
            )
    return found


def _check_elements(elements: Sequence[ReferenceElement]) -> None:
    for element in elements:
        if not (element.starts and element.ends):
            raise SerevalError(f"{element.label} has no place, expected starts and ends")
    if wrong := _disorder(elements):
        names = " and ".join(f"{r} ({elements[r].label})" for r in wrong)
        raise SerevalError(f"elements {names} have places in the other order only")
