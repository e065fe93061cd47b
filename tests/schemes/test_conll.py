"""The scheme conll and columns of tags: conlleval's figures, its layout, and how tags are read.

``columns/conlleval/`` has files of three columns and what conlleval (version of 2004-01-26) prints
for them, which no hand has counted: they are no case folders. ``columns/tables`` belongs to
``test_evalita``.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import CASES as PACKAGED
from paths import TESTS
from tables import tables

from sereval.documents.model import Document, Element, Reference, tree
from sereval.documents.tags import (
    Phrase,
    Tags,
    detect,
    document_of_tags,
    flat,
    misplaced,
    phrases,
    split,
)
from sereval.errors import InputError, SerevalError
from sereval.evaluation.settings import Settings
from sereval.formats import ReadingOptions, read
from sereval.formats.columns import read_columns
from sereval.formats.file import File
from sereval.measures.figures import Figure
from sereval.schemes.conll import conll, conlleval
from sereval.schemes.conlleval import layout
from sereval.schemes.result import SchemeScore

TABLES = tables(__file__)

CASES = TESTS / "schemes" / "columns"
APPENDIX = PACKAGED / "evalita_appendix"
PRINTED = sorted((CASES / "conlleval").glob("*.columns"))


def columns(tags, breaks=(), scheme="conlleval", id="d"):
    """A document of tags, on words of no interest."""
    tags = tuple(tags.split())
    return document_of_tags(id, [f"w{k}" for k in range(len(tags))], Tags(tags, breaks, scheme))


def from_file(text, name="d.iob", **policies):
    """The document of a file of columns."""
    options = ReadingOptions(policies=tuple(policies.items()))
    [(_, document)] = read_columns(File(name, text=text, options=options))
    return document


def scored(*pairs, elements=None):
    """The score of pairs of documents."""
    return conll(Settings(elements=elements)).of(pairs)


def score(reference, hypothesis, scheme="conlleval"):
    """Figure ``type`` and correct tokens of one pair of columns."""
    result = scored((columns(reference, scheme=scheme), columns(hypothesis, scheme=scheme)))
    return result.total.get("type", Figure()), result.tokens["d"].cor


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
        "conll",
        {"d": {"NP": {"type": phrases_of_all}}},
        tokens={"d": Figure(cor=842, inc=961 - 842)},
    )

    assert [
        "processed 961 tokens with 459 phrases; found: 539 phrases; correct: 371.",
        "accuracy:  87.62%; precision:  68.83%; recall:  80.83%; FB1:  74.35",
        "               NP: precision:  68.83%; recall:  80.83%; FB1:  74.35  539",
    ] == layout(published)


def test_nothing_at_all():
    """Without tokens conlleval prints one line; our own rates are undefined, not 0."""
    result = scored((columns(""), columns("")))

    assert "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0." == layout(result)[0]
    assert result.accuracy is None
    assert result.total == {}


def test_all_outside():
    """Where nobody has a phrase, conlleval prints 0.00 and the rates are undefined."""
    result = scored((columns("O O"), columns("O O")))

    assert (
        "accuracy: 100.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00" in layout(result)[1]
    )
    assert Figure().f() is None


def test_documents_are_parted():
    """A phrase never goes on from one document, or one sentence, to the next."""
    tags = columns("I-X I-X", breaks=(1,))
    pairs = [(tags, tags), (columns("I-X", id="e"), columns("I-X", id="e"))]

    assert Figure(cor=3) == scored(*pairs).total["type"]


# --- where conlleval and other scorers part ------------------------------------------------------


def test_iobes_that_is_not_ended_is_not_lost():
    """An entity of IOBES without its end is scored, and noted."""
    reference, hypothesis = columns("B-X I-X O", scheme="iobes"), columns("O O O", scheme="iobes")
    result = scored((reference, hypothesis))

    assert Figure(mis=1) == result.total["type"]
    assert [
        "Tags of the reference that its scheme does not allow where they stand: 1, the first I-X "
        "at word 1 of d; scored as conlleval reads them."
    ] == list(result.notes)


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
    # a phrase that begins though none has ended swallows the one it is in: conlleval's way
    ("B-X ]-X", "B-X ]-X", "conlleval", (1, 1, 1), 2),
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


@given(TAGS, TAGS)
def test_correct_are_those_that_both_have(ours, theirs):
    """Over B, I and O, the correct phrases are those of both sides."""
    n = min(len(ours), len(theirs))
    tally = conlleval(ours[:n], theirs[:n])

    assert set(tally.correct) == set(tally.reference) & set(tally.hypothesis)


def test_columns_of_different_length():
    """Two columns of tags are as long as each other."""
    with pytest.raises(SerevalError, match="1 tags against 2, expected as many"):
        conlleval(["O"], ["O", "O"])


# --- documents -----------------------------------------------------------------------------------

NESTED = Document(
    "d",
    ("Jacques", "Chirac", "Paris"),
    tree([("pers", 0, 2), ("name.first", 0, 1), ("name.last", 1, 2), ("loc", 2, 3)]),
)


def test_trees_are_refused():
    """An element inside another is named, and what can be done about it."""
    with pytest.raises(SerevalError) as caught:
        scored((NESTED, NESTED))

    assert str(caught.value) == (
        "d: element name.first [0, 1) is inside pers [0, 2), and a column holds no trees, "
        "expected a choice of elements (--elements): outermost or innermost"
    )


@pytest.mark.parametrize(
    ("elements", "labels", "left_out"),
    [
        ("outermost", ["loc", "pers"], 2),
        ("innermost", ["loc", "name.first", "name.last"], 1),
    ],
)
def test_elements_of_trees(elements, labels, left_out):
    """What is chosen is kept; the number of the other elements is said for each side."""
    result = scored((NESTED, NESTED), elements=elements)

    assert labels == list(result.labels)
    assert result.total["type"].f() == 1
    assert (
        f"Elements of the reference left out of trees: {left_out}.",
        f"Elements of the hypothesis left out of trees: {left_out}.",
    ) == result.notes
    assert f"conll|tags:iob2/iob2|elements:{elements}|version" in str(result.signature)


def test_unknown_elements():
    """There are two choices."""
    with pytest.raises(
        SerevalError, match="elements 'middle', expected one of outermost, innermost"
    ):
        flat(NESTED, "middle")


def test_elements_go_on_over_utterances():
    """An utterance boundary inside an element does not cut it, nor the same element in columns."""
    document = Document("d", ("Dol", "Breton"), (Element("loc", 0, 2),), breaks=(1,))
    tags = document_of_tags("d", document.words, Tags(("B-loc", "I-loc")))
    parted = document_of_tags("d", document.words, Tags(("B-loc", "B-loc"), breaks=(1,)))

    assert Figure(cor=1) == scored((document, tags)).total["type"]
    assert Figure(mis=1, spu=2) == scored((document, parted)).total["type"]


def test_words_that_are_cut_otherwise():
    """Words cut otherwise are brought together; other words are refused."""
    reference = Document("d", ("l'acteur", "Dol"), (Element("loc", 1, 2),))
    hypothesis = document_of_tags("d", ("l'", "acteur", "Dol"), Tags(("O", "O", "B-loc")))
    result = scored((reference, hypothesis))

    assert (Figure(cor=1), Figure(cor=3)) == (result.total["type"], result.tokens["d"])
    with pytest.raises(SerevalError, match="d: the words differ at word 1"):
        scored((reference, document_of_tags("d", ("l'acteur", "Nol"), Tags(("O", "O")))))


def test_fuzzy_references_are_refused():
    """A tag has one place."""
    with pytest.raises(SerevalError, match="d: found a fuzzy reference, expected a document"):
        scored((Reference("d", ()), Document("d", ())))


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

    assert scheme == detect(found.tags.tags)
    assert [] == misplaced(found.tags.tags, (), scheme)
    assert SPELT == found.tags.phrases
    for other, spelling in SPELLINGS.items():
        pair = found, columns(spelling, scheme=other)
        assert Figure(cor=4) == scored(pair).total["type"]


@pytest.mark.parametrize(
    ("scheme", "tags", "wrong", "found"),
    TABLES["ill_formed"],
)
def test_ill_formed_tags(scheme, tags, wrong, found):
    """Ill-formed tags are found, and every one of them is still in a phrase."""
    side = columns(tags, scheme=scheme)

    assert list(wrong) == misplaced(side.tags.tags, (), scheme)
    assert list(found) == side.tags.phrases


def test_breaks_are_edges():
    """A sentence begins and ends as a document does."""
    assert [1] == misplaced(["B-X", "I-X"], (1,), "iob2")
    assert [] == misplaced(["I-X", "I-X"], (1,), "iob1")
    assert [0, 1] == misplaced(["B-X", "E-X"], (1,), "iobes")


@given(TAGS, st.data())
def test_joined_tags_keep_phrases(tags, data):
    """Without its sentences, a document has the same phrases."""
    breaks = data.draw(st.sets(st.integers(1, len(tags) - 1))) if len(tags) > 1 else set()
    side = columns(" ".join(tags), tuple(sorted(breaks)))

    assert side.tags.phrases == phrases(side.tags.joined())


def test_tags_of_another_scheme():
    """A tag that the scheme does not have is refused, and so is an unknown scheme."""
    with pytest.raises(SerevalError, match="word 1 has the tag 'E-X', expected one of iob2"):
        columns("B-X E-X", scheme="iob2")
    with pytest.raises(SerevalError, match="found 'iob3', expected one of iob2, iob1"):
        columns("O", scheme="iob3")
    with pytest.raises(SerevalError, match="d: 1 tags for 2 words"):
        document_of_tags("d", ("a", "b"), Tags(("O",)))


def test_notes():
    """What the reader assumed or passed over stands with the figures."""
    text = "-DOCSTART- O\n\na O\nb I-X\nc B-Y\n"
    gold = from_file(text, "gold.conll")
    found = from_file("a I-X\nb I-X\nc O\n", "found.conll", tags="iob1")

    result = scored((gold, found))

    assert (
        "No tagging scheme named; the tags of the reference are read as IOB2.",
        "Tags of the reference that its scheme does not allow where they stand: 1, the first I-X "
        "at gold.conll:4; scored as conlleval reads them.",
        "The -DOCSTART- lines of the reference part documents and are no tokens; conlleval itself "
        "counts each as a correct token.",
        "Accuracy compares IOB1 with IOB2: tags that begin the same phrase can differ.",
    ) == result.notes
    assert str(result.signature).startswith("conll|tags:iob2/iob1|version:")


# --- files ---------------------------------------------------------------------------------------


def test_tags_of_a_file():
    """A document of columns has its tags and the phrases that they spell."""
    text = (APPENDIX / "reference.iob").read_text("utf-8")
    [document] = read(APPENDIX / "reference.iob")

    assert ("06041609-rttr-16k", 43) == (document.id, len(document.words))
    assert [("ORG", 9, 10), ("PER", 10, 12), ("GPE", 42, 43)] == document.tags.phrases
    assert document == from_file(text.replace(" ", "\t"))


def test_named_scheme():
    """A named scheme goes before what the tags look like, and is held to."""
    text = "a E-X\nb ]-X\n"

    tags = from_file(text, tags="conlleval").tags
    assert ([Phrase("X", 0, 1), Phrase("X", 1, 2)], False) == (tags.phrases, tags.is_detected)
    with pytest.raises(InputError, match=r"d.iob:2: tag '\]-X', expected one of iobes"):
        from_file(text, tags="iobes")


def test_levels_have_no_tags():
    """Columns called levels are read as the tree that they are; one of them is a column of tags."""
    text = "TOKEN\tLEVEL-1\tLEVEL-2\na\tB-X\tO\nb\tI-X\tB-Y\nc\tI-X\tI-Y\n"
    [(_, one)] = read_columns(
        File("d.conll", text=text, options=ReadingOptions(columns=("LEVEL-2",)))
    )

    assert ("O", "B-Y", "I-Y") == one.tags.tags
    assert from_file(text).tags is None


def test_tags_of_other_elements():
    """Where the elements of a document have changed, its tags are not scored any more."""
    document = from_file("a S-X\nb S-X\n")
    other = replace(document, elements=(Element("Y", 0, 2),))

    assert Figure(cor=2) == scored((document, document)).total["type"]
    assert Figure(cor=1) == scored((other, other)).total["type"]
    assert "|tags:iob2/iob2|" in str(scored((other, other)).signature)
