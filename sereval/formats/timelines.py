"""Transcriptions on timelines in XML: ELAN, EXMARaLDA, Transcriber and MEDIA.

Sources: EXMARaLDA's document type "basic-transcription"; Transcriber's ``trans-14.dtd``; the
annotation conventions of ESTER; the recipe for MEDIA of SpeechBrain, which reads the files of the
corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from ..documents.model import Document, Time, seconds
from ..documents.words import Span, cut
from ..errors import InputError, SerevalError
from .build import (
    LATEST,
    MERGED,
    SILENCE,
    SPREAD,
    UNTIMED,
    Moments,
    Notes,
    Word,
    check_span,
    document_of_spans,
    document_of_tiers,
    in_order,
    share,
    spread,
    word_tiers,
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
    yield None, document_of_tiers(file, words, notes)


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
        with file.at(first.line):
            check_span(start, end)
        texts = [_value(node) for node in chain]
        if chain[1:]:
            notes.add(UNTIMED, sum(text not in SILENCE for text in texts))
        times = spread([max(len(text), 1) for text in texts], start, end)
        yield from ((*time, text) for time, text in zip(times, texts, strict=True))
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


# --- EXMARaLDA -----------------------------------------------------------------------------------

SKIPPED = "events of tiers that are not read, skipped"

_Places = dict[str, int]
"""The places of the points of the timeline, by their ids."""

_Tier = tuple[str, list[tuple[int, int, int, int]]]
"""The text of a tier, with a line break where an event does not follow another; and its events:
their points of the timeline, and their first and last character in the text."""


def read_exb(file: File) -> Documents:
    """
    ```exb
    <?xml version="1.0" encoding="UTF-8"?>
    <basic-transcription><head></head><basic-body>
    <common-timeline>
    <tli id="T0" time="167.3"/><tli id="T1"/><tli id="T2" time="168.27"/>
    </common-timeline>
    <tier id="TIE0" speaker="SPK0" category="v" type="t" display-name="Ada [v]">
    <event start="T0" end="T1">recevrons </event>
    <event start="T1" end="T2">Benoît Magimel </event>
    </tier>
    <tier id="TIE1" speaker="SPK0" category="ne" type="a">
    <event start="T1" end="T2">pers</event>
    </tier>
    </basic-body></basic-transcription>
    ```

    The basic transcriptions of EXMARaLDA. The words are on the tiers of the type `t`, or on those
    that `--tier` names by their `display-name`. White space ends a word; the end of an event does
    not, so a word may extend over two events. But if no event of a tier but the last ends in white
    space, and none begins with it, each event ends its last word; a note counts such events. Words
    share the time of their event. Points of the timeline without a time are put between their
    neighbours at equal distances, and counted. With `--read times=none`, and in a file without any
    time, words have none. A gap between two events is the boundary of an utterance. The words of
    several tiers are sorted.

    `--columns ne` makes elements of the events of the annotation tiers (type `a`) of the category
    `ne` that belong to the speaker of the words; their text is the label. Without it no element is
    read. Several categories may be listed, the outermost first. Elements need one tier of words.

    Refused: events of a tier that overlap; times out of order, a first or last point without a
    time; annotations that begin or end where no event of the words does.
    """
    body = root_of(file.text, "basic-transcription").one("basic-body")
    points = by_name(body.one("common-timeline").all("tli"), "id", "point")
    tiers = body.all("tier")
    spoken, labelled = _chosen(file, tiers)
    times = _times([*points.values()])
    places = {name: k for k, name in enumerate(points)}
    notes = Notes()
    found = [_tier(tier, places, notes) for tier in spoken]
    marked = [span for tier in labelled for span in _annotations(tier, found[0], places)]
    others = [tier for tier in tiers if tier not in (*spoken, *labelled)]
    notes.add(SKIPPED, sum(len(tier.all("event")) for tier in others))
    notes.add(MERGED, len(found) if len(found) > 1 else 0)
    asked = f"columns={'+'.join(file.options.columns)}"
    notes.add("annotations of the categories that were asked for", len(marked), asked)
    if times and file.policy("times") == "spread":
        guessed = sum("time" not in point.attributes for point in points.values())
        notes.add("points of the timeline without a time, put between their neighbours", guessed)
    else:
        times = []
    words, spans, firsts = list[str](), list[Time](), list[int]()
    bounds = [bound for one in marked for bound in (one.start, one.end)]
    for text, events in found:
        one = cut(text, bounds)
        firsts += [len(words) + k for k in (0, *one.breaks)]
        words += one.words
        marked = [span.within(one) for span in marked]  # if there are any, in the only tier
        if times:
            stretches = [(times[s], times[e], first, last) for s, e, first, last in events]
            own, shared = share(one, stretches)
            notes.add(SPREAD, shared)
            spans += own
    yield None, in_order(file, file.id, words, spans if times else None, notes, firsts, marked)


def _times(points: Sequence[XmlNode]) -> list[int]:
    """The time of each point in ms; none: no point has a time."""
    known = [(k, node.time("time")) for k, node in enumerate(points) if "time" in node.attributes]
    if not known:
        return []
    for (_, before), (k, time) in pairwise([(0, 0), *known]):
        if time < before:
            expected = f"expected none before {seconds(before)} s"
            raise wrong(points[k], f"time {seconds(time)} s, {expected}")
    if (known[0][0], known[-1][0]) != (0, len(points) - 1):
        raise wrong(points[0], "the first or last point has no time, expected one")
    times = [known[0][1]]
    for (k, start), (other, end) in pairwise(known):
        times += [stop for _, stop in spread([1] * (other - k), start, end)]
    return times


def _chosen(file: File, tiers: list[XmlNode]) -> tuple[list[XmlNode], list[XmlNode]]:
    """The tiers of words, and those of annotations."""
    asked, categories = file.options.tiers, file.options.columns
    spoken = [tier for tier in tiers if tier.attribute("type") == "t"]
    if not spoken:
        raise file.error("no tier of the type t, expected words in one")
    if asked:
        names = [tier.attributes.get("display-name", tier.attribute("id")) for tier in spoken]
        spoken = [spoken[k] for k in word_tiers(names, asked)]
    if categories and len(spoken) > 1:
        raise file.error(
            f"annotations of {len(spoken)} tiers of words, expected those of one: --tier NAME"
        )
    labelled: list[XmlNode] = []
    for category in categories:
        wanted = ["a", category, spoken[0].attributes.get("speaker")]
        keys = "type", "category", "speaker"
        found = [tier for tier in tiers if [*map(tier.attributes.get, keys)] == wanted]
        if not found:
            raise file.error(f"no tier of annotations of the category {quote(category)}")
        labelled += found
    return spoken, labelled


def _tier(tier: XmlNode, places: _Places, notes: Notes) -> _Tier:
    """The words of a tier."""
    text = ""
    events: list[tuple[int, int, int, int]] = []
    nodes = [(node, _content(node)) for node in tier.all("event")]
    texts = [content for _, content in nodes if content.strip()]
    is_parted = not any(
        before[-1].isspace() or behind[0].isspace() for before, behind in pairwise(texts)
    )
    for node, content in nodes:
        start, end = _points(node, places)
        before = events[-1][1] if events else start
        if start < before:
            raise wrong(node, "begins before the event ahead of it ends")
        if start > before and not text.endswith("\n"):
            text += "\n"
        elif is_parted and text and not text[-1].isspace() and content.strip():
            text += " "
            notes.add(
                "events that end without white space, as all of their tier do, read as whole words"
            )
        events.append((start, end, len(text), len(text) + len(content)))
        text += content
    return text, events


def _content(node: XmlNode) -> str:
    """The text of an event, in which line breaks are blanks."""
    return "".join(part for part in node.content if isinstance(part, str)).replace("\n", " ")


def _points(node: XmlNode, places: _Places) -> tuple[int, int]:
    """The places of the points at which an event begins and ends."""
    start, end = node.attribute("start"), node.attribute("end")
    for name in (start, end):
        if name not in places:
            raise wrong(node, f"point {quote(name)}, expected one of the timeline")
    if not places[start] < places[end]:
        raise wrong(node, f"lasts from {quote(start)} to {quote(end)}, expected a later end")
    return places[start], places[end]


def _annotations(tier: XmlNode, words: _Tier, places: _Places) -> Iterator[Span]:
    """The annotations of a tier, in the characters of the tier of words."""
    text, events = words
    first = {start: place for start, _, place, _ in events}
    last = {end: place for _, end, _, place in events}
    for node in tier.all("event"):
        label = " ".join(_content(node).split())
        if not label:
            continue
        start, end = _points(node, places)
        if start not in first or end not in last:
            raise wrong(node, f"{label} begins or ends where no event of the words does")
        if not text[first[start] : last[end]].strip():
            raise wrong(node, f"{label} is empty, expected words in it")
        yield Span(label, first[start], last[end], node.line)


# --- Transcriber ---------------------------------------------------------------------------------

_OPEN = -1
"""The end of an entity that has not ended."""


class Turns:
    """The words and elements that have been read of turns, in which some moments have a time."""

    def __init__(self, file: File) -> None:
        self.file, self.here, self.notes = file, file.at(), Notes()
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
            self.here.line = part.line
            if part.name == "Sync":
                self.moments.advance(part.time("time"))
            elif part.text or part.children:
                raise SerevalError(f"<{part.name}> with content, expected text and <Sync>")
            else:
                self.read_part(part)

    @contextmanager
    def inside(self, turn: XmlNode) -> Iterator[None]:
        """The time in which the words of a turn are read."""
        self.here.line = turn.line
        self.moments.enter(turn.time("startTime"), turn.time("endTime"))
        yield
        self.here.line = turn.line
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
    with reader.here:
        for episode in root_of(file.text, "Trans").all("Episode"):
            for turn in [turn for part in episode.all("Section") for turn in part.all("Turn")]:
                with reader.inside(turn):
                    reader.read_text(turn)
        reader.finish()
        yield None, reader.document(file.id)


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
        self.here.line = None
        if not self.words:
            raise SerevalError("no word, expected some in a <Turn>")
        kept = []
        for span in self.spans:
            self.here.line = span.line
            if not 0 <= span.start <= span.end <= len(self.words):
                raise SerevalError(f"{span} never ends, or has no word beside it")
            if span.start < span.end:
                kept.append(span)
            elif not self.marks.alone:
                raise SerevalError(f"{span} is empty, expected words in it")
        self.marks.add(EMPTIED, len(self.spans) - len(kept))
        self.spans = kept


# --- MEDIA ----------------------------------------------------------------------------------------

USER, NO_CONCEPT = "spk", "null"
LABELS = (("concept", "specif"), ("concept",))
"""The attributes that make a label, by default all."""


def read_media(file: File) -> Documents:
    """
    ```media
    <media><dialogue id="1002">
    <turn speaker="spk" startTime="12.3" endTime="14.1">
      <semAnnotation withContext="false">
        <sem concept="null" specif="null"><transcription> oui</transcription></sem>
        <sem concept="localisation-ville" specif="-hotel"><transcription>à Dol</transcription></sem>
      </semAnnotation>
    </turn>
    </dialogue></media>
    ```

    The dialogues of the corpus MEDIA. Each dialogue is a document with its `id`; its words are
    those of the user's turns (`speaker="spk"`), and other turns are skipped. A segment (`sem`) with
    a concept is an element, whose label is the concept with its `specif`; `--columns concept`
    leaves the `specif` out. Concepts without words and annotations with context
    (`withContext="true"`) are skipped. Words share the time between two `Sync`, and marks of
    transcription are kept or stripped, as in files of [Transcriber](#transcriber). MEDIA's
    documentation is not public: sereval reads what SpeechBrain's recipe for the corpus reads.

    Refused: a file of the second test set, with `SemDebut` and `SemFin`; a user's turn without
    annotation; times that go back or lie outside their turn.
    """
    attributes = file.options.columns or LABELS[0]
    if attributes not in LABELS:
        expected = " or ".join(",".join(one) for one in LABELS)
        raise file.error(f"columns {','.join(attributes)}, expected {expected}")
    root = root_of(file.text)
    found = [*root.inside("dialogue")]
    if not found:
        raise wrong(root, f"no <dialogue> in <{root.name}>, expected MEDIA's, or another format")
    for dialogue in found:
        reader = Turns(file)
        with reader.here:
            for turn in dialogue.inside("turn"):
                if turn.attribute("speaker") != USER:
                    reader.notes.add("turns of other speakers than the user, skipped")
                    continue
                with reader.inside(turn):
                    for segment in _segments(turn, reader.notes):
                        _read_segment(reader, segment)
            yield dialogue.line, reader.document(dialogue.attribute("id"))


def _segments(turn: XmlNode, notes: Notes) -> list[XmlNode]:
    """The segments of a turn of the user, which has some without context."""
    annotations = [*turn.inside("semAnnotation")]
    kept = [one for one in annotations if one.attribute("withContext") == "false"]
    notes.add("annotations with context, skipped", len(annotations) - len(kept))
    if not kept:
        raise SerevalError('a turn of the user without <semAnnotation withContext="false">')
    return [sem for annotation in kept for sem in annotation.inside("sem")]


def _read_segment(reader: Turns, sem: XmlNode) -> None:
    """Read a segment, which is an element if it has a concept."""
    label, start = sem.attribute("concept"), len(reader.words)
    for transcription in sem.inside("transcription"):
        reader.read_text(transcription)
    if label == NO_CONCEPT:
        return
    if start == len(reader.words):
        reader.notes.add("concepts without words, skipped")
        return
    specif = sem.attributes.get("specif", NO_CONCEPT)
    if reader.file.options.columns == ("concept",):
        reader.notes.add("concepts without their specif", 1, "columns=concept")
    elif specif != NO_CONCEPT:
        label += specif
    reader.spans.append(Span(label, start, len(reader.words), sem.line))
