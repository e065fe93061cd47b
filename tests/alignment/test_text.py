"""Word alignment by text.

The oracle is the textbook table over all prefixes, written from the definition of the edit cost;
it shares nothing with the aligners, the cuts and the distances that the package calls.
"""

import jiwer
import kaldialign
import pytest
from aligned import shown, suffix_costs
from hypothesis import given
from hypothesis import strategies as st
from tables import tables

from sereval.alignment.blocks import SCLITE, UNIT, Block, WordAlignment
from sereval.alignment.normalise import significant
from sereval.alignment.text import align_text
from sereval.evaluation.words import WordErrors

TABLES = tables(__file__)

words = st.lists(st.sampled_from("abc"), max_size=9)
both_weights = pytest.mark.parametrize("weights", [SCLITE, UNIT], ids=lambda one: one.name)


def first_alignment(left, right, weights):
    """The first of the cheapest: from the front, insertion before deletion before pair."""
    costs = suffix_costs(left, right, weights)
    i = k = 0
    found = []
    while (i, k) != (len(left), len(right)):
        if k < len(right) and costs[i, k] == weights.insertion + costs[i, k + 1]:
            j, m, op = i, k + 1, "insertion"
        elif i < len(left) and costs[i, k] == weights.deletion + costs[i + 1, k]:
            j, m, op = i + 1, k, "deletion"
        else:
            j, m = i + 1, k + 1
            op = "correct" if left[i] == right[k] else "substitution"
        found.append(Block((i, j), (k, m), op))
        i, k = j, m
    return tuple(found)


def by_text(reference, hypothesis, weights=SCLITE):
    """The alignment of two texts with the gaps as early as they can, shown."""
    found = align_text(reference.split(), hypothesis.split(), weights, ties="early")
    return shown(reference, hypothesis, found)


# --------------------------------------------------------------------------------- the alignment


@pytest.mark.check
@both_weights
@given(left=words, right=words)
def test_the_first_of_the_cheapest(weights, left, right):
    """The alignment is the cheapest, and among equals the first by the rule for ties."""
    found = align_text(left, right, weights, ties="early")

    assert first_alignment(left, right, weights) == found.blocks
    assert suffix_costs(left, right, weights)[0, 0] == found.cost
    assert sum(getattr(weights, block.op, 0) for block in found.blocks) == found.cost
    assert found.slack == 0


def likeness(one, other):
    """Twice the letters in common, in order, over those of both, in thousandths rounded down."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for a, first in enumerate(one, 1):
        for b, second in enumerate(other, 1):
            same = table[a - 1][b - 1] + 1 if first == second else 0
            table[a][b] = max(same, table[a - 1][b], table[a][b - 1])
    return 2000 * table[-1][-1] // (len(one) + len(other))


def compared(words):
    """The words of a side that count: their letters, where they stand, and marks on either side."""
    found = []
    for k, word in enumerate(words):
        if significant(word):
            beside = [words[at] if 0 <= at < len(words) else "" for at in (k - 1, k + 1)]
            found.append((significant(word), k, *("" if significant(x) else x for x in beside)))
    return found


def pair_of(one, group):
    """How alike a word and several are, and of how many of their two sides the marks are."""
    text, _, before, behind = one
    marks = [before == group[0][2] != "", behind == group[-1][3] != ""]
    return likeness(text, "".join(each[0] for each in group)), sum(marks)


def is_joined(one, group, least=500):
    """Whether several words are one that was cut: side by side, alike, no outer one idle."""
    alike = pair_of(one, group)[0]
    places = [place for _, place, *_ in group]
    return (
        places == list(range(places[0], places[0] + len(places)))
        and alike >= least
        and all(alike > pair_of(one, rest)[0] for rest in (group[1:], group[:-1]))
    )


def ways(short, long, at=0):
    """All ways to pair the shorter side whole: first those in which the next word waits."""
    if not short:
        yield []
        return
    for first in range(at, len(long) - len(short) + 1):
        for after in range(first + 1, len(long) - len(short) + 2):
            if after == first + 1 or is_joined(short[0], long[first:after]):
                for rest in ways(short[1:], long, after):
                    yield [(first, after), *rest]


def most_alike(left, right):
    """Of all ways to pair the shorter side whole, in order: the first of the most alike."""
    if len(left) > len(right):
        return [(i, j, k, m) for k, m, i, j in most_alike(right, left)]

    def value(way):
        both = [pair_of(one, right[k:m]) for one, (k, m) in zip(left, way, strict=True)]
        return sum(alike for alike, _ in both), sum(marks for _, marks in both)

    # of ways as good, the one whose words wait first and that has the fewest words in a pair
    best = max(value(way) for way in ways(left, right))
    chosen = [way for way in ways(left, right) if value(way) == best]
    first = max(chosen, key=lambda way: [(k, -m) for k, m in way])
    return [(i, i + 1, k, m) for i, (k, m) in enumerate(first)]


def run_of(left, right, blocks):
    """The runs of errors between correct words, as ranges of compared words on either side."""
    ours, theirs = (
        {place: n for n, (_, place, *_) in enumerate(compared(side))} for side in (left, right)
    )
    i = k = 0
    for block in blocks:
        if block.op == "correct":
            j, m = ours[block.ref[0]], theirs[block.hyp[0]]
            yield i, j, k, m
            i, k = j + 1, m + 1
    yield i, len(ours), k, len(theirs)


def groups(left, right, blocks):
    """The blocks with words on both sides, in compared words."""
    ours, theirs = (
        {place: n for n, (_, place, *_) in enumerate(compared(side))} for side in (left, right)
    )
    return [
        (ours[b.ref[0]], ours[b.ref[1] - 1] + 1, theirs[b.hyp[0]], theirs[b.hyp[1] - 1] + 1)
        for b in blocks
        if b.is_pair and b.op != "punctuation"
    ]


spelled = st.lists(
    st.one_of(st.text("abc", min_size=1, max_size=4), st.sampled_from([",", "."])), max_size=8
)


@both_weights
@given(left=spelled, right=spelled)
def test_errors_are_paired_by_their_spelling(weights, left, right):
    """Between two correct words of the first alignment, the words most alike are paired."""
    early = align_text(left, right, weights, ties="early").blocks
    ours, theirs = compared(left), compared(right)
    expected = []
    for i, j, k, m in run_of(left, right, early):
        found = most_alike(ours[i:j], theirs[k:m])
        expected += [(i + a, i + b, k + c, k + d) for a, b, c, d in found]
        expected += [(j, j + 1, m, m + 1)] if j < len(ours) and m < len(theirs) else []

    assert expected == groups(left, right, align_text(left, right, weights).blocks)


def takes_most(one, group):
    """How many words of a group a word takes: those it was joined from that are most alike."""
    joined = [n for n in range(2, len(group) + 1) if is_joined(one, group[:n])]
    return max([1, *joined], key=lambda n: pair_of(one, group[:n])[0])


def in_order(left, right):
    """The pairs of the shorter side, of which no word waits."""
    if len(left) > len(right):
        return [(i, j, k, m) for k, m, i, j in in_order(right, left)]
    found, k = [], 0
    for i, one in enumerate(left):
        n = takes_most(one, right[k : len(right) - len(left) + i + 1])
        found.append((i, i + 1, k, k + n))
        k += n
    return found


@both_weights
@given(left=spelled, right=spelled)
def test_behind_the_last_correct_word_pairs_are_in_order(weights, left, right):
    """By ``anchored`` the last run of errors is paired from its front; the others by spelling."""
    early = align_text(left, right, weights, ties="early").blocks
    ours, theirs = compared(left), compared(right)
    *_, (i, j, k, m) = run_of(left, right, early)
    before = [g for g in groups(left, right, align_text(left, right, weights).blocks) if g[0] < i]
    last = [(i + a, i + b, k + c, k + d) for a, b, c, d in in_order(ours[i:j], theirs[k:m])]

    found = align_text(left, right, weights, ties="anchored").blocks
    assert [*before, *last] == groups(left, right, found)


@pytest.mark.check
@both_weights
@pytest.mark.parametrize("ties", ["spelling", "anchored"])
@given(left=spelled, right=spelled)
def test_joined_words_cost_the_least(weights, ties, left, right):
    """The blocks, joined words too, add up to the cheapest cost, and have each word once."""
    found = align_text(left, right, weights, ties)
    letters = [[significant(word) for word in side if significant(word)] for side in (left, right)]
    wrong = [block for block in found.blocks if block.op not in ("correct", "punctuation")]

    assert suffix_costs(*letters, weights)[0, 0] == found.cost
    assert found.cost == sum(
        weights.of_run(block.ref[1] - block.ref[0], block.hyp[1] - block.hyp[0]) for block in wrong
    )
    assert found.cost == sum(
        getattr(weights, op, 0) * number for op, number in found.counts.items()
    )
    for blocks in (found.blocks, found.otherwise or found.blocks):
        assert list(range(len(left))) == [k for block in blocks for k in range(*block.ref)]
        assert list(range(len(right))) == [k for block in blocks for k in range(*block.hyp)]


def price(one, group, weights):
    """What words of a run cost in thousandths where nearly the same ones are taken for right."""
    if len(one) == len(group) == 1:
        alike, least = pair_of(one[0], group)[0], 800
    else:
        short, long = sorted((one, group), key=len)
        is_one = len(short) == 1 and is_joined(short[0], long, least=800)
        alike, least = (pair_of(short[0], long)[0], 800) if is_one else (0, 1)
    cost = weights.of_run(len(one), len(group))
    return cost * (1000 - alike) if alike >= least else 1000 * cost


def cheapest_reading(left, right, weights):
    """The cheapest cost of a run where nearly the same words are taken for right."""
    costs = {}
    for i in range(len(left), -1, -1):
        for k in range(len(right), -1, -1):
            ways = [
                price(left[i:j], right[k:m], weights) + costs[j, m]
                for j in range(i, len(left) + 1)
                for m in range(k, len(right) + 1)
                if (j, m) != (i, k) and min(j - i, m - k) < 2
            ]
            costs[i, k] = min(ways, default=0)
    return costs[0, 0]


def reading_cost(ours, theirs, run, found, weights):
    """What the groups of a run cost, with the words that none of them has."""
    i, j, k, m = run
    groups = [group for group in found if i <= group[0] < j and k <= group[2] < m]
    cost = sum(price(ours[a:b], theirs[c:d], weights) for a, b, c, d in groups)
    cost += 1000 * weights.deletion * (j - i - sum(b - a for a, b, _, _ in groups))
    return cost + 1000 * weights.insertion * (m - k - sum(d - c for _, _, c, d in groups))


nearly = st.lists(st.sampled_from(["abcde", "abcdf", "abc", "de", "x", "xabcde", ","]), max_size=8)


@both_weights
@given(left=nearly, right=nearly)
def test_nearly_the_same_words_are_read_again(weights, left, right):
    """There is another reading just where it is cheaper with nearly the same words taken for right.

    Then it is the cheapest, run by run; elsewhere both are the same.
    """
    found = align_text(left, right, weights)
    ours, theirs = compared(left), compared(right)
    first = groups(left, right, found.blocks)
    other = groups(left, right, found.otherwise or found.blocks)
    differ = 0
    for run in run_of(left, right, align_text(left, right, weights, ties="early").blocks):
        i, j, k, m = run
        costs = [reading_cost(ours, theirs, run, read, weights) for read in (first, other)]
        least = cheapest_reading(ours[i:j], theirs[k:m], weights)
        differ += costs[0] > costs[1]
        if min(j - i, m - k) > 1:
            assert least == costs[1]
        if costs[0] == costs[1]:
            within = [[g for g in read if i <= g[0] < j] for read in (first, other)]
            assert within[0] == within[1]
    assert bool(found.otherwise) == bool(differ)


@given(left=nearly, right=nearly)
def test_what_two_readings_leave_open(left, right):
    """A frontier may go anywhere between where the one and where the other reading has it."""
    found = align_text(left, right)
    one, other = (
        WordAlignment(blocks, 0) for blocks in (found.blocks, found.otherwise or found.blocks)
    )
    for f in range(len(left) + 1):
        low, high, *_ = one.places(f)
        lower, higher, *strict = other.places(f)
        assert found.places(f) == (min(low, lower), max(high, higher), *strict)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected", "otherwise"),
    TABLES["answers"],
)
def test_which_words_answer_to_which(reference, hypothesis, expected, otherwise):
    """Joined, split, lost and invented words of scans, worked out by hand."""
    found = align_text(reference.split(), hypothesis.split())

    def wrong(blocks):
        pairs = shown(reference, hypothesis, WordAlignment(blocks, 0))
        return " ".join(f"{one}={other}" for one, other in pairs if one != other)

    assert expected == wrong(found.blocks)
    assert otherwise == wrong(found.otherwise)


@given(left=words, right=words)
def test_counts_agree_with_kaldialign(left, right):
    """The number of errors is kaldialign's, by either weights."""
    unit, sclite = align_text(left, right, UNIT), align_text(left, right, SCLITE)
    theirs = kaldialign.edit_distance(left, right, sclite_mode=True)

    assert kaldialign.edit_distance(left, right)["total"] == unit.cost
    assert 3 * (theirs["ins"] + theirs["del"]) + 4 * theirs["sub"] == sclite.cost


@given(left=words.filter(bool), right=words)
def test_word_error_rate_is_that_of_jiwer(left, right):
    """By unit weights the word error rate is the one that everybody prints."""

    assert jiwer.wer(" ".join(left), " ".join(right)) == pytest.approx(
        WordErrors.of(align_text(left, right, UNIT).counts).rate
    )


@given(left=words, right=words, points=st.lists(st.integers(0, 20), max_size=6))
def test_punctuation_costs_nothing(left, right, points):
    """Punctuation strewn over a side changes no cost, no count and no partner of a word."""
    plain = align_text(left, right)
    strewn = list(left)
    for point in points:
        strewn.insert(min(point, len(strewn)), ",")
    found = align_text(strewn, right)

    assert plain.cost == found.cost
    assert plain.counts == found.counts | {"punctuation": 0}
    assert len(points) == found.counts["punctuation"]
    partners, others = (
        [b.hyp for b in one.blocks for _ in range(*b.ref)] for one in (plain, found)
    )
    own = [image for image, word in zip(others, strewn, strict=True) if word != ","]
    for image, other in zip(partners, own, strict=True):
        assert other == image or other[0] == other[1]


# -------------------------------------------------------- Burger, Palmer and Hirschman, as printed


def test_example_2_by_text():
    """The top of example 2: ten words against ten, each against the one under it.

    Certain: no insertion or deletion is printed, and the line ends after BOROFF and MISSES. By the
    weights it could not be otherwise: seven substitutions cost 28, any gap more.
    """
    ref = "AT THE NEW YORK DESK I'M PHILIP BOROFF MISSISSIPPI REPUBLICAN"
    hyp = "AT THE NEWARK BASK ON FILM FORUM MISSES THE REPUBLICAN"

    assert list(zip(ref.split(), hyp.split(), strict=True)) == by_text(ref, hyp)
    assert align_text(ref.split(), hyp.split()).cost == 28


@both_weights
def test_example_3_by_text(weights):
    """The top of example 3: three stars right behind INVESTING, then word against word.

    Certain: the three insertions and their place, which is where the rule for ties puts them.
    """
    ref = "INVESTING AND TRADING WITH CUBA FROM OTTAWA THIS IS"
    hyp = "INVESTING IN TRAINING WOULD KEEP OFF A LOT OF WHAT THIS IS"
    printed = "INVESTING * * * AND TRADING WITH CUBA FROM OTTAWA THIS IS"

    assert list(zip(printed.split(), hyp.split(), strict=True)) == by_text(ref, hyp, weights)


def test_example_4_by_text():
    """Hypotheses 1, 3, 5 and 6 of example 4: one word answers to one, so that GOOD stands alone.

    Of two cheapest alignments of hypothesis 3 the paper has the other one (its last words are not
    aligned); which one sclite takes there does not follow from its weights.
    """
    assert [("NEWT", "NEWT"), ("GINGRICH", "GOODRICH")] == by_text("NEWT GINGRICH", "NEWT GOODRICH")
    assert [("NEWT", "NEW"), ("GINGRICH", "GINGRICH")] == by_text("NEWT GINGRICH", "NEW GINGRICH")
    assert [("NEWT", "NEWT"), ("*", "GOOD"), ("GINGRICH", "RICH")] == by_text(
        "NEWT GINGRICH", "NEWT GOOD RICH"
    )
