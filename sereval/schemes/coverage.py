"""Measures of what a hypothesis covers, whatever its labels: of redaction, and spans alone.

* **leak**: elements of the reference of which a word is covered by no element of the hypothesis,
  over all elements. Through time: of which more than the tolerance is covered by none.
* **exposed**: documents with a leak, over all documents. The certificate is the bound of Clopper
  and Pearson: how many of such documents are exposed at most, with a certainty.
* **overredaction**: words outside all elements of the reference that are covered, over all such
  words. Through time they are the words of the hypothesis whose middle is in no element.
* **spans**: precision, recall and F1 of spans without labels; equal spans count once. With
  ``merge=adjacent``, spans between which nothing but marks stand, without a letter or digit, may
  also count as one: what both sides have, apart or as one, is correct; other spans count apart,
  unless they are in a correct one.

Source: Clopper and Pearson 1934; spans are those of MEDDOCAN's program (Marimon et al. 2019).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import ClassVar, NamedTuple

from ..corpus.corpus import Pair, Scorer, exact
from ..documents.model import Span
from ..documents.words import recut
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..evaluation.words import RateScore
from ..measures import Errors, Rate, beta_quantile
from ..render.report import counted


class DocumentCoverage(NamedTuple):
    """The errors of a document, by the figures of a measure."""

    id: str
    figures: Mapping[str, Errors]


def _errors(missing: int, spurious: int, size: int) -> Errors:
    return Errors(Fraction(missing), Fraction(spurious), size=size, ref=size)


@dataclass(frozen=True)
class CoverageScore(RateScore):
    """A measure of what is covered."""

    documents: tuple[DocumentCoverage, ...]

    notes: ClassVar[tuple[str, ...]] = ()

    @property
    def has_other_words(self) -> bool:
        """Whether the words of the two sides may differ."""
        return "tolerance" in dict(self.settings)

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared."""
        title, unit = self.title or self.name, UNITS[self.name]
        return Rate(
            title=title,
            short=title,
            size_is=f"{unit}s",
            is_better="higher" if self.name == "spans" else "lower",
            kinds="missing, spurious",
            nothing=f"no {unit}",
            figure=self.figure,
        )

    def _total(self, figure: str) -> Errors:
        every = (one.figures[figure] for one in self.documents if figure in one.figures)
        return Errors._make(map(sum, zip(Errors(), *every, strict=True)))

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        if self.figure == BOUND:
            return Errors(D=Fraction(self._certificate()[0]), size=1)
        return self._total(self.figure)

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        return ((one.id, one.figures.get(self.figure, Errors())) for one in self.documents)

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label; of leak alone."""
        is_leak = self.name == "leak" and not self.figure
        labels = {label for one in self.documents for label in one.figures if label and is_leak}
        return {label: self._total(label) for label in sorted(labels)}

    def _certificate(self) -> tuple[float, str]:
        """The bound of exposed documents, and the sentence that says it."""
        exposed, certainty = self._total("documents"), float(dict(self.settings)["certainty"] or 0)
        bound = upper_bound(int(exposed.D), exposed.ref, certainty)
        are = "is" if exposed.D == 1 else "are"
        return bound, (
            f"{exposed.D} of {counted(exposed.ref, 'document')} {are} exposed; with "
            f"{100 * certainty:g} % confidence at most {100 * bound:.1f} % of such "
            "documents are."
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """The certificate, if exposed documents are counted."""
        return (self._certificate()[1],) if self.name == "exposed" else ()


UNITS = {"leak": "element", "exposed": "document", "overredaction": "word", "spans": "span"}
"""What each measure counts in its denominator."""

BOUND = "bound"
"""The figure of ``exposed`` that is the certificate's bound."""


def upper_bound(count: int, of: int, certainty: float) -> float:
    """The upper bound of Clopper and Pearson for a share of which ``count`` of ``of`` were seen."""
    return 1.0 if count >= of else beta_quantile(certainty, count + 1, of - count)


# --- a pair of documents --------------------------------------------------------------------------


def covered(spans: Iterable[Span]) -> Callable[[int, int], int]:
    """How much of another span some spans cover."""
    every = joined(spans)
    lengths = [*accumulate((end - start for start, end in every), initial=0)]

    def before(place: int) -> int:
        k = bisect_right(every, place, key=itemgetter(0))
        return lengths[k] - max(0, every[k - 1][1] - place) if k else 0

    return lambda start, end: before(end) - before(start)


def joined(spans: Iterable[Span], marks: Sequence[bool] | None = None) -> list[Span]:
    """Spans in order, as one those that touch, overlap or have only marks between them."""
    found: list[Span] = []
    for start, end in sorted(spans):
        last = found[-1][1] if found else -1
        if start <= last or found and marks is not None and all(marks[last:start]):
            found[-1] = found[-1][0], max(last, end)
        else:
            found.append((start, end))
    return found


def _sides(pair: Pair, settings: Settings) -> tuple[list[Span], list[Span], list[int]]:
    """The elements of both sides as spans of words or of time; the places of the words heard."""
    said, heard = exact(pair[0]), pair[1]
    if settings.tolerance is None:
        said, heard = recut(said, heard)
        times: list[Sequence[Span]] = [[*pairwise(range(len(said.words) + 1))]] * 2
    elif said.times is None or heard.times is None:
        raise SerevalError(f"{said.id}: no times of words, expected them on both sides")
    else:
        times = [said.times, heard.times]
    ours, theirs = (
        [(at[e.start][0], max(end for _, end in at[e.start : e.end])) for e in own.elements]
        for own, at in zip((said, heard), times, strict=True)
    )
    return ours, theirs, [(start + end) // 2 for start, end in times[1]]


def _leak(pair: Pair, settings: Settings) -> DocumentCoverage:
    (ours, theirs, _), slack = _sides(pair, settings), max(settings.tolerance or (0,))
    within = covered(theirs)
    found: dict[str, list[bool]] = {}
    for element, (start, end) in zip(exact(pair[0]).elements, ours, strict=True):
        for figure in ("", element.label):
            is_leak = end - start - within(start, end) > slack
            found.setdefault(figure, []).append(is_leak)
    figures = {figure: _errors(sum(leaks), 0, len(leaks)) for figure, leaks in found.items()}
    return DocumentCoverage(pair[0].id, figures)


def _exposed(pair: Pair, settings: Settings) -> DocumentCoverage:
    leaks = _leak(pair, settings).figures.get("", Errors())
    return DocumentCoverage(pair[0].id, {"documents": _errors(leaks.D > 0, 0, 1)})


def _overredaction(pair: Pair, settings: Settings) -> DocumentCoverage:
    *spans, places = _sides(pair, settings)
    ours, theirs = map(covered, spans)
    outside = [place for place in places if not ours(place, place + 1)]
    redacted = sum(theirs(place, place + 1) for place in outside)
    return DocumentCoverage(pair[0].id, {"": _errors(0, redacted, len(outside))})


def _spans(pair: Pair, settings: Settings) -> DocumentCoverage:
    sides = recut(exact(pair[0]), pair[1])
    ours, theirs = ({(one.start, one.end) for one in side.elements} for side in sides)
    if settings.merge == "adjacent":
        marks = [not any(map(str.isalnum, word)) for word in sides[0].words]
        correct = {*ours, *joined(ours, marks)} & {*theirs, *joined(theirs, marks)}
        missing, spurious = (len(_apart(one, correct)) for one in (ours, theirs))
    else:
        correct = ours & theirs
        missing, spurious = len(ours - correct), len(theirs - correct)
    figures = {
        "F1": _errors(missing, spurious, 2 * len(correct) + missing + spurious),
        "P": _errors(0, spurious, len(correct) + spurious),
        "R": _errors(missing, 0, len(correct) + missing),
    }
    return DocumentCoverage(pair[0].id, figures)


def _apart(spans: Iterable[Span], correct: Iterable[Span]) -> set[Span]:
    """The spans that are in none of the correct ones."""
    ordered = sorted(correct)
    ends = [*accumulate((end for _, end in ordered), max)]
    places = ((span, bisect_right(ordered, span[0], key=itemgetter(0))) for span in spans)
    return {span for span, k in places if not k or ends[k - 1] < span[1]}


WORK: dict[str, Callable[..., DocumentCoverage]] = {
    "leak": _leak,
    "exposed": _exposed,
    "overredaction": _overredaction,
    "spans": _spans,
}
"""What is found in a pair of documents, by measure."""


def scorer(settings: Settings) -> Scorer:
    """The scorer of a measure of coverage."""
    name = settings.scheme
    parts = [*(settings.words_signature if name != "spans" else ()), *settings.reading_signature]
    parts += [("merge", settings.merge)] if settings.merge != "none" else []
    parts += [("certainty", settings.certainty)] if name == "exposed" else []
    return Scorer(
        partial(WORK[name], settings=settings),
        lambda found: CoverageScore(tuple(found), tuple(parts), name=name),
    )
