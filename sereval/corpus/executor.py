"""Work on documents one after another, or on several at a time.

Each document is worked on as a whole, and the results come in the order of the documents. So the
number of processes changes no result, and of two bad documents the error always names the first.
Several workers begin large documents first, so that none is left alone with a large one at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import SerevalError

if TYPE_CHECKING:
    from .workers import Processes

_T = TypeVar("_T")
_R = TypeVar("_R")


AHEAD = 8
"""For each worker, the number of items among which the largest begins first. Results that come
before their turn stay in memory, so the number has a bound."""


class LostWork(Exception):
    """The work on an item ended without a result.

    Args:
        number: the number of the item.
        reason: the message, without the document's name.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(number, reason)
        self.number, self.reason = number, reason


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
    watch: Callable[[Sequence[_T]], Iterable[_T]] = iter,
    size: Callable[[_T], int] = lambda item: 0,
) -> Iterator[_R]:
    """Apply ``work`` to each item, and yield the results in order, as ``map(work, items)`` does."""
    if jobs < 1:
        raise SerevalError(f"{jobs} jobs, expected 1 or more")
    if jobs == 1 or len(items) < 2 or _is_daemon():
        yield from map(work, watch(items))
        return
    from .workers import processes  # slow to import

    with processes(work, items, jobs) as runner:
        order = _large_first(items, size, AHEAD * runner.width)
        try:
            for result in _in_turn(runner, order, iter(watch(items)), len(items)):
                if isinstance(result, Exception):
                    raise result
                yield result
        except LostWork as lost:
            lost_name = name(items[lost.number])
            raise SerevalError(f"document {lost_name}: {lost.reason}") from None


def _is_daemon() -> bool:
    """Whether this process may not make others."""
    from multiprocessing import current_process

    return current_process().daemon


def _large_first(items: Sequence[_T], size: Callable[[_T], int], ahead: int) -> Iterator[int]:
    """The numbers of the items: of each ``ahead`` items, the largest first."""
    for first in range(0, len(items), ahead):
        numbers = range(first, min(first + ahead, len(items)))
        yield from sorted(numbers, key=lambda number: -size(items[number]))


def _in_turn(
    runner: Processes, order: Iterator[int], shown: Iterator[object], count: int
) -> Iterator[Any]:
    """Results and exceptions in the order of the items, whatever the order in which these begin."""
    waiting: dict[int, Any] = {}
    end = count
    wanted = (number for number in order if number < end)
    next(shown, None)
    for turn in range(count):
        while True:
            while runner.has_room and (begun := next(wanted, None)) is not None:
                runner.begin(begun)
            if turn in waiting:
                break
            for number, result in runner.finished():
                waiting[number] = result
                next(shown, None)
                if isinstance(result, Exception):
                    end = min(end, number)
        yield waiting.pop(turn)
