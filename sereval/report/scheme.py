"""The counts and rates of the figures of other schemes as JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..measures.figures import Figure
from ..render.report import plain, values
from ..schemes.report import EQUAL, LAYOUTS


@lru_cache(maxsize=1 << 12)  # figures with small counts occur often
def as_row(figure: Figure) -> dict[str, Any]:
    """The counts and rates of one figure, by their JSON keys."""
    columns, _ = LAYOUTS[type(figure)]
    names = [one.name for one in columns]
    return dict(zip(names, map(plain, values(columns, figure, EQUAL)), strict=True))
