"""The result of a scheme: the figures that another scorer of the literature counts.

A scheme is a choice of word alignment, mapping and measure. Every scheme counts *figures* (such as
``type``, ``extent``, ``content``) by document and label. Figures of all schemes are added up,
divided and reported in the same way. A scheme that counts elements also gives a `Verdict` for each
slot: its figures are then sums over verdicts, and the audit shows the verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import chain
from operator import attrgetter
from sys import intern
from typing import Any, NamedTuple, Self, TypeAlias

from ..corpus.corpus import Pair, Scorer
from ..documents.model import Document, Reference, Span
from ..errors import one_line
from ..evaluation.evaluate import Notes, ScoreInterval, read_choices, sentences
from ..evaluation.report import (
    INTERVAL,
    MATCHES,
    WORDS,
    interval_line,
    most_costly,
    word_rows,
    words_lines,
)
from ..evaluation.settings import Settings
from ..evaluation.words import DocumentErrors, RateScore, WordScore, score_beside
from ..measures import OF_PAIRS, Additive, Errors, Rate, Slot
from ..render.report import (
    Column,
    Forms,
    Look,
    Paged,
    Report,
    Reported,
    Table,
    TextRow,
    columns,
    filled,
    grouped,
    lines,
    of,
    percent,
    rounded,
    values,
)
from .table import ERROR_RATES, SCHEMES

# MUC counted slot fills in five classes, and later scorers use the same: correct, incorrect,
# partial, missing, spurious. As with ``Counts``, counts are stored and summed, and rates derived.
#
# Source: Chinchor, MUC-6 scoring definitions; Kehler et al. 2001, section 2.3. Distances:
# Bastianelli et al., EMNLP 2020 (SLU-F1); Villanova-Aparisi et al., DAS 2022; the program ie-eval.


@dataclass(frozen=True, slots=True)
class Figure(Additive):
    """The counts of one figure, such as *type* or *extent*; adds up with ``+`` and :func:`sum`."""

    cor: int = 0  # correct
    inc: int = 0  # incorrect
    par: int = 0  # partially correct, with half the credit
    mis: int = 0  # missing: in the reference only
    spu: int = 0  # spurious: in the hypothesis only
    distance: int | Fraction = 0  # of the texts of correct pairs: an error of either side on top

    @property
    def only(self) -> str | None:
        """The name of the only count that is 1 if all others are 0; else ``None``."""
        names = ("cor", "inc", "par", "mis", "spu")
        counted = [name for name in names for _ in range(getattr(self, name))]
        return counted[0] if len(counted) == 1 else None

    @property
    def possible(self) -> int:
        """``POS``: the number of items in the reference."""
        return self.cor + self.inc + self.par + self.mis

    @property
    def actual(self) -> int:
        """``ACT``: the number of items in the hypothesis."""
        return self.cor + self.inc + self.par + self.spu

    @property
    def precision(self) -> float | None:
        """Credit over ``ACT`` and distances; ``None`` if both are 0."""
        return _rate(2 * self.cor + self.par, 2 * (self.actual + self.distance))

    @property
    def recall(self) -> float | None:
        """Credit over ``POS`` and distances; ``None`` if both are 0."""
        return _rate(2 * self.cor + self.par, 2 * (self.possible + self.distance))

    @property
    def errors(self) -> int | Fraction:
        """Errors of recall and of precision; an incorrect pair and a distance are one of each."""
        return self.mis + self.spu + 2 * self.inc + self.par + 2 * self.distance

    @property
    def size(self) -> int | Fraction:
        """The denominator of F; :attr:`errors` is its part without credit."""
        return self.possible + self.actual + 2 * self.distance

    def f(self, beta: float = 1.0) -> float | None:
        """F-measure of precision and recall; ``None`` if there is no item on either side."""
        n, d = beta.as_integer_ratio()
        recall, precision = self.possible + self.distance, self.actual + self.distance
        credit = (n * n + d * d) * (2 * self.cor + self.par)
        return _rate(credit, 2 * (n * n * recall + d * d * precision))

    # In an error rate ``inc`` are entities without a partner, one of each side, which count one
    # error together; ``mis`` and ``spu`` are those that are left then.
    @property
    def edits(self) -> int | Fraction:
        """The errors of an error rate."""
        return self.inc + self.mis + self.spu + self.distance

    @property
    def error_rate(self) -> float | None:
        """Edits over ``POS``; ``None`` if it is 0. It can exceed 1."""
        return _rate(self.edits, self.possible)


def _rate(above: int | Fraction, below: int | Fraction) -> float | None:
    return float(above / below) if below else None


def figure_rate(name: str) -> Rate:
    """The rate of a figure of a scheme: its F, or its error rate."""
    if name in ERROR_RATES:
        return Rate(
            title=f"Error rate {name}",
            short=name,
            size_is="reference entities",
            kinds="missing, spurious, incorrect and distances",
            nothing="no reference entity",
            classes=OF_PAIRS,
            figure=name,
        )
    return Rate(
        title=f"F of {name}",
        short=f"F of {name}",
        size_is="in POS + ACT",
        is_better="higher",
        kinds="missing, spurious, incorrect (twice each)",
        classes=OF_PAIRS,
        ref_is="POS",
        figure=name,
    )


def figure_errors(row: Mapping[str, Figure], name: str) -> Errors:
    """The errors in the counts of a figure: missing, spurious, and all others."""
    figure = row.get(name, Figure())
    errors, size = figure.errors, figure.size
    if name in ERROR_RATES:
        errors, size = figure.edits, figure.possible
    wrong = Fraction(errors) - figure.mis - figure.spu
    return Errors(Fraction(figure.mis), Fraction(figure.spu), wrong, size, figure.possible)


FigureRow = Mapping[str, Figure]
"""Figures by name."""


Spans: TypeAlias = tuple[Span, ...]


class Verdict(NamedTuple):
    """The counts of one slot."""

    slot: Slot  # the class of the definition that is nearest
    label: str  # of the reference element or, for a spurious slot, of the hypothesis element
    reference: int | None  # index; None: spurious
    hypothesis: int | None  # index, mentions without a place after the elements; None: missing
    figures: FigureRow  # in each figure of this mapping


@dataclass(frozen=True, slots=True)
class Account:
    """One document under a scheme, with the verdict on each slot."""

    annotated: Document | Reference  # before projection
    reference: Reference  # as compared: on the hypothesis's words if the scheme projects
    hypothesis: Document
    verdicts: tuple[Verdict, ...]  # of one mapping for all figures, or of one for each
    # by figure, the frontiers of each reference element; empty: none are chosen
    placement: Mapping[str, Spans]


def verdicts(
    labels: tuple[Sequence[str], Sequence[str]],
    pairs: Mapping[int, int],
    slot: Callable[[int, int], Slot],
    row: Callable[[int | None, int | None], FigureRow],
) -> Iterator[Verdict]:
    """The verdict on each slot of a mapping; a pair counts under the reference's label."""
    for r, label in enumerate(labels[0]):
        h = pairs.get(r)
        yield Verdict(Slot.DELETION if h is None else slot(r, h), label, r, h, row(r, h))
    taken = {*pairs.values()}
    for h, label in enumerate(labels[1]):
        if h not in taken:
            yield Verdict(Slot.INSERTION, label, None, h, row(None, h))


@cache
def rows_of(name: str, pair: str = "cor") -> Callable[[int | None, int | None], FigureRow]:
    """The counts of slots in one figure, in which all pairs have one outcome."""
    found: dict[str, FigureRow] = {one: {name: Figure(**{one: 1})} for one in (pair, "mis", "spu")}
    return lambda r, h: found["spu" if r is None else "mis" if h is None else pair]


AlignedRow = tuple[str, str, str, str, str]
"""A row of EVALITA's aligned file: a word of the reference and its tag; the word error, S, D, I or
nothing; a word of the hypothesis and its tag. A side without a word in this row has the tag O."""


@lru_cache(maxsize=1 << 15)
def _row(*figures: tuple[str, Figure]) -> FigureRow:
    """Figures by name; equal rows are one, as most of a corpus are."""
    return dict(figures)


class DocumentFigures(NamedTuple):
    """The figures of one document."""

    id: str
    labels: Mapping[str, FigureRow]  # by label
    mapped: Account | None = None  # None unless Settings.figure names one
    tokens: Figure | None = None  # correct and incorrect tags, if the scheme counts tags
    rows: Sequence[AlignedRow] = ()  # of the aligned file, if Settings.aligned is set
    numbers: Mapping[str, int] = {}  # what its notes and its signature are made from
    notes: Notes = ((), ())  # of the readers of reference and hypothesis
    words: DocumentErrors | None = None  # None: the words were not compared


@dataclass(frozen=True, repr=False)
class SchemeScore(Paged, Reported, RateScore):
    """The score of a scheme.

    The sums of figures are ``total``, ``totals`` (by document) and ``labels``; ``accuracy`` is the
    share of correct tags.

    Args:
        documents: the figures of each document by label, with its account if there is a figure.
        settings: the parts of the signature: names and values that can change a result, in order.
        figure: the figure for comparisons of systems and for the audit; empty: there is none.
        name: the name of the scheme, as in ``--scheme``.
        title: not used; other scores name their rate by it.
        notes: sentences that a reader of the figures must know.
        words: the settings of the projection or alignment of words, for the accounts.
        word_score: the errors of the hypotheses' words; ``None``: words were not compared.
        interval: the interval of the figure; ``None``: none was asked for.
        wrong_words: the number of word errors, for a scheme that counts them itself; otherwise 0.

    >>> found = {"type": Figure(cor=1, mis=1)}
    >>> documents = DocumentFigures("a", {"PER": found}), DocumentFigures("b", {"LOC": found})
    >>> score = SchemeScore(documents, name="muc")
    >>> score.total["type"].recall, sorted(score.labels), str(score.signature)
    (0.5, ['LOC', 'PER'], 'muc|version:0.1.0')
    """

    documents: tuple[DocumentFigures, ...]
    notes: tuple[str, ...] = ()
    words: Settings = Settings()
    word_score: WordScore | None = None
    interval: ScoreInterval | None = None
    wrong_words: int = 0

    def by(self, figure: str, title: str = "") -> Self:
        """The same score with another figure of the scheme for comparisons and for the audit."""
        if figure == self.figure:
            return self
        return replace(self, settings=(*self.settings, ("figure", figure)), figure=figure)

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared: that of its figure, or of the first one."""
        return figure_rate(self.figure or SCHEMES[self.name].figures[0])

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        return figure_errors(self.total, self.rate.figure)

    def only(self, ids: Collection[str]) -> Self:
        """The score of some of the documents; its signature names them."""
        return replace(super().only(ids), word_score=self.word_score and self.word_score.only(ids))

    def classes(self) -> Iterator[tuple[str, dict[str, Counter[Slot]]]]:
        """The number of slots of the figure by label and class of each document, after its id."""
        name = self.rate.figure
        for account in self.mapped:
            labels: dict[str, Counter[Slot]] = {}
            for verdict in account.verdicts:
                if name in verdict.figures:
                    labels.setdefault(verdict.label, Counter())[verdict.slot] += 1
            yield account.reference.id, labels

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        name = self.rate.figure
        return ((id, figure_errors(row, name)) for id, row in self.totals.items())

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label, in alphabetical order."""
        name = self.rate.figure
        return {label: figure_errors(row, name) for label, row in self.labels.items()}

    @property
    def has_other_words(self) -> bool:
        """Whether the words of the two sides are known to differ: some word is wrong."""
        return self.word_errors is not None or self.wrong_words > 0

    @property
    def tokens(self) -> Figure:
        """Correct and incorrect tags, if the scheme counts tags."""
        return Figure.sum(one.tokens for one in self.documents if one.tokens is not None)

    @property
    def accuracy(self) -> float | None:
        """Share of correct tags; ``None`` if the scheme counts no tags."""
        return self.tokens.recall

    @cached_property
    def labels(self) -> dict[str, dict[str, Figure]]:
        """Figures by label, over all documents, labels in alphabetical order."""
        return by_label(chain.from_iterable(one.labels.items() for one in self.documents))

    @cached_property
    def totals(self) -> dict[str, dict[str, Figure]]:
        """Figures by document, over all labels, documents in their order."""
        return {one.id: _sum(one.labels.values()) for one in self.documents}

    @cached_property
    def total(self) -> dict[str, Figure]:
        """Figures over all labels and documents."""
        return _sum(row for one in self.documents for row in one.labels.values())

    def report(self) -> Report:
        """Every figure, of all documents, by label and by document."""
        columns, legend = LAYOUTS.get(self.name, PLAIN)
        total = self.total or dict.fromkeys(SCHEMES[self.name].figures, Figure())
        empty = dict.fromkeys(total, Figure())

        def rows(named: Iterable[tuple[tuple[str, ...], FigureRow]]) -> Iterator[Sequence[Any]]:
            for names, figures in named:
                for figure, one in figures.items():
                    yield (*names, figure, *values(columns, one, EQUAL))

        has_tags, tokens = SCHEMES[self.name].counts == "tags", self.tokens
        tables = filled(
            forms(columns),
            document_labels=rows(
                ((one.id, label), row)
                for one in self.documents
                for label, row in one.labels.items()
            ),
            figures=rows([((), total)]),
            labels=rows(((label,), row) for label, row in self.labels.items()),
            documents=rows(((id,), empty | row) for id, row in self.totals.items()),
            tokens=[(tokens.cor, tokens.possible, self.accuracy)] if has_tags else [],
            interval=[] if self.interval is None else [self.interval],
            **word_rows(self.word_score),
        )
        words = self.word_errors
        notes = [*map(one_line, self.notes), *(words.notes if words else ())]

        def text(look: Look) -> Iterator[str]:
            """A table for each figure: totals, labels, documents; then notes and the signature."""
            for line in interval_line(self.interval):
                yield from (line, "")
            if has_tags:
                yield from (*layout(self), "", *self.notes, str(self.signature))
                return
            table: list[TextRow] = []
            every = {"all": self.total}, self.labels, self.totals
            for k, name in enumerate(self.total or ["nothing to count"]):
                of_all, of_labels, of_documents = (
                    {one: row.get(name, Figure()) for one, row in named.items()} for named in every
                )
                groups: dict[str, Mapping[str, Figure]] = {"": of_all}
                errors = "edits" if name in ERROR_RATES else "errors"
                if k == 0 or look.show == "all":
                    groups |= most_costly(look, of_labels, of_documents, attrgetter(errors))
                some = {heading: group for heading, group in groups.items() if group}
                table += [*grouped(columns, some, EQUAL, name), ()]
            yield from (*lines(table, width=look.width), legend)
            yield from (*words_lines(words), *map(one_line, self.notes), "", str(self.signature))

        return Report("score", tables, text, self.signature, notes)


def _sum(rows: Iterable[FigureRow]) -> dict[str, Figure]:
    """The figures of all rows, added up name by name, names in the order of the rows."""
    found: dict[str, list[Figure]] = {}
    for row in rows:
        for name, figure in row.items():
            found.setdefault(name, []).append(figure)
    return {name: Figure.sum(figures) for name, figures in found.items()}


def by_label(rows: Iterable[tuple[str, FigureRow]]) -> dict[str, dict[str, Figure]]:
    """The figures of all rows, added up by label, labels in alphabetical order."""
    found: dict[str, list[FigureRow]] = {}
    for label, row in rows:
        found.setdefault(label, []).append(row)
    return {label: _sum(of_label) for label, of_label in sorted(found.items())}


# --- scorers -------------------------------------------------------------------------------------


def scheme_scorer(
    settings: Settings,
    work: Callable[..., DocumentFigures],
    told: Callable[[Counter[str], Settings], SchemeScore],
) -> Scorer:
    """The scorer of a scheme; ``told`` gives the score's ``settings``, ``notes`` and ``words``."""

    def score(found: Sequence[DocumentFigures]) -> SchemeScore:
        documents = tuple(one._replace(numbers={}, notes=((), ()), words=None) for one in found)
        numbers = sum((Counter(one.numbers) for one in found), Counter[str]())
        notes = [one.notes for one in found]
        own = replace(told(numbers, settings), documents=documents, name=settings.scheme)
        if settings.figure is not None:
            own = own.by(settings.figure)
        return replace(
            own,
            notes=(*own.notes, *sentences(notes)),
            settings=(*own.settings, *read_choices(notes)),
            word_score=score_beside((one.words for one in found), settings),
        )

    return Scorer(partial(work, settings=settings), score)


def figures_of(
    pair: Pair,
    settings: Settings,
    every: Iterable[Verdict],
    sides: tuple[Document | Reference, Document] | None = None,
    placement: Mapping[str, Spans] = {},
    labels: Iterable[str] = (),
    numbers: Mapping[str, int] = {},
    names: Iterable[str] = (),
) -> DocumentFigures:
    """The figures of a document, with its account if ``settings.figure`` names a figure."""
    # ``sides`` as they are compared, if not as they are; ``labels`` have figures in any case;
    # ``names`` of figures in their order, if no label may have all
    account = None
    if settings.figure is not None:
        every = tuple(every)
        annotated, (reference, hypothesis) = pair[0], sides or pair
        if isinstance(reference, Document):
            annotated, reference = reference, Reference.exact(reference)
        account = Account(annotated, reference, hypothesis, every, placement)
    counted = ((one.label, one.figures) for one in every)
    figures = by_label(chain(counted, ((label, {}) for label in labels)))
    nothing = dict.fromkeys(chain(names, *figures.values()), Figure())
    rows = {intern(label): _row(*(nothing | row).items()) for label, row in figures.items()}
    return DocumentFigures(pair[0].id, rows, account, numbers=numbers)


# --- the report -----------------------------------------------------------------------------------

hundredths: Callable[[Fraction], str] = partial(rounded, digits=2, ends=())


OUTCOMES = columns(*(f"{name} integer" for name in ("COR", "INC", "PAR", "MIS", "SPU")))
"""The counts of the other schemes."""

FIGURES: tuple[Column[Figure, float], ...] = (
    *OUTCOMES,
    Column("POS", "integer", value=of("possible")),
    Column("ACT", "integer", value=of("actual")),
    *MATCHES,
    Column("f1", value=lambda figure, beta: figure.f(beta), title="F", text=percent),
)
"""The counts and rates of the other schemes. All rows share the weight of recall in F."""

LISTS: tuple[Column[Any, float], ...] = (
    Column("TP", "integer", value=of("cor")),
    Column("FP", value=lambda one, _: one.spu + one.distance, text=hundredths),
    Column("FN", value=lambda one, _: one.mis + one.distance, text=hundredths),
    *FIGURES[-3:],
)
"""The counts and rates of figures that add distances to the errors."""

ERRORS: tuple[Column[Any, float], ...] = (
    *(one for one in OUTCOMES if one.name != "PAR"),
    Column("distance", value=of("distance"), text=hundredths),
    Column("errors", value=of("edits"), text=hundredths),
    Column("Ref", "integer", value=of("possible")),
    Column("error_rate", value=of("error_rate"), title="rate", text=percent),
)
"""The counts of error rates."""

PLAIN = FIGURES, "COR correct, INC incorrect, PAR half correct, MIS missing, SPU spurious."
LAYOUTS: dict[str, tuple[tuple[Column[Any, float], ...], str]] = {
    "slurp": (LISTS, "TP pairs; FP and FN entities without a partner, and distances of pairs."),
    "oi": (
        ERRORS,
        "COR pairs, INC one of each side without a partner, MIS missing, SPU spurious; errors: INC "
        "+ MIS + SPU + distances of pairs.",
    ),
}
"""The columns of the schemes whose figures are not plain ones, and their legend."""

EQUAL = 1.0
"""The weight of recall in F if recall counts as much as precision."""


def forms(own: Sequence[Column[Any, float]]) -> Forms:
    """The tables of a score whose figures have some columns."""

    def table(*names: str) -> Table:
        return Table((*columns(*(f"{name} text" for name in names)), *own))

    return {
        "document_labels": table("document", "label", "figure"),
        "figures": table("figure"),
        "labels": table("label", "figure"),
        "documents": table("document", "figure"),
        "tokens": Table(columns("correct integer", "all integer", "accuracy"), kind="row"),
        **WORDS,
        "interval": INTERVAL,
    }


# --- the layout of conlleval ----------------------------------------------------------------------


def layout(score: SchemeScore, figure: str | None = None) -> list[str]:
    r"""The lines of a score as conlleval prints it: phrases, rates, and a line for each label."""
    names = list(score.total) or ["type"]
    if figure is None and len(names) > 1:
        return [line for name in names for line in (name, *layout(score, name), "")][:-1]
    name = figure or names[0]
    total, tokens = score.total.get(name, Figure()), score.tokens
    found = [
        f"processed {tokens.possible} tokens with {total.possible} phrases; "
        f"found: {total.actual} phrases; correct: {total.cor}."
    ]
    if tokens.possible:
        found.append(f"accuracy: {_ratio(tokens.cor, tokens.possible):6.2f}%; {_percent(total)}")
    for label, figures in score.labels.items():
        own = figures[name]
        found.append(f"{one_line(label):>17}: {_percent(own)}  {own.actual}")
    return found


def _ratio(part: int, whole: int) -> float:
    """A ratio in percent. It multiplies before it divides, so that it rounds as conlleval does."""
    return 100 * part / whole if whole else 0.0


def _percent(figure: Figure) -> str:
    precision, recall = _ratio(figure.cor, figure.actual), _ratio(figure.cor, figure.possible)
    f1 = 2 * precision * recall / (precision + recall) if figure.cor else 0.0
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"
