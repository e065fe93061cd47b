"""Measures the page of a large corpus: four times the paper's, some 57 000 reference elements.

The page is written by ``sereval audit --format html -o FILE``, a whole process. Processor time
and the bytes of the file are printed beside their limits; nothing fails on them.

    python bench/page.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from corpus import copied, corpus, write
from run import ROOT

SECONDS, MEGABYTES = 10.0, 20.0
"""The most processor time, and the greatest size of the file."""


def main() -> None:
    """Make the corpus and its page, and print what they took."""
    files, _ = corpus()
    elements = 4 * sum(len(record["elements"]) for record in files["reference"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(copied(files, 4), folder)
        sides = [str(folder / f"{side}.jsonl") for side in ("reference", "asr")]
        command = ["audit", *sides, "--tolerance", "0.25", "-o", name + "/page.html"]
        before = os.times()
        subprocess.run([sys.executable, "-m", "sereval", *command], cwd=ROOT, check=True)
        after = os.times()
        size = (folder / "page.html").stat().st_size / 1e6
    seconds = sum(after[2:4]) - sum(before[2:4])
    print(f"{elements} reference elements")
    print(f"cpu s {seconds:.1f} (at most {SECONDS:g}), MB {size:.1f} (at most {MEGABYTES:g})")


if __name__ == "__main__":
    main()
