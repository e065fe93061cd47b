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
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ..corpus.corpus import Pair
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..mapping.best import Budget, Preference, Rules, cut, kept, solve, state_budget
from ..mapping.clusters import Cluster
from ..mapping.search import TooManyStates
from ..measures.figures import Figure
from ..measures.slots import PAIR, Slot
from ..projection.project import fates_text
from .result import (
    Account,
    DocumentFigures,
    Judged,
    Verdict,
    labels_of_sides,
    scheme_scorer,
    verdicts,
)

ANY_PAIR = Rules(nesting=False)


class Regime(NamedTuple):
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

    def outcome(self, slot: Slot) -> str:
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
    name: {slot: {name: Figure(**{regime.outcome(slot): 1})} for slot in Slot}
    for name, regime in REGIMES.items()
}
"""The counts of a slot of each class in each figure."""


def _told(found: Sequence[DocumentFigures], settings: Settings) -> dict[str, Any]:
    fates = sum((fates for _, fates in (one.facts for one in found)), Counter[str]())
    return {
        "settings": (*settings.words_signature(one.facts[0] for one in found),),
        "notes": (f"{fates_text(fates)}.",) if fates else (),
        "words": settings,
    }


def _judged(pair: Pair, settings: Settings) -> Judged:
    """The verdicts on a pair; facts: the projection, and the fates of unplaceable elements."""
    reference, hypothesis = projection(*pair, settings)
    limit = settings.max_states
    clusters = cut(reference, hypothesis)
    budget, search = Budget.of(clusters, limit), kept(_answer, limit)
    mappings: dict[str, Slots] = {name: [] for name in REGIMES}
    for origin, cluster in clusters:
        answer = budget.answer(search, reference, origin, cluster)
        for name, own in answer.mappings.items():
            mappings[name] += (
                (
                    slot,
                    None if h is None else origin.hypothesis + h,
                    (origin.frontier + start, origin.frontier + end),
                )
                for slot, h, (start, end) in own
            )
    labels = labels_of_sides(reference, hypothesis)
    found = chain.from_iterable(_verdicts(labels, *one) for one in mappings.items())
    missed = (one.element.label for one in reference.unplaceable if one.fate == "missed")
    missing = dict.fromkeys(REGIMES, Figure(mis=1))
    lost = (Verdict(Slot.DELETION, label, None, None, missing) for label in missed)

    def whole(found: tuple[Verdict, ...]) -> Account:
        placement = {name: tuple(place for *_, place in own) for name, own in mappings.items()}
        return Account(pair[0], reference, hypothesis, found, placement)

    facts = reference.projection, Counter(one.fate for one in reference.unplaceable)
    return Judged(chain(found, lost), whole, facts)


semeval2013 = partial(scheme_scorer, "semeval2013", judge=_judged, told=_told)


def _verdicts(
    labels: tuple[Sequence[str], Sequence[str]], name: str, mapping: Slots
) -> Iterator[Verdict]:
    """The verdict on each slot, in the mapping of one figure."""
    rows = ROWS[name]
    return verdicts(
        labels,
        {r: h for r, (_, h, _) in enumerate(mapping) if h is not None},
        lambda r, _: (mapping[r][0], rows[mapping[r][0]]),
        lambda r, _: rows[Slot.INSERTION if r is None else Slot.DELETION],
    )


Slots = list[tuple[Slot, int | None, tuple[int, int]]]
"""The class, the partner and the frontiers of each reference element."""


class _Answer(NamedTuple):
    """The best mappings of a cluster, and how many states the searches visited.

    Args:
        mappings: the mapping for each figure.
        states: the number of states.
    """

    mappings: dict[str, Slots]
    states: int


def _answer(cluster: Cluster, max_states: int) -> _Answer:
    """The best mapping for each figure."""
    found = _Answer({}, 0)
    most = state_budget(cluster.size, max_states)
    for name, regime in REGIMES.items():
        solution = solve(cluster, regime.preference(), ANY_PAIR, max_states)
        found = found._replace(states=found.states + solution.states)
        if found.states > most:
            raise TooManyStates(most)
        partner = dict(solution.pairs)
        own = found.mappings[name] = []
        for r, place in enumerate(solution.placement):
            h, slot = partner.get(r), Slot.DELETION
            if h is not None:
                other = cluster.hypotheses[h]
                slot = PAIR[other.fits(r), place == (other.start, other.end)]
            own.append((slot, h, place))
    return found
