"""The table of schemes that count something else than slots (see ``scheme``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .evaluate import Pair, Settings
from .mitre import mitre, muc
from .scheme import Options, SchemeScore
from .semeval import semeval2013

Scheme = Callable[[Iterable[Pair], Settings, Options], SchemeScore]

SCHEMES: dict[str, Scheme] = {"mitre": mitre, "muc": muc, "semeval2013": semeval2013}
"""Scorers by name: from pairs of documents, how their words come together, and their options."""
