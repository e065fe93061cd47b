"""Text in the cells of a terminal: a wide character takes two cells, a combining accent none."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..errors import one_line

if TYPE_CHECKING:
    from rich.style import Style

LONGEST = 24
"""The most cells that a word or a label takes."""


NARROW = frozenset("─…·→“”").union(map(chr, range(128)))
"""Characters that take one cell: those of ASCII, and those that the reports draw with."""


class Line:
    """A line of cells. Text can be written at any cell; it replaces what stands there."""

    __slots__ = ("_cells", "_length", "_parts")

    def __init__(self) -> None:
        self._parts: list[tuple[int, str, str]] = []  # texts of narrow characters, as written
        self._length = 0
        self._cells: list[tuple[str, str]] | None = None  # instead, once another text is written

    def put(self, at: int, text: str, style: str = "") -> None:
        """Write a text that begins at the cell ``at``."""
        if self._cells is None and (text.isascii() or _is_narrow(text)):
            self._parts.append((at, text, style))
            after = at + len(text)
            if after > self._length:
                self._length = after
            return
        cells = self._cells = self._as_cells()
        cells += [(" ", "")] * (at - len(cells))
        for character in text:
            width = size(character)
            if width == 0 and at:
                cells[at - 1] = cells[at - 1][0] + character, style
                continue
            # a wide character is followed by an empty cell
            cells[at : at + width] = [(character, style), *[("", style)] * (width - 1)]
            at += width
        self._length = len(cells)

    def _as_cells(self) -> list[tuple[str, str]]:
        """The character and the style of each cell."""
        if self._cells is not None:
            return self._cells
        cells: list[tuple[str, str]] = []
        for at, text, style in self._parts:
            cells += [(" ", "")] * (at - len(cells))
            cells[at : at + len(text)] = [(character, style) for character in text]
        return cells

    def __len__(self) -> int:
        return self._length

    @property
    def text(self) -> str:
        """The text of the line without styles."""
        if self._cells is not None:
            return "".join(character for character, _ in self._cells).rstrip()
        found = ""
        for at, text, _ in self._parts:
            if at >= len(found):
                found = found.ljust(at) + text
            else:
                found = found[:at] + text + found[at + len(text) :]
        return found.rstrip()

    def render(self, colour: str | None) -> str:
        """The text of the line with the escape codes of a colour system; ``None``: plain text."""
        if colour is None:
            return self.text
        runs: list[tuple[str, str]] = []
        for character, style in self._as_cells():
            if runs and runs[-1][1] == style:
                runs[-1] = runs[-1][0] + character, style
            else:
                runs.append((character, style))
        return "".join(_colour(text, style, colour) for text, style in runs).rstrip()


def _is_narrow(text: str) -> bool:
    """Whether each character takes one cell, in a text with other characters than ASCII's."""
    return NARROW.issuperset(text) or all(size(c) == 1 for c in text)


def styled(text: str, style: str = "") -> Line:
    """A line that holds one text."""
    line = Line()
    line.put(0, text, style)
    return line


def _colour(text: str, style: str, colour: str) -> str:
    if not style or text.isspace():
        return text
    from rich.console import COLOR_SYSTEMS  # slow to import

    return _style(style).render(text, color_system=COLOR_SYSTEMS[colour])


@cache
def _style(style: str) -> Style:
    from rich.style import Style

    return Style.parse(style)


def size(text: str) -> int:
    """The number of terminal cells that a text takes."""
    return len(text) if text.isascii() else _wide(text)


@lru_cache(maxsize=1 << 12)  # words recur
def _wide(text: str) -> int:
    """The same for a text with other letters than those of ASCII."""
    from rich.cells import cell_len  # slow to import

    return cell_len(text)


@lru_cache(maxsize=1 << 14)
def clip(text: str, cells: int = LONGEST) -> str:
    """A text on one line, cut to a number of cells; ``…`` marks the cut."""
    text = one_line(text)
    if size(text) <= cells:
        return text
    text = text[: 10 * cells]  # the rest is never shown: no letter has that many marks
    while size(text) >= cells and text:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, cells: int, indent: str = "") -> list[str]:
    """A text broken into lines of at most ``cells`` cells; all but the first are indented."""
    text = one_line(text)
    if size(text) <= cells:
        return [text]
    lines: list[str] = []
    for word in text.split(" "):
        room = f"{lines[-1]} {word}" if lines else word
        if lines and size(room) <= cells:
            lines[-1] = room
        else:
            lines.append(clip(indent + word if lines else word, cells))
    return lines
