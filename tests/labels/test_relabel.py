"""What becomes of labels before anything is projected: maps, what is counted, levels."""

import re
from dataclasses import replace

import pytest
import strategies
from cli_files import put
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import tables

from sereval import Document, Reference, ReferenceElement, SerevalError, evaluate, tree
from sereval.documents.model import Note, Unplaceable
from sereval.documents.tags import document_of_tags, iob2_of
from sereval.errors import InputError
from sereval.evaluation.settings import Settings
from sereval.formats import inline
from sereval.formats.file import File
from sereval.labels.grammar import load_grammar
from sereval.labels.relabel import LabelMap, Labels, load_map, repetitions
from sereval.schemes.conll import conll

TABLES = tables(__file__)

DOTTED = ["loc", "loc.adm", "loc.adm.town", "loc.adm.nat", "org", "pers.ind"]
WORDS = tuple("abcdef")


def document(*spans, words=WORDS):
    return Document("d", words, tree(spans))


def table(labels):
    """Tables of a map: each label stays, is removed, or becomes a label that is not renamed."""
    return st.dictionaries(
        st.sampled_from(labels), st.none() | st.sampled_from(["new", "other"]), max_size=4
    )


@st.composite
def dotted(draw):
    """A reference and a hypothesis on the same words, with labels that have a hierarchy."""
    sides = draw(strategies.same_words())
    names = st.sampled_from(DOTTED)
    return tuple(
        replace(side, elements=tuple(replace(e, label=draw(names)) for e in side.elements))
        for side in sides
    )


def counts(references, hypotheses, **given):
    return evaluate(references, hypotheses, **given).labels


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.check
@given(strategies.scorings())
def test_asking_for_nothing_changes_nothing(scoring):
    """The identity map, all labels, and a level deeper than any leave every count as it is."""
    expected = scoring.run().labels
    every = {label: label for label in strategies.LABELS}
    known = LabelMap(every, every, frozenset(every))
    for labels in (Labels(known), Labels(level=9), Labels(known, tuple(every), 9)):
        sides = labels.applied(scoring.references, scoring.hypotheses)
        assert expected == scoring.run(references=sides[0], hypotheses=sides[1]).labels
        assert [(), ()] == [tuple(n for d in side for n in d.notes) for side in sides]


@pytest.mark.check
@given(dotted(), st.integers(1, 4), st.integers(1, 4))
def test_levels_go_together(pair, level, other):
    """A level after another is the higher of the two."""
    twice = Labels(level=other).applied(*Labels(level=level).applied(*[[side] for side in pair]))
    assert Labels(level=min(level, other)).applied(*[[side] for side in pair]) == twice


def written(document):
    """Inline annotation of a document, made tag by tag."""
    text, opened = [], []

    def close(until):
        while opened and opened[-1].end <= until:
            text.append(f"</{opened.pop().label}>")

    elements = list(document.elements)
    for k, word in enumerate(document.words):
        close(k)
        while elements and elements[0].start == k:
            opened.append(elements.pop(0))
            text.append(f"<{opened[-1].label}>")
        text.append(word)
    close(len(document.words))
    return " ".join(text)


def as_written(text):
    [(_, found)] = inline.read_inline(File("d.ne", text=text))
    return found


@pytest.mark.check
@given(strategies.same_words(), table(strategies.LABELS), table(strategies.LABELS))
def test_a_map_is_what_an_editor_would_do(pair, ours, theirs):
    """The score is that of files in which the tags were renamed and taken out by hand."""
    assume(all(side.words for side in pair))
    texts = []
    for side, names in zip(pair, (ours, theirs), strict=True):
        text = written(side)
        for old, new in names.items():
            text = re.sub(f"<(/?){old}>", f"<\\1{new}>" if new else "", text)
        texts.append(as_written(text))
    known = frozenset(strategies.LABELS)
    labels = Labels(LabelMap(ours, theirs, known))
    expected = counts([texts[0]], [texts[1]])
    assert expected == counts([pair[0]], [pair[1]], labels=labels)
    assert expected == counts(*labels.applied([pair[0]], [pair[1]]))


@pytest.mark.check
@given(strategies.same_words())
def test_outermost_elements_are_those_of_files_without_the_others(pair):
    """The score is that of documents in which no element is inside another."""
    sides = [
        replace(one, elements=tuple(e for e in one.elements if e.parent is None)) for one in pair
    ]
    labels = Labels(only=("outermost",))
    assert counts([sides[0]], [sides[1]]) == counts([pair[0]], [pair[1]], labels=labels)
    [[of_reference], _] = labels.applied([Reference.exact(pair[0])], [])
    assert of_reference.elements == Reference.exact(sides[0]).elements


def test_outermost_of_what_is_left():
    """Labels are selected first: an element inside a removed one is then outermost."""
    said = document(("org", 0, 3), ("loc", 0, 2), ("loc.adm", 0, 1))
    [[found], _] = Labels(only=("loc", "outermost")).applied([said], [])
    assert [str(element) for element in found.elements] == ["loc [0, 2)"]
    assert [str(note) for note in found.notes] == [
        "elements not counted, not being among loc: 1",
        "elements not counted, being inside another: 1",
    ]
    assert Labels(only=("outermost",)).signature == (("only", "outermost"),)


@pytest.mark.check
@given(strategies.same_words(), table(strategies.LABELS))
def test_exact_references_are_like_documents(pair, names):
    """A document as a reference, relabelled, is the relabelled document as a reference."""
    labels = Labels(LabelMap(names, names, frozenset(strategies.LABELS)))
    [[of_reference], _] = labels.applied([Reference.exact(pair[0])], [])
    [[of_document], _] = labels.applied([pair[0]], [])
    assert Reference.exact(of_document) == of_reference


@pytest.mark.check
@given(strategies.fuzzy(), table(strategies.LABELS))
def test_fuzzy_references_stay_trees(pair, names):
    """What is left has its ancestors that are left, in order, and nothing else has moved."""
    labels = Labels(LabelMap(names, names, frozenset(strategies.LABELS)))
    [[found], _] = labels.applied([pair[0]], [])
    left = [
        r
        for r, element in enumerate(pair[0].elements)
        if any(names.get(label, label) is not None for label in element.labels)
    ]
    above = [strategies.ancestors(pair[0].elements, r) for r in left]
    assert [[left.index(a) for a in those if a in left] for those in above] == [
        strategies.ancestors(found.elements, k) for k in range(len(left))
    ]
    assert [(pair[0].elements[r].starts, pair[0].elements[r].ends) for r in left] == [
        (element.starts, element.ends) for element in found.elements
    ]


@pytest.mark.check
@given(strategies.timed_scorings(), st.permutations(strategies.LABELS))
def test_order_changes_nothing(scoring, order):
    """Neither the order of documents nor that of a map's lines changes a count or the signature."""
    names = dict.fromkeys(order, "new")
    known = frozenset(order)
    backwards = dict(reversed(names.items()))
    one, other = (Labels(LabelMap(of, of, known), ("new",), 1) for of in (names, backwards))
    turned = (scoring.references[::-1], scoring.hypotheses[::-1])
    given = {"tolerance": strategies.in_ms(scoring.tolerance), "unplaceable": scoring.unplaceable}
    found = evaluate(scoring.references, scoring.hypotheses, labels=one, **given)
    again = evaluate(*turned, labels=other, **given)
    assert (found.labels, found.signature) == (again.labels, again.signature)


@pytest.mark.check
@given(strategies.same_words(), table(strategies.LABELS))
def test_columns_are_like_documents(pair, names):
    """Columns are relabelled as their phrases are; neighbours never become one phrase."""
    labels = Labels(LabelMap(names, names, frozenset(strategies.LABELS)))
    flat = [
        replace(side, elements=tuple(e for e in side.elements if e.parent is None)) for side in pair
    ]
    columns = [document_of_tags(side.id, side.words, iob2_of(side)) for side in flat]
    scores = [
        conll(Settings(labels=labels)).of(list(zip(*sides, strict=True)))
        for sides in (
            labels.relabelled(flat[:1], flat[1:]),
            labels.relabelled(columns[:1], columns[1:]),
        )
    ]
    assert scores[0].documents == scores[1].documents
    assert scores[0].tokens == scores[1].tokens


# --- worked cases --------------------------------------------------------------------------------


def test_merging_may_give_the_same_twice():
    """Both elements stay, and it is said."""
    said = document(("org", 0, 2), ("loc", 0, 2), ("loc", 3, 4))
    [[found], _] = Labels(LabelMap({"org": "loc"})).applied([said], [])
    assert [("loc", 0, 2), ("loc", 0, 2), ("loc", 3, 4)] == [
        (e.label, e.start, e.end) for e in found.elements
    ]
    assert (
        Note("elements renamed by the map", 1),
        Note("elements that came to have the label and the words of another", 1),
    ) == found.notes


@pytest.mark.parametrize(
    ("labels", "expected"),
    TABLES["same_twice"],
)
def test_the_same_twice(labels, expected):
    """The same label twice on the same words, unless they are parts of two types."""
    nested = Document("d", ("w",), tree([(label, 0, 1) for label in labels]))
    assert list(expected) == [
        found.element for found in repetitions(nested, load_grammar("quaero"))
    ]


def test_the_same_on_other_words():
    """Elements of one label in one another, or beside one another, are no repetition."""
    said = document(("org.ent", 0, 3), ("org.ent", 0, 2), ("org.ent", 3, 5))
    assert [] == repetitions(said, load_grammar("quaero"))


def test_merged_references():
    """An element of several labels stays while one is left; what went into it goes with it."""
    both = ReferenceElement(("a", "b"), (0,), (1,))
    lost = Unplaceable(ReferenceElement(("b",), (0,), ()), "merged", 0)
    reference = Reference("d", ("w",), (both,), (lost,))
    [[found], _] = Labels(LabelMap({"a": None, "b": "c"})).applied([reference], [])
    assert [("c",)] == [element.labels for element in found.elements]
    assert [(("c",), 0)] == [(one.element.labels, one.into) for one in found.unplaceable]
    [[found], _] = Labels(LabelMap({"a": None, "b": None})).applied([reference], [])
    assert ((), ()) == (found.elements, found.unplaceable)
    assert (Note("elements removed by the map", 2),) == found.notes


def test_hierarchy_of_the_grammar():
    """A grammar's hierarchy goes before the dots, which are for labels that it does not have."""
    said = document(("name.last", 0, 1), ("loc.adm.town", 1, 2), ("loc.fac.x", 2, 3))
    for grammar, expected in (
        (None, ["name", "loc", "loc"]),
        (load_grammar("quaero"), ["name.last", "loc", "loc"]),
    ):
        [[found], _] = Labels(level=1, grammar=grammar).applied([said], [])
        assert expected == [element.label for element in found.elements]


@pytest.mark.parametrize(
    ("label", "path"),
    [("a..b", ["a", "a.", "a..b"]), (".a", [".a"]), ("a.", ["a", "a."]), ("a", ["a"])],
)
def test_strange_dots(label, path):
    """No label is empty."""
    assert path == list(Labels().path(label))


def test_types_and_components_are_told_by_a_grammar():
    """A label that the grammar does not have is neither, and refused with the nearest one."""
    quaero = load_grammar("quaero")
    with pytest.raises(SerevalError, match=r"pers\.idn is neither .* nearest known is pers\.ind"):
        Labels(only=("types",), grammar=quaero).applied([document(("pers.idn", 0, 1))], [])
    with pytest.raises(SerevalError, match="expected a grammar too"):
        Labels(only=("types",))


def test_unknown_labels():
    """A label of the map, or to be counted, that exists nowhere is an error."""
    said = [document(("pers.ind", 0, 1))]
    for labels, message in (
        (Labels(LabelMap({"pers.idn": "x"})), "the map has the label pers.idn, .* is pers.ind"),
        (Labels(LabelMap({}, {"org": None})), "the map has the label org, expected one of a"),
        (Labels(only=("pres",)), "only has the label pres, expected .* nearest known is pers"),
        (Labels(only=("type",), grammar=load_grammar("quaero")), "the nearest known is types"),
    ):
        with pytest.raises(SerevalError, match=message):
            labels.applied(said, said)
        with pytest.raises(SerevalError, match=message):
            evaluate(said, said, labels=labels)
    known = Labels(LabelMap({"org": "x"}), ("x",)).knowing([document(("org", 0, 1))])
    assert evaluate(said, said, labels=known).counts.ref == 0


@pytest.mark.parametrize(
    ("text", "message"),
    TABLES["bad_maps"],
)
def test_bad_maps(tmp_path, text, message):
    """What is wrong with a file of a map is said with its name."""
    file = tmp_path / "map.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=f"map.toml.*{re.escape(message.rpartition('1: ')[2])}"):
        load_map(file)


def test_maps_that_do_the_same():
    """A map is known by what it does: chains, identities and the name of its file do not matter."""
    one = LabelMap({"a": "b", "b": "c", "d": "d"})
    other = LabelMap({"b": "c", "a": "c"})
    assert one.signature == other.signature
    assert LabelMap({}, {"b": "c", "a": "c"}).signature != other.signature


@pytest.mark.parametrize(
    "labels", [{"level": 0}, {"level": True}, {"only": ("",)}, {"only": ("a|b",)}]
)
def test_bad_labels(labels):
    """A level counts from 1, and a signature can be taken apart."""
    with pytest.raises(SerevalError, match="expected"):
        Labels(**labels)


# --- the command line ----------------------------------------------------------------------------

TIMES = "show 1 0.0 0.2 a\nshow 1 0.2 0.2 b\nshow 1 0.4 0.2 c\n"
OPTIONS = "--map map.toml --only loc,time --level 1"
PARTS = ["|map:", "|only:loc,time|level:1|hierarchy:dots|"]
NOTES = [
    "Reference: elements renamed by the map: 1.",
    "Hypothesis: elements removed by the map: 1.",
    "Reference: elements not counted, not being among loc, time: 1.",
    "Hypothesis: elements named by their level 1: 1.",
]


@pytest.fixture
def files(here):
    for name, text in {
        "ref.ne": "<place.town> a </place.town> <pers> b </pers> c\n",
        "hyp.ne": "<loc.town> a </loc.town> b <noise> c </noise>\n",
        "other.ne": "<loc.town> a </loc.town> b c\n",
        "ref.iob": "a B-place.town\nb B-pers\nc O\n",
        "hyp.iob": "a B-loc.town\nb O\nc B-noise\n",
        "ref.ctm": TIMES,
        "hyp.ctm": TIMES,
        "map.toml": '[reference.rename]\n"place.town" = "loc.town"\n'
        '[hypothesis]\nremove = ["noise"]\n[both.rename]\ntime = "time"\n',
    }.items():
        put(name, text)


@pytest.mark.parametrize(
    "command",
    TABLES["commands"],
)
def test_every_command(files, run, command):
    """Every command that scores takes them, in its signature, and says what they did."""
    status, text, err = run(f"{command} {OPTIONS} --name show")
    assert (status, err) == (0, "")
    assert [] == [part for part in PARTS if part not in text]
    if not command.startswith("audit"):
        assert [] == [note for note in NOTES if note not in text]


def test_a_map_that_means_all_below_a_label():
    """A map names labels one by one; who names what is above them is told which there are."""
    document = Document("d", ("a", "b"), tree([("loc.adm", 0, 1), ("loc.phys", 1, 2)]))
    labels = Labels(LabelMap(reference={"loc": None}))

    message = (
        "the map has the label loc, expected one of a document or of the grammar; "
        "loc.adm, loc.phys are below it, and named one by one"
    )
    with pytest.raises(SerevalError, match=f"^{re.escape(message)}$"):
        labels.applied([document], [document])
