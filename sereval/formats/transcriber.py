"""Files ``.trs`` of Transcriber, with entities as in ESTER.

``<Event desc="loc.geo" type="entities" extent="begin"/> Dol <Event … extent="end"/>``

Words have no times of their own: the words between two ``Sync`` share the time between them.

Source: Transcriber's ``trans-14.dtd``; the annotation conventions of ESTER.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ..documents.model import Document, tree
from ..documents.notes import Note, count_notes
from ..errors import SerevalError
from .crossing import place_at, without_crossings
from .file import File as Source
from .file import quote
from .marks import marks_of_words
from .times import SPREAD, milliseconds
from .turns import TurnWords
from .xml import NAMED, XmlNode, root_of, wrong

_PASSED_OVER = ("Background", "Comment", "Who", "Vocal")
_EXTENTS = ("begin", "end", "previous", "next", "instantaneous")

OTHERS = "events other than entities, skipped"
POINTS = "entities without extent (instantaneous), skipped"
CROSSING = "entities that cross an earlier one, dropped"


@dataclass(slots=True, eq=False)  # two equal spans on one line may have different ends
class _Span:
    """An entity; ``end`` is ``None`` until the reader reaches it."""

    label: str
    start: int
    line: int
    end: int | None = None


def read_transcriber(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of Transcriber.

    Three policies apply. ``crossing``: entities that cross are an error, or ``drop`` drops the one
    that begins later. ``marks``: marks of transcription stay in their words (``keep``), or
    ``strip`` removes them. ``times``: words share the time between two ``Sync`` (``spread``), or
    have ``none``.

    Args:
        source: the file, which names its encoding; the document takes its id.

    Returns:
        One document, without a line of its own. Words share the time between two ``Sync`` by their
        numbers of characters, and each ``Sync`` is a break.

    Raises:
        InputError: a file that is not XML; declarations in its document type; unexpected elements;
            a time that goes back or is outside its turn; an entity without a begin, an end or a
            word.

    >>> event = '<Event desc="loc" type="entities" extent="%s"/>'
    >>> turn = f'<Sync time="0"/>à {event % "begin"}Dol{event % "end"}'
    >>> turn = f'<Turn startTime="0" endTime="1.2">{turn}</Turn>'
    >>> text = f"<Trans><Episode><Section>{turn}</Section></Episode></Trans>"
    >>> [(_, dol)] = read_transcriber(Source("a.trs", text=text))
    >>> dol.words, dol.times, str(dol.elements[0])
    (('à', 'Dol'), ((0, 300), (300, 1200)), 'loc [1, 2)')
    """
    reader = _Reader(source)
    for turn in _turns(root_of(source.text, NAMED)):
        reader.read_turn(turn)
    return [(None, reader.document())]


def _turns(root: XmlNode) -> Iterator[XmlNode]:
    if root.name != "Trans":
        raise wrong(root, f"found <{root.name}>, expected <Trans>")
    for part in root.only("Topics", "Speakers", "Episode"):
        for section in part.only("Section") if part.name == "Episode" else ():
            yield from section.only("Turn")


class _Reader(TurnWords):
    """The words and entities that have been read of one file."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self.marks = marks_of_words(source)
        self.spans: list[_Span] = []
        self.open: list[_Span] = []
        self.next: list[_Span] = []  # the entities of the next word
        self.done: Counter[str] = Counter()
        self.crossed: tuple[Note, ...] = ()

    def read_turn(self, turn: XmlNode) -> None:
        end = _time(turn, "endTime")
        self.advance(turn, _time(turn, "startTime"), end)
        text = ""
        for part in (*turn.content, None):
            if isinstance(part, str):  # expat gives a text in pieces
                text += part
                continue
            self.read_words(text)
            text = ""
            if part is None or part.name in _PASSED_OVER:
                continue
            if part.name == "Sync":
                self.advance(part, _time(part, "time"), end)
            elif part.name == "Event":
                self.event(part)
            else:
                expected = ", ".join(f"<{name}>" for name in ("Sync", "Event", *_PASSED_OVER))
                raise wrong(part, f"<{part.name}> in <Turn>, expected {expected}")
        self.advance(turn, end, end)

    def read_words(self, text: str) -> None:
        found = self.marks.words(text.split())
        if found and self.next:
            for span in self.next:
                span.start, span.end = len(self.words), len(self.words) + 1
            self.next = []
        self.words += found

    def event(self, event: XmlNode) -> None:
        if event.attributes.get("type") != "entities":
            self.done[OTHERS] += 1
            return
        label, extent = event.attribute("desc"), event.attributes.get("extent", "instantaneous")
        here = len(self.words)
        span = _Span(label, here, event.line)
        if extent == "end":
            self.close(event, label)
        elif extent == "instantaneous":
            self.done[POINTS] += 1
        elif extent == "previous":
            if here == 0:
                raise wrong(event, f"{label} labels the previous word, but there is none")
            self.spans.append(_Span(label, here - 1, event.line, here))
        elif extent in ("begin", "next"):
            self.spans.append(span)
            (self.open if extent == "begin" else self.next).append(span)
        else:
            raise wrong(event, f"extent {quote(extent)}, expected {', '.join(_EXTENTS)}")

    def close(self, event: XmlNode, label: str) -> None:
        """End the last open entity with a label."""
        for span in reversed(self.open):
            if span.label == label:
                self.open.remove(span)
                span.end = len(self.words)
                return
        raise wrong(event, f"{label} ends, but no entity of that label is open")

    def document(self) -> Document:
        if not self.words:
            raise SerevalError("no word, expected some in a <Turn>")
        for span in (*self.open, *self.next):
            raise self.source.error(f"{span.label} never ends", span.line)
        has_times = self.source.policy("times") == "spread"
        self.done[SPREAD] = len(self.words) if has_times else 0
        kept = self.uncrossed([span for span in self.spans if not self.is_empty(span)])
        return Document(
            self.source.id,
            tuple(self.words),
            tree((one.label, one.start, one.end, None, one.line) for one in kept),
            tuple(self.times) if has_times else None,
            tuple(k for k in self.breaks if k < len(self.words)),
            self.source.path,
            (
                *count_notes(self.done),
                *self.crossed,
                *self.marks.notes(),
            ),
        )

    def is_empty(self, span: _Span) -> bool:
        """Whether an entity has no word; this is an error unless the reader dropped words."""
        if span.start != span.end:
            return False
        if not self.marks.alone:
            raise self.source.error(f"{span.label} is empty, expected words in it", span.line)
        self.marks.emptied += 1
        return True

    def uncrossed(self, spans: list[_Span]) -> list[_Span]:
        def refusal(earlier: int, later: int) -> SerevalError:
            one, other = spans[earlier], spans[later]
            return self.source.error(
                f"{other.label} crosses {one.label} of line {one.line}, expected one in the other "
                f"or apart; {self.source.hint('crossing')}",
                other.line,
            )

        places = [(span.start, span.end or 0) for span in spans]
        kept, self.crossed = without_crossings(
            self.source,
            places,
            lambda k: place_at(self.source, spans[k].label, spans[k].line),
            what=CROSSING,
            refusal=refusal,
        )
        return [spans[k] for k in kept]


def _time(node: XmlNode, name: str) -> int:
    text = node.attribute(name)
    try:
        return milliseconds(text)
    except SerevalError as error:
        raise wrong(node, f"{name}: {error}") from None
