"""The table of schemes that count something else than slots (see ``scheme``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .evaluate import Pair, Settings
from .scheme import SchemeScore
from .semeval import semeval2013

SCHEMES: dict[str, Callable[[Iterable[Pair], Settings], SchemeScore]] = {
    "semeval2013": semeval2013,
}
"""Scorers by name: from pairs of documents and how their words come together."""
