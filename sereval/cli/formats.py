"""``sereval formats``."""

from __future__ import annotations

from ..formats import FORMATS, WRITERS
from ..formats.table import Format
from .help import command
from .outputs import write


@command(
    examples=(
        "formats",
        "convert data/ref brat/ --to brat",
        "score data/ref data/hyp/gazetteer/manual --hyp-format inline",
    )
)
def formats() -> None:
    """List the formats of files.

    Each line has what a file holds, whether sereval writes it, and its suffixes. A suffix in
    brackets belongs to several formats; such a file is known by its keys or first line.
    """
    rows = [("format", "holds", "written", "suffixes"), *map(_row, FORMATS.values())]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:
        write("  ".join(map(str.ljust, row, [*widths, 0])).rstrip() + "\n", "-")


def _row(one: Format) -> tuple[str, ...]:
    """The cells of a format."""
    held = ["words"] if one.has_places else []
    held += ["times"] if one.has_times else []
    held += [("elements" if one.has_places else "mentions")] if one.elements else []
    suffixes = [*one.suffixes, *(f"({suffix})" for suffix in one.shared)]
    return one.name, ", ".join(held), "yes" if one.name in WRITERS else "no", " ".join(suffixes)
