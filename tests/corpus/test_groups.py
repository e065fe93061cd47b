"""The pairs of several systems, document by document: what one system at a time gives, once."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import forests, timed

from sereval import ByWords, Document, evaluate, tree
from sereval.corpus.corpus import Corpus, Entry, read_pair, unread_pairs
from sereval.evaluation.evaluate import slots
from sereval.evaluation.settings import Settings
from sereval.formats import File, ReadingOptions
from sereval.labels import AS_THEY_ARE

FILE = File("", "json", ReadingOptions())


def side(role, documents):
    return [Entry(one.id, FILE, one.id, (role, role), kept=one) for one in documents]


def corpus(references, systems, **how):
    """The pairs of each system, by its number; they share the entries of the references."""
    ours = side("ref", references)
    pairs = {
        str(k): unread_pairs(ours, side("hyp", one), missing="drop", is_projected=True)
        for k, one in enumerate(systems)
    }
    return Corpus(pairs, partial(read_pair, labels=AS_THEY_ARE), **how)


@st.composite
def campaigns(draw):
    """References, and systems on the words of one recogniser or of two; a document may lack."""
    references, systems = [], [[], [], []]
    for k in range(draw(st.integers(1, 2))):
        reference, recognised = draw(timed(f"d{k}"))
        others = draw(st.sampled_from([recognised, replace(reference, elements=())]))
        references.append(reference)
        for number, words in enumerate((recognised, recognised, others)):
            if number == 0 or draw(st.booleans()):
                elements = draw(forests(len(words.words)))
                systems[number].append(replace(words, elements=elements))
    return references, [one for one in systems if one]


SETTINGS = st.sampled_from([Settings(tolerance=(50, 50)), Settings(through=ByWords())])


@pytest.mark.check
@given(campaigns(), SETTINGS, st.sampled_from([None, "SER"]))
def test_scores_are_those_of_each_system(drawn, settings, figure):
    """Counts, mappings, word errors and notes, whichever systems share their words."""
    references, systems = drawn
    settings = replace(settings, figure=figure)
    alone = [corpus(references, [one]) for one in systems]
    together = corpus(references, systems)
    scorer = slots(settings)
    expected = [score for one in alone for score in scorer.scores(one).values()]
    assert expected == list(scorer.scores(together).values())
    assert together.labels == frozenset().union(*(one.labels for one in alone))


WORDS, TIMES = ("to", "Dol"), ((0, 300), (300, 800))
GOLD = [Document(id, WORDS, tree([("loc", 1, 2)]), TIMES) for id in "ab"]


@pytest.mark.check
def test_processes_change_nothing():
    """Two processes give the scores of one."""
    settings = Settings(tolerance=(0, 0))
    expected, found = (
        slots(settings).scores(corpus(GOLD, [GOLD, GOLD], **how)) for how in ({}, {"jobs": 2})
    )
    assert expected == found
    assert 0 == evaluate(GOLD, GOLD, tolerance=0).ser == found["1"].ser
