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

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from ..corpus import workers
from ..errors import SerevalError, meant
from ..measures.figures import Figure
from ..schemes.result import DocumentFigures, SchemeScore, by_label
from .align import TABLE_1, align, candidates, groups
from .model import Fill, Template, TemplateDocument, TemplateSlot, is_named

FILLS = "fills"
"""The name of the only figure of this scheme."""

NOT_COUNTED = "opt"
"""The outcome of an optional fill of the key that the response lacks."""

UNSCORED = ("DOC_NR", "COMMENT")
"""The slots of the answer keys of MUC-6 that describe the document or hold comments."""

MISSING = ("error", "empty")

TemplatePair = tuple[TemplateDocument, TemplateDocument]
"""Key and response of the same id."""


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """How templates are aligned and scored."""

    criterion: str = "standard"  # which pairs may be aligned: standard or restrictive
    alignment: str = "greedy"  # one of ALGORITHMS
    low_entropy: tuple[str, ...] = TABLE_1  # a common value there is not enough if restrictive
    ignored: tuple[str, ...] = UNSCORED  # neither used for the alignment nor counted
    # for a document on one side only: ``error``, or ``empty``, which takes it as empty on the other
    missing: str = "error"
    beta: float = 1.0  # above 1, recall counts more

    def __post_init__(self) -> None:
        if self.missing not in MISSING:
            raise SerevalError(f"found {self.missing!r}, expected one of {', '.join(MISSING)}")

    def listed(self) -> tuple[tuple[str, str], ...]:
        """The settings that can change a result, with their values."""
        low = [("low", ",".join(self.low_entropy))] * (self.criterion == "restrictive")
        return (
            ("criterion", self.criterion),
            *low,
            ("alignment", self.alignment),
            ("ignored", ",".join(self.ignored)),
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
    rows: Sequence[TemplateRow]


def document_rows(
    pair: TemplatePair, settings: TemplateSettings, favour: int = 0
) -> list[TemplateRows]:
    """Templates of the key in their order, then templates of the response without a partner."""
    low = settings.low_entropy if settings.criterion == "restrictive" else ()
    found = candidates(*pair, low, settings.ignored)
    aligned = align(found, groups(*pair), settings.alignment, favour)
    keys, responses = (dict(enumerate(side.templates)) for side in pair)
    partner, taken = dict(aligned), {r for _, r in aligned}
    absent = {one.id for k, one in keys.items() if one.optional and k not in partner}

    def compared(k: Any, r: Any) -> TemplateRows:  # None: none of this side
        both = one, other = keys.get(k), responses.get(r)
        type = next(each.type for each in both if each)
        ours, theirs = (each.slots if each else {} for each in both)
        rows: list[TemplateRow] = []
        for name in dict.fromkeys([*ours, *theirs]):
            mine, others = (side.get(name, TemplateSlot([])) for side in (ours, theirs))
            if is_named(settings.ignored, type, name):
                continue
            if one and one.id in absent:
                mine = mine._replace(optional=True)
            shared = found.get((k, r), {}).get(name)
            pairs = shared.match(aligned) if shared else {}
            rows += _slot_rows(name, mine, others.fills, pairs, absent)
        return TemplateRows(type, one, other, rows)

    alone = (compared(None, r) for r in responses if r not in taken)
    return [*(compared(k, partner.get(k)) for k in keys), *alone]


def _slot_rows(
    name: str,
    slot: TemplateSlot,
    others: Sequence[Fill],
    pairs: Mapping[int, int],
    absent: Container[str],
) -> Iterator[TemplateRow]:
    """The rows of a slot: matched fills, then the others in pairs, in their order."""
    taken = {*pairs.values()}
    rest = iter([other for j, other in enumerate(others) if j not in taken])
    left_out = []
    is_lacking = slot.optional and not others
    for i, fill in enumerate(slot.fills):
        if i in pairs:
            yield TemplateRow("cor", name, fill, others[pairs[i]])
        elif is_lacking or all(value.pointer and value.text in absent for value in fill):
            left_out.append(TemplateRow(NOT_COUNTED, name, fill, None))
        else:
            other = next(rest, None)
            yield TemplateRow("inc" if other else "mis", name, fill, other)
    yield from (TemplateRow("spu", name, None, other) for other in rest)
    yield from left_out


ROWS = {one: {FILLS: Figure(**{one: 1})} for one in ("cor", "inc", "mis", "spu")}
ROWS[NOT_COUNTED] = {FILLS: Figure()}
"""The counts of a fill by its outcome."""


# --- the score ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TemplateScore:
    """The score of a response."""

    pairs: Sequence[TemplatePair]  # key and response of each document
    # by document, templates of the key, then those of the response that are not aligned
    rows: Mapping[str, Sequence[TemplateRows]]
    settings: TemplateSettings
    notes: tuple[str, ...] = ()  # a sentence each

    @cached_property
    def scheme(self) -> SchemeScore:
        """The score in the form of other schemes; labels are ``TYPE.SLOT``."""
        documents = []
        for id, found in self.rows.items():
            named = ((f"{t.type}.{row.slot}", ROWS[row.outcome]) for t in found for row in t.rows)
            documents.append(DocumentFigures(id, by_label(named)))
        return SchemeScore(
            tuple(documents), self.settings.listed(), name="templates", notes=self.notes
        )

    @property
    def total(self) -> Figure:
        """The figure over all fills that count."""
        return self.scheme.total.get(FILLS, Figure())

    @cached_property
    def groups(self) -> dict[str, dict[str, Figure]]:
        """The figures by type of template, by slot (``TYPE.SLOT``) and by document."""
        slots = self.scheme.labels
        types = by_label((label.partition(".")[0], row) for label, row in slots.items())
        groups = {"types": types, "slots": slots, "documents": self.scheme.totals}
        return {
            name: {one: row.get(FILLS, Figure()) for one, row in rows.items()}
            for name, rows in groups.items()
        }

    @cached_property
    def ranges(self) -> dict[str, tuple[Figure, Figure]]:
        """The figures of each document with least and greatest F, by the ties of greedy."""
        found = {}
        for pair in self.pairs:
            ways = [self.rows[pair[0].id]]  # the first is told where all are equal
            if self.settings.alignment == "greedy":
                ways += (document_rows(pair, self.settings, favour) for favour in (-1, 1))
            figures = [
                Figure.sum(ROWS[row.outcome][FILLS] for each in way for row in each.rows)
                for way in ways
            ]
            rates = [figure.f(self.settings.beta) or 0 for figure in figures]
            least, most = (figures[rates.index(end)] for end in (min(rates), max(rates)))
            found[pair[0].id] = least, most
        return found


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
    found = workers.each(
        partial(document_rows, settings=settings),
        pairs,
        name=lambda pair: pair[0].id,
        jobs=jobs,
        watch=watch,
    )
    rows = {pair[0].id: own for pair, own in zip(pairs, found, strict=True)}
    return TemplateScore(pairs, rows, settings, tuple(_notes(pairs, settings)))


def _paired(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
) -> list[TemplatePair]:
    """The documents of a key and a response, paired by id."""
    key_of, response_of = ({one.id: one for one in side} for side in (keys, responses))
    if not key_of and not response_of:
        raise SerevalError("no template in key and response, expected some in one of them")
    sides = ("response", key_of, response_of), ("key", response_of, key_of)
    for name, side, other in sides if settings.missing == "error" else ():
        if alone := [id for id in side if id not in other]:
            more = f" ({len(alone) - 1} more have none)" if len(alone) > 1 else ""
            found = "" if other else f"no template in the {name}: "
            raise SerevalError(
                f"{found}document {alone[0]} has no {name}{more}, expected one with the same id; "
                "--missing empty counts it as one without templates"
                f"{meant(alone, other.keys() - side.keys())}"
            )
    return [
        (key_of.get(id, TemplateDocument(id)), response_of.get(id, TemplateDocument(id)))
        for id in dict.fromkeys((*key_of, *response_of))
    ]


def _notes(pairs: Sequence[TemplatePair], settings: TemplateSettings) -> Iterator[str]:
    """Remarks for the reader of the figures."""
    slots = [
        (template.type, name, slot)
        for document in chain.from_iterable(pairs)
        for template in document.templates
        for name, slot in template.slots.items()
    ]
    ignored = sum(
        len(slot.fills) for type, name, slot in slots if is_named(settings.ignored, type, name)
    )
    if ignored:
        yield f"Not looked at: {ignored} fills of {', '.join(settings.ignored)}."
    sides = zip(*pairs, strict=True)
    for name, other in zip(("response", "key"), sides, strict=True):
        if alone := sum(not document.templates for document in other):
            yield f"Documents in the {name} only: {alone}."
    known = {name for type, slot, _ in slots for name in (slot, f"{type}.{slot}")}
    absent = [name for name in settings.low_entropy if name not in known]
    if absent and settings.criterion == "restrictive":
        yield f"Slots of low entropy that no template has: {', '.join(absent)}."
