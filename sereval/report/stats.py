"""Statistics of annotated documents as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..analysis.stats import Sizes, Statistics
from ..errors import one_line
from .csv import tidy
from .json import dumps
from .numbers import percent, rounded
from .table import lines, side_by_side

FORMAT = 1

LEGEND = "Lines are utterances; words count as they are written."

StatsValue = int | float | None


def text(found: Statistics) -> str:
    """A row for each number, and a column for all documents and for each group."""
    columns = {name: dict(_values(found, name, sizes)) for name, sizes in found.rows.items()}
    names = list(columns["all"])
    tables = side_by_side(
        [["", *map(one_line, names)]],
        ([one_line(name), *map(_shown, names, own.values())] for name, own in columns.items()),
    )
    parts: list[str] = []
    for rows in tables:
        parts += [*lines(rows), ""]
    parts.append(f"{LEGEND} WER in percent." if found.recognisers else LEGEND)
    return "\n".join([*parts, "", str(found.signature), ""])


def _shown(name: str, value: StatsValue) -> str:
    if name.startswith("WER "):
        return percent(value)
    return str(value) if isinstance(value, int) else rounded(value, 2, (0.0,))


def _values(found: Statistics, group: str, sizes: Sizes) -> Iterator[tuple[str, StatsValue]]:
    """The numbers of a group, by name."""
    yield "documents", sizes.documents
    yield "lines", sizes.lines
    yield "words", sizes.words.total()
    yield "distinct words", len(sizes.words)
    yield "elements", sizes.elements
    yield "distinct labels", len(sizes.labels)
    for kind in found.rows["all"].kinds(found.grammar):
        labels: Mapping[str, int] = sizes.kinds(found.grammar).get(kind, {})
        yield kind, sum(labels.values())
        yield f"distinct {kind}", len(labels)
    yield "elements per word", sizes.density
    yield "mean depth", sizes.depth
    yield "greatest depth", sizes.deepest
    for name in found.recognisers:
        yield f"WER {name}", found.errors(name)[group].rate


def as_json(found: Statistics) -> str:
    """JSON: the numbers of all documents and of each group; rates are fractions."""
    return dumps(
        {
            "format": FORMAT,
            "signature": str(found.signature),
            "groups": {name: _group(found, name, sizes) for name, sizes in found.rows.items()},
        }
    )


def _group(found: Statistics, name: str, sizes: Sizes) -> dict[str, Any]:
    values = dict(_values(found, name, sizes))
    return {
        **{k.replace(" ", "_"): v for k, v in values.items() if not k.startswith("WER ")},
        "labels": dict(sizes.labels),
        "depths": {str(depth): number for depth, number in sizes.depths.items()},
        "wer": {
            recogniser: {**errors._asdict(), "reference": errors.ref, "wer": errors.rate}
            for recogniser in found.recognisers
            for errors in [found.errors(recogniser)[name]]
        },
    }


def as_csv(found: Statistics) -> str:
    """Tidy CSV: a row for each group and number; rates are fractions."""
    rows = (
        (name, measure, value)
        for name, sizes in found.rows.items()
        for measure, value in _values(found, name, sizes)
    )
    return tidy(("group", "measure", "value"), rows)


FORMATS: dict[str, Callable[[Statistics], str]] = {"text": text, "json": as_json, "csv": as_csv}
"""The reports of statistics, by the names that ``--format`` accepts."""
