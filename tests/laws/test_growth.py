"""How the work of readers, schemes and reports grows: in proportion to what they read.

Work is counted, not timed, so it is the same in each run. Large files count calls of functions,
Python's and those in C; small ones count the lines that run, which a loop without calls has too.
What one call in C does is not counted: ``bench/growth.py`` times it.
``pytest -s -m long tests/laws/test_growth.py`` prints the table.
"""

import cProfile
import json
import math
import sys
import time
from importlib import import_module

import click
import pytest
from paths import ROOT

from sereval import read
from sereval.cli import COMMANDS, cli, main
from sereval.formats.table import WRITERS
from sereval.schemes.table import SCHEMES

sys.path.append(str(ROOT / "bench"))
growth = import_module("growth")

MOST = 1.15
"""The largest exponent: twice the size takes at most 2.22 times the work."""

MOST_OF_PAIRS = 2.15
"""The largest exponent of what the definition compares pair by pair."""

WORDS = dict.fromkeys(("ne", "iob", "jsonl", "ctm", "stm", "seglst", "tokens"), 1_000_000)
"""Words of the largest file, for formats that are quick to read; of others a tenth."""

ELEMENTS = 100_000
"""Elements of the largest reference, with ten words each, for ``QUICK``; of others a tenth."""


def calls(function, *arguments):
    """The number of calls that a function makes."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        result = function(*arguments)
    finally:
        profile.disable()
    assert not isinstance(result, int) or result == 0  # the status of a command
    return sum(entry.callcount for entry in profile.getstats())


def lines(function, *arguments):
    """The number of lines of Python that run in a function and in those that it calls."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


def check(name, run, largest, small, capsys, most=MOST):
    """Count the work of a run for a size and its half, print it, and compare it.

    Args:
        name: of the run, for the table.
        run: what is run, for a size.
        largest: the size for which calls are counted.
        small: the size for which lines are counted.
        capsys: keeps what the run prints.
        most: the largest exponent.
    """
    begun = time.process_time()
    sizes = largest // 2, largest
    of_calls = [calls(run, size) for size in sizes]
    of_lines = [lines(run, size) for size in (small // 2, small)]
    took = time.process_time() - begun
    exponents = [
        [math.log2(b / a) for a, b in zip(work, work[1:], strict=False)]
        for work in (of_calls, of_lines)
    ]
    shown = ", ".join(" ".join(f"{one:.3f}" for one in of_one) for of_one in exponents)
    row = f"{name:50} {sizes[-1]:8} {of_calls[-1] / sizes[-1]:8.1f} calls, {shown}"
    with capsys.disabled():
        sys.stdout.write(f"\n{row} ({took:.1f} s)")
    assert max(map(max, exponents)) <= most


@pytest.mark.long
@pytest.mark.parametrize("suffix", growth.FILES)
def test_readers(suffix, tmp_path, capsys):
    """Of each format, files of n and 2 n words in one document."""
    largest, small = WORDS.get(suffix, 100_000), 6_000
    paths = {
        size: growth.store(tmp_path, suffix, size)
        for size in (largest, largest // 2, small, small // 2)
    }
    check(suffix, lambda size: read(paths[size]), largest, small, capsys)


def test_no_format_is_left_out():
    """The table has a file of each format that sereval reads."""
    assert growth.left_out() == []


PAIRS = ("oi", "nerval", "slurp")
"""Schemes that compare each text with each other text of a document, as their sources define."""

OF_PAIRS = tuple(f"--scheme {name}" for name in PAIRS)

OUTERMOST = ("conll", "evalita2011")
"""Schemes of elements that do not nest."""

BY_SCHEME = tuple(
    f"score R H --scheme {name}{' --elements outermost' * (name in OUTERMOST)}" for name in SCHEMES
)

QUICK = (
    *(one for one in BY_SCHEME if one.split()[4] not in (*PAIRS, "evalita2011")),
    *("score R H --format json", "score R H --format csv", "agreement R H"),
)
"""What takes little time for an element. A word error rate of 1 000 000 words takes minutes."""

REPORTS = (
    *("score R H --format json", "score R H --format csv", "score T A --tolerance 0.6"),
    *("score R B --by text", "score T A --by text --cut times", "score R B --measure WER"),
    *("score R H --measure SER,F1,mitre.type", "score R H --confidence 0.95 --resamples 100"),
    *("score T A --upper-bound --tolerance 0.6", "score R H --reference O"),
    *("score V M", "score V M --placement best", "score V M --placement range"),
    *("audit R H", "audit R H --format jsonl", "audit R H --format csv"),
    *("audit R H --format html", "audit T A --tolerance 0.6 --format textgrid"),
    *("sweep T A --tolerance 0,0.6", "sweep T A --tolerance 0,0.6 --format json"),
    *("sweep T A --tolerance 0,0.6 --format csv", "sweep T A --tolerance 0,0.6 --format html"),
    *("compare R H B --by text", "compare R H O --unit document", "compare R H O --stability"),
    *("compare R H O --format json", "compare R H O --format csv", "compare R H O --format html"),
    *("agreement R H", "agreement R H O", "agreement R H --format json"),
    *("blame T H A --tolerance 0.6", "blame T H A --tolerance 0.6 --format json"),
    *("blame R H B --by text --format csv", "blame R H B --by text --format html"),
    *("project T A --tolerance 0.6", "project R B --by text --format text"),
    "project R B --by text --format aref",
    *("doctor R H", "doctor R H --format json"),
    *("align R B", "align R B --format json", "align R B --format csv", "align T A --format ctm"),
    *("show R", "check R --grammar conll", "baseline R H OUT --to native"),
    *("stats R", "stats R --format json", "stats R --format csv", "stats R --words A"),
    *("verify REPORT R H", "gate REPORT R H --resamples 100"),
    "gate REPORT R H --resamples 100 --format json",
)
"""Each command that reads documents, in each of its formats."""

CONVERSIONS = tuple(f"convert T OUT --to {name}" for name in WRITERS)

TEMPLATES = (
    *("templates K L", "templates K L --format json", "templates K L --format csv"),
    *("templates K L --alignment optimal", "templates K --entropy"),
)
"""What reads templates, of which a document has some dozens."""

WITHOUT_DOCUMENTS = {"formats", "schemes", "schema", "selftest"}
"""Commands that read none, or always the same ones."""


def document(id, size, side):
    """A document with so many elements, of which every second is inside another.

    Args:
        id: of the document.
        size: the number of elements of the reference.
        side: ``R``, the reference, and ``T``, with times; ``H`` and ``O``, hypotheses on its words;
            ``B``, one on other words, and ``A``, with times; ``V``, a reference whose texts occur
            twice, and ``M``, the list of its mentions; ``K`` and ``L``, templates.
    """
    if side in "KL":
        return {"id": id, "templates": [template(k, side) for k in range(size // 4)]}
    elements = []
    for k in range(size // 2):
        if side in "HABM" and k % 5 == 0 or side == "O" and k % 6 == 0:
            continue
        label = "x" if side not in "RTV" and k % 7 == 0 else "abcdefgh"[k % 8]
        end = 20 * k + (2 if side not in "RTV" and k % 11 == 0 else 3)
        elements.append({"label": label, "start": 20 * k, "end": end})
        elements.append({"label": "in", "start": 20 * k, "end": 20 * k + 1})
    if side in "VM":  # twenty words said twice, then the next twenty
        words = [f"w{k - k % 40 + k % 20}" for k in range(10 * size)]
    else:
        words = [
            f"v{k % 97}" if side in "AB" and k % 9 == 0 else f"w{k % 997}" for k in range(10 * size)
        ]
    if side == "M":
        texts = [[one["label"], " ".join(words[one["start"] : one["end"]])] for one in elements]
        return {"id": id, "mentions": texts}
    record = {"id": id, "words": words, "elements": elements}
    if side in "AT":
        record["times"] = [[k, k + 0.5] for k in range(10 * size)]
    return record


def template(number, side):
    """A template with two fills; the response has one of seven wrong."""
    value = f"v{number}" if side == "K" or number % 7 else "other"
    return {"id": f"t{number}", "type": "EVENT", "slots": {"WHO": [value], "WHAT": ["a"]}}


SUFFIXES = {"M": "mentions.jsonl"}
"""Suffixes of files that are not in native JSON."""


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Writes the files of a size, once each."""
    folder = tmp_path_factory.mktemp("growth")

    def path(size, number, side):
        found = folder / f"{size}-{number}-{side}.{SUFFIXES.get(side, 'jsonl')}"
        if not found.exists():
            with open(found, "w", encoding="utf-8") as file:
                for k in range(number):
                    record = document(f"d{k:06d}", size // number, side)
                    file.write(json.dumps(record) + "\n")
        return str(found)

    def report(size, number):
        found = folder / f"{size}-{number}-report.json"
        if not found.exists():
            sides = [path(size, number, side) for side in "RH"]
            assert main(["score", *sides, "--format", "json", "--output", str(found)]) == 0
        return str(found)

    return lambda size, number, word: (
        report(size, number) if word == "REPORT" else path(size, number, word)
    )


def parameter(command, name):
    """The parameter of a command with this name; ``None``: it has none."""
    parameters = cli.get_command(click.Context(cli), command).params
    return next((one for one in parameters if one.name == name), None)


@pytest.fixture
def runs(corpora, tmp_path):
    """The run of a command on so many elements, in one document or in several."""

    def run(command, size, per_document):
        number = 1 if per_document is None else max(1, size // per_document)
        named = {
            word: corpora(size, number, word)
            for word in command.split()
            if word.isupper() and word in KINDS
        }
        named["OUT"] = f"{tmp_path}/out{size}/"
        words = [named.get(word, word) for word in command.split()]
        if parameter(words[0], "output"):
            words += ["--output", str(tmp_path / f"report{size}")]
        return main(words)

    return run


KINDS = (*"RTHOABVMKL", "REPORT")
"""The words of a command that stand for a file."""


OF_ONE = {"project R B --by text --format aref"}
"""What writes a format that holds one document."""

RUNS = {
    f"{command} {how}": (command, per_document)
    for command in (*BY_SCHEME, *REPORTS, *CONVERSIONS)
    for how, per_document in (("one", None), ("many", 100))
    if per_document is None or command not in OF_ONE
}
"""Each command on one document, and on documents of so many elements, by the name of its row."""


@pytest.mark.long
@pytest.mark.parametrize("row", RUNS)
def test_commands(row, runs, capsys):
    """Each scheme and each report on n and 2 n elements, in one document and in many."""
    command, per_document = RUNS[row]
    is_square = per_document is None and command.endswith(OF_PAIRS)
    largest = 1_000 if is_square else ELEMENTS if command in QUICK else ELEMENTS // 10

    def run(size):
        return runs(command, size, per_document)

    bound = MOST_OF_PAIRS if is_square else MOST
    check(row, run, largest, min(largest, 2_000), capsys, bound)


@pytest.mark.long
@pytest.mark.parametrize("command", TEMPLATES)
def test_templates(command, runs, capsys):
    """Each report on templates, on n and 2 n of them in documents of 25."""
    check(f"{command} many", lambda size: runs(command, size, 100), 10_000, 1_000, capsys)


def default_of(format):
    """The format of a command that names none; without a default it is text."""
    return format.default if format.default in format.type.choices else "text"


def test_no_command_or_format_is_left_out():
    """The table has each command that reads documents, in each format that it writes."""
    measured = set()
    for line in (*BY_SCHEME, *REPORTS, *CONVERSIONS, *TEMPLATES):
        command, *words = line.split()
        format = parameter(command, "format")
        given = words[words.index("--format") + 1] if "--format" in words else None
        measured.add((command, given or (format and default_of(format))))
    expected = set()
    for command in set(COMMANDS) - WITHOUT_DOCUMENTS:
        format = parameter(command, "format")
        expected |= (
            {(command, choice) for choice in format.type.choices} if format else {(command, None)}
        )
    assert expected - measured == set()
