"""The laws of a score on the bundled recordings: what is done to all of them, and what must come.

The small documents of ``test_laws`` have every shape; these have the sizes, the labels and the
errors that recognisers and taggers really make.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
import test_laws as laws
from bundled import bundled
from strategies import Scoring, in_ms
from test_laws import figures, mappings

from sereval.documents.model import Document, Element, Reference, ReferenceElement
from sereval.evaluation.evaluate import DocumentScore, Evaluation, evaluate
from sereval.mapping.best import upper_bound
from sereval.measures import Costs, Counts

RECORDINGS = [
    pytest.param(("gazetteer", "asr"), marks=pytest.mark.check),
    *(
        pytest.param(one, marks=pytest.mark.long)
        for one in (("compromise", "asr"), ("gazetteer", "manual"), ("compromise", "manual"))
    ),
]


@cache
def straight(system: str, words: str) -> tuple[Scoring, Evaluation]:
    """A corpus and its score; what was said in reading it is left out."""
    given = bundled(system, words).each(lambda d: replace(d, notes=()))
    sides = (sorted(side, key=lambda d: d.id) for side in given[:2])
    scoring = given._replace(**dict(zip(("references", "hypotheses"), sides, strict=True)))
    return scoring, scoring.run()


@pytest.fixture(params=RECORDINGS, ids="-".join)
def corpus(request):
    """A corpus and its score."""
    return straight(*request.param)


LAWS = [
    laws.test_classes_add_up,
    laws.test_labels_add_up,
    laws.test_each_label_has_its_elements,
    laws.test_exact_pairs_of_labels,
    laws.test_mappings_obey_the_rules,
    laws.test_no_more_correct_than_exact,
    laws.test_never_worse_than_doing_nothing,
    laws.test_fewer_pairs_allowed,
    laws.test_corpus_twice,
    laws.test_sum_of_two_corpora,
    (laws.test_order_of_input_makes_no_difference, random.Random("order")),
]
THROUGH_TIME = [
    laws.test_missed_elements_are_deletions,
    laws.test_merging_only_helps,
    laws.test_policies_agree_where_nothing_is_lost,
    laws.test_reference_loses_no_element,
    laws.test_projected_and_read_again,
    *((laws.test_larger_tolerance, more) for more in (100, 500)),
    *((laws.test_all_times_moved, by) for by in (-987_654, 3, 10**9)),
]


@pytest.mark.parametrize("law", [*LAWS, *THROUGH_TIME])
def test_a_law_of_small_documents(corpus, law):
    """What holds of documents of every shape holds of these."""
    scoring, _ = corpus
    if law in THROUGH_TIME and scoring.tolerance is None:
        return
    test, *more = law if isinstance(law, tuple) else (law,)
    test.hypothesis.inner_test(scoring, *more)


def test_ids_renamed(corpus):
    """Other names, in the opposite order, change the names and the order of documents alone."""
    scoring, before = corpus
    ids = [d.id for d in before.documents]
    new = {id: f"{len(ids) - k:06d}" for k, id in enumerate(ids)}
    after = scoring.each(lambda d: replace(d, id=new[d.id])).run()
    assert figures(before) == figures(after)
    assert [new[id] for id in reversed(ids)] == [d.id for d in after.documents]
    assert mappings(before) == mappings(after)[::-1]


def test_labels_renamed(corpus):
    """Labels renamed one to one, in the opposite order, change the names of the rows alone."""
    scoring, before = corpus
    labels = {e.label for one in before.mapped for e in one.hypothesis.elements}
    labels |= set(before.labels)
    for reference in scoring.references:
        for element in reference.elements:
            labels |= set(names(element))
    new = {label: f"{len(labels) - k:04d}" for k, label in enumerate(sorted(labels))}

    def renamed(element: Element | ReferenceElement) -> Element | ReferenceElement:
        if isinstance(element, Element):
            return replace(element, label=new[element.label])
        return replace(element, labels=tuple(new[label] for label in element.labels))

    def change(document: Document | Reference) -> Document | Reference:
        document = replace(document, elements=tuple(map(renamed, document.elements)))
        if isinstance(document, Document):
            return document
        lost = (replace(x, element=renamed(x.element)) for x in document.unplaceable)
        return replace(document, unplaceable=tuple(lost))

    after = scoring.each(change).run()
    assert before.counts == after.counts
    assert {new[label]: row for label, row in before.labels.items()} == after.labels
    assert mappings(before) == mappings(after)


def names(element: Element | ReferenceElement) -> Sequence[str]:
    return (element.label,) if isinstance(element, Element) else element.labels


def joined(documents: Sequence[Document | Reference]) -> Document | Reference:
    """Documents one behind the other as one, without times."""
    words, elements, lost = [], [], []
    for document in documents:
        at, first = len(words), len(elements)
        words += document.words
        elements += [moved(element, at, first) for element in document.elements]
        if isinstance(document, Reference):
            lost += [replace(x, element=moved(x.element, at, first)) for x in document.unplaceable]
    whole = replace(
        documents[0], id="all", words=tuple(words), elements=tuple(elements), times=None
    )
    if isinstance(whole, Reference):
        return replace(whole, unplaceable=tuple(lost))
    return replace(whole, breaks=(), notes=())


def moved(element, at, first):
    parent = None if element.parent is None else element.parent + first
    if isinstance(element, Element):
        return replace(element, start=element.start + at, end=element.end + at, parent=parent)
    return replace(
        element,
        starts=tuple(k + at for k in element.starts),
        ends=tuple(k + at for k in element.ends),
        strict=element.strict and (element.strict[0] + at, element.strict[1] + at),
        parent=parent,
    )


def test_one_long_document(corpus):
    """The projected documents of a corpus, one behind the other as one, score their sum."""
    _, apart = corpus
    whole = evaluate(
        [joined([one.reference for one in apart.mapped])],
        [joined([one.hypothesis for one in apart.mapped])],
    )
    assert apart.counts == whole.counts
    assert apart.labels == whole.labels


def test_projected_reference_is_the_upper_bound(corpus):
    """What the projection itself finds is all correct: nothing is wrong but what has no place."""
    scoring, before = corpus
    perfect = [upper_bound(one.reference) for one in before.mapped]
    counts = evaluate([one.reference for one in before.mapped], perfect).counts
    n = before.counts.ref
    assert Counts(C=n, hyp=n, exact=n, exact_hyp=n, unplaceable=before.counts.unplaceable) == counts
    if scoring.tolerance is not None:
        missed = evaluate(
            scoring.references,
            scoring.hypotheses,
            tolerance=in_ms(scoring.tolerance),
            unplaceable="miss",
            is_bound=True,
        ).counts
        assert (n, missed.unplaceable, 0) == (missed.C, missed.D, missed.I)
        assert missed.cost(Costs()) == missed.unplaceable == before.counts.unplaceable


def test_sides_swapped(corpus):
    """On the same words D and I change places, and nothing else."""
    scoring, before = corpus
    if scoring.tolerance is not None or isinstance(scoring.references[0], Reference):
        exact = [placed_strictly(one) for one in before.documents]
        scoring = Scoring(exact, scoring.hypotheses)
        before = scoring.run()
    counts = before.counts
    after = scoring.run(references=scoring.hypotheses, hypotheses=scoring.references).counts
    assert replace(counts, D=counts.I, I=counts.D, hyp=counts.ref) == after


def placed_strictly(one: DocumentScore) -> Document:
    """The reference of a scored document as a document: each element where it was placed."""
    mapped = one.mapped
    elements = (
        Element(element.label, *span, element.parent)
        for element, span in zip(mapped.reference.elements, mapped.mapping.placement, strict=True)
    )
    return replace(mapped.hypothesis, elements=tuple(elements), notes=())
