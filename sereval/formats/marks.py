"""Marks of transcription at words: the policies ``marks=strip`` and ``marks=hub4``.

``strip`` takes those of ESTER and ETAPE. ``hub4`` takes those of the transcripts of HUB-4 as LDC
published them: it keeps what was said and drops what was not; any other bracket, and any other use
of these marks, is refused, as no public source says what it is.

Files: Burger, Palmer and Hirschman, 1998, section 2.1; the table of conventions in LDC's SPINE
project, which compares them with those of Hub-4 and Hub-5; the scripts of Kaldi's recipe
``hub4_english`` for the transcripts of 1996 and 1997.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .build import Notes
from .file import File, quote

EMPTIED = "elements without a word left, dropped"

_PARENTHESES = re.compile(r"\(([^()]*)\)")


def strip_marks(word: str) -> str:
    """A word without the marks of ESTER and ETAPE; empty if it is only a mark."""
    bare = _PARENTHESES.sub(r"\1", word).lstrip("^&*")
    return "" if bare == "%%" else bare


class Marks:
    """Takes the marks from words, by the policy ``marks``, and counts them.

    Args:
        file: the file of the words.
        notes: the notes of the reader.
        policy: another policy than that of the file.
    """

    def __init__(self, file: File, notes: Notes, policy: str = "") -> None:
        self.file, self.notes, self.policy = file, notes, policy or file.policy("marks")
        self.choice = f"marks={self.policy}"
        self.alone = 0  # dropped, without a word
        self.open: list[tuple[str, int | None]] = []  # brackets of HUB-4, each with its line
        self.kept = 0  # words in the unclear speech that is open

    def add(self, what: str, count: int = 1) -> None:
        self.notes.add(what, count, self.choice)

    def drop(self, what: str) -> None:
        self.add(what)
        self.alone += 1

    def words(self, words: Iterable[str], line: int | None = None) -> list[str]:
        """The words that are left."""
        if self.policy == "keep":
            return [*words]
        if self.policy == "hub4":
            pieces = _PIECE.findall(" ".join(words))
            return [word for piece in pieces for word in self._of_hub4(piece, line)]
        kept = []
        for word in words:
            bare = strip_marks(word)
            if bare:
                self.add("words with marks of transcription, stripped of them", bare != word)
                kept.append(bare)
            else:
                self.drop("marks of transcription without a word, dropped")
        return kept

    def finish(self) -> None:
        """Refuse a bracket that is open at the end."""
        for bracket, line in self.open:
            raise self.file.error(f"the mark {bracket} is never closed", line)

    # --- HUB-4 ---

    def _of_hub4(self, piece: str, line: int | None) -> list[str]:
        """The words of a piece, which may be a bracket."""
        inside = self.open[-1][0] if self.open else ""
        if inside in _CLOSING:
            self._leave(piece, inside, line)
        elif piece in _CLOSING or piece == "((" != inside:
            self.open.append((piece, line))
            if piece == "((":
                self.kept = 0
        elif piece == "))" and inside:
            self.open.pop()
            if self.kept:
                self.add(UNCLEAR)
            else:
                self.drop(UNKNOWN)
        elif piece == "#":
            self.drop(OVERLAP)
        elif len(piece) < 3 and piece.strip("()[]{}\\") == "":
            raise self.file.error(f"found {quote(piece)}, which is no mark of HUB-4", line)
        else:
            return self._unmarked(piece, line)
        return []

    def _leave(self, piece: str, inside: str, line: int | None) -> None:
        """Pass over a piece inside a bracket whose content is dropped."""
        if piece == _CLOSING[inside]:
            self.open.pop()
            self.drop(SPEAKER if inside == "{" else NOISE)
        elif piece in _CLOSING or piece in _CLOSING.values():
            raise self.file.error(
                f"found {quote(piece)} after {inside}, expected {_CLOSING[inside]}", line
            )

    def _unmarked(self, piece: str, line: int | None) -> list[str]:
        """The words of a piece without brackets."""
        if not piece.strip("*+@^~"):
            self.drop(NO_WORD)
            return []
        marks = {mark for one in (_BEFORE, _BEHIND) for each in one.findall(piece) for mark in each}
        bare = _BEHIND.sub("", _BEFORE.sub("", piece))
        initials = _INITIALS.fullmatch(bare)
        if _UNSETTLED.search(bare) and not initials:
            raise self.file.error(f"found {quote(piece)}, whose mark is none of HUB-4", line)
        for mark in marks:
            self.add(_KINDS[mark])
        words = [bare]
        if initials is None:
            self.add("unfinished words (absolu-), kept", _CUT.fullmatch(bare) is not None)
        else:
            self.add(LETTERS)
            words = [f"{letter}." for letter in initials[1].split("_")[1:]]
            words[-1] += (initials[2] or "") + initials[3].replace(".", "", 1)
        self.kept += len(words)
        return words


SPEAKER = "noises of speakers ({breath}), dropped"
NOISE = "noises and stretches without a transcript ([[music]]), dropped"
UNCLEAR = "stretches of unclear speech (((…))), words kept"
UNKNOWN = "stretches that nobody understands ((( ))), dropped"
LETTERS = "initials written as one word (_F_B_I), taken apart"
NO_WORD = "marks at no word, dropped"
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
_PIECE = re.compile(r"\(\(|\)\)|\[\[|\]\]|[()\[\]{}\\#]|[^\s()\[\]{}\\#]+")
_BEFORE = re.compile(r"(?:(?<=-)|(?<![^\"'.,;:!?*+@^~%]))[*+@^~%]+(?=\w)")
"""Marks before a word, or before a part of a word with a hyphen."""
_BEHIND = re.compile(r"(?<=[\w'.-])[*+]+(?=[\"'.,;:!?]*$)")
_INITIALS = re.compile(r"((?:_[A-Za-z])+)('s|s)?([.,;:!?]*)")
_CUT = re.compile(r"-\w.*|.*\w-[.,;:!?]*")
_UNSETTLED = re.compile(r"[*+@^~_]")
