"""Campaigns as text, JSON and CSV: of systems on several words, and of groups of documents.

``COMPARISONS`` are the reports of ``sereval compare``, ``CAMPAIGNS`` those of ``sereval blame
--campaign``. Both show the same tables of what the recognisers cost.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..analysis.blame import Blame
from ..analysis.campaign import Campaign, SystemBlame
from ..analysis.resampling import Resampling
from ..errors import one_line
from ..render.cells import clip, size
from ..render.numbers import counted, percent, real
from ..render.table import TERMINAL, lines, side_by_side
from . import compare
from .blame import COLUMNS, PARTS, bracket, case_cells, figures, in_percent, members, signature
from .csv import lines as csv_lines
from .csv import tidy
from .json import attributes, dumps

FORMAT = 1

PIECES = {
    "manual": ("perfect words", "█"),
    "interaction": ("misheard", "░"),
    "perfect": ("no word", "▓"),
}
"""The heads and the signs of the parts of a cost, in the order of ``PARTS``."""

BAR = 40
"""How many signs the longest bar has."""


# What the recognisers cost


def cost_lines(rows: Sequence[SystemBlame], resampling: Resampling) -> list[str]:
    """Tables with a row for each system on the words of each recogniser, and a bar for each.

    Args:
        rows: the blame of each system on the words of each recogniser.
        resampling: the settings of the intervals.
    """
    first = [["system", *(clip(row.system) for row in rows)]]
    first.append(["words", *(clip(row.condition) for row in rows)])
    tables = [
        "\n".join(lines(table, left=(0, 1), size=size))
        for columns in (_costs(rows), _shares(rows, resampling))
        for table in side_by_side(first, columns, width=TERMINAL)
    ]
    bars = [*first, ["", *_bars([row.blame for row in rows])]]
    tables.append("\n".join(lines(zip(*bars, strict=True), left=(0, 1, 2), size=size)))
    return [
        *"\n\n".join(tables).split("\n"),
        "",
        "In percent of the reference elements: errors even on perfect words (█), errors added by",
        "misheard words (░), elements left without a word (▓). The system's share has the first,",
        "the recogniser's the last; each has half of what misheard words add.",
        "WER: of all words of the reference, and of the words in its elements (entities).",
    ]


def _costs(rows: Sequence[SystemBlame]) -> list[list[str]]:
    """The columns of the costs, and of the errors of words."""
    heads = {"SER %": "recognised", **{head: name for name, (head, _) in PIECES.items()}}
    found = [
        [head, *(in_percent(_rate(row.blame, name)) for row in rows)]
        for head, name in heads.items()
    ]
    words = [row.blame.words for row in rows]
    found.append(["WER %", *(percent(one.total.rate) for one in words)])
    found.append(["entities", *(percent(one.total_parts.entities.rate) for one in words)])
    return found


def _shares(rows: Sequence[SystemBlame], resampling: Resampling) -> list[list[str]]:
    """The columns of the shares, and of the elements that the recogniser lost and found."""
    found = [
        ["system's share", *(in_percent(_rate(row.blame, "system")) for row in rows)],
        ["recogniser's share", *(_share(row.blame, resampling) for row in rows)],
    ]
    for group in ("lost", "found"):
        found.append([group, *(str(row.blame.balance.outcomes[group]) for row in rows)])
    return found


def _rate(blame: Blame, name: str) -> Fraction | None:
    return blame.corners.rate(blame.corners.costs[name])


def _share(blame: Blame, resampling: Resampling) -> str:
    """The recogniser's share with its interval."""
    rate = in_percent(_rate(blame, "recogniser"))
    return f"{rate} {bracket(blame.intervals(resampling)['recogniser'])}"


def _bars(blames: Sequence[Blame]) -> Iterator[str]:
    """A bar for each blame, of its parts one after the other; a part below 0 has no sign.

    The ends of the parts are rounded, so the bar has the length of their sum.
    """
    ends = [_ends(blame) for blame in blames]
    longest = max((own[-1] for own in ends), default=Fraction(0)) or Fraction(1)
    for own in ends:
        places = [0, *(int(end * BAR / longest + Fraction(1, 2)) for end in own)]
        yield "".join(
            sign * (places[k + 1] - places[k]) for k, (_, sign) in enumerate(PIECES.values())
        )


def _ends(blame: Blame) -> list[Fraction]:
    """Where each part of a bar ends, as a rate."""
    found, end = [], Fraction(0)
    for name in PARTS:
        end += max(_rate(blame, name) or Fraction(0), Fraction(0))
        found.append(end)
    return found


def cost_signatures(rows: Iterable[SystemBlame], resampling: Resampling) -> list[str]:
    """The signatures of blame, each after the names of the recognisers that have it.

    Args:
        rows, resampling: as for :func:`cost_lines`.
    """
    signed: dict[str, list[str]] = {}
    for row in rows:
        names = signed.setdefault(str(signature(row.blame, resampling)), [])
        names += [] if row.condition in names else [row.condition]
    return [one_line(f"{', '.join(names)}: {line}") for line, names in signed.items()]


# The reports of blame


def blame_text(rows: Sequence[SystemBlame], resampling: Resampling) -> str:
    """The tables of the costs and the signatures.

    Args:
        rows, resampling: as for :func:`cost_lines`.
    """
    signed = cost_signatures(rows, resampling)
    return "\n".join([*cost_lines(rows, resampling), *signed, ""])


def blame_json(rows: Sequence[SystemBlame], resampling: Resampling) -> str:
    """The rows as JSON: each has the report of one system, ``system`` and ``condition``."""
    every = (
        {**attributes(row, "system", "condition"), **members(row.blame, resampling)} for row in rows
    )
    return dumps({"format": FORMAT, "systems": list(every)})


def blame_csv(rows: Sequence[SystemBlame], _resampling: Resampling) -> Iterator[str]:
    """The lines of the cases of all rows as CSV, after the columns ``system`` and ``condition``."""
    cells = (
        (row.system, row.condition, *case_cells(case, row.blame))
        for row in rows
        for case in row.blame.cases
    )
    return csv_lines(("system", "condition", *COLUMNS), cells)


CAMPAIGNS: dict[str, Callable[[Sequence[SystemBlame], Resampling], str | Iterator[str]]] = {
    "text": blame_text,
    "json": blame_json,
    "csv": blame_csv,
}


# The reports of compare


def render(campaign: Campaign) -> str:
    """The comparison, with what the recognisers cost; then the same for each group; signatures.

    Args:
        campaign: the campaign.
    """
    head = _head("All documents", campaign) if campaign.groups else []
    parts = [*head, *_body(campaign)]
    signed = _signatures(campaign)
    for name, group in campaign.groups.items():
        parts += ["", *_head(f"Group {one_line(name)}", group), *_body(group)]
        signed += (f"{one_line(name)}, {line}" for line in _signatures(group))
    return "\n".join([*parts, *_alone(campaign), "", *signed, ""])


def _head(title: str, campaign: Campaign) -> list[str]:
    return [f"{title}: {counted(len(campaign.documents), 'document')}", ""]


def _alone(campaign: Campaign) -> list[str]:
    """A line about documents that are in no group."""
    grouped = {id for group in campaign.groups.values() for id in group.documents}
    alone = len({*campaign.documents} - grouped) if campaign.groups else 0
    return ["", f"{counted(alone, 'document')} in no group."] if alone else []


def _body(campaign: Campaign) -> list[str]:
    if not campaign.blames:
        return compare.body(campaign.comparison)
    costs = cost_lines(campaign.blames, _resampling(campaign))
    title = "What the recognisers cost; elements without a place count as deletions:"
    return compare.body(campaign.comparison, ["", title, "", *costs])


def _resampling(campaign: Campaign) -> Resampling:
    return campaign.comparison.resampling


def _signatures(campaign: Campaign) -> list[str]:
    signed = cost_signatures(campaign.blames, _resampling(campaign))
    return [*compare.signatures(campaign.comparison), *signed]


def render_json(campaign: Campaign) -> str:
    """A campaign as JSON.

    ``blame`` has what the recognisers cost each system, ``groups`` the same report for each group.

    Args:
        campaign: the campaign.
    """
    groups = [
        {"name": name, "documents": group.documents, **_members(group)}
        for name, group in campaign.groups.items()
    ]
    named = {"groups": groups} if groups else {}
    return dumps({"format": FORMAT, **_members(campaign), **named})


def _members(campaign: Campaign) -> dict[str, Any]:
    blames = [
        {**attributes(row, "system", "condition"), **figures(row.blame, _resampling(campaign))}
        for row in campaign.blames
    ]
    return {**compare.members(campaign.comparison), **({"blame": blames} if blames else {})}


def render_csv(campaign: Campaign) -> str:
    """A campaign as tidy CSV: a row for each value; with groups, a column for the group.

    Args:
        campaign: the campaign.
    """
    if not campaign.groups:
        return tidy(compare.COLUMNS, _rows(campaign))
    parts = {"": campaign, **campaign.groups}
    rows = ((*row, name) for name, part in parts.items() for row in _rows(part))
    return tidy((*compare.COLUMNS, "group"), rows)


def _rows(campaign: Campaign) -> Iterator[tuple[object, ...]]:
    yield from compare.tidy_rows(campaign.comparison)
    resampling = _resampling(campaign)
    for system, condition, blame in campaign.blames:
        signed = str(signature(blame, resampling))
        for name, value in _tidy(blame, resampling):
            yield condition, system, "", "", name, value, signed


def _tidy(blame: Blame, resampling: Resampling) -> Iterator[tuple[str, float | None]]:
    """The rates of the costs with their intervals."""
    for name, own in blame.intervals(resampling).items():
        yield f"blame_{name}", real(_rate(blame, name))
        yield f"blame_{name}_low", own.low
        yield f"blame_{name}_high", own.high


COMPARISONS: dict[str, Callable[[Campaign], str]] = {
    "text": render,
    "json": render_json,
    "csv": render_csv,
}
