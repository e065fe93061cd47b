"""Measures the commands on real speech: the fourteen calls of the shared Earnings-21 corpus.

Each run is a whole process on one core. The runs of all commands take turns; of each the least and
the median of processor time and the largest memory are printed, and written to
``build/bench/real.json``. ``--beside PROGRAM`` runs each command with another program in turn, such
as ``sereval`` of an older checkout, and prints the ratio of the medians. Without the corpus nothing
is measured.

    python bench/real.py                        # everything, five runs
    python bench/real.py --only 'score 2.0,audit' --runs 3
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from run import BUILD, Used, machine, measured, stay_on_one_core

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpora" / "earnings21"

TIMED = f"--align {CORPUS}/align --words {CORPUS}/asr/google"
SYSTEM = f"{CORPUS}/ref {CORPUS}/hyp/crf/google"

COMMANDS = {
    "same words": f"score {CORPUS}/ref {CORPUS}/hyp/gazetteer/manual",
    **{
        f"score {tolerance}": f"score {SYSTEM} {TIMED} --tolerance {tolerance}"
        for tolerance in ("0.3", "1.0", "2.0", "5.0")
    },
    "by text": f"score {SYSTEM} --by text",
    "sweep": f"sweep {SYSTEM} {TIMED} --tolerance 0:2:0.1",
    "compare": f"compare {SYSTEM} {CORPUS}/hyp/gazetteer/google {TIMED} --tolerance 0.3",
    "audit": f"audit {SYSTEM} {TIMED} --tolerance 0.3",
    "doctor": f"doctor {SYSTEM} {TIMED} --tolerance 0.3",
}
"""The commands by name; ``sweep`` has 21 tolerances."""

OURS = f"{sys.executable} -m sereval"


def measure(
    names: Sequence[str], programs: Sequence[str], runs: int
) -> dict[str, list[list[Used]]]:
    """The runs of each command: for each program, in turn."""
    found: dict[str, list[list[Used]]] = {name: [[] for _ in programs] for name in names}
    for _ in range(runs):
        for name, of_program in found.items():
            for program, used in zip(programs, of_program, strict=True):
                command = [*program.split(), *COMMANDS[name].split()]
                used.append(measured(command, BUILD / "real.txt"))
                if used[-1].error:
                    sys.exit(f"{name}: {used[-1].error}")
    return found


def line(name: str, programs: Sequence[Sequence[Used]]) -> str:
    """One command as a line of the table."""
    medians = [statistics.median(used.cpu for used in runs) for runs in programs]
    ours = programs[0]
    cells = (f"{min(used.cpu for used in ours):8.2f}", f"{medians[0]:8.2f}")
    memory = f"{max(used.megabytes for used in ours):8.0f}"
    others = (f"{medians[0] / median:8.2f}" for median in medians[1:])
    return f"{name:12}{''.join((*cells, memory, *others))}"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each command (5)")
    parser.add_argument("--beside", metavar="PROGRAM", help="another program, to compare with")
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=[*COMMANDS],
        metavar="NAME,…",
        help=f"commands to measure: {', '.join(COMMANDS)}",
    )
    options = parser.parse_args()
    if unknown := set(options.only) - {*COMMANDS}:
        parser.error(f"--only {', '.join(sorted(unknown))}: no such command")
    return options


def main() -> None:
    """Measure, print and write."""
    options = arguments()
    if not CORPUS.is_dir():
        print(f"nothing is measured: the corpus is not at {CORPUS}")
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"processor time in s on {stay_on_one_core()}, {options.runs} runs; memory in MB\n")
    programs = [OURS, *([options.beside] if options.beside else [])]
    found = measure(options.only, programs, options.runs)
    head = f"{'':12}{'least':>8}{'median':>8}{'memory':>8}"
    print(head + (f"{'ratio':>8}" if options.beside else ""))
    for name, of_program in found.items():
        print(line(name, of_program))
    rows = {
        name: [[vars(used) for used in runs] for runs in of_program]
        for name, of_program in found.items()
    }
    report = {"machine": machine(), "programs": programs, "commands": rows}
    (BUILD / "real.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
