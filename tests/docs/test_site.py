"""The documentation site builds without a warning, has every page, and fetches nothing."""

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from paths import DATA, ROOT

from sereval.cli import main

build = pytest.importorskip("mkdocs.commands.build").build
load_config = pytest.importorskip("mkdocs.config").load_config

pytestmark = pytest.mark.check

LOADED = re.compile(r"<(?:script|img|iframe|link|source)\b[^>]*?\b(?:src|href)=\"?([^\"\s>]+)")
IMPORTED = re.compile(r"@import[^;]*|url\(\s*[\"']?(?:https?:)?//[^)]*")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        build(load_config("mkdocs.yml", site_dir=str(folder), strict=True))
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_strict_build(site):
    """Each page of docs is a page of the site; strict: no dead link, none left out of the menu."""
    docs = ROOT / "docs"
    named = {"README": "index.html"}
    pages = {
        path.relative_to(docs).with_name(named.get(path.stem, f"{path.stem}.html"))
        for path in docs.rglob("*.md")
    }
    assert pages <= {path.relative_to(site) for path in site.rglob("*.html")}


def test_nothing_is_fetched(site):
    """What a page loads stands beside it: nothing comes from the network."""
    pages = sorted(site.rglob("*.html"))
    loaded = [url for page in pages for url in LOADED.findall(page.read_text("utf-8"))]
    assert loaded
    assert [url for url in loaded if re.match(r"(?:[a-z]+:)?//", url)] == []
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert IMPORTED.findall(styles) == []


def test_the_api_has_the_package(site):
    """Every public name of the package is on the page of the API."""
    import sereval

    page = (site / "reference/api.html").read_text("utf-8")
    shown = set(re.findall(r'id="(?:sereval\.)(?:\w+\.)*(\w+)"', page))
    assert set(sereval.__all__) - shown == set()


def test_the_home_page_leads_to_the_live_page(site):
    """The home page has its pictures, and a link to the page of every error of a system."""
    home = (site / "index.html").read_text("utf-8")
    pictures = re.findall(r"images/home-[\w-]+\.png", home)
    assert len({*pictures}) == 4
    assert all((site / picture).is_file() for picture in pictures)
    assert "demo/index.html" in home
    page = (site / "demo" / "index.html").read_text("utf-8")
    assert "28.6" in page
    assert '"audio/mandela.ogg"' in page
    assert (site / "demo" / "audio" / "mandela.ogg").read_bytes().startswith(b"OggS")


@pytest.fixture(scope="module")
def served(site):
    """The address of the site on a port of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def window(served, browser):
    """A page of the site, whose search has read its index after the first question."""
    page = browser.new_page()
    page.goto(f"{served}/tutorial/recording.html")
    yield page
    page.close()


PAGES = """() => [...document.querySelectorAll('.md-search-result__item')].slice(0, 3)
    .map(item => new URL(item.querySelector('a').href).pathname)"""


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("--max-states", "reference/options"),
        ("--unplaceable", "reference/options"),
        ("low-entropy", "reference/commands/templates"),
        ("S_ST", "reference/measures"),
        ("strict_start", "reference/measures"),
        ("install", "install"),
        ("tutorial", "tutorial/recording"),
        ("precision", "howto/threshold"),
        ("recall", "howto/flat"),
    ],
)
def test_search(window, typed, page):
    """The search finds an option, a column or a page among its first three pages."""
    window.locator(".md-search__input").clear()
    window.wait_for_function("() => !document.querySelector('.md-search-result__item')")
    window.locator(".md-search__input").press_sequentially(typed)
    # the list is that of each beginning of the text until the search has read the whole of it
    window.wait_for_function(f"page => ({PAGES})().includes(page)", arg=f"/{page}.html")


def test_score_in_the_browser(site, served, browser, capsys):
    """The page scores two files as the command line does, and asks nothing of another machine."""
    if not (site / "score.html").is_file():
        pytest.skip("Pyodide is not in the folder build")
    files = [DATA / "ref" / "mandela.ne", DATA / "hyp" / "gazetteer" / "manual" / "mandela.ne"]
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served}/score.html")
    for side, file in zip(("reference", "system"), files, strict=True):
        page.locator(f"[name={side}]").set_input_files(file)
    with page.expect_popup() as errors:
        page.locator("[name=errors]").click()
    assert "28.8" in errors.value.title() + errors.value.locator("body").inner_text()

    assert main(["score", *map(str, files)]) == 0
    printed = capsys.readouterr().out.partition("\nReference ")[0]
    assert page.locator(".report").text_content().startswith(printed)
    assert [url for url in asked if not url.removeprefix("blob:").startswith(served)] == []
    page.context.close()
