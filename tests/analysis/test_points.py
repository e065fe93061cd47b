"""What is equal in the many ways to project a document is kept once, and searched once."""

import gc
import random

import pytest
from stabilities import stability

from sereval.analysis import points
from sereval.analysis.points import Points
from sereval.analysis.stability import TOLERANCES
from sereval.documents.model import Document, tree
from sereval.errors import SerevalError
from sereval.evaluation.settings import Settings
from sereval.mapping.best import MOST_CORRECT, PAIRINGS
from sereval.projection.project import POLICIES, Frontiers, project


def at_once(words, count, ahead=0):
    """So many elements, and all words at the same time but for some ahead of them."""
    spans = [("a", k, k + 1) for k in range(ahead, ahead + count)]
    times = ((0, 1),) * ahead + ((9000, 10_000),) * words
    return Document("once", tuple(f"w{k}" for k in range(len(times))), tree(spans), times=times)


def test_frontiers_that_are_equal_are_one_object():
    """Those of elements that begin or end together, whatever their times."""
    rng = random.Random("frontiers")
    starts = sorted(rng.choices(range(100), k=20))
    frontiers = Frontiers([(start, start + rng.randint(0, 9)) for start in starts])
    for of in (frontiers.starts, frontiers.ends):
        found = [of(time, tolerance) for time in range(120) for tolerance in (0, 5, 10, 20)]
        assert len({*map(id, found)}) < len(found) / 2
        for time in range(120):
            assert of(time, 300) is of(time, 400)


def test_clusters_that_are_equal_are_one_object():
    """At tolerances that make no difference, all that is kept of a document is that of one."""
    document = at_once(50, 10)
    projected = [project(document, document, tolerance=ms / 1000) for ms in (0, 100, 200)]
    [(block, stretches)] = Points(projected, document).blocks
    assert [(0, 2)] == stretches
    assert len({id(part.cluster) for [part] in block}) == 1


def test_exact_pairs_that_the_mapping_proves_are_not_searched(monkeypatch):
    """A cluster whose cheapest mapping has all pairs that may be exact is searched once."""
    searched = []
    solve = points.solve
    monkeypatch.setattr(points, "solve", lambda *asked: searched.append(asked[1]) or solve(*asked))
    times = (0, 200), (200, 400), (400, 600)
    reference = Document("d", ("a", "b", "c"), tree([("loc", 1, 2)]), times)
    for other, expected in (("loc", 1), ("per", 0)):
        hypothesis = Document("d", ("a", "b", "c"), tree([(other, 1, 2)]), times)
        [counts] = points.document_counts(reference, hypothesis, Settings(), [0])
        assert (expected, expected) == (counts.C, counts.exact)
    assert MOST_CORRECT not in searched
    assert len(searched) == 2


@pytest.mark.check
def test_what_a_document_took_is_free_when_it_is_done():
    """Nothing of its clusters is in a cycle, which only a search for garbage frees."""
    document = at_once(50, 10)
    points.document_counts(document, document, Settings(), [0, 100, 200])
    gc.collect()
    points.document_counts(document, document, Settings(), [0, 100, 200])
    assert 0 == gc.collect()


def test_equal_parts_are_not_compared(monkeypatch):
    """All that is possible with a part is possible with an equal one."""
    document = at_once(50, 10)
    projected = [project(document, document, tolerance=ms / 1000) for ms in (0, 100)]
    monkeypatch.setattr(points._Part, "candidates", property(None))
    [(_, stretches)] = Points(projected, document).blocks
    assert [(0, 1)] == stretches


def test_the_hardest_rule_is_tried_first(monkeypatch):
    """A document that is refused for the searches of one rule is not searched by the others."""
    tried = []
    kept = points.kept

    def noted(search, preference, rules, max_states):
        tried.append(rules.half)
        return kept(search, preference, rules, max_states)

    monkeypatch.setattr(points, "kept", noted)
    reference = at_once(9, 3)
    hypothesis = at_once(9, 2)
    table = stability("asr", {"x": ([reference], [hypothesis])}, Settings(tolerance=(0, 0))).table
    assert len(table) == len(TOLERANCES) * len(PAIRINGS) * len(POLICIES)
    assert tried[0]
    assert not tried[-1]
    tried.clear()
    with pytest.raises(SerevalError, match="need a search of more than 1 states"):
        stability("asr", {"x": ([reference], [hypothesis])}, Settings((0, 0), max_states=1))
    assert {*tried} == {True}
