"""Measures how the time of a score grows, and draws it for ``docs/why/performance.md``.

Four curves: against words, depth, tolerance and density of elements, each on invented documents in
which nothing else changes. A point is the processor time, in user mode, of ``sereval.evaluate`` on
documents in memory, the least of several runs. Runs of all points are interleaved, one of each in
turn, so that what else the machine does disturbs all alike.

    python bench/curves.py            # writes docs/images/curves.svg and build/bench/curves.json
"""

from __future__ import annotations

import json
import resource
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

from run import BUILD, ROOT, machine

import sereval
from sereval import Document
from sereval.documents.model import tree
from sereval.mapping.best import kept

RUNS = 3
WORDS, DEPTH, TOLERANCE, DENSITY = 8000, 2, 500, 10
"""Where a curve does not say otherwise: words, levels, ms, top elements for each 100 words."""

CURVES = {
    "words": (2000, 4000, 8000, 16000, 32000),
    "depth": (1, 2, 3, 4, 5, 6),
    "tolerance": (0, 250, 500, 1000, 1500, 2000),
    "density": (2, 5, 10, 15, 20),
}
UNITS = {
    "words": "words",
    "depth": "levels of elements",
    "tolerance": "tolerance (ms)",
    "density": "top elements for each 100 words",
}

Case = tuple[Document, Document, int]


def case(
    words: int = WORDS, depth: int = DEPTH, tolerance: int = TOLERANCE, density: int = DENSITY
) -> Case:
    """A reference, what was found on words up to 60 ms late or early, and a tolerance."""
    rng = Random(f"{words} {depth} {density}")
    step = 100 // density
    ours, theirs = [], []
    for place in range(0, words - step + 1, step):
        length = min(step, 4)
        start = place + rng.randrange(step - length + 1)
        for level in range(depth):
            inner = min(level, length - 1)
            span = start + inner // 2, start + length - inner // 3
            label = rng.choice("abcd")
            ours.append((label, *span))
            if rng.random() < 0.9:
                theirs.append((label if rng.random() < 0.85 else rng.choice("abcd"), *span))
    sides = []
    said = list(accumulate((rng.randrange(150, 450) for _ in range(words)), initial=0))
    for spans, late in ((ours, 0), (theirs, 60)):
        edges = [at + rng.randint(-late, late) for at in said]
        times = list(pairwise([0, *edges[1:]]))
        text = tuple(f"w{k}" for k in range(words))
        sides.append(Document("d", text, tree(spans), times=tuple(times)))
    return sides[0], sides[1], tolerance


def seconds(given: Case) -> float:
    """Processor time of one score, with nothing remembered of another."""
    reference, hypothesis, tolerance = given
    kept.cache_clear()
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    sereval.evaluate([reference], [hypothesis], tolerance=tolerance / 1000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin


def main() -> None:
    """Measure, print, write and draw."""
    cases = {(name, x): case(**{name: x}) for name, points in CURVES.items() for x in points}
    taken: dict[tuple[str, int], float] = {}
    for _ in range(RUNS):
        for key, given in cases.items():
            taken[key] = min(taken.get(key, float("inf")), seconds(given))
    found = {name: {x: round(taken[name, x], 3) for x in points} for name, points in CURVES.items()}
    for name, points in found.items():
        print(name, *(f"{x}: {y:.2f}" for x, y in points.items()), sep="  ")
    BUILD.mkdir(parents=True, exist_ok=True)
    report = {"machine": machine(), "runs": RUNS, "user seconds": found}
    (BUILD / "curves.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    draw(found, ROOT / "docs" / "images" / "curves.svg")


def draw(found: dict[str, dict[int, float]], path: Path) -> None:
    """A small chart for each curve."""
    import matplotlib  # slow to import

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "curves"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(9, 6), layout="constrained")
    for ax, (name, points) in zip(axes.flat, found.items(), strict=True):
        ax.plot(list(points), list(points.values()), marker="o", color="#00796b")
        ax.set(xlabel=UNITS[name], ylabel="user seconds", ylim=(0, None))
        ax.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
