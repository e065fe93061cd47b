"""Makes what the site has beside its pages: every error of a system in data/, and the JSON schemas.

mkdocs calls the hook when it collects the files of the site.
"""

import json
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import sereval
from sereval.cli import main
from sereval.report.schemas import SCHEMAS

PAGE = "demo/index.html"
COMMAND = (
    "blame data/ref data/hyp/gazetteer/manual data/hyp/gazetteer/asr "
    "--align data/align --words data/asr --tolerance 0.3 --format html"
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the page and the schemas."""
    for name in SCHEMAS:
        text = json.dumps(sereval.schema(name), indent=2)
        files.append(File.generated(config, f"reference/schemas/{name}.json", content=text))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "index.html")
        if main([*COMMAND.split(), "-o", str(path)]):
            raise SystemExit("the example page was not made")
        files.append(File.generated(config, PAGE, content=path.read_text("utf-8")))
    return files
