"""The word error rate: what the words of a hypothesis differ in from those of the reference.

Words are compared as alignments compare them: by their letters, marks and numbers, whatever their
case; those that are all punctuation are passed over (``alignment.text``). Elements have no part.

With the weights ``unit`` the errors are the fewest that there can be, in documents of any length.
With those of ``sclite`` (4 for a substitution, 3 for an insertion or a deletion) they are those of
the cheapest alignment; where a long document was cut, the score says what that may have cost.

Source: Levenshtein 1966; NIST, sclite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..alignment.text import Weights, word_errors
from ..corpus.pairing import Pair
from ..documents.model import Reference
from ..errors import SerevalError
from ..evaluation.signature import Signature
from ..measures.words import WordErrors
from ..version import __version__


class DocumentErrors(NamedTuple):
    """The word errors of a document.

    Args:
        id: its name.
        errors: what became of its words.
        slack: how much dearer the alignment may be than the cheapest, in its weights.
    """

    id: str
    errors: WordErrors
    slack: int = 0


@dataclass(frozen=True, slots=True)
class WordScore:
    """The word errors of documents.

    Args:
        documents: by id.
        settings: all that can change a digit, names and values.
        notes: what a reader of the rate must know, a sentence each.

    >>> score = WordScore({"d": WordErrors(correct=1, S=1)}, (("weights", "unit"),))
    >>> score.total.rate, str(score.signature)
    (0.5, 'WER|weights:unit|version:0.1.0')
    """

    documents: Mapping[str, WordErrors]
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> WordErrors:
        """Over all documents."""
        return sum(self.documents.values(), WordErrors())

    @property
    def signature(self) -> Signature:
        """All that can change a digit; printed, it is one line."""
        return Signature([("WER", None), *self.settings, ("version", __version__)])


def errors_of(pair: Pair, weights: Weights) -> DocumentErrors:
    """The word errors of a document.

    Raises:
        SerevalError: a fuzzy reference, whose words are the hypothesis's; mentions, which have no
            words or the reference's.

    >>> from sereval import Document
    >>> from sereval.alignment.text import UNIT
    >>> said, heard = Document("d", ("It's", "a", "dog.")), Document("d", ("its", "dock"))
    >>> errors_of((said, heard), UNIT).errors
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
    counts, slack = word_errors(reference.words, hypothesis.words, weights)
    return DocumentErrors(reference.id, WordErrors.of(counts), slack)


def word_score(
    documents: Sequence[DocumentErrors],
    weights: Weights,
    settings: Sequence[tuple[str, str]],
) -> WordScore:
    """The word errors of documents, added up.

    Args:
        documents: in the order of their ids.
        weights: that they were aligned with.
        settings: what the run adds to the signature.
    """
    slack = sum(one.slack for one in documents)
    notes = (f"Alignment: up to {slack} dearer than the cheapest, by its weights.",)
    return WordScore(
        {one.id: one.errors for one in documents},
        (("weights", weights.name), *settings),
        notes if slack else (),
    )
