"""Scoring of aligned templates, slot by slot: correct, incorrect, missing, spurious.

It comes after the alignment, and counts all slots, whatever was used to align (Kehler et al. 2001,
section 2.3; "all slot values were still counted for scoring purposes", 4.1). Every fill counts,
pointers and ``CONTENT`` too: only so are there 15 in the key of figure 3.
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
from .common import Edge, Pair, matched
from .model import Fill, Slot, SlotNames, Template, TemplateDocument
from .optimal import MOST_STEPS
from .ranges import Range, Ties, Total
from .ties import MOST_STEPS as MOST_TIES
from .ties import greedy_ways, optimal_ways

FILLS = "fills"
"""What is counted, as a name among the figures of other schemes."""

OUTCOMES = ("cor", "inc", "mis", "spu")
NOT_COUNTED = "opt"
"""Outcome of an optional fill of the key that the response does not have."""

UNSCORED = SlotNames(("DOC_NR", "COMMENT"))
"""Slots of the answer keys of MUC-6 that are about the document or for people."""

MISSING = ("error", "empty")

TemplatePair = tuple[TemplateDocument, TemplateDocument]
"""Key and response of the same id."""


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """How templates are aligned and scored.

    Args:
        criterion: which pairs may be aligned, ``standard`` or ``restrictive``.
        alignment: how is chosen among them, ``greedy`` or ``optimal``.
        low_entropy: slots that do not suffice under ``restrictive``.
        ignored: slots that are neither looked at nor counted.
        missing: a document of one side only is an ``error``, or ``empty`` on the other side.
        beta: of the F-measure; above 1, recall counts more.
        most_steps: how many steps the optimal alignment of a document may take.
        most_ties: how many pairs of a document are looked at to find all ways to break ties; beyond
            that the range of the rates is not known to be complete.
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
        """All that can change a digit."""
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
        slot: its name.
        key, response: the fill on either side.
    """

    outcome: str
    slot: str
    key: Fill | None
    response: Fill | None


@dataclass(frozen=True, slots=True)
class Compared:
    """A template of the key, one of the response, or both, with what became of their fills."""

    key: Template | None
    response: Template | None
    rows: tuple[Row, ...]

    @property
    def type(self) -> str:
        """The type of the templates; both have the same."""
        template = self.key or self.response
        return template.type if template else ""


@dataclass(frozen=True, slots=True)
class TemplateScore:
    """The score of a response.

    Args:
        documents: comparisons of each document, by id: templates of the key in the order of the
            key, then those of the response that are not aligned.
        settings: how it was made.
        notes: what a reader of the figures must know, a sentence each.
        ties: of each document, by id, what it comes to if ties between templates are broken
            otherwise.
    """

    documents: Mapping[str, Sequence[Compared]]
    settings: TemplateSettings
    notes: tuple[str, ...] = ()
    ties: Mapping[str, Ties] = field(default_factory=dict)

    @property
    def scheme(self) -> SchemeScore:
        """The figures as other schemes have them; labels are ``TYPE.SLOT``."""
        return SchemeScore(
            "templates",
            {
                id: {
                    f"{type}.{slot}": {FILLS: Figure(**{k: counts[k] for k in OUTCOMES})}
                    for (type, slot), counts in _counted(compared).items()
                }
                for id, compared in self.documents.items()
            },
            self.settings.listed(),
            self.notes,
        )

    @property
    def total(self) -> Figure:
        """All fills that count."""
        return self.scheme.total.get(FILLS, Figure())

    @property
    def types(self) -> dict[str, Figure]:
        """Figures by type of template, in alphabetical order."""
        found: dict[str, Figure] = {}
        for label, row in self.scheme.labels.items():
            type = label.partition(".")[0]
            found[type] = found.get(type, Figure()) + row[FILLS]
        return dict(sorted(found.items()))

    def range(self, document: str | None = None) -> Range:
        """Least and greatest rates over all ways to break ties.

        Args:
            document: of which one; ``None``: of all together.
        """
        ties = [*self.ties.values()] if document is None else [self.ties[document]]
        return Range.of(ties, self.settings.beta)


def _counted(compared: Iterable[Compared]) -> dict[tuple[str, str], Counter[str]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in compared:
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
    """Align and score all documents of the key with those of the response.

    Args:
        keys, responses: documents pair by id; each id stands once on a side.
        settings: the default is MUC-6's.
        workers, watch: as in ``evaluate``.

    Raises:
        SerevalError: a document of one side only, unless these count as empty; no document on
            either side; an optimal alignment that takes too long.

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
    documents = {key.id: compared for (key, _), (compared, _) in zip(pairs, found, strict=True)}
    ties = {key.id: each for (key, _), (_, each) in zip(pairs, found, strict=True)}
    notes = (*_notes(key_of, response_of, settings), *_composed(documents.values()))
    return TemplateScore(documents, settings, notes, ties)


def _document(pair: TemplatePair, settings: TemplateSettings) -> tuple[list[Compared], Ties]:
    """Its comparisons, and all that it can come to."""
    try:
        candidates = Candidates.of(
            *pair, settings.criterion, settings.low_entropy, settings.ignored
        )
        aligned = candidates.aligned(settings.alignment, settings.most_steps)
        compared = _compared(*pair, aligned, settings.ignored)
        return compared, _ties(pair, candidates, aligned, settings)
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


def _composed(documents: Iterable[Sequence[Compared]]) -> Iterator[str]:
    """What is said of values that are equal but for how their accents are composed."""
    rows = (row for compared in documents for one in compared for row in one.rows)
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


def _compared(
    key: TemplateDocument,
    response: TemplateDocument,
    pairs: Iterable[Pair],
    ignored: SlotNames,
) -> list[Compared]:
    """Templates of the key in their order, then those of the response that are left."""
    aligned = dict(pairs)
    slots = _Slots(key, response, aligned, ignored)
    found = []
    for place, template in enumerate(key.templates):
        other = response.templates[aligned[place]] if place in aligned else None
        found.append(Compared(template, other, tuple(slots.rows(template, other))))
    left = set(range(len(response.templates))) - set(aligned.values())
    for place in sorted(left):
        template = response.templates[place]
        found.append(Compared(None, template, tuple(slots.rows(None, template))))
    return found


def _ties(
    pair: TemplatePair,
    candidates: Candidates,
    aligned: Collection[Pair],
    settings: TemplateSettings,
) -> Ties:
    """All that a document can come to.

    What is possible and actual is the same for every alignment, but where a key has optional parts.
    """
    whole = any(
        template.optional or any(slot.optional for slot in template.slots)
        for template in pair[0].templates
    )

    def total(pairs: Iterable[Pair]) -> Total:
        rows = [row for one in _compared(*pair, pairs, settings.ignored) for row in one.rows]
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
        # all optimal alignments have as many correct fills
        is_known = settings.alignment == "optimal" and not whole
        return Ties(frozenset({own, *tried}), tied=True, is_known=is_known)
    if whole:
        return Ties(frozenset(map(total, ways.ends)), ways.tied)
    values = {value for each in ways.ends.values() for value in each}
    return Ties(frozenset(own._replace(cor=value) for value in values), ways.tied)


class _Slots:
    """The slots of one document, given its alignment."""

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
        """What became of the fills of two templates, or of one without a partner."""
        slots: dict[str, list[Slot | None]] = {}
        for side, template in enumerate((key, response)):
            for slot in template.slots if template else ():
                if template and not self.ignored.has(template.type, slot.name):
                    slots.setdefault(slot.name, [None, None])[side] = slot
        not_asked_for = key is not None and key.id in self.left_out
        for name, (mine, theirs) in slots.items():
            fills = mine.fills if mine else ()
            others = theirs.fills if theirs else ()
            if not_asked_for or (mine and mine.optional and not others):
                yield from (Row(NOT_COUNTED, name, fill, None) for fill in fills)
            else:
                yield from self._slot(name, fills, others)

    def _slot(self, name: str, fills: Sequence[Fill], others: Sequence[Fill]) -> Iterator[Row]:
        """Correct where they can be matched; of the rest, incorrect two by two, in order."""
        counted = [fill for fill in fills if not self._is_left_out(fill)]
        pairs = matched(
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
        """Texts are if they are equal, pointers if what they point at is aligned."""
        [value] = other.values
        if not value.pointer:
            return value in fill.values
        return any(
            each.pointer and self.partner.get(each.text) == value.text for each in fill.values
        )

    def _is_left_out(self, fill: Fill) -> bool:
        """Whether it only points at optional templates that the response does not have."""
        return all(value.pointer and value.text in self.left_out for value in fill.values)
