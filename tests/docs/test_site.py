"""The documentation site builds without a warning, has every page, and fetches nothing."""

import re

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from paths import ROOT

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
    pages = {path.relative_to(docs).with_suffix(".html") for path in docs.rglob("*.md")}
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
