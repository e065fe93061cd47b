"""The page in a window: links and keys lead to what they name, and the bar says where that is."""

import pytest
from pages import DOCUMENTS, draw, pages, ready, script, until

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


# --- the search ----------------------------------------------------------------------------------
