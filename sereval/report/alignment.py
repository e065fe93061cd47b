"""Alignments of words as text, JSON, CSV and CTM.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..alignment.blocks import CORRECT, DELETION, INSERTION, PUNCTUATION, SUBSTITUTION, Block
from ..analysis.alignment import DocumentAlignment
from ..documents.model import Document, Time, seconds
from ..errors import SerevalError, one_line
from ..evaluation.settings import Signature
from ..measures.words import WordErrors
from .cells import Line, clip, size, styled
from .csv import tidy
from .json import dumps
from .numbers import percent
from .table import lines

NARROWEST = 40
LETTERS = {SUBSTITUTION: "S", DELETION: "D", INSERTION: "I"}
STYLES = {SUBSTITUTION: "yellow", DELETION: "red", INSERTION: "cyan", PUNCTUATION: "dim"}
GAP = "*"
"""Fills the place of a word that one side lacks."""

SKIPPED = "…"
"""Stands for the words between two errors that are not shown."""


class Alignments(NamedTuple):
    """What a report shows.

    Args:
        documents: the alignment of each document, in the order of their ids.
        signature: how their words are aligned.
        context: how many words without an error are shown on either side of an error; ``None``:
            all.
    """

    documents: Sequence[DocumentAlignment]
    signature: Signature
    context: int | None = None

    @property
    def total(self) -> WordErrors:
        """The word errors of all documents."""
        return sum((one.errors for one in self.documents), WordErrors())

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that a reader of the figures must know."""
        slack = sum(one.slack for one in self.documents)
        notes = [f"Alignment: up to {slack} dearer than the cheapest, by its weights."]
        is_used = "|alternatives:" in str(self.signature)
        every = sum(len(one.reference.alternatives) for one in self.documents if is_used)
        chosen = sum(len(one.chosen) for one in self.documents)
        more = [f"Alternatives: {chosen} of {every} are counted in another reading."]
        return (*(notes if slack else ()), *(more if every else ()))


# ------------------------------------------------------------------------------------------- text


def text(found: Alignments, *, width: int = 80, colour: str | None = None) -> str:
    """Both sides one above the other, with a letter under each error, and the totals.

    Args:
        found: the alignments.
        width: the width of a line in cells of the terminal, at least 40.
        colour: a colour system by its name in `rich`; ``None``: plain text. Errors always have
            their letters.

    >>> from sereval.analysis.alignment import document_alignment
    >>> from sereval.evaluation.settings import ByWords
    >>> words = ("It's", "a", "dog."), ("its", "dock")
    >>> sides = [Document("d", side) for side in words]
    >>> aligned = document_alignment((sides[0], sides[1]), ByWords())
    >>> alignments = Alignments([aligned], Signature([("align", None)]))
    >>> print(text(alignments), end="")
    d
    <BLANKLINE>
    0 ref It's a dog.
      hyp its  * dock
               D S
    <BLANKLINE>
       words  correct  S  D  I   WER
    d      3        1  1  1  0  66.7
    <BLANKLINE>
    align
    """
    shown: list[Line] = []
    for one in found.documents:
        shown += [styled(clip(one.id, width), "bold"), Line()]
        for part in _lines(one, found.context, max(width, NARROWEST)):
            shown += [*part, Line()]
    rows: list[tuple[str, ...]] = [("", "words", "correct", "S", "D", "I", "WER")]
    rows += [_row(clip(one.id), one.errors) for one in found.documents]
    if len(found.documents) != 1:
        rows.append(_row("all", found.total))
    notes = [*map(one_line, found.notes)]
    rest = [*lines(rows, size=size), "", *notes, str(found.signature)]
    return "".join(f"{line}\n" for line in [*(line.render(colour) for line in shown), *rest])


def _row(name: str, errors: WordErrors) -> tuple[str, ...]:
    counts = (errors.ref, errors.correct, errors.S, errors.D, errors.I)
    return (name, *map(str, counts), percent(errors.rate))


class _Column(NamedTuple):
    """A block as it is shown: its words on either side, and the letters of its errors."""

    ref: str
    hyp: str
    mark: str
    style: str
    at: int
    is_new: bool  # whether an utterance of the reference begins here

    @property
    def size(self) -> int:
        return max(map(size, (self.ref, self.hyp, self.mark)))


def _lines(one: DocumentAlignment, context: int | None, width: int) -> Iterator[list[Line]]:
    """The lines of a document, in groups: reference, hypothesis, letters of errors if any."""
    gutter = len(f"{len(one.reference.words)} ref ")
    room = width - gutter
    group: list[_Column] = []
    used = 0
    for column in _columns(one, context, room):
        if group and (used + column.size > room or column.is_new):
            yield _group(group, gutter)
            group, used = [], 0
        group.append(column)
        used += column.size + 1
    if group:
        yield _group(group, gutter)


def _columns(one: DocumentAlignment, context: int | None, room: int) -> Iterator[_Column]:
    """The columns of a document; words that are not shown have one column together."""
    sides = one.reference.words, one.hypothesis.words
    breaks = {*one.reference.breaks}
    for part in one.stretches(context):
        if part[0].ref[0] or part[0].hyp[0]:
            yield _Column(SKIPPED, SKIPPED, "", "dim", part[0].ref[0], is_new=False)
        for block in part:
            (i, j), (k, m), op, _ = block
            ref, hyp = (clip(" ".join(words), room) for words in (sides[0][i:j], sides[1][k:m]))
            if op != PUNCTUATION:
                ref, hyp = ref or GAP * size(hyp), hyp or GAP * size(ref)
            is_new = i in breaks and i < j
            yield _Column(ref, hyp, _mark(block), STYLES.get(op, ""), i, is_new)
            breaks -= {i} if is_new else set()


def _mark(block: Block) -> str:
    """The letters of the errors of a block; none if its words are the same in another form."""
    if block.op == CORRECT:
        return ""
    return "".join(LETTERS[op] for op, _, _ in _operations(block) if op in LETTERS)


def _group(columns: Sequence[_Column], gutter: int) -> list[Line]:
    number = str(columns[0].at)
    found = [Line(), Line(), Line()]
    found[0].put(gutter - len(" ref ") - len(number), f"{number} ref ", "dim")
    found[1].put(gutter - len("hyp "), "hyp ", "dim")
    at = gutter
    for column in columns:
        for line, shown in zip(found, (column.ref, column.hyp, column.mark), strict=True):
            line.put(at, shown, column.style)
        at += column.size + 1
    return found if any(column.mark for column in columns) else found[:2]


# ----------------------------------------------------------------------------------- JSON and CSV


def as_json(found: Alignments) -> str:
    """JSON: counts and rates, and the operations of each document with their words and times."""
    report = {
        "format": 1,
        "signature": str(found.signature),
        "context": found.context,
        "total": _counts(found.total),
        "documents": [
            {
                "id": one.id,
                "words": _counts(one.errors),
                **({"readings": [each._asdict() for each in one.chosen]} if one.chosen else {}),
                "alignment": [_block(one, block) for block in _shown(one, found.context)],
            }
            for one in found.documents
        ],
        "notes": found.notes,
    }
    return dumps(report)


def _shown(one: DocumentAlignment, context: int | None) -> Iterator[Block]:
    return (block for part in one.stretches(context) for block in part)


def _counts(errors: WordErrors) -> dict[str, Any]:
    counts = {"reference": errors.ref, "correct": errors.correct}
    return {**counts, "S": errors.S, "D": errors.D, "I": errors.I, "wer": errors.rate}


def _block(one: DocumentAlignment, block: Block) -> dict[str, Any]:
    return {
        "operation": block.op,
        "reference": _side(one.reference, block.ref),
        "hypothesis": _side(one.hypothesis, block.hyp),
    }


def _side(document: Document, span: tuple[int, int]) -> dict[str, Any] | None:
    """The words of a block on one side; ``None`` if it has none."""
    if span[0] == span[1]:
        return None
    time = _time(document, span)
    return {
        "span": span,
        "words": document.words[slice(*span)],
        "time": time and [ms / 1000 for ms in time],
    }


def _time(document: Document, span: tuple[int, int]) -> Time | None:
    """When the words of a span are said, in ms; ``None`` if it has none, or the words no times."""
    times = document.times[slice(*span)] if document.times else ()
    return (min(start for start, _ in times), max(end for _, end in times)) if times else None


COLUMNS = (
    *("document", "operation", "reference", "hypothesis"),
    *("ref_first_word", "ref_last_word", "hyp_first_word", "hyp_last_word"),
    *("ref_start", "ref_end", "hyp_start", "hyp_end"),
)


def as_csv(found: Alignments) -> str:
    """Tidy CSV with a row for each operation.

    Words are counted from 1, and times are in seconds. A field is empty where a side has no word
    or no times.
    """
    rows = (_fields(one, block) for one in found.documents for block in _shown(one, found.context))
    return tidy(COLUMNS, rows)


def _fields(one: DocumentAlignment, block: Block) -> tuple[object, ...]:
    """The fields of a block under ``COLUMNS``."""
    sides = (one.reference, block.ref), (one.hypothesis, block.hyp)
    words = (" ".join(side.words[i:j]) for side, (i, j) in sides)
    places = (each for _, (i, j) in sides for each in ((i + 1, j) if i < j else (None, None)))
    times = (_time(*side) for side in sides)
    ends = (each for time in times for each in (map(seconds, time) if time else (None, None)))
    return (one.id, block.op, *words, *places, *ends)


# -------------------------------------------------------------------------------------------- CTM

_NOTHING = "<eps>"
_EDITS = {CORRECT: "cor", SUBSTITUTION: "sub", DELETION: "del", INSERTION: "ins"}


def as_ctm(found: Alignments) -> str:
    """CTM with the operations: a line for each word, with the times of the hypothesis.

    ``file channel start duration word confidence reference-word edit``, as in the CTM with edits of
    Kaldi. The word that one side lacks is ``<eps>``. A deletion has no duration and stands where
    the hypothesis's word before it ends. Where several words of one side are correct together, all
    their edits are ``cor``.

    Raises:
        SerevalError: a hypothesis without times; an id with a blank.
    """
    return "".join(line for one in found.documents for line in _ctm(one, found.context))


def _ctm(one: DocumentAlignment, context: int | None) -> Iterator[str]:
    id, times = one.id, one.hypothesis.times
    if times is None:
        raise SerevalError(f"{id}: the hypothesis has no times, expected them for CTM")
    if len(id.split()) != 1:
        raise SerevalError(f"{id!r}: found a blank in the id of a document, expected none for CTM")
    for block in _shown(one, context):
        for op, ref, hyp in _operations(block):
            at = times[hyp - 1][1] if hyp else 0
            start, end = (at, at) if op == DELETION else times[hyp]
            yield " ".join(
                (
                    *(id, "1", f"{start / 1000:.3f}", f"{(end - start) / 1000:.3f}"),
                    _NOTHING if op == DELETION else one.hypothesis.words[hyp],
                    *("1.00", _NOTHING if op == INSERTION else one.reference.words[ref]),
                    f"{_EDITS[CORRECT if block.op == CORRECT else op]}\n",
                )
            )


def _operations(block: Block) -> Iterator[tuple[str, int, int]]:
    """The operations of the single words of a block: its pairs in order, then the other words."""
    (i, j), (k, m), op, _ = block
    if op == PUNCTUATION:
        return
    pairs = min(j - i, m - k)
    yield from ((op, i + x, k + x) for x in range(pairs))
    yield from ((DELETION, r, m) for r in range(i + pairs, j))
    yield from ((INSERTION, j, h) for h in range(k + pairs, m))
