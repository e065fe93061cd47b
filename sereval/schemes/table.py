"""The table of schemes that count something else than slots (see ``scheme``).

A score waits for the module of its own scheme alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..evaluation.settings import Settings

if TYPE_CHECKING:
    from .result import Options, SchemeScore


class Scheme(Protocol):
    """A scorer: from pairs of documents, how their words come together, and its options."""

    def __call__(
        self, pairs: Pairs[Pair], settings: Settings, options: Options, /
    ) -> SchemeScore: ...


def _mitre(*given: Any) -> SchemeScore:
    from .mitre import mitre

    return mitre(*given)


def _muc(*given: Any) -> SchemeScore:
    from .mitre import muc

    return muc(*given)


def _semeval2013(*given: Any) -> SchemeScore:
    from .semeval import semeval2013

    return semeval2013(*given)


def _slue(*given: Any) -> SchemeScore:
    from .slue import slue

    return slue(*given)


SCHEMES: dict[str, Scheme] = {
    "mitre": _mitre,
    "muc": _muc,
    "semeval2013": _semeval2013,
    "slue": _slue,
}
"""Scorers by name."""

FIGURES: dict[str, tuple[str, ...]] = {
    "mitre": ("all", "type", "extent", "content"),
    "muc": ("all", "type", "text"),
    "semeval2013": ("strict", "exact", "partial", "type"),
    "slue": ("entity", "label"),
}
"""What systems can be compared by under each scheme; the first is the default."""

MAPPINGS = ("greedy", "optimal")
"""The ways to pair elements under ``mitre`` and ``muc``; the first is the default."""
