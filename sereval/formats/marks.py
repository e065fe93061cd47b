"""Marks of transcription at words: ``^Dol``, ``(frag)ment``, ``&euh``, ``*c``, ``%%``.

They are part of the words, unless the policy ``marks=strip`` removes them. The marks of HUB-4 have
a policy of their own (``hub4``).

Source: the transcription conventions of ESTER and ETAPE, which give the marks different meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..documents.notes import Note, count_notes

if TYPE_CHECKING:
    from .file import File as Source

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
        policy: ``keep`` or ``strip``; a subclass has ``hub4``.
    """

    def __init__(self, policy: str) -> None:
        self.policy = policy
        self.stripped = self.alone = self.emptied = 0

    def words(self, words: Iterable[str], line: int | None = None) -> list[str]:
        """The words after the policy, without those that it leaves empty.

        Args:
            words: words as in the file.
            line: their line, for messages.

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

    def finish(self) -> None:
        """Check what may only be known at the end; these marks end with their words."""

    def notes(self) -> tuple[Note, ...]:
        """Notes that count stripped words, dropped marks and emptied elements."""
        counts = {STRIPPED: self.stripped, ALONE: self.alone, EMPTIED: self.emptied}
        return count_notes(counts, "marks=strip")


def marks_of(source: Source) -> Marks:
    """The marks of running text, by the policy of its file.

    Args:
        source: the file.
    """
    policy = source.policy("marks")
    if policy != "hub4":
        return Marks(policy)
    from .rare.hub4 import Hub4Marks  # few files have them

    return Hub4Marks(source)


def marks_of_words(source: Source) -> Marks:
    """The marks of a file whose words are not running text.

    Args:
        source: the file.

    Raises:
        InputError: the policy is ``hub4``.
    """
    if source.policy("marks") == "hub4":
        raise source.error("marks=hub4 is for SGML and inline files, expected marks=keep or strip")
    return Marks(source.policy("marks"))
