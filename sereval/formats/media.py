"""The dialogues of the corpus MEDIA: turns of users, cut into segments that each have a concept.

``<sem concept="localisation-ville" specif="-hotel"><transcription>à Dol</transcription></sem>``

Source: the recipe for MEDIA of SpeechBrain, which reads the files of the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..documents.model import Document, Element
from ..documents.notes import Note, count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .marks import marks_of_words
from .times import SPREAD, milliseconds
from .turns import TurnWords
from .xml import NAMED, XmlNode, root_of, wrong

USER, NO_CONCEPT = "spk", "null"
LABELS = (("concept", "specif"), ("concept",))
"""The attributes that make a label, by default all."""
OTHER_TURNS = "turns of other speakers than the user, skipped"
IN_CONTEXT = "annotations with context, skipped"
EMPTY = "concepts without words, skipped"
MARKUP = "marks inside transcriptions, skipped"


def read_media(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of MEDIA.

    Two policies apply. ``marks``: marks of transcription stay in their words (``keep``), or
    ``strip`` removes them. ``times``: words share the time between two ``Sync`` (``spread``), or
    have ``none``.

    Args:
        source: the file. Its option ``columns`` is ``concept`` for labels without their ``specif``.

    Returns:
        A document for each dialogue, with its line and its ``id``: the turns of the user. A
        segment with a concept is an element. Each turn and each ``Sync`` begins with a break.

    Raises:
        InputError: a file that is not XML, or has no dialogue; a turn without annotation; times
            out of order.

    >>> sem = '<sem concept="ville" specif="null"><transcription>Dol</transcription></sem>'
    >>> turn = f'<semAnnotation withContext="false">{sem}</semAnnotation>'
    >>> turn = f'<turn speaker="spk" startTime="1" endTime="1.5">{turn}</turn>'
    >>> text = f'<media><dialogue id="7">{turn}</dialogue></media>'
    >>> [(line, one)] = read_media(Source("a.media", text=text))
    >>> one.id, one.words, one.times, str(one.elements[0])
    ('7', ('Dol',), ((1000, 1500),), 'ville [0, 1)')
    """
    attributes = source.options.columns or LABELS[0]
    if attributes not in LABELS:
        expected = " or ".join(",".join(one) for one in LABELS)
        raise source.error(f"columns {','.join(attributes)}, expected {expected}")
    root = root_of(source.text, NAMED)
    found = [*_inside(root, "dialogue")]
    if not found:
        raise wrong(root, f"no <dialogue> in <{root.name}>, expected MEDIA's, or another format")
    return [(node.line, _Dialogue(source, attributes).read(node)) for node in found]


def _inside(node: XmlNode, name: str) -> Iterator[XmlNode]:
    """The elements of a name, at any depth, in order."""
    for child in node.children:
        if child.name == name:
            yield child
        else:
            yield from _inside(child, name)


class _Dialogue(TurnWords):
    """The words and elements that have been read of one dialogue."""

    def __init__(self, source: Source, attributes: tuple[str, ...]) -> None:
        super().__init__()
        self.source = source
        self.attributes = attributes
        self.marks = marks_of_words(source)
        self.elements: list[Element] = []
        self.done: Counter[str] = Counter()

    def read(self, dialogue: XmlNode) -> Document:
        for turn in _inside(dialogue, "turn"):
            if turn.attribute("speaker") == USER:
                self.read_turn(turn)
            else:
                self.done[OTHER_TURNS] += 1
        has_times = self.source.policy("times") == "spread"
        self.done[SPREAD] = len(self.words) if has_times else 0
        is_relaxed = self.attributes != LABELS[0]
        chosen = Note("concepts without their specif", len(self.elements), "columns=concept")
        return Document(
            dialogue.attribute("id"),
            tuple(self.words),
            tuple(self.elements),
            tuple(self.times) if has_times else None,
            tuple(k for k in self.breaks if k < len(self.words)),
            self.source.path,
            (
                *count_notes(self.done),
                *([chosen] if is_relaxed and self.elements else []),
                *self.marks.notes(),
            ),
        )

    def read_turn(self, turn: XmlNode) -> None:
        end = _time(turn, "endTime")
        self.advance(turn, _time(turn, "startTime"), end)
        annotations = [*_inside(turn, "semAnnotation")]
        kept = [one for one in annotations if one.attribute("withContext") == "false"]
        self.done[IN_CONTEXT] += len(annotations) - len(kept)
        if not kept:
            raise wrong(turn, 'a turn of the user without <semAnnotation withContext="false">')
        for annotation in kept:
            for sem in _inside(annotation, "sem"):
                self.read_segment(sem, end)
        self.advance(turn, end, end)

    def read_segment(self, sem: XmlNode, end: int) -> None:
        """Read a segment, which is an element if it has a concept."""
        concept = sem.attribute("concept")
        specif = sem.attributes.get("specif", NO_CONCEPT)
        start = len(self.words)
        for transcription in _inside(sem, "transcription"):
            self.read_text(transcription, end)
        if concept == NO_CONCEPT:
            return
        if start == len(self.words):
            self.done[EMPTY] += 1
            return
        is_whole = "specif" in self.attributes and specif != NO_CONCEPT
        label = concept + specif if is_whole else concept
        self.elements.append(Element(label, start, len(self.words), None, sem.line))

    def read_text(self, transcription: XmlNode, end: int) -> None:
        text = ""
        for part in (*transcription.content, None):
            if isinstance(part, str):
                text += part
                continue
            self.words += self.marks.words(text.split())
            text = ""
            if part is not None and part.name == "Sync":
                self.advance(part, _time(part, "time"), end)
            elif part is not None:
                if part.text or part.children:
                    raise wrong(part, f"<{part.name}> with content, expected text and <Sync>")
                self.done[MARKUP] += 1


def _time(node: XmlNode, name: str) -> int:
    text = node.attribute(name)
    try:
        return milliseconds(text)
    except SerevalError:
        raise wrong(node, f"{name} {quote(text)}, expected a number of seconds") from None
