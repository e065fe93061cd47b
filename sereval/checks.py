"""What is given must be: names and frontiers, whatever they are of, and files that end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from io import UnsupportedOperation
from typing import BinaryIO

from .errors import SerevalError


def check_ends(file: BinaryIO) -> None:
    """What is read comes to an end, which devices such as ``/dev/zero`` do not.

    Raises:
        OSError: it is a device, and no terminal.
    """
    try:
        what = os.fstat(file.fileno())
    except UnsupportedOperation:  # it stands for a file
        return
    if not stat.S_ISCHR(what.st_mode) or file.isatty():
        return
    if not os.path.samestat(what, os.stat(os.devnull)):  # which ends at once
        raise OSError(errno.EINVAL, "found a device, expected a file")


def check_names(id: str, words: Sequence[str]) -> None:
    """An id, and words in a tuple, none of them empty."""
    if not isinstance(id, str) or not id:
        raise SerevalError(f"a document has the id {id!r}, expected a text that is not empty")
    if not isinstance(words, tuple):
        raise SerevalError(f"{id}: words in a {type(words).__name__}, expected a tuple")
    if all(words) and {*map(type, words)} <= {str}:
        return
    for k, word in enumerate(words):
        if not isinstance(word, str) or not word:
            raise SerevalError(f"{id}: word {k} is {word!r}, expected a text that is not empty")


def check_whole(numbers: Iterable[object], what: str) -> None:
    """Frontiers and ms are integers: nothing that only looks like one may decide a digit."""
    for number in numbers:
        if type(number) is not int:
            raise SerevalError(f"{what} {number!r}, expected an integer")


def check_increasing(frontiers: Sequence[int], low: int, high: int, what: str) -> None:
    """Frontiers in a tuple, increasing, from ``low`` to ``high``; ``what`` is at them."""
    if not isinstance(frontiers, tuple):
        raise SerevalError(f"{what}: a {type(frontiers).__name__}, expected a tuple of frontiers")
    check_whole(frontiers, f"{what} at")
    before = low - 1
    for k in frontiers:
        if not low <= k <= high:
            inside = f"frontiers from {low} to {high}" if low <= high else "none, there is no room"
            raise SerevalError(f"{what} at {k}, expected {inside}")
        if k <= before:
            again = "stands twice" if k == before else f"comes after {before}"
            raise SerevalError(f"{what} at {k}, which {again}; expected increasing frontiers")
        before = k
