"""Agreement between annotators of structured entities.

**Two annotators** have S, pi, kappa and F. Chance-corrected agreement counts *places*: positions
where an element is possible. A pair of the mapping is one place. An element without a partner is
one place, which is *void* on the other side. The user sets the total number of places; the places
that remain are void on both sides and count as agreement.

**Several annotators** have Fleiss' kappa and Krippendorff's alpha. Both compare the values that
annotators give the same *units*:

- ``elements``: a unit is a span of words that at least one annotator gave an element. Its value is
  the label of that element, or *void* for an annotator without an element on exactly these words.
  Of several elements on the same words, the first from the outside is a unit of its own, then the
  second, and so on. The user may add units that are void for all annotators.
- ``words``: each word is a unit. Its value is the labels of all elements over it, from the outside
  in, or void. The coefficients of one label are on words too; the value of a word is whether an
  element of this label is over it.

Fleiss' kappa counts the units of documents that all annotators annotated. Alpha is nominal, and
also counts units of documents that two or more of them annotated. F is the mean of the F-measures
of all pairs of annotators, which is what kappa tends to as void units are added (Hripcsak and
Rothschild).

Source: LNE's scorer; S after Bennett et al. 1954, pi after Scott 1955, kappa after Cohen 1960.
Fleiss 1971; Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C;
Hripcsak and Rothschild 2005 for F.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, repeat
from typing import Any, NamedTuple, TypeAlias

from ..corpus.corpus import Corpus, Pair
from ..documents.model import Document
from ..documents.words import recut
from ..errors import SerevalError, one_line
from ..evaluation.evaluate import DocumentScore, Evaluation, score_document
from ..evaluation.report import unplaceable_notes
from ..evaluation.settings import Settings, Signature
from ..mapping.best import outcomes
from ..measures import Slot
from ..render.report import (
    Look,
    Report,
    Reported,
    Table,
    columns,
    counted,
    filled,
    grouped,
    lines,
    rounded,
    row,
    rows,
    values,
)

# Several annotators

VOID: tuple[str, ...] = ()
"""The value of a unit to which an annotator gave no element."""

UnitValues: TypeAlias = tuple[Any, ...]
"""The value of a unit for each annotator; ``None``: its document was not annotated."""


def beyond_chance(observed: Fraction, expected: Fraction) -> Fraction | None:
    """The agreement beyond chance as a share of the most that is possible beyond chance."""
    return None if expected == 1 else (observed - expected) / (1 - expected)


class Coefficients(NamedTuple):
    """The agreement of all annotators on units of one kind."""

    units: int
    # Fleiss'; None: no unit of a document that all annotated, or all agreement is by chance
    kappa: Fraction | None
    alpha: Fraction | None  # Krippendorff's, nominal; None: as for kappa

    @classmethod
    def of(cls, units: Mapping[UnitValues, int]) -> Coefficients:
        """The coefficients of units."""
        of_all = {unit: number for unit, number in units.items() if None not in unit}
        return cls(sum(units.values()), _coefficient(of_all, 0), _coefficient(units, 1))


def _coefficient(units: Mapping[UnitValues, int], own: int) -> Fraction | None:
    """The agreement beyond chance, by which two values are drawn: with ``own`` 0 the second may be
    the first itself (Fleiss), with 1 it is another (Krippendorff)."""
    values = Counter[Any]()
    together = Fraction(0)  # the diagonal of the matrix of coincidences
    for unit, number in units.items():
        counts = Counter(value for value in unit if value is not None)
        size = counts.total()
        if size > 1:
            values.update({value: count * number for value, count in counts.items()})
            agreeing = sum(count * (count - 1) for count in counts.values())
            together += Fraction(number * agreeing, size - 1)
    total, alike = values.total(), sum(count * (count - own) for count in values.values())
    if not total:
        return None
    return beyond_chance(together / total, Fraction(alike, total * (total - own)))


class PairOfAnnotators(NamedTuple):
    """Two annotators, and the numbers of their elements in the documents that both annotated."""

    first: str
    second: str
    a: int
    b: int
    correct: int  # with the same label and the same words

    @property
    def f(self) -> Fraction | None:
        """The F-measure ``2 correct / (a + b)``; ``None`` without elements."""
        return Fraction(2 * self.correct, self.a + self.b) if self.a + self.b else None


COEFFICIENT = partial(rounded, digits=3, ends=(-1.0, 0.0, 1.0))

OF_UNITS = columns("units integer") + columns("kappa", "alpha", text=COEFFICIENT)
PAIRS = columns("A integer", "B integer", "correct integer") + columns("F", text=COEFFICIENT)

LEGEND = (
    "kappa: Fleiss, on units of documents that all annotated. alpha: Krippendorff, nominal.",
    "elements: spans with an element of some annotator; words: all words, with their labels.",
)

SEVERAL_FORMS = {
    "units": Table((*columns("kind text", "label text"), *OF_UNITS)),
    "pairs": Table((*columns("first text", "second text"), *PAIRS)),
    "annotators": rows("name text", "documents integer", "elements integer"),
    "total": row("shared integer", "F"),
}
"""The tables of the report on several annotators; units without a label are of all labels."""


@dataclass(frozen=True, slots=True, repr=False)
class Annotators(Reported):
    """The agreement of several annotators.

    Args:
        elements: for each annotator the number of elements, by name.
        documents: the number of documents that each annotated, by name.
        shared: the number of documents that all annotated.
        all: the coefficients on units of each kind: ``elements`` and ``words``.
        labels: for each label the coefficients on whether an element of it is over a word.
        pairs: each pair of annotators.
        signature: all names and values that can change a result.

    >>> from sereval import annotators, from_spans
    >>> gold = [from_spans(["Dol"], [("loc", 0, 1)])]
    >>> found = annotators({"ann": gold, "bob": gold})
    >>> found.elements, found.shared, found.f
    ({'ann': 1, 'bob': 1}, 1, Fraction(1, 1))
    """

    elements: Mapping[str, int]
    documents: Mapping[str, int]
    shared: int
    all: Mapping[str, Coefficients]
    labels: Mapping[str, Coefficients]
    pairs: tuple[PairOfAnnotators, ...]
    signature: Signature

    @property
    def f(self) -> Fraction | None:
        """The mean of the F-measures of all pairs; ``None`` if none has elements."""
        found = [pair.f for pair in self.pairs if pair.f is not None]
        return sum(found, Fraction(0)) / len(found) if found else None

    def report(self) -> Report:
        """The coefficients on units of each kind and on each label, and the pairs."""
        tables = filled(
            SEVERAL_FORMS,
            units=[
                *((kind, None, *values(OF_UNITS, one, None)) for kind, one in self.all.items()),
                *(
                    ("words", label, *values(OF_UNITS, one, None))
                    for label, one in self.labels.items()
                ),
            ],
            pairs=((one.first, one.second, *values(PAIRS, one, None)) for one in self.pairs),
            annotators=((name, self.documents[name], n) for name, n in self.elements.items()),
            total=[(self.shared, self.f)],
        )
        return Report("agreement", tables, self._text, self.signature)

    def _text(self, _: Look) -> Iterator[str]:
        for name, number in self.elements.items():
            size = counted(self.documents[name], "document"), counted(number, "element")
            yield f"{one_line(name)}: {', '.join(size)}"
        yield f"{counted(self.shared, 'document')} annotated by all"
        groups = {"": self.all, "words by label": self.labels}
        pairs = {"": {f"{one.first}, {one.second}": one for one in self.pairs}}
        yield ""
        yield from (*lines(grouped(OF_UNITS, groups, None)), "")
        yield from lines(grouped(PAIRS, pairs, None))
        yield from ("", f"F, mean of all pairs: {COEFFICIENT(self.f)}", *LEGEND, "")
        yield str(self.signature)


def annotators(
    annotations: Mapping[str, Sequence[Document]],
    *,
    places: int = 0,
    settings: Iterable[tuple[str, str | None]] = (),
) -> Annotators:
    """The agreement of several annotators on the same documents.

    Args:
        annotations: the documents of each annotator, by name.
        places: the least number of element units; those that are missing are void for all.
        settings: further parts of the signature.

    Returns:
        The numbers of elements and documents by name; Fleiss' kappa and Krippendorff's alpha, as
        exact fractions, on all elements, on all words and for each label in alphabetical order; the
        agreement of each pair of annotators, in the order of ``annotations``.

    Raises:
        SerevalError: fewer than two annotators; no document that two annotated; the words of a
            document differ; a negative number of places.

    >>> from sereval import from_spans
    >>> words, loc = ("in", "Paris"), [("loc", 1, 2)]
    >>> both = {"ann": [from_spans(words, loc)], "bob": [from_spans(words, loc)]}
    >>> found = annotators({**both, "eve": [from_spans(words)]})
    >>> found.all["words"].units, float(found.all["words"].kappa), float(found.pairs[0].f)
    (2, 0.25, 1.0)
    """
    if len(annotations) < 2:
        raise SerevalError("found one annotator, expected two or more")
    if places < 0:
        raise SerevalError(f"{places} places, expected 0 or more")
    documents = list(_documents(annotations))
    if not documents:
        raise SerevalError("no document that two annotators annotated, expected at least one")
    names = list(annotations)
    elements, words = (
        Counter(unit for document in documents for unit in _units(document, values_of))
        for values_of in (_labels_of_places, _labels_over_words)
    )
    elements[(VOID,) * len(names)] += max(0, places - elements.total())
    labels = {e.label for document in documents for one in document if one for e in one.elements}
    return Annotators(
        {name: sum(len(one.elements) for one in own) for name, own in annotations.items()},
        {name: len(own) for name, own in annotations.items()},
        sum(None not in document for document in documents),
        {
            "elements": Coefficients.of(elements),
            "words": Coefficients.of(words),
        },
        {label: Coefficients.of(_of_label(label, words)) for label in sorted(labels)},
        tuple(_pair(names, a, b, documents) for a, b in combinations(range(len(names)), 2)),
        Signature(
            [
                ("agreement", None),
                ("annotators", str(len(names))),
                ("places", str(places)),
                *settings,
            ]
        ),
    )


Annotated: TypeAlias = tuple[Document | None, ...]
"""One document as each annotator left it, all cut into the same words."""


def _documents(annotations: Mapping[str, Sequence[Document]]) -> Iterator[Annotated]:
    """The documents that two or more annotators annotated, in the order of their ids."""
    by_id = [{one.id: one for one in own} for own in annotations.values()]
    for id in sorted({id for own in by_id for id in own}):
        found = [own.get(id) for own in by_id]
        there = [one for one in found if one is not None]
        if len(there) > 1:
            finest = reduce(_cut, there)
            yield tuple(one if one is None else _cut(one, finest) for one in found)


def _cut(document: Document, other: Document) -> Document:
    """The document, cut wherever one of two has a cut."""
    return recut(document, other, advice="expected the same words from all annotators")[0]


def _labels_of_places(document: Document) -> dict[tuple[int, int, int], str]:
    """The label of each element by its words, and its number from the outside in among theirs."""
    found: dict[tuple[int, int, int], str] = {}
    seen = Counter[tuple[int, int]]()
    for element in document.elements:  # parents stand before their children
        span = element.start, element.end
        found[*span, seen[span]] = element.label
        seen[span] += 1
    return found


def _labels_over_words(document: Document) -> dict[int, tuple[str, ...]]:
    """The labels of all elements over each word, from the outside in."""
    over = dict.fromkeys(range(len(document.words)), VOID)
    for element in document.elements:
        for k in range(element.start, element.end):
            over[k] = (*over[k], element.label)
    return over


def _units(
    annotated: Annotated, values_of: Callable[[Document], Mapping[Any, object]]
) -> Iterator[UnitValues]:
    """The units of a document that some annotator gave a value, from the values of each."""
    own = [None if one is None else values_of(one) for one in annotated]
    places = set().union(*filter(None, own))
    given = (repeat(None) if each is None else map(each.get, places, repeat(VOID)) for each in own)
    return zip(*given, strict=False)


def _of_label(label: str, words: Mapping[UnitValues, int]) -> Counter[UnitValues]:
    """The units of words, with whether an element of the label is over each."""
    found = Counter[UnitValues]()
    for unit, number in words.items():
        found[tuple(value if value is None else label in value for value in unit)] += number
    return found


def _pair(names: Sequence[str], a: int, b: int, documents: Sequence[Annotated]) -> PairOfAnnotators:
    pairs = [(one, other) for own in documents if (one := own[a]) and (other := own[b])]
    ours, theirs = (
        Counter(
            (k, e.start, e.end, e.label)
            for k, pair in enumerate(pairs)
            for e in pair[side].elements
        )
        for side in (0, 1)
    )
    correct = (ours & theirs).total()
    return PairOfAnnotators(names[a], names[b], ours.total(), theirs.total(), correct)


# Two annotators


SlotLabels = tuple[Slot, str | None, str | None]
"""The class of a slot, its label in A and its label in B; ``None`` for a side without element."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The counts of agreement between side A (the reference) and side B (the hypothesis)."""

    correct: int
    # the other pairs; in an open count none, for each is an element of A and one of B alone
    substituted: int
    void: int  # the places where neither side has an element
    # the places of each label in A and in B; None: void
    ours: Counter[str | None]
    theirs: Counter[str | None]

    @classmethod
    def of(
        cls, slots: Iterable[tuple[SlotLabels, int]], places: int, *, is_open: bool
    ) -> Agreement:
        """The agreement on slots and their numbers; ``places`` is the least number of places."""
        ours, theirs = Counter[str | None](), Counter[str | None]()
        correct = substituted = 0
        for (slot, a, b), number in slots:
            ours[a] += number
            theirs[b] += number
            if a is None or b is None:
                continue
            if slot is Slot.CORRECT:
                correct += number
            elif is_open:  # two places instead of one
                ours[None] += number
                theirs[None] += number
            else:
                substituted += number
        void = max(0, places - ours.total())
        ours[None] += void
        theirs[None] += void
        return cls(correct, substituted, void, ours, theirs)

    @property
    def a(self) -> int:
        """The number of elements of A."""
        return self._places - self.ours[None]

    @property
    def b(self) -> int:
        """The number of elements of B."""
        return self._places - self.theirs[None]

    @property
    def _places(self) -> int:
        return self.ours.total()

    @property
    def observed(self) -> Fraction | None:
        """Observed agreement: the share of places on which both sides agree."""
        return Fraction(self.correct + self.void, self._places) if self._places else None

    @property
    def s(self) -> float | None:
        """Bennett's S, for which all labels and void are equally likely."""
        return self._coefficient(1, len({None, *self.ours, *self.theirs}))

    @property
    def pi(self) -> float | None:
        """Scott's pi, for which both annotators share one distribution of labels."""
        squares = sum(number**2 for number in (self.ours + self.theirs).values())
        return self._coefficient(squares, (2 * self._places) ** 2)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, for which each annotator has a separate distribution of labels."""
        together = sum(number * self.theirs[label] for label, number in self.ours.items())
        return self._coefficient(together, self._places**2)

    @property
    def f(self) -> float | None:
        """The F-measure ``2 correct / (A + B)``, without a correction for chance."""
        return 2 * self.correct / (self.a + self.b) if self.a + self.b else None

    def _coefficient(self, above: int, below: int) -> float | None:
        """The agreement beyond that by chance, whose share of the places is given."""
        if self.observed is None:
            return None
        found = beyond_chance(self.observed, Fraction(above, below))
        return None if found is None else float(found)


COLUMNS = (
    *columns("A integer", "B integer", "correct integer", "substituted integer", "void integer"),
    *columns("S", "pi", "kappa", "F", text=COEFFICIENT),
)

FORMS = {
    "agreement": Table((*COLUMNS, *columns("unplaceable integer")), kind="row"),
    "labels": Table((*columns("label text"), *COLUMNS)),
}
"""The tables of the report on two annotators."""


@dataclass(frozen=True, repr=False)
class Annotations(Evaluation):
    """The score of one annotation as the reference against another as the hypothesis."""

    # how many have each class and labels
    slots: Counter[SlotLabels] = field(default_factory=Counter)
    places: int = 0  # at least so many; 0: only the places that have an element
    is_open: bool = False  # each pair that is not correct counts as two places

    @property
    def agreement(self) -> Agreement:
        """The agreement over all documents."""
        return Agreement.of(self.slots.items(), self.places, is_open=self.is_open)

    @property
    def agreement_by_label(self) -> dict[str, Agreement]:
        """The agreement on each label alone, as if elements of other labels did not exist."""
        found: dict[str, list[tuple[SlotLabels, int]]] = {}
        for (slot, a, b), number in self.slots.items():
            for label in {a, b} - {None}:
                own = slot, a if a == label else None, b if b == label else None
                found.setdefault(str(label), []).append((own, number))
        return {
            label: Agreement.of(slots, self.places, is_open=self.is_open)
            for label, slots in sorted(found.items())
        }

    def report(self) -> Report:
        """The counts and coefficients of all labels, and of each."""
        total, by = self.agreement, self.agreement_by_label
        tables = filled(
            FORMS,
            agreement=[(*values(COLUMNS, total, None), self.counts.unplaceable)],
            labels=((label, *values(COLUMNS, one, None)) for label, one in by.items()),
        )
        kind = "open" if self.is_open else "closed"
        own = [("agreement", None), ("places", str(self.places)), ("substitutions", kind)]
        signature = Signature([*own, *self.signature])
        notes = [*unplaceable_notes(self), *self.notes]

        def text(_: Look) -> Iterator[str]:
            rows = {"": {"all": total, **by}}
            yield from lines(grouped(COLUMNS, rows, None))
            yield from ("", *notes, str(signature))

        return Report("agreement", tables, text, signature, notes)


def score_annotations(corpus: Corpus, settings: Settings) -> Annotations:
    """Score two annotations against each other: that of A as the reference, that of B."""
    documents: list[DocumentScore] = []
    slots = Counter[SlotLabels]()
    for _, (counts, found) in corpus.each(partial(_score, settings=settings)):
        documents.append(counts)
        slots.update(found)
    return Annotations(tuple(documents), settings, slots=slots)


def _score(pair: Pair, settings: Settings) -> tuple[DocumentScore, Counter[SlotLabels]]:
    document = score_document(*pair, settings)
    assert document.mapped is not None
    _, reference, hypothesis, mapping, _ = document.mapped
    found = Counter[SlotLabels]()
    labels: tuple[str | None, str | None]
    for slot in outcomes(reference, hypothesis, mapping):
        if slot.slot is Slot.INSERTION:
            labels = None, slot.label
        elif slot.hypothesis is None:
            labels = slot.label, None
        else:
            labels = slot.label, hypothesis.elements[slot.hypothesis].label
        found[slot.slot, *labels] += 1
    return document._replace(mapped=None), found
