"""``sereval selftest``."""

from __future__ import annotations

import contextlib
import io
import json
import platform
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..version import __version__
from . import main
from .config import NONE
from .help import command
from .outputs import write
from .provenance import KEY
from .streams import warn

CASES = Path(__file__).parents[1] / "cases"

REPORTS = "expected.json"
"""The file of a case that holds the expected report of each of its commands."""

EXTRA = re.compile(r"""pip install ["'](sereval\[[a-z]+\])["']""")
"""What a message says about an extra that is not installed."""


@command()
def selftest() -> None:
    """Prove this installation on the cases that come with it.

    A case has small files, commands, and the report that each command must give; its figures were
    computed by hand. The worked cases of the definition are among them. Cases that need an extra
    that is not installed are counted apart. The last line can be quoted with a result. The status
    is 1 if a report differs.
    """
    proofs = list(_proofs(CASES))
    wrong = [proof for proof in proofs if not proof.holds and not proof.extra]
    for proof in wrong:
        warn(f"{proof.case}: sereval {proof.command}: the report differs from the expected one")
    held = sum(proof.holds for proof in proofs)
    count = f"{held}" if held == len(proofs) else f"{held} of {len(proofs)}"
    needs = Counter(proof.extra for proof in proofs if proof.extra)
    parts = [f"{count} cases hold", *(f"{n} need {extra}" for extra, n in sorted(needs.items()))]
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    line = f"sereval {__version__}: {', '.join(parts)}, sha256 {digest(CASES)[:16]}, {system}"
    write(f"{line}\n", "-")
    if wrong:
        raise click.exceptions.Exit(1)


class Proof(NamedTuple):
    """The outcome of one command.

    Args:
        case: the name of the case.
        command: its command line, without the name of the program.
        holds: whether the report is the expected one.
        extra: the extra that the command needs, such as ``sereval[phones]``; empty: none that is
            not installed.
    """

    case: str
    command: str
    holds: bool
    extra: str


def digest(folder: Path) -> str:
    """The SHA-256 of the cases: of the names and the bytes of all files, in order.

    Args:
        folder: the folder of the cases.
    """
    import hashlib

    found = hashlib.sha256()
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*")}
    for name, file in sorted(files.items()):
        if file.is_file():
            content = file.read_bytes()
            found.update(f"{name}\0{len(content)}\0".encode())
            found.update(content)
    return found.hexdigest()


def _proofs(folder: Path) -> Iterator[Proof]:
    for file in sorted(folder.glob(f"*/{REPORTS}")):
        expected = json.loads(file.read_text("utf-8"))
        for line, report in expected.items():
            with contextlib.chdir(file.parent):
                found, extra = _report(line)
            yield Proof(file.parent.name, line, found == report, extra)


def _report(line: str) -> tuple[dict[str, Any] | None, str]:
    """The report of a command in the working directory, and the extra that the command lacks.

    The report is ``None`` if the command made none; the extra is empty if none is missing.
    """
    output, messages = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        status = main(["--config", NONE, *arguments(line)])
    if not status:
        return comparable(json.loads(output.buffer.getvalue())), ""
    extra = EXTRA.search(messages.getvalue())
    return None, extra[1] if extra else ""


def arguments(line: str) -> list[str]:
    """The arguments of the command of a case, which make a report in JSON."""
    return [*shlex.split(line), "--format", "json"]


def comparable(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from version to version.

    Args:
        report: the report; the result has no provenance, and no version in its signatures.
    """
    rest = {name: value for name, value in report.items() if name not in (KEY, "sereval")}
    found = json.dumps(rest).replace(f"|version:{__version__}", "")
    return dict(json.loads(found))
