"""The agreement of several annotators: other packages, worked examples, laws, the command."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval import from_spans
from sereval.analysis.agreement import Coefficients, annotators

WORDS = ["one", "two", "three", "four", "five"]
VALUES = st.sampled_from(["", "a", "b", "c"])
RATINGS = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.tuples(*[VALUES] * raters), min_size=1, max_size=12)
)
WITH_GAPS = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.tuples(*[st.none() | VALUES] * raters), min_size=1, max_size=12)
)


def counted(ratings):
    return {unit: ratings.count(unit) for unit in ratings}


def document(id="d", *spans):
    return from_spans(WORDS, spans, id=id)


def fleiss_example():
    """The 10 subjects, 14 raters and 5 categories of the table that Fleiss 1971 is known for."""
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1
    7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    rows = [row.split() for row in table.replace("\n", "|").split("|")]
    return [tuple(k for k, n in enumerate(row) for _ in range(int(n))) for row in rows]


def test_the_example_of_fleiss():
    """The example that textbooks show has kappa 0.210."""
    assert f"{float(Coefficients.of(counted(fleiss_example())).kappa):.3f}" == "0.210"


def test_the_example_of_krippendorff():
    """The nominal data with missing values of Krippendorff 2011, section C: alpha 0.743."""
    coders = """1 2 3 3 2 1 4 1 2 . . .|1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .|1 2 3 3 2 4 4 1 2 5 1 ."""
    rows = [row.split() for row in coders.replace("\n", "|").split("|")]
    units = [tuple(None if v == "." else v for v in unit) for unit in zip(*rows, strict=True)]
    assert f"{float(Coefficients.of(counted(units)).alpha):.3f}" == "0.743"


@pytest.mark.check
@given(RATINGS)
def test_kappa_is_that_of_statsmodels(ratings):
    """Fleiss' kappa equals that of statsmodels wherever it is defined."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    found = Coefficients.of(counted(ratings)).kappa
    if found is not None:
        table, _ = inter_rater.aggregate_raters([[ord(v or "-") for v in u] for u in ratings])
        assert float(found) == pytest.approx(inter_rater.fleiss_kappa(table))


@pytest.mark.check
@given(WITH_GAPS)
def test_alpha_is_that_of_krippendorff(ratings):
    """Alpha with missing values equals that of the package krippendorff."""
    package = pytest.importorskip("krippendorff")
    found = Coefficients.of(counted(ratings)).alpha
    if found is not None:
        data = [
            [float("nan") if v is None else ord(v or "-") for v in u]
            for u in zip(*ratings, strict=True)
        ]
        expected = package.alpha(reliability_data=data, level_of_measurement="nominal")
        assert float(found) == pytest.approx(expected)


@given(RATINGS, st.randoms(use_true_random=False))
def test_the_order_of_annotators_and_units_is_of_no_account(ratings, random):
    """Shuffled annotators and units have the same coefficients."""
    order = list(range(len(ratings[0])))
    random.shuffle(order)
    shuffled = [tuple(unit[k] for k in order) for unit in ratings]
    random.shuffle(shuffled)
    expected = Coefficients.of(counted(ratings))
    assert Coefficients.of(counted(shuffled)) == expected


def test_units_worked_by_hand():
    """Elements on other words are other units; nested elements on the same words are two."""
    found = annotators(
        {
            "ann": [document("d", ("loc", 0, 2), ("name", 0, 2))],
            "bob": [document("d", ("loc", 0, 2))],
            "eve": [document("d", ("loc", 0, 1))],
        }
    )
    # units: [0,1) void void loc; [0,2) loc loc void, then name void void
    assert found.all["elements"].units == 3
    ours = counted([((), (), "loc"), ("loc", "loc", ()), ("name", (), ())])
    assert found.all["elements"] == Coefficients.of(ours)
    assert found.all["words"].units == 5
    both = ("loc", "name")
    words = [(both, ("loc",), ("loc",)), (both, ("loc",), ()), *[((), (), ())] * 3]
    assert found.all["words"] == Coefficients.of(counted(words))
    loc = counted([(True, True, True), (True, True, False), *[(False,) * 3] * 3])
    assert found.labels["loc"] == Coefficients.of(loc)
    assert [pair.correct for pair in found.pairs] == [1, 0, 0]
    assert [float(pair.f) for pair in found.pairs] == [2 / 3, 0.0, 0.0]


# --- the command ---------------------------------------------------------------------------------
