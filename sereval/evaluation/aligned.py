r"""Alignments of words that another program made: EVALITA's aligned file, and sclite's reports.

=====================  =============================================================================
file                   is
=====================  =============================================================================
five columns, tabs     EVALITA 2011 (guidelines, 5.1): word, tag, error, word, tag; an empty line
                       after each document
``.pra``               sclite's report ``-o pra``: lines ``REF:`` and ``HYP:``, which go on in
                       ``>> REF:`` and ``>> HYP:``; stars stand for no word
``.sgml``              sclite's report ``-o sgml``: elements ``C,"word","word"`` in ``<PATH>``
=====================  =============================================================================

Only the alignment is read: words and tags are those of the documents. A word of a document is found
whatever its case, because sclite writes errors in capital letters, and with or without brackets,
because sclite has brackets around words that may be left out. Where such a word has no partner, a
``.pra`` has a gap and no stars. Reports list utterances by speaker. A ``.sgml`` also has their
numbers in the order of the recording, and its utterances are read in this order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, zip_longest

from ..documents.checks import canonical
from ..documents.files import read_text, short_hash
from ..errors import InputError, SerevalError
from ..formats.file import quote

WordPair = tuple[str, str]
"""A word of the reference and one of the hypothesis, in lower case; empty: there is none."""

_PATH = re.compile(r'<PATH\b((?:[^">]|"[^"]*")*)>(.*?)</PATH>', re.DOTALL)
_SEQUENCE = re.compile(r'\bsequence="([0-9]+)"')
_STEP = re.compile(r'([CSDI]),(?:"((?:[^"\\]|\\.)*)")?,(?:"((?:[^"\\]|\\.)*)")?')
_LINE = re.compile(r"^(>> )?(REF|HYP):(.*)$", re.MULTILINE)
_OPTIONAL = re.compile(r"\(.+\)")


@dataclass(frozen=True, slots=True)
class GivenAlignment:
    """The alignments of a file.

    Args:
        digest: a short text that names the alignments, for signatures; it is their whole value.
        units: the rows of each document or utterance.
        path: the file.

    >>> given = GivenAlignment.of(((("la", "la"), ("fiat", "")), (("spa", "spa"),)))
    >>> given.rows(["La", "FIAT", "SPA"], ["la", "spa"])
    [(True, True), (True, False), (True, True)]
    """

    digest: str
    units: tuple[tuple[WordPair, ...], ...] = field(compare=False, repr=False)
    path: str = field(default="", compare=False)

    @classmethod
    def of(cls, units: Iterable[tuple[WordPair, ...]], path: str = "") -> GivenAlignment:
        """The alignments of some units.

        Args:
            units, path: as for the class.
        """
        every = tuple(units)
        return cls(short_hash(repr(every)), every, path)

    def rows(self, reference: Sequence[str], hypothesis: Sequence[str]) -> list[tuple[bool, bool]]:
        """The alignment of a document: whether each row has a word of either side.

        The document is one unit, or several that follow each other. Two sides with the same words
        need none: each word is aligned with itself.

        Args:
            reference, hypothesis: its words.

        Raises:
            SerevalError: the file does not have these words.
        """
        sides = tuple(
            tuple(_without_brackets(in_lower_case(word)) for word in side)
            for side in (reference, hypothesis)
        )
        for first in range(len(self.units) if any(sides) else 0):
            found = self._from(first, sides)
            if found is not None:
                return found
        if sides[0] == sides[1]:
            return [(True, True)] * len(reference)
        raise SerevalError(
            f"{self.path}: no alignment of {quote(' '.join(reference))} with "
            f"{quote(' '.join(hypothesis))}, expected the words of both sides in their order"
        )

    def _from(
        self, first: int, sides: tuple[tuple[str, ...], ...]
    ) -> list[tuple[bool, bool]] | None:
        """The rows of the units from the first on, if they are the words of a document."""
        found: list[WordPair] = []
        ends = [0, 0]
        for unit in self.units[first:]:
            found += unit
            for k, side in enumerate(sides):
                own = tuple(_without_brackets(row[k]) for row in unit if row[k])
                if side[ends[k] : ends[k] + len(own)] != own:
                    return None
                ends[k] += len(own)
            if ends == [len(side) for side in sides]:
                return [(bool(ours), bool(theirs)) for ours, theirs in found]
        return None


def in_lower_case(word: str) -> str:
    """A word as the words of an alignment are compared."""
    return canonical(word).lower()


def _without_brackets(word: str) -> str:
    """A word that may be left out, as it is written elsewhere."""
    return word[1:-1] if _OPTIONAL.fullmatch(word) else word


def load_alignment(path: str) -> GivenAlignment:
    """Read the alignments of a file.

    Args:
        path: the file: five columns, or a report of sclite.

    Returns:
        The rows of each document or utterance: a word of the reference and one of the hypothesis,
        in lower case; an empty text stands for no word.

    Raises:
        InputError: the file cannot be read, or has neither form.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "sclite.pra")
    >>> with open(path, "w", encoding="utf-8") as file:
    ...     _ = file.write("REF:  fiat  SPA\\nHYP:  fiat  ***\\n")
    >>> load_alignment(path).units
    ((('fiat', 'fiat'), ('spa', '')),)
    """
    text = read_text(path)
    try:
        if _PATH.search(text):
            units = list(_of_sgml(text))
        elif _LINE.search(text):
            units = list(_of_pra(text))
        else:
            units = list(_of_columns(text))
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    return GivenAlignment.of(units, path)


def _of_sgml(text: str) -> Iterator[tuple[WordPair, ...]]:
    found = _PATH.findall(text)
    numbers = [_SEQUENCE.search(attributes) for attributes, _ in found]
    known = [int(number[1]) for number in numbers if number]
    order = range(len(found))
    for k in sorted(order, key=known.__getitem__) if len(known) == len(found) else order:
        steps = _STEP.findall(found[k][1])
        yield tuple((in_lower_case(ours), in_lower_case(theirs)) for _, ours, theirs in steps)


def _of_pra(text: str) -> Iterator[tuple[WordPair, ...]]:
    lines = _LINE.findall(text)
    if [side for _, side, _ in lines] != ["REF", "HYP"] * (len(lines) // 2):
        raise SerevalError("found REF: and HYP: out of turn, expected a HYP: after each REF:")
    unit: list[WordPair] = []
    for (goes_on, _, ours), (_, _, theirs) in zip(lines[::2], lines[1::2], strict=True):
        if unit and not goes_on:
            yield tuple(unit)
            unit = []
        unit += [(_word(one), _word(other)) for one, other in _cells(ours, theirs)]
    yield tuple(unit)


def _cells(ours: str, theirs: str) -> list[WordPair]:
    """The words of two lines, one above the other; empty: a word that is left out."""
    for width in (_bytes, len):
        rows = _columns(ours, theirs, width)
        if rows is not None:
            return rows
    one, other = ours.split(), theirs.split()
    if len(one) == len(other):
        return list(zip(one, other, strict=True))
    raise SerevalError(
        f"found {len(one)} words in {quote(ours.strip())} and {len(other)} in "
        f"{quote(theirs.strip())}, expected as many, or columns"
    )


def _bytes(mark: str) -> int:
    """The width of a character in bytes."""
    return len(mark.encode())


def _columns(ours: str, theirs: str, width: Callable[[str], int]) -> list[WordPair] | None:
    """The words of two lines by their columns; ``None``: the lines have no such columns."""
    left, right = _places(ours, width), _places(theirs, width)
    starts = sorted({*left, *right})
    rows: list[WordPair] = []
    for start, bound in zip_longest(starts, starts[1:]):
        (one, end), (other, ending) = left.get(start, _GAP), right.get(start, _GAP)
        is_column = bound is None or max(end, ending) < bound
        if not is_column or not (one and other or _OPTIONAL.fullmatch(one or other)):
            return None
        rows.append((one, other))
    return rows


_GAP = "", 0
"""No word, and where it ends."""


def _places(line: str, width: Callable[[str], int]) -> dict[int, tuple[str, int]]:
    """The words of a line and where they end, by where they begin."""
    before = [0, *accumulate(map(width, line))]
    return {before[w.start()]: (w[0], before[w.end()]) for w in re.finditer(r"\S+", line)}


def _word(text: str) -> str:
    """A word of a report of sclite; stars stand for no word."""
    return "" if text.strip("*") == "" else in_lower_case(text)


def _of_columns(text: str) -> Iterator[tuple[WordPair, ...]]:
    unit: list[WordPair] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split("\t")
        if line and len(cells) != 5:
            raise SerevalError(
                f"line {number}: found {len(cells)} columns in {quote(line)}, expected 5 with tabs "
                "between them, or a report of sclite (pra, sgml)"
            )
        if line:
            unit.append((in_lower_case(cells[0]), in_lower_case(cells[3])))
        elif unit:
            yield tuple(unit)
            unit = []
    if unit:
        yield tuple(unit)
