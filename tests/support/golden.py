"""Writes what all cases and sessions expect; review the difference."""

import case_folders
import sessions
from paths import CASES, TESTS

if __name__ == "__main__":
    case_folders.write(CASES)
    case_folders.write(TESTS / "templates")
    for folder in (sessions.SESSIONS, sessions.FORMATS):
        for path in sorted(folder.glob("*.txt")):
            sessions.write(path)
