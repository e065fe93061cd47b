"""Writes what all cases and sessions expect; review the difference."""

from sessions import FOLDERS, write

if __name__ == "__main__":
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.txt")):
            write(path)
