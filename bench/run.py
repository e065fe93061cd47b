"""Measures the scorer on a corpus of the paper's size and prints the figures beside their limits.

Each measurement is a whole process, ``python -m sereval score``, from the start of the interpreter
to its exit, on one core. A limit is printed as kept or not, and nothing fails on it: times belong
to a machine. What was measured, and on what, is also written to ``build/bench/bench.json``.

    python bench/run.py                   # everything, once
    python bench/run.py --quick           # a tenth of the size: does it run?
    python bench/run.py --only words,0.25 --best-of 3
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "bench"

CORPORA = {"paper": (), "twice": ("--copies", "2"), "joined": ("--join",)}
"""The corpora by name, and the options that make them. Same shows, same words and elements."""

SETTINGS = {"words": None, "0.25": "0.25", "1.0": "1.0", "2.0": "2.0"}
"""The tolerance of each setting; ``words``: the reference's own words, no tolerance."""

SECONDS = {"words": 1.0, "0.25": 2.0, "1.0": 20.0, "2.0": 90.0}
"""Longest time for a corpus of the paper's size."""

MEGABYTES = 500
"""Largest peak memory for a corpus of the paper's size, in one document or in many."""

RATIOS = {"twice": 2.1, "joined": 1.3}
"""Largest processor time relative to the paper's corpus. Twice the documents should take twice
the time; the 5 % above that are for the noise of two measured times."""

BUSY = 1.1
"""Wall time over processor time beyond which others were using the core too."""


@dataclass
class Figures:
    """What one measurement came to.

    Args:
        setting, corpus: keys of ``SETTINGS`` and ``CORPORA``.
        seconds: wall time of the process, the best where there were several.
        cpu: its processor time in seconds, of the same run; ratios are made of it, since other
            programs disturb it less.
        megabytes: its peak memory, the largest where there were several.
        ser: slot error rate, from its report; ``None`` where it failed.
        error: last line of what it complained of.
    """

    setting: str
    corpus: str
    seconds: float
    cpu: float
    megabytes: float
    ser: float | None = None
    error: str = ""


def make_corpora(names: Sequence[str], scale: float) -> dict[str, Any]:
    """Write the corpora; returns the statistics of the shows they share.

    In a process of its own: memory this one had used would count as the measured one's.
    """
    statistics = {}
    for name in names:
        command = [sys.executable, str(ROOT / "bench" / "corpus.py"), str(BUILD / name)]
        command += ["--scale", str(scale), *CORPORA[name]]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        statistics = json.loads(done.stdout)
    return statistics


def score_command(setting: str, corpus: str) -> list[str]:
    """What a user would type."""
    folder, tolerance = BUILD / corpus, SETTINGS[setting]
    hypothesis = folder / ("manual.jsonl" if tolerance is None else "asr.jsonl")
    command = [sys.executable, "-m", "sereval", "score", str(folder / "reference.jsonl")]
    command += [str(hypothesis), "--format", "json"]
    return command if tolerance is None else [*command, "--tolerance", tolerance]


def report_path(setting: str, corpus: str) -> Path:
    """Where the report of a measurement goes."""
    return BUILD / f"{corpus}-{setting}.json"


@dataclass
class Used:
    """What one process came to: see ``Figures``."""

    seconds: float
    cpu: float
    megabytes: float
    error: str = ""

    def best(self, other: Used) -> Used:
        """Least times, largest memory."""
        return Used(
            min(self.seconds, other.seconds),
            min(self.cpu, other.cpu),
            max(self.megabytes, other.megabytes),
        )


def measured(
    command: Sequence[str], out_path: Path, before: Callable[[], None] | None = None
) -> Used:
    """Run one process to its end and take its times and peak memory.

    Args:
        command: what to run. out_path: where its standard output goes.
        before: run in the new process ahead of the command, to set its limits.

    It runs in the folder of the results, where no settings of a project lie. Python keeps what it
    compiled, as of installed packages: a first run may be slower for it.
    """
    complaints = BUILD / "stderr.txt"
    kept = {name: of for name, of in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with open(out_path, "wb") as out, open(complaints, "wb") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=BUILD, stdout=out, stderr=errors, env=kept, preexec_fn=before
        )
        # not process.wait: only wait4 says what this one child used
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in KB elsewhere
    used = Used(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)
    if process.returncode == -signal.SIGXCPU:
        used.error = f"stopped after {used.cpu:.0f} s, the limit"
    elif process.returncode:
        lines = complaints.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        used.error = lines[-1] if lines else f"exit status {process.returncode}"
    return used


def run_once(setting: str, corpus: str) -> Figures:
    """One measurement."""
    used = measured(score_command(setting, corpus), report_path(setting, corpus))
    return Figures(setting, corpus, used.seconds, used.cpu, used.megabytes, error=used.error)


def measure(setting: str, corpus: str, best_of: int) -> Figures:
    """The best time of so many runs, or the first that failed."""
    runs: list[Figures] = []
    for _ in range(best_of):
        runs.append(run_once(setting, corpus))
        if runs[-1].error:
            return runs[-1]
    best = min(runs, key=lambda run: run.seconds)
    best.megabytes = max(run.megabytes for run in runs)
    return best


def read_ser(figures: Figures) -> float | None:
    """The slot error rate in the report of a measurement; ``None`` where it failed."""
    if figures.error:
        return None
    report = json.loads(report_path(figures.setting, figures.corpus).read_text(encoding="utf-8"))
    ser: float | None = report["counts"]["ser"]
    return ser


def verdicts(measured: Sequence[Figures]) -> list[tuple[str, float, float, bool]]:
    """Each limit that was asked for: what is limited, its value, the limit, whether it is kept."""
    found = {(f.setting, f.corpus): f for f in measured if not f.error}
    limits = []
    for (setting, corpus), figures in found.items():
        name = f"{setting}, {corpus}"
        if corpus == "paper":
            limit = SECONDS[setting]
            limits.append((f"{name}: seconds", figures.seconds, limit, figures.seconds <= limit))
        if corpus != "twice":
            kept = figures.megabytes <= MEGABYTES
            limits.append((f"{name}: MB", figures.megabytes, MEGABYTES, kept))
        if corpus in RATIOS and (setting, "paper") in found:
            ratio = figures.cpu / found[setting, "paper"].cpu
            kept = ratio <= RATIOS[corpus]
            limits.append((f"{name}: times the paper's", ratio, RATIOS[corpus], kept))
    return limits


def print_statistics(statistics: dict[str, Any]) -> None:
    """What the corpus is made of."""
    print("Corpus")
    for name, value in statistics.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {count:,}" for key, count in value.items())
        print(f"  {name:<44}{f'{value:,}' if isinstance(value, int) else value}")


def print_figures(measured: Sequence[Figures]) -> None:
    """One line a measurement, then one line a limit."""
    print(f"\n{'setting':<10}{'corpus':<10}{'seconds':>10}{'cpu':>8}{'MB':>6}{'SER':>9}")
    for f in measured:
        ser = "n/a" if f.ser is None else f"{100 * f.ser:.2f} %"
        line = f"{f.setting:<10}{f.corpus:<10}{f.seconds:>10.2f}{f.cpu:>8.2f}{f.megabytes:>6.0f}"
        busy = "the core was shared" if f.seconds > BUSY * f.cpu else ""
        print(f"{line}{ser:>9}  {f.error or busy}".rstrip())
    print(f"\n{'limit':<40}{'measured':>10}{'at most':>10}")
    for name, value, limit, kept in verdicts(measured):
        print(f"{name:<40}{value:>10.2f}{limit:>10g}  {'ok' if kept else 'OVER'}")


DEVELOPING = ("dev", "docs")
"""Extras that no score needs."""


def packages() -> dict[str, str]:
    """Versions of all that sereval may use, and of the other scorers, where they are installed."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    asked = [
        *project["dependencies"],
        *chain(*(extras[name] for name in extras if name not in DEVELOPING)),
    ]
    found = {}
    for name in sorted({re.split(r"[^\w.-]", each)[0] for each in asked}):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    ask = [sys.executable, "-c", "import sereval; print(sereval.__version__)"]
    done = subprocess.run(ask, cwd=ROOT, check=True, capture_output=True, text=True)
    return {
        "cpu": model,
        "cores": str(os.cpu_count()),
        "memory in MB": str(_memory()),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "sereval": done.stdout.strip(),
        **packages(),
    }


def _memory() -> int | str:
    """Megabytes of main memory, where the system says it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 10**6
    except (AttributeError, ValueError, OSError):
        return "unknown"


def stay_on_one_core() -> str:
    """Keep this process, and with it all it starts, on one core; returns what to say of it."""
    if not hasattr(os, "sched_setaffinity"):
        return "any core (this system cannot keep a process on one)"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return "one core"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--best-of", type=int, default=1, help="runs of each measurement (1)")
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=[*SETTINGS, *CORPORA],
        metavar="NAME,…",
        help=f"settings ({', '.join(SETTINGS)}) and corpora ({', '.join(CORPORA)}) to measure",
    )
    options = parser.parse_args()
    if unknown := set(options.only) - {*SETTINGS, *CORPORA}:
        parser.error(f"--only {', '.join(sorted(unknown))}: no such setting or corpus")
    if options.best_of < 1:
        parser.error("--best-of needs at least one run")
    return options


def main() -> None:
    """Make the corpora, measure, print, write ``bench.json``."""
    options = arguments()
    # naming only settings means all corpora, and the other way round
    settings = [name for name in SETTINGS if name in options.only] or list(SETTINGS)
    corpora = [name for name in CORPORA if name in options.only] or list(CORPORA)
    where = {**machine(), "run on": stay_on_one_core()}
    print("\n".join(f"{name}: {value}" for name, value in where.items()) + "\n")
    statistics = make_corpora(corpora, 0.1 if options.quick else 1.0)
    print_statistics(statistics)
    measured = []
    for setting in settings:
        for corpus in corpora:
            print(f"measuring {setting}, {corpus} …", file=sys.stderr, flush=True)
            measured.append(measure(setting, corpus, options.best_of))
    for figures in measured:  # only now: reading reports takes memory, see make_corpora
        figures.ser = read_ser(figures)
    print_figures(measured)
    if options.quick:
        print("\nThe limits are for the full size.")
    report = {
        "machine": where,
        "quick": options.quick,
        "best of": options.best_of,
        "corpus": statistics,
        "figures": [asdict(figures) for figures in measured],
        "limits": [
            {"of": name, "measured": value, "at most": limit, "kept": kept}
            for name, value, limit, kept in verdicts(measured)
        ],
    }
    (BUILD / "bench.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
