"""Scheme ``semeval2013``: strict, exact, partial and type, each over its own optimal mapping.

The four figures differ in which pairs are correct:

========= ============================ ===================================
figure    correct pair                 any other pair that shares a word
========= ============================ ===================================
strict    same span and label          incorrect
exact     same span                    incorrect
partial   same span                    partially correct, counted half
type      same label                   incorrect
========= ============================ ===================================

An element in no pair is missing or spurious. The task's own scorer and its descendants pair
greedily, so their figures depend on the order in which entities are listed. Here each figure is the
best that any 1–1 mapping gives; among such mappings one with the most pairs is taken. Elements may
be nested, and rule 3 of the definition (no inversion) does not apply.

Source: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval 2013, section 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.model import Document, Reference
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..mapping.best import KEPT, Budget, Preference, Rules, cut, solve, state_budget
from ..mapping.clusters import ALL, Cluster, Origin
from ..mapping.search import TooManyStates
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from ..projection.project import fates_text
from .result import Account, DocumentFigures, FigureRow, SchemeScore, Verdict

ANY_PAIR = Rules(nesting=False)


@dataclass(frozen=True, slots=True)
class Regime:
    """The rule of one figure.

    Args:
        correct: the classes whose pairs are correct.
        otherwise: the count of other pairs: ``inc`` or ``par``.
    """

    correct: frozenset[Slot]
    otherwise: str = "inc"

    def preference(self) -> Preference:
        """The preference for most credit, then for most pairs."""
        half = -1 if self.otherwise == "par" else 0

        def credit(slot: Slot) -> tuple[int, ...]:
            return -2 if slot in self.correct else half, -1

        return Preference(
            C=credit(Slot.CORRECT),
            S_S=credit(Slot.SPAN),
            S_T=credit(Slot.TYPE),
            S_ST=credit(Slot.SPAN_AND_TYPE),
            D=(0, 0),
            I=(0, 0),
        )

    def count(self, slot: Slot) -> str:
        """The name of the count that the slot of a reference element adds to."""
        if slot is Slot.DELETION:
            return "mis"
        return "cor" if slot in self.correct else self.otherwise


REGIMES = {
    "strict": Regime(frozenset({Slot.CORRECT})),
    "exact": Regime(frozenset({Slot.CORRECT, Slot.TYPE})),
    "partial": Regime(frozenset({Slot.CORRECT, Slot.TYPE}), otherwise="par"),
    "type": Regime(frozenset({Slot.CORRECT, Slot.SPAN})),
}


def semeval2013(settings: Settings) -> Scorer:
    """Score documents as SemEval 2013 did (task 9, section 4)."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(
    found: Sequence[tuple[DocumentFigures, str, Counter[str]]], settings: Settings
) -> SchemeScore:
    fates = sum((of_one for *_, of_one in found), Counter[str]())
    return SchemeScore.of(
        "semeval2013",
        (figures for figures, *_ in found),
        settings.words_signature(way for _, way, _ in found),
        (f"{fates_text(fates)}.",) if fates else (),
        words=settings,
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> tuple[DocumentFigures, str, Counter[str]]:
    """The figures, the projection of the reference, and the fates of unplaceable elements."""
    reference, hypothesis = projection(*pair, settings)
    limit = settings.max_states
    clusters = cut(reference, hypothesis)
    budget, search = Budget.of(clusters, limit), _solver(limit)
    parts = [
        (origin, budget.answer(search, reference, origin, cluster)) for origin, cluster in clusters
    ]
    rows = _rows(reference, hypothesis, parts)
    account = None
    if settings.figure is not None:
        placement = {name: tuple(_placement(parts, name)) for name in REGIMES}
        verdicts = tuple(_verdicts(reference, hypothesis, parts))
        account = Account(pair[0], reference, hypothesis, verdicts, placement)
    fates = Counter(lost.fate for lost in reference.unplaceable)
    return DocumentFigures(reference.id, rows, account), reference.projection, fates


def _rows(
    reference: Reference, hypothesis: Document, parts: Iterable[_Part]
) -> dict[str, FigureRow]:
    ours = [element.label for element in reference.elements]
    theirs = [element.label for element in hypothesis.elements]
    found: list[tuple[str, Fate]] = []
    for (first_r, first_h, _), answer in parts:
        for r, fate in enumerate(answer.references, first_r):
            found.append((ours[r], fate))
        for h, fate in answer.alone:
            found.append((theirs[h + first_h], fate))
    missing, spurious = ("mis",) * len(REGIMES), ("spu",) * len(REGIMES)
    found += [(one.element.label, missing) for one in reference.unplaceable if one.fate == "missed"]
    found += [(mention.label, spurious) for mention in hypothesis.mentions or ()]
    labels = {label for label, _ in found}
    rows = {label: [dict(NOTHING) for _ in REGIMES] for label in labels}
    for (label, fate), number in Counter(found).items():
        for counts, count in zip(rows[label], fate, strict=True):
            if count:
                counts[count] += number
    return {
        label: {name: _figure(*row.values()) for name, row in zip(REGIMES, of_label, strict=True)}
        for label, of_label in sorted(rows.items())
    }


NOTHING = dict.fromkeys(("cor", "inc", "par", "mis", "spu"), 0)
"""The counts of a figure before anything is counted."""

_figure = lru_cache(maxsize=1 << 12)(Figure)  # the same small numbers occur often


def _verdicts(
    reference: Reference, hypothesis: Document, parts: Iterable[_Part]
) -> Iterator[Verdict]:
    """The verdict on each slot, in the mapping of each figure."""
    for origin, answer in parts:
        for name, solved in answer.solutions.items():
            for k, (slot, h) in enumerate(solved.references, origin.reference):
                figures = {name: Figure(**{REGIMES[name].count(slot): 1})}
                partner = None if h is None else origin.hypothesis + h
                yield Verdict(slot, reference.elements[k].label, k, partner, figures)
            for h in solved.alone:
                k = origin.hypothesis + h
                spurious = {name: Figure(spu=1)}
                label = hypothesis.elements[k].label
                yield Verdict(Slot.INSERTION, label, None, k, spurious)
    for k, mention in enumerate(hypothesis.mentions or (), len(hypothesis.elements)):
        spurious = dict.fromkeys(REGIMES, Figure(spu=1))
        yield Verdict(Slot.INSERTION, mention.label, None, k, spurious)
    for lost in reference.unplaceable:
        if lost.fate == "missed":
            missing = dict.fromkeys(REGIMES, Figure(mis=1))
            yield Verdict(Slot.DELETION, lost.element.label, None, None, missing)


def _placement(parts: Iterable[_Part], name: str) -> Iterator[tuple[int, int]]:
    """The chosen frontiers of each reference element, for one figure."""
    for origin, answer in parts:
        for start, end in answer.solutions[name].places:
            yield origin.frontier + start, origin.frontier + end


class _FigureSolution(NamedTuple):
    """The best mapping of a cluster for one figure.

    Args:
        references: the class of each reference element, and its partner or ``None``.
        alone: hypothesis elements in no pair.
        places: the chosen frontiers of each reference element.
        states: how many states the search visited.
    """

    references: tuple[tuple[Slot, int | None], ...]
    alone: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    states: int


Fate = tuple[str, ...]
"""The count of an element in each figure, in the order of `REGIMES`; empty: it has none."""


class _Answer(NamedTuple):
    """The best mappings of a cluster.

    Args:
        solutions: the best mapping by figure.
        references: the fate of each reference element.
        alone: hypothesis elements that are in no pair for some figure, with their fates.
        states: how many states the searches for all figures visited.
    """

    solutions: dict[str, _FigureSolution]
    references: tuple[Fate, ...]
    alone: tuple[tuple[int, Fate], ...]
    states: int


_Part = tuple[Origin, _Answer]


@lru_cache(maxsize=16)
def _solver(max_states: int) -> Callable[[Cluster], _Answer]:
    return lru_cache(maxsize=KEPT)(partial(_answer, max_states=max_states))


def _answer(cluster: Cluster, max_states: int) -> _Answer:
    found = _solve(cluster, max_states)
    by_figure = [
        [REGIMES[name].count(slot) for slot, _ in one.references] for name, one in found.items()
    ]
    spurious = [
        (h, tuple("spu" if h in one.alone else "" for one in found.values()))
        for h in range(len(cluster.hypotheses))
    ]
    alone = tuple((h, fate) for h, fate in spurious if any(fate))
    states = sum(one.states for one in found.values())
    return _Answer(found, tuple(zip(*by_figure, strict=True)), alone, states)


def _solve(cluster: Cluster, max_states: int) -> dict[str, _FigureSolution]:
    """The best mapping for each figure.

    Raises:
        TooManyStates: one search reaches the limit, or all searches together reach theirs.
    """
    found = {}
    most, states = state_budget(cluster.size, max_states), 0
    for name, regime in REGIMES.items():
        solution = solve(cluster, regime.preference(), ANY_PAIR, max_states)
        states += solution.states
        if states > most:
            raise TooManyStates(most)
        partner = dict(solution.pairs)
        references = []
        for r, place in enumerate(solution.placement):
            h = partner.get(r)
            slot = Slot.DELETION
            if h is not None:
                other = cluster.hypotheses[h]
                slot = PAIR[other.right(r) == ALL, place == (other.start, other.end)]
            references.append((slot, h))
        alone = sorted(set(range(len(cluster.hypotheses))) - set(partner.values()))
        found[name] = _FigureSolution(
            tuple(references), tuple(alone), solution.placement, solution.states
        )
    return found
