"""A score in the layout of conlleval, and the aligned file of EVALITA 2011.

Numbers are rounded as conlleval rounds them. An undefined rate is 0.00 here; the other reports
write ``n/a`` or ``null``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..errors import SerevalError, one_line
from ..formats.file import quote
from ..measures.figures import Figure
from .result import AlignedRow, SchemeScore


def layout(score: SchemeScore, figure: str | None = None) -> list[str]:
    r"""The lines of a score as conlleval prints it: phrases, rates, and a line for each label.

    Args:
        score: a score of ``conll`` or of ``evalita2011``.
        figure: the figure to print, ``type`` or ``type+content``. ``None``: every figure of the
            score; if there are several, each under its name.

    >>> found = {"PER": {"type": Figure(mis=1, spu=1)}}
    >>> score = SchemeScore("conll", {"d": found}, tokens={"d": Figure(cor=2, inc=1)})
    >>> print(*layout(score), sep="\n")
    processed 3 tokens with 1 phrases; found: 1 phrases; correct: 0.
    accuracy:  66.67%; precision:   0.00%; recall:   0.00%; FB1:   0.00
                  PER: precision:   0.00%; recall:   0.00%; FB1:   0.00  1
    """
    names = list(score.total) or ["type"]
    if figure is not None or len(names) == 1:
        return _layout(score, figure or names[0])
    found = [[name, *_layout(score, name), ""] for name in names]
    return [line for lines in found for line in lines][:-1]


def _layout(score: SchemeScore, figure: str) -> list[str]:
    total = score.total.get(figure, Figure())
    tokens = sum(score.tokens.values(), Figure())
    lines = [
        f"processed {tokens.possible} tokens with {total.possible} phrases; "
        f"found: {total.actual} phrases; correct: {total.cor}."
    ]
    if tokens.possible:
        lines.append(f"accuracy: {_ratio(tokens.cor, tokens.possible):6.2f}%; {_rates(total)}")
    for label, row in score.labels.items():
        of_label = row[figure]
        lines.append(f"{one_line(label):>17}: {_rates(of_label)}  {of_label.actual}")
    return lines


def _ratio(part: int, whole: int) -> float:
    """A ratio in percent. It multiplies before it divides, so that it rounds as conlleval does."""
    return 100 * part / whole if whole else 0.0


def _rates(figure: Figure) -> str:
    precision, recall = _ratio(figure.cor, figure.actual), _ratio(figure.cor, figure.possible)
    f1 = 2 * precision * recall / (precision + recall) if figure.cor else 0.0
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"


def aligned_file(documents: Mapping[str, Sequence[AlignedRow]]) -> str:
    r"""The aligned file of EVALITA 2011 (guidelines, 5.1).

    The file has five columns with a tab between them: the word and the tag of the reference, the
    error, the word and the tag of the hypothesis. An empty line separates documents.

    Args:
        documents: the rows of each document, by its id.

    Raises:
        SerevalError: a word or a label contains a tab or a line end.

    >>> aligned_file({"d": [AlignedRow("B", "B-ORG", "D", "", "O")]})
    'B\tB-ORG\tD\t\tO\n'
    """
    return "\n".join(_rows_of(id, rows) for id, rows in documents.items())


def _rows_of(id: str, rows: Iterable[AlignedRow]) -> str:
    lines = []
    for row in rows:
        for cell in row:
            if re.search(r"[\t\n\r]", cell):
                raise SerevalError(
                    f"{id}: {quote(cell)} holds a tab or a line end, which separate the "
                    "columns and rows of an aligned file"
                )
        lines.append("\t".join(row) + "\n")
    return "".join(lines)
