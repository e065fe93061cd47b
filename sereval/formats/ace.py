"""APF of ACE: entities beside a text, ``show.apf.xml`` beside ``show.sgm``.

``<entity_mention ID="1-1" TYPE="NAM"><extent><charseq START="12" END="15">Dol</charseq></extent>``

Characters are counted in the text without its tags; the end is the last character. Each mention
quotes its characters, which shows whether they were counted like this.

Source: the document type ``apf`` of ACE 2005, Linguistic Data Consortium.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..documents.characters import Characters, Stretch
from ..documents.checks import whole_number
from ..documents.model import Document
from ..documents.notes import Note, Place, count_notes
from ..errors import SerevalError
from .crossing import annotate_text, place_at
from .source import Source, quote
from .utf16 import Utf16Text, with_or_without_mark
from .xml import NAMED, XmlNode, root_of, wrong

HEADS = "heads of mentions, skipped"

_TAG = re.compile(r"<[^<>]*>")
_OTHERS = ("value", "timex2", "relation", "event", "quantity")


class _Mention(NamedTuple):
    """A mention of an entity: the type of the entity, its kind, its characters, its line."""

    label: str
    kind: str
    start: int
    end: int
    line: int


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an APF file and the text beside it.

    The policies ``crossing`` and ``equal`` apply.

    Args:
        source: the file; the document takes its id. ``source.beside`` is the text with its tags.
            Its option ``columns`` may name the kinds of mentions to read, such as ``NAM``; none:
            all.

    Returns:
        One document. An element is the extent of a mention, with the type of its entity. White
        space separates the words, and line breaks of the text are breaks.

    Raises:
        InputError: a file that is not XML, or not of one document; characters that are not those
            that the mention quotes; mentions that cross.

    >>> extent = '<extent><charseq START="2" END="4">Dol</charseq></extent>'
    >>> mention = f'<entity_mention ID="1" TYPE="NAM">{extent}</entity_mention>'
    >>> entity = f'<entity ID="1" TYPE="GPE">{mention}</entity>'
    >>> text = f'<source_file><document DOCID="a">{entity}</document></source_file>'
    >>> [(_, one)] = parse(Source("a.apf.xml", "a", text, beside="<DOC>à <B>Dol</B></DOC>"))
    >>> one.words, str(one.elements[0])
    (('à', 'Dol'), 'GPE [1, 2)')
    """
    return [(None, with_or_without_mark(source, _read))]


def _read(source: Source) -> Document:
    root = root_of(source.text, NAMED)
    if root.name != "source_file":
        raise wrong(root, f"found <{root.name}>, expected <source_file>")
    document = root.one("document")
    text = _TAG.sub("", Utf16Text(source.beside.replace("\r\n", "\n")).text)
    skipped: Counter[str] = Counter()
    mentions: list[_Mention] = []
    for node in document.only("entity", *_OTHERS):
        if node.name == "entity":
            mentions += _mentions(node, text, skipped)
        else:
            skipped[f"annotations of the kind {node.name}, skipped"] += 1
    kinds = source.options.columns
    kept = [one for one in mentions if not kinds or one.kind in kinds]
    skipped["mentions of other kinds, skipped"] = len(mentions) - len(kept)
    choice = f"columns={'+'.join(kinds)}"
    chosen = Note("mentions of the kinds that were asked for", len(kept), choice)
    return _document(source, text, kept, (*count_notes(skipped), *[chosen] * bool(kinds)))


def _mentions(entity: XmlNode, text: str, skipped: Counter[str]) -> Iterator[_Mention]:
    """The mentions of an entity."""
    label = entity.attribute("TYPE")
    for node in entity.only("entity_mention", "entity_attributes", "external_link"):
        if node.name != "entity_mention":
            continue
        parts = {part.name: part for part in node.only("extent", "head")}
        if "extent" not in parts:
            raise wrong(node, "a mention without <extent>, expected one")
        skipped[HEADS] += "head" in parts
        start, end = _characters(parts["extent"].one("charseq"), text)
        yield _Mention(label, node.attribute("TYPE"), start, end, node.line)


def _characters(node: XmlNode, text: str) -> Characters:
    """The characters of a mention, which it quotes; white space may differ."""
    start, last = (_number(node, name) for name in ("START", "END"))
    found = text[start : last + 1]
    if "".join(found.split()) != "".join(node.text.split()) or not found.strip():
        raise wrong(
            node,
            f"characters {start} to {last} are {quote(found)}, expected {quote(node.text)} as the "
            "mention says; are they of another text, or counted with its tags?",
        )
    return start, last + 1


def _number(node: XmlNode, name: str) -> int:
    text = node.attribute(name)
    try:
        if text.isascii() and text.isdigit():
            return whole_number(text)
    except SerevalError as error:
        raise wrong(node, f"{name}: {error}") from None
    raise wrong(node, f"{name} {quote(text)}, expected the number of a character")


def _document(
    source: Source, text: str, mentions: list[_Mention], notes: tuple[Note, ...]
) -> Document:
    def place(k: int) -> Place:
        return place_at(source, mentions[k].label, mentions[k].line)

    def refusal(*both: int) -> SerevalError:
        earlier, later = (mentions[k] for k in sorted(both))
        return source.error(
            f"{later.label} crosses {earlier.label} of line {earlier.line}, expected one in the "
            f"other or apart; {source.hint('crossing')}",
            later.line,
        )

    stretches = [Stretch(one.label, one.start, one.end, one.line) for one in mentions]
    return annotate_text(source, source.id, text, stretches, place, refusal, notes=notes)
