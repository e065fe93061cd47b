"""The exceptions that sereval raises on bad input, and the parts of their messages."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

_V = TypeVar("_V")


def one_line(text: str) -> str:
    """A text on one line, with its invisible characters escaped."""
    if text.isprintable():
        return text
    joiners = "\u200c\u200d"  # some scripts are written with them
    return "".join(c if c.isprintable() or c in joiners else repr(c)[1:-1] for c in text)


def near(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most similar to a misspelt one; ``None``: no name is similar."""
    from rapidfuzz import fuzz, process  # slow to import, and only misspelt names need it

    # 75 finds a slip in any label, and suggests nothing for a label that is not misspelt
    found = process.extractOne(
        name, sorted(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=75
    )
    return found[0] if found else None


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message that suggests a known name; empty if no name is similar."""
    found = near(name, known)
    return f", the nearest known is {found}" if found else ""


def meant(names: Iterable[str], others: Iterable[str]) -> str:
    """The end of a message that asks whether names are misspelt; empty if none seems to be."""
    known = sorted(others)
    pairs = ((name, near(name, known) or _in_full(name, known)) for name in [*names][:_LOOKED_AT])
    found = [f"is {name} meant to be {other}" for name, other in pairs if other is not None]
    return f"; {', '.join(found)}?" if found else ""


_LOOKED_AT = 3


def _in_full(name: str, known: Sequence[str]) -> str | None:
    """The only name that begins as an abbreviation, such as PER, or is one of the name."""
    folded = name.casefold()
    found = [
        one
        for one in known
        if min(len(one), len(name)) > 2 and "." not in one + name
        if one.casefold().startswith(folded) or folded.startswith(one.casefold())
    ]
    return found[0] if len(found) == 1 else None


def reason(error: OSError, path: str | os.PathLike[str]) -> str:
    """The reason why a file cannot be read; for a missing file also the most similar name."""
    said = error.strerror or str(error)
    if not isinstance(error, FileNotFoundError):
        return said
    if any(character in os.fspath(path) for character in "*?["):
        said += "; expected a file or a folder instead of a pattern"
    folder, name = os.path.split(os.fspath(path).rstrip("/"))
    while folder and not os.path.isdir(folder):  # stops at the first part that does not exist
        folder, name = os.path.split(folder)
    try:
        there = {*os.listdir(folder or ".")} - {name}  # a broken link is listed too
    except OSError:
        return said
    stems = {os.path.splitext(one)[0]: one for one in sorted(there)}  # a suffix says too little
    found = near(os.path.splitext(name)[0], stems)
    if found is None:
        return said
    return f"{said}, the nearest there is {one_line(os.path.join(folder, stems[found]))}"


class SerevalError(ValueError):
    """The error for all input that sereval refuses.

    Its message is one line: where the fault is, what was found, and what was expected.

    >>> from sereval import from_spans
    >>> try:
    ...     from_spans(["Dol"], [("loc", 0, 2)])
    ... except SerevalError as error:
    ...     print(error)
    -: element loc [0, 2) is no stretch of the 1 words
    """


class CrossingError(SerevalError):
    """The error for two elements that overlap although neither is inside the other."""


class InputError(SerevalError):
    """The error for bad input. Its message begins with the file and the line."""

    def __init__(self, message: str, *, path: object = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)
        # the path as the user named it, the line from 1
        self.message, self.path, self.line = message, path, line


MOST_PROBLEMS = 20
"""The most problems of an input that a message lists."""

POLICY = r"--(?:read|missing|altered-words) [a-z=-]+(?=[ ,;)]|$)"
"""An option that a message says would take what was refused."""


class Problems(SerevalError):
    """The error for input with several problems: a line each, then how many more, and policies."""

    def __init__(self, errors: Sequence[SerevalError]) -> None:
        # the first problem of each document or file that has some
        self.errors: list[SerevalError] = []
        for error in errors:
            self.errors += error.errors if isinstance(error, Problems) else [error]
        messages = list(dict.fromkeys(one_line(str(error)) for error in self.errors))
        found = messages[:MOST_PROBLEMS]
        if left := len(messages) - len(found):
            found.append(f"… {left} more problems")
        policies = Counter(one for text in messages for one in {*re.findall(POLICY, text)})
        taken = [f"{policy} ({count})" for policy, count in sorted(policies.items())]
        if taken:
            found.append(f"policies that take some of these: {', '.join(taken)}")
        super().__init__("\n".join(found))

    @classmethod
    def of(cls, errors: Sequence[SerevalError]) -> SerevalError:
        """One error for all, which is the only one if there is one."""
        return errors[0] if len(errors) == 1 else cls(errors)


class UsageFault(SerevalError):
    """The error for options of a run that contradict each other or have no effect."""


def with_place(where: str, make: Callable[..., _V], *arguments: Any) -> _V:
    """Call a function, and put the place of the arguments before the message of its error."""
    try:
        return make(*arguments)
    except SerevalError as error:
        raise type(error)(f"{where}: {error}") from None


def check_choice(choice: str, choices: Iterable[str]) -> None:
    """Refuse a choice that is none of some choices."""
    if choice not in [*choices]:
        raise SerevalError(f"found {choice!r}, expected one of {', '.join(choices)}")


@contextmanager
def naming(what: str) -> Iterator[None]:
    """A context whose errors name a document, an argument or another place."""
    try:
        yield
    except SerevalError as error:
        named = "" if str(error).startswith(f"{what}: ") else f"{what}: "
        raise SerevalError(f"{named}{error}") from None


@contextmanager
def located(path: str | None) -> Iterator[None]:
    """Name a file, if there is one, in errors about it that name none."""
    try:
        yield
    except (InputError, Problems, UsageFault):
        raise
    except SerevalError as error:
        raise InputError(str(error), path=path or None) from None
