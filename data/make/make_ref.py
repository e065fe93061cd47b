#!/usr/bin/env python3
"""Annotation sources -> reference files: make_ref.py TEXT_DIR REF_DIR"""

import sys
from pathlib import Path

from corpus import read_source, to_ne


def main(text_dir, ref_dir):
    Path(ref_dir).mkdir(parents=True, exist_ok=True)
    for source in sorted(Path(text_dir).glob("*.txt")):
        lines = [to_ne(line) for line in read_source(source)[1]]
        target = Path(ref_dir, source.stem + ".ne")
        target.write_text("\n".join(lines) + "\n", encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
