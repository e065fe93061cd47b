"""Fixtures of the tests of the command line and of pages, and how `hypothesis` runs.

It runs without chance, so that each run is the same, and without a clock, so that it is on any
machine. With the environment variable ``EXAMPLES`` set to a number, each law is tried on that many
at random.
"""

import io
import os
import shlex
import sys
from itertools import count

import pytest
from cli_files import CAMPAIGN, put, put_recordings
from extras import missing_extra
from hypothesis import HealthCheck, settings
from pages import ARGUMENTS, CHROMIUM, PATIENCE, ready
from paths import CASES
from schemas import check_output

from sereval.cli import main

# each test says what its terminal is like; output is buffered, as it is for users
for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES", "PYTHONUNBUFFERED"):
    os.environ.pop(name, None)

settings.register_profile(
    "laws",
    derandomize="EXAMPLES" not in os.environ,
    max_examples=int(os.environ.get("EXAMPLES", "60")),
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("laws")


@pytest.fixture(scope="session")
def _folders(tmp_path_factory):
    """Folders for tests; that of pytest looks for older ones and makes a link, each time."""
    folder = tmp_path_factory.mktemp("tests")
    return (folder / str(number) for number in count())


@pytest.fixture
def tmp_path(_folders):
    """A folder of its own."""
    folder = next(_folders)
    folder.mkdir()
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def figure_4(monkeypatch):
    """The folder of the worked case that is the paper's figure 4."""
    monkeypatch.chdir(CASES / "figure_4")


@pytest.fixture
def files(here):
    """A folder to work in, with a small reference, hypothesis, alignment and CTM."""
    for path, text in CAMPAIGN.items():
        put(path, text)
    return here


@pytest.fixture(scope="session")
def _four_recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    put_recordings(folder, "librivox", "louisiana", "panama", "titanic")
    return folder


@pytest.fixture
def four_recordings(_four_recordings, monkeypatch):
    """The working directory has four of the bundled recordings, with all that belongs to them."""
    monkeypatch.chdir(_four_recordings)


@pytest.fixture
def run(capsysbinary):
    """Runs a command line and gives its status, standard output and standard error.

    The first argument is cut as a shell does it; further ones are words as they are.
    """

    def run(line, *words):
        arguments = [*shlex.split(line), *map(str, words)]
        status = main(arguments)
        out, err = capsysbinary.readouterr()
        if status in (0, 3):
            check_output(arguments, out.decode("utf-8"))
        elif extra := missing_extra(err.decode("utf-8")):
            pytest.skip(f"needs sereval[{extra}]")
        return status, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Puts something into standard input."""

    def put_in(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8"))))

    return put_in


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven headless."""
    if CHROMIUM is None:
        pytest.skip("no browser is installed: apt-get install chromium")
    driver = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with driver.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE
        )
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser, tmp_path):
    """Opens pages from files; at the end nothing was complained of or asked from elsewhere."""
    complaints, requests, contexts = [], [], []

    def opened(files, name="index.html", address="", **options):
        for file, text in files.items():
            (tmp_path / file).write_text(text, "utf-8")
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(1000 * PATIENCE)
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / name).as_uri() + address)
        if options.get("java_script_enabled", True):
            ready(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
