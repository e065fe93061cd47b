"""``sereval doctor``: what does not fit, and that it refuses what scoring refuses."""

from fractions import Fraction
from pathlib import Path

import pytest
from cli_files import put
from hypothesis import given
from hypothesis import strategies as st

from sereval import Document
from sereval.analysis.doctor import clock, diagnosis
from sereval.corpus.corpus import in_memory
from sereval.evaluation.settings import Settings

WORDS = tuple(f"w{k}" for k in range(60))


def timed(start=0, rate=Fraction(1), words=WORDS, elements=(), id="d"):
    """A document with a word every half second, whose clock starts and runs as it is said."""
    times = tuple(
        (round(rate * at) + start, round(rate * (at + 400)) + start)
        for at in range(0, 500 * len(words), 500)
    )
    return Document(id, words, elements, times)


def found(reference, hypothesis, *, tolerance=None, **settings):
    """Messages of one pair by check."""
    both = None if tolerance is None else (tolerance, tolerance)
    sides = in_memory([reference], "ref"), in_memory([hypothesis], "hyp"), None, None
    result = diagnosis(sides, Settings(both, **settings))
    return {finding.check: finding.message for finding in result.findings}


# --- clocks --------------------------------------------------------------------------------------


@given(st.integers(-100_000, 100_000))
def test_an_offset_is_found(offset):
    """A hypothesis that is late by any time is said to be late by that time, and not to drift."""
    result = clock(timed(), timed(offset))

    assert (offset, offset, 0) == (result.offset, result.begin, result.drift)


@given(st.integers(900, 1100), st.integers(-2000, 2000))
def test_a_drift_is_found(per_mille, offset):
    """A clock that runs at another rate is found with its rate and where it began."""
    result = clock(timed(), timed(offset, Fraction(per_mille, 1000)))

    assert per_mille == round(1000 * (1 + result.drift), 1)
    assert abs(offset - result.begin) <= 1


@given(st.sets(st.integers(0, 59), max_size=19), st.randoms(use_true_random=False))
def test_a_third_of_strays_moves_no_offset(places, random):
    """Words that are timed anywhere do not move the offset while they are fewer than half."""
    times = list(timed(1500).times)
    for k in places:
        low = times[k - 1][0] if k else 0
        times[k] = (random.randint(low, times[k][0]), times[k][1])
    result = clock(timed(), Document("d", WORDS, times=tuple(times)))

    assert 1500 == result.offset


# --- the other checks ----------------------------------------------------------------------------


# --- as scoring ----------------------------------------------------------------------------------

FILES = {"d": "<a> one </a> two", "e": "three <b> four </b>"}
CTM = "{id} 1 0.0 0.4 one\n{id} 1 0.5 0.4 two\n"


@pytest.fixture
def campaign(here):
    """A folder with a reference and a hypothesis of the same two documents."""
    for side in ("ref", "hyp"):
        for name, text in FILES.items():
            put(f"{side}/{name}.ne", text)


def nothing():
    """All is well."""


def without_hypothesis():
    Path("hyp/d.ne").unlink()


def without_reference():
    Path("ref/d.ne").unlink()


def renamed():
    Path("hyp/e.ne").rename("hyp/ee.ne")


def other_words():
    put("hyp/d.ne", "one too")


def broken():
    put("hyp/d.ne", "<a> one two")


def emptied():
    put("hyp/d.ne", "")


def times_of_one():
    for side in ("align", "words"):
        put(f"{side}/d.ctm", CTM.format(id="d"))


MENDS = [
    nothing,
    without_hypothesis,
    without_reference,
    renamed,
    other_words,
    broken,
    emptied,
    times_of_one,
]
OPTIONS = [
    "",
    "--missing empty",
    "--tolerance 0.3",
    "--by text",
    "--by text --missing empty",
    "--only a",
    "--only zzz",
    "--tolerance 0.3 --align align --words words",
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("mend", MENDS, ids=lambda mend: mend.__name__)
def test_refuses_what_scoring_refuses(campaign, run, mend, options):
    """The status is that of scoring with the same options."""
    mend()
    status, out, err = run(f"score ref hyp {options}")
    looked, said, complaint = run(f"doctor ref hyp {options}")

    assert status == looked, (err, said)
    assert ("refused" in said) == (status == 1)
    assert complaint == ""
