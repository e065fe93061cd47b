"""Values on disk: a report reads each document's result once, so it need not stay in memory."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import IO, Generic, NamedTuple, TypeVar
from weakref import finalize

from ..errors import InputError

_V = TypeVar("_V")

IN_MEMORY = 1 << 20
"""The most bytes of a temporary file that are still in memory."""


def unnamed_file() -> IO[bytes]:
    """A new temporary file without a name; the system removes it when it is closed."""
    from tempfile import SpooledTemporaryFile  # slow to import, and seldom needed

    return SpooledTemporaryFile(IN_MEMORY)


def forget(file: IO[bytes]) -> None:
    """Close a temporary file; an error of a full disk no longer matters."""
    with suppress(OSError):
        file.close()


class Store(Generic[_V]):
    """Values in a temporary file without a name, which the system removes with the process.

    The value that was read last stays in memory.

    >>> store = Store()
    >>> one, other = store.put([1]), store.put([2])
    >>> other.read(), one.read()
    ([2], [1])
    """

    def __init__(self) -> None:
        self._last: tuple[int, _V] | None = None

    @cached_property
    def _file(self) -> IO[bytes]:
        file = unnamed_file()
        finalize(self, forget, file)
        return file

    def put(self, value: _V) -> StorePlace[_V]:
        """Write a value.

        Args:
            value: any value that can be sent between processes.

        Returns:
            Its place, from which it is read again.

        Raises:
            InputError: the temporary file cannot be written.
        """
        import pickle  # many commands put nothing on disk

        with _naming():
            place = self._file.seek(0, os.SEEK_END)
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)
        return StorePlace(self, place)

    def read(self, place: int) -> _V:
        """Read the value that begins at a place of the file.

        Args:
            place: in bytes from the start of the file.

        Raises:
            InputError: the temporary file cannot be read.
        """
        import pickle

        if self._last is None or self._last[0] != place:
            self._last = None  # two values are never in memory
            with _naming():
                self._file.seek(place)
                self._last = place, pickle.load(self._file)
        return self._last[1]


class StorePlace(NamedTuple, Generic[_V]):
    """The place of a value in a store."""

    store: Store[_V]
    place: int

    def read(self) -> _V:
        """Read the value from the file."""
        return self.store.read(self.place)


class StoredList(Generic[_V]):
    """A list of values in a store; only their places are in memory.

    Args:
        store: the store, which may have other values too.

    >>> found = StoredList(Store())
    >>> found.append("a"), found.append("b")
    (None, None)
    >>> len(found), found[1], list(found)
    (2, 'b', ['a', 'b'])
    """

    def __init__(self, store: Store[_V]) -> None:
        self._store, self._places = store, array("q")

    def append(self, value: _V) -> None:
        """Add a value at the end.

        Args:
            value: as for :meth:`Store.put`.

        Raises:
            InputError: the temporary file cannot be written.
        """
        self._places.append(self._store.put(value).place)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> _V:
        return self._store.read(self._places[index])

    def __iter__(self) -> Iterator[_V]:
        return map(self._store.read, self._places)


class MemoryPlace(NamedTuple, Generic[_V]):
    """A value in memory, which is read as one on disk is."""

    value: _V

    def read(self) -> _V:
        """The value."""
        return self.value


@contextmanager
def _naming() -> Iterator[None]:
    """Turn an error of the system into an ``InputError`` with the folder of temporary files."""
    try:
        yield
    except OSError as error:
        from tempfile import gettempdir

        raise InputError(error.strerror or str(error), path=gettempdir()) from None
