"""Annotations of ACE, XMI and WebAnno: spans of characters beside or behind a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..documents.checks import whole_number
from ..documents.model import Document
from ..documents.words import Characters, Span
from ..errors import SerevalError
from .build import Notes, document_of_annotations
from .file import Documents, File, quote
from .find import Head
from .offsets import (
    UTF16,
    AnnotatedText,
    Mark,
    Utf16Text,
    documents_of,
    mark_of,
    with_or_without_mark,
)
from .xml import XmlNode, root_of, wrong


def recognise(head: Head) -> str:
    return "webanno" if head.line.startswith(_HEAD) else ""


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
    yield None, with_or_without_mark(file, _ace)


def _ace(file: File) -> Document:
    text = Utf16Text(_TAG.sub("", Utf16Text(file.beside.replace("\r\n", "\n")).text))
    kinds, choice = file.options.columns, f"columns={'+'.join(file.options.columns)}"
    notes, mentions, left = Notes(), list[Mark](), 0
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
                left += 1
                continue
            with file.at(mention.line):
                name, line = "{} [{}, {})".format(label, *span), mention.line
                mentions.append(mark_of(file, text, label, (span,), place.text, notes, line, name))
    notes.add("mentions of other kinds, skipped", left)
    if kinds:
        notes.add("mentions of the kinds that were asked for", len(mentions), choice)
    [(_, document)] = documents_of(file, [AnnotatedText(file.id, text, mentions, notes)])
    assert isinstance(document, Document)
    return document


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


def _label(file: File, value: str, layer: str, line: int, notes: Notes) -> str:
    """The label of an annotation, by the policy ``unlabelled`` if it has no value; empty: drop."""
    if value:
        return value
    policy, name = file.policy("unlabelled"), layer.rpartition(".")[2]
    if policy == "refuse":
        hint = file.hint("unlabelled")
        raise SerevalError(f"an annotation of {name} without a value, expected one; {hint}")
    done = "dropped" if policy == "drop" else "labelled with their layer's name"
    what = f"annotations without a value, {done}"
    notes.add(what, 1, f"unlabelled={policy}", at=file.place(name, line))
    return name if policy == "keep" else ""


def _of_layers(
    file: File,
    text: str,
    spans: Sequence[Span],
    tokens: Sequence[Characters] | None,
    others: int,
    notes: Notes,
) -> Document:
    notes.add("annotations of other layers, skipped", others)
    if columns := file.options.columns:
        what = "annotations of the layers that were asked for"
        notes.add(what, len(spans), f"columns={'+'.join(columns)}")
    return document_of_annotations(file, file.id, text, spans, notes, tokens)


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
      Annotations cut them. A line break of the text is the boundary of an utterance.
    * Characters are counted in UTF-16, as in Java.
    * An annotation without the feature is an error. `--read unlabelled=drop` leaves it out,
      `unlabelled=keep` labels it with the name of its layer; a note counts them.

    Refused: a document type; no text or several; tokens that overlap; XML 1.1.
    """
    root = root_of(file.text)
    spaces = {
        name.partition(":")[2]: uri
        for name, uri in root.attributes.items()
        if name.startswith("xmlns:")
    }
    if root.name.rpartition(":")[2] != "XMI":
        raise wrong(root, f"found <{root.name}>, expected <xmi:XMI>")
    nodes = [(_uri(node, spaces), node.name.rpartition(":")[2], node) for node in root.children]
    sofas = [node for uri, name, node in nodes if (uri, name) == (_CAS, "Sofa")]
    texts = [node.attributes["sofaString"] for node in sofas if "sofaString" in node.attributes]
    if len(texts) != 1:
        raise wrong(root, f"{len(texts)} texts (sofaString), expected one")
    text, wanted, notes = Utf16Text(texts[0]), _requested(file), Notes()
    spans: list[Span] = []
    tokens: list[Characters] = []
    others = 0
    for uri, name, node in nodes:
        full = f"{uri.removeprefix('http:///').removesuffix('.ecore').replace('/', '.')}.{name}"
        features = [feature for layer, feature in wanted if layer in (name, full)]
        if uri == _SEGMENTS and name == "Token":
            tokens.append(_characters(file, node, text))
        elif features:
            with file.at(node.line):
                label = _label(file, node.attributes.get(features[0], ""), name, node.line, notes)
            if label:
                spans.append(Span(label, *_characters(file, node, text), node.line))
        elif uri not in _ABOUT and "begin" in node.attributes:
            others += 1
    tokens.sort()
    for (_, end), (start, _) in pairwise(tokens):
        if start < end:
            raise file.error(f"two tokens share the character {start}, expected them apart")
    yield None, _of_layers(file, text.text, spans, tokens or None, others, notes)


def _uri(node: XmlNode, spaces: dict[str, str]) -> str:
    prefix, colon, _ = node.name.rpartition(":")
    if colon and prefix not in spaces:
        raise wrong(node, f"<{node.name}> has a prefix without a name space, expected one")
    return spaces.get(prefix, "")


def _characters(file: File, node: XmlNode, text: Utf16Text) -> Characters:
    """The characters of an annotation, in code points."""
    start, end = _number(node, "begin"), _number(node, "end")
    with file.at(node.line):
        if not start < end <= text.longest:
            raise SerevalError(f"characters {start} to {end}, expected some of 0 to {text.longest}")
        return text.between((start, end), UTF16)


# --- WebAnno TSV ---------------------------------------------------------------------------------

_HEAD = "#FORMAT=WebAnno TSV 3"
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]*)\|(.*)")
_TOKEN = re.compile(r"([0-9]{1,9}-[0-9]{1,9})(\.[0-9]{1,9})?")
_PLACE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_ITEM = re.compile(r"((?:[^\\|\[\]]|\\.)+)(?:\[([0-9]{1,9})\])?")
_CELL = re.compile(rf"{_ITEM.pattern}(?:\|{_ITEM.pattern})*")
_ESCAPED = re.compile(r"\\(->|.)")


class _Column(NamedTuple):
    """A feature of a layer of spans, and the place of its cells in a row."""

    layer: str
    feature: str
    at: int


class _Row(NamedTuple):
    """A token, or a part of it, in the characters of the text that is made of all tokens."""

    line: int
    start: int
    end: int
    cells: list[str]


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
    has); a token that does not have as many characters as its place; an annotation with two values,
    or on tokens that are apart.
    """
    columns, width = _columns(file)
    wanted = [_wanted(columns, *names) for names in _requested(file)]
    text, tokens, rows = _text(file, width)
    notes = Notes()
    spans = [span for one in wanted for span in _spans(file, text, rows, one, notes)]
    read = {one.layer for one in wanted}
    others = {one.layer: one.at for one in reversed(columns) if one.layer not in read}
    skipped = sum(len(_groups(file, rows, at)) for at in others.values())
    spans.sort(key=lambda one: (one.start, -one.end))  # stable
    yield None, _of_layers(file, text, spans, tokens, skipped, notes)


def _columns(file: File) -> tuple[list[_Column], int]:
    """The columns of layers of spans, from the head of the file, and the number of all columns."""
    columns: list[_Column] = []
    width = 3
    with file.at() as here:
        for here.line, text in file.lines():
            text = text.rstrip("\r")
            if here.line == 1 and not text.startswith(_HEAD):
                raise SerevalError(f"found {quote(text)}, expected {_HEAD}")
            if text.startswith("#Text="):
                break
            if text.startswith("#T_"):
                layer = _LAYER.fullmatch(text)
                if layer is None:
                    raise SerevalError(f"found {quote(text)}, expected a layer and its features")
                names = layer[3].split("|")
                if layer[1] == "SP":
                    columns += [_Column(layer[2], one, width + k) for k, one in enumerate(names)]
                width += len(names)
    return columns, width


def _wanted(columns: Sequence[_Column], layer: str, feature: str) -> _Column:
    """The column of a feature."""
    found = [
        one
        for one in columns
        if layer in (one.layer, one.layer.rpartition(".")[2])
        and one.feature.rpartition(".")[2] == feature
    ]
    if len(found) != 1:
        there = ", ".join(f"{one.layer.rpartition('.')[2]}.{one.feature}" for one in columns)
        raise SerevalError(
            f"no layer {layer} with the feature {feature}, expected one of {there or 'none'}: "
            "--columns LAYER.FEATURE names it"
        )
    return found[0]


def _text(file: File, width: int) -> tuple[str, list[Characters], list[_Row]]:
    """The tokens with blanks and line ends between them, the places of tokens, and the rows."""
    text = ""
    tokens: list[Characters] = []
    rows: list[_Row] = []
    token, first = Utf16Text(""), 0  # the last one, and its first character in the file
    begins = False
    with file.at() as here:
        for here.line, line in file.lines():
            line = line.rstrip("\r")
            begins |= bool(tokens) and line.startswith("#Text=")
            if not line or line.startswith("#"):
                continue
            cells = line.removesuffix("\t").split("\t")
            if len(cells) != width:
                raise SerevalError(
                    f"found {len(cells)} columns, expected {width} by the layers of the head"
                )
            found, place = _TOKEN.fullmatch(cells[0]), _PLACE.fullmatch(cells[1])
            if found is None or place is None:
                raise SerevalError(
                    f"found {quote(' '.join(cells[:2]))}, expected a number and characters such as "
                    "1-2 3-6"
                )
            start, end = int(place[1]), int(place[2])
            word = Utf16Text(_plain(cells[2]))
            if end - start != word.longest or not cells[2].strip():
                raise SerevalError(
                    f"{quote(cells[2])} has {word.longest} characters, expected a token of the "
                    f"{end - start} from {start} to {end}"
                )
            if not found[2]:
                text += ("\n" if begins else " ") * bool(tokens)
                tokens.append((len(text), len(text) + len(word.text)))
                text, token, first, begins = text + word.text, word, start, False
            inside = token.between((start - first, end - first), UTF16)
            if not tokens or token.text[slice(*inside)] != word.text:
                raise SerevalError(f"{quote(word.text)} is no part of the token before")
            at = tokens[-1][0]
            rows.append(_Row(here.line, at + inside[0], at + inside[1], cells))
    if not tokens:
        raise file.error("no token found below the layers, expected some")
    return text, tokens, rows


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[1], text)


def _groups(file: File, rows: Sequence[_Row], at: int) -> list[tuple[str, list[_Row]]]:
    """The values of a column, each with the rows of its annotation."""
    found: dict[str, tuple[str, list[_Row]]] = {}
    with file.at() as here:
        for row in rows:
            here.line, cell = row.line, row.cells[at]
            if cell == "_":
                continue
            if not _CELL.fullmatch(cell):
                raise SerevalError(f"found {quote(cell)}, expected values such as PER or PER[1]")
            for k, (value, number) in enumerate(_ITEM.findall(cell)):
                group = found.setdefault(number or f"{row.line}.{k}", (value, []))
                if group[0] != value:
                    raise SerevalError(
                        f"annotation {number} is {quote(value)} here, expected {quote(group[0])}"
                    )
                group[1].append(row)
    return list(found.values())


def _spans(
    file: File, text: str, rows: Sequence[_Row], column: _Column, notes: Notes
) -> Iterator[Span]:
    """The annotations of a column, in the order of their first rows."""
    for value, group in _groups(file, rows, column.at):
        with file.at(group[0].line):
            given = "" if value == "*" else _plain(value)
            label = _label(file, given, column.layer, group[0].line, notes)
            start, end = group[0].start, group[0].end
            for row in group:
                if text[end : row.start].strip():
                    raise SerevalError(
                        f"{label} stands on tokens apart from each other, expected them together"
                    )
                start, end = min(start, row.start), max(end, row.end)
        if label:
            yield Span(label, start, end, group[0].line)
