"""Evaluations that are shown as pages, and how a test reads a page in a browser."""

import shutil
import time
from functools import cache

import pytest
from paths import DATA

from sereval import Document, Reference, ReferenceElement, evaluate, read, time_words, tree
from sereval.evaluation.evaluate import ByWords
from sereval.labels.grammar import load
from sereval.report import page as page_report
from sereval.report.page import render

HOSTILE = (
    '"><script>document.title="broken"</script>',
    "</style>",
    "</script><img src=x onerror=\"document.title='broken'\">",
    "{{7*7}}",
    "{% raw %}",
    "l'\"<&",
    "' onmouseover='document.title=1",
    "<!--",
    "javascript:alert(1)",
    "&amp;",
    "😀👩‍👩‍👧",
    "שלום",
    "\u202eback",
    "漢字",
    "\u0301",
    "x" * 300,
)


DOCUMENTS = ("librivox", "marshall", "moonlanding")


def demo(*, words="asr", **options):
    """A system of the demo, scored on some of the documents."""

    def texts(folder, suffix):
        return [document for id in DOCUMENTS for document in read(DATA / folder / f"{id}{suffix}")]

    references, hypotheses = texts("ref", ".ne"), texts(f"hyp/gazetteer/{words}", ".ne")
    if words == "asr":
        times, spoken = texts("align", ".TextGrid"), texts("asr", ".ctm")
        references = list(map(time_words, references, times))
        hypotheses = list(map(time_words, hypotheses, spoken))
        options = {"tolerance": 300, **options}
    return evaluate(references, hypotheses, grammar=load("quaero"), **options)


def aligned(**options):
    """The same through an alignment of the words: neither side has times."""
    ids = (*DOCUMENTS, "berlinwall")  # where some elements have no place by text
    references = [document for id in ids for document in read(DATA / "ref" / f"{id}.ne")]
    found = DATA / "hyp/gazetteer/asr"
    hypotheses = [document for id in ids for document in read(found / f"{id}.ne")]
    return evaluate(references, hypotheses, through=ByWords(), **options)


def unheard():
    """Words without times on one side only, or none at all, brought together by their text."""
    elements = tree([("org", 0, 3), ("loc", 3, 4)])
    words = Document("words", ("New", "York", "Desk", "Dol"), elements, breaks=(3,))
    timed = Document("words", ("Newark",), tree([("org", 0, 1)]), times=((0, 300),))
    pairs = [(words, timed)]
    for id, spoken, heard in (("ref", words.words, ()), ("hyp", (), words.words), ("none", (), ())):
        annotated, found = (tree([("loc", 0, 1)]) if side else () for side in (spoken, heard))
        pairs.append((Document(id, spoken, annotated), Document(id, heard, found)))
    return evaluate(*zip(*pairs, strict=True), through=ByWords(), unplaceable="miss")


def hostile():
    """Words, labels and names that mean something else to a browser."""
    n = len(HOSTILE)
    times = tuple((300 * k, 300 * k + 280) for k in range(n))
    found = [(label, k, k + 1) for k, label in enumerate(HOSTILE)]
    names = [*HOSTILE[:3], "../up", "index", "a", "A"]
    return evaluate(
        [Document(name, HOSTILE, tree(found), times=times) for name in names],
        [Document(name, HOSTILE, tree(found[3:] + [found[0]]), times=times) for name in names],
        tolerance=200,
    )


def fuzzy():
    """A fuzzy reference with an element that has no place, its reasons, and two labels."""
    words = ("du", "Budget", "hier")
    elements = (
        ReferenceElement(("func", "title"), (0,), (2,)),
        ReferenceElement(("kind",), (0,), (1,), 0),
        ReferenceElement(("name",), (0,), (1,), 0),
    )
    return evaluate(
        [Reference("d", words, elements)],
        [Document("d", words, tree([("title", 0, 2), ("name", 2, 3)]))],
    )


def empty():
    """Nothing on either side; words on one, and none at all."""
    words = [Document("none", ()), Document("words", ("a", "b"))]
    return evaluate(words, words)


def silent():
    """A recogniser that heard nothing, and what becomes of the elements."""
    reference = Document("d", ("Dol",), tree([("loc", 0, 1)]), times=((0, 300),))
    nothing = Document("d", (), times=())
    return evaluate([reference], [nothing], tolerance=100, unplaceable="miss")


EVALUATIONS = {
    "asr": demo,
    "manual": lambda: demo(words="manual"),
    "merge": lambda: demo(unplaceable="merge", tolerance=50),
    "hostile": hostile,
    "fuzzy": fuzzy,
    "empty": empty,
    "silent": silent,
    "text": aligned,
    "text miss": lambda: aligned(unplaceable="miss"),
    "unheard": unheard,
}


@cache
def scored(name):
    """One of the evaluations."""
    return EVALUATIONS[name]()


@cache
def pages(name, *, split=False):
    """Its files: one, or many as if it was large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_report, "MOST_DOCUMENTS", 0 if split else 1000)
        return render(scored(name))


# --- in a browser --------------------------------------------------------------------------------

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--disable-dev-shm-usage", "--disable-sync",
             "--no-first-run"]  # fmt: skip
PATIENCE = 600
"""Seconds after which a page hangs: more than any machine makes it wait."""


def until(page, condition):
    """Wait; the driver's own way of waiting needs `eval`, which the page's policy forbids."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(10)


def follow(page, link):
    """Click on a link, and wait until the page that it leads to is there."""
    with page.expect_navigation():
        link.click()


def address(page):
    """Where a page says that it is; the driver hears of it later."""
    return page.evaluate("location.href")
