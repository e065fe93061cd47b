"""The cheapest reading of a reference, against all its texts written out."""

from itertools import pairwise

import pytest
from edit_distance import edit_cost
from hypothesis import example, given
from hypothesis import strategies as st
from readings import expansions, lattices, texts

from sereval.alignment import words as module
from sereval.alignment.blocks import SCLITE, UNIT
from sereval.alignment.normalise import EXACT, LETTERS, NORMALISATIONS, Normalisation
from sereval.alignment.words import ReadingChoice, cheapest_reading
from sereval.documents.checks import Alternative

both_weights = pytest.mark.parametrize("weights", [SCLITE, UNIT], ids=lambda one: one.name)


def forms(words, normalise=LETTERS):
    return normalise.forms(words).texts


@both_weights
@given(lattice=lattices(), heard=texts)
def test_the_cheapest_of_all_texts(weights, lattice, heard):
    """No text costs less; among equals the fewest other readings count, then their order."""
    words, alternatives = lattice
    found = cheapest_reading(words, alternatives, heard, weights)
    best = min(
        (edit_cost(forms(text), forms(heard), weights), len(chosen), order, chosen, forms(text))
        for text, order, chosen in expansions(words, alternatives, len(words))
    )
    assert (best[0], best[3], best[4]) == (found.cost, [*found.chosen], found.forms.texts)


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
    found = cheapest_reading(words, alternatives, heard, weights)
    best = min((edit_cost(forms(text), forms(heard), weights), len(c)) for text, _, c in every)
    assert best == (found.cost, len(found.chosen))


@given(lattice=lattices(), heard=texts)
def test_parts_of_the_table_are_computed_once_more(lattice, heard):
    """A table that is not kept as a whole has the same cheapest text."""
    words, alternatives = lattice
    found = cheapest_reading(words, alternatives, heard, UNIT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_CELLS", 0)
        assert found == cheapest_reading(words, alternatives, heard, UNIT)


@given(lattice=lattices())
def test_a_text_of_the_lattice_has_no_error(lattice):
    """A reference against any of its readings costs nothing."""
    words, alternatives = lattice
    for text, _, _ in expansions(words, alternatives, len(words)):
        found = cheapest_reading(words, alternatives, text, UNIT)
        assert (0, forms(text)) == (found.cost, found.forms.texts)


@given(lattice=lattices(), heard=texts)
def test_forms_come_from_their_words(lattice, heard):
    """Those of a reading from the whole stretch, the others from their word; all in order."""
    words, alternatives = lattice
    found = cheapest_reading(words, alternatives, heard, SCLITE, EXACT)
    spans = {(one.start, one.end): one.reading for one in found.chosen}
    for one, other in pairwise(found.forms.spans):
        assert one == other or one[1] <= other[0]
    said = []
    for span in dict.fromkeys(found.forms.spans):
        said += spans.get(span, words[slice(*span)])
        assert span in spans or span[1] - span[0] == 1
    assert said == found.forms.texts
    assert sorted(found.forms.places) == found.forms.places


def test_without_alternatives_it_is_the_text():
    """Also without any word on either side."""
    found = cheapest_reading([], [], [], UNIT)
    assert ([], (), 0) == (found.forms.texts, found.chosen, found.cost)
    found = cheapest_reading(["a", "—", "b"], [], ["b", "a"], SCLITE)
    assert (["a", "b"], [(0, 1), (2, 3)], 6) == (*found.forms, found.cost)


def test_equal_readings_count_as_written():
    """A reading that is the same when normalised is not preferred; punctuation is an empty one."""
    same = [Alternative(0, 1, (("A!",), ("b",)))]
    assert () == cheapest_reading(["a"], same, ["a"], UNIT).chosen
    assert () == cheapest_reading(["a"], same, ["x"], UNIT).chosen
    dash = [Alternative(0, 1, (("—",),))]
    assert (ReadingChoice(0, 1, ("—",)),) == cheapest_reading(["a"], dash, [], UNIT).chosen


def test_texts_are_rewritten_piece_by_piece():
    """A normalisation of texts sees each reading and each piece between them by itself."""
    joined = Normalisation(
        "joined", EXACT.form, lambda words: EXACT.forms(["".join(words)] if words else [])
    )
    found = cheapest_reading(
        ["a", "b", "c", "d"], [Alternative(1, 2, (("x", "y"),))], ["a", "xy", "cd"], UNIT, joined
    )
    assert 3 == found.cost  # the hypothesis is one word
    assert ["a", "b", "cd"] == found.forms.texts


@pytest.mark.check
def test_whisper_reads_each_reading():
    """Numbers are read in each reading as in a text of its own."""
    pytest.importorskip("whisper_normalizer")
    whisper = NORMALISATIONS["whisper-english"]
    year = [Alternative(1, 2, (("nineteen", "ninety"),))]
    found = cheapest_reading(["in", "xx"], year, ["in", "1990"], UNIT, whisper)
    assert (["in", "1990"], 0) == (found.forms.texts, found.cost)
