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
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from ..corpus.corpus import Pair
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..mapping.best import Preference, map_parts, outcomes
from ..mapping.clusters import clusters
from ..measures.slots import Slot
from ..projection.project import fates_text
from .result import (
    Account,
    DocumentFigures,
    Judged,
    Verdict,
    rows_of,
    scheme_scorer,
)


class Regime(NamedTuple):
    """The rule of one figure."""

    correct: frozenset[Slot]  # the classes whose pairs are correct
    otherwise: str = "inc"  # the count of other pairs: inc or par

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
            nesting=False,
        )

    def outcome(self, slot: Slot) -> str:
        """The outcome of a pair of a class."""
        return "cor" if slot in self.correct else self.otherwise


REGIMES = {
    "strict": Regime(frozenset({Slot.CORRECT})),
    "exact": Regime(frozenset({Slot.CORRECT, Slot.TYPE})),
    "partial": Regime(frozenset({Slot.CORRECT, Slot.TYPE}), otherwise="par"),
    "type": Regime(frozenset({Slot.CORRECT, Slot.SPAN})),
}


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
    parts = clusters(reference, hypothesis)
    mappings = {
        name: map_parts(reference, parts, regime.preference(), settings.max_states)
        for name, regime in REGIMES.items()
    }
    found = (
        Verdict(slot, label, r, h, rows_of(name, REGIMES[name].outcome(slot))(r, h))
        for name, mapping in mappings.items()
        for slot, label, r, h, _ in outcomes(reference, hypothesis, mapping)
    )

    placement = {name: mapping.placement for name, mapping in mappings.items()}
    whole = partial(Account, pair[0], reference, hypothesis, placement=placement)
    facts = reference.projection, Counter(one.fate for one in reference.unplaceable)
    return Judged(found, whole, facts)


semeval2013 = partial(scheme_scorer, "semeval2013", judge=_judged, told=_told)
