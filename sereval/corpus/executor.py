"""Documents one after another, or several at once: the one loop of every command that scores.

A document is worked on as a whole, and what comes back comes back in order. So no digit depends on
how many processes there are, and of two bad documents the first one is named whoever finds it.
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

_T = TypeVar("_T")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work; it changes no digit.

    Args:
        jobs: number of processes; 1: this one alone.
        scheduler: address of a Dask cluster that does it instead.

    >>> Workers(2)
    Workers(jobs=2, scheduler=None)
    """

    jobs: int = 1
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise SerevalError(f"{self.jobs} jobs, expected 1 or more")


THIS_PROCESS = Workers()


def as_it_is(item: _T) -> _T:
    """The item itself."""
    return item


def each(
    work: Callable[[_T], _R],
    items: Sequence[_T],
    *,
    name: Callable[[_T], str],
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[_T]], Iterable[_T]] = iter,
    pack: Callable[[_T], _T] = as_it_is,
) -> Iterator[_R]:
    """What ``work`` makes of each item, in order: ``map(work, items)``.

    Args:
        work: a function of one item. It, the items and the results go from process to process.
        items: one for each document.
        name: of the document of an item, for the message about a process that died.
        workers: who does it.
        watch: sees the items go by, to show progress.
        pack: makes an item fit to go to another machine, which has none of the files of this one.

    Raises:
        SerevalError: the first that ``work`` raises; a process died; no cluster; a system that
            has not what several processes share.

    >>> list(each(str.upper, ["a", "b"], name=str))
    ['A', 'B']
    """
    if workers.scheduler is not None:
        yield from _on_cluster(work, items, name, workers.scheduler, watch, pack)
        return
    if workers.jobs == 1 or len(items) < 2:
        yield from map(work, watch(items))
        return
    from concurrent.futures.process import BrokenProcessPool  # slow to import, like all for several

    from .forks import Dead

    with (
        _shared(workers.jobs) as folder,
        _quiet_joblib(),
        _ended_with_this_process(),
        closing(_begun(partial(_attempt, work, folder, os.getcwd()), items, workers)) as results,
        _Marks(folder) as marks,
    ):
        try:
            yield from _in_order(results, watch(items))
        except BrokenProcessPool as error:
            first = error.first if isinstance(error, Dead) else ()
            names = [name(items[number]) for number in marks.left(first)]
            raise SerevalError(_died(names, str(error))) from None


def _shared(jobs: int) -> TemporaryDirectory[str]:
    """A folder that all processes see, on a system that lets them wait for each other."""
    import tempfile
    from multiprocessing import get_context

    try:
        if sys.platform == "linux":
            get_context("fork").Lock()
        return tempfile.TemporaryDirectory(prefix="sereval-")
    except OSError as error:
        raise SerevalError(
            f"{jobs} jobs: {error.strerror or error}, expected a temporary folder and a /dev/shm "
            "that can be written to, or one job"
        ) from None


def _in_order(results: Iterable[_R | SerevalError], items: Iterable[object]) -> Iterator[_R]:
    """The results up to the first error, which is raised."""
    for _, result in zip(items, results, strict=True):
        if isinstance(result, SerevalError):
            raise result
        yield result


def _begun(
    attempt: Callable[[int, _T], _R | SerevalError], items: Sequence[_T], workers: Workers
) -> Results[_R]:
    """The results as they come, with the work under way.

    By copies of this process, which begin at once; or, where it cannot be copied, by processes that
    loky makes anew.
    """
    from .forks import by_copies, can_be_copied

    jobs = min(workers.jobs, len(items))
    if can_be_copied():
        with _deaf_to_interrupts():
            return by_copies(attempt, items, jobs)
    from joblib import Parallel, delayed

    work = Parallel(
        n_jobs=jobs,
        backend="loky",
        max_nbytes=None,  # no array is shared through a file
        return_as="generator",
    )
    with _deaf_to_interrupts():
        results: Results[_R] = work(delayed(attempt)(*item) for item in enumerate(items))
    return results


Results = Generator[_R | SerevalError, Any, None]


def _attempt(
    work: Callable[[_T], _R], folder: str, here: str, number: int, item: _T
) -> _R | SerevalError:
    """The result of work on one item, or what is wrong: of two errors the first in order is raised,
    not in time.

    Args:
        folder: where all processes say what they are on.
        here: the working directory; this process may have been begun elsewhere.
    """
    os.chdir(here)
    _mark(folder, str(number))
    try:
        return work(item)
    except SerevalError as error:
        return error
    finally:
        _mark(folder, "")


def _mark(folder: str, text: str) -> None:
    """Say what this process is on; where it cannot, nothing but a name in a message is lost."""
    with suppress(OSError):
        Path(folder, str(os.getpid())).write_text(text, "ascii")


def _on_cluster(
    work: Callable[[_T], _R],
    items: Sequence[_T],
    name: Callable[[_T], str],
    scheduler: str,
    watch: Callable[[Sequence[_T]], Iterable[_T]],
    pack: Callable[[_T], _T],
) -> Iterator[_R]:
    """The same on other machines; arguments as of :func:`each`."""
    from .cluster import GivenUp, connected, in_order

    def packed(number: int) -> _T | SerevalError:
        try:
            return pack(items[number])
        except SerevalError as error:  # it is raised when its turn comes
            return error

    task = partial(_elsewhere, work)
    with (
        connected(scheduler) as client,
        _quiet_joblib(),
        closing(in_order(client, task, len(items), packed)) as results,
    ):
        try:
            yield from _in_order(results, watch(items))
        except GivenUp as lost:
            raise SerevalError(
                f"document {name(items[lost.number])}: the workers that it was given to died, "
                "one after another, expected a result; is there memory enough?"
            ) from None


def _elsewhere(work: Callable[[_T], _R], item: _T | SerevalError) -> _R | SerevalError:
    """The result of work on one item on a worker of a cluster, or what is wrong."""
    try:
        return item if isinstance(item, SerevalError) else work(item)
    except SerevalError as error:
        return error


class _Marks:
    """What each process is on, and which of them died of itself.

    When one dies the others are ended at once. So a thread watches them where the system tells
    the order of deaths (Linux): the events of an epoll come in the order in which they happened,
    however late they are read. Elsewhere, and of processes that were gone before they could be
    watched, each document that was under way may have been the cause, and all are named.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.dead: list[str] = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self) -> _Marks:
        if sys.platform == "linux" and hasattr(os, "pidfd_open"):
            self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        if self.thread.ident is not None:
            self.thread.join()

    def left(self, known: Iterable[int]) -> list[int]:
        """Numbers of the items that the dead were on.

        Args:
            known: processes that died of themselves; nothing else is looked at if there are any.
        """
        if self.thread.ident is not None and not known:
            self.thread.join(10)  # whoever asks knows of a death, which the thread may not yet
        marks = {path.name: path.read_text("ascii") for path in self.folder.iterdir()}
        dead = list(map(str, known)) or self.dead or marks
        return sorted(int(marks[mark]) for mark in dead if marks.get(mark))

    def _wait(self) -> None:
        assert sys.platform == "linux"
        names = dict[int, str]()
        with suppress(OSError), select.epoll() as deaths:  # some systems forbid to watch
            while not self.is_over.is_set() and not self.dead:
                for mark in {path.name for path in self.folder.iterdir()} - set(names.values()):
                    try:
                        process = os.pidfd_open(int(mark))
                    except ProcessLookupError:  # too late for this one
                        self.dead.append(mark)
                        continue
                    names[process] = mark
                    deaths.register(process, select.EPOLLIN)
                # among those that were gone before, the order is lost
                at_once, all_of_them = 0, -1
                events = deaths.poll(at_once, all_of_them) if self.dead else deaths.poll(0.02, 1)
                self.dead += [names[process] for process, _ in events]
        for process in names:
            os.close(process)


def _died(names: Sequence[str], reason: str) -> str:
    """The message about a process that died."""
    how = re.search(r"\b[A-Z]+\(-?\d+\)", reason)
    on = f"document {' or '.join(names)}" if names else "between two documents"
    return (
        f"{on}: the process that worked on it died{f' of {how[0]}' if how else ''}, expected a "
        "result; is there memory enough for so many --jobs?"
    )


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes begun here never see Ctrl-C: it is for this one, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ended_with_this_process() -> Iterator[None]:
    """A process that is asked to end takes those with it that it has begun."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _quiet_joblib() -> Iterator[None]:
    """Standard error is for what is wrong, not for joblib's remarks on work that is called off."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"joblib\b")
        yield
