"""What the core refuses when it is called from Python: each with what was found and expected."""

from collections.abc import Callable

import pytest

from sereval.alignment.text import align_text
from sereval.documents.mention import Mention
from sereval.documents.model import Document, Element, Reference, ReferenceElement, Unplaceable
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.evaluation.settings import ByWords, Settings
from sereval.mapping.best import best_mapping
from sereval.mapping.clusters import feasible_candidates
from sereval.projection.project import place, project, project_aligned

WORDS = ("x", "y", "z")
ONE = Document("d", WORDS, (Element("a", 0, 1),))
TIMED = Document("d", WORDS, (Element("a", 0, 1),), ((0, 10), (10, 20), (20, 30)))
OTHER = Document("d", ("u", "v"))
A = ReferenceElement(("a",), (0,), (1,))


def element(labels=("a",), starts=(0,), ends=(1,), parent=None, strict=None) -> ReferenceElement:
    return ReferenceElement(labels, starts, ends, parent, strict)


def fuzzy(*elements: ReferenceElement, lost: tuple[Unplaceable, ...] = ()) -> Reference:
    return Reference("d", WORDS, elements, lost)


REFUSED: dict[str, Callable[[], object]] = {
    "no reference document, expected at least one": lambda: evaluate([], []),
    "d: the hypothesis is a Reference, expected a Document": lambda: evaluate([ONE], [fuzzy(A)]),
    "found 'loose', expected one of word, half, label": lambda: Settings(pairing="loose"),
    "found 'skip', expected one of error, empty": lambda: Settings(missing="skip"),
    "found 'ear', expected one of text, phones": lambda: ByWords("ear"),
    "a tolerance in time and an alignment of words, expected one of them": lambda: Settings(
        (0, 0), through=ByWords()
    ),
    "unknown policy 'skip', expected one of drop, miss, merge": lambda: project(
        TIMED, TIMED, tolerance=0, unplaceable="skip"
    ),
    "tolerance (1, 2, 3), expected integer ms of 0 or more": lambda: Settings((1, 2, 3)),
    "tolerance -1 words, expected 0 or more": lambda: project_aligned(
        ONE, ONE, align_text(WORDS, WORDS), tolerance=-1
    ),
    "d: the alignment is of (3, 3) words, expected (3, 2)": lambda: project_aligned(
        ONE, OTHER, align_text(WORDS, WORDS)
    ),
    "d: the hypothesis has no times, merge needs them": lambda: project_aligned(
        TIMED, ONE, align_text(WORDS, WORDS), unplaceable="merge"
    ),
    "d: the reference has no times, merge needs them": lambda: project_aligned(
        ONE, TIMED, align_text(WORDS, WORDS), unplaceable="merge"
    ),
    "d: a fuzzy reference cannot be merged": lambda: place(fuzzy(A), unplaceable="merge"),
    "d: reference and hypothesis have different words": lambda: best_mapping(fuzzy(A), OTHER),
    "d: reference element 0 (a) has no place": lambda: feasible_candidates(
        fuzzy(element(starts=(1,), ends=(1,)))
    ),
    "d: a mention without label or text": lambda: Document("d", (), mentions=(Mention("a", ""),)),
    "fate 'lost', expected one of": lambda: Unplaceable(A, "lost"),
    "expected an element that it went into": lambda: Unplaceable(A, "merged"),
    "expected no such element": lambda: Unplaceable(A, "missed", 0),
    "d: unplaceable a names element 1": lambda: fuzzy(A, lost=(Unplaceable(A, "merged", 1),)),
    "a document has the id '', expected a text that is not empty": lambda: Document("", ()),
    "d: words in a list, expected a tuple": lambda: Document("d", ["x"]),
    "d: word 1 is '', expected a text that is not empty": lambda: Document("d", ("x", "")),
    "d: elements in a list, expected a tuple": lambda: Document("d", WORDS, [Element("a", 0, 1)]),
    "has no label": lambda: Document("d", WORDS, (Element("", 0, 1),)),
    "frontier True, expected an integer": lambda: Document("d", WORDS, (Element("a", 0, True),)),
    "is outside the 3 words": lambda: Document("d", WORDS, (Element("a", 0, 4),)),
    "is outside its parent": lambda: Document(
        "d", WORDS, (Element("a", 0, 1), Element("b", 0, 2, 0))
    ),
    "is not in document order below its parent": lambda: Document(
        "d", WORDS, (Element("a", 0, 1), Element("b", 1, 2), Element("c", 2, 3, 0))
    ),
    "1 times for 3 words": lambda: Document("d", WORDS, times=((0, 1),)),
    "times in a list, expected a tuple": lambda: Document("d", ("x",), times=[(0, 1)]),
    "word 0 has the times 0.5 and 1, expected integer ms": lambda: Document(
        "d", ("x",), times=((0.5, 1),)
    ),
    "an utterance boundary: a list, expected a tuple of frontiers": lambda: Document(
        "d", WORDS, breaks=[1]
    ),
    "an utterance boundary at 3, expected frontiers from 1 to 2": lambda: Document(
        "d", WORDS, breaks=(3,)
    ),
    "an utterance boundary at 1, expected none, there is no room": lambda: Document(
        "d", ("x",), breaks=(1,)
    ),
    "at 1, which stands twice; expected increasing frontiers": lambda: Document(
        "d", WORDS, breaks=(1, 1)
    ),
    "at 1, which comes after 2; expected increasing frontiers": lambda: Document(
        "d", WORDS, breaks=(2, 1)
    ),
    "a reference element has no label": lambda: fuzzy(element(labels=())),
    "a label of a, a stands twice": lambda: fuzzy(element(labels=("a", "a"))),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_wrong_is_told(message):
    """What cannot be scored is refused in words that say what was found and expected."""
    with pytest.raises(SerevalError) as caught:
        REFUSED[message]()
    assert message in str(caught.value)
