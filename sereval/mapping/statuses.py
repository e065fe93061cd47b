"""The status of an open element in a state of the search, as one integer.

A *status* is all that the search must remember about an open element (see ``search``). The status
of a free element is 1 + the frontier where the element began, or 0 (``FREE``) if its start does not
matter. The status of a *spent* element is negative: its partner has closed already. It holds two
numbers:

* the *bound*: how many of the open elements of the other side are ancestors of the partner. They
  are the outermost ones. Rule 3 forbids them to every descendant of the spent element;
* the *latest* frontier where the element may close, or 0 if it may close anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

FREE: Final = 0
"""Status of a free element whose start does not matter."""

BITS: Final = 24
"""How many bits of a spent status hold the bound."""

ALIKE = 1 << 12
"""How many results each cached function keeps; most sides of states are equal."""


def spent_status(bound: int, latest: int = 0) -> int:
    """Status of a spent element: its bound and, if not 0, the last frontier where it may close."""
    return ~(latest << BITS | bound)


def bound_of(status: int) -> int:
    """The bound of a spent status."""
    return ~status & ((1 << BITS) - 1)


def may_close(status: int, k: int) -> bool:
    """Whether a spent element may close at ``k``."""
    latest = ~status >> BITS
    return latest == 0 or k <= latest


@lru_cache(maxsize=ALIKE)
def eligible(outer: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """The free elements of the other side that rule 3 lets an element pair with, by their place.

    Args:
        outer: statuses of the element's open ancestors, outermost first.
        others: statuses of the open elements of the other side, outermost first.
    """
    bound = max([bound_of(status) for status in outer if status < 0], default=0)
    found = []
    for place, status in enumerate(others):
        if status < 0:
            if bound_of(status) > len(outer):
                break  # nothing inside this element may pair with an ancestor of its partner
        elif place >= bound:
            found.append(place)
    return tuple(found)


def partners_of(refs: tuple[int, ...], hyps: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Each free element of one side with its ``eligible`` elements of the other side, as bits."""
    free = sum([1 << j for j, status in enumerate(hyps) if status >= 0])
    walls = [(j, bound_of(status)) for j, status in enumerate(hyps) if status < 0]
    wall = bound = 0
    for i, status in enumerate(refs):
        if status < 0:
            bound = max(bound, bound_of(status))
            continue
        while wall < len(walls) and walls[wall][1] <= i:
            wall += 1
        until = walls[wall][0] if wall < len(walls) else len(hyps)
        yield i, free & (1 << until) - 1 & -1 << bound


@lru_cache(maxsize=ALIKE)
def clip(statuses: tuple[int, ...], depth: int) -> tuple[int, ...]:
    """Lower every bound to at most ``depth``, the number of open elements of the other side."""
    if min(statuses, default=0) >= ~depth:
        return statuses
    return tuple(
        spent_status(min(bound_of(status), depth), ~status >> BITS) if status < 0 else status
        for status in statuses
    )


def loosen(statuses: list[int], others: list[int], then: int) -> tuple[int, ...]:
    """Lower every bound as far as it still forbids the same pairs.

    Args:
        statuses: the statuses of the open elements of one side, outermost first. The list is
            changed.
        others: the statuses of the open elements of the other side, outermost first.
        then: how many of the first elements of ``statuses`` may still get descendants.
    """
    is_inside = False  # whether a free one is further in
    for place in range(len(statuses) - 1, -1, -1):
        status = statuses[place]
        if status >= 0:
            is_inside = True
            continue
        bound = bound_of(status) if is_inside or place < then else 0
        while bound and others[bound - 1] < 0:
            bound -= 1
        statuses[place] = spent_status(bound, ~status >> BITS)
    return tuple(statuses)


@lru_cache(maxsize=ALIKE)
def unbind(statuses: tuple[int, ...]) -> tuple[int, ...]:
    """Set to 0 each bound that is no larger than the bound of an element further out."""
    if min(statuses, default=0) >= spent_status(0):
        return statuses
    bound = 0
    kept = []
    for status in statuses:
        if status < 0 and bound_of(status) <= bound:
            status = spent_status(0, ~status >> BITS)
        elif status < 0:
            bound = bound_of(status)
        kept.append(status)
    return tuple(kept)
