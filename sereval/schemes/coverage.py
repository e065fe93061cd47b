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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from operator import itemgetter
from typing import ClassVar, NamedTuple

from ..corpus.corpus import Pair, Scorer, scorer
from ..documents.checks import Span
from ..documents.model import Document, Reference
from ..documents.words import recut
from ..errors import SerevalError
from ..evaluation.settings import Settings
from ..evaluation.words import RateScore
from ..measures.quantiles import beta_quantile
from ..measures.rates import Errors, Rate
from ..render.text import counted

Sums = tuple[int, int, int]
"""Missing, spurious, and the size: the denominator of a rate."""


class DocumentCoverage(NamedTuple):
    """What a measure counts in a document, by its figures."""

    id: str
    sums: Mapping[str, Sums]


@dataclass(frozen=True)
class CoverageScore(RateScore):
    """A measure of what is covered.

    Args:
        certainty: that of the certificate.
    """

    documents: tuple[DocumentCoverage, ...]
    certainty: float = 0.95

    notes: ClassVar[tuple[str, ...]] = ()

    @property
    def has_other_words(self) -> bool:
        """Whether the words of the two sides may differ."""
        return any(name == "tolerance" for name, _ in self.settings)

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared."""
        title, unit = self.title or self.name, UNITS[self.name]
        return Rate(
            title=title,
            short=title,
            key=self.name,
            size_is=f"{unit}s",
            is_better="higher" if self.name == "spans" else "lower",
            kinds="missing, spurious",
            nothing=f"no {unit}",
            figure=self.figure,
        )

    def _total(self) -> dict[str, Sums]:
        found: dict[str, Sums] = {}
        for one in self.documents:
            for figure, sums in one.sums.items():
                before = found.get(figure, (0, 0, 0))
                found[figure] = tuple(map(sum, zip(before, sums, strict=True)))  # type: ignore
        return found

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        if self.figure == BOUND:
            bound = Fraction(upper_bound(*self._exposed(), self.certainty))
            return Errors(D=bound, size=1)
        return _errors(self._total().get(self.figure))

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        return ((one.id, _errors(one.sums.get(self.figure))) for one in self.documents)

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label; of leak alone."""
        every = self._total() if self.name == "leak" and not self.figure else {}
        return {label: _errors(sums) for label, sums in sorted(every.items()) if label}

    def _exposed(self) -> tuple[int, int]:
        exposed, _, documents = self._total().get("documents", (0, 0, 0))
        return exposed, documents

    @property
    def remarks(self) -> tuple[str, ...]:
        """The certificate, if exposed documents are counted."""
        if self.name != "exposed":
            return ()
        exposed, documents = self._exposed()
        bound = upper_bound(exposed, documents, self.certainty)
        are = "is" if exposed == 1 else "are"
        return (
            f"{exposed} of {counted(documents, 'document')} {are} exposed; with "
            f"{100 * self.certainty:g} % confidence at most {100 * bound:.1f} % of such documents "
            "are.",
        )


def _errors(sums: Sums | None) -> Errors:
    missing, spurious, size = sums or (0, 0, 0)
    return Errors(Fraction(missing), Fraction(spurious), size=size, ref=size)


UNITS = {"leak": "element", "exposed": "document", "overredaction": "word", "spans": "span"}
"""What each measure counts in its denominator."""

BOUND = "bound"
"""The figure of ``exposed`` that is the certificate's bound."""


def upper_bound(count: int, of: int, certainty: float) -> float:
    """The upper bound of Clopper and Pearson for a share of which ``count`` of ``of`` were seen."""
    return 1.0 if count >= of else beta_quantile(certainty, count + 1, of - count)


# --- a pair of documents --------------------------------------------------------------------------


class _Sides(NamedTuple):
    """Elements as spans on one line of words, or of time, and the places of words outside.

    Args:
        elements: the spans of the reference's elements, with their labels.
        spans: the spans of the hypothesis's elements, joined where they touch or overlap.
        slack: how much of an element may be left uncovered.
        outside: spans of the words outside all elements of the reference.
    """

    elements: Sequence[tuple[str, Span]]
    spans: Sequence[Span]
    slack: int
    outside: Sequence[Span]

    def leaks(self) -> Iterator[tuple[str, bool]]:
        """Each element by its label, and whether it leaks."""
        starts = [start for start, _ in self.spans]
        lengths = [*accumulate((end - start for start, end in self.spans), initial=0)]

        def covered(place: int) -> int:
            """How much is covered before a place."""
            k = bisect_right(starts, place)
            return lengths[k] - max(0, self.spans[k - 1][1] - place) if k else 0

        for label, (start, end) in self.elements:
            yield label, end - start - (covered(end) - covered(start)) > self.slack

    def redacted(self) -> int:
        """The number of covered words outside all elements."""
        return sum(_holds(self.spans, place) for place, _ in self.outside)


def _holds(spans: Sequence[Span], place: int) -> bool:
    """Whether a place is in one of some joined spans."""
    k = bisect_right(spans, place, key=itemgetter(0))
    return k > 0 and place < spans[k - 1][1]


def joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch or overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _same_words(pair: Pair) -> tuple[Document, Document]:
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(f"{reference.id}: a fuzzy reference has no spans that can be covered")
    return recut(reference, hypothesis)


def _sides(pair: Pair, settings: Settings) -> _Sides:
    """The sides of a pair on the same words, or in time."""
    if settings.tolerance is None:
        reference, hypothesis = _same_words(pair)
        spans = joined((one.start, one.end) for one in hypothesis.elements)
        inside = {k for one in reference.elements for k in range(one.start, one.end)}
        outside = [(k, k + 1) for k in range(len(reference.words)) if k not in inside]
        elements = [(one.label, (one.start, one.end)) for one in reference.elements]
        return _Sides(elements, spans, 0, outside)
    said, heard = pair
    if said.times is None or heard.times is None or isinstance(said, Reference):
        raise SerevalError(f"{said.id}: no times of words, expected them on both sides")
    times = said.times, heard.times
    of_reference, of_hypothesis = (
        [(at[one.start][0], max(end for _, end in at[one.start : one.end])) for one in own]
        for own, at in zip((said.elements, heard.elements), times, strict=True)
    )
    within = joined(of_reference)
    middles = [((start + end) // 2, end) for start, end in heard.times]
    outside = [one for one in middles if not _holds(within, one[0])]
    labels = (one.label for one in said.elements)
    elements = list(zip(labels, of_reference, strict=True))
    return _Sides(elements, joined(of_hypothesis), max(settings.tolerance), outside)


def _leak(pair: Pair, settings: Settings) -> dict[str, Sums]:
    lost: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for label, is_leak in _sides(pair, settings).leaks():
        for figure in ("", label):
            size[figure] += 1
            lost[figure] += is_leak
    return {figure: (lost[figure], 0, size[figure]) for figure in size}


def _exposed(pair: Pair, settings: Settings) -> dict[str, Sums]:
    is_exposed = any(is_leak for _, is_leak in _sides(pair, settings).leaks())
    return {"documents": (int(is_exposed), 0, 1)}


def _overredaction(pair: Pair, settings: Settings) -> dict[str, Sums]:
    sides = _sides(pair, settings)
    return {"": (0, sides.redacted(), len(sides.outside))}


def _spans(pair: Pair, settings: Settings) -> dict[str, Sums]:
    sides = _same_words(pair)
    ours, theirs = ({(one.start, one.end) for one in side.elements} for side in sides)
    marks = [not any(map(str.isalnum, word)) for word in sides[0].words]
    is_merged = settings.merge == "adjacent"
    either = [one | _merged(one, marks) if is_merged else one for one in (ours, theirs)]
    correct = either[0] & either[1]
    others = (_apart(one, correct) if is_merged else one - correct for one in (ours, theirs))
    missing, spurious = map(len, others)
    return {
        "F1": (missing, spurious, 2 * len(correct) + missing + spurious),
        "P": (0, spurious, len(correct) + spurious),
        "R": (missing, 0, len(correct) + missing),
    }


def _apart(spans: Iterable[Span], correct: Iterable[Span]) -> set[Span]:
    """The spans that are in none of the correct ones."""
    ordered = sorted(correct)
    ends = [*accumulate((end for _, end in ordered), max)]
    places = ((span, bisect_right(ordered, span[0], key=itemgetter(0))) for span in spans)
    return {span for span, k in places if not k or ends[k - 1] < span[1]}


def _merged(spans: Iterable[Span], marks: Sequence[bool]) -> set[Span]:
    """Spans, those as one between which nothing but marks stand."""
    found: list[Span] = []
    for start, end in joined(spans):
        if found and all(marks[found[-1][1] : start]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return {*found}


def _scorer(
    name: str, count: Callable[[Pair, Settings], dict[str, Sums]], settings: Settings
) -> Scorer:
    work = partial(_document, count=count, settings=settings)
    return scorer(work, partial(_score, name=name, settings=settings))


def _document(
    pair: Pair, count: Callable[[Pair, Settings], dict[str, Sums]], settings: Settings
) -> DocumentCoverage:
    return DocumentCoverage(pair[0].id, count(pair, settings))


def _score(found: Sequence[DocumentCoverage], name: str, settings: Settings) -> CoverageScore:
    through = [] if name == "spans" else settings.words_signature([])
    own = [("merge", settings.merge)] if settings.merge != "none" else []
    own += [("certainty", settings.certainty)] if name == "exposed" else []
    parts = [part for part in through if part[0] != "unplaceable"]
    rest = settings.reading_signature if name == "spans" else []
    certainty = float(settings.certainty)
    return CoverageScore(tuple(found), (*parts, *rest, *own), name, certainty=certainty)


leak = partial(_scorer, "leak", _leak)
exposed = partial(_scorer, "exposed", _exposed)
overredaction = partial(_scorer, "overredaction", _overredaction)
spans = partial(_scorer, "spans", _spans)
