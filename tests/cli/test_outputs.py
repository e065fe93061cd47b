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
