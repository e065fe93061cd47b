"""Random documents for the tests: for `hypothesis`, which shrinks them, and from a seed."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import brute_force as oracle
from hypothesis import strategies as st

from sereval.documents.model import (
    Alternative,
    Document,
    Element,
    Reference,
    ReferenceElement,
    Unplaceable,
    tree,
)
from sereval.documents.tags import Tags
from sereval.evaluation.evaluate import Evaluation, evaluate
from sereval.formats import native
from sereval.formats.file import File
from sereval.mapping.best import PAIRINGS
from sereval.measures import Costs, Slot
from sereval.projection import place

LABELS = ["a", "b", "c"]
POLICIES = ["drop", "miss", "merge"]
PAIRED = (Slot.CORRECT, Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
DECIMALS = ["0", "0.1", "0.3", "0.5", "0.75", "1", "2"]


def in_ms(tolerance: int | tuple[int, int] | None) -> str | tuple[str, ...] | None:
    """A tolerance of whole milliseconds as public functions take it."""
    if tolerance is None:
        return None
    return f"{tolerance}ms" if isinstance(tolerance, int) else tuple(f"{ms}ms" for ms in tolerance)


class Scoring(NamedTuple):
    """What `evaluate` is called with; tolerances are in ms."""

    references: list
    hypotheses: list[Document]
    tolerance: int | tuple[int, int] | None = None
    unplaceable: str = "drop"
    costs: Costs = Costs()
    pairing: str = "word"

    def run(self, **changes) -> Evaluation:
        """The evaluation, with some arguments replaced."""
        references, hypotheses, *_ = changed = self._replace(**changes)
        return evaluate(
            references,
            hypotheses,
            tolerance=in_ms(changed.tolerance),
            unplaceable=changed.unplaceable,
            costs=changed.costs,
            pairing=changed.pairing,
        )

    def each(self, change, **changes) -> "Scoring":
        """The same with every document of both sides changed."""
        return self._replace(
            references=[change(document) for document in self.references],
            hypotheses=[change(document) for document in self.hypotheses],
            **changes,
        )


# --- forests and documents -----------------------------------------------------------------------


def without_crossings(spans: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """The spans, less each that crosses one before it."""
    kept: list[tuple[str, int, int]] = []
    for label, start, end in spans:
        if not any(s < start < e < end or start < s < end < e for _, s, e in kept):
            kept.append((label, start, end))
    return kept


def forests(words: int, most: int = 5):
    """Forests over so many words, as elements in document order; equal spans are common."""
    if not words:
        return st.just(())
    spans = st.tuples(st.sampled_from(LABELS), st.integers(0, words - 1), st.integers(1, 3)).map(
        lambda drawn: (drawn[0], drawn[1], min(words, drawn[1] + drawn[2]))
    )
    return st.lists(spans, max_size=most).map(without_crossings).map(tree)


@st.composite
def word_times(draw, words: int):
    """Times of words in ms, ordered by start; some words are empty, overlap, or have a gap."""
    starts = sorted(draw(st.integers(0, 40 * words)) for _ in range(words))
    return tuple((start, start + draw(st.integers(0, 60))) for start in starts)


@st.composite
def same_words(draw, id: str = "d"):
    """A reference and a hypothesis on the same words."""
    words = tuple(f"w{k % 3}" for k in range(draw(st.integers(0, 6))))
    reference = Document(id, words, draw(forests(len(words))))
    return reference, Document(id, words, draw(forests(len(words))))


@st.composite
def timed(draw, id: str = "d"):
    """A reference and a hypothesis, each on words and times of its own, often near ones."""
    n = draw(st.integers(0, 5))
    times = draw(word_times(n))
    if draw(st.booleans()):
        jitter = st.integers(-10, 10)
        moved = sorted((start + draw(jitter), end + draw(jitter)) for start, end in times)
        theirs = tuple((start, max(start, end)) for start, end in moved)
    else:
        theirs = draw(word_times(draw(st.integers(0, 5))))
    reference = Document(id, tuple(f"r{k}" for k in range(n)), draw(forests(n)), times)
    words = tuple(f"h{k}" for k in range(len(theirs)))
    return reference, Document(id, words, draw(forests(len(words))), theirs)


@st.composite
def fuzzy(draw, id: str = "d"):
    """A fuzzy reference with any sets of candidates, and a hypothesis on its words."""
    n = draw(st.integers(0, 5))
    words = tuple(f"w{k}" for k in range(n))
    elements = []
    for shape in draw(forests(n, 4)):
        starts = {shape.start, *draw(st.sets(st.integers(0, n - 1), max_size=2))}
        ends = {shape.end, *draw(st.sets(st.integers(1, n), max_size=2))}
        labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=2, unique=True))
        frontier = st.integers(0, n)
        strict = draw(st.none() | st.tuples(frontier, frontier))
        if draw(st.integers(0, 4)) == 4:
            ends = set()
        element = (tuple(labels), tuple(sorted(starts)), tuple(sorted(ends)), shape.parent, strict)
        elements.append(ReferenceElement(*element))
    return Reference(id, words, tuple(elements)), Document(id, words, draw(forests(n)))


def costs():
    """The default costs, or any."""
    decimals = st.sampled_from(DECIMALS)
    given = st.fixed_dictionaries(dict.fromkeys(["S_S", "S_T", "S_ST", "D", "I"], decimals))
    return st.just(Costs()) | given.map(Costs.of)


def pairings():
    """Mostly the definition's rule."""
    return st.just("word") | st.sampled_from(sorted(PAIRINGS))


def tolerances():
    """In ms, one for both sides of an element or one for each."""
    one = st.sampled_from([0, 5, 10, 20, 50])
    return one | st.tuples(one, one)


def _corpus(pairs):
    """One to three pairs of documents with ids of their own."""
    corpora = [st.tuples(*(pairs(f"d{k}") for k in range(size))) for size in (1, 2, 3)]
    return st.one_of(corpora).map(lambda corpus: tuple(map(list, zip(*corpus, strict=True))))


def same_words_scorings():
    """Corpora on the same words, with any costs."""
    return st.builds(
        lambda corpus, costs, pairing: Scoring(*corpus, costs=costs, pairing=pairing),
        _corpus(same_words),
        costs(),
        pairings(),
    )


def timed_scorings():
    """Corpora to be projected through time, with any costs and policy."""
    return st.builds(
        lambda corpus, *given: Scoring(*corpus, *given),
        _corpus(timed),
        tolerances(),
        st.sampled_from(POLICIES),
        costs(),
        pairings(),
    )


def fuzzy_scorings():
    """Corpora of fuzzy references, with any costs and policy."""
    return st.builds(
        lambda corpus, *given: Scoring(*corpus, None, *given),
        _corpus(fuzzy),
        st.sampled_from(["drop", "miss"]),
        costs(),
        pairings(),
    )


def scorings():
    """Corpora of any kind."""
    return same_words_scorings() | timed_scorings() | fuzzy_scorings()


# --- what tests do with documents ----------------------------------------------------------------


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6) | st.sampled_from(
    ["item [", '"', "</a>", "\t", "\n", "\u2028", "\x00", "\ufeff", "l'", "\\u0041", "null"]
)


@st.composite
def times_of(draw, n):
    """Times of n words, by start, or none."""
    if draw(st.booleans()):
        return None
    starts = sorted(draw(st.lists(st.integers(-5000, 10**12 - 10**5), min_size=n, max_size=n)))
    return tuple((start, start + draw(st.integers(0, 10**5))) for start in starts)


@st.composite
def documents(draw, texts=TEXTS, labels=TEXTS):
    """Documents with nested elements, equal spans among them."""
    words = tuple(draw(st.lists(texts, max_size=6)))
    n = len(words)
    spans = []
    for label in draw(st.lists(labels, max_size=6)) if n else []:
        start = draw(st.integers(0, n - 1))
        end = draw(st.integers(start + 1, n))
        if not any(s < start < e < end or start < s < end < e for _, s, e in spans):
            spans.append((label, start, end))
    breaks = draw(st.sets(st.integers(1, n - 1))) if n > 1 else ()
    return Document(
        draw(texts),
        words,
        tree(spans),
        draw(times_of(n)),
        tuple(sorted(breaks)),
        alternatives=draw(alternatives(n, texts)),
    )


@st.composite
def alternatives(draw, n, texts):
    """Stretches of n words that may be said in other words."""
    frontier = st.integers(0, n)
    spans = draw(st.sets(st.tuples(frontier, frontier).filter(lambda s: s[0] < s[1]), max_size=2))
    reading = st.lists(texts, max_size=2).map(tuple)
    readings = st.lists(reading, min_size=1, max_size=2).map(tuple)
    return tuple(Alternative(*span, draw(readings)) for span in sorted(spans)) if n else ()


@st.composite
def reference_elements(draw, n, parent, *, may_be_empty=False):
    """Elements with candidates; nothing says that they can be placed."""
    least = 0 if may_be_empty else 1
    starts = draw(st.sets(st.integers(0, n - 1), min_size=least))
    ends = draw(st.sets(st.integers(1, n), min_size=least))
    strict = draw(st.none() | st.tuples(st.integers(0, n), st.integers(0, n)))
    labels = tuple(draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True)))
    return ReferenceElement(labels, tuple(sorted(starts)), tuple(sorted(ends)), parent, strict)


@st.composite
def references(draw):
    """References with elements in document order, and unplaceable ones."""
    words = tuple(draw(st.lists(TEXTS, max_size=5)))
    n = len(words)
    elements, path, lost = [], [None], []
    for k in range(draw(st.integers(0, 4)) if n else 0):
        parent = draw(st.sampled_from(path))
        elements.append(draw(reference_elements(n, parent, may_be_empty=True)))
        path = [*path[: path.index(parent) + 1], k]
    places = st.sampled_from([None, *range(len(elements))])
    for fate in draw(st.lists(st.sampled_from(["dropped", "missed", "merged"]), max_size=3)):
        if n and (elements or fate != "merged"):
            element = draw(reference_elements(n, draw(places), may_be_empty=True))
            into = draw(st.integers(0, len(elements) - 1)) if fate == "merged" else None
            lost.append(Unplaceable(element, fate, into))
    return Reference(draw(TEXTS), words, tuple(elements), tuple(lost), draw(times_of(n)))


def read_native(text: str) -> list[Document | Reference]:
    """The documents of native JSON lines."""
    return list(native.read_native(File("test.jsonl", text=text)))


def ancestors(elements: Sequence[Element | ReferenceElement], index: int) -> list[int]:
    """Parent, grandparent, … of an element."""
    line = []
    parent = elements[index].parent
    while parent is not None:
        line.append(parent)
        parent = elements[parent].parent
    return line


def is_placement(reference: Reference, spans: Sequence[tuple[int, int]]) -> bool:
    """Candidates only; children inside parents, siblings disjoint and in order, none empty."""
    elements = reference.elements
    for r, (element, (start, end)) in enumerate(zip(elements, spans, strict=True)):
        if start not in element.starts or end not in element.ends or start >= end:
            return False
        if element.parent is not None:
            outer = spans[element.parent]
            if start < outer[0] or end > outer[1]:
                return False
        if any(elements[j].parent == element.parent and spans[j][1] > start for j in range(r)):
            return False
    return True


def broken_rules(
    reference: Reference,
    hypothesis: Document,
    spans: Sequence[tuple[int, int]],
    pairs: Sequence[tuple[int, int]],
) -> set[int]:
    """The rules of a mapping (definition, section 3) that these pairs do not obey."""
    broken = set()
    for side in zip(*pairs, strict=True):
        if len(set(side)) < len(side):
            broken.add(1)
    above = [ancestors(reference.elements, r) for r in range(len(reference.elements))]
    over = [ancestors(hypothesis.elements, h) for h in range(len(hypothesis.elements))]
    for r, h in pairs:
        other = hypothesis.elements[h]
        if max(spans[r][0], other.start) >= min(spans[r][1], other.end):
            broken.add(2)
        if any(r in above[r2] and h2 in over[h] for r2, h2 in pairs):
            broken.add(3)
    return broken


# --- from a seed ---------------------------------------------------------------------------------


def _plain(words: int, letter: str) -> tuple[str, ...]:
    return tuple(f"{letter}{k}" for k in range(words))


def as_hypothesis(elements: Sequence[oracle.HypEl], words: int, times=None, id="d") -> Document:
    """The oracle's hypothesis as a document."""
    forest = tuple(Element(*element) for element in elements)
    return Document(id, _plain(words, "h"), forest, None if times is None else tuple(times))


def as_fuzzy(elements: Sequence[oracle.RefEl], words: int, id="d") -> Reference:
    """The oracle's fuzzy reference as a reference."""
    fuzzy_elements = tuple(ReferenceElement(*element) for element in elements)
    return Reference(id, _plain(words, "h"), fuzzy_elements)


def as_scoring(case: oracle.Case, id: str = "d") -> Scoring:
    """A case of the oracle as arguments of `evaluate`."""
    given = {name: f"{float(cost):g}" for name, cost in case.costs.items()}
    settings = {"unplaceable": case.policy, "costs": Costs.of(given)}
    if case.timing is None:
        hypothesis = as_hypothesis(case.hypothesis, case.words, id=id)
        reference = as_fuzzy(case.reference, case.words, id)
        return Scoring([reference], [hypothesis], **settings)
    hypothesis = as_hypothesis(case.hypothesis, case.words, case.timing.asr, id)
    document = Document(
        id,
        _plain(len(case.timing.ref), "r"),
        tuple(Element(e.label, e.first, e.last + 1, e.parent) for e in case.reference),
        tuple(case.timing.ref),
    )
    tolerance = case.timing.tau_start, case.timing.tau_end
    return Scoring([document], [hypothesis], tolerance, **settings)


def seeded_costs(rng: random.Random) -> Costs:
    """The oracle's costs as the package has them."""
    given = oracle.random_costs(rng)
    return Costs.of({name: format(float(cost), "g") for name, cost in given.items()})


def seeded_forest(rng: random.Random, words: int, size: int) -> tuple[Element, ...]:
    """A forest of up to `size` elements with few labels."""
    spans = []
    for _ in range(2 * size):
        start = rng.randrange(words)
        end = min(words, start + rng.choice([1, 1, 2, 2, 3, 4, 8]))
        spans.append((rng.choice(LABELS), start, end))
    return tree(without_crossings(spans)[:size])


def seeded_fuzzy(rng: random.Random, words: int, size: int, near: int) -> Reference:
    """A reference with candidates up to `near` words around its strict frontiers, as placed."""

    def around(frontier: int, least: int, most: int) -> tuple[int, ...]:
        others = range(max(least, frontier - near), min(most, frontier + near) + 1)
        return tuple(k for k in others if k == frontier or rng.random() < 0.5)

    elements = tuple(
        ReferenceElement(
            tuple(rng.sample(LABELS, rng.choice([1, 1, 1, 2]))),
            around(e.start, 0, words - 1),
            around(e.end, 1, words),
            e.parent,
            rng.choice([None, (e.start, e.end), (e.start, e.end)]),
        )
        for e in seeded_forest(rng, words, size)
    )
    return place(Reference("d", _plain(words, "h"), elements))


def seeded_hypothesis(rng: random.Random, reference: Reference, size: int) -> Document:
    """A forest on the reference's words, mostly near what it accepts."""
    words = len(reference.words)
    spans = []
    for element in reference.elements:
        start, end = rng.choice(element.starts), rng.choice(element.ends)
        if start < end and rng.random() < 0.8:
            spans.append((rng.choice([*element.labels, *element.labels, "b"]), start, end))
    rng.shuffle(spans)
    others = [(e.label, e.start, e.end) for e in seeded_forest(rng, words, size)]
    return Document("d", reference.words, tree(without_crossings(spans + others)[:size]))


def tagged(words, tags, breaks, scheme, id="d"):
    """A document whose elements are the phrases of tags between blanks."""
    own = Tags(tuple(tags.split()), breaks, scheme)
    elements = tuple(Element(*phrase) for phrase in own.phrases)
    return Document(id, tuple(words), elements, breaks=breaks, tags=own._replace(elements=elements))
