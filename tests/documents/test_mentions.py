"""Entities without places: found where they fit best, and insertions where they are not."""

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_place, fits
from reports import named
from strategies import forests
from tables import tables

import sereval
from sereval import Document, Mention, SerevalError, find_mentions, from_spans
from sereval.analysis.audit import audit
from sereval.analysis.points import Points
from sereval.documents.mentions import FINDERS, Search
from sereval.documents.words import significant
from sereval.evaluation.evaluate import Settings
from sereval.formats import WRITERS
from sereval.integrations.convert import files_of
from sereval.measures.slots import Slot
from sereval.report.audit_textgrid import render
from sereval.schemes.table import SCHEMES

TABLES = tables(__file__)


def objective(chosen):
    """What is least: unfound mentions, distances, mentions on the words of the one around, starts,
    ends, numbers in the list.

    Mentions that share their words lie one in the other, so that all but one of them count.
    """
    spans = [span[2:4] for span in chosen]
    return (
        -len(chosen),
        sum(span[4] for span in chosen),
        len(spans) - len({*spans}),
        sum(start for start, _ in spans),
        sum(end for _, end in spans),
        sum(span[0] for span in chosen),
    )


def put_on(mentions, words, by):
    """A document of these words with these mentions on them."""
    said = Document("d", (), mentions=tuple(mentions))
    return find_mentions(said, Document("d", tuple(words)), by=by)


def best_places(mentions, words, by):
    """The place of each mention that is found, by its number."""
    places = put_on(mentions, words, by).places
    return Search(places.mentions, places.kinds, places.places).best([*map(significant, words)])


def brute_force(mentions, words, by):
    """The least objective over all ways to put mentions on their places, or nowhere."""
    choices = [
        [None, *((k, label, *place) for place in every_place(words, text, by))]
        for k, (label, text) in enumerate(mentions)
    ]
    ways = ([one for one in way if one is not None] for way in itertools.product(*choices))
    return min(objective(chosen) for chosen in ways if fits([one[1:] for one in chosen]))


REPEATED = st.builds(Mention, st.sampled_from("xy"), st.sampled_from(["a", "b", "a a", "ab"]))


@pytest.mark.parametrize("by", FINDERS)
@given(
    mentions=st.one_of(drawn_mentions(), st.lists(REPEATED, max_size=5)),
    words=st.one_of(
        *(st.lists(st.sampled_from(of), max_size=6) for of in (WORDS, ["a", "b", ","]))
    ),
)
def test_the_best_way_is_found(by, mentions, words):
    """No way to put the mentions on words is better than the one that is found."""
    chosen = [(k, mentions[k].label, *at) for k, at in best_places(mentions, words, by).items()]

    assert fits([one[1:] for one in chosen])
    assert brute_force(mentions, words, by) == objective(chosen)


def own_mentions(document):
    """What a system would say of its elements, had it no places."""
    return tuple(
        Mention(element.label, " ".join(document.words[element.start : element.end]))
        for element in document.elements
    )


@pytest.mark.parametrize("by", FINDERS)
@given(data=st.data())
def test_mentions_of_a_document_are_found_where_they_were(by, data):
    """Where no word is like another, labels and texts are all that a document is made of."""
    words = ("Jacques", "Chirac", "habite", "Paris", "depuis", "1932")
    elements = data.draw(forests(len(words)))
    spans = [(e.label, e.start, e.end) for e in elements]
    document = Document("d", words, sereval.tree(dict.fromkeys(spans)))

    found = find_mentions(Document("d", (), mentions=own_mentions(document)), document, by=by)

    assert (document.words, document.elements, ()) == (found.words, found.elements, found.mentions)


@pytest.mark.parametrize(
    ("mentions", "spans"),
    TABLES["exact"],
)
def test_exact_finds(mentions, spans):
    """Worked by hand; a number says how many mentions are found."""
    words = ("la", "Russie", "l'acteur", "Benoît", "Magimel", "Russie", ",")

    found = put_on(itertools.starmap(Mention, mentions), words, "exact")
    elements = found.elements

    assert len(mentions) == len(elements) + len(found.mentions)
    assert spans == (len(elements) if isinstance(spans, int) else tuple(map(str, elements)))


@pytest.mark.parametrize(
    ("text", "is_near"),
    [
        ("abcd", True),
        ("abcx", True),
        ("abxx", False),
        ("abc", True),
        ("ab", False),
        ("abcde", True),
    ],
)
def test_near_is_a_quarter(text, is_near):
    """At most a quarter of the characters of the longer text may be edited."""
    assert is_near == (not put_on([Mention("x", text)], ["abcd"], "nearest").mentions)


# --- what is not found ---------------------------------------------------------------------------

REFERENCE = from_spans(("la", "ville", "de", "Paris"), [("loc", 1, 4), ("name", 3, 4)], id="d")
SAID = Document(
    "d",
    (),
    mentions=(Mention("loc", "ville de Paris"), Mention("name", "Pau"), Mention("x", "Pau")),
)
FOUND = find_mentions(SAID, REFERENCE, whose="reference")


def test_what_is_not_found_is_an_insertion():
    """It counts in Hyp and in I, under its label, and is named in the audit and the notes."""
    evaluation = sereval.evaluate([REFERENCE], [FOUND])
    counts, row = evaluation.counts, next(audit(evaluation)).hypotheses[-1]
    shown = json.loads(evaluation.to_json())

    assert (1, 1, 2, 2, 3) == (counts.C, counts.D, counts.I, counts.ref, counts.hyp)
    assert (1.5, 1 / 3, 2 / 5) == (evaluation.ser, counts.precision, counts.f1)
    assert (1, 1, 1) == (
        evaluation.labels["x"].I,
        evaluation.labels["x"].hyp,
        named(shown, "labels")["x"]["I"],
    )
    assert ("x", ("Pau",), None, Slot.INSERTION, Fraction(1), "not found in the words") == (
        row.label,
        row.words,
        row.span,
        row.slot,
        row.cost,
        row.why,
    )
    assert [
        "Hypothesis: mentions, found in the words: 1.",
        "Hypothesis: mentions, not found: each is an insertion: 2.",
    ] == shown["notes"]
    assert "|hypothesis read:mentions=exact:reference|" in str(evaluation.signature)


def test_a_neutral_label_costs_nothing_where_it_was_not_found_either():
    """The label decides, and not the place."""
    evaluation = sereval.evaluate([REFERENCE], [FOUND], neutral=frozenset({"x"}))

    assert (2, 1.0) == (evaluation.counts.I, evaluation.ser)


@pytest.mark.parametrize("scheme", ["mitre", "muc", "semeval2013"])
def test_other_schemes_count_it_as_spurious(scheme):
    """Whatever a scheme counts, a mention without a place is spurious in all of it."""
    with_, without = (
        SCHEMES[scheme].scorer(Settings()).of([(REFERENCE, hypothesis)])
        for hypothesis in (FOUND, Document("d", FOUND.words, FOUND.elements))
    )

    for name, figure in with_.total.items():
        parts = len(with_.total) - 1 if name == "all" else 1
        assert without.total[name].spu + 2 * parts == figure.spu
        assert without.total[name].cor == figure.cor


def test_many_tolerances_at_once_count_it_too():
    """The fast way through several tolerances counts as evaluate does."""
    evaluation = sereval.evaluate([REFERENCE], [FOUND])

    [counts] = Points([evaluation.documents[0].mapped.reference], FOUND).counts(Settings())

    assert evaluation.counts == counts


def test_mentions_are_written_and_read(tmp_path):
    """Native files keep what has no place."""
    file = tmp_path / "found.jsonl"
    file.write_text(sereval.formats.native.write([FOUND, Document("e", (), mentions=())]), "utf-8")

    assert [FOUND, Document("e", (), mentions=())] == sereval.read(file)


def test_mentions_are_found_before_they_are_scored():
    """Without places there is no score, and on the reference's side never."""
    with pytest.raises(SerevalError, match="d: mentions without places, expected them found"):
        sereval.evaluate([REFERENCE], [SAID])
    with pytest.raises(SerevalError, match="d: mentions without places, expected places for all"):
        sereval.evaluate([FOUND], [REFERENCE])
    with pytest.raises(SerevalError, match="d: words and mentions, expected mentions alone"):
        find_mentions(FOUND, REFERENCE)
    with pytest.raises(SerevalError, match="found 'close', expected one of exact, nearest"):
        find_mentions(SAID, REFERENCE, by="close")


# --- said where only places are looked at --------------------------------------------------------

TIMED = Document(
    "d", ("a", "b"), from_spans(("a", "b"), [("loc", 0, 1)]).elements, ((0, 500), (500, 900))
)
BESIDE = Document(
    "d", TIMED.words, TIMED.elements, TIMED.times, mentions=(Mention("loc", "Dol"),) * 2
)


@pytest.fixture
def native(tmp_path):
    """A file of a document that has mentions beside its elements."""
    file = tmp_path / "d.jsonl"
    file.write_text(sereval.formats.native.write([BESIDE]), "utf-8")
    return str(file)


@pytest.mark.parametrize("format", WRITERS)
def test_a_format_keeps_them_or_says_that_it_does_not(format):
    """No format drops a mention without counting it as lost."""
    written = files_of(BESIDE, format)
    lost = {note.what: note.count for note in written.lost}
    kept = any("Dol" in str(content) for content in written.files.values())  # text or bytes
    assert (0 if kept else 2) == lost.get("mentions without places", 0)
    assert kept == (format == "native")


@pytest.mark.parametrize("command", ["show {}", "check {} --grammar quaero"])
def test_commands_that_look_at_places_say_what_has_none(command, native, run):
    """Neither trees nor a grammar hold a mention without a place; how many there are is said."""
    status, _, err = run(command.format(native))
    assert (0, f"sereval: {native}: mentions without places, left out: 2\n") == (status, err)


def test_textgrid_names_what_has_no_place():
    """A tier of its own names each over the whole recording; without any there is no such tier."""
    evaluation = sereval.evaluate([TIMED], [BESIDE])
    [(_, grid)] = render(audit(evaluation), evaluation)
    tier = grid[grid.index('"hyp without place"') :]
    assert "xmin = 0\n\t\txmax = 0.9\n" in tier
    assert 'text = "loc “Dol” I; loc “Dol” I"' in tier

    plain = sereval.evaluate([TIMED], [TIMED])
    [(_, grid)] = render(audit(plain), plain)
    assert "without place" not in grid


def test_doctor_reads_what_score_reads(tmp_path, native, run):
    """Files of mentions are put on words first; those without a place are a finding."""
    said = tmp_path / "d.mentions.jsonl"
    said.write_text('{"id": "d", "mentions": [["loc", "a"], ["loc", "Pau"]]}', "utf-8")
    reference = tmp_path / "reference.jsonl"
    reference.write_text(sereval.formats.native.write([TIMED]), "utf-8")

    for system, count in ((str(said), 1), (native, 2)):
        for words in ("", f"--words {reference}"):
            status, out, _ = run(f"doctor {reference} {system} {words}")
            assert status == (words != "" and system == native)  # which has its times already
            assert f"mentions that are not found in the words: {count}\n" in out


def test_many_labels_of_one_text():
    """Labels that all differ are found at once, however many have the same text; in fewer steps
    than there are sets of labels."""
    mentions = [Mention(f"label{k}", "Dol") for k in range(30)]
    found = put_on(mentions, ["Dol"], "exact")
    assert [mention.label for mention in mentions] == [e.label for e in found.elements]


def test_too_many_ways():
    """What could only be searched for longer than anybody waits is refused; the limit is raised."""
    again = [Mention(f"label{k}", "Dol") for k in range(8)] * 2
    said, words = Document("d", (), mentions=tuple(again)), Document("d", ("Dol",))
    with pytest.raises(SerevalError, match="d: 16 mentions can stand .* a larger --max-states"):
        find_mentions(said, words, max_states=50)
    assert 8 == len(find_mentions(said, words, max_states=5000).elements)


@pytest.mark.parametrize(("said", "heard"), [(60, 180), (100, 6000), (3000, 3000), (3000, 60)])
def test_a_text_that_is_said_again_and_again(said, heard):
    """Mentions of one text take the first of its places, in no more steps than there are words."""
    mentions = (*[Mention("a", "x")] * said, Mention("b", "y"))
    document, words = Document("d", (), mentions=mentions), Document("d", ("x",) * heard)
    found = find_mentions(document, words, max_states=(said + heard) // (1 + said // 1000))

    least = min(said, heard)
    assert [(k, k + 1) for k in range(least)] == [(e.start, e.end) for e in found.elements]
    assert mentions[least:] == found.mentions


def test_repeated_texts_are_few_ways():
    """Labels that share texts, said in the order of the words, are found without a long search."""
    words = [f"a{k % 7} a{k % 5}".split() for k in range(600)]
    mentions = tuple(
        Mention(f"l{k % 3}", text) for k, pair in enumerate(words) for text in pair[: k % 3]
    )
    heard = Document("d", tuple(itertools.chain.from_iterable(words)))
    found = find_mentions(Document("d", (), mentions=mentions), heard, max_states=30_000)
    assert () == found.mentions


def test_of_equally_good_ways_the_nearest_first():
    """Which of the ways with equal sums is taken does not depend on how few are looked at."""
    said = [("y", 2), ("y", 3), ("z", 4), ("x", 2), ("y", 3), ("y", 3), ("x", 3)]
    mentions = [Mention(label, "c " * words) for label, words in said]
    found = best_places(mentions, ["c"] * 6, "nearest")

    places = {1: (0, 3, 0), 2: (0, 3, 1), 3: (0, 2, 0), 4: (3, 6, 0), 6: (3, 6, 0)}
    assert places == {k: tuple(place) for k, place in found.items()}


def test_mentions_in_one_another_are_found():
    """However deep they are: the search for them does not hang on the stack of Python."""
    words = [f"w{k}" for k in range(400)]
    found = put_on([Mention("l", " ".join(words[k:])) for k in range(400)], words, "exact")
    assert [(k, 400) for k in range(400)] == [(e.start, e.end) for e in found.elements]
