"""Coverage-guided fuzzing of every reader and of the whole command line.

``python fuzz.py TARGET [OPTIONS OF LIBFUZZER]``, where TARGET is the name of a format, of
another kind of file that is read (``OTHERS``), ``cli``, or ``any`` of these, which the first byte
chooses; ``python fuzz.py all SECONDS`` fuzzes each target for so long, one after another, and
prints what was done. Seeds are the files of the case folders, and what earlier runs found worth
keeping, ``fuzz_seeds.zip``, which ``python fuzz.py keep [TARGET …]`` makes of ``build/fuzz``; the
seeds of other targets stay.

The only ways out are a result and an ``InputError`` with its file. What is read is scored against
itself, which must give nothing but correct slots.
"""

import contextlib
import importlib
import io
import pkgutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from paths import CASES, ROOT, TESTS

SEEDS = TESTS / "support" / "fuzz_seeds.zip"
FOUND = ROOT / "build" / "fuzz"
LONGEST, KEPT_UP_TO = 4096, 512
"""Bytes of an input, and of one that is kept."""
TEXT_END = b"\x00--\x00"
"""In the input for a format of two files it ends the first, the text."""

OTHERS = {  # files that are no documents: suffix, and a command that reads them before all else
    "grammar": (".toml", "check ref.ne --grammar {}"),
    "map": (".toml", "score ref.ne hyp.ne --map {}"),
    "campaign": (".toml", "compare --campaign {} --resamples 2"),
    "hub4": (".sgml", "score {} {} --read marks=hub4"),
    "muc": (".muc", "templates {} {}"),
    "report": (".json", "gate {} ref.ne hyp.ne"),
}
ANNOTATED = "<pers> <name> Ada </name> </pers> à <loc> Dol </loc>\n"


def seeds(target: str) -> Iterator[bytes]:
    """Inputs to begin with, in order."""
    yield from written(target)
    if SEEDS.exists():
        with zipfile.ZipFile(SEEDS) as archive:
            for name in archive.namelist():
                if name.startswith(f"{target}/"):
                    yield archive.read(name)


def written(target: str) -> Iterator[bytes]:
    """Files that people wrote: of the case folders, the grammars, the examples."""
    from sereval.formats import FORMATS
    from sereval.labels import bundled_grammars

    if target == "any":
        for number, other in enumerate(targets()):
            for seed in written(other):
                yield bytes([number]) + seed
    elif target == "cli":
        for command in range(32):
            yield bytes([command, 0, 1]) + b"\x00" + ANNOTATED.encode()
    elif target in FORMATS or target == "hub4":
        yield from cases(target)
    elif target == "grammar":
        for _, grammar in sorted(bundled_grammars().items()):
            yield grammar.read_bytes()
    else:
        suffix = OTHERS[target][0]
        folder = ROOT / "docs" / "examples" if suffix == ".toml" else CASES
        for path in sorted(folder.rglob(f"*{suffix}")):
            yield path.read_bytes()
        yield from [report()] if target == "report" else []


def cases(format: str) -> Iterator[bytes]:
    """The files of a format's cases, each behind the text that stands beside it."""
    from format_cases import ALL

    for case in ALL:
        if case.format == format or format == "hub4" and case.title.startswith("hub4"):
            others = [text for name, text in case.files.items() if name != case.name]
            yield (others[-1] + TEXT_END if others else b"") + case.files[case.name]


def report() -> bytes:
    """A report of ``score``, which ``gate`` reads."""
    from sereval.cli.prove import outcome

    case = CASES / "case_1"
    line = ["score", str(case / "reference"), str(case / "hypothesis"), "--format", "json"]
    return outcome(line)[1].encode()


def targets() -> list[str]:
    """All that can be fuzzed."""
    from sereval.formats import FORMATS

    return [*FORMATS, *OTHERS, "cli"]


# --- what is done with one input -----------------------------------------------------------------


def read_document(target: str) -> Callable[[bytes], None]:
    """Reads a format, and scores what it read against itself."""
    from sereval.documents.model import Document
    from sereval.errors import InputError
    from sereval.evaluation.evaluate import evaluate
    from sereval.formats import FORMATS, read

    reader = FORMATS[target]

    def attempt(data: bytes) -> None:
        text, found, annotation = data.partition(TEXT_END)
        path = f"x{reader.suffixes[0]}"
        beside = Path(f"x{reader.beside}")
        if reader.folder_beside and not found:
            beside.unlink(missing_ok=True)
        elif reader.beside:
            beside.write_bytes(text if found else b"ab cd")
        Path(path).write_bytes(annotation if found else data)
        try:
            documents = read(path, format=target)
        except InputError as error:
            refusal = str(error)
            assert refusal.startswith("x."), refusal
            assert "\n" not in refusal, refusal
            return
        plain = [one for one in documents if isinstance(one, Document) and not one.mentions]
        if plain:
            counts = evaluate(plain, plain).counts
            assert counts.C == counts.ref == counts.hyp

    return attempt


def run(arguments: list[str]) -> None:
    """Runs a command line: a result; or one line, or several that all say where, and status 1."""
    from sereval.cli import main

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    before = stands()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    out.flush()
    said = err.getvalue()
    assert "Traceback" not in said, said
    assert status in (0, 1, 2), (status, arguments)
    is_result = bool(out.buffer.getvalue()) or stands() != before
    if status == 1 and arguments[0] == "doctor":  # bad input is what it writes about
        assert said or is_result, arguments
    elif status:
        assert not is_result, arguments
        assert said, arguments
    if status == 1:
        assert all(line.startswith("sereval: ") for line in said.splitlines()), said


def stands() -> dict[str, bytes]:
    """What is in the files of this folder."""
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


def read_other(target: str) -> Callable[[bytes], None]:
    """Runs the command that reads such a file."""
    suffix, command = OTHERS[target]
    path = f"x{suffix}"
    arguments = command.format(path, path).split()

    def attempt(data: bytes) -> None:
        Path(path).write_bytes(data)
        run(arguments)

    return attempt


def command_line() -> Callable[[bytes], None]:
    """Any command with any options and files: bytes choose the words, the rest is file content."""
    from sereval.cli import cli

    words = ["ref.ne", "hyp.ne", "x.ne", "x.jsonl", "x.ctm", "x.iob", "missing", "folder", "-"]
    words += ["0.3", "0:1:0.5", "1w", "quaero", "label", "3", "made", "json", "a,b", "S_S=0", ""]
    context = click.Context(cli)
    names = cli.list_commands(context)
    options = {
        name: sorted({opt for each in cli.get_command(context, name).params for opt in each.opts})
        for name in names
    }
    for of_command in options.values():
        if "--jobs" in of_command:  # processes are not fuzzed
            of_command.remove("--jobs")

    def attempt(data: bytes) -> None:
        head, _, content = data.partition(b"\x00")
        two_sides()
        for suffix in ("ne", "jsonl", "ctm", "iob"):
            Path(f"x.{suffix}").write_bytes(content)
        if not head:
            return
        name = names[head[0] % len(names)]
        choices = [*words, *options[name], "-o"]
        arguments = [name, *(choices[byte % len(choices)] for byte in head[1:12])]
        try:
            run(arguments)
        finally:
            for made in Path().iterdir():
                if made.is_file() and made.name not in KEPT:
                    made.unlink()

    return attempt


KEPT = {"ref.ne", "hyp.ne"}


def attempt_of(target: str) -> Callable[[bytes], None]:
    """What is done with an input of a target."""
    from sereval.formats import FORMATS

    if target == "cli":
        return command_line()
    if target == "any":
        attempts = [attempt_of(other) for other in targets()]
        return lambda data: attempts[data[0] % len(attempts)](data[1:]) if data else None
    return read_document(target) if target in FORMATS else read_other(target)


@contextlib.contextmanager
def place() -> Iterator[None]:
    """A folder of one's own with a reference and a hypothesis, and nothing on standard input."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        two_sides()
        Path("folder").mkdir()
        yield


def two_sides() -> None:
    """A reference and a hypothesis, also where an output has been written over them."""
    Path("ref.ne").write_text(ANNOTATED, "utf-8")
    Path("hyp.ne").write_text(ANNOTATED.replace("loc", "org"), "utf-8")


# --- running ---------------------------------------------------------------------------------


def fuzz(target: str, options: list[str]) -> None:
    """One target, with libFuzzer; does not come back."""
    import atheris

    with atheris.instrument_imports(include=["sereval"]):
        package = importlib.import_module("sereval")
        for module in pkgutil.walk_packages(package.__path__, "sereval."):
            importlib.import_module(module.name)
    found = FOUND / target
    found.mkdir(parents=True, exist_ok=True)
    with place():
        given = Path("seeds").absolute()
        given.mkdir()
        for number, seed in enumerate(seeds(target)):
            (given / str(number)).write_bytes(seed)
        sys.stdin = io.TextIOWrapper(io.BytesIO(ANNOTATED.encode()), "utf-8")
        again = Path("again").absolute()  # libFuzzer starts itself anew, as a program, to merge
        again.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" {target} "$@"\n')
        again.chmod(0o755)
        limits = [f"-max_len={LONGEST}", "-timeout=20"]
        atheris.Setup([str(again), *limits, *options, str(found), str(given)], attempt_of(target))
        atheris.Fuzz()


def fuzz_all(seconds: int) -> int:
    """Every target for so long; the number of those that failed."""
    failed = 0
    for target in targets():
        options = [f"-max_total_time={seconds}", "-print_final_stats=1", "-seed=1"]
        done = subprocess.run(
            [sys.executable, __file__, target, *options], capture_output=True, check=False
        )
        said = done.stderr.decode("utf-8", "replace")
        runs = next(
            (line.split()[-1] for line in said.splitlines() if "number_of_executed" in line), "?"
        )
        failed += done.returncode != 0
        print(f"{target}: {runs} inputs, {'failed' if done.returncode else 'nothing found'}")
        if done.returncode:
            print(said[-3000:])
    return failed


def keep(chosen: list[str]) -> None:
    """Put into the archive what was found: of each target, what goes where no written file does."""
    new = SEEDS.with_suffix(".new")
    with zipfile.ZipFile(SEEDS) as old, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for target in targets():
            stay = [one for one in old.namelist() if one.startswith(f"{target}/")]
            units = (
                added(target)
                if target in chosen or not chosen
                else [(name.partition("/")[2], old.read(name)) for name in stay]
            )
            for name, unit in units:
                entry = zipfile.ZipInfo(f"{target}/{name}")  # without a date
                archive.writestr(entry, unit, zipfile.ZIP_DEFLATED)
    new.replace(SEEDS)


def added(target: str) -> list[tuple[str, bytes]]:
    """The shortest units that were found or kept to go where nothing else does, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(written(target)):
            Path(folder, f"written-{number}").write_bytes(seed)
        merge = [sys.executable, __file__, target, "-merge=1", f"-max_len={KEPT_UP_TO}", folder]
        subprocess.run(merge, capture_output=True, check=True)
        return [
            (path.name[:12], path.read_bytes())
            for path in sorted(Path(folder).iterdir())
            if not path.name.startswith("written-")
        ]


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    if sys.argv[1] == "all":
        sys.exit(fuzz_all(int(sys.argv[2])))
    if sys.argv[1] == "keep":
        sys.exit(keep(sys.argv[2:]))
    fuzz(sys.argv[1], sys.argv[2:])
