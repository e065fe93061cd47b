"""Word errors as JSON, for the reports of scores, comparisons, sweeps, audits and blame."""

from __future__ import annotations

from typing import Any

from ..evaluation.words import WordScore
from ..measures.words import ElementErrors, WordErrors


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
