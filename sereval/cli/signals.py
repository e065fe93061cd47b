"""What ends the command from outside: Ctrl-C, and those signals that are like it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LIKE_CTRL_C = ("SIGTERM", "SIGHUP")


class Ended(KeyboardInterrupt):
    """A signal that ends the command as Ctrl-C does, so that it leaves nothing behind.

    Args:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def ending() -> Iterator[None]:
    """SIGTERM and SIGHUP are heard for as long as this lasts, unless somebody ignores them."""

    def end(number: int, _frame: object) -> None:
        raise Ended(number)

    with _handled({name: end for name in _LIKE_CTRL_C if _is_deadly(name)}):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """No signal comes between two steps of this; it comes after the last one."""
    held: list[int] = []

    def hold(number: int, _frame: object) -> None:
        held.append(number)

    if threading.current_thread() is not threading.main_thread():  # which alone hears signals
        yield
        return
    names = [name for name in ("SIGINT", *_LIKE_CTRL_C) if callable(_handler(name))]
    with _handled(dict.fromkeys(names, hold)):
        yield
    for number in held:
        signal.raise_signal(number)


def _handler(name: str) -> Any:
    """What is done about a signal; nothing where the system does not know it."""
    return signal.getsignal(getattr(signal, name)) if hasattr(signal, name) else None


def _is_deadly(name: str) -> bool:
    return _handler(name) is signal.SIG_DFL


@contextmanager
def _handled(handlers: dict[str, Any]) -> Iterator[None]:
    before = {name: signal.signal(getattr(signal, name), handlers[name]) for name in handlers}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
