"""The scheme evalita2011: every example and table of the guidelines, splits, and the upper bound.

Each case ``evalita_*`` of the package has a reference and hypotheses.
The aligned files of ``columns/tables`` are what ``sereval score`` writes and not what it reads, so
no command goes with them; their ``figures`` have a line for each with correct / in the reference /
found entities, by type and by type+content, and the tokens with the same tag / all rows. All
figures follow from the guidelines and were counted by hand.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import CASES, TESTS
from sessions import by_hand
from strategies import tagged
from tables import tables

from sereval.cli.prove import CASES as PACKAGED
from sereval.evaluation.settings import Settings
from sereval.formats import read
from sereval.schemes.conll import aligned_file, conll, evalita
from sereval.schemes.result import Figure, layout

WORKED = tables(__file__)

CASES_BY_HAND = by_hand(PACKAGED)
TABLES = sorted((TESTS / "schemes/columns/tables").glob("*.aligned"))
FOLDERS = [*sorted(CASES.glob("evalita_*")), TESTS / "schemes/columns/tables"]


def case(name):
    """The folder of one of ``FOLDERS``."""
    [folder] = (path for path in FOLDERS if path.name.removeprefix("evalita_") == name)
    return folder


def lines(folder):
    """Each hypothesis of a case, or each table, with its figures."""
    if own := [case for case in CASES_BY_HAND if case.session == folder.name]:
        return [(Path(case.line.split()[2]).stem, as_shares(case.figures)) for case in own]
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


def columns(text, tags, breaks=(), scheme="iob2"):
    """A document of words and tags."""
    return tagged(text.split(), tags, breaks, scheme)


def sides(folder, name):
    """Both sides of a case, from columns or inline, or of a table, from its aligned file."""
    table = folder / f"{name}.aligned"
    if table.exists():
        rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()]
        return tuple(
            columns(*(" ".join(cells) for cells in zip(*spoken, strict=True)))
            for spoken in ([(row[k], row[k + 1]) for row in rows if row[k]] for k in (0, 3))
        )
    paths = (next(folder.glob(f"{side}.[in]*")) for side in ("reference", name))
    return tuple(replace(document, id="d") for path in paths for document in read(path))


def scored(*pairs, is_bound=False, **options):
    """The score of pairs of documents, with the rows of the aligned file."""
    return evalita(Settings(scheme="evalita2011", is_bound=is_bound, aligned="out", **options)).of(
        pairs
    )


def counts(figure):
    return f"{figure.cor}/{figure.possible}/{figure.actual}"


def figures_of(result):
    tokens = result.tokens
    return {
        "type": counts(result.total["type"]),
        "content": counts(result.total["type+content"]),
        "tokens": f"{tokens.cor}/{tokens.possible}",
    }


def splits(result):
    """How many phrases of either side are split, and into how many pieces, as the notes say."""
    notes = [note for note in result.notes if " split by " in note]
    found = [[int(number) for number in re.findall(r"\d+", note)] for note in notes]
    return tuple((one[0], one[1] if one[0] else 0) for one in found)


# --- the guidelines ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["official", "repair"])
@pytest.mark.parametrize(("folder", "name", "figures"), hand_made())
def test_guidelines(folder, name, figures, mode):
    """Every example and table has the guidelines' counts; none of them splits what is found."""
    expected = dict(figures)
    assert expected == figures_of(scored(sides(folder, name), mode=mode))


def test_worked_example():
    """Section 4.3: P 25 %, R 33.33 %, F 28.57 %, accuracy 40/43, in the scorer's layout."""
    folder = case("appendix")
    pair = sides(folder, "hypothesis")
    result = scored(pair)
    found = result.total["type"]

    assert (1 / 4, 1 / 3) == (found.precision, found.recall)
    assert found.f() == pytest.approx(2 * 1 / 4 * 1 / 3 / (1 / 4 + 1 / 3))
    assert 40 / 43 == result.accuracy
    printed = (folder / "printed").read_text("utf-8")
    assert printed.splitlines() == layout(result, "type")
    assert f"type\n{printed}\ntype+content\n{printed}".splitlines() == layout(result)
    assert printed.splitlines() == layout(conll(Settings(scheme="conll")).of([pair]))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_tables_are_aligned_so(path):
    """The two sides of each table, aligned, are the table again."""
    assert path.read_text("utf-8") == aligned_file(scored(sides(path.parent, path.stem)).documents)


@pytest.mark.parametrize(
    ("folder", "name", "by_type", "by_content"),
    WORKED["bounds"],
)
def test_upper_bound(folder, name, by_type, by_content):
    """Section 2.3: the reference's tags on the aligned words; only the recogniser errs."""
    bound = scored(sides(case(folder), name), is_bound=True)

    found = figures_of(bound)
    assert (by_type, by_content) == (found["type"], found["content"])
    assert "|hypothesis:upper-bound|mode:official|" in str(bound.signature)


# --- entities that the alignment splits ----------------------------------------------------------

SPLITS = WORKED["splits"]


@pytest.mark.parametrize("case", SPLITS.values(), ids=SPLITS)
def test_splits(case):
    """Officially an entity with a word of the other side inside is several; repaired it is one."""
    words, tags, heard, found, official, repaired, ours, theirs = case
    tags, found = (re_labelled(text) for text in (tags, found))
    pair = columns(words, tags), columns(heard, found)

    for mode, expected in (("official", official), ("repair", repaired)):
        result = scored(pair, mode=mode)
        assert expected == counts(result.total.get("type", Figure()))
        assert (ours, theirs) == splits(result)
        assert f"|mode:{mode}|" in str(result.signature)


def re_labelled(tags):
    return " ".join(tag if tag == "O" else f"{tag}-ORG" for tag in tags.split())


# --- words, files, laws --------------------------------------------------------------------------


TEXT = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("BIO")), max_size=7)


def drawn(rows):
    """Words with well-formed tags of IOB2 in one label."""
    tags, before = [], "O"
    for _, tag in rows:
        before = "B" if tag == "I" and before == "O" else tag
        tags.append(before)
    return columns(" ".join(word for word, _ in rows), re_labelled(" ".join(tags)))


@given(TEXT, TEXT)
def test_laws(ours, theirs):
    """Content is harder than type; repair keeps every entity whole; rows have every word."""
    pair = drawn(ours), drawn(theirs)
    official, repaired = (scored(pair, mode=mode) for mode in ("official", "repair"))
    either = [result.total.get("type", Figure()) for result in (official, repaired)]
    content = [result.total.get("type+content", Figure()) for result in (official, repaired)]

    assert all(hard.cor <= easy.cor for hard, easy in zip(content, either, strict=True))
    whole = tuple(len(side.elements) for side in pair)
    assert whole == (either[1].possible, either[1].actual)
    pieces = [found - parted for parted, found in splits(official)]
    assert either[0].possible == either[1].possible + pieces[0]
    assert either[0].actual == either[1].actual + pieces[1]
    assert official.tokens == repaired.tokens
    rows = official.documents[0].rows
    assert pair[0].words == tuple(row[0] for row in rows if row[0])
    assert pair[1].words == tuple(row[3] for row in rows if row[3])


@given(TEXT)
def test_same_words_are_conll(rows):
    """On the same words, the scheme is conll, whatever the mode."""
    gold, found = (
        drawn(rows),
        drawn([(word, tag) for (word, _), tag in zip(rows, "BOIBOIB", strict=False)]),
    )
    expected = conll(Settings(scheme="conll")).of([(gold, found)])

    for mode in ("official", "repair"):
        assert layout(expected) == layout(scored((gold, found), mode=mode), "type")
