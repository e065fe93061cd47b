"""The report of the score of another scheme: its columns, its tables, its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import one_line
from ..evaluation.report import (
    INTERVAL,
    WORDS,
    interval_line,
    most_costly,
    word_rows,
    words_lines,
)
from ..measures.figures import ErrorFigure, Figure, ListFigure
from ..render.report import (
    Column,
    Forms,
    Look,
    Report,
    Table,
    columns,
    filled,
    heads,
    of,
    row,
    texts,
    values,
)
from ..render.text import TextRow, group_rows, lines, percent, rounded
from .table import SCHEMES

if TYPE_CHECKING:
    from .result import SchemeScore

Figures = Mapping[str, Figure]

hundredths: Callable[[Fraction], str] = partial(rounded, digits=2, ends=())


def _count(title: str, attribute: str) -> Column[Figure, float]:
    return Column(title, "integer", value=of(attribute))


OUTCOMES: tuple[Column[Figure, float], ...] = tuple(
    _count(name.upper(), name) for name in ("cor", "inc", "par", "mis", "spu")
)
"""The counts of the other schemes."""

FIGURES = (
    *OUTCOMES,
    _count("POS", "possible"),
    _count("ACT", "actual"),
    Column("precision", value=of("precision"), title="P", text=percent),
    Column("recall", value=of("recall"), title="R", text=percent),
    Column("f1", value=lambda figure, beta: figure.f(beta), title="F", text=percent),
)
"""The counts and rates of the other schemes. All rows share the weight of recall in F."""

LISTS: tuple[Column[Any, float], ...] = (
    _count("TP", "cor"),
    Column("FP", value=of("false_positives"), text=hundredths),
    Column("FN", value=of("false_negatives"), text=hundredths),
    *FIGURES[-3:],
)
"""The counts and rates of figures that add distances to the errors."""

ERRORS: tuple[Column[Any, float], ...] = (
    *(one for one in OUTCOMES if one.name != "PAR"),
    Column("distance", value=of("distance"), text=hundredths),
    Column("errors", value=of("errors"), text=hundredths),
    _count("Ref", "possible"),
    Column("error_rate", value=of("error_rate"), title="rate", text=percent),
)
"""The counts of error rates."""

LAYOUTS: dict[type[Figure], tuple[tuple[Column[Any, float], ...], str]] = {
    Figure: (FIGURES, "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."),
    ListFigure: (
        LISTS,
        "TP pairs; FP and FN entities without a partner, and distances of pairs.",
    ),
    ErrorFigure: (
        ERRORS,
        "COR pairs, INC one of each side without a partner, MIS missing, SPU spurious; errors: INC "
        "+ MIS + SPU + distances of pairs.",
    ),
}
"""The columns of each kind of figure, and their legend."""

KINDS: dict[str, type[Figure]] = {"slurp": ListFigure, "oi": ErrorFigure}
"""The kind of the figures of some schemes; all others have plain ones."""

EQUAL = 1.0
"""The weight of recall in F if recall counts as much as precision."""


def _forms(kind: type[Figure]) -> Forms:
    own, _ = LAYOUTS[kind]

    def table(*names: str) -> Table:
        return Table((*columns(*(f"{name} text" for name in names)), *own))

    return {
        "document_labels": table("document", "label", "figure"),
        "figures": table("figure"),
        "labels": table("label", "figure"),
        "documents": table("document", "figure"),
        "tokens": row("correct integer", "all integer", "accuracy"),
        **WORDS,
        "interval": INTERVAL,
    }


FORMS = {kind: _forms(kind) for kind in LAYOUTS}
"""The tables of a score by the kind of its figures."""


def report_of(score: SchemeScore) -> Report:
    """The report of a score: every figure, of all documents, by label and by document."""
    total = score.total
    kind = KINDS.get(score.scheme, Figure)
    empty = {name: type(one)() for name, one in total.items()} or dict.fromkeys(
        SCHEMES[score.scheme].figures, kind()
    )

    def rows(named: Iterable[tuple[tuple[str, ...], Figures]]) -> Iterator[Sequence[Any]]:
        for names, figures in named:
            for figure, one in figures.items():
                yield (*names, figure, *values(LAYOUTS[type(one)][0], one, EQUAL))

    of_documents = score.documents.items()
    tokens = sum(score.tokens.values(), Figure())
    tables = filled(
        FORMS[kind],
        document_labels=rows(
            ((id, label), row) for id, labels in of_documents for label, row in labels.items()
        ),
        figures=rows([((), empty | total)]),
        labels=rows(((label,), row) for label, row in score.labels.items()),
        documents=rows(((id,), empty | score.total_of(id)) for id in score.documents),
        tokens=[(tokens.cor, tokens.possible, score.accuracy)] if score.tokens else [],
        interval=[] if score.interval is None else [score.interval],
        **word_rows(score.word_score),
    )
    words = score.word_errors
    notes = [*map(one_line, score.notes), *(words.notes if words else ())]
    return Report("score", tables, lambda look: _text(score, look), score.signature, notes)


def _text(score: SchemeScore, look: Look) -> Iterator[str]:
    """A table for each figure: totals, labels, documents; then notes and the signature."""
    for line in interval_line(score.interval):
        yield from (line, "")
    if score.tokens:
        yield from (*layout(score), "", *score.notes, str(score.signature))
        return
    table: list[TextRow] = []
    legends = []
    for k, (name, figure) in enumerate((score.total or {"nothing to count": Figure()}).items()):
        groups = _groups(name, score, look) if k == 0 or look.show == "all" else {}
        table += [*_rows(name, type(figure), {"": {"all": score.total}, **groups}), ()]
        legends.append(LAYOUTS[type(figure)][1])
    yield from lines(table, width=look.width)
    yield from dict.fromkeys(legends)
    yield from (*words_lines(score.word_errors), *map(one_line, score.notes))
    yield from ("", str(score.signature))


def _groups(name: str, score: SchemeScore, look: Look) -> dict[str, Mapping[str, Figures]]:
    """The labels and documents to show; the errors of this figure are what they cost."""

    def cost(row: Figures) -> Fraction:
        return Fraction(row.get(name, Figure()).errors)

    return most_costly(look, score.labels, score.totals, cost)


def _rows(
    name: str, kind: type[Figure], groups: Mapping[str, Mapping[str, Figures]]
) -> list[TextRow]:
    columns, _ = LAYOUTS[kind]
    return group_rows(
        (name, *heads(columns)),
        {heading: group for heading, group in groups.items() if group},
        lambda row: texts(columns, row.get(name, kind()), EQUAL),
    )


# --- the layout of conlleval ----------------------------------------------------------------------


def layout(score: SchemeScore, figure: str | None = None) -> list[str]:
    r"""The lines of a score as conlleval prints it: phrases, rates, and a line for each label."""
    names = list(score.total) or ["type"]
    if figure is None and len(names) > 1:
        return [line for name in names for line in (name, *layout(score, name), "")][:-1]
    name = figure or names[0]
    total, tokens = score.total.get(name, Figure()), sum(score.tokens.values(), Figure())
    found = [
        f"processed {tokens.possible} tokens with {total.possible} phrases; "
        f"found: {total.actual} phrases; correct: {total.cor}."
    ]
    if tokens.possible:
        found.append(f"accuracy: {_ratio(tokens.cor, tokens.possible):6.2f}%; {_percent(total)}")
    for label, figures in score.labels.items():
        own = figures[name]
        found.append(f"{one_line(label):>17}: {_percent(own)}  {own.actual}")
    return found


def _ratio(part: int, whole: int) -> float:
    """A ratio in percent. It multiplies before it divides, so that it rounds as conlleval does."""
    return 100 * part / whole if whole else 0.0


def _percent(figure: Figure) -> str:
    precision, recall = _ratio(figure.cor, figure.actual), _ratio(figure.cor, figure.possible)
    f1 = 2 * precision * recall / (precision + recall) if figure.cor else 0.0
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"
