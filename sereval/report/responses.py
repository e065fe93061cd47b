"""Several responses to one key under several criteria, as text, JSON and CSV.

Format history of the JSON: 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ..errors import one_line
from ..render.numbers import percent, points, real
from ..render.table import lines
from ..templates.responses import Contrast, Contrasts, Flip, Responses, Spread, bands
from ..templates.score import TemplateSettings
from .columns import values
from .csv import tidy
from .json import dumps
from .templates import RATE, columns, credit

FORMAT = 1

BANDS = ("less than 1", "1 to 2", "more than 2")
"""The sizes of differences, in points."""


def text(found: Responses) -> str:
    """The F of each response under each criterion; then the base against each other criterion."""
    names = [_name(settings) for settings in found.criteria]
    only = found.contrasts[0].whole.changes if len(names) == 2 else None
    rows = [("F", *names, *([] if only is None else ["change"]))]
    for response in found.scores:
        rates = [found.figure(response, way).f(found.beta) for way in range(len(names))]
        change = [] if only is None else [points(only.get(response), 2)]
        rows.append((one_line(response), *map(RATE, rates), *change))
    parts = [*lines(rows), ""]
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
    return "\n".join([*parts, ""])


def _name(settings: TemplateSettings) -> str:
    return f"{settings.criterion} {settings.alignment}"


def _summary(contrasts: Contrasts) -> Iterator[str]:
    """How many responses, pairs and documents change, by how much."""
    whole, number = contrasts.whole, len(contrasts.documents)
    responses, sizes = len(whole.rates), [flip.size for flip in whole.flips]
    rows = [
        ("", "number", "%", "least", "greatest", "mean"),
        _row("responses with a lower F", len(whole.lower), responses, Spread.of(whole.lower)),
        _row("responses with a higher F", len(whole.higher), responses, Spread.of(whole.higher)),
        _row("pairs of responses whose order flips", len(sizes), whole.pairs, Spread.of(sizes)),
    ]
    for what, read in READS.items():
        spread = contrasts.spread(read)
        if what != "with flips":
            mean = Fraction(spread.number, responses) if responses else Fraction(0)
            rows.append(_row(f"documents {what}, a response on average", mean, number, spread))
        some = contrasts.number(read)
        of = "" if what == "with flips" else ", some response"
        rows.append(_row(f"documents {what}{of}", some, number, Spread(0) if of else spread))
    yield from lines(rows)
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
        rows = [("order flips", "", *names, "difference")]
        rows += [
            (*map(one_line, flip[:2]), *(points(c, 2) for c in flip[2:]), RATE(flip.size))
            for flip in contrast.flips
        ]
        yield from lines(rows, left=(0, 1))
        yield ""


def _documents(contrasts: Contrasts) -> Iterator[str]:
    """For each document, how many responses and pairs change, and its greatest flip."""
    rows: list[tuple[str, ...]] = [("document", "lower", "higher", "flips", "greatest", "")]
    for id, each in contrasts.documents.items():
        first = each.flips[0] if each.flips else None
        named = f"{one_line(first.first)}, {one_line(first.second)}" if first else ""
        size = RATE(first.size) if first else ""
        counts = len(each.lower), len(each.higher), len(each.flips)
        rows.append((one_line(id), *map(str, counts), size, named))
    yield from lines(rows, left=(0, 5))


def as_json(found: Responses) -> str:
    """JSON: the counts and rates of each response, then the contrasts; rates are fractions."""
    own = columns(found.criteria[0])
    return dumps(
        {
            "format": FORMAT,
            "beta": found.beta,
            "notes": list(found.notes),
            "criteria": [
                {
                    "criterion": settings.criterion,
                    "alignment": settings.alignment,
                    "signature": str(next(iter(found.scores.values()))[way].signature),
                    "responses": {
                        name: values(own, found.figure(name, way), found.beta)
                        for name in found.scores
                    },
                }
                for way, settings in enumerate(found.criteria)
            ],
            "contrasts": [_contrasts(found, each) for each in found.contrasts],
        }
    )


def _contrasts(found: Responses, contrasts: Contrasts) -> dict[str, Any]:
    return {
        "base": _name(found.criteria[contrasts.base]),
        "other": _name(found.criteria[contrasts.other]),
        **_contrast(contrasts.whole),
        "documents": {
            "number": len(contrasts.documents),
            **{
                key: {**_of_spread(contrasts.spread(read)), "documents": contrasts.number(read)}
                for key, read in zip(("lower", "higher", "flips"), READS.values(), strict=True)
            },
            "by_id": {id: _contrast(each) for id, each in contrasts.documents.items()},
        },
    }


def _contrast(contrast: Contrast) -> dict[str, Any]:
    sizes = [flip.size for flip in contrast.flips]
    return {
        "f": {name: list(map(real, both)) for name, both in contrast.rates.items()},
        "lower": _of_spread(Spread.of(contrast.lower)),
        "higher": _of_spread(Spread.of(contrast.higher)),
        "pairs": contrast.pairs,
        "flips": {
            **_of_spread(Spread.of(sizes)),
            "bands": dict(zip(BANDS, bands(sizes), strict=True)),
            "pairs": [_flip(flip) for flip in contrast.flips],
        },
    }


def _of_spread(spread: Spread) -> dict[str, Any]:
    least, greatest, mean = (None if size is None else real(size) for size in spread[1:])
    return {"number": spread.number, "least": least, "greatest": greatest, "mean": mean}


def _flip(flip: Flip) -> dict[str, Any]:
    return {
        "first": flip.first,
        "second": flip.second,
        "base": real(flip.base),
        "other": real(flip.other),
        "difference": real(flip.size),
    }


def as_csv(found: Responses) -> str:
    """Tidy CSV: a row for each criterion, response, document and outcome."""
    rows = (
        (settings.criterion, settings.alignment, name, id, outcome, getattr(figure, outcome))
        for way, settings in enumerate(found.criteria)
        for name, scores in found.scores.items()
        for id in scores[way].documents
        for figure in [found.figure(name, way, id)]
        for outcome in settings.outcomes
    )
    heads = ("criterion", "alignment", "response", "document", "class", "count")
    return tidy(heads, rows)


RESPONSES: dict[str, Callable[[Responses], str]] = {"text": text, "json": as_json, "csv": as_csv}
"""The reports of several responses, by the names that ``--format`` accepts."""
