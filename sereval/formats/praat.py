"""TextGrid of Praat: the words of a forced alignment or of a recogniser, with their times.

The `textgrid` package parses the word tiers. It has no line numbers, rounds times, and drops empty
intervals without a message. `praat_scan` therefore reads the same file, and both must agree. Times
are the decimals of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..documents.model import Document
from .file import File as Source
from .file import quote
from .praat_scan import Grid, PraatInterval, Tier, scan
from .praat_write import write_textgrid as write_textgrid
from .tiers import SILENCE, tier_notes, word_tiers
from .times import Word, document_of_words, milliseconds

_CRASHES = (ValueError, TypeError, AttributeError, IndexError, EOFError)
"""Exceptions that the package raises on a layout that it does not expect."""

_Mark = tuple[float, float, str]


def read_textgrid(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a TextGrid.

    Args:
        source: the file; the document takes its id. ``source.options.tiers`` names the tiers of the
            words; none: ``word_tiers`` finds them by their names.

    Returns:
        One document, without elements. Intervals of silence are no words; an interval without
        length is a word if it has a text. The words of several tiers are merged by start time.

    Raises:
        InputError: a file that `scan` refuses; no such tier, or a tier of points; an interval that
            ends before it starts, overlaps the one before it, or is outside its tier; a layout
            that the package cannot read.

    >>> values = '"ooTextFile" "TextGrid" 0 2 <exists> 1 "IntervalTier" "words" 0 2 2 0 1 "" 1 2'
    >>> text = "\\n".join([*values.split(" "), '"Dol"'])
    >>> [(_, dol)] = read_textgrid(Source("a.TextGrid", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((1000, 2000),))
    """
    grid = scan(source)
    tiers = _word_tiers(source, grid)
    words: list[Word] = []
    for tier, marks in zip(tiers, _marks(source, grid, tiers), strict=True):
        words.extend(_words(source, tier, marks))
    notes = tier_notes(source.options.tiers, len(tiers), len(words))
    return [(None, document_of_words(source.id, words, source.path, notes))]


def _word_tiers(source: Source, grid: Grid) -> list[Tier]:
    tiers = [tier for tier in grid.tiers if not tier.is_points]
    there = ", ".join(quote(t.name) + " (points)" * t.is_points for t in grid.tiers)
    names, requested = [t.name for t in tiers], source.options.tiers
    places = word_tiers(names, requested, kind="interval tier", there=there)
    found = [tiers[k] for k in places]
    for tier in found:
        _check_tier(source, grid, tier)
    return found


def _check_tier(source: Source, grid: Grid, tier: Tier) -> None:
    name, line = quote(tier.name), tier.lines[0]
    if _tick(tier.start) < _tick(grid.start) or _tick(tier.end) > _tick(grid.end):
        raise source.error(
            f"tier {name} spans {tier.start}–{tier.end} s, "
            f"expected it within the file's {grid.start}–{grid.end} s",
            line,
        )
    before = tier.start
    for interval in tier.intervals:
        start, end = interval.start, interval.end
        if end < start:
            raise source.error(
                f"interval ends ({end} s) before it starts ({start} s)", interval.line
            )
        if _tick(start) < _tick(before):
            ahead = "the one ahead ends" if interval is not tier.intervals[0] else "its tier starts"
            raise source.error(
                f"interval starts ({start} s) before {ahead} ({before} s), "
                "expected intervals in order, without overlap",
                interval.line,
            )
        if _tick(end) > _tick(tier.end):
            raise source.error(
                f"interval ends ({end} s) after its tier {name} ({tier.end} s)", interval.line
            )
        before = end


def _words(source: Source, tier: Tier, marks: list[_Mark]) -> Iterator[Word]:
    """The words of a tier, with times from the scan and texts from the package; both must agree."""
    seen = [interval for interval in tier.intervals if not _is_null(interval)]
    expected = [(_tick(interval.start), _tick(interval.end), interval.text) for interval in seen]
    if marks != expected:
        pairs = zip(seen, marks, expected, strict=False)
        lines = [interval.line for interval, mark, wanted in pairs if mark != wanted]
        raise source.error(_LAYOUT, lines[0] if lines else tier.lines[0])
    texts = (text for _, _, text in marks)
    for interval in tier.intervals:
        text = (interval.text if _is_null(interval) else next(texts)).strip()
        if text not in SILENCE:
            yield milliseconds(interval.start), milliseconds(interval.end), text


_LAYOUT = (
    "the textgrid package reads something else than the file holds, "
    "expected one value a line, as Praat writes them"
)


def _tick(time: object) -> float:
    """A time as the package rounds it: the last digits of equal times may differ in a file."""
    return round(float(str(time)), 5)


def _is_null(interval: PraatInterval) -> bool:
    """Whether the package skips the interval: it has no length at the package's precision."""
    return _tick(interval.start) >= _tick(interval.end)


def _marks(source: Source, grid: Grid, tiers: list[Tier]) -> list[list[_Mark]]:
    """The intervals of the tiers as the package reads them, from a temporary file."""
    import tempfile  # both are slow to import, and needed for this format only

    import textgrid

    try:
        with tempfile.TemporaryDirectory(prefix="sereval-") as folder:
            path = os.path.join(folder, "words.TextGrid")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(_extract(source, grid, tiers))
            read = textgrid.TextGrid()
            read.read(path, encoding="utf-8")
        return [[(i.minTime, i.maxTime, i.mark) for i in tier] for tier in read]
    except _CRASHES:
        raise source.error(_LAYOUT, tiers[0].lines[0]) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise source.error(f"it is read through a temporary file: {reason}") from None


def _extract(source: Source, grid: Grid, tiers: list[Tier]) -> str:
    """The file with these tiers only: the package misreads points in the short format."""
    lines = source.text.split("\n")
    texts = ["\n".join(lines[t.lines[0] - 1 : t.lines[1]]) + "\n" for t in tiers]
    size = len(tiers)
    if texts[0].lstrip().startswith('"'):
        head = f'"ooTextFile short"\n"TextGrid"\n\n{grid.start}\n{grid.end}\n<exists>\n{size}\n'
        return f"File type = {head}{''.join(texts)}"
    return (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
        f"xmin = {grid.start}\nxmax = {grid.end}\ntiers? <exists>\nsize = {size}\nitem []:\n"
        + "".join(f"item [{k}]:\n{text}" for k, text in enumerate(texts, 1))
    )
