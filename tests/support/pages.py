"""Evaluations that are shown as pages, and how a test reads a page in a browser."""

import json
import shutil
import time
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from paths import DATA, TESTS

from sereval import (
    Document,
    Reference,
    ReferenceElement,
    blame,
    evaluate,
    read,
    time_words,
    tree,
)
from sereval.analysis.resampling import Resampling
from sereval.evaluation.evaluate import ByWords
from sereval.labels.grammar import load_grammar
from sereval.report.cases import NAMES
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
        options = {"tolerance": 0.3, **options}
    return evaluate(references, hypotheses, grammar=load_grammar("quaero"), **options)


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
        tolerance=0.2,
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
    return evaluate([reference], [nothing], tolerance=0.1, unplaceable="miss")


EVALUATIONS = {
    "asr": demo,
    "manual": lambda: demo(words="manual"),
    "merge": lambda: demo(unplaceable="merge", tolerance=0.05),
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
    return render(scored(name), most_documents=0 if split else 1000)


RESAMPLING = Resampling(resamples=20)


@cache
def blamed():
    """The blame of a system of the demo on some of the documents, and its score."""

    def texts(folder, suffix):
        return [one for id in DOCUMENTS for one in read(DATA / folder / f"{id}{suffix}")]

    references = [*map(time_words, texts("ref", ".ne"), texts("align", ".TextGrid"))]
    found = [*map(time_words, texts("hyp/gazetteer/asr", ".ne"), texts("asr", ".ctm"))]
    manual = texts("hyp/gazetteer/manual", ".ne")
    of_both = blame(references, manual, found, tolerance=0.3)
    return of_both, evaluate(references, found, tolerance=0.3, unplaceable="miss")


@cache
def blame_pages(*, split=False):
    """The files of its page."""
    own, score = blamed()
    most = 0 if split else 1000
    return render(score, blame=own, resampling=RESAMPLING, most_documents=most)


# --- without a browser ---------------------------------------------------------------------------


class Node:
    """A tag, with what is in it."""

    def __init__(self, tag, attributes=()):
        self.tag, self.attributes, self.inside = tag, dict(attributes), []

    def has(self, name, word):
        """Whether an attribute has this among its words."""
        return word in (self.attributes.get(name) or "").split()

    @property
    def every(self):
        """All tags inside, at any depth, in order."""
        for child in self.tags:
            yield child
            yield from child.every

    def all(self, tag, kind=None):
        """Tags of a name, of a class if one is given."""
        return [
            one for one in self.every if one.tag == tag and (not kind or one.has("class", kind))
        ]

    def values(self, name):
        """The values of an attribute, wherever it stands."""
        return [one.attributes[name] for one in self.every if name in one.attributes]

    @property
    def documents(self):
        """The data of each document, with its anchor."""
        articles = self.all("article", "document")
        return {one.attributes["id"]: json.loads(one.all("script")[0].text) for one in articles}

    @property
    def cases(self):
        """The cases of all documents, in order."""
        return [
            case_of(slug, data, row)
            for slug, data in self.documents.items()
            for row in data["views"][0]["cases"]
        ]

    @property
    def entries(self):
        """The anchor and the class of each case."""
        return [(case.anchor, case.letter) for case in self.cases]

    @property
    def tags(self):
        return [child for child in self.inside if isinstance(child, Node)]

    @property
    def text(self):
        parts = (child.text if isinstance(child, Node) else child for child in self.inside)
        return "".join(parts).strip()


class PageCase(NamedTuple):
    """A case in the data of a page."""

    anchor: str
    letter: str
    cost: str
    why: str
    is_lost: bool
    badge: list
    labels: tuple
    """The numbers of the labels of each side; ``None``: no element on that side."""


def case_of(slug, data, row):
    """A case from its list, whose default values at the end are left out."""
    position, answer = row
    given = answer if isinstance(answer, list) else [answer]
    index, number, cost, why, is_lost, badge = [*given, *(None, 0, "0", "", 0, None)[len(given) :]]
    reference = None if position < 0 else data["views"][0]["refs"][position]
    hypothesis = None if index < 0 else data["hyps"][0][index]
    name = f"h{index}" if reference is None else f"r{reference[0]}"
    labels = (reference and reference[1], hypothesis and hypothesis[0])
    letter = list(NAMES)[number]
    return PageCase(f"{slug}-{name}", letter, cost, why, bool(is_lost), badge, labels)


class Reader(HTMLParser):
    """Reads a page as a tree of tags, and checks that it is one."""

    VOID = ("meta", "link", "input", "br", "img", "hr")

    def __init__(self, text):
        super().__init__()
        self.open = [Node("page")]
        self.feed(text)
        self.close()
        [self.root] = self.open

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in self.VOID:
            self.open.append(self.open[-1].inside[-1])

    def handle_startendtag(self, tag, attributes):
        node = Node(tag, attributes)
        assert len(node.attributes) == len(attributes)
        self.open[-1].inside.append(node)

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag, self.getpos()

    def handle_data(self, data):
        self.open[-1].inside.append(data)


def tree_of(text):
    """A page as a tree of tags."""
    return Reader(text).root


# --- in a browser --------------------------------------------------------------------------------

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--disable-dev-shm-usage", "--disable-sync",
             "--no-first-run"]  # fmt: skip
PATIENCE = 600
"""Seconds after which a page hangs: more than any machine makes it wait."""


def script(name):
    """A function in JavaScript by which a test looks at a page or acts on it."""
    return (TESTS / "report" / "scripts" / f"{name}.js").read_text("utf-8")


def until(page, condition):
    """Wait; the driver's own way of waiting needs `eval`, which the page's policy forbids."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(10)


def ready(page):
    """Wait for the script of a page with documents, which starts after the first paint."""
    until(page, "!document.querySelector('#tools') || 'ready' in document.documentElement.dataset")


def draw(page):
    """Draw all documents, as before printing."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def follow(page, link):
    """Click on a link, and wait until the page that it leads to is there."""
    with page.expect_navigation():
        link.click()
    ready(page)


def address(page):
    """Where a page says that it is; the driver hears of it later."""
    return page.evaluate("location.href")
