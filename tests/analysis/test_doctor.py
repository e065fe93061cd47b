"""``sereval doctor``: what does not fit, and that it refuses what scoring refuses."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from cli_files import put
from hypothesis import given
from hypothesis import strategies as st

from sereval import Document, Mention, find_mentions, tree
from sereval.analysis.clocks import clock
from sereval.analysis.doctor import diagnosis
from sereval.analysis.survey import CampaignDocuments
from sereval.evaluation.settings import Settings
from sereval.labels.relabel import Labels

WORDS = tuple(f"w{k}" for k in range(60))
DATA = "doctor data/ref data/hyp/gazetteer/asr --align data/align --tolerance 0.3"


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
    result = diagnosis(CampaignDocuments([reference], [hypothesis]), Settings(both, **settings))
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


def test_without_times():
    """Where a side has no times there is no clock, and the check is said to be unseen."""
    bare = Document("d", WORDS)
    result = diagnosis(CampaignDocuments([bare], [timed()]), Settings())

    assert clock(bare, timed()) is None
    assert ("clocks", "tolerance") == result.unseen


def test_clocks_are_told():
    """Late, early, drifting: in words, with what they are off by."""
    assert (
        "the hypothesis is 1.5 s late in 1 of 1 documents" == found(timed(), timed(1500))["clocks"]
    )
    assert "0.25 s early" in found(timed(1000), timed(750))["clocks"]
    drifting = found(timed(), timed(0, Fraction(11, 10)))["clocks"]
    assert "0 s late at its beginning and 2.95 s late 29.5 s later, +100 ms a second" in drifting
    assert "clocks" not in found(timed(), timed(99))


def test_late_documents_are_named():
    """Which documents are late is said, unless it is all of them."""
    ours = [timed(id=id) for id in "abc"]
    theirs = [timed(0, id="a"), timed(900, id="b"), timed(900, id="c")]
    [finding] = diagnosis(CampaignDocuments(ours, theirs), Settings()).findings

    assert "the hypothesis is 0.9 s late in 2 of 3 documents: b, c" == finding.message


def test_each_document_has_its_offset():
    """Where offsets differ, none is to be taken off all."""
    ours = [timed(id=id) for id in "ab"]
    theirs = [timed(500, id="a"), timed(900, id="b")]
    [finding] = diagnosis(CampaignDocuments(ours, theirs), Settings()).findings

    assert "0.5 s late in 2 of 2 documents, 0.5 s late to 0.9 s late" in finding.message
    assert "the offset differs between documents" in finding.advice


# --- the other checks ----------------------------------------------------------------------------


def test_few_words_in_common():
    """Two documents without a word in common are told, though time would let them be scored."""
    other = timed(words=tuple(f"v{k}" for k in range(60)))

    assert "d has 0 of 60" in found(timed(), other, tolerance=300)["counterparts"]


def test_narrow_tolerance():
    """A tolerance that more than a tenth of the times exceed is told with what would do."""
    hypothesis = timed(80)
    result = diagnosis(CampaignDocuments([timed()], [hypothesis]), Settings((50, 50)))

    assert ["tolerance"] == [finding.check for finding in result.findings]
    assert "120 of 120 starts and ends" in result.findings[0].message
    assert "--tolerance 0.08 covers nine in ten" == result.findings[0].advice
    assert "tolerance" not in found(timed(), hypothesis, tolerance=80)


def test_labels_on_one_side():
    """Labels of one side only are counted, and a near one of the other side is named."""
    ours = timed(elements=tree([("loc.adm.town", 0, 1), ("pers", 2, 3), ("pers", 4, 5)]))
    theirs = timed(elements=tree([("loc.adm.twn", 0, 1)]))
    messages = [
        (finding.message, finding.advice)
        for finding in diagnosis(CampaignDocuments([ours], [theirs]), Settings()).findings
    ]

    assert (
        "labels of the reference only: loc.adm.town (1), pers (2); each is missed" == messages[0][0]
    )
    assert "is loc.adm.town meant to be loc.adm.twn?" in messages[0][1]
    assert messages[1][0].startswith("labels of the hypothesis only: loc.adm.twn (1)")


def test_labels_of_mentions_without_a_place():
    """A label that stands only on text that is not in the words is named too."""
    reference = Document("d", ("Ada", "said"), tree([("PER", 0, 1)]))
    said = Document("d", (), mentions=(Mention("PER", "Ada"), Mention("Note", "fine")))
    hypothesis = find_mentions(said, reference)
    assert (
        "labels of the hypothesis only: Note (1); each is spurious or of a wrong type"
        == found(reference, hypothesis)["labels"]
    )


def test_labels_as_they_are_scored():
    """What --level makes one label of is one label here."""
    ours = timed(elements=tree([("loc.adm", 0, 1)]))
    theirs = timed(elements=tree([("loc.phys", 0, 1)]))

    assert {} == found(ours, theirs, labels=Labels(level=1))


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


@pytest.mark.check
def test_shifted_times_of_the_demo(run, tmp_path):
    """A recogniser's times that are 1.5 s late are found to be just that, in all documents."""
    for id in ("mandela", "titanic"):
        lines = [
            line.split() for line in Path(f"data/asr/{id}.ctm").read_text("utf-8").splitlines()
        ]
        late = [" ".join([*f[:2], f"{float(f[2]) + 1.5:.2f}", *f[3:]]) for f in lines]
        (tmp_path / f"{id}.ctm").write_text("\n".join(late), "utf-8")
    status, out, _ = run(f"{DATA} --words {tmp_path} --format json")
    assert 1 == status  # the other documents have no times
    assert {"mandela": 1500, "titanic": 1500} == {
        one["document"]: one["offset"] for one in json.loads(out)["clocks"]
    }


def test_healthy_demo(run):
    """The demo corpus has nothing but labels that the gazetteer does not know."""
    status, out, _ = run(f"{DATA} --words data/asr --format json")
    assert (0, ["labels"]) == (status, [each["check"] for each in json.loads(out)["findings"]])
