"""The number of documents and elements of each side, and a warning if there are none to score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click

from ..corpus.entries import Side
from ..corpus.unread import Size
from ..formats import FORMATS
from ..report.numbers import counted
from .streams import warn

SIZES = "sereval.sizes"
"""The key, in the context, of the size of each side, in the order of ``NAMES``."""

WARNING = "sereval.warning"
"""The key, in the context, of the warning that there is nothing to score."""

SELECTION = "sereval.selection"
"""The key, in the context, of the sentence about selected documents."""

NAMES = {"ref": "reference", "hyp": "hypothesis"}
"""The names, in reports, of the sides that have elements."""


def keep_sizes(sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]) -> None:
    """Keep the sizes of the sides for the report, and warn if there is nothing to score.

    Args:
        sizes: the size of each side; files of times are left out.
        formats: gives the formats of the files of a side.
    """
    context = click.get_current_context()
    own = sorted((one for one in sizes if one[0] in NAMES), key=lambda one: [*NAMES].index(one[0]))
    kept = context.meta[SIZES] = {side: sizes[side] for side in own}
    warning = nothing_to_score(kept, formats)
    if warning:
        context.meta[WARNING] = warning
        warn(warning)


def keep_selection(path: str, selected: int, documents: int) -> None:
    """Keep a sentence for the report about the documents that the user selected.

    Args:
        path: of the reference.
        selected: the number of the documents that are scored.
        documents: the number of the documents of the reference.
    """
    found = f"scored {selected} of {counted(documents, 'document')} of {path} (--documents)"
    click.get_current_context().meta[SELECTION] = found


def nothing_to_score(
    sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]
) -> str | None:
    """The warning that no reference has an element; ``None`` if one has.

    Args:
        sizes: the size of each side.
        formats: gives the formats of the files of a side; the warning says how they mark elements.

    >>> sizes = {("ref", "a.ne"): Size(1), ("hyp", "b.ne"): Size(1)}
    >>> nothing_to_score(sizes, lambda side: ["inline"])
    'no elements on either side: looked for inline tags <label> … </label> in a.ne and b.ne'
    """
    references, hypotheses = (
        {side: size for side, size in sizes.items() if side[0] == role} for role in NAMES
    )
    if any(size.left for size in references.values()):
        return None
    paths = " and ".join(map(_path, references))
    number = sum(size.elements for size in references.values())
    if number:
        return (
            "nothing to score: --map, --only or --level leave none of "
            f"{counted(number, 'element')} of the reference {paths}"
        )
    if not any(size.elements for size in hypotheses.values()):
        return f"no elements on either side: {_marks_of(sizes, formats)}"
    others = ", ".join(f"{_path(side)} has {size.elements}" for side, size in hypotheses.items())
    return (
        f"no elements in the reference: {_marks_of(references, formats)}; the hypothesis {others}"
    )


def _marks_of(sides: Iterable[Side], formats: Callable[[Side], Iterable[str]]) -> str:
    """How elements are marked in the files of these sides, and the paths of the sides."""
    places: dict[str, list[str]] = {}
    for side in sides:
        found = sorted({FORMATS[one].elements for one in formats(side)})
        paths = places.setdefault(" or ".join(found), [])
        paths += [] if _path(side) in paths else [_path(side)]
    return "looked for " + ", and for ".join(
        f"{what} in {', '.join(of[:-1])}{' and ' * (len(of) > 1)}{of[-1]}"
        for what, of in places.items()
    )


def size_lines(sizes: Mapping[Side, Size]) -> list[str]:
    """The sizes of the sides as sentences: one line for two sides, else a line each.

    >>> size_lines({("ref", "a.ne"): Size(1, 2, 2), ("hyp", "-"): Size(1, 1, 1)})
    ['reference a.ne: 1 document, 2 elements; hypothesis standard input: 1 document, 1 element']
    """
    lines = [
        f"{NAMES[side[0]]} {_path(side)}: {counted(size.documents, 'document')}, "
        f"{counted(size.elements, 'element')}"
        for side, size in sizes.items()
    ]
    return ["; ".join(lines)] if len(lines) == len(NAMES) else lines


def _path(side: Side) -> str:
    return "standard input" if side[1] == "-" else side[1]
