"""Grammars: what the bundled one holds, its rules, and what a grammar file may not say."""

import pytest
from tables import tables

from sereval.documents.model import Document, Element
from sereval.errors import InputError
from sereval.labels import bundled_grammars, load_grammar

TABLES = tables(__file__)

QUAERO = load_grammar("quaero-2011")  # the paper's own labels

GROUPS = {"pers": 2, "loc": 11, "org": 2, "amount": 0, "time": 6, "prod": 9, "func": 2}

PRINTED = [
    *("pers.ind", "pers.coll", "func.ind", "func.coll", "org.ent", "org.adm"),
    *("loc.adm.town", "loc.adm.reg", "loc.adm.nat", "loc.adm.sup"),
    *("loc.phys.geo", "loc.phys.hydro", "loc.phys.astro", "loc.add.phys"),
    *("time.date.abs", "time.date.rel", "time.hour.abs", "time.hour.rel"),
    *("prod.object", "prod.art", "prod.media", "prod.fin", "prod.soft"),
    *("prod.award", "prod.serv", "prod.doctr", "prod.rule"),
]


def nested(*labels: str) -> Document:
    """One word under labels, the first outermost; each tag on a line of its own."""
    elements = tuple(
        Element(label, 0, 1, index - 1 if index else None, line=index + 1)
        for index, label in enumerate(labels)
    )
    return Document("d", ("word",), elements)


def messages(*labels: str) -> list[str]:
    return [violation.message for violation in QUAERO.violations(nested(*labels))]


def edges(relation: str) -> set[tuple[str, str]]:
    graph = QUAERO.graph
    return {(a, b) for a, b, found in graph.edges(data="relation") if found == relation}


def test_quaero_has_seven_types_and_thirty_two_subtypes():
    """Each main type has the subtypes the paper prints, and the groups they stand in."""
    found = dict.fromkeys(QUAERO.main_types, 0)
    for label in QUAERO.types:
        found[label.split(".")[0]] += label not in found
    assert found == GROUPS
    assert (len(QUAERO.main_types), sum(found.values())) == (7, 32)


def test_quaero_has_the_labels_that_the_paper_prints():
    """The types without subtypes are the paper's 27 full labels, and amount."""
    above = {a for a, _ in edges("subtype")}
    assert set(QUAERO.types) - above == {*PRINTED, "amount"}
    assert len(PRINTED) == len(set(PRINTED)) == 27


SIZES = TABLES["sizes"]


@pytest.mark.parametrize("name", bundled_grammars())
def test_bundled_grammars_are_forests(name):
    """Every grammar has its number of labels, no circle, and a path to each of its labels."""
    import networkx

    grammar = load_grammar(name)
    assert networkx.is_directed_acyclic_graph(grammar.graph)
    above = {a for a, _, how in grammar.graph.edges(data="relation") if how == "subtype"}
    leaves = [label for label in grammar.types if label not in above]
    assert SIZES[name] == (len(grammar.main_types), len(leaves), len(grammar.components))
    for label in (*grammar.types, *grammar.components):
        path = grammar.path(label)
        assert path[-1] == label
        assert label in grammar.components or path[0] in grammar.main_types


ALLOWED = TABLES["allowed"]


@pytest.mark.parametrize(
    "labels", [labels for _, labels in ALLOWED], ids=[why for why, _ in ALLOWED]
)
def test_allowed(labels):
    """What the paper shows or does not forbid is no violation."""
    assert messages(*labels) == []


FORBIDDEN = TABLES["forbidden"]


@pytest.mark.parametrize(("labels", "expected"), FORBIDDEN, ids=[" ".join(n) for n, _ in FORBIDDEN])
def test_forbidden(labels, expected):
    """Each rule, broken by the smallest document, in words; no mistake is reported twice."""
    assert messages(*labels) == list(expected)


def toml(
    types: str = "a = []", components: str = "", head: str = 'name = "n"\nsource = "s"'
) -> str:
    return f"{head}\n[types]\n{types}\n[components]\n{components}\n"


REFUSED = [
    *TABLES["refused"],
    (
        b"name = '\xe9'",
        ":1: found byte 0xe9 at offset 8, expected utf-8; is it in another encoding?",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refused(tmp_path, text, message):
    """A grammar file that is not one, or contradicts itself, is refused with its place."""
    path = tmp_path / "own.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        load_grammar(path)
    assert str(caught.value) == f"{path}{message}"
