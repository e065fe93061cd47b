"""Writers: what is not said to be lost is read back, on any document and on the shared corpora."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA
from strategies import TEXTS, documents, fuzzy, references

from sereval.documents.tags import WRITABLE
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.formats import FORMATS, WRITERS, read
from sereval.formats.annotated import CAPITALS, INSIDE
from sereval.formats.build import (
    MOMENTS,
    PLACES,
    SHOWN,
    UNPLACEABLE,
    UTTERANCES,
    too_long,
)
from sereval.formats.subtitles import OVERLAPS
from sereval.formats.table import PARTS
from sereval.integrations.documents import files_of
from sereval.mapping.best import upper_bound
from sereval.projection import place

pytestmark = pytest.mark.check

TIMES, ELEMENTS, _, ALTERNATIVES, BREAKS = PARTS.values()


HOLDABLE = st.sampled_from(
    ["a", "Dol", "<b>", "</b>", "&lt;", "&", "AT&T", '"', "l'", "x.y", "O", "B-a", "I-a", "-"]
    + ["#", "_", "*", ";;", "T1", "é", "e\u0301", "𝄞", "<unk>", "sp2", "\u200d", "日本", "S-a"]
)
NAMES = st.sampled_from(["a", "pers.ind", "x-y", "B-a", "O", "_", "é", "a:b"])


TIMED = ("textgrid", "ctm", "stm", "seglst", "webvtt", "subrip")
"""Formats that hold words with times only."""
HOLDS_TIMES = ("native", *TIMED)


def read_back(written):
    """The document of files that were written."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix, text in written.files.items():
            data = text if isinstance(text, bytes) else text.encode("utf-8")
            Path(folder, f"d{suffix}").write_bytes(data)
        [suffix] = [writer.suffix for writer in WRITERS.values() if writer.suffix in written.files]
        # WebVTT has times of words, which the policy would leave out
        policies = {} if suffix == ".vtt" else {"times": "none"}
        [document] = read(Path(folder, f"d{suffix}"), policies=policies)
    return document


def lost_of(written):
    return {note.what: note.count for note in written.lost}


def without(document, lost):
    """The document without what is said to be lost."""
    if lost.get(SHOWN) or lost.get(ELEMENTS):
        document = replace(document, elements=())
    if lost.get(ALTERNATIVES):
        document = replace(document, alternatives=())
    if lost.get(TIMES) or lost.get(UTTERANCES):
        document = replace(document, times=None)
    if lost.get(MOMENTS):
        times = tuple((start, max(end, start + 1)) for start, end in document.times)
        document = replace(document, times=times)
    if lost.get(CAPITALS):
        document = replace(document, words=tuple(word.lower() for word in document.words))
    if lost.get(OVERLAPS):
        ends = [max(end, start + 1) for start, end in document.times]
        cut = (k for k in range(1, len(ends)) if document.times[k][0] < ends[k - 1])
        document = replace(document, breaks=tuple(sorted({*document.breaks, *cut})))
    if lost.get(BREAKS):
        inside = {k for e in document.elements for k in range(e.start + 1, e.end)}
        kept = tuple(k for k in document.breaks if k not in inside)
        is_none_kept = lost[BREAKS] == len(document.breaks)
        document = replace(document, breaks=() if is_none_kept else kept)
    return document


def placed(reference):
    """A fuzzy reference whose elements all have a place."""
    return place(replace(reference, id="d"), unplaceable="drop")


def test_every_writer_has_a_reader():
    """What is written can be read, under the same name and suffix."""
    for name, writer in WRITERS.items():
        assert writer.suffix.lower() in FORMATS[name].suffixes


@pytest.mark.parametrize("format", [name for name in WRITERS if name != "aref"])
@given(document=documents(HOLDABLE, NAMES), is_timed=st.booleans())
def test_what_is_not_lost_is_read_back(format, document, is_timed):
    """Any document is read back as it was written, but for what is said to be lost."""
    document = replace(document, id="d")
    if not is_timed and format not in TIMED:
        document = replace(document, times=None)
    try:
        written = files_of(document, format)
    except SerevalError:
        is_tagged = format == "subrip" and not {"<b>", "</b>"}.isdisjoint(document.words)
        assert not document.words or is_tagged or (format in TIMED and not is_writable(document))
        return
    lost = lost_of(written)

    assert without(document, lost) == read_back(written)
    if document.times is not None:
        assert lost.get(TIMES, 0) == (0 if format in HOLDS_TIMES else len(document.words))


@pytest.mark.parametrize("tags", WRITABLE)
@given(document=documents(HOLDABLE, NAMES))
def test_columns_of_every_scheme(tags, document):
    """Trees are levels of columns: they are read back whole, and their tags in their own scheme."""
    document = replace(document, id="d", times=None)
    if not document.words:
        return
    written = files_of(document, "columns", tags=tags)
    back = read_back(written)

    assert without(document, lost_of(written)) == back
    told = [note.what for note in back.notes]
    assert [what for what in told if "tags read" in what and tags.upper() not in what] == []
    assert [what for what in told if "not allow" in what] == []


@pytest.mark.parametrize("tags", WRITABLE)
@given(document=documents(HOLDABLE, NAMES))
def test_tags_beside_words(tags, document):
    """Tags in one list are read back as the elements that are in no other."""
    document = replace(document, id="d", times=None)
    if not document.words:
        return
    written = files_of(document, "tokens", tags=tags)
    lost = lost_of(written)
    outer = tuple(element for element in document.elements if element.parent is None)

    assert len(document.elements) - len(outer) == lost.get(INSIDE, 0)
    expected = replace(without(document, lost), elements=outer)
    assert expected == read_back(written)


def is_writable(document):
    """Whether formats of words with times can have those of a document."""
    times = document.times
    return times is not None and times[0][0] >= 0 and not too_long(times, document.words)


@pytest.mark.parametrize("format", WRITERS)
@given(document=documents(HOLDABLE | TEXTS, NAMES | TEXTS) | references())
def test_written_or_refused(format, document):
    """Whatever a document holds, it is written and can be read, or it is refused."""
    try:
        written = files_of(replace(document, id="d"), format)
    except SerevalError:
        return
    assert read_back(written).words == without(document, lost_of(written)).words


@given(fuzzy())
def test_fuzzy_references_in_aref(pair):
    """A fuzzy reference in aref keeps its elements, their candidates and the tree."""
    reference = placed(pair[0])
    if not reference.words:
        return
    written = files_of(reference, "aref")
    back = read_back(written)
    elements = tuple(replace(e, strict=None, labels=e.labels[:1]) for e in reference.elements)

    assert replace(reference, elements=elements, unplaceable=(), times=None, projection="") == back
    assert lost_of(written).get(UNPLACEABLE, 0) == len(reference.unplaceable)


@given(fuzzy())
def test_fuzzy_references_at_one_place(pair):
    """In a format of exact elements a fuzzy reference is what a perfect tagger would find."""
    reference = placed(pair[0])
    if not reference.words:
        return
    assert reference == read_back(files_of(reference, "native"))

    written = files_of(reference, "brat")
    back = read_back(written)
    assert upper_bound(reference).elements == back.elements
    assert lost_of(written).get(PLACES, 0) == sum(
        len(e.starts) > 1 or len(e.ends) > 1 for e in reference.elements
    )


# --- the command ---------------------------------------------------------------------------------


# --- real data -----------------------------------------------------------------------------------


def figures(references, hypotheses, **settings):
    evaluation = evaluate(references, hypotheses, **settings)
    return evaluation.counts, evaluation.labels


def through(documents, format, folder):
    """Documents written in a format and read again, with the names they had."""
    folder.mkdir()
    for k, document in enumerate(documents):
        for suffix, text in files_of(document, format).files.items():
            (folder / f"{k:04}{suffix}").write_text(text, "utf-8")
    found = read(folder, format=format)
    return [replace(new, id=old.id) for new, old in zip(found, documents, strict=True)]


def test_scores_do_not_hang_on_the_format(tmp_path):
    """The demo corpus has the same score in every format that holds trees."""
    reference, hypothesis = read(DATA / "ref"), read(DATA / "hyp" / "gazetteer" / "manual")
    expected = figures(reference, hypothesis)
    for format in ("native", "inline", "brat", "aref"):
        ours = through(reference, format, tmp_path / f"ref-{format}")
        theirs = hypothesis
        if format != "aref":
            theirs = through(hypothesis, format, tmp_path / f"hyp-{format}")
        assert expected == figures(ours, theirs)
