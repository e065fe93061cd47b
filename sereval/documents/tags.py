r"""IOB tags: one tag for each word, and the phrases that the tags spell.

:func:`phrases` reads any tags as conlleval does. :data:`SCHEMES` define which tags are well formed.
This module neither refuses nor mends ill-formed tags: :func:`misplaced` lists them for a report.

Source: Ramshaw & Marcus 1995 (IOB1); Tjong Kim Sang & Buchholz 2000 (conlleval); Ratinov & Roth
2009 (BILOU).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ..errors import SerevalError
from .model import Document, Element, changed

OUTSIDE = "O"

WRITABLE = {"iob2": "BIIB", "iob1": "IIII", "iobes": "BIES", "bilou": "BILU"}
"""By scheme, the prefixes of the first, an inner, the last and the only word of a phrase."""

SCHEMES = (*WRITABLE, "conlleval")
"""The schemes of tags that are read. ``conlleval`` accepts any tag at any place."""

KEPT = ("outermost", "innermost")
"""The elements of a tree that one column can hold."""

_UNIFORM = {"L": "E", "U": "S"}  # BILOU's letters for the E and the S of IOBES

# conlleval's rules, as pairs of the prefix before and the prefix after a frontier. A new label
# and the brackets, whose phrases have one word, add to these rules.
_STARTS = frozenset(tuple(pair) for pair in ("BB", "IB", "OB", "OI", "EE", "EI", "OE"))
_ENDS = frozenset(tuple(pair) for pair in ("BB", "BO", "IB", "IO", "EE", "EI", "EO"))
_NEUTRAL = frozenset({"O", "."})
_BRACKETS = frozenset({"[", "]"})


Phrase = tuple[str, int, int]
"""A labelled span of words: the part of its tags after the first ``-``, and its frontiers."""


class Tags(NamedTuple):
    """The tags of a document's words, as its file has them."""

    tags: tuple[str, ...]  # one for each word
    breaks: tuple[int, ...] = ()  # frontiers at which a new sentence begins, within 1 … n-1
    scheme: str = "iob2"  # one of SCHEMES
    elements: tuple[Element, ...] = ()  # as the tags give them

    @property
    def iob(self) -> tuple[str, ...]:
        """The tags for conlleval: IOBES and BILOU are written as IOB2, other tags are unchanged."""
        if self.scheme not in ("iobes", "bilou"):
            return self.tags
        return tuple(tag for _, part in sentences(self.tags, self.breaks) for tag in _as_iob2(part))

    @property
    def phrases(self) -> list[Phrase]:
        """The phrases that the tags spell; each phrase ends at a break at the latest."""
        parts = sentences(self.iob, self.breaks)
        return [phrase for offset, part in parts for phrase in phrases(part, offset)]

    def joined(self) -> tuple[str, ...]:
        """The tags of :attr:`iob` without breaks: a phrase after a break begins with B."""
        tags = list(self.iob)
        for k in self.breaks:
            before, after = tags[k - 1 : k + 1]
            if edge(OUTSIDE, after)[1] and not edge(before, after)[1]:
                tags[k] = f"B-{split(after)[1]}"
        return tuple(tags)

    def spell(self, document: Document) -> bool:
        """Whether the tags still give the elements of a document, which may have changed since."""
        return self.elements == document.elements and len(self.tags) == len(document.words)


@lru_cache(maxsize=1 << 12)  # few tags differ
def split(tag: str) -> tuple[str, str]:
    """Prefix and label of a tag; the first hyphen separates them."""
    prefix, _, label = tag.partition("-")
    return prefix, label


@lru_cache(maxsize=1 << 14)
def edge(before: str, after: str) -> tuple[bool, bool]:
    """Whether a phrase ends and whether one starts between two tags, by conlleval's rules."""
    (left, left_label), (right, right_label) = split(before), split(after)
    is_other = left_label != right_label
    return (
        (left, right) in _ENDS or left in _BRACKETS or (is_other and left not in _NEUTRAL),
        (left, right) in _STARTS or right in _BRACKETS or (is_other and right not in _NEUTRAL),
    )


def phrases(tags: Sequence[str], offset: int = 0) -> list[Phrase]:
    """The phrases of one sentence, as conlleval reads them."""
    spelt: list[Phrase] = []
    start: int | None = None
    before = OUTSIDE
    for k, tag in enumerate(tags):
        if tag == OUTSIDE and before == OUTSIDE:
            continue  # nothing ends or starts here
        ends, starts = edge(before, tag)
        if starts and not ends and start is not None:  # conlleval counts one of the two
            raise SerevalError(
                f"found {tag!r} after {before!r}, a bracket inside an entity, expected B-, or the "
                "end of the entity before it"
            )
        before = tag
        if start is not None and (ends or starts):
            spelt.append((split(tags[start])[1], start + offset, k + offset))
            start = None
        if starts:
            start = k
    if start is not None:  # the last phrase ends with the sentence
        spelt.append((split(tags[start])[1], start + offset, len(tags) + offset))
    return spelt


def sentences(tags: Sequence[str], breaks: Sequence[int]) -> Iterator[tuple[int, Sequence[str]]]:
    """The first frontier of each sentence, and its tags."""
    for start, end in pairwise((0, *breaks, len(tags))):
        yield start, tags[start:end]


def foreign(tags: Sequence[str], scheme: str) -> int | None:
    """The index of the first tag that is not a tag of a scheme; ``None``: there is none."""
    if scheme == "conlleval":
        return None
    if scheme not in WRITABLE:
        raise SerevalError(f"found {scheme!r}, expected one of {', '.join(SCHEMES)}")
    alphabet, wrong = {OUTSIDE, "B", *WRITABLE[scheme]}, set()
    for tag in {*tags}:  # few tags differ
        prefix, label = split(tag)
        if prefix not in alphabet or not (tag == OUTSIDE or (prefix != OUTSIDE and label)):
            wrong.add(tag)
    return next((k for k, tag in enumerate(tags) if tag in wrong), None) if wrong else None


def detect(tags: Sequence[str], breaks: Sequence[int] = ()) -> tuple[str | None, int]:
    """The scheme that has all of some tags, with the fewest misplaced, and how many these are."""
    different = list(set(tags))  # their order does not matter
    best: str | None = None
    fewest = len(tags) + 1
    for scheme in WRITABLE:
        if fewest and foreign(different, scheme) is None:
            wrong = len(misplaced(tags, breaks, scheme))
            if wrong < fewest:
                best, fewest = scheme, wrong
    return best, fewest


def misplaced(tags: Sequence[str], breaks: Sequence[int], scheme: str) -> list[int]:
    """The words whose tags the scheme does not allow at their places."""
    if scheme == "conlleval" or not tags:
        return []
    neighbours = {*pairwise(tags)}  # few differ; with some of different sentences
    neighbours |= {(OUTSIDE, tags[k]) for k in (0, *breaks)}
    neighbours |= {(tags[k - 1], OUTSIDE) for k in (*breaks, len(tags))}
    if all(_culprit(scheme, *pair) is None for pair in neighbours):
        return []
    return sorted(
        {
            offset + k + word
            for offset, part in sentences(tags, breaks)
            for k, pair in enumerate(pairwise((OUTSIDE, *part, OUTSIDE)))
            if (word := _culprit(scheme, *pair)) is not None
        }
    )


MISPLACED = "tags{} that {} does not allow where they stand, read all the same"
"""The note on such words."""


def _uniform(tag: str) -> tuple[str, str]:
    """Prefix and label of a tag, in the letters of IOBES."""
    prefix, label = split(tag)
    return _UNIFORM.get(prefix, prefix), label


@lru_cache(maxsize=1 << 14)
def _culprit(scheme: str, left: str, right: str) -> int | None:
    """Which of two neighbours is misplaced: -1 the left one, 0 the right one."""
    (before, label), (after, other) = _uniform(left), _uniform(right)
    goes_on = before in "BI" and label == other
    if scheme in ("iob1", "iob2"):
        return 0 if after == ("I" if scheme == "iob2" else "B") and not goes_on else None
    if after in "IE":
        return None if goes_on else 0
    return -1 if before in "BI" else None


def _as_iob2(tags: Sequence[str]) -> list[str]:
    """A sentence of IOBES or BILOU in IOB2; a tag that continues no phrase begins one."""
    parts = [_uniform(tag) for tag in (OUTSIDE, *tags)]
    found = []
    for before, (prefix, label) in pairwise(parts):
        goes_on = prefix in "IE" and before[0] in "BI" and before[1] == label
        found.append(OUTSIDE if prefix == OUTSIDE else f"{'I' if goes_on else 'B'}-{label}")
    return found


def flat(document: Document, elements: str | None = None) -> tuple[Document, int]:
    """A document whose elements fit in one column, and the number of elements left out."""
    if elements is not None and elements not in KEPT:
        raise SerevalError(f"elements {elements!r}, expected one of {', '.join(KEPT)}")
    if document.mentions:
        raise SerevalError(f"{document.id}: mentions without places, which no column can hold")
    parents = {element.parent for element in document.elements}
    inner = next((e for e in document.elements if e.parent is not None), None)
    if elements is None and inner is not None and inner.parent is not None:
        raise SerevalError(
            f"{document.id}: element {inner} is inside {document.elements[inner.parent]}, and a "
            "column holds no trees, expected a choice of elements (--elements): "
            f"{' or '.join(KEPT)}"
        )
    kept = tuple(
        element.labelled(element.labels, None)
        for k, element in enumerate(document.elements)
        if (k not in parents if elements == "innermost" else element.parent is None)
    )
    return changed(document, elements=kept), len(document.elements) - len(kept)


def spell_tags(
    elements: Iterable[Element], count: int, scheme: str = "iob2", breaks: Container[int] = ()
) -> tuple[str, ...]:
    """The tags that spell elements, none of which is inside another."""
    if scheme not in WRITABLE:
        raise SerevalError(f"found {scheme!r}, expected one of {', '.join(WRITABLE)}")
    first, inside, last, sole = tuple(WRITABLE[scheme])
    tags = [OUTSIDE] * count
    for one in elements:
        label, start, end = one.label, one.start, one.end
        is_sole = end == start + 1
        prefixes = sole if is_sole else f"{first}{inside * (end - start - 2)}{last}"
        touches = start > 0 and start not in breaks and split(tags[start - 1])[1] == label
        if scheme == "iob1" and touches:
            prefixes = f"B{prefixes[1:]}"
        tags[start:end] = [f"{prefix}-{label}" for prefix in prefixes]
    return tuple(tags)


def iob2_of(document: Document) -> Tags:
    """The elements of a flat document in IOB2."""
    spelt = spell_tags(document.elements, len(document.words))
    return Tags(spelt, elements=document.elements)
