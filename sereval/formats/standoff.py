"""Annotations that count the characters of a text beside or behind them: brat, ACE, XMI, WebAnno.

JavaScript and Java count a character beyond U+FFFF, such as an emoji, as two (UTF-16); Python
counts it as one (a code point). A file counts in one unit, which the texts that its annotations
quote tell.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..documents.model import Document, whole_number
from ..documents.words import Characters, Span, document_of_text
from ..errors import SerevalError, with_place
from .build import Notes, check_words, lines_of, nested
from .file import Documents, File, Head, quote
from .xml import XmlNode, root_of, wrong


def recognise(head: Head) -> str:
    return "webanno" if head.line.startswith(_HEAD) else ""


# --- units ---------------------------------------------------------------------------------------

CODE_POINTS, UTF16 = UNITS = ("code points", "UTF-16")
"""Units of characters; the first is the default."""

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Mark(NamedTuple):
    """An annotation, before the unit of its file is known."""

    label: str
    pieces: list[Characters]  # in the unit of the file
    quote: str | None  # the text that it quotes; None: none
    line: int | None
    name: str  # what messages call it
    confidence: float | None = None


class AnnotatedText:
    """A text and its annotations."""

    def __init__(
        self, file: File, id: str, text: str, line: int | None = None, notes: Notes | None = None
    ) -> None:
        rest = text.lstrip("\ufeff")
        self.text = " " * (len(text) - len(rest)) + rest
        wide = () if text.isascii() else _WIDE.finditer(text)
        self.halves = [one.start() + k for k, one in enumerate(wide, 1)]
        """Places in UTF-16 that are inside a character."""
        self.file, self.id, self.line = file, id, line  # ``line`` if the file has several texts
        self.notes = notes or Notes()
        self.marks: list[Mark] = []
        self.proofs: list[Mark] = []
        """Annotations that tell the unit, but are no elements."""
        self.tokens: list[Characters] | None = None
        """Places of the words, in the unit of the annotations."""

    def between(self, span: Characters, unit: str | None) -> Characters:
        """A start and an end in code points."""
        if unit != UTF16:
            return span
        for place in span:
            if place in self.halves:
                raise SerevalError(
                    f"place {place} in UTF-16 is inside a character, expected its edge"
                )
        start, end = (place - bisect_left(self.halves, place) for place in span)
        return start, end

    def add(self, mark: Mark) -> None:
        """Add an annotation, which must be in the text."""
        before, longest = 0, len(self.text) + len(self.halves)  # in UTF-16, whose numbers are more
        for start, end in mark.pieces:
            if not before <= start < end <= longest:
                raise SerevalError(
                    f"{mark.name}: characters {start} to {end}, expected some of {before} to "
                    f"{longest}"
                )
            before = end
        self.marks.append(mark)

    def fits(self, mark: Mark, unit: str) -> bool:
        """Whether its quote is the text of its pieces; white space, which may vary, is ignored."""
        if mark.quote is None:
            return True
        try:
            pieces = [self.between(piece, unit) for piece in mark.pieces]
        except SerevalError:
            return False
        found = "".join(self.text[start:end] for start, end in pieces)
        return _bare(found) == _bare(mark.quote)

    def differs(self, mark: Mark) -> bool:
        """Whether its places differ between the two units."""
        return bool(self.halves) and any(end >= self.halves[0] for _, end in mark.pieces)

    def misfits(self, unit: str) -> list[Mark]:
        """The annotations whose quotes are not at their places in a unit."""
        return [one for one in (*self.marks, *self.proofs) if not self.fits(one, unit)]

    def ignore_quote(self, mark: Mark) -> None:
        """Refuse an annotation with another text than that at its place, or note it."""
        if self.file.policy("texts") == "refuse":
            found = " ".join(self.text[start:end] for start, end in mark.pieces)
            message = (
                f"{mark.name} has the text {quote(mark.quote or '')}, but at its offsets stands "
                f"{quote(found)}; are they of another text, or in another unit than characters? "
                f"{self.file.hint('texts')}"
            )
            raise self.file.error(message, mark.line)
        what = "annotations with another text than that at their offsets, read by the offsets"
        self.notes.add(what, 1, "texts=offsets", at=self.file.place(mark.name, mark.line))

    def spans(self, unit: str | None) -> Iterator[Span]:
        """The stretches of the text that the annotations label, in code points."""
        for mark in self.marks:
            joined: list[Characters] = []
            for start, end in (self.between(piece, unit) for piece in mark.pieces):
                if joined and not self.text[joined[-1][1] : start].strip():
                    start, _ = joined.pop()
                joined.append((start, end))
            for start, end in joined if len(joined) == 1 else self.chosen(mark, joined):
                if not self.text[start:end].strip():
                    message = f"{mark.name} is empty, expected words in it"
                    raise self.file.error(message, mark.line)
                yield Span(mark.label, start, end, mark.line, mark.name, mark.confidence)

    def chosen(self, mark: Mark, pieces: list[Characters]) -> list[Characters]:
        """The pieces of an annotation that become elements, by the policy ``discontinuous``."""
        policy, at = self.file.policy("discontinuous"), self.file.place(mark.name, mark.line)
        if policy == "refuse":
            hint = self.file.hint("discontinuous")
            message = f"{mark.name} is in {len(pieces)} pieces, expected one; {hint}"
            raise self.file.error(message, mark.line)
        choice, hull = f"discontinuous={policy}", (pieces[0][0], pieces[-1][1])
        what, kept = {
            "hull": ("from the first piece to the last", [hull]),
            "first": ("as their first piece", pieces[:1]),
            "pieces": ("as an element for each piece", pieces),
        }[policy]
        self.notes.add(f"annotations in pieces, read {what}", 1, choice, at=at)
        more = len(kept) - 1
        self.notes.add("elements that are further pieces of an annotation", more, choice)
        return kept


def _bare(text: str) -> str:
    return "".join(text.split()).replace("\ufeff", "")


def documents_of(file: File, texts: Sequence[AnnotatedText], unit: str | None = None) -> Documents:
    """The documents of a file's texts, by line; without ``unit``, quotes of annotations tell it."""
    wrong = [0, 0]  # without a character beyond U+FFFF all units are one
    if any(text.halves for text in texts):
        wrong = [sum(len(text.misfits(one)) for text in texts) for one in UNITS]
    is_decided = unit is not None or wrong[0] != wrong[1]
    unit = unit or UNITS[wrong[0] > wrong[1]]
    undecided = (
        "annotations behind characters beyond U+FFFF, read in code points, though UTF-16 is "
        "possible"
    )
    for text in texts:
        for mark in text.misfits(unit):
            text.ignore_quote(mark)
        for mark in filter(text.differs, () if is_decided else text.marks):
            text.notes.add(undecided, at=file.place(mark.name, mark.line))
        with file.at(text.line):
            spans = [*text.spans(unit)]
            tokens = text.tokens and [text.between(token, unit) for token in text.tokens]
            if tokens:
                frontiers = pairwise([(0, 0), *tokens, (len(text.text), 0)])
                gaps = (text.text[end:start].split() for (_, end), (start, _) in frontiers)
                lost = sum(len(run) for gap in gaps for run in gap)
                text.notes.add("characters of the text outside its tokens, skipped", lost)
            made = document_of_text(
                text.id,
                text.text,
                spans,
                tokens=tokens,
                source=file.path,
                nest=partial(nested, file, notes=text.notes),
            )
            yield text.line, replace(made, notes=text.notes.all())


def _beside(file: File, read: Callable[[File], AnnotatedText]) -> Documents:
    """The document of a file beside a text, whose byte order mark is a character."""
    found: list[AnnotatedText] = []
    for beside in dict.fromkeys((file.beside, file.beside.removeprefix("\ufeff"))):
        with suppress(SerevalError):
            found.append(read(replace(file, beside=beside)))
    # of both readings, that with fewer quotes that are not at their places is right
    best = min(found, key=lambda text: min(len(text.misfits(one)) for one in UNITS), default=None)
    return documents_of(file, [best or read(file)])


# --- brat ----------------------------------------------------------------------------------------

_SPAN = re.compile(r"(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)", re.ASCII)
_OTHER = re.compile(r"(?:[REAMN#]\S+|\*)\t([^ \t]*)")
_EXAMPLE = quote("T1\tpers 0 14\tJacques Chirac")
_SKIPPED = {
    "R": "relations, skipped",
    "*": "equivalences, skipped",
    "E": "events, skipped",
    "A": "attributes, skipped",
    "M": "attributes, skipped",
    "N": "normalizations, skipped",
    "#": "notes, skipped",
}


def read_brat(file: File) -> Documents:
    """
    brat's annotation stands beside the text, here `show.txt`:

    ```txt
    le président Jacques Chirac
    habite à Paris, 12
    ```

    `show.ann` gives the first character of each annotation and the one after its last:

    ```brat
    T1	pers.ind 13 27	Jacques Chirac
    T2	name.first 13 20	Jacques
    T3	loc 37 42	Paris
    R1	in Arg1:T1 Arg2:T3
    #1	AnnotatorNotes T3	or Dol?
    ```

    Characters are counted from 0: in Unicode code points, or [in UTF-16](#offsets) if only then the
    annotations have their quoted texts. A byte order mark at the start of the text counts, as brat
    counts it; if the quoted texts say otherwise, it does not. It is part of no word. Annotations
    cut words. A line break between words is the boundary of an utterance. The `.ann` may be empty,
    the text may not.

    * Each `T` line is an element, except the triggers that `E` lines name. These triggers are
      skipped, and so are the lines of relations (`R`, `*`), events (`E`), attributes (`A`, `M`),
      normalizations (`N`) and notes (`#`).
    * The text at the end of a `T` line must be the text at its offsets, apart from white space.
    * An annotation in **several pieces** (`0 2;8 16`) with more than white space between them is an
      error. With `--read discontinuous=hull` it extends from its first piece to its last; with
      `discontinuous=first` it is its first piece; with `discontinuous=pieces`, each piece is an
      element with its label, and so a slot of its own. Notes count such annotations and the
      additional elements, which `Ref` counts too. Pieces with only white space between them are one
      piece: so brat writes an annotation over a line end.

    If the text at the offsets is another one, the offsets may count bytes, or belong to another
    file. `--read texts=offsets` ignores the text column of such lines, and counts them.
    """
    return _beside(file, _brat)


def _brat(file: File) -> AnnotatedText:
    text = AnnotatedText(file, file.id, file.beside)
    lines: dict[str, int] = {}
    triggers: set[str] = set()
    with file.at() as here:
        for here.line, row in file.lines():
            row = row.rstrip("\r")
            if span := _SPAN.fullmatch(row):
                if span[1] in lines:
                    raise SerevalError(
                        f"{span[1]} stands twice, the first on line {lines[span[1]]}"
                    )
                lines[span[1]] = here.line
                name = f"{span[1]} ({span[2]})"
                places = [with_place(name, whole_number, one) for one in re.split("[ ;]", span[3])]
                pieces = [*zip(places[::2], places[1::2], strict=True)]
                text.add(Mark(span[2], pieces, span[4], here.line, name))
            elif other := _OTHER.match(row):
                text.notes.add(_SKIPPED[row[0]])
                if row[0] == "E":
                    triggers.add(other[1].rpartition(":")[2])
            elif row.strip():
                raise SerevalError(f"found {quote(row)}, expected a line such as {_EXAMPLE}")
    read, text.marks = text.marks, []
    for id, mark in zip(lines, read, strict=True):
        (text.proofs if id in triggers else text.marks).append(mark)
    text.notes.add("triggers of events, skipped", len(text.proofs))
    return text


def write_brat(document: Document, _: Notes) -> tuple[str, str]:
    """The text and the annotations beside it, without times."""
    check_words(document, "file of brat", labels=r"\s")
    words, rows = document.words, list[str]()
    starts = [*accumulate((len(word) + 1 for word in words), initial=0)]
    for k, element in enumerate(document.elements, 1):
        inside = [at for at in document.breaks if element.start < at < element.end]
        pieces = pairwise([element.start, *inside, element.end])
        offsets = ";".join(f"{starts[start]} {starts[end] - 1}" for start, end in pieces)
        covered = " ".join(words[element.start : element.end])
        rows.append(f"T{k}\t{element.label} {offsets}\t{covered}\n")
    return "".join(rows), lines_of(document, words)


# --- ACE -----------------------------------------------------------------------------------------

_TAG = re.compile(r"<[^<>]*>")
_OTHERS = ("value", "timex2", "relation", "event", "quantity")


def read_ace(file: File) -> Documents:
    """
    The annotation of ACE 2005, `show.apf.xml`, stands beside the text, `show.sgm`:

    ```txt
    <DOC><TEXT>
    The mayor of Dol
    </TEXT></DOC>
    ```

    ```ace
    <?xml version="1.0"?>
    <!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">
    <source_file URI="show.sgm" SOURCE="newswire" TYPE="text">
    <document DOCID="show">
    <entity ID="E1" TYPE="GPE" SUBTYPE="Population-Center">
      <entity_mention ID="E1-1" TYPE="NAM">
        <extent><charseq START="14" END="16">Dol</charseq></extent>
        <head><charseq START="14" END="16">Dol</charseq></head>
      </entity_mention>
    </entity>
    </document>
    </source_file>
    ```

    Each mention is an element: its extent, with the type of its entity. `--columns NAM` reads only
    mentions of that kind; several kinds may be listed. Everything else is left out; a note counts
    heads and whole annotations of other kinds. Characters are counted in the text without its tags,
    a byte order mark as in [brat](#brat). Extents cut words. The text that a mention quotes must
    stand at its place.

    Refused: several documents.
    """
    return _beside(file, _ace)


def _ace(file: File) -> AnnotatedText:
    kinds = file.options.columns
    text = AnnotatedText(file, file.id, _TAG.sub("", file.beside.replace("\r\n", "\n")))
    notes = text.notes
    for node in root_of(file.text, "source_file").one("document").children:
        if node.name != "entity":
            notes.add(f"annotations of the kind {node.name}, skipped", node.name in _OTHERS)
            continue
        label = node.attribute("TYPE")
        for mention in node.all("entity_mention"):
            notes.add("heads of mentions, skipped", len(mention.all("head")))
            place = mention.one("extent").one("charseq")
            span = _number(place, "START"), _number(place, "END") + 1
            if kinds and mention.attribute("TYPE") not in kinds:
                notes.add("mentions of other kinds, skipped")
                continue
            with file.at(mention.line):
                name = "{} [{}, {})".format(label, *span)
                text.add(Mark(label, [span], place.text, mention.line, name))
    notes.chosen(file, "mentions of the kinds that were asked for", len(text.marks))
    return text


def _number(node: XmlNode, name: str) -> int:
    text = node.attribute(name)
    if not text.isascii() or not text.isdigit():
        raise wrong(node, f"{name} {quote(text)}, expected the number of a character")
    return whole_number(text)


# --- layers, of XMI and WebAnno ------------------------------------------------------------------


def _requested(file: File) -> list[tuple[str, str]]:
    """The layers and the features to read."""
    found = []
    for name in file.options.columns or ("NamedEntity.value",):
        layer, _, feature = name.rpartition(".")
        if not layer or not feature:
            raise SerevalError(
                f"found {quote(name)}, expected a layer and a feature such as NamedEntity.value"
            )
        found.append((layer, feature))
    return found


def _add(text: AnnotatedText, mark: Mark) -> None:
    """Add an annotation named by its layer, by the policy ``unlabelled`` if it has no label."""
    policy, layer = text.file.policy("unlabelled"), mark.name.rpartition(".")[2]
    label = mark.label or (layer if policy == "keep" else "")
    with text.file.at(mark.line):
        if not mark.label and policy == "refuse":
            hint = text.file.hint("unlabelled")
            raise SerevalError(f"an annotation of {layer} without a value, expected one; {hint}")
        if not mark.label:
            done = "dropped" if policy == "drop" else "labelled with their layer's name"
            what, at = f"annotations without a value, {done}", text.file.place(layer, mark.line)
            text.notes.add(what, 1, f"unlabelled={policy}", at=at)
        if label:
            text.add(mark._replace(label=label, name=label))


def _of_layers(text: AnnotatedText, others: int) -> Documents:
    """The document of a text whose annotations count in UTF-16, as those of Java do."""
    text.notes.add("annotations of other layers, skipped", others)
    what = "annotations of the layers that were asked for"
    text.notes.chosen(text.file, what, len(text.marks))
    return documents_of(text.file, [text], UTF16)


# --- XMI -----------------------------------------------------------------------------------------

_CAS = "http:///uima/cas.ecore"
_DKPRO = "http:///de/tudarmstadt/ukp/dkpro/core/api"
_SEGMENTS = f"{_DKPRO}/segmentation/type.ecore"
_ABOUT = (_CAS, _SEGMENTS, "http:///uima/tcas.ecore", f"{_DKPRO}/metadata/type.ecore")
"""Name spaces of what no layer holds."""


def read_xmi(file: File) -> Documents:
    """
    ```xmi
    <?xml version="1.0" encoding="UTF-8"?>
    <xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
        xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmi:version="2.0">
      <ner:NamedEntity xmi:id="13" sofa="1" begin="10" end="17" value="PER"/>
      <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text"
          sofaString="recevrons Magimel"/>
    </xmi:XMI>
    ```

    The XMI of UIMA, as INCEpTION and DKPro Core write it. The type system beside it is not needed.

    * The elements are the annotations of the layer `NamedEntity`, with the feature `value` as their
      label. `--columns Entity.kind` reads the feature `kind` of the layer `Entity` instead, and
      several may be listed; the layer may have its full name (`webanno.custom.Entity.kind`).
      Annotations of other layers are skipped.
    * The words are the tokens of DKPro Core (`Token`), or else what white space separates.
      Annotations cut them. A note counts characters outside tokens, which are no words. A
      line break of the text is the boundary of an utterance.
    * Characters are counted in UTF-16, as in Java.
    * An annotation without the feature is an error. `--read unlabelled=drop` leaves it out,
      `unlabelled=keep` labels it with the name of its layer; a note counts them.

    Refused: a document type; no text or several; tokens that overlap; XML 1.1.
    """
    root = root_of(file.text)
    if root.name != "XMI":
        raise wrong(root, f"found <{root.name}>, expected <xmi:XMI>")
    sofas = [node.attributes for node in root.children if (node.space, node.name) == (_CAS, "Sofa")]
    texts = [sofa["sofaString"] for sofa in sofas if "sofaString" in sofa]
    if len(texts) != 1:
        raise wrong(root, f"{len(texts)} texts (sofaString), expected one")
    text, wanted = AnnotatedText(file, file.id, texts[0]), _requested(file)
    tokens: list[Characters] = []
    others = 0
    for node in root.children:
        uri, name = node.space, node.name
        full = f"{uri.removeprefix('http:///').removesuffix('.ecore').replace('/', '.')}.{name}"
        features = [feature for layer, feature in wanted if layer in (name, full)]
        if uri == _SEGMENTS and name == "Token":
            tokens.append(_characters(node))
        elif features:
            value = node.attributes.get(features[0], "")
            _add(text, Mark(value, [_characters(node)], None, node.line, name))
        elif uri not in _ABOUT and "begin" in node.attributes:
            others += 1
    text.tokens = sorted(tokens) or None
    yield from _of_layers(text, others)


def _characters(node: XmlNode) -> Characters:
    return _number(node, "begin"), _number(node, "end")


# --- WebAnno TSV ---------------------------------------------------------------------------------

_HEAD = "#FORMAT=WebAnno TSV 3"
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|(.*)")
_ROW = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(\.[0-9]{1,9})? ([0-9]{1,9})-([0-9]{1,9})")
"""The number of a token or, behind a point, of a part of it, and its characters."""
_ITEM = re.compile(r"((?:[^\\|\[\]]|\\.)+)(?:\[([0-9]{1,9})\])?")
_CELL = re.compile(rf"{_ITEM.pattern}(?:\|{_ITEM.pattern})*")
_ESCAPED = re.compile(r"\\(->|.)")


class _Feature(NamedTuple):
    """A feature of a layer of spans, and the place of its cells in a row."""

    layer: str
    name: str
    at: int


def _tokens(
    file: File, width: int, data: bytearray, tokens: list[Characters]
) -> Iterator[tuple[int, list[str], Characters]]:
    """The cells and place of each token or part, with the line; fills ``data`` and ``tokens``."""
    gap = ""  # ``data`` is UTF-16, in which all places are; blanks stand between tokens
    with file.at() as here:
        for here.line, line in file.lines():
            if line.startswith("#Text="):
                gap = "\n"
            if line[:1] in ("", "#", "\r"):
                continue
            cells = line.removesuffix("\r").removesuffix("\t").split("\t")
            if len(cells) != width:
                message = f"found {len(cells)} columns, expected {width} by the layers"
                raise SerevalError(f"{message} of the head")
            row = _ROW.fullmatch(" ".join(cells[:2]))
            if row is None:
                found = quote(" ".join(cells[:2]))
                raise SerevalError(
                    f"found {found}, expected a number and characters such as 1-2 3-6"
                )
            text, start, end = _plain(cells[2]), int(row[2]), int(row[3])
            word, missing = text.encode("utf-16-le"), start - len(data) // 2
            is_there = data[2 * start : 2 * end] == word
            if not row[1]:
                is_there = 0 <= missing <= len(file.text) and len(word) == 2 * (end - start)
            if not text.strip() or not is_there:
                raise SerevalError(
                    f"found {quote(text)} at {start} to {end}, expected a token of as many "
                    "characters behind the one before, or a part of one"
                )
            if not row[1]:
                data += (gap * missing).encode("utf-16-le") + word
                tokens.append((start, end))
                gap = " "
            yield here.line, cells, (start, end)


def read_webanno(file: File) -> Documents:
    """
    ```webanno
    #FORMAT=WebAnno TSV 3.3
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value


    #Text=recevrons Benoît Magimel
    1-1	0-9	recevrons	_	_
    1-2	10-16	Benoît	*[1]|*[2]	PER[1]|FIRST[2]
    1-3	17-24	Magimel	*[1]	PER[1]
    ```

    Version 3 of WebAnno's TSV, which INCEpTION exports too. The words are the tokens, a sentence
    begins with a boundary of utterances, and a row for a part of a token (`1-3.1`) lets an
    annotation cut it. Elements are chosen as in [XMI](#xmi), also with `--columns`. Other layers of
    spans are skipped; relations and chains are ignored. A backslash before a character makes it a
    plain one.

    Annotations without the feature (`*`) are those of [XMI](#xmi).

    Refused: another version; a file without the layer and feature (the message lists those that it
    has); a token that does not have as many characters as its place; an annotation with two values.
    One on tokens apart from each other is [in several pieces](#brat).
    """
    head, _, _ = file.text.partition("\n")
    if not head.startswith(_HEAD):
        raise file.error(f"found {quote(head)}, expected {_HEAD}", 1)
    features, width = _features(file)
    wanted = [_wanted(features, *names) for names in _requested(file)]
    read = {one.layer for one in wanted}
    others = {one.layer: one for one in reversed(features) if one.layer not in read}
    counted = (*wanted, *others.values())
    marks: dict[tuple[_Feature, str], Mark] = {}
    data, tokens = bytearray(), list[Characters]()
    with file.at() as here:
        for here.line, cells, place in _tokens(file, width, data, tokens):
            for feature in counted:
                for k, (value, number) in enumerate(_values(cells[feature.at])):
                    key = feature, number or f"{here.line}.{k}"
                    mark = marks.setdefault(key, Mark(value, [], None, here.line, feature.layer))
                    if value != mark.label:
                        raise SerevalError(
                            f"annotation {number} is {quote(value)} here, expected "
                            f"{quote(mark.label)}"
                        )
                    mark.pieces.append(place)
    if not tokens:
        raise file.error("no token found below the layers, expected some")
    text = AnnotatedText(file, file.id, data.decode("utf-16-le"))
    text.tokens = tokens
    for (feature, _), mark in marks.items():
        if feature in wanted:
            _add(text, mark._replace(label=_plain(mark.label) * (mark.label != "*")))
    yield from _of_layers(text, sum(feature not in wanted for feature, _ in marks))


def _features(file: File) -> tuple[list[_Feature], int]:
    """The features of the layers of spans, and the number of columns."""
    found, width = list[_Feature](), 3
    for _, line in file.lines():
        if layer := _LAYER.fullmatch(line.rstrip("\r")):
            names = layer[3].split("|")
            if layer[1] == "SP":
                found += [_Feature(layer[2], name, at) for at, name in enumerate(names, width)]
            width += len(names)
    return found, width


def _values(cell: str) -> list[tuple[str, str]]:
    """The values in a cell, each with the number of its annotation if it has one."""
    if cell == "_":
        return []
    if not _CELL.fullmatch(cell):
        raise SerevalError(f"found {quote(cell)}, expected values such as PER or PER[1]")
    return _ITEM.findall(cell)


def _wanted(features: Sequence[_Feature], layer: str, name: str) -> _Feature:
    """A feature by the names that the user gave."""
    found = [
        one
        for one in features
        if layer in (one.layer, one.layer.rpartition(".")[2])
        and one.name.rpartition(".")[2] == name
    ]
    if len(found) != 1:
        there = ", ".join(f"{one.layer}.{one.name}" for one in features)
        raise SerevalError(
            f"no layer {layer} with the feature {name}, expected one of {there or 'none'}: "
            "--columns LAYER.FEATURE names it"
        )
    return found[0]


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[1], text)
