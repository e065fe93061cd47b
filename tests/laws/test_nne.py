"""NNE, nested entities and two systems that somebody else trained, counted a second time.

The words of each sentence are the same on both sides. Exact matches are then what the two lists of
(label, start, end) have in common, with multiplicity; and an assignment of all elements at least
cost, which knows nothing of nesting, is never dearer than the definition's mapping. Here it is
exactly as dear: no cheaper mapping is forbidden by rule 3, and the score is the minimum.
"""

import json
from collections import Counter

import numpy
import pytest
from paths import CORPORA
from scipy.optimize import linear_sum_assignment

from sereval.cli import main

NNE = CORPORA / "nne"

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(not NNE.is_dir(), reason="the corpus is not part of the project"),
]

SYSTEMS = {  # cost, exact matches, elements found, as in docs/reference/measures.md
    "innermost": (3736, 6636, 7048),
    "outermost": (6078.5, 4268, 4694),
}
ELEMENTS = 10463


def spans(name):
    """(label, start, end) of the elements of each sentence, read by nothing of the package."""
    lines = (NNE / f"{name}.jsonl").read_text("utf-8").splitlines()
    return {
        sentence["id"]: [(e["label"], e["start"], e["end"]) for e in sentence["elements"]]
        for sentence in map(json.loads, lines)
    }


def report(capsys, system, *options):
    """What the command line says, as JSON."""
    paths = [str(NNE / "gold.jsonl"), str(NNE / f"{system}.jsonl")]
    assert main(["score", *paths, "--format", "json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def assigned(gold, found):
    """The least cost, in halves, of pairing two lists of elements where nothing is forbidden."""
    alone = numpy.full((len(gold) + len(found),) * 2, 2)
    alone[len(gold) :, len(found) :] = 0
    for r, (label, start, end) in enumerate(gold):
        for h, (other, first, after) in enumerate(found):
            shares = max(start, first) < min(end, after)
            wrong = (label != other) + ((start, end) != (first, after))
            alone[r, h] = wrong if shares else 4
    return int(alone[linear_sum_assignment(alone)].sum())


@pytest.mark.parametrize("system", SYSTEMS)
def test_cost_is_that_of_an_assignment(capsys, system):
    """The total cost on nested data is what an independent assignment finds, and no less exists."""
    cost, _, elements = SYSTEMS[system]
    gold, found = spans("gold"), spans(system)
    counts = report(capsys, system)["counts"]

    assert cost == sum(assigned(gold[id], found[id]) for id in gold) / 2
    assert (cost, ELEMENTS, elements) == (counts["cost"], counts["Ref"], counts["Hyp"])


@pytest.mark.parametrize("system", SYSTEMS)
def test_exact_matches_are_what_the_lists_share(capsys, system):
    """Exact match on trees: the figures of `score`, and `strict` of SemEval 2013, are a count."""
    _, exact, elements = SYSTEMS[system]
    gold, found = spans("gold"), spans(system)
    shared = sum((Counter(gold[id]) & Counter(found[id])).total() for id in gold)
    figures = report(capsys, system, "--scheme", "semeval2013")["figures"]
    strict = next(row for row in figures if row["figure"] == "strict")

    assert exact == shared
    assert exact == report(capsys, system)["counts"]["exact"]
    assert (exact, ELEMENTS - exact, elements - exact) == (
        strict["COR"],
        strict["MIS"] + strict["INC"],
        strict["SPU"] + strict["INC"],
    )


RANGES = {"innermost": (3736, 3751), "outermost": (6087, 6097)}
"""The least and the greatest cost of all mappings of least charge of LNE's program."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cost_of_lnes_program_lies_in_its_range(capsys, system):
    """No tie makes it cheaper than the minimum, and the mapping that is chosen is one of them."""
    found = report(capsys, system, "--scheme", "quaero-lne")
    ends = {row["end"]: row["cost"] for row in found["extremes"]}
    low, high = ends["lowest"], ends["highest"]
    assert (low, high) == RANGES[system]
    assert SYSTEMS[system][0] <= low <= found["counts"]["cost"] <= high
