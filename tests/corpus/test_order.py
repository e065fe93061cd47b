"""The order in which documents begin: large ones first; it changes no result and no error."""

import contextlib

import pytest

from sereval.corpus import workers
from sereval.corpus.workers import AHEAD, each
from sereval.errors import SerevalError


class Workshop:
    """Workers of this process that each have one item; the item that began last is done first."""

    def __init__(self, width):
        self.width, self.begun, self.busy = width, [], []

    def __call__(self, work, items, *_):
        self.work, self.items = work, items
        return contextlib.nullcontext(self)

    @property
    def free(self):
        return len(self.busy) < self.width

    def begin(self, number):
        self.begun.append(number)
        self.busy.append(number)

    def finished(self):
        number = self.busy.pop()
        yield number, workers.result_of(self.work, self.items[number])


@pytest.fixture
def workshop(monkeypatch):
    """Makes so many workers, which all work is given to."""

    def make(width):
        found = Workshop(width)
        monkeypatch.setattr("sereval.corpus.workers.Processes", found)
        return found

    return make


def upper(text):
    """The work: some items are refused."""
    if text.startswith("bad"):
        raise SerevalError(text)
    return text.upper()


def done(texts, **how):
    return each(upper, texts, name=str, jobs=2, size=len, **how)


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
