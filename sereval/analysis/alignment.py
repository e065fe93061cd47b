"""The alignment of the words of two documents, as it is shown.

By ``text`` it is the alignment that gives the word error rate, so its errors are those of ``WER``.
By ``phones``, and by ``text`` cut by times, it is the alignment that a projection uses, in which
several words may be aligned with several. By ``time`` words that were said at the same time are
paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..alignment.blocks import CORRECT, PUNCTUATION, Block
from ..alignment.lattice import ReadingChoice
from ..alignment.normalise import Forms
from ..alignment.tiles import blocks_of_words
from ..alignment.time import operations_by_time
from ..alignment.words import WordOperation, WordOperations, word_operations
from ..corpus.pairs import Pair
from ..documents.checks import Alternative
from ..documents.model import Document
from ..errors import SerevalError
from ..evaluation.settings import CUTS, ByWords, Signature
from ..evaluation.words import transcripts
from ..mapping.search import MAX_STATES
from ..measures.words import WordErrors
from ..version import __version__

PAIRS = 3
"""How many pairs of words may share time for each state of ``max_states``."""


def alignment_signature(
    through: ByWords | None, *, alternatives: Iterable[Alternative] = ()
) -> Signature:
    """All names and values that can change an alignment.

    Args:
        through: as for :func:`document_alignment`.
        alternatives: the alternatives of the references; only an alignment by text uses them.

    >>> print(alignment_signature(None))
    align|by:time|version:0.1.0
    """
    parts = [("by", "time")] if through is None else [*through.alignment]
    if through is not None and through.by == "text" and any(alternatives):
        parts.append(("alternatives", "cheapest"))
    return Signature([("align", None), *parts, ("version", __version__)])


@dataclass(frozen=True, slots=True)
class DocumentAlignment:
    """The alignment of the words of one document.

    Args:
        reference, hypothesis: both sides.
        blocks: words of both sides that are aligned, from the first to the last; words that are
            not compared are blocks of punctuation.
        errors: the words by outcome.
        slack: the most that the alignment may cost beyond the cheapest, in its weights.
        chosen: the stretches of the reference that are counted in another reading.
    """

    reference: Document
    hypothesis: Document
    blocks: tuple[Block, ...]
    errors: WordErrors
    slack: int = 0
    chosen: tuple[ReadingChoice, ...] = ()

    @property
    def id(self) -> str:
        """The document's name."""
        return self.reference.id

    def stretches(self, context: int | None = None) -> list[tuple[Block, ...]]:
        """The parts of the alignment around errors, in order.

        Args:
            context: how many blocks without an error are kept on either side of an error; ``None``:
                all.

        Returns:
            Parts that do not touch; none if there is no error.

        >>> words = ("a", "b", "c", "d")
        >>> pair = Document("d", words), Document("d", ("a", "b", "x", "d"))
        >>> found = document_alignment(pair, ByWords())
        >>> [[block.op for block in part] for part in found.stretches(1)]
        [['correct', 'substitution', 'correct']]
        """
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
    """The alignment of the words of a pair.

    Args:
        pair: a reference and a hypothesis.
        through: how words are aligned, by text or by phones; ``None``: by time.
        max_states: by time, a third of the number of pairs of words that may share time.

    Raises:
        SerevalError: as ``transcripts``; a side without times, by time; a package or a language
            that is missing, by phones.

    >>> pair = Document("d", ("It's", "a", "dog.")), Document("d", ("its", "dock"))
    >>> document_alignment(pair, ByWords()).errors
    WordErrors(correct=1, S=1, D=1, I=0)
    """
    reference, hypothesis = sides = transcripts(pair)
    if through is None:
        operations = _by_time(reference, hypothesis, PAIRS * max_states)
    elif through.by == "text" and through.cut == CUTS[0]:
        words = reference.words, hypothesis.words
        operations = word_operations(
            *words, through.weights, through.normalise, reference.alternatives
        )
    else:
        found = through.align_documents(reference, hypothesis)
        errors = WordErrors.of(found.counts)
        return DocumentAlignment(*sides, found.blocks, errors, found.slack)
    blocks = tuple(_blocks(operations, reference.words, hypothesis.words))
    errors = WordErrors.of(operations.counts)
    return DocumentAlignment(*sides, blocks, errors, operations.slack, operations.chosen)


def _by_time(reference: Document, hypothesis: Document, most: int) -> WordOperations:
    if reference.times is None or hypothesis.times is None:
        side = "reference" if reference.times is None else "hypothesis"
        raise SerevalError(
            f"{reference.id}: the {side} has no times, expected them, or an alignment by text"
        )
    times = reference.times, hypothesis.times
    try:
        return operations_by_time(reference.words, hypothesis.words, times, most_shared=most)
    except SerevalError as error:
        raise SerevalError(f"{reference.id}: {error}, or a larger --max-states") from None


def _blocks(
    operations: WordOperations, reference: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[Block]:
    """Operations as blocks, with the words that are in none as blocks of punctuation."""
    if any(_is_rewritten(side) for side in operations.sides):
        of_forms = list(_of_forms(operations.operations))
        yield from blocks_of_words(of_forms, operations.sides, (reference, hypothesis))
        return
    i = k = 0
    for op, ref, hyp in operations.operations:
        j, m = (i if ref is None else ref), (k if hyp is None else hyp)
        yield from _punctuation(reference, hypothesis, (i, j), (k, m))
        i, k = (j if ref is None else j + 1), (m if hyp is None else m + 1)
        yield Block((j, i), (m, k), op)
    yield from _punctuation(reference, hypothesis, (i, len(reference)), (k, len(hypothesis)))


def _is_rewritten(forms: Forms) -> bool:
    """Whether some form comes from several words, or several forms from one."""
    return len({*forms.spans}) < len(forms.spans) or any(b - a > 1 for a, b in forms.spans)


def _of_forms(operations: Sequence[WordOperation]) -> Iterator[Block]:
    """Operations as blocks of forms in place of words."""
    i = k = 0
    for op, ref, hyp in operations:
        j, m = i + (ref is not None), k + (hyp is not None)
        yield Block((i, j), (k, m), op)
        i, k = j, m


def _punctuation(
    reference: Sequence[str], hypothesis: Sequence[str], ref: tuple[int, int], hyp: tuple[int, int]
) -> Iterator[Block]:
    """Blocks of the words that are not compared; equal words at the same place share a block."""
    for r, h in zip_longest(range(*ref), range(*hyp)):
        if r is not None and h is not None and reference[r] == hypothesis[h]:
            yield Block((r, r + 1), (h, h + 1), PUNCTUATION)
            continue
        if h is not None:
            yield Block((ref[1] if r is None else r,) * 2, (h, h + 1), PUNCTUATION)
        if r is not None:
            yield Block((r, r + 1), (hyp[1] if h is None else h + 1,) * 2, PUNCTUATION)
