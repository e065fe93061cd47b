"""The page in a browser: filters, links, keys, colours and sound."""

import csv
import re
import wave
from pathlib import Path

import pytest
from pages import (
    DOCUMENTS,
    HOSTILE,
    PATIENCE,
    address,
    draw,
    follow,
    pages,
    ready,
    render,
    scored,
    script,
    until,
)
from paths import DATA

from sereval import Document, Element, audit
from sereval.measures import Slot
from sereval.report.page.recordings import recordings

pytestmark = pytest.mark.check

SIDES = [DATA / "ref", DATA / "hyp/gazetteer/asr", "--align", DATA / "align"]
SIDES += ["--words", DATA / "asr", "--tolerance", "0.3"]


@pytest.fixture(scope="module")
def files():
    return pages("asr")


def drawn_entries(page):
    """The anchor and the class of each case, in the order of the page."""
    draw(page)
    return page.eval_on_selector_all(".entry", "all => all.map(e => [e.id, e.dataset.class])")


def visible(page):
    """The classes of the cases that are shown."""
    draw(page)
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


def test_filter_by_class(visit, files):
    """What is left are exactly the cases of the class, and the address says so."""
    page = visit(files)
    for letter in (slot.value for slot in Slot):
        page.locator(f'.chip:has([value="{letter}"])').click()
        assert visible(page) == [letter] * scored("asr").counts[Slot(letter)]
        assert address(page).endswith(f"?class={letter}")
        page.keyboard.press("Escape")
        assert len(visible(page)) == sum(scored("asr").counts[slot] for slot in Slot)


def test_keys_step_from_error_to_error(visit, files):
    """n goes through the errors in document order, p back; a filter is kept."""
    page = visit(files)
    draw(page)
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
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#legend").get_attribute("open") is not None


@pytest.mark.parametrize("size", [None, 1])
def test_figures_lead_to_their_cases(visit, size):
    """A label, a class and a cell of the matrix show their cases only, on the first page."""
    labels = scored("asr").labels
    flawless = next(one for one, its in labels.items() if its.C == its.ref == its.hyp)
    for label in ("pers.ind", flawless, "name"):
        page = visit(pages("asr", size))
        link = page.locator("#by-label a", has_text=re.compile(f"^{re.escape(label)}$"))
        follow(page, link)
        assert page.input_value("#label") == label
        shown = visible(page)
        assert 0 < len(shown) < page.locator(".entry").count()
        assert any(letter != "C" for letter in shown) == (label != flawless)
    page = visit(pages("asr", size))
    cell = page.locator("#matrix td.m-S a").first
    count = int(cell.text_content())
    follow(page, cell)
    shown = visible(page)
    assert 0 < len(shown) <= count
    assert len(shown) == count or size
    assert {*shown} <= {"S_T", "S_ST"}
    page.keyboard.press("n")
    assert page.locator(".entry.here").get_attribute("data-class") in {"S_T", "S_ST"}
    page = visit(pages("asr", size))
    follow(page, page.locator("#by-document tbody td a[href*='class=I']").first)
    assert {*visible(page)} == {"I"}


def test_steps_go_on_to_the_next_page(visit):
    """From the index to the first page, and on, with the same filter; p comes back."""
    page = visit(pages("asr", 1))
    page.keyboard.press("n")  # the first page has no error
    page.wait_for_url(re.compile(r"/2\.html#marshall-[rh]\d+$"))
    page = visit(pages("asr", 1), "2.html", "?class=I#last")
    page.wait_for_url(re.compile(r"#marshall-h\d+$"))
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"/3\.html\?class=I#moonlanding-h\d+$"))
    assert page.locator(".entry.here").get_attribute("data-class") == "I"
    page.keyboard.press("p")
    page.wait_for_url(re.compile(r"/2\.html\?class=I#marshall-h\d+$"))


def test_matrix_leads_to_its_cases(visit, files):
    """A cell leads to as many cases as it says, and these to a case of its class."""
    page = visit(files)
    cell = page.locator("#matrix td.m-S a").first
    count = int(cell.text_content())
    cell.click()
    until(page, "location.search !== ''")
    assert page.locator("#found").inner_text().startswith(f"{count} of ")
    assert "ref=" in address(page)
    shown = visible(page)
    assert len(shown) == count
    assert {*shown} <= {"S_T", "S_ST"}
    page.keyboard.press("n")
    assert page.locator(".entry.here").get_attribute("data-class") in {"S_T", "S_ST"}
    page.keyboard.press("Escape")
    assert page.locator("#cell").inner_text() == ""


LATE = """
const Observer = IntersectionObserver;
window.late = [];
window.tellAll = () => { for (const tell of late.splice(0)) tell(); };
window.IntersectionObserver = class extends Observer {
  constructor(tell, how) { super((seen) => late.push(() => tell(seen)), how); }
};
"""


def test_stretches_that_a_reload_took_away(visit, files):
    """That they came into view is told late: drawing them again would be complained of."""
    page = visit(files)
    page.add_init_script(LATE)
    page.reload()
    ready(page)
    page.locator("article.document").first.scroll_into_view_if_needed()
    until(page, "(tellAll(), document.querySelector('.stretch') !== null)")
    until(page, "late.length > 0")
    page.evaluate("document.querySelector('#matrix td.m-S a').click()")
    page.evaluate("tellAll()")
    assert "ref=" in address(page)


def test_where_errors_gather(visit, files):
    """The bars under a document's name add up to its cases; a click leads to their stretch."""
    page = visit(files)
    draw(page)
    strip = page.locator(".strip").first
    titles = strip.locator("title").all_text_contents()
    both = [re.fullmatch(r".*: (\d+) of (\d+) wrong", title) for title in titles]
    found = (
        page.locator("article")
        .first.locator(".entry")
        .evaluate_all("all => all.map(one => one.dataset.class)")
    )
    assert sum(int(one[2]) for one in both) == len(found)
    assert sum(int(one[1]) for one in both) == sum(letter != "C" for letter in found)
    strip.click(position={"x": 2, "y": 5})
    until(page, "location.hash.endsWith('-l1')")


def test_pairs_of_a_scheme_without_places(visit):
    """Two columns, with the confidence of what was found, and the words that differ."""
    words = ("Jean", "dit", "Dol")
    gold = Document("d", words, (Element("pers", 0, 1), Element("loc", 2, 3)))
    sure = Element("pers", 0, 2, confidence=0.75), Element("org", 2, 3)
    found = audit([gold], [Document("d", words, sure)], scheme="slurp")
    page = visit({"index.html": found.to_html()})
    draw(page)
    first = page.locator(".entry").first
    assert first.locator(".half").all_text_contents() == [
        "reference: pers Jean",
        "hypothesis: pers Jean dit 0.75",
    ]
    assert first.locator("mark").all_inner_texts() == ["dit"]
    assert page.locator("details .flow").count() == 1


def test_types_and_components(visit):
    """A kind of the grammar is a choice of labels, and its row leads to its elements."""
    found = audit(DATA / "ref", DATA / "hyp/gazetteer/manual", grammar="quaero")
    page = visit({"index.html": found.to_html()})
    page.click("#by-label a >> text=components")
    until(page, "location.search.includes('components')")
    labels = page.locator(".entry:not([hidden]) .label").all_inner_texts()
    assert labels
    assert not any(label.startswith(("pers", "loc")) for label in labels)


def test_what_is_taken_away(visit, files, tmp_path, run):
    """The shown cases as CSV; a note that stays after a reload, and that audit reads back."""
    page = visit(files, address="?class=S_T")
    draw(page)
    with page.expect_download() as got:
        page.click("#take-csv")
    rows = list(csv.DictReader(Path(got.value.path()).read_text("utf-8").splitlines()))
    assert [row["class"] for row in rows] == visible(page)
    assert all(row["reference_label"] != row["hypothesis_label"] for row in rows)
    entry = page.locator(".entry:visible").first
    entry.locator(".note-on button").click()
    entry.locator(".note-on select").select_option("reference wrong")
    kept = page.evaluate("JSON.stringify(localStorage)")  # a busy Chromium may lose it
    page.context.add_init_script(f"Object.assign(localStorage, {kept})")
    again = page.context.new_page()
    again.goto(page.url)
    ready(again)
    with again.expect_download() as got:
        again.click("#take-notes")
    noted = tmp_path / "notes.jsonl"
    noted.write_bytes(Path(got.value.path()).read_bytes())
    status, out, err = run("audit", *SIDES, "--notes", noted)
    assert (status, err) == (0, "")
    assert "1 note: 1 reference wrong" in out
    stale = kept.replace('\\"words\\":\\"', '\\"words\\":\\"other ')
    assert stale != kept
    again.add_init_script(f"Object.assign(localStorage, {stale})")  # of another output
    again.reload()
    ready(again)
    assert again.locator("#take-notes").is_hidden()
    page.fill("#find", "nowhere")
    until(page, "document.querySelector('#found').textContent.includes('clear “nowhere” or S_T')")


def test_link_to_one_error(visit, files):
    """An address with an anchor shows that case, in the drawing too, even a folded one."""
    entries = drawn_entries(visit(files))
    anchors = [anchor for anchor, letter in entries if letter == "C"]
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
    assert light.evaluate("localStorage.getItem('sereval-theme')") == "dark"
    # beside busy processes, Chromium loses at times what a file stored, so it is stored anew
    light.context.add_init_script("localStorage.setItem('sereval-theme', 'dark')")
    light.reload()
    ready(light)
    assert ground(light) < 150
    light.keyboard.press("t")
    assert ground(light) > 600


@pytest.mark.parametrize("size", [None, 4])
def test_hostile_words_stay_words(visit, size):
    """No word, label or name becomes an element or runs; all of them are there as text."""
    files = pages("hostile", size)
    for file in files:
        page = visit(files, file)
        assert page.title() != "broken"
        assert page.locator("img").count() == 0
        assert page.locator("script:not([type])").count() == 1
        if file == "index.html":
            assert sorted(table(page, "by-label")) == sorted(HOSTILE)
        if file != "index.html" or not size:
            draw(page)
            words = page.locator(".piece text.w, .piece title").all_text_contents()
            assert set(HOSTILE) <= set(words)


def recorded(folder, *, is_embedded):
    """A recording of one of the documents, which is written into a folder."""
    with wave.open(str(folder / "marshall.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(bytes(8000 * PATIENCE))
    return recordings(str(folder), DOCUMENTS, None if is_embedded else str(folder))


@pytest.mark.parametrize("is_embedded", [False, True])
def test_click_plays_the_stretch(visit, tmp_path, is_embedded):
    """A click on an element plays its time of the recording, beside or in the page, and stops."""
    found = recorded(tmp_path, is_embedded=is_embedded)
    if is_embedded:
        (tmp_path / "marshall.wav").unlink()
    page = visit(render(scored("asr"), recordings=found))
    page.evaluate(script("hear"))
    draw(page)
    bar = page.locator("#marshall a.bar").nth(2)
    link = page.locator(f"{bar.get_attribute('href')} a.play").first
    start, end = (float(x) for x in link.get_attribute("href").partition("#t=")[2].split(","))
    bar.click()
    until(page, "heard.length === 3")
    found = page.evaluate("played.getAttribute('src')")
    assert found.startswith("blob:") if is_embedded else found == "./marshall.wav"
    heard, times = zip(*page.evaluate("heard"), strict=True)
    assert heard == ("play", "playing", "pause")
    assert times[0] == start < end <= times[2] < PATIENCE
