"""Why an element has no place: the audit's reasons hold."""

import pytest
from paths import SPEECH

from sereval import Document, evaluate, read, time_words, tree
from sereval.analysis.audit import audit

pytestmark = pytest.mark.check


def lost(reference, hypothesis, **settings):
    """The rows of the elements without a place."""
    [document] = audit(evaluate([reference], [hypothesis], **settings))
    return [row for row in document.rows if row.why is not None]


def du_budget(words, times, **settings):
    clean = Document(
        "d",
        ("du", "Budget"),
        tree([("func.ind", 0, 2), ("kind", 0, 1), ("name", 1, 2)]),
        ((0, 300), (300, 800)),
    )
    return lost(clean, Document("d", tuple(words.split()), times=times), **settings)


def test_taken():
    """A word that is there but belongs to another element is named with that element."""
    [kind] = du_budget("dubidget", ((0, 800),), tolerance=0.1)

    assert kind.why == "“dubidget” is in its time, but taken by name “Budget”; dropped"
    assert kind.blocker == 2


def test_merged():
    """What became of it is said as well."""
    [kind] = du_budget("dubidget", ((0, 800),), tolerance=0.1, unplaceable="merge")

    assert kind.why.endswith("; merged into name “Budget”")


def test_no_word():
    """Where the recogniser has no word at all in its time, that is the reason."""
    [kind] = du_budget("budget", ((310, 800),), tolerance=0.005)

    assert kind.why == "no word in its time; dropped"
    assert kind.blocker is None


@pytest.mark.parametrize("tolerance", [0, 0.1])
@pytest.mark.parametrize("part", ["human", "tts"])
@pytest.mark.skipif(not SPEECH.exists(), reason="the shared speech corpus is not there")
def test_no_word_means_no_word(part, tolerance):
    """On real speech "no word in its time" is said if and only if no word shares time with it."""
    folder = SPEECH / part
    aligned = {one.id: one for one in read(folder / "align", wanted=("textgrid",))}
    heard = {one.id: one for one in read(folder / "asr", wanted=("ctm",))}
    references = [time_words(one, aligned[one.id]) for one in read(folder / "ref")]
    hypotheses = [time_words(one, heard[one.id]) for one in read(folder / "hyp/crf/asr")]
    found = evaluate(references, hypotheses, tolerance=tolerance)
    for document in audit(found):
        for row in document.references:
            if row.why is None:
                continue
            start, end = row.time
            words = [
                (a, b) for a, b in document.hypothesis_words.times if max(a, start) < min(b, end)
            ]
            assert (not words) == row.why.startswith("no word in its time"), row
