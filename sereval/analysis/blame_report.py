"""The report of a blame: the sentence to quote, shares, outcomes, causes, labels, all cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import one_line
from ..evaluation.report import WORDS, word_rows, words_lines
from ..evaluation.settings import Signature
from ..measures.slots import decimal
from ..render.report import (
    Column,
    Report,
    Table,
    columns,
    filled,
    row,
    rows,
    values,
)
from ..render.text import TERMINAL, TextRow, clip, counted, lines, percent, wrapped
from .audit import UNPLACEABLE
from .blame import GROUPS, OUTCOMES, Balance, Blame, Case, Corners
from .causes import CAUSES, CONTEXT, UNEXPLAINED
from .resampling import FEW, Resampling

if TYPE_CHECKING:
    from .blame import Blame
    from .compare import Interval

SHOWN = 8
"""The most labels and the most misheard words that the text shows; the tables have all."""

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


def _cost(name: str) -> Column[Balance, None]:
    title = f"{name}_share" if name in ("system", "recogniser") else name
    return Column(title, value=lambda one, _: one.corners.costs[name])


def _cause(group: str, cause: str) -> Column[Balance, None]:
    return Column(f"{group}_{cause}", "integer", value=lambda one, _: one.causes[group][cause])


def _group(name: str) -> Column[Balance, None]:
    return Column(name, "integer", value=lambda one, _: one.outcomes[name])


BALANCE: tuple[Column[Balance, None], ...] = (
    Column("reference", "integer", value=lambda one, _: one.corners.reference),
    Column("ser", value=lambda one, _: one.corners.rate(one.corners.costs["recognised"])),
    *map(_cost, LINES),
    *map(_group, GROUPS),
    *(_cause(group, cause) for group in ("lost", "found") for cause in CAUSES),
    Column("insertions_manual", "integer", value=lambda one, _: one.insertions["manual"]),
    Column("insertions_recognised", "integer", value=lambda one, _: one.insertions["recognised"]),
)
"""The costs of the corners, the shares, the outcomes, the causes and the insertions."""

CASE = columns(
    *("document text", "side text", "index integer", "label text", "words texts"),
    *("start integer", "end integer", "start_time number s", "end_time number s"),
    *("manual text", "recognised text", "manual_cost", "recognised_cost"),
    *("group text", "cause text", "heard texts"),
)

FORMS = {
    "elements": Table(CASE, kind="detail"),
    "corners": Table((*BALANCE, *columns("manual_without_tolerance")), kind="row"),
    "intervals": rows("share text", "rate", "low", "high", "undefined integer"),
    "labels": Table((*columns("label text"), *BALANCE)),
    "documents": Table((*columns("document text"), *BALANCE, *columns("manual_without_tolerance"))),
    "outcomes": rows(
        *("document text", "label text", "manual text", "recognised text", "elements integer")
    ),
    "cases": Table(CASE),
    "mishearings": rows("words texts", "heard texts", "labels texts", "count integer", "change"),
    "resampling": row(
        *("unit text", "units integer", "resamples integer", "seed integer", "confidence"),
        "signature text",
    ),
    **WORDS,
    "word_documents": WORDS["word_documents"]._replace(kind="rows"),
}
"""The tables of the report: ``elements`` has all cases, ``cases`` the lost and found ones.
Outcomes without a document are of a label, without a label too of all."""


def report_of(blame: Blame, resampling: Resampling) -> Report:
    """The report of a blame."""
    return Report(
        "blame",
        filled(FORMS, **table_rows(blame, resampling)),
        lambda _: text(blame, resampling),
        signature(blame, resampling),
        _reading_notes(blame),
        headline(blame.corners),
    )


def table_rows(blame: Blame, resampling: Resampling) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of ``FORMS``."""
    scale = blame.settings.costs.scale
    unit = resampling.unit_of(len(blame.documents))
    balances = {one.id: one.balance for one in blame.documents}
    outcomes: list[tuple[tuple[str | None, str | None], Balance]] = [((None, None), blame.balance)]
    outcomes += [((None, label), one) for label, one in blame.labels.items()]
    outcomes += [((id, None), one) for id, one in balances.items()]
    return {
        "elements": (_case(one, scale) for one in blame.cases),
        "corners": [(*values(BALANCE, blame.balance, None), blame.manual_without_tolerance)],
        "intervals": _intervals(blame, resampling),
        "labels": ((label, *values(BALANCE, one, None)) for label, one in blame.labels.items()),
        "documents": (
            (
                one.id,
                *values(BALANCE, balances[one.id], None),
                Fraction(one.manual_without_tolerance, one.corners.scale),
            )
            for one in blame.documents
        ),
        "outcomes": (
            (*names, *pair, count) for names, one in outcomes for pair, count in one.table.items()
        ),
        "cases": (_case(one, scale) for one in blame.cases if one.cause is not None),
        "mishearings": (
            (one.words, one.heard, tuple(one.labels), one.count, Fraction(one.change, scale))
            for one in blame.mishearings
        ),
        "resampling": [
            (
                *(unit, len(blame.units(unit)), resampling.resamples),
                *(resampling.seed, resampling.confidence, str(signature(blame, resampling))),
            )
        ],
        **word_rows(blame.words),
    }


def _intervals(blame: Blame, resampling: Resampling) -> Iterator[Sequence[Any]]:
    """The rows of ``intervals``, which are resampled when they are asked for."""
    corners = blame.corners
    for name, one in blame.intervals(resampling).items():
        yield name, corners.rate(corners.costs[name]), one.low, one.high, one.undefined


def _case(case: Case, scale: int) -> tuple[Any, ...]:
    """A case under ``CASE``; times are in seconds."""
    times = case.time or (None, None)
    return (
        *(case.document, case.side, case.index, case.label, case.words),
        *(case.span or (None, None)),
        *(None if time is None else Fraction(time, 1000) for time in times),
        *(case.manual, case.recognised),
        *(Fraction(cost, scale) for cost in case.costs),
        *(case.group, case.cause, case.heard),
    )


# Text


def text(blame: Blame, resampling: Resampling) -> Iterator[str]:
    """The sentence to quote, the shares, the outcomes, the causes, the labels and the signature."""
    yield from headline(blame.corners)
    for block in filter(None, _blocks(blame, resampling)):
        yield from ("", *block)
    yield from ("", *_notes(blame, resampling), str(signature(blame, resampling)))


def headline(corners: Corners) -> list[str]:
    """The cost on recognised words and its three parts, in one line that can be quoted."""
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
    """The table of costs, rates and intervals; an empty row stands ahead of the shares."""
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
    """The score on reference words without tolerance, and what the tolerance forgives."""
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
        *lines(rows, left=(2, 3, 4), width=TERMINAL),
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
        *lines(rows, width=TERMINAL),
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
    yield from _reading_notes(blame)


def _reading_notes(blame: Blame) -> list[str]:
    return [
        one_line(f"{side.capitalize()}: {note}.")
        for side, notes in blame.notes.items()
        for note in notes
    ]


def _is_below(corners: Corners) -> bool:
    return min(corners.shares.values()) < 0


def _units(blame: Blame, resampling: Resampling) -> Iterator[str]:
    """The resampled units, and what limits the intervals."""
    unit = resampling.unit_of(len(blame.documents))
    units = len(blame.units(unit))
    yield (
        f"Intervals: expanded bootstrap over {counted(units, unit)}, "
        f"{counted(resampling.resamples, 'resample')}."
    )
    if units < 2:
        yield f"A single {unit} gives no interval."
    elif unit == "utterance" and units > len(blame.documents):
        yield "Utterances of one document are alike: intervals may be too narrow."
    elif units < FEW:
        yield f"Fewer than {FEW} {unit}s: intervals are too narrow."
