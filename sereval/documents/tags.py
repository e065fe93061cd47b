r"""IOB columns: a tag for each word, the phrases that tags spell, and documents made of them.

There are two ways to see phrases in tags. :func:`phrases` sees them as conlleval does, whatever
the tags are; :data:`SCHEMES` say which tags are well formed. Nothing is refused here for being
ill formed, and nothing is mended: :func:`misplaced` lists what is, for whoever reports it.

Source: Ramshaw & Marcus 1995 (IOB1); Tjong Kim Sang & Buchholz 2000 (conlleval); Ratinov & Roth
2009 (BILOU).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ..errors import SerevalError
from .checks import canonical
from .model import Document, Element, Note, Place

OUTSIDE = "O"

SCHEMES = ("iob2", "iob1", "iobes", "bilou", "conlleval")
"""What tags can be read as; ``conlleval`` takes any tag and calls none of them misplaced."""

KEPT = ("outermost", "innermost")
"""Which elements of a tree columns can hold."""

_UNIFORM = {"L": "E", "U": "S"}  # BILOU has its own letters for what IOBES ends and sole words have
_ALPHABETS = {
    "iob2": frozenset("OBI"),
    "iob1": frozenset("OBI"),
    "iobes": frozenset("OBIES"),
    "bilou": frozenset("OBILU"),
}

# conlleval's rules, as pairs of the prefix before and the prefix at hand; a new label and the
# brackets, whose phrases have one word, come on top of them
_STARTS = frozenset(tuple(pair) for pair in ("BB", "IB", "OB", "OI", "EE", "EI", "OE"))
_ENDS = frozenset(tuple(pair) for pair in ("BB", "BO", "IB", "IO", "EE", "EI", "EO"))
_NEUTRAL = frozenset({"O", "."})
_BRACKETS = frozenset({"[", "]"})


class Phrase(NamedTuple):
    """A labelled span of words, ``[start, end)``; the label is what follows the tag's ``-``."""

    label: str
    start: int
    end: int


class Edge(NamedTuple):
    """What a frontier between two tags is, in conlleval's eyes."""

    ends: bool
    starts: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Words with a tag each, as they stand in a file.

    Args:
        id: name of the document.
        words: in order.
        tags: one for each word.
        breaks: frontiers at which a new sentence begins, within ``1 … n-1``.
        scheme: one of :data:`SCHEMES`, or ``none`` where there were no tags and all are ``O``.
        is_detected: whether the tags themselves were asked for their scheme.
        has_docstart: whether ``-DOCSTART-`` lines parted the file into documents.
        is_sound: whether it is known that no tag is misplaced.
        spelt: its phrases, as ``plain_phrases`` finds them; ``None``: they are not known.
        lines: line of each word in its file, or empty. source: the file. Not part of the value.
        notes: what there is to say of its words. Not part of the value.

    Raises:
        SerevalError: as many tags as words are expected, and a tag that the scheme has.

    >>> Columns("d", ("Davide", "Rebellin"), ("B-PER", "I-PER")).phrases
    [Phrase(label='PER', start=0, end=2)]
    """

    id: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    breaks: tuple[int, ...] = ()
    scheme: str = "iob2"
    is_detected: bool = field(default=False, compare=False)
    has_docstart: bool = field(default=False, compare=False)
    is_sound: bool = field(default=False, compare=False, repr=False)
    spelt: Sequence[Phrase] | None = field(default=None, compare=False, repr=False)
    lines: Sequence[int] = field(default=(), compare=False, repr=False)
    source: str | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.tags) != len(self.words):
            raise SerevalError(f"{self.id}: {len(self.tags)} tags for {len(self.words)} words")
        unknown = foreign(self.tags, self.scheme) if self.spelt is None else None
        if unknown is not None:
            raise SerevalError(
                f"{self.id}: word {unknown} has the tag {self.tags[unknown]!r}, "
                f"expected one of {self.scheme}"
            )

    @property
    def iob(self) -> tuple[str, ...]:
        """The tags that conlleval is shown: as they stand, those of other alphabets as IOB2."""
        if self.scheme not in ("iobes", "bilou"):
            return self.tags
        return tuple(tag for _, part in sentences(self.tags, self.breaks) for tag in _as_iob2(part))

    @property
    def phrases(self) -> Sequence[Phrase]:
        """What the tags spell; no phrase goes on over a break."""
        if self.spelt is not None:
            return self.spelt
        return [
            phrase
            for offset, part in sentences(self.iob, self.breaks)
            for phrase in phrases(part, offset)
        ]

    def joined(self) -> tuple[str, ...]:
        """The tags of :attr:`iob` for a place without breaks: what began at one begins with B.

        >>> Columns("d", ("a", "b"), ("I-X", "I-X"), breaks=(1,), scheme="iob1").joined()
        ('I-X', 'B-X')
        """
        tags = list(self.iob)
        for k in self.breaks:
            before, after = split(tags[k - 1]), split(tags[k])
            if edge(("O", ""), after).starts and not edge(before, after).starts:
                tags[k] = f"B-{after[1]}"
        return tuple(tags)


@lru_cache(maxsize=1 << 12)  # tags come again, and so do neighbours
def split(tag: str) -> tuple[str, str]:
    """Prefix and label of a tag; only the first hyphen parts them.

    >>> split("B-name.last"), split("I-a-b"), split("O")
    (('B', 'name.last'), ('I', 'a-b'), ('O', ''))
    """
    prefix, _, label = tag.partition("-")
    return prefix, label


def edge(before: tuple[str, str], after: tuple[str, str]) -> Edge:
    """Whether a phrase ends and whether one starts between two tags, by conlleval's rules.

    Args:
        before, after: prefix and label; beyond either end of a sentence stands ``O``.

    >>> edge(split("B-PER"), split("I-PER")), edge(split("I-PER"), split("I-LOC"))
    (Edge(ends=False, starts=False), Edge(ends=True, starts=True))
    """
    (left, left_label), (right, right_label) = before, after
    is_other = left_label != right_label
    return Edge(
        (left, right) in _ENDS or left in _BRACKETS or (is_other and left not in _NEUTRAL),
        (left, right) in _STARTS or right in _BRACKETS or (is_other and right not in _NEUTRAL),
    )


def edge_at(tags: Sequence[str], k: int) -> Edge:
    """The edge at a frontier of a sentence, ``1 … n``; nothing stays open at its end."""
    return _edge(tags[k - 1], tags[k]) if k < len(tags) else Edge(ends=True, starts=False)


@lru_cache(maxsize=1 << 14)
def _edge(before: str, after: str) -> Edge:
    return edge(split(before), split(after))


def phrases(tags: Sequence[str], offset: int = 0) -> list[Phrase]:
    """The phrases of one sentence, as conlleval sees them.

    Args:
        tags: of its words; ill-formed ones have phrases too, ``I`` after ``O`` begins one.
        offset: number of words ahead of the sentence.

    >>> phrases(["O", "I-PER", "I-PER", "B-PER", "I-LOC"])
    [Phrase(label='PER', start=1, end=3), Phrase(label='PER', start=3, end=4), \
Phrase(label='LOC', start=4, end=5)]
    """
    spelt: list[Phrase] = []
    start: int | None = None
    before = OUTSIDE
    for k, tag in enumerate(tags):
        if tag == OUTSIDE and before == OUTSIDE:
            continue  # where nothing ends or starts
        ends, starts = _edge(before, tag)
        before = tag
        if start is not None and (ends or starts):
            spelt.append(Phrase(split(tags[start])[1], start + offset, k + offset))
            start = None
        if starts:
            start = k
    if start is not None:  # nothing stays open at the end
        spelt.append(Phrase(split(tags[start])[1], start + offset, len(tags) + offset))
    return spelt


def plain_phrases(tags: Sequence[str], breaks: Sequence[int] = ()) -> list[Phrase] | None:
    """The phrases of tags that are all of IOB2, none of them misplaced; ``None``: some are not.

    Nearly all files are such. Same as :func:`phrases` of each sentence, where :func:`foreign` and
    :func:`misplaced` find nothing in IOB2, of which this is all in one.

    >>> plain_phrases(["O", "B-X", "I-X"]), plain_phrases(["O", "I-X"])
    ([Phrase(label='X', start=1, end=3)], None)
    """
    spelt: list[Phrase] = []
    start = end = 0
    label = inside = ""
    for k, tag in enumerate(tags):
        if tag == OUTSIDE:
            continue
        if tag == inside and k == end:
            end += 1
            continue
        if end:
            spelt.append(Phrase(label, start, end))
        label, inside = _begun(tag)
        if not label:
            return None
        start, end = k, k + 1
    if end:
        spelt.append(Phrase(label, start, end))
    return None if any(tags[k].startswith("I") for k in breaks) else spelt


@lru_cache(maxsize=1 << 12)
def _begun(tag: str) -> tuple[str, str]:
    """The label of a phrase of IOB2 that begins with a tag, and the tag inside; else nothing."""
    prefix, label = split(tag)
    return (label, f"I-{label}") if prefix == "B" else ("", "")


def sentences(tags: Sequence[str], breaks: Sequence[int]) -> Iterator[tuple[int, Sequence[str]]]:
    """Where each sentence begins, and its tags.

    >>> list(sentences(["O", "O", "B-X"], (2,)))
    [(0, ['O', 'O']), (2, ['B-X'])]
    """
    for start, end in pairwise((0, *breaks, len(tags))):
        yield start, tags[start:end]


def foreign(tags: Sequence[str], scheme: str) -> int | None:
    """The first tag that a scheme does not have, well placed or not; ``None``: there is none.

    >>> foreign(["O", "B-X", "E-X"], "iob2"), foreign(["O", "B-X", "E-X"], "iobes")
    (2, None)
    """
    if scheme == "conlleval":
        return None
    alphabet = frozenset(OUTSIDE) if scheme == "none" else _alphabet(scheme)
    wrong = {tag for tag in set(tags) if not _is_in(alphabet, tag)}  # of few different ones
    return next((k for k, tag in enumerate(tags) if tag in wrong), None) if wrong else None


def _is_in(alphabet: frozenset[str], tag: str) -> bool:
    prefix, label = split(tag)
    return prefix in alphabet and (tag == OUTSIDE or (prefix != OUTSIDE and label != ""))


def _alphabet(scheme: str) -> frozenset[str]:
    if scheme not in _ALPHABETS:
        raise SerevalError(f"found {scheme!r}, expected one of {', '.join(SCHEMES)}")
    return _ALPHABETS[scheme]


def detect(tags: Sequence[str], breaks: Sequence[int] = ()) -> str | None:
    """The scheme that tags are in; ``None``: they belong to no one scheme.

    Args:
        tags: those of a whole file, so that one name holds for all of it.
        breaks: where sentences and documents begin.

    Returns:
        Of the schemes that have all of the tags, the one in which the fewest are misplaced; of
        several such schemes, the first.

    >>> detect(["B-X", "I-X"]), detect(["O", "I-X"]), detect(["S-X"]), detect(["U-X"])
    ('iob2', 'iob1', 'iobes', 'bilou')
    >>> detect(["B-X", "O", "I-X"]), detect(["I-X", "O", "I-X", "O", "B-X"])
    ('iob2', 'iob1')
    >>> detect(["S-X", "U-X"]) is None
    True
    """
    return fitting(tags, breaks)[0]


def fitting(tags: Sequence[str], breaks: Sequence[int]) -> tuple[str | None, bool]:
    """The same, and whether none of the tags is misplaced in it."""
    different = list(set(tags))  # in no order: none is asked for
    fewest: int | None = None
    best = None
    for scheme in _ALPHABETS:
        if foreign(different, scheme) is None:
            wrong = len(misplaced(tags, breaks, scheme))
            if fewest is None or wrong < fewest:
                fewest, best = wrong, scheme
            if not wrong:
                break
    return best, fewest == 0


def misplaced(tags: Sequence[str], breaks: Sequence[int], scheme: str) -> list[int]:
    """The words whose tags cannot stand where they stand.

    Args:
        scheme: IOB2 wants each phrase to begin with ``B``; IOB1 has ``B`` only to part a phrase
            from one of the same label before it; IOBES and BILOU want each phrase of several
            words ended.

    >>> misplaced(["O", "I-X", "I-Y"], (), "iob2"), misplaced(["B-X", "O"], (), "iobes")
    ([1, 2], [0])
    """
    if scheme in ("conlleval", "none"):
        return []
    parted = [OUTSIDE]  # all sentences, O on either side of each
    for _, part in sentences(tags, breaks):
        parted += [*part, OUTSIDE]
    blamed = {
        pair: word
        for pair in set(pairwise(parted))
        if (word := _blamed(scheme, _uniform(pair[0]), _uniform(pair[1]))) is not None
    }
    if not blamed:
        return []
    return sorted(
        {
            offset + k + blamed[pair]
            for offset, part in sentences(tags, breaks)
            for k, pair in enumerate(pairwise((OUTSIDE, *part, OUTSIDE)))
            if pair in blamed
        }
    )


def misplaced_note(columns: Columns, of: str = "") -> Note | None:
    """What there is to say of tags that are misplaced, for whoever reads them all the same.

    Args:
        of: which ones, ahead of what is wrong with them.

    >>> print(misplaced_note(Columns("d", ("a", "Dol"), ("O", "I-X"))).places[0])
    I-X at word 1 of d
    """
    is_sound = columns.is_sound
    wrong = [] if is_sound else misplaced(columns.tags, columns.breaks, columns.scheme)
    if not wrong:
        return None
    file, tags, lines = os.path.basename(columns.source or ""), columns.tags, columns.lines
    return Note(
        f"tags{of} that {columns.scheme} does not allow where they stand, read all the same",
        len(wrong),
        places=tuple(
            Place(tags[k], f"{file}:{lines[k]}", lines[k])
            if lines
            else Place(tags[k], f"word {k} of {columns.id}")
            for k in wrong
        ),
    )


def _uniform(tag: str) -> tuple[str, str]:
    """Prefix and label, in the letters of IOBES."""
    prefix, label = split(tag)
    return _UNIFORM.get(prefix, prefix), label


def _blamed(scheme: str, before: tuple[str, str], after: tuple[str, str]) -> int | None:
    """Which of two neighbours is misplaced: -1 the left one, 0 the right one."""
    goes_on = before[0] in "BI" and before[1] == after[1]
    if scheme == "iob2":
        return 0 if after[0] == "I" and not goes_on else None
    if scheme == "iob1":
        return 0 if after[0] == "B" and not goes_on else None
    if after[0] in "IE":
        return None if goes_on else 0
    return -1 if before[0] in "BI" else None


def _as_iob2(tags: Sequence[str]) -> list[str]:
    """A sentence of IOBES or BILOU in IOB2; a tag that goes on from nothing begins a phrase."""
    parts = [_uniform(tag) for tag in (OUTSIDE, *tags)]
    found = []
    for before, (prefix, label) in pairwise(parts):
        goes_on = prefix in "IE" and before[0] in "BI" and before[1] == label
        found.append(OUTSIDE if prefix == OUTSIDE else f"{'I' if goes_on else 'B'}-{label}")
    return found


def flat(document: Document, elements: str | None = None) -> tuple[Document, int]:
    """A document whose elements can stand in one column, and the number of those left out.

    Args:
        elements: ``outermost`` keeps those without parent, ``innermost`` those without
            children; ``None`` refuses documents in which some are inside others.

    Raises:
        SerevalError: an element inside another, and nothing said of which are kept.

    >>> from sereval.documents.model import tree
    >>> nested = Document("d", ("Jacques", "Chirac"), tree([("pers", 0, 2), ("name", 0, 1)]))
    >>> kept, left_out = flat(nested, "innermost")
    >>> kept.elements, left_out
    ((Element(label='name', start=0, end=1, parent=None),), 1)
    """
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
        Element(element.label, element.start, element.end, line=element.line)
        for k, element in enumerate(document.elements)
        if (k not in parents if elements == "innermost" else element.parent is None)
    )
    flattened = Document(
        document.id, document.words, kept, document.times, document.breaks, document.source
    )
    return flattened, len(document.elements) - len(kept)


WRITABLE = {"iob2": "BIIB", "iob1": "IIII", "iobes": "BIES", "bilou": "BILU"}
"""The prefixes of a phrase's first word, of those inside, of its last, and of a sole one."""


def spelt(
    phrases: Iterable[Phrase], count: int, scheme: str = "iob2", breaks: Sequence[int] = ()
) -> tuple[str, ...]:
    """The tags that spell phrases, of which no two share a word.

    Args:
        phrases: in order.
        count: of words.
        scheme: one of ``WRITABLE``.
        breaks: where sentences begin, none of them inside a phrase; in IOB1 only, they part two
            phrases of one label as well as ``B`` does.

    >>> spelt([Phrase("X", 0, 1), Phrase("X", 1, 3)], 4, "iob1")
    ('I-X', 'B-X', 'I-X', 'O')
    >>> spelt([Phrase("X", 0, 1), Phrase("X", 1, 3)], 4, "iobes")
    ('S-X', 'B-X', 'E-X', 'O')
    """
    if scheme not in WRITABLE:
        raise SerevalError(f"found {scheme!r}, expected one of {', '.join(WRITABLE)}")
    first, inside, last, sole = tuple(WRITABLE[scheme])
    tags = [OUTSIDE] * count
    for label, start, end in phrases:
        is_sole = end == start + 1
        prefixes = sole if is_sole else f"{first}{inside * (end - start - 2)}{last}"
        touches = start > 0 and start not in breaks and split(tags[start - 1])[1] == label
        if scheme == "iob1" and touches:
            prefixes = f"B{prefixes[1:]}"
        tags[start:end] = [f"{prefix}-{label}" for prefix in prefixes]
    return tuple(tags)


def columns_of(document: Document) -> Columns:
    """A flat document in IOB2. It needs no breaks: in IOB2 an element goes on over them.

    Raises:
        SerevalError: an element inside another.

    >>> from sereval.documents.model import Element
    >>> columns_of(Document("d", ("la", "FIAT", "SPA"), (Element("ORG", 1, 3),))).tags
    ('O', 'B-ORG', 'I-ORG')
    """
    document, _ = flat(document)
    found = [Phrase(element.label, element.start, element.end) for element in document.elements]
    tags = spelt(found, len(document.words))
    return Columns(document.id, document.words, tags, source=document.source)


def document_of(columns: Columns) -> Document:
    """The phrases as elements.

    >>> document_of(Columns("d", ("la", "FIAT"), ("O", "B-ORG"))).elements
    (Element(label='ORG', start=1, end=2, parent=None),)
    """
    elements = tuple(
        Element(label, start, end, line=columns.lines[start] if columns.lines else None)
        for label, start, end in columns.phrases
    )
    return Document(
        columns.id,
        columns.words,
        elements,
        breaks=columns.breaks,
        source=columns.source,
        notes=columns.notes,
    )


class Row(NamedTuple):
    """A line of an aligned file: words are empty where the other side has one more.

    ``error`` is empty, ``S``, ``D`` or ``I``; opposite a deleted or inserted word stands ``O``.
    """

    reference: str
    reference_tag: str
    error: str
    hypothesis: str
    hypothesis_tag: str


@dataclass(frozen=True, slots=True)
class Aligned:
    """Both sides of a document in the five columns of EVALITA 2011 (guidelines, 5.1).

    Args:
        id: name of the document. rows: in order; taken one side at a time, its words in order.

    Raises:
        SerevalError: an error that is not what the words of its row say.

    >>> Aligned("d", (Row("B", "B-ORG", "D", "", "O"),)).rows[0].error
    'D'
    """

    id: str
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        for k, row in enumerate(self.rows):
            wrong = fault(row)
            if wrong:
                raise SerevalError(f"{self.id}: row {k}: {wrong}")


def fault(row: Row) -> str | None:
    """What is wrong with a row of an aligned file; words are compared in lower case.

    >>> fault(Row("presso", "O", "", "ESSO", "O"))
    "error '' between the words 'presso' and 'ESSO', expected 'S'"
    """
    if not row.reference_tag or not row.hypothesis_tag:
        return f"a tag is empty, expected {OUTSIDE} where no word is"
    expected = error(row.reference, row.hypothesis)
    if expected is None:
        return "no word on either side"
    if row.error != expected:
        words = f"{row.reference!r} and {row.hypothesis!r}"
        return f"error {row.error!r} between the words {words}, expected {expected!r}"
    empty = {"D": row.hypothesis_tag, "I": row.reference_tag}.get(row.error, OUTSIDE)
    return None if empty == OUTSIDE else f"tag {empty!r} without a word, expected {OUTSIDE}"


def error(reference: str, hypothesis: str) -> str | None:
    """The type of error between two aligned words, of which one may be empty, but not both.

    >>> error("FIAT", "fiat"), error("FIAT", "FIA"), error("B", ""), error("", "E")
    ('', 'S', 'D', 'I')
    """
    if not reference or not hypothesis:
        return "D" if reference else "I" if hypothesis else None
    return "" if lowered(reference) == lowered(hypothesis) else "S"


def lowered(word: str) -> str:
    """A word as EVALITA compares it: in lower case, and otherwise as it stands.

    Only how an accent is encoded makes no difference, which the guidelines leave open.

    >>> lowered("FIAT"), lowered("dall'") == lowered("dall")
    ('fiat', False)
    """
    return canonical(word).lower()
