"""What a projection by text does wrong: clean text onto its own scan, both annotated by people.

The SODUCO twins are entries of old trade directories, as corrected by hand and as a scanner read
them, with the same tags on both. A perfect projection of the one onto the words of the other would
score 0 against the other, so what it scores is its own error. The corpus is not part of the
project; where it is absent, nothing is measured. ``docs/why/papers/soduco.md`` goes through the
worst cases.

    python bench/soduco.py                # the figures
    python bench/soduco.py --worst 10     # and the entries that cost most
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from sereval import Document
from sereval.evaluation.evaluate import DocumentScore, Evaluation, evaluate
from sereval.evaluation.settings import ByWords
from sereval.formats import inline
from sereval.formats.file import File
from sereval.measures import decimal

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpora" / "soduco"

SETTINGS = {"by text": ByWords(), "by text, 1w": ByWords(tolerance=1)}
"""How the clean words meet those of the scan."""


def entries(name: str) -> list[Document]:
    """The entries of one side, a line each, under the number of the line."""
    lines = (CORPUS / name).read_text("utf-8").splitlines()
    found = (inline.read_inline(File(f"{k:04d}", text=line)) for k, line in enumerate(lines, 1))
    return [document for one in found for _, document in one]


def dearest(evaluation: Evaluation) -> Iterable[DocumentScore]:
    """The entries with errors, the most expensive first; of as expensive ones in order."""
    costs = evaluation.settings.costs
    wrong = (one for one in evaluation.documents if one.counts.cost(costs))
    return sorted(wrong, key=lambda one: (-one.counts.cost(costs), one.id))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the projection by text on SODUCO.")
    parser.add_argument("--worst", type=int, default=0, help="how many entries to print")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        print("SODUCO is not here: the projection by text is not measured.")
        return
    clean, scan = entries("clean.ne"), entries("ocr.ne")
    print(f"SODUCO, clean text onto its scan: {len(clean)} entries")
    for name, through in SETTINGS.items():
        evaluation = evaluate(clean, scan, through=through)
        counts, costs = evaluation.counts, evaluation.settings.costs
        wrong = list(dearest(evaluation))
        print(
            f"{name:12} SER {100 * (evaluation.ser or 0):.2f} %, cost "
            f"{decimal(counts.cost(costs))} for {counts.ref} elements in {len(wrong)} entries; "
            f"{counts.unplaceable} unplaceable"
        )
        for one in wrong[: options.worst]:
            print(f"  {one.id}  cost {decimal(one.counts.cost(costs))}")
            print(f"        {' '.join(clean[int(one.id) - 1].words)}")
            print(f"        {' '.join(one.mapped.hypothesis.words)}")


if __name__ == "__main__":
    main()
