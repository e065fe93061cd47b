"""What stands for a stream that is closed, and what a terminal is shown."""

from __future__ import annotations

import io

from ..errors import one_line


class Closed(io.StringIO):
    """Stands for a stream that this process was begun without: some packages ask for one."""


def visible(text: str) -> str:
    """A result as it goes to a terminal, which takes some characters for commands."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)
