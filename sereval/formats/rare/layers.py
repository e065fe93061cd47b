"""Annotations of characters in layers or by kinds: ACE, the XMI of UIMA, and WebAnno's TSV."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...documents.model import whole_number
from ...documents.words import Characters
from ...errors import SerevalError
from ..file import Documents, File, Head, quote
from ..standoff import UTF16, AnnotatedText, Mark, document_beside, documents_of
from ..xml import XmlNode, root_of, wrong


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
    return document_beside(file, _ace)


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
            file.here = mention.line
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
    text.file.here = mark.line
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
    root = root_of(file.text, "XMI")
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
) -> Iterator[tuple[list[str], Characters]]:
    """The cells and place of each token or part; fills ``data`` and ``tokens``."""
    gap = ""  # ``data`` is UTF-16, in which all places are; blanks stand between tokens
    for line in file.lines():
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
            raise SerevalError(f"found {found}, expected a number and characters such as 1-2 3-6")
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
        yield cells, (start, end)


def read_webanno(file: File) -> Documents:
    """
    ```webanno
    #FORMAT=WebAnno TSV 3.3
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value


    #Text=recevrons Benoît Magimel
    1-1␉0-9␉recevrons␉_␉_
    1-2␉10-16␉Benoît␉*[1]|*[2]␉PER[1]|FIRST[2]
    1-3␉17-24␉Magimel␉*[1]␉PER[1]
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
    for cells, place in _tokens(file, width, data, tokens):
        for feature in counted:
            for k, (value, number) in enumerate(_values(cells[feature.at])):
                key = feature, number or f"{file.here}.{k}"
                mark = marks.setdefault(key, Mark(value, [], None, file.here, feature.layer))
                if value != mark.label:
                    raise SerevalError(
                        f"annotation {number} is {quote(value)} here, expected {quote(mark.label)}"
                    )
                mark.pieces.append(place)
    if not tokens:
        raise SerevalError("no token found below the layers, expected some")
    text = AnnotatedText(file, file.id, data.decode("utf-16-le"))
    text.tokens = tokens
    for (feature, _), mark in marks.items():
        if feature in wanted:
            _add(text, mark._replace(label=_plain(mark.label) * (mark.label != "*")))
    yield from _of_layers(text, sum(feature not in wanted for feature, _ in marks))


def _features(file: File) -> tuple[list[_Feature], int]:
    """The features of the layers of spans, and the number of columns."""
    found, width = list[_Feature](), 3
    for line in file.lines():
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
