"""The report of several responses to one key under several criteria."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ..errors import one_line
from ..render.report import Report, Table, columns, filled, rows
from ..render.text import lines, percent, points
from .report import RATE, WITH_PARTIAL, cells, credit
from .responses import Contrast, Contrasts, Responses, Spread, bands
from .score import TemplateSettings

BANDS = ("less than 1", "1 to 2", "more than 2")
"""The sizes of differences, in points."""


CRITERION = ("criterion text", "alignment text")
CONTRAST = ("base text", "other text", "document text")
SPREAD = ("change text", "number integer", "least", "greatest", "mean")

FORMS = {
    "documents": Table(
        (*columns(*CRITERION, "response text", "document text"), *WITH_PARTIAL), kind="detail"
    ),
    "responses": Table((*columns(*CRITERION, "response text"), *WITH_PARTIAL)),
    "criteria": rows(*CRITERION, "signature text"),
    "rates": rows(*CONTRAST, "response text", "base_f1", "other_f1"),
    "contrasts": rows(*CONTRAST, "pairs integer", *SPREAD),
    "flips": rows(*CONTRAST, "first text", "second text", "base_change", "other_change", "size"),
    "bands": rows(*CONTRAST, "points text", "pairs integer"),
    "changes": rows("base text", "other text", *SPREAD, "documents integer"),
    "settings": rows("beta"),
}
"""The tables of the report; contrasts without a document are of all."""


def report_of(found: Responses) -> Report:
    """The counts and rates of each response, then the base against each other criterion."""
    every = [(way, how) for way, how in enumerate(found.criteria)]
    signatures = [str(score.signature) for score in next(iter(found.scores.values()))]
    contrasts = [
        ((*_names(found, each), id), contrast)
        for each in found.contrasts
        for id, contrast in [(None, each.whole), *each.documents.items()]
    ]
    tables = filled(
        FORMS,
        documents=(
            (how.criterion, how.alignment, name, id, *cells(found.figure(name, way, id), how))
            for way, how in every
            for name, scores in found.scores.items()
            for id in scores[way].documents
        ),
        responses=(
            (how.criterion, how.alignment, name, *cells(found.figure(name, way), how))
            for way, how in every
            for name in found.scores
        ),
        criteria=((how.criterion, how.alignment, signatures[way]) for way, how in every),
        rates=(
            (*names, response, *both)
            for names, one in contrasts
            for response, both in one.rates.items()
        ),
        contrasts=((*names, *row) for names, one in contrasts for row in _contrast(one)),
        flips=((*names, *flip, flip.size) for names, one in contrasts for flip in one.flips),
        bands=((*names, *row) for names, one in contrasts for row in _bands(one)),
        changes=(
            (*_names(found, each), change, *each.spread(read), each.number(read))
            for each in found.contrasts
            for change, read in zip(CHANGES, READS.values(), strict=True)
        ),
        settings=[(found.beta,)],
    )
    return Report("templates", tables, lambda _: text(found), "; ".join(signatures), [*found.notes])


def _names(found: Responses, contrasts: Contrasts) -> tuple[str, str]:
    return _name(found.criteria[contrasts.base]), _name(found.criteria[contrasts.other])


CHANGES = ("lower", "higher", "flips")


def _contrast(contrast: Contrast) -> Iterable[Sequence[Any]]:
    for change, read in zip(CHANGES, READS.values(), strict=True):
        yield (contrast.pairs, change, *Spread.of(read(contrast)))


def _bands(contrast: Contrast) -> Iterable[Sequence[Any]]:
    return zip(BANDS, bands([flip.size for flip in contrast.flips]), strict=True)


def text(found: Responses) -> list[str]:
    """The F of each response under each criterion; then the base against each other criterion."""
    names = [_name(settings) for settings in found.criteria]
    only = found.contrasts[0].whole.changes if len(names) == 2 else None
    table = [("F", *names, *([] if only is None else ["change"]))]
    for response in found.scores:
        rates = [found.figure(response, way).f(found.beta) for way in range(len(names))]
        change = [] if only is None else [points(only.get(response), 2)]
        table.append((one_line(response), *map(RATE, rates), *change))
    parts = [*lines(table), ""]
    for contrasts in found.contrasts:
        parts += [f"{names[contrasts.other]} against {names[contrasts.base]}, in points of F"]
        parts += [*_summary(contrasts), ""]
        parts += [*_flips(contrasts.whole, names[contrasts.base], names[contrasts.other])]
        parts += [*_documents(contrasts), ""]
    settings = found.criteria[0]
    parts += [*credit(settings), *map(one_line, found.notes)]
    parts += [""] * bool(credit(settings) or found.notes)
    parts += [
        f"{name}: {score.signature}"
        for name, score in zip(names, next(iter(found.scores.values())), strict=True)
    ]
    return parts


def _name(settings: TemplateSettings) -> str:
    return f"{settings.criterion} {settings.alignment}"


def _summary(contrasts: Contrasts) -> Iterator[str]:
    """How many responses, pairs and documents change, by how much."""
    whole, number = contrasts.whole, len(contrasts.documents)
    responses, sizes = len(whole.rates), [flip.size for flip in whole.flips]
    table = [
        ("", "number", "%", "least", "greatest", "mean"),
        _row("responses with a lower F", len(whole.lower), responses, Spread.of(whole.lower)),
        _row("responses with a higher F", len(whole.higher), responses, Spread.of(whole.higher)),
        _row("pairs of responses whose order flips", len(sizes), whole.pairs, Spread.of(sizes)),
    ]
    for what, read in READS.items():
        spread = contrasts.spread(read)
        if what != "with flips":
            mean = Fraction(spread.number, responses) if responses else Fraction(0)
            table.append(_row(f"documents {what}, a response on average", mean, number, spread))
        some = contrasts.number(read)
        of = "" if what == "with flips" else ", some response"
        table.append(_row(f"documents {what}{of}", some, number, Spread(0) if of else spread))
    yield from lines(table)
    if sizes:
        counts = ", ".join(f"{what} {n}" for what, n in zip(BANDS, bands(sizes), strict=True))
        yield f"differences of pairs that flip, in points: {counts}"


def _row(what: str, part: int | Fraction, whole: int, spread: Spread) -> tuple[str, ...]:
    shown = str(part) if isinstance(part, int) else f"{float(part):.1f}"
    share = percent(part / whole) if whole else "n/a"
    sizes = ["" if size is None else RATE(size) for size in spread[1:]]
    return (what, f"{shown} of {whole}", share, *sizes)


READS: dict[str, Callable[[Contrast], list[Fraction]]] = {
    "with a lower F": lambda each: each.lower,
    "with a higher F": lambda each: each.higher,
    "with flips": lambda each: [flip.size for flip in each.flips],
}
"""What changes in a document, and by how much."""


def _flips(contrast: Contrast, *names: str) -> Iterator[str]:
    """The pairs of responses whose order flips, with both changes of F; then an empty line."""
    if contrast.flips:
        table = [("order flips", "", *names, "difference")]
        table += [
            (*map(one_line, flip[:2]), *(points(c, 2) for c in flip[2:]), RATE(flip.size))
            for flip in contrast.flips
        ]
        yield from lines(table, left=(0, 1))
        yield ""


def _documents(contrasts: Contrasts) -> Iterator[str]:
    """For each document, how many responses and pairs change, and its greatest flip."""
    table: list[tuple[str, ...]] = [("document", "lower", "higher", "flips", "greatest", "")]
    for id, each in contrasts.documents.items():
        first = each.flips[0] if each.flips else None
        named = f"{one_line(first.first)}, {one_line(first.second)}" if first else ""
        size = RATE(first.size) if first else ""
        counts = len(each.lower), len(each.higher), len(each.flips)
        table.append((one_line(id), *map(str, counts), size, named))
    yield from lines(table, left=(0, 5))
