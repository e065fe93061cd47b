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
from sereval.evaluation.settings import ByWords
from sereval.labels import load_grammar
from sereval.report.page import Extras
from sereval.report.page import pages as files_of

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


def render(score, size=None, **extras):
    """The files of the page of a score, by name."""
    runs = score if isinstance(score, dict) else {"": {"": [score]}}
    return {name: "".join(text) for name, text in files_of(runs, Extras(**extras), size)}


@cache
def pages(name, size=None):
    """Its files: one, or pages of so many documents and an index."""
    return render(scored(name), size)


RESAMPLING = Resampling(resamples=20)


@cache
def blamed():
    """The blame of a system of the demo on some of the documents, and its score."""

    def texts(folder, suffix):
        return [one for id in DOCUMENTS for one in read(DATA / folder / f"{id}{suffix}")]

    references = [*map(time_words, texts("ref", ".ne"), texts("align", ".TextGrid"))]
    found = [*map(time_words, texts("hyp/gazetteer/asr", ".ne"), texts("asr", ".ctm"))]
    manual = texts("hyp/gazetteer/manual", ".ne")
    of_both = blame(references, manual, found, tolerance=0.3, resamples=20)
    return of_both, evaluate(references, found, tolerance=0.3, unplaceable="miss")


@cache
def blame_pages(size=None):
    """The files of its page."""
    own, score = blamed()
    return render(score, size, blames={("", ""): own}, resampling=RESAMPLING)


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
    def tags(self):
        return [child for child in self.inside if isinstance(child, Node)]

    @property
    def text(self):
        parts = (child.text if isinstance(child, Node) else child for child in self.inside)
        return "".join(parts).strip()


class PageCase(NamedTuple):
    """A case in the data of a page: a slot, or an unplaceable element that does not count."""

    anchor: str
    letter: str
    cost: str
    why: str
    is_lost: bool
    labels: tuple
    """The labels of each side; ``None``: no element on that side."""


class Payload:
    """The data of a page: those of all documents, and of each one."""

    def __init__(self, text):
        scripts = tree_of(text).all("script")
        self.lines, self.data = (
            next(one.text for one in scripts if one.has("id", name)) for name in ("lines", "data")
        )
        self.data = json.loads(self.data)
        self.documents = [json.loads(line) for line in self.lines.splitlines()]

    @property
    def cases(self):
        """The cases of the first system, in order."""
        return [case for one in self.documents for case in cases_of(one)]

    @property
    def entries(self):
        """The anchor and the class of each case."""
        return [(case.anchor, case.letter) for case in self.cases]


def cases_of(document):
    """The cases of the first system in the data of a document."""
    refs, hyps = document["refs"], document["hyps"][0]
    its = document["views"][0]["cases"][0]
    for k, (hyp, letter) in enumerate(zip(its["hyps"], its["classes"], strict=True)):
        reference = refs[k] if k < len(refs) else None
        yield PageCase(
            f"{document['id']}-{f'h{hyp}' if reference is None else f'r{reference[0]}'}",
            letter,
            its["costs"].get(str(k), "0"),
            its["whys"].get(str(k), ""),
            k in its["lost"],
            (reference and reference[1], None if hyp < 0 else hyps[hyp][0]),
        )


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
PATIENCE = 60
"""Seconds after which a page hangs: more than any machine makes it wait."""


def script(name):
    """A function in JavaScript by which a test looks at a page or acts on it."""
    return (TESTS / "report" / "scripts" / f"{name}.js").read_text("utf-8")


def until(page, condition):
    """Wait; the driver's own way of waiting needs `eval`, which the page's policy forbids."""
    end = time.monotonic() + PATIENCE
    while not holds(page, condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(10)


def holds(page, condition):
    """Whether something is so on a page; nothing is so on a page that is just being left."""
    from playwright.sync_api import Error  # most tests need no browser

    try:
        return page.evaluate(condition)
    except Error as error:
        if "context was destroyed" not in error.message:
            raise
        return False


def ready(page):
    """Wait for the script of a page with documents, which starts after the first paint."""
    until(page, "!document.querySelector('#tools') || 'ready' in document.documentElement.dataset")


def draw(page):
    """Draw all documents, as before printing."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def follow(page, link):
    """Click on a link, and wait until the page that it leads to is there."""
    target = link.evaluate("link => link.href")
    # scrolling to the link changes the address too
    with page.expect_navigation(url=lambda url: url == target):
        link.click()
    ready(page)


def address(page):
    """Where a page says that it is; the driver hears of it later."""
    return page.evaluate("location.href")
