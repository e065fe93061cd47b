"""The score of a response: templates are aligned, then their fills are counted slot by slot.

The scoring comes after the alignment. It counts all slots, even slots that the alignment does not
use (Kehler et al. 2001, section 2.3; section 4.1: "all slot values were still counted for scoring
purposes"). Every fill counts, pointers and ``CONTENT`` too: the 15 fills in the key of the paper's
figure 3 include them.

A fill of the key and a fill of the response in the same slot of aligned templates are correct if
they are common (see ``align``). Of the fills that are left in such a slot, one of the key and one
of the response are incorrect together, in the order of the files. What is left over is missing or
spurious.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import zip_longest
from typing import NamedTuple

from ..corpus import workers
from ..errors import SerevalError, meant
from ..measures.figures import Figure, total
from ..schemes.result import SchemeScore
from .align import ALGORITHMS, CRITERIA, TABLE_1, CommonFill, align, candidates, groups, match
from .model import (
    Fill,
    SlotNames,
    Template,
    TemplateDocument,
    TemplateSlot,
)

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
        alignment: the algorithm that chooses among them, one of ``ALGORITHMS``.
        low_entropy: slots in which a common value is not enough under ``restrictive``.
        ignored: slots that are neither used for the alignment nor counted.
        missing: the policy for a document on one side only: ``error`` refuses it, ``empty`` takes
            it as empty on the other side.
        beta: the weight of recall in the F-measure; above 1, recall counts more.
    """

    criterion: str = "standard"
    alignment: str = "greedy"
    low_entropy: SlotNames = TABLE_1
    ignored: SlotNames = UNSCORED
    missing: str = "error"
    beta: float = 1.0

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
        """The settings that can change a result, with their values."""
        low = [("low", ",".join(self.low_entropy.names))] * (self.criterion == "restrictive")
        return (
            ("criterion", self.criterion),
            *low,
            ("alignment", self.alignment),
            ("ignored", ",".join(self.ignored.names)),
            ("missing", self.missing),
            ("beta", f"{self.beta:.15g}"),
        )


# --- the fills of one document --------------------------------------------------------------------


class TemplateRow(NamedTuple):
    """A fill of the key, one of the response, or both, with its outcome: a line of figure 3."""

    outcome: str
    slot: str
    key: Fill | None
    response: Fill | None


class TemplateRows(NamedTuple):
    """A template of the key, one of the response, or both, with the outcomes of their fills."""

    type: str
    key: Template | None
    response: Template | None
    rows: tuple[TemplateRow, ...]


def document_rows(
    pair: TemplatePair, settings: TemplateSettings, ties: str = "file order"
) -> list[TemplateRows]:
    """Templates of the key in their order, then templates of the response without a partner."""
    key, response = pair
    low = settings.low_entropy if settings.criterion == "restrictive" else SlotNames(())
    found = candidates(key, response, low, settings.ignored)
    partner = dict(align(found, groups(key, response), settings.alignment, ties))
    both: list[tuple[Template | None, Template | None]] = [
        (template, response.templates[partner[k]] if k in partner else None)
        for k, template in enumerate(key.templates)
    ]
    taken = set(partner.values())
    both += [(None, t) for k, t in enumerate(response.templates) if k not in taken]
    aligned = {one.id: other.id for one, other in both if one and other}
    return [
        TemplateRows(template.type, *sides, tuple(_Fills(key, aligned, settings).rows(*sides)))
        for sides in both
        if (template := sides[0] or sides[1])
    ]


class _Fills:
    """The fills of a document under an alignment: the response's template for each of the key."""

    def __init__(
        self, key: TemplateDocument, aligned: Mapping[str, str], settings: TemplateSettings
    ) -> None:
        self.aligned, self.settings = aligned, settings
        self.left_out = {t.id for t in key.templates if t.optional and t.id not in aligned}

    def rows(self, key: Template | None, response: Template | None) -> Iterator[TemplateRow]:
        """The outcomes of the fills of two templates, or of a template without a partner."""
        slots: dict[str, list[TemplateSlot | None]] = {}
        for side, template in enumerate((key, response)):
            for slot in template.slots if template else ():
                if template and not self.settings.ignored.has(template.type, slot.name):
                    slots.setdefault(slot.name, [None, None])[side] = slot
        is_left_out = key is not None and key.id in self.left_out
        for name, (mine, theirs) in slots.items():
            fills, others = (slot.fills if slot else () for slot in (mine, theirs))
            if is_left_out or (mine and mine.optional and not others):
                yield from (TemplateRow(NOT_COUNTED, name, fill, None) for fill in fills)
            else:
                yield from self._slot(name, fills, others)

    def _slot(
        self, name: str, fills: Sequence[Fill], others: Sequence[Fill]
    ) -> Iterator[TemplateRow]:
        """The rows of a slot: matched fills, then the others in pairs, in their order."""
        left_out = [all(v.pointer and v.text in self.left_out for v in f.values) for f in fills]
        counted = [fill for fill, left in zip(fills, left_out, strict=True) if not left]
        pairs = match(
            CommonFill(i, j)
            for i, fill in enumerate(counted)
            for j, other in enumerate(others)
            if self._are_common(fill, other)
        )
        rest = [other for j, other in enumerate(others) if j not in pairs.values()]
        wrong = iter(zip_longest((f for i, f in enumerate(counted) if i not in pairs), rest))
        for i, fill in enumerate(counted):
            if i in pairs:
                yield TemplateRow("cor", name, fill, others[pairs[i]])
            else:
                _, other = next(wrong)
                yield TemplateRow("inc" if other else "mis", name, fill, other)
        yield from (TemplateRow("spu", name, None, other) for _, other in wrong)
        for fill, left in zip(fills, left_out, strict=True):
            if left:
                yield TemplateRow(NOT_COUNTED, name, fill, None)

    def _are_common(self, fill: Fill, other: Fill) -> bool:
        """Whether texts are equal, or pointers point to templates that are aligned."""
        [value] = other.values
        if value.pointer:
            pointers = (each.text for each in fill.values if each.pointer)
            return any(self.aligned.get(text) == value.text for text in pointers)
        return value in fill.values


def label_figures(templates: Iterable[TemplateRows]) -> dict[str, dict[str, Figure]]:
    """The figures of a document by label, ``TYPE.SLOT``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in templates:
        for row in each.rows:
            counts.setdefault((each.type, row.slot), Counter())[row.outcome] += 1
    return {
        f"{type}.{slot}": {FILLS: Figure(**{outcome: number[outcome] for outcome in OUTCOMES})}
        for (type, slot), number in sorted(counts.items())
    }


# --- the score ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TemplateScore:
    """The score of a response.

    Args:
        pairs: key and response of each document.
        rows: for each document, templates of the key in their order, then templates of the
            response that are not aligned.
        settings: the settings of the score.
        notes: remarks for the reader of the figures, a sentence each.
    """

    pairs: Sequence[TemplatePair]
    rows: Sequence[Sequence[TemplateRows]]
    settings: TemplateSettings
    notes: tuple[str, ...] = ()

    @cached_property
    def scheme(self) -> SchemeScore:
        """The score in the form of other schemes; labels are ``TYPE.SLOT``."""
        documents = {id: label_figures(rows) for id, rows in self.compared}
        return SchemeScore("templates", documents, self.settings.listed(), self.notes)

    @property
    def compared(self) -> Iterator[tuple[str, Sequence[TemplateRows]]]:
        """The id and the rows of each document."""
        return ((key.id, rows) for (key, _), rows in zip(self.pairs, self.rows, strict=True))

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

    def document(self, id: str) -> Figure:
        """The figure over the fills of a document."""
        return total(row[FILLS] for row in self.scheme.documents[id].values())

    @cached_property
    def ranges(self) -> dict[str, tuple[Figure, Figure]]:
        """The figures with least and greatest F, for each document whose greedy ties matter."""
        found = {}
        for pair in self.pairs if self.settings.alignment == "greedy" else ():
            ways = [self.document(pair[0].id)]
            for ties in ("least", "greatest"):
                labels = label_figures(document_rows(pair, self.settings, ties))
                ways.append(total(row[FILLS] for row in labels.values()))
            ways.sort(key=lambda figure: figure.f(self.settings.beta) or 0)
            if ways[0].f() != ways[2].f():
                found[pair[0].id] = (ways[0], ways[2])
        return found

    def range(self, id: str | None = None) -> tuple[Figure, Figure]:
        """The figures with least and greatest F of a document, or of all documents together."""
        ids = [key.id for key, _ in self.pairs] if id is None else [id]
        both = [self.ranges.get(one) or (self.document(one),) * 2 for one in ids]
        return total(least for least, _ in both), total(most for _, most in both)


def score_templates(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings | None = None,
    *,
    jobs: int = 1,
    watch: Callable[[Sequence[TemplatePair]], Iterable[TemplatePair]] = iter,
) -> TemplateScore:
    """Align and score the documents of a key and a response, which pair by id."""
    settings = settings or TemplateSettings()
    pairs = _paired(keys, responses, settings)
    rows = list(
        workers.each(
            partial(document_rows, settings=settings),
            pairs,
            name=lambda pair: pair[0].id,
            jobs=jobs,
            watch=watch,
        )
    )
    return TemplateScore(pairs, rows, settings, tuple(_notes(keys, responses, settings, rows)))


def _paired(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
) -> list[TemplatePair]:
    """The documents of a key and a response, paired by id."""
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
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
    rows: Sequence[Sequence[TemplateRows]],
) -> Iterator[str]:
    """Remarks for the reader of the figures."""
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
    if composed := sum(_is_composed(row) for one in rows for each in one for row in each.rows):
        yield (
            "Response: values with accents composed otherwise than the key's (NFC, NFD), "
            f"taken as equal: {composed}."
        )


def _is_composed(row: TemplateRow) -> bool:
    """Whether a correct text differs from the key's in the composition of its accents only."""
    if row.outcome != "cor" or row.key is None or row.response is None:
        return False
    [value] = row.response.values
    return not value.pointer and value.text not in {each.text for each in row.key.values}
