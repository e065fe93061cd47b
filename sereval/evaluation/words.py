"""The word error rate: the errors in the words of a hypothesis, per word of the reference.

Words are compared in the forms of a normalisation (``alignment.normalise``), by default by their
letters, marks and numbers, without case. Words without a form are ignored, such as punctuation. If
the normalisation rewrites the texts, the rate is that of the rewritten texts. If stretches of the
reference may be said in other words (``documents.model``), the reading that costs least is
compared, and the words of the reference are those of that reading.

CER counts the errors in the characters of these words, without blanks, or with one between two
words.

The same errors are counted by part. *Entity WER*: the errors of the words inside elements, over
these words, for all elements and by label. A word inserted between two words of one element is an
error of that element; a word inserted beside an element, and inside none, is counted apart.
*Survival*: the share of elements without such an error.
*B-WER* and *U-WER*: the errors of the words in a biasing list and of the other words, each over the
words of its kind. An insertion is of the kind of its hypothesis word. Without a list, the words of
the reference's elements in an utterance are the list of the utterance.

With the weights ``unit`` the number of errors is the least possible, in documents of any length.
With the weights ``sclite`` (4 for a substitution, 3 for an insertion or a deletion) the errors come
from the cheapest alignment. A long document may be cut into pieces; a note then gives the most
that the cuts may have cost.

Source: Levenshtein 1966; NIST, sclite; Del Rio et al., Interspeech 2021 (entity WER); Le et al.,
Interspeech 2021 (B-WER and U-WER).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ..alignment.blocks import CORRECT, DELETION, INSERTION, UNIT, Weights
from ..alignment.normalise import EXACT, LETTERS, Normalisation, disjoint
from ..corpus.corpus import Pair
from ..documents.model import Document, Reference, Span, depths, has_own_words
from ..errors import SerevalError
from ..measures import ENTITY_WER, SURVIVAL, Additive, Errors, Rate, once
from .settings import CountedScore, Settings, Signature, SignaturePart, normalisation_part

if TYPE_CHECKING:
    from ..alignment.words import WordOperations


# The counts of words, which are stored and summed; rates are derived.


@dataclass(frozen=True, slots=True)
class WordErrors(Additive):
    """The words of an alignment by outcome; adds up with ``+`` and :func:`sum`.

    Args:
        correct: pairs of equal words.
        S: substitutions, pairs of different words.
        D: deletions, words of the reference without a partner.
        I: insertions, words of the hypothesis without a partner.

    >>> errors = WordErrors(correct=6, S=1, D=1) + WordErrors(correct=2, I=1)
    >>> errors.ref, errors.rate
    (10, 0.3)
    """

    correct: int = 0
    S: int = 0
    D: int = 0
    I: int = 0  # noqa: E741 - the letter of the literature

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> WordErrors:
        """Word errors from the counts of an alignment (``WordAlignment.counts``).

        >>> WordErrors.of({"correct": 3, "substitution": 1, "deletion": 0, "insertion": 0}).rate
        0.25
        """
        names = ("correct", "substitution", "deletion", "insertion")
        return cls(*(counts[name] for name in names))

    @property
    def ref(self) -> int:
        """The number of words of the reference."""
        return self.correct + self.S + self.D

    @property
    def rate(self) -> float | None:
        """Word error rate: ``(S + D + I) / ref``; ``None`` if the reference has no words."""
        return (self.S + self.D + self.I) / self.ref if self.ref else None


@dataclass(frozen=True, slots=True)
class ElementErrors(Additive):
    """The word errors of elements; adds up with ``+``."""

    errors: WordErrors = WordErrors()  # I: words inserted between two words of one element
    border: int = 0  # words inserted beside an element and inside none; in no rate
    elements: int = 0
    lost: int = 0  # with a word that is not correct, or one inserted between two

    @property
    def survival(self) -> float | None:
        """The share of elements that are not lost; ``None`` if there are none."""
        return 1 - self.lost / self.elements if self.elements else None


class ByKey(dict[Any, ElementErrors]):
    """The errors of groups; adds up with ``+`` group by group, in the order of the groups."""

    def __add__(self, other: Mapping[Any, ElementErrors]) -> ByKey:
        none = ElementErrors()
        every = sorted({*self, *other})
        return ByKey({key: self.get(key, none) + other.get(key, none) for key in every})


@dataclass(frozen=True, slots=True)
class WordParts(Additive):
    """The word errors of documents, and by part; adds up with ``+``."""

    words: WordErrors = WordErrors()
    # words inside any element; one in several elements counts once
    entities: ElementErrors = ElementErrors()
    # by label, in alphabetical order; a word in elements of several labels counts in each
    labels: ByKey = field(default_factory=ByKey)
    # elements and those lost; the outermost have depth 1
    depths: ByKey = field(default_factory=ByKey)
    biased: WordErrors = WordErrors()  # the words of the biasing list

    @property
    def unbiased(self) -> WordErrors:
        """The errors of the other words."""
        return WordErrors(*(all - own for all, own in zip(self.words, self.biased, strict=True)))


class BiasingList(NamedTuple):
    """The words that a recogniser was told to expect, or that are of interest otherwise."""

    words: tuple[str, ...] | None = None  # for all documents; None: each has its own list
    documents: Mapping[str, tuple[str, ...]] = {}  # by id
    signature: str = ""  # identifies the lists in signatures

    def of(self, id: str) -> tuple[str, ...]:
        """The list of a document."""
        if self.words is not None:
            return self.words
        if id not in self.documents:
            raise SerevalError(f"{id}: found no biasing list, expected one for each document")
        return self.documents[id]


def unit_of(name: str) -> str:
    """What a rate of errors of words counts."""
    return "character" if name.startswith("CER") else "word"


OF_ELEMENTS = (ENTITY_WER, SURVIVAL)
"""The rates of the words inside elements; their figures are labels."""


class WordSettings(NamedTuple):
    """How the words of two documents are compared and counted."""

    weights: Weights = UNIT
    normalise: Normalisation = LETTERS
    between: str | None = None  # between two words where characters are compared; None: words are
    biasing: BiasingList | None = None  # None: the words of elements
    by_list: bool = False  # whether the errors in words of the list are counted apart


class DocumentErrors(NamedTuple):
    """The word errors of one document."""

    id: str
    parts: WordParts
    slack: int = 0  # the most that the alignment may cost beyond the cheapest, in its weights
    alternatives: int = 0  # stretches of its reference that may be said in other words
    chosen: int = 0  # those that are counted in another reading


@dataclass(frozen=True)
class RateScore(CountedScore):
    """A score that is no evaluation: its settings are the parts of its signature."""

    settings: tuple[SignaturePart, ...] = ()
    figure: str = ""
    name: str = "WER"
    title: str = ""

    def by(self, figure: str, title: str = "") -> Self:
        """The same score with another figure for comparisons."""
        return replace(self, figure=figure, title=title)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the scorer says of its counts, if this is not among the notes."""
        return ()

    @property
    def signature(self) -> Signature:
        """All names and values that can change a result; its text is one line."""
        return Signature.of((self.name, None), *self.settings)


@dataclass(frozen=True)
class WordScore(RateScore):
    """The word errors of documents, and their sum.

    Args:
        documents: the word errors of each document, in the order of their ids.
        settings: the parts of the signature: names and values that can change a result.
        figure: the label whose words are compared; empty: the words of all elements, or all words.
        name: the name of the rate that is asked for, the first part of the signature.
        title: the name of the rate for comparisons; empty: ``name``.

    >>> errors = DocumentErrors("d", WordParts(WordErrors(correct=1, S=1)))
    >>> score = WordScore((errors,), (("weights", "unit"),))
    >>> score.total.rate, str(score.signature)
    (0.5, 'WER|weights:unit|version:0.1.0')
    """

    documents: tuple[DocumentErrors, ...]

    has_other_words = True

    @property
    def rate(self) -> Rate:
        """The rate by which the score is compared."""
        title = self.title or self.name
        if self.name == SURVIVAL:
            return Rate(title, title, "elements", "higher", "lost", figure=title)
        unit = unit_of(title)
        return Rate(
            title=title,
            short=title,
            size_is=f"{unit}s",
            nothing=f"no {unit} of the reference",
            ref_is=f"{unit}s",
            figure=title,
        )

    @property
    def counted(self) -> WordErrors:
        """The word errors that the rate counts, over all documents."""
        return self._counted(self.parts)

    def _counted(self, parts: WordParts) -> WordErrors:
        if self.name in OF_ELEMENTS:
            return self._elements(parts).errors
        return {"B-WER": parts.biased, "U-WER": parts.unbiased}.get(self.name, parts.words)

    def _elements(self, parts: WordParts) -> ElementErrors:
        """The errors of the elements that the rate is about."""
        label = self.figure
        return parts.labels.get(label, ElementErrors()) if label else parts.entities

    def _errors(self, parts: WordParts) -> Errors:
        if self.name == SURVIVAL:
            own = self._elements(parts)
            return Errors(Fraction(own.lost), size=own.elements, ref=own.elements)
        words = self._counted(parts)
        deleted, inserted, wrong = map(Fraction, (words.D, words.I, words.S))
        return Errors(deleted, inserted, wrong, words.ref, words.ref)

    @property
    def errors(self) -> Errors:
        """The errors over all documents, in this rate."""
        return self._errors(self.parts)

    def each_document(self) -> Iterator[tuple[str, Errors]]:
        """The id and the errors of each document."""
        return ((one.id, self._errors(one.parts)) for one in self.documents)

    @property
    def by_label(self) -> dict[str, Errors]:
        """The errors of each label; none for rates of words that are not by label.

        Those of words do not add up: a word counts in every label whose elements hold it.
        """
        if self.name not in OF_ELEMENTS or self.figure:
            return {}
        labels = self.parts.labels.items()
        return {label: self._errors(WordParts(entities=own)) for label, own in labels}

    @cached_property
    def parts(self) -> WordParts:
        """The word errors by part over all documents."""
        return WordParts.sum(one.parts for one in self.documents)

    @property
    def total(self) -> WordErrors:
        """The word errors over all documents."""
        return self.parts.words

    @property
    def if_wrong(self) -> WordScore | None:
        """The score, if some word is wrong.

        >>> WordScore((DocumentErrors("d", WordParts(WordErrors(correct=1))),)).if_wrong
        """
        return self if self.total.correct < sum(self.total) else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that a reader of the rate must know."""
        slack, every, chosen = (
            sum(getattr(one, name) for one in self.documents)
            for name in ("slack", "alternatives", "chosen")
        )
        notes = [f"Alignment: up to {slack} dearer than the cheapest, by its weights."]
        more = [f"Alternatives: {chosen} of {every} are counted in another reading."]
        return (*(notes if slack else ()), *(more if every else ()))


def word_settings(settings: Settings) -> WordSettings:
    """How words are compared for the word errors of a score: as in its alignment by text."""
    return WordSettings(normalise=(settings.through or settings).normalise)


def transcripts(pair: Pair) -> tuple[Document, Document]:
    """The documents of a pair, unless a side has no words that can be compared."""
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(
            f"{reference.id}: a fuzzy reference has the hypothesis's words, expected those that "
            "were said for WER"
        )
    if not has_own_words(hypothesis):
        raise SerevalError(
            f"{hypothesis.id}: mentions have no words of their own, expected a transcript for WER"
        )
    return reference, hypothesis


def errors_of(pair: Pair, how: WordSettings) -> DocumentErrors:
    """The word errors of a pair."""
    from ..alignment.words import word_operations  # many scores need no alignment

    reference, hypothesis = transcripts(pair)
    found = word_operations(
        reference.words, hypothesis.words, how.weights, how.normalise, reference.alternatives
    )
    if how.between is not None:
        ours, theirs = (how.between.join(side.texts) for side in found.sides)
        found = word_operations(ours, theirs, normalise=EXACT)
        return DocumentErrors(reference.id, WordParts(WordErrors.of(found.counts)))
    return errors_in(reference, found, how)


def errors_beside(pair: Pair, settings: Settings) -> DocumentErrors | None:
    """The word errors of a pair, which stand beside its score; ``None``: a side has no words."""
    if isinstance(pair[0], Reference) or not has_own_words(pair[1]):
        return None
    return errors_of(pair, word_settings(settings))


def errors_in(reference: Document, found: WordOperations, how: WordSettings) -> DocumentErrors:
    """The word errors of a document whose words are aligned."""
    forms, elements = _Forms(found), reference.elements
    spans = [
        (bisect_left(forms.places, one.start), bisect_left(forms.places, one.end))
        for one in elements
    ]
    by_label: dict[str, list[Span]] = defaultdict(list)
    for element, span in zip(elements, spans, strict=True):
        by_label[element.label].append(span)
    deep = depths([one.parent for one in elements])
    every = Counter(deep)
    lost = Counter(depth for depth, span in zip(deep, spans, strict=True) if forms.is_lost(span))
    parts = WordParts(
        WordErrors.of(found.counts),
        forms.errors(spans),
        ByKey({intern(label): forms.errors(by_label[label]) for label in sorted(by_label)}),
        ByKey({k: once(ElementErrors(elements=every[k], lost=lost[k])) for k in sorted(every)}),
        biased_errors(reference, found, how) if how.by_list else WordErrors(),
    )
    alternatives = len(reference.alternatives), len(found.chosen)
    return DocumentErrors(reference.id, parts, found.slack, *alternatives)


class _Forms:
    """The forms of the reference with what became of each, and the insertions between them."""

    def __init__(self, found: WordOperations) -> None:
        self.places = found.sides[0].places
        self.ops = bytearray(len(self.places))
        inserted = [0] * (len(self.places) + 1)  # before each form, and after the last
        for (start, end), (first, after), op, _ in found.runs:
            if op == INSERTION:
                inserted[start] += after - first
            elif op != CORRECT:
                code = _DELETED if op == DELETION else _SUBSTITUTED
                self.ops[start:end] = bytes([code]) * (end - start)
        self.inserted = [*accumulate(inserted, initial=0)]  # before each frontier
        self.wrong = [*accumulate(map(bool, self.ops), initial=0)]

    def errors(self, spans: Sequence[Span]) -> ElementErrors:
        """The word errors of the forms in some spans; a form in several spans counts once."""
        lost = sum(map(self.is_lost, spans))
        size = substituted = deleted = inserted = 0
        borders: set[int] = set()
        whole = disjoint(sorted((start, end) for start, end in spans if start < end))
        for start, end in dict.fromkeys(whole):
            size += end - start
            substituted += self.ops.count(_SUBSTITUTED, start, end)
            deleted += self.ops.count(_DELETED, start, end)
            inserted += self.inserted[end] - self.inserted[start + 1]
            borders |= {start, end}
        border = sum(self.inserted[k + 1] - self.inserted[k] for k in borders)
        errors = WordErrors(size - substituted - deleted, substituted, deleted, inserted)
        found: ElementErrors = once(ElementErrors(once(errors), border, len(spans), lost))
        return found

    def is_lost(self, span: Span) -> bool:
        """Whether a form of a span has an error, or a form is inserted between two of them."""
        start, end = span
        has_error = self.wrong[end] > self.wrong[start]
        return has_error or (start < end and self.inserted[end] > self.inserted[start + 1])


_SUBSTITUTED, _DELETED = 1, 2
"""What became of a form of the reference, as a byte; 0: it is correct."""


def biased_errors(reference: Document, operations: WordOperations, how: WordSettings) -> WordErrors:
    """The word errors of the words with the form of a word in a biasing list."""
    ours, theirs = operations.sides
    places, number = ours.places, len(reference.breaks) + 1
    utterances = [bisect_right(reference.breaks, place) for place in places]
    lists: list[set[str]]  # the forms in the list of each utterance
    if how.biasing is None:  # the words in elements are the list of their utterance
        lists = [set() for _ in range(number)]
        for element in reference.elements:
            for k in range(bisect_left(places, element.start), bisect_left(places, element.end)):
                lists[utterances[k]].add(ours.texts[k])
    else:
        words = (part for one in how.biasing.of(reference.id) for part in one.split())
        lists = [{form for word in words for form in how.normalise.forms([word]).texts}] * number
    own = bytes(text in lists[k] for text, k in zip(ours.texts, utterances, strict=True))
    found: Counter[str] = Counter()
    for (start, end), (first, after), op, _ in operations.runs:
        if op == INSERTION:
            known = lists[utterances[start - 1] if start else 0]
            found[op] += sum(form in known for form in theirs.texts[first:after])
        else:
            found[op] += own.count(1, start, end)
    return WordErrors.of(found)


def score_beside(
    documents: Iterable[DocumentErrors | None], settings: Settings
) -> WordScore | None:
    """The word errors that stand beside a score; ``None``: a document's words are not compared."""
    every = list(documents)
    found = [one for one in every if one is not None]
    return word_score(found, word_settings(settings)) if len(found) == len(every) else None


def word_score(
    documents: Sequence[DocumentErrors],
    how: WordSettings,
    settings: Sequence[tuple[str, str]] = (),
    name: str = "WER",
) -> WordScore:
    """The score of documents; ``settings`` are the parts of its signature besides ``how``."""
    has_alternatives = any(one.alternatives for one in documents)
    alternatives = [("alternatives", "cheapest")] if has_alternatives else []
    weights = ("weights", how.weights.name)
    parts = (weights, *normalisation_part(how.normalise), *alternatives, *settings)
    return WordScore(tuple(documents), parts, name=name)
