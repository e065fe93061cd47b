"""Every scheme gives each element an outcome: outcomes add up to its figures, under each figure."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval import Document, Mention, audit, compare, score, tree
from sereval.analysis.audit import audit as audits_of
from sereval.analysis.rates import tally
from sereval.evaluation.settings import Settings
from sereval.schemes.table import ERROR_RATES, SCHEMES, TABLE, schemes_that_count

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
    return SCHEMES[scheme].scorer(Settings(scheme=scheme, figure=figure, **options)).of(pairs)


def rate_of(score, name):
    """The rate of a figure."""
    figure = score.total[name]
    return figure.error_rate if name in ERROR_RATES else figure.f()


def check(found, figure):
    """The verdicts, the rows of the audit and the units have the errors of the figures."""
    rate = found.rate
    every = found.errors
    rows = [row for one in audits_of(found) for row in one.rows]
    assert sum((row.cost for row in rows), Fraction(0)) == every.total
    assert sum(Fraction(row.size) for row in rows) == every.size
    if not every.size:
        return
    assert float(rate.of(every)) == pytest.approx(rate_of(found, figure), abs=1e-12)
    sums = tally(found, "utterance").values()
    assert sum(above for above, _ in sums) == rate.sums(every)[0]
    for account in found.mapped:
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
        counted = SCHEMES[scheme].scorer(Settings(scheme=scheme, mapping=mapping)).of(pairs)
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
            assert float(value) == pytest.approx(rate_of(single, scheme.figures[-1]))
