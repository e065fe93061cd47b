"""The score at many tolerances, which shows how much the score depends on exact times.

The counts at each tolerance equal those of ``evaluate``. The module ``points`` shares the work
between the tolerances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby, pairwise
from typing import Any, NamedTuple

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import Pair
from ..documents.model import Document, Reference, seconds
from ..errors import SerevalError
from ..evaluation.settings import Settings, Signature, settings_of
from ..evaluation.shown import Shown
from ..evaluation.totals import Notes, notes_of, read_choices, signature_of
from ..evaluation.words import DocumentErrors, WordScore, errors_beside, score_beside
from ..formats import parse_duration
from ..labels.grammar import Grammar
from ..labels.relabel import AS_THEY_ARE, Labels, labels_of, unused_notes
from ..measures.slots import Counts
from .compare import rate
from .points import document_counts
from .systems import Systems, notes_by_system, systems_in_memory

MOST_POINTS = 1001
"""The most tolerances of a sweep."""

TAIL = Fraction(1, 5)
"""The share of the range of tolerances, at its end, over which a flat curve hardly changes."""

STEEP = Fraction(1, 1000)
"""The greatest change of a flat curve over this part: 0.1 points of SER."""


@dataclass(frozen=True, slots=True)
class Sweep(Shown):
    """The scores of one or more systems at each of several tolerances.

    Args:
        tolerances: in ms, increasing; each holds for starts and for ends.
        systems: the counts of each system over all documents at each tolerance, by its name.
        settings: all other settings; their own tolerance is ignored.
        grammar: the grammar that the signature names.
        read: the notes of the readers, a sentence each.
        choices: the choices of the readers, for the signature.
        word_errors: the errors of the words of each system, by its name, which no tolerance
            changes; only systems with wrong words.

    >>> sweep = Sweep((0, 50), {"crf": (Counts(D=1), Counts(C=1))}, Settings())
    >>> sweep.rates("crf")
    [Fraction(1, 1), Fraction(0, 1)]
    """

    tolerances: tuple[int, ...]
    systems: Mapping[str, tuple[Counts, ...]]
    settings: Settings
    grammar: Grammar | None = None
    read: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    word_errors: Mapping[str, WordScore] = field(default_factory=dict)

    def rates(self, system: str) -> list[Fraction | None]:
        """The exact slot error rate of a system at each tolerance; ``None`` where Ref is 0.

        Args:
            system: the name of the system.
        """
        return [rate(counts, self.settings.costs) for counts in self.systems[system]]

    def signature_at(self, tolerance: int) -> Signature:
        """The signature of the evaluation at one tolerance.

        Args:
            tolerance: in ms.
        """
        settings = replace(self.settings, tolerance=(tolerance, tolerance))
        return signature_of(settings, self.choices, self.grammar)

    @property
    def signature(self) -> Signature:
        """All settings that can change a digit of the sweep; it prints as one line."""
        one = self.signature_at(self.tolerances[0])
        return one.but(tolerance=grid_text(self.tolerances))

    def plot(self) -> Any:
        """A figure of ``matplotlib``: the rates against the tolerance, as ``--plot`` draws them.

        Raises:
            SerevalError: matplotlib is not installed (extra ``plot``).
        """
        from ..report.sweep import figure

        return figure(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the readers, then the curves that are not yet flat, then rank changes."""
        ranking = [
            note
            for one, other in combinations(self.systems, 2)
            for note in _changes(self, one, other)
        ]
        steep = [note for system in self.systems for note in _not_flat(self, system)]
        return (
            *self.read,
            *steep,
            *(text for _, text in sorted(ranking, key=lambda note: note[0])),
        )


def grid(text: str) -> tuple[int, ...]:
    """Parse tolerances from ``START:STOP:STEP`` or from a list.

    Args:
        text: numbers in seconds, or with the unit ``ms`` or ``s``. STOP is included where a step
            reaches it.

    Returns:
        Tolerances in ms, increasing.

    Raises:
        SerevalError: the text has neither form; a number is not a whole number of ms; the step is
            less than 1 ms; STOP is before START; the list does not increase; there are more than
            ``MOST_POINTS`` tolerances.

    >>> grid("0:0.1:0.05"), grid("0,100ms,0.3")
    ((0, 50, 100), (0, 100, 300))
    """
    if ":" not in text:
        tolerances = tuple(_whole(part) for part in text.split(","))
        for before, after in pairwise(tolerances):
            if after <= before:
                raise SerevalError(
                    f"found {seconds(after)} after {seconds(before)}, expected an increasing list"
                )
    else:
        parts = text.split(":")
        if len(parts) != 3:
            raise SerevalError(
                f"found {text!r}, expected START:STOP:STEP such as 0:1:0.05, "
                "or a list such as 0,0.1,0.3"
            )
        start, stop = _whole(parts[0]), _whole(parts[1])
        step = _whole(parts[2], least=1)
        if stop < start:
            raise SerevalError(f"found {text!r}, expected a stop that is not before the start")
        tolerances = tuple(range(start, stop + 1, step)[: MOST_POINTS + 1])
    if len(tolerances) > MOST_POINTS:
        raise SerevalError(f"found {text!r}, expected at most {MOST_POINTS} tolerances")
    return tolerances


def _whole(text: str, least: int = 0) -> int:
    """Parse a duration in ms, without rounding: a rounded step would move all later points."""
    rounded = parse_duration(text)
    bare = text.strip()
    unit = 1 if bare.endswith("ms") else 1000
    exact = Fraction(Decimal(bare.removesuffix("ms").removesuffix("s").strip())) * unit
    if exact < least:
        raise SerevalError(f"found a step of {text.strip()!r}, expected 1 ms (0.001) or more")
    if exact != rounded:
        raise SerevalError(f"found {text.strip()!r}, expected whole milliseconds")
    return rounded


def grid_text(tolerances: Sequence[int]) -> str:
    """The tolerances as a signature writes them; equal tolerances always give the same text.

    Args:
        tolerances: in ms, increasing.

    >>> grid_text((0, 50, 100)), grid_text((0, 100, 300)), grid_text((300,))
    ('0:0.1:0.05', '0,0.1,0.3', '0.3')
    """
    steps = {after - before for before, after in pairwise(tolerances)}
    if len(steps) == 1:
        return ":".join(map(seconds, (tolerances[0], tolerances[-1], *steps)))
    return ",".join(map(seconds, tolerances))


def sweep(
    references: Sequence[Document | Reference],
    systems: Mapping[str, Sequence[Document]],
    tolerances: Sequence[int],
    *,
    labels: Labels = AS_THEY_ARE,
    grammar: Grammar | None = None,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
    **others: Any,
) -> Sweep:
    """Score the hypotheses of several systems at several tolerances.

    Args:
        references: annotated documents with times.
        systems: the hypotheses of each system, with times, by name of the system.
        tolerances: in ms, increasing; each holds for starts and for ends.
        labels, grammar, workers, watch: as in ``evaluate``.
        others: further settings of ``evaluate``: ``unplaceable``, ``costs``, ``missing``,
            ``pairing``, ``scheme``, ``neutral``, ``max_states``.

    Raises:
        SerevalError: as ``evaluate``; there is no tolerance, or the tolerances do not increase.

    >>> from sereval.documents.model import tree
    >>> gold = Document("d", ("a", "Dol"), tree([("loc", 1, 2)]), times=((0, 200), (200, 600)))
    >>> found = Document("d", ("ad", "ol"), tree([("loc", 0, 2)]), times=((0, 300), (300, 600)))
    >>> [float(rate) for rate in sweep([gold], {"crf": [found]}, [0, 200]).rates("crf")]
    [0.5, 0.0]
    """
    points = tuple(tolerances)
    if not points or any(after <= before for before, after in pairwise(points)):
        raise SerevalError(f"found the tolerances {list(points)}, expected increasing ones")
    settings = settings_of(
        tolerance=points[0],
        labels=labels.knowing(*systems.values()),
        grammar=grammar,
        **others,
    )
    sides = {system: (references, hypotheses) for system, hypotheses in systems.items()}
    of_all = systems_in_memory(sides, settings, workers=workers, watch=watch)
    return sweep_of(of_all, points, settings, grammar)


def sweep_of(
    systems: Systems,
    tolerances: Sequence[int],
    settings: Settings,
    grammar: Grammar | None = None,
) -> Sweep:
    """Score systems at several tolerances; their documents are in memory or read one by one.

    Args:
        systems, tolerances, grammar: as for :func:`sweep`.
        settings: all other settings; their own tolerance is ignored.
    """
    totals = {system: [Counts() for _ in tolerances] for system in systems.names}
    notes: list[tuple[str, Notes]] = []
    labels: frozenset[str] = frozenset()
    words: dict[str, list[DocumentErrors | None]] = {system: [] for system in systems.names}
    work = partial(_count, settings=settings, tolerances=tolerances)
    for system, found in systems.each(work):
        totals[system] = [a + b for a, b in zip(totals[system], found.counts, strict=True)]
        notes.append((system, found.notes))
        labels |= found.labels
        words[system].append(found.words)
    by_name = {system: tuple(counts) for system, counts in totals.items()}
    read = (*notes_by_system(notes), *unused_notes(settings.neutral, labels))
    choices = tuple(read_choices(both for _, both in notes))
    scores = {system: score_beside(errors, settings) for system, errors in words.items()}
    wrong = {system: score for system, score in scores.items() if score is not None}
    return Sweep(tuple(tolerances), by_name, settings, grammar, read, choices, wrong)


class _DocumentPoints(NamedTuple):
    """The counts of one document at each tolerance, its readers' notes, labels and word errors."""

    counts: list[Counts]
    notes: Notes
    labels: frozenset[str]
    words: DocumentErrors | None


def _count(pair: Pair, settings: Settings, tolerances: Sequence[int]) -> _DocumentPoints:
    counts = document_counts(*pair, settings, tolerances)
    labels = labels_of(pair) if settings.neutral else frozenset()
    return _DocumentPoints(counts, notes_of(pair), labels, errors_beside(pair, settings))


def _not_flat(sweep: Sweep, system: str) -> Iterator[str]:
    """A note if the curve is not yet flat at its end.

    The last fifth of the range decides: the curve is not yet flat if its rates at the last
    tolerance before this fifth and at the end differ by more than 0.1 points.
    """
    points = sweep.tolerances
    before_end = points[-1] - TAIL * (points[-1] - points[0])
    start = max(k for k, point in enumerate(points) if point <= before_end)
    rates = sweep.rates(system)
    at_start, at_end = rates[start], rates[-1]
    if at_start is None or at_end is None or abs(at_end - at_start) <= STEEP:
        return
    verb = "falls" if at_end < at_start else "rises"
    yield (
        f"{system} is not yet flat: from {seconds(points[start])} to {seconds(points[-1])} s "
        f"its SER still {verb} by {float(100 * abs(at_end - at_start)):.2f} points"
    )


def _changes(sweep: Sweep, one: str, other: str) -> Iterator[tuple[int, str]]:
    """Notes on where one system overtakes another or has the same rate, with tolerances in ms."""
    lead = [  # the lead of one over the other at each tolerance where both have a rate
        (point, (b > a) - (b < a))
        for point, a, b in zip(sweep.tolerances, sweep.rates(one), sweep.rates(other), strict=True)
        if a is not None and b is not None
    ]
    runs = [
        (sign, [point for point, _ in run]) for sign, run in groupby(lead, key=lambda at: at[1])
    ]
    decided: tuple[int, int] | None = None  # the last sign but a tie, and its last tolerance
    for sign, points in runs:
        if not sign:
            yield points[0], f"{one} and {other} have the same SER {_range(points)}"
            continue
        if decided and decided[0] != sign:
            winner, loser = (one, other) if sign > 0 else (other, one)
            yield (
                decided[1],
                f"{winner} overtakes {loser} between {seconds(decided[1])} "
                f"and {seconds(points[0])} s",
            )
        decided = sign, points[-1]


def _range(points: Sequence[int]) -> str:
    if len(points) == 1:
        return f"at {seconds(points[0])} s"
    return f"from {seconds(points[0])} to {seconds(points[-1])} s"
