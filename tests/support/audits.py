"""Audits for the tests of their formats, and how others read what is written."""

import tempfile
from pathlib import Path

import textgrid

from sereval import Document, evaluate, tree

CASE_TIMES = ["--align", "align", "--words", "words.ctm", "--tolerance"]
FIGURE_4 = ["audit", "reference", "hypothesis_nothing", *CASE_TIMES, "0.3"]
THROUGH_TIME = ["--align", "data/align", "--words", "data/asr", "--tolerance", "0.3"]


def everything(*_):
    return True


def of_one(name, system, tolerance="0.3"):
    """What scores one bundled recording through time, run from the top of the project."""
    times = ["--align", f"data/align/{name}.TextGrid", "--words", f"data/asr/{name}.ctm"]
    return [
        f"data/ref/{name}.ne", f"data/hyp/{system}/asr/{name}.ne", *times, "--tolerance", tolerance
    ]  # fmt: skip


def hostile(text):
    """An evaluation in which id, words and labels are a text."""
    words, times = (text, text), ((0, 100), (100, 250))
    reference = Document(text, words, tree([(text, 0, 2), (text, 0, 1)]), times)
    hypothesis = Document(text, words, tree([(text, 1, 2)]), times)
    return evaluate([reference], [hypothesis], tolerance=0.01)


# --- TextGrids ------------------------------------------------------------------------------------


def tiers_by_textgrid(text):
    """Tiers as the textgrid package reads them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.TextGrid")
        file.write_text(text, "utf-8")
        grid = textgrid.TextGrid.fromFile(str(file))
    return [(tier.name, [(i.minTime, i.maxTime, i.mark) for i in tier]) for tier in grid]


def tiers_by_praatio(text):
    """Tiers as praatio reads them."""

    from praatio import textgrid as praatio

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.TextGrid")
        file.write_text(text, "utf-8")
        grid = praatio.openTextgrid(str(file), includeEmptyIntervals=True)
    return [
        (name, [(e.start, e.end, e.label) for e in grid.getTier(name).entries])
        for name in grid.tierNames
    ]
