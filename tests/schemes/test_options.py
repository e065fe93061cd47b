"""The table of scoring options: what is declared once is so on the command line, in the documents
and in the signatures."""

import re

import pytest
from cli_files import put
from tables import tables

from sereval.schemes.measure import OPTIONS
from sereval.schemes.table import SCHEMES, schemes_with

TABLES = tables(__file__)

ASKED = TABLES["asked"]

KEYS = {"extent": "extent", "mode": "mode"}
"""The keys in signatures that are not the option's spelling."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A document on both sides, with times, and a map of labels."""
    monkeypatch.chdir(tmp_path)
    put("ref/d.ne", "<loc.adm> Dol </loc.adm> à\n")
    put("hyp/d.ne", "<loc.adm> Dol </loc.adm> à")
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
        if name == "normalise" and SCHEMES[scheme].takes("by"):
            command += " --by text"
        status, out, err = run(command)
        assert (0, "") == (status, err), command
        key = KEYS.get(name, option.on_command_line.removeprefix("--"))
        assert key in re.split("[|:]", out.splitlines()[-1]), command
