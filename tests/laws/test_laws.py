"""The laws that every score obeys, whatever the documents."""

import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT, TESTS
from strategies import (
    PAIRED,
    POLICIES,
    broken_rules,
    fuzzy_scorings,
    in_ms,
    is_placement,
    read_native,
    same_words,
    same_words_scorings,
    scorings,
    timed,
    timed_scorings,
    tolerances,
)

from sereval.documents.model import Document, Element, Reference
from sereval.evaluation.evaluate import Evaluation, evaluate
from sereval.formats import native
from sereval.mapping.best import PAIRINGS, outcomes
from sereval.measures import Costs, Counts, Slot
from sereval.projection import project


def figures(evaluation: Evaluation) -> tuple:
    """All that is counted, over all documents and by label."""
    return evaluation.counts, evaluation.labels


def mappings(evaluation: Evaluation) -> list:
    """The pairs and the placement of each document."""
    return [document.mapped.mapping for document in evaluation.documents]


# --- what a score is -----------------------------------------------------------------------------


@given(same_words())
def test_identity(pair):
    """A document scored against itself is all correct."""
    document, _ = pair
    evaluation = evaluate([document], [document])
    n = len(document.elements)
    assert evaluation.counts == Counts(C=n, hyp=n, exact=n, exact_hyp=n)
    assert evaluation.ser == (0 if n else None)


@pytest.mark.check
@given(timed(), tolerances())
def test_identity_through_time(pair, tolerance):
    """A document carried onto its own words is all correct at every tolerance."""
    document, _ = pair
    n = len(document.elements)
    for policy in POLICIES:
        evaluation = evaluate(
            [document], [document], tolerance=in_ms(tolerance), unplaceable=policy
        )
        assert evaluation.counts == Counts(C=n, hyp=n, exact=n, exact_hyp=n)


@pytest.mark.check
@given(scorings())
def test_empty_hypothesis(scoring):
    """Against no hypothesis element every slot is a deletion, and with the usual costs SER is 1."""
    scoring = scoring._replace(hypotheses=[replace(h, elements=()) for h in scoring.hypotheses])
    counts = scoring.run().counts
    assert counts == Counts(D=counts.ref, unplaceable=counts.unplaceable)
    assert counts.cost(scoring.costs) == counts.ref * Fraction(scoring.costs.D, scoring.costs.scale)
    assert scoring.run(costs=Costs()).ser == (1 if counts.ref else None)


@pytest.mark.check
@given(scorings())
def test_empty_reference(scoring):
    """Against no reference element every slot is an insertion, and SER is undefined."""
    scoring = scoring._replace(references=[replace(r, elements=()) for r in scoring.references])
    evaluation = scoring.run()
    n = sum(len(h.elements) for h in scoring.hypotheses)
    assert evaluation.counts == Counts(I=n, hyp=n)
    assert evaluation.ser is None


@pytest.mark.check
@given(same_words_scorings())
def test_swapped_sides(scoring):
    """With equal costs of D and I, swapping the sides swaps D and I and nothing else."""
    costs = replace(scoring.costs, I=scoring.costs.D)
    counts = scoring.run(costs=costs).counts
    swapped = scoring._replace(references=scoring.hypotheses, hypotheses=scoring.references)
    other = swapped.run(costs=costs).counts
    assert other == replace(counts, D=counts.I, I=counts.D, hyp=counts.ref)
    assert other.cost(costs) == counts.cost(costs)


@given(scorings())
def test_classes_add_up(scoring):
    """Every slot is in one class: they sum to Ref and to Hyp, in each document and in all."""
    evaluation = scoring.run()
    for document, given_hypothesis in zip(
        evaluation.documents, sorted(scoring.hypotheses, key=lambda h: h.id), strict=True
    ):
        counts = document.counts
        missed = [x for x in document.mapped.reference.unplaceable if x.fate == "missed"]
        paired = sum(counts[slot] for slot in PAIRED)
        placed = len(document.mapped.reference.elements)
        assert paired + counts.D == placed + len(missed) == counts.ref
        assert paired + counts.I == len(given_hypothesis.elements) == counts.hyp
        assert paired == len(document.mapped.mapping.pairs)
        assert counts.unplaceable == len(document.mapped.reference.unplaceable)
    assert evaluation.counts == sum((d.counts for d in evaluation.documents), Counts())


@pytest.mark.check
@given(scorings())
def test_labels_add_up(scoring):
    """The rows of the labels add up to the total, in each class and in every other number."""
    evaluation = scoring.run()
    slots = Counter(
        outcome.slot
        for d in evaluation.documents
        for outcome in outcomes(d.mapped.reference, d.mapped.hypothesis, d.mapped.mapping)
    )
    total = sum(evaluation.labels.values(), Counts())
    assert total == evaluation.counts
    assert {slot: total[slot] for slot in Slot} == {slot: slots[slot] for slot in Slot}


@pytest.mark.check
@given(scorings())
def test_each_label_has_its_elements(scoring):
    """A label's row has the elements of either side whose own label it is."""
    evaluation = scoring.run()
    ref, hyp, lost = Counter(), Counter(), Counter()
    for document in evaluation.documents:
        ref.update(e.label for e in document.mapped.reference.elements)
        hyp.update(e.label for e in document.mapped.hypothesis.elements)
        for x in document.mapped.reference.unplaceable:
            lost[x.element.label] += 1
            ref[x.element.label] += x.fate == "missed"
    rows = evaluation.labels
    assert {label: (row.ref, row.hyp, row.unplaceable) for label, row in rows.items()} == {
        label: (ref[label], hyp[label], lost[label]) for label in sorted(ref | hyp | lost)
    }


@pytest.mark.check
@given(scorings())
def test_exact_pairs_of_labels(scoring):
    """Exact pairs are as many by either side's label, and no label has more than elements."""
    evaluation = scoring.run()
    assert evaluation.counts.exact == evaluation.counts.exact_hyp
    for row in evaluation.labels.values():
        assert row.exact <= row.ref
        assert row.exact_hyp <= row.hyp
        assert row.C <= row.ref


@given(scorings())
def test_mappings_obey_the_rules(scoring):
    """Pairs obey rules 1 to 3 of section 3, and the placement obeys section 2."""
    for document in scoring.run().documents:
        _, reference, hypothesis, mapping, _ = document.mapped
        assert is_placement(reference, mapping.placement)
        assert broken_rules(reference, hypothesis, mapping.placement, mapping.pairs) == set()


@pytest.mark.check
@given(scorings())
def test_no_more_correct_than_exact(scoring):
    """The mapping of least cost has no more correct pairs than the exact matching."""
    for document in scoring.run().documents:
        assert document.counts.C <= document.counts.exact


@pytest.mark.check
@given(scorings())
def test_never_worse_than_doing_nothing(scoring):
    """The least cost is at most that of pairing nothing."""
    counts = scoring.run().counts
    nothing = counts.ref * scoring.costs.D + counts.hyp * scoring.costs.I
    assert counts.cost(scoring.costs) <= Fraction(nothing, scoring.costs.scale)


@pytest.mark.check
@given(scorings())
def test_fewer_pairs_allowed(scoring):
    """The definition's rule of pairing allows the most, so that no other rule costs less."""
    freest = scoring.run(pairing="word").counts
    for pairing in PAIRINGS:
        counts = scoring.run(pairing=pairing).counts
        assert counts.cost(scoring.costs) >= freest.cost(scoring.costs)
        assert (counts.ref, counts.hyp, counts.exact) == (freest.ref, freest.hyp, freest.exact)
    assert scoring.run(pairing="label").counts.S_ST == 0


@pytest.mark.check
@given(same_words_scorings())
def test_exact_is_what_both_sides_have_in_common(scoring):
    """On the same words the exact matching is what both sides have in common, with multiplicity."""

    def triples(elements):
        return Counter((e.label, e.start, e.end) for e in elements)

    common = [
        triples(r.elements) & triples(h.elements)
        for r, h in zip(scoring.references, scoring.hypotheses, strict=True)
    ]
    by_label = Counter(label for found in common for label, _, _ in found.elements())
    evaluation = scoring.run()
    assert evaluation.counts.exact == sum(found.total() for found in common)
    assert {label: row.exact for label, row in evaluation.labels.items() if row.exact} == by_label


# --- what makes no difference --------------------------------------------------------------------


@pytest.mark.check
@given(scorings())
def test_corpus_twice(scoring):
    """A corpus given again under new ids has all counts twice and the same SER."""
    once = scoring.run()
    again = scoring.each(lambda d: replace(d, id=d.id + "-again"))
    twice = scoring.run(
        references=scoring.references + again.references,
        hypotheses=scoring.hypotheses + again.hypotheses,
    )
    assert twice.counts == once.counts + once.counts
    assert twice.ser == once.ser


@pytest.mark.check
@given(scorings())
def test_sum_of_two_corpora(scoring):
    """The score of two corpora together is the sum of their scores."""
    cut = len(scoring.references) // 2
    parts = [
        scoring._replace(references=scoring.references[s], hypotheses=scoring.hypotheses[s])
        for s in (slice(cut), slice(cut, None))
    ]
    whole = scoring.run()
    evaluations = [part.run() for part in parts if part.references]
    assert whole.counts == sum((e.counts for e in evaluations), Counts())
    labels = {label for e in evaluations for label in e.labels}
    assert whole.labels == {
        label: sum((e.labels.get(label, Counts()) for e in evaluations), Counts())
        for label in sorted(labels)
    }
    assert whole.documents == tuple(d for e in evaluations for d in e.documents)


def shuffled_line(document: Document | Reference, random: random.Random) -> str:
    """Native JSON of a document with its elements in any order and every parent named."""
    [line] = native.write([document]).splitlines()
    record = json.loads(line)
    if isinstance(document, Document):
        order = list(range(len(document.elements)))
        random.shuffle(order)
        place = {index: at for at, index in enumerate(order)}
        elements = [record["elements"][index] for index in order]
        for element in elements:
            if "parent" in element:
                element["parent"] = place[element["parent"]]
        record["elements"] = elements
    keys = list(record)
    random.shuffle(keys)
    return json.dumps({key: record[key] for key in keys})


NESTED = (("a", None), ("b", 0), ("c", 1), ("a", 2))


@pytest.mark.check
def test_parents_are_named():
    """Elements with one span keep their order of nesting when they are shuffled in a file."""
    nested = Document("d", ("x",), tuple(Element(label, 0, 1, up) for label, up in NESTED))
    for seed in range(20):
        assert read_native(shuffled_line(nested, random.Random(seed))) == [nested]


@pytest.mark.check
@given(scorings(), st.randoms(use_true_random=False))
def test_order_of_input_makes_no_difference(scoring, random):
    """Documents, elements in a JSON list and keys shuffled: the same report byte for byte."""
    shuffled = []
    for side in (scoring.references, scoring.hypotheses):
        lines = [shuffled_line(document, random) for document in side]
        random.shuffle(lines)
        shuffled.append(read_native("\n".join(lines)))
    references, hypotheses = shuffled
    straight = scoring.run()
    other = scoring.run(references=references, hypotheses=hypotheses)
    assert other.to_json() == straight.to_json()
    assert other.documents == straight.documents


@pytest.mark.check
@given(timed_scorings(), st.integers(-5000, 5000))
def test_all_times_moved(scoring, by):
    """Moving all times of both sides by the same amount changes nothing."""
    moved = scoring.each(lambda d: replace(d, times=tuple((a + by, b + by) for a, b in d.times)))
    assert moved.run().to_json() == scoring.run().to_json()
    assert mappings(moved.run()) == mappings(scoring.run())


@pytest.mark.check
@given(scorings(), st.permutations(["a", "b", "c", "z"]))
def test_words_and_labels_renamed(scoring, names):
    """Renaming words and labels one to one changes nothing but the names."""
    new = dict(zip("abc", names, strict=False))

    def renamed(document):
        words = tuple(f"«{word}» {word}" for word in document.words)
        if isinstance(document, Document):
            elements = (replace(e, label=new[e.label]) for e in document.elements)
        else:
            elements = (
                replace(e, labels=tuple(new[label] for label in e.labels))
                for e in document.elements
            )
        return replace(document, words=words, elements=tuple(elements))

    before, after = scoring.run(), scoring.each(renamed).run()
    assert after.counts == before.counts
    assert after.labels == {new[label]: row for label, row in before.labels.items()}
    assert mappings(after) == mappings(before)


@pytest.mark.check
@given(scorings(), st.sampled_from(["0.1", "0.5", "3", "7.25", "1000000"]))
def test_costs_multiplied(scoring, factor):
    """All costs times k: the cost is k times as high, and the mapping the same."""
    factor = Fraction(factor)
    names = ("S_S", "S_T", "S_ST", "D", "I")
    costs = Costs(
        *(getattr(scoring.costs, name) * factor.numerator for name in names),
        scale=scoring.costs.scale * factor.denominator,
    )
    before, after = scoring.run(), scoring.run(costs=costs)
    assert figures(after) == figures(before)
    assert after.counts.cost(costs) == factor * before.counts.cost(scoring.costs)
    assert mappings(after) == mappings(before)


@pytest.mark.check
@given(scorings(), st.integers(0, 2))
def test_document_without_elements(scoring, words):
    """A document without elements changes nothing but the list of documents."""
    times = None if scoring.tolerance is None else ((0, 10),) * words
    empty = Document("nothing", ("x",) * words, times=times)
    more = scoring.run(
        references=[*scoring.references, empty], hypotheses=[*scoring.hypotheses, empty]
    )
    assert figures(more) == figures(scoring.run())
    assert more.ser == scoring.run().ser


def finer(document: Document | Reference) -> Document | Reference:
    """The document with each word cut into its characters, no element moved in its text."""
    at = [0, *itertools.accumulate(map(len, document.words))]
    if isinstance(document, Document):
        elements = (replace(e, start=at[e.start], end=at[e.end]) for e in document.elements)
    else:
        elements = (
            replace(
                e,
                starts=tuple(at[k] for k in e.starts),
                ends=tuple(at[k] for k in e.ends),
                strict=e.strict and (at[e.strict[0]], at[e.strict[1]]),
            )
            for e in document.elements
        )
    return replace(document, words=tuple("".join(document.words)), elements=tuple(elements))


@pytest.mark.check
@given(same_words_scorings() | fuzzy_scorings())
def test_cut_of_words_makes_no_difference(scoring):
    """The same text cut into other words, on either side or both, has the same counts."""
    before = scoring.run(pairing="word")  # the definition's rule does not count words
    references = [finer(r) for r in scoring.references]
    hypotheses = [finer(h) for h in scoring.hypotheses]
    for changes in (
        {"references": references},
        {"hypotheses": hypotheses},
        {"references": references, "hypotheses": hypotheses},
    ):
        assert scoring.run(pairing="word", **changes).counts == before.counts


@pytest.mark.check
@given(timed_scorings())
def test_extra_words_after_the_end(scoring):
    """Words that a recogniser finds long after everything else change nothing."""

    def longer(document):
        end = max((b for _, b in document.times), default=0) + 10_000
        return replace(document, words=(*document.words, "x"), times=(*document.times, (end, end)))

    hypotheses = [longer(h) for h in scoring.hypotheses if h.words]
    ids = {h.id for h in hypotheses}
    references = [r for r in scoring.references if r.id in ids]
    if references:
        scoring = scoring._replace(
            references=references, hypotheses=[h for h in scoring.hypotheses if h.words]
        )
        assert figures(scoring.run(hypotheses=hypotheses)) == figures(scoring.run())


HASHES = """
import random, sys
sys.path[:0] = sys.argv[1:]
import brute_force
from strategies import as_scoring
rng = random.Random("hashes")
for _ in range(60):
    evaluation = as_scoring(brute_force.random_case(rng)).run()
    print(evaluation.to_json())
    print([(d.mapped.mapping, d.mapped.reference) for d in evaluation.documents])
"""


@pytest.mark.check
def test_hashing_makes_no_difference():
    """The seed of Python's hashes changes neither a digit nor a pair."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", HASHES, str(TESTS / "support"), str(ROOT)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4321")
    ]
    assert printed[0].count('"signature"') == 60
    assert printed == printed[:1] * 3


# --- through time --------------------------------------------------------------------------------


def without_lost(evaluation: Evaluation) -> set[str]:
    """Ids of the documents of which every element has a place."""
    return {d.id for d in evaluation.documents if not d.counts.unplaceable}


@pytest.mark.check
@given(timed_scorings(), st.sampled_from([5, 10, 30, 1000]))
def test_larger_tolerance(scoring, more):
    """Where every element has a place, more tolerance never costs more nor matches less."""
    one = scoring.tolerance
    wider = tuple(t + more for t in one) if isinstance(one, tuple) else one + more
    before = scoring.run()
    after = {d.id: d for d in scoring.run(tolerance=wider).documents}
    for narrow in before.documents:
        if not narrow.counts.unplaceable:
            wide = after[narrow.id].counts
            assert wide.unplaceable == 0
            assert wide.cost(scoring.costs) <= narrow.counts.cost(scoring.costs)
            assert wide.exact >= narrow.counts.exact


@pytest.mark.check
@given(timed_scorings())
def test_projected_and_read_again(scoring):
    """Projected, written as native JSON and read, a reference scores as it does directly."""
    direct = scoring.run()
    projected = [
        project(r, h, tolerance=in_ms(scoring.tolerance), unplaceable=scoring.unplaceable)
        for r, h in zip(scoring.references, scoring.hypotheses, strict=True)
    ]
    again = read_native(native.write(projected))
    assert again == projected
    policy = "miss" if scoring.unplaceable == "miss" else "drop"  # who was merged stays merged
    evaluation = scoring.run(references=again, tolerance=None, unplaceable=policy)
    assert figures(evaluation) == figures(direct)
    assert mappings(evaluation) == mappings(direct)


@pytest.mark.check
@given(timed_scorings())
def test_policies_agree_where_nothing_is_lost(scoring):
    """Where every element has a place, the three policies score the same."""
    scored = [scoring.run(unplaceable=policy) for policy in POLICIES]
    for ids in map(without_lost, scored):
        assert ids == without_lost(scored[0])
    for documents in zip(*(e.documents for e in scored), strict=True):
        if not documents[0].counts.unplaceable:
            assert [d.labels for d in documents] == [documents[0].labels] * 3


@pytest.mark.check
@given(timed_scorings())
def test_missed_elements_are_deletions(scoring):
    """Elements that are missed, not dropped, are that many more deletions and nothing else."""
    dropped, missed = (scoring.run(unplaceable=policy).counts for policy in ("drop", "miss"))
    assert missed == replace(dropped, D=dropped.D + dropped.unplaceable)


@pytest.mark.check
@given(timed_scorings())
def test_merging_only_helps(scoring):
    """Merged, not dropped, elements leave Ref as it is, and their hosts can only score better."""
    dropped, merged = (
        scoring.run(unplaceable=policy, costs=Costs()).counts for policy in ("drop", "merge")
    )
    assert (merged.ref, merged.hyp, merged.unplaceable) == (
        (dropped.ref, dropped.hyp, dropped.unplaceable)
    )
    assert merged.cost(Costs()) <= dropped.cost(Costs())
    assert merged.exact >= dropped.exact


@pytest.mark.check
@given(timed_scorings())
def test_reference_loses_no_element(scoring):
    """What was placed and what was taken out are together what was annotated."""
    for policy in POLICIES:
        for document, annotated in zip(
            scoring.run(unplaceable=policy).documents, scoring.references, strict=True
        ):
            kept = [e.source for e in document.mapped.reference.elements]
            lost = [x.element.source for x in document.mapped.reference.unplaceable]
            assert sorted(kept + lost) == list(range(len(annotated.elements)))
            assert kept == sorted(kept)
            assert lost == sorted(lost)
