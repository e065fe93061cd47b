"""Shows the examples of docstrings as code: mkdocstrings reads them as quotations otherwise."""

import re

from griffe import Class, Extension, Function

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class Doctests(Extension):
    """Puts fences around each run of lines that begins with ``>>>``."""

    def on_function(self, *, func: Function, **_: object) -> None:
        """Of a function or method."""
        _fence(func)

    def on_class(self, *, cls: Class, **_: object) -> None:
        """Of a class."""
        _fence(cls)


def _fence(documented: Class | Function) -> None:
    if documented.docstring is not None:
        documented.docstring.value = EXAMPLE.sub(
            lambda found: f"```pycon\n{found[0]}\n```", documented.docstring.value
        )
