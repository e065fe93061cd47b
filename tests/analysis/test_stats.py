"""The sizes of annotated documents, for all and for groups, against a count by hand."""

import csv
import json
from collections import Counter

import pytest
from hypothesis import given
from strategies import same_words

from sereval.analysis.stats import Sizes, Statistics
from sereval.documents.model import Document, Mention, tree
from sereval.labels.grammar import load_grammar
from sereval.measures.words import WordErrors

BUDGET = Document(
    "a",
    ("nouveau", "ministre", "du", "Budget", ",", "François", "Baroin"),
    tree(
        [  # figure 2 of the paper
            ("func.ind", 0, 4),
            ("qualifier", 0, 1),
            ("kind", 1, 3),
            ("org.adm", 3, 4),
            ("name", 3, 4),
            ("pers.ind", 5, 7),
            ("name.first", 5, 6),
            ("name.last", 6, 7),
        ]
    ),
    breaks=(5,),
)
QUAERO = load_grammar("quaero")


def test_figure_2():
    """Three types and five components, three deep, in seven words of two utterances."""
    sizes = Sizes.of(BUDGET)
    assert (sizes.documents, sizes.lines, sizes.words.total(), sizes.elements) == (1, 2, 7, 8)
    kinds = sizes.kinds(QUAERO)
    assert {kind: labels.total() for kind, labels in kinds.items()} == {"types": 3, "components": 5}
    assert sizes.depths == {1: 2, 2: 5, 3: 1}
    assert (sizes.deepest, sizes.depth, sizes.density) == (3, 15 / 8, 8 / 7)


def test_nothing_has_no_rate():
    """Without words or elements a rate is undefined, and nothing is deep."""
    sizes = Sizes.of(Document("d", ()))
    assert (sizes.documents, sizes.lines, sizes.deepest) == (1, 0, 0)
    assert (sizes.depth, sizes.density) == (None, None)
    assert Sizes().kinds(None) == {}


def test_mentions_count_at_the_top():
    """A mention without a place is an element that nothing contains."""
    said = Document("d", ("à", "Dol"), mentions=(Mention("loc", "Dol"),))
    assert (Sizes.of(said).labels, Sizes.of(said).depths) == ({"loc": 1}, {1: 1})


@given(same_words())
def test_sizes_add_up(pair):
    """Those of two documents are the sums; a word of both is one distinct word."""
    one, other = map(Sizes.of, pair)
    both = sum([one, other])
    assert both.elements == one.elements + other.elements
    assert both.depths.total() == both.labels.total() == sum(len(d.elements) for d in pair)
    assert both.words == Counter(w for d in pair for w in d.words)
    assert len(both.words) == len({w for d in pair for w in d.words})


def statistics():
    """Two documents, one of them in a group, and a recogniser."""
    documents = {"a": Sizes.of(BUDGET), "b": Sizes.of(Document("b", ("du", "miel")))}
    heard = {"asr": {"a": WordErrors(correct=6, S=1), "b": WordErrors(correct=1, D=1)}}
    return Statistics(documents, heard, {"food": ["b"], "none": []}, QUAERO)


def test_groups_are_sums_over_their_documents():
    """A group has the sizes and the word errors of its own documents."""
    found = statistics()
    assert {name: sizes.words.total() for name, sizes in found.rows.items()} == {
        "all": 9,
        "food": 2,
        "none": 0,
    }
    rates = {name: errors.rate for name, errors in found.errors("asr").items()}
    assert rates == {"all": 2 / 9, "food": 1 / 2, "none": None}


def test_reports_agree():
    """Text, JSON and CSV have the same numbers."""
    found = statistics()
    report = found.report()
    rows = {row["group"]: row for row in csv.DictReader(report.csv())}
    groups, words = (json.loads(found.to_json())[name] for name in ("groups", "words"))
    assert [one["wer"] for one in words] == [2 / 9, 1 / 2, None]
    assert [row["distinct_words"] for row in rows.values()] == ["8", "2", "0"]
    assert [row["distinct_words"] for row in groups] == [8, 2, 0]
    text = [line.split() for line in str(found).splitlines()]
    assert ["WER", "asr", "22.2", "50.0", "n/a"] in text
    assert ["types", "3", "0", "0"] in text
    assert ["elements", "per", "word", "0.89", "0.00", "n/a"] in text


@pytest.mark.parametrize("label", ["nonsense", "loc.nonsense"])
def test_unknown_labels_have_a_row(label):
    """A label that the grammar lacks is neither a type nor a component."""
    sizes = Sizes.of(Document("d", ("x",), tree([(label, 0, 1)])))
    assert sizes.kinds(QUAERO)["unknown labels"] == {label: 1}
