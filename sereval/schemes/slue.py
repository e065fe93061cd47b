"""SLUE: F1 on labels and texts as unordered lists, without any place.

Two figures of one comparison, micro-averaged over documents, which are utterances in SLUE:

======= =============================================
figure  correct
======= =============================================
entity  a label with its text that the reference has
label   a label that the reference has
======= =============================================

Each is counted with multiplicity: what stands twice on both sides is right twice. There are no
places, so that the words of the two sides need have nothing in common, and the right text in the
wrong place is right. A text is the words of an element with spaces between them, or what a mention
says; texts are equal if they are the same characters, however their accents are composed.

Source: Shon et al., "SLUE: New benchmark tasks for spoken language understanding evaluation on
natural speech", ICASSP 2022; what its toolkit counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..documents.checks import canonical
from ..documents.mention import Mention
from ..documents.model import Document, Reference
from ..errors import SerevalError
from ..evaluation.settings import ByWords, Settings
from ..measures.figures import Figure
from ..measures.slots import Slot
from .result import Account, DocumentFigures, Options, SchemeScore, Verdict

FIGURES = ("entity", "label")


def slue(pairs: Pairs[Pair], settings: Settings, options: Options) -> SchemeScore:
    """Score documents by their labels and texts.

    Args:
        pairs: references and hypotheses, with elements or mentions, on any words.
        settings: only what labels are read as has a part in it.
        options: ``figure``.

    Raises:
        SerevalError: a fuzzy reference; a figure to look at elements by, and a reference that says
            no places.

    >>> from sereval.corpus.pairs import PairList
    >>> gold = Document("d", ("to", "Paris", "or", "Rome"), mentions=(
    ...     Mention("LOC", "Paris"), Mention("LOC", "Rome")))
    >>> found = Document("d", (), mentions=(Mention("LOC", "Rome"), Mention("LOC", "parrots")))
    >>> score = slue(PairList([(gold, found)]), Settings(), Options())
    >>> {name: figure.f() for name, figure in score.total.items()}
    {'entity': 0.5, 'label': 1.0}
    """
    found, composed = zip(*pairs.each(partial(_document, options=options)), strict=True)
    return SchemeScore.of(
        "slue",
        found,
        settings.reading_signature,
        tuple(_told(sum(composed))),
        words=replace(settings, through=ByWords()),
        figure=options.figure,
    )


def said(document: Document) -> list[Mention]:
    """Labels and texts of a document: of its elements, then its mentions.

    >>> from sereval import tree
    >>> said(Document("d", ("in", "New", "York"), tree([("LOC", 1, 3)])))
    [Mention(label='LOC', text='New York')]
    """
    elements = (
        Mention(element.label, " ".join(document.words[element.start : element.end]))
        for element in document.elements
    )
    return [*elements, *(document.mentions or ())]


def _document(pair: Pair, options: Options) -> tuple[DocumentFigures, int]:
    """Its figures, and how many texts are equal but for how their accents are composed."""
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference, slue takes none")
    if options.figure is not None and reference.mentions:
        raise SerevalError(
            f"{reference.id}: mentions in the reference, expected elements: only totals are "
            "made without places"
        )
    ours, theirs = said(reference), said(hypothesis)
    account = Account(
        reference, Reference.exact(reference), hypothesis, tuple(_verdicts(ours, theirs))
    )
    composed = sum(ours[r] != theirs[h] for r, h in _paired(ours, theirs, _key).items())
    return DocumentFigures.of(account, options), composed


def _told(composed: int) -> Iterator[str]:
    """What is said of texts whose accents are composed otherwise."""
    if composed:
        yield (
            "Hypothesis: texts with accents composed otherwise than the reference's (NFC, NFD), "
            f"taken as equal: {composed}."
        )


def _verdicts(ours: Sequence[Mention], theirs: Sequence[Mention]) -> Iterator[Verdict]:
    """What each label and text counts as; in either figure, pairs of the same text come first."""
    same = _paired(ours, theirs, _key)
    others = [{*range(len(ours))} - {*same}, {*range(len(theirs))} - {*same.values()}]
    left, right = (sorted(side) for side in others)
    by_label = _paired(
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
    """A label and a text as they are compared."""
    return mention._replace(text=canonical(mention.text))


def _paired(
    ours: Sequence[Mention], theirs: Sequence[Mention], key: Callable[[Mention], object]
) -> dict[int, int]:
    """Pairs of equal keys, the first with the first."""
    free: dict[object, deque[int]] = {}
    for h, mention in enumerate(theirs):
        free.setdefault(key(mention), deque()).append(h)
    return {
        r: free[key(mention)].popleft() for r, mention in enumerate(ours) if free.get(key(mention))
    }
