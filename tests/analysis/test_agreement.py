"""Agreement between annotators: the formulas of LNE's program, and of others where they meet."""

from dataclasses import replace
from fractions import Fraction

import pytest

from sereval import Document, tree
from sereval.analysis.agreement import score_annotations
from sereval.evaluation.evaluate import corpus_of
from sereval.evaluation.settings import Settings

WORDS = tuple("abcdefghij")
A = [("x", 0, 1), ("y", 1, 2), ("x", 3, 5), ("z", 6, 7)]
B = [("x", 0, 1), ("x", 1, 2), ("x", 3, 4), ("y", 8, 9)]


def agreement(a=A, b=B, places=9):
    """One correct pair, one of two labels, one of two spans, one element alone on each side."""
    ours, theirs = Document("d", WORDS, tree(a)), Document("d", WORDS, tree(b))
    found = score_annotations(corpus_of([ours], [theirs], Settings()), Settings())
    return replace(found, places=places).agreement


def test_formulas():
    """S, pi, kappa and F by hand: 9 places, 5 agreed on; labels x 2 and 3, y 1 and 1, z 1 and 0."""
    found = agreement()
    observed = Fraction(5, 9)
    expected = {
        "s": Fraction(1, 4),
        "pi": Fraction((2 + 3) ** 2 + (1 + 1) ** 2 + (1 + 0) ** 2 + (1 + 1 + 2 * 4) ** 2, 18**2),
        "kappa": Fraction(2 * 3 + 1 * 1 + 1 * 0 + (1 + 4) * (1 + 4), 81),
    }

    assert observed == found.observed
    for name, chance in expected.items():
        assert float((observed - chance) / (1 - chance)) == getattr(found, name)
    assert 2 * 1 / 8 == found.f


@pytest.mark.check  # nltk takes two seconds to import
@pytest.mark.parametrize("places", [0, 5, 30])
def test_as_nltk(places):
    """Where no pair has one label and two spans, places are items and the coefficients nltk's."""
    from nltk.metrics.agreement import AnnotationTask

    items = [("x", "x"), ("y", "y"), ("x", "y"), ("z", "-"), ("-", "x"), ("y", "y")]
    elements = [(a, b, k) for k, (a, b) in enumerate(items)]
    ours = [(a, k, k + 1) for a, _, k in elements if a != "-"]
    theirs = [(b, k, k + 1) for _, b, k in elements if b != "-"]
    items += [("-", "-")] * max(0, places - len(items))
    task = AnnotationTask(
        [row for k, (a, b) in enumerate(items) for row in (("A", k, a), ("B", k, b))]
    )
    found = agreement(ours, theirs, places)

    assert pytest.approx(task.pi()) == found.pi
    assert pytest.approx(task.kappa()) == found.kappa


def test_swap():
    """Who is A and who is B makes no difference to S, pi, kappa and F."""
    one, other = agreement(A, B), agreement(B, A)

    assert (one.s, one.pi, one.kappa, one.f) == (other.s, other.pi, other.kappa, other.f)
