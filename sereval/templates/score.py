"""The score of a response: templates are aligned, then their fills are counted slot by slot.

The scoring comes after the alignment. It counts all slots, even slots that the alignment does not
use (Kehler et al. 2001, section 2.3; section 4.1: "all slot values were still counted for scoring
purposes"). Every fill counts, pointers and ``CONTENT`` too: the 15 fills in the key of the paper's
figure 3 include them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import PairList
from ..errors import SerevalError, meant
from ..measures.figures import Figure
from ..measures.figures import total as sum_figures
from ..schemes.result import SchemeScore
from .align import ALGORITHMS, CRITERIA, ORDERS, TABLE_1, Candidates, greedy
from .common import PositionPair
from .model import SlotNames, SlotWeights, TemplateDocument
from .optimal import MOST_STEPS
from .ranges import RateRange, TieTotals, Total
from .rows import OUTCOMES, PARTIAL, PARTIALS, TemplateRows, count_composed, rows_of
from .ties import MOST_STEPS as MOST_TIES
from .ties import greedy_ways, optimal_ways

FILLS = "fills"
"""The name of the only figure of this scheme."""

UNSCORED = SlotNames(("DOC_NR", "COMMENT"))
"""The slots of the answer keys of MUC-6 that describe the document or hold comments."""

MISSING = ("error", "empty")

TemplatePair = tuple[TemplateDocument, TemplateDocument]
"""Key and response of the same id."""

LabelFigures: TypeAlias = dict[str, dict[str, Figure]]
"""The figures of a document by label, ``TYPE.SLOT``."""


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """How templates are aligned and scored.

    Args:
        criterion: which pairs may be aligned: ``standard`` or ``restrictive``.
        alignment: the algorithm that chooses among them: ``greedy`` or ``optimal``.
        low_entropy: slots in which a common value is not enough under ``restrictive``.
        ignored: slots that are neither used for the alignment nor counted.
        missing: the policy for a document on one side only: ``error`` refuses it, ``empty`` takes
            it as empty on the other side.
        beta: the weight of recall in the F-measure; above 1, recall counts more.
        most_steps: the most steps that the optimal alignment of a document may take.
        most_ties: the most pairs of a document that the search for all ways to break ties may try.
            Beyond this number the range of the rates can be incomplete.
        weights: how often a fill of each slot counts, for the alignment and in the figures.
        partial: which wrong fills are partially correct: ``none``, or ``part``, those of which one
            text is a part of the other.

    Raises:
        SerevalError: a value is unknown or out of its range.
    """

    criterion: str = "standard"
    alignment: str = "greedy"
    low_entropy: SlotNames = TABLE_1
    ignored: SlotNames = UNSCORED
    missing: str = "error"
    beta: float = 1.0
    most_steps: int = MOST_STEPS
    most_ties: int = MOST_TIES
    weights: SlotWeights = SlotWeights()
    partial: str = "none"

    def __post_init__(self) -> None:
        for value, known in (
            (self.criterion, CRITERIA),
            (self.alignment, ALGORITHMS),
            (self.missing, MISSING),
            (self.partial, PARTIALS),
        ):
            if value not in known:
                raise SerevalError(f"found {value!r}, expected one of {', '.join(known)}")
        if not 0 <= self.beta <= 1000:
            raise SerevalError(f"found beta {self.beta}, expected 0 to 1000")

    def listed(self) -> tuple[tuple[str, str], ...]:
        """The settings that can change a result, with their values."""
        low = [("low", ",".join(self.low_entropy.names))] * (self.criterion == "restrictive")
        weights = [("weights", str(self.weights))] * bool(self.weights.weights)
        partial = [("partial", self.partial)] * (self.partial != "none")
        return (
            ("criterion", self.criterion),
            *low,
            ("alignment", self.alignment),
            ("ignored", ",".join(self.ignored.names)),
            ("missing", self.missing),
            ("beta", f"{self.beta:.15g}"),
            *weights,
            *partial,
        )

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes that are counted: partially correct fills only if some can be."""
        return OUTCOMES if self.partial == "none" else (*OUTCOMES[:2], PARTIAL, *OUTCOMES[2:])


@dataclass(frozen=True, slots=True)
class TemplateScore:
    """The score of a response.

    Args:
        documents: by id, the rows of each document: templates of the key in their order, then
            templates of the response that are not aligned.
        settings: the settings of the score.
        notes: remarks for the reader of the figures, a sentence each.
        ties: by id, the totals of each document over the ways to break ties between templates.
    """

    documents: Mapping[str, Sequence[TemplateRows]]
    settings: TemplateSettings
    notes: tuple[str, ...] = ()
    ties: Mapping[str, TieTotals] = field(default_factory=dict)

    @property
    def scheme(self) -> SchemeScore:
        """The score in the form of other schemes; labels are ``TYPE.SLOT``."""
        documents = {id: label_figures(rows, self.settings) for id, rows in self.documents.items()}
        return SchemeScore("templates", documents, self.settings.listed(), self.notes)

    @property
    def total(self) -> Figure:
        """The figure over all fills that count."""
        return self.scheme.total.get(FILLS, Figure())

    @property
    def types(self) -> dict[str, Figure]:
        """The figure of each type of template, in alphabetical order."""
        found: dict[str, Figure] = {}
        for label, row in self.scheme.labels.items():
            type = label.partition(".")[0]
            found[type] = found.get(type, Figure()) + row[FILLS]
        return dict(sorted(found.items()))

    def range(self, document: str | None = None) -> RateRange:
        """The least and the greatest rates over all ways to break ties.

        Args:
            document: the id of a document; ``None``: all documents together.
        """
        ties = [*self.ties.values()] if document is None else [self.ties[document]]
        return RateRange.of(ties, self.settings.beta)


def label_figures(templates: Iterable[TemplateRows], settings: TemplateSettings) -> LabelFigures:
    """The figures of a document by label; a fill counts as often as the weight of its slot.

    Args:
        templates: the rows of the document.
        settings: the settings of the score.
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in templates:
        for row in each.rows:
            counts.setdefault((each.type, row.slot), Counter())[row.outcome] += 1
    found: LabelFigures = {}
    for (type, slot), number in sorted(counts.items()):
        weight = settings.weights.of(type, slot)
        figure = Figure(**{outcome: weight * number[outcome] for outcome in settings.outcomes})
        found[f"{type}.{slot}"] = {FILLS: figure}
    return found


def score_templates(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings | None = None,
    *,
    workers: Workers = THIS_PROCESS,
    watch: Callable[[Sequence[TemplatePair]], Iterable[TemplatePair]] = iter,
) -> TemplateScore:
    """Align and score the documents of a key and a response.

    Args:
        keys, responses: the documents; they pair by id, and an id occurs once on a side.
        settings: how templates are aligned and scored; ``None``: as in MUC-6.
        workers, watch: as in ``evaluate``.

    Raises:
        SerevalError: a document is on one side only, unless it counts as empty on the other; there
            is no document; an optimal alignment takes too many steps.

    Source: Kehler et al. 2001, sections 2.2, 2.3 and 4.1.

    >>> from sereval.templates.model import Fill, Template, TemplateSlot, Value
    >>> def star(*names):
    ...     fills = tuple(Fill((Value(name),)) for name in names)
    ...     aliases = TemplateSlot("ORG_ALIAS", fills)
    ...     return TemplateDocument("024", (Template("1", "ORG", (aliases,)),))
    >>> score_templates([star("STAR", "STAR TV")], [star("STAR TV")]).total
    Figure(cor=1, inc=0, par=0, mis=1, spu=0)
    """
    settings = settings or TemplateSettings()
    pairs = pairs_by_id(keys, responses, settings)
    found = list(PairList(pairs, workers, watch).each(partial(_document, settings=settings)))
    ids = [key.id for key, _ in pairs]
    documents = dict(zip(ids, (rows for rows, _ in found), strict=True))
    ties = dict(zip(ids, (own for _, own in found), strict=True))
    others = sum(map(count_composed, documents.values()))
    return TemplateScore(documents, settings, score_notes(keys, responses, settings, others), ties)


def pairs_by_id(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
) -> list[TemplatePair]:
    """The documents of a key and a response, paired by id.

    Args:
        keys, responses: as for ``score_templates``.
        settings: ``missing`` is the policy for a document on one side only.

    Raises:
        SerevalError: as for ``score_templates``.
    """
    key_of, response_of = _by_id(keys), _by_id(responses)
    if not key_of and not response_of:
        raise SerevalError("no template in key and response, expected some in one of them")
    if settings.missing == "error":
        _check_alone(key_of, response_of, "response")
        _check_alone(response_of, key_of, "key")
    return [
        (key_of.get(id, TemplateDocument(id)), response_of.get(id, TemplateDocument(id)))
        for id in dict.fromkeys((*key_of, *response_of))
    ]


def _document(
    pair: TemplatePair, settings: TemplateSettings
) -> tuple[list[TemplateRows], TieTotals]:
    """The rows of a document, and its totals over all ways to break ties."""
    try:
        candidates, aligned = _alignment(pair, settings)
        rows = rows_of(*pair, aligned, settings.ignored, settings.partial)
        return rows, _ties(pair, candidates, aligned, settings)
    except SerevalError as error:
        raise SerevalError(f"document {pair[0].id}: {error}") from None


def document_rows(pair: TemplatePair, settings: TemplateSettings) -> list[TemplateRows]:
    """The rows of a document.

    Args:
        pair: key and response.
        settings: the settings of the score.

    Raises:
        SerevalError: the optimal alignment takes too many steps.
    """
    try:
        _, aligned = _alignment(pair, settings)
    except SerevalError as error:
        raise SerevalError(f"document {pair[0].id}: {error}") from None
    return rows_of(*pair, aligned, settings.ignored, settings.partial)


def _alignment(
    pair: TemplatePair, settings: TemplateSettings
) -> tuple[Candidates, set[PositionPair]]:
    """The pairs of a document that could be aligned, and those that are."""
    candidates = Candidates.of(
        *pair, settings.criterion, settings.low_entropy, settings.ignored, settings.weights
    )
    return candidates, candidates.aligned(settings.alignment, settings.most_steps)


def _by_id(documents: Sequence[TemplateDocument]) -> dict[str, TemplateDocument]:
    found: dict[str, TemplateDocument] = {}
    for document in documents:
        if document.id in found:
            raise SerevalError(f"document {document.id} stands twice, expected it once")
        found[document.id] = document
    return found


def _check_alone(
    side: Mapping[str, TemplateDocument], other: Mapping[str, TemplateDocument], name: str
) -> None:
    alone = [id for id in side if id not in other]
    if alone:
        more = f" ({len(alone) - 1} more have none)" if len(alone) > 1 else ""
        found = "" if other else f"no template in the {name}: "
        raise SerevalError(
            f"{found}document {alone[0]} has no {name}{more}, expected one with the same id; "
            "--missing empty counts it as one without templates"
            f"{meant(alone, other.keys() - side.keys())}"
        )


def score_notes(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
    composed: int,
) -> tuple[str, ...]:
    """The notes of a score.

    Args:
        keys, responses, settings: as for ``score_templates``.
        composed: how many values are equal but for the composition of their accents.
    """
    return (*_notes(keys, responses, settings), *_composition_notes(composed))


def _notes(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
) -> Iterator[str]:
    documents = [*keys, *responses]
    ignored = sum(
        len(slot.fills)
        for document in documents
        for template in document.templates
        for slot in template.slots
        if settings.ignored.has(template.type, slot.name)
    )
    if ignored:
        yield f"Not looked at: {ignored} fills of {', '.join(settings.ignored.names)}."
    ids = [{document.id for document in side} for side in (keys, responses)]
    for name, alone in (("key", ids[0] - ids[1]), ("response", ids[1] - ids[0])):
        if alone:
            yield f"Documents in the {name} only: {len(alone)}."
    absent = settings.low_entropy.absent(documents)
    if absent and settings.criterion == "restrictive":
        yield f"Slots of low entropy that no template has: {', '.join(absent)}."
    if settings.criterion == "standard" and settings.low_entropy != TABLE_1:
        yield (
            "Slots of low entropy were given, and have no part in the criterion standard: "
            f"{', '.join(settings.low_entropy.names) or 'none'}."
        )


def _composition_notes(count: int) -> Iterator[str]:
    """A note on values that are equal except for the composition of their accents."""
    if count:
        yield (
            "Response: values with accents composed otherwise than the key's (NFC, NFD), "
            f"taken as equal: {count}."
        )


def _ties(
    pair: TemplatePair,
    candidates: Candidates,
    aligned: Collection[PositionPair],
    settings: TemplateSettings,
) -> TieTotals:
    """The totals of a document over all ways to break ties.

    The numbers of possible and actual fills are the same for every alignment, unless the key has
    optional parts: then whole alignments are needed, not only their common values. They are needed
    for partial credit too.
    """
    whole = settings.partial != "none" or any(
        template.optional or any(slot.optional for slot in template.slots)
        for template in pair[0].templates
    )

    def total(pairs: Iterable[PositionPair]) -> Total:
        rows = rows_of(*pair, pairs, settings.ignored, settings.partial)
        figure = sum_figures(row[FILLS] for row in label_figures(rows, settings).values())
        credit = figure.cor + Fraction(figure.par, 2) if figure.par else figure.cor
        return Total(credit, figure.possible, figure.actual)

    own = total(aligned)
    if settings.alignment == "optimal":
        most = sum(candidates.found[each].count(aligned) for each in aligned)
        ways = optimal_ways(candidates.found, most, whole=whole)
    else:
        ways = greedy_ways(*candidates, whole=whole, most_steps=settings.most_ties)
    if ways is None:
        orders = ORDERS if settings.alignment == "greedy" else ()
        tried = {total(greedy(*candidates, order)) for order in orders}
        # all optimal alignments have the same number of correct fills
        is_known = settings.alignment == "optimal" and not whole
        return TieTotals(frozenset({own, *tried}), tied=True, is_known=is_known)
    if whole:
        return TieTotals(frozenset(map(total, ways.ends)), ways.tied)
    values = {value for each in ways.ends.values() for value in each}
    return TieTotals(frozenset(own._replace(cor=value) for value in values), ways.tied)
