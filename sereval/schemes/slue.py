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
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..corpus.corpus import Scorer
from ..documents.model import Mention
from ..evaluation.settings import Settings
from .lists import Lists, list_scorer
from .result import DocumentFigures, Verdict, one_alone, verdicts


def slue(settings: Settings) -> Scorer:
    """Score documents by their labels and texts."""
    return list_scorer("slue", settings, _verdicts, notes=_notes)


def _notes(found: Sequence[DocumentFigures]) -> Iterator[str]:
    """The note on texts whose accents are composed differently."""
    if composed := sum(one.facts for one in found):
        yield (
            "Hypothesis: texts with accents composed otherwise than the reference's (NFC, NFD), "
            f"taken as equal: {composed}."
        )


def _verdicts(lists: Lists, _: Settings) -> Iterator[Verdict]:
    """The verdicts of both figures; in both, equal labels and texts are paired first."""
    same = _pair(enumerate(lists.ours), enumerate(lists.theirs), lambda one: one)
    taken = {*same.values()}
    rest = (
        [(r, one) for r, one in enumerate(lists.ours) if r not in same],
        [(h, one) for h, one in enumerate(lists.theirs) if h not in taken],
    )
    any_text = same | _pair(*rest, lambda one: one.label)
    for name, pairs in (("entity", same), ("label", any_text)):
        yield from verdicts(lists.labels, pairs, lists.correct(name), one_alone(name))


def _pair(
    ours: Iterable[tuple[int, Mention]],
    theirs: Iterable[tuple[int, Mention]],
    key: Callable[[Mention], object],
) -> dict[int, int]:
    """Pairs with equal keys, in order: the first mention with the first one of the other side."""
    free: dict[object, deque[int]] = {}
    for h, mention in theirs:
        free.setdefault(key(mention), deque()).append(h)
    return {r: free[key(one)].popleft() for r, one in ours if free.get(key(one))}
