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

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from ..corpus import workers
from ..corpus.corpus import check_alone
from ..corpus.workers import Watch
from ..errors import SerevalError, check_choice
from ..schemes.result import DocumentFigures, Figure, SchemeScore, by_label
from .align import (
    TABLE_1,
    Fill,
    Template,
    TemplateDocument,
    TemplateSlot,
    align,
    candidates,
    groups,
    is_named,
    written,
)

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
        check_choice(self.missing, MISSING)

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

    type: str
    # the aligned templates, by their identifiers; None: there is none
    key_template: str | None
    response_template: str | None
    outcome: str | None  # None: neither template has a fill
    slot: str | None
    key: str | None  # as a file has it
    response: str | None


NOTHING = Template("", "", {})
"""Stands for the template that one side lacks."""


def document_rows(
    pair: TemplatePair, settings: TemplateSettings, favour: int = 0
) -> list[TemplateRow]:
    """Templates of the key in their order, then templates of the response without a partner."""
    low = settings.low_entropy if settings.criterion == "restrictive" else ()
    found = candidates(*pair, low, settings.ignored)
    aligned = align(found, groups(*pair), settings.alignment, favour)
    keys, responses = (dict[Any, Template](enumerate(side.templates)) for side in pair)
    partner, taken = dict(aligned), {r for _, r in aligned}
    absent = {one.id for k, one in keys.items() if one.optional and k not in partner}
    alone = ((None, r) for r in responses if r not in taken)
    every: list[TemplateRow] = []
    for k, r in (*((k, partner.get(k)) for k in keys), *alone):
        both = one, other = keys.get(k, NOTHING), responses.get(r, NOTHING)
        type, rows = one.type or other.type, list[Sequence[Any]]()
        for name in dict.fromkeys([*one.slots, *other.slots]):
            mine, others = (each.slots.get(name, TemplateSlot([])) for each in both)
            if is_named(settings.ignored, type, name):
                continue
            if one.id in absent:
                mine = mine._replace(optional=True)
            shared = found.get((k, r), {}).get(name)
            pairs = shared.match(aligned) if shared else {}
            rows += _slot_rows(name, mine, others.fills, pairs, absent)
        names = [each.id or None for each in both]
        for outcome, slot, *fills in rows or [(None,) * 4]:
            shown = (fill and written(fill) for fill in fills)
            every.append(TemplateRow._make((type, *names, outcome, slot, *shown)))
    return every


def _slot_rows(
    name: str,
    slot: TemplateSlot,
    others: Sequence[Fill],
    pairs: Mapping[int, int],
    absent: Container[str],
) -> Iterator[Sequence[Any]]:
    """The rows of a slot: matched fills, then the others in pairs, in their order."""
    taken = {*pairs.values()}
    rest = iter([other for j, other in enumerate(others) if j not in taken])
    left_out = []
    is_lacking = slot.optional and not others
    for i, fill in enumerate(slot.fills):
        if i in pairs:
            yield "cor", name, fill, others[pairs[i]]
        elif is_lacking or all(value.pointer and value.text in absent for value in fill):
            left_out.append((NOT_COUNTED, name, fill, None))
        else:
            other = next(rest, None)
            yield "inc" if other else "mis", name, fill, other
    yield from (("spu", name, None, other) for other in rest)
    yield from left_out


ROWS = {one: {FILLS: Figure(**{one: 1})} for one in ("cor", "inc", "mis", "spu")}
"""The counts of a fill by its outcome, if it counts."""


# --- the score ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TemplateScore:
    """The score of a response."""

    pairs: Sequence[TemplatePair]  # key and response of each document
    # by document, templates of the key, then those of the response that are not aligned
    rows: Mapping[str, Sequence[TemplateRow]]
    settings: TemplateSettings

    @cached_property
    def scheme(self) -> SchemeScore:
        """The score in the form of other schemes; labels are ``TYPE.SLOT``."""
        documents = []
        for id, found in self.rows.items():
            named = (
                (f"{row.type}.{row.slot}", ROWS.get(row.outcome, {FILLS: Figure()}))
                for row in found
                if row.outcome
            )
            documents.append(DocumentFigures(id, by_label(named)))
        notes = (*_notes(self.pairs, self.settings),)
        return SchemeScore(tuple(documents), self.settings.listed(), name="templates", notes=notes)

    @property
    def total(self) -> Figure:
        """The figure over all fills that count."""
        return self.scheme.total.get(FILLS, Figure())

    @cached_property
    def groups(self) -> list[dict[str, Figure]]:
        """The figures by type of template, by slot (``TYPE.SLOT``) and by document."""
        slots = self.scheme.labels
        types = by_label((label.partition(".")[0], row) for label, row in slots.items())
        return [
            {name: row.get(FILLS, Figure()) for name, row in rows.items()}
            for rows in (types, slots, self.scheme.totals)
        ]

    @cached_property
    def ranges(self) -> dict[str, tuple[Figure, Figure]]:
        """The figures of each document with least and greatest F, by the ties of greedy."""
        found = {}
        for pair in self.pairs:
            ways = [self.rows[pair[0].id]]  # the first is told where all are equal
            if self.settings.alignment == "greedy":
                ways += (document_rows(pair, self.settings, favour) for favour in (-1, 1))
            figures = [
                Figure.sum(ROWS[row.outcome][FILLS] for row in way if row.outcome in ROWS)
                for way in ways
            ]
            least, most = (
                end(figures, key=lambda one: one.f(self.settings.beta) or 0) for end in (min, max)
            )
            found[pair[0].id] = least, most
        return found


def score_templates(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
    *,
    jobs: int = 1,
    watch: Watch[TemplatePair] = iter,
) -> TemplateScore:
    """Align and score the documents of a key and a response, which pair by id."""
    pairs = _paired(keys, responses, settings)
    found = workers.each(
        partial(document_rows, settings=settings),
        pairs,
        name=lambda pair: pair[0].id,
        jobs=jobs,
        watch=watch,
    )
    rows = {pair[0].id: own for pair, own in zip(pairs, found, strict=True)}
    return TemplateScore(pairs, rows, settings)


AS_EMPTY = "; --missing empty counts them as ones without templates"


def _paired(
    keys: Sequence[TemplateDocument],
    responses: Sequence[TemplateDocument],
    settings: TemplateSettings,
) -> list[TemplatePair]:
    """The documents of a key and a response, paired by id."""
    key_of, response_of = ({one.id: one for one in side} for side in (keys, responses))
    if not (key_of or response_of):
        raise SerevalError("no template in key and response, expected some in one of them")
    if settings.missing == "error":
        check_alone(key_of, response_of, ("key", "response"), AS_EMPTY, AS_EMPTY)
        check_alone(response_of, key_of, ("response", "key"), AS_EMPTY, AS_EMPTY)
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
    if ignored := sum(
        len(slot.fills) for type, name, slot in slots if is_named(settings.ignored, type, name)
    ):
        yield f"Not looked at: {ignored} fills of {', '.join(settings.ignored)}."
    sides = zip(*pairs, strict=True)
    for name, other in zip(("response", "key"), sides, strict=True):
        if alone := sum(not document.templates for document in other):
            yield f"Documents in the {name} only: {alone}."
    known = {name for type, slot, _ in slots for name in (slot, f"{type}.{slot}")}
    absent = [name for name in settings.low_entropy if name not in known]
    if absent and settings.criterion == "restrictive":
        yield f"Slots of low entropy that no template has: {', '.join(absent)}."
