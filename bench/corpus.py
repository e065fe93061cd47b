"""Makes a corpus the size of the paper's test set, as native JSON lines.

The Quaero test data (Galibert et al., IJCNLP 2011, Table 1: 18 shows, 97 871 words, 5 523 types,
8 902 components) are not free to pass on, so the bench runs on invented shows of the same measure:
what an exact search costs depends on how many elements stand close together, how they nest and
how many frontiers lie within the tolerance, not on what the words say.

Three files are written into the folder, and what is in them is printed:

* ``reference.jsonl``: clean words with times, and the true elements;
* ``manual.jsonl``: what a system with errors finds on the reference's own words;
* ``asr.jsonl``: what it finds on the words and times of a recogniser with errors of its own.

Everything follows from the seed. Each show has a random stream for each stage, so that a change to
the system's errors leaves words, times and the recogniser's errors as they were; ``random.Random``
and not numpy, whose streams may change from one release to the next.
"""

from __future__ import annotations

import argparse
import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

from noise import Recognised, System, perfect, recognised
from shows import COMPONENTS, CONVERSATION, NEWS, Record, annotated, elements, spoken

Corpus = dict[str, list[Record]]
"""The documents of each file, by the file's stem; the same shows in the same order."""
# --------------------------------------------------------------------------------------- the corpus


def shares(total: int, count: int, rng: Random) -> list[int]:
    """A total cut into so many parts, the largest up to twice the smallest."""
    edges = list(accumulate((rng.uniform(0.7, 1.4) for _ in range(count)), initial=0.0))
    marks = [round(total * edge / edges[-1]) for edge in edges]
    return [high - low for low, high in pairwise(marks)]


def corpus(seed: int = 2011, documents: int = 18, scale: float = 1.0) -> tuple[Corpus, Record]:
    """The three files' documents, and what the recogniser did.

    Args:
        seed: of everything.
        documents: among how many shows the words are shared, at least 2.
        scale: size of the whole, 1 for the paper's.
    """
    files: Corpus = {"reference": [], "manual": [], "asr": []}
    edits: Counter[str] = Counter()
    news = min(max(1, round(documents * NEWS.shows / 18)), documents - 1)
    for genre, count in ((NEWS, news), (CONVERSATION, documents - news)):
        rng = Random(f"{seed} {genre.wer}")
        words = shares(round(genre.words * scale), count, rng)
        types = shares(round(genre.types * scale), count, rng)
        # long shows name more things: the largest share of words gets the largest of types
        order = sorted(range(count), key=words.__getitem__)
        for place, number in zip(order, sorted(types), strict=True):
            name = f"show{len(files['reference']) + 1:02d}"
            edits += add_show(files, name, seed, words[place], number, genre.wer)
    return files, {"edits": dict(edits), "errors": Recognised(edits=edits).errors}


def add_show(
    files: Corpus, name: str, seed: int, count: int, types: int, wer: float
) -> Counter[str]:
    """Append one show to each of the files; returns the recogniser's edits."""
    words, nodes = annotated(count, types, Random(f"{seed} {name} words"))
    times, breaks = spoken(count, nodes, Random(f"{seed} {name} times"))
    asr = recognised(words, times, breaks, wer, Random(f"{seed} {name} recogniser"))
    manual = System(Random(f"{seed} {name} manual"), perfect(words)).find(nodes)
    found = System(Random(f"{seed} {name} asr"), asr).find(nodes)
    files["reference"].append(
        {"id": name, "words": words, "times": times, "elements": elements(nodes)}
    )
    files["manual"].append({"id": name, "words": words, "elements": elements(manual)})
    files["asr"].append(
        {"id": name, "words": asr.words, "times": asr.times, "elements": elements(found)}
    )
    return asr.edits


def joined(files: Corpus) -> Corpus:
    """The same words and elements as a single document, the shows one after the other in time."""
    lengths = [
        1000 + max(end for stem in ("reference", "asr") for _, end in files[stem][show]["times"])
        for show in range(len(files["reference"]))
    ]
    clocks = list(accumulate(lengths, initial=0))
    return {stem: [_one(records, clocks)] for stem, records in files.items()}


def _one(records: Sequence[Record], clocks: Sequence[int]) -> Record:
    whole: Record = {"id": "joined", "words": [], "times": [], "elements": []}
    for record, clock in zip(records, clocks, strict=False):
        n, m = len(whole["words"]), len(whole["elements"])
        for element in record["elements"]:
            shifted = {**element, "start": element["start"] + n, "end": element["end"] + n}
            if "parent" in element:
                shifted["parent"] = element["parent"] + m
            whole["elements"].append(shifted)
        whole["times"] += ([start + clock, end + clock] for start, end in record.get("times", ()))
        whole["words"] += record["words"]
    if not whole["times"]:
        del whole["times"]
    return whole


def copied(files: Corpus, copies: int) -> Corpus:
    """Every document so many times, under names of its own: exactly so many times the work."""
    return {
        stem: [
            {**record, "id": f"{record['id']}-{number}"}
            for number in range(1, copies + 1)
            for record in records
        ]
        for stem, records in files.items()
    }


def write(files: Corpus, folder: Path) -> None:
    """Native JSON lines, times in seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, records in files.items():
        with open(folder / f"{stem}.jsonl", "w", encoding="utf-8") as stream:
            for record in records:
                if "times" in record:
                    record = {**record, "times": [[a / 1000, b / 1000] for a, b in record["times"]]}
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def depths(record: Record) -> list[int]:
    """Depth of each element of a document, 1 at the top."""
    found: list[int] = []
    for element in record["elements"]:
        found.append(found[element["parent"]] + 1 if "parent" in element else 1)
    return found


def candidates(files: Corpus, tolerance: int) -> float:
    """How many of the recogniser's words begin within a tolerance of an element, on average."""
    counts = []
    for reference, asr in zip(files["reference"], files["asr"], strict=True):
        starts = [start for start, _ in asr["times"]]
        for element in reference["elements"]:
            at = reference["times"][element["start"]][0]
            counts.append(
                bisect_right(starts, at + tolerance) - bisect_left(starts, at - tolerance)
            )
    return sum(counts) / len(counts)


def statistics(files: Corpus, recogniser: Record) -> Record:
    """What the corpus is made of; error rates by the generator's own edit script."""
    reference = files["reference"]
    labels = [element["label"] for record in reference for element in record["elements"]]
    words = [text for record in reference for text in record["words"]]
    times = [time for record in reference for time in record["times"]]
    return {
        "documents": len(reference),
        "words": len(words),
        "distinct words": len(set(words)),
        "mean word (ms)": round(sum(end - start for start, end in times) / len(times)),
        "elements": len(labels),
        "types": sum(label not in COMPONENTS for label in labels),
        "components": sum(label in COMPONENTS for label in labels),
        "elements by depth": dict(
            sorted(Counter(d for record in reference for d in depths(record)).items())
        ),
        "recogniser's words": sum(len(record["words"]) for record in files["asr"]),
        "word error rate (%)": round(100 * recogniser["errors"] / len(words), 2),
        "edits": recogniser["edits"],
        "elements found, manual": sum(len(record["elements"]) for record in files["manual"]),
        "elements found, asr": sum(len(record["elements"]) for record in files["asr"]),
        "depth of what is found": max(d for record in files["asr"] for d in depths(record)),
        "words starting within 0.25 s of an element": round(candidates(files, 250), 2),
        "words starting within 1 s of an element": round(candidates(files, 1000), 2),
    }


def main() -> None:
    """Write a corpus and print its statistics as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the three files go")
    parser.add_argument("--documents", type=int, default=18, help="number of shows (18)")
    parser.add_argument("--scale", type=float, default=1.0, help="size, 1 for the paper's (1)")
    parser.add_argument("--seed", type=int, default=2011, help="of everything (2011)")
    parser.add_argument("--join", action="store_true", help="all shows as one document")
    parser.add_argument("--copies", type=int, default=1, help="each document so many times (1)")
    options = parser.parse_args()
    if options.documents < 2:
        parser.error("at least 2 shows, one of each genre; --join makes one document of them")
    files, recogniser = corpus(options.seed, options.documents, options.scale)
    found = statistics(files, recogniser)  # of the shows: joining and copying change none of it
    if options.join:
        files = joined(files)
    if options.copies > 1:
        files = copied(files, options.copies)
    write(files, options.folder)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
