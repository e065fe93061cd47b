"""Transcriptions on timelines in XML: ELAN and Transcriber.

Sources: Transcriber's ``trans-14.dtd``; the annotation conventions of ESTER.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..documents.model import Document
from ..documents.words import Span, spread
from ..errors import InputError, SerevalError
from .build import (
    LATEST,
    SILENCE,
    SPREAD,
    UNTIMED,
    Moments,
    Notes,
    Word,
    check_span,
    document_of_spans,
    document_of_tiers,
)
from .file import Documents, File, quote
from .inline import EMPTIED, Marks
from .xml import XmlNode, by_name, root_of, wrong

# --- ELAN ----------------------------------------------------------------------------------------

_BEGIN, _END = "TIME_SLOT_REF1", "TIME_SLOT_REF2"

_Slots = dict[str, int | None]
"""The times of slots by their names; some have none."""


def read_eaf(file: File) -> Documents:
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
    listed = [slot for order in root.all("TIME_ORDER") for slot in order.all("TIME_SLOT")]
    named, notes = by_name(listed, "TIME_SLOT_ID", "time slot"), Notes()
    slots = {name: _milliseconds(slot) for name, slot in named.items()}
    words = [(name, _words_of_tier(file, tier, slots, notes)) for name, tier in tiers.items()]
    yield document_of_tiers(file, words, notes)


def _milliseconds(slot: XmlNode) -> int | None:
    """The time of a slot; ``None``: it has none."""
    text = slot.attributes.get("TIME_VALUE")
    if text is not None and (not re.fullmatch("[0-9]{1,13}", text) or int(text) > LATEST * 1000):
        raise wrong(slot, f"TIME_VALUE {quote(text)}, expected whole milliseconds")
    return None if text is None else int(text)


def _words_of_tier(file: File, tier: XmlNode, slots: _Slots, notes: Notes) -> Iterator[Word]:
    """The words of a tier; those that are joined at slots without a time share it by length."""
    later: dict[str, XmlNode] = {}
    firsts: list[XmlNode] = []
    for annotation in tier.all("ANNOTATION"):
        node = annotation.one("ALIGNABLE_ANNOTATION")
        if _time(node, _BEGIN, slots) is not None:
            firsts.append(node)
        elif later.setdefault(node.attribute(_BEGIN), node) is not node:
            raise wrong(node, "two annotations begin at a slot without TIME_VALUE, expected one")
    for first in firsts:
        chain = [first]
        while (following := later.pop(chain[-1].attribute(_END), None)) is not None:
            chain.append(following)
        start, end = _time(first, _BEGIN, slots), _time(chain[-1], _END, slots)
        if start is None or end is None:
            raise _timeless(chain[-1])
        file.here = first.line
        check_span(start, end)
        texts = [_value(node) for node in chain]
        if chain[1:]:
            notes.add(UNTIMED, sum(text not in SILENCE for text in texts))
        times = spread([max(len(text), 1) for text in texts], start, end)
        yield from ((*time, text) for time, text in zip(times, texts, strict=True))
    file.here = None
    for node in later.values():
        raise _timeless(node)


def _time(node: XmlNode, reference: str, slots: _Slots) -> int | None:
    """The time of a slot to which an annotation refers."""
    name = node.attribute(reference)
    if name not in slots:
        raise wrong(node, f"{reference} {quote(name)}, expected a time slot of <TIME_ORDER>")
    return slots[name]


def _timeless(node: XmlNode) -> InputError:
    return wrong(node, "a slot without TIME_VALUE, expected one, or annotations up to a time")


def _value(node: XmlNode) -> str:
    value = node.one("ANNOTATION_VALUE")
    if value.children:
        found = value.children[0].name
        raise wrong(value, f"<{found}> in <ANNOTATION_VALUE>, expected text")
    return value.text


# --- Transcriber ---------------------------------------------------------------------------------

_OPEN = -1
"""The end of an entity that has not ended."""


class Turns:
    """The words and elements that have been read of turns, in which some moments have a time."""

    def __init__(self, file: File) -> None:
        self.file, self.notes = file, Notes()
        self.marks = Marks(file, self.notes)
        self.words: list[str] = []
        self.spans: list[Span] = []
        self.moments = Moments(self.words)

    def read_part(self, part: XmlNode) -> None:
        """Read an element inside a text: its words, spans and moments."""
        self.notes.add("marks inside transcriptions, skipped")

    def read_text(self, node: XmlNode) -> None:
        """The words in an element, and the moments between them."""
        for part in node.content:
            if isinstance(part, str):
                self.words += self.marks.words(part.split())
                continue
            self.file.here = part.line
            if part.name == "Sync":
                self.moments.advance(part.time("time"))
            elif part.text or part.children:
                raise SerevalError(f"<{part.name}> with content, expected text and <Sync>")
            else:
                self.read_part(part)

    @contextmanager
    def inside(self, turn: XmlNode) -> Iterator[None]:
        """The time in which the words of a turn are read."""
        self.file.here = turn.line
        start, self.moments.end = turn.time("startTime"), turn.time("endTime")
        self.moments.advance(start)
        yield
        self.file.here = turn.line
        self.moments.advance(self.moments.end)

    def document(self, id: str) -> Document:
        """The document of all that has been read."""
        self.marks.finish()
        has_times = self.file.policy("times") == "spread"
        self.notes.add(SPREAD, len(self.words) if has_times else 0)
        times = self.moments.times if has_times else None
        breaks = self.moments.breaks
        return document_of_spans(self.file, id, self.words, self.spans, self.notes, times, breaks)


def read_transcriber(file: File) -> Documents:
    """
    Files of Transcriber, with entities as in ESTER and ETAPE:

    ```transcriber
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE Trans SYSTEM "trans-14.dtd">
    <Trans>
    <Episode>
    <Section type="report" startTime="0" endTime="4">
    <Turn startTime="0" endTime="4">
    <Sync time="0"/>
    bonjour <Event desc="pers.hum" type="entities" extent="begin"/> Jacques Chirac
    <Event desc="pers.hum" type="entities" extent="end"/>
    <Sync time="2.5"/>
    la Russie <Event desc="loc.admi" type="entities" extent="previous"/>
    </Turn>
    </Section>
    </Episode>
    </Trans>
    ```

    The encoding is the one that the file declares, whatever the option says. White space and events
    end a word. A `Sync` or `Turn` is the boundary of an utterance.

    * An event of type `entities` opens an element (`begin`), closes the last open element of its
      label (`end`), or makes an element of the word before or after it (`previous`, `next`). An
      `instantaneous` event has no words: it is skipped, like events of other types. `Background`,
      `Comment`, `Who` and `Vocal` are ignored.
    * **Words have no times of their own.** The words between two `Sync`, or between the last one
      and the end of the turn, share that time. With `--read times=none` the words have no times,
      and `--align` can supply better ones.
    * Marks of transcription are treated as in the [inline](#inline) format.

    Refused: declarations in the document type, so a file cannot define entities (the DTD that it
    names is never read); times that go back or lie outside their turn, and turns that overlap.
    """
    reader = _Entities(file)
    for episode in root_of(file.text, "Trans").all("Episode"):
        for turn in [turn for part in episode.all("Section") for turn in part.all("Turn")]:
            with reader.inside(turn):
                reader.read_text(turn)
    reader.finish()
    yield reader.document(file.id)


class _Entities(Turns):
    """The words and entities of a file of Transcriber."""

    def read_part(self, part: XmlNode) -> None:
        if part.name != "Event":
            return
        if part.attributes.get("type") != "entities":
            self.notes.add("events other than entities, skipped")
            return
        label, extent = part.attribute("desc"), part.attributes.get("extent", "instantaneous")
        here = len(self.words)
        places = {"begin": (here, _OPEN), "next": (here, here + 1), "previous": (here - 1, here)}
        if extent == "end":
            self.close(label)
        elif extent == "instantaneous":
            self.notes.add("entities without extent (instantaneous), skipped")
        elif extent not in places:
            expected = "begin, end, previous, next, instantaneous"
            raise SerevalError(f"extent {quote(extent)}, expected {expected}")
        else:
            self.spans.append(Span(label, *places[extent], part.line))

    def close(self, label: str) -> None:
        """End the last open entity with a label."""
        for k in reversed(range(len(self.spans))):
            span = self.spans[k]
            if span.label == label and span.end == _OPEN:
                self.spans[k] = span._replace(end=len(self.words))
                return
        raise SerevalError(f"{label} ends, but no entity of that label is open")

    def finish(self) -> None:
        """Check that there are words, and that each entity has its own."""
        self.file.here = None
        if not self.words:
            raise SerevalError("no word, expected some in a <Turn>")
        kept = []
        for span in self.spans:
            self.file.here = span.line
            if not 0 <= span.start <= span.end <= len(self.words):
                raise SerevalError(f"{span} never ends, or has no word beside it")
            if span.start < span.end:
                kept.append(span)
            elif not self.marks.alone:
                raise SerevalError(f"{span} is empty, expected words in it")
        self.marks.add(EMPTIED, len(self.spans) - len(kept))
        self.spans, self.file.here = kept, None
