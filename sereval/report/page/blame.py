"""Whose errors they are: what the page of a blame has above its documents."""

from __future__ import annotations

from typing import Any

from ...analysis.blame import (
    CAUSES,
    FOUND,
    GROUPS,
    LOST,
    MANUAL,
    RECOGNISED,
    SHOWN,
    WRONG,
    Blame,
    beside,
    cost_rows,
    headline,
    signature,
)
from ...analysis.resampling import Resampling

BADGES = {
    "kept": ("kept", "kept: right on both words"),
    LOST: ("lost", "lost: right on reference words, wrong on the recogniser's"),
    FOUND: ("found", "found: wrong on reference words, right on the recogniser's"),
    WRONG: ("wrong on both", "wrong on both words"),
}
"""The name and the meaning of the badge of each group."""


def section(blame: Blame, resampling: Resampling) -> dict[str, Any]:
    """The costs and shares, the number of elements of each group and cause, the misheard words."""
    balance = blame.balance
    return {
        "signature": str(signature(blame, resampling)),
        "sentence": " ".join(headline(blame.corners)),
        "costs": [row for row in cost_rows(blame, resampling) if row],
        "causes": CAUSES,
        "groups": [
            [group, balance.outcomes[group], [own[cause] for cause in CAUSES] if own else []]
            for group, own in ((group, balance.causes.get(group)) for group in GROUPS)
        ],
        "insertions": [balance.insertions[side] for side in (MANUAL, RECOGNISED)],
        "mishearings": [
            [" ".join(one.words), " ".join(one.heard), one.count]
            for one in blame.mishearings[:SHOWN]
        ],
        "notes": beside(blame),
    }
