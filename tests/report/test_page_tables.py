"""The page in a browser: sections, sorted tables, search, and the way back."""

import pytest
from pages import draw, pages, scored, until

from sereval.analysis.audit import audit

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def files():
    return pages("asr")


def column(page, name, at):
    """The cells of a column of a table."""
    return page.eval_on_selector_all(
        f"#{name} tbody:last-of-type tr", f"all => all.map(r => r.cells[{at}].textContent.trim())"
    )


def test_heads_sort_their_columns(visit, files):
    """A click sorts numbers from the largest, a second one from the smallest; rows stay whole."""
    page = visit(files)
    before = {*zip(column(page, "by-label", 0), column(page, "by-label", 2), strict=True)}
    head = page.locator("#by-label thead button", has_text="Ref")
    head.click()
    down = [int(text) for text in column(page, "by-label", 2)]
    assert down == sorted(down, reverse=True)
    assert page.locator("#by-label [aria-sort=descending]").count() == 1
    head.press("Enter")
    assert [int(text) for text in column(page, "by-label", 2)] == sorted(down)
    assert before == {*zip(column(page, "by-label", 0), column(page, "by-label", 2), strict=True)}
    page.locator("#by-label thead button", has_text="label").click()
    names = column(page, "by-label", 0)
    assert names == sorted(names)
    assert len({*down}) > 5


def test_search_in_words_labels_and_names(visit, files):
    """A search leaves the cases that have the text; the address passes it on, Esc ends it."""
    every = [
        (f"{document.id}-{'h' if case.reference is None else 'r'}{case.row.index}", case)
        for document in audit(scored("asr"))
        for case in document.cases
    ]
    ids = page_ids = None
    for wanted in ("moon", "pers", "marshall"):
        ids = {
            id
            for id, case in every
            if wanted == id.rpartition("-")[0]
            or any(
                wanted in text.lower() for row in case.rows for text in (*row.labels, *row.words)
            )
        }
        page = visit(files, address=f"?find={wanted}")
        draw(page)
        page_ids = page.eval_on_selector_all(".entry:not([hidden])", "all => all.map(e => e.id)")
        assert {*page_ids} == ids
        assert 0 < len(ids) < len(every)
    page = visit(files)
    page.keyboard.press("/")
    page.keyboard.type("moon")
    until(page, "location.search === '?find=moon'")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    until(page, "location.search === ''")
    draw(page)
    assert page.locator(".entry:not([hidden])").count() == len(every)


def test_back_and_forward(visit, files):
    """Each step is in the browser's history."""
    page = visit(files)
    steps = []
    for _ in range(3):
        page.keyboard.press("n")
        steps.append(page.evaluate("location.hash"))
    assert len({*steps}) == 3
    here = "'#' + document.querySelector('.entry.here')?.id"
    for way, expected in (("back", 1), ("back", 0), ("forward", 1)):
        page.evaluate(f"history.{way}()")
        until(page, f"{here} === '{steps[expected]}'")
