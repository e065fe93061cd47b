"""Grammars: what the bundled one holds, its rules, and what a grammar file may not say."""

import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from paths import ROOT
from tables import tables

from sereval.documents.model import Document, Element, tree
from sereval.errors import InputError, SerevalError
from sereval.formats import read
from sereval.labels.grammar import Grammar, Violation, bundled_grammars, load_grammar

TABLES = tables(__file__)

REPOSITORY = ROOT
SPEECH = REPOSITORY / ".." / "shared" / "corpora" / "speech"
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

HOMES = {
    "pers.ind": {"name.last", "name.first", "name.middle", "title"},
    "loc.add.phys": {"address.number", "po-box", "zip-code", "other-address-component"},
    "time.date": {"week", "day", "month", "year", "century", "millenium", "reference-era"}
    | {"time-modifier"},
}


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


def test_quaero_hierarchy_is_the_dots():
    """A subtype's label is its type's with one part more."""
    assert edges("subtype") == {(a.rpartition(".")[0], a) for a in QUAERO.types if "." in a}


def test_quaero_components():
    """8 transverse components, and 16 that the paper ties to one type each."""
    assert (len(QUAERO.transverse), len(QUAERO.specific), len(QUAERO.components)) == (8, 16, 24)
    found = {home: {c for c, to in QUAERO.specific.items() if to == (home,)} for home in HOMES}
    assert found == HOMES


def test_containment_follows_the_hierarchy():
    """A transverse component may stand in each type, a specific one in its home's subtypes too."""
    expected = {(t, c) for t in QUAERO.types for c in QUAERO.transverse}
    for home, components in HOMES.items():
        homes = {t for t in QUAERO.types if t == home or t.startswith(f"{home}.")}
        expected |= {(t, c) for t in homes for c in components}
    assert edges("contains") == expected


def test_kinds():
    """Each label is a type or a component, and nothing else is either."""
    for label, kind in QUAERO.graph.nodes(data="kind"):
        assert (kind == "type", kind == "component") == (
            QUAERO.is_type(label),
            QUAERO.is_component(label),
        )
    assert not QUAERO.is_type("person")
    assert not QUAERO.is_component("person")


@pytest.mark.parametrize("name", bundled_grammars())
def test_bundled_grammars_load_and_state_their_source(name):
    """A bundled grammar is called like its file and says where it comes from."""
    grammar = load_grammar(name)
    assert grammar.name == name
    assert re.search(r"\b(19|20)\d\d\b", grammar.source)


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
        assert grammar.is_component(label) or path[0] in grammar.main_types


def test_additions_to_quaero():
    """Quaero as it was scored has the labels of the paper, in their places, and its additions."""
    quaero = load_grammar("quaero")
    others = [f"{main}.{end}" for main in QUAERO.main_types if main != "amount"
              for end in ("other", "unk")]  # fmt: skip
    assert set(quaero.types) - set(QUAERO.types) == {
        *others, "event", "loc.oro", "loc.fac", "loc.add.elec"
    }  # fmt: skip
    assert set(quaero.components) - set(QUAERO.components) == {
        "extractor", "award-cat", "address-number", "name.nickname", "demonym.nickname"
    }  # fmt: skip
    assert set(QUAERO.graph.edges) <= set(quaero.graph.edges)
    assert quaero.specific["time-modifier"] == ("time.date", "time.hour")
    assert quaero.path("loc.add.elec") == ("loc", "loc.add", "loc.add.elec")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("quaero", ["component name.last in pers.coll, expected in pers.ind"]),
        ("etape", []),
    ],
)
def test_groups_of_persons(name, expected):
    """ETAPE lets the parts of a person's name stand in groups of persons, the paper does not."""
    found = load_grammar(name).violations(nested("pers.coll", "name.last"))
    assert [violation.message for violation in found] == expected


def test_what_published_lists_have():
    """Labels that were missing until the lists of LNE's program and of HIPE were compared."""
    quaero, hipe = load_grammar("quaero"), load_grammar("hipe2020")
    assert quaero.violations(nested("time.hour.abs", "time-modifier")) == []
    assert quaero.violations(nested("loc.add.phys", "address-number")) == []
    assert quaero.violations(nested("org.ent", "name.nickname")) == []
    assert hipe.path("time.hour.abs") == ("time", "time.hour", "time.hour.abs")


def test_levels_that_dots_do_not_say():
    """A hierarchy can be declared: MUC's types stand in its three elements."""
    assert load_grammar("muc").path("PERSON") == ("ENAMEX", "PERSON")


def test_extends(tmp_path):
    """A grammar has what it extends, by name or from its own folder, and its own after that."""
    (tmp_path / "own.toml").write_text(
        'name = "own"\nsource = "s"\nextends = "base.toml"\n[types]\na = ["a.c"]\nb = []\n'
        '[components]\ntransverse = ["y"]\n[components.specific]\nz = ["b"]\n',
        "utf-8",
    )
    (tmp_path / "base.toml").write_text(
        'name = "base"\nsource = "t"\n[types]\na = ["a.b"]\n[components]\ntransverse = ["x"]\n'
        '[components.specific]\nz = ["a"]\n',
        "utf-8",
    )
    expected = Grammar("own", "s", {"a": ("a.b", "a.c"), "b": ()}, ("x", "y"), {"z": ("a", "b")})
    assert expected == load_grammar(tmp_path / "own.toml")


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ("own.toml", "grammars extend one another in a circle"),
        ("nothing", "no grammar 'nothing', expected a TOML file or one of"),
        ("conll", "types.PER has PER.a twice"),
    ],
)
def test_wrong_extensions(tmp_path, extends, message):
    """No grammar extends itself, or one that is not there, or says again what it has."""
    path = tmp_path / "own.toml"
    types = 'PER = ["PER.a", "PER.a"]'
    path.write_text(f'name = "n"\nsource = "s"\nextends = "{extends}"\n[types]\n{types}', "utf-8")
    with pytest.raises(InputError, match=f"own.toml: .*{re.escape(message)}"):
        load_grammar(path)


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


def test_violations_come_in_document_order_with_their_lines():
    """A violation names its element, its label and the line of its tag."""
    found = QUAERO.violations(nested("title", "pers.ind", "year"))
    assert found == [
        Violation(0, "title", 1, "component title outside any type, expected in pers.ind"),
        Violation(2, "year", 3, "component year in pers.ind, expected in time.date"),
    ]
    assert QUAERO.violations(Document("d", ())) == []


def test_siblings_do_not_see_each_other():
    """What a component stands in is around it, not before it."""
    spans = [
        ("pers.ind", 0, 1),
        ("title", 0, 1),
        ("org.ent", 1, 3),
        ("kind", 1, 2),
        ("title", 2, 3),
    ]
    document = Document("d", ("Mr", "a", "b"), tree(spans))
    assert [violation.element for violation in QUAERO.violations(document)] == [4]


def test_several_homes():
    """A component of several types is expected in any of them."""
    grammar = Grammar("toy", "none", {"a": (), "b": (), "c": ()}, specific={"part": ("a", "b")})
    assert grammar.violations(nested("b", "part")) == []
    assert [v.message for v in grammar.violations(nested("c", "part"))] == [
        "component part in c, expected in a or b"
    ]


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


def test_own_grammar(tmp_path):
    """A path loads like a name; the two optional tables may be absent."""
    path = tmp_path / "own.toml"
    path.write_text('name = "n"\nsource = "s"\ntypes.a = ["a.b"]\n', encoding="utf-8")
    assert load_grammar(path) == load_grammar(str(path)) == Grammar("n", "s", {"a": ("a.b",)})


def test_signature_of_a_grammar():
    """What comes along is known by its name; all others by what they say, in whatever order."""
    own = Grammar("own", "one", {"a": ("a.b", "a.c")}, ("x", "y"))
    same = Grammar("own", "two", {"a": ("a.c", "a.b")}, ("y", "x"))
    others = [
        Grammar("own", "one", {"a": ("a.b",), "a.b": ("a.c",)}, ("x", "y")),
        Grammar("own", "one", {"a": ("a.b", "a.c"), "x": ()}, ("y",)),
        replace(load_grammar("quaero"), source="mine", transverse=("kind",)),
    ]

    assert [load_grammar(name).signature for name in bundled_grammars()] == [*bundled_grammars()]
    assert own.signature == same.signature
    assert len({own.signature, *(other.signature for other in others)}) == 4
    assert all(re.fullmatch(r"(own|quaero)~[0-9a-f]{8}", one.signature) for one in (own, *others))


def test_unknown_name():
    """A name that is not bundled is answered with those that are."""
    expected = (
        f"no grammar 'nosuch', expected a TOML file or one of: {', '.join(bundled_grammars())}"
    )
    with pytest.raises(SerevalError, match=f"^{re.escape(expected)}$"):
        load_grammar("nosuch")


def test_grammar_is_a_value():
    """Loaded twice, copied or used as a key, a grammar is the same; its graph cannot be changed."""
    assert load_grammar("quaero-2011") == QUAERO == pickle.loads(pickle.dumps(QUAERO))
    assert {QUAERO: 1}[load_grammar("quaero-2011")] == 1
    with pytest.raises(Exception, match="[Ff]rozen"):
        QUAERO.graph.add_node("event")


def test_networkx_waits_for_the_graph():
    """A score with a grammar does not import it; the graph does."""
    code = (
        "import sys, sereval.cli; line = 'score data/ref data/ref --grammar quaero'.split();"
        "status = sereval.cli.main(line); before = 'networkx' in sys.modules;"
        "sereval.load_grammar('quaero').graph;"
        "print(status, before, 'networkx' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 False True"


@pytest.mark.skipif(not SPEECH.is_dir(), reason="the speech corpus is not beside the repository")
def test_speech_references():
    """The speech references break the grammar where their scheme is wider than the paper's."""
    paths = sorted(SPEECH.glob("*/ref/*.ne"))
    assert len(paths) > 0
    found = Counter(
        violation.message for path in paths for violation in QUAERO.violations(read(path)[0])
    )
    assert set(found) == {
        "unknown label loc.fac",
        "unknown label loc.oro",
        "component name.last in pers.coll, expected in pers.ind",
        "component time-modifier in time.hour.abs, expected in time.date",
        "component time-modifier in time.hour.rel, expected in time.date",
    }


@pytest.mark.skipif(not SPEECH.is_dir(), reason="the speech corpus is not beside the repository")
def test_typo_in_a_reference():
    """One mistyped label in a real document is found, once, at its line."""
    [document] = read(SPEECH / "human" / "ref" / "lj001b.ne")
    before = QUAERO.violations(document)
    index = next(i for i, element in enumerate(document.elements) if element.label == "pers.ind")
    element = document.elements[index]
    typo = replace(element, label="pers.idn")
    elements = (*document.elements[:index], typo, *document.elements[index + 1 :])
    after = QUAERO.violations(Document("d", document.words, elements))
    message = "unknown label pers.idn, the nearest known is pers.ind"
    assert [v for v in after if v not in before] == [
        Violation(index, "pers.idn", element.line, message)
    ]
