"""The alignment of the words of two documents, as it is shown.

By ``text`` it is the alignment that gives the word error rate, so its errors are those of ``WER``.
By ``phones``, and by ``text`` cut by times, it is the alignment that a projection uses, in which
several words may be aligned with several. By ``time`` words that were said at the same time are
paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ..alignment.blocks import (
    CORRECT,
    DELETION,
    INSERTION,
    PUNCTUATION,
    SUBSTITUTION,
    Block,
    WordAlignment,
    of_words,
)
from ..alignment.normalise import equal_by
from ..alignment.words import ReadingChoice, WordOperations, operations_by_time, word_operations
from ..corpus.corpus import Pair
from ..documents.model import Alternative, Document, Time
from ..errors import SerevalError, one_line
from ..evaluation.report import ERRORS, errors_cells
from ..evaluation.settings import CUTS, ByWords, Signature
from ..evaluation.words import DocumentErrors, WordErrors, WordParts, WordScore, transcripts
from ..mapping.search import MAX_STATES
from ..render.picture import NARROWEST, Column, pieces
from ..render.report import (
    Line,
    Look,
    Report,
    Reported,
    clip,
    filled,
    lines,
    percent,
    row,
    rows,
    size,
    styled,
)

LETTERS = {SUBSTITUTION: "S", DELETION: "D", INSERTION: "I"}
NOTHING = "<eps>"
EDITS = {CORRECT: "cor", SUBSTITUTION: "sub", DELETION: "del", INSERTION: "ins"}
"""How CTM writes a word that one side lacks, and the operations."""

STYLES = {SUBSTITUTION: "yellow", DELETION: "red", INSERTION: "cyan", PUNCTUATION: "dim"}
GAP = "*"
"""Fills the place of a word that one side lacks."""

SKIPPED = "…"
"""Stands for the words between two errors that are not shown."""

UNIT = 1000
"""The duration of a word without a time, in ms."""

PAIRS = 3
"""How many pairs of words may share time for each state of ``max_states``."""


def alignment_signature(
    through: ByWords | None, *, alternatives: Iterable[Alternative] = ()
) -> Signature:
    """All names and values that can change an alignment."""
    parts = [("by", "time")] if through is None else [*through.alignment]
    if through is not None and through.by == "text" and any(alternatives):
        parts.append(("alternatives", "cheapest"))
    return Signature.of(("align", None), *parts)


@dataclass(frozen=True, slots=True)
class DocumentAlignment:
    """The alignment of the words of one document."""

    reference: Document
    hypothesis: Document
    # from the first word to the last; words that are not compared are blocks of punctuation
    blocks: tuple[Block, ...]
    errors: DocumentErrors
    # the stretches of the reference that are counted in another reading
    chosen: tuple[ReadingChoice, ...] = ()

    @property
    def id(self) -> str:
        """The document's name."""
        return self.reference.id

    def stretches(self, context: int | None = None) -> list[tuple[Block, ...]]:
        """The parts of the alignment around errors, in order."""
        if context is None:
            return [self.blocks] if self.blocks else []
        parts: list[tuple[int, int]] = []
        for k, block in enumerate(self.blocks):
            if block.op in (CORRECT, PUNCTUATION):
                continue
            start, end = max(0, k - context), min(len(self.blocks), k + context + 1)
            if parts and start <= parts[-1][1]:
                start = parts.pop()[0]
            parts.append((start, end))
        return [self.blocks[start:end] for start, end in parts]


def document_alignment(
    pair: Pair, through: ByWords | None, max_states: int = MAX_STATES
) -> DocumentAlignment:
    """The alignment of the words of a pair."""
    reference, hypothesis = sides = transcripts(pair)
    has_readings = through is not None and through.by == "text"
    readings = len(reference.alternatives) if has_readings else 0
    words = reference.words, hypothesis.words
    found: WordOperations | WordAlignment
    if through is None:
        if reference.times is None or hypothesis.times is None:
            side = "reference" if reference.times is None else "hypothesis"
            raise SerevalError(
                f"{reference.id}: the {side} has no times, expected them, or an alignment by text"
            )
        times, most = (reference.times, hypothesis.times), PAIRS * max_states
        try:
            found = operations_by_time(*words, times, most_shared=most)
        except SerevalError as error:
            raise SerevalError(f"{reference.id}: {error}, or a larger --max-states") from None
    elif through.by == "text" and through.cut == CUTS[0]:
        found = word_operations(*words, through.weights, through.normalise, reference.alternatives)
    else:
        found = through.align_documents(reference, hypothesis)
    if isinstance(found, WordOperations):
        of_forms = chain.from_iterable(run.singly for run in found.runs)
        blocks, chosen = of_words(of_forms, found.sides, words), found.chosen
    else:
        blocks, chosen = found.blocks, ()
    errors = WordParts(WordErrors.of(found.counts))
    told = DocumentErrors(reference.id, errors, found.slack, readings, len(chosen))
    return DocumentAlignment(*sides, blocks, told, chosen)


# The report

FORMS = {
    "operations": rows(
        *("document text", "operation text", "reference texts", "hypothesis texts"),
        *("ref_start integer", "ref_end integer", "ref_start_time number s"),
        *("ref_end_time number s", "hyp_start integer", "hyp_end integer"),
        *("hyp_start_time number s", "hyp_end_time number s"),
    ),
    "documents": rows("document text", *ERRORS),
    "total": row(*ERRORS),
    "rules": rows("document text", "start integer", "end integer", "rules texts"),
    "readings": rows("document text", "start integer", "end integer", "reading texts"),
}
"""The tables of the report; starts and ends are frontiers of words."""


@dataclass(frozen=True, slots=True, repr=False)
class Alignments(Reported):
    """The alignments of a report, in the order of the ids of their documents."""

    documents: Sequence[DocumentAlignment]
    signature: Signature
    context: int | None = None  # words without an error shown on either side of an error; None: all

    @property
    def score(self) -> WordScore:
        """The word errors of all documents."""
        return WordScore(tuple(one.errors for one in self.documents))

    def report(self) -> Report:
        """The operations of each document, and the word errors."""
        tables = filled(
            FORMS,
            operations=(_row(one, block) for one in self.documents for block in self._shown(one)),
            rules=(
                (one.id, *block.ref, rules)
                for one in self.documents
                for block in self._shown(one)
                if (rules := self._rules(one, block))
            ),
            documents=((one.id, *errors_cells(one.errors.parts.words)) for one in self.documents),
            total=[errors_cells(self.score.total)],
            readings=((one.id, *each) for one in self.documents for each in one.chosen),
        )
        return Report("align", tables, self._text, self.signature, self.score.notes)

    def _rules(self, one: DocumentAlignment, block: Block) -> list[str]:
        """The rules by which words that differ are equal as values."""
        if block.op != CORRECT:
            return []
        ours, theirs = (
            " ".join(side.words[slice(*span)])
            for side, span in ((one.reference, block.ref), (one.hypothesis, block.hyp))
        )
        return equal_by(dict(self.signature).get("normalise") or "", ours, theirs)

    def _shown(self, one: DocumentAlignment) -> Iterator[Block]:
        return (block for part in one.stretches(self.context) for block in part)

    def _mark(self, one: DocumentAlignment, block: Block) -> str:
        """The letters of the errors of a block, or the rules by which its words are equal."""
        if block.op == CORRECT:
            found = ", ".join(self._rules(one, block))
            return f"= {found}" if found else ""
        return "".join(LETTERS[op] for op, _, _ in _operations(block) if op in LETTERS)

    def _text(self, look: Look) -> Iterator[str]:
        """Both sides one above the other, with a letter under each error, and the totals."""
        for one in self.documents:
            yield styled(clip(one.id, look.width), "bold").render(look.colour)
            yield ""
            for part in self._lines(one, max(look.width, NARROWEST)):
                yield from (line.render(look.colour) for line in part)
                yield ""
        table: list[tuple[str, ...]] = [("", "words", "correct", "S", "D", "I", "WER")]
        table += [_cells(clip(one.id), one.errors.parts.words) for one in self.documents]
        if len(self.documents) != 1:
            table.append(_cells("all", self.score.total))
        yield from lines(table)
        yield ""
        yield from map(one_line, self.score.notes)
        yield str(self.signature)

    def _lines(self, one: DocumentAlignment, width: int) -> Iterator[list[Line]]:
        """The lines of a document, in groups: reference, hypothesis, and marks if any."""
        gutter = len(f"{len(one.reference.words)} ref ")
        columns = list(self._columns(one, width - gutter))
        numbered = [column._replace(at=k) for k, column in enumerate(columns)]
        for piece in pieces(numbered, gutter, width, narrowest=1):
            ref, hyp, below = piece.words
            number = f"{columns[piece.columns[0].at].at} ref "
            ref.put(gutter - len(number), number, "dim")
            hyp.put(gutter - len("hyp "), "hyp ", "dim")
            yield [ref, hyp, below] if below.render() else [ref, hyp]

    def _columns(self, one: DocumentAlignment, room: int) -> Iterator[Column]:
        """Each block at its place in the reference; words not shown have one column together."""
        sides = one.reference.words, one.hypothesis.words
        breaks = {*one.reference.breaks}
        for part in one.stretches(self.context):
            if part[0].ref[0] or part[0].hyp[0]:
                yield Column(part[0].ref[0], (SKIPPED, SKIPPED, ""), "dim")
            for block in part:
                (i, j), (k, m), op, _ = block
                ref, hyp = (clip(" ".join(words), room) for words in (sides[0][i:j], sides[1][k:m]))
                if op != PUNCTUATION:
                    ref, hyp = ref or GAP * size(hyp), hyp or GAP * size(ref)
                begins = i in breaks and i < j  # an utterance of the reference
                yield Column(i, (ref, hyp, self._mark(one, block)), STYLES.get(op, ""), begins)
                breaks -= {i} if begins else set()

    def ctm(self) -> Iterator[str]:
        """CTM with the operations: a line for each word, with the times of the hypothesis."""
        for one in self.documents:
            id, times = one.id, one.hypothesis.times
            if times is None:
                raise SerevalError(f"{id}: the hypothesis has no times, expected them for CTM")
            if len(id.split()) != 1:
                raise SerevalError(
                    f"{id!r}: found a blank in the id of a document, expected none for CTM"
                )
            every = ((block.op, each) for block in self._shown(one) for each in _operations(block))
            for of_block, (op, ref, hyp) in every:
                at = times[hyp - 1][1] if hyp else 0
                start, end = (at, at) if op == DELETION else times[hyp]
                yield " ".join(
                    (
                        *(id, "1", f"{start / 1000:.3f}", f"{(end - start) / 1000:.3f}"),
                        NOTHING if op == DELETION else one.hypothesis.words[hyp],
                        *("1.00", NOTHING if op == INSERTION else one.reference.words[ref]),
                        f"{EDITS[CORRECT if of_block == CORRECT else op]}\n",
                    )
                )


def _row(one: DocumentAlignment, block: Block) -> tuple[Any, ...]:
    """A block under the columns of ``operations``; a side without words has no place."""
    sides = (one.reference, block.ref), (one.hypothesis, block.hyp)
    words = (side.words[i:j] for side, (i, j) in sides)
    places = (each for side, span in sides for each in _place(side, span))
    return (one.id, block.op, *words, *places)


def _place(document: Document, span: tuple[int, int]) -> tuple[int | float | None, ...]:
    """The span of a side and its times in seconds."""
    if span[0] == span[1]:
        return (None,) * 4
    if document.times is None:
        return (*span, None, None)
    starts, ends = zip(*document.times[slice(*span)], strict=True)
    return (*span, min(starts) / 1000, max(ends) / 1000)


def _cells(name: str, errors: WordErrors) -> tuple[str, ...]:
    return (name, *map(str, (errors.ref, *errors)), percent(errors.rate))


def _operations(block: Block) -> Iterator[tuple[str, int, int]]:
    """The operations of the single words of a block: its pairs in order, then the other words."""
    (i, j), (k, m), op, _ = block
    if op == PUNCTUATION:
        return
    pairs = min(j - i, m - k)
    yield from ((op, i + x, k + x) for x in range(pairs))
    yield from ((DELETION, r, m) for r in range(i + pairs, j))
    yield from ((INSERTION, j, h) for h in range(k + pairs, m))


def in_step(blocks: Sequence[Block]) -> tuple[list[Time], list[Time]]:
    """Times for the aligned words of two sides without times; a block's words share its time."""
    both: tuple[list[Time], list[Time]] = ([], [])
    at = 0
    for block in blocks:
        counts = [end - start for start, end in (block.ref, block.hyp)]
        lasts = UNIT * max(counts)
        for times, count in zip(both, counts, strict=True):
            edges = [at + lasts * k // max(count, 1) for k in range(count + 1)]
            times += zip(edges, edges[1:], strict=False)
        at += lasts
    return both
