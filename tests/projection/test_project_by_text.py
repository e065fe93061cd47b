"""Projection through an alignment by text, and what a perfect tagger would reach."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from aligned import annotated
from hypothesis import given
from hypothesis import strategies as st
from paths import CORPORA
from tables import tables

from sereval.alignment.text import align_text
from sereval.documents.model import Document, Reference, tree
from sereval.evaluation.evaluate import ByWords, evaluate
from sereval.mapping.best import best_mapping, upper_bound
from sereval.measures.slots import PAIR, Slot
from sereval.projection.project import project_aligned

TABLES = tables(__file__)

SODUCO = CORPORA / "soduco"

words = st.lists(st.sampled_from("abc"), max_size=9)


# -------------------------------------------------------------------------------- the projection


def carried(reference, hypothesis, **options):
    """An annotation carried onto the words of another by text."""
    reference, hypothesis = annotated(reference), annotated(hypothesis)
    return project_aligned(
        reference, hypothesis, align_text(reference.words, hypothesis.words), **options
    )


@pytest.mark.parametrize(
    ("reference", "hypothesis", "starts", "ends", "strict"),
    TABLES["frontiers"],
)
def test_what_a_frontier_answers_to(reference, hypothesis, starts, ends, strict):
    """Insertions and punctuation leave a frontier open, deletions do not, pairs hold it."""
    [element] = carried(reference, hypothesis).elements

    assert (starts, ends, strict) == (element.starts, element.ends, element.strict)


def test_deleted_elements_have_no_place():
    """An element whose words were all deleted is unplaceable, and the policy says what it is."""
    text, heard = "x <a> y </a> z", "x z"

    assert [lost.fate for lost in carried(text, heard).unplaceable] == ["dropped"]
    assert [lost.fate for lost in carried(text, heard, unplaceable="miss").unplaceable] == [
        "missed"
    ]
    assert carried(text, heard, tolerance=1).unplaceable == ()


def test_a_signature_says_how():
    """The projection carries the aligner, its weights, the tolerance in words and the policy."""
    assert (
        carried("<a> x </a>", "x", tolerance=1).projection
        == "by:text weights:sclite tolerance:1w unplaceable:drop"
    )


@given(
    words=st.lists(st.sampled_from(["a", "b", ",", "."]), min_size=1, max_size=8), data=st.data()
)
def test_the_same_words_project_exactly(words, data):
    """On the very same words the projection is the document itself."""
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    document = Document("d", tuple(words), tree([("x", start, end)]))
    projected = project_aligned(document, document, align_text(words, words))

    assert Reference.exact(document).elements == projected.elements


# ------------------------------------------------------------------------------- the upper bound


def classes(projected, hypothesis):
    """Classes of the slots that the reference and the hypothesis have, unplaceable ones apart."""
    mapping = best_mapping(projected, hypothesis)
    found = []
    for r, h in mapping.pairs:
        one = hypothesis.elements[h]
        accepted = one.label in projected.elements[r].labels
        found.append(PAIR[accepted, mapping.placement[r] == (one.start, one.end)])
    alone = len(projected.elements) + len(hypothesis.elements) - 2 * len(found)
    return found, alone


@given(
    left=st.lists(st.sampled_from("abcde"), min_size=1, max_size=8),
    right=words,
    tolerance=st.integers(0, 1),
    data=st.data(),
)
def test_a_perfect_tagger_makes_no_error(left, right, tolerance, data):
    """The projected reference written out as a hypothesis has nothing but correct slots."""
    frontier = st.integers(0, len(left))
    a, b, c = sorted(data.draw(st.tuples(frontier, frontier, frontier)))
    spans = [("all", 0, len(left)), ("one", a, b), ("two", b, c)]
    reference = Document("d", tuple(left), tree([span for span in spans if span[1] < span[2]]))
    projected = project_aligned(
        reference, Document("d", tuple(right)), align_text(left, right), tolerance=tolerance
    )
    perfect = upper_bound(projected)
    found, alone = classes(projected, perfect)

    assert [Slot.CORRECT] * len(projected.elements) == found
    assert alone == 0
    assert [e.parent for e in projected.elements] == [e.parent for e in perfect.elements]


def test_a_perfect_tagger_is_strict_where_it_can():
    """Tags are written out at their strict frontiers, without the insertions beside them."""
    perfect = upper_bound(carried("x <a> y </a> z", "x i y j z"))

    assert [(2, 3)] == [(element.start, element.end) for element in perfect.elements]


# ------------------------------------------------------------------------------------ real corpora


@pytest.mark.check
@pytest.mark.skipif(not SODUCO.exists(), reason="the corpus is not part of the project")
@pytest.mark.parametrize(
    ("tolerance", "cost", "elements", "wrong"), [(0, Fraction(61, 2), 12264, 25), (1, 6, 12269, 4)]
)
def test_what_the_projection_does_wrong(tolerance, cost, elements, wrong):
    """The clean annotation projected onto the scan errs as docs/why/papers/soduco.md says."""
    clean, scan = (
        [
            replace(annotated(line), id=str(k))
            for k, line in enumerate((SODUCO / name).read_text("utf-8").splitlines())
        ]
        for name in ("clean.ne", "ocr.ne")
    )
    found = evaluate(clean, scan, through=ByWords(tolerance=tolerance))
    costs = found.settings.costs

    assert (cost, elements) == (found.counts.cost(costs), found.counts.ref)
    assert wrong == sum(one.counts.cost(costs) > 0 for one in found.documents)


MEASURED = """
import json, random, sys
from memory import peak
from sereval.alignment.text import align_text
chance = random.Random(1)
heap = [f"w{int(chance.paretovariate(0.7))}" for _ in range(100_000)]
heard = []
for word in heap:
    lot = chance.random()
    errors = {lot < 0.05: [], 0.05 <= lot < 0.17: [f"e{lot}"], 0.17 <= lot < 0.2: [word, "i"]}
    heard += errors.get(True, [word])
found = align_text(heap, heard)
mib = peak() / 1024
json.dump([mib, found.slack, found.wer], sys.stdout)
"""


@pytest.mark.long
def test_a_hundred_thousand_words():
    """A fifth of errors in 100 000 words: under 500 MB, and the cuts cost nothing."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    )
    mib, slack, wer = json.loads(done.stdout)

    assert mib < 500
    assert slack == 0
    assert 0.15 < wer < 0.25
