"""Systems side by side: intervals, tests, differences, elements, and the command."""

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import in_ms, scorings
from two_systems import evaluated

from sereval import Document, evaluate, tree
from sereval.analysis.compare import by_label, difference
from sereval.analysis.rates import tally
from sereval.analysis.resampling import (
    Resampling,
    bootstrap,
    by_content,
    holm,
    interval,
    permutation,
    power,
    whole,
)

FEW = Resampling(resamples=200)


def sums(rng, units, most=9):
    """Random costs and reference slots of units, some of them empty."""
    return [(rng.randrange(2 * most), rng.randrange(most)) for _ in range(units)]


@pytest.fixture(scope="module")
def evaluations():
    return evaluated(1)


# --- intervals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_resamples_are_ratios_of_sums(seed):
    """Each resample is a ratio of sums over the units drawn, as the docstring says they are."""
    rng = random.Random(seed)
    n = rng.randrange(1, 30)
    systems = [sums(rng, n), sums(rng, n)]
    resampling = Resampling(resamples=50, seed=seed)
    draws = np.random.Generator(np.random.PCG64(seed)).integers(n, size=(50, n))

    found = bootstrap(systems, resampling)

    order = by_content(systems)
    systems = [[system[unit] for unit in order] for system in systems]
    for system, rates in zip(systems, found, strict=True):
        for drawn, rate in zip(draws.tolist(), rates.tolist(), strict=True):
            cost = sum(system[u][0] for u in drawn)
            ref = sum(system[u][1] for u in drawn)
            assert (cost / ref == rate) if ref else np.isnan(rate)


def scipy_bootstrap(system, resamples, generator, confidence):
    """What scipy makes of one system's costs and reference slots."""
    return pytest.importorskip("scipy.stats").bootstrap(
        np.array(system).T,
        lambda cost, ref, axis: cost.sum(axis) / ref.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        confidence_level=confidence,
        rng=generator,
    )


@pytest.mark.parametrize("units", [5, 13, 200])
def test_intervals_agree_with_scipy(units):
    """Resamples are scipy's, which draws the same units, and so is an interval of wider tails.

    Hesterberg's tails have the share of normal values beyond Student's quantile.
    """
    stats = pytest.importorskip("scipy.stats")
    system = sorted((cost, ref + 1) for cost, ref in sums(random.Random(units), units))
    resampling = Resampling(resamples=2000, seed=7)
    [rates] = bootstrap([system], resampling)
    found = interval(rates, [system], resampling)
    refs = np.array(system)[:, 1]
    freedom = refs.sum() ** 2 / (refs**2).sum() - 1
    wider = stats.t(freedom).ppf(0.025) * np.sqrt(units / (units - 1))
    expected = scipy_bootstrap(
        system, 2000, np.random.Generator(np.random.PCG64(7)), 1 - 2 * stats.norm.cdf(wider)
    )

    assert expected.bootstrap_distribution.tolist() == pytest.approx(rates.tolist(), abs=1e-12)
    low, high = expected.confidence_interval
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 20), st.integers(2, 4))
def test_names_and_orders_change_no_chance(seed, units, systems):
    """Other names and another order of units or of systems give the same intervals and p."""
    rng = random.Random(seed)
    given_systems = [sums(rng, units) for _ in range(systems)]
    moved = rng.sample(range(units), units)
    swapped = rng.sample(range(systems), systems)
    again = [[given_systems[k][unit] for unit in moved] for k in swapped]
    few = Resampling(resamples=20)
    first, second = bootstrap(given_systems, few), bootstrap(again, few)
    assert np.array_equal(first[swapped], second, equal_nan=True)
    at = [swapped.index(k) for k in (0, 1)]
    assert permutation(*given_systems[:2], few) == permutation(*(again[k] for k in at), few)


def documents_drawn(generator, corpora, units):
    """Costs in halves of two systems, and reference slots, of documents of unequal size and ease.

    Sizes are log-normal, and the share of wrong slots is another one in each document.
    """
    slots = np.maximum(1, generator.poisson(np.exp(generator.normal(3, 0.7, (corpora, units)))))
    shares = generator.beta(3, 6, (corpora, units))

    def costs(share):
        wrong = generator.binomial(slots, share)
        return (
            2 * wrong - generator.binomial(wrong, 0.4) + 2 * generator.poisson(0.3 * slots * share)
        )

    return costs(shares), costs(0.8 * shares), slots


@pytest.mark.check
@pytest.mark.parametrize("units", [10, 20, 60])
def test_intervals_hold(units):
    """The truth lies in about 95 % of the intervals of 1 500 corpora: rates and differences."""
    generator = np.random.default_rng(20261124)
    first, second, slots = (each.sum() for each in documents_drawn(generator, 4000, 500))
    truths = first / slots, (first - second) / slots
    few, hits = Resampling(resamples=999), np.zeros(2)
    for drawn in zip(*documents_drawn(generator, 1500, units), strict=True):
        a, b, refs = (each.tolist() for each in drawn)
        systems = [list(zip(costs, refs, strict=True)) for costs in (a, b)]
        rates = bootstrap(systems, few)
        found = interval(rates[0], systems[:1], few), interval(rates[0] - rates[1], systems, few)
        hits += [one.low <= truth <= one.high for one, truth in zip(found, truths, strict=True)]
    assert np.all((0.925 <= hits / 1500) & (hits / 1500 <= 0.975)), hits / 1500


def drawn(dice, documents, worse):
    """The sums of two systems: one is worse by a share of the costs; documents are hard alike."""
    refs = dice.integers(10, 40, documents)
    hard = dice.beta(4, 8, documents)
    costs = (dice.binomial(2 * refs, np.clip(hard + more, 0, 1)) for more in (worse, 0))
    return [[*zip(map(int, own), map(int, 2 * refs), strict=True)] for own in costs]


@pytest.mark.check
def test_power_is_as_stated():
    """A test finds the difference that is stated in 77 to 83 % of corpora, as does the number of
    documents that is stated; that number is the formula's where sizes are equal."""
    dice, how = np.random.default_rng(2026), Resampling(resamples=999)
    documents, worse = 60, 0.035
    stated = [power(*drawn(dice, documents, worse), 0.95) for _ in range(300)]
    finds = float(np.mean([one.finds for one in stated]))
    needs = round(np.mean([one.needs for one in stated]) * (0.01 / worse) ** 2)
    for count, more in ((documents, finds), (needs, worse)):
        corpora = (drawn(dice, count, more) for _ in range(1500))
        found = np.mean([permutation(*sides, how).p <= 0.05 for sides in corpora])
        assert 0.77 <= found <= 0.83
    a, b = drawn(dice, documents, worse)
    size = sum(m for _, m in a) / documents
    rate = sum(x - y for (x, _), (y, _) in zip(a, b, strict=True)) / (size * documents)
    d = [x - y - rate * m for (x, m), (y, _) in zip(a, b, strict=True)]
    normal = pytest.importorskip("scipy.stats").norm
    z = normal.ppf(0.975) + normal.ppf(0.8)
    formula = z**2 * np.var(d, ddof=1) / (size * 0.01) ** 2
    assert np.ceil(formula) == power(a, b, 0.95).needs


def test_nobody_averages_rates():
    """Two documents of rates 1/1 and 0/9 make 1/10, and no resample makes their average."""
    words = tuple("abcdefghi")
    small = [("loc", 0, 1)]
    large = [("loc", k, k + 1) for k in range(9)]
    references = [Document("a", words, tree(small)), Document("b", words, tree(large))]
    hypotheses = [Document("a", words), Document("b", words, tree(large))]
    evaluation = evaluate(references, hypotheses)

    [rates] = bootstrap(whole([[*tally(evaluation).values()]]), FEW)

    assert evaluation.ser == 0.1
    assert {0.0, 0.1, 1.0} == set(rates.tolist())


def test_large_costs_are_exact():
    """Costs beyond float64 give the rates and p-values of the same costs in small numbers."""
    rng = random.Random(5)
    a, b = sums(rng, 13), sums(rng, 13)
    factor = 10**18 + 9

    def large(system):
        return [(cost * factor, ref * factor) for cost, ref in system]

    expected = bootstrap([a, b], FEW)
    found = bootstrap([large(a), large(b)], FEW)
    assert found.ravel().tolist() == pytest.approx(expected.ravel().tolist())
    for resampling in (FEW, Resampling()):
        assert permutation(large(a), large(b), resampling) == permutation(a, b, resampling)


# --- tests ----------------------------------------------------------------------------------------


def enumerated(a, b):
    """The p-value by trying out every exchange, in fractions; an undefined one is as great."""

    def statistic(x, y):
        (cost_x, ref_x), (cost_y, ref_y) = (
            (sum(c for c, _ in side), sum(r for _, r in side)) for side in (x, y)
        )
        if not ref_x or not ref_y:
            return None
        return abs(Fraction(cost_x, ref_x) - Fraction(cost_y, ref_y))

    seen = statistic(a, b)
    great = 0
    for swaps in itertools.product((False, True), repeat=len(a)):
        x = [b[u] if swap else a[u] for u, swap in enumerate(swaps)]
        y = [a[u] if swap else b[u] for u, swap in enumerate(swaps)]
        found = statistic(x, y)
        great += found is None or found >= seen
    return Fraction(great, 2 ** len(a))


@pytest.mark.parametrize("seed", range(40))
def test_permutation_is_exact_on_small_cases(seed):
    """Where all arrangements can be looked at, p is their share; ties are ties."""
    rng = random.Random(seed)
    n = rng.randrange(1, 9)
    a, b = sums(rng, n, most=3), sums(rng, n, most=3)
    if seed % 2:  # as on the same words: both sides have the same reference slots
        b = [(cost, ref) for (cost, _), (_, ref) in zip(b, a, strict=True)]
    if not all(sum(ref for _, ref in side) for side in (a, b)):
        a, b = [(1, 1), *a], [(2, 1), *b]

    found = permutation(a, b, Resampling())

    assert (enumerated(a, b), True) == (found.p, found.exact)


def test_permutation_agrees_with_scipy():
    """The exact p-value is that of scipy on the same units."""
    stats = pytest.importorskip("scipy.stats")
    rng = random.Random(11)
    a = [(rng.randrange(20), 5 + rng.randrange(10)) for _ in range(8)]
    b = [(rng.randrange(30), ref) for _, ref in a]
    refs = sum(ref for _, ref in a)
    expected = stats.permutation_test(
        ([cost for cost, _ in a], [cost for cost, _ in b]),
        lambda x, y, axis: (x.sum(axis) - y.sum(axis)) / refs,
        permutation_type="samples",
        vectorized=True,
    )
    assert float(permutation(a, b, Resampling()).p) == pytest.approx(expected.pvalue)


def test_holm():
    """The smallest p is taken times all, the next times one less; never less than one before."""
    ps = [Fraction(4, 100), Fraction(1, 100), Fraction(3, 100), Fraction(60, 100)]
    assert [Fraction(n, 100) for n in (9, 4, 9, 60)] == holm(ps)
    assert [] == holm([])
    assert [Fraction(1), Fraction(1)] == holm([Fraction(9, 10), Fraction(8, 10)])


# --- units ----------------------------------------------------------------------------------------


@pytest.mark.check
@settings(max_examples=50)
@given(scorings(), st.randoms(use_true_random=False))
def test_utterances_add_up_to_their_document(scoring, rng):
    """Costs and reference slots of utterances are those of the document, however it is cut."""

    def cut(document):
        if not isinstance(document, Document) or len(document.words) < 2:
            return document
        places = sorted(rng.sample(range(1, len(document.words)), rng.randrange(2)))
        return replace(document, breaks=tuple(places))

    evaluation = evaluate(
        [cut(reference) for reference in scoring.references],
        scoring.hypotheses,
        tolerance=in_ms(scoring.tolerance),
        unplaceable=scoring.unplaceable,
        costs=scoring.costs,
        pairing=scoring.pairing,
    )
    added = {}
    for (id, _), (cost, ref) in tally(evaluation, "utterance").items():
        before = added.get((id, 0), (0, 0))
        added[id, 0] = before[0] + cost, before[1] + ref
    assert tally(evaluation, "document") == added
    for name in ("P", "R", "F1", "F2"):  # their units are the same
        score = evaluation.by(name)
        of_both = [tally(score, unit).values() for unit in ("document", "utterance")]
        total, parts = ([sum(part) for part in zip(*own, strict=True)] for own in of_both)
        assert total == parts


def test_utterances_through_time():
    """An insertion counts where the middle of its first word is."""
    reference = Document(
        "d",
        ("a", "b"),
        tree([("x", 0, 1), ("x", 1, 2)]),
        times=((0, 1000), (1000, 2000)),
        breaks=(1,),
    )
    words = Document(
        "d",
        ("p", "q", "r"),
        tree([("x", 0, 1), ("i", 0, 1), ("j", 1, 2)]),
        times=((0, 400), (900, 1200), (1200, 2000)),  # q begins before 1 s, its middle is after
    )
    evaluation = evaluate([reference], [words], tolerance=0, pairing="label")
    assert {("d", 0): (1, 1), ("d", 1): (2, 1)} == tally(evaluation, "utterance")


# --- comparisons ----------------------------------------------------------------------------------


def test_labels_add_up_to_the_difference(evaluations):
    """Differences by label add up to the difference of the costs; the largest is first."""
    good, bad = evaluations["good"], evaluations["bad"]
    found = by_label(bad, good)
    costs = [e.counts.cost(e.settings.costs) for e in (bad, good)]
    assert costs[0] - costs[1] == sum(label.errors.total for label in found)
    assert sorted((abs(label.errors.total) for label in found), reverse=True) == [
        abs(label.errors.total) for label in found
    ]
    assert bad.counts.D - good.counts.D == sum(label.errors.D for label in found)
    assert bad.counts.I - good.counts.I == sum(label.errors.I for label in found)
    assert difference(bad, good) == sum(label.errors.total for label in found) / good.counts.ref
