"""A report: named tables of typed columns, notes and a text; JSON, CSV, frames and HTML of them.

Before it the parts of a text: numbers, places and tables, in the cells of a terminal. A wide
character takes two cells, a combining accent none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar

from ..documents.files import json_of
from ..documents.model import Time, seconds
from ..errors import SerevalError, nearest, one_line
from ..measures import decimal
from ..version import __version__

T = TypeVar("T")

# Numbers


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def percent(rate: Fraction | float | None, digits: int = 1) -> str:
    """A rate in percent; ``n/a`` for ``None``. Only exact ones are shown as 0.0 or 100.0."""
    return rounded(rate, digits, (-1.0, 0.0, 1.0), 100)


def rounded(
    value: Fraction | float | None, digits: int, ends: Sequence[float], scale: int = 1
) -> str:
    """A value times ``scale``, rounded; ``n/a`` for ``None``."""
    if value is None:
        return "n/a"
    value = float(value)
    shown = round(scale * value, digits)
    least = 10.0**-digits
    for end in ends:
        if shown == scale * end and value != end:
            shown += least if value > end else -least
    return f"{shown:.{digits}f}"


def points(rate: Fraction | float | None, digits: int = 1) -> str:
    """A difference of rates in percentage points, with its sign; only an exact 0 is 0.0."""
    return f"{'+' if rate is not None and rate > 0 else ''}{percent(rate, digits)}"


def signed(cost: Fraction) -> str:
    """An exact cost with its sign."""
    return f"{'+' if cost > 0 else ''}{decimal(cost)}"


def chance(p: Fraction | None) -> str:
    """A p-value to four places, or ``<0.0001``; ``n/a`` for ``None``."""
    if p is None:
        return "n/a"
    return "<0.0001" if p < Fraction(1, 10_000) else f"{float(p):.4f}"


def located(time: Time | None, span: tuple[int, int] | None) -> str:
    """The time of something in the recording or, without times, the numbers of its words."""
    if time is not None:
        return f"{seconds(time[0])}–{seconds(time[1])} s"
    if span is None:
        return ""
    start, end = span
    return f"word {end}" if end == start + 1 else f"words {start + 1}–{end}"


# Cells

LONGEST = 24
"""The most cells that a word or a label takes."""


NARROW = frozenset("─…·→“”").union(map(chr, range(0x300)))
"""Characters that take one cell: those of Latin scripts, and those that the reports draw with."""


class Line:
    """A line of cells, on which texts stand side by side."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: list[tuple[int, int, str, str]] = []  # from a cell to another

    def put(self, at: int, text: str, style: str = "") -> None:
        """Write a text that begins at the cell ``at``, where nothing stands."""
        self._texts.append((at, at + size(text), text, style))

    def __len__(self) -> int:
        return max((after for _, after, _, _ in self._texts), default=0)

    def render(self, colour: str | None = None) -> str:
        """The text of the line with the escape codes of a colour system; ``None``: plain text."""
        found, end = [], 0
        for at, after, text, style in sorted(self._texts):
            found += [" " * (at - end), _colour(text, style, colour) if colour else text]
            end = after
        return "".join(found).rstrip()


def styled(text: str, style: str = "", at: int = 0) -> Line:
    """A line that holds one text."""
    line = Line()
    line.put(at, text, style)
    return line


def _colour(text: str, style: str, colour: str) -> str:
    if not style or text.isspace():
        return text
    from rich.console import COLOR_SYSTEMS  # slow to import
    from rich.style import Style

    return Style.parse(style).render(text, color_system=COLOR_SYSTEMS[colour])


@lru_cache(maxsize=1 << 12)  # words recur
def size(text: str) -> int:
    """The number of terminal cells that a text takes."""
    if text.isascii() or NARROW.issuperset(text):
        return len(text)
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


def paragraph(text: str, cells: int, style: str = "") -> list[Line]:
    """A text in lines of at most ``cells`` cells; all but the first are indented."""
    return [styled(line, style) for line in wrapped(text, cells, "  ")]


# Tables

TextRow = Sequence[str]
"""The cells of a row. A row of one cell is a heading; a row without cells is an empty line."""

GAP = 2
"""Spaces between two columns."""

TERMINAL = 80
"""The columns of a small terminal."""

WIDTH = 100
"""The most terminal columns of a table that can be cut into several."""


def lines(
    rows: Iterable[TextRow], left: Container[int] = (0,), *, width: int | None = None
) -> Iterator[str]:
    """The lines of a table."""
    rows = list(rows)
    full = [row for row in rows if len(row) > 1]
    wide = [max(map(size, column)) for column in zip(*full, strict=True)]
    gap = GAP
    if width is not None and sum(wide) + gap * (len(wide) - 1) >= width:
        gap = 1
        if 0 in left and 1 not in left:
            shared = max(size(row[0]) + size(row[1]) for row in full) - wide[1]
            has_room = shared + sum(wide[1:]) + len(wide) - 1 < width
            wide[0] = shared if has_room else wide[0]
    for row in rows:
        cells = []
        over = 0  # by how much the name of a row is wider than its column
        for k, cell in enumerate(row if len(row) > 1 else ()):
            room = " " * (wide[k] - size(cell) - over)
            over = max(0, size(cell) - wide[k])
            cells.append(cell + room if k in left else room + cell)
        yield (" " * gap).join(cells or row).rstrip()


def group_rows(
    head: TextRow, groups: Mapping[str, Mapping[str, T]], cells: Callable[[T], Iterable[str]]
) -> list[TextRow]:
    """The rows of a table, group by group."""
    rows = [head]
    for heading, group in groups.items():
        if heading:
            rows += [(), (heading,)]
        rows += [(one_line(name), *cells(each)) for name, each in group.items()]
    return rows


def told_once(notes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The notes of several by name, each once; one that not all have stands behind each name."""
    for note in dict.fromkeys(chain.from_iterable(notes.values())):
        names = [name for name, own in notes.items() if note in own]
        yield from [note] if len(names) == len(notes) else (f"{name}: {note}" for name in names)


def side_by_side(
    first: Sequence[TextRow], others: Iterable[TextRow], width: int = WIDTH
) -> Iterator[list[TextRow]]:
    """Distribute columns over as few tables as fit the width, and yield the rows of each."""
    room = width - sum(max(map(len, column)) for column in first) - GAP * (len(first) - 1)
    columns, left = list(first), room
    for column in others:
        wide = GAP + max(map(len, column))
        if wide > left and len(columns) > len(first):
            yield list(zip(*columns, strict=True))
            columns, left = list(first), room
        columns.append(column)
        left -= wide
    yield list(zip(*columns, strict=True))


S = TypeVar("S")

SHOWN = 30
"""The most rows that a notebook shows."""

TYPES = {"text": "string", "integer": "integer", "number": "number", "boolean": "boolean"}
"""The types of columns, and their names in JSON schemas; with an s: a list of such values."""


class Column(NamedTuple, Generic[T, S]):
    """A column of tables, and of the text."""

    name: str  # in JSON, CSV and data frames
    # one of TYPES, with "s" for lists; with "?", left out of tables in which it has no value
    type: str = "number"
    unit: str = ""  # such as "s"
    # from the row, and what all rows share, such as the costs
    value: Callable[[T, S], Any] = lambda row, _: row
    title: str = ""  # the heading in the text; empty: the name
    text: Callable[[Any], str] = str  # formats a value for the text and for the page


def of(attribute: str) -> Callable[[Any, Any], Any]:
    """A ``value`` of a column that reads an attribute of the row."""
    value = attrgetter(attribute)
    return lambda row, _: value(row)


def columns(*each: str, text: Callable[[Any], str] = str) -> tuple[Column[Any, Any], ...]:
    """Columns of attributes, each from its name, type and unit; capitals are small letters there.

    >>> [one.value(Fraction(3, 4), None) for one in columns("numerator integer", "Denominator")]
    [3, 4]
    """
    found = (one.split(" ") + [""] * 2 for one in each)
    return tuple(
        Column(name, type or "number", unit, of(name.lower()), text=text)
        for name, type, unit, *_ in found
    )


def heads(columns: Iterable[Column[T, S]]) -> tuple[str, ...]:
    """The headings of columns."""
    return tuple(column.title or column.name for column in columns)


def texts(columns: Iterable[Column[T, S]], row: T, setting: S) -> list[str]:
    """The cells of a row as text."""
    return [column.text(column.value(row, setting)) for column in columns]


def grouped(
    columns: Sequence[Column[T, S]],
    groups: Mapping[str, Mapping[str, T]],
    setting: S,
    name: str = "",
) -> list[TextRow]:
    """The rows of a table with these columns in the text, group by group."""
    return group_rows((name, *heads(columns)), groups, lambda row: texts(columns, row, setting))


def values(columns: Iterable[Column[T, S]], row: T, setting: S) -> list[Any]:
    """The exact values of a row."""
    return [column.value(row, setting) for column in columns]


class Table(NamedTuple):
    """A table of a report."""

    columns: Sequence[Column[Any, Any]]
    rows: Iterable[Sequence[Any]] = ()  # exact values; None: undefined
    # "row": one row at most, in JSON an object or null; "rows": a list; "detail": not in JSON
    kind: str = "rows"

    def shown(self) -> tuple[list[str], Iterator[list[Any]]]:
        """The names of its columns, and its rows as plain values."""
        rows: Iterable[list[Any]] = ([plain(value) for value in row] for row in self.rows)
        names = [column.name for column in self.columns]
        if not any(column.type.endswith("?") for column in self.columns):
            return names, iter(rows)
        rows = list(rows)
        kept = [
            k
            for k, column in enumerate(self.columns)
            if column.type[-1] != "?" or any(row[k] is not None for row in rows)
        ]
        return [names[k] for k in kept], ([row[k] for k in kept] for row in rows)


def plain(value: Any) -> Any:
    """An exact value as a number of JSON; other values as they are."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return [plain(one) for one in value] if isinstance(value, tuple | list) else value


def row(*each: str) -> Table:
    """A table of one row; arguments as for ``columns``."""
    return Table(columns(*each), kind="row")


def rows(*each: str) -> Table:
    """A table of any number of rows; arguments as for ``columns``."""
    return Table(columns(*each))


Forms = Mapping[str, Table]
"""The tables of a kind of reports, by name, without rows."""


def filled(forms: Forms, **rows: Iterable[Sequence[Any]]) -> dict[str, Table]:
    """The tables of a report: rows by name; other tables are empty."""
    return {name: table._replace(rows=rows.get(name, ())) for name, table in forms.items()}


def prefixed(forms: Forms, *names: str) -> Forms:
    """The tables with these columns ahead of their own, for several reports in one."""
    return {
        name: table._replace(
            columns=(*columns(*names), *table.columns),
            kind="detail" if table.kind == "detail" else "rows",
        )
        for name, table in forms.items()
    }


def stacked(
    parts: Iterable[tuple[Sequence[Any], Mapping[str, Iterable[Sequence[Any]]]]],
) -> dict[str, list[Sequence[Any]]]:
    """The rows of several reports, each behind its names."""
    found: dict[str, list[Sequence[Any]]] = {}
    for names, rows in parts:
        for table, own in rows.items():
            found.setdefault(table, []).extend((*names, *row) for row in own)
    return found


class Look(NamedTuple):
    """How a text looks."""

    width: int = 80  # the cells of a line of the terminal
    colour: str | None = None  # a colour system by its name in rich; None: plain text
    has_bars: bool = False  # bars show costs, as on a terminal
    show: str = "summary"  # the name of the rows to show


PLAIN = Look()


class Report(NamedTuple):
    """All that a command reports."""

    command: str
    # by name; CSV and data frames have the first, unless another one is named
    tables: Mapping[str, Table]
    text: Callable[[Look], Iterable[str]]  # its lines
    signature: object = ""  # all names and values that can change a figure
    notes: Sequence[str] = ()  # sentences that a reader of the figures must know
    headline: Sequence[str] = ()  # what a notebook says above the table

    def table(self, name: str | None = None) -> Table:
        """A table by its name, or the first."""
        if name is None:
            return next(iter(self.tables.values()))
        if name not in self.tables:
            known = ", ".join(self.tables)
            raise SerevalError(
                f"no table {name!r}{nearest(name, self.tables)}, expected one of {known}"
            )
        return self.tables[name]

    def lines(self, look: Look = PLAIN) -> str:
        """The text."""
        return "".join(f"{line}\n" for line in self.text(look))

    def json(self, provenance: Mapping[str, object] | None = None) -> Iterator[str]:
        """The report as JSON, in pieces; each row of a table is a line."""
        yield f'{{\n  "sereval": {_dumps(__version__)},\n  "command": {_dumps(self.command)}'
        yield f',\n  "signature": {_dumps(str(self.signature))}'
        totals_first = sorted(
            self.tables.items(), key=lambda of: any(one.name == "document" for one in of[1].columns)
        )
        for name, table in totals_first:
            if table.kind != "detail":
                yield f',\n  "{name}": '
                yield from _json_of(table)
        yield f',\n  "notes": {_dumps([*self.notes])}'
        if provenance is not None:
            nested = _dumps(provenance, indent=2).replace("\n", "\n  ")
            yield f',\n  "provenance": {nested}'
        yield "\n}\n"

    def jsonl(self) -> Iterator[str]:
        """The rows of the first table as JSON lines; the last line has all other members."""
        first, *others = self.tables
        names, rows = self.tables[first].shown()
        yield from (f"{_dumps(dict(zip(names, row, strict=True)))}\n" for row in rows)
        rest = self._replace(tables={name: self.tables[name] for name in others})
        yield f"{_dumps(json_of(''.join(rest.json())))}\n"

    def csv(self, name: str | None = None) -> Iterator[str]:
        """A table as CSV, row by row: ``None`` is an empty field, lists are joined with spaces."""
        import csv  # many reports do not need it

        names, rows = self.table(name).shown()
        to = SimpleNamespace(write=lambda line: line.removesuffix("\r\n") + "\n")
        # with this end of a line, both of its characters are quoted
        line_of = csv.writer(to, lineterminator="\r\n").writerow
        return (
            line_of([" ".join(map(str, one)) if isinstance(one, list) else one for one in row])
            for row in chain([names], rows)
        )


def _dumps(value: Any, indent: int | None = None) -> str:
    import json  # many reports do not need it

    return json.dumps(value, ensure_ascii=False, indent=indent)


def _json_of(table: Table) -> Iterator[str]:
    names, rows = table.shown()
    lines = (_dumps(dict(zip(names, row, strict=True))) for row in rows)
    if table.kind == "row":
        yield next(lines, "null")
        return
    before = "["
    for line in lines:
        yield f"{before}\n    {line}"
        before = ","
    yield "[]" if before == "[" else "\n  ]"


def _cell(value: Any) -> str:
    """A value in a notebook."""
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    if isinstance(value, float):
        return format(value, ".4g")
    return "" if value is None else str(value)


class Reported(ABC):
    """A result that shows itself by its report.

    >>> from sereval import score
    >>> score([["B-PER"]], [["O"]], measure="SER").to_frame()["value"].tolist()
    [1.0]
    """

    __slots__ = ()

    @abstractmethod
    def report(self) -> Report:
        """The report of the command: its text, its tables, its notes."""

    def to_frame(self, table: str | None = None) -> Any:
        """A ``pandas.DataFrame`` (docs/reference/json.md lists the tables of each result).

        Args:
            table: the name of the table; ``None``: the first table of the result.

        Raises:
            SerevalError: pandas is not installed (extra ``pandas``); there is no such table.
        """
        names, rows = self.report().table(table).shown()
        try:
            import pandas  # an extra, and slow to import
        except ImportError:
            raise SerevalError(
                "frames need the package pandas, expected it installed: "
                "pip install 'sereval[pandas]'"
            ) from None
        return pandas.DataFrame(list(rows), columns=names)

    def to_json(self) -> str:
        """The report that the command writes with ``--format json``, without its provenance."""
        return "".join(self.report().json())

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows: the first rows of the first table, the signature."""
        from html import escape  # slow to import, and only notebooks need it

        report = self.report()
        names, rows = report.table().shown()
        cells = [[_cell(cell) for cell in row] for row in rows]
        head = "".join(f"<th>{escape(one)}</th>" for one in names)
        shown = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in cells[:SHOWN]]
        body = "\n".join(f"<tr>{row}</tr>" for row in shown)
        left = len(cells) - len(shown)
        more = f"<p>… {left} more rows</p>\n" if left > 0 else ""
        above = "".join(f"<p><b>{escape(one)}</b></p>\n" for one in report.headline)
        return (
            f"{above}<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>\n"
            f"{more}<p><code>{escape(str(report.signature))}</code></p>"
        )

    def __str__(self) -> str:
        """The report that the command prints."""
        return self.report().lines().rstrip("\n")

    def __repr__(self) -> str:
        """One line of at most 200 characters; all documents of a corpus would fill a terminal."""
        shown = f"<{type(self).__name__}: {self.report().signature}"
        return f"{shown if len(shown) < 200 else f'{shown[:198]}…'}>"


class Paged:
    """A result that shows itself as a page, with every element in a time line.

    >>> from sereval import score
    >>> score([["B-PER"]], [["O"]]).to_html().startswith("<!doctype html>")
    True
    """

    __slots__ = ()

    def to_html(self) -> str:
        """The page that the command writes with ``--format html``, as one file.

        Raises:
            SerevalError: the result does not keep the outcome of each element.
        """
        from . import page  # set by the package

        return page(self)

    def save(self, path: str | Path) -> None:
        """Write the page to a file, such as ``page.html``.

        Args:
            path: the file.

        Raises:
            SerevalError: as for :meth:`to_html`.
            OSError: the file cannot be written.
        """
        Path(path).write_text(self.to_html(), "utf-8")


# Schemas


def schema(command: str, forms: Sequence[Forms], *, has_lines: bool = False) -> dict[str, object]:
    """The JSON schema of the report of a command, which has one of some forms, or of a line of it:
    a row of the first table, or all other members."""
    kinds: list[object] = []
    for form in forms:
        tables = {**form}
        if has_lines:
            kinds.append(_of_table(tables.pop(next(iter(form))))["items"])
        kinds.append(_of_report(command, tables))
    what = (
        "line of sereval {} --format jsonl" if has_lines else "report of sereval {} --format json"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:sereval:schema:{command}",
        "title": f"A {what.format(command)}",
        "anyOf": kinds,
    }


def _of_report(command: str, form: Forms) -> dict[str, object]:
    text = {"type": "string"}
    members = {
        "sereval": text,
        "command": {"const": command},
        "signature": text,
        **{name: _of_table(table) for name, table in form.items() if table.kind != "detail"},
        "notes": {"type": "array", "items": text},
    }
    return _object({**members, "provenance": {"type": "object"}}, members)


def _of_table(table: Table) -> dict[str, object]:
    found = {column.name: _of_column(column) for column in table.columns}
    row = _object(found, [one.name for one in table.columns if one.type[-1] != "?"])
    if table.kind == "row":
        return {**row, "type": ["object", "null"]}
    return {"type": "array", "items": row}


def _of_column(column: Column[Any, Any]) -> dict[str, object]:
    kind = column.type.removesuffix("?")
    one: dict[str, object] = {"type": [TYPES[kind.removesuffix("s")], "null"]}
    if kind not in TYPES:
        one = {"type": ["array", "null"], "items": one}
    return {**one, "description": column.unit} if column.unit else one


def _object(members: Mapping[str, object], required: Iterable[str]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {**members},
        "required": sorted(required),
        "additionalProperties": False,
    }
