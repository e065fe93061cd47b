"""A type substitution shared out by depth: cheaper, the more levels of its label are right."""

import json
from fractions import Fraction
from itertools import product
from random import Random

import pytest
import strategies
from brute_force import random_case
from cli_files import put
from exhaustive import Rule, first_of_all, misses_cost, reported
from hypothesis import given
from stabilities import stability

from sereval import Costs, Document, Reference, ReferenceElement, SerevalError, evaluate, tree
from sereval.analysis.sweep import sweep
from sereval.cli import main
from sereval.documents.model import Element
from sereval.evaluation.settings import Settings
from sereval.labels.grammar import load
from sereval.labels.relabel import Labels
from sereval.mapping.best import PAIRINGS
from sereval.measures.slots import DEEPEST, decimal

WORDS = tuple("abcdef")
TOWN = [("loc.adm.town", 0, 2)]


def document(*spans):
    return Document("d", WORDS, tree(spans))


WORKED = [  # reference, hypothesis, depth, cost
    (TOWN, [("loc.adm.nat", 0, 2)], 1, Fraction(1, 2)),
    (TOWN, [("loc.adm.nat", 0, 2)], 2, Fraction(1, 4)),
    (TOWN, [("loc.adm.nat", 0, 2)], 3, Fraction(1, 6)),
    (TOWN, [("loc.phys.geo", 0, 2)], 3, Fraction(1, 3)),
    (TOWN, [("loc", 0, 2)], 3, Fraction(1, 3)),
    (TOWN, [("loc.adm", 0, 2)], 3, Fraction(1, 6)),
    (TOWN, [("org", 0, 2)], 3, Fraction(1, 2)),
    (TOWN, [("loc.adm.town.small", 0, 2)], 3, Fraction(1, 6)),  # one share is always left
    (TOWN, [("loc.adm.town", 0, 2)], 3, 0),
    (TOWN, [("loc.adm.nat", 0, 1)], 3, 1),  # S_ST costs what it costs
    # under one of two: the nearer one is the substitution, the other is inserted
    (TOWN, [("org", 0, 2), ("loc.adm.nat", 0, 2)], 3, 1 + Fraction(1, 6)),
]


@pytest.mark.parametrize(("reference", "hypothesis", "depth", "cost"), WORKED)
def test_worked_cases(reference, hypothesis, depth, cost):
    """Each level that is right, from above, takes one share of 0.5 off."""
    costs = Costs.parse(f"S_T.depth={depth}")
    found = evaluate([document(*reference)], [document(*hypothesis)], costs=costs)
    assert cost == found.counts.cost(costs)
    assert {cost} == reported(found) if depth < 3 else True


def test_the_nearer_label_is_mapped():
    """The mapping knows: of two elements on the same words, the nearer label answers."""
    costs = Costs.parse("S_T.depth=2")
    both = document(("org.ent", 0, 2), ("loc.fac", 0, 2))
    for own, partner in (("loc.oro", 1), ("org.adm", 0)):
        found = evaluate([document((own, 0, 2))], [both], costs=costs).documents[0]
        assert ((0, partner),) == found.mapping.pairs


def test_merged_labels():
    """Of several accepted labels the nearest one is asked."""
    reference = Reference("d", ("w",), (ReferenceElement(("org", "loc.adm.town"), (0,), (1,)),))
    hypothesis = Document("d", ("w",), (Element("loc.adm.nat", 0, 1),))
    costs = Costs.parse("S_T.depth=3")
    assert Fraction(1, 6) == evaluate([reference], [hypothesis], costs=costs).counts.cost(costs)


def test_the_grammar_has_the_hierarchy():
    """name.last is not below name in quaero, and dots do not say that PERSON is an ENAMEX."""
    costs = Costs.parse("S_T.depth=2")
    for grammar, labels, cost in (
        (None, ("name.last", "name.first"), Fraction(1, 4)),
        ("quaero", ("name.last", "name.first"), Fraction(1, 2)),
        (None, ("PERSON", "LOCATION"), Fraction(1, 2)),
        ("muc", ("PERSON", "LOCATION"), Fraction(1, 4)),
    ):
        ours, theirs = (document((label, 0, 2)) for label in labels)
        rules = load(grammar) if grammar else None
        found = evaluate([ours], [theirs], costs=costs, grammar=rules)
        assert cost == found.counts.cost(costs)
        assert f"|hierarchy:{grammar or 'dots'}|costs:" in str(found.signature)


def test_signature():
    """The depth is named, where there is one, and the hierarchy is named once."""
    assert "depth" not in str(Settings(costs=Costs.parse("S_T.depth=1")).signature)
    costs = Costs.parse("S_T.depth=3")
    assert "S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1,S_T.depth=3" == str(costs)
    assert costs == Costs.parse(str(costs))
    for labels in (Labels(), Labels(level=1)):
        assert str(Settings(costs=costs, labels=labels).signature).count("hierarchy:dots") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S_T.depth=0", "a number of levels from 1 to 99"),
        ("S_T.depth=1.5", "a number of levels from 1 to 99"),
        ("S_T.depth=100", "a number of levels from 1 to 99"),
        ("S_ST.depth=2", "unknown cost 'S_ST.depth', expected one of .*, S_T.depth"),
        ("S_T.depth=2,S_T.depth=2", "given twice"),
    ],
)
def test_bad_depths(text, message):
    """A depth is a small number of levels, of S_T alone."""
    with pytest.raises(SerevalError, match=message):
        Costs.parse(text)


def test_bad_shares():
    """Costs made by hand have whole shares."""
    with pytest.raises(SerevalError, match="S_T 1, expected a multiple of the depth 3"):
        Costs(depth=3)
    for depth in (0, DEEPEST + 1, True):
        with pytest.raises(SerevalError, match="expected an integer from 1 to 99"):
            Costs(depth=depth)


def test_decimals():
    """What is no decimal fraction is rounded, and what is one is exact."""
    assert ["0.5", "0.333333", "2", "0.0078125"] == [
        decimal(Fraction(*of)) for of in ((1, 2), (1, 3), (2, 1), (1, 128))
    ]


@pytest.mark.check
@given(strategies.scorings())
def test_labels_without_levels(scoring):
    """Where no two labels have a level in common, a depth changes nothing."""
    costs = str(scoring.costs)
    deep = Costs.parse(f"{costs},S_T.depth=3")
    found, expected = scoring.run(costs=deep), scoring.run()
    assert expected.labels == found.labels
    assert expected.ser == found.ser


# --- the search, against all mappings ------------------------------------------------------------

NAMES = {"a": "p.q.a", "b": "p.q.b", "c": "p.c"}
SHARES = {"a": "p", "b": "q.x", "c": "q"}


def check(seed, cases):
    rng = Random(seed)
    shared = 0
    for _ in range(cases):
        case = random_case(rng)
        names = rng.choice([NAMES, SHARES])
        depth = rng.choice([2, 3, 4])
        for pairing, lne in product(PAIRINGS, (False, True)):
            rule = Rule(names, depth=depth, pairing=pairing, lne=lne)
            evaluation, cost, _ = first_of_all(case, rule)
            assert depth == 3 or reported(evaluation) == {cost}, (case, rule)
        shared += bool(case.hypothesis) and bool(case.reference)
    assert shared > cases / 4


@pytest.mark.check
def test_random_cases():
    """The search minimises the shared costs, under either scheme and every pairing."""
    check(seed=1, cases=300)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_random_cases(seed):
    """The same on 7 500 cases."""
    check(seed, cases=1500)


@pytest.mark.check
def test_misses():
    """What has no place and is missed costs a deletion, as ever."""
    misses_cost(Random(3), 600, lambda _: Rule(NAMES, depth=2))


# --- other ways to the same figures --------------------------------------------------------------


def dotted(scoring):
    """The documents of a scoring with labels that have levels."""

    def named(side):
        return [
            Document(
                d.id,
                d.words,
                tuple(Element(NAMES[e.label], e.start, e.end, e.parent) for e in d.elements),
                d.times,
            )
            for d in side
        ]

    return named(scoring.references), named(scoring.hypotheses)


@pytest.mark.check
@given(strategies.timed_scorings())
def test_sweeps_are_scores(scoring):
    """Each point of a sweep, and each cell of a table of criteria, is a score of its own."""
    references, hypotheses = dotted(scoring)
    costs = Costs.parse("S_T.depth=3")
    points = (0, 10, 50)
    swept = sweep(references, {"a": hypotheses}, points, costs=costs)
    for point, counts in zip(points, swept.systems["a"], strict=True):
        score = evaluate(references, hypotheses, tolerance=point, costs=costs)
        assert score.counts == counts
        assert score.signature == swept.signature_at(point)
    asked = Settings((10, 10), costs=costs)
    for row in stability("c", {"a": (references, hypotheses)}, asked).table:
        given = {"tolerance": row.criterion.tolerance, "pairing": row.criterion.pairing}
        given["unplaceable"] = row.criterion.unplaceable
        score = evaluate(references, hypotheses, costs=costs, **given)
        assert score.counts == row.counts["a"]


def test_command_line(capsys, here):
    """`--costs S_T.depth=3`, in the signature; the levels that were right are in JSON."""
    for name, label in (("ref.ne", "loc.adm.town"), ("hyp.ne", "loc.adm.nat")):
        put(name, f"<{label}> Dol </{label}>")
    sides = "ref.ne hyp.ne --name d --costs S_T.depth=3"
    assert main(f"score {sides} --format json".split()) == 0
    report = json.loads(capsys.readouterr().out)
    assert (1 / 6, 2) == (report["ser"], report["right_levels"])
    assert (
        "|hierarchy:dots|costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1,S_T.depth=3|" in report["signature"]
    )
    assert main(f"audit {sides}".split()) == 0
    assert "(cost 0.166667 for 1 reference elements" in capsys.readouterr().out
