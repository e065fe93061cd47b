"""What each system did with each element, so that the reference can be looked over.

"It also makes it possible to merge all systems outputs in an evaluation and collate the errors to
help correct the reference" (Galibert et al., IJCNLP 2011, section 5). Where systems agree with
one another against the reference, the reference may be wrong: that comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .audit import HYPOTHESIS, Audit, Row, audit
from .compare import positions
from .evaluate import Evaluation
from .model import Document, Time
from .score import Slot

CONTEXT = 4  # words shown on either side of an element

AGREEMENTS = {
    "other label": "every system gives it the same other label",
    "other span": "every system gives it the same other span",
    "missed": "every system misses it",
    "all wrong": "every system is wrong, not all in the same way",
    "some wrong": "some systems are wrong",
    "no place": "no system's words have a place for it; it does not count",
    "correct": "every system is right",
}
"""What systems do with a reference element, the most suspicious first."""

UNANIMOUS = ("other label", "other span", "missed")
"""Where systems agree against the reference."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one system did with an element.

    Args:
        slot: the class of its slot; ``None``: the words had no place for it, it does not count.
        label, words: of the hypothesis element; ``None`` and empty for a deletion.
        place: where that is: ms through time, characters on the same words.
    """

    slot: Slot | None
    label: str | None = None
    words: tuple[str, ...] = ()
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An element, and what each system did with it.

    Args:
        side: ``reference``, or ``hypothesis`` for an insertion.
        document: id of its document.
        place: where it is, of which items of a document are in order: reference elements have
            their index, insertions where their words are (see ``Answer``).
        labels: accepted ones; an insertion has one.
        words: its own; before, after: the words around it.
        time: when it was spoken, in ms; ``None`` without times.
        answers: by system; a system that has not made this insertion is not in it.
        agreement: one of ``AGREEMENTS``; for an insertion, how many systems made it.
        is_unanimous: whether all systems agree with one another against the reference.
    """

    side: str
    document: str
    place: tuple[int, ...]
    labels: tuple[str, ...]
    words: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    time: Time | None
    answers: Mapping[str, Answer]
    agreement: str
    is_unanimous: bool


@dataclass(frozen=True, slots=True)
class Collation:
    """One condition, collated.

    Args:
        systems: in the order of names.
        references: in the order of ``AGREEMENTS``, then of documents and elements.
        insertions: those that most systems made first, then by document and place.
    """

    name: str
    signature: str
    systems: tuple[str, ...]
    references: tuple[Item, ...]
    insertions: tuple[Item, ...]

    @property
    def items(self) -> list[Item]:
        """All of them, the unanimous ones first: there the reference may be wrong."""
        return sorted((*self.references, *self.insertions), key=lambda item: not item.is_unanimous)


def collate(name: str, evaluations: Mapping[str, Evaluation]) -> Collation:
    """Collate the systems of one condition.

    Args:
        name: of the condition.
        evaluations: by system, of the same documents.

    >>> from sereval import evaluate, tree
    >>> words = ("la", "Russie")
    >>> reference = [Document("d", words, tree([("loc", 1, 2)]))]
    >>> other = [Document("d", words, tree([("org", 1, 2)]))]
    >>> found = collate("manual", {s: evaluate(reference, other) for s in ("crf", "gaz")})
    >>> [(item.labels, item.agreement) for item in found.references]
    [(('loc',), 'other label')]
    """
    given = dict(sorted(evaluations.items()))
    references: list[Item] = []
    insertions: list[Item] = []
    for number, views in enumerate(zip(*(audit(e) for e in given.values()), strict=True)):
        first = next(iter(given.values()))
        through_time = first.settings.is_projected
        views_of = {
            system: _View(view, through_time=through_time)
            for system, view in zip(given, views, strict=True)
        }
        annotated = first.documents[number].annotated
        references += _references(views_of, annotated if isinstance(annotated, Document) else None)
        insertions += _insertions(views_of)
    rank = list(AGREEMENTS)
    return Collation(
        name,
        next(iter(given.values())).signature,
        tuple(given),
        tuple(sorted(references, key=lambda i: (rank.index(i.agreement), i.document, i.place))),
        tuple(sorted(insertions, key=lambda i: (-_makers(i), i.document, i.place, i.labels))),
    )


class _View:
    """The rows of one system's document, and where its words are."""

    def __init__(self, rows: Audit, *, through_time: bool) -> None:
        self.rows = rows
        self.hypotheses = rows.hypotheses
        self.references = {row.index: row for row in rows.references}
        self.times = rows.hypothesis_words.times if through_time else None
        self.offsets = positions(rows.hypothesis_words.words)

    def place(self, row: Row) -> tuple[int, int]:
        """Where a hypothesis element is, whatever its words are cut into."""
        start, end = row.span or (0, 0)
        if self.times is not None:
            return self.times[start][0], self.times[end - 1][1]
        return self.offsets[start], self.offsets[end]

    def answer(self, row: Row) -> Answer:
        """What a row's slot is, and the hypothesis element in it."""
        if row.side == HYPOTHESIS:
            return Answer(row.slot, row.label, row.words, self.place(row))
        if row.partner is None:
            return Answer(row.slot)
        other = self.hypotheses[row.partner]
        return Answer(row.slot, other.label, other.words, self.place(other))


def _references(views: Mapping[str, _View], annotated: Document | None) -> Iterator[Item]:
    """The reference elements of one document; ``annotated`` on its own words, if known."""
    one = next(iter(views.values()))
    for index, row in one.references.items():
        answers = {system: view.answer(view.references[index]) for system, view in views.items()}
        document, span = one.rows.reference_words, row.span
        if annotated is not None:
            document, element = annotated, annotated.elements[index]
            span = element.start, element.end
        agreement = _agreement(list(answers.values()))
        unanimous = agreement in UNANIMOUS
        yield _item(row, document, span, (index,), answers, agreement, is_unanimous=unanimous)


def _agreement(answers: Sequence[Answer]) -> str:
    """The one of ``AGREEMENTS`` that holds."""
    slots = {answer.slot for answer in answers}
    if slots <= {Slot.CORRECT, None}:
        return "correct" if Slot.CORRECT in slots else "no place"
    if slots == {Slot.DELETION}:
        return "missed"
    if slots <= {Slot.TYPE, Slot.SPAN_AND_TYPE} and len({a.label for a in answers}) == 1:
        return "other label"
    if slots == {Slot.SPAN} and len({a.place for a in answers}) == 1:
        return "other span"
    return "some wrong" if slots & {Slot.CORRECT, None} else "all wrong"


def _insertions(views: Mapping[str, _View]) -> Iterator[Item]:
    """Insertions of one document: one item for the same label on the same words and place."""
    found: dict[tuple[object, ...], dict[str, list[Row]]] = {}
    for system, view in views.items():
        for row in view.hypotheses:
            key = row.label, "".join(row.words), view.place(row)
            found.setdefault(key, {}).setdefault(system, []).append(row)
    for rows in found.values():
        # a system may have the same element twice: its insertions are told first
        told = {s: sorted(same, key=lambda row: not _is_insertion(row)) for s, same in rows.items()}
        for k in range(max(map(len, told.values()))):
            nth = {system: same[k] for system, same in told.items() if k < len(same)}
            made = [system for system, row in nth.items() if _is_insertion(row)]
            if made:
                view, row = views[made[0]], nth[made[0]]
                words = view.rows.hypothesis_words
                answers = {system: views[system].answer(row) for system, row in nth.items()}
                agreement = f"made by {len(made)} of {len(views)}"
                unanimous = len(made) == len(views)
                place = view.place(row)
                yield _item(row, words, row.span, place, answers, agreement, is_unanimous=unanimous)


def _is_insertion(row: Row) -> bool:
    return row.slot is Slot.INSERTION


def _makers(item: Item) -> int:
    """How many systems made an insertion."""
    return sum(answer.slot is Slot.INSERTION for answer in item.answers.values())


def _item(
    row: Row,
    document: Document,
    span: tuple[int, int] | None,
    place: tuple[int, ...],
    answers: Mapping[str, Answer],
    agreement: str,
    *,
    is_unanimous: bool,
) -> Item:
    start, end = span or (0, 0)
    words = document.words
    return Item(
        row.side,
        row.document,
        place,
        row.labels,
        words[start:end],
        words[max(0, start - CONTEXT) : start],
        words[end : end + CONTEXT] if span else (),
        row.time,
        answers,
        agreement,
        is_unanimous,
    )
