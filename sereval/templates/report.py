"""The reports of templates: of one response, and of several responses to one key.

Several responses, such as the states of a system, are scored under both criteria.

Kehler et al. scored 53 states of one system under the criterion of MUC-6 and under a stricter one.
They asked how far the scores change, for the whole set and by document, and whether both criteria
call the same changes of the system improvements. This module computes their figures: the changes,
and the pairs of states whose order *flips*, because one criterion says that the second state is
better than the first and the other says that it is worse.

Source: Kehler et al. 2001, sections 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, groupby
from math import comb
from operator import itemgetter
from typing import Any, NamedTuple

from ..corpus.workers import Watch
from ..errors import one_line, with_place
from ..render.report import (
    Column,
    Look,
    Report,
    Table,
    columns,
    filled,
    grouped,
    lines,
    percent,
    points,
    rows,
    texts,
    told_once,
    values,
)
from ..schemes.result import FIGURES, Figure, SchemeScore
from .align import CRITERIA, TemplateDocument
from .score import (
    FILLS,
    TemplatePair,
    TemplateRow,
    TemplateScore,
    TemplateSettings,
    score_templates,
)

RATE = partial(percent, digits=2)

TITLES = {"precision": "PRE", "recall": "REC"}

COLUMNS: tuple[Column[Figure, float], ...] = tuple(
    one if one.type == "integer" else one._replace(title=TITLES.get(one.name, "F"), text=RATE)
    for one in FIGURES
    if one.name != "PAR"  # no fill is partially correct
)
"""The counts and rates; all rows share the beta of F."""

RATES = COLUMNS[-1], *COLUMNS[-3:-1]
"""F, precision and recall."""

RANGE = columns(*(f"{rate.name}_{end}" for rate in RATES for end in ("least", "greatest")))

FORMS = {
    "document_slots": Table(
        (*columns("document text", "type text", "slot text"), *COLUMNS), kind="detail"
    ),
    "total": Table((*columns("beta"), *COLUMNS, *RANGE), kind="row"),
    "types": Table((*columns("type text"), *COLUMNS)),
    "slots": Table((*columns("slot text"), *COLUMNS)),
    "documents": Table((*columns("document text"), *COLUMNS, *RANGE)),
    "fills": rows(
        *("document text", "type text", "key_template text", "response_template text"),
        *("outcome text", "slot text", "key text", "response text"),
    ),
}
"""The tables of the score of one response; the range is over the order of templates."""


def report_of(score: TemplateScore, *, listing: bool = True) -> Report:
    """The counts in all, by type, slot and document; with the fills if ``listing``."""
    how, scheme = score.settings, score.scheme
    types, slots, documents = score.groups

    def cells(figure: Figure, *ends: Figure) -> list[Any]:
        of_ends = zip(*(values(RATES, end, how.beta) for end in ends), strict=True)
        return [*values(COLUMNS, figure, how.beta), *(rate for both in of_ends for rate in both)]

    def of_each(named: Mapping[str, Figure]) -> Iterator[Sequence[Any]]:
        return ((name, *cells(one)) for name, one in named.items())

    tables = filled(
        FORMS,
        document_slots=(
            (one.id, *label.partition(".")[::2], *cells(row[FILLS]))
            for one in scheme.documents
            for label, row in one.labels.items()
        ),
        total=[(how.beta, *cells(score.total, *_range(score)))],
        types=of_each(types),
        slots=of_each(slots),
        documents=((id, *cells(figure, *score.ranges[id])) for id, figure in documents.items()),
        fills=((id, *row) for id, found in score.rows.items() for row in found) if listing else (),
    )
    notes = [*_ties(score), *scheme.notes]
    return Report(
        "templates",
        tables,
        lambda _: _text(score, notes, listing=listing),
        scheme.signature,
        notes,
    )


def _range(score: TemplateScore) -> list[Figure]:
    """The figures over all documents, with the least and with the greatest F of each."""
    return [Figure.sum(ends) for ends in zip(*score.ranges.values(), strict=True)]


LEGEND = """\
COR correct, INC incorrect, MIS missing, SPU spurious; POS = COR + INC + MIS, ACT = COR + INC + SPU.
PRE = COR / ACT, REC = COR / POS and F in percent; n/a where there is nothing to divide by."""


def _text(score: TemplateScore, notes: Sequence[str], *, listing: bool) -> Iterator[str]:
    """The aligned fills, then the counts by type, slot and document; notes and signature last."""
    for one in score.rows.items() if listing else ():
        yield from _listing(*one)
    types, slots, documents = score.groups
    groups = {"": {"all": score.total, **types}, "by slot": slots, "by document": documents}
    yield from (*lines(grouped(COLUMNS, groups, score.settings.beta)), "", LEGEND)
    yield from (*map(one_line, notes), "", one_line(str(score.scheme.signature)))


def _ties(score: TemplateScore) -> Iterator[str]:
    """How the score depends on the order of templates."""
    if ids := [id for id, (least, most) in score.ranges.items() if least != most]:
        ends = (texts(RATES, end, score.settings.beta) for end in _range(score))
        shown = ", ".join(
            f"{rate.title} at least {least}–{most}"
            for rate, least, most in zip(RATES, *ends, strict=True)
        )
        yield f"Ties between templates decide the score: {shown}, by the order of templates."
        yield f"Documents with such ties: {len(ids)}; the first is {ids[0]}."


def _listing(id: str, rows: Sequence[TemplateRow]) -> list[str]:
    """The fills of a document: outcome, slot, fill of the key, fill of the response (figure 3)."""
    slot = max((2 + len(row.slot) for row in rows if row.slot), default=0)
    key = max((len(one_line(row.key or "")) for row in rows), default=0)
    listed = [one_line(id)]
    for (_, *ids), together in groupby(rows, itemgetter(0, 1, 2)):
        one, other = ("—" if id is None else one_line(f"<{id}>") for id in ids)
        listed.append(f"       {one:<{slot + 2 + key}}  {other}")
        for *_, outcome, name, first, second in together:
            if name:
                fills = f"{one_line(first or ''):<{key}}  {one_line(second or '')}"
                listed.append(f"  {outcome}    {name:<{slot - 2}}  {fills}".rstrip())
    return [*listed, ""]


class Flip(NamedTuple):
    """A pair of responses whose order depends on the criterion."""

    first: str
    second: str
    # how much greater the F of the second is, like ``other``; one of them is negative
    base: Fraction
    other: Fraction
    size: Fraction  # the difference between the two


@dataclass(frozen=True)
class Contrast:
    """The base and another criterion on the same responses."""

    rates: Mapping[str, tuple[Fraction, Fraction]]  # the F of each response that has one
    document: str | None = None  # None: all together

    @cached_property
    def flips(self) -> list[Flip]:
        """The pairs whose order flips, the greatest difference first, then in their order."""
        found = []
        for first, second in combinations(self.rates, 2):
            base, other = (self.rates[second][way] - self.rates[first][way] for way in range(2))
            if base * other < 0:
                found.append(Flip(first, second, base, other, abs(other - base)))
        return sorted(found, key=lambda flip: -flip.size)

    @property
    def changes(self) -> dict[str, list[Fraction]]:
        """By how much F is lower or higher under the other criterion, and how much pairs flip."""
        changes = [other - base for base, other in self.rates.values()]
        return {
            "lower": [-change for change in changes if change < 0],
            "higher": [change for change in changes if change > 0],
            "flips": [flip.size for flip in self.flips],
        }


def spread(sizes: Sequence[Fraction]) -> tuple[Fraction | None, ...]:
    """The least, the greatest and the mean of some sizes; without a size ``None``."""
    if not sizes:
        return (None,) * 3
    return min(sizes), max(sizes), sum(sizes, Fraction()) / len(sizes)


@dataclass(frozen=True)
class Responses:
    """The scores of several responses to one key under both criteria."""

    criteria: tuple[TemplateSettings, ...]  # the first is the base of the contrasts
    scores: Mapping[str, tuple[SchemeScore, ...]]  # by response, in the order of criteria

    @property
    def names(self) -> list[str]:
        """The names of the criteria."""
        return [f"{each.criterion} {each.alignment}" for each in self.criteria]

    @property
    def notes(self) -> list[str]:
        """Remarks on the figures; one that is not about all responses begins with its response."""
        every = self.scores.items()
        notes = {name: [note for one in scores for note in one.notes] for name, scores in every}
        return [*told_once(notes)]

    @cached_property
    def figures(self) -> dict[tuple[str, str | None], list[Figure]]:
        """The figure of each criterion by response and document; ``None``: over all documents."""
        return {
            (response, id): [one[id].get(FILLS, Figure()) for one in rows]
            for response, scores in self.scores.items()
            for rows in [[{None: score.total} | score.totals for score in scores]]
            for id in rows[0]
        }

    @cached_property
    def contrasts(self) -> list[Contrast]:
        """The base against the other criterion: on all documents, then on each of the key."""
        weight = Fraction(self.criteria[0].beta) ** 2
        keyed = (id for (_, id), both in self.figures.items() if any(one.possible for one in both))
        # without a fill in the key recall is undefined
        rates = {id: dict[str, tuple[Fraction, Fraction]]() for id in (None, *keyed)}
        for (response, id), both in self.figures.items():
            sizes = [weight * one.possible + one.actual for one in both]
            if all(sizes) and id in rates:
                base, other = (
                    (1 + weight) * one.cor / size for one, size in zip(both, sizes, strict=True)
                )
                rates[id][response] = base, other
        return [Contrast(own, id) for id, own in rates.items()]


def criteria(settings: TemplateSettings) -> tuple[TemplateSettings, ...]:
    """The settings under each criterion, that which they have first."""
    ordered = sorted(CRITERIA, key=lambda one: one != settings.criterion)
    return tuple(replace(settings, criterion=one) for one in ordered)


def score_responses(
    keys: Sequence[TemplateDocument],
    responses: Mapping[str, Sequence[TemplateDocument]],
    criteria: Sequence[TemplateSettings],
    *,
    jobs: int = 1,
    watch: Watch[TemplatePair] = iter,
) -> Responses:
    """Score several responses to one key under several criteria."""
    score = partial(score_templates, jobs=jobs, watch=watch)
    scores = {
        name: tuple(with_place(name, score, keys, response, how).scheme for how in criteria)
        for name, response in responses.items()
    }
    return Responses(tuple(criteria), scores)


# --- the report -----------------------------------------------------------------------------------

CRITERION = ("criterion text", "alignment text")
CONTRAST = ("base text", "other text", "document text")
SPREAD = ("change text", "number integer", "least", "greatest", "mean")

RESPONSE_FORMS = {
    "documents": Table(
        (*columns(*CRITERION, "response text", "document text"), *COLUMNS), kind="detail"
    ),
    "responses": Table((*columns(*CRITERION, "response text"), *COLUMNS)),
    "criteria": rows(*CRITERION, "signature text"),
    "rates": rows(*CONTRAST, "response text", "base_f1", "other_f1"),
    "contrasts": rows(*CONTRAST, "pairs integer", *SPREAD),
    "flips": rows(*CONTRAST, "first text", "second text", "base_change", "other_change", "size"),
}
"""The tables of the report; contrasts without a document are of all."""


def report_of_responses(found: Responses) -> Report:
    """The counts and rates of each response, then the base against each other criterion."""
    criteria = [(how.criterion, how.alignment) for how in found.criteria]
    signatures = [str(score.signature) for score in next(iter(found.scores.values()))]
    beta = found.criteria[0].beta
    contrasts = [((*found.names, one.document), one) for one in found.contrasts]
    figures = [
        (document, (*names, response), values(COLUMNS, both[way], beta))
        for way, names in enumerate(criteria)
        for (response, document), both in found.figures.items()
    ]
    tables = filled(
        RESPONSE_FORMS,
        documents=((*names, id, *cells) for id, names, cells in figures if id is not None),
        responses=((*names, *cells) for id, names, cells in figures if id is None),
        criteria=((*names, one) for names, one in zip(criteria, signatures, strict=True)),
        rates=(
            (*names, response, *both)
            for names, one in contrasts
            for response, both in one.rates.items()
        ),
        contrasts=(
            (*names, comb(len(one.rates), 2), change, len(sizes), *spread(sizes))
            for names, one in contrasts
            for change, sizes in one.changes.items()
        ),
        flips=((*names, *flip) for names, one in contrasts for flip in one.flips),
    )
    text = partial(_responses_text, found, signatures)
    return Report("templates", tables, text, "; ".join(signatures), found.notes)


def _responses_text(found: Responses, signatures: Sequence[str], _: Look) -> Iterator[str]:
    """The F of each response under each criterion; then the base against each other criterion."""
    names, (whole, *documents) = found.names, found.contrasts
    base, other = names
    changes = {name: points(two - one, 2) for name, (one, two) in whole.rates.items()}
    table = [("F", *names, "change")]
    for response in found.scores:
        cells = (RATE(one.f(found.criteria[0].beta)) for one in found.figures[response, None])
        table.append((one_line(response), *cells, changes.get(response, points(None, 2))))
    yield from (*lines(table), "", f"{other} against {base}, in points of F")
    yield from (*_summary(whole, documents), "")
    yield from _flips(whole, names)
    yield from (*_documents(documents), "")
    notes = [*map(one_line, found.notes)]
    yield from (*notes, *[""][: len(notes)])
    yield from map(": ".join, zip(names, signatures, strict=True))


def _summary(whole: Contrast, documents: Sequence[Contrast]) -> Iterator[str]:
    """How many responses, pairs and documents change, by how much."""
    responses, number, flips = len(whole.rates), len(documents), whole.changes["flips"]
    table: list[tuple[str, ...]] = [("", "number", "%", "least", "greatest", "mean")]
    for change, sizes in whole.changes.items():
        what, of = f"responses with a {change} F", responses
        if change == "flips":
            what, of = "pairs of responses whose order flips", comb(responses, 2)
        table.append(_row(what, len(sizes), of, sizes))
    for change in whole.changes:
        own = [sizes for each in documents if (sizes := each.changes[change])]
        what, every = f"documents with a {change} F", sum(own, [])
        if change == "flips":
            what = "documents with flips"
        else:
            mean = Fraction(len(every), responses or 1)
            table.append(_row(f"{what}, a response on average", mean, number, every))
            what, every = f"{what}, some response", []
        table.append(_row(what, len(own), number, every))
    yield from lines(table)
    if flips:  # by the sizes of section 4.3.2
        small, large = sum(100 * size < 1 for size in flips), sum(100 * size > 2 for size in flips)
        yield (
            f"differences of pairs that flip, in points: less than 1 {small}, "
            f"1 to 2 {len(flips) - small - large}, more than 2 {large}"
        )


def _row(what: str, part: int | Fraction, whole: int, sizes: Sequence[Fraction]) -> tuple[str, ...]:
    shown = str(part) if isinstance(part, int) else f"{float(part):.1f}"
    share = percent(part / whole) if whole else "n/a"
    found = ("" if size is None else RATE(size) for size in spread(sizes))
    return (what, f"{shown} of {whole}", share, *found)


def _flips(whole: Contrast, names: Iterable[str]) -> Iterator[str]:
    """The pairs of responses whose order flips, with both changes of F; then an empty line."""
    table: list[tuple[str, ...]] = [("order flips", "", *names, "difference")]
    for first, second, *changes, size in whole.flips:
        both = (points(change, 2) for change in changes)
        table.append((one_line(first), one_line(second), *both, RATE(size)))
    if whole.flips:
        yield from (*lines(table, left=(0, 1)), "")


def _documents(documents: Iterable[Contrast]) -> Iterator[str]:
    """For each document, how many responses and pairs change, and its greatest flip."""
    table: list[tuple[str, ...]] = [("document", "lower", "higher", "flips", "greatest", "")]
    for each in documents:
        counts = (str(len(sizes)) for sizes in each.changes.values())
        greatest = [(RATE(one.size), one_line(f"{one.first}, {one.second}")) for one in each.flips]
        table.append((one_line(str(each.document)), *counts, *(*greatest, ("", ""))[0]))
    yield from lines(table, left=(0, 5))
