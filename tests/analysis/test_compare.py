"""Systems side by side: intervals, tests, differences, collated errors, and the command."""

import itertools
import json
import random
import re
import sys
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import in_ms, scorings
from two_systems import corpus, evaluated

import sereval
from sereval import Document, evaluate, tree
from sereval.analysis.compare import (
    Resampling,
    bootstrap,
    by_label,
    compare,
    difference,
    interval,
)
from sereval.analysis.significance import holm, least_p, permutation
from sereval.analysis.units import tally

FEW = Resampling(resamples=200)
COMPARISONS = {
    "text": str,
    "json": lambda comparison: comparison.to_json(),
    "csv": lambda comparison: "".join(comparison.report().csv()),
}
"""The reports of a comparison alone."""


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

    found = bootstrap(systems, 2, resampling)

    for system, rates in zip(systems, found, strict=True):
        for drawn, rate in zip(draws.tolist(), rates.tolist(), strict=True):
            cost = sum(system[u][0] for u in drawn)
            ref = sum(system[u][1] for u in drawn)
            assert (cost / (2 * ref) == rate) if ref else np.isnan(rate)


def scipy_bootstrap(system, resamples, generator):
    """What scipy makes of one system's costs and reference slots."""
    return pytest.importorskip("scipy.stats").bootstrap(
        np.array(system).T,
        lambda cost, ref, axis: cost.sum(axis) / (2 * ref.sum(axis)),
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        method="percentile",
        rng=generator,
    )


@pytest.mark.parametrize("units", [5, 13, 200])
def test_intervals_agree_with_scipy(units):
    """The percentile interval is that of scipy, which draws the same units from the same seed."""
    system = [(cost, ref + 1) for cost, ref in sums(random.Random(units), units)]
    resampling = Resampling(resamples=2000, seed=7)
    [rates] = bootstrap([system], 2, resampling)
    found = interval(rates, units, resampling)
    expected = scipy_bootstrap(system, 2000, np.random.Generator(np.random.PCG64(7)))

    assert expected.bootstrap_distribution.tolist() == pytest.approx(rates.tolist(), abs=1e-12)
    low, high = expected.confidence_interval
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_intervals_agree_with_scipy_whatever_is_drawn():
    """Under another seed scipy's interval is the same within the error of a simulation."""
    system = [(cost, ref + 1) for cost, ref in sums(random.Random(3), 40)]
    [rates] = bootstrap([system], 2, Resampling())
    expected = scipy_bootstrap(system, 9999, np.random.default_rng(99))
    found = interval(rates, 40, Resampling())
    error = 0.1 * expected.standard_error
    assert (found.low, found.high) == pytest.approx(expected.confidence_interval, abs=error)


def test_nobody_averages_rates():
    """Two documents of rates 1/1 and 0/9 make 1/10, and no resample makes their average."""
    words = tuple("abcdefghi")
    small = [("loc", 0, 1)]
    large = [("loc", k, k + 1) for k in range(9)]
    references = [Document("a", words, tree(small)), Document("b", words, tree(large))]
    hypotheses = [Document("a", words), Document("b", words, tree(large))]
    evaluation = evaluate(references, hypotheses)

    [rates] = bootstrap([list(tally(evaluation).values())], 2, FEW)

    assert evaluation.ser == 0.1
    assert {0.0, 0.1, 1.0} == set(rates.tolist())


def test_documents_without_a_reference_slot():
    """Resamples without a reference slot are left out and counted."""
    [rates] = bootstrap([[(2, 2), (2, 0)]], 2, Resampling(resamples=1000))
    found = interval(rates, 2, Resampling())
    assert found.undefined == int(np.isnan(rates).sum()) > 0
    assert found.low == 0.5
    assert interval(rates[np.isnan(rates)], 2, Resampling()).low is None


def test_one_unit_has_no_interval():
    """From a single unit nothing is known of chance."""
    [rates] = bootstrap([[(2, 2)]], 2, FEW)
    found = interval(rates, 1, FEW)
    assert (found.low, found.high, found.undefined) == (None, None, 0)


def test_large_costs_are_exact():
    """Costs beyond float64 give the rates and p-values of the same costs in small numbers."""
    rng = random.Random(5)
    a, b = sums(rng, 13), sums(rng, 13)
    factor = 10**18 + 9

    def large(system):
        return [(cost * factor, ref) for cost, ref in system]

    expected = bootstrap([a, b], 2, FEW)
    found = bootstrap([large(a), large(b)], 2 * factor, FEW)
    assert found.ravel().tolist() == pytest.approx(expected.ravel().tolist())
    for resampling in (FEW, Resampling()):
        assert permutation(large(a), large(b), resampling) == permutation(a, b, resampling)


def test_ten_thousand_resamples_of_two_hundred_documents(capsys):
    """The size that evaluations have runs; how long it takes is shown, not judged."""
    rng = random.Random(0)
    systems = [sums(rng, 200), sums(rng, 200)]
    began = time.perf_counter()
    rates = bootstrap(systems, 2, Resampling())
    tested = permutation(*systems, Resampling())
    with capsys.disabled():
        sys.stdout.write(f" [{time.perf_counter() - began:.2f} s] ")
    assert rates.shape == (2, 10_000)
    assert not tested.exact


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


def test_sampled_permutations_are_near_the_exact_ones():
    """With fewer resamples than arrangements p is estimated, and counts the one seen."""
    rng = random.Random(2)
    a = [(rng.randrange(20), 8) for _ in range(12)]
    b = [(rng.randrange(23), 8) for _ in range(12)]
    exact = permutation(a, b, Resampling(resamples=4096))
    found = permutation(a, b, Resampling(resamples=4000))
    assert exact.exact
    assert (False, 4001) == (found.exact, found.arrangements)
    p = float(exact.p)
    assert float(found.p) == pytest.approx(p, abs=5 * (p * (1 - p) / 4000) ** 0.5)


def test_permutation_never_gives_zero():
    """The arrangement that was seen is one of those that are as great."""
    a, b = [(0, 9)] * 40, [(18, 9)] * 40
    assert permutation(a, b, Resampling(resamples=99)).p == Fraction(1, 100)


def test_units_without_a_difference_change_nothing():
    """Equal units can be exchanged as one likes: p stays, and stays exact."""
    a, b = [(0, 2), (3, 4), (1, 1)], [(1, 2), (3, 5), (0, 1)]
    same = [(1, 7)] * 30
    assert permutation(a, b, FEW).exact
    assert permutation(a + same, b + same, FEW).exact


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
        whole, parts = ([sum(part) for part in zip(*own, strict=True)] for own in of_both)
        assert whole == parts


def test_utterances_on_the_same_words():
    """Elements count where they begin; insertions where their first character is."""
    reference = Document("d", ("a", "b", "l'", "acteur"), tree([("x", 1, 3)]), breaks=(2,))
    hypothesis = Document("d", ("a", "b", "l'acteur"), tree([("y", 2, 3), ("z", 0, 1)]))
    evaluation = evaluate([reference], [hypothesis], pairing="label")
    assert {("d", 0): (4, 1), ("d", 1): (2, 0)} == tally(evaluation, "utterance")


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
    assert {("d", 0): (2, 1), ("d", 1): (4, 1)} == tally(evaluation, "utterance")


def test_few_documents_are_cut_into_utterances(evaluations):
    """Under ten documents the units are utterances, and the report says so."""
    references, good, _ = corpus(4, documents=9)
    cut = [replace(document, breaks=(3, 5)) for document in references]
    few = compare({"manual": {"good": evaluate(cut, good)}}, FEW)
    many = compare({"manual": evaluations}, FEW)
    assert ("utterance", 27) == (few.conditions[0].unit, few.conditions[0].units)
    assert ("document", 12) == (many.conditions[0].unit, many.conditions[0].units)
    text = COMPARISONS["text"](few)
    assert "manual: resampled over 27 utterances of 9 documents (few)\n" in text
    assert "unit:utterance" in text
    assert "unit:document" in COMPARISONS["text"](many)


UNIT_NOTES = [  # documents, utterances in each, unit, systems, and what is said
    (9, 1, "document", 2, ["Fewer than 10 documents: percentile intervals are too narrow, and p "
                           "cannot be below 0.0039."]),
    (2, 1, "document", 1, ["Fewer than 10 documents: percentile intervals are too narrow."]),
    (2, 1, "auto", 2, ["The reference has no utterance boundaries: each document is one utterance.",
                       "Fewer than 10 utterances: percentile intervals are too narrow, and p "
                       "cannot be below 0.5000."]),
    (3, 3, "auto", 2, ["Utterances of one document are alike: intervals may be too narrow and p "
                       "too small.",
                       "Fewer than 10 utterances: percentile intervals are too narrow, and p "
                       "cannot be below 0.0039."]),
    (9, 3, "auto", 1, ["Utterances of one document are alike: intervals may be too narrow."]),
    (10, 1, "auto", 2, []),
    (1, 1, "auto", 2, ["A single utterance gives no interval and no significant difference."]),
]  # fmt: skip


@pytest.mark.parametrize(("documents", "cuts", "unit", "systems", "expected"), UNIT_NOTES)
def test_what_there_is_to_say_against_the_units(documents, cuts, unit, systems, expected):
    """Few units and utterances are warned of, for intervals and for p, whatever the unit is."""
    references, *outputs = corpus(4, documents=documents)
    cut = [replace(document, breaks=(3, 5)[: cuts - 1]) for document in references]
    evaluations = {f"s{k}": evaluate(cut, side) for k, side in enumerate(outputs[:systems])}
    text = COMPARISONS["text"](compare({"m": evaluations}, Resampling(resamples=1000, unit=unit)))
    lines = text[text.index("m: resampled over ") :].splitlines()
    end = lines.index("") if "" in lines else len(lines)
    assert expected == lines[1:end]


@pytest.mark.parametrize("resamples", [1, 3, 7, 200])
@pytest.mark.parametrize("units", range(1, 8))
def test_no_p_is_below_the_least(units, resamples):
    """What is said to be the least p-value is no more than that of the most unlike systems."""
    a, b = [(0, 9)] * units, [(18, 9)] * units
    resampling = Resampling(resamples=resamples)
    least = least_p(units, resampling)
    for seed in range(20):
        found = permutation(a, b, replace(resampling, seed=seed))
        assert found.p >= least
        assert not found.exact or found.p == least


def test_what_is_said_of_the_test():
    """The line says what is exchanged and how often; Holm is over the pairs of the condition."""
    references, good, bad = corpus(4, documents=5)
    three = {"a": good, "b": bad, "c": [replace(d, elements=()) for d in references]}
    evaluations = {name: evaluate(references, side) for name, side in three.items()}
    resampling = Resampling(resamples=31, unit="document")
    text = COMPARISONS["text"](compare({"m": evaluations, "n": evaluations}, resampling))
    assert (
        "p from 31 random exchanges of documents: paired permutation test, two-sided.\n"
        "Holm: p adjusted for the 3 pairs of this condition.\n"
    ) in text
    assert 2 == text.count("for the 3 pairs of this condition")
    [heads] = {tuple(row.split()) for row in text.splitlines() if "Holm" in row and ":" not in row}
    assert ("points", "interval", "p", "Holm") == heads
    exact = Resampling(unit="document")
    assert "exact (32)\n" in COMPARISONS["text"](compare({"m": evaluations}, exact))


# --- comparisons ----------------------------------------------------------------------------------


def test_seed_is_all_that_chance_depends_on(evaluations):
    """The same seed gives the same report; another seed another interval, near by."""
    reports = [
        COMPARISONS["json"](compare({"m": evaluations}, Resampling(seed=seed)))
        for seed in (1, 1, 2)
    ]
    assert reports[0] == reports[1] != reports[2]
    system = [(cost, ref + 1) for cost, ref in sums(random.Random(8), 50)]
    rates = [bootstrap([system], 2, Resampling(seed=seed))[0] for seed in (1, 2)]
    assert rates[0].tolist() == bootstrap([system], 2, Resampling(seed=1))[0].tolist()
    (low, high), other = ((i.low, i.high) for i in (interval(r, 50, FEW) for r in rates))
    assert (low, high) != other
    assert (low, high) == pytest.approx(other, abs=0.1 * (high - low))


@pytest.mark.parametrize("format", COMPARISONS)
def test_order_of_systems_and_documents_changes_nothing(format):
    """Systems in another order, documents in another order: the same report, byte for byte."""
    references, good, bad = corpus(6)
    one = {"good": evaluate(references, good), "bad": evaluate(references, bad)}
    other = {
        "bad": evaluate(references[::-1], bad[3:] + bad[:3]),
        "good": evaluate(references, good[::-1]),
    }
    render = COMPARISONS[format]
    assert render(compare({"m": one}, FEW)) == render(compare({"m": other}, FEW))


def test_a_system_does_not_depend_on_the_others(evaluations):
    """An interval is the same whoever else is compared."""
    [alone] = compare({"m": {"good": evaluations["good"]}}, FEW).conditions
    [both] = compare({"m": evaluations}, FEW).conditions
    assert alone.systems[0].interval == both.systems[1].interval


def test_labels_add_up_to_the_difference(evaluations):
    """Differences by label add up to the difference of the costs; the largest is first."""
    good, bad = evaluations["good"], evaluations["bad"]
    found = by_label(bad, good)
    costs = [e.counts.cost(e.settings.costs) for e in (bad, good)]
    assert costs[0] - costs[1] == sum(label.total for label in found)
    assert sorted((abs(label.total) for label in found), reverse=True) == [
        abs(label.total) for label in found
    ]
    assert bad.counts.D - good.counts.D == sum(label.D for label in found)
    assert bad.counts.I - good.counts.I == sum(label.I for label in found)
    assert difference(bad, good) == sum(label.total for label in found) / good.counts.ref


def test_undefined_rates():
    """Without a reference slot there is no rate, no difference and no test, and no failure."""
    empty = [Document("d", ("a",))]
    evaluation = evaluate(empty, empty)
    comparison = compare({"m": {"a": evaluation, "b": evaluation}}, FEW)
    [pair] = comparison.conditions[0].differences
    assert (None, None, None) == (pair.rate, pair.test, pair.holm)
    for render in COMPARISONS.values():
        assert "nan" not in render(comparison)
    assert "n/a" in COMPARISONS["text"](comparison)


def test_reports_agree(evaluations):
    """The text shows the numbers of the tables."""
    comparison = compare({"m": evaluations}, FEW)
    report, text = json.loads(comparison.to_json()), str(comparison)
    for system in report["systems"]:
        figures = [system["value"], system["low"], system["high"]]
        shown = "{:.1f} [{:.1f}, {:.1f}]".format(*(100 * figure for figure in figures))
        assert re.search(rf"^{system['system']} +{re.escape(shown)}$", text, re.MULTILINE)
    [condition] = report["conditions"]
    assert "|seed:2011|" in condition["signature"]
    [pair] = report["differences"]
    assert f"{100 * pair['value']:+.1f}" in text
    for label in report["labels"]:
        assert label["errors"] == label["D"] + label["I"] + label["S"]


def test_utterances_of_exact_matches_are_those_of_tags():
    """F1 on the same flat words has the units and the interval of the scheme `conll`."""
    rng = random.Random("units")
    breaks, words = tuple(range(7, 84, 7)), tuple("abcdefg" * 12)
    gold, found = (
        [Document("d", words, tree([("A", k, k + 1) for k in own]), breaks=breaks)]
        for own in (sorted(rng.sample(range(84), 30)) for _ in range(2))
    )
    [by_f1] = sereval.compare(gold, {"x": found}, measure="F1", resamples=50).conditions
    [by_tags] = sereval.compare(gold, {"x": found}, scheme="conll", resamples=50).conditions
    assert ("utterance", 12) == (by_f1.unit, by_f1.units) == (by_tags.unit, by_tags.units)
    assert by_tags.systems[0].interval == by_f1.systems[0].interval
