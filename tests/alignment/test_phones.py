"""Word alignment by sound: the examples of Burger, Palmer and Hirschman, and the table of costs."""

import builtins
import sys
from types import SimpleNamespace

import pytest
from aligned import annotated, shown
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA
from tables import tables

from sereval.alignment import phones
from sereval.alignment.cheapest import Pieces
from sereval.alignment.phones import GAP, align_phones
from sereval.alignment.text import align_text
from sereval.documents.words import time_words
from sereval.errors import SerevalError
from sereval.formats import read
from sereval.projection.project import project, project_aligned

TABLES = tables(__file__)

pytestmark = pytest.mark.check

for package in ("espeakng_loader", "panphon", "phonemizer"):
    pytest.importorskip(package)

words = st.lists(
    st.sampled_from(["new", "york", "newark", "desk", "bask", "a", ",", "oh", "the"]), max_size=7
)


def by_sound(reference, hypothesis, language="en-us"):
    """The alignment of two texts by sound, shown."""
    found = align_phones(reference.split(), hypothesis.split(), language)
    return shown(reference, hypothesis, found)


# -------------------------------------------------------- Burger, Palmer and Hirschman, as printed


def test_example_2():
    """The bottom of example 2, where two words answer to one.

    Certain from the text: NEW YORK with NEWARK, and the first and last words. The columns of the
    rest are lost in the copies of the paper; what is left over between them in order, DESK with
    BASK, I'M with ON, PHILIP with FILM, BOROFF with FORUM, MISSISSIPPI with MISSES THE, is how the
    words sound.
    """
    assert [
        ("AT", "AT"),
        ("THE", "THE"),
        ("NEW YORK", "NEWARK"),
        ("DESK", "BASK"),
        ("I'M", "ON"),
        ("PHILIP", "FILM"),
        ("BOROFF", "FORUM"),
        ("MISSISSIPPI", "MISSES THE"),
        ("REPUBLICAN", "REPUBLICAN"),
    ] == by_sound(
        "AT THE NEW YORK DESK I'M PHILIP BOROFF MISSISSIPPI REPUBLICAN",
        "AT THE NEWARK BASK ON FILM FORUM MISSES THE REPUBLICAN",
    )


def test_example_3():
    """The bottom of example 3, as far as it is certain.

    AND stands over IN, TRADING over TRAINING, WITH over WOULD; a gap is printed behind CUBA; and
    OTTAWA is not aligned with LOT OF WHAT, which the authors would have liked better. Where the
    words between WOULD and THIS stand is lost.
    """
    found = by_sound(
        "INVESTING AND TRADING WITH CUBA FROM OTTAWA THIS IS",
        "INVESTING IN TRAINING WOULD KEEP OFF A LOT OF WHAT THIS IS",
    )

    assert found[:4] == [
        ("INVESTING", "INVESTING"),
        ("AND", "IN"),
        ("TRADING", "TRAINING"),
        ("WITH", "WOULD"),
    ]
    assert found[-2:] == [("THIS", "THIS"), ("IS", "IS")]
    [ottawa] = [heard for word, heard in found if "OTTAWA" in word]
    assert "WHAT" in ottawa
    assert ottawa != "LOT OF WHAT"


@pytest.mark.parametrize(
    ("hypothesis", "heard"),
    [
        ("NEWT GOODRICH", ["NEWT", "GOODRICH"]),
        ("NEWT GOOD RICH", ["NEWT", "GOOD RICH"]),
        ("NEW GINGRICH", ["NEW", "GINGRICH"]),
    ],
)
def test_example_4(hypothesis, heard):
    """Hypotheses 1, 2 and 6 of example 4: GINGRICH answers to GOODRICH and to GOOD RICH."""
    assert list(zip(["NEWT", "GINGRICH"], heard, strict=True)) == by_sound(
        "NEWT GINGRICH", hypothesis
    )


# ------------------------------------------------------------------------------------- the blocks


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    TABLES["answers"],
)
def test_who_answers_to_whom(reference, hypothesis, expected):
    """Words are held together by half of the shorter one's phones, and by nothing less."""
    found = by_sound(reference, hypothesis)

    assert tuple(pair for pair in found if pair in expected) == expected


def test_another_language():
    """espeak-ng's other languages are at hand: French, where endings are not heard."""
    assert [("le", "le"), ("maire", "mère"), ("Magimel", "magie mais"), ("parle", "parlent")] == (
        by_sound("le maire Magimel parle", "le mère magie mais parlent", "fr-fr")
    )


@given(left=words, right=words)
def test_blocks_tile_and_the_cost_has_two_sides(left, right):
    """Blocks tile both sides in order, and exchanging the sides changes no cost."""
    found = align_phones(left, right)

    assert found.slack == 0
    assert (len(left), len(right)) == found.lengths
    assert align_phones(right, left).cost == found.cost


@given(words=words)
def test_the_same_words_are_correct(words):
    """A text aligned with itself costs nothing and has every word for itself."""
    found = align_phones(words, words)

    assert found.cost == 0
    assert [(k, k + 1) for k in range(len(words))] == [found.words_of(k) for k in range(len(words))]
    assert len(words) == found.counts["correct"] + found.counts["punctuation"]


# ------------------------------------------------------------------------------ phones and costs


def test_costs_are_those_of_panphon():
    """The cost of two words is panphon's own distance of their phones, in 1/16."""
    distance = pytest.importorskip("panphon.distance").Distance()
    for left, right in (("new york", "newark"), ("gingrich", "goodrich"), ("desk", "bask")):
        spelt = phones.phones_of({left, right}, "en-us")
        theirs = distance.jt_weighted_feature_edit_distance(
            *("".join(spelt[w]) for w in (left, right))
        )

        assert round(16 * theirs) == align_phones([left], [right]).cost


def test_a_phone_without_a_partner():
    """A phone left over costs a quarter of panphon's weights, exactly."""
    assert 16 * sum(phones._features().weights) / 4 == GAP
    assert align_phones(["new"], []).cost == 2 * GAP


def test_words_that_cannot_be_spoken():
    """A word without phones has its letters, each like itself only; punctuation has nothing."""
    assert align_phones(["—"], ["—"]).counts["punctuation"] == 1
    assert align_phones(["1998"], ["1998"]).cost == 0
    assert align_phones(["ᛒᛖᚱ"], ["ᛒᛖᚱ"]).cost == 0


@given(left=st.lists(st.integers(0, 3), max_size=7), right=st.lists(st.integers(0, 3), max_size=7))
def test_the_table_by_rows_is_the_textbook_table(left, right):
    """The cheapest cost is that of the plain table, and the pairs found have it."""
    table = phones._distances(["n", "m", "u", "k"])
    costs = {(0, 0): 0}
    for i in range(len(left) + 1):
        for k in range(len(right) + 1):
            ways = [costs[i - 1, k] + GAP] if i else []
            ways += [costs[i, k - 1] + GAP] if k else []
            if i and k:
                ways.append(costs[i - 1, k - 1] + int(table[left[i - 1], right[k - 1]]))
            if ways:
                costs[i, k] = min(ways)
    cost, pairs = phones._cheapest(table, left, right)

    assert costs[len(left), len(right)] == cost
    assert cost == sum(int(table[left[i], right[k]]) for i, k in pairs) + GAP * (
        len(left) + len(right) - 2 * len(pairs)
    )


@pytest.mark.parametrize("counted", [10**9, 0])
def test_slack_is_exact_or_a_bound(counted, monkeypatch):
    """A long document is cut; what that costs is computed, or bounded where that takes too long."""
    text = "the new york desk of the republican film forum said so " * 12
    left, right = text.split(), text.replace("new york", "newark").split()[3:]
    whole = align_phones(left, right)
    monkeypatch.setattr(phones, "PIECES", Pieces(1, 10, 40))
    monkeypatch.setattr(phones, "COUNTED", counted)
    cut = align_phones(left, right)

    assert cut.cost - cut.slack <= whole.cost <= cut.cost
    if counted:
        assert cut.cost - cut.slack == whole.cost


# -------------------------------------------------------------------------------- the projection


def test_a_frontier_inside_a_block():
    """A frontier inside a block may be any of the block's, strictly the one by share of phones."""
    reference = annotated("the <b> <c> Magi </c> <d> mel </d> </b> now")
    hypothesis = annotated("the magie mais now")
    alignment = align_phones(reference.words, hypothesis.words, "fr-fr")
    whole, first, second = project_aligned(reference, hypothesis, alignment).elements

    assert ((1,), (3,), (1, 3)) == (whole.starts, whole.ends, whole.strict)
    assert first.strict == (1, 2)
    assert second.strict == (2, 3)

    newark = annotated("the Newark")
    reference = annotated("the <l> New </l> York")
    [element] = project_aligned(
        reference, newark, align_phones(reference.words, newark.words)
    ).elements
    assert ((1,), (1, 2)) == (element.starts, element.ends)


def test_the_signature_names_the_language():
    """The projection says by what, and in which language."""
    document = annotated("<l> York </l>")
    alignment = align_phones(document.words, document.words)

    assert (
        project_aligned(document, document, alignment).projection
        == "by:phones language:en-us tolerance:0w unplaceable:drop"
    )


def test_by_sound_it_is_almost_as_by_time():
    """On the bundled recordings the strict spans by phones are those by time, but for a few."""
    reference = {document.id: document for document in read(DATA / "ref")}
    aligned = {one.id: one for one in read(DATA / "align", wanted=("textgrid",))}
    same = by_text_too = elements = 0
    for heard in read(DATA / "asr", wanted=("ctm",)):
        annotation = time_words(reference[heard.id], aligned[heard.id])
        both = annotation.words, heard.words
        by_time, by_phones, by_text = (
            {element.source: element.strict for element in projected.elements}
            for projected in (
                project(annotation, heard, tolerance=0.3),
                project_aligned(annotation, heard, align_phones(*both)),
                project_aligned(annotation, heard, align_text(*both)),
            )
        )
        elements += len(by_time)
        same += sum(by_phones.get(source) == span for source, span in by_time.items())
        by_text_too += sum(by_text.get(source) == span for source, span in by_time.items())

    assert elements > 1000
    assert same > 0.96 * elements
    assert same > by_text_too > 0.85 * elements


# ---------------------------------------------------------------------------------- what is missing


@pytest.mark.parametrize("package", ["phonemizer", "espeakng_loader", "panphon"])
def test_without_the_extra(package, monkeypatch):
    """Without one of its packages the message says what to install."""
    imported = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=package)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    for cached in ("_backend", "_features"):  # as if nothing had been loaded
        monkeypatch.setattr(phones, cached, getattr(phones, cached).__wrapped__)
    with pytest.raises(SerevalError, match=rf'{package} is missing; .*"sereval\[phones\]"'):
        align_phones(["a"], ["b"])


def test_an_unknown_language():
    """A language that espeak-ng does not speak is refused, with some that it does."""
    with pytest.raises(SerevalError, match="does not speak 'en-xx', expected for instance en-"):
        align_phones(["a"], ["b"], "en-xx")


def test_a_package_that_is_compiled_first(tmp_path, monkeypatch):
    """What Python says of the sources of a package that it has not compiled yet stays unsaid."""
    source = (
        "import warnings\nwarnings.warn('escape', SyntaxWarning)\n"
        "class FeatureTable:\n    seg_dict = {'ɹ': ()}\n"
    )
    (tmp_path / "panphon.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "panphon", raising=False)
    assert phones._features.__wrapped__().seg_dict == {"ɹ": ()}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_table_that_was_read_as_something_else(encoding, monkeypatch):
    """In a locale that is not UTF-8 panphon's table is no table of phones, which is said."""

    def read_so():
        return SimpleNamespace(seg_dict={"ɹ".encode().decode(encoding): ()})

    monkeypatch.setattr("panphon.FeatureTable", read_so)
    monkeypatch.setattr("locale.getencoding", lambda: encoding)
    said = f"panphon's table was read as {encoding}, expected UTF-8: set PYTHONUTF8=1"
    with pytest.raises(SerevalError, match=said):
        phones._features.__wrapped__()
