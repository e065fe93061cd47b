"""``sereval schemes``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..schemes.options import OPTIONS
from ..schemes.table import TABLE, Scheme
from .help import command
from .outputs import write


@command(
    examples=(
        "schemes",
        "score --scheme mitre --help-all",
        "score data/ref data/hyp/gazetteer/manual --scheme muc",
    )
)
def schemes() -> None:
    """List the schemes: what each counts, its figures and its options.

    The options that all schemes take are left out. sereval score --scheme NAME --help-all shows all
    options of one scheme with what they do.
    """
    write("\n\n".join("\n".join(_lines(scheme)) for scheme in TABLE) + "\n", "-")


WIDTH = max(len(scheme.name) for scheme in TABLE) + 2


def _lines(scheme: Scheme) -> Iterator[str]:
    """The lines of a scheme: its name with what it counts, its figures, its options."""
    from textwrap import wrap

    texts = (
        scheme.description,
        f"figures: {', '.join(scheme.figures)}",
        f"options: {', '.join(_flags(scheme.options))}",
    )
    margin = " " * WIDTH
    for k, text in enumerate(texts):
        first = f"{scheme.name:{WIDTH}}" if k == 0 else margin
        yield from wrap(
            text,
            80,
            initial_indent=first,
            subsequent_indent=margin,
            break_on_hyphens=False,
            break_long_words=False,
        )


def _flags(names: Iterable[str]) -> list[str]:
    """The options with these names as the command line spells them."""
    return [OPTIONS[name].on_command_line if name in OPTIONS else f"--{name}" for name in names]
