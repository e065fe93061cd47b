"""An entity without a place."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """An entity of which it is known what it is and what was said, and not where.

    Args:
        label: its type. text: its words, as the system wrote them.

    >>> Mention("loc", "Dol").text
    'Dol'
    """

    label: str
    text: str
