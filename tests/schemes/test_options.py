"""The table of scoring options: what is declared once is so on the command line, in the documents
and in the signatures."""

import importlib
import json
import re

import click
import pytest
from cli_files import put
from paths import ROOT
from tables import tables

import sereval
from sereval.cli import COMMANDS
from sereval.errors import SerevalError
from sereval.evaluation.settings import Settings
from sereval.schemes.options import OPTIONS
from sereval.schemes.table import SCHEMES, TABLE, schemes_with

TABLES = tables(__file__)

ELSEWHERE = {"align", "words"}  # what is read is no scoring option
COMPOSED = {  # of fields that several options fill together
    *("tolerance", "by", "weights", "normalise", "language", "cut"),
    *("label_map", "only", "level", "aligned"),
}
ASKED = TABLES["asked"]


def commands():
    """The commands that take options, by name."""
    found = (
        (name, getattr(importlib.import_module(f"sereval.cli.{name}"), attribute))
        for name, attribute in COMMANDS.items()
    )
    return {name: command for name, command in found if isinstance(command, click.Command)}


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_each_command_has_its_options(option):
    """The commands that the table names have the option as it is written there."""
    known = commands()
    assert {*option.commands.split()} <= known.keys()
    for name in option.commands.split():
        [parameter] = (one for one in known[name].params if one.name == option.name)
        assert option.on_command_line in parameter.opts
        if option.choices and option.name != "scheme":
            assert parameter.type.choices == option.of(name).choices


@pytest.mark.parametrize("command", ["audit", "compare", "sweep"])
def test_a_command_lists_only_what_it_takes(command, here, run):
    """Only ``score`` prints both ends of a range, so no other command has that choice."""
    put("d.ne", "Dol\n")
    status, out, _ = run(f"{command} --help-all")
    assert (status, "--placement [best|worst] " in out) == (0, True)
    status, out, err = run(f"{command} d.ne d.ne --placement range")
    assert (status, out) == (2, "")
    assert "'--placement': 'range' is not one of 'best', 'worst'." in err
    with pytest.raises(SerevalError, match="placement: found 'range', expected one of best, worst"):
        getattr(sereval, command)("d.ne", "d.ne", tolerance="0.1", placement="range")


@pytest.mark.parametrize(
    ("text", "ms"), [("1e-400", 0), ("0.0004", 0), ("0.4ms", 0), ("0.0005", 1), ("0.3004", 300)]
)
def test_a_tolerance_is_rounded_as_a_time(text, ms, here, run):
    """A tolerance is rounded to whole milliseconds, halves up; the signature shows it."""
    line = {"id": "d", "words": ["Dol"], "times": [[0, 1]], "elements": []}
    put("d.jsonl", json.dumps(line))
    status, out, _ = run(f"score d.jsonl d.jsonl --tolerance {text}")
    shown = f"0.{ms:03}".rstrip("0").rstrip(".")
    assert (status, f"|tolerance:{shown}|" in out) == (0, True)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_each_option_fills_a_field(option):
    """An option is a field of the settings or of a scheme's options, or has a part in one."""
    fields = {*Settings.__dataclass_fields__}
    assert (option.field or option.name) in fields or option.name in COMPOSED


def test_schemes_take_options_that_exist():
    """No record of a scheme names an option that is none."""
    assert {name for one in TABLE for name in one.options} <= {*OPTIONS, *ELSEWHERE}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A document on both sides, with times, and a map of labels."""
    monkeypatch.chdir(tmp_path)
    put("ref/d.ne", "<loc.adm> Dol </loc.adm> à\n")
    put("hyp/d.ne", "<loc.adm> Dol </loc.adm> à\n")
    put("t/d.ctm", "d 1 0.0 0.5 Dol\nd 1 1.0 0.5 à\n")
    put("aligned.tsv", "Dol\tO\t\tDol\tO\nà\tO\t\tà\tO\n")
    put("map.toml", '[both.rename]\n"loc.adm" = "loc"\n')


@pytest.mark.parametrize("name", ASKED)
def test_what_can_change_a_digit_is_in_the_signature(name, here, run):
    """Under each scheme that takes an option, its value is in the signature under its key."""
    option = OPTIONS[name]
    for scheme in schemes_with(name):
        command = f"score ref hyp --scheme {scheme} {option.on_command_line} {ASKED[name]}"
        if name == "tolerance":
            command += " --align t --words t"
        if name == "given" and SCHEMES[scheme].takes("by"):
            command += " --by text"
        status, out, err = run(command)
        assert (0, "") == (status, err), command
        assert option.signed_as in re.split("[|:]", out.splitlines()[-1]), command


IN_A_FILE = TABLES["in_a_file"]


@pytest.mark.parametrize("scheme", TABLE, ids=lambda scheme: scheme.name)
def test_settings_without_a_part_are_left_aside(scheme, here, run):
    """A file serves all schemes: an option that a scheme does not take changes nothing."""
    flags = {option.on_command_line.removeprefix("--"): option for option in OPTIONS.values()}
    lines = [
        f"{flag} = {value}\n"
        for flag, value in IN_A_FILE.items()
        if not scheme.takes(flags[flag].name)
    ]
    put("settings.toml", "".join(lines))
    command = f"score ref hyp --scheme {scheme.name}"
    assert run(command) == run(f"--config settings.toml {command}")


def test_the_documents_have_the_table():
    """docs/reference/settings.md lists each option with its default, its schemes and its key."""
    text = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    found = re.findall(r"^\| `(--[\w-]+)` \| (.*) \| (.*) \| (.*) \|$", text, re.MULTILINE)
    assert [row(option) for option in OPTIONS.values()] == found


def row(option):
    """The line of an option in the documents."""
    schemes = schemes_with(option.name)
    return (
        option.on_command_line,
        "–" if option.default is None else f"`{option.default}`",
        "all" if schemes == tuple(SCHEMES) else ", ".join(schemes),
        f"`{option.signed_as}`" if option.signed_as else "–",
    )
