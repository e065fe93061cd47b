"""How often each label stands in each file, for whoever checks an annotation."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..errors import one_line
from ..labels.grammar import Grammar

WIDTH = 100
"""Columns of a table; files that do not fit stand in the next one."""

GAP = 2


def render(files: Mapping[str, Counter[str]], grammar: Grammar) -> str:
    """Labels in alphabetical order, each with its kind, in all files and in each of them.

    Args:
        files: how often each label stands in a file, by its name.

    >>> toy = Grammar("toy", "none", {"loc": ()})
    >>> print(render({"a.ne": Counter(loc=2), "b.ne": Counter(lok=1)}, toy), end="")
    label  kind     all  a.ne  b.ne
    loc    type       2     2     0
    lok    unknown    1     0     1
    all               3     2     1
    """
    total = sum(files.values(), Counter[str]())
    labels = sorted(total)
    first = [
        ["label", *map(one_line, labels), "all"],
        ["kind", *(_kind(label, grammar) for label in labels), ""],
        _column("all", total, labels),
    ]
    others = [_column(name, found, labels) for name, found in files.items()]
    return "\n".join(map(_table, _fitting(first, others if len(others) > 1 else [])))


def _kind(label: str, grammar: Grammar) -> str:
    if grammar.is_type(label):
        return "type"
    return "component" if grammar.is_component(label) else "unknown"


def _column(name: str, found: Counter[str], labels: Sequence[str]) -> list[str]:
    return [one_line(name), *(str(found[label]) for label in labels), str(found.total())]


def _fitting(first: list[list[str]], others: list[list[str]]) -> Iterator[list[list[str]]]:
    """Columns in as few tables as they fit into, the first ones in each of them."""
    room = WIDTH - sum(max(map(len, column)) + GAP for column in first)
    columns, left = list(first), room
    for column in others:
        wide = max(map(len, column)) + GAP
        if wide > left and len(columns) > len(first):
            yield columns
            columns, left = list(first), room
        columns.append(column)
        left -= wide
    yield columns


def _table(columns: Sequence[Sequence[str]]) -> str:
    from rich.console import Console  # slow to import
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="")
    for place, (heading, *_) in enumerate(columns):
        table.add_column(Text(heading), justify="left" if place < 2 else "right", no_wrap=True)
    for row in zip(*(column[1:] for column in columns), strict=True):
        table.add_row(*map(Text, row))
    console = Console(file=io.StringIO(), width=10_000, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "".join(f"{row.rstrip()}\n" for row in capture.get().splitlines())
