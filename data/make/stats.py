#!/usr/bin/env python3
"""Numbers of the corpus as Markdown tables: stats.py DATA_DIR [-v]  (-v: print the errors)"""
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

from corpus import COMPONENTS, TYPES, ne_elements, ne_words, read_ctm, read_source

SYSTEMS = "compromise", "gazetteer"


def read_ne(path):
    return path.read_text(encoding="utf8").splitlines()


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def count(path):
    return sum(len(ne_elements(line)) for line in read_ne(path)) if path.exists() else 0


def main(data, *options):
    data = Path(data)
    labels, depths, total = Counter(), Counter(), Counter()
    print("| document | voice | seconds | words | elements | depth | WER % "
          "| compromise asr / manual | gazetteer asr / manual |")
    print("|---|---|---|---|---|---|---|---|---|")
    for ref in sorted((data / "ref").glob("*.ne")):
        doc = ref.stem
        words = [w.lower() for line in read_ne(ref) for w in ne_words(line)]
        heard = [w for _, _, w in read_ctm(data / "asr" / f"{doc}.ctm")]
        elements = [e for line in read_ne(ref) for e in ne_elements(line)]
        labels.update(e[0] for e in elements)
        depths.update(e[3] for e in elements)
        grid = (data / "align" / f"{doc}.TextGrid").read_text().splitlines()
        seconds = float(next(x for x in grid if x.startswith("xmax")).split()[-1])
        errors = edit_distance(words, heard)
        found = [count(data / "hyp" / s / c / f"{doc}.ne") for s in SYSTEMS
                 for c in ("asr", "manual")]
        voice = read_source(data / "make" / "text" / f"{doc}.txt")[0].get("voice", "a reader")
        print(f"| {doc} | {voice} | {seconds:.0f} | {len(words)} | {len(elements)} "
              f"| {max((e[3] for e in elements))} | {100 * errors / len(words):.1f} "
              f"| {found[0]} / {found[1]} | {found[2]} / {found[3]} |")
        total.update(seconds=seconds, words=len(words), elements=len(elements), errors=errors,
                     f0=found[0], f1=found[1], f2=found[2], f3=found[3])
        if "-v" in options:
            for op, a, b, c, d in SequenceMatcher(None, words, heard, False).get_opcodes():
                if op != "equal":
                    print("   ", " ".join(words[a:b]), "->", " ".join(heard[c:d]))
    print(f"| **all** | | {total['seconds']:.0f} | {total['words']} | {total['elements']} "
          f"| {max(depths)} | {100 * total['errors'] / total['words']:.1f} "
          f"| {total['f0']} / {total['f1']} | {total['f2']} / {total['f3']} |")
    for title, group in ("Types", TYPES), ("Components", COMPONENTS):
        print(f"\n{title}: " + ", ".join(
            f"{k} {n}" for k, n in labels.most_common() if k in group) + ".")
        print("Not used: " + ", ".join(sorted(group - set(labels))) + ".")
    print("\nElements by depth: " + ", ".join(f"{d}: {n}" for d, n in sorted(depths.items())) + ".")


if __name__ == "__main__":
    main(*sys.argv[1:])
