"""Sessions at a prompt, as the files of ``sessions`` show them."""

import pytest
from cli_files import everything, put
from sessions import FOLDERS, arguments, file_of, sessions, shown, standard_input

from sereval.cli.prove import agrees

EVERY = {
    f"{path.parent.parent.name}/{path.stem}": sessions(path)
    for folder in FOLDERS
    for path in sorted(folder.glob("*.txt"))
}
NAMES = [(file, name) for file in EVERY if file != "cli/refused" for name in EVERY[file]]


@pytest.mark.parametrize(("file", "name"), NAMES)
def test_session(file, name, here, run):
    """Each command prints what is shown; what is refused changes no file and has no result."""
    for step in EVERY[file][name]:
        if step.sign == "==":
            put(*file_of(step))
        if step.sign != "$":
            continue
        before = everything(here)
        with standard_input(step.text):
            status, out, err = run("", *arguments(step.text))
        found = shown(status, out, err)
        assert agrees(step.shown, found), "\n".join([step.text, *found])
        assert status in (0, 1, 3) or found[0].startswith("! Error: ")
        assert not status or everything(here) == before
