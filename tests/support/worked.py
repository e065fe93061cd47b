"""Documents, fuzzy references and counts as the worked cases of the definition write them."""

from sereval.documents.model import Document, Reference, ReferenceElement, tree
from sereval.evaluation.evaluate import evaluate
from sereval.measures.slots import Costs, Counts


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


def scored(reference, hypothesis, tolerance=None, unplaceable="drop", costs="") -> Counts:
    """All counts of one document."""
    return evaluate(
        [reference],
        [hypothesis],
        tolerance=tolerance,
        unplaceable=unplaceable,
        costs=Costs.parse(costs) if costs else None,
    ).counts
