"""Find entities without places, ``(label, text)``, in the words of a document.

End-to-end systems and language models name entities without saying where they are. This module
looks for each mention in the words and chooses the places of all mentions together. A later
mention stands after an earlier one or inside it, so that the mentions form a tree in their order.
Of all such choices the search takes the one that

1. finds the most mentions;
2. has the least sum of edit distances;
3. puts the fewest mentions on exactly the words of the mention around them, so that two mentions
   with the same text get words of their own where the text occurs twice;
4. is leftmost: it has the least sum of starts, then of ends;
5. finds the earliest mentions: it has the least sum of their numbers in the list.

The same label never stands twice on the same words. Texts are compared by their letters, marks and
numbers alone: case and division into words do not count. A mention begins and ends where words do.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heapify, heappop, heappush
from operator import add, itemgetter
from typing import NamedTuple, TypeAlias

from ..errors import SerevalError
from .model import (
    Document,
    Mention,
    Note,
    Reference,
    Span,
    tree,
)
from .words import significant

NEAR = 4
"""A text is near another if their edit distance is at most a quarter of the longer one's length."""


def find_mentions(
    document: Document,
    words: Document | Reference,
    *,
    by: str = "exact",
    whose: str = "hypothesis",
    max_states: int | None = None,
) -> Document:
    """A document with its mentions put on words.

    Args:
        document: a document with mentions and without words.
        words: the words of the recogniser, or of the reference if the system had no words.
        by: ``exact`` finds the text itself; ``nearest`` also finds a text whose edit distance is
            at most a quarter of the longer text's length.
        whose: ``hypothesis`` or ``reference``: the side of the words, for the signature.
        max_states: how many states the search may visit for each 1000 mentions; it changes no
            result; ``None``: a million.

    Returns:
        The words with their times, and an element for each mention that was found. The other
        mentions stay in ``mentions``, and each counts as an insertion. Notes count both.

    Raises:
        SerevalError: an unknown ``by``; the document has words already; its mentions can stand on
            the words in too many ways.

    >>> from sereval import Document, Mention
    >>> transcript = Document("d", ("benoît", "magie", "mais", "l'", "acteur"))
    >>> magimel, dol = Mention("pers", "Benoît Magimais"), Mention("loc", "Dol")
    >>> found = find_mentions(Document("d", (), mentions=(magimel, dol)), transcript, by="nearest")
    >>> [str(element) for element in found.elements], found.mentions
    (['pers [0, 3)'], (Mention(label='loc', text='Dol'),))
    """
    if by not in FINDERS:
        raise SerevalError(f"found {by!r}, expected one of {', '.join(FINDERS)}")
    if document.words:
        raise SerevalError(f"{document.id}: words and mentions, expected mentions alone")
    mentions = document.mentions or ()
    try:
        at = Search(mentions, words.words, by, max_states).best()
    except SerevalError as error:
        raise SerevalError(f"{document.id}: {error}") from None
    elements = tree((mentions[k].label, place.start, place.end) for k, place in at.items())
    missed = tuple(mention for k, mention in enumerate(mentions) if k not in at)
    choice = f"mentions={by}:{whose}"
    notes = [
        Note("mentions, found in the words", len(elements), choice),
        Note("mentions, not found: each is an insertion", len(missed), choice),
    ]
    on_words = words.notes if whose == "hypothesis" else ()  # the reference keeps its own notes
    noted = (*document.notes, *on_words, *(note for note in notes if note.count))
    return replace(
        document,
        words=words.words,
        times=words.times,
        breaks=words.breaks,
        elements=elements,
        mentions=missed,
        notes=noted,
    )


# --- places --------------------------------------------------------------------------------------


class MentionWords(NamedTuple):
    """Words whose text equals a mention's text or is near it."""

    start: int  # a frontier, like ``end``
    end: int
    distance: int  # edits to the mention's text


class _Text:
    """The significant characters of all words, joined."""

    def __init__(self, words: Sequence[str]) -> None:
        self.keys = [significant(word) for word in words]
        self.text = "".join(self.keys)
        # the frontiers of words with significant characters, by the number of characters before
        self.starts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self.known: dict[int, dict[str, list[Span]]] = {}
        at = 0
        for k, key in enumerate(self.keys):
            if key:
                self.starts[at] = k
                at += len(key)
                self.ends[at] = k + 1

    def windows(self, length: int) -> dict[str, list[Span]]:
        """The texts of so many characters that begin and end where words do, with their words."""
        if length not in self.known:
            found = self.known[length] = {}
            for at, start in self.starts.items():
                if at + length in self.ends:
                    words = start, self.ends[at + length]
                    found.setdefault(self.text[at : at + length], []).append(words)
        return self.known[length]


def _exact(text: _Text, key: str) -> Iterator[MentionWords]:
    at = text.text.find(key)
    while at >= 0:
        if at in text.starts and at + len(key) in text.ends:
            yield MentionWords(text.starts[at], text.ends[at + len(key)], 0)
        at = text.text.find(key, at + 1)


def _nearest(text: _Text, key: str) -> Iterator[MentionWords]:
    from rapidfuzz.distance import Levenshtein  # slow to import
    from rapidfuzz.process import extract

    for length in range(len(key) - len(key) // NEAR, len(key) * NEAR // (NEAR - 1) + 1):
        windows, cutoff = text.windows(length), max(len(key), length) // NEAR
        near = extract(
            key, [*windows], scorer=Levenshtein.distance, score_cutoff=cutoff, limit=None
        )
        for other, distance, _ in near:
            for words in windows[other]:
                yield MentionWords(*words, int(distance))


FINDERS: dict[str, Callable[[_Text, str], Iterable[MentionWords]]] = {
    "exact": _exact,
    "nearest": _nearest,
}
"""How to find the places of a text, by policy."""


# A *placement* puts as many mentions on words as can be, with the least sum of edit distances.
# Where a text occurs more than once there can be many; the preferred one
#
# 1. puts the fewest mentions on exactly the words of the mention around them;
# 2. is leftmost: it has the least sum of starts, then of ends;
# 3. finds the earliest mentions: it has the least sum of their numbers in the list.
#
# The search goes through the words from left to right. A state is a frontier where a
# place starts, the first mention of the list that is left, and where the spans end that are open. A
# way on puts a mention inside the innermost open span, or goes to the next frontier. A later
# mention stands after an earlier one or inside it, so each placement is one way through the states.
# Of several mentions with one label and text the first that is left is taken: every other choice
# gives the same elements.
#
# How many mentions can still be found is bounded by the longest chain of later mentions whose
# places start one after another (``runs``, which lets them cross). States that cannot reach
# a target are dropped. For the preferred placement the target begins at the bound of the whole list
# and falls until it is reached; and a state is dropped if another one with the same frontier and
# open spans has more mentions left and no worse value. A place is not tried if the same words stand
# further left and nothing is in the way there: moved left with all inside it, a mention has a
# lesser start, so that repeated mentions of one text take its places from left to right, in as many
# steps.

MAX_STATES = 1_000_000
"""The default limit of the search for the preferred placement, for each 1000 mentions; the same as
that of the mapping."""

WAYS = 10
"""How many ways on the search may try for each state of the limit."""


class _State(NamedTuple):
    """Where the search is."""

    at: int  # the number of a frontier
    mention: int  # the first that is left
    ends: tuple[int, ...]  # of the open spans, the innermost last
    # If the innermost open span starts here, the labels on exactly this span, as far as a later
    # mention could put them there again; else None.
    labels: frozenset[str] | None


_NO_END = sys.maxsize
"""After all frontiers."""

_FIRST = _State(0, 0, (), None)

_Put = tuple[int, MentionWords]
"""A mention and its place."""

_Value = tuple[int, ...]
"""The number of mentions, then distances, equal spans, starts, ends and numbers, each negated."""


_Chain: TypeAlias = "tuple[_Put, _Chain] | None"
"""A mention on its place, and those before it."""


_Start = tuple[MentionWords, int, int]
"""A place, its kind, and where the place before with the same words starts; -1: there is none."""


class _Reached(NamedTuple):
    """The best value of a state, the mentions found, and from where on the words are free."""

    value: _Value
    link: _Chain
    free: int


class Search:
    """All ways to put the mentions of a list on words."""

    def __init__(
        self,
        mentions: Sequence[Mention],
        words: Sequence[str],
        by: str,
        max_states: int | None = None,  # for each 1000 mentions; None: MAX_STATES
    ) -> None:
        number: dict[tuple[str, str], int] = {}  # mentions with one label and text are of one kind
        kinds = [
            number.setdefault((mention.label, significant(mention.text)), len(number))
            for mention in mentions
        ]
        self.labels = [label for label, _ in number]
        text = _Text(words)
        found = {key: sorted(FINDERS[by](text, key)) for key in {k for _, k in number} if key}
        places = [found.get(key, []) for _, key in number]
        self.members: list[list[int]] = [[] for _ in places]
        for mention, kind in enumerate(kinds):
            self.members[kind].append(mention)
        self.last: dict[tuple[int, int, str], int] = {}  # the last mention of a label on a span
        self.at: dict[int, list[_Start]] = {}
        before: dict[tuple[object, ...], int] = {}
        for place, kind in sorted((place, kind) for kind, of in enumerate(places) for place in of):
            key = *place[:2], self.labels[kind]
            self.last[key] = max(self.last.get(key, -1), self.members[kind][-1])
            same = kind, place.distance, *filter(None, text.keys[place.start : place.end])
            self.at.setdefault(place.start, []).append((place, kind, before.get(same, -1)))
            before[same] = place.start
        self.frontiers = [*self.at]
        # the least of ``before`` of what starts there, and the next frontier where it is less
        self.earliest = [min(before for *_, before in here) for here in self.at.values()]
        self.lower = [*range(1, len(self.frontiers) + 1)]
        for at in reversed(range(len(self.frontiers))):
            self.lower[at] = self._next(at + 1, self.earliest[at])
        self.left = WAYS * (max_states or MAX_STATES) * (1 + len(kinds) // 1000)
        # by the length of a run, less 1: mentions, each with the last frontier where it begins one
        self.runs: list[list[tuple[int, int]]] = []
        self._find_runs(kinds, places)

    def best(self) -> dict[int, MentionWords]:
        """The place of each mention that is found in the preferred placement, in order."""
        less, most = 0, len(self.runs)
        while not (ends := self._sweep(most - less)) and less < most:
            less = min(2 * less + 1, most)
        found = []
        link = max(ends.values(), key=itemgetter(0)).link
        while link is not None:
            put, link = link
            found.append(put)
        return dict(reversed(found))

    def _next(self, at: int, free: int) -> int:
        """From one on, the first frontier where a place starts that is not like one before it."""
        while at < len(self.frontiers) and self.earliest[at] >= free:
            at = self.lower[at]
        return at

    def _sweep(self, target: int) -> dict[_State, _Reached]:
        """The last states of the ways to so many mentions or more, with their best values."""
        layers: list[dict[_State, _Reached]] = [{} for _ in range(len(self.frontiers) + 1)]
        layers[0][_FIRST] = _Reached((0, 0, 0, 0, 0, 0), None, 0)
        for at in range(len(self.frontiers)):
            here, layers[at] = layers[at], {}
            tops: dict[tuple[tuple[int, ...], frozenset[str] | None], _Value] = {}
            waiting = [(state.mention, k, state) for k, state in enumerate(here)]
            heapify(waiting)
            while waiting:
                state = heappop(waiting)[-1]
                value, link, free = here[state]
                top = tops.get(state[2:])
                if top is not None and value <= top:
                    continue
                tops[state[2:]] = value
                self._count(1 + len(self.at[self.frontiers[at]]))
                for to, put, freed in self._ways(state, free, target - value[0]):
                    there, way = value, link
                    if put is not None:
                        mention, place = put
                        is_equal = state.labels is not None and place.end == state.ends[-1]
                        more = 1, -place.distance, -is_equal, -place.start, -place.end, -mention
                        there, way = tuple(map(add, value, more)), (put, link)
                    layer = here if to.at == at else layers[to.at]
                    if to not in layer or there > layer[to].value:
                        if to.at == at and to not in layer:
                            heappush(waiting, (to.mention, len(here), to))
                        layer[to] = _Reached(there, way, freed)
        return layers[-1]

    def _ways(
        self, state: _State, free: int, need: int
    ) -> Iterator[tuple[_State, _Put | None, int]]:
        """The ways on from a state by which so many more mentions may be found."""
        at, mention, ends, labels = state
        frontier = self.frontiers[at]
        for place, kind, before in self.at[frontier]:
            if before >= free or (ends and place.end > ends[-1]):
                continue
            members = self.members[kind]
            k = bisect_left(members, mention)
            if k == len(members) or frontier > self._last_start(members[k] + 1, need - 1):
                continue
            on = {self.labels[kind]}
            if labels is not None and place.end == ends[-1]:
                if self.labels[kind] in labels:
                    continue
                on |= labels
            again = (label for label in on if self.last[(*place[:2], label)] > members[k])
            inside = ends if ends and place.end == ends[-1] else (*ends, place.end)
            to = _State(at, members[k] + 1, inside, frozenset(again))
            yield to, (members[k], place), frontier
        at = self._next(at + 1, free)
        while ends and (at == len(self.frontiers) or ends[-1] <= self.frontiers[at]):
            free, ends = ends[-1], ends[:-1]
            at = self._next(bisect_left(self.frontiers, free), free)
        after = self.frontiers[at] if at < len(self.frontiers) else _NO_END
        if after <= self._last_start(mention, need):
            yield _State(at, mention, ends, None), None, free

    def _count(self, ways: int) -> None:
        self.left -= ways
        if self.left < 0:
            raise SerevalError(
                f"{sum(map(len, self.members))} mentions can stand on the words in too many ways, "
                "expected fewer texts that are repeated, or a larger --max-states"
            )

    def _find_runs(self, kinds: Sequence[int], places: Sequence[Sequence[MentionWords]]) -> None:
        """Find the most mentions that can start one after another from a frontier on, in order."""
        tails: list[int] = []
        on = {(-at.start, at.end, self.labels[k]) for k, of in enumerate(places) for at in of}
        spans = [(start, end) for start, end, _ in sorted(on)]
        first = {span: k for k, span in reversed([*enumerate(spans)])}
        copies = Counter(spans)

        @lru_cache(256)
        def bits(kind: int) -> int:
            at = {(-place.start, place.end) for place in places[kind]}
            return sum((1 << copies[span]) - 1 << first[span] for span in at)

        left = (1 << len(spans)) - 1
        for mention in reversed(range(len(kinds))):
            hit = left & bits(kinds[mention])
            more = (left + hit | left ^ hit) & (1 << len(spans)) - 1
            left, new = more, left & ~more
            while new:
                span = new.bit_length() - 1
                new ^= 1 << span
                length = bisect_left(tails, span)
                tails[length : length + 1] = [span]
                if length == len(self.runs):
                    self.runs.append([])
                self.runs[length].append((-mention, -spans[span][0]))
                self._count(1)

    def _last_start(self, mention: int, length: int) -> int:
        """The last frontier from which so many mentions, from one on, can stand; -1: none."""
        if length <= 0:
            return _NO_END
        if length > len(self.runs):
            return -1
        changes = self.runs[length - 1]
        k = bisect_right(changes, (-mention, _NO_END))
        return changes[k - 1][1] if k else -1
