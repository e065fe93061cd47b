"""MUC's SGML: ``<ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX>``, with ``TIMEX`` and ``NUMEX``.

Hub-4 writes ``<b_enamex type="PERSON">`` and ``<e_enamex>``. As in the inline format, white space
and tags end a word, and a line break is an utterance boundary. The label is the type. The reader
skips tags of the structure around the text, and refuses other markup.

Source: Chinchor, MUC-6 and MUC-7 named entity task definitions; the transcripts of Hub-4 of LDC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..documents.model import Document
from ..documents.notes import count_notes
from .inline import Builder
from .source import Source

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

_ENTITIES = ("ENAMEX", "TIMEX", "NUMEX")
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'<>]++)"""
_TAG = re.compile(
    rf"<(/)?((?i:[be]_)?+(?i:{'|'.join(_ENTITIES)})|(?i:{'|'.join(_PARTS)})|[ps])"
    rf"((?:\s++[\w:-]++(?:\s*+=\s*+{_VALUE})?+)*+)\s*+/?>"
    r"|<!--.*?-->|<[!?][A-Za-z][^<>]*+>"
)
_ATTRIBUTE = re.compile(rf"([\w:-]++)\s*+=\s*+({_VALUE})")
_TYPE = re.compile(r"[\w.:-]+")
_DOC = re.compile(r"<DOC(?=[\s>])", re.IGNORECASE)

OPTIONAL = "optional elements (STATUS=OPT), counted like all others"
ALTERNATIVES = "elements with alternatives (ALT, MIN), which are not looked at"
STRUCTURE = "tags around the text, passed over"
NAMING = "words that name a document (DOCID), skipped"


class _Builder(Builder):
    """The words and elements that have been read of one document of a file."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, _TAG, '<ENAMEX TYPE="PERSON"> or </ENAMEX>')
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


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an SGML file.

    Args:
        source: the file.

    Returns:
        A document for each ``<DOC>``, with its first line. Its id is its ``DOCID`` or ``DOCNO``,
        else ``file-1``, ``file-2`` and so on. A single document takes the id of the file and has
        no line.

    Raises:
        InputError: an opening tag without a type; another tag; words outside ``<DOC>``; a fault
            that the inline format refuses.

    >>> [(_, newt)] = parse(Source("a.sgml", "a", '<ENAMEX TYPE="PERSON">NEWT GINGRICH</ENAMEX>'))
    >>> newt.elements
    (Element(label='PERSON', start=0, end=2, parent=None),)
    """
    found: list[tuple[int | None, Document]] = []
    pieces = list(_pieces(source.text))
    for k, (line, text) in enumerate(pieces, 1):
        builder = _Builder(source)
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
