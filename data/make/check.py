#!/usr/bin/env python3
"""Check the corpus: check.py DATA_DIR; prints what is wrong and fails if anything is.

In every `.ne` file the tags must be balanced, the labels known, every component inside a
type and no element empty.  The words of the reference must be those of the `words` tier
and of the taggers' manual output, the words of the CTM those of the taggers' asr output.
The intervals of a TextGrid must tile it, each word be tiled by phones, and the words of a
CTM must follow each other in time.
"""

import re
import sys
from pathlib import Path

from corpus import COMPONENTS, TAG, TYPES, ne_elements, ne_words, read_ctm

TIER = re.compile(r'name = "(\w+)"\s+xmin = (\S+)\s+xmax = (\S+)\s+intervals: size = (\d+)')
INTERVAL = re.compile(r'intervals \[\d+\]:\s+xmin = (\S+)\s+xmax = (\S+)\s+text = "(.*)"')


def check_ne(path):
    """-> (words, problems)"""
    words, problems = [], []
    for n, line in enumerate(path.read_text(encoding="utf8").splitlines(), 1):
        where = f"{path}:{n}"
        if line != " ".join(line.split()) or not line:
            problems.append(f"{where}: spacing")
        try:
            elements = ne_elements(line)
        except ValueError as error:
            problems.append(f"{where}: {error}")
            continue
        for label, start, end, depth in elements:
            if label not in TYPES | COMPONENTS:
                problems.append(f"{where}: unknown label {label}")
            if label in COMPONENTS and depth == 1:
                problems.append(f"{where}: component {label} outside any type")
            if start == end:
                problems.append(f"{where}: empty {label}")
        problems += [
            f"{where}: stray angle bracket in {token}"
            for token in line.split()
            if not TAG.match(token) and ("<" in token or ">" in token)
        ]
        words += ne_words(line)
    return words, problems


def read_textgrid(path):
    """-> {tier: [(start, end, label)]}, problems"""
    text = path.read_text(encoding="utf8")
    tiers, problems = {}, []
    heads = list(TIER.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        part = text[head.end() : following.start() if following else None]
        rows = [(float(a), float(b), label) for a, b, label in INTERVAL.findall(part)]
        tiers[head[1]] = rows
        bounds = [float(head[2]), *(b for _, b, _ in rows)]
        if len(rows) != int(head[4]) or bounds[-1] != float(head[3]):
            problems.append(f"{path}: tier {head[1]} is not as long as it says")
        if any(a != before or b <= a for (a, b, _), before in zip(rows, bounds, strict=False)):
            problems.append(f"{path}: tier {head[1]} has a gap or an overlap")
    if set(tiers) != {"words", "phones"}:
        problems.append(f"{path}: tiers {sorted(tiers)}")
    else:
        edges = {t for row in tiers["phones"] for t in row[:2]}
        silence = {row[:2] for row in tiers["phones"] if not row[2]}
        if any(row[0] not in edges or row[1] not in edges for row in tiers["words"] if row[2]):
            problems.append(f"{path}: a word is not tiled by phones")
        if silence != {row[:2] for row in tiers["words"] if not row[2]}:
            problems.append(f"{path}: the tiers do not agree on silence")
    return tiers, problems


def check_ctm(path):
    problems, end = [], 0.0
    for line in path.read_text(encoding="utf8").splitlines():
        if not re.fullmatch(rf"{path.stem} 1 \d+\.\d\d \d+\.\d\d \S+ [01]\.\d+", line):
            problems.append(f"{path}: format of {line}")
    for start, duration, word in read_ctm(path):
        if duration <= 0 or start < end - 1e-6:
            problems.append(f"{path}: {word} at {start} is out of order")
        end = start + duration
    return problems


def check_document(data, doc):
    words, problems = check_ne(data / "ref" / f"{doc}.ne")
    tiers, found = read_textgrid(data / "align" / f"{doc}.TextGrid")
    problems += found + check_ctm(data / "asr" / f"{doc}.ctm")
    if words != [label for _, _, label in tiers.get("words", []) if label]:
        problems.append(f"{doc}: other words in the reference than in the alignment")
    heard = [w for _, _, w in read_ctm(data / "asr" / f"{doc}.ctm")]
    for system in sorted((data / "hyp").iterdir()):
        for condition, expected in ("manual", words), ("asr", heard):
            path = system / condition / f"{doc}.ne"
            got, found = check_ne(path)
            problems += found
            if got != expected:
                problems.append(f"{path}: not the words it was given")
    return problems


def main(data):
    data = Path(data)
    docs = sorted(path.stem for path in (data / "ref").iterdir())
    problems = [
        f"{folder}: not the documents of ref"
        for folder in (
            "align",
            "asr",
            *(f"hyp/{s}/{c}" for s in ("compromise", "gazetteer") for c in ("asr", "manual")),
        )
        if sorted(path.stem for path in (data / folder).iterdir()) != docs
    ]
    if not problems:
        problems = [problem for doc in docs for problem in check_document(data, doc)]
    print("\n".join(problems) or f"{len(docs)} documents, nothing wrong")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main(*sys.argv[1:])
