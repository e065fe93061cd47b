"""The order in which documents begin: large ones first; it changes no result and no error."""

import contextlib
import json

import pytest
from cli_files import put

from sereval import Document, evaluate
from sereval.corpus import executor
from sereval.corpus.entries import entries
from sereval.corpus.executor import AHEAD, Workers, each
from sereval.errors import SerevalError
from sereval.formats import files


class Workshop:
    """Workers of this process that each have one item; the item that began last is done first."""

    def __init__(self, width):
        self.width, self.begun, self.busy = width, [], []

    def __call__(self, work, items, *_):
        self.work, self.items = work, items
        return contextlib.nullcontext(self)

    @property
    def has_room(self):
        return len(self.busy) < self.width

    def begin(self, number):
        self.begun.append(number)
        self.busy.append(number)

    def finished(self):
        number = self.busy.pop()
        yield number, executor.result_of(self.work, self.items[number])


@pytest.fixture
def workshop(monkeypatch):
    """Makes so many workers, which all work is given to."""

    def make(width):
        found = Workshop(width)
        monkeypatch.setattr(executor, "_runner", found)
        return found

    return make


def upper(text):
    """The work: some items are refused."""
    if text.startswith("bad"):
        raise SerevalError(text)
    return text.upper()


def done(texts, **how):
    return each(upper, texts, name=str, workers=Workers(2), size=len, **how)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_large_items_begin_first(workshop, width):
    """Items begin in the order of their sizes, equal ones in their own; results come in order."""
    found = workshop(width)
    texts = ["aa", "b", "cccc", "dd", "eee"]
    assert list(map(str.upper, texts)) == list(done(texts))
    assert found.begun == [2, 4, 0, 3, 1]


def test_results_that_wait_have_a_bound(workshop):
    """The largest begins first among the next items only, so few results wait for their turn."""
    found = workshop(2)
    ahead = 2 * AHEAD
    texts = ["x" * k for k in range(3 * ahead)]
    assert list(map(str.upper, texts)) == list(done(texts))
    assert found.begun[:ahead] == [*reversed(range(ahead))]
    assert found.begun[-ahead:] == [*reversed(range(2 * ahead, 3 * ahead))]


def test_the_first_error_is_raised(workshop):
    """Of two items with errors the first is named; what comes after it need not begin."""
    found = workshop(1)
    texts = ["a", "bad", "cc", "bad four", "bad fiv", "dd"]
    results = done(texts)
    assert next(results) == "A"
    with pytest.raises(SerevalError, match="^bad$"):
        next(results)
    assert found.begun == [3, 1, 0]


def test_progress_is_that_of_finished_items(workshop):
    """An item counts as soon as it is finished, also if it waits for its turn."""
    workshop(1)
    counted = []

    def watch(items):
        for item in items:
            yield item
            counted.append(item)

    results = done(["a", "bb", "ccc"], watch=watch)
    assert next(results) == "A"
    assert len(counted) == 3
    assert ["BB", "CCC"] == list(results)


def line(id, count):
    return json.dumps({"id": id, "words": ["w"] * count}) + "\n"


SIZES = {"a": 1, "b": 30, "c": 7}


@pytest.fixture
def sides(here):
    """Three documents in files, in lines of one file, and in one file of columns."""
    for side in ("ref", "hyp"):
        for id, count in SIZES.items():
            put(f"{side}/{id}.jsonl", line(id, count))
        put(f"{side}.jsonl", "".join(line(id, count) for id, count in SIZES.items()))
        rows = [f"{id} 1 {k}.0 0.5 w\n" for id, count in SIZES.items() for k in range(count)]
        put(f"{side}.ctm", "".join(rows))


IN_ORDER = [1, 2, 0]
"""The numbers of the documents, the largest first."""

TWO = "ref hyp hyp --system one --system two"

COMMANDS = {
    "score ref hyp": IN_ORDER,
    "score ref.jsonl hyp.jsonl": IN_ORDER,
    "score ref.jsonl hyp --words hyp.ctm": IN_ORDER,
    "score ref hyp --scheme mitre": IN_ORDER,
    f"sweep {TWO} --align ref.ctm --words hyp.ctm --tolerance 0,0.1": IN_ORDER,
    f"compare {TWO} --resamples 9": IN_ORDER,
    "audit ref hyp": IN_ORDER,
    "stats ref": IN_ORDER,
    "stats ref.jsonl": IN_ORDER,
}
"""Commands, and the order in which their work begins."""


@pytest.mark.usefixtures("sides")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_begin_with_large_documents(command, run, workshop):
    """Commands know the sizes before they read: bytes of files and of lines, words in memory."""
    expected = run(command)
    found = workshop(2)
    assert expected == run(f"{command} --jobs 2")
    assert (0, COMMANDS[command]) == (expected[0], found.begun)


def test_documents_in_memory_begin_with_the_longest(workshop):
    """``evaluate`` counts words."""
    documents = [Document(id, ("w",) * count) for id, count in SIZES.items()]
    found = workshop(2)
    assert evaluate(documents, documents, workers=Workers(2)) == evaluate(documents, documents)
    assert found.begun == IN_ORDER


@pytest.mark.usefixtures("sides")
def test_sizes_of_entries(here):
    """Bytes of a line or a file, words of a document that was read; 0 if the file is gone."""

    def sizes(path):
        return [entry.size for entry in entries(files(path), ("ref", path))]

    lengths = [len(line(*one)) for one in SIZES.items()]
    assert [1, 30, 7] == sizes("ref.ctm")
    assert lengths == sizes("ref.jsonl")
    put("one.ne", "à Dol\n")
    [entry] = entries(files("one.ne"), ("ref", "one.ne"))
    assert entry.size == 7
    (here / "one.ne").unlink()
    assert entry.size == 0
