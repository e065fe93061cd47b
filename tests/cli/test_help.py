"""What ``--help`` shows: groups, examples, and the options of one scheme."""

import re
import shlex
import shutil
from glob import glob
from itertools import chain

import pytest
from click import Context, Option
from paths import DATA

from sereval.cli import COMMANDS, GROUPS, cli
from sereval.cli import help as helps
from sereval.schemes.options import OPTIONS
from sereval.schemes.table import SCHEMES, TABLE

LETTERS = {
    "-a": "--align",
    "-w": "--words",
    "-t": "--tolerance",
    "-g": "--grammar",
    "-f": "--format",
    "-o": "--output",
}


def command(name):
    return cli.get_command(Context(cli), name)


def headings(text):
    """The headings of a help text, in order."""
    return re.findall(r"^([A-Z][a-z ]+):$", text, re.MULTILINE)


def flags(text):
    """The options that a help text describes."""
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", COMMANDS)
def test_groups(name):
    """Each option stands in a group of the list, and those with a letter in the first."""
    for option in command(name).params:
        if isinstance(option, Option):
            assert option.group in helps.GROUPS
            assert (option.group == helps.FIRST) == any(len(each) == 2 for each in option.opts)


def test_scoring_options_have_groups():
    """The table of scoring options names only groups that ``--help`` shows."""
    assert {option.group for option in OPTIONS.values()} <= {*helps.GROUPS}


def test_letters():
    """A letter means the same option in every command, and the frequent options have theirs."""
    found = {
        (each, option.opts[-1])
        for name in COMMANDS
        for option in command(name).params
        for each in option.opts
        if len(each) == 2
    }
    assert set(LETTERS.items()) == found
    first = [option for option in command("score").params if option.name == "tolerance"]
    assert ["-t", "--tolerance"] == first[0].opts


@pytest.mark.parametrize("name", COMMANDS)
def test_order(name, run):
    """The examples come before the options, the frequent options before the others."""
    status, out, _ = run(f"{name} --help")
    found = headings(out)
    order = ["Arguments", "Examples", *helps.GROUPS]
    assert status == 0
    assert found == sorted(found, key=order.index)
    assert all(len(line) <= 80 for line in out.splitlines())
    assert len(out.splitlines()) <= 40
    assert out == run(f"{name} -h")[1] == run(f"help {name}")[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_all_options(name, run):
    """``--help-all`` has every option of ``--help``, and as many as ``--help`` says."""
    _, short, _ = run(f"{name} --help")
    status, out, _ = run(f"{name} --help-all")
    assert status == 0
    assert flags(short) <= flags(out)
    if said := re.search(r"--help-all lists all (\d+) options", short):
        assert int(said[1]) == len(flags(out))


def test_letters_score_as_long_names(run, monkeypatch):
    """Short and long spelling give the same report, with the same provenance."""
    monkeypatch.chdir(DATA)
    short = run("score ref hyp/gazetteer/asr -a align -w asr -t 0.3 -g quaero -f json")
    long = run(
        "score ref hyp/gazetteer/asr --align align --words asr --tolerance 0.3 --grammar quaero "
        "--format json"
    )
    assert short == long
    assert short[0] == 0


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


def test_scheme_of_the_settings(run, tmp_path):
    """The help follows the scheme of a settings file, and the command line wins."""
    (tmp_path / "set.toml").write_text('scheme = "mitre"\n')
    _, out, _ = run(f"--config {tmp_path}/set.toml score --help-all")
    assert "--extent-tolerance" in flags(out)
    _, out, _ = run(f"--config {tmp_path}/set.toml score --scheme quaero --help-all")
    assert "--extent-tolerance" not in flags(out)


def test_help_after_a_wrong_scheme(run):
    """The order of ``--help`` and ``--scheme`` does not matter; an unknown scheme has no help."""
    assert run("score --help --scheme mitre") == run("score --scheme mitre --help")
    status, out, _ = run("score --help --scheme nobody")
    assert status == 0
    assert "the options of the scheme" not in out


def test_summaries(run):
    """``sereval --help`` has each command in its group, with its first sentence in full."""
    status, out, _ = run("--help")
    assert status == 0
    assert ["Options", *GROUPS] == headings(out)
    text = " ".join(out.split())
    for name in COMMANDS:
        summary = command(name).help.partition("\n\n")[0]
        assert f" {name} {' '.join(summary.split())}" in text


def test_schemes(run):
    """``sereval schemes`` has each scheme with its line, its figures and its own options."""
    status, out, err = run("schemes")
    assert (status, err) == (0, "")
    paragraphs = out.rstrip("\n").split("\n\n")
    assert len(paragraphs) == len(TABLE)
    for scheme, paragraph in zip(TABLE, paragraphs, strict=True):
        text = " ".join(paragraph.split())
        assert text.startswith(f"{scheme.name} {scheme.description} figures: ")
        named = set(re.findall(r"--[a-z-]+", text))
        own = {OPTIONS[n].on_command_line if n in OPTIONS else f"--{n}" for n in scheme.options}
        assert own == named
        assert all(len(line) <= 80 for line in paragraph.splitlines())


def examples():
    """The examples of all commands."""
    return [each for name in COMMANDS for each in getattr(command(name), "examples", ())]


def test_there_are_examples():
    """The commands that score have three examples each."""
    for name in ("score", "compare", "sweep", "audit", "blame"):
        assert len(command(name).examples) == 3


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
