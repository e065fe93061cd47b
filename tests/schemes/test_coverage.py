"""Measures of what is covered, held to slow counts by the sentences that define them."""

import random

import pytest

from sereval.documents.model import Document, tree
from sereval.evaluation.settings import Settings
from sereval.schemes.coverage import scorer, upper_bound


def drawn(dice):
    """A document of words that last 100 ms, some of them with pauses between, and elements."""
    starts, now = [], 0
    for _ in range(8):
        now += 100 + dice.choice((0, 0, 50))
        starts.append(now)
    spans = sorted({(k, min(8, k + dice.randint(1, 3))) for k in range(8) if dice.random() < 0.4})
    kept = []
    for start, end in spans:
        if not any(a < start < b < end for _, a, b in kept):
            kept.append((dice.choice("xy"), start, end))
    kept.sort(key=lambda one: (one[1], -one[2]))
    times = tuple((start, start + 100) for start in starts)
    return Document("d", tuple("abcdefgh"), tree(kept), times)


@pytest.mark.parametrize("tolerance", [None, 0, 60, 150])
def test_leak_and_overredaction(tolerance):
    """Each ms, or each word, is covered or not; counted one by one."""
    dice = random.Random(7)
    both = None if tolerance is None else (tolerance, tolerance)
    leak, overredaction = (
        scorer(Settings(both, scheme=scheme)) for scheme in ("leak", "overredaction")
    )
    for _ in range(200):
        reference, hypothesis = drawn(dice), drawn(dice)
        is_timed = tolerance is not None

        def parts(one, own):
            end = max(stop for _, stop in own.times[one.start : one.end])
            return range(own.times[one.start][0], end)

        def places(one, own, is_timed=is_timed, parts=parts):
            return {*(parts(one, own) if is_timed else range(one.start, one.end))}

        covered = {place for one in hypothesis.elements for place in places(one, hypothesis)}
        inside = {place for one in reference.elements for place in places(one, reference)}
        lost = [
            len(places(one, reference) - covered) > (tolerance or 0) for one in reference.elements
        ]
        middles = [(a + b) // 2 for a, b in hypothesis.times] if is_timed else range(8)
        outside = [place for place in middles if place not in inside]
        found = leak.of([(reference, hypothesis)]).errors
        assert (found.total, found.size) == (sum(lost), len(lost))
        found = overredaction.of([(reference, hypothesis)]).errors
        assert (found.total, found.size) == (sum(one in covered for one in outside), len(outside))


@pytest.mark.check
def test_the_certificate_is_that_of_clopper_and_pearson():
    """The bound is that of statsmodels, one-sided, in a thousand cases."""
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    dice = random.Random(3)
    for _ in range(1000):
        documents, certainty = dice.randint(1, 2000), dice.uniform(0.5, 0.999)
        exposed = dice.randint(0, dice.choice((2, documents)) if documents > 2 else documents)
        alpha = 2 * (1 - certainty)
        _, high = proportion.proportion_confint(exposed, documents, alpha, method="beta")
        assert upper_bound(exposed, documents, certainty) == pytest.approx(high, abs=1e-12)
