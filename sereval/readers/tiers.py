"""Tiers of words: which of a file's, and what in them is no word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import SerevalError, one_line
from ..model import Note
from .source import quote

SILENCE = frozenset({"", "sp", "sil", "<eps>"})
"""Texts of intervals in which nothing is said."""

_WORD_TIER = re.compile(r"(.* - )?words", re.IGNORECASE | re.DOTALL)


def is_wanted(name: str, tier: str | None) -> bool:
    """Whether a tier is the one asked for; ``None``: one of words, by its name.

    >>> is_wanted("Anna - words", None), is_wanted("Words", "words")
    (True, False)
    """
    return bool(_WORD_TIER.fullmatch(name)) if tier is None else name == tier


def asked_for(tier: str | None, count: int) -> tuple[Note, ...]:
    """What is said of words that come from a tier that was named.

    >>> [note.choice for note in asked_for("a|b", 2)], asked_for(None, 2)
    (['tier=a%7Cb'], ())
    """
    if tier is None:
        return ()
    name = re.sub("[%,|]", lambda found: f"%{ord(found[0]):02X}", one_line(tier))  # in a signature
    return (Note("words of the tier that was asked for", count, f"tier={name}"),)


def expected_name(tier: str | None) -> str:
    """The tier asked for, in a message."""
    return "'words' or 'SPEAKER - words'" if tier is None else quote(tier)


def wanted(names: Sequence[str], tier: str | None) -> list[str]:
    """The tiers asked for, of those of a file, whose names are all different.

    Raises:
        SerevalError: none; or the tier ``words`` and others of words beside it.

    >>> wanted(["Anna - phones", "Anna - words", "Bo - words"], None)
    ['Anna - words', 'Bo - words']
    """
    found = [name for name in names if is_wanted(name, tier)]
    folded = {name.casefold() for name in found}
    there = ", ".join(map(quote, names)) or "none"
    if not found:
        raise SerevalError(
            f"no tier {expected_name(tier)}; the tiers are {there}: name one of them"
        )
    if len(folded) < len(found) or (len(found) > 1 and "words" in folded):
        raise SerevalError(
            f"{len(found)} tiers are {expected_name(tier)}, expected one, or one for each "
            f"speaker; the tiers are {there}"
        )
    return found
