"""Word errors add up; the rate is theirs over the words of the reference."""

import random

import pytest
from paths import CORPORA

from sereval.alignment.blocks import SCLITE, UNIT
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.words import word_operations
from sereval.measures.words import WordErrors


def test_errors_add_up():
    """As counts do, with `sum` too."""
    one, other = WordErrors(3, 1, 2, 4), WordErrors(1, 1, 0, 0)
    assert WordErrors(4, 2, 2, 4) == one + other == sum([one, other])
    assert (8, 1.0) == ((one + other).ref, (one + other).rate)
    assert WordErrors() == sum([], WordErrors())


def test_without_words_there_is_no_rate():
    """Insertions alone have nothing to be divided by."""
    assert WordErrors(I=3).rate is None
    with pytest.raises(TypeError):
        WordErrors() + 1


def fewest(reference, hypothesis):
    """The edit distance, by the textbook's table."""
    row = list(range(len(hypothesis) + 1))
    for i, ours in enumerate(reference, 1):
        above, row = row, [i]
        for k, theirs in enumerate(hypothesis):
            row.append(min(above[k] + (ours != theirs), above[k + 1] + 1, row[k] + 1))
    return row[-1]


def test_unit_weights_have_the_fewest_errors():
    """Words of both sides are told by what became of them, and no alignment has fewer errors."""
    rng = random.Random(2011)
    for _ in range(200):
        sides = [rng.choices("abc", k=rng.randint(0, 8)) for _ in range(2)]
        found = word_operations(*sides, UNIT)
        errors = WordErrors.of(found.counts)
        assert (fewest(*sides), 0) == (errors.S + errors.D + errors.I, found.slack)
        assert len(sides[0]) == errors.ref
        assert len(sides[1]) == errors.correct + errors.S + errors.I


def test_sclite_weights_have_the_cheapest_alignment():
    """A substitution costs more than a deletion, and less than a deletion and an insertion."""
    words = ["a", "b", "c", "d"], ["a", "x", "d"]
    found = word_operations(*words, SCLITE)
    assert (WordErrors(correct=2, S=1, D=1), 0) == (WordErrors.of(found.counts), found.slack)
    # "b" correct, two deletions and an insertion: 9; two substitutions and a deletion: 11
    found = word_operations(["x", "y", "b"], ["b", "z"], SCLITE)
    assert WordErrors(correct=1, D=2, I=1) == WordErrors.of(found.counts)


def test_long_documents_are_not_cut():
    """However long a document is, its errors are the fewest."""
    rng = random.Random(7)
    reference = [str(rng.randint(0, 40)) for _ in range(3_000)]
    hypothesis = [word for word in reference if rng.random() < 0.5]
    errors = WordErrors.of(word_operations(reference, hypothesis, UNIT).counts)
    assert len(reference) - len(hypothesis) == errors.S + errors.D + errors.I


FBAI = CORPORA / "fbai"


@pytest.mark.check
@pytest.mark.skipif(not FBAI.is_dir(), reason="the corpus ../shared/corpora/fbai is not here")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exact", (1501, 225, 195, 3.6537583688374924)),  # what the program of fbai prints
        ("letters", (1467, 225, 195, 3.5890900791235545)),
    ],
)
def test_librispeech(name, expected):
    """Where all characters count, errors are those that Le et al. print; 34 words differ in no
    more than an apostrophe or a hyphen."""
    normalise = NORMALISATIONS[name]
    said, heard = (
        {
            id: words.split()
            for id, words, *_ in (
                [*line.split("\t"), ""] for line in (FBAI / file).read_text("utf-8").splitlines()
            )
        }
        for file in ("test-clean.tsv", "b1.tsv")
    )
    found = (word_operations(said[id], heard.get(id, []), SCLITE, normalise).counts for id in said)
    total = sum(map(WordErrors.of, found))
    assert (52_576, *expected) == (total.ref, total.S, total.D, total.I, 100 * total.rate)
