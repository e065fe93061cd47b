"""Turns in XML: files of Transcriber with entities as in ESTER, and the dialogues of MEDIA.

Source: Transcriber's ``trans-14.dtd``; the annotation conventions of ESTER; the recipe for MEDIA of
SpeechBrain, which reads the files of the corpus.
"""

from __future__ import annotations

from ..documents.model import Document
from ..errors import SerevalError
from .build import Notes, Span, document_of_spans
from .file import Documents, File, quote
from .marks import EMPTIED, Marks
from .times import SPREAD, Moments
from .xml import XmlNode, root_of, wrong

_OPEN = -1
"""The end of an entity that has not ended."""


class Turns:
    """The words and elements that have been read of turns, in which some moments have a time."""

    def __init__(self, file: File) -> None:
        self.file, self.here = file, file.at()
        self.notes = Notes()
        self.marks = Marks(file, self.notes)
        self.words: list[str] = []
        self.spans: list[Span] = []
        self.moments = Moments(self.words)

    def read_part(self, part: XmlNode) -> None:
        """Read an element inside a turn: its words, spans and moments."""
        raise NotImplementedError

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

    def enter(self, turn: XmlNode) -> None:
        self.here.line = turn.line
        self.moments.enter(turn.time("startTime"), turn.time("endTime"))

    def leave(self, turn: XmlNode) -> None:
        self.here.line = turn.line
        self.moments.advance(self.moments.end)

    def document(self, id: str) -> Document:
        """The document of all that has been read."""
        self.marks.finish()
        has_times = self.file.policy("times") == "spread"
        self.notes.add(SPREAD, len(self.words) if has_times else 0)
        times = self.moments.times if has_times else None
        breaks = [k for k in self.moments.breaks if k < len(self.words)]
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
                reader.enter(turn)
                reader.read_text(turn)
                reader.leave(turn)
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
        elif extent == "previous" and here == 0:
            raise SerevalError(f"{label} labels the previous word, but there is none")
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
            if not _OPEN < span.end <= len(self.words):
                raise SerevalError(f"{span} never ends")
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
        reader = _Dialogue(file)
        with reader.here:
            for turn in dialogue.inside("turn"):
                reader.read_turn(turn)
            yield dialogue.line, reader.document(dialogue.attribute("id"))


class _Dialogue(Turns):
    """The words and segments of one dialogue."""

    def read_turn(self, turn: XmlNode) -> None:
        if turn.attribute("speaker") != USER:
            self.notes.add("turns of other speakers than the user, skipped")
            return
        self.enter(turn)
        annotations = [*turn.inside("semAnnotation")]
        kept = [one for one in annotations if one.attribute("withContext") == "false"]
        self.notes.add("annotations with context, skipped", len(annotations) - len(kept))
        if not kept:
            raise SerevalError('a turn of the user without <semAnnotation withContext="false">')
        for sem in [sem for annotation in kept for sem in annotation.inside("sem")]:
            self.read_segment(sem)
        self.leave(turn)

    def read_segment(self, sem: XmlNode) -> None:
        """Read a segment, which is an element if it has a concept."""
        label = sem.attribute("concept")
        start = len(self.words)
        for transcription in sem.inside("transcription"):
            self.read_text(transcription)
        if label == NO_CONCEPT:
            return
        if start == len(self.words):
            self.notes.add("concepts without words, skipped")
            return
        specif = sem.attributes.get("specif", NO_CONCEPT)
        if self.file.options.columns == ("concept",):
            self.notes.add("concepts without their specif", 1, "columns=concept")
        elif specif != NO_CONCEPT:
            label += specif
        self.spans.append(Span(label, start, len(self.words), sem.line))

    def read_part(self, part: XmlNode) -> None:
        self.notes.add("marks inside transcriptions, skipped")
