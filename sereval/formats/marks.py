"""Marks of transcription at words: ``^Dol``, ``(frag)ment``, ``&euh``, ``*c``, ``%%``.

They are part of the words, unless the policy ``marks=strip`` removes them.

Source: the transcription conventions of ESTER and ETAPE, which give the marks different meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..documents.notes import Note, count_notes

STRIPPED = "words with marks of transcription, stripped of them"
ALONE = "marks of transcription without a word, dropped"
EMPTIED = "elements without a word left, dropped"

_PARENTHESES = re.compile(r"\(([^()]*)\)")


def strip_marks(word: str) -> str:
    """A word without its marks of transcription; the result may be empty.

    Args:
        word: a word without white space.

    >>> [strip_marks(word) for word in ("^Dol", "(frag)ment", "&euh", "*c", "%%", "12%", "AT&T")]
    ['Dol', 'fragment', 'euh', 'c', '', '12%', 'AT&T']
    """
    bare = _PARENTHESES.sub(r"\1", word).lstrip("^&*")
    return "" if bare == "%%" else bare


class Marks:
    """Applies the policy ``marks`` to words, and counts the changes.

    Args:
        policy: ``keep`` or ``strip``.
    """

    def __init__(self, policy: str) -> None:
        self.policy = policy
        self.stripped = self.alone = self.emptied = 0

    def words(self, words: Iterable[str]) -> list[str]:
        """The words after the policy, without those that it leaves empty.

        Args:
            words: words as in the file.

        >>> marks = Marks("strip")
        >>> marks.words(["^Dol", "%%", "est"]), [note.count for note in marks.notes()]
        (['Dol', 'est'], [1, 1])
        """
        if self.policy == "keep":
            return list(words)
        kept = []
        for word in words:
            bare = strip_marks(word)
            self.alone += not bare
            self.stripped += bare not in ("", word)
            kept += [bare] if bare else []
        return kept

    def notes(self) -> tuple[Note, ...]:
        """Notes that count stripped words, dropped marks and emptied elements."""
        counts = {STRIPPED: self.stripped, ALONE: self.alone, EMPTIED: self.emptied}
        return count_notes(counts, "marks=strip")
