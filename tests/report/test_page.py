"""The page: what stands in its data and in its files. A browser draws it in test_page_browser."""

import re
from collections import Counter

import pytest
from pages import DOCUMENTS, EVALUATIONS, Payload, pages, render, scored, tree_of
from paths import DATA

from sereval import (
    SerevalError,
    audit,
    blame,
    compare,
    score,
    sweep,
)
from sereval.analysis.audit import NAMES
from sereval.measures import Slot

pytestmark = pytest.mark.check

HEARD = DATA / "ref", DATA / "hyp/gazetteer/asr"
TIMES = {"align": DATA / "align", "words": DATA / "asr"}


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


def test_a_large_corpus_is_split():
    """Pages of so many documents and an index without any; together they have all cases."""
    files = pages("asr", 2)
    assert list(files) == ["1.html", "2.html", "index.html"]
    parts = {name: Payload(text) for name, text in files.items()}
    assert [len(part.documents) for part in parts.values()] == [2, 1, 0]
    whole = Payload(pages("asr")["index.html"])
    assert whole.cases == [case for part in parts.values() for case in part.cases]
    assert parts["index.html"].data["places"] == [dict(zip(DOCUMENTS, (1, 1, 2), strict=True))]


def test_results_have_a_page(tmp_path):
    """Results are saved as pages; neither words nor points without counts have elements."""
    gold, other = [["B-PER", "O"]], [["B-LOC", "O"]]
    systems = {"good": gold, "other": other}
    for result in (
        score(gold, other),
        audit(gold, other),
        compare(gold, systems, resamples=9),
        sweep(*HEARD, tolerance="0,0.3", **TIMES),
        blame(HEARD[0], DATA / "hyp/gazetteer/manual", HEARD[1], tolerance=0.3, **TIMES),
    ):
        result.save(tmp_path / "page.html")
        assert Payload((tmp_path / "page.html").read_text("utf-8")).data["names"] == NAMES
    with pytest.raises(SerevalError, match="expected a score with the outcome of each element"):
        compare(gold, systems, measure="WER", resamples=9).to_html()
    with pytest.raises(SerevalError, match="a page is for slot error rates at tolerances"):
        sweep(*HEARD, tolerance="0,0.3", measure="F1", **TIMES).to_html()


def test_a_page_is_light():
    """A page costs its script and style once, and per element a small part of what it draws."""
    small, large = (pages(name)["index.html"] for name in ("empty", "asr"))
    assert len(small) < 113_000
    elements = sum(
        len(d.reference.elements) + len(d.hypothesis.elements) for d in scored("asr").mapped
    )
    assert (len(large) - len(small)) / elements < 100
    assert re.search(r"<noscript><p>A script draws this page", small)
