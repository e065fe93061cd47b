"""Scoring of aligned templates, slot by slot: correct, incorrect, missing, spurious.

The scoring comes after the alignment. It counts all slots, even slots that the alignment does not
use (Kehler et al. 2001, section 2.3; section 4.1: "all slot values were still counted for scoring
purposes"). Every fill counts, pointers and ``CONTENT`` too: the 15 fills in the key of the paper's
figure 3 include them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest

from ..corpus.executor import THIS_PROCESS, Workers
from ..corpus.pairs import PairList
from ..errors import SerevalError, meant
from ..measures.figures import Figure
from ..schemes.result import SchemeScore
from .align import ALGORITHMS, CRITERIA, ORDERS, TABLE_1, Candidates, greedy
from .common import Edge, Pair, match
from .model import Fill, Slot, SlotNames, Template, TemplateDocument
from .optimal import MOST_STEPS
from .ranges import Range, Ties, Total
from .ties import MOST_STEPS as MOST_TIES
from .ties import greedy_ways, optimal_ways

FILLS = "fills"
"""The name of the only figure of this scheme."""

OUTCOMES = ("cor", "inc", "mis", "spu")
NOT_COUNTED = "opt"
"""The outcome of an optional fill of the key that the response lacks."""

UNSCORED = SlotNames(("DOC_NR", "COMMENT"))
"""The slots of the answer keys of MUC-6 that describe the document or hold comments."""

MISSING = ("error", "empty")

TemplatePair = tuple[TemplateDocument, TemplateDocument]
"""Key and response of the same id."""


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

    def __post_init__(self) -> None:
        for value, known in (
            (self.criterion, CRITERIA),
            (self.alignment, ALGORITHMS),
            (self.missing, MISSING),
        ):
            if value not in known:
                raise SerevalError(f"found {value!r}, expected one of {', '.join(known)}")
        if not 0 <= self.beta <= 1000:
            raise SerevalError(f"found beta {self.beta}, expected 0 to 1000")

    def listed(self) -> tuple[tuple[str, str], ...]:
        """The settings that can change a digit, with their values."""
        low = [("low", ",".join(self.low_entropy.names))] * (self.criterion == "restrictive")
        return (
            ("criterion", self.criterion),
            *low,
            ("alignment", self.alignment),
            ("ignored", ",".join(self.ignored.names)),
            ("missing", self.missing),
            ("beta", f"{self.beta:.15g}"),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A fill of the key, one of the response, or both: a line of figure 3.

    Args:
        outcome: one of ``OUTCOMES``, or ``NOT_COUNTED``.
        slot: the name of the slot.
        key, response: the fill on either side.
    """

    outcome: str
    slot: str
    key: Fill | None
    response: Fill | None


@dataclass(frozen=True, slots=True)
class TemplateRows:
    """A template of the key, one of the response, or both, with the outcomes of their fills."""

    key: Template | None
    response: Template | None
    rows: tuple[Row, ...]

    @property
    def type(self) -> str:
        """The type of the templates, which both have."""
        template = self.key or self.response
        return template.type if template else ""


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
    ties: Mapping[str, Ties] = field(default_factory=dict)

    @property
    def scheme(self) -> SchemeScore:
        """The score in the form of other schemes; labels are ``TYPE.SLOT``."""
        return SchemeScore(
            "templates",
            {
                id: {
                    f"{type}.{slot}": {FILLS: Figure(**{k: counts[k] for k in OUTCOMES})}
                    for (type, slot), counts in _outcomes(templates).items()
                }
                for id, templates in self.documents.items()
            },
            self.settings.listed(),
            self.notes,
        )

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

    def range(self, document: str | None = None) -> Range:
        """The least and the greatest rates over all ways to break ties.

        Args:
            document: the id of a document; ``None``: all documents together.
        """
        ties = [*self.ties.values()] if document is None else [self.ties[document]]
        return Range.of(ties, self.settings.beta)


def _outcomes(templates: Iterable[TemplateRows]) -> dict[tuple[str, str], Counter[str]]:
    """The number of fills of each outcome, by type and slot."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in templates:
        for row in each.rows:
            counts.setdefault((each.type, row.slot), Counter())[row.outcome] += 1
    return dict(sorted(counts.items()))


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

    >>> from .model import Value
    >>> def star(*names):
    ...     fills = tuple(Fill((Value(name),)) for name in names)
    ...     return TemplateDocument("024", (Template("1", "ORG", (Slot("ORG_ALIAS", fills),)),))
    >>> score_templates([star("STAR", "STAR TV")], [star("STAR TV")]).total
    Figure(cor=1, inc=0, par=0, mis=1, spu=0)
    """
    settings = settings or TemplateSettings()
    key_of, response_of = _by_id(keys), _by_id(responses)
    if not key_of and not response_of:
        raise SerevalError("no template in key and response, expected some in one of them")
    if settings.missing == "error":
        _check_alone(key_of, response_of, "response")
        _check_alone(response_of, key_of, "key")
    pairs = [
        (key_of.get(id, TemplateDocument(id)), response_of.get(id, TemplateDocument(id)))
        for id in dict.fromkeys((*key_of, *response_of))
    ]
    found = list(PairList(pairs, workers, watch).each(partial(_document, settings=settings)))
    ids = [key.id for key, _ in pairs]
    documents = dict(zip(ids, (rows for rows, _ in found), strict=True))
    ties = dict(zip(ids, (own for _, own in found), strict=True))
    notes = (*_notes(key_of, response_of, settings), *_composition_notes(documents.values()))
    return TemplateScore(documents, settings, notes, ties)


def _document(pair: TemplatePair, settings: TemplateSettings) -> tuple[list[TemplateRows], Ties]:
    """The rows of a document, and its totals over all ways to break ties."""
    try:
        candidates = Candidates.of(
            *pair, settings.criterion, settings.low_entropy, settings.ignored
        )
        aligned = candidates.aligned(settings.alignment, settings.most_steps)
        rows = _rows(*pair, aligned, settings.ignored)
        return rows, _ties(pair, candidates, aligned, settings)
    except SerevalError as error:
        raise SerevalError(f"document {pair[0].id}: {error}") from None


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


def _notes(
    keys: Mapping[str, TemplateDocument],
    responses: Mapping[str, TemplateDocument],
    settings: TemplateSettings,
) -> Iterator[str]:
    documents = [*keys.values(), *responses.values()]
    ignored = sum(
        len(slot.fills)
        for document in documents
        for template in document.templates
        for slot in template.slots
        if settings.ignored.has(template.type, slot.name)
    )
    if ignored:
        yield f"Not looked at: {ignored} fills of {', '.join(settings.ignored.names)}."
    for side, other, name in ((keys, responses, "key"), (responses, keys, "response")):
        if alone := [id for id in side if id not in other]:
            yield f"Documents in the {name} only: {len(alone)}."
    absent = settings.low_entropy.absent(documents)
    if absent and settings.criterion == "restrictive":
        yield f"Slots of low entropy that no template has: {', '.join(absent)}."
    if settings.criterion == "standard" and settings.low_entropy != TABLE_1:
        yield (
            "Slots of low entropy were given, and have no part in the criterion standard: "
            f"{', '.join(settings.low_entropy.names) or 'none'}."
        )


def _composition_notes(documents: Iterable[Sequence[TemplateRows]]) -> Iterator[str]:
    """A note on values that are equal except for the composition of their accents."""
    rows = (row for templates in documents for one in templates for row in one.rows)
    count = sum(
        row.outcome == "cor"
        and row.response is not None
        and not row.response.values[0].pointer
        and row.response.values[0].text not in {value.text for value in row.key.values}
        for row in rows
        if row.key is not None
    )
    if count:
        yield (
            "Response: values with accents composed otherwise than the key's (NFC, NFD), "
            f"taken as equal: {count}."
        )


# --- one document ---------------------------------------------------------------------------------


def _rows(
    key: TemplateDocument,
    response: TemplateDocument,
    pairs: Iterable[Pair],
    ignored: SlotNames,
) -> list[TemplateRows]:
    """Templates of the key in their order, then templates of the response without a partner."""
    aligned = dict(pairs)
    slots = _Slots(key, response, aligned, ignored)
    found = []
    for place, template in enumerate(key.templates):
        other = response.templates[aligned[place]] if place in aligned else None
        found.append(TemplateRows(template, other, tuple(slots.rows(template, other))))
    left = set(range(len(response.templates))) - set(aligned.values())
    for place in sorted(left):
        template = response.templates[place]
        found.append(TemplateRows(None, template, tuple(slots.rows(None, template))))
    return found


def _ties(
    pair: TemplatePair,
    candidates: Candidates,
    aligned: Collection[Pair],
    settings: TemplateSettings,
) -> Ties:
    """The totals of a document over all ways to break ties.

    The numbers of possible and actual fills are the same for every alignment, unless the key has
    optional parts: then whole alignments are needed, not only their common values.
    """
    whole = any(
        template.optional or any(slot.optional for slot in template.slots)
        for template in pair[0].templates
    )

    def total(pairs: Iterable[Pair]) -> Total:
        rows = [row for one in _rows(*pair, pairs, settings.ignored) for row in one.rows]
        counts = Counter(row.outcome for row in rows)
        figure = Figure(**{each: counts[each] for each in OUTCOMES})
        return Total(figure.cor, figure.possible, figure.actual)

    own = total(aligned)
    if settings.alignment == "optimal":
        ways = optimal_ways(candidates.found, own.cor, whole=whole)
    else:
        ways = greedy_ways(*candidates, whole=whole, most_steps=settings.most_ties)
    if ways is None:
        orders = ORDERS if settings.alignment == "greedy" else ()
        tried = {total(greedy(*candidates, order)) for order in orders}
        # all optimal alignments have the same number of correct fills
        is_known = settings.alignment == "optimal" and not whole
        return Ties(frozenset({own, *tried}), tied=True, is_known=is_known)
    if whole:
        return Ties(frozenset(map(total, ways.ends)), ways.tied)
    values = {value for each in ways.ends.values() for value in each}
    return Ties(frozenset(own._replace(cor=value) for value in values), ways.tied)


class _Slots:
    """The slots of one document under an alignment."""

    def __init__(
        self,
        key: TemplateDocument,
        response: TemplateDocument,
        aligned: Mapping[int, int],
        ignored: SlotNames,
    ) -> None:
        self.ignored = ignored
        self.partner = {  # identifiers of templates of the key, and of the response
            key.templates[i].id: response.templates[j].id for i, j in aligned.items()
        }
        self.left_out = {
            template.id
            for template in key.templates
            if template.optional and template.id not in self.partner
        }

    def rows(self, key: Template | None, response: Template | None) -> Iterator[Row]:
        """The outcomes of the fills of two templates, or of a template without a partner."""
        slots: dict[str, list[Slot | None]] = {}
        for side, template in enumerate((key, response)):
            for slot in template.slots if template else ():
                if template and not self.ignored.has(template.type, slot.name):
                    slots.setdefault(slot.name, [None, None])[side] = slot
        is_left_out = key is not None and key.id in self.left_out
        for name, (mine, theirs) in slots.items():
            fills = mine.fills if mine else ()
            others = theirs.fills if theirs else ()
            if is_left_out or (mine and mine.optional and not others):
                yield from (Row(NOT_COUNTED, name, fill, None) for fill in fills)
            else:
                yield from self._slot(name, fills, others)

    def _slot(self, name: str, fills: Sequence[Fill], others: Sequence[Fill]) -> Iterator[Row]:
        """The rows of a slot: matched fills are correct, the others pair in order as incorrect."""
        counted = [fill for fill in fills if not self._is_left_out(fill)]
        pairs = match(
            Edge(i, j)
            for i, fill in enumerate(counted)
            for j, other in enumerate(others)
            if self.is_common(fill, other)
        )
        rest = [other for j, other in enumerate(others) if j not in pairs.values()]
        wrong = iter(zip_longest((f for i, f in enumerate(counted) if i not in pairs), rest))
        for i, fill in enumerate(counted):
            if i in pairs:
                yield Row("cor", name, fill, others[pairs[i]])
            else:
                _, other = next(wrong)
                yield Row("inc" if other else "mis", name, fill, other)
        yield from (Row("spu", name, None, other) for _, other in wrong)
        yield from (Row(NOT_COUNTED, name, fill, None) for fill in fills if fill not in counted)

    def is_common(self, fill: Fill, other: Fill) -> bool:
        """Whether two fills are equal texts, or pointers to templates that are aligned."""
        [value] = other.values
        if not value.pointer:
            return value in fill.values
        return any(
            each.pointer and self.partner.get(each.text) == value.text for each in fill.values
        )

    def _is_left_out(self, fill: Fill) -> bool:
        """Whether all values point to optional templates that the response lacks."""
        return all(value.pointer and value.text in self.left_out for value in fill.values)
