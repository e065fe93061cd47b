"""The sizes of annotated documents, for all and for groups, against a count by hand."""

from collections import Counter

from hypothesis import given
from strategies import same_words

from sereval.analysis.stats import numbers, sizes_of, total
from sereval.documents.model import Document, tree
from sereval.evaluation.evaluate import by_kind
from sereval.labels import load_grammar

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
    sizes = sizes_of(BUDGET)
    found = numbers(sizes, by_kind(sizes.labels, QUAERO))
    counts = {"documents": 1, "lines": 2, "words": 7, "elements": 8, "types": 3, "components": 5}
    assert counts == {name: found[name] for name in counts}
    assert sizes.depths == {1: 2, 2: 5, 3: 1}
    shares = {"greatest depth": 3, "mean depth": 15 / 8, "elements per word": 8 / 7}
    assert shares == {name: found[name] for name in shares}


@given(same_words())
def test_sizes_add_up(pair):
    """Those of two documents are the sums; a word of both is one distinct word."""
    both = total([*map(sizes_of, pair)])
    assert both.depths.total() == both.labels.total() == sum(len(d.elements) for d in pair)
    assert both.words == Counter(w for d in pair for w in d.words)
    assert len(both.words) == len({w for d in pair for w in d.words})
