"""A score in the layout of conlleval, for programs that read the output of conlleval.

Digits are rounded as conlleval rounds them, and what has no value is 0.00 there; the other reports
say ``n/a`` and ``null``.
"""

from __future__ import annotations

from ..errors import one_line
from ..measures.figures import Figure
from ..schemes.conll import ConllScore


def render(result: ConllScore, figure: str | None = None) -> str:
    """What conlleval prints: phrases, rates, and a line for each label.

    Args:
        result: of ``conll``, or of ``evalita2011``.
        figure: name of the figure shown, ``type`` or ``type+content``; ``None``: all there are,
            each under its name where there are several.

    >>> from sereval.documents.tags import Columns
    >>> from sereval.schemes.conll import conll
    >>> words = ("Davide", "Rebellin", "ha")
    >>> gold = Columns("d", words, ("B-PER", "I-PER", "O"))
    >>> found = Columns("d", words, ("B-PER", "O", "O"))
    >>> print(render(conll([(gold, found)])), end="")
    processed 3 tokens with 1 phrases; found: 1 phrases; correct: 0.
    accuracy:  66.67%; precision:   0.00%; recall:   0.00%; FB1:   0.00
                  PER: precision:   0.00%; recall:   0.00%; FB1:   0.00  1
    """
    names = list(result.score.total) or ["type"]
    if figure is not None or len(names) == 1:
        return _printed(result, figure or names[0])
    return "\n".join(f"{name}\n{_printed(result, name)}" for name in names)


def _printed(result: ConllScore, figure: str) -> str:
    total = result.score.total.get(figure, Figure())
    tokens = result.all_tokens
    lines = [
        f"processed {tokens.possible} tokens with {total.possible} phrases; "
        f"found: {total.actual} phrases; correct: {total.cor}."
    ]
    if tokens.possible:
        lines.append(f"accuracy: {_ratio(tokens.cor, tokens.possible):6.2f}%; {_rates(total)}")
    for label, row in result.score.labels.items():
        of_label = row[figure]
        lines.append(f"{one_line(label):>17}: {_rates(of_label)}  {of_label.actual}")
    return "\n".join([*lines, ""])


def _ratio(part: int, whole: int) -> float:
    """In percent; multiplied first, as the last binary digit can decide the last decimal."""
    return 100 * part / whole if whole else 0.0


def _rates(figure: Figure) -> str:
    precision, recall = _ratio(figure.cor, figure.actual), _ratio(figure.cor, figure.possible)
    f1 = 2 * precision * recall / (precision + recall) if figure.cor else 0.0
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"
