"""Hard documents for the search, each with the time and memory that it takes.

One half is realistic: as long, as dense and as deep as annotated speech, with a tolerance of 2 s.
``score`` must score each of these. The other half is made up; of it, ``REFUSED`` lists those that
``score`` refuses, with the reason. What is asked of each run: it ends, with a score or with a
message that names the document, in under 10 s on a machine that has nothing else to do, and in
under 1 GB. Each run is a whole process, ``python -m sereval``.

    python bench/hard.py                    # all of them, by all commands
    python bench/hard.py --only deep,fuzzy  # those whose names begin so
    python bench/hard.py --by score,sweep   # by these commands
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from curves import case
from run import BUILD, measured

from sereval import Document
from sereval.formats.native import write

Record = dict[str, Any]
Labels = Callable[[Random, int], str]

SECONDS, MEGABYTES = 10, 1000
"""What a document may take."""

STOP = 60
"""Seconds of processor time after which nobody waits for it any longer."""


def same(_rng: Random, _number: int) -> str:
    """One label for all."""
    return "a"


def chance(rng: Random, _number: int) -> str:
    """One of three."""
    return rng.choice("abc")


def four(rng: Random, _number: int) -> str:
    """One of four."""
    return rng.choice("abcd")


def own(_rng: Random, number: int) -> str:
    """A label of its own."""
    return f"l{number}"


def side(words: int, spans: Sequence[tuple[int, int]], labels: Labels, seed: str) -> Record:
    """Elements one inside the other where their spans are equal or nested, as a native record."""
    rng = Random(seed)
    elements: list[Record] = []
    path: list[int] = []
    for number, (start, end) in enumerate(spans):
        while path and elements[path[-1]]["end"] <= start:
            path.pop()
        element: Record = {"label": labels(rng, number), "start": start, "end": end}
        if path:
            element["parent"] = path[-1]
        path.append(number)
        elements.append(element)
    return {
        "id": "hard",
        "words": [f"w{k}" for k in range(words)],
        "times": [[k / 10, (k + 1) / 10] for k in range(words)],
        "elements": elements,
    }


def moved(words: int, spans: Sequence[tuple[int, int]], seed: str) -> list[tuple[int, int]]:
    """Some spans a word longer or shorter, and some missing."""
    rng = Random(seed)
    kept = (
        (start, max(start + 1, min(words, end + rng.choice([-1, 0, 0, 1])))) for start, end in spans
    )
    found: list[tuple[int, int]] = []
    for start, end in kept:
        if rng.random() < 0.9 and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def deep(levels: int, words: int, labels: Labels) -> tuple[Record, Record]:
    """So many elements on the same words, one inside the other."""
    spans = [(0, words)] * levels
    return side(words, spans, labels, "ours"), side(words, spans, labels, "theirs")


def wide(words: int, elements: int, labels: Labels) -> tuple[Record, Record]:
    """Neighbours of two words each; with a large tolerance each is fuzzy over many words."""
    spans = [(words * k // elements, words * k // elements + 2) for k in range(elements)]
    theirs = moved(words, spans, "moved")
    return side(words, spans, labels, "ours"), side(words, theirs, labels, "theirs")


def apart(groups: int, words: int, elements: int) -> tuple[Record, Record]:
    """Groups of such neighbours, which nothing connects."""
    both = wide(groups * words, groups * elements, chance)
    for record in both:
        for k, (start, end) in enumerate(record["times"]):
            pause = 100 * (k // words)
            record["times"][k] = [start + pause, end + pause]
    return both


def around(words: int, elements: int, labels: Labels) -> tuple[Record, Record]:
    """The same inside an element that covers the whole document."""
    spans = [(words * k // elements, words * k // elements + 2) for k in range(elements)]
    theirs = moved(words, spans, "moved")
    return (
        side(words, [(0, words), *spans], labels, "ours"),
        side(words, [(0, words), *theirs], labels, "theirs"),
    )


def labelled(both: tuple[Record, Record]) -> tuple[Record, Record]:
    """The same with one label for the outermost elements, which others have too."""
    for record in both:
        record["elements"][0]["label"] = "a"
    return both


def at_once(words: int, elements: int) -> tuple[Record, Record]:
    """All words at the same time."""
    both = wide(words, elements, chance)
    for record in both:
        record["times"] = [[0, 1]] * words
    return both


def speech(words: int, levels: int, density: int) -> tuple[Record, Record]:
    """Words of 0.3 s on average, and elements among every hundred of them, on so many levels."""
    reference, hypothesis, _ = case(words=words, depth=levels, density=density)
    return record(reference), record(hypothesis)


def record(document: Document) -> Record:
    """A document as a native record."""
    found: Record = json.loads(write([document]))
    return found


def title(both: tuple[Record, Record]) -> tuple[Record, Record]:
    """The same inside an element around the whole document, with a label of its own."""
    for one in both:
        for element in one["elements"]:
            element["parent"] = element.get("parent", -1) + 1
        whole = {"label": "document", "start": 0, "end": len(one["words"])}
        one["elements"] = [whole, *one["elements"]]
    return both


Documents = dict[str, tuple[Callable[[], tuple[Record, Record]], str | None]]
"""Makers of reference and hypothesis, and the tolerance; ``None``: the same words."""

REALISTIC: Documents = {
    "speech, 8000 words, 2 levels": (lambda: speech(8000, 2, 10), "2"),
    "speech, 8000 words, 3 levels": (lambda: speech(8000, 3, 10), "2"),
    "speech, 32000 words, 2 levels": (lambda: speech(32000, 2, 10), "2"),
    "speech, 32000 words, 4 levels, half as dense": (lambda: speech(32000, 4, 5), "2"),
    "speech inside one element": (lambda: title(speech(8000, 2, 10)), "2"),
}
"""An hour of speech has about 10 000 words."""

MADE_UP: Documents = {
    "deep 30, same label": (lambda: deep(30, 10, same), None),
    "deep 30, labels by chance": (lambda: deep(30, 10, chance), None),
    "deep 60, four labels by chance": (lambda: deep(60, 10, four), None),
    "deep 30, labels by chance, tolerance 1": (lambda: deep(30, 10, chance), "1"),
    "fuzzy over 100 words, same label": (lambda: wide(200, 60, same), "10"),
    "fuzzy over 100 words, labels by chance": (lambda: wide(200, 60, chance), "10"),
    "fuzzy over 100 words, 2000 elements": (lambda: wide(8000, 2000, chance), "5"),
    "fuzzy over 100 words, 10 times 60 elements": (lambda: apart(10, 200, 60), "10"),
    "1000 over one word, same label": (lambda: deep(1000, 1, same), None),
    "1000 over one word, labels by chance": (lambda: deep(1000, 1, chance), None),
    "1000 over one word, labels of their own": (lambda: deep(1000, 1, own), None),
    "1000 over one word, tolerance 1": (lambda: deep(1000, 1, chance), "1"),
    "one around 2000, same words": (lambda: around(8000, 2000, chance), None),
    "one around 2000, tolerance 0.25": (lambda: around(8000, 2000, chance), "0.25"),
    "one around 2000, tolerance 1": (lambda: around(8000, 2000, chance), "1"),
    "one around 8000, its label inside": (lambda: labelled(around(32000, 8000, chance)), None),
    "3000 words at one time, 700 elements": (lambda: at_once(3000, 700), "0.25"),
    "9000 words at one time, 3000 elements": (lambda: at_once(9000, 3000), "0.25"),
}

REFUSED = {
    "deep 60, four labels by chance": "60 elements on the same words: each may have many partners, "
    "and each choice leaves others",
    "deep 30, labels by chance, tolerance 1": "30 elements on the same words, and 11 frontiers "
    "where each tag may be",
    "fuzzy over 100 words, 2000 elements": "each element may be in the places of its 24 nearest "
    "neighbours, without a pause in 8 000 words",
    "1000 over one word, labels by chance": "1 000 elements on the same word, with three labels",
    "1000 over one word, tolerance 1": "1 000 elements on the same word, with three labels",
    "one around 2000, tolerance 1": "an element around all others has the label of a third of "
    "them, so it may be paired with one inside",
    "3000 words at one time, 700 elements": "all words have the same time, so each tag may be "
    "anywhere",
    "9000 words at one time, 3000 elements": "all words have the same time, so each tag may be "
    "anywhere",
}
"""The made-up documents that ``score`` refuses, each with the reason."""

HARD = REALISTIC | MADE_UP

COMMANDS = {
    "score": "score",
    "quaero-lne": "score --scheme quaero-lne",
    "half": "score --pairing half",
    "label": "score --pairing label",
    "semeval2013": "score --scheme semeval2013",
    "sweep": "sweep",
    "stability": "compare --stability",
    "mitre": "score --scheme mitre",
    "optimal": "score --scheme mitre --mapping optimal",
    "slue": "score --scheme slue",
}
"""What searches, or pairs elements, in a way of its own."""

WITHOUT_TIME = ("mitre", "optimal", "slue")
"""Those that take no tolerance."""


def main() -> None:
    """Score each, and print what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="NAME,…", help="those whose names begin so")
    parser.add_argument(
        "--by", default=",".join(COMMANDS), metavar="NAME,…", help="of " + ", ".join(COMMANDS)
    )
    options = parser.parse_args()
    folder = BUILD / "hard"
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'document':<46}{'by':<12}{'seconds':>9}{'cpu':>8}{'MB':>6}")
    for name, (make, tolerance) in HARD.items():
        if name.startswith(tuple(options.only.split(","))):
            paths = written(make(), folder)
            for command in options.by.split(","):
                taken = _taken(command, paths, tolerance, folder)
                print(f"{name:<46}{command:<12}{taken}", flush=True)


def written(sides: tuple[Record, Record], folder: Path) -> list[str]:
    """The paths of the files of reference and hypothesis, written into a folder."""
    paths = []
    for record, stem in zip(sides, ("reference", "hypothesis"), strict=True):
        path = folder / f"{stem}.jsonl"
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
        paths.append(str(path))
    return paths


def _taken(by: str, paths: Sequence[str], tolerance: str | None, folder: Path) -> str:
    command = [sys.executable, "-m", "sereval", *COMMANDS[by].split(), *paths]
    if by == "sweep":  # about 21 tolerances up to it
        last = round(float(tolerance or 0) * 1000)
        command += ["--tolerance", f"0:{last}ms:{ceil(last / 20)}ms" if last else "0"]
    elif tolerance and by not in WITHOUT_TIME:
        command += ["--tolerance", tolerance]
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (STOP, STOP + 5))
    used = measured(command, folder / "report.txt", limit)
    kept = used.cpu <= SECONDS and used.megabytes <= MEGABYTES
    figures = f"{used.seconds:>9.2f}{used.cpu:>8.2f}{used.megabytes:>6.0f}"
    return f"{figures}{'' if kept else '  OVER'}  {used.error or 'scored'}"


if __name__ == "__main__":
    main()
