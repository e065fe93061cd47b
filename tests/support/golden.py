"""Writes what cases and sessions expect: of the files named, or of all; review the difference."""

import sys
from pathlib import Path

from sessions import FOLDERS, write

if __name__ == "__main__":
    every = (path for folder in FOLDERS for path in sorted(folder.glob("*.txt")))
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else every:
        write(path.resolve())
