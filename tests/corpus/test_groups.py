"""The pairs of several systems, document by document: what one system at a time gives, once."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import forests, timed

from sereval import ByWords, Document, evaluate, tree
from sereval.analysis.blame import blame_pairs, blame_together, score_manual
from sereval.corpus.entries import Entry
from sereval.corpus.executor import Workers
from sereval.corpus.unread import PairGroups, PairStream, read_pair, unread_pairs
from sereval.evaluation import evaluate as evaluation
from sereval.evaluation.settings import Settings
from sereval.formats import File, ReadingOptions
from sereval.labels.relabel import AS_THEY_ARE
from sereval.schemes.slots import slots, slots_together

FILE = File("", "json", ReadingOptions())


def side(role, documents):
    return [Entry(one.id, FILE, one.id, (role, role), kept=one) for one in documents]


def streams(references, systems, **how):
    """The pairs of each system; they share the entries of the references."""
    ours = side("ref", references)
    reading = partial(read_pair, labels=AS_THEY_ARE)
    return [
        PairStream(
            unread_pairs(ours, side("hyp", one), missing="drop", is_projected=True), reading, **how
        )
        for one in systems
    ]


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


@given(campaigns(), SETTINGS, st.sampled_from([None, "SER"]))
def test_scores_are_those_of_each_system(drawn, settings, figure):
    """Counts, mappings, word errors and notes, whichever systems share their words."""
    references, systems = drawn
    settings = replace(settings, figure=figure)
    alone = streams(references, systems)
    together = streams(references, systems)
    expected = [slots(one, settings) for one in alone]
    assert expected == slots_together(PairGroups(together), settings)
    for one, other in zip(alone, together, strict=True):
        assert (one.notes, one.sizes, one.labels) == (other.notes, other.sizes, other.labels)


@pytest.mark.check
@given(campaigns())
def test_blame_is_that_of_each_system(drawn):
    """The same cases, causes and words."""
    references, systems = drawn
    settings = Settings(tolerance=(50, 50))
    known = [{one.id for one in system} for system in systems]
    manual = [
        score_manual(
            streams(
                [one for one in references if one.id in ids],
                [[replace(one, elements=()) for one in references if one.id in ids]],
            )[0],
            settings,
        )
        for ids in known
    ]
    expected = [
        blame_pairs(ours, theirs, settings)
        for ours, theirs in zip(manual, streams(references, systems), strict=True)
    ]
    assert expected == blame_together(manual, PairGroups(streams(references, systems)), settings)


WORDS, TIMES = ("to", "Dol"), ((0, 300), (300, 800))
GOLD = [Document(id, WORDS, tree([("loc", 1, 2)]), TIMES) for id in "ab"]


def test_each_version_of_the_words_is_projected_once(monkeypatch):
    """Systems on equal words share a projection; other words, or other times, have their own."""
    seen = Counter()

    def counted(reference, hypothesis, settings, project=evaluation.projection):
        seen[reference.id] += 1
        return project(reference, hypothesis, settings)

    monkeypatch.setattr(evaluation, "projection", counted)
    same = [Document(one.id, tuple(one.words), times=tuple(one.times)) for one in GOLD]
    later = [replace(one, times=((0, 301), (301, 800))) for one in same]
    systems = streams(GOLD, [GOLD, same, GOLD, later])
    slots_together(PairGroups(systems), Settings(tolerance=(0, 0)))
    assert {"a": 2, "b": 2} == seen


def test_a_shared_entry_is_read_once(monkeypatch):
    """The reference is read for all systems at a time, and is gone before the next document."""
    read = []
    monkeypatch.setattr(Entry, "_find", lambda entry: read.append(entry.id) or document[entry.id])
    document = {one.id: one for one in GOLD}
    ours = [Entry(id, FILE, id, ("ref", "ref")) for id in "ab"]
    theirs = side("hyp", GOLD)
    reading = partial(read_pair, labels=AS_THEY_ARE)
    systems = [PairStream(unread_pairs(ours, theirs), reading) for _ in range(3)]
    found = PairGroups(systems).each(lambda pairs: [one[0].id for one in pairs])
    assert ([["a", "b"]] * 3, ["a", "b"]) == (found, read)


@pytest.mark.check
def test_processes_change_nothing():
    """Two processes give the scores of one."""
    settings = Settings(tolerance=(0, 0))
    expected, found = (
        slots_together(PairGroups(streams(GOLD, [GOLD, GOLD], **how)), settings)
        for how in ({}, {"workers": Workers(2)})
    )
    assert expected == found
    assert 0 == evaluate(GOLD, GOLD, tolerance=0).ser == found[1].ser
