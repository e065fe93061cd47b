"""Why an element has no place: the audit's reasons hold."""

import pytest
from paths import SPEECH

from sereval import evaluate, read, time_words
from sereval.analysis.audit import audit

pytestmark = pytest.mark.check


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
