"""A type substitution shared out by depth: cheaper, the more levels of its label are right."""

import csv
import io
import json
from fractions import Fraction
from os.path import commonprefix
from random import Random

import pytest
import strategies
from brute_force import (
    classify,
    mappings,
    placements,
    random_case,
    remaining_reference,
    shift,
    walk,
)
from hypothesis import given

from sereval import Costs, Document, Reference, ReferenceElement, SerevalError, evaluate, tree
from sereval.analysis.audit import audit
from sereval.analysis.stability import stability
from sereval.analysis.sweep import sweep
from sereval.cli import main
from sereval.documents.model import Element
from sereval.evaluation.settings import Settings
from sereval.labels.grammar import load
from sereval.labels.relabel import Labels
from sereval.mapping.best import PAIRINGS, as_lne, best_mapping, cheapest
from sereval.measures.slots import DEEPEST, decimal
from sereval.report import RENDERERS
from sereval.report.audits import AUDITS

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
    with pytest.raises(SerevalError, match="S_T 1 in 3 shares, expected whole ones"):
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


def levels(accepted, label, depth):
    """How many levels are right, counted along the dots."""
    right = (len(commonprefix([one.split("."), label.split(".")])) for one in accepted)
    return min(max(right), depth - 1)


def cost_of(case, names, elements, spans, pairs, depth):
    """The cost of a mapping by the rule, and the classes of its pairs."""
    cost = Fraction(0)
    classes = []
    for r, h in pairs:
        name = classify(elements[r], spans[r], case.hypothesis[h])
        classes.append(name)
        cost += case.costs[name] if name != "C" else 0
        if name == "S_T":
            accepted = [names[label] for label in elements[r].labels]
            right = levels(accepted, names[case.hypothesis[h].label], depth)
            cost -= case.costs["S_T"] * Fraction(right, depth)
    cost += case.costs["D"] * (len(elements) - len(pairs))
    cost += case.costs["I"] * (len(case.hypothesis) - len(pairs))
    return cost, classes


def key_of(case, names, elements, spans, pairs, depth, *, lne=False):
    """The definition's key or that of LNE's program, by the rule for costs."""
    cost, classes = cost_of(case, names, elements, spans, pairs, depth)
    starts = [(spans[r][0], case.hypothesis[h].start) for r, h in pairs]
    late = sum(case.costs["D"] if a < b else case.costs["I"] if b < a else 0 for a, b in starts)
    right, *others = -classes.count("C"), -classes.count("S_S"), -classes.count("S_T")
    moved = shift(elements, spans)
    if lne:
        return (cost + late, len(pairs), right, *others, moved)
    return (cost, right, -len(pairs), *others, moved)


def as_package(case, names, elements, depth):
    """Reference, hypothesis and costs as the package has them."""
    words = tuple(f"w{k}" for k in range(case.words))
    elements = [e._replace(labels=tuple(names[label] for label in e.labels)) for e in elements]
    hypothesis = [h._replace(label=names[h.label]) for h in case.hypothesis]
    reference = Reference("d", words, tuple(ReferenceElement(*e) for e in elements))
    costs = {name: format(float(cost), "g") for name, cost in case.costs.items()}
    return (
        reference,
        Document("d", words, tuple(Element(*h) for h in hypothesis)),
        Costs.of({**costs, "S_T.depth": str(depth)}),
    )


def reported(evaluation):
    """The cost of every output that has one, where costs are decimals."""
    costs = evaluation.settings.costs
    table = list(audit(evaluation)), evaluation, lambda *_: True
    rows = csv.DictReader(io.StringIO(RENDERERS["csv"](evaluation)))
    lines = [json.loads(line) for line in AUDITS["jsonl"](*table).splitlines()]
    return {
        evaluation.counts.cost(costs),
        sum((label.cost(costs) for label in evaluation.labels.values()), Fraction(0)),
        sum((row.cost for one in audit(evaluation) for row in one.rows), Fraction(0)),
        sum((Fraction(row["cost"]) for row in rows), Fraction(0)),
        sum((Fraction(str(row["cost"])) for row in lines if "cost" in row), Fraction(0)),
        Fraction(str(json.loads(RENDERERS["json"](evaluation))["counts"]["cost"])),
    }


def compare(case, names, depth):
    """The mapping found is the first of all mappings, and so is what every output says."""
    elements, _, _ = remaining_reference(case.reference, case.policy, case.timing)
    reference, hypothesis, costs = as_package(case, names, elements, depth)
    nearness = Labels().nearness(depth)
    for pairing in ("word", "half", "label"):
        every = [
            (spans, pairs)
            for spans in placements(elements)
            for pairs in mappings(elements, spans, case.hypothesis, pairing=pairing)
        ]
        for scheme, preference in (("quaero", cheapest(costs)), ("quaero-lne", as_lne(costs))):
            lne = scheme == "quaero-lne"
            expected = min(key_of(case, names, elements, *one, depth, lne=lne) for one in every)
            mapping = best_mapping(
                reference, hypothesis, preference, PAIRINGS[pairing], nearness=nearness
            )
            ours = mapping.placement, list(mapping.pairs)
            found = key_of(case, names, elements, *ours, depth, lne=lne)
            assert expected == found, (scheme, pairing, case, names, depth)
            cost, _ = cost_of(case, names, elements, *ours, depth)
            given = {"costs": costs, "scheme": scheme, "pairing": pairing}
            evaluation = evaluate([reference], [hypothesis], **given)
            assert cost == evaluation.counts.cost(costs)
            if depth in (2, 4):
                assert reported(evaluation) == {cost}


def check(seed, cases):
    rng = Random(seed)
    shared = 0
    for _ in range(cases):
        case = random_case(rng)
        names = rng.choice([NAMES, SHARES])
        compare(case, names, rng.choice([2, 3, 4]))
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
    rng = Random(3)
    seen = 0
    for _ in range(600):
        case = random_case(rng)
        if case.timing is not None or case.policy != "miss":
            continue
        elements, _, _ = remaining_reference(case.reference, case.policy, None)
        reference, hypothesis, costs = as_package(case, NAMES, case.reference, 2)
        least = min(
            cost_of(case, NAMES, elements, spans, pairs, 2)[0]
            for spans in placements(elements)
            for pairs in mappings(elements, spans, case.hypothesis)
        )
        missed = case.costs["D"] * len(walk(case.reference)[1])
        found = evaluate([reference], [hypothesis], unplaceable="miss", costs=costs)
        assert reported(found) == {least + missed}
        seen += missed > 0
    assert seen > 20


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


def test_command_line(capsys, tmp_path, monkeypatch):
    """`--costs S_T.depth=3`, in the signature; the levels that were right are in JSON."""
    monkeypatch.chdir(tmp_path)
    for name, label in (("ref.ne", "loc.adm.town"), ("hyp.ne", "loc.adm.nat")):
        (tmp_path / name).write_text(f"<{label}> Dol </{label}>", "utf-8")
    assert (
        main(
            [
                "score",
                "ref.ne",
                "hyp.ne",
                "--name",
                "d",
                "--costs",
                "S_T.depth=3",
                "--format",
                "json",
            ]
        )
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert (1 / 6, 2) == (report["ser"], report["right_levels"])
    assert (
        "|hierarchy:dots|costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1,S_T.depth=3|" in report["signature"]
    )
    assert main(["audit", "ref.ne", "hyp.ne", "--name", "d", "--costs", "S_T.depth=3"]) == 0
    assert "(cost 0.166667 for 1 reference elements" in capsys.readouterr().out
