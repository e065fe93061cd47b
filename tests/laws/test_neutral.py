"""Neutral labels: elements that cost nothing on either side, paired or not, and still count."""

import csv
import io
import json
from fractions import Fraction
from random import Random

import pytest
from brute_force import random_case, remaining_reference
from exhaustive import Rule, as_package, first_of_all, misses_cost, reported
from stabilities import stability

from sereval import Costs, Document, Reference, ReferenceElement, SerevalError, evaluate, tree
from sereval.analysis.sweep import sweep
from sereval.cli import main
from sereval.evaluation.evaluate import Settings
from sereval.mapping.best import MOST_CORRECT, as_lne, best_mapping, cheapest

WORDS = tuple("abcdef")


def document(*spans):
    return Document("d", WORDS, tree(spans))


NOISY = frozenset({"noisy"})
WORKED = [  # reference, hypothesis, cost, cost without neutral labels, classes
    ([("noisy", 0, 2)], [], 0, 1, {"D": 1}),
    ([], [("noisy", 0, 2)], 0, 1, {"I": 1}),
    ([("noisy", 0, 2)], [("noisy", 1, 2)], 0, Fraction(1, 2), {"S_S": 1}),
    ([("noisy", 0, 2)], [("loc", 0, 2)], 0, Fraction(1, 2), {"S_T": 1}),
    ([("loc", 0, 2)], [("noisy", 1, 4)], 0, 1, {"S_ST": 1}),
    ([("loc", 0, 2)], [("noisy", 2, 4)], 1, 2, {"D": 1, "I": 1}),
    ([("noisy", 0, 2), ("loc", 3, 4)], [("loc", 3, 4)], 0, 1, {"C": 1, "D": 1}),
    # noisy is free to answer for what loc would leave over, and does
    ([("noisy", 0, 2)], [("loc", 1, 4), ("org", 1, 2)], 1, 2, {"S_ST": 1, "I": 1}),
]


@pytest.mark.parametrize(("reference", "hypothesis", "cost", "without", "classes"), WORKED)
def test_worked_cases(reference, hypothesis, cost, without, classes):
    """What costs nothing and what does; the counts by class are as ever."""
    sides = [document(*reference)], [document(*hypothesis)]
    found, before = evaluate(*sides, neutral=NOISY), evaluate(*sides)
    counts = found.counts

    assert (cost, without) == (counts.cost(Costs()), before.counts.cost(Costs()))
    assert classes == {
        name: getattr(counts, name)
        for name in ("C", "S_S", "S_T", "S_ST", "D", "I")
        if getattr(counts, name)
    }
    assert (len(reference), len(hypothesis)) == (counts.ref, counts.hyp)


def test_neutral_pairs_of_lnes_program():
    """What costs nothing either way has the fewest pairs, by the rule for ties."""
    sides = [document(("noisy", 0, 2))], [document(("noisy", 0, 2))]
    found = evaluate(*sides, neutral=NOISY, scheme="quaero-lne")

    assert (found.counts.C, found.counts.D, found.counts.I, found.ser) == (0, 1, 1, 0)
    assert (found.definition_counts.C, evaluate(*sides, scheme="quaero-lne").counts.C) == (1, 1)


def test_missed_elements():
    """An element without a place that is counted as a deletion costs nothing if it is neutral."""
    elements = tuple(ReferenceElement((label,), (0,), ()) for label in ("noisy", "loc"))
    sides = [Reference("d", WORDS, elements)], [document()]
    found = evaluate(*sides, unplaceable="miss", neutral=NOISY)

    assert (found.counts.D, found.counts.ref, found.counts.cost(Costs())) == (2, 2, 1)


def test_exact_pairs_are_as_ever():
    """Precision, recall and F1 of the definition know no neutral labels."""
    sides = [document(("noisy", 0, 2), ("loc", 3, 4))], [document(("noisy", 0, 2))]
    found, before = evaluate(*sides, neutral=NOISY).counts, evaluate(*sides).counts

    assert (found.precision, found.recall, found.f1) == (1, 0.5, 2 / 3)
    assert (before.precision, before.recall, before.f1) == (1, 0.5, 2 / 3)


def test_signature():
    """Neutral labels are named in order, and only where there are any."""
    assert "neutral" not in str(Settings().signature)
    assert "|neutral:a,b|costs:" in str(Settings(neutral=frozenset({"b", "a"})).signature)


@pytest.mark.parametrize("label", ["", "a,b", "a|b"])
def test_wrong_labels(label):
    """A list in one label is refused: signatures would not tell it from two labels."""
    with pytest.raises(SerevalError, match="expected one without a comma"):
        evaluate([document()], [document()], neutral=frozenset({label}))


# --- the search, against all mappings ------------------------------------------------------------


def check(seed, cases):
    rng = Random(seed)
    free = 0
    for _ in range(cases):
        case = random_case(rng)
        neutral = frozenset(rng.sample("abc", rng.choice([1, 1, 2])))
        for lne in (False, True):
            evaluation, cost, _ = first_of_all(case, Rule(neutral=neutral, lne=lne))
            assert reported(evaluation) == {cost}, (case, neutral, lne)
        free += any(h.label in neutral for h in case.hypothesis)
    assert free > cases / 4


@pytest.mark.check
def test_random_cases():
    """The search minimises without the cost of neutral slots, under either scheme."""
    check(seed=1, cases=1000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_random_cases(seed):
    """The same on 10 000 cases."""
    check(seed, cases=2000)


@pytest.mark.check
def test_misses_of_random_cases():
    """With elements that have no place, what is missed costs nothing where it is neutral."""
    misses_cost(Random(3), 600, lambda rng: Rule(neutral=frozenset(rng.sample("abc", 1))))


def test_no_neutral_label_changes_nothing():
    """Labels that no element has leave the mapping, its class counts and its costs alone."""
    rng = Random(4)
    for _ in range(200):
        case = random_case(rng)
        elements, _, _ = remaining_reference(case.reference, case.policy, case.timing)
        reference, hypothesis, costs = as_package(case, elements, Rule())
        for preference in (cheapest(costs), as_lne(costs), MOST_CORRECT):
            without = best_mapping(reference, hypothesis, preference)
            assert without == best_mapping(reference, hypothesis, preference, neutral=NOISY)


# --- the command line ----------------------------------------------------------------------------


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    (tmp_path / "ref").mkdir()
    (tmp_path / "hyp").mkdir()
    (tmp_path / "ref/d.ne").write_text("<noisy> a b </noisy> <loc> c </loc> d", "utf-8")
    (tmp_path / "hyp/d.ne").write_text("a b <loc> c </loc> <bad> d </bad>", "utf-8")
    monkeypatch.chdir(tmp_path)

    def run(command):
        status = main(command.split())
        return status, *capsys.readouterr()

    return run


def test_score(run):
    """`score --neutral`, once and twice; the reports say how many errors it was."""
    for options, cost, note in [
        ("", 2, None),
        ("--neutral noisy", 1, "1 error with a neutral label, at no cost."),
        ("--neutral noisy --neutral bad", 0, "2 errors with a neutral label, at no cost."),
    ]:
        status, out, err = run(f"score ref hyp {options} --format json")
        report = json.loads(out)
        assert (status, err, report["counts"]["cost"]) == (0, "", cost)
        assert sum(report.get("neutral", {}).values()) == 2 - cost
        _, text, _ = run(f"score ref hyp {options}")
        assert (note in text.splitlines()) if note else "neutral" not in text


def test_audit(run):
    """`audit --neutral`: the rows of neutral slots cost 0, in all formats."""
    _, out, _ = run("audit ref hyp --neutral noisy --format csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, text, _ = run("audit ref hyp --neutral noisy")
    _, page, _ = run("audit ref hyp --neutral noisy --format html")

    assert [row["cost"] for row in rows] == ["0", "0", "0", "1"]
    assert "(cost 1 for 2 reference elements: 1 C, 0 S_S, 0 S_T, 0 S_ST, 1 D, 1 I)" in text
    assert "1 error with a neutral label, at no cost." in page


def test_other_schemes(run):
    """Schemes without costs have no neutral labels."""
    status, _, err = run("score ref hyp --scheme conll --neutral noisy")

    assert status == 2
    assert "--neutral has no part in --scheme conll" in err


TIMES = tuple((200 * k, 200 * k + 200) for k in range(6))


def timed(rng):
    spans = [(rng.choice(("noisy", "loc", "org")), k, k + rng.choice((1, 2))) for k in (0, 2, 4)]
    return Document("d", WORDS, tree(rng.sample(spans, rng.randrange(4))), times=TIMES)


@pytest.mark.check
@pytest.mark.parametrize("scheme", ["quaero", "quaero-lne"])
def test_sweep_and_stability(scheme):
    """What they count with neutral labels is what one evaluation counts, classes at no cost too."""
    rng = Random(4)
    for _ in range(30):
        sides = [timed(rng)], [timed(rng)]
        how = {"scheme": scheme, "neutral": NOISY}
        found = sweep(sides[0], {"a": sides[1]}, (0, 200), **how)
        expected = [evaluate(*sides, tolerance=ms, **how).counts for ms in (0, 200)]
        assert expected == list(found.systems["a"])
        of = stability("m", {"a": sides}, Settings((200, 200), **how))
        assert of.at(of.base).counts["a"] == expected[1]
        assert of.credit("a").alone == sum(
            element.label != "noisy" for side in sides for element in side[0].elements
        )


def test_comparison(tmp_path, run):
    """Compared systems are charged nothing for neutral labels, in differences by label either."""
    for name, text in {"r": "<x> a </x> <y> b </y>", "s": "a b", "t": "<x> a </x> b"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.ne").write_text(f"{text}\n")
    command = f"compare {tmp_path}/r {tmp_path}/s {tmp_path}/t --neutral x --resamples 9"
    _, out, _ = run(f"{command} --format json")
    [condition] = json.loads(out)["conditions"]
    assert [row["cost"] for row in condition["systems"]] == [1, 1]
    [pair] = condition["differences"]
    assert [label["cost"] for label in pair["labels"]] == [0, 0]
    _, out, _ = run(command)
    assert "s: 1 error with a neutral label, at no cost." in out.splitlines()


def test_a_neutral_label_that_nothing_has_is_said(tmp_path, run):
    """A slip of the pen changes a score in silence, so each report says what it did not find."""
    (tmp_path / "d.ne").write_text("<amount> ten </amount> times\n", "utf-8")
    side = tmp_path / "d.ne"
    said = "No element has the neutral label amuont, the nearest known is amount"

    for command in ("score", "audit", "compare"):
        asked = f"{command} {side} {side} --neutral"
        assert f"{said}." in run(f"{asked} amuont")[1]
        assert "No element" not in run(f"{asked} amount")[1]
    report = json.loads(run(f"score {side} {side} --neutral amuont --format json")[1])
    assert report["neutral_labels_of_nothing"] == ["amuont"]
    timed = tmp_path / "d.jsonl"
    timed.write_text(
        '{"id": "d", "words": ["ten"], "times": [[0, 9]], "elements": '
        '[{"label": "amount", "start": 0, "end": 1}]}\n',
        "utf-8",
    )
    assert said in run(f"sweep {timed} {timed} --tolerance 0:1:1 --neutral amuont")[1]
