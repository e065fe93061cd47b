"""What goes wrong on the user's side: one family of exceptions, nothing else."""

from __future__ import annotations


def one_line(text: str) -> str:
    """A text as it can be shown in one line: characters that cannot be seen are escaped.

    >>> print(one_line("two\\nlines"))
    two\\nlines
    """
    joiners = "\u200c\u200d"  # part of how some scripts are written
    return "".join(c if c.isprintable() or c in joiners else repr(c)[1:-1] for c in text)


class SerevalError(ValueError):
    """Anything that sereval refuses: its text is one line that a user can act on."""


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
