"""The scheme conll and columns of tags: conlleval's figures, its layout, and how tags are read.

``columns/conlleval/`` has files of three columns and what conlleval (version of 2004-01-26) prints
for them, which no hand has counted: they are no case folders. ``columns/tables`` belongs to
``test_evalita``.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import TESTS
from strategies import tagged

from sereval.documents.tags import detect, phrases, split
from sereval.evaluation.settings import Settings
from sereval.formats import ReadingOptions
from sereval.formats.columns import read_columns
from sereval.formats.file import File
from sereval.schemes.conll import conll
from sereval.schemes.result import DocumentFigures, Figure, SchemeScore, layout

CASES = TESTS / "schemes" / "columns"
PRINTED = sorted((CASES / "conlleval").glob("*.columns"))


def columns(tags, breaks=(), scheme="conlleval", id="d"):
    """A document of tags, on words of no interest."""
    return tagged((f"w{k}" for k in range(len(tags.split()))), tags, breaks, scheme, id)


def from_file(text, name="d.iob", **policies):
    """The document of a file of columns."""
    options = ReadingOptions(policies=tuple(policies.items()))
    [document] = read_columns(File(name, text=text, options=options))
    return document


def scored(*pairs, elements=None):
    """The score of pairs of documents."""
    return conll(Settings(scheme="conll", elements=elements)).of(pairs)


def score(reference, hypothesis, scheme="conlleval"):
    """Figure ``type`` and correct tokens of one pair of columns."""
    result = scored((columns(reference, scheme=scheme), columns(hypothesis, scheme=scheme)))
    return result.total.get("type", Figure()), result.tokens.cor


# --- conlleval's figures and layout --------------------------------------------------------------


def test_there_are_printed_cases():
    """The files with conlleval's own output are found."""
    assert len(PRINTED) >= 7


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.stem)
def test_same_output_as_conlleval(path):
    """For any tags, well formed or not, the output is conlleval's, byte for byte."""
    text = path.read_text("utf-8")
    without_last = "\n".join(line.rpartition(" ")[0] for line in text.splitlines())
    sides = (from_file(f"-DOCSTART- x\n{side}", tags="conlleval") for side in (without_last, text))

    printed = "".join(f"{line}\n" for line in layout(scored(tuple(sides))))

    assert path.with_suffix(".printed").read_text("utf-8") == printed


def test_published_output():
    """The overall figures published with CoNLL-2000 come out in the published layout."""
    phrases_of_all = Figure(cor=371, mis=459 - 371, spu=539 - 371)
    published = SchemeScore(
        (DocumentFigures("d", {"NP": {"type": phrases_of_all}}, tokens=Figure(cor=842, inc=119)),),
        name="conll",
    )

    assert [
        "processed 961 tokens with 459 phrases; found: 539 phrases; correct: 371.",
        "accuracy:  87.62%; precision:  68.83%; recall:  80.83%; FB1:  74.35",
        "               NP: precision:  68.83%; recall:  80.83%; FB1:  74.35  539",
    ] == layout(published)


# --- where conlleval and other scorers part ------------------------------------------------------


PARTING = [  # the reference, the hypothesis, their scheme; correct, missing, spurious, equal tags
    # I after O begins a phrase; accuracy still compares the tags as they stand
    ("B-PER I-PER O", "I-PER I-PER O", "conlleval", (1, 0, 0), 2),
    # B after O, which IOB1 does not allow, is a phrase on both sides
    ("O B-LOC O", "O B-LOC O", "iob1", (1, 0, 0), 3),
    # conlleval sees no end in E before B, and finds one phrase where IOBES has two
    ("B-M E-M B-M E-M", "B-M I-M I-M E-M", "conlleval", (1, 0, 0), 2),
    ("B-M E-M B-M E-M", "B-M I-M I-M E-M", "iobes", (0, 2, 1), 3),  # in IOB2: B I B I, B I I I
    # only the first hyphen parts prefix and label
    ("B-a-b", "B-a-b", "conlleval", (1, 0, 0), 1),
    ("B-a-b", "B-a", "conlleval", (0, 1, 1), 0),
]


@pytest.mark.parametrize(("reference", "hypothesis", "scheme", "counts", "equal"), PARTING)
def test_where_scorers_part(reference, hypothesis, scheme, counts, equal):
    """Tags that are ill formed, or that the schemes read each in its way."""
    cor, mis, spu = counts
    expected = Figure(cor=cor, mis=mis, spu=spu), equal
    assert expected == score(reference, hypothesis, scheme)


TAGS = st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=1, max_size=9)


def mended(tags):
    """The tags in IOB2: an I that goes on from nothing is a B."""
    found = []
    for before, tag in zip(["O", *tags], tags, strict=False):
        goes_on = before != "O" and split(before)[1] == split(tag)[1]
        found.append(tag if tag[0] != "I" or goes_on else f"B{tag[1:]}")
    return found


@pytest.mark.check
@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=4))
def test_same_figures_as_seqeval(texts):
    """On well-formed IOB2, seqeval in its default mode has the same figures."""
    metrics = pytest.importorskip("seqeval.metrics")
    texts = [tuple(mended(side[: min(map(len, pair))]) for side in pair) for pair in texts]
    pairs = [
        tuple(columns(" ".join(side), scheme="iob2", id=str(k)) for side in pair)
        for k, pair in enumerate(texts)
    ]
    theirs = [list(side) for side in zip(*texts, strict=True)]

    result = scored(*pairs)

    total = result.total.get("type", Figure())
    assert (total.precision or 0) == metrics.precision_score(*theirs, zero_division=0)
    assert (total.recall or 0) == metrics.recall_score(*theirs, zero_division=0)
    assert (total.f() or 0) == pytest.approx(metrics.f1_score(*theirs, zero_division=0))
    assert result.accuracy == metrics.accuracy_score(*theirs)


# --- documents -----------------------------------------------------------------------------------


# --- schemes of tags -----------------------------------------------------------------------------

SPELLINGS = {
    "iob2": "B-X B-X I-X O B-Y I-Y I-Y O B-X",
    "iob1": "I-X B-X I-X O I-Y I-Y I-Y O I-X",
    "iobes": "S-X B-X E-X O B-Y I-Y E-Y O S-X",
    "bilou": "U-X B-X L-X O B-Y I-Y L-Y O U-X",
}
SPELT = [("X", 0, 1), ("X", 1, 3), ("Y", 4, 7), ("X", 8, 9)]


@pytest.mark.parametrize(("scheme", "tags"), SPELLINGS.items())
def test_schemes_spell_the_same(scheme, tags):
    """The same phrases in each scheme are detected, well formed, and the same."""
    found = columns(tags, scheme=scheme)

    assert detect(found.tags.tags) == (scheme, 0)
    assert SPELT == found.tags.phrases
    for other, spelling in SPELLINGS.items():
        pair = found, columns(spelling, scheme=other)
        assert Figure(cor=4) == scored(pair).total["type"]


@given(TAGS, st.data())
def test_joined_tags_keep_phrases(tags, data):
    """Without its sentences, a document has the same phrases."""
    breaks = data.draw(st.sets(st.integers(1, len(tags) - 1))) if len(tags) > 1 else set()
    side = columns(" ".join(tags), tuple(sorted(breaks)))

    assert side.tags.phrases == phrases(side.tags.joined())


# --- files ---------------------------------------------------------------------------------------
