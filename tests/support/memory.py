"""The peak memory of a process, asked by itself.

``ru_maxrss`` would be wrong on Linux: a process that has just been begun has that of the process
that began it, and one that runs tests is large.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak() -> int:
    """Peak memory of this process in KiB."""
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used // 1024 if sys.platform == "darwin" else used
