"""An entity without a place."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """An entity without a place: a system gave its label and its text only.

    Args:
        label: its type.
        text: its words, as the system wrote them.

    >>> Mention("loc", "Dol").text
    'Dol'
    """

    label: str
    text: str
