"""The drawing of a document: each word, element and candidate has its place."""

import re
from urllib.parse import quote

import pytest
from pages import demo, pages, render, scored, script

from sereval import Document, evaluate, tree
from sereval.analysis.audit import audit
from sereval.evaluation.settings import ByWords
from sereval.report.page.scene import sides

pytestmark = pytest.mark.check

NAMES = ("asr", "merge", "hostile", "fuzzy", "text", "unheard", "silent")

DRAWING = script("drawing")


def drawings(visit, name):
    """The audit of each document of an evaluation, and its pieces as they are drawn."""
    drawn = visit(pages(name)).evaluate(DRAWING)
    documents = list(audit(scored(name)))
    for document in documents:
        stretches = drawn[re.sub(r"[\s%]", lambda found: quote(found[0]), document.id)]
        yield document, [piece for stretch in stretches for piece in stretch["pieces"]]


@pytest.mark.parametrize("name", NAMES)
def test_every_element_is_drawn_once(visit, name):
    """Every row of the audit has its bar, inside its piece, and every word is written."""
    projected = scored(name).settings.is_projected
    for document, pieces in drawings(visit, name):
        words = document.hypothesis_words, document.reference_words
        bars = [(piece, bar) for piece in pieces for bar in piece["bars"]]
        size = len(sides(document)[0])
        rows = [row for row in document.rows if row.span or (row.side == "reference" and size)]
        found = sorted(bar["anchor"].rpartition("-")[2] for _, bar in bars)
        assert found == sorted(f"{row.side[0]}{row.index}" for row in rows)
        for piece, bar in bars:
            assert 0 <= bar["x"]
            assert bar["x"] + bar["width"] <= piece["width"] + 1
            assert 0 <= bar["y"] <= piece["height"]
        rows_of_words = list(zip(*(piece["words"] for piece in pieces), strict=True))
        assert len(rows_of_words) == (1 + projected if pieces else 0)
        for side, row in zip(words, reversed(rows_of_words), strict=False):
            assert [word["text"] for piece in row for word in piece] == list(side.words)


@pytest.mark.parametrize("name", NAMES)
def test_bars_do_not_overlap(visit, name):
    """No two bars of one height overlap."""
    for _, pieces in drawings(visit, name):
        for piece in pieces:
            for height in {bar["y"] for bar in piece["bars"]}:
                level = sorted(
                    (b["x"], b["x"] + b["width"]) for b in piece["bars"] if b["y"] == height
                )
                assert all(e <= x for (_, e), (x, _) in zip(level, level[1:], strict=False))


def places(pieces, row):
    """The place of each word of a row, measured from the left end of the document."""
    left, found = 0, []
    for piece in pieces:
        found += [left + word["x"] for word in piece["words"][row]]
        left += piece["width"]
    return found


def test_words_that_were_aligned_stand_together(visit):
    """Without times, a pair of the alignment begins at one place, and what is alone at none's."""
    settings = scored("text").settings
    drawn = visit(pages("text")).evaluate(DRAWING)["marshall"]
    document = next(document for document in audit(scored("text")) if document.id == "marshall")
    pieces = [piece for stretch in drawn for piece in stretch["pieces"]]
    own, heard = (places(pieces, row) for row in (0, 1))
    sides = document.reference_words, document.hypothesis_words
    paired = []
    for block in settings.through.align_documents(*sides).blocks:
        (i, j), (k, m) = block.ref, block.hyp
        if i < j and k < m:
            paired.append((own[i], heard[k]))
        else:
            assert {*own[i:j]}.isdisjoint(heard)
            assert {*heard[k:m]}.isdisjoint(own)
    assert len(paired) > 150
    assert [x for x, _ in paired] == [x for _, x in paired]
    assert not any(piece["windows"] or piece["axis"] for piece in pieces)
    assert any(piece["marks"] for piece in pieces)
    titles = [stretch["title"].removeprefix("words ").split("–") for stretch in drawn]
    numbers = [n for first, last in titles for n in range(int(first), int(last) + 1)]
    assert numbers == list(range(1, len(heard) + 1))


def test_words_with_times_keep_them(visit):
    """Words that were aligned though they have times stand where they were spoken."""
    timed = demo(tolerance=None, through=ByWords())
    drawn = visit(render(timed)).evaluate(DRAWING)
    for document in audit(timed):
        pieces = [piece for stretch in drawn[document.id] for piece in stretch["pieces"]]
        found = [
            (start, x)
            for side, row in ((document.reference_words, 0), (document.hypothesis_words, 1))
            for (start, _), x in zip(side.times, places(pieces, row), strict=True)
        ]
        assert [x for _, x in sorted(found)] == sorted(x for _, x in found)
        assert all(piece["axis"] for piece in pieces)
        assert not any(piece["windows"] for piece in pieces)


# --- long words and silences ---------------------------------------------------------------------


def axis(visit, *times):
    """The pieces of a document of one element, with the same times on both sides."""
    words = tuple(f"w{k}" for k in range(len(times)))
    document = Document("d", words, tree([("loc", len(words) - 1, len(words))]), times)
    page = visit(render(evaluate([document], [document], tolerance=0.3)))
    return [piece for stretch in page.evaluate(DRAWING)["d"] for piece in stretch["pieces"]]
