"""Processes that are copies of this one: they begin at once, and have all that it has.

A process of another making begins with imports, which take as long as a thousand words. A copy
has them, and the documents too. It has one thread of them all, so a process is copied only where
there is no other, which the command line sees to; Linux tells.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from multiprocessing import active_children, current_process, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def can_be_copied() -> bool:
    """Whether this process is one that a copy can be made of: nothing else runs in it."""
    if sys.platform != "linux" or current_process().daemon:  # which has no children
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # nobody tells
        return False


def by_copies(
    work: Callable[[int, _T], _R], items: Sequence[_T], jobs: int
) -> Generator[_R, Any, None]:
    """What ``work`` makes of each item and its number, in order; the copies are at it already.

    Args:
        work, items: they go nowhere, for the copies have them; results come back.
        jobs: number of copies.

    Raises:
        Dead: one of them died. Raised by the generator.
    """
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _settle, (work, items))
    others = set(active_children())
    results = pool.map(_do, range(len(items)))
    return _collected(pool, set(active_children()) - others, results)


def _collected(
    pool: ProcessPoolExecutor, copies: set[BaseProcess], results: Iterator[_R]
) -> Generator[_R, Any, None]:
    """The results; no copy is left when there are no more, or nobody wants more."""
    try:
        yield from results
    except BrokenProcessPool:
        pool.shutdown()
        raise Dead(copies) from None
    except BaseException:
        for copy in copies:
            copy.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class Dead(BrokenProcessPool):
    """A copy died, and the others were ended for it.

    Args:
        copies: all of them.

    Attributes:
        first: process numbers of those that died of something else than the others were ended by;
            none if all died of that.
    """

    def __init__(self, copies: set[BaseProcess]) -> None:
        codes = {copy.pid: copy.exitcode or 0 for copy in copies}
        own = {pid: code for pid, code in codes.items() if code not in (0, -signal.SIGTERM)}
        self.first = tuple(pid for pid in own if pid is not None)
        super().__init__(" ".join(sorted(map(_told, (own or codes).values()))))


def _told(code: int) -> str:
    """What a process died of.

    >>> _told(-9), _told(1)
    ('SIGKILL(-9)', 'EXIT(1)')
    """
    return f"{signal.Signals(-code).name if code < 0 else 'EXIT'}({code})"


# --- in a copy -----------------------------------------------------------------------------------

_task: list[tuple[Callable[[int, Any], Any], Sequence[Any]]] = []


def _settle(work: Callable[[int, _T], _R], items: Sequence[_T]) -> None:
    """Become one that is ended by what ends any process, and by the end of the one it is of."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()
    _task.append((work, items))


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None  # this is a copy
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)


def _do(number: int) -> Any:
    [(work, items)] = _task
    return work(number, items[number])
