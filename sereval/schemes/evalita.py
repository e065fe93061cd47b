"""Scheme ``evalita2011``: named entities in transcripts, as EVALITA 2011 scored them.

The words of both sides are aligned in lower case with the fewest insertions, deletions and
substitutions (guidelines, 4.1). Opposite an inserted or deleted word stands ``O`` (5.1); the two
columns of tags that come of it are conlleval's input (5.2)::

    reference    serie B-ORG          A I-ORG      serie B-ORG  euh O       A I-ORG
    hypothesis   serie B-ORG  euh ×   A I-ORG  ->  serie B-ORG  euh ×       A I-ORG

Figures: ``type``; and ``type+content``, for which no word of a correct entity may be substituted
(4.2). Where a word is inserted inside an entity, as above, its ``I`` follows an ``O`` and begins
another phrase: the official method counts two phrases where the reference has one, and likewise
where a word inside an entity of the hypothesis stands for none. Mode ``official`` does that;
``repair`` takes the phrases of each side on that side's own words, so that none is split, and an
entity that has such a word inside is never correct. How many are split is said in either mode.

Source: Bartalesi Lenzi, Speranza, Sprugnoli, EVALITA 2011, Named Entity Recognition on
Transcribed Broadcast News, Guidelines for Participants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ..alignment.text import UNIT, align_text
from ..documents.tags import OUTSIDE, Aligned, Columns, Phrase, Row, error, lowered, phrases
from ..errors import SerevalError
from ..evaluation.signature import Part
from ..measures.figures import Figure
from .conll import (
    ConllScore,
    Shown,
    Side,
    Tally,
    both_sides,
    composed_note,
    conlleval,
    described,
    shown,
)
from .result import SchemeScore

MODES = ("official", "repair")

FIGURES = {"type": frozenset({"", "S"}), "type+content": frozenset({""})}
"""The errors that words of a correct entity may have, by figure."""


@dataclass(frozen=True, slots=True)
class Split:
    """Phrases of one side that words of the other side alone part.

    Args:
        phrases: how many. pieces: of how many phrases conlleval sees them.
    """

    phrases: int = 0
    pieces: int = 0

    def __add__(self, other: Split) -> Split:
        return Split(self.phrases + other.phrases, self.pieces + other.pieces)


@dataclass(frozen=True, slots=True)
class EvalitaScore:
    """The score, and what it was computed from.

    Args:
        conll: figures ``type`` and ``type+content``, and tokens: the rows of the aligned file.
        aligned: the aligned file's documents; they hold the tags of the official method.
        mode: one of ``MODES``.
        reference_split, hypothesis_split: what the official method splits, whatever the mode.
    """

    conll: ConllScore
    aligned: tuple[Aligned, ...]
    mode: str
    reference_split: Split
    hypothesis_split: Split

    @property
    def score(self) -> SchemeScore:
        """Figures by document and label."""
        return self.conll.score


def evalita(
    pairs: Iterable[tuple[Side, Side]], *, mode: str = "official", elements: str | None = None
) -> EvalitaScore:
    """Score entities on the recogniser's words against entities on the words that were said.

    Args:
        pairs: reference and hypothesis of each document.
        mode: ``official``, or ``repair``, which splits no entity.
        elements: which ones of a tree are scored; ``None`` refuses documents that hold trees.

    Raises:
        SerevalError: another mode; a tree and no choice of elements; a fuzzy reference.

    >>> gold = Columns("d", ("la", "FIAT", "SPA"), ("O", "B-ORG", "I-ORG"))
    >>> found = Columns("d", ("la", "FIA", "SPA"), ("O", "B-ORG", "I-ORG"))
    >>> figures = evalita([(gold, found)]).score.total  # Ex. 3, Hyp. 1
    >>> figures["type"].cor, figures["type+content"].cor
    (1, 0)
    """
    found = [counted(pair, mode=mode, elements=elements) for pair in pairs]
    return added(found, mode=mode, elements=elements)


class Figures(NamedTuple):
    """What one aligned document comes to.

    Args:
        labels: figures by label.
        splits: what the official method splits, of reference and hypothesis, whatever the mode.
        errors: number of rows by error.
        composed: number of words that are equal but for how their accents are composed.
    """

    id: str
    labels: dict[str, dict[str, Figure]]
    tokens: Figure
    splits: tuple[Split, Split]
    errors: Counter[str]
    composed: int

    @classmethod
    def of(cls, document: Aligned, mode: str) -> Figures:
        """Of the rows of a document."""
        tally = _official(document) if mode == "official" else _repaired(document)
        of_figure = {
            name: replace(tally, correct=list(_intact(tally.correct, document, allowed))).labels
            for name, allowed in FIGURES.items()
        }
        labels = {
            label: {name: labels[label] for name, labels in of_figure.items()}
            for label in of_figure["type"]
        }
        ours, theirs = (_split(document, side) for side in _SIDES)
        errors = Counter(row.error for row in document.rows)
        composed = sum(map(_is_composed_otherwise, document.rows))
        return cls(document.id, labels, tally.tokens, (ours, theirs), errors, composed)


class Counted(NamedTuple):
    """What is kept of one document.

    Args:
        sides: what a reader of the figures must know about reference and hypothesis.
        slack: how many word errors more than the least its alignment may have.
        aligned: its rows; ``None``: nobody asks for them.
    """

    figures: Figures
    sides: tuple[Shown, Shown]
    slack: int
    aligned: Aligned | None


def counted(pair: tuple[Side, Side], *, mode: str, elements: str | None) -> Counted:
    """One document; arguments and errors as of :func:`evalita`."""
    columns, sides = shown(pair, elements)
    document, slack = align(*columns)
    return Counted(Figures.of(document, mode), sides, slack, document)


def counted_bound(pair: tuple[Side, Side], *, mode: str, elements: str | None) -> Counted:
    """One document as it counts for :func:`shifted`."""
    columns, sides = shown(pair, elements)
    aligned, slack = align(*columns)
    document = _shifted(aligned)
    return Counted(Figures.of(document, mode), sides, slack, document)


def added(documents: Iterable[Counted], *, mode: str, elements: str | None) -> EvalitaScore:
    """The score that documents add up to."""
    found = list(documents)
    gold, hypothesis = both_sides(one.sides for one in found)
    notes = [*gold.notes("reference"), *hypothesis.notes("hypothesis")]
    slack = sum(one.slack for one in found)
    if slack:
        notes.append(f"The alignment has at most {slack} word errors more than the least possible.")
    return _added(found, mode, _settings(gold, hypothesis, elements), tuple(notes))


def added_bound(documents: Iterable[Counted], *, mode: str, elements: str | None) -> EvalitaScore:
    """The score of :func:`shifted` that documents add up to."""
    found = list(documents)
    settings = _settings(*both_sides(one.sides for one in found), elements)
    return _added(found, mode, (*settings, _BOUND), (_OF_BOUND,))


ADDED = {"found": (counted, added), "bound": (counted_bound, added_bound)}
"""What is kept of a document and how that is added up: of its own tags, or of shifted ones."""


def without_rows(pair: tuple[Side, Side], work: Callable[[tuple[Side, Side]], Counted]) -> Counted:
    """What ``work`` keeps of a document, but for its rows, which are as long as its words."""
    return work(pair)._replace(aligned=None)


def _settings(gold: Shown, found: Shown, elements: str | None) -> tuple[tuple[str, str], ...]:
    return (*described(gold, found, elements), ("alignment", "text,lower,S=1,D=1,I=1"))


def _added(
    found: Sequence[Counted],
    mode: str,
    settings: tuple[tuple[str, str], ...],
    notes: tuple[str, ...],
) -> EvalitaScore:
    aligned = tuple(one.aligned for one in found if one.aligned is not None)
    return _scored([one.figures for one in found], aligned, mode, settings, notes)


def align(reference: Columns, hypothesis: Columns) -> tuple[Aligned, int]:
    """The aligned file's rows of one document, and by how much they may miss the least cost.

    Words are handed to the alignment as numbers, equal where the words are in lower case, so that
    nothing else makes two words the same.

    >>> gold, found = Columns("d", ("o", "B"), ("O", "B-ORG")), Columns("d", ("O",), ("O",))
    >>> [row.error for row in align(gold, found)[0].rows]
    ['', 'D']
    """
    known: dict[str, int] = {}
    left, right = (
        [f"w{known.setdefault(lowered(word), len(known))}" for word in side.words]
        for side in (reference, hypothesis)
    )
    alignment = align_text(left, right, UNIT, ties="early")
    tags = reference.joined(), hypothesis.joined()
    rows = []
    for block in alignment.blocks:
        (i, j), (k, m) = block.ref, block.hyp
        ours = (reference.words[i], tags[0][i]) if i < j else ("", OUTSIDE)
        theirs = (hypothesis.words[k], tags[1][k]) if k < m else ("", OUTSIDE)
        rows.append(Row(*ours, error(ours[0], theirs[0]) or "", *theirs))
    return Aligned(reference.id, tuple(rows)), alignment.slack


def score_aligned(aligned: Iterable[Aligned], *, mode: str = "official") -> EvalitaScore:
    """Score documents that are aligned already, such as those of an aligned file.

    >>> table_4 = Aligned("d", (Row("o", "O", "", "o", "O"), Row("B", "B-ORG", "D", "", "O")))
    >>> score_aligned([table_4]).score.total["type"].mis
    1
    """
    documents = tuple(aligned)
    figures = [Figures.of(document, mode) for document in documents]
    return _scored(figures, documents, mode, (("alignment", "given"),), ())


_BOUND = ("hypothesis", "upper-bound")
_OF_BOUND = (
    "The tags of the hypothesis are those of the reference, on the words aligned to its own."
)


def shifted(score: EvalitaScore) -> EvalitaScore:
    """What a perfect tagger would get on the same words (guidelines, 2.3).

    The tags of the reference are shifted onto the words that are aligned to its words; inserted
    words have ``O``. The only errors left are those of the recogniser.

    >>> table_6 = Aligned("d", (
    ...     Row("FIAT", "B-ORG", "D", "", "O"), Row("SPA", "I-ORG", "S", "FIASPA", "B-ORG")))
    >>> shifted(score_aligned([table_6])).score.total["type"].recall
    0.0
    """
    documents = tuple(map(_shifted, score.aligned))
    figures = [Figures.of(document, score.mode) for document in documents]
    settings = (*score.score.settings[:-1], _BOUND)
    return _scored(figures, documents, score.mode, settings, (_OF_BOUND,))


def _shifted(document: Aligned) -> Aligned:
    return Aligned(
        document.id,
        tuple(
            row._replace(hypothesis_tag=row.reference_tag if row.hypothesis else OUTSIDE)
            for row in document.rows
        ),
    )


def _scored(
    found: Sequence[Figures],
    aligned: tuple[Aligned, ...],
    mode: str,
    settings: tuple[Part, ...],
    notes: tuple[str, ...],
) -> EvalitaScore:
    if mode not in MODES:
        raise SerevalError(f"mode {mode!r}, expected one of {', '.join(MODES)}")
    ours, theirs = (sum((one.splits[k] for one in found), Split()) for k in (0, 1))
    notes = (*notes, *_notes(found, mode, ours, theirs))
    documents = {one.id: one.labels for one in found}
    score = SchemeScore("evalita2011", documents, (*settings, ("mode", mode)), notes)
    tokens = {one.id: one.tokens for one in found}
    return EvalitaScore(ConllScore(score, tokens), aligned, mode, ours, theirs)


def _official(document: Aligned) -> Tally:
    """conlleval on the second and the fifth column."""
    return conlleval(
        [row.reference_tag for row in document.rows],
        [row.hypothesis_tag for row in document.rows],
    )


def _repaired(document: Aligned) -> Tally:
    """Phrases as each side has them on its own words; correct are those of the same rows."""
    ours, theirs = (_own(document, side) for side in _SIDES)
    correct = sorted(set(ours) & set(theirs))
    return Tally(ours, theirs, correct, _official(document).tokens)


_SIDES: tuple[Callable[[Row], tuple[str, str]], ...] = (
    lambda row: (row.reference, row.reference_tag),
    lambda row: (row.hypothesis, row.hypothesis_tag),
)
"""Word and tag of a row, on either side."""


def _own(document: Aligned, side: Callable[[Row], tuple[str, str]]) -> list[Phrase]:
    """The phrases that a side has without the rows in which it has no word, as spans of rows."""
    rows = [k for k, row in enumerate(document.rows) if side(row)[0]]
    found = phrases([side(document.rows[k])[1] for k in rows])
    return [Phrase(label, rows[start], rows[end - 1] + 1) for label, start, end in found]


def _intact(
    correct: Iterable[Phrase], document: Aligned, allowed: frozenset[str]
) -> Iterator[Phrase]:
    """The phrases whose words have no error but those allowed (guidelines, 4.2)."""
    for phrase in correct:
        if {row.error for row in document.rows[phrase.start : phrase.end]} <= allowed:
            yield phrase


def _split(document: Aligned, side: Callable[[Row], tuple[str, str]]) -> Split:
    total = Split()
    for phrase in _own(document, side):
        has_word = [bool(side(row)[0]) for row in document.rows[phrase.start : phrase.end]]
        gaps = sum(before and not after for before, after in pairwise(has_word))
        if gaps:
            total += Split(1, gaps + 1)
    return total


def _is_composed_otherwise(row: Row) -> bool:
    """Whether its words are equal, but only for those who do not see how accents are composed."""
    return row.error == "" and row.reference.lower() != row.hypothesis.lower()


def _notes(found: Sequence[Figures], mode: str, ours: Split, theirs: Split) -> Iterator[str]:
    errors = sum((one.errors for one in found), Counter[str]())
    words = sum(errors.values()) - errors["I"]
    yield (
        f"Words: {words} in the reference, {errors['S']} substituted, {errors['D']} deleted, "
        f"{errors['I']} inserted."
    )
    yield from composed_note(sum(one.composed for one in found))
    verb = "count as" if mode == "official" else "would officially count as"
    for name, other, split in (
        ("reference", "inserted", ours),
        ("hypothesis", "deleted", theirs),
    ):
        yield (
            f"Phrases of the {name} split by {other} words: {split.phrases}"
            + (f"; they {verb} {split.pieces}." if split.phrases else ".")
        )
