"""The scheme evalita2011: every example and table of the guidelines, splits, and the upper bound.

Each folder ``cases/evalita_*`` is a case folder (``case_folders``) with a reference and hypotheses.
The aligned files of ``columns/tables`` are what ``sereval score`` writes and not what it reads, so
no command goes with them; their ``figures`` have a line for each with correct / in the reference /
found entities, by type and by type+content, and the tokens with the same tag / all rows. All
figures follow from the guidelines and were counted by hand.
"""

from pathlib import Path

import pytest
from case_folders import commands
from hypothesis import given
from hypothesis import strategies as st
from paths import TESTS

from sereval.documents.model import Document, tree
from sereval.documents.tags import Aligned, Columns, Row
from sereval.errors import InputError, SerevalError
from sereval.formats import read, read_columns
from sereval.formats.columns import parse_aligned, write_aligned
from sereval.formats.source import Source
from sereval.measures.figures import Figure
from sereval.report.conlleval import render
from sereval.schemes.conll import conll
from sereval.schemes.evalita import Split, align, evalita, score_aligned, shifted

TABLES = sorted((TESTS / "schemes/columns/tables").glob("*.aligned"))
FOLDERS = [*sorted((TESTS / "cases").glob("evalita_*")), TESTS / "schemes/columns/tables"]


def case(name):
    """The folder of one of ``FOLDERS``."""
    [folder] = (path for path in FOLDERS if path.name.removeprefix("evalita_") == name)
    return folder


def lines(folder):
    """Each hypothesis of a case, or each table, with its figures."""
    if (folder / "args").exists():
        return [(Path(c.split()[2]).stem, as_shares(figures)) for c, figures in commands(folder)]
    found = []
    for line in (folder / "figures").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, *figures = line.split()
            found.append((name, dict(zip(figures[::2], figures[1::2], strict=True))))
    return found


def as_shares(figures):
    """The figures of a case as those of the tables are written."""
    shares = {"tokens": figures["accuracy"]}
    for name, key in (("type", "type"), ("content", "type+content")):
        cor, mis, spu = (int(figures.get(f"{key}.{count}", 0)) for count in ("COR", "MIS", "SPU"))
        shares[name] = f"{cor}/{cor + mis}/{cor + spu}"
    return shares


def hand_made():
    return [
        pytest.param(folder, name, figures, id=f"{folder.name}-{name}")
        for folder in FOLDERS
        for name, figures in lines(folder)
    ]


def side(folder, name):
    """One side of a case, from columns or inline, by the name of the case."""
    path = folder / f"{name}.iob"
    if path.exists():
        [found] = read_columns(path)
        return Columns(folder.name, found.words, found.tags)
    [document] = read(folder / f"{name}.ne")
    return Document(folder.name, document.words, document.elements)


def aligned(path):
    return [one for _, one in parse_aligned(Source(path.name, path.stem, path.read_text("utf-8")))]


def scored(folder, name, **options):
    if (folder / f"{name}.aligned").exists():
        return score_aligned(aligned(folder / f"{name}.aligned"), **options)
    return evalita([(side(folder, "reference"), side(folder, name))], **options)


def counts(figure):
    return f"{figure.cor}/{figure.possible}/{figure.actual}"


def figures_of(result):
    total, tokens = result.score.total, result.conll.all_tokens
    return {
        "type": counts(total["type"]),
        "content": counts(total["type+content"]),
        "tokens": f"{tokens.cor}/{tokens.possible}",
    }


def columns(text, tags, id="d"):
    return Columns(id, tuple(text.split()), tuple(tags.split()))


# --- the guidelines ------------------------------------------------------------------------------


def test_there_are_cases():
    """The worked example, table 1, examples 1 to 3 and tables 2 to 7 are all there."""
    assert ["appendix", "example_1", "example_2", "example_3", "table_1", "tables"] == [
        folder.name.removeprefix("evalita_") for folder in FOLDERS
    ]
    assert [1, 5, 6, 4, 1, 6] == [len(lines(folder)) for folder in FOLDERS]


@pytest.mark.parametrize("mode", ["official", "repair"])
@pytest.mark.parametrize(("folder", "name", "figures"), hand_made())
def test_guidelines(folder, name, figures, mode):
    """Every example and table has the guidelines' counts; none of them splits what is found."""
    expected = dict(figures)
    assert expected == figures_of(scored(folder, name, mode=mode))


def test_worked_example():
    """Section 4.3: P 25 %, R 33.33 %, F 28.57 %, accuracy 40/43, in the scorer's layout."""
    folder = case("appendix")
    result = scored(folder, "hypothesis")
    found = result.score.total["type"]

    assert (1 / 4, 1 / 3) == (found.precision, found.recall)
    assert found.f() == pytest.approx(2 * 1 / 4 * 1 / 3 / (1 / 4 + 1 / 3))
    assert 40 / 43 == result.conll.accuracy
    printed = (folder / "printed").read_text("utf-8")
    assert printed == render(result.conll, "type")
    assert f"type\n{printed}\ntype+content\n{printed}" == render(result.conll)
    assert printed == render(conll([(side(folder, "reference"), side(folder, "hypothesis"))]))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_tables_are_aligned_so(path):
    """The two sides of each table, aligned, are the table again, and the file can be written."""
    [table] = aligned(path)
    gold, found = (
        Columns(table.id, tuple(word for word, _ in rows), tuple(tag for _, tag in rows))
        for rows in (
            [(row.reference, row.reference_tag) for row in table.rows if row.reference],
            [(row.hypothesis, row.hypothesis_tag) for row in table.rows if row.hypothesis],
        )
    )

    assert (table, 0) == align(gold, found)
    assert path.read_text("utf-8") == write_aligned(evalita([(gold, found)]).aligned)


def test_examples_are_tables():
    """Table 2 is example 3, hypothesis 3; table 4 is example 2, hypothesis 1."""
    for table, example, name in (
        ("table_2", "example_3", "hyp_3"),
        ("table_4", "example_2", "hyp_1"),
    ):
        expected = (case("tables") / f"{table}.aligned").read_text("utf-8")
        assert expected == write_aligned(scored(case(example), name).aligned)


@pytest.mark.parametrize(
    ("folder", "name", "by_type", "by_content"),
    [
        ("example_3", "hyp_1", "1/1/1", "0/1/1"),  # FIA SPA has both tags
        ("example_3", "hyp_3", "1/1/1", "0/1/1"),  # whatever the system tagged
        ("example_2", "hyp_1", "1/2/1", "1/2/1"),  # no word is left for B
        ("example_2", "hyp_3", "1/2/2", "1/2/2"),  # serie alone is B-ORG
        ("example_2", "hyp_4", "2/2/2", "2/2/2"),  # E is O
        ("tables", "table_6", "0/1/1", "0/1/1"),  # FIASPA is I-ORG after O, one phrase
        ("tables", "table_7", "1/1/1", "0/1/1"),  # AT SPA for FIAT SPA
    ],
)
def test_upper_bound(folder, name, by_type, by_content):
    """Section 2.3: the reference's tags on the aligned words; only the recogniser errs."""
    bound = shifted(scored(case(folder), name))

    found = figures_of(bound)
    assert (by_type, by_content) == (found["type"], found["content"])
    assert "|hypothesis:upper-bound|mode:official|" in str(bound.score.signature)


# --- entities that the alignment splits ----------------------------------------------------------

SPLITS = {
    # the system tagged the inserted word too: the reference has two phrases, both missed
    "inserted_inside": ("serie A", "B I", "serie euh A", "B I I", "0/2/1", "0/1/1", (1, 2), (0, 0)),
    # it left the word out: both pieces are correct, where in truth nothing is
    "inserted_outside": (
        "serie A",
        "B I",
        "serie euh A",
        "B O I",
        "2/2/2",
        "0/1/2",
        (1, 2),
        (0, 0),
    ),
    # a deleted word splits what the system found
    "deleted": ("banca di Roma", "B I I", "banca Roma", "B I", "0/1/2", "0/1/1", (0, 0), (1, 2)),
    # several insertions in one place are one gap, in two places two
    "twice": ("a b c", "B I I", "a x y b z c", "O O O O O O", "0/3/0", "0/1/0", (1, 3), (0, 0)),
    # between entities nothing is split
    "between": ("a b", "B B", "a x b", "B O B", "2/2/2", "2/2/2", (0, 0), (0, 0)),
    # at its edge neither
    "edge": ("a b c", "O B I", "a x b c", "O O B I", "1/1/1", "1/1/1", (0, 0), (0, 0)),
}


@pytest.mark.parametrize("case", SPLITS.values(), ids=SPLITS)
def test_splits(case):
    """Officially an entity with a word of the other side inside is several; repaired it is one."""
    words, tags, heard, found, official, repaired, ours, theirs = case
    tags, found = (re_labelled(text) for text in (tags, found))
    pair = columns(words, tags), columns(heard, found)

    for mode, expected in (("official", official), ("repair", repaired)):
        result = evalita([pair], mode=mode)
        assert expected == counts(result.score.total.get("type", Figure()))
        assert (Split(*ours), Split(*theirs)) == (result.reference_split, result.hypothesis_split)
        assert f"|mode:{mode}|" in str(result.score.signature)


def re_labelled(tags):
    return " ".join(tag if tag == "O" else f"{tag}-ORG" for tag in tags.split())


def test_splits_are_said():
    """How many entities are split is said in either mode, and what the official one makes of it."""
    pair = columns("serie A", "B-ORG I-ORG"), columns("serie euh A", "O O O")

    notes = {mode: evalita([pair], mode=mode).score.notes for mode in ("official", "repair")}

    assert (
        "Words: 2 in the reference, 0 substituted, 0 deleted, 1 inserted.",
        "Phrases of the reference split by inserted words: 1; they count as 2.",
        "Phrases of the hypothesis split by deleted words: 0.",
    ) == notes["official"]
    assert (
        "Phrases of the reference split by inserted words: 1; they would officially count as 2."
        in notes["repair"]
    )


def test_upper_bound_of_a_split():
    """The official method gives the upper bound two correct phrases for one split entity."""
    pair = columns("serie A", "B-ORG I-ORG"), columns("serie euh A", "O O O")

    assert "2/2/2" == figures_of(shifted(evalita([pair])))["type"]
    assert "0/1/2" == figures_of(shifted(evalita([pair], mode="repair")))["type"]


# --- words, files, laws --------------------------------------------------------------------------


def test_words_are_equal_in_lower_case_only():
    """Case makes no difference, an apostrophe does."""
    pair = columns("Dall' FIAT", "O B-ORG"), columns("dall fiat", "O B-ORG")
    [document] = evalita([pair]).aligned

    assert ["S", ""] == [row.error for row in document.rows]


def test_punctuation_is_a_word():
    """The guidelines pass over no token, so neither does the alignment."""
    [document] = evalita([(columns("a , b", "O O O"), columns("a b", "O O"))]).aligned

    assert ["", "D", ""] == [row.error for row in document.rows]


def test_sentences_are_joined():
    """Where a side has sentences, an entity that begins one is still one of its own."""
    gold = Columns("d", ("a", "b"), ("I-X", "I-X"), breaks=(1,), scheme="iob1")
    found = columns("a b", "B-X B-X")

    assert "2/2/2" == figures_of(evalita([(gold, found)]))["type"]


def test_trees_need_a_choice():
    """A tree is refused, or its outermost elements are scored."""
    nested = Document("d", ("FIAT", "SPA"), tree([("ORG", 0, 2), ("kind", 1, 2)]))

    with pytest.raises(SerevalError, match="element kind .* is inside ORG"):
        evalita([(nested, nested)])
    result = evalita([(nested, nested)], elements="outermost")
    assert ["ORG"] == list(result.score.labels)
    assert "|elements:outermost|" in str(result.score.signature)


def test_unknown_mode():
    """A mode is one of two."""
    with pytest.raises(SerevalError, match="mode 'mended', expected one of official, repair"):
        score_aligned([], mode="mended")


INVALID = {
    "a\tO\t\ta\n": "a:1: columns: found 4, expected five with a tab between them: word, tag",
    "a\tO\t\tb\tO\n": "a:1: error '' between the words 'a' and 'b', expected 'S'",
    "\n\na\tO\tX\ta\tO\n": "a:3: error 'X' between the words 'a' and 'a', expected ''",
    "\tB-X\tI\ta\tO\n": "a:1: tag 'B-X' without a word, expected O",
    "\tO\t\t\tO\n": "a:1: no word on either side",
    "a\t\tD\t\tO\n": "a:1: a tag is empty, expected O where no word is",
}


@pytest.mark.parametrize(("text", "message"), INVALID.items())
def test_aligned_files_are_checked(text, message):
    """A row that contradicts itself is refused with its line."""
    with pytest.raises(InputError) as caught:
        parse_aligned(Source("a", "a", text))
    assert str(caught.value).startswith(message)


def test_aligned_documents_are_checked():
    """A row that contradicts itself is refused when it is made, too."""
    with pytest.raises(SerevalError, match="d: row 0: error 'S' between"):
        Aligned("d", (Row("a", "O", "S", "a", "O"),))


def test_words_that_a_file_cannot_hold():
    """A tab inside a word would be the end of its column."""
    with pytest.raises(SerevalError, match=r"d: 'a\\tb' holds a tab or a line end"):
        write_aligned([Aligned("d", (Row("a\tb", "O", "D", "", "O"),))])


TEXT = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("BIO")), max_size=7)


def drawn(rows, id="d"):
    """Words with well-formed tags of IOB2 in one label."""
    tags, before = [], "O"
    for _, tag in rows:
        before = "B" if tag == "I" and before == "O" else tag
        tags.append(before)
    return columns(" ".join(word for word, _ in rows), re_labelled(" ".join(tags)), id)


@given(TEXT, TEXT)
def test_laws(ours, theirs):
    """Content is harder than type; repair keeps every entity whole; files keep every row."""
    pair = drawn(ours), drawn(theirs)
    official, repaired = (evalita([pair], mode=mode) for mode in ("official", "repair"))
    either = [result.score.total.get("type", Figure()) for result in (official, repaired)]
    content = [result.score.total.get("type+content", Figure()) for result in (official, repaired)]

    assert all(hard.cor <= easy.cor for hard, easy in zip(content, either, strict=True))
    assert (len(pair[0].phrases), len(pair[1].phrases)) == (either[1].possible, either[1].actual)
    split = official.reference_split, official.hypothesis_split
    assert either[0].possible == either[1].possible + split[0].pieces - split[0].phrases
    assert either[0].actual == either[1].actual + split[1].pieces - split[1].phrases
    assert official.conll.tokens == repaired.conll.tokens
    text = write_aligned(official.aligned)
    assert [one.rows for one in official.aligned if one.rows] == [
        one.rows for _, one in parse_aligned(Source("a", "a", text))
    ]


@given(TEXT)
def test_same_words_are_conll(rows):
    """On the same words, the scheme is conll, whatever the mode."""
    gold, found = (
        drawn(rows),
        drawn([(word, tag) for (word, _), tag in zip(rows, "BOIBOIB", strict=False)]),
    )
    expected = conll([(gold, found)])

    for mode in ("official", "repair"):
        assert render(expected) == render(evalita([(gold, found)], mode=mode).conll, "type")
