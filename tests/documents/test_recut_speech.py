"""Real recordings: cut alike, and given the times of their files."""

from collections import defaultdict

import pytest
from paths import SPEECH
from recut_documents import covered

from sereval.documents.model import Document
from sereval.documents.words import recut, time_words
from sereval.errors import SerevalError
from sereval.formats import read

SHOWS = sorted(SPEECH.glob("*/ref/*.ne"))
needs_speech = pytest.mark.skipif(not SHOWS, reason="the speech corpus is not here")


def read_annotation(path):
    [document] = read(path)
    return document


def timed(part, condition, name):
    """The words and times of the alignment or of a recogniser."""
    suffix, tier = (".TextGrid", "words") if condition == "align" else (".ctm", None)
    [document] = read(part / condition / f"{name}{suffix}", tier=tier)
    return document


def time_files(show):
    """Each annotation of a show with its time file."""
    part, name = show.parents[1], show.stem
    times = {c: timed(part, c, name) for c in ("align", "asr", "asr_adapted")}
    yield show, times["align"]
    for path in sorted(part.glob(f"hyp/*/*/{name}.ne")):
        condition = path.parent.name
        yield path, times["align" if condition == "manual" else condition]


@pytest.mark.check
@needs_speech
@pytest.mark.parametrize("show", SHOWS, ids=[path.stem for path in SHOWS])
def test_real_annotations_get_the_times_of_their_files(show):
    """Each word of a recording has the time of its alignment or recogniser, however it is cut."""
    conditions = defaultdict(int)
    for path, timed in time_files(show):
        annotated = read_annotation(path)
        conditions[path.parent.name] += 1
        assert time_words(annotated, timed).times == timed.times
        capitals = Document("d", tuple(word.upper() + "!" for word in annotated.words))
        assert time_words(capitals, timed).times == timed.times
        spaced = Document("d", tuple(t for word in annotated.words for t in ("«", word, ",")))
        assert time_words(spaced, timed).times[1::3] == timed.times
        glued = Document("d", tuple(map("".join, pairs_of(annotated.words))))
        assert time_words(glued, timed).times == tuple(
            (pair[0][0], max(end for _, end in pair)) for pair in pairs_of(timed.times)
        )
    assert conditions == {"ref": 1, "manual": 3, "asr": 3, "asr_adapted": 3}


@needs_speech
@pytest.mark.parametrize("show", SHOWS, ids=[path.stem for path in SHOWS])
def test_real_elements_keep_their_text_when_cut(show):
    """Against the same recording cut otherwise, each element keeps its words."""
    reference = read_annotation(show)
    whole = tuple(map("".join, pairs_of(reference.words)))
    halves = Document(
        "d", tuple(part for w in whole for part in (w[: len(w) // 2], w[len(w) // 2 :]) if part)
    )
    ours, theirs = recut(reference, halves)
    assert ours.words == theirs.words
    assert covered(ours) == covered(reference)


@pytest.mark.check
@needs_speech
def test_real_annotations_of_other_recordings_are_refused():
    """The time file of one recording is not that of another, and the message says so."""
    grids = [timed(path.parents[1], "align", path.stem) for path in SHOWS]
    for show, grid in zip(SHOWS, grids[1:] + grids[:1], strict=True):
        with pytest.raises(SerevalError, match=r"annotation \(.+\), word \d+: .* s: \".*\[.+\]"):
            time_words(read_annotation(show), grid)


def pairs_of(items):
    return [items[k : k + 2] for k in range(0, len(items), 2)]
