"""The page of several systems: changes, conditions, tolerances."""

from functools import cache

import pytest
from pages import DOCUMENTS, draw, render, until
from paths import DATA

from sereval import evaluate, read, time_words
from sereval.analysis.audit import audit
from sereval.analysis.compare import with_interval
from sereval.analysis.resampling import Resampling
from sereval.measures import Slot
from sereval.report.page.tables import tables

pytestmark = pytest.mark.check

SYSTEMS = "compromise", "gazetteer"
TOLERANCES = 0, 0.3, 1.0


def texts(folder, suffix):
    """Documents of the demo."""
    return [one for id in DOCUMENTS for one in read(DATA / folder / f"{id}{suffix}")]


@cache
def score(system, words, tolerance=0.3):
    """A system of the demo on manual words or on the recogniser's."""
    references, found = texts("ref", ".ne"), texts(f"hyp/{system}/{words}", ".ne")
    if words == "manual":
        return evaluate(references, found)
    references = [*map(time_words, references, texts("align", ".TextGrid"))]
    found = [*map(time_words, found, texts("asr", ".ctm"))]
    return with_interval(
        evaluate(references, found, tolerance=tolerance, unplaceable="miss"), Resampling(1000)
    )


@cache
def campaign():
    """The page of two systems in two conditions."""
    runs = {
        words: {system: [score(system, words)] for system in SYSTEMS} for words in ("manual", "asr")
    }
    return render(runs, title="campaign", report="a <report>")


@cache
def swept():
    """The page of two systems at several tolerances."""
    runs = {"": {s: [score(s, "asr", at) for at in TOLERANCES] for s in SYSTEMS}}
    return render(runs)


def outcomes(words, tolerance=0.3):
    """For each reference element, whether each system is right."""
    found = {}
    for system in SYSTEMS:
        for document in audit(score(system, words, tolerance)):
            for row in document.references:
                is_right = row.slot is Slot.CORRECT
                found.setdefault((document.id, row.index), []).append(is_right)
    return found


def shown(page):
    """The anchors of the cases that are shown."""
    draw(page)
    return page.eval_on_selector_all(
        "article:not([hidden]) .entry:not([hidden])", "all => all.map(e => e.id)"
    )


@pytest.mark.parametrize(
    ("change", "was"),
    [
        ("fixed", [False, True]),
        ("broken", [True, False]),
        ("wrong", [False, False]),
        ("right", [True, True]),
    ],
)
def test_filter_by_change(visit, change, was):
    """What the second system changed is what the audits of both say, element by element."""
    page = visit(campaign(), address=f"?change={change}&words=1")
    expected = {f"{id}.2-r{k}" for (id, k), found in outcomes("asr").items() if found == was}
    assert {id for id in shown(page) if "-r" in id} == expected != set()
    texts = {*page.locator("article:not([hidden]) .entry:not([hidden]) .change").all_inner_texts()}
    assert texts == {"wrong in both" if change == "wrong" else change}


def test_conditions_are_chosen_and_linked(visit):
    """One condition is shown; a link to a case of another one shows that."""
    page = visit(campaign())
    hidden = "article.document:not([hidden])"
    assert page.locator(hidden).count() == len(DOCUMENTS) == page.locator("article[hidden]").count()
    page.evaluate("location.hash = 'marshall.2-r12'")
    until(page, "document.querySelector('.entry.here')?.id === 'marshall.2-r12'")
    assert page.input_value("[name=words]") == "1"
    assert page.inner_text("#condition") == "asr"
    page.evaluate("history.back()")


def test_the_slider_changes_figures_and_cases(visit):
    """At each tolerance the figures, the classes and the number of cases are those of its score."""
    page = visit(swept())
    for number, tolerance in enumerate(TOLERANCES):
        page.locator("[name=tolerance]").fill(str(number))
        assert page.inner_text("#tolerance-value") == f"{tolerance:g} s"
        rows = page.locator("#totals tbody tr")
        for k, system in enumerate(SYSTEMS):
            own = score(system, "asr", tolerance)
            cells = rows.nth(k).locator("td").all_inner_texts()
            found = tables(own)
            rate = found.total.pop(found.columns.index(found.headline[0]))
            assert cells == [rate, *found.total]
        right = sum(all(found) for found in outcomes("asr", tolerance).values())
        page.select_option("[name=change]", "right")
        assert len([id for id in shown(page) if "-r" in id]) == right
        page.select_option("[name=change]", "")


def test_the_chart_follows_the_slider_and_moves_it(visit):
    """It has a curve and a band for each system from zero, and a click chooses the tolerance."""
    page = visit(swept())
    assert page.locator("#chart .curve").count() == page.locator("#chart .band").count() == 2
    assert page.locator("#chart .y").first.text_content() == "0"
    titles = page.locator("#chart circle title").all_text_contents()
    rates = [float(title.partition(": ")[2].partition(" ")[0]) for title in titles]
    expected = [100 * float(score(s, "asr", at).ser) for s in SYSTEMS for at in TOLERANCES]
    assert rates == [pytest.approx(rate, abs=0.051) for rate in expected]
    page.locator("#chart circle").nth(1).click()
    assert page.inner_text("#tolerance-value") == "0.3 s"
    assert "tolerance:0.3" in page.inner_text(".signature")
    page.evaluate("history.back()")
    until(page, "document.querySelector('#tolerance-value').textContent === '0 s'")


TIMES = ["--align", DATA / "align", "--words", DATA / "asr"]
HYPS = [DATA / "hyp/compromise/asr", DATA / "hyp/gazetteer/asr"]


def test_commands_write_the_pages(here, run, visit):
    """compare and sweep write pages that run."""
    line = ["compare", DATA / "ref", *HYPS, *TIMES, "--tolerance", "0.3", "--resamples", "20"]
    assert run(*line, "-o", "page.html")[:2] == (0, "")
    page = visit({"index.html": (here / "page.html").read_text("utf-8")})
    assert "Slot error rate in percent" in page.inner_text("pre")
    line = ["sweep", DATA / "ref", *HYPS, *TIMES, "--tolerance", "0,0.3"]
    assert run(*line, "-o", "sweep.html")[:2] == (0, "")
    page = visit({"index.html": (here / "sweep.html").read_text("utf-8")})
    assert page.get_attribute("[name=tolerance]", "max") == "1"
