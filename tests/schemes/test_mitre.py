"""The schemes ``mitre`` and ``muc``: Burger, Palmer, Hirschman 1998."""

from itertools import permutations
from random import Random

import pytest
from paths import DATA, SPEECH

from sereval import Document, tree
from sereval.alignment.blocks import CORRECT as C
from sereval.alignment.blocks import SUBSTITUTION as S
from sereval.alignment.blocks import Block, WordAlignment
from sereval.alignment.text import align_text
from sereval.documents.model import Element
from sereval.evaluation.settings import ByWords, Settings
from sereval.formats import read
from sereval.schemes.mitre import AlignedPair, compare, greedy, optimal, scorer
from sereval.schemes.result import Figure

REFERENCE = Document("d", ("NEWT", "GINGRICH"), tree([("P", 0, 2)]))

# The six hypotheses of example 4, each with what aligns its words: by the paper 2 and 4 by phones,
# where GINGRICH answers to GOOD RICH, and 3 by text.
EXAMPLE_4 = {
    1: ("NEWT GOODRICH", ("O", 0, 2), ("text", "phones")),
    2: ("NEWT GOOD RICH", ("P", 0, 3), ("phones",)),
    3: ("NEWT GOOD RICH", ("P", 0, 3), ("text",)),
    4: ("NEWT GOOD RICH", ("P", 0, 2), ("phones",)),
    5: ("NEWT GINGRICH", ("P", 1, 2), ("text", "phones")),
    6: ("NEW GINGRICH", ("P", 1, 2), ("text", "phones")),
}
TABLE_1 = {  # type, content, extent (0), extent (1)
    1: (0, 0, 1, 1),
    2: (1, 0, 1, 1),
    3: (1, 0, 0, 1),
    4: (1, 0, 0, 1),
    5: (1, 1, 0, 0),
    6: (1, 1, 0, 1),
}


def aligned(reference, hypothesis, blocks):
    return AlignedPair(reference, hypothesis, WordAlignment(tuple(Block(*b) for b in blocks), 0))


@pytest.mark.parametrize(
    ("number", "by"), [(number, by) for number, row in EXAMPLE_4.items() for by in row[2]]
)
def test_table_1(number, by):
    """Each hypothesis of example 4 has the figures of table 1, by the scheme's own alignment."""
    words, span, _ = EXAMPLE_4[number]
    pairs = [(REFERENCE, Document("d", tuple(words.split()), tree([span])))]
    by = ByWords(by)
    strict, tolerant = (
        scorer(Settings(scheme="mitre", through=by, extent=k)).of(pairs).total for k in (0, 1)
    )
    found = strict["type"], strict["content"], strict["extent"], tolerant["extent"]

    assert TABLE_1[number] == tuple(figure.cor for figure in found)


def test_one_word_for_two():
    """NEW YORK answers to NEWARK: type and extent are right, content is not."""
    reference = Document("d", ("THE", "NEW", "YORK", "DESK"), tree([("L", 1, 3)]))
    hypothesis = Document("d", ("THE", "NEWARK", "BASK"), tree([("L", 1, 2)]))
    pair = aligned(
        reference, hypothesis, [((0, 1), (0, 1), C), ((1, 3), (1, 2), S), ((3, 4), (2, 3), S)]
    )

    assert (True, True, False) == compare(pair, pair.reference[0], pair.hypothesis[0], 0)


def test_missing_and_spurious():
    """What is missing costs three recall errors, what is spurious three precision errors."""
    reference = Document("d", ("a", "b"), tree([("P", 0, 1)]))
    hypothesis = Document("d", ("a", "b"), tree([("L", 1, 2)]))
    found = scorer(Settings(scheme="mitre")).of([(reference, hypothesis)]).labels

    assert (Figure(mis=3), Figure(spu=3)) == (found["P"]["all"], found["L"]["all"])


def flat(rng, n):
    spans, at = [], 0
    while at < n:
        start = at + rng.randrange(3)
        end = start + rng.randrange(1, 3)
        if end <= n and rng.random() < 0.8:
            spans.append((rng.choice("PL"), start, end))
        at = end
    return spans


def document(words, spans):
    return Document("d", tuple(words), tree(spans))


@pytest.mark.parametrize("pairing", ["greedy", "optimal"])
def test_muc_on_identical_words(pairing):
    """On identical words MUC mode is plain MUC scoring: type and extent of overlapping pairs."""
    rng = Random(2)
    for _ in range(150):
        ours, theirs = document("w" * 9, flat(rng, 9)), document("w" * 9, flat(rng, 9))
        pair = AlignedPair(ours, theirs, align_text("w" * 9, "w" * 9))
        pairs = greedy(pair) if pairing == "greedy" else optimal(pair, 0)
        found = scorer(Settings(scheme="muc", mapping=pairing)).of([(ours, theirs)]).total
        total = {name: found.get(name, Figure()) for name in ("type", "text")}
        same = [(ours.elements[r], theirs.elements[h]) for r, h in pairs.items()]
        types = sum(r.label == h.label for r, h in same)
        texts = sum((r.start, r.end) == (h.start, h.end) for r, h in same)
        alone = len(ours.elements) - len(same), len(theirs.elements) - len(same)

        if same or any(alone):
            assert total["type"] == Figure(types, len(same) - types, 0, *alone)
            assert total["text"] == Figure(texts, len(same) - texts, 0, *alone)


def overlap(pair, r, h):
    """Whether some words of two entities are aligned with each other."""
    return any(
        block.is_pair
        and max(block.ref[0], r.start) < min(block.ref[1], r.end)
        and max(block.hyp[0], h.start) < min(block.hyp[1], h.end)
        for block in pair.blocks
    )


def best(pair, tolerance):
    """The most right components, and then pairs, that any one-to-one pairing gives."""
    found = (0, 0)
    ours, theirs = range(len(pair.reference)), range(len(pair.hypothesis))
    few, many = sorted((ours, theirs), key=len)
    for chosen in permutations(many, len(few)):
        right = pairs = 0
        for one, other in zip(few, chosen, strict=True):
            r, h = (one, other) if few is ours else (other, one)
            elements: tuple[Element, Element] = pair.reference[r], pair.hypothesis[h]
            if overlap(pair, *elements):
                right += sum(compare(pair, *elements, tolerance))
                pairs += 1
        found = max(found, (right, pairs))
    return found


def test_optimal():
    """The optimal pairing is the best of all pairings, and greedy never beats it."""
    rng = Random(6)
    for _ in range(150):
        words = [rng.choice("abc") for _ in range(6)]
        heard = [rng.choice("abc") if rng.random() < 0.3 else word for word in words]
        pair = AlignedPair(
            document(words, flat(rng, 6)), document(heard, flat(rng, 6)), align_text(words, heard)
        )
        pairs = optimal(pair, 1)
        right = sum(
            sum(compare(pair, pair.reference[r], pair.hypothesis[h], 1)) for r, h in pairs.items()
        )

        assert best(pair, 1) == (right, len(pairs))


def test_tolerance_never_hurts():
    """With a larger tolerance no component that was right becomes wrong."""
    rng = Random(7)
    for _ in range(100):
        words = [rng.choice("abcd") for _ in range(8)]
        heard = [rng.choice("abcd") if rng.random() < 0.4 else word for word in words]
        heard = heard[: rng.randrange(4, 9)]
        pair = AlignedPair(
            document(words, flat(rng, 8)),
            document(heard, flat(rng, len(heard))),
            align_text(words, heard),
        )
        for r in pair.reference:
            for h in pair.hypothesis:
                extents = [compare(pair, r, h, n)[1] for n in range(4)]
                assert sorted(extents) == extents


TABLE_3 = {  # reference, hypothesis: F of all and of the extent by tolerance, by text and by phones
    "bundled": (DATA / "ref", DATA / "hyp/gazetteer/asr"),
    **{
        f"{part} {system}": (SPEECH / part / "ref", SPEECH / part / "hyp" / system / "asr")
        for part in ("human", "tts")
        for system in ("gaz", "crf")
    },
}


@pytest.mark.check
@pytest.mark.parametrize(
    "name",
    ["bundled", "human gaz"]
    + [pytest.param(name, marks=pytest.mark.long) for name in ("human crf", "tts gaz", "tts crf")],
)
def test_table_3(name):
    """Scores by text and by phones come together as the extent tolerance grows.

    Without tolerance text is above phones, opposite to the paper's table 3
    (docs/reference/schemes/mitre.md).
    """
    folders = TABLE_3[name]
    if not folders[0].exists():
        pytest.skip("the speech corpus is not here")
    sides = [sorted(read(folder), key=lambda document: document.id) for folder in folders]
    apart = {}
    for extent in (0, 3):
        text, phones = (
            scorer(Settings(scheme="mitre", through=by, extent=extent))
            .of(list(zip(*sides, strict=True)))
            .total
            for by in (ByWords("text"), ByWords("phones"))
        )
        for figure in ("all", "extent"):
            assert text[figure].f() > 0.4
            apart[figure, extent] = abs(text[figure].f() - phones[figure].f())
        if extent == 0:
            assert text["all"].f() > phones["all"].f()

    assert apart["all", 3] < apart["all", 0]
    assert apart["extent", 3] < apart["extent", 0]


def test_extent_tolerance_in_muc_mode():
    """Footnote 8: text is correct if extent and content are, the extent at any tolerance."""
    pair = (
        document(("IN", "NEW", "YORK"), [("P", 1, 3)]),
        document(("IN", "UH", "NEW", "YORK"), [("P", 1, 4)]),
    )
    for extent, correct in ((None, 0), (0, 0), (1, 1), (2, 1)):
        total = scorer(Settings(scheme="muc", extent=extent)).of([pair]).total
        assert (total["type"].cor, total["text"].cor) == (1, correct)
        parts = scorer(Settings(scheme="mitre", extent=extent or 0)).of([pair]).total
        assert min(parts["extent"].cor, parts["content"].cor) == correct
