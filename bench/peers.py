"""Measures the scorer beside others of the field, each run a whole process, all in one go.

On flat columns nervaluate and seqeval say the same precision, recall and F as three schemes here:
that is checked, as fractions. On words jiwer and meeteval count the same errors. Runs of all of
them take turns; of each the least time counts, and the largest memory. Times belong to a machine:
what is compared is processor time, as a ratio to the quickest of the others. Whoever takes more
than ``--limit`` seconds is stopped, and that is printed. All of it is also written to
``build/bench/peers.json``.

    python bench/peers.py                 # everything, best of 3
    python bench/peers.py --quick         # a tenth of the size: does it run?
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path

import flat
from run import BUILD, ROOT, Used, machine, measured, stay_on_one_core

SCHEMES = ("conll", "semeval2013", "quaero")
COLUMN_PEERS = ("nervaluate", "seqeval")
WORD_PEERS = ("jiwer", "meeteval")
ENTITIES = 10_000
WORDS = 100_000
DOCUMENTS = 200
GROWTH = (1_000, 2_000, 4_000, 8_000, 64_000)
"""Entities of one document, ten words for each."""

OURS = "sereval"


@dataclass
class Row:
    """One scorer on one corpus.

    Args:
        scorer, corpus: their names.
        used: least times and largest memory of its runs.
        found: what it computed: precision, recall and F, or the number of errors.
    """

    scorer: str
    corpus: str
    used: Used
    found: list[Fraction] = field(default_factory=list)

    @property
    def is_ours(self) -> bool:
        """Whether it is measured against the others."""
        return self.scorer.startswith(OURS)


def column_commands(ref: Path, hyp: Path) -> dict[str, list[str]]:
    """What scores a pair of files of columns, by name."""
    score = [sys.executable, "-m", OURS, "score", str(ref), str(hyp), "--format", "json"]
    ours = {f"{OURS} {scheme}": [*score, "--scheme", scheme] for scheme in SCHEMES}
    return ours | {name: _peer(name, ref, hyp) for name in COLUMN_PEERS}


def word_commands(ref: Path, hyp: Path) -> dict[str, list[str]]:
    """What aligns a pair of files of lines, by name."""
    return {name: _peer(name, ref, hyp) for name in (OURS, *WORD_PEERS)}


def _peer(name: str, ref: Path, hyp: Path) -> list[str]:
    return [sys.executable, str(ROOT / "bench" / "peer.py"), name, str(ref), str(hyp)]


def fractions(scorer: str, text: str) -> list[Fraction]:
    """What a scorer printed; a float of so few entities has one fraction behind it."""
    if scorer not in {f"{OURS} {scheme}" for scheme in SCHEMES}:
        return [Fraction(float(part)).limit_denominator(10**7) for part in text.split()]
    report = json.loads(text)
    if "figures" in report:
        figures = {row["figure"]: row for row in report["figures"]}
        row = figures.get("strict") or figures["type"]
        correct, ref, hyp = row["COR"], row["POS"], row["ACT"]
    else:
        counts = report["counts"]
        correct, ref, hyp = counts["exact"], counts["Ref"], counts["Hyp"]
    return [Fraction(correct, hyp), Fraction(correct, ref), Fraction(2 * correct, ref + hyp)]


Commands = Callable[[Path, Path], dict[str, list[str]]]


def measure(
    corpus: str,
    paths: tuple[Path, Path],
    commands: Commands,
    options: argparse.Namespace,
    stopped: set[str] | None = None,
) -> list[Row]:
    """A row for each scorer; they take turns.

    Args:
        stopped: scorers that are not run again, as a smaller corpus took them too long; those
            that take too long here are added.
    """
    stopped = set() if stopped is None else stopped
    rows: dict[str, Row] = {}
    for _ in range(options.best_of):
        for scorer, command in commands(*paths).items():
            if scorer in stopped:
                continue
            print(f"{corpus}: {scorer} …", file=sys.stderr, flush=True)
            out = BUILD / "peer.out"
            before = partial(
                resource.setrlimit, resource.RLIMIT_CPU, (options.limit, options.limit + 5)
            )
            used = measured(command, out, before)
            if used.error:
                stopped.add(scorer)
                rows[scorer] = Row(scorer, corpus, used)
                continue
            found = fractions(scorer, out.read_text(encoding="utf-8"))
            known = rows.setdefault(scorer, Row(scorer, corpus, used, found))
            known.used = known.used.best(used)
    return list(rows.values())


def print_rows(title: str, rows: Sequence[Row]) -> None:
    """One line a scorer, as ratios to the least of the others."""
    done = [row for row in rows if not row.used.error]
    others = [row.used for row in done if not row.is_ours]
    print(
        f"\n{title}\n{'':<22}{'seconds':>9}{'cpu':>8}{'MB':>6}   {'× the least of the others':<27}"
    )
    print(f"{'':<22}{'':>23}{'seconds':>11}{'cpu':>7}{'MB':>6}")
    for row in rows:
        if row.used.error:
            print(f"{row.scorer:<22}{row.used.error}")
            continue
        seconds, cpu, megabytes = (
            [getattr(used, name) for used in (row.used, *others)]
            for name in ("seconds", "cpu", "megabytes")
        )
        line = f"{row.scorer:<22}{seconds[0]:>9.2f}{cpu[0]:>8.2f}{megabytes[0]:>6.0f}"
        for of, width in ((seconds, 11), (cpu, 7), (megabytes, 6)):
            line += f"{of[0] / min(of[1:]):>{width}.2f}" if others else ""
        print(line)
    print(f"same figures: {said(done)}")


def said(rows: Sequence[Row]) -> str:
    """What all scorers found, or who found something else."""
    first = rows[0].found
    values = ", ".join(f"{value} = {float(value)!r}" for value in first)
    other = [row.scorer for row in rows if row.found != first]
    if other:
        return f"NO: {', '.join(other)} other than {rows[0].scorer}, which found {values}"
    return f"yes, all {len(rows)}: {values}"


def print_growth(rows: Sequence[Row], sizes: Sequence[int]) -> None:
    """Processor time by size of the document; in the last column, how it grew at the end."""
    print("\nOne document: seconds of processor time by number of entities")
    print(f"{'':<22}" + "".join(f"{size:>9,}" for size in sizes) + f"{'last ÷':>10}{'linear':>8}")
    for scorer in dict.fromkeys(row.scorer for row in rows):
        of_size = {row.corpus: row.used for row in rows if row.scorer == scorer}
        cells = [_seconds(of_size.get(str(size))) for size in sizes]
        before, last = (of_size.get(str(size)) for size in sizes[-2:])
        grown = last and before and not last.error and not before.error
        ratio = f"{last.cpu / before.cpu:.1f}" if grown and last and before else "-"
        line = f"{scorer:<22}" + "".join(f"{cell:>9}" for cell in cells)
        print(f"{line}{ratio:>10}{sizes[-1] / sizes[-2]:>8.1f}")
    for row in rows:
        if row.used.error:
            print(f"{row.scorer}, {int(row.corpus):,} entities: {row.used.error}; no larger ones")


def _seconds(used: Used | None) -> str:
    return "-" if used is None else "stopped" if used.error else f"{used.cpu:.2f}"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--best-of", type=int, default=3, help="runs of each (3)")
    parser.add_argument(
        "--limit", type=int, default=60, help="seconds of processor time for one run (60)"
    )
    options = parser.parse_args()
    if options.best_of < 1 or options.limit < 1:
        parser.error("--best-of and --limit need 1 or more")
    return options


def tables(options: argparse.Namespace) -> Iterator[tuple[str, list[Row]]]:
    """Measure and print, table by table."""
    part = 10 if options.quick else 1
    entities, words = ENTITIES // part, WORDS // part
    for documents in (DOCUMENTS // part, 1):
        name = f"{documents} document{'s'[: documents > 1]}"
        paths = flat.columns(entities, documents, BUILD / f"flat-{documents}")
        rows = measure(name, paths, column_commands, options)
        print_rows(f"Columns: {entities:,} entities, {entities * 10:,} words, {name}", rows)
        yield f"columns, {name}", rows
    for documents in (DOCUMENTS // part, 1):
        name = f"{documents} line{'s'[: documents > 1]}"
        paths = flat.lines(words, documents, BUILD / f"lines-{documents}")
        rows = measure(name, paths, word_commands, options)
        print_rows(f"Words aligned by text: {words:,}, {name}", rows)
        yield f"words, {name}", rows
    stopped: set[str] = set()
    grown: list[Row] = []
    sizes = [size // part for size in GROWTH]
    for size in sizes:
        paths = flat.columns(size, 1, BUILD / f"growth-{size}")
        grown += measure(str(size), paths, column_commands, options, stopped)
    print_growth(grown, sizes)
    for row in grown:
        row.corpus = f"{row.corpus} entities"
    yield "growth of one document", grown


def main() -> None:
    """Make the corpora, measure, print, write ``peers.json``."""
    options = arguments()
    BUILD.mkdir(parents=True, exist_ok=True)
    where = {**machine(), "run on": stay_on_one_core()}
    print("\n".join(f"{name}: {value}" for name, value in where.items()), flush=True)
    report = {
        "machine": where,
        "quick": options.quick,
        "best of": options.best_of,
        "limit": options.limit,
        "tables": {
            name: [
                {
                    "scorer": row.scorer,
                    "corpus": row.corpus,
                    **asdict(row.used),
                    "found": [str(value) for value in row.found],
                }
                for row in rows
            ]
            for name, rows in tables(options)
        },
    }
    (BUILD / "peers.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
