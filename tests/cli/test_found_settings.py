"""Settings of the current folder that nobody asked for: named where they count, and refused where
they would write, connect, start processes or read what is not measured."""

import os

import pytest
from cli_files import put

REFUSED = {  # by command: what is set, and what would be there if it were taken
    "output": ("score ref hyp", 'output = "made"'),
    "aligned": ("score ref hyp --scheme evalita2011", 'aligned = "made"'),
    "jobs": ("score ref hyp", "jobs = 2"),
    "max-states": ("score ref hyp", "max-states = 7"),
    "normalise": ("score ref hyp", 'normalise = "own.tsv"'),
    "biasing": ("score ref hyp --measure B-WER", 'biasing = "own.txt"'),
    "align": ("score ref hyp", 'align = "own"'),
    "map": ("score ref hyp", 'map = "own.toml"'),
    "grammar": ("check ref", 'grammar = "own.toml"'),
    "read": ("score ref hyp", 'read = ["tags=iob2", "equal=own.toml"]'),
    "groups": ("compare ref hyp", 'groups = "own.tsv"'),
    "campaign": ("compare", 'campaign = "own.toml"'),
    "plot": ("sweep ref hyp --tolerance 0:1:1", 'plot = "made.svg"'),
    "audio": ("audit ref hyp --format html -o made.html", 'audio = "ref"'),
}


@pytest.fixture
def here(here):
    """A folder with both sides of a document."""
    for side, end in (("ref", ""), ("hyp", "\n")):
        put(f"{side}/d.ne", f"<a> one </a> two{end}")
    return here


def put_settings(folder, text, command=None):
    """Settings that nobody asks for."""
    table = "tool.sereval" if command is None else f"tool.sereval.{command}"
    (folder / "pyproject.toml").write_text(f"[{table}]\n{text}\n", "utf-8")


@pytest.mark.parametrize("of_command", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_what_reaches_out_is_refused(here, run, name, of_command):
    """One line names the key, the file and what to do; nothing is written."""
    command, text = REFUSED[name]
    table = command.split()[0] if of_command else None
    put_settings(here, text, table)
    before = sorted(os.listdir())

    key = f"tool.sereval.{table}.{name}" if table else f"tool.sereval.{name}"
    assert run(command) == (
        1,
        "",
        f"sereval: pyproject.toml: {key} counts only in a file that --config names, expected "
        f"--config pyproject.toml, or --{name} on the command line\n",
    )
    assert before == sorted(os.listdir())


@pytest.mark.parametrize(
    "command",
    [
        "audit ref hyp",
        "compare ref hyp --resamples 2",
        "agreement ref hyp",
        "blame ref hyp hyp --by text",
    ]
    + [f"score ref hyp --scheme {scheme}" for scheme in ("muc", "conll", "quaero-lne")],
)
def test_every_report_names_them(here, run, command):
    """In the last paragraph of the report as text, which ends with the signature."""
    put_settings(here, "level = 1")
    status, out, err = run(command)

    said = "ettings of pyproject.toml: --level 1"
    assert (0, f"sereval: s{said}\n") == (status, err)
    assert f"S{said}." in out.rpartition("\n\n")[2]
