"""Word errors for the reports of scores, comparisons, sweeps, audits and blame.

The functions take ``None`` where there are no word errors, and then give nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import one_line
from ..evaluation.words import WordScore
from ..measures.words import ElementErrors, WordErrors
from .numbers import counted, percent

ENTITY_WER = "WER of a label: of the words inside its elements."
"""The legend of a column with the rates of labels."""


def words_lines(score: WordScore | None) -> list[str]:
    """The word error rates of all words and of the words in elements in one line, and the notes.

    Args:
        score: the word errors.

    >>> errors = WordErrors(correct=3, S=1)
    >>> words_lines(WordScore({"d": errors}, (("weights", "unit"),)))
    ['WER 25.0 % of 4 words (S 1, D 0, I 0; unit)']
    """
    return [] if score is None else [", ".join(_rates(score)), *map(one_line, score.notes)]


def short_words_lines(score: WordScore | None) -> list[str]:
    """The same as :func:`words_lines`, with a line for each rate.

    Args:
        score: the word errors.
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
    counts = f"S {total.S}, D {total.D}, I {total.I}; {dict(score.settings)['weights']}"
    rates = [f"WER {_rate(total)} of {counted(total.ref, 'word')} ({counts})"]
    if inside.ref:
        rates.append(f"entity WER {_rate(inside)}")
    return rates


def _rate(errors: WordErrors) -> str:
    return "n/a" if errors.rate is None else f"{percent(errors.rate)} %"


def words_cells(score: WordScore | None, heading: str, name: str) -> list[str]:
    """The cell of a row in the column ``WER``, in percent; empty if no words are the row's own.

    Args:
        score: the word errors.
        heading: of the group of rows: empty for all documents, ``by label`` or ``by document``.
        name: of the row.

    >>> score = WordScore({"d": WordErrors(correct=3, S=1)})
    >>> words_cells(score, "by document", "d"), words_cells(score, "", "components")
    (['25.0'], [''])
    """
    if score is None:
        return []
    if heading.startswith("by label"):
        errors = score.labels.get(name, ElementErrors()).errors
    else:
        rows = score.documents if heading else {"all": score.total}
        if name not in rows:
            return [""]
        errors = rows[name]
    return [percent(errors.rate)]


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

    >>> from sereval.measures.words import WordParts
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

    >>> from sereval.measures.words import WordParts
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
