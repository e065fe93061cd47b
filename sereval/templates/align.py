"""Templates, and the choice of a template of the response for each template of the key.

A template file has documents with templates, whose slots have fills. Source: Kehler, Bear and
Appelt 2001, section 2.1 and figure 1, for string fills, set fills and pointers to other templates;
footnote 6, and the user's manual of the MUC scoring software (M98-1030), for alternatives and
optional parts of a key.

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
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from ..mapping.assignment import best_pairs


@dataclass(frozen=True, slots=True)
class Value:
    """A string, a member of a set, or a pointer to a template."""

    text: str  # in NFC, so that NFC and NFD are equal
    pointer: bool = False  # whether the text is the identifier of a template
    # Quotation marks are not compared: the files do not say which slots hold strings and which hold
    # members of a set.
    quoted: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        if self.pointer:
            return f"<{self.text}>"
        return f'"{self.text}"' if self.quoted else self.text


Fill: TypeAlias = tuple[Value, ...]
"""One fill of a slot: a value, or several alternatives, each of which is correct."""


def written(fill: Fill) -> str:
    """A fill as a file has it."""
    return " / ".join(map(str, fill))


class TemplateSlot(NamedTuple):
    """The fills of a slot, at least one."""

    fills: list[Fill]  # in the order of the file, which does not affect the score
    optional: bool = False  # a response may lack it without a missing fill


class Template(NamedTuple):
    """A template, such as one organisation."""

    id: str  # unique in its document; pointers use it
    type: str  # only templates of one type are compared
    slots: dict[str, TemplateSlot]  # those with a fill, by a name such as ORG_NAME
    optional: bool = False  # a response may lack it without missing fills
    line: int = 0  # where it begins


class TemplateDocument(NamedTuple):
    """All templates of one document, in the order of the file."""

    id: str
    templates: Sequence[Template] = ()


def is_named(names: Collection[str], type: str, slot: str) -> bool:
    """Whether ``ORG_TYPE``, or ``ORGANIZATION.ORG_TYPE`` for one type, is among some names."""
    return slot in names or f"{type}.{slot}" in names


TABLE_1 = (
    *("VACANCY_REASON", "NEW_STATUS", "ON_THE_JOB", "REL_OTHER_ORG", "ORG_TYPE", "PER_TITLE"),
)
"""The slots of low entropy of MUC-6 (Kehler et al. 2001, table 1)."""

CRITERIA = ("standard", "restrictive")

ALGORITHMS = ("greedy", "assignment")
"""The choices of ``--alignment``."""

PositionPair = tuple[int, int]
"""A template of the key and a template of the response, by their positions in their documents."""


class SharedSlot(NamedTuple):
    """The common fills of a slot; with ``evidence`` one of them is enough for the criterion."""

    evidence: bool
    # by the places of a fill of the key and one of the response: the pairs of templates one of
    # which must be aligned; none if the two are equal texts
    needs: Mapping[tuple[int, int], Collection[PositionPair]]

    def match(self, aligned: Set[PositionPair]) -> dict[int, int]:
        """A largest matching of the fills that are common under an alignment; they are a set."""
        return best_pairs(
            {
                fills: 1
                for fills, needs in self.needs.items()
                if not needs or not aligned.isdisjoint(needs)
            }
        )


SharedSlots = Mapping[str, SharedSlot]
"""The slots of a pair of templates that could have a common value, by name."""

Candidates = Mapping[PositionPair, SharedSlots]
"""The slots of each pair that could meet the criterion, in document order."""


def common_values(slots: SharedSlots, aligned: Set[PositionPair]) -> int:
    """The common values of a pair under an alignment; 0 if the pair does not meet the criterion."""
    found = [(len(slot.match(aligned)), slot.evidence) for slot in slots.values()]
    return sum(number for number, _ in found) if any(map(all, found)) else 0


def candidates(
    key: TemplateDocument,
    response: TemplateDocument,
    low_entropy: Collection[str],
    ignored: Collection[str],
) -> Candidates:
    """The pairs of templates that could have a common value outside the slots of low entropy."""
    ours, theirs = (
        {template.id: k for k, template in enumerate(side.templates)} for side in (key, response)
    )
    found = {}
    for (i, one), (j, other) in product(enumerate(key.templates), enumerate(response.templates)):
        slots = {}
        for name in one.slots if one.type == other.type else ():
            if name in other.slots and not is_named(ignored, one.type, name):
                needs = {}
                for a, fill in enumerate(one.slots[name].fills):
                    for b, [value] in enumerate(other.slots[name].fills):
                        pointed = [each for each in fill if each.pointer and value.pointer]
                        if pointed or value in fill and not value.pointer:
                            target = value.text
                            needs[a, b] = [(ours[each.text], theirs[target]) for each in pointed]
                if needs:
                    slots[name] = SharedSlot(not is_named(low_entropy, one.type, name), needs)
        if any(slot.evidence for slot in slots.values()):
            found[i, j] = slots
    return found


def align(
    found: Candidates,
    groups: Sequence[Collection[int]],
    algorithm: str,
    favour: int = 0,
) -> set[PositionPair]:
    """The alignment by one of ``ALGORITHMS``; ``greedy`` takes most common values first (MUC-6)."""
    # ``favour`` breaks its ties: 0 by the order of the files; 1 and -1 first by the common values
    # that pairs that point to a pair would then have, as many as possible or as few.
    greedy = _aligned(found, groups, favour, _queue)
    if algorithm == "greedy":
        return greedy
    other = _aligned(found, groups, 1, _assignment)
    return max(greedy, other, key=lambda way: sum(common_values(found[pair], way) for pair in way))


Rank = tuple[int, int]
"""The common values of a pair; and to break ties those of the pairs that point to it, signed."""

Queue = list[tuple[Rank, PositionPair]]
"""Pairs in the order in which they are aligned, each behind its rank, less than 0."""


def _aligned(
    found: Candidates,
    groups: Iterable[Collection[int]],
    favour: int,
    first: Callable[[Mapping[PositionPair, Rank]], Queue],
) -> set[PositionPair]:
    """An alignment, group by group; the pairs that pointers make common are greedy in any case."""
    aligned: set[PositionPair] = set()
    taken: set[tuple[int, int]] = set()  # the templates of the key, 0, and of the response, 1
    dependents: dict[PositionPair, dict[PositionPair, None]] = {}
    for pair, slots in found.items():
        for need in chain.from_iterable(chain(*(slot.needs.values() for slot in slots.values()))):
            dependents.setdefault(need, {})[pair] = None

    def ranks(pairs: Iterable[PositionPair]) -> dict[PositionPair, Rank]:
        """The ranks of the pairs that meet the criterion."""
        ranked = {}
        for pair in pairs:
            if values := common_values(found[pair], aligned):
                then = {*aligned, pair}
                above = dependents.get(pair, ()) if favour else ()
                second = sum(common_values(found[other], then) for other in above)
                ranked[pair] = values, favour * second
        return ranked

    for group in groups:
        waiting = first(ranks(pair for pair in found if pair[0] in group))
        while waiting:
            _, pair = heapq.heappop(waiting)  # a pair that has risen is in the queue twice
            if taken.isdisjoint(enumerate(pair)):
                aligned.add(pair)
                taken.update(enumerate(pair))
                risen = (other for other in dependents.get(pair, ()) if other[0] in group)
                for item in _queue(ranks(risen)):
                    heapq.heappush(waiting, item)
    return aligned


def _queue(ranks: Mapping[PositionPair, Rank]) -> Queue:
    """The pairs, highest rank first, then in document order."""
    return sorted(((-values, -second), pair) for pair, (values, second) in ranks.items())


def _assignment(ranks: Mapping[PositionPair, Rank]) -> Queue:
    """The one-to-one pairs with the greatest sum of ranks, before all others."""
    least = min((second for _, second in ranks.values()), default=0)
    whole = 1 + sum(second - least for _, second in ranks.values())
    worth = {pair: whole * values + second - least for pair, (values, second) in ranks.items()}
    return [((0, 0), pair) for pair in best_pairs(worth).items()]


def groups(key: TemplateDocument, response: TemplateDocument) -> list[set[int]]:
    """The positions of the templates of the key by type; targets of pointers come first."""
    points: dict[str, set[str]] = {}
    for side in (key, response):
        types = {template.id: template.type for template in side.templates}
        for template in side.templates:
            points.setdefault(template.type, {template.type}).update(
                types[value.text]
                for slot in template.slots.values()
                for fill in slot.fills
                for value in fill
                if value.pointer
            )
    for via, type in product(points, points):
        if via in points[type]:
            points[type] |= points[via]
    found: dict[frozenset[str], set[int]] = {}
    for place, template in enumerate(key.templates):
        found.setdefault(frozenset(points[template.type]), set()).add(place)
    # types that point to one another reach the same; a group that points to another reaches more
    return [found[own] for own in sorted(found, key=len)]
