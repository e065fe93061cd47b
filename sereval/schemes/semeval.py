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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

from ..corpus.corpus import Scorer, scorer
from ..corpus.pairs import Pair
from ..documents.model import Document, Reference
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..mapping.best import Budget, Preference, Rules, cut, kept, solve, state_budget
from ..mapping.clusters import ALL, Cluster, Origin
from ..mapping.search import TooManyStates
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from ..projection.project import fates_text
from .result import Account, DocumentFigures, SchemeScore, Verdict, verdicts

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
        """The name of the count that a slot adds to."""
        if slot in (Slot.DELETION, Slot.INSERTION):
            return "mis" if slot is Slot.DELETION else "spu"
        return "cor" if slot in self.correct else self.otherwise


REGIMES = {
    "strict": Regime(frozenset({Slot.CORRECT})),
    "exact": Regime(frozenset({Slot.CORRECT, Slot.TYPE})),
    "partial": Regime(frozenset({Slot.CORRECT, Slot.TYPE}), otherwise="par"),
    "type": Regime(frozenset({Slot.CORRECT, Slot.SPAN})),
}

ROWS = {
    name: {slot: {name: Figure(**{regime.count(slot): 1})} for slot in Slot}
    for name, regime in REGIMES.items()
}
"""The counts of a slot of each class in each figure."""


def semeval2013(settings: Settings) -> Scorer:
    """Score documents as SemEval 2013 did (task 9, section 4)."""
    return scorer(partial(_document, settings=settings), partial(_score, settings=settings))


def _score(found: Sequence[DocumentFigures], settings: Settings) -> SchemeScore:
    fates = sum((fates for _, fates in (one.facts for one in found)), Counter[str]())
    return SchemeScore.of(
        "semeval2013",
        found,
        settings.words_signature(way for way, _ in (one.facts for one in found)),
        (f"{fates_text(fates)}.",) if fates else (),
        words=settings,
        figure=settings.figure,
    )


def _document(pair: Pair, settings: Settings) -> DocumentFigures:
    """The figures; the facts are the projection, and the fates of unplaceable elements."""
    reference, hypothesis = projection(*pair, settings)
    limit = settings.max_states
    clusters = cut(reference, hypothesis)
    budget, search = Budget.of(clusters, limit), kept(_answer, limit)
    parts = [
        (origin, budget.answer(search, reference, origin, cluster)) for origin, cluster in clusters
    ]
    found = chain.from_iterable(_verdicts(reference, hypothesis, parts, n) for n in REGIMES)
    missed = (one.element.label for one in reference.unplaceable if one.fate == "missed")
    missing = dict.fromkeys(REGIMES, Figure(mis=1))
    lost = (Verdict(Slot.DELETION, label, None, None, missing) for label in missed)
    placement = {name: tuple(_placement(parts, name)) for name in REGIMES}
    account = Account(pair[0], reference, hypothesis, (*found, *lost), placement)
    fates = Counter(lost.fate for lost in reference.unplaceable)
    return DocumentFigures.of(account, settings, (reference.projection, fates))


def _verdicts(
    reference: Reference, hypothesis: Document, parts: Iterable[_Part], name: str
) -> Iterator[Verdict]:
    """The verdict on each slot, in the mapping of one figure."""
    rows = ROWS[name]
    slots: dict[int, Slot] = {}
    pairs: dict[int, int] = {}
    for origin, answer in parts:
        for r, (slot, h) in enumerate(answer.solutions[name].references, origin.reference):
            slots[r] = slot
            if h is not None:
                pairs[r] = origin.hypothesis + h
    elements = ((one.label for one in side.elements) for side in (reference, hypothesis))
    ours, theirs = map(list, elements)
    theirs += (mention.label for mention in hypothesis.mentions or ())
    return verdicts(
        (ours, theirs),
        pairs,
        lambda r, _: (slots[r], rows[slots[r]]),
        lambda r, _: rows[Slot.INSERTION if r is None else Slot.DELETION],
    )


def _placement(parts: Iterable[_Part], name: str) -> Iterator[tuple[int, int]]:
    """The chosen frontiers of each reference element, for one figure."""
    for origin, answer in parts:
        for start, end in answer.solutions[name].places:
            yield origin.frontier + start, origin.frontier + end


class _FigureSolution(NamedTuple):
    """The best mapping of a cluster for one figure.

    Args:
        references: the class of each reference element, and its partner or ``None``.
        places: the chosen frontiers of each reference element.
    """

    references: tuple[tuple[Slot, int | None], ...]
    places: tuple[tuple[int, int], ...]


class _Answer(NamedTuple):
    """The best mapping of a cluster by figure, and how many states the searches visited."""

    solutions: dict[str, _FigureSolution]
    states: int


_Part = tuple[Origin, _Answer]


def _answer(cluster: Cluster, max_states: int) -> _Answer:
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
        found[name] = _FigureSolution(tuple(references), solution.placement)
    return _Answer(found, states)
