"""Writes what is expected of all case folders and sessions anew; review the difference."""

import case_folders
import sessions
from paths import CASES, TESTS

if __name__ == "__main__":
    case_folders.write(CASES)
    case_folders.write(TESTS / "templates")
    for path in sorted(sessions.SESSIONS.glob("*.txt")):
        sessions.write(path.stem)
