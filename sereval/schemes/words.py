"""The word error rate: the errors in the words of a hypothesis, per word of the reference.

Words are compared in the forms of a normalisation (``alignment.normalise``), unless asked otherwise
by their letters, marks and numbers, without case. Words without a form are ignored, such as
punctuation, and so are elements. If the normalisation rewrites the texts, the rate is that of the
rewritten texts, and its words are theirs.

With the weights ``unit`` the number of errors is the least possible, in documents of any length.
With the weights ``sclite`` (4 for a substitution, 3 for an insertion or a deletion) the errors are
those of the cheapest alignment. A long document may be cut into pieces; a note then gives the most
that the cuts may have cost.

Source: Levenshtein 1966; NIST, sclite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..alignment.normalise import LETTERS, Normalisation
from ..alignment.text import Weights
from ..alignment.words import word_operations
from ..corpus.pairing import Pair
from ..documents.model import Reference
from ..errors import SerevalError
from ..evaluation.settings import normalised
from ..evaluation.signature import Signature
from ..measures.words import WordErrors
from ..version import __version__


class HowWords(NamedTuple):
    """How the words of a word error rate are aligned.

    Args:
        weights: of word errors.
        normalise: in which form words are compared.

    >>> from sereval.alignment.text import UNIT
    >>> HowWords(UNIT).signature
    (('weights', 'unit'),)
    """

    weights: Weights
    normalise: Normalisation = LETTERS

    @property
    def signature(self) -> tuple[tuple[str, str], ...]:
        """The parts of a signature."""
        return (("weights", self.weights.name), *normalised(self.normalise))


class DocumentErrors(NamedTuple):
    """The word errors of one document.

    Args:
        id: the document's name.
        errors: its words by outcome.
        slack: the most that the alignment may cost beyond the cheapest, in its weights.
    """

    id: str
    errors: WordErrors
    slack: int = 0


@dataclass(frozen=True, slots=True)
class WordScore:
    """The word errors of documents, and their sum.

    Args:
        documents: the word errors of each document, by id.
        settings: the parts of the signature: names and values that can change a digit.
        notes: sentences that a reader of the rate must know.

    >>> score = WordScore({"d": WordErrors(correct=1, S=1)}, (("weights", "unit"),))
    >>> score.total.rate, str(score.signature)
    (0.5, 'WER|weights:unit|version:0.1.0')
    """

    documents: Mapping[str, WordErrors]
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> WordErrors:
        """The word errors over all documents."""
        return sum(self.documents.values(), WordErrors())

    @property
    def signature(self) -> Signature:
        """All names and values that can change a digit; its text is one line."""
        return Signature([("WER", None), *self.settings, ("version", __version__)])


def errors_of(pair: Pair, how: HowWords) -> DocumentErrors:
    """The word errors of a pair.

    Args:
        pair: a reference and a hypothesis; their elements are ignored.
        how: their words are aligned.

    Raises:
        SerevalError: a fuzzy reference, whose words are the hypothesis's; a hypothesis of mentions,
            which has no words of its own.

    >>> from sereval import Document
    >>> from sereval.alignment.text import UNIT
    >>> pair = Document("d", ("It's", "a", "dog.")), Document("d", ("its", "dock"))
    >>> errors_of(pair, HowWords(UNIT)).errors
    WordErrors(correct=1, S=1, D=1, I=0)
    """
    reference, hypothesis = pair
    if isinstance(reference, Reference):
        raise SerevalError(
            f"{reference.id}: a fuzzy reference has the hypothesis's words, expected those that "
            "were said for WER"
        )
    is_bare = hypothesis.mentions is not None and not hypothesis.words
    if is_bare or any(note.choice.endswith(":reference") for note in hypothesis.notes):
        raise SerevalError(
            f"{hypothesis.id}: mentions have no words of their own, expected a transcript for WER"
        )
    found = word_operations(reference.words, hypothesis.words, *how)
    return DocumentErrors(reference.id, WordErrors.of(found.counts), found.slack)


def word_score(
    documents: Sequence[DocumentErrors],
    how: HowWords,
    settings: Sequence[tuple[str, str]],
) -> WordScore:
    """The score of documents.

    Args:
        documents: the word errors of each document, in the order of their ids.
        how: their words were aligned.
        settings: the parts of the signature that hold for the whole run.
    """
    slack = sum(one.slack for one in documents)
    notes = (f"Alignment: up to {slack} dearer than the cheapest, by its weights.",)
    return WordScore(
        {one.id: one.errors for one in documents},
        (*how.signature, *settings),
        notes if slack else (),
    )
