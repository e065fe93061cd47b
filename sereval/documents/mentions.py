"""Find entities without places, ``(label, text)``, in the words of a document.

End-to-end systems and language models name entities without saying where they are. This module
looks for each mention in the words and chooses the places of all mentions together. A later
mention stands after an earlier one or inside it, so that the mentions form a tree in their order.
Of all such choices the search takes the one that

1. finds the most mentions;
2. has the least sum of edit distances;
3. puts the fewest mentions on exactly the words of the mention around them, so that two mentions
   with the same text get words of their own where the text occurs twice;
4. is leftmost: it has the least sum of starts.

The same label never stands twice on the same words. Texts are compared by their letters, marks and
numbers alone: case and division into words do not count. A mention begins and ends where words do.

The search is exact. It builds chains over mentions and places; a mention and everything inside it
are one link of a chain. It skips two kinds of links, because neither can change the result:

* a link that could move left onto equal words without meeting the chain before it: the move finds
  the same mentions and lowers the sum of starts;
* a link whose chain before it is no better than it was for the last mention of the same label and
  text: that mention has made the same step already.

A mention is therefore tried only where a later step improved the chain before a place. For a text
that occurs often, these places are few.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import accumulate, chain, repeat
from operator import itemgetter
from typing import NamedTuple

from ..errors import SerevalError
from .checks import limited_depth
from .model import Document, Element, Mention, Reference, tree
from .notes import Note
from .places import MentionPlaces, MentionWords
from .recut import significant

NEAR = 4
"""A text is near another if their edit distance is at most a quarter of the longer one's length."""


DEEPEST = 200
"""The most places that may be nested. A fixed limit refuses the same input everywhere, however much
of Python's stack the caller has used."""

TOO_DEEP = "mentions one in another too deeply, expected few levels"

MOST_WAYS, WAYS_EACH = 20_000, 10
"""The limit of the search: the most sets of labels on places that it looks at, and how much the
limit grows with each place of a mention. There can be many sets, because labels that share a
repeated text can stand on a place in any combination."""


def find_mentions(
    document: Document,
    words: Document | Reference,
    *,
    by: str = "exact",
    whose: str = "hypothesis",
) -> Document:
    """A document with its mentions put on words.

    Args:
        document: a document with mentions and without words.
        words: the words of the recogniser, or of the reference if the system had no words.
        by: ``exact`` finds the text itself; ``nearest`` also finds a text whose edit distance is
            at most a quarter of the longer text's length.
        whose: ``hypothesis`` or ``reference``: the side of the words, for the signature.

    Returns:
        The words with their times, and an element for each mention that was found. The other
        mentions stay in ``mentions``, and each counts as an insertion. Notes count both.

    Raises:
        SerevalError: an unknown ``by``; the document has words already; its mentions are nested too
            deeply, or can stand on the same words in too many ways.

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
        kinds = _kinds(mentions, words.words, by)
        at = _best(kinds, len(mentions), len(words.words))
    except SerevalError as error:
        raise SerevalError(f"{document.id}: {error}") from None
    elements, missed = _split(mentions, at)
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
        breaks=words.breaks if isinstance(words, Document) else (),
        elements=elements,
        mentions=missed,
        notes=noted,
        places=_places(mentions, kinds, at, noted),
    )


def locate(
    mentions: Sequence[Mention], words: Sequence[str], by: str
) -> tuple[tuple[Element, ...], tuple[Mention, ...]]:
    """Elements for the mentions that are found, in order, and the mentions that are not.

    Args:
        mentions: labels and texts, in the order of the system.
        words: the words to find them in.
        by: name of the policy in ``FINDERS``.

    Raises:
        SerevalError: as :func:`find_mentions`.

    >>> [russia], rest = locate([Mention("loc", "Russie")], ["la", "Russie"], "exact")
    >>> russia, rest
    (Element(label='loc', start=1, end=2, parent=None), ())
    """
    return _split(mentions, best_places(mentions, words, by))


def _split(
    mentions: Sequence[Mention], at: Mapping[int, MentionWords]
) -> tuple[tuple[Element, ...], tuple[Mention, ...]]:
    """Elements for the mentions that have a place, and the other mentions."""
    elements = tree((mentions[k].label, place.start, place.end) for k, place in at.items())
    return elements, tuple(mention for k, mention in enumerate(mentions) if k not in at)


def _places(
    mentions: Sequence[Mention],
    kinds: Sequence[_Kind],
    at: Mapping[int, MentionWords],
    notes: tuple[Note, ...],
) -> MentionPlaces:
    """All places of the mentions, of which ``at`` is the best choice."""
    of_mention = {k: number for number, kind in enumerate(kinds) for k in kind.mentions}
    return MentionPlaces(
        tuple(mentions),
        tuple(of_mention[k] for k in range(len(mentions))),
        tuple(tuple(sorted(chain.from_iterable(kind.runs))) for kind in kinds),
        len(at),
        sum(place.distance for place in at.values()),
        notes,
    )


# --- places --------------------------------------------------------------------------------------


class _Text:
    """The significant characters of all words, joined.

    A mention neither begins nor ends at a word without significant characters.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.keys = [significant(word) for word in words]
        self.full = [
            k for k, key in enumerate(self.keys) if key
        ]  # words with significant characters
        self.text = "".join(self.keys)
        self.offsets = list(accumulate((len(self.keys[k]) for k in self.full), initial=0))
        self.known: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Frontiers around words, from the numbers of the first and after the last in ``full``."""
        return self.full[first], self.full[last - 1] + 1

    def runs(self, places: Iterable[MentionWords]) -> list[list[MentionWords]]:
        """Places grouped by their words and distance, each group from left to right."""
        alike: dict[tuple[object, ...], list[MentionWords]] = {}
        for place in sorted(places):
            words = filter(None, self.keys[place.start : place.end])
            alike.setdefault((place.distance, *words), []).append(place)
        return list(alike.values())

    def windows(self, shortest: int, longest: int) -> list[tuple[int, int]]:
        """The runs of words with ``shortest`` to ``longest`` characters, as numbers in ``full``."""
        if (shortest, longest) not in self.known:
            offsets = self.offsets
            self.known[shortest, longest] = [
                (first, last)
                for first, at in enumerate(offsets[:-1])
                for last in range(
                    max(first + 1, bisect_left(offsets, at + shortest)),
                    bisect_right(offsets, at + longest),
                )
            ]
        return self.known[shortest, longest]


def _exact(text: _Text, key: str) -> Iterator[MentionWords]:
    at = text.text.find(key)
    while at >= 0:
        first, last = (bisect_left(text.offsets, place) for place in (at, at + len(key)))
        if text.offsets[first] == at and text.offsets[last] == at + len(key):
            yield MentionWords(*text.span(first, last), 0)
        at = text.text.find(key, at + 1)


def _nearest(text: _Text, key: str) -> Iterator[MentionWords]:
    from rapidfuzz.distance import Levenshtein  # slow to import
    from rapidfuzz.process import extract

    longest = len(key) * NEAR // (NEAR - 1)  # the longest text that can be near
    windows = text.windows(len(key) - len(key) // NEAR, longest)
    texts = [text.text[text.offsets[first] : text.offsets[last]] for first, last in windows]
    near = extract(
        key, texts, scorer=Levenshtein.distance, score_cutoff=longest // NEAR, limit=None
    )
    for other, distance, k in near:
        if distance * NEAR <= max(len(key), len(other)):
            yield MentionWords(*text.span(*windows[k]), int(distance))


FINDERS: dict[str, Callable[[_Text, str], Iterable[MentionWords]]] = {
    "exact": _exact,
    "nearest": _nearest,
}
"""How to find the places of a text, by policy."""


def best_places(
    mentions: Sequence[Mention], words: Sequence[str], by: str
) -> dict[int, MentionWords]:
    """The place of each mention that is found, by its index, in order."""
    return _best(_kinds(mentions, words, by), len(mentions), len(words))


def _kinds(mentions: Sequence[Mention], words: Sequence[str], by: str) -> list[_Kind]:
    """The mentions by label and text, with the possible places of each text."""
    text = _Text(words)
    alike: dict[tuple[str, str], list[int]] = {}
    for k, mention in enumerate(mentions):
        alike.setdefault((mention.label, significant(mention.text)), []).append(k)
    found = {key: text.runs(FINDERS[by](text, key)) for key in {key for _, key in alike} if key}
    return [_Kind(label, of, found.get(key, [])) for (label, key), of in alike.items()]


def _best(kinds: Sequence[_Kind], count: int, n: int) -> dict[int, MentionWords]:
    """The place of each of ``count`` mentions that is found in ``n`` words, by its index."""
    with limited_depth(SerevalError(TOO_DEEP)):
        links = _Search([kind for kind in kinds if kind.runs], count, n).best()
    return dict(sorted((link.mention, link.place) for link in links))


# --- the search ----------------------------------------------------------------------------------


class _Link(NamedTuple):
    """A mention put on a place, the links inside it, and those before it."""

    mention: int
    place: MentionWords
    inside: _Link | None
    before: _Link | None


class _Step(NamedTuple):
    """The best chain that uses no mention after ``last``."""

    last: int
    value: int
    link: _Link | None


class _Kind(NamedTuple):
    """Mentions of one label and text.

    Args:
        label: their label.
        mentions: their indices, in order.
        runs: their possible places; the places of a run have the same words and distance, and are
            in order from left to right.
    """

    label: str
    mentions: list[int]
    runs: list[list[MentionWords]]


class _Search:
    """The best way to put mentions on their places.

    A value is a sum. A mention that is found outweighs all distances together; a unit of distance
    outweighs all mentions on equal words; a mention on equal words outweighs all starts.
    """

    def __init__(self, kinds: Sequence[_Kind], count: int, n: int) -> None:
        self.kinds = kinds
        self.kind_of = {k: kind for kind in kinds for k in kind.mentions}
        self.count = count
        farthest = sum(
            len(kind.mentions) * max(p.distance for p, *_ in kind.runs) for kind in kinds
        )
        self.equal = count * n + 1  # more than all starts together
        self.distance = self.equal * (count + 1)
        self.found = self.distance * (farthest + 1)
        self.n = n
        self.at: dict[int, list[tuple[MentionWords, int, int]]] = {}  # by start, with kind and run
        for number, kind in enumerate(kinds):
            for part, run in enumerate(kind.runs):
                for place in run:
                    self.at.setdefault(place.start, []).append((place, number, part))
        ways = sum(len(kind.mentions) * sum(map(len, kind.runs)) for kind in kinds)
        self.known: dict[tuple[int, MentionWords, frozenset[str]], list[_Step]] = {}
        self.most = MOST_WAYS + WAYS_EACH * ways
        self.depth = 0

    def best(self) -> list[_Link]:
        """The links of the best chain, with those inside others."""
        runs = {number: kind.runs for number, kind in enumerate(self.kinds)}
        steps = self._chain(runs, -1, MentionWords(0, self.n, -1), frozenset())
        return list(_unwound(steps[-1].link)) if steps else []

    def _inside(self, mention: int, place: MentionWords, taken: frozenset[str]) -> list[_Step]:
        """Chains of later mentions inside a place; ``taken``: labels on exactly its words."""
        later = [
            (other, number, part)
            for start in range(place.start, place.end)
            for other, number, part in self.at.get(start, ())
            if other.end <= place.end and self.kinds[number].mentions[-1] > mention
        ]
        here = {self.kinds[number].label for other, number, _ in later if other[:2] == place[:2]}
        taken &= here  # only a label that a later mention could put there matters
        runs: dict[int, dict[int, list[MentionWords]]] = {}
        for other, number, part in later:
            if other[:2] != place[:2] or self.kinds[number].label not in taken:
                runs.setdefault(number, {}).setdefault(part, []).append(other)
        if not runs:
            return []
        key = mention, place, taken
        if key not in self.known:
            if len(self.known) > self.most:
                raise SerevalError(
                    f"{self.count} mentions can stand on the same words in too many ways, "
                    "expected fewer that have the same text and repeat their labels"
                )
            if self.depth == DEEPEST:
                raise SerevalError(TOO_DEEP)
            of_kind = {number: [*parts.values()] for number, parts in runs.items()}
            self.depth += 1
            self.known[key] = self._chain(of_kind, mention, place, taken)
            self.depth -= 1
        return self.known[key]

    def _chain(
        self,
        runs: Mapping[int, Sequence[Sequence[MentionWords]]],
        after: int,
        around: MentionWords,
        taken: frozenset[str],
    ) -> list[_Step]:
        """The best chains of mentions after one, by the last mention they use.

        Args:
            runs: possible places of the mentions of each kind, by the kind's number.
            after: index of a mention; chains use later ones.
            around: the place that the chains are inside.
            taken: labels on exactly the words of that place.
        """
        order = None if around.distance >= 0 else _NEAREST_FIRST  # decides ties
        best = _BestSteps(around.start, around.end)
        waiting: dict[int, list[tuple[int, _Step]]] = {}
        steps: list[_Step] = []
        seen = dict.fromkeys(runs, 0)  # how many of the improvements each kind has used
        for mention, number in self._later(runs, after):
            found = {place for run in runs[number] for place in best.next(run, seen[number])}
            for place in sorted(found, key=order):
                before = best.up_to(place.start)
                for step in self._links(mention, place, around, taken, before):
                    waiting.setdefault(step.last, []).append((place.end, step))
            seen[number] = len(best.better)
            for end, step in waiting.pop(mention, ()):
                best.put(end, step)
            top = best.up_to(around.end)
            if top.value > (steps[-1].value if steps else 0):
                steps.append(_Step(mention, top.value, top.link))
        return steps

    def _later(self, numbers: Iterable[int], after: int) -> Iterator[tuple[int, int]]:
        """Mentions of some kinds after one, in order, each with the number of its kind."""
        members = [(number, self.kinds[number].mentions) for number in numbers]
        return merge(
            *(zip(of[bisect_right(of, after) :], repeat(number)) for number, of in members)
        )

    def _links(
        self,
        mention: int,
        place: MentionWords,
        around: MentionWords,
        taken: frozenset[str],
        before: _Step,
    ) -> Iterator[_Step]:
        """Chains with one more mention: one for each chain inside it."""
        is_equal = around.distance >= 0 and place[:2] == around[:2]
        value = before.value + self.found - place.distance * self.distance - place.start
        value -= self.equal * is_equal
        yield _Step(mention, value, _Link(mention, place, None, before.link))
        label = self.kind_of[mention].label
        own = frozenset({label}) | (taken if is_equal else frozenset())
        for last, more, inside in self._inside(mention, place, own):
            yield _Step(last, value + more, _Link(mention, place, inside, before.link))


_NEAREST_FIRST = itemgetter(2, 0, 1)


class _BestSteps:
    """The best step that ends at or before a frontier: a Fenwick tree of maxima.

    Args:
        start, end: the first frontier, and the last.

    Attributes:
        better: frontiers up to which the best step improved, in the order of the improvements.
        latest: a tree of maxima over frontiers: the last improvement up to each.
    """

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.steps = [_Step(-1, 0, None)] * (end - start + 2)
        self.better: list[int] = []
        self.latest = [-1] * (2 * (end - start + 1))
        self._improve(start)

    def put(self, end: int, step: _Step) -> None:
        """Add a step; of equal ones the first stays."""
        if step.value > self.up_to(end).value:
            self._improve(end)
        k = end - self.start + 1
        while k < len(self.steps):
            if step.value > self.steps[k].value:
                self.steps[k] = step
            k += k & -k

    def up_to(self, end: int) -> _Step:
        """The best step that ends there or before."""
        k = end - self.start + 1
        best = self.steps[0]
        while k:
            if self.steps[k].value > best.value:
                best = self.steps[k]
            k -= k & -k
        return best

    def _improve(self, frontier: int) -> None:
        k = frontier - self.start + len(self.latest) // 2
        while k:
            self.latest[k] = len(self.better)
            k >>= 1
        self.better.append(frontier)

    def next(self, run: Sequence[MentionWords], seen: int) -> Iterator[MentionWords]:
        """The places of a run that are the first at or after an improved frontier.

        Args:
            run: places from left to right.
            seen: the number of the first improvement that counts.
        """
        if len(self.better) - seen < len(run):
            for frontier in self.better[seen:]:
                k = bisect_left(run, frontier, key=itemgetter(0))
                if k < len(run):
                    yield run[k]
            return
        before = self.start
        for place in run:
            if self._last_improved(before, place.start + 1) >= seen:
                yield place
            before = place.start + 1

    def _last_improved(self, first: int, end: int) -> int:
        """The number of the last improvement up to a frontier from ``first`` to before ``end``."""
        half = len(self.latest) // 2
        left, right = first - self.start + half, end - self.start + half
        found = -1
        while left < right:
            if left & 1:
                found = max(found, self.latest[left])
                left += 1
            if right & 1:
                right -= 1
                found = max(found, self.latest[right])
            left >>= 1
            right >>= 1
        return found


def _unwound(link: _Link | None) -> Iterator[_Link]:
    while link is not None:
        yield link
        yield from _unwound(link.inside)
        link = link.before
