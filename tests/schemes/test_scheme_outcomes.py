"""Every scheme gives each element an outcome: outcomes add up to its figures, under each figure."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval import Document, Mention, audit, compare, score, tree
from sereval.analysis.audit import audit as audits_of
from sereval.analysis.compare import bootstrap
from sereval.analysis.resampling import Resampling
from sereval.analysis.units import tally
from sereval.analysis.whole import whole
from sereval.evaluation.settings import Settings
from sereval.measures.figures import ListFigure
from sereval.schemes.table import SCHEMES, TABLE, schemes_that_count

LABELS = ("loc", "pers")
TEXTS = ("Dol", "Dole", "New York", "York", "new town hall")

LISTS = ("slue", "nerval", *schemes_that_count("lists"))
"""The schemes that compare lists without places."""


@st.composite
def lists(draw, id):
    """A document of mentions, without words."""
    mention = st.builds(Mention, st.sampled_from(LABELS), st.sampled_from(TEXTS))
    return Document(id, (), mentions=tuple(draw(st.lists(mention, max_size=5))))


@st.composite
def phrases(draw, id, words):
    """A document of disjoint elements on some words."""
    starts = sorted(draw(st.sets(st.integers(0, len(words) - 1), max_size=3)))
    spans = []
    for start, after in pairwise([*starts, len(words)]):
        spans.append((draw(st.sampled_from(LABELS)), start, draw(st.integers(start + 1, after))))
    return Document(id, tuple(words), tree(spans))


def scored(scheme, pairs, figure, **options):
    return SCHEMES[scheme].scorer(Settings(figure=figure, **options)).of(pairs)


def check(found, figure):
    """The verdicts, the rows of the audit and the units have the errors of the figures."""
    rate = found.rate
    every = found.errors
    rows = [row for one in audits_of(found) for row in one.rows]
    assert sum((row.cost for row in rows), Fraction(0)) == every.total
    assert sum(Fraction(row.size) for row in rows) == every.size
    if not every.size:
        return
    assert float(rate.of(every)) == pytest.approx(found.total[figure].value, abs=1e-12)
    sums = tally(found, "utterance").values()
    assert sum(above for above, _ in sums) == rate.sums(every.total, every.size)[0]
    for account in found.accounts:
        own = [v.figures[figure] for v in account.verdicts if figure in v.figures]
        documents = found.totals[account.reference.id][figure] if own else None
        assert not own or sum(one.errors for one in own) == documents.errors


@pytest.mark.check
@pytest.mark.parametrize("scheme", LISTS)
@given(st.data())
def test_lists_add_up(scheme, data):
    """Lists of mentions on both sides: the rows of an audit have all errors of each figure."""
    pairs = [(data.draw(lists(id)), data.draw(lists(id))) for id in "ab"]
    mapping = data.draw(st.sampled_from(["greedy", "optimal"]))
    for figure in SCHEMES[scheme].figures:
        check(scored(scheme, pairs, figure, mapping=mapping), figure)
        counted = SCHEMES[scheme].scorer(Settings(mapping=mapping)).of(pairs)
        assert counted.total == scored(scheme, pairs, figure, mapping=mapping).total


@pytest.mark.parametrize("scheme", schemes_that_count("tags"))
@given(st.data())
def test_phrases_add_up(scheme, data):
    """Phrases, split ones too: the rows of an audit have all errors of each figure."""
    words = data.draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=7))
    heard = words
    if scheme == "evalita2011":
        heard = data.draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=7))
    pairs = [(data.draw(phrases("d", words)), data.draw(phrases("d", heard)))]
    for figure in SCHEMES[scheme].figures:
        for mode in ("official", "repair"):
            check(scored(scheme, pairs, figure, mode=mode), figure)


def test_every_scheme_is_compared_and_audited():
    """`compare` and `audit` take every scheme, with the figure that is asked for."""
    gold = Document("d", ("Dol", "und", "York"), tree([("loc", 0, 1), ("loc", 2, 3)]))
    found = Document("d", gold.words, tree([("loc", 0, 1), ("pers", 2, 3)]))
    for scheme in TABLE:
        figures = {"figure": scheme.figures[-1]} if scheme.takes("figure") else {}
        [condition] = compare(
            gold, {"a": found, "b": gold}, scheme=scheme.name, **figures
        ).conditions
        assert [system.name for system in condition.systems] == ["a", "b"]
        rows = audit(gold, found, scheme=scheme.name, **figures).rows
        assert [row.side for row in rows].count("reference") == 2, scheme.name
        single = score(gold, found, scheme=scheme.name)
        if scheme.takes("figure"):
            value = condition.measure.of(condition.systems[0].evaluation.errors)
            assert float(value) == pytest.approx(single.total[scheme.figures[-1]].value)


def test_an_order_of_slurp():
    """The row of a pair has its distances by words and by characters, under slu both together."""
    gold = Document("d", (), mentions=(Mention("date", "next friday"),))
    found = Document("d", (), mentions=(Mention("date", "friday"),))
    costs = {}
    for figure in ("slu", "word", "char"):
        [own, other] = audit([gold], [found], scheme="slurp", figure=figure).rows
        assert (own.partner, other.partner, other.cost) == (0, 0, 0)
        costs[figure] = own.cost
    assert costs == {"word": 1, "char": Fraction(10, 11), "slu": Fraction(21, 11)}


def test_an_error_rate_of_lists():
    """An entity of each side without a partner is one substitution; the distance is an error."""
    gold = Document("d", (), mentions=(Mention("P", "George Washington"), Mention("L", "Valencia")))
    found = Document("d", (), mentions=(Mention("P", "George Washingtn"), Mention("X", "Valencia")))
    rows = audit([gold], [found], scheme="oi").rows
    assert [(row.side, row.label, row.slot.value, row.cost) for row in rows] == [
        ("reference", "P", "S_S", Fraction(1, 17)),
        ("reference", "L", "S_T", 1),
        ("hypothesis", "P", "S_S", 0),
        ("hypothesis", "X", "S_T", 0),
    ]
    comparison = compare([gold], {"a": [found], "b": [gold]}, scheme="oi")
    assert (comparison.measure.is_better, comparison.measure.key) == ("lower", "error_rate")
    assert comparison.conditions[0].differences[0].rate == Fraction(9, 17)


def test_whole_numbers_are_exact():
    """Fractions of many denominators are resampled exactly, whatever the size of the numbers."""
    numbers = random.Random(3)
    sums = [
        (
            Fraction(numbers.randrange(1, 99), numbers.randrange(1, 60)),
            Fraction(numbers.randrange(1, 9)),
        )
        for _ in range(40)
    ]
    scaled = whole({"x": sums})["x"]
    assert max(above for above, _ in scaled) > 1 << 60
    resampling = Resampling(resamples=50)
    import numpy as np

    draws = np.random.Generator(np.random.PCG64(resampling.seed)).integers(40, size=(50, 40))
    [rates] = bootstrap([scaled], 1, resampling)
    for rate, drawn in zip(rates, draws, strict=True):
        exact = sum(sums[k][0] for k in drawn) / sum(sums[k][1] for k in drawn)
        assert rate == float(exact)


def test_a_size_of_lists():
    """F is one less its errors over its size, as for all figures."""
    figure = ListFigure(cor=2, mis=1, spu=3, distance=Fraction(1, 3))
    assert figure.f() == float(1 - figure.errors / figure.size)


WORDS = tuple("abcdef")


@pytest.mark.parametrize("scheme", ["quaero", "conll", "evalita2011", "semeval2013", "mitre"])
@given(st.data())
def test_an_audit_has_the_places_of_elements(scheme, data):
    """On the same words each row has the words and the span of its element, on either side."""
    pair = data.draw(phrases("d", WORDS)), data.draw(phrases("d", WORDS))
    [document] = audit(*pair, scheme=scheme)
    for side, own in zip(("reference", "hypothesis"), pair, strict=True):
        expected = [(one.label, one.start, one.end) for one in own.elements]
        rows = [row for row in document.rows if row.side == side]
        assert expected == [(row.label, *row.span) for row in rows]
        assert [WORDS[start:end] for _, start, end in expected] == [row.words for row in rows]
