"""A Dask cluster whose machines work on documents.

Dask repeats the work of a machine that is lost, so no result depends on the machines. This module
connects to the scheduler and checks that all workers have this version of sereval. If workers die,
it finds the document that killed them. Short documents are sent together, since Dask needs about as
much time for a task as it takes to score a page.
"""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError, one_line
from ..version import __version__
from .executor import LostWork, Workers, result_of

if TYPE_CHECKING:
    import distributed

_T = TypeVar("_T")

SHARE = 1 << 18
"""The number of bytes from which items are enough for a task."""


@contextmanager
def tasks(
    work: Callable[[_T], Any], items: Sequence[_T], workers: Workers, pack: Callable[[_T], _T]
) -> Iterator[Tasks]:
    """Run tasks on a cluster; tasks that are unfinished at the end are cancelled.

    Args:
        work, items, pack: as for ``executor.each``.
        workers: as for :func:`connected`.

    Raises:
        SerevalError: as for :func:`connected`.
    """
    with connection(workers) as client:
        found = Tasks(client, work, items, pack, workers.patience)
        try:
            yield found
        finally:
            for future in found.running:
                future.cancel()


@contextmanager
def connection(workers: Workers) -> Iterator[distributed.Client]:
    """Connect to a cluster, and check that all workers have this version of sereval.

    Args:
        workers: the address of the scheduler, and how long to wait for it.

    Raises:
        SerevalError: Dask is not installed; no scheduler answers, or it has no workers; a worker
            has no sereval, or another version.
    """
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
    """Tasks on a cluster: an ``executor.Runner``.

    A task is a batch of items in the order in which they begin. It has ``SHARE`` bytes of items, or
    fewer if there would otherwise be too few tasks for all threads.

    Dask gives up a task when several of its workers have died. It then gives up every task that
    such a worker had, although only one document may be to blame. So when Dask gives up a task,
    this class waits for the other running tasks. Then it works on the items of the tasks that were
    given up, one at a time, before it begins other tasks.

    Attributes:
        width: how many threads the workers have.
        has_room: whether a thread could wait for its next task: there are two for each.
    """

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
        future: Future[Any] = self.executor.submit(_work_on, self.work, packed)
        return future

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Wait until a task is finished; yield its items' numbers, each with result or exception.

        Raises:
            LostWork: Dask gave up an item that ran alone.
            SerevalError: no worker is left for an item that was given up before.
        """
        self._send()
        yield from self.unpacked
        self.unpacked = []
        if not self.running:
            return
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        if any(map(_is_given_up, done)):
            done, _ = wait(self.running)
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
        while not wait([future], timeout=self.patience).done:
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


def _work_on(work: Callable[[Any], Any], packed: Sequence[bytes]) -> list[Any]:
    """The results of items, or their exceptions, in the worker."""
    return [result_of(work, pickle.loads(item)) for item in packed]


def _is_given_up(future: Future[Any]) -> bool:
    from distributed import KilledWorker

    return isinstance(future.exception(), KilledWorker)
