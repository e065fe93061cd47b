"""Basic transcriptions of EXMARaLDA: the words of events on a timeline, and annotations of them.

``<event start="T0" end="T1">vingt ans </event>``

White space ends a word, the end of an event does not, unless no event of its tier but the last ends
in white space. The words of an event share its time.

Source: EXMARaLDA's document type "basic-transcription".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..documents.characters import Cut, cut
from ..documents.model import Document, Time, seconds
from ..errors import SerevalError
from .build import Notes, Span, document_of_spans
from .file import File, quote
from .tiers import MERGED
from .times import SPREAD, milliseconds, spread
from .xml import XmlNode, root_of, wrong

TRANSCRIPTION, ANNOTATION = "t", "a"
SKIPPED = "events of tiers that are not read, skipped"
WHOLE = "events that end without white space, as all of their tier do, read as whole words"
BETWEEN = "points of the timeline without a time, put between their neighbours"


class _Event(NamedTuple):
    """An event: its points of the timeline, and its first and last character in the tier."""

    start: int
    end: int
    first: int
    last: int
    node: XmlNode


class _Tier(NamedTuple):
    """A tier of words: its text, with a line break where an event does not follow another.

    ``parted`` is the number of events that a blank was put behind.
    """

    text: str
    events: list[_Event]
    parted: int


def read_exb(file: File) -> list[tuple[int | None, Document]]:
    """The document of a basic transcription.

    The policies ``crossing`` and ``equal`` apply to annotations. The policy ``times``: words share
    the time of their event (``spread``), or have ``none``.

    Args:
        file: the file; the document takes its id. ``file.options.tiers`` are names of tiers of
            words; none: all tiers of the type ``t``. ``file.options.columns`` are categories of
            tiers of annotations, whose events are elements; none: no element is read.

    Returns:
        One document, words in order of their starts. A break stands where an event does not follow
        the one before.

    Raises:
        InputError: a file that is not XML; no such tier; a point that is not on the timeline; times
            out of order; annotations beside several tiers of words, or that begin or end inside an
            event.
    """
    root = root_of(file.text)
    if root.name != "basic-transcription":
        raise wrong(root, f"found <{root.name}>, expected <basic-transcription>")
    parts = root.only("head", "basic-body", "tierformat-table")
    bodies = [part for part in parts if part.name == "basic-body"]
    if len(bodies) != 1:
        raise wrong(root, f"{len(bodies)} <basic-body>, expected one")
    timelines = bodies[0].only("common-timeline", "tier")
    points = _points([part for part in timelines if part.name == "common-timeline"], bodies[0])
    tiers = [part for part in timelines if part.name == "tier"]
    spoken, labelled = _chosen(file, tiers)
    times, guessed = _times(points)
    places = {name: k for k, name in enumerate(points)}
    found = [_tier(tier, places) for tier in spoken]
    stretches = [one for tier in labelled for one in _stretches(tier, found[0], places)]
    notes = Notes()
    taken = [id(tier) for tier in (*spoken, *labelled)]
    notes.add(SKIPPED, sum(len(tier.children) for tier in tiers if id(tier) not in taken))
    notes.add(WHOLE, sum(tier.parted for tier in found))
    has_times = times is not None and file.policy("times") == "spread"
    notes.add(BETWEEN, guessed if has_times else 0)
    notes.add(MERGED, len(found) if len(found) > 1 else 0)
    return [(None, _document(file, found, stretches, times if has_times else None, notes))]


# --- the timeline and the tiers ------------------------------------------------------------------


def _points(timelines: list[XmlNode], body: XmlNode) -> dict[str, XmlNode]:
    """The points of the timeline by their ids, in order."""
    if len(timelines) != 1:
        raise wrong(body, f"{len(timelines)} <common-timeline>, expected one")
    found: dict[str, XmlNode] = {}
    for node in timelines[0].only("tli"):
        name = node.attribute("id")
        if found.setdefault(name, node) is not node:
            raise wrong(node, f"point {quote(name)} stands twice")
    return found


def _times(points: dict[str, XmlNode]) -> tuple[list[int] | None, int]:
    """The time of each point in ms, and how many are an estimate; ``None``: no point has one."""
    known: list[tuple[int, int]] = []
    for k, node in enumerate(points.values()):
        if "time" not in node.attributes:
            continue
        try:
            time = milliseconds(node.attributes["time"])
        except SerevalError as error:
            raise wrong(node, f"time: {error}") from None
        before = known[-1][1] if known else 0
        if time < before:
            raise wrong(node, f"time {seconds(time)} s, expected none before {seconds(before)} s")
        known.append((k, time))
    if not known:
        return None, 0
    first, last = next(iter(points.values())), [*points.values()][-1]
    for node, k in ((first, 0), (last, len(points) - 1)):
        if k not in (known[0][0], known[-1][0]):
            raise wrong(node, "the first or last point has no time, expected one")
    times = [known[0][1]]
    for (k, start), (other, end) in pairwise(known):
        times += [stop for _, stop in spread([1] * (other - k), start, end)]
    return times, len(points) - len(known)


def _chosen(file: File, tiers: list[XmlNode]) -> tuple[list[XmlNode], list[XmlNode]]:
    """The tiers of words, and those of annotations."""
    names, categories = file.options.tiers, file.options.columns
    every = {tier.attributes.get("display-name", tier.attribute("id")) for tier in tiers}
    for name in names:
        if name not in every:
            there = ", ".join(map(quote, sorted(every))) or "none"
            raise file.error(f"no tier {quote(name)}; the tiers are {there}: name one of them")
    spoken = [
        tier
        for tier in tiers
        if (tier.attributes.get("display-name", tier.attribute("id")) in names if names else True)
        and tier.attribute("type") == TRANSCRIPTION
    ]
    if not spoken:
        raise file.error("no tier of the type t, expected words in one")
    if categories and len(spoken) > 1:
        raise file.error(
            f"annotations of {len(spoken)} tiers of words, expected those of one: --tier NAME"
        )
    labelled: list[XmlNode] = []
    for category in categories:
        of_category = [
            tier
            for tier in tiers
            if tier.attribute("type") == ANNOTATION
            and tier.attributes.get("category") == category
            and tier.attributes.get("speaker") == spoken[0].attributes.get("speaker")
        ]
        if not of_category:
            raise file.error(f"no tier of annotations of the category {quote(category)}")
        labelled += of_category
    return spoken, labelled


def _tier(tier: XmlNode, places: dict[str, int]) -> _Tier:
    """The words of a tier."""
    text = ""
    events: list[_Event] = []
    parted = 0
    nodes = [node for node in tier.only("event", "ud-tier-information") if node.name == "event"]
    texts = [text for text in map(_content, nodes) if text.strip()]
    is_parted = not any(text[0].isspace() for text in texts[1:])
    is_parted = is_parted and not any(text[-1].isspace() for text in texts[:-1])
    for node in nodes:
        start, end = _span(node, places)
        if events and start < events[-1].end:
            raise wrong(node, "begins before the event ahead of it ends")
        if events and start > events[-1].end and not text.endswith("\n"):
            text += "\n"
        elif is_parted and text and not text[-1].isspace() and _content(node).strip():
            text += " "
            parted += 1
        events.append(_Event(start, end, len(text), len(text) + len(_content(node)), node))
        text += _content(node)
    return _Tier(text, events, parted)


def _content(node: XmlNode) -> str:
    """The text of an event, in which line breaks are blanks."""
    if any(child.name != "ud-information" for child in node.children):
        raise wrong(node, f"<{node.children[0].name}> in <event>, expected text")
    return "".join(part for part in node.content if isinstance(part, str)).replace("\n", " ")


def _span(node: XmlNode, places: dict[str, int]) -> tuple[int, int]:
    start, end = (node.attribute(name) for name in ("start", "end"))
    for name in (start, end):
        if name not in places:
            raise wrong(node, f"point {quote(name)}, expected one of the timeline")
    if not places[start] < places[end]:
        raise wrong(node, f"lasts from {quote(start)} to {quote(end)}, expected a later end")
    return places[start], places[end]


def _stretches(tier: XmlNode, words: _Tier, places: dict[str, int]) -> list[Span]:
    """The annotations of a tier, in the characters of the tier of words."""
    first = {event.start: event.first for event in words.events}
    last = {event.end: event.last for event in words.events}
    found = []
    for node in tier.only("event", "ud-tier-information"):
        label = " ".join(_content(node).split()) if node.name == "event" else ""
        if not label:
            continue
        start, end = _span(node, places)
        if start not in first or end not in last:
            raise wrong(node, f"{label} begins or ends where no event of the words does")
        inside = words.text[first[start] : last[end]]
        if not inside.strip():
            raise wrong(node, f"{label} is empty, expected words in it")
        begin = first[start] + len(inside) - len(inside.lstrip())
        found.append(Span(label, begin, begin + len(inside.strip()), node.line))
    return found


# --- the document --------------------------------------------------------------------------------


def _document(
    file: File,
    tiers: Sequence[_Tier],
    stretches: Sequence[Span],
    times: list[int] | None,
    notes: Notes,
) -> Document:
    bounds = [bound for one in stretches for bound in (one.start, one.end)]
    cuts = [cut(tier.text, bounds) for tier in tiers]
    words = [word for one in cuts for word in one.words]
    firsts = [k in one.breaks or k == 0 for one in cuts for k in range(len(one.words))]
    spans: list[Time] = []
    for tier, one in zip(tiers, cuts, strict=True) if times is not None else ():
        of_tier, shared = _word_times(tier, one, times or [])
        spans += of_tier
        notes.add(SPREAD, shared)
    order = sorted(range(len(words)), key=lambda k: spans[k][0]) if spans else range(len(words))
    what = "annotations of the categories that were asked for"
    notes.add(what, len(stretches), f"columns={'+'.join(file.options.columns)}")
    return document_of_spans(
        file,
        file.id,
        [words[k] for k in order],
        [_on_words(one, cuts[0]) for one in stretches],
        notes,
        [spans[k] for k in order] if spans else None,
        [place for place, k in enumerate(order) if firsts[k] and place],
    )


def _on_words(span: Span, words: Cut) -> Span:
    start, end = words.frontiers(span.start, span.end)
    return span._replace(start=start, end=end)


def _word_times(tier: _Tier, words: Cut, times: Sequence[int]) -> tuple[list[Time], int]:
    """The times of the words of a tier, and how many share the time of an event with others."""
    firsts = [event.first for event in tier.events]
    pieces: list[list[tuple[int, int]]] = [[] for _ in tier.events]  # of each event: word, width
    for k, (start, end) in enumerate(zip(words.starts, words.ends, strict=True)):
        at = bisect_right(firsts, start) - 1
        while at < len(tier.events) and tier.events[at].first < end:
            event = tier.events[at]
            width = min(end, event.last) - max(start, event.first)
            if width > 0:
                pieces[at].append((k, width))
            at += 1
    spans: list[list[int]] = [[] for _ in words.words]
    shared: set[int] = set()
    for event, inside in zip(tier.events, pieces, strict=True):
        if not inside:
            continue
        shared |= {k for k, _ in inside if len(inside) > 1}
        parts = spread([width for _, width in inside], times[event.start], times[event.end])
        for (k, _), part in zip(inside, parts, strict=True):
            spans[k] += part
    return [(min(span), max(span)) for span in spans], len(shared)
