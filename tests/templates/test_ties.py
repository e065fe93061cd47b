"""Ties between templates: what a score can be, against every way to break them, one by one."""

import json
import random

from paths import CASES
from test_templates import generated

from sereval.templates.align import align, candidates, common_values, groups


def every_greedy(found, together):
    """All greedy alignments: at each step any pair that has most in common."""
    ends = {frozenset()}
    for group in together:
        waiting, ends = ends, set()
        while waiting:
            aligned = waiting.pop()
            keys, responses = ({pair[side] for pair in aligned} for side in (0, 1))
            ranks = {
                pair: rank
                for pair, slots in found.items()
                if pair[0] in group - keys and pair[1] not in responses
                if (rank := common_values(slots, aligned))
            }
            top = [pair for pair, rank in ranks.items() if rank == max(ranks.values())]
            waiting |= {aligned | {pair} for pair in top}
            ends |= set() if top else {aligned}
    return ends


def test_each_way_is_greedy():
    """However ties are broken, the alignment is one that a choice among equals leads to."""
    several = found_both_ends = 0
    for seed in range(400):
        dice = random.Random(seed)
        rings = dice.random() < 0.3
        key = generated(dice, rings=rings, most=7, key=True)
        response = generated(dice, rings=rings, most=7, key=False)
        low = dice.choice([(), ("L", "s")])
        found = candidates(key, response, low, ())
        together = groups(key, response)
        ways = {frozenset(align(found, together, "greedy", favour)) for favour in (-1, 0, 1)}
        expected = every_greedy(found, together)
        assert ways <= expected, seed
        sums = [
            {sum(common_values(found[pair], way) for pair in way) for way in some}
            for some in (ways, expected)
        ]
        several += len(sums[1]) > 1
        found_both_ends += len(sums[1]) > 1 and (
            (min(sums[0]), max(sums[0])) == (min(sums[1]), max(sums[1]))
        )
    assert several > 10
    assert found_both_ends > several / 3


def test_ties_are_told(run, monkeypatch):
    """Figures 4 and 5 together are 0.40 or 0.45 by the order of the response, which is said."""
    monkeypatch.chdir(CASES / "kehler_figure_5_and_4")
    told = "Ties between templates decide the score: F at least 40.00–45.00, PRE at least 32.00"
    for response in ("response.muc", "other_order.muc"):
        _, out, err = run(f"templates key.muc {response} --no-listing")
        assert (told in out, err) == (True, "")
        _, report, err = run(f"templates key.muc {response} --format json")
        found = json.loads(report)
        expected = {
            "precision_least": 8 / 25,
            "precision_greatest": 9 / 25,
            "recall_least": 8 / 15,
            "recall_greatest": 9 / 15,
            "f1_least": 0.4,
            "f1_greatest": 0.45,
        }
        for row in (found["total"], found["documents"][0]):
            assert expected == {name: row[name] for name in expected}
        assert err == ""
        _, _, err = run(f"templates key.muc {response} --format csv")
        assert told in err
    _, out, _ = run("templates key.muc other_order.muc --alignment assignment")
    assert "decide" not in out


def test_without_ties_nothing_is_told(run, monkeypatch):
    """Where there is one way, the range is the score, and there is no note."""
    monkeypatch.chdir(CASES / "kehler_figure_3")
    _, report, _ = run("templates key.muc response.muc --format json")
    found = json.loads(report)
    total = found["total"]
    assert (found["notes"], total["f1_least"], total["f1_greatest"]) == ([], *[total["f1"]] * 2)
    _, out, _ = run("templates key.muc response.muc")
    assert "Ties" not in out
