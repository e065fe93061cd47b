"""EAF of ELAN: the words of tiers, with the times of their time slots."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents.model import Document
from ..documents.notes import Note
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .tiers import SILENCE, tier_notes, word_tiers
from .times import LATEST, UNTIMED, Word, check_span, columns, in_order, spread
from .xml import XmlNode, root_of, wrong

_PARTS = (
    *("LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE"),
    *("CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "EXTERNAL_REF", "REF_LINK_SET"),
)
_BEGIN, _END = "TIME_SLOT_REF1", "TIME_SLOT_REF2"
_MILLISECONDS = re.compile(r"[0-9]{1,13}")


def read_eaf(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an EAF.

    Args:
        source: the file; the document takes its id. ``source.options.tiers`` names the tiers of the
            words; none: ``word_tiers`` finds them by their names.

    Returns:
        One document, the words of the tiers in order of their starts. If a time slot between two
        annotations has no time, the annotations share the time from the nearest slot before them
        that has one to the nearest slot after them.

    Raises:
        InputError: a file that is not XML or has a document type; no such tier; annotations that
            depend on others; a time slot that does not exist; a slot without a time that joins no
            two annotations; times that are no times.

    >>> slots = '<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="100"/>'
    >>> word = '<ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a" TIME_SLOT_REF2="a">'
    >>> word += "<ANNOTATION_VALUE>Dol</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
    >>> tier = f'<TIER TIER_ID="words"><ANNOTATION>{word}</ANNOTATION></TIER>'
    >>> text = f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>{tier}</ANNOTATION_DOCUMENT>"
    >>> [(_, dol)] = read_eaf(Source("a.eaf", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 100),))
    """
    root = root_of(source.text)
    if root.name != "ANNOTATION_DOCUMENT":
        raise wrong(root, f"found <{root.name}>, expected <ANNOTATION_DOCUMENT>")
    parts = root.only(*_PARTS)
    _check_units(parts)
    tiers = _tiers(parts, source.options.tiers)
    words, guessed = _words(parts, tiers)
    notes = (Note(UNTIMED, guessed),) if guessed else ()
    notes = (*notes, *tier_notes(source.options.tiers, len(tiers), len(words)))
    return [(None, in_order(source.id, *columns(words), source.path, notes))]


# --- parts of the file ---------------------------------------------------------------------------


def _check_units(parts: list[XmlNode]) -> None:
    for part in parts:
        units = part.attributes.get("TIME_UNITS", "milliseconds")
        if part.name == "HEADER" and units != "milliseconds":
            raise wrong(part, f"TIME_UNITS {quote(units)}, expected milliseconds")


def _tiers(parts: list[XmlNode], requested: Sequence[str]) -> list[XmlNode]:
    """The tiers of the words."""
    tiers: dict[str, XmlNode] = {}
    for part in parts:
        if part.name == "TIER" and tiers.setdefault(part.attribute("TIER_ID"), part) is not part:
            name = part.attribute("TIER_ID")
            raise wrong(
                part, f"tier {quote(name)} stands twice, the first on line {tiers[name].line}"
            )
    return [list(tiers.values())[k] for k in word_tiers(list(tiers), requested)]


def _words(parts: list[XmlNode], tiers: list[XmlNode]) -> tuple[list[Word], int]:
    """The words, and the number of those whose time is an estimate."""
    slots = _slots([part for part in parts if part.name == "TIME_ORDER"])
    chains = [chain for tier in tiers for chain in _chains(tier, slots)]
    found = [word for chain in chains for word in _words_of_chain(chain, slots)]
    guessed = [_text(node) for chain in chains if len(chain) > 1 for node in chain]
    words = [(start, end, text) for start, end, text in found if text not in SILENCE]
    return words, sum(text not in SILENCE for text in guessed)


def _chains(tier: XmlNode, slots: dict[str, XmlNode]) -> list[list[XmlNode]]:
    """The annotations of a tier, each with those joined to it at slots without a time."""
    nodes = [annotation.one("ALIGNABLE_ANNOTATION") for annotation in tier.only("ANNOTATION")]
    later: dict[str, XmlNode] = {}
    chains: list[list[XmlNode]] = []
    for node in nodes:
        slot = node.attribute(_BEGIN)
        if "TIME_VALUE" in _slot(node, _BEGIN, slots).attributes:
            chains.append([node])
        elif later.setdefault(slot, node) is not node:
            raise wrong(node, f"{quote(slot)} has no TIME_VALUE, and two annotations begin there")
    for chain in chains:
        while (following := later.pop(chain[-1].attribute(_END), None)) is not None:
            chain.append(following)
    for node in later.values():
        _time(node, _BEGIN, slots)  # raises: it has no time
    return chains


def _words_of_chain(chain: list[XmlNode], slots: dict[str, XmlNode]) -> list[Word]:
    """The words of a chain, which share its time by their lengths."""
    start, end = _time(chain[0], _BEGIN, slots), _time(chain[-1], _END, slots)
    try:
        check_span(start, end)
    except SerevalError as error:
        raise wrong(chain[0], str(error)) from None
    texts = [_text(node) for node in chain]
    times = spread([max(len(text), 1) for text in texts], start, end)
    return [(*time, text) for time, text in zip(times, texts, strict=True)]


def _slots(orders: list[XmlNode]) -> dict[str, XmlNode]:
    """The time slots by name."""
    found: dict[str, XmlNode] = {}
    for order in orders:
        for slot in order.only("TIME_SLOT"):
            name = slot.attribute("TIME_SLOT_ID")
            if name in found:
                raise wrong(slot, f"time slot {quote(name)} stands twice")
            found[name] = slot
    return found


def _text(node: XmlNode) -> str:
    value = node.one("ANNOTATION_VALUE")
    if value.children:
        raise wrong(value, f"<{value.children[0].name}> in <ANNOTATION_VALUE>, expected text")
    return value.text


def _slot(node: XmlNode, reference: str, slots: dict[str, XmlNode]) -> XmlNode:
    name = node.attribute(reference)
    if name not in slots:
        raise wrong(node, f"{reference} {quote(name)}, expected a time slot of <TIME_ORDER>")
    return slots[name]


def _time(node: XmlNode, reference: str, slots: dict[str, XmlNode]) -> int:
    slot = _slot(node, reference, slots)
    if "TIME_VALUE" not in slot.attributes:
        raise wrong(
            node,
            f"{reference} {quote(node.attribute(reference))} has no TIME_VALUE (line {slot.line}), "
            "expected one, or annotations from there to a time",
        )
    text = slot.attributes["TIME_VALUE"]
    if not _MILLISECONDS.fullmatch(text) or int(text) > LATEST * 1000:
        raise wrong(slot, f"TIME_VALUE {quote(text)}, expected whole milliseconds")
    return int(text)
