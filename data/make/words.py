#!/usr/bin/env python3
"""Print the bare words of a `.ne` or `.ctm` file, one line per sentence or stretch of speech.

This is all that the taggers get to see: words.py FILE
"""

import sys
from pathlib import Path

from corpus import ctm_lines, ne_words, read_ctm


def main(name):
    path = Path(name)
    if path.suffix == ".ctm":
        lines = ctm_lines(read_ctm(path))
    else:
        lines = [ne_words(line) for line in path.read_text(encoding="utf8").splitlines()]
    print("\n".join(" ".join(words) for words in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
