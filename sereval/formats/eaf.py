"""EAF of ELAN: the words of tiers, with the times of their time slots."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..documents.model import Document
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File, quote
from .tiers import SILENCE, tier_notes, word_tiers
from .times import LATEST, UNTIMED, Word, check_span, columns, in_order, spread
from .xml import XmlNode, by_name, root_of, wrong

_BEGIN, _END = "TIME_SLOT_REF1", "TIME_SLOT_REF2"
_MILLISECONDS = re.compile(r"[0-9]{1,13}")

_Slots = dict[str, XmlNode]


def read_eaf(file: File) -> Iterator[tuple[None, Document]]:
    """
    ```eaf
    <?xml version="1.0" encoding="UTF-8"?>
    <ANNOTATION_DOCUMENT AUTHOR="" DATE="2012-03-01T10:00:00+01:00" FORMAT="3.0" VERSION="3.0">
        <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
        <TIME_ORDER>
            <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="250"/>
            <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="800"/>
        </TIME_ORDER>
        <TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="words">
            <ANNOTATION>
                <ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
                    <ANNOTATION_VALUE>dit</ANNOTATION_VALUE>
                </ALIGNABLE_ANNOTATION>
            </ANNOTATION>
        </TIER>
        <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
    </ANNOTATION_DOCUMENT>
    ```

    The words are on the tier `words`, on the tiers `SPEAKER - words`, or on tiers that are named
    exactly, as in a [TextGrid](#textgrid), whose rules for silence and unknown words hold too. An
    annotation is one word, without the white space around it. Words are sorted. Times are whole
    milliseconds. Other tiers, and elements that are not used, are ignored.

    In a subdivision, ELAN may give no time to the slot where one word ends and the next begins. A
    run of such words shares the time of the whole run.

    Refused: declarations in the document type, so a file cannot define entities; annotations of the
    tier that depend on others (`REF_ANNOTATION`); time slots that are missing, present twice, or
    without a time outside such a run; units other than milliseconds; bad times.
    """
    root = root_of(file.text, "ANNOTATION_DOCUMENT")
    for header in root.all("HEADER"):
        units = header.attributes.get("TIME_UNITS", "milliseconds")
        if units != "milliseconds":
            raise wrong(header, f"TIME_UNITS {quote(units)}, expected milliseconds")
    tiers = by_name(root.all("TIER"), "TIER_ID", "tier")
    requested = file.options.tiers
    found = [[*tiers.values()][k] for k in word_tiers([*tiers], requested)]
    listed = [slot for order in root.all("TIME_ORDER") for slot in order.all("TIME_SLOT")]
    slots = by_name(listed, "TIME_SLOT_ID", "time slot")
    words: list[Word] = []
    guessed = 0
    for chain in [chain for tier in found for chain in _chains(tier, slots)]:
        new = [word for word in _words(chain, slots) if word[2] not in SILENCE]
        words += new
        guessed += len(new) if len(chain) > 1 else 0
    notes = (*count_notes({UNTIMED: guessed}), *tier_notes(requested, len(found), len(words)))
    yield None, in_order(file.id, *columns(words), file.path, notes)


def _chains(tier: XmlNode, slots: _Slots) -> list[list[XmlNode]]:
    """The annotations of a tier, each with those joined to it at slots without a time."""
    later: _Slots = {}
    chains: list[list[XmlNode]] = []
    for annotation in tier.all("ANNOTATION"):
        node = annotation.one("ALIGNABLE_ANNOTATION")
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


def _words(chain: list[XmlNode], slots: _Slots) -> Iterator[Word]:
    """The words of a chain, which share its time by their lengths."""
    start, end = _time(chain[0], _BEGIN, slots), _time(chain[-1], _END, slots)
    try:
        check_span(start, end)
    except SerevalError as error:
        raise wrong(chain[0], str(error)) from None
    values = [node.one("ANNOTATION_VALUE") for node in chain]
    for value in values:
        if value.children:
            raise wrong(value, f"<{value.children[0].name}> in <ANNOTATION_VALUE>, expected text")
    times = spread([max(len(value.text), 1) for value in values], start, end)
    for time, value in zip(times, values, strict=True):
        yield *time, value.text


def _slot(node: XmlNode, reference: str, slots: _Slots) -> XmlNode:
    name = node.attribute(reference)
    if name not in slots:
        raise wrong(node, f"{reference} {quote(name)}, expected a time slot of <TIME_ORDER>")
    return slots[name]


def _time(node: XmlNode, reference: str, slots: _Slots) -> int:
    slot = _slot(node, reference, slots)
    text = slot.attributes.get("TIME_VALUE")
    if text is None:
        raise wrong(
            node,
            f"{reference} {quote(node.attribute(reference))} has no TIME_VALUE (line {slot.line}), "
            "expected one, or annotations from there to a time",
        )
    if not _MILLISECONDS.fullmatch(text) or int(text) > LATEST * 1000:
        raise wrong(slot, f"TIME_VALUE {quote(text)}, expected whole milliseconds")
    return int(text)
