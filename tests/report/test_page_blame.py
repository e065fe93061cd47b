"""Blame on the page: badges, causes, misheard words, filters and links."""

from collections import Counter

import pytest
from pages import Payload, address, blame_pages, blamed, draw, follow, until

from sereval.analysis.blame import CAUSES, headline

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def top():
    return Payload(blame_pages()["index.html"])


def test_every_reference_element_has_its_badge(top):
    """The badges are the groups and the causes of the blame, element by element."""
    blame, _ = blamed()
    found = {
        f"{one['id']}-r{index}": (group, cause)
        for one in top.documents
        for index, group, cause, *_ in one["badges"][0]
    }
    expected = {f"{c.document}-r{c.index}": (c.group, c.cause) for c in blame.cases if c.group}
    assert found == expected
    counted = Counter(group for group, _ in found.values())
    assert counted == {group: n for group, n in blame.balance.outcomes.items() if n}


def test_the_figures_above(visit, top):
    """The sentence, the costs and shares, the causes and the signature are the report's."""
    blame, _ = blamed()
    page = visit(blame_pages())
    assert page.inner_text("p.quote") == " ".join(headline(blame.corners))
    rows = cells(page, "blame-costs")
    assert float(rows["in all"][0]) == float(blame.corners.costs["recognised"])
    assert float(rows["the recogniser's share"][0]) == float(blame.shares["recogniser"])
    causes = blame.balance.causes
    expected = [
        str(blame.balance.outcomes["lost"]),
        *(str(causes["lost", cause]) for cause in CAUSES),
    ]
    assert cells(page, "blame-causes")["lost"] == expected
    assert page.inner_text("footer").endswith(str(blame.signature))
    assert page.locator("details.only li").count() == blame.balance.insertions["manual"]


def cells(page, name):
    """The cells of a table by the head of their row."""
    rows = page.eval_on_selector_all(
        f"#{name} tbody tr", "all => all.map(r => [...r.cells].map(c => c.textContent))"
    )
    return {row[0]: row[1:] for row in rows}


SHOWN = ".entry:not([hidden])"


def test_filter_by_badge_and_cause(visit):
    """A choice leaves its cases alone, the address has it, keys step through them, Esc ends it."""
    blame, _ = blamed()
    page = visit(blame_pages())
    lost = blame.balance.outcomes["lost"]
    page.select_option("#blame", "lost")
    draw(page)
    assert page.locator(SHOWN).count() == lost
    assert page.locator("#found").inner_text().startswith(f"{lost} of ")
    misheard = blame.balance.causes["lost", "misheard"]
    page.select_option("#blame", "lost-misheard")
    assert page.locator(SHOWN).count() == misheard
    assert address(page).endswith("?blame=lost-misheard")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    assert "lost-misheard" in page.locator(".entry.here").get_attribute("data-blame").split()
    assert page.locator("#count").inner_text().startswith("case ")
    page.keyboard.press("Escape")
    assert page.locator(SHOWN).count() == page.locator(".entry").count()
    assert page.input_value("#blame") == ""


@pytest.mark.parametrize("size", [None, 2])
def test_numbers_lead_to_their_cases(visit, size):
    """The numbers of groups are links to the filter; found elements are opened, though correct."""
    blame, _ = blamed()
    page = visit(blame_pages(size))
    follow(page, page.locator("#blame-causes td a[href*='blame=found#']"))
    until(page, "document.querySelectorAll('.entry').length")
    draw(page)
    assert "?blame=found#" in address(page)
    assert blame.balance.outcomes["found"] >= page.locator(SHOWN).count() > 0
    assert page.locator(SHOWN).first.is_visible()
