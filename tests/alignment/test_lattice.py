"""The cheapest reading of a reference, against all its texts written out."""

from itertools import pairwise

import pytest
from edit_distance import edit_cost
from hypothesis import example, given
from hypothesis import strategies as st
from readings import expansions, lattices, texts

from sereval.alignment.blocks import SCLITE, UNIT
from sereval.alignment.normalise import EXACT, LETTERS
from sereval.alignment.words import cheapest_reading
from sereval.documents.model import Alternative

both_weights = pytest.mark.parametrize("weights", [SCLITE, UNIT], ids=lambda one: one.name)


def forms(words, normalise=LETTERS):
    return normalise.forms(words).texts


@both_weights
@given(lattice=lattices(), heard=texts)
def test_the_cheapest_of_all_texts(weights, lattice, heard):
    """No text costs less; among equals the fewest other readings count, then their order."""
    words, alternatives = lattice
    found, chosen, cost = cheapest_reading(words, alternatives, heard, weights)
    best = min(
        (edit_cost(forms(text), forms(heard), weights), len(other), order, other, forms(text))
        for text, order, other in expansions(words, alternatives, len(words))
    )
    assert (best[0], best[3], best[4]) == (cost, [*chosen], found.texts)


PASSES_BY = ["a", "b", "b"], [Alternative(0, 3, ((),)), Alternative(2, 3, (("a",),))]


@both_weights
@given(lattice=lattices(), drawn=st.data())
@example(lattice=PASSES_BY, drawn=None)
def test_the_cheapest_of_texts_that_differ_in_length(weights, lattice, drawn):
    """Texts that pass by a place do not narrow what an edge from or to this place needs."""
    words, alternatives = lattice
    every = [*expansions(words, alternatives, len(words))]
    heard = ["b", "a"]
    if drawn is not None:
        text, _, _ = drawn.draw(st.sampled_from(every))
        start, end = sorted(drawn.draw(st.integers(0, len(text))) for _ in range(2))
        heard = [*text[:start], *drawn.draw(texts), *text[end:]]
    _, chosen, cost = cheapest_reading(words, alternatives, heard, weights)
    best = min((edit_cost(forms(text), forms(heard), weights), len(c)) for text, _, c in every)
    assert best == (cost, len(chosen))


@given(lattice=lattices(), heard=texts)
def test_forms_come_from_their_words(lattice, heard):
    """Those of a reading from the whole stretch, the others from their word; all in order."""
    words, alternatives = lattice
    found, chosen, _ = cheapest_reading(words, alternatives, heard, SCLITE, EXACT)
    spans = {(start, end): reading for start, end, reading in chosen}
    for one, other in pairwise(found.spans):
        assert one == other or one[1] <= other[0]
    said = []
    for span in dict.fromkeys(found.spans):
        said += spans.get(span, words[slice(*span)])
        assert span in spans or span[1] - span[0] == 1
    assert said == found.texts
    assert sorted(found.places) == found.places
