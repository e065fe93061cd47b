"""Case folders: files, command lines, figures computed by hand, and whole reports as recorded.

In ``args`` of a folder a line with ``#`` explains (the first one says why the case exists), a line
with ``=`` has the figures by hand for the command above it, and any other line is a command, run
inside the folder. ``expected.json`` has the whole reports by command.
"""

import contextlib
import io
import json
import sys

from extras import skip_without
from schemas import check_output

from sereval.cli import main
from sereval.cli.prove import arguments, comparable


def folders(cases):
    """The folders of cases, in order; each of them says first why it exists."""
    found = sorted(
        folder for folder in cases.iterdir() if folder.is_dir() and folder.name[0] != "_"
    )
    for folder in found:
        first = (folder / "args").read_text("utf-8").split("\n")[0]
        assert first.startswith("# "), folder.name
        assert first.endswith("."), folder.name
    return found


def commands(folder):
    """Commands of a case with the figures under each, in the order of ``args``."""
    found = []
    for line in (folder / "args").read_text("utf-8").splitlines():
        if line.startswith("="):
            figures = (figure.rpartition("=") for figure in line[1:].split())
            found[-1][1].append({name: value for name, _, value in figures})
        elif line and not line.startswith("#"):
            found.append((line, []))
    return [(command, *figures) for command, figures in found]


def reported(folder, monkeypatch, capsys):
    """Run the commands of a case in its folder, and hold their reports to the recorded ones.

    Yields each command with its figures by hand, its report and its standard error.
    """
    monkeypatch.chdir(folder)
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    assert [command for command, _ in commands(folder)] == list(expected)
    for command, figures in commands(folder):
        status = main(arguments(command))
        out, err = capsys.readouterr()
        skip_without(err)
        assert status == 0
        check_output(arguments(command), out)
        report = comparable(json.loads(out))
        assert report == expected[command]
        yield command, figures, report, err


def write(cases):
    """Record the reports of all commands anew."""
    for folder in folders(cases):
        reports = {}
        for command, *_ in commands(folder):
            out = io.TextIOWrapper(io.BytesIO(), "utf-8")
            with contextlib.chdir(folder), contextlib.redirect_stdout(out):
                status = main(arguments(command))
            if status:
                sys.exit(f"{folder.name}: {command}: status {status}")
            reports[command] = comparable(json.loads(out.buffer.getvalue()))
        text = json.dumps(reports, ensure_ascii=False, indent=1) + "\n"
        (folder / "expected.json").write_text(text, "utf-8")
