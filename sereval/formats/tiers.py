"""Tiers: which tiers of a file hold words, and which texts in them are silence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents.notes import Note
from ..errors import SerevalError, one_line
from .source import quote

SILENCE = frozenset({"", "sp", "sil", "<eps>"})
"""Texts of intervals in which nothing is said."""

MERGED = "tiers whose words were merged by their start"

_NAMES = (
    re.compile(r"(.* - )?words?", re.IGNORECASE | re.DOTALL),
    re.compile(r"ORT-MAU"),  # WebMAUS
    re.compile(r"ORT"),  # WebMAUS, before it wrote the former
)
"""Names of tiers of words; the first pattern that a tier of the file matches counts."""


def notes_on(asked: Sequence[str], tiers: int, words: int) -> tuple[Note, ...]:
    """Notes on words that come from a tier that the user named, or from several tiers.

    Args:
        asked: the names that were given.
        tiers: how many tiers the words come from.
        words: how many there are.

    >>> [note.choice for note in notes_on(["a|b"], 1, 2)], notes_on([], 1, 2)
    (['tier=a%7Cb'], ())
    >>> [(note.count, note.choice) for note in notes_on(["b", "a"], 2, 9)]
    [(9, 'tier=a+b'), (2, '')]
    """
    name = "+".join(_signed(tier) for tier in sorted({*asked}))
    named = "words of the tier that was asked for" if len(asked) == 1 else _SEVERAL
    notes = (Note(named, words, f"tier={name}"),) if asked else ()
    return (*notes, Note(MERGED, tiers)) if tiers > 1 else notes


_SEVERAL = "words of the tiers that were asked for"


def _signed(tier: str) -> str:
    """The name of a tier as it can stand in a signature."""
    return re.sub("[%,|+]", lambda found: f"%{ord(found[0]):02X}", one_line(tier))


def wanted(
    names: Sequence[str], asked: Sequence[str], *, kind: str = "tier", there: str | None = None
) -> list[int]:
    """Places of the tiers asked for, in the order of the file.

    Args:
        names: of the tiers of a file.
        asked: exact names; none: the tier ``words`` or ``word``, or all tiers ``SPEAKER - words``
            or ``SPEAKER - word``, in any case; else ``ORT-MAU``; else ``ORT``.
        kind, there: what a tier is called in a message, and what there is; ``None``: the names.

    Raises:
        SerevalError: none; two of one name or of one speaker; or ``words`` and others of words
            beside it.

    >>> wanted(["Anna - phone", "Anna - word", "Bo - words"], [])
    [1, 2]
    >>> wanted(["Anna", "Anna's phones", "Bo"], ["Bo", "Anna"])
    [0, 2]
    """
    found = [k for k, name in enumerate(names) if name in asked] if asked else _of_words(names)
    missing = [tier for tier in asked if tier not in names]
    there = there or ", ".join(map(quote, names)) or "none"
    if missing or not found:
        expected = quote(missing[0]) if missing else _EXPECTED
        raise SerevalError(f"no {kind} {expected}; the tiers are {there}: name one of them")
    speakers = {names[k] if asked else names[k].casefold().removesuffix("s") for k in found}
    if len(speakers) < len(found) or (not asked and len(found) > 1 and "word" in speakers):
        expected = ", ".join(map(quote, asked)) or _EXPECTED
        raise SerevalError(
            f"{len(found)} tiers are {expected}, expected one, or one for each speaker; "
            f"the tiers are {there}"
        )
    return found


_EXPECTED = "'words' or 'SPEAKER - words'"


def _of_words(names: Sequence[str]) -> list[int]:
    """The tiers of words, by their names."""
    for pattern in _NAMES:
        found = [k for k, name in enumerate(names) if pattern.fullmatch(name)]
        if found:
            return found
    return []
