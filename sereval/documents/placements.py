"""All placements of the mentions of a list on the words of a document.

``find_mentions`` takes, of all ways to put mentions on words, those that find the most mentions
with the least sum of edit distances. These are the *placements*. Where a text occurs more than once
there can be many, and ``find_mentions`` takes the one with the fewest mentions on exactly the words
of the mention around them, and of these the leftmost. This module has all of them, as a graph, and
finds the one of least or of greatest cost.

A *stop* is a frontier where a place starts. A node of the graph is a stop with the next mention of
the list. A step puts mentions on words from one stop to a later one: it is the shortest step whose
mentions end before the later stop. Mentions between two that are placed are not found. A path from
the first node to the last stop is a placement, because a later mention stands after an earlier one
or inside it. Of several mentions with one label and text a step takes the first that is left: every
other choice gives the same elements.

Spans of words that are *joined* have no stop inside, so that a step has everything that the cost of
these words depends on. The cost of a placement is then the sum over its steps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ..errors import SerevalError
from .places import MentionPlaces, MentionWords

MAX_PLACEMENTS = 200_000
"""The most ways to put mentions on words between two stops that are looked at in a document."""

MentionChoice = tuple[tuple[int, MentionWords], ...]
"""Indices of mentions, each with its place, in order."""

StretchCost = Callable[[int, int, MentionChoice], int]
"""The cost of what starts from one frontier to before another, if these mentions stand there."""


class PlacementNode(NamedTuple):
    """A state on the way from left to right.

    Args:
        stop: the number of a stop.
        mention: the index of the first mention that is left.
    """

    stop: int
    mention: int


class _Step(NamedTuple):
    """A way on from a node.

    Args:
        to: the node where it ends.
        chosen: the mentions that it puts on words.
    """

    to: PlacementNode
    chosen: MentionChoice

    @property
    def gain(self) -> tuple[int, int]:
        """The number of mentions that it finds, and the sum of their edit distances, negated."""
        return len(self.chosen), -sum(place.distance for _, place in self.chosen)


class Placements:
    """All placements of a list of mentions.

    Args:
        places: the mentions and their possible places.
        joined: spans of words whose cost is no sum; they do not overlap, and are in order.
        most: how many ways to put mentions on words between two stops may be looked at.

    Raises:
        SerevalError: there are more ways.

    >>> from sereval.documents.mentions import find_mentions
    >>> from sereval.documents.model import Document, Mention
    >>> words = Document("d", ("Dol", "or", "Dol"))
    >>> found = find_mentions(Document("d", (), mentions=(Mention("loc", "Dol"),)), words)
    >>> placements = Placements(found.places)
    >>> placements.open
    1
    >>> placements.cheapest(lambda start, end, chosen: -sum(place.start for _, place in chosen))
    ((0, MentionWords(start=2, end=3, distance=0)),)
    """

    def __init__(
        self,
        places: MentionPlaces,
        joined: Iterable[tuple[int, int]] = (),
        most: int = MAX_PLACEMENTS,
    ) -> None:
        self.places = places
        self.most = most
        self.tried = 0
        self.members: list[list[int]] = [[] for _ in places.places]
        for mention, kind in enumerate(places.kinds):
            self.members[kind].append(mention)
        self.every = sorted(
            (place, kind) for kind, of_kind in enumerate(places.places) for place in of_kind
        )
        self.stops = _stops([place.start for place, _ in self.every], list(joined))
        self.ways = self._optimal()

    @property
    def open(self) -> int:
        """The number of mentions that do not stand on the same words in all placements."""
        at: list[set[MentionWords | None]] = [set() for _ in self.places.kinds]
        for node, steps in self.ways.items():
            for step in steps:
                for mention, place in step.chosen:
                    at[mention].add(place)
                placed = {mention for mention, _ in step.chosen}
                is_last = step.to.stop == len(self.stops)
                after = len(at) if is_last else step.to.mention
                for mention in range(node.mention, after):
                    if mention not in placed:
                        at[mention].add(None)
        return sum(len(of_mention) > 1 for of_mention in at)

    def cheapest(self, cost: StretchCost) -> MentionChoice:
        """The placement of least cost.

        Of several it is the one that ``find_mentions`` prefers: with the fewest mentions on exactly
        the words of the mention around them, and then the leftmost. A fixed order decides the rest.

        Args:
            cost: the cost of the words from one frontier to another, such that the sum over the
                steps of a placement is its cost.
        """
        frontiers = [*self.stops, *(stop + 1 for stop in self.stops[-1:])]
        best: dict[
            PlacementNode, tuple[tuple[int, int, int], _Step | None, PlacementNode | None]
        ] = {}
        first = PlacementNode(0, 0)
        best[first] = (0, 0, 0), None, None
        abreast = self._abreast()
        for node in sorted(self.ways):
            value = best[node][0]
            for step in self.ways[node]:
                ends = frontiers[node.stop], frontiers[step.to.stop]
                own = cost(*ends, step.chosen) if abreast[node.stop] > 1 else 0
                equal, starts = _untidy(step.chosen)
                there = (value[0] + own, value[1] + equal, value[2] + starts)
                if step.to not in best or there < best[step.to][0]:
                    best[step.to] = there, step, node
        last = min(
            (node for node in best if node.stop == len(self.stops)), key=lambda n: best[n][0]
        )
        return tuple(_unwound(best, last))

    def _abreast(self) -> list[int]:
        """How many steps begin at each stop or lead over it; a single one is in all placements."""
        change = [0] * (len(self.stops) + 1)
        for node, steps in self.ways.items():
            for step in steps:
                change[node.stop] += 1
                change[step.to.stop] -= 1
        return [*accumulate(change)]

    # --- the graph

    def _optimal(self) -> dict[PlacementNode, list[_Step]]:
        """The steps of all placements, by the node where they begin."""
        steps, value = self._forwards()
        target = self.places.found, -self.places.distance
        last = len(self.stops)
        rest: dict[PlacementNode, tuple[int, int]] = {n: (0, 0) for n in value if n.stop == last}
        kept: dict[PlacementNode, list[_Step]] = {}
        for node in sorted(steps, reverse=True):
            found = [
                (_sum(step.gain, rest[step.to]), step) for step in steps[node] if step.to in rest
            ]
            if not found:
                continue
            rest[node] = max(gain for gain, _ in found)
            kept[node] = [step for gain, step in found if _sum(value[node], gain) == target]
        return {node: of_node for node, of_node in kept.items() if of_node}

    def _forwards(
        self,
    ) -> tuple[dict[PlacementNode, list[_Step]], dict[PlacementNode, tuple[int, int]]]:
        """The steps that may lead to the most mentions, and what each node has found at best."""
        value: dict[PlacementNode, tuple[int, int]] = {PlacementNode(0, 0): (0, 0)}
        layers: list[list[PlacementNode]] = [[] for _ in range(len(self.stops) + 1)]
        layers[0].append(PlacementNode(0, 0))
        steps: dict[PlacementNode, list[_Step]] = {}
        longest = _LongestRuns(self.places)
        for stop in range(len(self.stops)):
            for node in layers[stop]:
                need = self.places.found - value[node][0]
                if longest.after(node.mention, self.stops[stop]) < need:
                    continue
                steps[node] = list(self._steps(node, longest, need))
                for step in steps[node]:
                    there = _sum(value[node], step.gain)
                    if step.to not in value:
                        layers[step.to.stop].append(step.to)
                    value[step.to] = max(there, value.get(step.to, there))
        return steps, value

    def _steps(self, node: PlacementNode, longest: _LongestRuns, need: int) -> Iterator[_Step]:
        """The ways on from a node.

        Args:
            node: the node.
            longest: the most mentions that can be found from a frontier on.
            need: how many mentions are to be found from here on.
        """
        begin = bisect_left(self.every, self.stops[node.stop], key=lambda each: each[0].start)
        waiting: list[tuple[PlacementNode, MentionChoice]] = [
            (PlacementNode(node.stop + 1, node.mention), ())
        ]
        while waiting:
            to, chosen = waiting.pop()
            yield _Step(to, chosen)
            self._count(chosen)
            before = chosen[-1][1].start if chosen else -1
            limit = self.stops[to.stop] if to.stop < len(self.stops) else None
            further: list[tuple[PlacementNode, MentionChoice]] = []
            for k in range(begin, len(self.every)):
                place, kind = self.every[k]
                if limit is not None and place.start >= limit:
                    break
                mention = self._next(kind, to.mention)
                if mention is None or place.start < before:
                    continue
                if len(chosen) + 1 + longest.after(mention + 1, place.start) < need:
                    continue
                if not self._fits(place, kind, chosen):
                    continue
                stop = max(to.stop, bisect_left(self.stops, place.end))
                further.append((PlacementNode(stop, mention + 1), (*chosen, (mention, place))))
            waiting += reversed(further)

    def _next(self, kind: int, mention: int) -> int | None:
        """The first mention of a kind that is left."""
        members = self.members[kind]
        k = bisect_left(members, mention)
        return members[k] if k < len(members) else None

    def _fits(self, place: MentionWords, kind: int, chosen: MentionChoice) -> bool:
        """Whether a mention there is after or inside all that are chosen, and no label twice."""
        label = self._label(self.members[kind][0])
        return all(
            other.end <= place.start
            or (
                place.end <= other.end and (place[:2] != other[:2] or self._label(mention) != label)
            )
            for mention, other in chosen
        )

    def _label(self, mention: int) -> str:
        return self.places.mentions[mention].label

    def _count(self, chosen: MentionChoice) -> None:
        self.tried += bool(chosen)
        if self.tried > self.most:
            raise SerevalError(
                f"{len(self.places.kinds)} mentions have more than {self.most} placements to "
                "compare, expected fewer repeated texts, or a larger --max-placements"
            )


class _LongestRuns:
    """The most mentions that can start one after another from a frontier on, in their order.

    It is an upper bound of what placements find there: it lets mentions cross.

    Args:
        places: the mentions and their places.
    """

    def __init__(self, places: MentionPlaces) -> None:
        tails: list[int] = []  # for each length less 1, the last start of such a chain, negated
        self.tails = [tails]
        for kind in reversed(places.kinds):
            longer = {
                bisect_right(tails, -place.start): -place.start  # the last place stays
                for place in places.places[kind]
            }
            if longer:
                tails = [*tails, *([1] if max(longer) == len(tails) else [])]
                for length, start in longer.items():
                    tails[length] = min(tails[length], start)
            self.tails.append(tails)
        self.tails.reverse()

    def after(self, mention: int, frontier: int) -> int:
        """How many mentions, from one on, can stand from a frontier on at most."""
        return bisect_right(self.tails[mention], -frontier)


def _stops(starts: Sequence[int], joined: Sequence[tuple[int, int]]) -> list[int]:
    """The starts of places outside joined words, and those of joined words, in order."""
    ends = [end for _, end in joined]
    outside = [
        start
        for start in starts
        if (k := bisect_left(ends, start + 1)) == len(joined) or start <= joined[k][0]
    ]
    return sorted({*outside, *(start for start, _ in joined)})


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


def _untidy(chosen: MentionChoice) -> tuple[int, int]:
    """The number of mentions on exactly the words of the one around them, and the sum of starts."""
    spans = [place[:2] for _, place in chosen]
    return len(spans) - len({*spans}), sum(start for start, _ in spans)


def _unwound(
    best: dict[PlacementNode, tuple[tuple[int, int, int], _Step | None, PlacementNode | None]],
    last: PlacementNode,
) -> list[tuple[int, MentionWords]]:
    """The mentions of the way to a node, with their places."""
    parts: list[MentionChoice] = []
    node: PlacementNode | None = last
    while node is not None:
        _, step, node = best[node]
        parts += [step.chosen] if step else []
    return [one for part in reversed(parts) for one in part]
