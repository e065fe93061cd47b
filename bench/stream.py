"""Measures the scorer on many documents: memory that must not grow, and processes that share them.

The shows of the bench's corpus are cut into documents of a thousand words, and these repeated under
names of their own. Each measurement is a whole process, as in ``run.py``; memory is the peak of the
largest process, so with ``--jobs`` that of whichever process took most. Written to
``build/bench/stream.json`` too.

    python bench/stream.py                      # 10 000 documents, the limit is 300 MB
    python bench/stream.py --documents 1000 --jobs 1,2
    python bench/stream.py --by mitre,sweep     # these alone, and a tenth of the documents first
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path

from corpus import corpus
from run import BUILD, ROOT, machine
from shows import Record

WORDS = 1000
"""Of a document."""

TENTH = "a tenth"
"""The form of the corpus that is a tenth of it, in one file."""

MEGABYTES = 300
"""Largest peak memory of 10 000 documents."""


COMMANDS = {
    "score": "score --tolerance 0.1 --format json",
    "quaero-lne": "score --tolerance 0.1 --scheme quaero-lne --format json",
    "mitre": "score --scheme mitre",
    "muc": "score --scheme muc",
    "semeval2013": "score --tolerance 0.1 --scheme semeval2013",
    "slue": "score --scheme slue",
    "evalita2011": "score --scheme evalita2011 --elements outermost",
    "sweep": "sweep --tolerance 0,0.1",
    "compare": "compare --tolerance 0.1 --unit document",
    "collate": f"compare --tolerance 0.1 --unit document --collate {BUILD / 'stream-collate.html'}",
    "agreement": "agreement",
    "audit": "audit --tolerance 0.1",
    "page": "audit --tolerance 0.1 --format html",
    "blame": "blame --tolerance 0.1",
    "doctor": "doctor --tolerance 0.1",
    "convert": "convert --to native",
    "check": "check --grammar quaero",
}
"""Whatever reads documents one by one. A report in JSON of the other schemes has all figures of all
documents by label, and is larger than what is measured here."""


@dataclass
class Figures:
    """What one measurement came to.

    Args:
        by: of ``COMMANDS``.
        form: how the corpus lies on disk.
        bytes: of the files read.
        seconds, cpu: wall and processor time of the process and those that it began.
        megabytes: peak of the largest process.
    """

    by: str
    form: str
    jobs: int
    documents: int
    bytes: int
    seconds: float
    cpu: float
    megabytes: float


def pieces(record: Record) -> Iterator[Record]:
    """Documents of so many words, with the elements that lie within them."""
    for begin in range(0, len(record["words"]) - WORDS + 1, WORDS):
        end = begin + WORDS
        places: dict[int, int] = {}
        elements: list[Record] = []
        for index, element in enumerate(record["elements"]):
            parent = element.get("parent")
            if begin <= element["start"] and element["end"] <= end:
                if parent is not None and parent not in places:
                    continue
                places[index] = len(elements)
                moved = {"start": element["start"] - begin, "end": element["end"] - begin}
                kept = {**element, **moved}
                if parent is not None:
                    kept["parent"] = places[parent]
                elements.append(kept)
        times = [[a / 1000, b / 1000] for a, b in record["times"][begin:end]]
        yield {"words": record["words"][begin:end], "times": times, "elements": elements}


def write(folder: Path, documents: int) -> dict[str, list[str]]:
    """Write the corpus in every form; the arguments that name it, by form."""
    files, _ = corpus()
    shows = zip(files["reference"], files["asr"], strict=True)
    pairs = [pair for show in shows for pair in zip(*map(pieces, show), strict=False)]
    for side in ("reference", "asr", "align", "words", "bare/reference", "bare/asr", "tenth"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    with (
        open(folder / "reference.jsonl", "w", encoding="utf-8") as ours,
        open(folder / "asr.jsonl", "w", encoding="utf-8") as theirs,
    ):
        for number, pair in enumerate(islice(cycle(pairs), documents)):
            name = f"d{number:05}"
            for side, times, stream, record in zip(
                ("reference", "asr"), ("align", "words"), (ours, theirs), pair, strict=True
            ):
                text = json.dumps({"id": name, **record}, ensure_ascii=False) + "\n"
                stream.write(text)
                (folder / side / f"{name}.jsonl").write_text(text, "utf-8")
                bare = {key: value for key, value in record.items() if key != "times"}
                text = json.dumps({"id": name, **bare}, ensure_ascii=False) + "\n"
                (folder / "bare" / side / f"{name}.jsonl").write_text(text, "utf-8")
                spoken = zip(record["times"], record["words"], strict=True)
                lines = (f"{name} 1 {a:.3f} {b - a:.3f} {word}\n" for (a, b), word in spoken)
                (folder / times / f"{name}.ctm").write_text("".join(lines), "utf-8")
    tenth = []
    for side in ("reference", "asr"):
        tenth.append(str(folder / "tenth" / f"{side}.jsonl"))
        with open(folder / f"{side}.jsonl", "rb") as whole:
            Path(tenth[-1]).write_bytes(b"".join(islice(whole, documents // 10)))
    beside = ["--align", str(folder / "align"), "--words", str(folder / "words")]
    return {
        TENTH: tenth,
        "one file": [str(folder / "reference.jsonl"), str(folder / "asr.jsonl")],
        "folder": [str(folder / "reference"), str(folder / "asr")],
        "folder and CTM": [
            str(folder / "bare/reference"),
            str(folder / "bare/asr"),
            *beside,
        ],
    }


def size(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(entry.stat().st_size for entry in os.scandir(path))


def arguments(by: str, sides: list[str], jobs: int) -> list[str]:
    """The inputs, the output and the processes of a command of ``COMMANDS``."""
    output = str(BUILD / f"stream-out.{'html' if by == 'page' else 'json'}")
    if by == "convert":
        return [sides[0], output]
    if by == "check":
        return sides[:1]
    reference = sides[:1] if by == "blame" else []  # it stands for the output on manual words too
    processes = [] if by == "doctor" else ["--jobs", str(jobs)]
    return [*reference, *sides, *processes, "--output", output]


def measure(by: str, form: str, sides: list[str], documents: int, jobs: int) -> Figures:
    """Run one process and all that it begins to their end."""
    command = [sys.executable, "-m", "sereval", *COMMANDS[by].split(), *arguments(by, sides, jobs)]
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    # not process.wait: only wait4 says what this one child, and its own, used
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{by}, {form}: exit status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    cpu = usage.ru_utime + usage.ru_stime
    total = sum(size(Path(side)) for side in sides if not side.startswith("--"))
    return Figures(by, form, jobs, documents, total, seconds, cpu, usage.ru_maxrss * unit / 1e6)


def main() -> None:
    """Write the corpus, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=10_000, help="how many (10 000)")
    parser.add_argument("--jobs", default="1", help="numbers of processes (1), such as 1,2")
    parser.add_argument(
        "--by", default=",".join(COMMANDS), metavar="NAME,…", help="of " + ", ".join(COMMANDS)
    )
    options = parser.parse_args()
    # in a process of its own: memory this one had used would count as the measured one's
    folder = BUILD / "stream"
    written = f"stream.write(pathlib.Path({str(folder)!r}), {options.documents})"
    code = f"import stream, pathlib, json; print(json.dumps({written}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "bench", check=True, capture_output=True, text=True
    )
    forms: dict[str, list[str]] = json.loads(done.stdout)
    found = []
    print(
        f"{'by':<13}{'form':<16}{'jobs':>5}{'documents':>11}{'MB read':>9}{'seconds':>9}{'cpu':>8}"
        f"{'MB':>6}"
    )
    for by in options.by.split(","):
        for form, sides in forms.items():
            if by != "score" and form not in (TENTH, "one file"):
                continue  # how they are read is the same for all
            documents = options.documents // (10 if form == TENTH else 1)
            for jobs in map(int, options.jobs.split(",")):
                figures = measure(by, form, sides, documents, jobs)
                found.append(figures)
                print(
                    f"{by:<13}{form:<16}{jobs:>5}{documents:>11}{figures.bytes / 1e6:>9.0f}"
                    f"{figures.seconds:>9.1f}{figures.cpu:>8.1f}{figures.megabytes:>6.0f}  "
                    f"{'ok' if figures.megabytes <= MEGABYTES else 'OVER'}",
                    flush=True,
                )
    report = {"machine": machine(), "figures": [asdict(figures) for figures in found]}
    (BUILD / "stream.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
