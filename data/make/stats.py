#!/usr/bin/env python3
"""Numbers of the corpus as Markdown, for README.md: stats.py DATA_DIR"""

import sys
from collections import Counter
from pathlib import Path

from corpus import COMPONENTS, TYPES, ne_elements, ne_words, read_ctm, read_source

RUNS = ("compromise/asr", "compromise/manual", "gazetteer/asr", "gazetteer/manual")


def elements_of(path):
    lines = path.read_text(encoding="utf8").splitlines()
    return [element for line in lines for element in ne_elements(line)]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def compared(word):
    """a word without case and apostrophes, as sereval compares it"""
    return word.lower().replace("'", "")


def measure(data, ref):
    """the counts of one document"""
    lines = ref.read_text(encoding="utf8").splitlines()
    words = [compared(word) for line in lines for word in ne_words(line)]
    heard = [compared(word) for _, _, word in read_ctm(data / "asr" / f"{ref.stem}.ctm")]
    grid = (data / "align" / f"{ref.stem}.TextGrid").read_text(encoding="utf8").splitlines()
    counts = Counter(
        seconds=float(grid[4].split()[-1]),
        words=len(words),
        elements=len(elements_of(ref)),
        errors=edit_distance(words, heard),
    )
    counts.update({run: len(elements_of(data / "hyp" / run / ref.name)) for run in RUNS})
    return counts


def row(name, audio, counts, depth):
    runs = " | ".join(str(counts[run]) for run in RUNS)
    return (
        f"| {name} | {audio} | {counts['seconds']:.0f} | {counts['words']} "
        f"| {counts['elements']} | {depth} | {100 * counts['errors'] / counts['words']:.1f} "
        f"| {runs} |"
    )


def main(data):
    data = Path(data)
    elements, total = [], Counter()
    print(
        "| document | audio | seconds | words | elements | depth | WER % | "
        + " | ".join(run.replace("/", ", ") for run in RUNS)
        + " |"
    )
    print("|---" * 11 + "|")
    for ref in sorted((data / "ref").glob("*.ne")):
        settings = read_source(data / "make" / "text" / f"{ref.stem}.txt")[0]
        audio = "a reader" if "clips" in settings else settings["voice"]
        if "noise" in settings:
            audio += f", noise -{settings['noise']} dB"
        counts, found = measure(data, ref), elements_of(ref)
        print(row(ref.stem, audio, counts, max(e[3] for e in found)))
        total += counts
        elements += found
    depths = Counter(e[3] for e in elements)
    print(row("**all**", "", total, max(depths)))
    labels = Counter(e[0] for e in elements)
    for title, group in ("Types", TYPES), ("Components", COMPONENTS):
        used = ", ".join(f"{k} {n}" for k, n in labels.most_common() if k in group)
        print(f"\n{title}: {used}; not used: {', '.join(sorted(group - set(labels)))}.")
    print("\nElements by depth:", ", ".join(f"{n} at {d}" for d, n in sorted(depths.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
