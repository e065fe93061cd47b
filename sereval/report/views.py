"""What the text of a score shows: which labels and documents, how wide, with or without bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from ..render.table import TextRow

T = TypeVar("T")

TERMINAL = 80
"""The columns of a small terminal."""

WIDEST = 140
"""The most columns that a report takes."""

NARROWEST_BAR, WIDEST_BAR = 8, 40
"""The least and the most columns of the longest bar."""


class TextView(NamedTuple):
    """What the text of a score shows.

    Args:
        labels: the number of labels, those that cost most; ``None``: all.
        documents: the number of documents, those that cost most; ``None``: all.
        width: the columns of the terminal.
        has_bars: whether bars show the costs, as on a terminal.
    """

    labels: int | None = None
    documents: int | None = None
    width: int = TERMINAL
    has_bars: bool = False

    def on_terminal(self, width: int) -> TextView:
        """The view on a terminal, with bars.

        Args:
            width: the columns of the terminal.
        """
        return self._replace(width=min(width, WIDEST), has_bars=True)

    @property
    def is_whole(self) -> bool:
        """Whether all labels and all documents are shown."""
        return self.labels is None and self.documents is None

    def groups(
        self,
        labels: Mapping[str, T],
        documents: Mapping[str, T],
        cost: Callable[[T], Fraction],
    ) -> dict[str, Mapping[str, T]]:
        """The labels and the documents to show, under their headings.

        Where all are shown, they keep their order. Where some are left out, those that cost most
        come first; equal costs are in the order of names.

        Args:
            labels, documents: all of them.
            cost: computes the cost by which they are chosen.

        >>> view = TextView(labels=1, documents=1)
        >>> view.groups({"loc": 1, "org": 2}, {"d": 3}, Fraction)
        {'by label: 1 of 2, the most costly': {'org': 2}, 'by document': {'d': 3}}
        """
        found: dict[str, Mapping[str, T]] = {}
        for heading, rows, most in (
            ("by label", labels, self.labels),
            ("by document", documents, self.documents),
        ):
            if most is None or len(rows) <= most:
                found[heading] = rows
            else:
                names = sorted(rows, key=lambda name: (-cost(rows[name]), name))[:most]
                chosen = {name: rows[name] for name in names}
                found[f"{heading}: {most} of {len(rows)}, the most costly"] = chosen
        return found


ALL = TextView()
"""The view that shows all labels and documents."""

VIEWS = {
    "summary": TextView(labels=10, documents=3),
    "labels": TextView(documents=3),
    "documents": TextView(labels=10),
    "all": ALL,
}
"""The views by the names that ``--show`` accepts; the first is the default."""


def with_bars(
    lines: Sequence[str], rows: Sequence[TextRow], costs: Sequence[Fraction | None], view: TextView
) -> list[str]:
    """The lines of a table with a bar for the cost of each row; the greatest cost is the longest.

    Args:
        lines: the lines of the table.
        rows: the rows of the table, one for each line.
        costs: the cost of each row; ``None``: the row has no bar.
        view: says whether there are bars, and the width of the terminal.

    >>> rows, costs = [("a", "1"), ("b", "2")], [Fraction(1), Fraction(2)]
    >>> with_bars(["a 1", "b 2"], rows, costs, TextView(width=15, has_bars=True))
    ['a 1  █████', 'b 2  ██████████']
    """
    wide = max(
        (len(line) for line, row in zip(lines, rows, strict=True) if len(row) > 1), default=0
    )
    room = min(view.width - wide - 2, WIDEST_BAR)
    most = max((cost for cost in costs if cost is not None), default=Fraction(0))
    if not view.has_bars or room < NARROWEST_BAR or not most:
        return list(lines)
    bars = ["█" * -(-cost * room // most) if cost else "" for cost in costs]
    return [f"{line:{wide}}  {bar}".rstrip() for line, bar in zip(lines, bars, strict=True)]


def coloured(text: str, colour: str | None) -> str:
    """The text of a report with its first line in bold and its bars in colour.

    Args:
        text: a report without control characters.
        colour: the colour system of the terminal, as rich names it; ``None``: no colours.
    """
    if colour is None:
        return text
    from ..render.cells import styled  # only terminals wait for it

    first, *others = text.split("\n")
    found = [styled(first, "bold").render(colour)]
    for line in others:
        rest = line.rstrip("█")
        bar = line[len(rest) :]
        found.append(f"{rest}{styled(bar, 'red').render(colour)}" if bar else line)
    return "\n".join(found)
