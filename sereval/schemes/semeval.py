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
from functools import partial

from ..corpus.corpus import Pair
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..mapping.best import Preference, map_parts, outcomes
from ..mapping.clusters import clusters
from ..measures import Slot
from ..projection import fates_text
from .result import (
    DocumentFigures,
    SchemeScore,
    Verdict,
    figures_of,
    rows_of,
    scheme_scorer,
)

REGIMES = {
    "strict": ("cor", "inc", "inc", "inc"),
    "exact": ("cor", "inc", "cor", "inc"),
    "partial": ("cor", "par", "cor", "par"),
    "type": ("cor", "cor", "inc", "inc"),
}
"""The rule of each figure: the outcomes of pairs that are correct, and that have a wrong span, a
wrong type, or both."""

PREFERRED = {"cor": (-2, -1), "par": (-1, -1), "inc": (0, -1)}
"""The key of a pair by its outcome: most credit, then most pairs."""


def _told(numbers: Counter[str], settings: Settings) -> SchemeScore:
    is_fuzzy = numbers.pop("fuzzy", 0) > 0  # all others are the fates of unplaceable elements
    fuzzy = [("reference", "fuzzy")] if is_fuzzy and not settings.is_projected else []
    placed = *settings.words_signature, ("unplaceable", settings.unplaceable), *fuzzy
    return SchemeScore(
        (),
        settings=(*placed, *settings.reading_signature),
        notes=(f"{fates_text(numbers)}.",) if numbers else (),
        words=settings,
    )


def _work(pair: Pair, settings: Settings) -> DocumentFigures:
    """The figures of a pair."""
    reference, hypothesis = projection(*pair, settings)
    parts = clusters(reference, hypothesis)
    mappings = {}
    found: list[Verdict] = []
    for name, regime in REGIMES.items():
        correct, span, type, both = (PREFERRED[outcome] for outcome in regime)
        preference = Preference(correct, span, type, both, D=(0, 0), I=(0, 0), nesting=False)
        mappings[name] = map_parts(reference, parts, preference, settings.max_states)
        outcome_of = dict(zip(Slot, regime, strict=False))
        found += (
            Verdict(slot, label, r, h, rows_of(name, outcome_of.get(slot, "cor"))(r, h))
            for slot, label, r, h, _ in outcomes(reference, hypothesis, mappings[name])
        )

    placement = {name: mapping.placement for name, mapping in mappings.items()}
    numbers = Counter(one.fate for one in reference.unplaceable)
    numbers["fuzzy"] = bool(reference.projection)
    sides = reference, hypothesis
    return figures_of(pair, settings, found, sides, placement, numbers=numbers, names=REGIMES)


semeval2013 = partial(scheme_scorer, work=_work, told=_told)
