"""What ``--help`` shows: groups, examples, and the options of one scheme."""

import re
import shlex
import shutil
from glob import glob
from itertools import chain

import pytest
from click import Context, Option
from paths import DATA

from sereval.cli import COMMANDS, cli
from sereval.schemes.table import SCHEMES


def command(name):
    return cli.get_command(Context(cli), name)


def flags(text):
    """The options that a help text describes."""
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", ["score", "compare", "audit"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_options_of_a_scheme(name, scheme, run):
    """With ``--scheme`` the help shows what this scheme takes, and no other scoring option."""
    status, out, _ = run(f"{name} --scheme {scheme} --help-all")
    if status == 2:  # compare and audit take no schemes of tags
        assert SCHEMES[scheme].counts == "tags"
        return
    shown = flags(out)
    for option in command(name).params:
        if isinstance(option, Option):
            is_taken = option.name == "grammar" or SCHEMES[scheme].takes(option.name)
            assert is_taken == (option.opts[-1].partition("/")[0] in shown), option.name
    assert f"the options of the scheme {scheme}." in out


def examples():
    """The examples of all commands."""
    return [each for name in COMMANDS for each in getattr(command(name), "examples", ())]


@pytest.mark.check
@pytest.mark.parametrize("example", examples())
def test_examples(example, run, tmp_path, monkeypatch):
    """Each example runs on the bundled recordings; that of ``gate`` needs a report."""
    for folder in ("ref", "hyp", "asr", "align"):
        shutil.copytree(DATA / folder, tmp_path / "data" / folder)
    monkeypatch.chdir(tmp_path)
    assert run("score data/ref data/hyp/gazetteer/manual -f json -o report.json")[0] == 0
    words = (sorted(glob(word)) if "*" in word else [word] for word in shlex.split(example))
    assert run("", *chain(*words))[0] == 0
