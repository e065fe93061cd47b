"""Several measures of one run have the values that each has alone."""

import pytest

from sereval.analysis.measured import measure
from sereval.corpus.executor import Workers
from sereval.documents.model import Document, Mention, Note, Reference, tree
from sereval.errors import SerevalError
from sereval.evaluation.evaluate import evaluate
from sereval.labels.relabel import Labels
from sereval.measures.slots import Costs
from sereval.measures.words import BiasingList, WordErrors
from sereval.schemes.measure import Measure, parse_measure, parse_measures

SAID = ["le", "maire", "de", "Dol", "Benoît", "Magimel"]
HEARD = ["le", "maire", "de", "dole", "Benoît", "magie"]


def document(id, words, *spans, **given):
    times = tuple((300 * k, 300 * k + 200) for k in range(len(words)))
    return Document(id, tuple(words), tree(spans), times, **given)


GOLD = [
    document("a", SAID, ("func", 1, 4), ("loc", 3, 4), ("pers", 4, 6)),
    document("b", SAID[:4], ("loc", 3, 4)),
]
FOUND = [
    document("a", HEARD, ("func", 1, 4), ("org", 3, 4), ("pers", 4, 5)),
    document("b", HEARD[:4], ("loc", 3, 4), ("pers", 0, 1)),
]
SEVERAL = (
    "SER@0.3,F1@0.3,P@0.3,R@0.3,SER(S_T=1)@0.3,SER(by=text),WER,WER(weights=sclite),mitre.type"
)
MORE = (
    "muc.text,semeval2013.partial@0.3,slue.label,slue.entity,evalita2011(elements=outermost),"
    "entity-wer,entity-wer.loc,entity-wer(weights=sclite),B-WER,U-WER(weights=unit)"
)


def test_values_are_those_of_each_alone():
    """What is shared between measures changes no digit, over all and by document."""
    every = parse_measures(f"{SEVERAL},{MORE}")
    together = measure(GOLD, FOUND, every)
    for one in every:
        alone = measure(GOLD, FOUND, [one])
        assert alone.values == {one: together.values[one]}
        assert alone.signatures == {one: together.signatures[one]}
        assert {id: {one: row[one]} for id, row in together.documents.items()} == alone.documents


def test_values_are_computed_once():
    """A loop over documents is linear, because each access gives the same tables."""
    found = measure(GOLD, FOUND, "WER,mitre.type")
    assert found.values is found.values
    assert found.documents is found.documents


def test_values_of_the_definition_are_those_of_its_evaluation():
    """Under the same settings."""
    evaluation = evaluate(GOLD, FOUND, tolerance=0.3, costs=Costs.parse("S_T=1"))
    found = measure(GOLD, FOUND, "SER(S_T=1)@0.3,F1(S_T=1)@0.3,P(S_T=1)@0.3,R(S_T=1)@0.3")
    counts = evaluation.counts
    expected = [evaluation.ser, counts.f1, counts.precision, counts.recall]
    assert expected == list(found.values.values())
    assert {evaluation.signature} == {*found.signatures.values()}
    assert ["a", "b"] == list(found.documents)


def test_word_errors_by_hand():
    """One of six and one of four words is another: `Magimel`, and `Dol` twice."""
    found = measure(GOLD, FOUND, "WER,WER(weights=sclite)")
    assert {"a": {"WER": 2 / 6}, "b": {"WER": 1 / 4}} == {
        id: {"WER": row[parse_measure("wer")]} for id, row in found.documents.items()
    }
    score = found.scores[parse_measure("WER")]
    assert (3 / 10, WordErrors(7, 3, 0, 0)) == (score.total.rate, score.total)
    assert "WER|weights:sclite|version:" in str(
        found.signatures[parse_measure("WER(weights=sclite)")]
    )


def test_words_of_elements_and_of_lists():
    """By document and in all; a list changes the measures of lists alone."""
    names = "WER,entity-wer,entity-wer.loc,B-WER,U-WER"
    found = measure(GOLD, FOUND, names)
    listed = measure(GOLD, FOUND, names, biasing=BiasingList(("Magimel",), signature="x"))
    wer, every, loc, biased, unbiased = map(parse_measure, names.split(","))
    for one in (wer, every, loc):
        assert found.values[one] == listed.values[one]
    assert 1.0 == listed.values[biased] == listed.documents["a"][biased]
    assert 2 / 9 == listed.values[unbiased]
    parts = found.scores[every].total_parts
    assert [parts.entities.rate, parts.labels["loc"].rate] == [
        found.values[m] for m in (every, loc)
    ]
    assert "B-WER|weights:sclite|biasing:x|" in str(listed.signatures[biased])
    assert () == found.notes
    note = "entity-wer.locs: no element of the reference has this label, the nearest known is loc."
    assert (note,) == measure(GOLD, FOUND, "entity-wer.locs").notes


def test_a_list_without_a_measure_of_lists_is_refused():
    """It would have no effect."""
    with pytest.raises(SerevalError, match="a biasing list has no effect here"):
        measure(GOLD, FOUND, "WER", biasing=BiasingList(("a",)))


def test_labels_of_a_run_hold_for_all():
    """They are changed before anything is measured; the words stay as they are."""
    found = measure(GOLD, FOUND, "SER@0.3,slue.label,WER", labels=Labels(only=("loc",)))
    alone = evaluate(GOLD, FOUND, tolerance=0.3, labels=Labels(only=("loc",)))
    assert alone.ser == found.values[parse_measure("SER@0.3")]
    assert 3 / 10 == found.values[parse_measure("WER")]


def test_processes_change_no_digit():
    """Whoever does the work."""
    both = [measure(GOLD, FOUND, f"{SEVERAL},{MORE}", workers=Workers(jobs)) for jobs in (1, 2)]
    assert both[0].values == both[1].values


def test_nothing_to_divide_by():
    """A value is undefined where its denominator is 0."""
    bare = [Document("d", ())]
    assert {None} == {*measure(bare, bare, "SER,F1,WER,mitre.type,slue.label").values.values()}


def test_notes_are_said_once():
    """Those of the readers, and those of the schemes."""
    note = Note("relations, skipped", 2)
    gold = [document("d", SAID, ("a", 0, 3), ("b", 1, 2), notes=(note,))]
    bare = [document("d", SAID, ("a", 0, 3))]
    found = measure(gold, bare, "mitre.type,mitre.extent,muc.text,SER")
    assert (
        "Reference: relations, skipped: 2.",
        "1 nested element; mitre's paper (Burger et al. 1998) has flat ones only; "
        "outer ones are paired first.",
    ) == found.notes


REFUSED = {
    "expected one or more": ([], {}),
    "measure WER needs all hypotheses": ([Measure("WER")], {"missing": "empty"}),
    "measure evalita2011.type needs all": ([Measure("evalita2011")], {"missing": "empty"}),
    "neutral labels have no effect": ([Measure("WER")], {"neutral": frozenset({"loc"})}),
}


@pytest.mark.parametrize("message", REFUSED)
def test_an_option_without_effect_on_a_measure_is_refused(message):
    """It would change nothing, or count what was not done."""
    measures, given = REFUSED[message]
    with pytest.raises(SerevalError, match=message):
        measure(GOLD, FOUND, measures, **given)


def test_a_fuzzy_reference_has_no_words_of_its_own():
    """Its word errors would be none."""
    fuzzy = Reference.exact(FOUND[0])
    with pytest.raises(SerevalError, match="a: a fuzzy reference has the hypothesis's words"):
        measure([fuzzy], [FOUND[0]], "WER")


def test_mentions_have_no_words_of_their_own():
    """Their word errors would be those of no transcript."""
    said = [Document("d", ("Dol",), tree([("loc", 0, 1)]))]
    bare = Document("d", (), mentions=(Mention("loc", "Dol"),))
    found = Document("d", ("Dol",), notes=(Note("mentions, found", 1, "mentions=exact:reference"),))
    for hypothesis in (bare, found):
        with pytest.raises(SerevalError, match="d: mentions have no words of their own"):
            measure(said, [hypothesis], "WER")


def test_mentions_need_places_but_under_slue():
    """As everywhere."""
    listed = [Document("d", ("Dol",), mentions=(Mention("loc", "Dol"),))]
    gold = [Document("d", ("Dol",), tree([("loc", 0, 1)]))]
    assert {1.0} == {*measure(gold, listed, "slue.entity").values.values()}
