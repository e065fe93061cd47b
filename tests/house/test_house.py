"""The rules of the house: which room may import which, what loads slowly, who may print."""

import ast
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest
from completion import table
from floors import FLOORS, REPORTS_OF_ITSELF
from paths import ROOT, TESTS

import sereval
from sereval.cli.completion import TABLE

pytestmark = pytest.mark.check

PACKAGE = pathlib.Path(sereval.__file__).parent
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent.name != "grammars"
)  # grammars are data; once installed they stand below the package

FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}

DEVELOPING = {"bench", "dev", "docs"}  # extras that the package itself imports nothing of
HOMES = {  # each third-party package is imported in these folders or modules only
    "click": {"cli"},
    "espeakng_loader": {"alignment/phones"},
    "intervaltree": {"projection/project"},
    "jinja2": {"report"},
    "distributed": {"corpus/cluster"},
    "markupsafe": {"report"},
    "matplotlib": {"report"},
    "miniaudio": {"report"},
    "networkx": {"documents/model", "labels/grammar", "schemes/mitre"},
    "numpy": {
        "alignment/lattice",
        "alignment/phones",
        "analysis/compare",
        "analysis/significance",
        "analysis/whole",
        "schemes/lists",
    },
    "pandas": {"integrations/pandas"},
    "panphon": {"alignment/phones"},
    "phonemizer": {"alignment/phones"},
    "rapidfuzz": {
        "alignment/normalise",
        "alignment/phones",
        "alignment/spelling",
        "alignment/cheapest",
        "documents/mentions",
        "errors",
        "schemes/lists",
    },
    "rich": {"cli", "report"},
    "spacy": {"formats/rare/docbin"},
    "textgrid": {"formats/praat"},
    "whisper_normalizer": {"alignment/normalise"},
}
SLOW = HOMES.keys() - {"click", "markupsafe"}  # for those who need them
WITHOUT_EXAMPLE = {  # results, which nobody makes by hand, and their parts; what has its names
    *("Account", "AlignedRow", "Annotators", "Audit", "AuditRow", "Audits", "Change", "Gate"),
    *("Coefficients", "PairOfAnnotators", "References"),
    *("Blame", "Campaign", "CollatedAnswer", "CollatedItem", "Collation", "Comparison"),
    *("Condition", "Credit", "CriterionCounts"),
    *(
        "Difference",
        "DocumentBlame",
        "DocumentCounts",
        "DocumentFigures",
        "DocumentScore",
        "Errors",
        "Evaluation",
        "FMeasure",
    ),
    *(
        "Interval",
        "LabelDifference",
        "Mapping",
        "Mishearing",
        "Pairs",
        "Phrase",
        "Place",
        "Preference",
        "Rules",
        "SchemeOptions",
    ),
    *("Score", "SerevalError", "Significance", "Slot", "SlotErrorRate", "System", "Unplaceable"),
    *("ScoreInterval", "Stability", "Swing", "SystemBlame", "Verdict", "Violation"),
}


def name(path: pathlib.Path) -> str:
    """Of a module, within the package."""
    return path.relative_to(PACKAGE).as_posix()


def room(path: pathlib.Path) -> str:
    """The room a module is in: its folder's, or its own."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def nodes(path: pathlib.Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text("utf-8")))


def rooms_imported(path: pathlib.Path) -> Iterator[str]:
    """The rooms that a module imports from, late imports included."""
    here = path.relative_to(PACKAGE).parts[:-1]
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            up = here[: len(here) - node.level + 1]
            for alias in node.names:
                yield (*up, *(node.module or alias.name).split("."))[0]


def packages_imported(path: pathlib.Path) -> Iterator[str]:
    """What a module imports from outside the package, late imports included."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def test_every_room_has_a_floor():
    """No room is missing from the table, and none in the table is gone."""
    assert {room(path) for path in MODULES} == set(FLOOR)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_go_down(path):
    """A room imports only from the floors below it, late imports included."""
    found = set(rooms_imported(path)) - {room(path)} - REPORTS_OF_ITSELF.get(name(path), set())
    assert [other for other in sorted(found) if FLOOR[other] >= FLOOR[room(path)]] == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_package_has_its_home(path):
    """A third-party package is imported only where it is at home; sereval never by name."""
    outside = set(packages_imported(path)) - set(sys.stdlib_module_names)
    here = {room(path), name(path).removesuffix(".py")}
    assert [other for other in sorted(outside) if not here & HOMES.get(other, set())] == []


def test_every_package_is_asked_for():
    """What is imported is installed with the package or one of its extras, and nothing else is."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    asked = [
        *project["dependencies"],
        *(each for key in extras if key not in DEVELOPING for each in extras[key]),
    ]
    outside = {other for path in MODULES for other in packages_imported(path)}
    assert sorted({re.split(r"[^\w.-]", each)[0] for each in asked}) == sorted(
        outside - set(sys.stdlib_module_names)
    )


def loaded_by(*command: str) -> set[str]:
    """The modules that Python loads for a command line of its own."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        check=True,
        text=True,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.split("\n")}


def test_help_loads_nothing_slow():
    """Who asks for help waits for no package that only some commands need."""
    loaded = {module.partition(".")[0] for module in loaded_by("-m", "sereval", "--help")}
    assert "click" in loaded
    assert sorted(loaded & SLOW) == []


def test_the_version_waits_for_the_command_line_alone():
    """Who asks for the version waits for click, and for what the command line itself is."""
    loaded = loaded_by("-m", "sereval", "--version")
    own = {module for module in loaded if module.partition(".")[0] == "sereval"}
    here = {f"sereval.cli.{module}" for module in ("paths", "streams")}
    assert own == {"sereval", "sereval.cli", "sereval.errors", "sereval.version", *here}
    assert {"click", "tomllib", "dataclasses", "json"} & loaded == {"click"}


def test_the_completion_table_lists_the_parameters_of_all_commands():
    """The table is what `python tests/support/golden.py` makes of the commands as they are."""
    with open(TABLE, encoding="utf-8") as file:
        assert table() == json.load(file)


def test_a_completion_waits_for_the_command_line_alone(monkeypatch):
    """Who presses the tab key waits for click and the table, not for the modules of a command."""
    asked = {"_SEREVAL_COMPLETE": "bash_complete", "COMP_WORDS": "sereval score --by t"}
    for name, value in {**asked, "COMP_CWORD": "3"}.items():
        monkeypatch.setenv(name, value)
    loaded = loaded_by("-m", "sereval")
    own = {module for module in loaded if module.partition(".")[0] == "sereval"}
    here = {f"sereval.cli.{module}" for module in ("completion", "help", "paths", "streams")}
    assert own == {"sereval", "sereval.cli", "sereval.errors", "sereval.version", *here}
    assert {"click", "tomllib", "dataclasses"} & loaded == {"click"}


def test_no_folder_has_the_name_of_a_public_function():
    """`sereval.evaluate` is the function, whichever module was loaded before it was asked for."""
    assert {room(path) for path in MODULES} & set(sereval.__all__) == set()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_the_command_line_prints(path):
    """No room but the command line writes to a stream."""
    printed = [
        node.lineno
        for node in nodes(path)
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in {"stdout", "stderr", "echo"})
    ]
    assert printed == [] or room(path) == "cli"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_say_what_they_are_for(path):
    """Every module begins with a docstring."""
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_public_names_exist():
    """What `from sereval import *` promises is there, in order, once."""
    constants = [public for public in sereval.__all__ if public.isupper()]
    others = [public for public in sereval.__all__ if not public.isupper()]
    assert sereval.__all__ == sorted(constants) + sorted(others)
    assert len(set(sereval.__all__)) == len(sereval.__all__)
    assert [public for public in sereval.__all__ if not hasattr(sereval, public)] == []


@pytest.mark.parametrize("public", sorted(set(sereval.__all__) - WITHOUT_EXAMPLE))
def test_public_functions_and_classes_have_an_example(public):
    """The docstring of a public function or class shows how it is used."""
    value = getattr(sereval, public)
    if inspect.isfunction(value) or inspect.isclass(value):
        assert ">>>" in (inspect.getdoc(value) or "")


def test_no_test_is_expected_to_fail():
    """A test that fails is mended, not marked."""
    marked = [
        path.name
        for path in TESTS.glob("*/*.py")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "xfail"
    ]
    assert marked == []
