"""Measures the alignment of words by text beside rapidfuzz's, in one process, on real speech.

The documents are 44 pairs of a reference and a recogniser's words of the shared Earnings-21 corpus.
rapidfuzz finds the fewest errors of the words as they are written (``Levenshtein.editops``).
sereval finds the errors of their forms by either weights, and, in the rows with blocks, all blocks
with the words that are most alike. The functions take turns; the median of processor time is
printed, and the median of the ratios to rapidfuzz. Without the corpus nothing is measured.

    python bench/aligned.py --runs 5
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from rapidfuzz.distance import Levenshtein
from real import CORPUS
from run import stay_on_one_core

from sereval.__main__ import NEW_OBJECTS
from sereval.alignment.blocks import SCLITE, UNIT, Weights
from sereval.alignment.text import align_text

RECOGNISERS = ("google", "amazon", "rev-kaldi", "librispeech")
DOCUMENTS = 44

Pair = tuple[Sequence[str], Sequence[str]]


def pairs() -> Iterator[Pair]:
    """The words of the reference and of a recogniser, call by call."""
    for recogniser in RECOGNISERS:
        for path in sorted((CORPUS / "ref").glob("*.jsonl")):
            times = CORPUS / "asr" / recogniser / f"{path.stem}.ctm"
            rows = (line.split() for line in times.read_text(encoding="utf-8").splitlines())
            heard = [row[4] for row in rows]
            yield json.loads(path.read_text(encoding="utf-8"))["words"], heard


def aligned(weights: Weights, *, blocks: bool) -> Callable[[Pair], object]:
    """The alignment of a pair, with its blocks or without."""

    def align(pair: Pair) -> object:
        found = align_text(*pair, weights)
        return found.blocks if blocks else found.counts

    return align


FUNCTIONS: dict[str, Callable[[Pair], object]] = {
    "rapidfuzz": lambda pair: Levenshtein.editops(*pair),
    "unit": aligned(UNIT, blocks=False),
    "unit, blocks": aligned(UNIT, blocks=True),
    "sclite": aligned(SCLITE, blocks=False),
    "sclite, blocks": aligned(SCLITE, blocks=True),
}


def measure(documents: Sequence[Pair], runs: int) -> dict[str, list[float]]:
    """The seconds of processor time of each function, run by run."""
    found: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    for _ in range(runs):
        for name, function in FUNCTIONS.items():
            before = time.process_time()
            for pair in documents:
                function(pair)
            found[name].append(time.process_time() - before)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each function (5)")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        print(f"nothing is measured: the corpus is not at {CORPUS}")
        return
    documents = [*pairs()][:DOCUMENTS]
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])  # as the command does
    sizes = [sum(map(len, side)) for side in zip(*documents, strict=True)]
    print(f"processor time in s on {stay_on_one_core()}, {options.runs} runs")
    print(f"{len(documents)} documents, {sizes[0]:,} words and {sizes[1]:,}\n")
    found = measure(documents, options.runs)
    print(f"{'':16}{'median':>8}{'ratio':>8}")
    for name, seconds in found.items():
        ratios = [one / other for one, other in zip(seconds, found["rapidfuzz"], strict=True)]
        print(f"{name:16}{statistics.median(seconds):8.2f}{statistics.median(ratios):8.2f}")


if __name__ == "__main__":
    main()
