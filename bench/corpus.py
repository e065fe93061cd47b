"""Makes a corpus the size of the paper's test set, as native JSON lines.

The Quaero test data (Galibert et al., IJCNLP 2011, Table 1: 18 shows, 97 871 words, 5 523 types,
8 902 components) are not free to pass on, so the bench runs on invented shows of the same measure:
what an exact search costs depends on how many elements stand close together, how they nest and
how many frontiers lie within the tolerance, not on what the words say.

Three files are written into the folder, and what is in them is printed:

* ``reference.jsonl``: clean words with times, and the true elements;
* ``manual.jsonl``: what a system with errors finds on the reference's own words;
* ``asr.jsonl``: what it finds on the words and times of a recogniser with errors of its own.

Everything follows from the seed. Each show has a random stream for each stage, so that a change to
the system's errors leaves words, times and the recogniser's errors as they were; ``random.Random``
and not numpy, whose streams may change from one release to the next.
"""

from __future__ import annotations

import argparse
import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any

Record = dict[str, Any]
"""A document as in native JSON, but with times in ms."""

Corpus = dict[str, list[Record]]
"""The documents of each file, by the file's stem; the same shows in the same order."""

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


# --------------------------------------------------------------------------------------- the corpus


def shares(total: int, count: int, rng: Random) -> list[int]:
    """A total cut into so many parts, the largest up to twice the smallest."""
    edges = list(accumulate((rng.uniform(0.7, 1.4) for _ in range(count)), initial=0.0))
    marks = [round(total * edge / edges[-1]) for edge in edges]
    return [high - low for low, high in pairwise(marks)]


def corpus(seed: int = 2011, documents: int = 18, scale: float = 1.0) -> tuple[Corpus, Record]:
    """The three files' documents, and what the recogniser did.

    Args:
        seed: of everything.
        documents: among how many shows the words are shared, at least 2.
        scale: size of the whole, 1 for the paper's.
    """
    files: Corpus = {"reference": [], "manual": [], "asr": []}
    edits: Counter[str] = Counter()
    news = min(max(1, round(documents * NEWS.shows / 18)), documents - 1)
    for genre, count in ((NEWS, news), (CONVERSATION, documents - news)):
        rng = Random(f"{seed} {genre.wer}")
        words = shares(round(genre.words * scale), count, rng)
        types = shares(round(genre.types * scale), count, rng)
        # long shows name more things: the largest share of words gets the largest of types
        order = sorted(range(count), key=words.__getitem__)
        for place, number in zip(order, sorted(types), strict=True):
            name = f"show{len(files['reference']) + 1:02d}"
            edits += add_show(files, name, seed, words[place], number, genre.wer)
    return files, {"edits": dict(edits), "errors": Recognised(edits=edits).errors}


def add_show(
    files: Corpus, name: str, seed: int, count: int, types: int, wer: float
) -> Counter[str]:
    """Append one show to each of the files; returns the recogniser's edits."""
    words, nodes = annotated(count, types, Random(f"{seed} {name} words"))
    times, breaks = spoken(count, nodes, Random(f"{seed} {name} times"))
    asr = recognised(words, times, breaks, wer, Random(f"{seed} {name} recogniser"))
    manual = System(Random(f"{seed} {name} manual"), perfect(words)).find(nodes)
    found = System(Random(f"{seed} {name} asr"), asr).find(nodes)
    files["reference"].append(
        {"id": name, "words": words, "times": times, "elements": elements(nodes)}
    )
    files["manual"].append({"id": name, "words": words, "elements": elements(manual)})
    files["asr"].append(
        {"id": name, "words": asr.words, "times": asr.times, "elements": elements(found)}
    )
    return asr.edits


def joined(files: Corpus) -> Corpus:
    """The same words and elements as a single document, the shows one after the other in time."""
    lengths = [
        1000 + max(end for stem in ("reference", "asr") for _, end in files[stem][show]["times"])
        for show in range(len(files["reference"]))
    ]
    clocks = list(accumulate(lengths, initial=0))
    return {stem: [_one(records, clocks)] for stem, records in files.items()}


def _one(records: Sequence[Record], clocks: Sequence[int]) -> Record:
    whole: Record = {"id": "joined", "words": [], "times": [], "elements": []}
    for record, clock in zip(records, clocks, strict=False):
        n, m = len(whole["words"]), len(whole["elements"])
        for element in record["elements"]:
            shifted = {**element, "start": element["start"] + n, "end": element["end"] + n}
            if "parent" in element:
                shifted["parent"] = element["parent"] + m
            whole["elements"].append(shifted)
        whole["times"] += ([start + clock, end + clock] for start, end in record.get("times", ()))
        whole["words"] += record["words"]
    if not whole["times"]:
        del whole["times"]
    return whole


def copied(files: Corpus, copies: int) -> Corpus:
    """Every document so many times, under names of its own: exactly so many times the work."""
    return {
        stem: [
            {**record, "id": f"{record['id']}-{number}"}
            for number in range(1, copies + 1)
            for record in records
        ]
        for stem, records in files.items()
    }


def write(files: Corpus, folder: Path) -> None:
    """Native JSON lines, times in seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, records in files.items():
        with open(folder / f"{stem}.jsonl", "w", encoding="utf-8") as stream:
            for record in records:
                if "times" in record:
                    record = {**record, "times": [[a / 1000, b / 1000] for a, b in record["times"]]}
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def depths(record: Record) -> list[int]:
    """Depth of each element of a document, 1 at the top."""
    found: list[int] = []
    for element in record["elements"]:
        found.append(found[element["parent"]] + 1 if "parent" in element else 1)
    return found


def candidates(files: Corpus, tolerance: int) -> float:
    """How many of the recogniser's words begin within a tolerance of an element, on average."""
    counts = []
    for reference, asr in zip(files["reference"], files["asr"], strict=True):
        starts = [start for start, _ in asr["times"]]
        for element in reference["elements"]:
            at = reference["times"][element["start"]][0]
            counts.append(
                bisect_right(starts, at + tolerance) - bisect_left(starts, at - tolerance)
            )
    return sum(counts) / len(counts)


def statistics(files: Corpus, recogniser: Record) -> Record:
    """What the corpus is made of; error rates by the generator's own edit script."""
    reference = files["reference"]
    labels = [element["label"] for record in reference for element in record["elements"]]
    words = [text for record in reference for text in record["words"]]
    times = [time for record in reference for time in record["times"]]
    return {
        "documents": len(reference),
        "words": len(words),
        "distinct words": len(set(words)),
        "mean word (ms)": round(sum(end - start for start, end in times) / len(times)),
        "elements": len(labels),
        "types": sum(label not in COMPONENTS for label in labels),
        "components": sum(label in COMPONENTS for label in labels),
        "elements by depth": dict(
            sorted(Counter(d for record in reference for d in depths(record)).items())
        ),
        "recogniser's words": sum(len(record["words"]) for record in files["asr"]),
        "word error rate (%)": round(100 * recogniser["errors"] / len(words), 2),
        "edits": recogniser["edits"],
        "elements found, manual": sum(len(record["elements"]) for record in files["manual"]),
        "elements found, asr": sum(len(record["elements"]) for record in files["asr"]),
        "depth of what is found": max(d for record in files["asr"] for d in depths(record)),
        "words starting within 0.25 s of an element": round(candidates(files, 250), 2),
        "words starting within 1 s of an element": round(candidates(files, 1000), 2),
    }


def main() -> None:
    """Write a corpus and print its statistics as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the three files go")
    parser.add_argument("--documents", type=int, default=18, help="number of shows (18)")
    parser.add_argument("--scale", type=float, default=1.0, help="size, 1 for the paper's (1)")
    parser.add_argument("--seed", type=int, default=2011, help="of everything (2011)")
    parser.add_argument("--join", action="store_true", help="all shows as one document")
    parser.add_argument("--copies", type=int, default=1, help="each document so many times (1)")
    options = parser.parse_args()
    if options.documents < 2:
        parser.error("at least 2 shows, one of each genre; --join makes one document of them")
    files, recogniser = corpus(options.seed, options.documents, options.scale)
    found = statistics(files, recogniser)  # of the shows: joining and copying change none of it
    if options.join:
        files = joined(files)
    if options.copies > 1:
        files = copied(files, options.copies)
    write(files, options.folder)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
