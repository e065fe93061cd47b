"""What a recogniser and a system make of the shows of the bench: their errors."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from shows import LABELS, PHRASES, Node, clip, confusions, phrase, word

# ----------------------------------------------------------------------------------- the recogniser

# Of 22 errors, how many words are substituted, deleted, inserted, merged with the next (a
# substitution and a deletion) or split in two (a substitution and an insertion): what each costs.
EDITS = {"substitute": (11.0, 1), "delete": (4.0, 1), "insert": (3.0, 1),
         "merge": (1.0, 2), "split": (1.0, 2)}  # fmt: skip
ERRORS = sum(share * cost for share, cost in EDITS.values())


@dataclass
class Recognised:
    """A recogniser's words, and what the generator knows of where they come from.

    ``home`` says which reference word each is: ``2 i`` for word ``i``, ``2 i - 1`` for what was
    inserted before it; it never decreases, so elements keep their nesting through it.
    """

    words: list[str] = field(default_factory=list)
    times: list[list[int]] = field(default_factory=list)
    home: list[int] = field(default_factory=list)
    damaged: set[int] = field(default_factory=set)
    edits: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, start: int, end: int, home: int) -> None:
        """One more word."""
        self.words.append(text)
        self.times.append([start, end])
        self.home.append(home)

    @property
    def errors(self) -> int:
        """Word errors by the generator's own edit script; an alignment may find fewer."""
        return sum(EDITS[edit][1] * count for edit, count in self.edits.items())


def perfect(words: Sequence[str]) -> Recognised:
    """A manual transcription: every word as it was said."""
    return Recognised(words=list(words), home=[2 * i for i in range(len(words))])


def recognised(
    words: Sequence[str], times: Sequence[list[int]], breaks: Sequence[int], wer: float, rng: Random
) -> Recognised:
    """What a recogniser with this word error rate makes of a show."""
    out = Recognised()
    starts, factor = set(breaks), 1.0
    k = 0
    while k < len(words):
        if k in starts:
            factor = rng.gammavariate(2, 0.5)  # errors come in bursts: some utterances are lost
        edit = draw_edit(wer * factor, rng)
        if edit == "merge" and (k + 1 == len(words) or k + 1 in starts):
            edit = "substitute"
        k += apply_edit(edit, k, words, times, out, rng)
    heard(out.times, rng)
    return out


def draw_edit(wer: float, rng: Random) -> str:
    """What happens to the next word."""
    kinds = ["keep", *EDITS]
    shares = [wer * share / ERRORS for share, _ in EDITS.values()]
    return rng.choices(kinds, [max(0.05, 1 - sum(shares)), *shares])[0]


def apply_edit(
    edit: str,
    k: int,
    words: Sequence[str],
    times: Sequence[list[int]],
    out: Recognised,
    rng: Random,
) -> int:
    """Append what is heard of word ``k``; returns how many reference words that took."""
    start, end = times[k]
    middle = round(start + (end - start) * rng.uniform(0.3, 0.7))
    if edit != "keep":
        out.edits[edit] += 1
        out.damaged |= {k, k + 1} if edit == "merge" else {k} if edit != "insert" else set()
    if edit == "keep":
        out.add(words[k], start, end, 2 * k)
    elif edit == "substitute":
        out.add(word(rng), start, end, 2 * k)
    elif edit == "delete":
        if out.times and out.times[-1][1] == start and rng.random() < 0.5:
            out.times[-1][1] = end  # the word ahead takes up its time, or nobody does
    elif edit == "insert":
        out.add(word(rng), start, middle, 2 * k - 1)
        out.add(words[k], middle, end, 2 * k)
    elif edit == "split":
        out.add(word(rng), start, middle, 2 * k)
        out.add(word(rng), middle, end, 2 * k)
    elif edit == "merge":
        out.add(word(rng), start, times[k + 1][1], 2 * rng.choice((k, k + 1)))
        return 2
    return 1


def heard(times: list[list[int]], rng: Random) -> None:
    """Disturb word times in place as a recogniser's are, in order of start, none empty.

    Where two words touch they mostly go on touching, as in real recogniser output (six in ten);
    the others come to overlap or to part.
    """
    true_end = None
    for k, (start, end) in enumerate(times):
        touches = true_end == start and rng.random() < 0.85
        true_end = end
        times[k][0] = times[k - 1][1] if touches else max(0, start + round(rng.gauss(0, 30)))
        if k:
            times[k][0] = max(times[k][0], times[k - 1][0])
        times[k][1] = max(times[k][0] + 20, end + round(rng.gauss(0, 30)))


# --------------------------------------------------------------------------------------- the system


@dataclass(frozen=True)
class Mistakes:
    """How often the system is wrong, by element; calibrated to a slot error rate near 40 % on
    the recogniser's words with a tolerance of 0.25 s."""

    miss: float = 0.075  # with all below it
    drop: float = 0.04  # alone
    retype: float = 0.10
    nest: float = 0.03
    shift: float = 0.12
    invent: float = 0.08  # spurious phrases, by phrase of the reference
    damage: float = 2.2  # how many times likelier each is on misrecognised words


@dataclass
class System:
    """A system that knows the truth and gets it wrong as one that does not would."""

    rng: Random
    heard: Recognised
    mistakes: Mistakes = Mistakes()

    def find(self, nodes: Sequence[Node]) -> list[Node]:
        """What it makes of the true elements over the words it was given."""
        kept = self.perceive(nodes)
        moved = self.shift(kept, 0, len(self.heard.words))
        return self.invent(moved, round(self.mistakes.invent * len(nodes)))

    def goes_wrong(self, rate: float, node: Node) -> bool:
        """Whether a mistake of this rate befalls a true element."""
        damaged = any(k in self.heard.damaged for k in range(node.start, node.end))
        return self.rng.random() < rate * (self.mistakes.damage if damaged else 1)

    def perceive(self, nodes: Iterable[Node]) -> list[Node]:
        """Elements over its words, with some missing, mistyped or nested otherwise."""
        seen: list[Node] = []
        for node in nodes:
            # the words that came from the element's own, and what was inserted among them
            start = bisect_left(self.heard.home, 2 * node.start)
            end = bisect_right(self.heard.home, 2 * node.end - 2)
            if start >= end or self.goes_wrong(self.mistakes.miss, node):
                continue
            below = self.perceive(node.children)
            if self.goes_wrong(self.mistakes.drop, node):
                seen += below
                continue
            found = Node(node.label, start, end, below)
            if self.goes_wrong(self.mistakes.retype, node):
                found.label = self.rng.choice(confusions(node.label))
            if self.goes_wrong(self.mistakes.nest, node):
                found = self.renested(found)
            seen.append(found)
        return seen

    def renested(self, node: Node) -> Node:
        """Turn parent and child over, or flatten, or put one element too many around."""
        only = node.children[0] if len(node.children) == 1 else None
        if only and (only.start, only.end) == (node.start, node.end):
            inner = node.moved(node.start, node.end, only.children)
            return only.moved(node.start, node.end, [inner])
        deep = [grandchild for child in node.children for grandchild in child.children]
        if deep:
            return node.moved(node.start, node.end, deep)
        return Node(self.rng.choice(LABELS), node.start, node.end, [node])

    def shift(self, nodes: Sequence[Node], low: int, high: int) -> list[Node]:
        """Some spans a word or two wider or narrower, within what siblings and parent leave."""
        moved: list[Node] = []
        for node, right in zip(nodes, [n.start for n in nodes[1:]] + [high], strict=False):
            left = moved[-1].end if moved else low
            if self.rng.random() < self.mistakes.shift:
                side, step = self.rng.choice("se"), self.rng.choice((-2, -1, -1, 1, 1, 1))
                node = self.stretched(node, side, step, left, right)
            node.children = self.shift(node.children, node.start, node.end)
            moved.append(node)
        return moved

    def stretched(self, node: Node, side: str, step: int, low: int, high: int) -> Node:
        """Move one side outwards; mostly the child that touches there comes along."""
        start, end, children = node.start, node.end, list(node.children)
        if side == "s":
            start = min(max(start - step, low), end - 1)
        else:
            end = max(min(end + step, high), start + 1)
        touching = 0 if side == "s" else -1
        if children and step > 0 and self.rng.random() < 0.7:
            child = children[touching]
            if side == "s" and child.start == node.start:
                children[0] = self.stretched(child, side, step, start, child.end)
            elif side == "e" and child.end == node.end:
                children[-1] = self.stretched(child, side, step, child.start, end)
        return node.moved(start, end, clip(children, start, end))

    def invent(self, nodes: Sequence[Node], count: int) -> list[Node]:
        """With so many spurious phrases where it had found nothing."""
        weights, shapes = zip(*PHRASES, strict=True)
        found = list(nodes)
        while count and self.heard.words:
            at = self.rng.randrange(len(self.heard.words))
            made, _ = phrase(self.rng.choices(shapes, weights)[0], at, self.rng)
            place = bisect_left(found, at, key=lambda node: node.start)
            left = found[place - 1].end if place else 0
            right = found[place].start if place < len(found) else len(self.heard.words)
            if left <= made.start and made.end <= right:
                found.insert(place, made)
                count -= 1
        return found
