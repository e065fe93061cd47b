"""What documents add up to, and the signatures under which they do."""

import sereval
from sereval.documents.model import Document, Note, Reference, ReferenceElement, tree
from sereval.evaluation.evaluate import evaluate
from sereval.evaluation.totals import (
    Evaluation,
    projection_part,
    read_choices,
)
from sereval.evaluation.words import errors_beside
from sereval.labels.grammar import load_grammar
from sereval.measures.slots import Counts
from sereval.measures.words import WordErrors

WORDS = tuple(f"w{k}" for k in range(6))
HULL = Note("entities in pieces, read as one", 3, "discontinuous=hull")
IOB = Note("tags", 1, "tags=iob1")
SKIPPED = Note("relations, skipped", 2)


def document(name, *spans, notes=()):
    return Document(name, WORDS, tree(spans), notes=notes)


def scored(**options):
    """Two documents: the second has a type, a component and a label that is neither."""
    references = [
        document("one", ("loc.adm.town", 0, 2), notes=(SKIPPED,)),
        document("two", ("pers.ind", 0, 2), ("name.last", 1, 2), ("thing", 3, 4), notes=(HULL,)),
    ]
    hypotheses = [
        document("one", ("loc.adm.town", 0, 2), ("pers.ind", 3, 4), notes=(IOB, SKIPPED)),
        document("two", ("pers.ind", 0, 1), notes=(SKIPPED,)),
    ]
    return evaluate(references, hypotheses, **options)


def test_counts_are_the_sum_over_documents_and_labels():
    """Rows by label are in alphabetical order, and all of them together are the total."""
    evaluation = scored()
    assert list(evaluation.labels) == ["loc.adm.town", "name.last", "pers.ind", "thing"]
    assert evaluation.labels["pers.ind"] == Counts(S_S=1, I=1, hyp=2)
    assert evaluation.counts == Counts(C=1, S_S=1, D=2, I=1, hyp=3, exact=1, exact_hyp=1)
    assert evaluation.documents[1].counts == Counts(S_S=1, D=2, hyp=1)
    assert evaluation.ser == 3.5 / 4


def test_nothing_adds_up_to_counts_of_nothing():
    """A document without elements has counts, and so has a score without documents."""
    evaluation = evaluate([document("one")], [document("one")], scheme="quaero-lne")
    assert Counts() == evaluation.counts == evaluation.documents[0].counts
    nothing = Evaluation((), evaluation.settings)
    assert Counts() == nothing.counts == nothing.definition_counts


def test_kinds_are_those_of_the_grammar():
    """Types and components are always told, labels it does not know where there are any."""
    evaluation = scored(grammar=load_grammar("quaero"))
    assert list(evaluation.kinds) == ["types", "components", "unknown labels"]
    assert evaluation.kinds["types"] == Counts(C=1, S_S=1, I=1, hyp=3, exact=1, exact_hyp=1)
    assert evaluation.kinds["components"] == Counts(D=1)
    assert evaluation.kinds["unknown labels"] == Counts(D=1)
    assert Evaluation((), evaluation.settings).kinds == {
        "types": Counts(),
        "components": Counts(),
    }
    assert scored().kinds == {}


def test_the_definitions_counts_stand_beside_those_of_another_scheme():
    """They are the sum over documents, and there are none where the scheme is the definition."""
    assert scored().definition_counts is None
    assert scored(scheme="quaero-lne").definition_counts == scored().counts


def test_words_are_compared_where_references_are_projected():
    """Word errors are those of the documents, and are there if only counts are kept."""
    times = (0, 100), (100, 400)
    said, heard = (
        Document("d", ("at", name), tree([("loc", 1, 2)]), times) for name in ("Dol", "Dole")
    )
    evaluation = evaluate([said], [heard], tolerance=0)
    [scored] = evaluation.documents
    assert scored.words == errors_beside((said, heard), evaluation.settings)
    for document in (scored, scored._replace(mapped=None)):
        score = Evaluation((document,), evaluation.settings)
        assert score.word_score == score.word_errors
        assert WordErrors(correct=1, S=1) == score.word_errors.total
    right = evaluate([said], [said], tolerance=0)
    assert (None, WordErrors(correct=2)) == (right.word_errors, right.word_score.total)
    alike = evaluate([said], [said])
    assert (None, None) == (alike.word_errors, alike.word_score)


def test_extremes_are_those_of_the_program_only():
    """No mapping of the definition has another cost than the least."""
    assert scored().extreme_counts is None
    assert scored(scheme="quaero-lne").extreme_counts == (scored().counts,) * 2


def test_notes_of_each_side_are_added_up():
    """What was read of either side, over all documents."""
    assert scored().notes == {
        "reference": (HULL, SKIPPED),
        "hypothesis": (Note("relations, skipped", 4), IOB),
    }


def test_a_signature_has_all_that_can_change_a_digit():
    """The settings, how each side was read, the grammar and the version, in this order."""
    plain = scored()
    read = "reference read:discontinuous=hull|hypothesis read:tags=iob1"
    version = f"version:{sereval.__version__}"
    assert str(plain.signature) == f"{plain.settings.signature}|{read}|{version}"
    with_grammar = scored(grammar=load_grammar("quaero"))
    assert str(with_grammar.signature) == (
        f"{plain.settings.signature}|{read}|grammar:quaero|{version}"
    )
    assert repr(plain) == f"<Evaluation: {plain.signature}>"


def test_a_signature_says_how_fuzzy_references_were_made():
    """It is said between the settings and how the sides were read."""
    element = ReferenceElement(("loc",), (0,), (1,))
    reference = Reference("one", WORDS, (element,), projection="tolerance:0.3", notes=(HULL,))
    evaluation = evaluate([reference], [document("one")])
    signature = (
        f"{evaluation.settings.signature}|reference:fuzzy(tolerance:0.3)"
        f"|reference read:discontinuous=hull|version:{sereval.__version__}"
    )
    assert signature == str(evaluation.signature)


def test_equal_counts_of_documents_are_shared():
    """They are one in memory, whatever the number of documents with them."""
    one, two = evaluate(
        [document(name, ("x", 0, 1)) for name in ("one", "two")],
        [document(name) for name in ("one", "two")],
    ).documents
    assert one.labels["x"] is two.labels["x"]


def test_ways_of_projection_are_joined():
    """Each is said once, in alphabetical order; an empty one is left out."""
    assert projection_part(["b", "a", None, "b", ""]) == [("reference", "fuzzy(a or b)")]
    assert projection_part(["", None]) == [("reference", "fuzzy")]
    assert projection_part([]) == projection_part([None]) == []


def test_choices_of_readers_are_told_by_side():
    """Each once, in alphabetical order, the reference's first; a side without any is left out."""
    other = Note("x", 1, "aaa=b")
    assert read_choices([([HULL, SKIPPED], [IOB]), ([other, HULL], [])]) == [
        ("reference read", "aaa=b,discontinuous=hull"),
        ("hypothesis read", "tags=iob1"),
    ]
    assert read_choices([([SKIPPED], [IOB])]) == [("hypothesis read", "tags=iob1")]
