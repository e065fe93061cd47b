"""Makes the page on which a reader scores files in the browser, if Pyodide is in the folder build.

`make site` puts it there, from the registry of npm; without it the site has no such page.
"""

import io
import re
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PARTS = Path(__file__).with_name("browser")
PYODIDE = sorted(Path("build").glob("pyodide-*.tgz"))
PYTHON = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
OURS = ("page.css", "page.js", "worker.js")
PACKAGES = ("sereval", "click", "rapidfuzz", "textgrid")
"""What runs in the browser as it is installed; rapidfuzz has all its functions in Python too."""

DATA = ("align", "asr", "hyp/gazetteer", "ref")
MARK = re.compile(r"^.*<!-- browser -->\n", re.MULTILINE)
BUTTON = "[Score your files here](score.md){ .md-button }\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The menu, with the page."""
    if PYODIDE:
        config.nav.insert(1, {"Score here": "score.md"})
    return config


def on_page_markdown(markdown: str, **_: object) -> str:
    """A page, with a button for each mark, if there is a page that it leads to."""
    return MARK.sub(BUTTON if PYODIDE else "", markdown)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the page and what it runs."""
    if not PYODIDE:
        return files
    text = PARTS.joinpath("page.html").read_text("utf-8")
    files.append(File.generated(config, "score.md", content=text))
    with tarfile.open(PYODIDE[-1]) as archive:
        made = {name: archive.extractfile(f"package/{name}").read() for name in PYTHON}
    made |= {name: PARTS.joinpath(name).read_bytes() for name in OURS}
    made["program.zip"] = program()
    for name, content in made.items():
        files.append(File.generated(config, f"score/{name}", content=content))
    return files


def program() -> bytes:
    """An archive of the packages, without what only this machine can run, and of the recordings."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, name in sorted(contents()):
            archive.write(path, name)
    return made.getvalue()


def contents() -> Iterator[tuple[Path, str]]:
    """The files of the archive with their places in it."""
    for package in PACKAGES:
        spec = find_spec(package)
        [folder] = map(Path, spec.submodule_search_locations)
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix not in {".so", ".pyc"}:
                yield path, f"{package}/{path.relative_to(folder)}"
    for folder in DATA:
        for path in Path("data", folder).rglob("*"):
            if path.is_file():
                yield path, str(path)
