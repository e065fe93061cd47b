"""Where results go and what they may hold: links, pipes, full disks, hostile names."""

import os
import stat
from pathlib import Path

from cli_files import put


def test_output_keeps_permissions(files, run):
    """A private file that gets a new result stays private."""
    put("result", "older")
    os.chmod("result", 0o600)
    run("score ref hyp -o result")
    assert stat.S_IMODE(Path("result").stat().st_mode) == 0o600


def test_files_of_killed_runs_are_removed(files, run):
    """What a killed run left a day ago goes with the next result; what is written now stays."""
    old, new, other = ".sereval-" + "0" * 16, ".sereval-" + "1" * 16, ".sereval-notes"
    for name in (old, new, other):
        put(name, "left")
    for name in (old, other):
        os.utime(name, (0, 0))
    assert run("score ref hyp -o result")[0] == 0
    assert [os.path.exists(name) for name in (old, new, other)] == [False, True, True]
