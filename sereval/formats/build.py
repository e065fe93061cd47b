"""Documents from what a reader found: spans become elements, and notes are counted.

Two spans of a tree cannot cross, and of two equal spans either can be the outer one. The policies
``crossing`` and ``equal`` decide.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from ..documents import characters
from ..documents.characters import Characters, Stretch, document_of_text
from ..documents.crossing import crossing, uncrossed
from ..documents.model import Document, Element, Time, tree
from ..documents.notes import Note, Place
from ..documents.tags import (
    OUTSIDE,
    SCHEMES,
    Phrase,
    Tags,
    detect,
    foreign,
    misplaced,
    misplaced_note,
    plain_phrases,
)
from .file import DETECT, File, quote

DROPPED = "annotations that cross an earlier one, dropped"


class Span(NamedTuple):
    """A labelled span of words, or of characters of a text.

    Args:
        line: its line in the file; ``None``: unknown.
        name: what messages call it; empty: its label.
    """

    label: str
    start: int
    end: int
    line: int | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.label


class Notes:
    """The notes of a document while it is read, in the order of their first count.

    >>> notes = Notes()
    >>> notes.add("relations, skipped", 2)
    >>> [str(note) for note in notes.all()]
    ['relations, skipped: 2']
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._places: dict[str, list[Place]] = {}

    def add(self, what: str, count: int = 1, choice: str = "", *, at: Place | None = None) -> None:
        """Count something.

        Args:
            what: the text of the note.
            count: how many more.
            choice: the policy that was applied.
            at: its place, which the note shows.
        """
        self._counts[what, choice] += count
        if at is not None:
            self._places.setdefault(what, []).append(at)

    def all(self) -> tuple[Note, ...]:
        """A note for each count that is not 0."""
        return tuple(
            Note(what, count, choice, tuple(self._places.get(what, ())))
            for (what, choice), count in self._counts.items()
            if count
        )


def document_of_annotations(
    file: File,
    id: str,
    text: str,
    spans: Sequence[Span],
    notes: Notes,
    tokens: Sequence[Characters] | None = None,
) -> Document:
    """The document of a text and annotations of its characters.

    Args:
        spans: the annotations, in the order of the file.
        tokens: the words of the text; ``None``: what white space separates.

    Raises:
        SerevalError: an annotation outside the text or without a word; crossing annotations, by
            policy.

    >>> from sereval.formats import ReadingOptions
    >>> file = File("a", options=ReadingOptions(policies=(("crossing", "drop"),)))
    >>> both = [Span("x", 0, 6, 1), Span("y", 3, 10, 2)]
    >>> found = document_of_annotations(file, "a", "in Dol now", both, Notes())
    >>> [str(element) for element in found.elements], str(found.notes[0])
    (['x [0, 2)'], 'annotations that cross an earlier one, dropped: 1, the first y at a:2')
    """

    def nest(found: Sequence[characters.LabelSpan]) -> list[int]:
        places = [
            span._replace(start=at[1], end=at[2]) for span, at in zip(spans, found, strict=True)
        ]
        return nested(file, places, notes)

    stretches = [Stretch(*span[:4]) for span in spans]
    made = document_of_text(id, text, stretches, tokens=tokens, source=file.path, nest=nest)
    return replace(made, notes=notes.all())


def document_of_spans(
    file: File,
    id: str,
    words: Sequence[str],
    spans: Sequence[Span],
    notes: Notes,
    times: Sequence[Time] | None = None,
    breaks: Sequence[int] = (),
) -> Document:
    """The document of words and spans on them.

    Raises:
        SerevalError: crossing spans, by policy.
    """
    kept = [spans[k] for k in nested(file, spans, notes)]
    return Document(
        id,
        tuple(words),
        tree((one.label, one.start, one.end, None, one.line) for one in kept),
        None if times is None else tuple(times),
        tuple(breaks),
        file.path,
        notes.all(),
    )


def nested(file: File, spans: Sequence[Span], notes: Notes, what: str = DROPPED) -> list[int]:
    """Indices of the spans that become elements, by the policies ``crossing`` and ``equal``.

    ``equal`` puts the outer one of equal spans first.

    Args:
        spans: label and frontiers of each span, in the order of the file.
        what: text of the note on the dropped spans.

    Raises:
        InputError: two spans cross, and the policy is ``refuse``.
    """
    kept = uncrossed_spans(file, spans, notes, what)
    policy = file.policy("equal")
    if policy != "appearance":
        rank = {label: place for place, label in enumerate(file.options.labels)}
        last = len(rank)  # for labels that the grammar does not have
        kept.sort(key=lambda k: rank.get(spans[k].label, last))
        counts = Counter((spans[k].start, spans[k].end) for k in kept)
        equal = sum(n for n in counts.values() if n > 1)
        notes.add("annotations on the same words, nested by the grammar", equal, f"equal={policy}")
    return kept


def uncrossed_spans(
    file: File, spans: Sequence[Span], notes: Notes, what: str = DROPPED
) -> list[int]:
    """Indices of the spans without those that the policy ``crossing`` drops.

    ``drop`` drops each span that crosses one that was kept before it.

    Raises:
        InputError: two spans cross, and the policy is ``refuse``.
    """
    bare = [(span.start, span.end) for span in spans]
    kept = [*range(len(spans))]
    if crossed := crossing(bare):
        if file.policy("crossing") == "refuse":
            first, second = (spans[k] for k in sorted(crossed))
            of_line = f" of line {first.line}" if first.line not in (None, second.line) else ""
            raise file.error(
                f"{second} crosses {first}{of_line}, expected one in the other or apart; "
                f"{file.hint('crossing')}",
                second.line,
            )
        kept = uncrossed(bare)
        for k in sorted({*range(len(spans))} - {*kept}):
            notes.add(what, 1, "crossing=drop", at=file.place(str(spans[k]), spans[k].line))
    return kept


# --- tags ----------------------------------------------------------------------------------------


class TagColumn(NamedTuple):
    """The tags of the words of a file, which have one scheme.

    Args:
        lines: the line of each word.
        phrases: what the tags spell.
        wrong: the words whose tags the scheme does not allow at their places.
    """

    file: File
    tags: tuple[str, ...]
    lines: Sequence[int]
    scheme: str
    phrases: list[Phrase]
    wrong: list[int]

    def part(
        self, start: int, end: int, breaks: tuple[int, ...], of: str = "", id: str = ""
    ) -> Tags:
        """The tags of a document, with its elements and notes on them.

        Args:
            start, end: its words.
            breaks: its breaks.
            of: the column in the words of notes, such as `` of column 3``.
            id: what places name beside the number of a word; empty: they name lines.
        """
        file, lines = self.file, self.lines
        first, after = (bisect_left(self.phrases, k, key=itemgetter(1)) for k in (start, end))
        elements = [
            Element(label, a - start, b - start, None, lines[a])
            for label, a, b in self.phrases[first:after]
        ]
        wrong = self.wrong[bisect_left(self.wrong, start) : bisect_left(self.wrong, end)]
        places = [
            Place(self.tags[k], f"word {k - start} of {id}", lines[k])
            if id
            else file.place(self.tags[k], lines[k])
            for k in wrong
        ]
        own, is_detected = self.tags[start:end], file.policy("tags") == DETECT
        notes, note = Notes(), misplaced_note(self.scheme, places, of)
        if is_detected:
            what, choice = f"no tagging scheme named; tags read as {self.scheme.upper()}", ""
        else:
            what, choice = f"tags, read as {self.scheme}", f"tags={self.scheme}"
        notes.add(what, len(own) - own.count(OUTSIDE), choice)
        every = (*notes.all(), *([note] if note else []))
        tags = Tags(own, breaks, self.scheme, is_detected, misplaced=note, notes=every)
        return replace(tags, elements=tuple(elements))


def read_tags(
    file: File, tags: Sequence[str], breaks: Sequence[int], lines: Sequence[int], hint: str = ""
) -> TagColumn:
    """The tags of all words of a file, by the policy ``tags``.

    Raises:
        InputError: tags of no scheme, or of another one.
    """
    policy, tags = file.policy("tags"), tuple(tags)
    plain = plain_phrases(tags, breaks) if policy in (DETECT, "iob2") else None
    if plain is not None:  # as in most files
        return TagColumn(file, tags, lines, "iob2", plain, [])
    scheme = detect(tags, breaks) if policy == DETECT else policy
    if scheme and (place := foreign(tags, scheme)) is None:
        phrases = Tags(tags, tuple(breaks), scheme).phrases
        return TagColumn(file, tags, lines, scheme, phrases, misplaced(tags, breaks, scheme))
    expected = f"one of {scheme}"
    if not scheme:  # the first tag after which no scheme is left
        place = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
        expected = (
            "O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); --read tags=conlleval takes "
            f"any{hint}"
        )
    raise file.error(f"tag {quote(tags[place or 0])}, expected {expected}", lines[place or 0])
