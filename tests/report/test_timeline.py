"""The time line of a page: what is drawn goes by the words, not by how long they last."""

import pytest

from sereval import Document, evaluate, tree
from sereval.analysis.audit import audit
from sereval.report.page import render
from sereval.report.page.timeline import TimeLine

DAY = 86_400_000


def scored(*times):
    """A document of one element, with the same times on both sides."""
    words = tuple(f"w{k}" for k in range(len(times)))
    document = Document("d", words, tree([("loc", len(words) - 1, len(words))]), times)
    return evaluate([document], [document], tolerance=300)


def pieces(*times):
    """What is drawn of it, from left to right."""
    [document] = audit(scored(*times))
    return [piece for line in TimeLine(document, "d").lines() for piece in line.pieces]


def axis(*times):
    """Its ticks and its folds."""
    drawn = pieces(*times)
    ticks = [(tick.x, tick.text) for piece in drawn for tick in piece.ticks]
    return ticks, [(fold.x, fold.lasts) for piece in drawn for fold in piece.folds]


@pytest.mark.parametrize("lasts", [10_000 * DAY, 10**15])
def test_a_drawing_does_not_grow_with_its_silence(lasts):
    """Words a life apart are drawn as those a day apart: with as much, in as much room."""
    near, far = (pieces((0, 400), (start, start + 500)) for start in (DAY, lasts))
    assert [piece.width for piece in near] == [piece.width for piece in far]
    assert [len(piece.ticks) for piece in near] == [len(piece.ticks) for piece in far] == [3]


def test_a_drawing_does_not_grow_with_a_word():
    """A word that lasts days takes the room of one that is said."""
    said, lasting = (pieces((0, 400), (500, end)) for end in (900, 10_000 * DAY))
    assert sum(piece.width for piece in said) >= sum(piece.width for piece in lasting)
    assert sum(len(piece.ticks) for piece in lasting) == 3


def test_a_long_silence_is_marked():
    """The axis is broken in the middle of it, and its ticks are where words are."""
    start = DAY + 250
    ticks, folds = axis((0, 400), (start, start + 800))
    [word, other] = [word for piece in pieces((0, 400), (start, start + 800))
                     for word in piece.hypothesis_words]  # fmt: skip
    [(x, lasts)] = folds
    assert lasts == "1440:00"
    assert word.x + word.width < x < other.x
    assert [text for _, text in ticks] == ["0:00", "", "1440:01"]
    assert not any(word.x + word.width < x < other.x for x, _ in ticks)


def test_a_silence_under_a_minute_is_none_to_mark():
    """It has ticks, and the axis goes on."""
    for start, are_folded in ((60_399, False), (60_400, True)):
        ticks, folds = axis((0, 400), (start, start + 500))
        assert bool(folds) is are_folded
        assert (len(ticks) > 3) is not are_folded


def test_the_page_says_how_long_a_fold_is():
    """The mark has it as its title."""
    text = render(scored((0, 400), (DAY, DAY + 500)))["index.html"]
    assert text.count('class="fold"') == 1
    assert "<title>1440:00 not drawn in full</title>" in text


def test_without_times_nothing_is_folded():
    """The places of words stand for none."""
    words = ("w",) * 200
    document = Document("d", words, tree([("loc", 0, 150)]))
    [shown] = audit(evaluate([document], [document]))
    drawn = [piece for line in TimeLine(shown, "d").lines() for piece in line.pieces]
    assert not any(piece.folds or piece.ticks for piece in drawn)
