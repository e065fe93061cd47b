"""EAF of ELAN: the words of a tier, with the times of their time slots.

The XML goes through expat as it comes with Python. A document type is refused where it begins, so
that no entity is ever declared, expanded or fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import SerevalError
from ..model import Document
from .source import Source, quote
from .tiers import SILENCE, wanted
from .times import LATEST, Word, check_span, timed

_PARTS = (
    *("LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE"),
    *("CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "EXTERNAL_REF", "REF_LINK_SET"),
)
_DEEPEST = 50

_MILLISECONDS = re.compile(r"[0-9]{1,13}")


@dataclass(slots=True)
class _Node:
    """An element of XML."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[_Node] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts).strip()

    def attribute(self, name: str) -> str:
        if name not in self.attributes:
            raise _at(self, f"no {name} in <{self.name}>")
        return self.attributes[name]

    def only(self, *names: str) -> list[_Node]:
        """The children, if they have these names and no text stands between them."""
        if self.text:
            raise _at(self, f"text {quote(self.text)} in <{self.name}>, expected none")
        for child in self.children:
            if child.name not in names:
                expected = " or ".join(f"<{name}>" for name in names)
                raise _at(child, f"<{child.name}> in <{self.name}>, expected {expected}")
        return self.children

    def one(self, name: str) -> _Node:
        """The only child."""
        children = self.only(name)
        if len(children) != 1:
            raise _at(self, f"{len(children)} <{name}> in <{self.name}>, expected one")
        return children[0]


class _Wrong(SerevalError):
    """What is wrong, and in which line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _at(node: _Node, message: str) -> _Wrong:
    return _Wrong(message, node.line)


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an EAF.

    Args:
        source: the file; the document takes its id. ``source.tier`` names the tier of the words;
            ``None``: the tier ``words``, in any case, or all tiers ``SPEAKER - words``.

    Returns:
        One document, the words of the tiers in order of their start.

    Raises:
        InputError: not XML, a document type, no such tier, annotations that hang on others,
            time slots that are not there or have no time, times that are no times.

    >>> slots = '<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="100"/>'
    >>> word = '<ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a" TIME_SLOT_REF2="a">'
    >>> word += "<ANNOTATION_VALUE>Dol</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
    >>> tier = f'<TIER TIER_ID="words"><ANNOTATION>{word}</ANNOTATION></TIER>'
    >>> text = f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{tier}</ANNOTATION_DOCUMENT>"
    >>> [(_, dol)] = parse(Source("a.eaf", "a", text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 100),))
    """
    try:
        root = _xml(source.text)
        if root.name != "ANNOTATION_DOCUMENT":
            raise _at(root, f"found <{root.name}>, expected <ANNOTATION_DOCUMENT>")
        parts = root.only(*_PARTS)
        _check_units(parts)
        words = _words(parts, source.tier)
    except _Wrong as error:
        raise source.error(str(error), error.line) from None
    except SerevalError as error:
        raise source.error(str(error)) from None
    return [(None, timed(source.id, words, source.path))]


# --- what it says --------------------------------------------------------------------------------


def _check_units(parts: list[_Node]) -> None:
    for part in parts:
        units = part.attributes.get("TIME_UNITS", "milliseconds")
        if part.name == "HEADER" and units != "milliseconds":
            raise _at(part, f"TIME_UNITS {quote(units)}, expected milliseconds")


def _words(parts: list[_Node], tier: str | None) -> list[Word]:
    slots = _slots([part for part in parts if part.name == "TIME_ORDER"])
    tiers: dict[str, _Node] = {}
    for part in parts:
        if part.name == "TIER" and tiers.setdefault(part.attribute("TIER_ID"), part) is not part:
            name = part.attribute("TIER_ID")
            raise _at(part, f"tier {quote(name)}, expected another than on line {tiers[name].line}")
    found = [
        _word(annotation.one("ALIGNABLE_ANNOTATION"), slots)
        for name in wanted(list(tiers), tier)
        for annotation in tiers[name].only("ANNOTATION")
    ]
    return [(start, end, text) for start, end, text in found if text not in SILENCE]


def _slots(orders: list[_Node]) -> dict[str, _Node]:
    """The time slots by name."""
    found: dict[str, _Node] = {}
    for order in orders:
        for slot in order.only("TIME_SLOT"):
            name = slot.attribute("TIME_SLOT_ID")
            if name in found:
                raise _at(slot, f"time slot {quote(name)} stands twice")
            found[name] = slot
    return found


def _word(node: _Node, slots: dict[str, _Node]) -> Word:
    start, end = (_time(node, name, slots) for name in ("TIME_SLOT_REF1", "TIME_SLOT_REF2"))
    try:
        check_span(start, end)
    except SerevalError as error:
        raise _at(node, str(error)) from None
    value = node.one("ANNOTATION_VALUE")
    if value.children:
        raise _at(value, f"<{value.children[0].name}> in <ANNOTATION_VALUE>, expected text")
    return start, end, value.text


def _time(node: _Node, reference: str, slots: dict[str, _Node]) -> int:
    name = node.attribute(reference)
    if name not in slots:
        raise _at(node, f"{reference} {quote(name)}, expected a time slot of <TIME_ORDER>")
    slot = slots[name]
    if "TIME_VALUE" not in slot.attributes:
        raise _at(
            node,
            f"{reference} {quote(name)} has no TIME_VALUE (line {slot.line}), "
            "expected an annotation that is aligned at both ends",
        )
    text = slot.attributes["TIME_VALUE"]
    if not _MILLISECONDS.fullmatch(text) or int(text) > LATEST * 1000:
        raise _at(slot, f"TIME_VALUE {quote(text)}, expected whole milliseconds")
    return int(text)


# --- XML -----------------------------------------------------------------------------------------


def _xml(text: str) -> _Node:
    """The root of a document without a document type."""
    parser = expat.ParserCreate()
    top = _Node("", {}, 1)
    path = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) > _DEEPEST:
            raise _Wrong("elements nested too deeply", parser.CurrentLineNumber)
        node = _Node(name, attributes, parser.CurrentLineNumber)
        path[-1].children.append(node)
        path.append(node)

    def refuse(*_: object) -> None:
        raise _Wrong("found a document type (<!DOCTYPE), expected none", parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = lambda text: path[-1].texts.append(text)
    parser.StartDoctypeDeclHandler = refuse
    is_final = True
    try:
        parser.Parse(text, is_final)
    except expat.ExpatError as error:
        raise _Wrong(f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    return top.children[0]
