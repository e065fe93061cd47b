"""What the shows of the bench say, and the elements in it: measure, words, times, forest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random
from typing import Any

Record = dict[str, Any]
"""A document as in native JSON, but with times in ms."""

# ------------------------------------------------------------------------------ the paper's measure


@dataclass(frozen=True)
class Genre:
    """What shows of one kind have in all (Table 1), and the recogniser's error rate on them."""

    shows: int
    words: int
    types: int
    wer: float


# The paper's recognisers do better on broadcast news. The two rates, less what is lost in the
# worst utterances (which keep some words), make 22 % of all words.
NEWS = Genre(shows=8, words=32_951, types=2_762, wer=0.182)
CONVERSATION = Genre(shows=10, words=64_920, types=2_761, wer=0.244)

# Weight and shape of an annotated phrase. `label( … )` nests; `label:112` is a component of as many
# words as a digit drawn from 112; a plain word stands between components. Every fourth level of the
# paper's scheme is here: a type in a component in a type, and a metonymy (a country acting as a
# state) whose two types lie on the same words. Weights give the paper's 1.6 components a type.
PHRASES = (
    (16, "pers.ind( name.first:1 name.last:112 )"),
    (6, "pers.ind( name.last:1 )"),
    (3, "pers.ind( title:1 name.last:1 )"),
    (2, "pers.ind( name.first:1 )"),
    (4, "pers.coll( demonym:1 )"),
    (9, "loc.adm.town( name:112 )"),
    (7, "loc.adm.nat( name:112 )"),
    (2, "loc.adm.reg( name:12 )"),
    (1, "loc.adm.sup( name:1 )"),
    (1, "loc.phys.geo( kind:1 name:12 )"),
    (8, "org.ent( name:1123 )"),
    (3, "org.ent( kind:1 name:12 )"),
    (2, "org.ent( kind:1 name( pers.ind( name.first:1 name.last:1 ) ) )"),
    (4, "org.adm( loc.adm.nat( name:1 ) )"),
    (4, "org.adm( kind:1 qualifier:1 )"),
    (2, "org.adm( kind:1 de name( loc.adm.town( name:12 ) ) )"),
    (3, "func.ind( kind:1 )"),
    (3, "func.ind( kind:1 qualifier:1 )"),
    (4, "func.ind( kind:1 name( org.adm( name:1 ) ) )"),
    (2, "func.ind( qualifier:1 kind:1 de name( org.adm( kind:1 name:12 ) ) )"),
    (3, "func.ind( kind:1 de loc.adm.nat( name:1 ) )"),
    (2, "func.coll( kind:1 qualifier:1 )"),
    (4, "time.date.abs( day:1 month:1 year:23 )"),
    (2, "time.date.abs( month:1 year:23 )"),
    (2, "time.date.abs( year:3 )"),
    (5, "time.date.rel( time-modifier:1 )"),
    (2, "time.date.rel( day:1 time-modifier:1 )"),
    (2, "time.date.rel( val:1 unit:1 time-modifier:1 )"),
    (3, "time.hour.abs( val:1 unit:1 val:1 )"),
    (6, "amount( val:12 unit:1 )"),
    (6, "amount( val:1 object:112 )"),
    (2, "amount( val:1 range-mark:1 val:1 unit:1 )"),
    (3, "amount( qualifier:1 val:1 object:1 )"),
    (3, "prod.media( name:12 )"),
    (1, "prod.art( name:234 )"),
    (2, "prod.object( kind:1 name( org.ent( name:1 ) ) )"),
)

COMPONENTS = frozenset(
    ("name", "name.first", "name.last", "title", "kind", "qualifier", "demonym")
    + ("val", "unit", "object", "range-mark", "day", "month", "year", "time-modifier")
)

LABELS = sorted({token.rstrip("(:0123456789") for _, phrase in PHRASES for token in phrase.split()
                 if token[-1] == "(" or ":" in token})  # fmt: skip


def confusions(label: str) -> list[str]:
    """What a system may take a label for: its own family if it has one (name.first, name.last)."""
    same_kind = [x for x in LABELS if (x in COMPONENTS) == (label in COMPONENTS) and x != label]
    family = [x for x in same_kind if x.split(".")[0] == label.split(".")[0]]
    return family or same_kind


# --------------------------------------------------------------------------------------- the forest


@dataclass
class Node:
    """An element with those inside it; half-open, over the frontiers between words."""

    label: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)

    def moved(self, start: int, end: int, children: list[Node]) -> Node:
        """The same label elsewhere."""
        return Node(self.label, start, end, children)

    def walk(self, depth: int = 1) -> Iterator[tuple[Node, int]]:
        """Itself and all below it in document order, with their depth."""
        yield self, depth
        for child in self.children:
            yield from child.walk(depth + 1)


def elements(nodes: Iterable[Node]) -> list[Record]:
    """The elements of a native document, each with its parent said: equal spans occur."""
    flat: list[Record] = []

    def add(node: Node, parent: int | None) -> None:
        entry: Record = {"label": node.label, "start": node.start, "end": node.end}
        if parent is not None:
            entry["parent"] = parent
        flat.append(entry)
        index = len(flat) - 1
        for child in node.children:
            add(child, index)

    for node in nodes:
        add(node, None)
    return flat


def clip(nodes: Iterable[Node], low: int, high: int) -> list[Node]:
    """What is left of a forest between two frontiers."""
    clipped = []
    for node in nodes:
        start, end = max(node.start, low), min(node.end, high)
        if start < end:
            clipped.append(node.moved(start, end, clip(node.children, start, end)))
    return clipped


# ----------------------------------------------------------------------------- reference: the words


SYLLABLES = ["ba", "cha", "da", "fer", "gou", "ju", "lan", "lin", "ma", "men"]
SYLLABLES += ["nie", "o", "pon", "qui", "ra", "sou", "ter", "tion", "ve", "vin"]


def word(rng: Random) -> str:
    """An invented word; the common ones are common (a long tail, as in any text)."""
    rank = int(min(rng.paretovariate(0.28), 2e4))
    text = ""
    while rank or not text:
        rank, digit = divmod(rank, len(SYLLABLES))
        text += SYLLABLES[digit]
    return text


def phrase(shape: str, start: int, rng: Random) -> tuple[Node, list[str]]:
    """An annotated phrase of this shape that begins at a frontier, and its words."""
    words: list[str] = []
    stack = [Node("", start, start)]
    for token in shape.split():
        label, colon, counts = token.partition(":")
        if token.endswith("(") or colon:
            node = Node(label.rstrip("("), start + len(words), start)
            stack[-1].children.append(node)
            stack.append(node)
        if colon:
            words += (word(rng).capitalize() for _ in range(int(rng.choice(counts))))
        elif not token.endswith(("(", ")")):
            words.append(token)
        if colon or token == ")":
            stack.pop().end = start + len(words)
    return stack[0].children[0], words


def gaps(phrases: int, fillers: int, rng: Random) -> list[int]:
    """How many words outside phrases come before each of them, and after the last.

    News names things in clusters: half the phrases follow the one before at once or nearly so,
    and what remains of the words stretches out between the clusters.
    """
    short = [rng.choice((0, 0, 1, 1, 2, 3)) if rng.random() < 0.5 else None for _ in range(phrases)]
    short.append(None)  # at least one stretch, to take up what is left
    left = fillers - sum(filter(None, short))
    if left < 0:
        raise ValueError(f"{fillers} words are too few between {phrases} phrases")
    shares = [rng.expovariate(1) if count is None else 0 for count in short]
    edges = [round(left * share / sum(shares)) for share in accumulate(shares, initial=0)]
    stretches = (high - low for low, high in pairwise(edges))
    return [s if count is None else count for count, s in zip(short, stretches, strict=True)]


def annotated(words: int, types: int, rng: Random) -> tuple[list[str], list[Node]]:
    """A show of exactly so many words and types."""
    weights, shapes = zip(*PHRASES, strict=True)
    drawn: list[tuple[Node, list[str]]] = []
    while types:
        node, text = phrase(rng.choices(shapes, weights)[0], 0, rng)
        found = sum(n.label not in COMPONENTS for n, _ in node.walk())
        if found <= types:
            drawn.append((node, text))
            types -= found
    before = gaps(len(drawn), words - sum(len(text) for _, text in drawn), rng)
    show: list[str] = []
    nodes: list[Node] = []
    for (node, text), gap in zip(drawn, before, strict=False):
        show += (word(rng) for _ in range(gap))
        nodes.append(moved_by(node, len(show)))
        show += text
    show += (word(rng) for _ in range(before[-1]))
    return show, nodes


def moved_by(node: Node, by: int) -> Node:
    """The same phrase so many words later."""
    children = [moved_by(child, by) for child in node.children]
    return node.moved(node.start + by, node.end + by, children)


def spoken(count: int, nodes: Sequence[Node], rng: Random) -> tuple[list[list[int]], list[int]]:
    """Times of so many words, and where the utterances begin (17 words each, as in Table 1)."""
    inside = {k for node in nodes for k in range(node.start + 1, node.end)}
    clock, times, breaks = 0, [], [0]
    for k in range(count):
        chance = rng.random() * (4 if k in inside else 1)  # fewer speakers stop within a name
        if k and chance < 1 / 17:
            clock += rng.randint(200, 1500)
            breaks.append(k)
        elif chance < 0.12:
            clock += rng.randint(30, 200)
        end = clock + round(rng.triangular(100, 600, 200))
        times.append([clock, end])
        clock = end
    return times, breaks
