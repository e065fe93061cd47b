"""The page: what stands in its files, and what a reader sees of it in a browser."""

import json
import re
import wave
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest
from markupsafe import escape
from pages import (
    DATA,
    DOCUMENTS,
    EVALUATIONS,
    HOSTILE,
    PATIENCE,
    address,
    demo,
    follow,
    pages,
    scored,
    tree_of,
    until,
)

from sereval import Document, Mention, evaluate, from_spans
from sereval.analysis.audit import audit
from sereval.cli import main
from sereval.evaluation.evaluate import ByWords
from sereval.measures.slots import Slot
from sereval.report import json as json_report
from sereval.report.cases import NAMES, cases
from sereval.report.page import recordings, render, summary
from sereval.report.page.files import slugs
from sereval.report.page.scale import Need, Scale, spread
from sereval.report.page.tables import CaseLink, Confusion
from sereval.report.page.timeline import TimeLine
from sereval.report.page.view import chips
from sereval.report.text import LEGEND

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
        assert len(page.all("script")) == 1 == len(page.all("style"))


@pytest.mark.parametrize("split", [False, True])
def test_links_lead_somewhere(name, split):
    """Every link of every page leads to an anchor of some page, and to nothing outside."""
    found = {file: tree_of(text) for file, text in pages(name, split=split).items()}
    assert (len(found) > 1) == split
    for file, page in found.items():
        for link in page.values("href") + page.values("src"):
            if link == "data:,":
                continue
            path, _, anchor = link.partition("#")
            other = found[unquote(path.partition("?")[0]) or file]
            assert anchor == "" or unquote(anchor) in other.values("id")


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


def test_every_element_is_drawn_once(name):
    """Every row of the audit has its bar, inside its piece, and every word is written."""
    evaluation = scored(name)
    settings = evaluation.settings
    for document in audit(evaluation):
        pieces = [p for line in TimeLine(document, "d").lines() for p in line.pieces]
        bars = [(p, bar) for p in pieces for bar in [*p.references, *p.hypotheses]]
        anchors = sorted(bar.anchor for _, bar in bars)
        assert anchors == sorted(f"d-{row.side[0]}{row.index}" for row in document.rows)
        assert all(p.x <= bar.x and bar.x + bar.width <= p.x + p.width + 1 for p, bar in bars)
        words = [word.whole or word.text for p in pieces for word in p.hypothesis_words]
        assert words == list(document.hypothesis_words.words)
        if settings.is_projected:
            spoken = [word.whole or word.text for p in pieces for word in p.reference_words]
            assert spoken == list(document.reference_words.words)


def test_words_have_room(name):
    """No word begins before the one ahead of it has ended, and children lie below their parents."""
    evaluation = scored(name)
    for document in audit(evaluation):
        for line in TimeLine(document, "d").lines():
            for piece in line.pieces:
                for words in (piece.reference_words, piece.hypothesis_words):
                    ends = [word.x + word.width for word in words]
                    assert all(e <= w.x for e, w in zip(ends, words[1:], strict=False))
                for bars in (piece.references, piece.hypotheses):
                    same = [(b.height, b.x, b.x + b.width) for b in sorted(bars, key=lambda b: b.x)]
                    for height in {h for h, _, _ in same}:
                        level = [(x, e) for h, x, e in same if h == height]
                        assert all(e <= x for (_, e), (x, _) in zip(level, level[1:], strict=False))


def test_margins_add_up(name):
    """Rows of the matrix add up to Ref, columns to Hyp, and a row has the classes of its label."""
    evaluation, cells = scored(name), {}
    for document in audit(evaluation):
        for case in cases(document):
            if case.cell is not None:
                cells.setdefault(case.cell, []).append(CaseLink.of(document.id, case))
    matrix = Confusion(cells)
    labels = evaluation.labels
    sums = ({label: matrix.total(side, label) for label in axis if label is not None}
            for side, axis in enumerate((matrix.rows, matrix.columns)))  # fmt: skip
    for found, size in zip(sums, ("ref", "hyp"), strict=True):
        assert found == {label: n for label in labels if (n := getattr(labels[label], size))}
    assert matrix.total(0, None) == evaluation.counts.I
    assert matrix.total(1, None) == evaluation.counts.D
    for label, counts in labels.items():
        found = [one for cell, all in cells.items() if cell[0] == label for one in all]
        letters = Counter(one.letter for one in found)
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


def test_words_that_were_aligned_stand_together():
    """Without times, a pair of the alignment begins at one place, and what is alone at none's."""
    settings = scored("text").settings
    document = next(document for document in audit(scored("text")) if document.id == "marshall")
    lines = TimeLine(document, "d").lines()
    pieces = [piece for line in lines for piece in line.pieces]
    own, heard = ([word.x for piece in pieces for word in getattr(piece, side)]
                  for side in ("reference_words", "hypothesis_words"))  # fmt: skip
    words = document.reference_words.words, document.hypothesis_words.words
    paired = []
    for block in settings.through.align(*words).blocks:
        (i, j), (k, m) = block.ref, block.hyp
        if i < j and k < m:
            paired.append((own[i], heard[k]))
        else:
            assert {*own[i:j]}.isdisjoint(heard)
            assert {*heard[k:m]}.isdisjoint(own)
    assert len(paired) > 150
    assert [x for x, _ in paired] == [x for _, x in paired]
    assert not any(piece.windows or piece.ticks for piece in pieces)
    assert any(piece.marks for piece in pieces)
    assert {line.time for line in lines} == {None}
    numbers = [n for line in lines for n in range(line.words[0], line.words[1] + 1)]
    assert numbers == list(range(1, len(heard) + 1))


def test_words_with_times_keep_them():
    """Words of both sides that were aligned though they have times stand where they were spoken."""
    timed = demo(tolerance=None, through=ByWords())
    for document in audit(timed):
        drawing = TimeLine(document, "d")
        assert drawing.is_timed
        assert [
            w.x for line in drawing.lines() for p in line.pieces for w in p.hypothesis_words
        ] == [round(drawing.scale(start)) for start, _ in spread(document.hypothesis_words.times)]
        assert not any(p.windows for line in drawing.lines() for p in line.pieces)


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


def test_no_words_are_said_to_be_none():
    """A stretch of a side that has no words is not named by numbers that it does not have."""
    text = pages("unheard")["index.html"]
    assert ">no words</a></h3>" in text
    assert "words 1–0" not in text


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


@pytest.mark.parametrize(("there", "said"), [
    ([], "sereval: recordings for 0 of 9 documents in audio; expected ID.wav, .flac, .mp3, .ogg "
         "or .m4a, such as berlinwall.wav\n"),
    (["berlinwall.flac", "x.wav"], "sereval: recordings for 1 of 9 documents in audio; expected "
         "ID.wav, .flac, .mp3, .ogg or .m4a, such as librivox.wav\n"),
    (sorted(f"{path.stem}.mp3" for path in (DATA / "ref").iterdir()), ""),
])  # fmt: skip
def test_missing_recordings_are_told(there, said, monkeypatch, tmp_path, capsys):
    """Standard error says how many documents have a recording, unless all have; no failure."""
    monkeypatch.chdir(tmp_path)
    Path("audio").mkdir()
    for name in there:
        Path("audio", name).touch()
    sides = [str(DATA / "ref"), str(DATA / "hyp/gazetteer/manual")]
    status = main(["audit", *sides, "--format", "html", "--audio", "audio", "-o", "page.html"])
    assert (status, capsys.readouterr().err) == (0, said)


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


# --- the scale -----------------------------------------------------------------------------------


def test_scale_keeps_time_in_order():
    """A later time is never further left, and the way back finds the time."""
    times = spread([(0, 300), (250, 250), (250, 900), (5000, 5100)])
    scale = Scale([Need(time, 40) for time in times], [Need((times[0][0], times[1][1]), 200)])
    places = [scale(time) for time in range(-100, 6000, 7)]
    assert places == sorted(places)
    assert [scale.time(scale(time)) for time in scale.knots] == scale.knots
    assert all(scale(end) - scale(start) >= 40 - 1e-9 for start, end in times)


# --- in a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files():
    return pages("asr")


@pytest.fixture(scope="module")
def report():
    return json.loads(json_report.render(scored("asr")))


def visible(page):
    """The classes of the cases that are shown."""
    return page.eval_on_selector_all(
        ".entry", "all => all.filter(e => !e.hidden).map(e => e.dataset.class)"
    )


def table(page, name):
    """A table's figures by row and heading."""
    heads = page.eval_on_selector_all(f"#{name} thead th", "all => all.map(e => e.textContent)")
    rows = page.eval_on_selector_all(
        f"#{name} tbody tr", "all => all.map(r => [...r.cells].map(c => c.textContent.trim()))"
    )
    return {row[0]: dict(zip(heads[2:], row[2:], strict=True)) for row in rows}


def test_filter_by_class(visit, files, report):
    """What is left are exactly the cases of the class, and the address says so."""
    page = visit(files)
    for letter in (slot.value for slot in Slot):
        page.locator(f'.chip:has([value="{letter}"])').click()
        assert visible(page) == [letter] * report["counts"][letter]
        assert address(page).endswith(f"?class={letter}")
        page.keyboard.press("Escape")
        assert len(visible(page)) == sum(report["counts"][slot.value] for slot in Slot)


def test_filter_by_label_from_an_address(visit, files, report):
    """A filter can be passed on as a link; a case's labels are those of both sides."""
    page = visit(files, address="?class=D,S_S&label=pers.ind")
    counts = report["labels"]["pers.ind"]["counts"]
    assert Counter(visible(page)) == {"D": counts["D"], "S_S": counts["S_S"]}
    assert page.input_value("#label") != ""


def test_keys_step_from_error_to_error(visit, files):
    """n goes through the errors in document order, p back; a filter is kept."""
    page = visit(files)
    errors = page.eval_on_selector_all(
        ".entry", "all => all.filter(e => e.dataset.class !== 'C').map(e => e.id)"
    )
    steps = []
    for _ in range(12):
        page.keyboard.press("n")
        steps.append(page.evaluate("location.hash.slice(1)"))
        until(page, "document.querySelector('.entry.here')?.id === location.hash.slice(1)")
    assert steps == errors[:12]
    page.keyboard.press("p")
    assert page.evaluate("location.hash.slice(1)") == errors[10]
    top = "document.querySelector('.entry.here').getBoundingClientRect().top"
    until(page, f"0 <= {top} && {top} <= innerHeight")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "label"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#legend").get_attribute("open") is not None


def test_steps_go_on_to_the_next_document(visit):
    """After a document's last error comes the first of the next one, with the same filter."""
    page = visit(pages("asr", split=True), "moonlanding.html", "?class=I")
    for _ in range(7):
        page.keyboard.press("n")
    page.wait_for_url("**/marshall.html*")
    until(page, "document.querySelectorAll('.entry.here').length")
    assert re.search(r"marshall\.html\?class=I#marshall-h\d+$", address(page))
    assert page.locator(".entry.here").get_attribute("data-class") == "I"


def test_steps_begin_where_the_address_leads(visit, files):
    """After a link to a document or a stretch, n is the next error from there, p the one before."""
    entries = tree_of(files["index.html"]).entries
    errors = [anchor for anchor, letter in entries if letter != "C"]
    [*_, middle, last] = dict.fromkeys(anchor.rpartition("-")[0] for anchor in errors)
    first = next(anchor for anchor in errors if anchor.startswith(f"{last}-"))
    before = errors[errors.index(first) - 1]
    assert before.startswith(f"{middle}-")
    for keys, expected in (("n", first), ("p", before), ("np", before), ("pn", first)):
        page = visit(files, address=f"#{last}")
        for key in keys:
            page.keyboard.press(key)
        assert page.evaluate("location.hash.slice(1)") == expected
    page.click(f"#by-document a[href='#{last}']")
    until(page, "!document.querySelector('.here')")  # of the key before: the page has heard of it
    page.keyboard.press("n")
    assert page.evaluate("location.hash.slice(1)") == first
    page = visit(files, address=f"#{last}-l2")
    page.keyboard.press("n")
    stepped = page.evaluate("location.hash.slice(1)")
    assert page.locator(f"#{last}-l2 #{stepped}").count() == 1


def test_steps_begin_where_one_reads(visit, files):
    """Without an anchor, n is the first error that is not above the window, p the one before."""
    page = visit(files)
    # laid out at once: a stretch that the browser puts off has no height that can be measured
    page.add_style_tag(content=".stretch { content-visibility: visible !important }")
    tops = dict(page.evaluate(
        """() => {
            document.querySelector('#marshall-l3').scrollIntoView({ behavior: 'instant' });
            scrollBy({ top: 60, behavior: 'instant' });
            const errors = [...document.querySelectorAll('.entry:not([data-class=C])')];
            const tops = errors.map(e => [e.id, e.getBoundingClientRect().top]);
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
            return tops;
        }"""
    ))  # fmt: skip
    above = [anchor for anchor, top in tops.items() if top < 0]
    assert 0 < len(above) < len(tops)
    assert page.evaluate("location.hash.slice(1)") == list(tops)[len(above)]
    page.keyboard.press("p")
    assert page.evaluate("location.hash.slice(1)") == above[-1]


def test_steps_begin_on_the_index(visit):
    """Where each document has its page, n on the index leads to the first error of the worst."""
    page = visit(pages("asr", split=True))
    worst = page.locator("#by-document tbody th a").first.inner_text()
    page.keyboard.press("n")
    page.wait_for_url(f"**/{worst}.html*")
    until(page, "document.querySelectorAll('.entry.here').length")
    assert page.locator(".entry.here").get_attribute("id") == page.evaluate(
        "document.querySelector('.entry:not([data-class=C])').id"
    )


@pytest.mark.parametrize("split", [False, True])
def test_labels_lead_to_their_cases(visit, split):
    """The name of a label leads to a page that shows its cases only, an error if there is one."""
    labels = scored("asr").labels
    flawless = next(one for one, its in labels.items() if its.C == its.ref == its.hyp)
    for label in ("pers.ind", flawless, "name"):
        page = visit(pages("asr", split=split))
        follow(page, page.locator("#by-label a", has_text=re.compile(f"^{re.escape(label)}$")))
        assert page.evaluate("label.selectedOptions[0].textContent") == label
        shown = visible(page)
        assert 0 < len(shown) < page.locator(".entry").count()
        assert any(letter != "C" for letter in shown) == (label != flawless)


def test_labels_of_any_text_lead_to_their_cases(visit):
    """A label finds its cases whatever characters it has."""
    page = visit(pages("hostile"))
    links = page.eval_on_selector_all("#by-label a", "all => all.map(a => a.href)")
    assert len(links) == len(HOSTILE)
    for link, label in zip(links, sorted(HOSTILE), strict=True):
        page.goto(link)
        assert page.evaluate("label.selectedOptions[0].textContent") == label


def test_filter_unplaceable_elements(visit):
    """Where unplaceable elements count as deletions, a chip finds them among these."""
    rows = [row for document in audit(scored("text miss")) for row in document.rows]
    lost = sum(row.why is not None for row in rows)
    page = visit(pages("text miss"))
    page.locator('.chip:has([value="unplaceable"])').click()
    assert visible(page) == ["D"] * lost
    assert address(page).endswith("?class=unplaceable")
    assert page.locator("a.bar.lost:not(.faint)").count() == lost
    assert page.locator('.chip:has([value="unplaceable"])').inner_text().split()[-1] == str(lost)
    page = visit(pages("text miss"), address="?class=unplaceable,I")
    assert {*visible(page)} == {"D", "I"}


def test_matrix_leads_to_its_cases(visit, files):
    """A cell leads to as many cases as it says, and these to a case of its class."""
    page = visit(files)
    cell = page.locator("#matrix td.m-S a").first
    count = int(cell.inner_text())
    follow(page, cell)
    group = page.locator(":target")
    assert group.locator("li").count() == count
    follow(page, group.locator("a").first)
    page.wait_for_selector(".entry.here")
    assert page.locator(".entry.here").get_attribute("data-class") in {"S_T", "S_ST"}


def test_link_to_one_error(visit, files):
    """An address with an anchor shows that case, in the drawing too, even a folded one."""
    anchors = [anchor for anchor, letter in tree_of(files["index.html"]).entries if letter == "C"]
    page = visit(files, address=f"#{anchors[40]}")
    page.wait_for_selector(".entry.here")
    assert page.locator(".entry.here").get_attribute("id") == anchors[40]
    assert page.locator(".entry.here").is_visible()
    assert page.locator("a.bar.here").count() == 2
    assert page.locator(".ribbon.here").count() == 1


def test_light_and_dark(visit, files):
    """The page follows the system, until the reader chooses."""

    def ground(page):
        return sum(
            map(
                int,
                re.findall(
                    r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor")
                )[:3],
            )
        )

    light, dark = (visit(files, color_scheme=scheme) for scheme in ("light", "dark"))
    assert ground(light) > 600
    assert ground(dark) < 150
    light.click("#theme")
    assert ground(light) < 150
    light.reload()
    assert ground(light) < 150
    light.keyboard.press("t")
    assert ground(light) > 600


OVERLAPS = """() => {
  const found = [];
  for (const row of document.querySelectorAll(".piece g")) {
    const words = [...row.querySelectorAll("text")].map(t => [t.textContent, t.getBBox()]);
    words.slice(1).forEach(([text, box], k) => {
      const [before, left] = words[k];
      if (left.width && left.x + left.width > box.x + 1) found.push(before + " " + text);
    });
  }
  for (const bar of document.querySelectorAll("a.bar")) {
    const [label, letter] = [...bar.querySelectorAll("text")].map(t => t.getBBox());
    if (label.x + label.width > letter.x + 1) found.push(bar.textContent);
  }
  return found;
}"""


@pytest.mark.parametrize("shown", ["asr", "text"])
def test_nothing_is_written_over(visit, shown):
    """As the browser's font has it, words and labels fit where the scale gave them room."""
    page = visit(pages(shown))
    page.add_style_tag(content=".stretch { content-visibility: visible }")
    assert page.evaluate("document.querySelector('.piece text').getBBox().width") > 0
    assert page.evaluate(OVERLAPS) == []


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (c) => c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05); };
  const of = (element, what) => getComputedStyle(element)[what];
  const found = {};
  for (const bar of document.querySelectorAll("a.bar")) {
    const ground = rgb(of(bar.querySelector("rect"), "fill"));
    for (const text of bar.querySelectorAll("text")) {
      found[bar.getAttribute("class") + " " + text.getAttribute("class")] =
        ratio(rgb(of(text, "fill")), ground);
    }
  }
  const card = rgb(of(document.querySelector(".stretch"), "backgroundColor"));
  const letters = ["C", "D", "I", "S_S", "S_T", "S_ST"].map(letter => `.k-${letter}.k`);
  for (const name of [...letters, ".why", ".entry a", "h3 a"]) {
    const one = document.querySelector(".stretch " + name);
    if (one) found[name] = ratio(rgb(of(one, "color")), card);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(visit, files, scheme):
    """All text has a contrast of 4.5 to its ground, the letters on the bars too."""
    page = visit(files, color_scheme=scheme)
    ratios = page.evaluate(CONTRAST)
    assert len(ratios) > 15
    assert {what: ratio for what, ratio in ratios.items() if ratio < 4.5} == {}


def test_without_javascript(visit, files, report):
    """All cases are there, the errors visible, and links work."""
    page = visit(files, java_script_enabled=False)
    errors = page.locator('.entry:not([data-class="C"])')
    assert errors.count() == sum(report["counts"][s.value] for s in Slot if s is not Slot.CORRECT)
    assert errors.first.is_visible()
    assert errors.last.is_visible()
    assert not page.locator("#tools").is_visible()
    assert page.locator("details.rest summary").first.is_visible()


@pytest.mark.parametrize("split", [False, True])
def test_hostile_words_stay_words(visit, split):
    """No word, label or name becomes an element or runs; all of them are there as text."""
    files = pages("hostile", split=split)
    for file in [*files][:4]:
        page = visit(files, file)
        assert page.title() != "broken"
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1
        if file == "index.html":
            assert list(table(page, "by-label")) == sorted(HOSTILE)
        if file != "index.html" or not split:
            words = page.locator(".piece text.w, .piece title").all_text_contents()
            assert set(HOSTILE) <= set(words)


def test_click_plays_the_stretch(visit, tmp_path):
    """A click on an element plays its time of the recording, beside the page, and then stops."""
    with wave.open(str(tmp_path / "marshall.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(bytes(8000 * PATIENCE))
    audio = recordings(str(tmp_path), DOCUMENTS, str(tmp_path))
    page = visit(render(scored("asr"), audio=audio))
    page.evaluate("""() => {
      const play = Audio.prototype.play;
      window.heard = [];
      Audio.prototype.play = function () {
        const hear = (what) => heard.push([what, this.currentTime]);
        for (const what of ["playing", "pause", "ended"]) {
          this.addEventListener(what, () => hear(what), { once: true });
        }
        window.played = this;
        hear("play");
        return play.call(this);
      };
    }""")
    bar = page.locator("#marshall a.bar").nth(2)
    link = page.locator(f"{bar.get_attribute('href')} a.play").first
    start, end = (float(x) for x in link.get_attribute("href").partition("#t=")[2].split(","))
    bar.click()
    until(page, "heard.length === 3")
    assert page.evaluate("played.getAttribute('src')") == "./marshall.wav"
    heard, times = zip(*page.evaluate("heard"), strict=True)
    assert heard == ("play", "playing", "pause")
    assert times[0] == start < end <= times[2] < PATIENCE


def test_every_class_has_a_name_and_a_colour():
    """Whatever a case can be is named in the legend and coloured in the style."""
    style = pages("empty")["index.html"]
    assert set(NAMES) >= {slot.value for slot in Slot}
    assert all(f".k-{letter} {{ --k" in style for letter in NAMES)
