"""The table of schemes that count something else than slots (see ``scheme``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from .mitre import mitre, muc
from .parallel import Workers
from .scheme import Options, SchemeScore
from .semeval import REGIMES, semeval2013
from .settings import Settings
from .slue import FIGURES as SLUE
from .slue import slue
from .totals import Pair


class Scheme(Protocol):
    """A scorer: from pairs of documents, how their words come together, and its options."""

    def __call__(
        self,
        pairs: Sequence[Pair],
        settings: Settings,
        options: Options,
        /,
        *,
        workers: Workers = ...,
        watch: Callable[[Sequence[Pair]], Iterable[Pair]] = ...,
    ) -> SchemeScore: ...


SCHEMES: dict[str, Scheme] = {
    "mitre": mitre,
    "muc": muc,
    "semeval2013": semeval2013,
    "slue": slue,
}
"""Scorers by name."""

FIGURES: dict[str, tuple[str, ...]] = {
    "mitre": ("all", "type", "extent", "content"),
    "muc": ("all", "type", "text"),
    "semeval2013": tuple(REGIMES),
    "slue": SLUE,
}
"""What systems can be compared by under each scheme; the first is the default."""
