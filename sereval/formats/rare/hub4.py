"""Marks of the transcripts of HUB-4 as LDC published them: the policy ``marks=hub4``.

The policy keeps what was said and drops what was not, and counts each kind of mark; the page of
formats has a table of the marks. Any other bracket, and any other use of these marks, is refused:
no public source says what it is.

Files: Burger, Palmer and Hirschman, 1998, section 2.1; the table of conventions in LDC's SPINE
project, which compares them with those of Hub-4 and Hub-5; the scripts of Kaldi's recipe
``hub4_english`` for the transcripts of 1996 and 1997.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ...documents.notes import Note, count_notes
from ..file import File, quote
from ..inline import EMPTIED, Marks

SPEAKER = "noises of speakers ({breath}), dropped"
NOISE = "noises and stretches without a transcript ([[music]]), dropped"
UNCLEAR = "stretches of unclear speech (((…))), words kept"
UNKNOWN = "stretches that nobody understands ((( ))), dropped"
LETTERS = "initials written as one word (_F_B_I), taken apart"
CUT = "unfinished words (absolu-), kept"
ALONE = "marks at no word, dropped"
OVERLAP = "marks of overlapping speech (#), dropped"
_KINDS = {
    "*": "invented words (*), without the mark",
    "+": "mispronounced words (+), without the mark",
    "@": "guessed names and acronyms (@), without the mark",
    "^": "proper names (^), without the mark",
    "~": "initials (~), without the mark",
    "%": "sounds that are no words (%), without the mark",
}
"""The notes of the marks at a word."""

_CLOSING = {"{": "}", "[": "]", "[[": "]]"}
_NOTES = {"{": SPEAKER, "[": NOISE, "[[": NOISE}
_PIECE = re.compile(r"\(\(|\)\)|\[\[|\]\]|[()\[\]{}\\#]|[^\s()\[\]{}\\#]+")
_BEFORE = re.compile(r"(?:(?<=-)|(?<![^\"'.,;:!?*+@^~%]))[*+@^~%]+(?=\w)")
"""Marks before a word, or before a part of a word with a hyphen."""
_BEHIND = re.compile(r"(?<=[\w'.-])[*+]+(?=[\"'.,;:!?]*$)")
_INITIALS = re.compile(r"((?:_[A-Za-z])+)('s|s)?([.,;:!?]*)")
_CUT = re.compile(r"-\w.*|.*\w-[.,;:!?]*")
_UNSETTLED = re.compile(r"[*+@^~_]")


class Hub4Marks(Marks):
    """Applies the policy ``hub4`` to words, and counts the marks of each kind.

    A mark of several words may go on over several lines.

    Args:
        file: the file.

    >>> marks = Hub4Marks(File("a.sgml"))
    >>> marks.words("{breath} and ^Newt ((+Gingrich+ [[music]] said)) _F_B_I.".split())
    ['and', 'Newt', 'Gingrich', 'said', 'F.', 'B.', 'I.']
    >>> len(marks.notes()), marks.alone
    (6, 2)
    """

    def __init__(self, file: File) -> None:
        super().__init__("hub4")
        self.file = file
        self.done: Counter[str] = Counter()
        self.open: list[tuple[str, int | None]] = []  # brackets, each with its line
        self.kept = 0  # words in the unclear speech that is open

    def words(self, words: Iterable[str], line: int | None = None) -> list[str]:
        """The words after the policy.

        Args:
            words: words as in the file.
            line: their line.

        Raises:
            InputError: a mark that the policy does not know, or brackets that do not match.
        """
        found: list[str] = []
        for piece in _PIECE.findall(" ".join(words)):
            inside = self.open[-1][0] if self.open else ""
            if inside in _CLOSING:
                self._leave(piece, inside, line)
            elif piece in _CLOSING or piece == "((" != inside:
                self.open.append((piece, line))
                if piece == "((":
                    self.kept = 0
            elif piece == "))" and inside:
                self._end_unclear()
            elif piece == "#":
                self._drop(OVERLAP)
            elif len(piece) < 3 and piece.strip("()[]{}\\") == "":
                raise self.file.error(f"found {quote(piece)}, which is no mark of HUB-4", line)
            else:
                new = self._word(piece, line)
                self.kept += len(new)
                found += new
        return found

    def finish(self) -> None:
        """Check that no mark is open at the end.

        Raises:
            InputError: a bracket is never closed.
        """
        for bracket, line in self.open:
            raise self.file.error(f"the mark {bracket} is never closed", line)

    def notes(self) -> tuple[Note, ...]:
        """Notes that count the marks of each kind, and emptied elements."""
        counts = {**dict(sorted(self.done.items())), EMPTIED: self.emptied}
        return count_notes(counts, "marks=hub4")

    def _leave(self, piece: str, inside: str, line: int | None) -> None:
        """Pass over a piece inside a bracket whose content is dropped."""
        if piece == _CLOSING[inside]:
            self._drop(_NOTES[inside])
            self.open.pop()
        elif piece in _CLOSING or piece in _CLOSING.values():
            raise self.file.error(
                f"found {quote(piece)} after {inside}, expected {_CLOSING[inside]}", line
            )

    def _end_unclear(self) -> None:
        self.open.pop()
        if self.kept:
            self.done[UNCLEAR] += 1
        else:
            self._drop(UNKNOWN)

    def _drop(self, note: str) -> None:
        self.done[note] += 1
        self.alone += 1

    def _word(self, piece: str, line: int | None) -> list[str]:
        """The words of a piece without brackets."""
        if not piece.strip("*+@^~"):
            self._drop(ALONE)
            return []
        marks = {mark for one in (_BEFORE, _BEHIND) for each in one.findall(piece) for mark in each}
        bare = _BEHIND.sub("", _BEFORE.sub("", piece))
        initials = _INITIALS.fullmatch(bare)
        if _UNSETTLED.search(bare) and not initials:
            raise self.file.error(f"found {quote(piece)}, whose mark is none of HUB-4", line)
        for mark in sorted(marks):
            self.done[_KINDS[mark]] += 1
        if initials is None:
            self.done[CUT] += bool(_CUT.fullmatch(bare))
            return [bare]
        self.done[LETTERS] += 1
        letters = [f"{letter}." for letter in initials[1].split("_")[1:]]
        letters[-1] += (initials[2] or "") + initials[3].replace(".", "", 1)
        return letters
