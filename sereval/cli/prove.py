"""``gate``, ``selftest`` and ``schema``: whether figures and reports hold; and sessions.

A *session* has files, command lines, and all that comes of them. A file of sessions says first what
it is about. Then ``# NAME`` begins a session. ``== PATH`` is a file with the lines that follow; of
a line that begins like one of these signs, the backslash before it is left out. ``-- TEXT``
explains, ``= FIGURES`` was computed by hand. ``$ LINE`` is a command line; below it stand standard
output, standard error with ``! `` before each line, and the status in brackets unless it is 0. A
line ``…`` stands for any lines, ``VERSION`` for the version.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from ..analysis.gate import MARGIN, margin_of
from ..render.report import Report
from ..report import schemas
from ..runs.calls import gate as gate_of
from ..runs.options import FILES
from ..runs.scoring import resampling_of
from ..schemes.measure import Option
from ..version import __version__
from . import main
from .line import Line, command
from .outputs import named_format, warn
from .parameters import NONE, output_option, output_options

HEAD = re.compile(r"(#|==|=|--|\$) (.*)")
ESCAPE = "\\"
USAGE = re.compile(r"\AUsage: sereval (?:.*\n)+?(?=Error: )")


class Step(NamedTuple):
    """A line that says what is done, its sign apart, and the lines below it."""

    sign: str
    text: str
    lines: list[str]

    @property
    def shown(self) -> list[str]:
        """The lines without the empty ones that end them."""
        return "\n".join(self.lines).rstrip("\n").split("\n")

    @property
    def content(self) -> bytes:
        """The content of the file that the step is."""
        text = "".join(f"{line.removeprefix(ESCAPE)}\n" for line in self.shown)
        return text.encode() if any(self.lines) else b""

    def put(self, folder: Path) -> None:
        """Write the file that the step is."""
        path = folder / self.text
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.content)


def steps_of(text: str) -> list[Step]:
    """All steps of a file, the lines ahead of them as the first."""
    steps = [Step("", "", [])]
    for line in text.split("\n"):
        if head := HEAD.fullmatch(line):
            steps.append(Step(head[1], head[2], []))
        else:
            steps[-1].lines.append(line)
    return steps


def sessions(steps: list[Step]) -> dict[str, list[Step]]:
    """The steps of each session by its name; what stands before the first is named ``""``."""
    found: dict[str, list[Step]] = {"": []}
    for step in steps[1:]:
        if step.sign == "#":
            found[step.text] = []
        else:
            found[[*found][-1]].append(step)
    return found


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    """The status of a command, its standard output and its standard error."""
    output, messages = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        status = main(arguments)
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in (output, messages))
    return int(status), out, err


def shown(status: int, out: str, err: str) -> list[str]:
    """What came of a command, as a session shows it: of wrong usage the reason alone."""
    err = USAGE.sub("", err) if status == 2 else err
    lines = [*out.splitlines(), *(f"! {line}".rstrip() for line in err.splitlines())]
    text = "\n".join([*lines, *([f"[{status}]"] if status else [])]).rstrip("\n")
    for name in ("version:", '"sereval": "'):
        text = text.replace(f"{name}{__version__}", f"{name}VERSION")
    return text.split("\n")


def agrees(expected: list[str], printed: list[str]) -> bool:
    """Whether lines are those shown, where ``…`` on a line stands for any lines.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d"]), agrees(["a"], ["a", "b"])
    (True, False)
    """
    if expected == printed:
        return True
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "…" else re.escape(f"{line.rstrip()}\n")
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


WORSE = 3
"""The exit status if the score is worse."""

_of_report = partial(Option, group=FILES, metavar="PATH")

_FILES = (
    _of_report(
        "align",
        "File or folder with the times of REF's words.",
        letter="-a",
    ),
    _of_report(
        "words",
        "File or folder with the times of HYP's words.",
        letter="-w",
    ),
    _of_report(
        "map",
        "The rules for labels of the report, if it was a file.",
    ),
    _of_report(
        "grammar",
        "The grammar of the report, if it was a file.",
    ),
    _of_report(
        "normalise",
        "The table of words of the report, if it was a file.",
    ),
    _of_report(
        "documents",
        "The documents of the report, if it was a file.",
    ),
)


@command(
    "report ref hyp",
    *_FILES,
    Option(
        "read",
        "How the report was read, if it was by a file.",
        group=FILES,
        metavar="WHAT=PATH",
        is_multiple=True,
    ),
    Option(
        "margin",
        "The growth of the rate that still passes, in percentage points.",
        is_common=True,
        group="Scoring",
        metavar="POINTS",
        default=f"{float(MARGIN):g}",
        parse=margin_of,
    ),
    Option(
        "figure",
        "The figure of a report under another scheme; by default the first that the scheme has.",
        is_common=True,
        group="Scoring",
        metavar="NAME",
    ),
    *output_options(("text", "json", "csv")),
    examples=(
        "score data/ref data/hyp/gazetteer/manual -o report.json",
        "gate report.json data/ref data/hyp/gazetteer/manual",
        "gate report.json data/ref data/hyp/gazetteer/manual --margin 0.02",
    ),
)
def gate(line: Line) -> Report:
    """Fail if HYP scores worse than a stored report.

    REPORT.json is a report that score wrote with --format json, whose options hold; files that they
    name are given again. The exit status is 3 if the slot error rate has grown by more than the
    margin and the difference is significant by a permutation test over documents, 0 if not. A
    report of another scheme is compared by one of the scheme's figures.
    """
    names = [*(one.name for one in _FILES), "read", "alternatives", "jobs"]
    inputs = {name: value for name in names if (value := line.values[name])}
    found = gate_of(
        line.report,
        line.ref,
        line.hyp,
        margin=line.margin,
        resampling=resampling_of(**line.values),
        figure=line.figure,
        **inputs,
    )
    line.status = WORSE if found.is_worse else 0
    return found.report()


CASES = Path(__file__).parents[1] / "cases"

EXTRA = re.compile(r"""pip install ["'](sereval\[[a-z]+\])["']""")
"""What a message says about an extra that is not installed."""


@command(
    "",
    Option(
        "keep",
        "Write the files of each case to a folder of its own in this one.",
        group=FILES,
        metavar="FOLDER",
    ),
    examples=("selftest", "selftest --keep cases"),
)
def selftest(line: Line) -> str:
    """Prove this installation on the cases that come with it.

    A case has small files, commands, and the report that each command must give; its figures were
    computed by hand. The worked cases of the definition are among them. Cases that need an extra
    that is not installed are counted apart. The last line can be quoted with a result. The status
    is 1 if a report differs.
    """
    with tempfile.TemporaryDirectory() as folder:
        proofs = list(_proofs(CASES, Path(line.keep or folder).absolute()))
    wrong = [place for place, holds, extra in proofs if not holds and not extra]
    for place in wrong:
        warn(f"{place}: the report differs from the expected one")
    held = sum(holds for _, holds, _ in proofs)
    count = f"{held}" if held == len(proofs) else f"{held} of {len(proofs)}"
    needs = Counter(extra for *_, extra in proofs if extra)
    parts = [f"{count} cases hold", *(f"{n} need {extra}" for extra, n in sorted(needs.items()))]
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    line.status = int(bool(wrong))
    return f"sereval {__version__}: {', '.join(parts)}, sha256 {digest(CASES)[:16]}, {system}\n"


def digest(folder: Path) -> str:
    """The SHA-256 of the cases: of the names and the bytes of all files, in order."""
    import hashlib

    found = hashlib.sha256()
    for file in sorted(folder.glob("*.txt")):
        content = file.read_bytes()
        found.update(f"{file.name}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def _proofs(cases: Path, folder: Path) -> Iterator[tuple[str, bool, str]]:
    """For each command its case and its words, whether its report holds, the extra it lacks."""
    for file in sorted(cases.glob("*.txt")):
        for case, steps in sessions(steps_of(file.read_text("utf-8"))).items():
            for step in steps:
                if step.sign == "==":
                    step.put(folder / case)
                elif step.sign == "$":
                    with contextlib.chdir(folder / case):
                        found = outcome(["--config", NONE, *shlex.split(step.text)])
                    extra = EXTRA.search(found[2]) if found[0] else None
                    holds = agrees(step.shown, shown(*found))
                    yield f"{case}: sereval {step.text}", holds, extra[1] if extra else ""


@command(
    "",
    click.Argument(["name"], metavar="COMMAND", type=click.Choice(schemas.COMMANDS)),
    output_option("FILE", "Write to this file."),
    examples=("schema score", "schema audit", "schema compare -o compare.schema.json"),
)
def schema(line: Line) -> str:
    """Print the JSON schema of a command's report.

    COMMAND is a command with --format json, or audit, whose schema is that of a line of --format
    jsonl. The schema of project is that of a document in sereval's own format.
    """
    named_format(line.click, "json", line.output, ["json"])
    return json.dumps(schemas.schema(line.name), indent=2) + "\n"
