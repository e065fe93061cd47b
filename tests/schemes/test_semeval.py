"""The scheme ``semeval2013``: four figures, each over its own optimal mapping."""

from random import Random

import pytest
from brute_force import classify, mappings, placements, random_case
from nervaluate import Evaluator
from tables import tables

from sereval import Document, Reference, ReferenceElement, score, tree
from sereval.documents.model import Element
from sereval.evaluation.evaluate import Settings
from sereval.schemes.result import Figure
from sereval.schemes.semeval import REGIMES, semeval2013

TABLES = tables(__file__)

COUNTS = {
    "cor": "correct",
    "inc": "incorrect",
    "par": "partial",
    "mis": "missed",
    "spu": "spurious",
}


def scored(gold, found, n=12):
    words = tuple("w" * n)
    pair = Document("d", words, tree(gold)), Document("d", words, tree(found))
    return semeval2013(Settings(scheme="semeval2013")).of([pair])


TABLE = TABLES["scenarios"]


@pytest.mark.parametrize("case", TABLE)
def test_scenarios(case):
    """Each of the six scenarios counts in each figure as the task says."""
    gold, found, expected = TABLE[case]

    assert {name: Figure(**{what: 1}) for name, what in zip(REGIMES, expected, strict=True)} == (
        scored(gold, found).total
    )


def flat(rng):
    """A flat document: entities side by side, in order."""
    spans, at = [], 0
    while at < 10:
        at += rng.randrange(3)
        end = min(12, at + rng.randrange(1, 4))
        if rng.random() < 0.7:
            spans.append((rng.choice(["PER", "LOC", "ORG"]), at, end))
        at = end
    return spans


def nervaluate(gold, found):
    """Its counts, ends inclusive."""
    gold, found = (
        [{"label": label, "start": start, "end": end - 1} for label, start, end in side]
        for side in (gold, found)
    )
    overall = Evaluator([gold], [found], tags=["PER", "LOC", "ORG"], loader="dict").evaluate()
    figures = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
    return {
        name: Figure(
            **{ours: getattr(overall["overall"][theirs], long) for ours, long in COUNTS.items()}
        )
        for name, theirs in figures.items()
    }


def disputed(gold, found):
    """Whether some entity touches two of the other side: there the order of the lists decides."""
    touches = [(g, f) for g in gold for f in found if g[1] < f[2] and f[1] < g[2]]
    return len({g for g, _ in touches}) < len(touches) or len({f for _, f in touches}) < len(
        touches
    )


def test_as_nervaluate():
    """On flat documents where the order cannot matter, the counts are nervaluate's."""
    rng = Random(3)
    compared = 0
    for _ in range(600):
        gold, found = flat(rng), flat(rng)
        if disputed(gold, found):
            continue
        assert nervaluate(gold, found) == scored(gold, found).total, (gold, found)
        compared += 1
    assert compared > 100


KNOWN = {  # the disagreements that are known, with the order of the list that spoils it
    "a wrong one listed first": ([("PER", 0, 6)], [("ORG", 0, 3), ("PER", 0, 6)], "strict", 1),
    "one word of two hundred": ([("PER", 0, 200)], [("PER", 100, 101)], "type", 1),
    "side by side": ([("A", 0, 4)], [("A", 4, 9)], "type", 0),
}


@pytest.mark.parametrize("case", KNOWN)
def test_known_disagreements(case):
    """What other implementations get wrong: order, a floor of overlap, spans that only touch."""
    gold, found, figure, correct = KNOWN[case]

    assert correct == scored(gold, found, n=200).total[figure].cor
    assert correct == scored(gold, found[::-1], n=200).total[figure].cor


def test_optimal():
    """Each figure is the best that any mapping gives, then the one with the most pairs."""
    rng = Random(5)
    for _ in range(150):
        case = random_case(rng)
        if case.timing is not None or any(not e.starts or not e.ends for e in case.reference):
            continue
        spans = list(placements(case.reference))
        if not spans:
            continue
        words = tuple("w" * case.words)
        reference = Reference("d", words, tuple(ReferenceElement(*e) for e in case.reference))
        hypothesis = Document("d", words, tuple(Element(*h) for h in case.hypothesis))
        score = semeval2013(Settings(scheme="semeval2013")).of([(reference, hypothesis)]).total
        tops = [h._replace(parent=None) for h in case.hypothesis]  # without parents, without rule 3
        for name, regime in REGIMES.items():
            best = max(
                credit(case, regime, placed, pairs)
                for placed in spans
                for pairs in mappings(case.reference, placed, tops)
            )
            found = score.get(name, Figure())
            paired = found.cor + found.inc + found.par
            assert best == (2 * found.cor + found.par, paired)


def credit(case, regime, spans, pairs):
    of_class = dict(zip(("C", "S_S", "S_T", "S_ST"), regime, strict=True))
    found = [classify(case.reference[r], spans[r], case.hypothesis[h]) for r, h in pairs]
    return sum({"cor": 2, "par": 1, "inc": 0}[of_class[name]] for name in found), len(pairs)


def test_figures_stand_in_their_order():
    """So does the first one, by which the score is compared, where a label has only others."""
    gold, found = "B-B I-B I-B B-C I-C B-C", "B-B B-A I-A O O B-A"
    result = score([gold.split()], [found.split()], scheme="semeval2013")
    assert list(result.total) == list(REGIMES)
    assert result.labels["A"]["strict"] == Figure()
    assert result.rate.figure == "strict"
