"""How much was read of either side, for reports; a warning where there is nothing to score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click

from ..corpus.entries import Side
from ..corpus.unread import Size
from ..errors import one_line
from ..formats import FORMATS
from ..report.numbers import counted

SIZES = "sereval.sizes"
"""Where the context has the size of each side that was scored, in the order of ``NAMES``."""

NOTHING = "sereval.nothing"
"""Where it has the warning that there is nothing to score."""

NAMES = {"ref": "reference", "hyp": "hypothesis"}
"""What sides that have elements are called in reports."""


def keep_sizes(sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]) -> None:
    """Keep how much was read for the report, and say on stderr if there is nothing to score.

    Args:
        sizes: by side; those of times are left out.
        formats: of the files of a side.
    """
    context = click.get_current_context()
    own = sorted((one for one in sizes if one[0] in NAMES), key=lambda one: [*NAMES].index(one[0]))
    kept = context.meta[SIZES] = {side: sizes[side] for side in own}
    warning = nothing_to_score(kept, formats)
    if warning:
        context.meta[NOTHING] = warning
        click.echo(f"sereval: {one_line(warning)}", err=True)


def nothing_to_score(
    sizes: Mapping[Side, Size], formats: Callable[[Side], Iterable[str]]
) -> str | None:
    """That no reference has an element, and what was looked for; ``None`` where one has.

    >>> sizes = {("ref", "a.ne"): Size(1), ("hyp", "b.ne"): Size(1)}
    >>> nothing_to_score(sizes, lambda side: ["inline"])
    'no elements on either side: looked for inline tags <label> … </label> in a.ne and b.ne'
    """
    references, hypotheses = (
        {side: size for side, size in sizes.items() if side[0] == role} for role in NAMES
    )
    if any(size.left for size in references.values()):
        return None
    paths = " and ".join(map(_shown, references))
    number = sum(size.elements for size in references.values())
    if number:
        return (
            f"nothing to score: of {counted(number, 'element')} of the reference {paths} none is "
            "left by --map, --only or --level"
        )
    if not any(size.elements for size in hypotheses.values()):
        return f"no elements on either side: {_looked_for(sizes, formats)}"
    others = ", ".join(f"{_shown(side)} has {size.elements}" for side, size in hypotheses.items())
    return (
        f"no elements in the reference: {_looked_for(references, formats)}; the hypothesis {others}"
    )


def _looked_for(sides: Iterable[Side], formats: Callable[[Side], Iterable[str]]) -> str:
    """What was looked for, and where."""
    places: dict[str, list[str]] = {}
    for side in sides:
        found = sorted({FORMATS[one].elements for one in formats(side)})
        paths = places.setdefault(" or ".join(found), [])
        paths += [] if _shown(side) in paths else [_shown(side)]
    return "looked for " + ", and for ".join(
        f"{what} in {', '.join(of[:-1])}{' and ' * (len(of) > 1)}{of[-1]}"
        for what, of in places.items()
    )


def described(sizes: Mapping[Side, Size]) -> list[str]:
    """How much each side holds: in one line where there are two, else a line each.

    >>> described({("ref", "a.ne"): Size(1, 2, 2), ("hyp", "-"): Size(1, 1, 1)})
    ['reference a.ne: 1 document, 2 elements; hypothesis standard input: 1 document, 1 element']
    """
    lines = [
        f"{NAMES[side[0]]} {_shown(side)}: {counted(size.documents, 'document')}, "
        f"{counted(size.elements, 'element')}"
        for side, size in sizes.items()
    ]
    return ["; ".join(lines)] if len(lines) == len(NAMES) else lines


def _shown(side: Side) -> str:
    return "standard input" if side[1] == "-" else side[1]
