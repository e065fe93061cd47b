"""The page: what stands in its data and in its files. A browser draws it in test_page_browser."""

import html
import re
from collections import Counter

import pytest
from pages import DATA, DOCUMENTS, EVALUATIONS, Payload, pages, render, scored, tree_of

from sereval import (
    Document,
    Mention,
    SerevalError,
    audit,
    collate,
    compare,
    evaluate,
    from_spans,
    score,
)
from sereval.analysis.audit import NAMES
from sereval.cli import main
from sereval.measures.slots import Slot
from sereval.report.page.recordings import links

pytestmark = pytest.mark.check


@pytest.fixture(params=list(EVALUATIONS))
def name(request):
    return request.param


@pytest.mark.parametrize("size", [None, 1])
def test_pages_are_well_formed(name, size):
    """Tags close in order, no id stands twice, no element has a handler, one script runs."""
    for text in pages(name, size).values():
        page = tree_of(text)
        ids, names = page.values("id"), {name for one in page.every for name in one.attributes}
        assert len(set(ids)) == len(ids)
        assert [name for name in names if name.startswith("on")] == []
        runs = [one for one in page.all("script") if "type" not in one.attributes]
        assert len(runs) == 1 == len(page.all("style"))


def test_every_slot_stands_there_once(name):
    """All slots are on the page, each in its class, besides the uncounted."""
    evaluation, page = scored(name), Payload(pages(name)["index.html"])
    found = Counter(letter for _, letter in page.entries)
    counts = evaluation.counts
    assert {slot.value: found[slot.value] for slot in Slot} == {
        slot.value: counts[slot] for slot in Slot
    }
    rows = [row for document in audit(evaluation) for row in document.rows]
    assert found["U"] == sum(row.slot is None for row in rows)


@pytest.mark.parametrize("size", [None, 2])
def test_margins_add_up(name, size):
    """Rows of the matrix add up to Ref, columns to Hyp, and a row has the classes of its label."""
    evaluation = scored(name)
    [[figures]] = Payload(pages(name, size)["index.html"]).data["figures"]
    [cells] = figures["confusion"]
    sums = Counter(), Counter()
    of_row = {}
    for ref, hyp, letters, page in cells:
        assert bool(page) == bool(size)
        for side, label in enumerate((ref, hyp)):
            sums[side][label] += sum(letters.values())
        of_row[ref] = of_row.get(ref, Counter()) + Counter(letters)
    assert sums[0].pop(None, 0) == evaluation.counts.I
    assert sums[1].pop(None, 0) == evaluation.counts.D
    labels = evaluation.labels
    for found, size_of in zip(sums, ("ref", "hyp"), strict=True):
        assert found == {label: n for label in labels if (n := getattr(labels[label], size_of))}
    for label, counts in labels.items():
        assert {**of_row.get(label, {})} == {
            s.value: counts[s] for s in Slot if counts[s] and s.value != "I"
        }


def test_same_evaluation_same_bytes(name):
    """Nothing depends on the clock or on hashing."""
    assert render(scored(name)) == pages(name)


def test_what_has_no_place_says_why():
    """The reason of an unplaceable element stands in the data."""
    for name in ("fuzzy", "silent", "text"):
        rows = [row for document in audit(scored(name)) for row in document.rows]
        reasons = [row.why for row in rows if row.why is not None]
        found = [case.why for case in Payload(pages(name)["index.html"]).cases if case.is_lost]
        assert sorted(reasons) == sorted(found) != []


def test_a_large_corpus_is_split():
    """Pages of so many documents and an index without any; together they have all cases."""
    files = pages("asr", 2)
    assert list(files) == ["1.html", "2.html", "index.html"]
    parts = {name: Payload(text) for name, text in files.items()}
    assert [len(part.documents) for part in parts.values()] == [2, 1, 0]
    whole = Payload(pages("asr")["index.html"])
    assert whole.cases == [case for part in parts.values() for case in part.cases]
    assert parts["index.html"].data["places"] == [dict(zip(DOCUMENTS, (1, 1, 2), strict=True))]


def test_documents_stand_worst_first():
    """The document with the greatest rate stands on top."""
    data = Payload(pages("asr")["index.html"]).data
    at = data["columns"].index("SER")
    rates = [float(cells[at]) for _, cells in data["figures"][0][0]["documents"]]
    assert len(set(rates)) == len(DOCUMENTS)
    assert rates == sorted(rates, reverse=True)


def test_a_mention_that_was_not_found_is_an_insertion():
    """A mention without a place has its label and its words."""
    reference = from_spans(["Dol"], [("loc", 0, 1)], id="d")
    found = Document("d", ("Dol",), mentions=(Mention("pers", "Chirac"),))
    page = Payload(render(evaluate([reference], [found]))["index.html"])
    assert [letter for _, letter in page.entries] == ["D", "I"]
    assert page.documents[0]["hyps"] == [[["pers", -1, -1, -1, "Chirac"]]]


def test_results_have_a_page(tmp_path):
    """A score, audits, a comparison and a collation are saved as pages; words have no elements."""
    gold, other = [["B-PER", "O"]], [["B-LOC", "O"]]
    systems = {"good": gold, "other": other}
    for result in (
        score(gold, other),
        audit(gold, other),
        compare(gold, systems, resamples=9),
        collate(gold, systems),
    ):
        result.save(tmp_path / "page.html")
        assert Payload((tmp_path / "page.html").read_text("utf-8")).data["names"] == NAMES
    with pytest.raises(SerevalError, match="expected a score with the outcome of each element"):
        compare(gold, systems, measure="WER", resamples=9).to_html()


TITLE = "hyp/<b>&\"'{{7}}</title> against ref"


@pytest.mark.parametrize("size", [None, 1])
def test_every_page_has_its_title(size):
    """The title stands on each page, escaped."""
    for text in render(scored("text"), size, title=TITLE).values():
        title = text.partition("<title>")[2].partition("</title>")[0]
        assert title == html.escape(f"{TITLE} · sereval")
        assert Payload(text).data["title"] == TITLE


def test_command_names_both_sides(monkeypatch, tmp_path):
    """The page is called by the paths as they were given, also where words are only aligned."""
    monkeypatch.chdir(DATA)
    path = tmp_path / "page.html"
    given = ["audit", "ref", "hyp/gazetteer/../gazetteer/asr", "--by", "text", "--format", "html"]
    assert main([*given, "-o", str(path)]) == 0
    title = "hyp/gazetteer/../gazetteer/asr against ref"
    assert Payload(path.read_text("utf-8")).data["title"] == title


def test_recordings_are_found(tmp_path):
    """By name and suffix, as links from the folder of the page; ids do not lead anywhere."""
    audio = tmp_path / "my audio"
    audio.mkdir()
    for name in ("a.wav", "a.mp3", "b.flac", "c#1.ogg", "d.txt"):
        (audio / name).touch()
    (tmp_path / "secret.wav").touch()
    found = links(str(audio), ["a", "b", "c#1", "d", "../secret"], str(tmp_path / "out"))
    assert found == {
        "a": "../my%20audio/a.wav",
        "b": "../my%20audio/b.flac",
        "c#1": "../my%20audio/c%231.ogg",
    }


def test_every_class_has_a_name_and_a_colour():
    """Whatever a case can be is named in the legend and coloured in the style."""
    style = pages("empty")["index.html"]
    assert set(NAMES) >= {slot.value for slot in Slot}
    assert all(f".k-{letter}{{--k" in style for letter in NAMES)


def test_a_page_is_light():
    """A page costs its script and style once, and per element a small part of what it draws."""
    small, large = (pages(name)["index.html"] for name in ("empty", "asr"))
    assert len(small) < 105_000
    elements = sum(
        len(d.reference.elements) + len(d.hypothesis.elements) for d in scored("asr").mapped
    )
    assert (len(large) - len(small)) / elements < 100
    assert re.search(r"<noscript><p>A script draws this page", small)
