"""Where results go and what they may hold: links, pipes, full disks, hostile names."""

import os
import stat
from pathlib import Path

from cli_files import NATIVE, put

from sereval import Document, Reference, evaluate
from sereval.documents.model import ReferenceElement, tree


def test_output_keeps_permissions(files, run):
    """A private file that gets a new result stays private."""
    put("result", "older")
    os.chmod("result", 0o600)
    run("score ref hyp -o result")
    assert stat.S_IMODE(Path("result").stat().st_mode) == 0o600


def test_message_is_one_line(files, run):
    """An id with a line break in it makes no second line of a message."""
    put("a.jsonl", NATIVE + "\n" + NATIVE.replace("show", r"a\nb"))
    status, _, err = run("score a.jsonl hyp")
    assert (status, len(err.splitlines())) == (1, 1)


def test_rates_of_merged_labels():
    """No precision, recall or F1 of a row exceeds 1, several labels or not."""
    elements = (
        ReferenceElement(("a",), (0,), (1,)),
        ReferenceElement(("name", "kind"), (0,), (1,), 0),
    )
    hypothesis = Document("d", ("x",), tree([("kind", 0, 1), ("a", 0, 1)]))
    found = evaluate([Reference("d", ("x",), elements)], [hypothesis])
    rates = [row.f1 for row in found.labels.values() if row.f1 is not None]
    assert max(rates) <= 1


def test_text_fits_in_80_columns():
    """A table with labels of 12 characters and counts of five digits fits in 80 columns."""
    words = ("x",) * 10000
    one = Document("d", words, tree([("loc.adm.town", k, k + 1) for k in range(10000)]))
    assert max(map(len, str(evaluate([one], [one])).splitlines()[:-2])) <= 80


def test_files_of_killed_runs_are_removed(files, run):
    """What a killed run left a day ago goes with the next result; what is written now stays."""
    old, new, other = ".sereval-" + "0" * 16, ".sereval-" + "1" * 16, ".sereval-notes"
    for name in (old, new, other):
        put(name, "left")
    for name in (old, other):
        os.utime(name, (0, 0))
    assert run("score ref hyp -o result")[0] == 0
    assert [os.path.exists(name) for name in (old, new, other)] == [False, True, True]


def test_a_long_value_is_cut(files, run):
    """A message does not repeat thousands of characters of the command line."""
    for command in ("score ref hyp --read {}", "score ref hyp --tolerance={}", "score {} hyp"):
        status, out, err = run(*command.format("x" * 5000).split())
        assert (status > 0, out) == (True, "")
        assert "xxx…" in err
        assert len(err) < 1000
