"""SemEval 2013, task 9: strict, exact, partial and type, each over its own optimal mapping.

Four figures of one comparison, which differ in what makes a pair correct:

========= ============================ ===================================
figure    correct                      otherwise, if the two share a word
========= ============================ ===================================
strict    same span and label          incorrect
exact     same span                    incorrect
partial   same span                    partially correct, counted half
type      same label                   incorrect
========= ============================ ===================================

What is in no pair is missing or spurious. The task's own scorer and its descendants pair greedily,
so that their figures depend on the order in which entities are listed; here each figure is the best
that any 1–1 mapping gives, and then has as many pairs as can be. Nesting is allowed; rule 3 of the
definition (no inversion) is no part of this scheme.

Source: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval 2013, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from .evaluate import Pair, Settings, document_id, projection
from .figures import Figure
from .mapping import Preference, Rules, best_mapping
from .model import Document, Reference
from .outcomes import outcomes
from .parallel import THIS_PROCESS, Workers, each
from .project import taken_out
from .scheme import Options, Row, SchemeScore, add
from .score import Slot

ANY_PAIR = Rules(nesting=False)


@dataclass(frozen=True, slots=True)
class Regime:
    """One of the four figures: which classes are correct, and what other pairs are."""

    correct: frozenset[Slot]
    otherwise: str = "inc"

    def preference(self) -> Preference:
        """Most credit, then most pairs."""
        half = -1 if self.otherwise == "par" else 0
        key = {
            slot.value: (-2 if slot in self.correct else half, -1)
            for slot in (Slot.CORRECT, Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE)
        }
        return Preference(**key, D=(0, 0), I=(0, 0))

    def figure(self, slot: Slot) -> Figure:
        """What one slot counts for."""
        if slot is Slot.DELETION:
            return Figure(mis=1)
        if slot is Slot.INSERTION:
            return Figure(spu=1)
        return Figure(**{"cor" if slot in self.correct else self.otherwise: 1})


REGIMES = {
    "strict": Regime(frozenset({Slot.CORRECT})),
    "exact": Regime(frozenset({Slot.CORRECT, Slot.TYPE})),
    "partial": Regime(frozenset({Slot.CORRECT, Slot.TYPE}), otherwise="par"),
    "type": Regime(frozenset({Slot.CORRECT, Slot.SPAN})),
}


def semeval2013(
    pairs: Sequence[Pair],
    settings: Settings,
    _options: Options,
    *,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[Pair]], Iterable[Pair]] = iter,
) -> SchemeScore:
    """Score documents as SemEval 2013 did.

    Args:
        pairs: references and hypotheses, on the same words or through time.
        settings: tolerance and policy; costs have no part in it.
        workers, watch: as in ``evaluate``.

    >>> from sereval import tree
    >>> gold = Document("d", ("a", "b"), tree([("PER", 0, 1)]))
    >>> found = Document("d", ("a", "b"), tree([("PER", 0, 2), ("ORG", 0, 1)]))
    >>> score = semeval2013([(gold, found)], Settings(), Options())
    >>> {name: figure.cor for name, figure in score.total.items()}
    {'strict': 0, 'exact': 1, 'partial': 1, 'type': 1}
    """
    work = partial(_document, settings=settings)
    found = list(each(work, pairs, name=document_id, workers=workers, watch=watch))
    references = [projected for projected, _ in found]
    documents = {projected.id: figures for projected, figures in found}
    signature = settings.words_signature(references)
    return SchemeScore("semeval2013", documents, signature, (f"{taken_out(references)}.",))


def _document(pair: Pair, settings: Settings) -> tuple[Reference, dict[str, Row]]:
    """The reference as projected, and figures by label."""
    projected, heard = projection(*pair, settings)
    return projected, _rows(projected, heard)


def _rows(reference: Reference, hypothesis: Document) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for name, regime in REGIMES.items():
        mapping = best_mapping(reference, hypothesis, regime.preference(), ANY_PAIR)
        for outcome in outcomes(reference, hypothesis, mapping):
            figure = {name: regime.figure(outcome.slot)}
            rows[outcome.label] = add(rows.get(outcome.label, {}), figure)
    return {
        label: {name: rows[label].get(name, Figure()) for name in REGIMES} for label in sorted(rows)
    }
