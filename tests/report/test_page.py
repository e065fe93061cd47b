"""The page: what stands in its files, and what a reader sees of it in a browser."""

import re
from collections import Counter
from urllib.parse import unquote

import pytest
from markupsafe import escape
from pages import (
    DATA,
    DOCUMENTS,
    EVALUATIONS,
    HOSTILE,
    pages,
    scored,
    tree_of,
)

from sereval import Document, Mention, evaluate, from_spans
from sereval.analysis.audit import audit
from sereval.cli import main
from sereval.evaluation.report import LEGEND
from sereval.measures.slots import Slot
from sereval.report.cases import NAMES, cases
from sereval.report.page import recordings, render, summary
from sereval.report.page.files import slugs
from sereval.report.page.tables import Confusion
from sereval.report.page.view import chips

pytestmark = pytest.mark.check


@pytest.fixture(params=list(EVALUATIONS))
def name(request):
    return request.param


# --- the files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("split", [False, True])
def test_pages_are_well_formed(name, split):
    """Tags close in order, no id stands twice, no element has a handler."""
    for text in pages(name, split=split).values():
        page = tree_of(text)
        ids, names = page.values("id"), {name for one in page.every for name in one.attributes}
        assert len(set(ids)) == len(ids)
        assert [name for name in names if name.startswith("on")] == []
        runs = [one for one in page.all("script") if "type" not in one.attributes]
        assert len(runs) == 1 == len(page.all("style"))


@pytest.mark.parametrize("split", [False, True])
def test_links_lead_somewhere(name, split):
    """Every link of every page leads to an anchor of some page, and to nothing outside."""
    found = {file: tree_of(text) for file, text in pages(name, split=split).items()}
    ids = {file: {*page.values("id"), *dict(page.entries)} for file, page in found.items()}
    assert (len(found) > 1) == split
    for file, page in found.items():
        for link in page.values("href") + page.values("src"):
            if link == "data:,":
                continue
            path, _, anchor = link.partition("#")
            other = ids[unquote(path.partition("?")[0]) or file]
            assert anchor == "" or unquote(anchor) in other


def test_every_slot_stands_there_once(name):
    """Without JavaScript, all slots are on the page, each in its class, besides the uncounted."""
    evaluation, page = scored(name), tree_of(pages(name)["index.html"])
    found = Counter(letter for _, letter in page.entries)
    counts = evaluation.counts
    assert {slot.value: found[slot.value] for slot in Slot} == {
        slot.value: counts[slot] for slot in Slot
    }
    rows = [row for document in audit(evaluation) for row in document.rows]
    assert found["U"] == sum(row.slot is None for row in rows)


def test_margins_add_up(name):
    """Rows of the matrix add up to Ref, columns to Hyp, and a row has the classes of its label."""
    evaluation, matrix = scored(name), Confusion()
    for document in audit(evaluation):
        matrix.add(document.id, cases(document))
    labels = evaluation.labels
    sums = ({label: matrix.total(side, label) for label in axis if label is not None}
            for side, axis in enumerate((matrix.rows, matrix.columns)))  # fmt: skip
    for found, size in zip(sums, ("ref", "hyp"), strict=True):
        assert found == {label: n for label in labels if (n := getattr(labels[label], size))}
    assert matrix.total(0, None) == evaluation.counts.I
    assert matrix.total(1, None) == evaluation.counts.D
    for label, counts in labels.items():
        found = [all.letters for cell, all in matrix.cells.items() if cell[0] == label]
        letters = sum(found, Counter())
        assert {**letters} == {s.value: counts[s] for s in Slot if counts[s] and s.value != "I"}


def test_same_evaluation_same_bytes(name):
    """Nothing depends on the clock or on hashing."""
    assert render(scored(name)) == pages(name)
    assert summary(scored(name)) == summary(scored(name))


def test_reasons_are_told():
    """What stands wrong is named by its words; what has no place says why."""
    text = pages("asr")["index.html"]
    assert "ends after “saturn”, expected “five”" in text
    assert "label amount, expected day" in text
    for name in ("fuzzy", "silent", "text"):
        rows = [row for document in audit(scored(name)) for row in document.rows]
        reasons = [str(escape(row.why)) for row in rows if row.why is not None]
        assert reasons
        assert [one for one in reasons if one not in pages(name)["index.html"]] == []


def test_large_evaluations_are_split():
    """A page for each document, a page of cases for each reference label, unless one is wished."""
    files = pages("asr", split=True)
    assert list(files)[0] == "index.html"
    assert {f"{id}.html" for id in DOCUMENTS} <= set(files)
    assert tree_of(files["index.html"]).entries == []
    assert render(scored("asr"), one_file=True, most_documents=0) == pages("asr")


def test_documents_stand_worst_first():
    """The document with the greatest rate stands on top."""
    page = tree_of(pages("asr")["index.html"])
    [table] = [table for table in page.all("table") if table.has("id", "by-document")]
    heads, *rows = ([cell.text for cell in row.tags] for row in table.all("tr"))
    rates = [float(row[heads.index("SER")]) for row in rows]
    assert len(set(rates)) == len(DOCUMENTS)
    assert rates == sorted(rates, reverse=True)


def test_summary_is_a_fragment():
    """The table for a notebook is well-formed, and nothing in it runs."""
    tree_of(summary(scored("asr")))
    assert tree_of(summary(scored("hostile"))).all("script") == []


def test_summary_counts_one_and_says_what_the_letters_mean():
    """One element is no elements, and who sees S_ST in a notebook reads what it is."""
    one = from_spans(["Dol"], [("loc", 0, 1)])
    fragment = summary(evaluate([one], [one]))
    assert "(cost 0 for 1 reference element)" in fragment
    assert LEGEND in fragment


def test_a_mention_that_was_not_found_has_its_label():
    """A label that stands on no element, only on a mention without a place, can be filtered by."""
    reference = from_spans(["Dol"], [("loc", 0, 1)], id="d")
    found = Document("d", ("Dol",), mentions=(Mention("pers", "Chirac"),))
    text = render(evaluate([reference], [found]))["index.html"]
    assert [letter for _, letter in tree_of(text).entries] == ["D", "I"]
    assert '<option value="1">pers</option>' in text


def test_legend_says_what_is_drawn():
    """Windows are explained where there are some, and times where there are some."""
    texts = {name: pages(name)["index.html"] for name in ("asr", "text", "manual")}
    assert {name for name, text in texts.items() if "the tolerance around" in text} == {"asr"}
    assert {name for name, text in texts.items() if "the alignment has paired" in text} == {"text"}


TITLE = "hyp/<b>&\"'{{7}}</title> against ref"


@pytest.mark.parametrize("split", [False, True])
def test_every_page_names_what_it_shows(split):
    """Title and signature stand on each page, escaped, and on top of the first."""
    evaluation = scored("text")
    files = render(evaluation, title=TITLE, most_documents=0 if split else 1000)
    for file, text in files.items():
        tree_of(text)
        title = text.partition("<title>")[2].partition("</title>")[0]
        assert title.endswith(f"{escape(TITLE)} · sereval audit")
        assert f"<footer>{escape(TITLE)}<br>{escape(evaluation.signature)}</footer>" in text
        if file == "index.html":
            assert f"<h1>{escape(TITLE)}</h1>" in text
            assert f'<p class="signature">{escape(evaluation.signature)}</p>' in text
    assert "<h1>sereval audit</h1>" in pages("text")["index.html"]


def test_chips_are_what_occurs():
    """Unplaceable elements have a chip where they are not all of a class of their own."""
    assert [chip[:2] for chip in chips({"U": 2, "C": 1, "unplaceable": 2})] == [("C", 1), ("U", 2)]
    assert [chip[:2] for chip in chips({"U": 2, "D": 3, "unplaceable": 3})] == [
        ("D", 3), ("U", 2), ("unplaceable", 3)]  # fmt: skip
    assert 'value="unplaceable"' not in pages("text")["index.html"]


# --- names and recordings ------------------------------------------------------------------------


def test_names_are_safe_and_nobody_elses():
    """A slug is a plain file name, not one that a system keeps; no two differ in case only."""
    ids = [*HOSTILE, "..", ".", "-", "a", "A", "a_b", "a b", "index", "Index", "NUL.x", "cases-1",
           "x/../../y", "C:\\z"]  # fmt: skip
    names = slugs(ids)
    assert list(names) == ids
    assert len({name.casefold() for name in names.values()}) == len(ids)
    for name in names.values():
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,80}", name)
        assert name.partition(".")[0].casefold() not in {"index", "con", "nul"}
    assert slugs(["show.1", "show2"]) == {"show.1": "show.1", "show2": "show2"}


def test_a_name_like_a_digest_is_not_taken():
    """An id that looks like the name made for another keeps it; the other finds a new one."""
    [made] = slugs(["a b"]).values()
    names = slugs(["a b", made])
    assert names[made] == made
    assert names["a b"] != made


def test_command_names_both_sides(monkeypatch, tmp_path):
    """The page is called by the paths as they were given, also where words are only aligned."""
    monkeypatch.chdir(DATA)
    path = tmp_path / "page.html"
    given = ["audit", "ref", "hyp/gazetteer/../gazetteer/asr", "--by", "text", "--format", "html"]
    assert main([*given, "-o", str(path)]) == 0
    assert "<h1>hyp/gazetteer/../gazetteer/asr against ref</h1>" in path.read_text("utf-8")


def test_recordings_are_found(tmp_path):
    """By name and suffix, as links from the folder of the page; ids do not lead anywhere."""
    audio = tmp_path / "my audio"
    audio.mkdir()
    for name in ("a.wav", "a.mp3", "b.flac", "c#1.ogg", "d.txt"):
        (audio / name).touch()
    (tmp_path / "secret.wav").touch()
    links = recordings(str(audio), ["a", "b", "c#1", "d", "../secret"], str(tmp_path / "out"))
    assert links == {
        "a": "../my%20audio/a.wav",
        "b": "../my%20audio/b.flac",
        "c#1": "../my%20audio/c%231.ogg",
    }


def test_every_class_has_a_name_and_a_colour():
    """Whatever a case can be is named in the legend and coloured in the style."""
    style = pages("empty")["index.html"]
    assert set(NAMES) >= {slot.value for slot in Slot}
    assert all(f".k-{letter}{{--k" in style for letter in NAMES)


# --- the weight ----------------------------------------------------------------------------------


def test_a_page_is_light():
    """A page costs its script and style once, and per element a small part of what it draws."""
    small, large = (pages(name)["index.html"] for name in ("empty", "asr"))
    assert len(small) < 90_000
    elements = sum(
        len(d.reference.elements) + len(d.hypothesis.elements) for d in scored("asr").mapped
    )
    assert (len(large) - len(small)) / elements < 400
