"""SLUE: labels and texts as multisets, whatever their order and place."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import same_words

import sereval
from sereval import Document, Mention, Reference, SerevalError
from sereval.analysis.audit import audit
from sereval.evaluation.evaluate import Settings
from sereval.schemes.lists import Lists
from sereval.schemes.slue import slue

MENTIONS = st.lists(
    st.builds(Mention, st.sampled_from("xy"), st.sampled_from(["a", "b", "a b"])), max_size=6
)


def document(mentions, id="d"):
    return Document(id, (), mentions=tuple(mentions))


def counts(ours, theirs):
    """Correct, missing and spurious of two multisets, by the standard library's."""
    both = Counter(ours) & Counter(theirs)
    return both.total(), len(ours) - both.total(), len(theirs) - both.total()


def score(*pairs, figure=None):
    return slue(Settings(figure=figure)).of(list(pairs))


@given(MENTIONS, MENTIONS)
def test_both_figures_are_of_multisets(ours, theirs):
    """Entities are pairs of label and text, and labels are labels; no more than that."""
    total = score((document(ours), document(theirs))).total

    for name, one, other in [
        ("entity", ours, theirs),
        ("label", [m.label for m in ours], [m.label for m in theirs]),
    ]:
        figure = total.get(name, sereval.measures.figures.Figure())
        assert counts(one, other) == (figure.cor, figure.mis, figure.spu)


@pytest.mark.check
@given(MENTIONS, MENTIONS, st.randoms(use_true_random=False))
def test_order_means_nothing(ours, theirs, chance: random.Random):
    """The figures of each label are the same in any order of either list."""
    before = score((document(ours), document(theirs))).labels
    chance.shuffle(ours)
    chance.shuffle(theirs)

    assert before == score((document(ours), document(theirs))).labels


@given(same_words())
def test_elements_are_their_labels_and_texts(pair):
    """A document scores as the list of what it says."""
    lists = Lists.of(pair)

    assert score(pair).labels == score((document(lists.ours), document(lists.theirs))).labels


def test_nothing_is_paired_across_documents():
    """What one document has cannot be missing in another."""
    paris = [Mention("loc", "Paris")]
    pairs = [(document(paris, "a"), document([], "a")), (document([], "b"), document(paris, "b"))]

    figure = score(*pairs).total["entity"]

    assert (0, 1, 1) == (figure.cor, figure.mis, figure.spu)


@pytest.mark.parametrize("figure", ["entity", "label"])
@given(pair=same_words())
def test_audit_has_what_the_figure_counts(figure, pair):
    """The rows of the figure that is looked at have its errors, and pairs of the same label."""
    found = score(pair, figure=figure)
    total = found.total.get(figure, sereval.measures.figures.Figure())

    [rows] = audit(found)

    assert total.mis + total.spu == sum(row.cost for row in rows.rows)
    for row, partner in rows.with_partners():
        assert partner is None or row.label == partner.label


def test_entities_without_places_have_outcomes():
    """Where the reference has no places, an audit shows its texts all the same."""
    paris = document([Mention("loc", "Paris")])

    [rows] = audit(score((paris, paris), figure="entity"))
    assert [(row.side, row.words, row.partner) for row in rows.rows] == [
        ("reference", ("Paris",), 0),
        ("hypothesis", ("Paris",), 0),
    ]


def test_a_fuzzy_reference_has_no_texts():
    """Candidates are no words."""
    fuzzy = Reference.exact(Document("d", ("Dol",)))

    with pytest.raises(SerevalError, match="d: a fuzzy reference, slue takes none"):
        score((fuzzy, document([])))
