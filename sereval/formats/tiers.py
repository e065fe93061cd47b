"""Tiers: find the tiers of words in a file, and the texts in them that mean silence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents.notes import Note
from ..errors import SerevalError, one_line
from .file import quote

SILENCE = frozenset({"", "sp", "sil", "<eps>"})
"""Texts of intervals without speech."""

MERGED = "tiers whose words were merged by their start"

_NAMES = (
    re.compile(r"(.* - )?words?", re.IGNORECASE | re.DOTALL),
    re.compile(r"ORT-MAU"),  # WebMAUS
    re.compile(r"ORT"),  # WebMAUS, before it wrote the former
)
"""Patterns of the names of tiers of words; the first that matches a tier of the file applies."""


def tier_notes(requested: Sequence[str], tiers: int, words: int) -> tuple[Note, ...]:
    """Notes on words that come from a tier that the user named, or from several tiers.

    Args:
        requested: the names of tiers that the user gave.
        tiers: number of tiers of the words.
        words: number of words.

    >>> [note.choice for note in tier_notes(["a|b"], 1, 2)], tier_notes([], 1, 2)
    (['tier=a%7Cb'], ())
    >>> [(note.count, note.choice) for note in tier_notes(["b", "a"], 2, 9)]
    [(9, 'tier=a+b'), (2, '')]
    """
    name = "+".join(_sign(tier) for tier in sorted({*requested}))
    named = "words of the tier that was asked for" if len(requested) == 1 else _SEVERAL
    notes = (Note(named, words, f"tier={name}"),) if requested else ()
    return (*notes, Note(MERGED, tiers)) if tiers > 1 else notes


_SEVERAL = "words of the tiers that were asked for"


def _sign(tier: str) -> str:
    """The name of a tier for a signature, without the characters that separate its parts."""
    return re.sub("[%,|+]", lambda found: f"%{ord(found[0]):02X}", one_line(tier))


def word_tiers(
    names: Sequence[str], requested: Sequence[str], *, kind: str = "tier", there: str | None = None
) -> list[int]:
    """Indices of the tiers of words, in the order of the file.

    Args:
        names: names of the tiers of a file.
        requested: exact names; none: the tier ``words`` or ``word``, or all tiers ``SPEAKER -
            words`` or ``SPEAKER - word``, in any case; else ``ORT-MAU``; else ``ORT``.
        kind: the word for a tier in messages.
        there: the list of tiers in messages; ``None``: ``names``.

    Raises:
        SerevalError: no such tier; two tiers of one name or of one speaker; ``words`` beside tiers
            of speakers.

    >>> word_tiers(["Anna - phone", "Anna - word", "Bo - words"], [])
    [1, 2]
    >>> word_tiers(["Anna", "Anna's phones", "Bo"], ["Bo", "Anna"])
    [0, 2]
    """
    if requested:
        found = [k for k, name in enumerate(names) if name in requested]
    else:
        found = _tiers_of_words(names)
    missing = [tier for tier in requested if tier not in names]
    there = there or ", ".join(map(quote, names)) or "none"
    if missing or not found:
        expected = quote(missing[0]) if missing else _EXPECTED
        raise SerevalError(f"no {kind} {expected}; the tiers are {there}: name one of them")
    speakers = {names[k] if requested else names[k].casefold().removesuffix("s") for k in found}
    if len(speakers) < len(found) or (not requested and len(found) > 1 and "word" in speakers):
        expected = ", ".join(map(quote, requested)) or _EXPECTED
        raise SerevalError(
            f"{len(found)} tiers are {expected}, expected one, or one for each speaker; "
            f"the tiers are {there}"
        )
    return found


_EXPECTED = "'words' or 'SPEAKER - words'"


def _tiers_of_words(names: Sequence[str]) -> list[int]:
    """Indices of the tiers of words, by their names."""
    for pattern in _NAMES:
        found = [k for k, name in enumerate(names) if pattern.fullmatch(name)]
        if found:
            return found
    return []
