"""Entities without places, ``(label, text)``, found in the words.

Systems that read speech end to end, and language models, say what they found and not where. Each
mention is looked for in the words, and all of them together are put where they fit best: a later
mention is after an earlier one or inside it, so that they form a tree in the order they come in.
Of all ways to do so the one is taken that

1. finds the most mentions;
2. has the least sum of edit distances;
3. has the fewest mentions on exactly the words of the one around them: of two mentions with the
   same text each gets words of its own where the words are said twice;
4. is leftmost: the least sum of starts.

The same label is never put on the same words twice. Texts are compared by their letters, marks and
numbers alone, whatever the case and however they are cut into words; a mention begins and ends
where words do.

The search is a chain over mentions and places, in which a mention with all that is inside it is one
link. It is exact. Two kinds of links are not looked at, as none can change what is chosen:

* a link that could be moved left, onto the same words, without meeting the chain before it: that
  keeps all that is found and makes the sum of starts less;
* a link whose chain before it is as good as it was for the last mention of the same label and text:
  that mention has made the same step already.

So a mention is put only where a step since then made the chain before a place better. Where a text
comes again and again, that is few places, however often it is said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import accumulate, repeat
from operator import itemgetter
from typing import NamedTuple

from ..errors import SerevalError
from .checks import limited_depth
from .mention import Mention
from .model import Document, Element, Reference, tree
from .notes import Note
from .recut import significant

NEAR = 4
"""A text is near another if their edit distance is at most a quarter of the longer one's length."""


DEEPEST = 200
"""How many places may stand one in another. An input is refused alike wherever it is read, however
much of Python's stack the caller has used."""

TOO_DEEP = "mentions one in another too deeply, expected few levels"

MOST_WAYS, WAYS_EACH = 20_000, 10
"""So many ways to have labels taken are looked at, and so many more for each place of a mention:
several labels that come again with the same text can be on a place in any combination."""


def is_to_be_found(document: Document | Reference) -> bool:
    """Whether a document says what was named, and has no words yet.

    >>> is_to_be_found(Document("d", (), mentions=(Mention("loc", "Dol"),)))
    True
    """
    if not isinstance(document, Document):
        return False
    return document.mentions is not None and not document.words


def find_mentions(
    document: Document,
    words: Document | Reference,
    *,
    by: str = "exact",
    whose: str = "hypothesis",
) -> Document:
    """A document without places, with its mentions put on words.

    Args:
        document: with mentions, and without words.
        words: of the recogniser, or of the reference where the system had no words of its own.
        by: ``exact``: the text itself; ``nearest``: or one within an edit distance of a quarter
            of the longer one's length.
        whose: the words are those of the ``hypothesis`` or of the ``reference``, for the signature.

    Returns:
        The words and their times, with an element for each mention that was found; the others stay
        in ``mentions``, and each of them is an insertion. Notes say how many there are of both.

    Raises:
        SerevalError: the document has words already; its mentions are one in another too deeply,
            or can stand on the same words in too many ways.

    >>> heard = Document("d", ("benoît", "magie", "mais", "l'", "acteur"))
    >>> magimel, dol = Mention("pers", "Benoît Magimais"), Mention("loc", "Dol")
    >>> found = find_mentions(Document("d", (), mentions=(magimel, dol)), heard, by="nearest")
    >>> [str(element) for element in found.elements], found.mentions
    (['pers [0, 3)'], (Mention(label='loc', text='Dol'),))
    """
    if by not in FINDERS:
        raise SerevalError(f"found {by!r}, expected one of {', '.join(FINDERS)}")
    if document.words:
        raise SerevalError(f"{document.id}: words and mentions, expected mentions alone")
    try:
        elements, missed = locate(document.mentions or (), words.words, by)
    except SerevalError as error:
        raise SerevalError(f"{document.id}: {error}") from None
    choice = f"mentions={by}:{whose}"
    notes = [
        Note("mentions, found in the words", len(elements), choice),
        Note("mentions, not found: each is an insertion", len(missed), choice),
    ]
    heard = words.notes if whose == "hypothesis" else ()  # the reference's are its own
    return replace(
        document,
        words=words.words,
        times=words.times,
        breaks=words.breaks if isinstance(words, Document) else (),
        elements=elements,
        mentions=missed,
        notes=(*document.notes, *heard, *(note for note in notes if note.count)),
    )


def locate(
    mentions: Sequence[Mention], words: Sequence[str], by: str
) -> tuple[tuple[Element, ...], tuple[Mention, ...]]:
    """Elements for the mentions that are found, in order, and the mentions that are not.

    >>> [russia], rest = locate([Mention("loc", "Russie")], ["la", "Russie"], "exact")
    >>> russia, rest
    (Element(label='loc', start=1, end=2, parent=None), ())
    """
    at = best_places(mentions, words, by)
    elements = tree((mentions[k].label, place.start, place.end) for k, place in at.items())
    return elements, tuple(mention for k, mention in enumerate(mentions) if k not in at)


# --- places --------------------------------------------------------------------------------------


class MentionWords(NamedTuple):
    """Words whose text is a mention's, or near it.

    Args:
        start, end: frontiers. distance: edit distance to the mention's text.
    """

    start: int
    end: int
    distance: int


class _Text:
    """Words run together, without what does not count.

    Words of which nothing counts begin and end no mention.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.keys = [significant(word) for word in words]
        self.full = [k for k, key in enumerate(self.keys) if key]  # the words that are left
        self.text = "".join(self.keys)
        self.offsets = list(accumulate((len(self.keys[k]) for k in self.full), initial=0))
        self.known: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Frontiers around the words between two offsets, numbered among those that are left."""
        return self.full[first], self.full[last - 1] + 1

    def runs(self, places: Iterable[MentionWords]) -> list[list[MentionWords]]:
        """Places parted by their words and distance, each part from left to right."""
        alike: dict[tuple[object, ...], list[MentionWords]] = {}
        for place in sorted(places):
            said = filter(None, self.keys[place.start : place.end])
            alike.setdefault((place.distance, *said), []).append(place)
        return list(alike.values())

    def windows(self, shortest: int, longest: int) -> list[tuple[int, int]]:
        """All runs of words with so many characters, numbered among those that are left."""
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

    longest = len(key) * NEAR // (NEAR - 1)  # of which it would be a quarter away
    windows = text.windows(len(key) - len(key) // NEAR, longest)
    heard = [text.text[text.offsets[first] : text.offsets[last]] for first, last in windows]
    near = extract(
        key, heard, scorer=Levenshtein.distance, score_cutoff=longest // NEAR, limit=None
    )
    for other, distance, k in near:
        if distance * NEAR <= max(len(key), len(other)):
            yield MentionWords(*text.span(*windows[k]), int(distance))


FINDERS: dict[str, Callable[[_Text, str], Iterable[MentionWords]]] = {
    "exact": _exact,
    "nearest": _nearest,
}
"""Where a text may be, by policy."""


def best_places(
    mentions: Sequence[Mention], words: Sequence[str], by: str
) -> dict[int, MentionWords]:
    """The place of each mention that is found, by its number, in order."""
    text = _Text(words)
    alike: dict[tuple[str, str], list[int]] = {}
    for k, mention in enumerate(mentions):
        alike.setdefault((mention.label, significant(mention.text)), []).append(k)
    found = {key: text.runs(FINDERS[by](text, key)) for key in {key for _, key in alike} if key}
    kinds = [
        _Kind(label, members, found[key])
        for (label, key), members in alike.items()
        if found.get(key)
    ]
    with limited_depth(SerevalError(TOO_DEEP)):
        links = _Search(kinds, len(mentions), len(words)).best()
    return dict(sorted((link.mention, link.place) for link in links))


# --- the search ----------------------------------------------------------------------------------


class _Link(NamedTuple):
    """A mention put on a place, the links inside it, and those before it."""

    mention: int
    place: MentionWords
    inside: _Link | None
    before: _Link | None


class _Step(NamedTuple):
    """A chain that uses no mention after ``last``, the best of those."""

    last: int
    value: int
    link: _Link | None


class _Kind(NamedTuple):
    """Mentions of one label and text.

    Args:
        label: theirs.
        mentions: their numbers, in order.
        runs: where they may be; the places of a run have the same words and distance, from left to
            right.
    """

    label: str
    mentions: list[int]
    runs: list[list[MentionWords]]


class _Search:
    """The best way to put mentions on their places.

    Values are sums: each mention that is found is worth more than all distances together, which
    are worth more than all equal words, and those more than all starts.
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
        """The links of the best chain, inner ones too."""
        runs = {number: kind.runs for number, kind in enumerate(self.kinds)}
        steps = self._chain(runs, -1, MentionWords(0, self.n, -1), frozenset())
        return list(_unwound(steps[-1].link)) if steps else []

    def _inside(self, mention: int, place: MentionWords, taken: frozenset[str]) -> list[_Step]:
        """Chains of later mentions inside a place; ``taken``: labels that its own words have."""
        later = [
            (other, number, part)
            for start in range(place.start, place.end)
            for other, number, part in self.at.get(start, ())
            if other.end <= place.end and self.kinds[number].mentions[-1] > mention
        ]
        here = {self.kinds[number].label for other, number, _ in later if other[:2] == place[:2]}
        taken &= here  # those that it matters of: a later mention has them, and may come there
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
            runs: where mentions of each kind may be, by its number.
        """
        order = None if around.distance >= 0 else _NEAREST_FIRST  # which decides ties
        best = _Best(around.start, around.end)
        waiting: dict[int, list[tuple[int, _Step]]] = {}
        steps: list[_Step] = []
        seen = dict.fromkeys(runs, 0)  # how much of what was made better
        for mention, number in self._later(runs, after):
            found = _next(runs[number], best.better[seen[number] :])
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
        """A chain with one more mention, by what is inside that."""
        is_equal = around.distance >= 0 and place[:2] == around[:2]
        value = before.value + self.found - place.distance * self.distance - place.start
        value -= self.equal * is_equal
        yield _Step(mention, value, _Link(mention, place, None, before.link))
        label = self.kind_of[mention].label
        own = frozenset({label}) | (taken if is_equal else frozenset())
        for last, more, inside in self._inside(mention, place, own):
            yield _Step(last, value + more, _Link(mention, place, inside, before.link))


_NEAREST_FIRST = itemgetter(2, 0, 1)


def _next(runs: Iterable[Sequence[MentionWords]], frontiers: Sequence[int]) -> set[MentionWords]:
    """The first place of each run at or after some frontiers."""
    return {
        run[k]
        for run in runs
        for frontier in frontiers
        if (k := bisect_left(run, frontier, key=itemgetter(0))) < len(run)
    }


class _Best:
    """The best step that ends at or before a frontier: a Fenwick tree of maxima.

    Args:
        start, end: the first frontier, and the last.

    Attributes:
        better: frontiers up to which the best step became better, in the order in which it did.
    """

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.steps = [_Step(-1, 0, None)] * (end - start + 2)
        self.better = [start]

    def put(self, end: int, step: _Step) -> None:
        """Add a step; of equal ones the first stays."""
        if step.value > self.up_to(end).value:
            self.better.append(end)
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


def _unwound(link: _Link | None) -> Iterator[_Link]:
    while link is not None:
        yield link
        yield from _unwound(link.inside)
        link = link.before
