"""Values that are put on disk."""

import gc
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.corpus import store as stores
from sereval.corpus.store import Store
from sereval.errors import InputError


@given(st.lists(st.binary(max_size=40), min_size=1), st.data())
def test_what_was_put_is_read(values, data):
    """Values come back as they were, in any order, also between others that are put."""
    store = Store()
    places = []
    for value in values:
        places.append(store.put(value))
        number = data.draw(st.integers(0, len(places) - 1))
        assert values[number] == places[number].read()
    assert values == [place.read() for place in places]


def test_a_large_store_is_on_disk(monkeypatch):
    """Beyond the limit the values are in a file, and read from it alike."""
    monkeypatch.setattr(stores, "IN_MEMORY", 100)
    store = Store()
    places = [store.put(["word"] * number) for number in range(200)]
    assert store._file._rolled
    assert list(range(200)) == [len(place.read()) for place in places]


def test_one_value_is_in_memory():
    """The value that was read last is not read again; another one takes its place."""
    store = Store()
    one, other = store.put([1]), store.put([2])
    first = one.read()
    assert one.read() is first
    assert other.read() == [2]
    assert one.read() is not first


def test_a_store_closes_its_file(monkeypatch):
    """A store that is forgotten leaves no open file behind."""
    monkeypatch.setattr(stores, "IN_MEMORY", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store = Store()
        store.put("words")
        file = store._file
        del store
        gc.collect()
    assert file.closed


def test_a_full_disk_is_named(monkeypatch):
    """The folder of temporary files is named in one line."""
    with open("/dev/full", "wb", buffering=0) as full:
        monkeypatch.setattr(stores, "unnamed_file", lambda: full)
        monkeypatch.setattr(stores, "finalize", lambda *_: None)
        with pytest.raises(InputError, match="^[^\n]*: No space left on device$"):
            Store().put(["word"] * 100_000)
