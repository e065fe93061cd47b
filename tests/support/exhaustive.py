"""The first of all mappings, and what every output says it costs, by rules written out here.

Beside the definition's own (``brute_force``) there are LNE's charges, neutral labels, and other
rules of pairing; each is a field of a :class:`Rule`.
"""

import csv
import json
from fractions import Fraction
from typing import NamedTuple

from brute_force import (
    Case,
    classify,
    mappings,
    placements,
    random_case,
    remaining_reference,
    shift,
    walk,
)

from sereval import Costs, Document, Reference, ReferenceElement, evaluate
from sereval.analysis.audit import audit, report_of
from sereval.documents.model import Element
from sereval.mapping.best import PAIRINGS, as_lne, best_mapping, cheapest


class Rule(NamedTuple):
    """How mappings are compared.

    ``neutral`` labels cost nothing; ``lne`` is the program's order.
    """

    neutral: frozenset[str] = frozenset()
    pairing: str = "word"
    lne: bool = False


def weighed(case: Case, elements, spans, pairs, rule: Rule):
    """The key of a mapping, by which the first is found; its cost, and what LNE's program adds."""
    cost, late = Fraction(0), Fraction(0)
    classes = []
    for r, h in pairs:
        labels, other = elements[r].labels, case.hypothesis[h]
        classes.append(classify(elements[r], spans[r], other))
        if labels[0] in rule.neutral or other.label in rule.neutral:
            continue
        cost += case.costs[classes[-1]] if classes[-1] != "C" else 0
        start = spans[r][0]
        late += case.costs["D"] if start < other.start else 0
        late += case.costs["I"] if start > other.start else 0
    paired = {r for r, _ in pairs}, {h for _, h in pairs}
    alone = [e.labels[0] for r, e in enumerate(elements) if r not in paired[0]]
    cost += case.costs["D"] * sum(label not in rule.neutral for label in alone)
    alone = [e.label for h, e in enumerate(case.hypothesis) if h not in paired[1]]
    cost += case.costs["I"] * sum(label not in rule.neutral for label in alone)
    right, *others = (-classes.count(name) for name in ("C", "S_S", "S_T"))
    moved = shift(elements, spans)
    if rule.lne:
        return (cost + late, len(pairs), right, *others, moved), cost, late
    return (cost, right, -len(pairs), *others, moved), cost, late


def as_package(case: Case, elements, rule: Rule):
    """Reference, hypothesis and costs as the package has them."""
    words = tuple(f"w{k}" for k in range(case.words))
    costs = {name: format(float(cost), "g") for name, cost in case.costs.items()}
    return (
        Reference("d", words, tuple(ReferenceElement(*e) for e in elements)),
        Document("d", words, tuple(Element(*h) for h in case.hypothesis)),
        Costs.of(costs),
    )


def first_of_all(case: Case, rule: Rule):
    """The mapping that the package finds is the first of all there are.

    Returns:
        The evaluation, what its mapping costs, and what LNE's program adds.
    """
    elements, _, _ = remaining_reference(case.reference, case.policy, case.timing)
    reference, hypothesis, costs = as_package(case, elements, rule)
    every = [
        weighed(case, elements, spans, pairs, rule)
        for spans in placements(elements)
        for pairs in mappings(elements, spans, case.hypothesis, pairing=rule.pairing)
    ]
    expected = min(key for key, _, _ in every)
    mapping = best_mapping(
        reference,
        hypothesis,
        (as_lne if rule.lne else cheapest)(costs)._replace(**PAIRINGS[rule.pairing]),
        rule.neutral,
    )
    found, cost, late = weighed(case, elements, mapping.placement, [*mapping.pairs], rule)
    assert expected == found, (case, rule)
    scheme = "quaero-lne" if rule.lne else "quaero"
    given = {"costs": costs, "scheme": scheme, "pairing": rule.pairing, "neutral": rule.neutral}
    evaluation = evaluate([reference], [hypothesis], **given)
    assert cost == evaluation.counts.cost(costs), (case, rule)
    assert mapping == evaluation.documents[0].mapped.mapping
    if rule.lne:
        tied = [cost for key, cost, _ in every if key[0] == expected[0]]
        extremes = [counts.cost(costs) for counts in evaluation.others[1:]]
        assert [min(tied), max(tied)] == extremes, (case, rule)
    return evaluation, cost, late


def reported(evaluation):
    """The cost of every output that has one, where costs are decimals."""
    costs = evaluation.settings.costs
    table = list(audit(evaluation)), evaluation, lambda *_: True  # all rows
    rows = csv.DictReader(evaluation.report().csv())
    lines = [json.loads(line) for line in report_of(*table).jsonl()]
    return {
        evaluation.counts.cost(costs),
        sum((label.cost(costs) for label in evaluation.labels.values()), Fraction(0)),
        sum((row.cost for one in table[0] for row in one.rows), Fraction(0)),
        sum((Fraction(row["cost"]) for row in rows), Fraction(0)),
        sum((Fraction(str(row["cost"])) for row in lines if "cost" in row), Fraction(0)),
        Fraction(str(json.loads(evaluation.to_json())["counts"]["cost"])),
    }


def misses_cost(rng, cases, rule_of):
    """Elements that have no place and are missed cost what a deletion does, in every output.

    Args:
        rule_of: a rule for each case, by a random number generator.
    """
    seen = 0
    for _ in range(cases):
        case = random_case(rng)
        if case.timing is not None or case.policy != "miss":
            continue
        rule = rule_of(rng)
        elements, _, _ = remaining_reference(case.reference, case.policy, None)
        reference, hypothesis, costs = as_package(case, case.reference, rule)
        least = min(
            weighed(case, elements, spans, pairs, rule)[1]
            for spans in placements(elements)
            for pairs in mappings(elements, spans, case.hypothesis)
        )
        lost = [case.reference[x].labels[0] for x in walk(case.reference)[1]]
        missed = case.costs["D"] * sum(label not in rule.neutral for label in lost)
        given = {"unplaceable": "miss", "costs": costs, "neutral": rule.neutral}
        assert reported(evaluate([reference], [hypothesis], **given)) == {least + missed}
        seen += bool(lost)
    assert seen > 20
