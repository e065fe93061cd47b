"""Scheme ``slue``: F1 on labels and texts as unordered lists, without places.

The scheme has two figures, micro-averaged over documents (utterances in SLUE):

======= ===========================================================
figure  a hypothesis entity is correct if the reference has
======= ===========================================================
entity  an entity with the same label and the same text
label   an entity with the same label
======= ===========================================================

Both sides are multisets: an entity that both sides have twice is correct twice. No place is
compared, so the two sides need no words in common, and the right text in the wrong place is
correct. The text of an element is its words with spaces between them; a mention has its text. Two
texts are equal if they have the same characters, whether accents are composed (NFC) or not (NFD).

Source: Shon et al., "SLUE: New benchmark tasks for spoken language understanding evaluation on
natural speech", ICASSP 2022; the scheme counts as its toolkit does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.checks import canonical
from ..documents.model import Mention
from ..evaluation.settings import ByWords, Settings
from ..measures.figures import Figure
from ..measures.slots import Slot
from .lists import account_of, mentions_of, reference_of
from .result import DocumentFigures, SchemeScore, Verdict

FIGURES = ("entity", "label")


def slue(settings: Settings) -> Scorer:
    """Score documents by their labels and texts."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[tuple[DocumentFigures, int]], settings: Settings) -> SchemeScore:
    return SchemeScore.of(
        "slue",
        (figures for figures, _ in found),
        settings.reading_signature,
        tuple(_notes(sum(composed for _, composed in found))),
        words=replace(settings, through=ByWords()),
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> tuple[DocumentFigures, int]:
    """The figures of a document, and how many paired texts differ only in composed accents."""
    ours, theirs = mentions_of(reference_of(pair, "slue")), mentions_of(pair[1])
    account = account_of(pair, "slue", _verdicts(ours, theirs))
    composed = sum(ours[r] != theirs[h] for r, h in _pair(ours, theirs, _key).items())
    return DocumentFigures.of(account, settings), composed


def _notes(composed: int) -> Iterator[str]:
    """The note on texts whose accents are composed differently."""
    if composed:
        yield (
            "Hypothesis: texts with accents composed otherwise than the reference's (NFC, NFD), "
            f"taken as equal: {composed}."
        )


def _verdicts(ours: Sequence[Mention], theirs: Sequence[Mention]) -> Iterator[Verdict]:
    """The verdicts of both figures; in both, equal labels and texts are paired first."""
    same = _pair(ours, theirs, _key)
    others = [{*range(len(ours))} - {*same}, {*range(len(theirs))} - {*same.values()}]
    left, right = (sorted(side) for side in others)
    by_label = _pair(
        [ours[r] for r in left], [theirs[h] for h in right], lambda mention: mention.label
    )
    any_text = same | {left[r]: right[h] for r, h in by_label.items()}
    for name, pairs in zip(FIGURES, (same, any_text), strict=True):
        for r, mention in enumerate(ours):
            h = pairs.get(r)
            slot = Slot.DELETION if h is None else Slot.CORRECT if r in same else Slot.SPAN
            figure = Figure(mis=1) if h is None else Figure(cor=1)
            yield Verdict(slot, mention.label, r, h, {name: figure})
        for h in sorted({*range(len(theirs))} - {*pairs.values()}):
            yield Verdict(Slot.INSERTION, theirs[h].label, None, h, {name: Figure(spu=1)})


def _key(mention: Mention) -> Mention:
    """A label with its text as texts are compared."""
    return mention._replace(text=canonical(mention.text))


def _pair(
    ours: Sequence[Mention], theirs: Sequence[Mention], key: Callable[[Mention], object]
) -> dict[int, int]:
    """Pairs with equal keys, in order: the first mention with the first one of the other side."""
    free: dict[object, deque[int]] = {}
    for h, mention in enumerate(theirs):
        free.setdefault(key(mention), deque()).append(h)
    return {
        r: free[key(mention)].popleft() for r, mention in enumerate(ours) if free.get(key(mention))
    }
