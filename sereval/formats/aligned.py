r"""Alignments of words that another program made: EVALITA's aligned file, and sclite's reports.

=====================  =============================================================================
file                   is
=====================  =============================================================================
five columns, tabs     EVALITA 2011 (guidelines, 5.1): word, tag, error, word, tag; an empty line
                       after each document
``.pra``               sclite's report ``-o pra``: lines ``REF:`` and ``HYP:``; stars stand for no
                       word
``.sgml``              sclite's report ``-o sgml``: elements ``C,"word","word"`` in ``<PATH>``
=====================  =============================================================================

Only the alignment is read: words and tags are those of the documents. A word of a document is found
whatever its case, because sclite writes errors in capital letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from ..documents.checks import canonical
from ..errors import InputError, SerevalError
from .source import decode, file_bytes, quote

Row = tuple[str, str]
"""A word of the reference and one of the hypothesis, in lower case; empty: there is none."""

_PATH = re.compile(r"<PATH\b[^>]*>(.*?)</PATH>", re.DOTALL)
_STEP = re.compile(r'([CSDI]),(?:"((?:[^"\\]|\\.)*)")?,(?:"((?:[^"\\]|\\.)*)")?')
_LINE = re.compile(r"^(REF|HYP):[ \t]*(.*)$", re.MULTILINE)


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
    units: tuple[tuple[Row, ...], ...] = field(compare=False, repr=False)
    path: str = field(default="", compare=False)

    @classmethod
    def of(cls, units: Iterable[tuple[Row, ...]], path: str = "") -> GivenAlignment:
        """The alignments of some units.

        Args:
            units, path: as for the class.
        """
        every = tuple(units)
        return cls(sha256(repr(every).encode()).hexdigest()[:8], every, path)

    def rows(self, reference: Sequence[str], hypothesis: Sequence[str]) -> list[tuple[bool, bool]]:
        """The alignment of a document: whether each row has a word of either side.

        The document is one unit, or several that follow each other.

        Args:
            reference, hypothesis: its words.

        Raises:
            SerevalError: the file has no such words.
        """
        sides = tuple(tuple(map(in_lower_case, side)) for side in (reference, hypothesis))
        for first in range(len(self.units) if any(sides) else 0):
            found = self._from(first, sides)
            if found is not None:
                return found
        if not any(sides):
            return []
        raise SerevalError(
            f"{self.path}: no alignment of {quote(' '.join(reference))} with "
            f"{quote(' '.join(hypothesis))}, expected the words of both sides in their order"
        )

    def _from(
        self, first: int, sides: tuple[tuple[str, ...], ...]
    ) -> list[tuple[bool, bool]] | None:
        """The rows of the units from the first on, if they are the words of a document."""
        found: list[Row] = []
        ends = [0, 0]
        for unit in self.units[first:]:
            found += unit
            for k, side in enumerate(sides):
                own = tuple(row[k] for row in unit if row[k])
                if side[ends[k] : ends[k] + len(own)] != own:
                    return None
                ends[k] += len(own)
            if ends == [len(side) for side in sides]:
                return [(bool(ours), bool(theirs)) for ours, theirs in found]
        return None


def in_lower_case(word: str) -> str:
    """A word as the words of an alignment are compared.

    >>> in_lower_case("FIAT")
    'fiat'
    """
    return canonical(word).lower()


def load_alignment(path: str) -> GivenAlignment:
    """Read the alignments of a file.

    Args:
        path: the file: five columns, or a report of sclite.

    Raises:
        InputError: the file cannot be read, or has neither form.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "sclite.pra")
    >>> with open(path, "w", encoding="utf-8") as file:
    ...     _ = file.write("REF:  fiat  SPA\\nHYP:  fiat  ***\\n")
    >>> load_alignment(path).units
    ((('fiat', 'fiat'), ('spa', '')),)
    """
    text = decode(file_bytes(path, "an alignment of words"), path, "utf-8")
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


def _of_sgml(text: str) -> Iterator[tuple[Row, ...]]:
    for body in _PATH.findall(text):
        steps = _STEP.findall(body)
        yield tuple((in_lower_case(ours), in_lower_case(theirs)) for _, ours, theirs in steps)


def _of_pra(text: str) -> Iterator[tuple[Row, ...]]:
    lines = _LINE.findall(text)
    if [side for side, _ in lines] != ["REF", "HYP"] * (len(lines) // 2):
        raise SerevalError("found REF: and HYP: out of turn, expected a HYP: after each REF:")
    for (_, ours), (_, theirs) in zip(lines[::2], lines[1::2], strict=True):
        rows = ours.split(), theirs.split()
        if len(rows[0]) != len(rows[1]):
            raise SerevalError(
                f"found {len(rows[0])} words in {quote(ours)} and {len(rows[1])} in "
                f"{quote(theirs)}, expected as many"
            )
        yield tuple((_word(one), _word(other)) for one, other in zip(*rows, strict=True))


def _word(text: str) -> str:
    """A word of a report of sclite; stars stand for no word."""
    return "" if text.strip("*") == "" else in_lower_case(text)


def _of_columns(text: str) -> Iterator[tuple[Row, ...]]:
    unit: list[Row] = []
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
