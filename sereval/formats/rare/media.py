"""The dialogues of the corpus MEDIA: turns of users, cut into segments that each have a concept.

``<sem concept="localisation-ville" specif="-hotel"><transcription>à Dol</transcription></sem>``

Source: the recipe for MEDIA of SpeechBrain, which reads the files of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...documents.model import Document
from ...errors import SerevalError
from ..build import Span
from ..file import File
from ..transcriber import Turns
from ..xml import XmlNode, root_of, wrong

USER, NO_CONCEPT = "spk", "null"
LABELS = (("concept", "specif"), ("concept",))
"""The attributes that make a label, by default all."""


def read_media(file: File) -> Iterator[tuple[int, Document]]:
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
