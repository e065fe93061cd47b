"""A hypothesis against several references: the score against each, their mean, and the best.

Each reference is scored by itself. *Mean* is the mean of their rates. *Best* takes for each
document the reference with the least share of errors, and divides the sum of these errors by the
sum of their sizes. A document without errors has the share 0, also if its size is 0; a document
with errors and the size 0 is worse than any other. Of several best references it takes the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import SerevalError, one_line
from ..evaluation.settings import Signature, joint
from ..measures.rates import Errors, Rate
from ..render.report import Look, Report, Reported, filled, row, rows
from ..render.text import lines, percent
from .rates import Score, exact_rate

SUMS = ("value", "errors", "size integer")

FORMS = {
    "documents": rows("document text", "reference text", *SUMS, "best boolean"),
    "references": rows("reference text", *SUMS),
    "best": row(*SUMS),
    "total": row("measure text", "mean"),
}
"""The tables of the report."""


@dataclass(frozen=True, slots=True, repr=False)
class References(Reported):
    """The scores of one hypothesis against several references.

    Args:
        scores: the score against each reference, by name.

    Raises:
        SerevalError: fewer than two references; the scores have different documents.

    >>> from sereval import references
    >>> found = references({"ann": [["B-PER"]], "bob": [["B-LOC"]]}, [["B-LOC"]])
    >>> {name: float(rate) for name, rate in found.rates.items()}, float(found.mean), found.chosen
    ({'ann': 0.5, 'bob': 0.0}, 0.25, {'0': 'bob'})
    """

    scores: Mapping[str, Score]

    def __post_init__(self) -> None:
        if len(self.scores) < 2:
            raise SerevalError("found one reference, expected two or more")
        first, *others = ({*score.ids} for score in self.scores.values())
        for name, ids in zip([*self.scores][1:], others, strict=True):
            for id in sorted(first ^ ids):
                where = f"not in {name}" if id in first else f"only in {name}"
                raise SerevalError(f"document {id} is {where}, expected it in all references")

    @property
    def rate(self) -> Rate:
        """The rate."""
        return next(iter(self.scores.values())).rate

    @property
    def rates(self) -> dict[str, Fraction | None]:
        """The rate against each reference; ``None`` where it is undefined."""
        return {name: exact_rate(score) for name, score in self.scores.items()}

    @property
    def mean(self) -> Fraction | None:
        """The mean of the rates; ``None`` if one is undefined."""
        found = [rate for rate in self.rates.values() if rate is not None]
        return sum(found, Fraction(0)) / len(found) if len(found) == len(self.scores) else None

    @property
    def documents(self) -> dict[str, dict[str, Errors]]:
        """The errors of each document against each reference."""
        every = {name: dict(score.each_document()) for name, score in self.scores.items()}
        first = next(iter(every.values()))
        return {id: {name: errors[id] for name, errors in every.items()} for id in first}

    @property
    def chosen(self) -> dict[str, str]:
        """The best reference of each document; of several the first."""
        return {
            id: min(errors, key=lambda name: _share(errors[name]))
            for id, errors in self.documents.items()
        }

    @property
    def best(self) -> Errors:
        """The sums over all documents, each against its best reference."""
        chosen = self.chosen
        every = [errors[chosen[id]] for id, errors in self.documents.items()]
        d, i, s = (
            sum((getattr(one, kind) for one in every), Fraction(0)) for kind in ("D", "I", "S")
        )
        return Errors(d, i, s, sum(one.size for one in every), sum(one.ref for one in every))

    @property
    def best_rate(self) -> Fraction | None:
        """The rate of :attr:`best`."""
        return self.rate.of(self.best)

    @property
    def signature(self) -> Signature:
        """The joint signature of all scores, and the number of references."""
        own = joint(score.signature for score in self.scores.values())
        return Signature([*own, ("references", str(len(self.scores)))])

    def report(self) -> Report:
        """The rate against each reference, the mean and the best, and those of the documents."""
        chosen = self.chosen
        documents = (
            (id, name, *self._sums(own), name == chosen[id])
            for id, errors in self.documents.items()
            for name, own in errors.items()
        )
        every = {name: score.errors for name, score in self.scores.items()}
        tables = filled(
            FORMS,
            documents=documents,
            references=((name, *self._sums(own)) for name, own in every.items()),
            best=[self._sums(self.best)],
            total=[(self.rate.title, self.mean)],
        )
        return Report("score", tables, self._text, self.signature)

    def _sums(self, errors: Errors) -> tuple[Any, ...]:
        return self.rate.of(errors), errors.total, errors.size

    def _text(self, _: Look) -> Iterator[str]:
        """A row for each reference, the mean and the best; then the documents."""
        rate, names, chosen = self.rate, [*self.scores], self.chosen
        table: list[tuple[str, ...]] = [("", rate.short, rate.errors_are, rate.size_is)]
        for name, score in self.scores.items():
            table.append((one_line(name), *_cells(self.rates[name], score.errors)))
        table.append(("mean", percent(self.mean), "", ""))
        table.append(("best", *_cells(self.best_rate, self.best)))
        yield from lines(table)
        yield ""
        table = [("", *map(one_line, names), "best")]
        for id, errors in self.documents.items():
            rates = (percent(rate.of(errors[name])) for name in names)
            table.append((one_line(id), *rates, one_line(chosen[id])))
        yield from lines(table)
        yield ""
        yield str(self.signature)


def _cells(rate: Fraction | None, errors: Errors) -> tuple[str, str, str]:
    return percent(rate), f"{float(errors.total):g}", str(errors.size)


def _share(errors: Errors) -> tuple[bool, Fraction]:
    """The share of errors as a sort key, the best first."""
    is_beyond = not errors.size and errors.total > 0
    return is_beyond, Fraction(errors.total, errors.size or 1)
