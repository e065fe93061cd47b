"""What follows from blocks, whoever made them: counts, images, candidates and strict frontiers."""

import itertools
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import tables

from sereval.alignment.blocks import OPERATIONS, Block, WordAlignment, inside
from sereval.errors import SerevalError

TABLES = tables(__file__)


def made(*blocks, **more):
    """An alignment of blocks, each given by its operation and how many words it has a side."""
    found = []
    i = k = 0
    for op, ref, hyp, *strict in blocks:
        found.append(Block((i, i + ref), (k, k + hyp), op, tuple(strict)))
        i, k = i + ref, k + hyp
    return WordAlignment(tuple(found), 0, **more)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        *TABLES["no_alignment"],
        (
            [Block((0, 1), (0, 1), "right")],
            f"found 'right', expected one of {', '.join(OPERATIONS)}",
        ),
    ],
)
def test_blocks_tile_both_sides(blocks, message):
    """Blocks that overlap, leave something out or are empty are no alignment, nor a reading."""
    blocks = tuple(itertools.starmap(Block, blocks))
    for one, other in ((blocks, ()), ((), blocks)):
        with pytest.raises(SerevalError, match=f"^{re.escape(message)}$"):
            WordAlignment(one, 0, otherwise=other)


def test_two_readings_are_of_the_same_words():
    """The other one ends where the first one does."""
    one, both, other = (Block((0, n), (0, m), "substitution") for n, m in ((1, 1), (2, 1), (2, 1)))
    assert WordAlignment((both,), 0, otherwise=(other,)).lengths == (2, 1)
    with pytest.raises(SerevalError, match=r"the other reading is of \(1, 1\) words, expected \(2"):
        WordAlignment((both,), 0, otherwise=(one,))


def test_the_words_of_a_block_answer_to_all_of_the_other_side():
    """A pair has words on both; each word has the image of its block, which may be empty."""
    found = made(("substitution", 2, 1), ("deletion", 1, 0), ("insertion", 0, 1), ("correct", 1, 1))
    assert [True, False, False, True] == [block.is_pair for block in found.blocks]
    assert [(0, 1), (0, 1), (1, 1), (2, 3)] == [found.words_of(i) for i in range(4)]
    assert (4, 3) == found.lengths
    assert (0, 0) == WordAlignment((), 0).lengths


def test_words_are_counted_by_operation():
    """Of several against several as many are wrong as the shorter side has; others come on top."""
    found = made(
        *(("correct", 1, 1), ("deletion", 2, 0), ("insertion", 0, 3), ("punctuation", 1, 1)),
        *(("punctuation", 0, 1), ("substitution", 2, 2), ("substitution", 3, 1)),
        ("substitution", 1, 5),
    )
    assert found.counts == {
        "correct": 1,
        "substitution": 2 + 1 + 1,
        "insertion": 3 + 4,
        "deletion": 2 + 2,
        "punctuation": 1 + 1,
    }
    assert found.wer == (4 + 4 + 7) / (1 + 4 + 4)
    assert made(("insertion", 0, 2)).wer is None
    assert made(("deletion", 2, 0)).wer == 1


FRONTIERS = TABLES["frontiers"]


def seen(alignment):
    """What an alignment says of each frontier of the reference."""
    return [
        (tuple(alignment.candidates(f)), alignment.strict_start(f), alignment.strict_end(f))
        for f in range(alignment.lengths[0] + 1)
    ]


@pytest.mark.parametrize(("blocks", "expected"), FRONTIERS)
def test_a_frontier_is_open_between_two_pairs(blocks, expected):
    """Where words are inserted; strictly they are outside. Inside a pair all of it is open."""
    alignment = made(*blocks)
    assert list(expected) == seen(alignment)
    with pytest.raises(IndexError):
        alignment.candidates(len(expected))


def test_what_two_readings_do_not_agree_on_is_open():
    """From the lowest of both to the highest; strictly it is as the other one has it."""
    other = made(("insertion", 0, 2), ("correct", 1, 1), ("correct", 1, 1))
    first = [("correct", 1, 1), ("insertion", 0, 1), ("substitution", 1, 2)]
    assert [((0, 1, 2), 2, 0), ((1, 2, 3), 3, 3), ((4,), 4, 4)] == seen(
        made(*first, otherwise=other.blocks)
    )


sizes = st.lists(st.integers(1, 6), min_size=1, max_size=4)


@given(sizes, st.lists(st.integers(1, 3), min_size=4, max_size=4), sizes)
def test_a_block_is_divided_by_size(ours, steps, theirs):
    """Where the hypothesis comes nearest to the same share of the block; first of two as near."""
    ref = [sum(steps[:n]) for n in range(len(ours))]
    hyp = range(5, 5 + len(theirs))
    frontiers = range(5, 6 + len(theirs))
    expected = []
    for f in range(ref[0] + 1, ref[-1] + 1):
        ahead = Fraction(sum(n for word, n in zip(ref, ours, strict=True) if word < f), sum(ours))
        apart = [abs(Fraction(sum(theirs[: k - 5]), sum(theirs)) - ahead) for k in frontiers]
        expected.append(frontiers[apart.index(min(apart))])
    assert tuple(expected) == inside(ref, ours, hyp, theirs)
