"""Command lines that make no sense: usage and the reason, before any file is read."""

import pytest
from cli_files import put

CLASSES = "expected some of C,S_S,S_T,S_ST,D,I,unplaceable"
DECIMAL = "expected a decimal from 0 to 999999999, such as 0.5"
SYSTEMS = "expected REF and at least one HYP, or --campaign"
UNKNOWN = "- does not say its format, expected --to, or a suffix among .ne .conll .TextGrid"
USAGE = {
    "score": "Missing argument",
    "score ref": "Missing argument",
    "project ref --tolerance 0.1": "",
    "score ref hyp more": "",
    "score ref hyp --collar 0.3": "",
    "score ref hyp --unplaceable ignore": "",
    "score ref hyp --format yaml": "",
    "score ref hyp --ref-format ctm": "",
    "tally ref hyp": "",
    "check ref": "Missing option '--grammar'. Expected a TOML file or one of: conll, ester2",
    "check --grammar quaero": "",
    "project ref hyp": "",
    "score - - --ref-format inline --hyp-format inline": (
        "standard input can be read once only, expected one '-'"
    ),
    "score ref hyp --level one": (
        "Invalid value for '--level': found 'one', expected a whole number of 1 or more"
    ),
    "show ref --width 3": (
        "Invalid value for '--width': found '3', expected a whole number of 40 or more"
    ),
    "convert ref -": UNKNOWN,
    # tolerances and costs
    "score ref hyp --tolerance -0.1": (
        "Invalid value for '--tolerance': found '-0.1', expected a duration that is not negative"
    ),
    "score ref hyp --tolerance 3frames": (
        "Invalid value for '--tolerance': found '3frames', "
        "expected a duration such as 0.3 (in seconds), 0.3s or 300ms"
    ),
    "score ref hyp --tolerance 1,2,3": (
        "Invalid value for '--tolerance': found '1,2,3', expected one duration, or two: START,END"
    ),
    "score ref hyp --tolerance 0,3": (
        "Invalid value for '--tolerance': found '0,3', expected 0.3; or, if two are meant, 0s,3s"
    ),
    "score ref hyp --tolerance 1w": "a tolerance in words goes with --by text or --by phones",
    "score ref hyp --by text --tolerance 0.3": ("--by text takes a tolerance in words, such as 1w"),
    "score ref hyp --costs D": (
        "Invalid value for '--costs': cost 'D', expected CLASS=NUMBER such as S_S=0.5"
    ),
    "score ref hyp --costs D=-1": f"Invalid value for '--costs': cost D=-1, {DECIMAL}",
    "score ref hyp --costs D=1e3": f"Invalid value for '--costs': cost D=1e3, {DECIMAL}",
    "score ref hyp --costs D=1,D=2": "Invalid value for '--costs': cost D is given twice",
    "score ref hyp --costs C=1": (
        "Invalid value for '--costs': unknown cost 'C', expected one of S_S, S_T, S_ST, D, I"
    ),
    "score ref hyp --costs ,,": "Invalid value for '--costs': ",
    "score ref hyp --costs ''": "Invalid value for '--costs': ",
    # options without a part
    "score ref hyp --weights unit": "--weights goes with --by text",
    "score ref hyp --by phones --weights unit": "--weights goes with --by text",
    "score ref hyp --normalise exact": "--normalise goes with --by text",
    "score ref hyp --by phones --normalise exact": "--normalise goes with --by text",
    "score ref hyp --by text --normalise exat": (
        "Invalid value for '--normalise': normalise is 'exat', the nearest known is exact"
    ),
    "score ref hyp --scheme slue --normalise exact": "--normalise has no effect with --scheme slue",
    "score ref hyp --by text --language fr-fr": "--language goes with --by phones",
    "score ref hyp --jobs 2 --scheduler tcp://x:1": (
        "--jobs is for this machine, expected it without --scheduler"
    ),
    "score ref hyp --scheme evalita2011 --aligned -": (
        "standard output takes one result, expected a file for --aligned"
    ),
    "score ref hyp --scheme evalita2011 --aligned z -o z": (
        "z would be written twice, expected two files"
    ),
    "score ref hyp --scheme muc --max-states 5": (
        "--max-states has no effect with --scheme muc, "
        "expected it with quaero, quaero-lne, semeval2013"
    ),
    # templates
    "templates key.muc": "",
    "templates key.muc response.muc --entropy": "",
    "templates - -": "",
    "templates key.muc response.muc --beta nan": "",
    "templates key.muc response.muc --beta -1": "",
    "templates key.muc response.muc --low-entropy A,,B": "",
    "templates key.muc --entropy --criterion restrictive": "",
    "templates key.muc --entropy --no-listing": "",
    # audit
    "audit ref hyp --class S_X": f"Invalid value for '--class': found 'S_X', {CLASSES}",
    "audit ref hyp --class ,": f"Invalid value for '--class': found '', {CLASSES}",
    "audit ref hyp --class d": f"Invalid value for '--class': found 'd', {CLASSES}",
    "audit ref hyp --format textgrid": ("--format textgrid makes files, expected -o and a folder"),
    "audit ref hyp --format html --class D -o x": (
        "--format html shows all elements and has its own filters"
    ),
    "audit ref hyp --audio align": "--audio is for --format html",
    "audit ref hyp --by text --scheme mitre --figure strict": "",
    "audit ref hyp --by text --scheme mitre --costs D=2": "",
    "audit ref hyp --by text --figure all": "",
    # sweep
    "sweep ref hyp": (
        "Missing option '--tolerance'. Expected tolerances in seconds, such as 0:1:0.05"
    ),
    "sweep ref hyp hyp --tolerance 0:1:0.5": (
        "the paths do not tell the systems apart, expected --system for each"
    ),
    "sweep ref hyp --system a --system b --tolerance 0:1:0.5": (
        "found 2 --system for 1 HYPs, expected one for each HYP"
    ),
    "sweep ref hyp heard --system a --system a --tolerance 0:1:0.5": (
        "found the system name 'a', expected different names"
    ),
    "sweep ref hyp heard hyp/show.ne --words a --words b --tolerance 0:1:0.5": (
        "found 2 --words for 3 HYPs, expected one, or one for each HYP"
    ),
    "sweep ref hyp --plot a.gif --tolerance 0:1:0.5": (
        "Invalid value for '--plot': found 'a.gif', expected a suffix among svg, png, pdf"
    ),
    "sweep ref hyp --jobs 0 --tolerance 0:1:0.5": (
        "Invalid value for '--jobs': found '0', expected a whole number of 1 or more"
    ),
    # compare
    "compare": SYSTEMS,
    "compare ref": SYSTEMS,
    "compare ref hyp --campaign c.toml": "found REF and --campaign, expected one of them",
    "compare --campaign c.toml --tolerance 0.3": (
        "found --tolerance and --campaign, expected one of them"
    ),
    "compare ref hyp --collate page.txt": (
        "Invalid value for '--collate': found 'page.txt', expected a suffix among html, csv"
    ),
    "compare ref hyp --confidence 1": (
        "Invalid value for '--confidence': found '1', expected a number between 0 and 1, such as"
    ),
    "compare ref hyp --confidence 95": "Invalid value for '--confidence': found '95', expected",
    "compare ref hyp --resamples 0": "Invalid value for '--resamples': found '0', expected a whole",
    "compare ref hyp --stability --seed 2011": "--seed has no effect with --stability",
    "compare ref hyp --stability --resamples 9": "--resamples has no effect with --stability",
    "compare ref hyp --stability --confidence 0.9": "--confidence has no effect with --stability",
    "compare ref hyp --stability --unit document": "--unit has no effect with --stability",
    "compare ref hyp --stability --grammar quaero": "--grammar has no effect with --stability",
    "compare ref hyp --scheme mitre --figure strict": "",
    "compare ref hyp --scheme quaero --figure strict": "",
    "compare ref hyp --scheme mitre --tolerance 0.3": "",
    "compare ref hyp --scheme semeval2013 --extent-tolerance 2": "",
    "compare ref hyp --scheme mitre --neutral P": "",
    "compare ref hyp --scheme conll": "",
    "compare ref hyp --scheme mitre --stability": "",
    "compare ref hyp --by text --stability": "",
}


@pytest.mark.parametrize("command", USAGE)
def test_usage(command, files, run):
    """A wrong command line is status 2, usage and reason on stderr, before any file is read."""
    put("ref/show.ne", "<never closed")
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: sereval ")
    assert err.splitlines()[-1].startswith(f"Error: {USAGE[command]}")
