"""The reports: scores and analyses come in, and the text of their files goes out.

Each module writes one kind of result in the formats that ``--format`` offers. All formats of a
result read the same values, so they show the same digits. ``page`` writes HTML.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..evaluation.totals import Evaluation

FORMATS = ("text", "json", "csv")
"""The formats of the report on a score; each has a module of its name."""


def render(score: Evaluation, format: str, **look: Any) -> str:
    """The report on a score in one of ``FORMATS``; arguments as for :func:`pieces`."""
    return "".join(pieces(score, format, **look))


def pieces(score: Evaluation, format: str, **look: Any) -> Iterable[str]:
    """The pieces of the report on a score; this imports the module of the format.

    Args:
        score: the score.
        format: one of ``FORMATS``.
        look: further arguments of the function of the format, such as the ``view`` of text.
    """
    report: Iterable[str] = import_module(f".{format}", __package__).render(score, **look)
    return (report,) if isinstance(report, str) else report
