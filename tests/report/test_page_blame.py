"""Blame on the page: badges, causes, misheard words, filters and links."""

from collections import Counter
from urllib.parse import unquote

import pytest
from pages import RESAMPLING, address, blame_pages, blamed, draw, follow, tree_of
from paths import DATA

from sereval.analysis.balance import GROUPS
from sereval.analysis.causes import CAUSES
from sereval.report.blame import headline, signature
from sereval.report.page import render

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def top():
    return tree_of(blame_pages()["index.html"])


def badges(top):
    """The group and the cause of each case that has a badge, by the anchor of the case."""
    found = {case.anchor: case.badge for case in top.cases if case.badge}
    return {
        anchor: [GROUPS[group], *([f"{GROUPS[group]}-{CAUSES[cause]}"] if cause >= 0 else [])]
        for anchor, (group, cause, *_) in found.items()
    }


def texts(top, tag, id):
    """The cells of a table, row by row."""
    [table] = [one for one in top.all(tag) if one.attributes.get("id") == id]
    return [[cell.text for cell in row.tags] for row in table.all("tbody")[0].all("tr")]


def test_every_reference_element_has_its_badge(top):
    """The badges are the groups and the causes of the blame, element by element."""
    blame, _ = blamed()
    found = badges(top)
    expected = {
        f"{case.document}-r{case.index}": [
            case.group,
            *([f"{case.group}-{case.cause}"] if case.cause else []),
        ]
        for case in blame.cases
        if case.is_reference
    }
    assert found == expected
    counted = Counter(names[0] for names in found.values())
    assert counted == {group: n for group, n in blame.balance.outcomes.items() if n}


OUTCOMES = """all => Object.fromEntries(all.map(entry => {
  const texts = (selector) => [...entry.querySelectorAll(selector)].map(one => one.textContent);
  return [entry.id, [texts(".both b"), texts(".heard q")]];
}))"""


def test_both_outcomes_and_the_misheard_words(visit, top):
    """A lost element shows its outcome on either words, its words, and what was heard below."""
    blame, _ = blamed()
    page = visit(blame_pages())
    draw(page)
    entries = page.eval_on_selector_all(".entry", OUTCOMES)
    plain = {
        line.attributes["id"]: line.text for line in top.all("ol", "plain") for line in line.tags
    }
    shown = 0
    for case in blame.cases:
        if case.group != "lost":
            continue
        anchor = f"{case.document}-r{case.index}"
        both, heard = entries[anchor]
        assert [case.manual, case.recognised] == both
        assert f"{both[0]} on reference words, {both[1]} here" in plain[anchor]
        if case.cause != "misheard":
            continue
        shown += 1
        assert heard == [" ".join(case.words), " ".join(case.heard)]
        assert all(text in plain[anchor] for text in heard)
    assert shown == blame.balance.causes["lost"]["misheard"] > 10


def test_the_tables_above(top):
    """The sentence, the costs and shares, the causes and the signature are the report's."""
    blame, _ = blamed()
    [quote] = top.all("p", "quote")
    assert quote.text == " ".join(headline(blame.corners))
    costs = {row[0]: row[1] for row in texts(top, "table", "blame-costs")}
    assert float(costs["in all"]) == float(blame.corners.costs["recognised"])
    assert float(costs["the recogniser's share"]) == float(blame.shares["recogniser"])
    rows = {row[0]: row[1:] for row in texts(top, "table", "blame-causes")}
    causes = blame.balance.causes["lost"]
    lost = blame.balance.outcomes["lost"]
    assert rows["lost"] == [str(lost), *(str(causes[cause]) for cause in CAUSES)]
    assert top.all("footer")[0].text.endswith(str(signature(blame, RESAMPLING)))
    only_manual = [item.text for part in top.all("details", "only") for item in part.all("li")]
    assert len(only_manual) == blame.balance.insertions["manual"]


@pytest.mark.parametrize("split", [False, True])
def test_pages_are_well_formed_and_linked(split):
    """Tags close in order, no id stands twice, each link leads to an anchor of some page."""
    found = {file: tree_of(text) for file, text in blame_pages(split=split).items()}
    ids = {file: page.values("id") for file, page in found.items()}
    assert (len(found) > 1) == split
    known = {name: {*own, *dict(found[name].entries)} for name, own in ids.items()}
    for file, page in found.items():
        assert len({*ids[file]}) == len(ids[file])
        for link in page.values("href"):
            path, _, anchor = link.partition("#")
            if link != "data:,":
                other = known[unquote(path.partition("?")[0]) or file]
                assert anchor == "" or unquote(anchor) in other


def test_same_blame_same_bytes():
    """Nothing depends on the clock or on hashing."""
    blame, score = blamed()
    assert blame_pages() == render(score, blame=blame, resampling=RESAMPLING, most_documents=1000)


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


def test_numbers_lead_to_their_cases(visit):
    """The numbers of causes are links to the filter; found elements are opened, though correct."""
    blame, _ = blamed()
    page = visit(blame_pages(), address="?blame=found")
    draw(page)
    assert page.locator(SHOWN).count() == blame.balance.outcomes["found"] > 0
    assert page.locator(SHOWN).first.is_visible()
    page = visit(blame_pages(split=True))
    follow(page, page.locator("#blame-causes td a[href*='blame=lost#']"))
    assert "?blame=lost#" in address(page)
    assert page.locator(SHOWN).count() > 0


def test_without_javascript(visit):
    """Badges, both outcomes and misheard words can be read."""
    page = visit(blame_pages(), java_script_enabled=False)
    line = page.locator(".plain li", has_text="lost: misheard").first
    assert line.is_visible()
    assert ", heard" in line.inner_text()


TIMES = ["--align", DATA / "align", "--words", DATA / "asr", "--tolerance", "0.3"]
SIDES = [DATA / "ref", DATA / "hyp/gazetteer/manual", DATA / "hyp/gazetteer/asr"]


def test_the_command_writes_the_page(here, run):
    """A page of all the bundled recordings, with the figures of the command's other reports."""
    status, out, err = run("blame", *SIDES, *TIMES, "--resamples", "20", "--format", "html",
                           "-o", "page.html")  # fmt: skip
    assert (status, out, err.count("\n")) == (0, "", 1)
    top = tree_of((here / "page.html").read_text("utf-8"))
    rows = {row[0]: row[1:] for row in texts(top, "table", "blame-causes")}
    assert rows["lost"] == ["125", "5", "108", "12", "0"]
    assert rows["kept"][0] == "593"
    assert top.all("p", "quote")[0].text.startswith("41.1 % = 28.6 even on perfect words")


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
