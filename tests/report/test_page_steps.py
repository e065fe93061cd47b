"""The page in a window: links and keys lead to what they name, and the bar says where that is."""

import re
from collections import Counter

import pytest
from pages import DOCUMENTS, Payload, draw, pages, ready, script, until

pytestmark = pytest.mark.check

HEIGHT = 800
WIDTHS = (400, 1400)

SETTLED = script("settled")
BELOW = script("below")
LOCATED = script("located")
STEPPED = script("stepped").replace("SETTLED", SETTLED).replace("LOCATED", LOCATED)
READ = script("read")


def settle(page):
    """Wait until the page has its place."""
    page.evaluate(SETTLED)


def press(page, selector):
    """Press a part of the bar with the mouse. A click by name would first scroll the page to it."""
    its = page.locator(selector).bounding_box()
    page.mouse.click(its["x"] + its["width"] / 2, its["y"] + its["height"] / 2)


def window(width, **options):
    """Options of a window of this width."""
    return {"viewport": {"width": width, "height": HEIGHT}, **options}


def errors_of(page):
    """The errors of each document, in order, as the page draws them."""
    draw(page)
    found = page.eval_on_selector_all("article.document", script("errors"))
    page.reload()
    ready(page)
    return found


# --- links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_links_lead_to_the_heading_of_a_document(visit, width):
    """A document's heading stands right below the bar, by the figures or by the address."""
    page = visit(pages("asr"), **window(width))
    for id in DOCUMENTS:
        page.evaluate("scrollTo(0, 0)")
        page.locator(f"#by-document th a[href='#{id}']").click()
        settle(page)
        assert 0 <= page.evaluate(BELOW, f"#{id} h2") <= 16, id
    page = visit(pages("asr"), address=f"#{DOCUMENTS[-1]}", **window(width))
    settle(page)
    assert 0 <= page.evaluate(BELOW, f"#{DOCUMENTS[-1]} h2") <= 16


@pytest.mark.parametrize("width", WIDTHS)
def test_links_lead_to_a_stretch_or_a_cell(visit, width):
    """So do those to a few seconds of a document, and to the cases of a cell of the matrix."""
    page = visit(pages("asr"), **window(width))
    other = visit(pages("asr"), **window(width))
    draw(other)
    stretches = other.eval_on_selector_all(
        ".stretch h3 a:first-child", "all => all.map(a => a.hash)"
    )
    for anchor in stretches[-3::-7]:
        page.evaluate("hash => { location.hash = hash }", anchor)
        settle(page)
        assert 0 <= page.evaluate(BELOW, anchor) <= 16, anchor
    page.locator("#matrix td.m-S a").first.click()
    settle(page)
    assert 0 <= page.evaluate(BELOW, "article.document:not([hidden]) h2") <= HEIGHT / 2


def test_links_show_what_a_filter_hides(visit):
    """A link to a document of which a filter shows nothing ends the filter."""
    page = visit(pages("asr"), address="?class=S_ST&label=amount", **window(800))
    hidden = page.eval_on_selector_all("article.document[hidden]", "all => all.map(a => a.id)")
    assert hidden != []
    page.locator(f"#by-document th a[href='#{hidden[-1]}']").click()
    settle(page)
    assert page.locator("article.document[hidden]").count() == 0
    assert 0 <= page.evaluate(BELOW, f"#{hidden[-1]} h2") <= 16


# --- steps ---------------------------------------------------------------------------------------


def counted(page):
    """What the bar says when each error is at hand, in order."""
    return {
        anchor: [name, f"error {number} of {len(cases)}", which]
        for name, cases in errors_of(page)
        for number, (anchor, which) in enumerate(cases, 1)
    }


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *(("asr", 400), ("asr", 1400), ("text", 400), ("hostile", 400), ("silent", 400)),
    ],
)
def test_each_step_shows_the_drawing_and_the_case(visit, name, width):
    """After each press of n, and of p, one sees the case and its elements, and the bar names it."""
    page = visit(pages(name), **window(width))
    expected = counted(page)
    start = min(len(expected) // 2, 35)  # so that one comes to another document
    errors = list(expected)[start:][:30]
    if start:
        page.evaluate(STEPPED, f"#{list(expected)[start - 1]}")
    for keys, anchors in (("n", errors), ("p", errors[-2:-8:-1])):
        for anchor in anchors:
            found, hidden, said = page.evaluate(STEPPED, keys)
            assert anchor == found
            assert hidden == []
            assert expected[anchor] == said


@pytest.mark.parametrize("width", WIDTHS)
def test_a_link_to_a_correct_element_shows_its_drawing(visit, width):
    """So it is for a case that is folded away below the errors; the bar counts the errors."""
    page = visit(pages("asr"), **window(width))
    entries = Payload(pages("asr")["index.html"]).entries
    correct = [anchor for anchor, letter in entries if letter == "C"]
    for anchor in correct[::40]:
        found, hidden, [_, count, which] = page.evaluate(STEPPED, f"#{anchor}")
        assert anchor == found
        assert hidden == []
        assert re.fullmatch(r"\d+ errors?|no errors", count)
        assert which.startswith("C ")


# --- the bar -------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_the_bar_says_where_one_reads(visit, width):
    """While one scrolls, the bar names the document, and the first error that is not above."""
    page = visit(pages("asr"), **window(width))
    page.mouse.move(width / 2, HEIGHT / 2)
    expected = counted(page)
    for id, errors in errors_of(page):
        page.evaluate("id => document.getElementById(id).scrollIntoView()", id)
        settle(page)
        first = expected[errors[0][0]] if errors else [id, "no errors", ""]
        assert first == page.evaluate(LOCATED)
        if errors:
            page.mouse.wheel(0, 1000)
            until(page, f"document.getElementById('{id}').getBoundingClientRect().top < -500")
            settle(page)
            assert expected[page.evaluate(READ)] == page.evaluate(LOCATED)


def test_the_bar_counts_what_a_filter_shows(visit):
    """With a filter, the bar counts the errors that it shows, and says where there are none."""
    page = visit(pages("asr"), **window(800))
    worst = page.locator("article.document").first.get_attribute("id")
    entries = Payload(pages("asr")["index.html"]).entries
    letters = Counter((anchor.rpartition("-")[0], letter) for anchor, letter in entries)
    for letter in "DIC":
        page.locator(f'.chip:has([value="{letter}"])').click()
        shown = letters[worst, letter]
        page.evaluate("id => document.getElementById(id).scrollIntoView()", worst)
        settle(page)
        said = "no errors" if letter == "C" else f"error 1 of {shown}"
        assert [worst, said] == page.evaluate(LOCATED)[:2]
        page.keyboard.press("Escape")


def test_the_bar_leads_to_the_case(visit):
    """A click on the class and the labels makes the case in view the one at hand."""
    page = visit(pages("asr"), **window(400))
    page.locator("#by-document th a[href='#marshall']").click()
    settle(page)
    until(page, "document.querySelector('#where').textContent === 'marshall'")
    before = page.evaluate(LOCATED)
    press(page, "#which")
    until(page, "document.querySelectorAll('.entry.here').length")
    settle(page)
    assert before == page.evaluate(LOCATED)
    assert counted(page)[page.locator(".entry.here").get_attribute("id")] == before


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_stays_when_the_bar_has_the_focus(visit, width):
    """With the keyboard one walks through the bar, and comes to the case that it named."""
    page = visit(pages("asr"), **window(width))
    page.locator("#by-document th a[href='#marshall']").click()
    settle(page)
    top, before = page.evaluate("scrollY"), page.evaluate(LOCATED)
    page.evaluate("document.querySelector('#where').focus()")
    for id in ("where", "which", "previous", "next"):
        settle(page)
        assert [id, top] == page.evaluate("[document.activeElement.id, scrollY]")
        page.keyboard.press("Tab")
    page.evaluate("document.querySelector('#which').focus()")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.entry.here').length")
    settle(page)
    assert before == page.evaluate(LOCATED)


def test_the_bar_leads_to_the_top_of_its_document(visit):
    """A click on the name leads there; on the page of one document as well."""
    page = visit(pages("asr"), **window(400))
    page.keyboard.press("n")
    settle(page)
    id = page.evaluate(LOCATED)[0]
    press(page, "#where")
    settle(page)
    assert 0 <= page.evaluate(BELOW, f"#{id} h2") <= 16


# --- the search ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_the_search_is_seen_and_leads_to_a_case(visit, width):
    """A key shows the field, from the top of the page too; Enter leads to the first case found."""
    page = visit(pages("asr"), **window(width))
    for top in (0, 5000):
        page.evaluate("top => scrollTo(0, top)", top)
        settle(page)
        page.keyboard.press("/")
        settle(page)
        assert "find" == page.evaluate("document.activeElement.id")
        field = page.locator("#find").bounding_box()
        assert 0 <= field["x"] <= width - field["width"]
        assert 0 <= field["y"] <= HEIGHT - field["height"]
        page.keyboard.press("Escape")
        assert top == 0 or top == page.evaluate("scrollY")
    page.keyboard.press("/")
    page.keyboard.type("astronauts")
    page.keyboard.press("Enter")
    settle(page)
    assert page.evaluate("location.search") == "?find=astronauts"
    assert "astronauts" in page.locator(".entry.here").inner_text()
    assert page.evaluate("document.activeElement.id") == ""
