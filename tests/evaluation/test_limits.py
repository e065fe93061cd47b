"""What no search gets through is refused with a message that says where, and never guessed at."""

import json
import random

import pytest
from cli_files import put

from sereval.documents.model import Document, Element, tree
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.mapping.search import MAX_STATES
from sereval.measures import Counts

REFUSED = (
    "{}: reference element {} and {} more between frontiers {} need a search of more than {} "
    "states, expected fewer: a smaller tolerance, less nesting, or a larger --max-states"
)


def nested(id, words, labels):
    """Elements with these labels on all words, each inside the one before."""
    elements = [Element(label, 0, words, k - 1 if k else None) for k, label in enumerate(labels)]
    times = [(100 * k, 100 * k + 100) for k in range(words)]
    return Document(id, tuple(f"w{k}" for k in range(words)), tuple(elements), times=tuple(times))


def side_by_side(id, words, spans):
    """Elements beside one another, on words of a tenth of a second."""
    times = tuple((100 * k, 100 * k + 100) for k in range(words))
    return Document(id, tuple(f"w{k}" for k in range(words)), tree(spans), times=times)


def by_chance(seed, count):
    return random.Random(seed).choices("abc", k=count)


def message(error):
    return str(error.value)


@pytest.mark.check
def test_thirty_levels_are_searched():
    """Thirty levels on equal spans are scored, whatever labels they have."""
    reference, hypothesis = (nested("deep", 10, by_chance(side, 30)) for side in "rh")
    counts = evaluate([reference], [hypothesis]).counts
    paired = counts.C + counts.S_T
    assert (30, 30, 0) == (paired + counts.D, paired + counts.I, counts.S_S + counts.S_ST)


def test_a_thousand_elements_over_a_word_are_all_correct():
    """A thousand levels over one word need no search where both sides are equal."""
    sides = (nested("tower", 1, "a" * 1000) for _ in "rh")
    found = evaluate(*([one] for one in sides)).counts
    assert Counts(C=1000, hyp=1000, exact=1000, exact_hyp=1000) == found


@pytest.mark.parametrize("tolerance", [None, 1.0])
def test_a_thousand_elements_over_a_word_are_refused(tolerance):
    """A thousand levels over one word with labels by chance are refused."""
    reference, hypothesis = (nested("tower", 1, by_chance(side, 1000)) for side in "rh")
    label = reference.elements[0].label
    with pytest.raises(SerevalError) as error:
        evaluate([reference], [hypothesis], tolerance=tolerance)
    assert REFUSED.format("tower", f"0 ({label})", 1999, "0 and 1", MAX_STATES) == message(error)


def native(document):
    elements = [
        {"label": e.label, "start": e.start, "end": e.end}
        | ({} if e.parent is None else {"parent": e.parent})
        for e in document.elements
    ]
    times = [[start / 1000, end / 1000] for start, end in document.times]
    row = {"id": document.id, "words": list(document.words), "times": times, "elements": elements}
    return json.dumps(row) + "\n"


@pytest.fixture
def files(here):
    """``easy``, and ``hard``, whose labels are the other way round from the second word on."""
    easy = side_by_side("easy", 2, [("a", 0, 1)])
    reference = side_by_side("hard", 4, [("x", 0, 1), ("a", 1, 3), ("b", 1, 3), ("c", 1, 2)])
    hypothesis = side_by_side("hard", 4, [("x", 0, 1), ("b", 1, 3), ("a", 1, 4), ("c", 2, 3)])
    put("ref.jsonl", native(easy) + native(reference))
    put("hyp.jsonl", native(easy) + native(hypothesis))


COMMANDS = (
    "score ref.jsonl hyp.jsonl",
    "score ref.jsonl hyp.jsonl --scheme quaero-lne",
    "score ref.jsonl hyp.jsonl --scheme semeval2013",
    "score ref.jsonl hyp.jsonl --tolerance 0",
    "audit ref.jsonl hyp.jsonl",
    "audit ref.jsonl hyp.jsonl --scheme semeval2013 --figure type",
    "agreement ref.jsonl hyp.jsonl",
    "compare ref.jsonl hyp.jsonl",
    "compare ref.jsonl hyp.jsonl --scheme semeval2013",
    "compare ref.jsonl hyp.jsonl --stability",
    "sweep ref.jsonl hyp.jsonl --tolerance 0",
    "blame ref.jsonl hyp.jsonl hyp.jsonl --by text",
)


@pytest.mark.check
@pytest.mark.parametrize("jobs", ["", " --jobs 2"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_where(command, jobs, files, run):
    """The limit that was set, the document and the element are in one line, and nothing is out."""
    status, out, err = run(f"{command} --max-states 5{jobs}")
    where = REFUSED.format("hard", "1 (a)", 5, "1 and 4", 5)
    assert (1, "", f"sereval: {where}\n") == (status, out, err)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_digit_hangs_on_the_limit(command, files, run):
    """What is not refused is the same to the last byte, whatever the limit."""
    command += " --format jsonl" if command.startswith("audit") else " --format json"
    expected = run(command)
    assert expected[0] == 0
    assert expected == run(f"{command} --max-states 10000")


# --- of a document -------------------------------------------------------------------------------


# --- of candidates -------------------------------------------------------------------------------
