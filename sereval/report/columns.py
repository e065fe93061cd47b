"""The columns of the reports: one list for all reports that show the same counts.

A new figure of ``score`` is one more entry of ``COUNTS``. It then stands in the report as text, in
the JSON, on the page, in notebooks, and in the CSV and JSON of a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ..alignment.blocks import UNIT
from ..errors import one_line
from ..measures.slots import Costs, Counts, Slot, decimal
from ..render.numbers import counted, number, percent

if TYPE_CHECKING:
    from ..evaluation.totals import ScoreInterval
    from ..evaluation.words import WordScore
    from ..measures.words import ElementErrors, WordErrors

T = TypeVar("T")
S = TypeVar("S")


class Column(NamedTuple, Generic[T, S]):
    """A column of the reports.

    Args:
        name: the heading.
        value: computes the value of a row. It takes the row and what all rows share, such as the
            costs.
        text: formats the value for text and for the page.
        json: the keys that lead to the value in the JSON of a row, the outermost first; empty: the
            JSON does not have the value.
        csv: the name in CSV; empty: the heading.
        reports: the reports that show the column. It has no effect on JSON and the CSV of a sweep.
    """

    name: str
    value: Callable[[T, S], Any]
    text: Callable[[Any], str] = str
    json: tuple[str, ...] = ()
    csv: str = ""
    reports: tuple[str, ...] = ("text", "page")

    def number(self, row: T, setting: S) -> int | float | None:
        """The value of a row as a JSON or CSV number; ``None`` if it is undefined."""
        value = self.value(row, setting)
        return number(value) if isinstance(value, Fraction) else value


def heads(columns: Iterable[Column[T, S]]) -> tuple[str, ...]:
    """The headings of columns.

    >>> heads(IN_TEXT[:4])
    ('Ref', 'Hyp', 'C', 'S_S')
    """
    return tuple(column.name for column in columns)


def texts(columns: Iterable[Column[T, S]], row: T, setting: S) -> list[str]:
    """The cells of a row as text.

    >>> texts(IN_TEXT[:3], Counts(C=1, D=1, hyp=1), Costs())
    ['2', '1', '1']
    """
    return [column.text(column.value(row, setting)) for column in columns]


def values(columns: Iterable[Column[T, S]], row: T, setting: S) -> dict[str, Any]:
    """The JSON object of a row: numbers by key, nested as the columns say.

    >>> values(COUNTS, Counts(S_S=1, hyp=1), Costs())["exact"]["recall"]
    0.0
    """
    found: dict[str, Any] = {}
    for column in columns:
        if column.json:
            *groups, name = column.json
            place = found
            for group in groups:
                place = place.setdefault(group, {})
            place[name] = column.number(row, setting)
    return found


def of(attribute: str) -> Callable[[Any, Any], Any]:
    """A ``value`` of a column that reads an attribute of the row."""
    value = attrgetter(attribute)
    return lambda row, _: value(row)


COUNTS: tuple[Column[Counts, Costs], ...] = (
    Column("Ref", of("ref"), json=("counts", "Ref")),
    Column("Hyp", of("hyp"), json=("counts", "Hyp")),
    *(Column(slot.value, of(slot.value), json=("counts", slot.value)) for slot in Slot),
    Column("unplaceable", of("unplaceable"), json=("counts", "unplaceable"), reports=()),
    Column("cost", lambda counts, costs: counts.cost(costs), decimal, ("counts", "cost")),
    Column("exact_C", of("exact"), json=("exact", "C"), reports=()),
    Column("SER", lambda counts, costs: counts.ser(costs), percent, ("ser",)),
    Column("P", of("precision"), percent, ("exact", "precision"), csv="precision"),
    Column("R", of("recall"), percent, ("exact", "recall"), csv="recall"),
    Column("F1", of("f1"), percent, ("exact", "f1")),
)
"""The counts and rates of the definition, in the order of the text report."""

IN_TEXT = tuple(column for column in COUNTS if "text" in column.reports)
ON_PAGE = tuple(column for column in COUNTS if "page" in column.reports)


# Word errors

ENTITY_WER = "WER of a label: of the words inside its elements."
"""The legend of a column with the rates of labels."""


def interval_line(interval: ScoreInterval | None) -> list[str]:
    """The interval of a score as a line, in percent, with how it was made; no line without one.

    Args:
        interval: the interval.

    >>> from sereval import ScoreInterval
    >>> found = ScoreInterval("SER", 0.1, 0.25, 0, "document", 9, 0.95, 10000, 2011)
    >>> print(*interval_line(found))
    95 % interval of SER: 10.0 to 25.0 (bootstrap over 9 documents, 10000 resamples, seed 2011)
    """
    if interval is None:
        return []
    ends = f"{percent(interval.low)} to {percent(interval.high)}"
    units = counted(interval.units, interval.unit)
    undefined = f", {interval.undefined} undefined" if interval.undefined else ""
    return [
        f"{interval.confidence * 100:g} % interval of {interval.measure}: {ends} "
        f"(bootstrap over {units}, {interval.resamples} resamples{undefined}, "
        f"seed {interval.seed})"
    ]


def interval_member(interval: ScoreInterval | None) -> dict[str, Any]:
    """The interval of a score as a member of its JSON; its ends are fractions.

    Args:
        interval: the interval.
    """
    return {} if interval is None else {"interval": interval._asdict()}


def words_lines(score: WordScore | None) -> list[str]:
    """The word error rates of all words and of the words in elements, a line each, and the notes.

    Args:
        score: the word errors.

    >>> from sereval import WordErrors, WordScore
    >>> errors = WordErrors(correct=3, S=1)
    >>> words_lines(WordScore({"d": errors}, (("weights", "unit"),)))
    ['WER 25.0 % of 4 words (1 substituted, 0 deleted, 0 inserted)']
    """
    return [] if score is None else [*_rates(score), *map(one_line, score.notes)]


def words_sentences(score: WordScore | None) -> list[str]:
    """The same as :func:`words_lines`, in sentences.

    Args:
        score: the word errors.
    """
    if score is None:
        return []
    return [f"{', '.join(_rates(score))}.", *map(one_line, score.notes)]


def _rates(score: WordScore) -> list[str]:
    total, inside = score.total, score.total_parts.entities.errors
    rates = [f"WER {errors_line(total, dict(score.settings)['weights'])}"]
    if inside.ref:
        rates.append(f"entity WER {_rate(inside)}")
    return rates


def errors_line(errors: WordErrors, weights: str | None = None) -> str:
    """The rate of word errors, and the counts behind it.

    Args:
        errors: the word errors.
        weights: the name of the weights of their alignment, shown unless they are the unit ones.

    >>> from sereval import WordErrors
    >>> errors_line(WordErrors(correct=3, S=1))
    '25.0 % of 4 words (1 substituted, 0 deleted, 0 inserted)'
    """
    named = f"; {weights}" if weights not in (None, UNIT.name) else ""
    counts = f"{errors.S} substituted, {errors.D} deleted, {errors.I} inserted{named}"
    return f"{_rate(errors)} of {counted(errors.ref, 'word')} ({counts})"


def _rate(errors: WordErrors) -> str:
    return "n/a" if errors.rate is None else f"{percent(errors.rate)} %"


def words_cells(score: WordScore | None) -> Callable[[str, str], list[str]]:
    """The cells of the column ``WER``, in percent.

    Args:
        score: the word errors; ``None``: there is no such column.

    Returns:
        A function that gives the cell of a row. It takes the heading of the group of rows (empty
        for all documents, ``by label`` or ``by document``) and the name of the row. The cell is
        empty if no words are the row's own.

    >>> from sereval import WordErrors, WordScore
    >>> cells = words_cells(WordScore({"d": WordErrors(correct=3, S=1)}))
    >>> cells("by document", "d"), cells("", "components")
    (['25.0'], [''])
    """
    if score is None:
        return lambda heading, name: []
    labels, all_words, documents = score.labels, {"all": score.total}, score.documents

    def cells(heading: str, name: str) -> list[str]:
        if heading.startswith("by label"):
            return [percent(labels[name].errors.rate if name in labels else None)]
        rows = documents if heading else all_words
        return [percent(rows[name].rate) if name in rows else ""]

    return cells


def words_rates(score: WordScore | None) -> Iterator[tuple[str, str, float | None]]:
    """The rates as label, measure and value: all words, the words of elements, those of each label.

    Args:
        score: the word errors.
    """
    if score is not None:
        yield "", "WER", score.total.rate
        yield "", "entity-wer", score.total_parts.entities.rate
        for label, errors in score.labels.items():
            yield label, "entity-wer", errors.rate


def words_counts(score: WordScore | None) -> Iterator[tuple[str, str, str, str, int]]:
    """The counts as document, label, measure, class and number; rates are sums of them.

    Args:
        score: the word errors.

    >>> from sereval import WordErrors, WordParts, WordScore
    >>> score = WordScore({"d": WordErrors(correct=1, S=1)}, parts={"d": WordParts()})
    >>> [*words_counts(score)][:2]
    [('d', '', 'WER', 'C', 1), ('d', '', 'WER', 'S', 1)]
    """
    if score is None:
        return
    for id, errors in score.documents.items():
        own = score.parts[id]
        yield from ((id, "", "WER", *one) for one in _counts(errors))
        for label, elements in {"": own.entities, **own.labels}.items():
            counts = [*_counts(elements.errors), ("border_insertions", elements.border)]
            yield from ((id, label, "entity-wer", *one) for one in counts)


def _counts(errors: WordErrors) -> Iterator[tuple[str, int]]:
    return zip(("C", "S", "D", "I"), errors, strict=True)


def words_member(score: WordScore | None) -> dict[str, Any]:
    """The member ``words`` of a report in JSON; no member without word errors.

    Args:
        score: the word errors.
    """
    return {} if score is None else {"words": words_json(score)}


def words_json(score: WordScore) -> dict[str, Any]:
    """The word errors of documents as the value of ``words`` in a report.

    Args:
        score: the word errors.

    Returns:
        The counts and the rate of all words, the weights of the alignment, and the same counts for
        the words of all elements and of the elements of each label, with the insertions at their
        borders. A rate is ``null`` if there are no words.

    >>> from sereval import ElementErrors, WordErrors, WordParts, WordScore
    >>> loc = WordParts(labels={"loc": ElementErrors(WordErrors(S=1))})
    >>> errors = {"d": WordErrors(correct=1, S=1)}
    >>> found = words_json(WordScore(errors, (("weights", "unit"),), parts={"d": loc}))
    >>> found["wer"], found["labels"]["loc"]
    (0.5, {'reference': 1, 'S': 1, 'D': 0, 'I': 0, 'wer': 1.0, 'border_insertions': 0})
    """
    parts = score.total_parts
    return {
        **_errors(score.total),
        "weights": dict(score.settings)["weights"],
        "entities": _elements(parts.entities),
        "labels": {label: _elements(errors) for label, errors in parts.labels.items()},
    }


def _errors(errors: WordErrors) -> dict[str, Any]:
    counts = {"reference": errors.ref, "S": errors.S, "D": errors.D, "I": errors.I}
    return {**counts, "wer": errors.rate}


def _elements(elements: ElementErrors) -> dict[str, Any]:
    return {**_errors(elements.errors), "border_insertions": elements.border}
