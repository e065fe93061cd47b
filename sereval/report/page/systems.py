"""One page for several systems: under one reference, on several words, at several tolerances.

Each document stands on the page once for each condition, with the answers of all systems. The
reader chooses two systems, the condition and the tolerance; the script shows what they differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ...analysis.audit import audit
from ...analysis.blame import Blame
from ...analysis.compare import compare
from ...analysis.rates import AnyScore
from ...analysis.resampling import Resampling
from ...errors import SerevalError
from ...evaluation.totals import Evaluation
from ...labels.relabel import labels_of
from .blame import badges_of
from .files import slugs
from .scene import embedded, scene
from .tables import Tables, tables
from .view import Page, documents_of

BANDS = Resampling(resamples=1000)
"""The resampling of the intervals of the chart."""

Runs = Mapping[str, Mapping[str, Sequence[AnyScore]]]
"""For each condition and system, the score at each tolerance."""

CHANGES = {
    "fixed": "fixed by B",
    "broken": "broken by B",
    "wrong": "wrong in both",
    "right": "right in both",
}
"""What the second system changed, by the name of the filter."""


class Cell(NamedTuple):
    """A figure: its text at the first tolerance, and its number if the tolerance changes it."""

    text: str
    at: int | None


class ConditionFigures(NamedTuple):
    """The figures of one condition.

    Args:
        name: its name.
        columns: the columns of ``totals``.
        rate: the rate of the other tables.
        totals: a row for each system.
        documents, labels: a row for each, with the rate of each system.
        signature: the signature of the first system.
        notes: the notes of the first system.
    """

    name: str
    columns: Sequence[str]
    rate: str
    totals: list[tuple[str, list[Cell]]]
    documents: list[tuple[str, list[Cell]]]
    labels: list[tuple[str, list[Cell]]]
    signature: Cell
    notes: Cell


class Article(NamedTuple):
    """A document in one condition."""

    id: str
    slug: str
    condition: int
    data: str
    plain: str


class SystemsPage:
    """What the template needs of several systems.

    Args:
        runs: the scores; each system has all conditions and tolerances.
        audio: for a document's id, the link to its recording.
        peaks: for a document's id, its wave form.
        blames: the blame of a system in a condition.

    Raises:
        SerevalError: two systems of a condition have different words.
    """

    def __init__(
        self,
        runs: Runs,
        audio: Mapping[str, str],
        peaks: Mapping[str, str],
        blames: Mapping[tuple[str, str], Blame],
    ) -> None:
        self.runs, self.audio, self.peaks = runs, audio, peaks
        self.systems = list(dict.fromkeys(chain.from_iterable(runs.values())))
        scores = [one for systems in runs.values() for runs_ in systems.values() for one in runs_]
        sides = [
            (document.reference, document.hypothesis)
            for score in scores
            for document in documents_of(score)
        ]
        every = sorted(labels_of(chain.from_iterable(sides)))
        self.labels = {label: number for number, label in enumerate(every)}
        self.tolerances = _tolerances(scores, runs)
        self.figures: list[list[str]] = []
        self.badges = {key: badges_of(blame) for key, blame in blames.items()}
        self.filters = _filters(self.badges.values())
        self.slugs = slugs(document.reference.id for document in documents_of(scores[0]))
        self.conditions = [self._condition(name) for name in runs]
        self.articles = [
            article for number, name in enumerate(runs) for article in self._articles(number, name)
        ]

    def shared(self) -> dict[str, Any]:
        """What the script needs for all documents, besides labels and classes."""
        found = {"figures": self.figures, "tolerances": self.tolerances, "systems": self.systems}
        return {**found, "chart": self._chart()} if self.tolerances else found

    def _chart(self) -> dict[str, Any]:
        """The curves of the first condition: tolerances in ms, rates and intervals in percent."""
        runs = next(iter(self.runs.values()))
        points = [[_point(score) for score in scores] for scores in runs.values()]
        tolerances = next(iter(runs.values()))
        return {
            "ms": [_milliseconds(score) for score in tolerances],
            **{
                name: [[point[at] for point in own] for own in points]
                for at, name in enumerate(("rates", "lows", "highs"))
            },
        }

    def slug_of(self, condition: int, id: str) -> str:
        """The anchor of a document in a condition."""
        return _in_condition(self.slugs[id], condition)

    # ----------------------------------------------------------------------------- the figures

    def _condition(self, name: str) -> ConditionFigures:
        found = {
            system: [tables(score) for score in scores]
            for system, scores in self.runs[name].items()
        }
        first = next(iter(found.values()))[0]
        scores = next(iter(self.runs[name].values()))
        notes = [" ".join(one.notes) for one in next(iter(found.values()))]
        rate = first.headline[0]
        totals = [
            (system, [self._cell([t.total.cells[head] for t in its]) for head in first.columns])
            for system, its in found.items()
        ]
        return ConditionFigures(
            name,
            first.columns,
            rate,
            totals,
            self._rates(found, "documents", rate),
            self._rates(found, "labels", rate),
            self._cell([str(score.signature) for score in scores]),
            self._cell(notes),
        )

    def _rates(
        self, found: Mapping[str, Sequence[Tables]], part: str, rate: str
    ) -> list[tuple[str, list[Cell]]]:
        """A row for each document or label, with a column for each system."""
        rates = {
            system: [{row.name: row.cells[rate] for row in getattr(one, part)} for one in its]
            for system, its in found.items()
        }
        names = dict.fromkeys(
            chain.from_iterable(chain.from_iterable(its) for its in rates.values())
        )
        return [
            (name, [self._cell([one.get(name, "") for one in its]) for its in rates.values()])
            for name in names
        ]

    def _cell(self, texts: Sequence[str]) -> Cell:
        if len(texts) == 1:
            return Cell(texts[0], None)
        self.figures.append(list(texts))
        return Cell(texts[0], len(self.figures) - 1)

    # --------------------------------------------------------------------------- the documents

    def _articles(self, number: int, name: str) -> Iterator[Article]:
        systems = self.runs[name]
        audits = [[list(audit(score)) for score in scores] for scores in systems.values()]
        for at, document in enumerate(audits[0][0]):
            slug = self.slug_of(number, document.id)
            badges = [
                self.badges.get((name, system), {}).get(document.id, {}) for system in systems
            ]
            pages = [
                [
                    Page(runs[setting][at], slug, self.labels, own)
                    for runs, own in zip(audits, badges, strict=True)
                ]
                for setting in range(len(audits[0]))
            ]
            _check_words(pages[0], name, list(systems))
            views = [[page.view() for page in each] for each in pages]
            data = scene(views, pages[0][0].sides, self.labels)
            if document.id in self.audio:
                data["sound"] = self.audio[document.id]
                data["peaks"] = self.peaks.get(document.id)
            plain = "".join(
                page.plain(system) for page, system in zip(pages[0], systems, strict=True)
            )
            yield Article(document.id, slug, number, embedded(data), plain)


def _check_words(pages: Sequence[Page], name: str, systems: Sequence[str]) -> None:
    """Refuse systems of different words."""
    first = pages[0].document.hypothesis_words
    for page, system in zip(pages, systems, strict=True):
        own = page.document.hypothesis_words
        if (own.words, own.times) != (first.words, first.times):
            raise SerevalError(
                f"{name}: {system} has other words than {systems[0]} in {page.id}, "
                "expected the same words for one drawing"
            )


def _in_condition(slug: str, condition: int) -> str:
    return slug if condition == 0 else f"{slug}.{condition + 1}"


def anchors(ids: Iterable[str]) -> Callable[[int, str], str]:
    """The anchor of a document in a condition, from the number of the condition and its id.

    >>> anchors(["a", "b"])(1, "b")
    'b.2'
    """
    names = slugs(dict.fromkeys(ids))
    return lambda condition, id: _in_condition(names[id], condition)


def _tolerances(scores: Sequence[AnyScore], runs: Runs) -> list[str]:
    """The tolerances of the slider, as text; empty: there is one for each condition."""
    first = next(iter(next(iter(runs.values())).values()))
    settings = [one.settings.tolerance for one in first if isinstance(one, Evaluation)]
    return [_seconds(tolerance) for tolerance in settings] if len(first) > 1 else []


def _milliseconds(score: AnyScore) -> int:
    tolerance = score.settings.tolerance if isinstance(score, Evaluation) else None
    return 0 if tolerance is None else max(tolerance)


def _point(score: AnyScore) -> tuple[float, float, float]:
    """The rate of a score and the ends of its interval, in percent; 0 without a rate."""
    if not isinstance(score, Evaluation) or score.ser is None:
        return 0.0, 0.0, 0.0
    own = compare({"": {"": score}}, BANDS).conditions[0].systems[0].interval
    ends = (score.ser, *(score.ser if end is None else end for end in (own.low, own.high)))
    rate, low, high = (round(100 * float(end), 2) for end in ends)
    return rate, low, high


def _seconds(tolerance: tuple[int, int] | None) -> str:
    """A tolerance as text.

    >>> _seconds((300, 300)), _seconds((50, 400))
    ('0.3 s', '0.05 and 0.4 s')
    """
    values = dict.fromkeys(f"{ms / 1000:g}" for ms in tolerance or ())
    return f"{' and '.join(values)} s"


def _filters(badges: Any) -> list[tuple[str, str]]:
    """The filters by badge that select a case: value and text."""
    found = {
        name: badge.name if name != badge.group else badge.group
        for documents in badges
        for of_document in documents.values()
        for badge in of_document.values()
        for name in badge.filters
    }
    return sorted(found.items())
