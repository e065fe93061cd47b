"""Work on documents one after another, or on several at a time in processes of this machine.

Each document is worked on as a whole, and the results come in the order of the documents. So the
number of processes changes no result, and of two bad documents the error always names the first.
Several workers begin large documents first, so that none is left alone with a large one at the end.

If the system allows it, this process forks: the copies start within milliseconds and have the
documents already. Otherwise it starts new processes, which first import sereval, and sends them the
documents. Each process has its own connection to this process and works on one document at a time.
So if a process dies, its document is known.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..errors import SerevalError

_T = TypeVar("_T")
_R = TypeVar("_R")

Watch = Callable[[Sequence[_T]], Iterable[_T]]
"""Wraps items in an iterator that shows progress."""


AHEAD = 8
"""For each worker, the number of items among which the largest begins first. Results that come
before their turn stay in memory, so the number has a bound."""


def result_of(work: Callable[[_T], _R], item: _T) -> _R | Exception:
    """The result of the work on an item, or the exception, if a command reports it as a message."""
    try:
        return work(item)
    except (SerevalError, OSError, MemoryError) as error:
        return error


def each(
    work: Callable[[_T], _R],
    items: Sequence[_T],
    *,
    name: Callable[[_T], str],
    jobs: int = 1,
    watch: Watch[_T] = iter,
    size: Callable[[_T], int] = lambda item: 0,
) -> Iterator[_R]:
    """Apply ``work`` to each item, and yield the results in order, as ``map(work, items)`` does."""
    if jobs < 1:
        raise SerevalError(f"{jobs} jobs, expected 1 or more")
    if jobs == 1 or len(items) < 2:
        yield from map(work, watch(items))
        return
    waiting: dict[int, Any] = {}  # results and exceptions before their turn
    end = len(items)  # of what is begun: the first item with an exception
    with Processes(work, items, jobs, name) as runner:
        order = _large_first(items, size, AHEAD * runner.width)
        wanted = (number for number in order if number < end)
        shown = iter(watch(items))
        next(shown, None)
        for turn in range(len(items)):
            while True:
                while runner.free and (begun := next(wanted, None)) is not None:
                    runner.begin(begun)
                if turn in waiting:
                    break
                for number, result in runner.finished():
                    waiting[number] = result
                    next(shown, None)
                    if isinstance(result, Exception):
                        end = min(end, number)
            if isinstance(waiting[turn], Exception):
                raise waiting[turn]
            yield waiting.pop(turn)


def _large_first(items: Sequence[_T], size: Callable[[_T], int], ahead: int) -> Iterator[int]:
    """The numbers of the items: of each ``ahead`` items, the largest first."""
    for first in range(0, len(items), ahead):
        numbers = range(first, min(first + ahead, len(items)))
        yield from sorted(numbers, key=lambda number: -size(items[number]))


# --- processes -----------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Processes:
    """A context with processes that each work on one item at a time; at its end they are killed."""

    work: Callable[[Any], Any]
    items: Sequence[Any]
    jobs: int
    name: Callable[[Any], str]
    made: dict[Any, Any] = field(default_factory=dict)  # by this end of the connection to each
    free: list[Any] = field(default_factory=list)  # connections
    busy: dict[Any, int] = field(default_factory=dict)  # numbers of items, by connection

    def __enter__(self) -> Processes:
        """Start the processes; copies of this process are sent only the numbers of items."""
        from multiprocessing import get_context  # slow to import, as below

        work, items = self.work, self.items
        self.is_copied = can_be_copied()
        context: Any = get_context("fork" if self.is_copied else "spawn")
        task = (lambda number: work(items[number])) if self.is_copied else work
        try:
            with _interrupts_blocked():
                for _ in range(min(self.jobs, len(items))):
                    here, there = context.Pipe()
                    process = context.Process(target=_serve, args=(there, task), daemon=True)
                    process.start()
                    there.close()  # so that the connection ends when the process ends
                    self.made[here] = process
        except BaseException as error:
            self.__exit__()
            if not isinstance(error, OSError):
                raise
            raise SerevalError(
                f"{self.jobs} jobs: {error.strerror or error}, expected a system that can begin as "
                "many processes, or fewer jobs"
            ) from None
        self.free, self.width = [*self.made], len(self.made)
        return self

    def begin(self, number: int) -> None:
        """Begin the work on the item with a number."""
        connection = self.free.pop(0)
        self.busy[connection] = number
        with suppress(BrokenPipeError, ConnectionResetError):  # ``finished`` reports its death
            connection.send(number if self.is_copied else self.items[number])

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Wait until an item is finished; yield its number, and its result or its exception."""
        from multiprocessing.connection import wait

        ends: list[Any] = wait(list(self.busy))
        for connection in ends:
            number = self.busy.pop(connection)
            try:
                result = connection.recv()
            except (EOFError, OSError):
                process = self.made[connection]
                process.join()
                code = process.exitcode
                cause = signal.Signals(-code).name if code < 0 else "EXIT"
                raise SerevalError(
                    f"document {self.name(self.items[number])}: the process that worked on it died "
                    f"of {cause}({code}), expected a result; is there memory enough for "
                    "so many --jobs?"
                ) from None
            self.free.append(connection)
            yield number, result

    def __exit__(self, *_: object) -> None:
        """Kill the processes; they hold no results."""
        for process in self.made.values():
            process.kill()
        for connection, process in self.made.items():
            process.join()
            connection.close()


def can_be_copied() -> bool:
    """Whether this process can fork: a fork copies one thread only, so there must be only one."""
    try:
        return hasattr(os, "fork") and len(os.listdir("/proc/self/task")) == 1
    except OSError:  # not Linux
        return False


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that start within the context ignore Ctrl-C; this process gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the other process ------------------------------------------------------------------------


def _serve(connection: Any, task: Callable[[Any], Any]) -> None:
    """Work on the items that arrive, until the parent kills this process or ends."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a fork has the handlers of the command
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        Thread(target=_end_with_parent, daemon=True).start()
        with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
            while True:
                connection.send(result_of(task, connection.recv()))
    except MemoryError:
        os._exit(1)  # the parent says it in one line


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None  # this process was made by another
    parent.join()
    os._exit(1)
