"""The errors of recogniser and system as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ..analysis.balance import OUTCOMES, UNPLACEABLE, Balance, Case, Corners
from ..analysis.balance import balance as balance_of
from ..analysis.blame import Blame, DocumentBlame
from ..analysis.causes import CAUSES, CONTEXT, UNEXPLAINED
from ..analysis.compare import Interval
from ..analysis.resampling import FEW, Resampling
from ..documents.model import seconds
from ..errors import one_line
from ..evaluation.settings import Settings, Signature
from ..evaluation.words import word_score, word_settings
from ..measures.slots import decimal
from ..render.cells import clip, size, wrapped
from ..render.numbers import counted, number, percent, real
from ..render.table import TERMINAL, TextRow, lines
from .columns import words_json, words_lines
from .csv import lines as csv_lines
from .json import attributes, dumps

FORMAT = 1
SHOWN = 8
"""The most labels and the most misheard words that the text shows; JSON has all."""

PARTS = {
    "manual": "even on perfect words",
    "interaction": "added by misheard words",
    "perfect": "left without a word",
}
"""The parts of the cost on recognised words, in the order of the headline."""

LINES = {
    **PARTS,
    "recognised": "in all",
    "system": "the system's share",
    "recogniser": "the recogniser's share",
}
"""The rows of the first table."""

COLUMNS = (
    *("document", "side", "index", "label", "words", "start", "end", "start_time", "end_time"),
    *("manual", "recognised", "manual_cost", "recognised_cost", "group", "cause", "heard"),
)
"""The columns of the CSV."""


# Text


def render(blame: Blame, resampling: Resampling) -> str:
    """The sentence to quote, the shares, the outcomes, the causes, the labels and the signature.

    Rates are in percent of the reference elements, differences in points. ``n/a`` stands for a
    rate without a reference element.

    Args:
        blame: the blame of one system on the words of one recogniser.
        resampling: the settings of the intervals.
    """
    blocks = [
        headline(blame.corners),
        *_blocks(blame, resampling),
        [*_notes(blame, resampling), str(signature(blame, resampling))],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def headline(corners: Corners) -> list[str]:
    """The cost on recognised words and its three parts, in one line that can be quoted.

    >>> headline(Corners(manual=6295, perfect=228, recognised=8400, reference=7667))[0]
    '54.8 % = 41.1 even on perfect words + 12.2 added by misheard words + 1.5 left without a word'
    """
    if not corners.reference:
        return ["n/a: no reference element"]
    rates = {name: _rate(corners, name) for name in ("recognised", *PARTS)}
    first, *others = PARTS
    text = f"{percent(rates['recognised'])} % = {percent(rates[first])} {PARTS[first]}"
    for name in others:
        sign = "−" if rates[name] < 0 else "+"
        text += f" {sign} {percent(abs(rates[name]))} {PARTS[name]}"
    shown = {name: Fraction(percent(rate)) for name, rate in rates.items()}
    is_sum = shown["recognised"] == sum(shown[name] for name in PARTS)
    return [text] if is_sum else [text, "(rounded: the costs below add up exactly)"]


def _rate(corners: Corners, name: str) -> Fraction:
    return corners.costs[name] / corners.reference


def signature(blame: Blame, resampling: Resampling) -> Signature:
    """All names and values that can change a report."""
    unit = resampling.unit_of(len(blame.documents))
    return Signature([*blame.signature, *resampling.signature(unit)])


def _blocks(blame: Blame, resampling: Resampling) -> Iterator[list[str]]:
    """The tables of the text."""
    yield list(lines(cost_rows(blame, resampling)))
    yield [*beside(blame), *words_lines(blame.words)]
    yield _outcomes(blame.balance)
    yield _causes(blame)
    yield _mishearings(blame)
    yield _labels(blame)


def cost_rows(blame: Blame, resampling: Resampling) -> Iterator[TextRow]:
    """The table of costs, rates and intervals; an empty row stands ahead of the shares.

    Args:
        blame, resampling: as for ``render``.
    """
    corners, intervals = blame.corners, blame.intervals(resampling)
    yield "", "cost", "%", f"{resampling.confidence * 100:g} % interval"
    for name, title in LINES.items():
        cost = corners.costs[name]
        yield title, decimal(cost), in_percent(corners.rate(cost)), bracket(intervals[name])
        if name == "recognised":
            yield ()


def in_percent(rate: Fraction | float | None) -> str:
    """A rate in percent, with a sign if it is negative; ``n/a`` if it is undefined."""
    return percent(rate) if rate is None or rate >= 0 else f"-{percent(-rate)}"


def bracket(interval: Interval) -> str:
    """The interval of a rate in percent; ``n/a`` if there is none."""
    if interval.low is None or interval.high is None:
        return "n/a"
    return f"[{in_percent(interval.low)}, {in_percent(interval.high)}]"


def beside(blame: Blame) -> list[str]:
    """The score on reference words without tolerance, and what the tolerance forgives.

    Args:
        blame: as for ``render``.
    """
    corners, strict = blame.corners, blame.manual_without_tolerance
    gain = strict - corners.costs["manual"]
    return [
        f"On reference words without tolerance: {percent(corners.rate(strict))} % "
        f"(cost {decimal(strict)}).",
        f"The tolerance forgives {in_percent(corners.rate(gain))} points of it "
        f"(cost {_signed(gain)}).",
    ]


def _signed(cost: Fraction) -> str:
    return f"-{decimal(-cost)}" if cost < 0 else decimal(cost)


def _outcomes(balance: Balance) -> list[str]:
    """The table of two outcomes, and its four groups."""
    rows: list[TextRow] = [("", *OUTCOMES)]
    for one in OUTCOMES:
        own = [balance.table.get((one, two), 0) for two in OUTCOMES]
        if any(own):
            rows.append((one, *map(str, own)))
    groups, insertions = balance.outcomes, balance.insertions
    return [
        "Outcomes on reference words (rows) and on the recogniser's words (columns):",
        *lines(rows),
        f"Kept {groups['kept']}, lost {groups['lost']}, found {groups['found']}, "
        f"wrong on both {groups['wrong']}.",
        f"Insertions: {insertions['manual']} on reference words, "
        f"{insertions['recognised']} on the recogniser's.",
    ]


def _causes(blame: Blame) -> list[str]:
    """The causes of lost and of found elements."""
    rows: list[TextRow] = [("", *CAUSES)]
    for group, causes in blame.balance.causes.items():
        rows.append((group, *(str(causes[cause]) for cause in CAUSES)))
    return [
        "What the recogniser did to the words of lost and found elements:",
        *lines(rows),
        f"{CONTEXT}: a word within {blame.context} of its borders is wrong, its own are right.",
        f"{UNEXPLAINED}: no word in or near it is wrong; the system is unstable.",
    ]


def _mishearings(blame: Blame) -> list[str]:
    """The misheard words of lost elements that cost most."""
    found = blame.mishearings
    if not found:
        return []
    rows: list[TextRow] = [("cost", "times", "words", "recognised as", "labels")]
    for one in found[:SHOWN]:
        cost = Fraction(one.change, blame.settings.costs.scale)
        texts = (" ".join(one.words), " ".join(one.heard), ", ".join(one.labels))
        rows.append((_signed(cost), str(one.count), *(clip(text, 20) for text in texts)))
    return [
        "Misheard words of lost elements, the most costly first:",
        *lines(rows, left=(2, 3, 4), width=TERMINAL, size=size),
        *_more(len(found), "row"),
    ]


def _labels(blame: Blame) -> list[str]:
    """The labels with the greatest share of the recogniser."""
    every = sorted(
        blame.labels.items(), key=lambda each: (-each[1].corners.shares["recogniser"], each[0])
    )
    rows: list[TextRow] = [("", "Ref", "recogniser", "system", "in all", "lost", "found")]
    for label, balance in every[:SHOWN]:
        costs, groups = balance.corners.costs, balance.outcomes
        names = ("recogniser", "system", "recognised")
        rows.append(
            (
                clip(label),
                str(balance.corners.reference),
                *(_signed(costs[name]) for name in names),
                str(groups["lost"]),
                str(groups["found"]),
            )
        )
    return [
        "Shares by label (costs), the greatest share of the recogniser first:",
        *lines(rows, width=TERMINAL, size=size),
        *_more(len(every), "label"),
    ]


def _more(number: int, noun: str) -> list[str]:
    """A line for the rows that are not shown."""
    return [f"… {counted(number - SHOWN, f'more {noun}')}"] if number > SHOWN else []


def _notes(blame: Blame, resampling: Resampling) -> Iterator[str]:
    """All that limits what the figures mean."""
    yield "Shares: the system has its errors on perfect words, the recogniser the elements"
    yield "left without a word; each has half of what misheard words add."
    below = [label for label, one in blame.labels.items() if _is_below(one.corners)]
    below += [document.id for document in blame.documents if _is_below(document.corners)]
    if below:
        yield from wrapped(f"A share is negative for {', '.join(below)}.", TERMINAL)
    table = blame.balance.table
    lost = sum(number for (_, outcome), number in table.items() if outcome == UNPLACEABLE)
    if lost:
        yield f"{counted(lost, 'element')} left without a word of the recogniser, deleted."
    yield from _units(blame, resampling)
    for side, notes in blame.notes.items():
        yield from (one_line(f"{side.capitalize()}: {note}.") for note in notes)


def _is_below(corners: Corners) -> bool:
    return min(corners.shares.values()) < 0


def _units(blame: Blame, resampling: Resampling) -> Iterator[str]:
    """The resampled units, and what limits the intervals."""
    unit = resampling.unit_of(len(blame.documents))
    units = len(blame.units(unit))
    yield (
        f"Intervals: bootstrap over {counted(units, unit)}, "
        f"{counted(resampling.resamples, 'resample')}."
    )
    if units < 2:
        yield f"A single {unit} gives no interval."
    elif unit == "utterance" and units > len(blame.documents):
        yield "Utterances of one document are alike: intervals may be too narrow."
    elif units < FEW:
        yield f"Fewer than {FEW} {unit}s: intervals are too narrow."


# JSON


def render_json(blame: Blame, resampling: Resampling) -> str:
    """The blame as JSON: costs in the units of the definition, intervals of rates.

    ``corners`` are the costs of the system on reference words (``manual``), of a ``perfect``
    system on the recogniser's words, and of the system on ``recognised`` words. ``causes`` is about
    lost elements, ``causes_of_found`` about found ones. ``table`` has the number of elements by
    their outcome on reference words, then on the recogniser's words. ``cases`` lists lost and found
    elements.

    Args:
        blame, resampling: as for ``render``.
    """
    return dumps({"format": FORMAT, **members(blame, resampling)})


def members(blame: Blame, resampling: Resampling) -> dict[str, Any]:
    """The members of the report in JSON.

    Args:
        blame, resampling: as for ``render``.
    """
    scale = blame.settings.costs.scale
    documents, changed = [], []
    for document in blame.documents:
        cases = (*document.cases,)  # they may be on disk
        documents.append(_document(document, balance_of(cases, scale), blame.settings))
        changed += [_case(case, scale) for case in cases if case.cause is not None]
    return {
        **figures(blame, resampling),
        "documents": documents,
        "cases": changed,
        "mishearings": [
            {
                **attributes(one, "words", "heard", "labels", "count"),
                "change": number(Fraction(one.change, scale)),
            }
            for one in blame.mishearings
        ],
        "notes": {
            side: {note.what: note.count for note in notes}
            for side, notes in blame.notes.items()
            if notes
        },
    }


def figures(blame: Blame, resampling: Resampling) -> dict[str, Any]:
    """The members of the report in JSON that are no lists: sums, rates and intervals.

    Args:
        blame, resampling: as for ``render``.
    """
    unit = resampling.unit_of(len(blame.documents))
    intervals = blame.intervals(resampling)
    return {
        "signature": str(signature(blame, resampling)),
        **_balance(blame.balance),
        "manual_without_tolerance": number(blame.manual_without_tolerance),
        "labels": {label: _balance(balance) for label, balance in blame.labels.items()},
        "words": words_json(blame.words),
        "intervals": {name: [one.low, one.high] for name, one in intervals.items()},
        "undefined": max(one.undefined for one in intervals.values()),
        "unit": unit,
        "units": len(blame.units(unit)),
        **attributes(resampling, "resamples", "seed", "confidence"),
    }


def _balance(balance: Balance) -> dict[str, Any]:
    """The members that a total, a label and a document have."""
    corners = balance.corners
    costs = {name: number(cost) for name, cost in corners.costs.items()}
    table: dict[str, dict[str, int]] = {}
    for (one, two), count in balance.table.items():
        table.setdefault(one, {})[two] = count
    return {
        "reference": corners.reference,
        "ser": real(corners.rate(corners.costs["recognised"])),
        "corners": {name: costs[name] for name in ("manual", "perfect", "recognised")},
        "interaction": costs["interaction"],
        "shares": {name: costs[name] for name in ("recogniser", "system")},
        "outcomes": balance.outcomes,
        "table": table,
        "causes": balance.causes["lost"],
        "causes_of_found": balance.causes["found"],
        "insertions": dict(balance.insertions),
    }


def _document(document: DocumentBlame, sums: Balance, settings: Settings) -> dict[str, Any]:
    strict = Fraction(document.manual_without_tolerance, document.corners.scale)
    return {
        "id": document.id,
        **_balance(sums),
        "manual_without_tolerance": number(strict),
        "words": words_json(word_score([document.words], word_settings(settings))),
    }


def _case(case: Case, scale: int) -> dict[str, Any]:
    """A case as JSON; times are in seconds."""
    return {
        **attributes(case, "document", "side", "index", "label", "words", "span"),
        **attributes(case, "manual", "recognised", "group", "cause", "heard"),
        "time": None if case.time is None else [float(seconds(time)) for time in case.time],
        "costs": [number(Fraction(cost, scale)) for cost in case.costs],
    }


# CSV


def render_csv(blame: Blame, _resampling: Resampling) -> Iterator[str]:
    """Tidy CSV: a row for each reference element and each insertion; yields the lines.

    The sum of ``recognised_cost`` less that of ``manual_cost`` is what the recogniser changed.
    Spaces join words; an undefined value is an empty field.

    Args:
        blame: as for ``render``.
    """
    return csv_lines(COLUMNS, (case_cells(case, blame) for case in blame.cases))


def case_cells(case: Case, blame: Blame) -> list[object]:
    """The cells of a case, under ``COLUMNS``."""
    scale = blame.settings.costs.scale
    return [
        *(case.document, case.side, case.index, case.label, " ".join(case.words)),
        *(case.span or (None, None)),
        *((None, None) if case.time is None else map(seconds, case.time)),
        *(case.manual, case.recognised),
        *(decimal(Fraction(cost, scale), places=15) for cost in case.costs),
        *(case.group, case.cause, " ".join(case.heard)),
    ]


BLAMES: dict[str, Callable[[Blame, Resampling], str | Iterator[str]]] = {
    "text": render,
    "json": render_json,
    "csv": render_csv,
}
