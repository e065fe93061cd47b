"""Agreement between several annotators of structured entities: Fleiss' kappa, Krippendorff's alpha.

Both coefficients compare the values that annotators give the same *units*:

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

Source: Fleiss 1971; Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C;
Hripcsak and Rothschild 2005 for F.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations
from typing import NamedTuple, TypeAlias, cast

from ..documents.model import Document
from ..documents.words import recut
from ..errors import SerevalError, one_line
from ..evaluation.settings import Signature
from ..render.report import (
    Column,
    Look,
    Report,
    Reported,
    Table,
    columns,
    filled,
    grouped,
    of,
    row,
    rows,
    values,
)
from ..render.text import counted, lines, rounded

VOID: tuple[str, ...] = ()
"""The value of a unit to which an annotator gave no element."""

UnitValues: TypeAlias = tuple[Hashable | None, ...]
"""The value of a unit for each annotator; ``None``: its document was not annotated."""


class Coefficients(NamedTuple):
    """The agreement of all annotators on units of one kind.

    Args:
        units: the number of units.
        kappa: Fleiss' kappa; ``None``: no unit of a document that all annotated, or the agreement
            by chance is complete.
        alpha: Krippendorff's alpha, nominal; ``None`` as for ``kappa``.
    """

    units: int
    kappa: Fraction | None
    alpha: Fraction | None

    @classmethod
    def of(cls, units: Mapping[UnitValues, int]) -> Coefficients:
        """The coefficients of units."""
        return cls(sum(units.values()), kappa(units), alpha(units))


def kappa(units: Mapping[UnitValues, int]) -> Fraction | None:
    """Fleiss' kappa of the units with a value for every annotator."""
    whole = {unit: number for unit, number in units.items() if None not in unit}
    total = sum(whole.values())
    if not total:
        return None
    raters = len(next(iter(whole)))
    values = Counter[Hashable]()
    together = 0  # ordered pairs of annotators who agree on a unit
    for unit, number in whole.items():
        counts = Counter(unit)
        values.update({value: count * number for value, count in counts.items()})
        together += number * sum(count * (count - 1) for count in counts.values())
    observed = Fraction(together, total * raters * (raters - 1))
    expected = Fraction(sum(count**2 for count in values.values()), (total * raters) ** 2)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha(units: Mapping[UnitValues, int]) -> Fraction | None:
    """Krippendorff's alpha for nominal values; a unit with a single value does not count."""
    values = Counter[Hashable]()
    together = Fraction(0)  # the diagonal of the matrix of coincidences
    for unit, number in units.items():
        counts = Counter(value for value in unit if value is not None)
        size = counts.total()
        if size > 1:
            values.update({value: count * number for value, count in counts.items()})
            agreeing = sum(count * (count - 1) for count in counts.values())
            together += Fraction(number * agreeing, size - 1)
    total = values.total()
    by_chance = total**2 - sum(count**2 for count in values.values())
    return 1 - (total - 1) * (total - together) / by_chance if by_chance else None


class PairOfAnnotators(NamedTuple):
    """Two annotators, over the documents that both annotated.

    Args:
        first, second: their names.
        a, b: the number of elements of each.
        correct: the number of elements with the same label and the same words.
    """

    first: str
    second: str
    a: int
    b: int
    correct: int

    @property
    def f(self) -> Fraction | None:
        """The F-measure ``2 correct / (a + b)``; ``None`` without elements."""
        return Fraction(2 * self.correct, self.a + self.b) if self.a + self.b else None


COEFFICIENT = partial(rounded, digits=3, ends=(-1.0, 0.0, 1.0))

COLUMNS: tuple[Column[Coefficients, None], ...] = (
    Column("units", "integer", value=of("units")),
    Column("kappa", value=of("kappa"), text=COEFFICIENT),
    Column("alpha", value=of("alpha"), text=COEFFICIENT),
)

PAIRS: tuple[Column[PairOfAnnotators, None], ...] = (
    Column("A", "integer", value=of("a")),
    Column("B", "integer", value=of("b")),
    Column("correct", "integer", value=of("correct")),
    Column("F", value=of("f"), text=COEFFICIENT),
)

LEGEND = (
    "kappa: Fleiss, on units of documents that all annotated. alpha: Krippendorff, nominal.",
    "elements: spans with an element of some annotator; words: all words, with their labels.",
)

FORMS = {
    "units": Table((*columns("kind text", "label text"), *COLUMNS)),
    "pairs": Table((*columns("first text", "second text"), *PAIRS)),
    "annotators": rows("name text", "documents integer", "elements integer"),
    "total": row("shared integer", "F"),
}
"""The tables of the report; units without a label are of all labels."""


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
        of_units: list[tuple[tuple[str, str | None], Coefficients]] = [
            *(((kind, None), one) for kind, one in self.all.items()),
            *((("words", label), one) for label, one in self.labels.items()),
        ]
        tables = filled(
            FORMS,
            units=((*names, *values(COLUMNS, one, None)) for names, one in of_units),
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
        yield from (*lines(grouped(COLUMNS, groups, None)), "")
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
    elements = Counter(unit for document in documents for unit in _elements(document))
    elements[(VOID,) * len(names)] += max(0, places - elements.total())
    words = Counter(unit for document in documents for unit in _words(document))
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


def _labels_of_spans(document: Document | None) -> dict[tuple[int, int], list[str]] | None:
    """The labels of each span, from the outside in; ``None`` without a document."""
    if document is None:
        return None
    found: dict[tuple[int, int], list[str]] = {}
    for element in document.elements:  # parents stand before their children
        found.setdefault((element.start, element.end), []).append(element.label)
    return found


def _elements(annotated: Annotated) -> Iterator[UnitValues]:
    own = [_labels_of_spans(one) for one in annotated]
    for span in sorted({span for each in own if each is not None for span in each}):
        given = [None if each is None else each.get(span, []) for each in own]
        for k in range(max(len(each) for each in given if each is not None)):
            yield tuple(
                None if each is None else each[k] if k < len(each) else VOID for each in given
            )


def _words(annotated: Annotated) -> Iterator[UnitValues]:
    values = [None if one is None else _labels_over_words(one) for one in annotated]
    size = next(len(one.words) for one in annotated if one is not None)
    for k in range(size):
        yield tuple(None if over is None else over[k] for over in values)


def _labels_over_words(document: Document) -> list[tuple[str, ...]]:
    """The labels of all elements over each word, from the outside in."""
    over = [VOID] * len(document.words)
    for element in document.elements:
        for k in range(element.start, element.end):
            over[k] = (*over[k], element.label)
    return over


def _of_label(label: str, words: Mapping[UnitValues, int]) -> Counter[UnitValues]:
    """The units of words, with whether an element of the label is over each."""
    found = Counter[UnitValues]()
    for unit, number in words.items():
        held = (value if value is None else label in cast(tuple[str, ...], value) for value in unit)
        found[tuple(held)] += number
    return found


def _pair(names: Sequence[str], a: int, b: int, documents: Iterable[Annotated]) -> PairOfAnnotators:
    counts = [0, 0, 0]
    for annotated in documents:
        one, other = annotated[a], annotated[b]
        if one is not None and other is not None:
            ours, theirs = (
                Counter((e.start, e.end, e.label) for e in side.elements) for side in (one, other)
            )
            found = ours.total(), theirs.total(), (ours & theirs).total()
            counts = [count + more for count, more in zip(counts, found, strict=True)]
    return PairOfAnnotators(names[a], names[b], *counts)
