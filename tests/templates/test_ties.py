"""Ties between templates: all that a score can be, against every way to break them, one by one."""

import itertools
import json
import random
from fractions import Fraction

import pytest
from test_templates import CASES, document, generated, scored

from sereval.report.templates import FORMATS, notes
from sereval.templates.align import Candidates, greedy
from sereval.templates.model import SlotNames, SlotWeights, TemplateDocument
from sereval.templates.optimal import optimal
from sereval.templates.ranges import RateRange, TieTotals, Total
from sereval.templates.score import TemplateSettings, score_templates
from sereval.templates.ties import greedy_ways, optimal_ways

NONE = SlotNames(())
LOW = SlotNames(("L", "s"))
WEIGHTS = SlotWeights((("s", 2), ("B.p", 3)))


def candidates(seed, most=5):
    """The pairs of two small documents in which nearly all templates compete."""
    dice = random.Random(seed)
    rings = dice.random() < 0.3
    key = generated(dice, rings=rings, most=most, key=True)
    response = generated(dice, rings=rings, most=most, key=False)
    criterion = dice.choice(["standard", "restrictive"])
    return key, response, Candidates.of(key, response, criterion, LOW, NONE)


def every_greedy(found, groups):
    """All greedy alignments: at each step any pair that has most in common."""
    ends = {frozenset()}
    for group in groups:
        waiting, ends = ends, set()
        while waiting:
            aligned = waiting.pop()
            keys, responses = ({pair[side] for pair in aligned} for side in (0, 1))
            ranks = {
                pair: overlap.count(aligned)
                for pair, overlap in found.items()
                if pair[0] in group - keys and pair[1] not in responses
                if overlap.may_align(aligned)
            }
            top = [pair for pair, rank in ranks.items() if rank == max(ranks.values())]
            waiting |= {aligned | {pair} for pair in top}
            ends |= set() if top else {aligned}
    return ends


def every_alignment(found):
    """All one-to-one alignments in which each pair meets the criterion."""
    for size in range(len(found) + 1):
        for pairs in itertools.combinations(found, size):
            sides = [[pair[side] for pair in pairs] for side in (0, 1)]
            is_one_to_one = all(len({*side}) == size for side in sides)
            if is_one_to_one and all(found[pair].may_align(pairs) for pair in pairs):
                yield frozenset(pairs)


def values(found, aligned):
    return sum(found[pair].count(aligned) for pair in aligned)


def test_greedy_ways_are_all_ways():
    """What greedy alignment can come to is what any choice among equals leads to."""
    tied = 0
    for seed in range(400):
        _, _, (found, groups) = candidates(seed)
        expected = every_greedy(found, groups)
        whole = greedy_ways(found, groups, whole=True)
        short = greedy_ways(found, groups, whole=False)
        totals = {values(found, aligned) for aligned in expected}

        assert {one: {values(found, one)} for one in expected} == whole.ends, seed
        assert totals == set().union(*short.ends.values()), seed
        assert frozenset(greedy(found, groups)) in whole.ends
        assert whole.tied == short.tied
        assert whole.tied or len(expected) == 1
        tied += len(totals) > 1
    assert tied > 10


def test_optimal_ways_are_all_ways():
    """The optimal alignments are all those with the greatest sum of common values."""
    several = 0
    for seed in range(150):
        _, _, (found, _) = candidates(seed, most=4)
        every = {one: values(found, one) for one in every_alignment(found)}
        most = max(every.values())
        expected = {one for one, value in every.items() if value == most}
        assert most == values(found, optimal(found))
        assert expected == set(optimal_ways(found, most, whole=True).ends)
        assert (len(expected) > 1) == optimal_ways(found, most, whole=False).tied
        several += len(expected) > 1
    assert several > 5


def shuffled(dice, document):
    templates = [*document.templates]
    dice.shuffle(templates)
    return TemplateDocument(document.id, tuple(templates))


def optional(dice, text_document):
    """The same with some optional templates and slots."""
    lines = []
    for template in text_document.templates:
        slots = [
            f"{slot.name}{'?' * (dice.random() < 0.3)}="
            + ",".join(
                "/".join("@" * v.pointer + v.text for v in fill.values) for fill in slot.fills
            )
            for slot in template.slots
        ]
        lines.append(" ".join([template.id + "?" * (dice.random() < 0.3), *slots]))
    return document("\n".join(lines))


@pytest.mark.check
@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 240), marks=pytest.mark.long)], ids=str
)
@pytest.mark.parametrize("alignment", ["greedy", "optimal"])
@pytest.mark.parametrize("is_optional", [False, True])
@pytest.mark.parametrize("others", [{}, {"partial": "part"}, {"weights": WEIGHTS}], ids=str)
def test_no_order_of_templates_leaves_the_range(alignment, is_optional, others, seeds):
    """The range is the same in any order of the files, and has the score in each."""
    settings = TemplateSettings(alignment=alignment, low_entropy=LOW, ignored=NONE, **others)
    found = set()
    for seed in seeds:
        key, response, _ = candidates(seed)
        dice = random.Random(seed)
        key = optional(dice, key) if is_optional else key
        expected = score_templates([key], [response], settings)
        for _ in range(4):
            other = score_templates([shuffled(dice, key)], [shuffled(dice, response)], settings)
            total = other.total
            assert expected.ties == other.ties, seed
            credit = total.cor + Fraction(total.par, 2)
            assert Total(credit, total.possible, total.actual) in other.ties["1"].totals
            least, most = expected.range().f
            assert least == most == total.f() or least <= total.f() <= most
            assert other.total == expected.total or expected.ties["1"].tied, seed
            found.add(total.f() == expected.total.f())
    assert (False in found) == (alignment == "greedy" or is_optional)


def test_ties_are_told(run, monkeypatch):
    """Figures 4 and 5 together are 0.40 or 0.45 by the order of the response, which is said."""
    monkeypatch.chdir(CASES / "figure_5_and_4")
    told = "Ties between templates decide the score: F 40.00–45.00, PRE 32.00–36.00, "
    for response in ("response.muc", "other_order.muc"):
        _, out, err = run(f"templates key.muc {response} --no-listing")
        assert (told in out, err) == (True, "")
        _, report, err = run(f"templates key.muc {response} --format json")
        found = json.loads(report)
        assert found["range"] == found["documents"][0]["range"]
        assert found["range"] == {
            "precision": [8 / 25, 9 / 25],
            "recall": [8 / 15, 9 / 15],
            "f": [0.4, 0.45],
            "complete": True,
        }
        assert err == ""
        _, _, err = run(f"templates key.muc {response} --format csv")
        assert told in err
    _, out, _ = run("templates key.muc other_order.muc --alignment optimal")
    assert "decide" not in out


def test_without_ties_nothing_is_told(run, monkeypatch):
    """Where there is one way, the range is the score, and there is no note."""
    monkeypatch.chdir(CASES / "figure_3")
    _, report, _ = run("templates key.muc response.muc --format json")
    found = json.loads(report)
    assert (found["notes"], found["range"]["f"]) == ([], [found["f"]] * 2)
    _, out, _ = run("templates key.muc response.muc")
    assert "Ties" not in out


def test_more_ways_than_can_be_tried():
    """Beyond a bound the range is that of four orders, and is said to be at least that."""
    score = scored("figure_5_and_4", most_ties=3)
    found = "\n".join(notes(score))
    assert "F at least 40.00–45.00, PRE at least" in found
    assert "Documents with more ways to break ties than can be tried: 1. The range covers" in found
    assert not score.range().is_known
    assert json.loads(FORMATS["json"](score))["range"]["complete"] is False
    optimal_score = scored("figure_5_and_4", most_ties=3, alignment="optimal")
    assert optimal_score.range().is_known  # all have as many common values
    assert scored("figure_3", most_ties=3).range().is_known  # one way needs no trying


def test_templates_that_are_alike_are_one_way():
    """Where nothing points at them, it does not matter which of many equals is taken."""
    lines = [f"A{k} s=x t={k}" for k in range(20)]
    response = [f"A{k} s=x t=none" for k in range(20)]
    score = score_templates([document("\n".join(lines))], [document("\n".join(response))])
    assert score.ties["1"] == TieTotals(frozenset({Total(20, 40, 40)}), tied=True)


def test_many_equals_have_an_end():
    """Where something points at each of them there are too many ways; the bound is kept."""
    lines = [f"A{k} s=x\nB{k} p=@A{k} t={k}" for k in range(20)]
    both = document("\n".join(lines)), document("\n".join(reversed(lines)))
    score = score_templates([both[0]], [both[1]], TemplateSettings(most_ties=20_000))
    assert not score.range().is_known
    assert score.range().f[1] == 1


def test_range_of_several_documents():
    """Each document goes its own way: the greatest quotient of sums is found over all choices."""
    dice = random.Random(5)
    for _ in range(200):
        ties = [
            TieTotals(
                frozenset(
                    Total(dice.randint(0, 3), dice.randint(3, 6), dice.randint(3, 6))
                    for _ in range(dice.randint(1, 4))
                )
            )
            for _ in range(dice.randint(1, 4))
        ]
        ways = [
            [sum(part) for part in zip(*way, strict=True)]
            for way in itertools.product(*(each.totals for each in ties))
        ]
        found = RateRange.of(ties, 2.0)
        for (least, most), rates in (
            (found.precision, [cor / actual for cor, _, actual in ways]),
            (found.recall, [cor / possible for cor, possible, _ in ways]),
            (found.f, [5 * cor / (4 * possible + actual) for cor, possible, actual in ways]),
        ):
            assert (min(rates), max(rates)) == pytest.approx((least, most))


def test_range_of_nothing():
    """Where there is nothing to divide by, both ends are undefined."""
    nothing = TieTotals(frozenset({Total(0, 0, 0)}))
    assert ((None, None),) * 3 == RateRange.of([nothing], 1.0)[:3]
    assert ((None, None),) * 3 == RateRange.of([], 1.0)[:3]
