"""Alignment: the choice of a template of the response for each template of the key.

The alignment comes before the scoring and does not depend on it (Kehler et al. 2001, sections 2.2
and 4). A *criterion* decides which pairs may be aligned; an *algorithm* chooses among them.

* ``standard``: the two templates have a value in common.
* ``restrictive``: they have a value in common outside the slots of low entropy (section 4.1).

"Pointer fills share a common value if they point to objects that are aligned" (section 2.2), so
types are aligned bottom-up. Types that point to one another are aligned together, and each pair
that is aligned can raise the number of common values of others.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..mapping.assignment import best_pairs
from .model import Fill, SlotNames, Template, TemplateDocument

TABLE_1 = SlotNames(
    ("VACANCY_REASON", "NEW_STATUS", "ON_THE_JOB", "REL_OTHER_ORG", "ORG_TYPE", "PER_TITLE")
)
"""The slots of low entropy of MUC-6 (Kehler et al. 2001, table 1)."""

CRITERIA = ("standard", "restrictive")

ALGORITHMS = ("greedy", "assignment")
"""The choices of ``--alignment``."""

TIES = {"file order": 0, "least": -1, "greatest": 1}
"""Ways to break the ties of the greedy alignment: by the order of the files, or first by the common
values that pairs that point to a pair would then have, which are as few or as many as possible."""

PositionPair = tuple[int, int]
"""A template of the key and a template of the response, by their positions in their documents."""


class CommonFill(NamedTuple):
    """Fills of the key and of the response that are common if one of some pairs is aligned."""

    key: int
    response: int
    needs: tuple[PositionPair, ...] = ()

    def holds(self, aligned: Collection[PositionPair]) -> bool:
        return not self.needs or any(pair in aligned for pair in self.needs)


class SharedSlot(NamedTuple):
    """The common fills of a slot; with ``evidence`` one of them is enough for the criterion."""

    evidence: bool
    fills: tuple[CommonFill, ...]


Candidates = Mapping[PositionPair, Sequence[SharedSlot]]
"""The slots with common values of each pair that could meet the criterion, in document order."""


def match(fills: Iterable[CommonFill]) -> dict[int, int]:
    """A largest matching of the fills of a slot, which are a set."""
    return best_pairs({(fill.key, fill.response): 1 for fill in fills})


def common_values(slots: Iterable[SharedSlot], aligned: Collection[PositionPair]) -> int:
    """The common values of a pair under an alignment; 0 if the pair does not meet the criterion."""
    number, evidence = 0, False
    for slot in slots:
        if holding := [fill for fill in slot.fills if fill.holds(aligned)]:
            number += len(match(holding))
            evidence = evidence or slot.evidence
    return number * evidence


def candidates(
    key: TemplateDocument,
    response: TemplateDocument,
    low_entropy: SlotNames,
    ignored: SlotNames,
) -> dict[PositionPair, list[SharedSlot]]:
    """The pairs of templates that could have a common value outside the slots of low entropy."""
    places = _places(key), _places(response)
    found = {}
    for i, one in enumerate(key.templates):
        for j, other in enumerate(response.templates):
            if one.type == other.type:
                slots = [
                    SharedSlot(not low_entropy.has(one.type, name), fills)
                    for name, fills in _shared(one, other, places)
                    if not ignored.has(one.type, name)
                ]
                if any(slot.evidence for slot in slots):
                    found[i, j] = slots
    return found


Places = Mapping[str, tuple[int, str]]
"""The position and the type of each template of a side, by its identifier."""


def _places(side: TemplateDocument) -> Places:
    return {template.id: (k, template.type) for k, template in enumerate(side.templates)}


def _shared(
    one: Template, other: Template, places: tuple[Places, Places]
) -> Iterator[tuple[str, tuple[CommonFill, ...]]]:
    for slot in one.slots:
        if there := other.slot(slot.name):
            fills = tuple(
                CommonFill(i, j, needs)
                for i, fill in enumerate(slot.fills)
                for j, theirs in enumerate(there.fills)
                for needs in [_needs(fill, theirs, places)]
                if needs is not None
            )
            if fills:
                yield slot.name, fills


def _needs(
    fill: Fill, other: Fill, places: tuple[Places, Places]
) -> tuple[PositionPair, ...] | None:
    """The pairs one of which must be aligned; none for equal texts; ``None``: never common."""
    [value] = other.values
    if not value.pointer:
        return () if value in fill.values else None
    target, type = places[1][value.text]
    ours = [places[0][each.text] for each in fill.values if each.pointer]
    return tuple((place, target) for place, own in ours if own == type) or None


def align(
    found: Candidates,
    groups: Sequence[Collection[int]],
    algorithm: str,
    ties: str = "file order",
) -> set[PositionPair]:
    """The alignment of MUC-6, ``greedy``: the pair with most common values first."""
    greedy = _Search(found, TIES[ties])
    for group in groups:
        greedy.align(group, is_greedy=True)
    if algorithm == "greedy":
        return greedy.aligned
    other = _Search(found, TIES["greatest"])
    for group in groups:
        other.align(group, is_greedy=False)
    return max(greedy, other, key=_Search.values).aligned


class _Search:
    """The alignment of the groups so far; an aligned pair stays aligned."""

    def __init__(self, found: Candidates, favour: int) -> None:
        self.found, self.favour = found, favour
        self.aligned: set[PositionPair] = set()
        self.dependents: dict[PositionPair, dict[PositionPair, None]] = {}
        for pair, slots in found.items():
            for need in (need for slot in slots for fill in slot.fills for need in fill.needs):
                self.dependents.setdefault(need, {})[pair] = None

    def align(self, group: Collection[int], *, is_greedy: bool) -> None:
        """Align a group; the pairs that its own pointers make common are greedy in any case."""
        ranks = self._ranks(pair for pair in self.found if pair[0] in group)
        waiting = [] if is_greedy else [((0, 0), pair) for pair in _assignment(ranks)]
        waiting = waiting or _queue(ranks)
        keys: set[int] = set()
        responses = {response for _, response in self.aligned}
        while waiting:
            _, pair = heapq.heappop(waiting)  # a pair that has risen is in the queue twice
            if pair[0] not in keys and pair[1] not in responses:
                self.aligned.add(pair)
                keys.add(pair[0])
                responses.add(pair[1])
                risen = (other for other in self.dependents.get(pair, ()) if other[0] in group)
                for item in _queue(self._ranks(risen)):
                    heapq.heappush(waiting, item)

    def values(self) -> int:
        """The common values of all pairs together."""
        return sum(common_values(self.found[pair], self.aligned) for pair in self.aligned)

    def _ranks(self, pairs: Iterable[PositionPair]) -> dict[PositionPair, Rank]:
        """The ranks of the pairs that meet the criterion."""
        ranks = {}
        for pair in pairs:
            if values := common_values(self.found[pair], self.aligned):
                above = self.dependents.get(pair, ()) if self.favour else ()
                then = {*self.aligned, pair}
                second = sum(common_values(self.found[other], then) for other in above)
                ranks[pair] = values, self.favour * second
        return ranks


Rank = tuple[int, int]
"""The common values of a pair; and to break ties those of the pairs that point to it, signed."""


def _queue(ranks: Mapping[PositionPair, Rank]) -> list[tuple[Rank, PositionPair]]:
    """The pairs, highest rank first, then in document order."""
    return sorted(((-values, -second), pair) for pair, (values, second) in ranks.items())


def _assignment(ranks: Mapping[PositionPair, Rank]) -> Iterable[PositionPair]:
    """The one-to-one pairs with the greatest sum of ranks."""
    least = min((second for _, second in ranks.values()), default=0)
    whole = 1 + sum(second - least for _, second in ranks.values())
    return best_pairs(
        {pair: whole * values + second - least for pair, (values, second) in ranks.items()}
    ).items()


def groups(key: TemplateDocument, response: TemplateDocument) -> list[frozenset[int]]:
    """The positions of the templates of the key by type; targets of pointers come first."""
    points: dict[str, set[str]] = {}
    for side in (key, response):
        types = {template.id: template.type for template in side.templates}
        for template in side.templates:
            points.setdefault(template.type, set()).update(
                types[value.text]
                for slot in template.slots
                for fill in slot.fills
                for value in fill.values
                if value.pointer
            )
    reached = {type: _reach(type, points) for type in points}
    found: dict[frozenset[str], set[int]] = {}
    for place, template in enumerate(key.templates):
        own = reached[template.type]
        ring = frozenset(type for type in own if template.type in reached[type])
        found.setdefault(ring, set()).add(place)
    # a group reaches fewer types than any group that points to it
    return [frozenset(found[ring]) for ring in sorted(found, key=lambda r: len(reached[min(r)]))]


def _reach(type: str, points: Mapping[str, Collection[str]]) -> set[str]:
    """The types that a type reaches through pointers, and the type itself."""
    reached, waiting = {type}, [type]
    while waiting:
        new = set(points[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached
