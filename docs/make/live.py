"""Makes the page that the site shows as an example: every error of a system in data/.

mkdocs calls the hook when it collects the files of the site.
"""

import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from sereval.cli import main

PAGE = "demo/index.html"
COMMAND = (
    "blame data/ref data/hyp/gazetteer/manual data/hyp/gazetteer/asr "
    "--align data/align --words data/asr --tolerance 0.3 --format html"
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "index.html")
        if main([*COMMAND.split(), "-o", str(path)]):
            raise SystemExit("the example page was not made")
        files.append(File.generated(config, PAGE, content=path.read_text("utf-8")))
    return files
