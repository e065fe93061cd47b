"""The methods that show a result as tables, in a notebook, as JSON and as a chart."""

from __future__ import annotations

from typing import Any


class Tabular:
    """A result that ``report`` shows as tables.

    >>> from sereval import score
    >>> score([["B-PER"]], [["O"]], measure="SER").to_frame()["SER"].tolist()
    [1.0, 1.0]
    """

    __slots__ = ()

    def to_frame(self, by: str | None = None) -> Any:
        """A ``pandas.DataFrame`` (docs/reference/python.md lists the tables of each result).

        Args:
            by: what a row is, such as ``label``, ``document`` or ``slot``; ``None``: the first
                table of the result.

        Raises:
            SerevalError: pandas is not installed (extra ``pandas``); there is no such table.
        """
        from ..report.frames import as_frame, table_of

        return as_frame(table_of(self, by))

    def __str__(self) -> str:
        """The report that the command prints; of a result that has none, one line."""
        from ..report.frames import report_of

        return "".join(report_of(self).as_text(self)).rstrip("\n") or repr(self)

    def __repr__(self) -> str:
        """One line of at most 200 characters; all documents of a corpus would fill a terminal."""
        from ..report.frames import report_of

        shown = f"<{type(self).__name__}: {report_of(self).signature(self)}"
        return f"{shown if len(shown) < 200 else f'{shown[:198]}…'}>"

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        from ..report.frames import as_html, report_of, table_of

        return as_html(table_of(self), report_of(self).signature(self))


class Reportable(Tabular):
    """A result that ``report`` also writes as JSON."""

    __slots__ = ()

    def to_json(self) -> str:
        """The report that the command writes with ``--format json``, without its provenance."""
        from ..report.frames import report_of

        return "".join(report_of(self).as_json(self))


class Plottable(Reportable):
    """A result of which ``report`` also draws a chart."""

    __slots__ = ()

    def plot(self) -> Any:
        """A chart as a figure of ``matplotlib`` (docs/reference/python.md says what each shows).

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        from ..report.frames import report_of

        return report_of(self).chart(self)
