"""Transcriptions in XML that few people have: EXMARaLDA and MEDIA.

Sources: EXMARaLDA's document type "basic-transcription"; the recipe for MEDIA of SpeechBrain, which
reads the files of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...documents.model import Time, seconds
from ...documents.words import Span, cut, spread
from ...errors import SerevalError
from ..build import MERGED, SPREAD, Notes, in_order, share, word_tiers
from ..file import Documents, File, quote
from ..timelines import Turns
from ..xml import XmlNode, by_name, root_of, wrong

# --- EXMARaLDA -----------------------------------------------------------------------------------

SKIPPED = "events of tiers that are not read, skipped"

_Places = dict[str, int]
"""The places of the points of the timeline, by their ids."""

_Event = tuple[int, int, int, int]
"""The points of the timeline of an event, and its first and last character in its tier's text."""


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
    marked = [span for tier in labelled for span in _annotations(tier, found[0][1], places)]
    others = [tier for tier in tiers if tier not in (*spoken, *labelled)]
    notes.add(SKIPPED, sum(len(tier.all("event")) for tier in others))
    notes.add(MERGED, len(found) if len(found) > 1 else 0)
    notes.chosen(file, "annotations of the categories that were asked for", len(marked))
    if times and file.policy("times") == "spread":
        guessed = sum("time" not in point.attributes for point in points.values())
        notes.add("points of the timeline without a time, put between their neighbours", guessed)
    else:
        times = []
    words, spans, firsts = list[str](), list[Time](), list[int]()
    for text, events in found:
        one = cut(text, marked)  # if there are any, in the only tier
        firsts += [len(words) + k for k in (0, *one.breaks)]
        words += one.words
        if times:
            stretches = [(times[s], times[e], first, last) for s, e, first, last in events]
            own, shared = share(one, stretches)
            notes.add(SPREAD, shared)
            spans += own
    yield in_order(file, file.id, words, spans if times else None, notes, firsts, one.spans)


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
        raise SerevalError("no tier of the type t, expected words in one")
    if asked:
        names = [tier.attributes.get("display-name", tier.attribute("id")) for tier in spoken]
        spoken = [spoken[k] for k in word_tiers(names, asked)]
    if categories and len(spoken) > 1:
        raise SerevalError(
            f"annotations of {len(spoken)} tiers of words, expected those of one: --tier NAME"
        )
    labelled: list[XmlNode] = []
    for category in categories:
        wanted = ["a", category, spoken[0].attributes.get("speaker")]
        keys = "type", "category", "speaker"
        found = [tier for tier in tiers if [*map(tier.attributes.get, keys)] == wanted]
        if not found:
            raise SerevalError(f"no tier of annotations of the category {quote(category)}")
        labelled += found
    return spoken, labelled


def _tier(tier: XmlNode, places: _Places, notes: Notes) -> tuple[str, list[_Event]]:
    """The text of a tier, with a line break where an event does not follow another; its events."""
    text = ""
    events: list[_Event] = []
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


def _annotations(tier: XmlNode, events: Sequence[_Event], places: _Places) -> Iterator[Span]:
    """The annotations of a tier, in the characters of the tier of words."""
    first = {start: place for start, _, place, _ in events}
    last = {end: place for _, end, _, place in events}
    for node in tier.all("event"):
        label = " ".join(_content(node).split())
        if not label:
            continue
        start, end = _points(node, places)
        if start not in first or end not in last:
            raise wrong(node, f"{label} begins or ends where no event of the words does")
        yield Span(label, first[start], last[end], node.line)


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
        raise SerevalError(f"columns {','.join(attributes)}, expected {expected}")
    root = root_of(file.text)
    found = [*root.inside("dialogue")]
    if not found:
        raise wrong(root, f"no <dialogue> in <{root.name}>, expected MEDIA's, or another format")
    for dialogue in found:
        reader = Turns(file)
        for turn in dialogue.inside("turn"):
            if turn.attribute("speaker") != USER:
                reader.notes.add("turns of other speakers than the user, skipped")
                continue
            with reader.inside(turn):
                for segment in _segments(turn, reader.notes):
                    _read_segment(reader, segment)
        file.here = dialogue.line
        yield reader.document(dialogue.attribute("id"))


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
