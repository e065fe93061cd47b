"""Measures the memory of each command that reads documents one by one: it must not grow with words.

The shows of the bench's corpus are cut into documents of a hundred words, and these repeated under
names of their own. Each measurement is a whole process, as in ``run.py``; memory is the peak of the
largest process, so with ``--jobs`` that of whichever process took most. Written to
``build/bench/stream.json`` too.

    python bench/stream.py                      # 10 000 documents, the limit is 110 MB
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

WORDS = 100
"""Of a document."""

TENTH = "a tenth"
"""The form of the corpus that is a tenth of it, in one file."""

MEGABYTES = 110
"""Largest peak memory of 10 000 documents."""


COMMANDS = {
    "score": "score {ref} {hyp} --tolerance 0.1 --output {out}.txt",
    "score-json": "score {ref} {hyp} --tolerance 0.1 --format json --output {out}.json",
    "score-csv": "score {ref} {hyp} --tolerance 0.1 --format csv --output {out}.csv",
    "quaero-lne": "score {ref} {hyp} --tolerance 0.1 --scheme quaero-lne -f json -o {out}.json",
    "mitre": "score {ref} {hyp} --scheme mitre --format json --output {out}.json",
    "muc": "score {ref} {hyp} --scheme muc --format json --output {out}.json",
    "semeval2013": "score {ref} {hyp} --tolerance 0.1 --scheme semeval2013 -f json -o {out}.json",
    "slue": "score {ref} {hyp} --scheme slue --format json --output {out}.json",
    "slurp": "score {ref} {hyp} --scheme slurp --format json --output {out}.json",
    "oi": "score {ref} {hyp} --scheme oi --format json --output {out}.json",
    "nerval": "score {ref} {hyp} --scheme nerval --format json --output {out}.json",
    "conll": "score {hyp} {other} --scheme conll --elements outermost -f json -o {out}.json",
    "evalita2011": "score {ref} {hyp} --scheme evalita2011 --elements outermost -f json "
    "-o {out}.json",
    "sweep": "sweep {ref} {hyp} --tolerance 0,0.1 --format json --output {out}.json",
    "agreement": "agreement {hyp} {other} --format json --output {out}.json",
    "compare": "compare {ref} {hyp} {other} --tolerance 0.1 --output {out}.txt",
    "stability": "compare {ref} {hyp} {other} --tolerance 0.1 --stability --output {out}.txt",
    "elements": "compare {ref} {hyp} {other} --tolerance 0.1 --table elements -o {out}.csv",
    "audit": "audit {ref} {hyp} --tolerance 0.1 --output {out}.txt",
    "audit-csv": "audit {ref} {hyp} --tolerance 0.1 --format csv --output {out}.csv",
    "audit-page": "audit {ref} {hyp} --tolerance 0.1 --format html --output {out}.html",
    "blame": "blame {ref} {ref} {hyp} --tolerance 0.1 --output {out}.txt",
    "project": "project {ref} {hyp} --tolerance 0.1 --output {out}.json",
    "gate": "gate {report} {ref} {hyp} --output {out}.txt",
    "doctor": "doctor {ref} {hyp} --tolerance 0.1 --output {out}.txt",
    "check": "check {ref} --grammar quaero",
    "convert": "convert {ref} {out}.jsonl",
    "baseline": "baseline {ref} {hyp} {out}.jsonl --only outermost",
}
"""The commands that read documents one by one, with the names of files in braces: those of the
reference and of two systems, of the output, and the report of ``score-json``."""

IN_FORMS = "score"
"""The command that reads the corpus in each form; how it is read is the same for all."""

ALONE = ("project", "gate", "doctor", "check", "convert", "baseline")
"""The commands that work in one process."""


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


def renamed(record: Record) -> Record:
    """The document of a second system: each third element has another label."""
    elements = [
        element if number % 3 else {**element, "label": "other"}
        for number, element in enumerate(record["elements"])
    ]
    return {**record, "elements": elements}


def write(folder: Path, documents: int) -> dict[str, dict[str, list[str]]]:
    """Write the corpus in every form; the arguments that name its sides, by form."""
    files, _ = corpus()
    shows = zip(files["reference"], files["asr"], strict=True)
    pairs = [pair for show in shows for pair in zip(*map(pieces, show), strict=False)]
    for part in ("ref", "hyp", "align", "words", "bare/ref", "bare/hyp", "tenth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    with (
        open(folder / "ref.jsonl", "w", encoding="utf-8") as ours,
        open(folder / "hyp.jsonl", "w", encoding="utf-8") as theirs,
        open(folder / "other.jsonl", "w", encoding="utf-8") as others,
    ):
        for number, pair in enumerate(islice(cycle(pairs), documents)):
            name = f"d{number:05}"
            others.write(line_of(name, renamed(pair[1])))
            for side, times, stream, record in zip(
                ("ref", "hyp"), ("align", "words"), (ours, theirs), pair, strict=True
            ):
                stream.write(line_of(name, record))
                (folder / side / f"{name}.jsonl").write_text(line_of(name, record), "utf-8")
                bare = {key: value for key, value in record.items() if key != "times"}
                (folder / "bare" / side / f"{name}.jsonl").write_text(line_of(name, bare), "utf-8")
                spoken = zip(record["times"], record["words"], strict=True)
                lines = (f"{name} 1 {a:.3f} {b - a:.3f} {word}\n" for (a, b), word in spoken)
                (folder / times / f"{name}.ctm").write_text("".join(lines), "utf-8")
    whole, tenth = {}, {}
    for side in ("ref", "hyp", "other"):
        whole[side] = [str(folder / f"{side}.jsonl")]
        tenth[side] = [str(folder / "tenth" / f"{side}.jsonl")]
        with open(*whole[side], "rb") as every:
            Path(*tenth[side]).write_bytes(b"".join(islice(every, documents // 10)))
    beside = ["--align", str(folder / "align"), "--words", str(folder / "words")]
    return {
        TENTH: tenth,
        "one file": whole,
        "folder": {"ref": [str(folder / "ref")], "hyp": [str(folder / "hyp")]},
        "folder and CTM": {
            "ref": [str(folder / "bare/ref")],
            "hyp": [str(folder / "bare/hyp"), *beside],
        },
    }


def line_of(name: str, record: Record) -> str:
    """A document in native JSON."""
    return json.dumps({"id": name, **record}, ensure_ascii=False) + "\n"


def size(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(entry.stat().st_size for entry in os.scandir(path))


def measure(by: str, form: str, sides: dict[str, list[str]], documents: int, jobs: int) -> Figures:
    """Run one process and all that it begins to their end."""
    outputs = BUILD / f"stream-{form.replace(' ', '-')}"
    report, out = f"{outputs}-score-json.json", f"{outputs}-{by}"
    line: list[str] = []
    read: list[str] = []
    for word in COMMANDS[by].split():
        named = sides.get(word.strip("{}"), [])
        read += [path for path in named if not path.startswith("--")]
        line += named or [word.format(out=out, report=report)]
    line += [] if by in ALONE else ["--jobs", str(jobs)]
    command = [sys.executable, "-m", "sereval", *line]
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
    total = sum(size(Path(path)) for path in read)
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
    forms: dict[str, dict[str, list[str]]] = json.loads(done.stdout)
    found = []
    print(
        f"{'by':<13}{'form':<16}{'jobs':>5}{'documents':>11}{'MB read':>9}{'seconds':>9}{'cpu':>8}"
        f"{'MB':>6}"
    )
    for by in options.by.split(","):
        for form, sides in forms.items():
            if by != IN_FORMS and form not in (TENTH, "one file"):
                continue
            documents = options.documents // (10 if form == TENTH else 1)
            for jobs in map(int, "1" if by in ALONE else options.jobs.split(",")):
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
