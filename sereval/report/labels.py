"""The number of elements of each label in each file, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..errors import one_line
from ..labels.grammar import Grammar
from ..render.text import GAP, WIDTH, lines, side_by_side


def render(files: Mapping[str, Counter[str]], grammar: Grammar) -> str:
    """A table of labels in alphabetical order: kind, count in all files, count in each file."""
    total = sum(files.values(), Counter[str]())
    labels = sorted(total)
    first = [
        ["label", *map(one_line, labels), "all"],
        ["kind", *(_kind(label, grammar) for label in labels), ""],
        _column("all", total, labels),
    ]
    others = [_column(name, found, labels) for name, found in files.items()]
    tables = side_by_side(first, others if len(others) > 1 else [], WIDTH - GAP)
    return "\n".join("".join(f"{line}\n" for line in lines(rows, left=(0, 1))) for rows in tables)


def _kind(label: str, grammar: Grammar) -> str:
    if grammar.is_type(label):
        return "type"
    return "component" if grammar.is_component(label) else "unknown"


def _column(name: str, found: Counter[str], labels: Sequence[str]) -> list[str]:
    return [one_line(name), *(str(found[label]) for label in labels), str(found.total())]
