"""Blame on the page: badges, causes, misheard words, filters and links."""

from collections import Counter

import pytest
from pages import RESAMPLING, Payload, address, blame_pages, blamed, draw, follow, render, until
from paths import DATA

from sereval.analysis.blame_report import headline, signature
from sereval.analysis.causes import CAUSES

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
    causes = blame.balance.causes["lost"]
    expected = [str(blame.balance.outcomes["lost"]), *(str(causes[cause]) for cause in CAUSES)]
    assert cells(page, "blame-causes")["lost"] == expected
    assert page.inner_text("footer").endswith(str(signature(blame, RESAMPLING)))
    assert page.locator("details.only li").count() == blame.balance.insertions["manual"]


def cells(page, name):
    """The cells of a table by the head of their row."""
    rows = page.eval_on_selector_all(
        f"#{name} tbody tr", "all => all.map(r => [...r.cells].map(c => c.textContent))"
    )
    return {row[0]: row[1:] for row in rows}


OUTCOMES = """all => Object.fromEntries(all.map(entry => {
  const texts = (selector) => [...entry.querySelectorAll(selector)].map(one => one.textContent);
  return [entry.id, [texts(".both b"), texts(".heard q")]];
}))"""


def test_both_outcomes_and_the_misheard_words(visit):
    """A lost element shows its outcome on either words, its words, and what was heard below."""
    blame, _ = blamed()
    page = visit(blame_pages())
    draw(page)
    entries = page.eval_on_selector_all(".entry", OUTCOMES)
    shown = 0
    for case in blame.cases:
        if case.group != "lost":
            continue
        anchor = f"{case.document}-r{case.index}"
        both, heard = entries[anchor]
        assert [case.manual, case.recognised] == both
        if case.cause != "misheard":
            continue
        shown += 1
        assert heard == [" ".join(case.words), " ".join(case.heard)]
    assert shown == blame.balance.causes["lost"]["misheard"] > 10


def test_same_blame_same_bytes():
    """Nothing depends on the clock or on hashing."""
    blame, score = blamed()
    assert blame_pages() == render(score, blames={("", ""): blame}, resampling=RESAMPLING)


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
    misheard = blame.balance.causes["lost"]["misheard"]
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


TIMES = ["--align", DATA / "align", "--words", DATA / "asr", "--tolerance", "0.3"]
SIDES = [DATA / "ref", DATA / "hyp/gazetteer/manual", DATA / "hyp/gazetteer/asr"]


def test_the_command_writes_the_page(here, run):
    """A page of all the bundled recordings, with the figures of the command's other reports."""
    status, out, err = run("blame", *SIDES, *TIMES, "--resamples", "20", "--format", "html",
                           "-o", "page.html")  # fmt: skip
    assert (status, out, err.count("\n")) == (0, "", 1)
    found = Payload((here / "page.html").read_text("utf-8")).data["blame"]
    groups = {group: [count, *causes] for group, count, causes in found["groups"]}
    assert groups["lost"] == [125, 5, 108, 12, 0]
    assert groups["kept"] == [593]
    assert found["sentence"].startswith("41.1 % = 28.6 even on perfect words")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("blame --campaign c.toml --format html -o p.html", "--format html shows one system"),
        ("blame ref hyp heard --by text --audio .", "--audio is for --format html"),
    ],
)
def test_wrong_usage(command, said, files, run):
    """A command that makes no sense ends with status 2 and says what was expected."""
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert said in err
