"""The notebooks of docs/examples run, and show what is stored in them.

``python tests/docs/test_notebooks.py --write`` runs them and stores what they show; review the
difference. Cells have no numbers: those say in which order somebody once ran them.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from paths import ROOT

import sereval

nbformat = pytest.importorskip("nbformat")
NotebookClient = pytest.importorskip("nbclient").NotebookClient
Config = pytest.importorskip("traitlets.config").Config

pytestmark = pytest.mark.check

EXAMPLES = ROOT / "docs" / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
SHOWN = ("text/plain", "text/html")
PLACES = re.compile(r"/home/|/tmp/|/Users/|[A-Z]:\\|0x[0-9a-f]{6}")


def read(path):
    """A notebook as it is stored, checked against the format."""
    return nbformat.read(path, as_version=4)


def executed(path, folder):
    """The notebook run in its own folder by a kernel that sees this sereval and no settings.

    Args:
        folder: for what the kernel keeps of its own.
    """
    notebook = read(path)
    package = str(Path(sereval.__file__).parents[1])
    own = {name: str(folder) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    here = {**own, "JUPYTER_RUNTIME_DIR": str(folder), "PYTHONPATH": package}
    with mock.patch.dict(os.environ, here), tempfile.TemporaryDirectory() as sockets:
        files = Config()  # a port may be another's by the time it is used
        files.AsyncKernelManager.transport = "ipc"
        files.AsyncKernelManager.ip = str(Path(sockets, "kernel"))
        client = NotebookClient(
            notebook, config=files, timeout=600, startup_timeout=600, kernel_name="python3",
            record_timing=False, coalesce_streams=True,  # however slow the machine is
            resources={"metadata": {"path": str(path.parent)}},
        )  # fmt: skip
        client.execute()
    return notebook


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What a reader sees under a cell: what was printed, and the value as text and as HTML."""
    return [
        output.text
        if output.output_type == "stream"
        else {kind: output.data[kind] for kind in SHOWN if kind in output.data}
        for output in cell.outputs
    ]


def write(path):
    """Run a notebook, and store what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = executed(path, folder)
    for cell in code(notebook):
        cell.execution_count = None
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = None
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(notebook, path)


def test_there_are_notebooks():
    """The notebooks are found, and show something."""
    assert any(shown(cell) for path in NOTEBOOKS for cell in code(read(path)))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook(path, tmp_path):
    """Every cell runs, and shows what is stored under it."""
    expected = [shown(cell) for cell in code(read(path))]
    assert expected == [shown(cell) for cell in code(executed(path, tmp_path))]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_nothing_stored_is_of_one_run(path):
    """A notebook holds no number of a run, no error, no place on a machine."""
    nbformat.validate(read(path))
    cells = code(read(path))
    outputs = [output for cell in cells for output in cell.outputs]
    numbers = [cell.execution_count for cell in cells]
    numbers += [output.get("execution_count") for output in outputs]
    assert {None} == set(numbers)
    assert {"stream", "execute_result"} >= {output.output_type for output in outputs}
    assert [] == PLACES.findall(path.read_text("utf-8"))


if __name__ == "__main__":
    assert sys.argv[1:] == ["--write"], __doc__
    for notebook in NOTEBOOKS:
        write(notebook)
