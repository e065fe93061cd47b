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

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from .clusters import Cluster, clusters
from .evaluate import document_id, projection
from .figures import Figure
from .mapping import Preference, Rules, solve
from .model import Document, Reference, tags
from .parallel import THIS_PROCESS, Workers, each
from .project import taken_out
from .scheme import Options, Row, SchemeScore
from .score import PAIR, Slot
from .settings import Settings
from .totals import Pair

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

    def count(self, slot: Slot) -> str:
        """Which count of a figure the slot of a reference element adds to."""
        if slot is Slot.DELETION:
            return "mis"
        return "cor" if slot in self.correct else self.otherwise


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
    tally: Counter[tuple[str, str, str]] = Counter()
    for origin, cluster in clusters(reference, hypothesis):
        for r, name, count in _counts(cluster).reference:
            tally[reference.elements[origin.reference + r].label, name, count] += 1
        for h, name, count in _counts(cluster).hypothesis:
            tally[hypothesis.elements[origin.hypothesis + h].label, name, count] += 1
    for lost in reference.unplaceable:
        if lost.fate == "missed":
            tally.update((lost.element.label, name, "mis") for name in REGIMES)
    rows: dict[str, dict[str, dict[str, int]]] = {}
    for (label, name, count), number in sorted(tally.items()):
        row = rows.setdefault(label, {regime: {} for regime in REGIMES})
        row[name][count] = number
    return {
        label: {name: Figure(**counts) for name, counts in row.items()}
        for label, row in rows.items()
    }


class _Counts(NamedTuple):
    """What the elements of a cluster count for: element, figure, and which of its counts.

    A pair is counted with its reference element, a spurious one with its own.
    """

    reference: tuple[tuple[int, str, str], ...]
    hypothesis: tuple[tuple[int, str, str], ...]


@lru_cache(maxsize=1 << 14)  # clusters of the same shape are many
def _counts(cluster: Cluster) -> _Counts:
    ours: list[tuple[int, str, str]] = []
    theirs: list[tuple[int, str, str]] = []
    for name, regime in REGIMES.items():
        solution = solve(cluster, regime.preference(), ANY_PAIR)
        places = dict(zip(tags(cluster.parents), solution.frontiers, strict=True))
        partner = dict(solution.pairs)
        for r in range(len(cluster.parents)):
            slot = Slot.DELETION
            if r in partner:
                other = cluster.hypotheses[partner[r]]
                is_same_span = (places[r, False], places[r, True]) == (other.start, other.end)
                slot = PAIR[r in other.accepted_by, is_same_span]
            ours.append((r, name, regime.count(slot)))
        alone = set(range(len(cluster.hypotheses))) - set(partner.values())
        theirs += ((h, name, "spu") for h in sorted(alone))
    return _Counts(tuple(ours), tuple(theirs))
