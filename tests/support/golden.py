"""Writes the expected reports of all case folders anew; review the difference before a commit."""

from case_folders import write
from paths import CASES, TESTS

if __name__ == "__main__":
    write(CASES)
    write(TESTS / "templates")
