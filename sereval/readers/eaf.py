"""EAF of ELAN: the words of a tier, with the times of their time slots.

A document type is refused where it begins.
"""

from __future__ import annotations

import re

from ..errors import SerevalError
from ..model import Document
from .source import Source, quote
from .tiers import SILENCE, wanted
from .times import LATEST, Word, check_span, timed
from .xml import Node, Wrong, root_of, wrong

_PARTS = (
    *("LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE"),
    *("CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "EXTERNAL_REF", "REF_LINK_SET"),
)
_MILLISECONDS = re.compile(r"[0-9]{1,13}")


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
        root = root_of(source.text)
        if root.name != "ANNOTATION_DOCUMENT":
            raise wrong(root, f"found <{root.name}>, expected <ANNOTATION_DOCUMENT>")
        parts = root.only(*_PARTS)
        _check_units(parts)
        words = _words(parts, source.tier)
    except Wrong as error:
        raise source.error(str(error), error.line) from None
    except SerevalError as error:
        raise source.error(str(error)) from None
    return [(None, timed(source.id, words, source.path))]


# --- what it says --------------------------------------------------------------------------------


def _check_units(parts: list[Node]) -> None:
    for part in parts:
        units = part.attributes.get("TIME_UNITS", "milliseconds")
        if part.name == "HEADER" and units != "milliseconds":
            raise wrong(part, f"TIME_UNITS {quote(units)}, expected milliseconds")


def _words(parts: list[Node], tier: str | None) -> list[Word]:
    slots = _slots([part for part in parts if part.name == "TIME_ORDER"])
    tiers: dict[str, Node] = {}
    for part in parts:
        if part.name == "TIER" and tiers.setdefault(part.attribute("TIER_ID"), part) is not part:
            name = part.attribute("TIER_ID")
            raise wrong(
                part, f"tier {quote(name)}, expected another than on line {tiers[name].line}"
            )
    found = [
        _word(annotation.one("ALIGNABLE_ANNOTATION"), slots)
        for name in wanted(list(tiers), tier)
        for annotation in tiers[name].only("ANNOTATION")
    ]
    return [(start, end, text) for start, end, text in found if text not in SILENCE]


def _slots(orders: list[Node]) -> dict[str, Node]:
    """The time slots by name."""
    found: dict[str, Node] = {}
    for order in orders:
        for slot in order.only("TIME_SLOT"):
            name = slot.attribute("TIME_SLOT_ID")
            if name in found:
                raise wrong(slot, f"time slot {quote(name)} stands twice")
            found[name] = slot
    return found


def _word(node: Node, slots: dict[str, Node]) -> Word:
    start, end = (_time(node, name, slots) for name in ("TIME_SLOT_REF1", "TIME_SLOT_REF2"))
    try:
        check_span(start, end)
    except SerevalError as error:
        raise wrong(node, str(error)) from None
    value = node.one("ANNOTATION_VALUE")
    if value.children:
        raise wrong(value, f"<{value.children[0].name}> in <ANNOTATION_VALUE>, expected text")
    return start, end, value.text


def _time(node: Node, reference: str, slots: dict[str, Node]) -> int:
    name = node.attribute(reference)
    if name not in slots:
        raise wrong(node, f"{reference} {quote(name)}, expected a time slot of <TIME_ORDER>")
    slot = slots[name]
    if "TIME_VALUE" not in slot.attributes:
        raise wrong(
            node,
            f"{reference} {quote(name)} has no TIME_VALUE (line {slot.line}), "
            "expected an annotation that is aligned at both ends",
        )
    text = slot.attributes["TIME_VALUE"]
    if not _MILLISECONDS.fullmatch(text) or int(text) > LATEST * 1000:
        raise wrong(slot, f"TIME_VALUE {quote(text)}, expected whole milliseconds")
    return int(text)
