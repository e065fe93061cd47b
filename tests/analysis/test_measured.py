"""Several measures of one run have the values that each has alone."""

from sereval import score
from sereval.documents.model import Document, tree
from sereval.evaluation.evaluate import evaluate
from sereval.measures import Costs
from sereval.schemes.measure import parse_measures

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
    together = score(GOLD, FOUND, measure=every)
    for one in every:
        alone = score(GOLD, FOUND, measure=[one])
        assert alone.values == {one: together.values[one]}
        assert alone.signatures == {one: together.signatures[one]}
        assert {id: {one: row[one]} for id, row in together.documents.items()} == alone.documents


def test_values_of_the_definition_are_those_of_its_evaluation():
    """Under the same settings."""
    evaluation = evaluate(GOLD, FOUND, tolerance=0.3, costs=Costs.parse("S_T=1"))
    found = score(GOLD, FOUND, measure="SER(S_T=1)@0.3,F1(S_T=1)@0.3,P(S_T=1)@0.3,R(S_T=1)@0.3")
    counts = evaluation.counts
    expected = [evaluation.ser, counts.f1, counts.precision, counts.recall]
    assert expected == list(found.values.values())
    assert {evaluation.signature} == {*found.signatures.values()}
    assert ["a", "b"] == list(found.documents)
