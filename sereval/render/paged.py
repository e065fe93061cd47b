"""The methods of results that have a page."""

from __future__ import annotations

from pathlib import Path


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
        from ..report.page import page  # few results are shown as a page

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
