"""``sereval show``: what is drawn is what the document holds, however it is cut into lines."""

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_files import put
from hypothesis import assume, given
from hypothesis import strategies as st
from paths import ROOT
from strategies import forests, fuzzy

from sereval.cli import main
from sereval.documents.model import Document, Element, tree
from sereval.report import show, show_svg
from sereval.report.brackets import pack_rows
from sereval.report.cells import size

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*documents, labels=(), width=100):
    """The lines of a drawing."""
    return show.render(documents, labels, width=width).splitlines()


def picture(*documents, labels=(), width=120):
    """Titles of the bars and other texts of a picture."""
    root = ElementTree.fromstring(show_svg.render(documents, labels, width=width))
    return (
        [title.text for title in root.iter(f"{SVG}title")],
        [text.text for text in root.iter(f"{SVG}text")],
    )


def test_a_picture_of_some_labels():
    """With labels a picture has their elements alone, and without words it has a title."""
    words = tuple(f"w{k}" for k in range(30))
    document = Document("d", words, tree([("a", 10, 12), ("b", 10, 11), ("b", 25, 26)]))

    assert picture(document, labels=["b"])[0] == ["b [10, 11): w10", "b [25, 26): w25"]
    assert picture(Document("d", ())) == ([], ["d", "0 words, 0 elements"])


WORDS = st.lists(st.sampled_from(["a", "Benoît", "日本", "e\u0301", "x" * 30]), max_size=12)


@pytest.mark.check
@given(st.data(), WORDS, st.integers(40, 60))
def test_nothing_is_lost(data, words, width):
    """Each word and each element is drawn once, in lines that fit, whatever the width."""
    elements = data.draw(forests(len(words)))
    document = Document("d", tuple(words), elements)
    lines = drawn(document, width=width)
    shown = [word for line in lines[1:] for word in line.split() if not re.match(r"[\d─\[…]", word)]
    opened = [name for line in lines[1:] for name in re.findall(r"\[([^─\]…]+)", line)]

    assert all(size(line) <= width for line in lines)
    assert [word if size(word) < 25 else word[:23] + "…" for word in words] == shown
    assert sorted(element.label for element in elements) == sorted(opened)
    titles = [
        f"{e.label} [{e.start}, {e.end}): "
        + " ".join(word if size(word) < 25 else word[:23] + "…" for word in words[e.start : e.end])
        for e in elements
    ]
    assert sorted({*titles}) == sorted({*picture(document, width=width)[0]})


@pytest.mark.check
@given(fuzzy())
def test_any_fuzzy_reference_is_drawn(pair):
    """Whatever its candidates, a fuzzy reference is drawn or its elements are without a place."""
    reference, _ = pair
    assume(reference.words)
    lines = drawn(reference)
    _, texts = picture(reference)

    assert lines[0].startswith(f"{reference.id}  ")
    lost = [line for line in lines if line.startswith("no place for")]
    opened = [name for line in lines for name in re.findall(r"\[([^─\]…·<>| ]+)[^\[\]]*\]", line)]
    assert len(reference.elements) <= len(lost) + len(opened)
    assert len(lost) == sum("no place for" in text for text in texts)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=12))
def test_rows_never_touch(pairs):
    """Spans packed in one row neither overlap nor touch, and a row is used before the next."""
    spans = [(first, first + length) for first, length in pairs]
    rows = pack_rows(spans)

    for k, (first, after) in enumerate(spans):
        for other, (a, b) in enumerate(spans[:k]):
            assert rows[k] != rows[other] or b < first or after < a
    assert set(rows) == set(range(max(rows, default=-1) + 1))


def test_texts_are_escaped():
    """What XML has a meaning for is text in a picture, and what no one can see is spelled out."""
    strange = Document("a<b>&", ('"<', "\x01"), (Element("l&<", 0, 2),))
    titles, texts = picture(strange)

    assert 'l&< [0, 2): "< \\x01' in titles
    assert {"a<b>&", '"<', "\\x01", "l&<"} <= set(texts)


def test_command(here, run):
    """The suffix of the output says the format."""
    put("d.ne", "<loc>Dol</loc>")
    text = "d  1 word, 1 element\n\n  [loc]\n0 Dol\n"
    assert run("show d.ne") == (0, text, "")
    assert run("show d.ne --format svg")[1].startswith("<svg ")
    assert run("show d.ne -o d.SVG")[:2] == (0, "")
    assert Path("d.SVG").read_text("utf-8") == run("show d.ne --format svg")[1]


def test_picture_is_what_its_command_draws(monkeypatch, tmp_path):
    """The picture in the manual is the one that the command beside it makes now."""
    monkeypatch.chdir(ROOT)
    [command] = re.findall(
        r"`sereval (show [^`]+-o docs/images/[^`]+)`",
        (ROOT / "docs/reference/commands/show.md").read_text("utf-8"),
    )
    arguments = shlex.split(command)
    made = tmp_path / "made.svg"
    kept = Path(arguments[-1])
    assert main([*arguments[:-1], str(made)]) == 0
    assert kept.read_text("utf-8") == made.read_text("utf-8")
