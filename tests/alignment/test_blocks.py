"""What follows from blocks, whoever made them: counts, images, candidates and strict frontiers."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import SUBSTITUTION, Block, WordAlignment, pair_of


def made(*blocks, **more):
    """An alignment of blocks, each given by its operation and how many words it has a side."""
    found = []
    i = k = 0
    for op, ref, hyp, *strict in blocks:
        found.append(Block((i, i + ref), (k, k + hyp), op, tuple(strict)))
        i, k = i + ref, k + hyp
    return WordAlignment(tuple(found), 0, **more)


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
    sizes = dict(zip(ref, ours, strict=True)), dict(zip(hyp, theirs, strict=True))
    assert tuple(expected) == pair_of(*sizes, SUBSTITUTION).inside
