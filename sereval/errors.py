"""What goes wrong on the user's side: one family of exceptions, nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable


def one_line(text: str) -> str:
    """A text as it can be shown in one line: characters that cannot be seen are escaped.

    >>> print(one_line("two\\nlines"))
    two\\nlines
    """
    joiners = "\u200c\u200d"  # part of how some scripts are written
    return "".join(c if c.isprintable() or c in joiners else repr(c)[1:-1] for c in text)


def near(name: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant; ``None`` where none is near.

    Case aside, for a wrong case is a likely slip; of names that are equally near, the first in
    alphabetical order.

    >>> near("pers.idn", ["loc", "pers.ind"]), near("event", ["loc"])
    ('pers.ind', None)
    """
    from rapidfuzz import fuzz, process  # slow to import, and only a slip wants it

    # 75: finds a slip in any label, yet offers nothing for one that is simply not there
    found = process.extractOne(
        name, sorted(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=75
    )
    return found[0] if found else None


def nearest(name: str, known: Iterable[str]) -> str:
    """The name that was probably meant, as the end of a message; empty where none is near.

    >>> nearest("pers.idn", ["loc", "pers.ind"])
    ', the nearest known is pers.ind'
    """
    found = near(name, known)
    return f", the nearest known is {found}" if found else ""


def meant(names: Iterable[str], others: Iterable[str]) -> str:
    """Which names may be others, misspelt, as the end of a message; empty where none is.

    Only the first few names are looked at, since each is compared with all.

    >>> meant(["lindberg", "news"], ["lindbergh", "show"]), meant(["news"], ["show"])
    ('; is lindberg meant to be lindbergh?', '')
    """
    known = sorted(others)
    pairs = ((name, near(name, known)) for name in list(names)[:_LOOKED_AT])
    found = [f"is {name} meant to be {other}" for name, other in pairs if other is not None]
    return f"; {', '.join(found)}?" if found else ""


_LOOKED_AT = 3


def reason(error: OSError, path: str | os.PathLike[str]) -> str:
    """Why a file cannot be read; of one that is not there, what was probably meant.

    >>> reason(PermissionError(13, "Permission denied"), "a.ne")
    'Permission denied'
    """
    said = error.strerror or str(error)
    if not isinstance(error, FileNotFoundError):
        return said
    folder, name = os.path.split(os.fspath(path).rstrip("/"))
    while folder and not os.path.isdir(folder):  # the first part that is not there
        folder, name = os.path.split(folder)
    try:
        there = {*os.listdir(folder or ".")} - {name}  # a link to nowhere is there
    except OSError:
        return said
    stems = {os.path.splitext(one)[0]: one for one in sorted(there)}  # suffixes are all alike
    found = near(os.path.splitext(name)[0], stems)
    if found is None:
        return said
    return f"{said}, the nearest there is {one_line(os.path.join(folder, stems[found]))}"


class SerevalError(ValueError):
    """Anything that sereval refuses: its text is one line that a user can act on."""


class CrossingError(SerevalError):
    """Elements overlap, and neither is inside the other: no tree has both."""


class InputError(SerevalError):
    """Bad input, with the place where it stands.

    Args:
        message: what was found and what was expected.
        path: the file, as the user named it.
        line: line in the file, from 1.

    >>> print(InputError("tag <b> is never closed", path="a.ne", line=3))
    a.ne:3: tag <b> is never closed
    """

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)
        self.message, self.path, self.line = message, path, line
