"""The machines of a Dask cluster, as joblib uses them.

Dask does the work of a machine that is gone a second time, so a result does not depend on it. What
is left to do here is to find the scheduler or say so, to see that all workers have this version,
and to tell which document no worker survives.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError, one_line
from ..version import __version__

if TYPE_CHECKING:
    import distributed

_T = TypeVar("_T")

PATIENCE = 30
"""Seconds in which a scheduler answers, and has a worker."""


@contextmanager
def connected(address: str) -> Iterator[distributed.Client]:
    """A cluster on which this version of sereval is installed.

    Args:
        address: of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        SerevalError: Dask is not installed; no scheduler, or none with workers; a worker without
            sereval or with another version.
    """
    try:
        import distributed  # slow to import, wanted by those alone who have a cluster
    except ImportError:
        raise SerevalError(
            "a scheduler needs Dask, which is not installed: pip install 'sereval[dask]'"
        ) from None
    where = f"scheduler {one_line(address)}"
    with _silence():
        _check_address(address, where)
        try:
            connect: Any = distributed.Client  # it has no types
            client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = one_line(str(error).partition("\n")[0])
            raise SerevalError(f"{where}: no answer in {PATIENCE} s ({reason})") from None
        try:
            with client:
                _check_workers(client, where)
                yield client
        except CancelledError:
            raise SerevalError(f"{where}: it is gone, expected it to stay to the end") from None


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing of Dask's on standard error: what is wrong is raised."""
    names = (name for name in logging.root.manager.loggerDict if name.startswith("distributed"))
    logs = [log for log in map(logging.getLogger, names) if not log.disabled]
    for log in logs:
        log.disabled = True
    try:
        yield
    finally:
        for log in logs:
            log.disabled = False


def _check_address(address: str, where: str) -> None:
    """Before there is a client, which would wait for a scheduler again where it ends."""
    from distributed.comm.addressing import resolve_address

    locate: Any = resolve_address  # it has no types
    try:
        locate(address)
    except (OSError, ValueError) as error:
        reason = one_line(str(error).partition("\n")[0])
        expected = "expected an address such as tcp://10.0.0.1:8786"
        raise SerevalError(f"{where}: {reason}, {expected}") from None


def _check_workers(client: distributed.Client, where: str) -> None:
    _wait_for_a_worker(client, where)
    # a text, since a worker without sereval knows none of its functions
    ask = "__import__('sereval').__version__"
    for worker, found in sorted(client.run(eval, ask, on_error="return").items()):
        if found != __version__:
            other = f"sereval {found}" if isinstance(found, str) else f"no sereval ({found})"
            raise SerevalError(
                one_line(f"{where}: worker {worker} has {other}, expected {__version__}")
            )


def _wait_for_a_worker(client: distributed.Client, where: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise SerevalError(f"{where}: no worker in {PATIENCE} s, expected one or more") from None


def in_order(
    client: distributed.Client, task: Callable[[_T], Any], count: int, item: Callable[[int], _T]
) -> Generator[Any, None, None]:
    """What ``task`` makes of each item, in order.

    Dask gives a task up when several workers have died that had it, and suspects every task that
    such a worker had. So when one is given up, no more are begun; those that are under way end;
    and those given up are done again, one at a time, before the others are.

    Args:
        count: number of items.
        item: the item of a number, as it goes to a worker.

    Raises:
        GivenUp: an item was given up while no other was under way.
        SerevalError: no worker was left for an item that was given up before.
    """
    from joblib import Parallel, delayed

    numbers = iter(range(count))
    held: list[Any] = []  # results from the first on that was given up

    def calls() -> Iterator[Any]:
        for number in numbers:
            yield delayed(task)(item(number))
            if held:
                return

    done = 0
    while done < count:
        run = Parallel(backend=_backend(client), batch_size=1, return_as="generator")
        with closing(run(calls())) as results:
            for result in results:
                if held or result is _GIVEN_UP:
                    held.append(result)
                else:
                    yield result
                    done += 1
        for result in held:
            if result is _GIVEN_UP:
                result = _alone(client, task, item(done))
            if result is _GIVEN_UP:
                raise GivenUp(done)
            yield result
            done += 1
        held.clear()


_GIVEN_UP = object()
"""Stands for the result of an item that Dask has given up."""


def _alone(client: distributed.Client, task: Callable[[_T], Any], item: _T) -> Any:
    """The result of an item while no other is under way."""
    import distributed

    submit: Any = client.submit  # it has no types
    future = submit(task, item, pure=False)
    while not future.done():
        try:
            future.exception(timeout=PATIENCE)
        except TimeoutError:
            _wait_for_a_worker(client, f"scheduler {client.scheduler_info()['address']}")
    try:
        return future.result()
    except distributed.KilledWorker:
        return _GIVEN_UP


def _backend(client: distributed.Client) -> Any:
    """What joblib is to work with.

    Its own class never hears of a task that Dask has given up, and waits for it for ever; this
    one is told.
    """
    import distributed
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]  # joblib has no types
        def effective_n_jobs(self, n_jobs: int) -> int:
            """How many tasks at a time; with one joblib would not ask the cluster at all."""
            return max(2, int(sum(self.client.ncores().values())))

        def submit(self, func: Any, callback: Callable[[Any], None] | None = None) -> Future[Any]:
            """Submit a task; a failure is an outcome too."""
            future: Future[Any] = super().submit(func, callback)

            def tell(done: Future[Any]) -> None:
                if callback is not None and done.exception() is not None:
                    callback(done)

            future.add_done_callback(tell)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            """The result of a task, or its exception."""
            if not isinstance(out, Future):
                return super().retrieve_result_callback(out)
            try:
                return out.result()
            except distributed.KilledWorker:
                return [_GIVEN_UP]

    return Backend(client=client)


class GivenUp(Exception):
    """Dask has given up an item, that of the number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
