"""Documents, fuzzy references and counts as the worked cases of the definition write them."""

from fractions import Fraction

import brute_force as oracle

from sereval.documents.model import Document, Reference, ReferenceElement, tree
from sereval.evaluation.evaluate import Evaluation, evaluate
from sereval.measures import Costs, Counts, Slot


def on_words(words: str, *spans: tuple, times=None) -> Document:
    """A document on these words, with elements given as (label, start, end)."""
    return Document("d", tuple(words.split()), tree(spans), times)


def el(label, starts, ends, parent=None, strict=None) -> ReferenceElement:
    """An element of a fuzzy reference; `label` may be several, one letter each."""
    return ReferenceElement(tuple(label), tuple(starts), tuple(ends), parent, strict)


def fuzzy(words: int, *elements: ReferenceElement) -> Reference:
    """A fuzzy reference on so many words."""
    return Reference("d", ("x",) * words, elements)


def answers(words: int, *spans: tuple) -> Document:
    """A hypothesis on so many words."""
    return Document("d", ("x",) * words, tree(spans))


def tally(**given: int) -> Counts:
    """Counts; exact pairs are as many by the reference's labels as by the hypothesis's."""
    return Counts(**given, exact_hyp=given.get("exact", 0))


def evaluated(reference, hypothesis, *, costs="", **options) -> Evaluation:
    """The score of one document, whose counts the oracle must find too."""
    given = Costs.parse(costs) if costs else Costs()
    evaluation = evaluate([reference], [hypothesis], costs=given, **options)
    assert as_oracle(evaluation.counts, given) == by_oracle(reference, hypothesis, given, **options)
    return evaluation


def scored(reference, hypothesis, tolerance=None, unplaceable="drop", costs="") -> Counts:
    """All counts of one document."""
    given = {"tolerance": tolerance, "unplaceable": unplaceable, "costs": costs}
    return evaluated(reference, hypothesis, **given).counts


def by_oracle(reference, hypothesis, costs, *, tolerance=None, unplaceable="drop"):
    """What the oracle counts."""
    timing = None
    if tolerance is not None:
        elements = [
            oracle.TimedEl(e.label, e.start, e.end - 1, e.parent) for e in reference.elements
        ]
        ms = round(1000 * tolerance)
        timing = oracle.Timing(reference.times, hypothesis.times, ms, ms)
    else:
        fuzzy = Reference.exact(reference) if isinstance(reference, Document) else reference
        elements = [
            oracle.RefEl(e.labels, e.starts, e.ends, e.parent, e.strict) for e in fuzzy.elements
        ]
    found = [oracle.HypEl(e.label, e.start, e.end, e.parent) for e in hypothesis.elements]
    fractions = {name: Fraction(getattr(costs, name), costs.scale) for name in oracle.DEFAULT_COSTS}
    return oracle.score_document(elements, found, fractions, unplaceable, timing)


def as_oracle(counts: Counts, costs: Costs) -> dict[str, int | Fraction]:
    """Counts under the names of the oracle."""
    return {slot.value: counts[slot] for slot in Slot} | {
        "Ref": counts.ref,
        "Hyp": counts.hyp,
        "unplaceable": counts.unplaceable,
        "cost": counts.cost(costs),
        "exact_C": counts.exact,
    }
