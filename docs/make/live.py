"""Makes what the site has beside its pages: errors in data/, with sound, and JSON schemas.

mkdocs calls the hook when it collects the files of the site.
"""

import json
import shutil
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import sereval
from sereval.cli import main
from sereval.report.schemas import COMMANDS

PAGE = "demo/index.html"
SOUND = Path("data/audio")
COMMAND = (
    "blame data/ref data/hyp/gazetteer/manual data/hyp/gazetteer/asr "
    "--align data/align --words data/asr --tolerance 0.3 --format html"
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site with the page and the schemas."""
    for name in COMMANDS:
        text = json.dumps(sereval.schema(name), indent=2)
        files.append(File.generated(config, f"reference/schemas/{name}.json", content=text))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, PAGE)
        sound = path.parent / "audio"
        shutil.copytree(SOUND, sound)
        if main([*COMMAND.split(), "--audio", str(sound), "-o", str(path)]):
            raise SystemExit("the example page was not made")
        files.append(File.generated(config, PAGE, content=path.read_text("utf-8")))
        for recording in sorted(sound.iterdir()):
            place = f"demo/audio/{recording.name}"
            files.append(File.generated(config, place, content=recording.read_bytes()))
    return files
