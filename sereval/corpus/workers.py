"""Processes of this machine that work on documents.

If the system allows it, this process forks: the copies start within milliseconds and have the
documents already. Otherwise it starts new processes, which first import sereval, and sends them the
documents.

Each process has its own connection to this process and works on one document at a time. So if a
process dies, its document is known.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from ..errors import SerevalError
from .executor import LostWork, result_of

_T = TypeVar("_T")
_R = TypeVar("_R")


@contextmanager
def processes(work: Callable[[_T], Any], items: Sequence[_T], jobs: int) -> Iterator[Processes]:
    """A context with processes that work on items; at its end all of them are killed."""
    running = Processes()
    try:
        with _interrupts_blocked():
            running.make(work, items, jobs)
        yield running
    finally:
        running.end()


class Processes:
    """Processes that each work on one item at a time: for ``executor.each``."""

    def __init__(self) -> None:
        self.items: Sequence[Any] = ()
        self.width = 0
        self.made: dict[Any, Any] = {}  # processes, by this end of the connection to each
        self.free: list[Any] = []  # connections
        self.busy: dict[Any, int] = {}  # numbers of items, by connection

    def make(self, work: Callable[[_T], Any], items: Sequence[_T], jobs: int) -> None:
        """Start the processes; copies of this process are sent only the numbers of items."""
        is_copied = can_be_copied()
        context: Any = get_context("fork" if is_copied else "spawn")
        task = (lambda number: work(items[number])) if is_copied else work
        self.items = range(len(items)) if is_copied else items
        try:
            for _ in range(min(jobs, len(items))):
                here, there = context.Pipe()
                process = context.Process(target=_serve, args=(there, task), daemon=True)
                process.start()
                there.close()  # so that the connection ends when the process ends
                self.made[here] = process
                self.free.append(here)
                self.width += 1
        except OSError as error:
            raise SerevalError(
                f"{jobs} jobs: {error.strerror or error}, expected a system that can begin as many "
                "processes, or fewer jobs"
            ) from None

    @property
    def has_room(self) -> bool:
        """Whether a process is free."""
        return bool(self.free)

    def begin(self, number: int) -> None:
        """Begin the work on the item with a number."""
        connection = self.free.pop(0)
        self.busy[connection] = number
        with suppress(BrokenPipeError, ConnectionResetError):  # ``finished`` reports its death
            connection.send(self.items[number])

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Wait until an item is finished; yield its number, and its result or its exception."""
        ends: list[Any] = wait(list(self.busy))
        for connection in ends:
            number = self.busy.pop(connection)
            try:
                result = connection.recv()
            except (EOFError, OSError):
                raise LostWork(number, self._reason(connection)) from None
            self.free.append(connection)
            yield number, result

    def _reason(self, connection: Any) -> str:
        process = self.made[connection]
        process.join()
        return (
            f"the process that worked on it died of {_cause(process.exitcode)}, expected a "
            "result; is there memory enough for so many --jobs?"
        )

    def end(self) -> None:
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


def _cause(code: int) -> str:
    """The signal or the exit status that ended a process."""
    return f"{signal.Signals(-code).name if code < 0 else 'EXIT'}({code})"


# --- in the other process ------------------------------------------------------------------------


def _serve(connection: Any, task: Callable[[Any], Any]) -> None:
    """Work on the items that arrive, until the parent kills this process or ends."""
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
    parent = parent_process()
    assert parent is not None  # this process was made by another
    parent.join()
    os._exit(1)
