"""Processes of this machine that work on documents.

If the system allows it, this process forks: the copies start within milliseconds and have the
documents already. Otherwise it starts new processes, which first import sereval, and sends them the
documents.

Each process has its own connection to this process and works on one document at a time. So if a
process dies, its document is known.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError, one_line
from ..version import __version__
from .executor import LostWork, Workers, result_of

if TYPE_CHECKING:
    import distributed

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


# A Dask cluster whose machines work on documents.
#
# Dask repeats the work of a machine that is lost, so no result depends on the machines. This module
# connects to the scheduler and checks that all workers have this version of sereval. If workers
# die, it finds the document that killed them. Short documents are sent together, since Dask needs
# about as much time for a task as it takes to score a page.


SHARE = 1 << 18
"""The number of bytes from which items are enough for a task."""


@contextmanager
def tasks(
    work: Callable[[_T], Any], items: Sequence[_T], workers: Workers, pack: Callable[[_T], _T]
) -> Iterator[Tasks]:
    """Run tasks on a cluster; tasks that are unfinished at the end are cancelled."""
    with connection(workers) as client:
        found = Tasks(client, work, items, pack, workers.patience)
        try:
            yield found
        finally:
            for future in found.running:
                future.cancel()


@contextmanager
def connection(workers: Workers) -> Iterator[distributed.Client]:
    """Connect to a cluster, and check that all workers have this version of sereval."""
    try:
        import distributed  # slow to import, and optional
    except ImportError:
        raise SerevalError(
            "a scheduler needs Dask, which is not installed: pip install 'sereval[dask]'"
        ) from None
    address, patience = workers.scheduler or "", workers.patience
    where = f"scheduler {one_line(address)}"
    with _silence():
        _check_address(address, where)
        try:
            connect: Any = distributed.Client  # Dask has no type hints
            client = connect(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = one_line(str(error).partition("\n")[0])
            raise SerevalError(f"{where}: no answer in {patience} s ({reason})") from None
        try:
            with client:
                _check_workers(client, where, patience)
                yield client
        except CancelledError:
            raise SerevalError(f"{where}: it is gone, expected it to stay to the end") from None


@contextmanager
def _silence() -> Iterator[None]:
    """Silence Dask on standard error: this module raises its own errors."""
    names = (name for name in logging.root.manager.loggerDict if name.startswith("distributed"))
    logs = [log for log in map(logging.getLogger, names) if not log.disabled]
    for log in logs:
        log.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"distributed\b")
            yield
    finally:
        for log in logs:
            log.disabled = False


def _check_address(address: str, where: str) -> None:
    """Check an address before a client is made: a client with a wrong address ends slowly."""
    from distributed.comm.addressing import resolve_address

    locate: Any = resolve_address  # Dask has no type hints
    try:
        locate(address)
    except (OSError, ValueError) as error:
        reason = one_line(str(error).partition("\n")[0])
        expected = "expected an address such as tcp://10.0.0.1:8786"
        raise SerevalError(f"{where}: {reason}, {expected}") from None


def _check_workers(client: distributed.Client, where: str, patience: int) -> None:
    _wait_for_a_worker(client, where, patience)
    # sent as text, because a worker without sereval has none of its functions
    ask = "__import__('sereval').__version__"
    for worker, found in sorted(client.run(eval, ask, on_error="return").items()):
        if found != __version__:
            other = f"sereval {found}" if isinstance(found, str) else f"no sereval ({found})"
            raise SerevalError(
                one_line(f"{where}: worker {worker} has {other}, expected {__version__}")
            )


def _wait_for_a_worker(client: distributed.Client, where: str, patience: int) -> None:
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise SerevalError(f"{where}: no worker in {patience} s, expected one or more") from None


class Tasks:
    """Tasks on a cluster: for ``executor.each``."""

    def __init__(
        self,
        client: distributed.Client,
        work: Callable[[_T], Any],
        items: Sequence[_T],
        pack: Callable[[_T], _T],
        patience: int,
    ) -> None:
        typed: Any = client  # Dask has no type hints
        self.client, self.executor = client, typed.get_executor(pure=False)
        self.work, self.items, self.pack = work, items, pack
        self.patience = patience
        self.width: int = sum(typed.ncores().values())
        self.tasks = 2 * self.width
        self.most = max(1, len(items) // (2 * self.tasks))
        self.batch: dict[int, bytes] = {}  # the items of the next task, by number
        self.unpacked: list[tuple[int, SerevalError]] = []
        self.running: dict[Future[Any], list[int]] = {}

    @property
    def has_room(self) -> bool:
        """Whether another item may begin."""
        return len(self.running) < self.tasks

    def begin(self, number: int) -> None:
        """Add an item to the next task; one that cannot be packed is finished with its error."""
        try:
            self.batch[number] = pickle.dumps(self.pack(self.items[number]))
        except SerevalError as error:
            self.unpacked.append((number, error))
            return
        if len(self.batch) == self.most or sum(map(len, self.batch.values())) >= SHARE:
            self._send()

    def _send(self) -> None:
        """Begin the next task, unless it has no items."""
        if self.batch:
            future = self._submit([*self.batch.values()])
            self.running[future], self.batch = [*self.batch], {}

    def _submit(self, packed: list[bytes]) -> Future[Any]:
        future: Future[Any] = self.executor.submit(_work_on_batch, self.work, packed)
        return future

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Wait until a task is finished; yield the numbers of its items with their outcomes."""
        self._send()
        yield from self.unpacked
        self.unpacked = []
        if not self.running:
            return
        done, _ = wait_for(self.running, return_when=FIRST_COMPLETED)
        if any(map(_is_given_up, done)):
            done, _ = wait_for(self.running)
        for future in sorted(done, key=self.running.__getitem__):
            numbers = self.running.pop(future)
            if _is_given_up(future):
                yield from ((number, self._alone(number)) for number in numbers)
            elif error := future.exception():
                yield numbers[0], error
            else:
                yield from zip(numbers, future.result(), strict=True)

    def _alone(self, number: int) -> Any:
        """The result of an item that is worked on while no other item is running."""
        future = self._submit([pickle.dumps(self.pack(self.items[number]))])
        while not wait_for([future], timeout=self.patience).done:
            where = f"scheduler {self.client.scheduler_info()['address']}"
            _wait_for_a_worker(self.client, where, self.patience)
        if _is_given_up(future):
            raise LostWork(
                number,
                "the workers that it was given to died, one after another, expected a result; "
                "is there memory enough?",
            )
        error = future.exception()
        return error or future.result()[0]


def _work_on_batch(work: Callable[[Any], Any], packed: Sequence[bytes]) -> list[Any]:
    """The results of items, or their exceptions, in the worker."""
    return [result_of(work, pickle.loads(item)) for item in packed]


def _is_given_up(future: Future[Any]) -> bool:
    from distributed import KilledWorker

    return isinstance(future.exception(), KilledWorker)
