"""What a search does for each of its states is bounded, not the number of states alone."""

import random

import pytest

from sereval.mapping import search
from sereval.mapping.best import PAIRINGS, cheapest, weigh
from sereval.mapping.clusters import Cluster, Hypothesis
from sereval.mapping.search import best_solution
from sereval.measures import Costs

MOST = 100_000
"""States that are soon come upon."""


def on_one_span(count):
    """So many elements on either side, one inside the other, of four kinds drawn by chance."""
    rng = random.Random("one span")
    ours, theirs = (rng.choices("abcd", k=count) for _ in "rh")
    parents = tuple(k - 1 if k else None for k in range(count))
    accepted = (tuple(r for r in range(count) if ours[r] == label) for label in theirs)
    others = [Hypothesis(0, 1, parent, by) for parent, by in zip(parents, accepted, strict=True)]
    candidates = ((0,),) * count + ((1,),) * count
    return Cluster(parents, candidates, (None,) * 2 * count, tuple(others))


class Counted(search._Search):
    """A search that counts what it looks at."""

    states = states_of_layers = 0

    def _forget(self, layer, *given):
        Counted.states_of_layers += len(layer)
        return super()._forget(layer, *given)

    def _give_up(self, *given):
        Counted.states += 1
        return super()._give_up(*given)


@pytest.fixture
def counted(monkeypatch):
    """What the searches of a test look at."""
    for name in ("states", "states_of_layers"):
        monkeypatch.setattr(Counted, name, 0)
    monkeypatch.setattr(search, "_Search", Counted)
    return Counted


def searched(cluster, most, pairing):
    """The solution of a cluster."""
    preference = cheapest(Costs())._replace(**PAIRINGS[pairing])
    return best_solution(cluster, weigh(cluster, preference), most)


@pytest.mark.check
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_a_layer_that_is_too_large_is_not_looked_through(counted, pairing):
    """The search is refused at the first state beyond its limit."""
    with pytest.raises(search.TooManyStates):
        searched(on_one_span(40), MOST, pairing)
    assert 0 < counted.states < counted.states_of_layers
