"""The rules of the house: which room may import which, and what loads slowly."""

import ast
import os
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import networkx
import pytest
from floors import FLOORS
from paths import ROOT

import sereval

pytestmark = pytest.mark.check

PACKAGE = pathlib.Path(sereval.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}

DEVELOPING = {
    "bench",
    "browser",
    "dev",
    "docs",
    "fuzz",
    "judges",
    "test",
}  # extras that the package itself imports nothing of
SLOW = {  # what only some commands need
    *("espeakng_loader", "matplotlib", "miniaudio"),
    *(
        "networkx",
        "numpy",
        "pandas",
        "panphon",
        "phonemizer",
        "rapidfuzz",
        "rich",
        "scipy",
        "spacy",
    ),
    *("text_to_num", "textgrid", "whisper_normalizer"),
}
PACKAGE_OF = {"text_to_num": "text2num"}  # what is imported under another name than it is installed


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


def test_imports_go_down():
    """A room imports only from the floors below it, late imports included."""
    up = [
        f"{name(path)} imports {other}"
        for path in MODULES
        for other in sorted({*rooms_imported(path)})
        if other != room(path) and FLOOR[other] >= FLOOR[room(path)]
    ]
    assert up == []


def imports(path: pathlib.Path) -> Iterator[str]:
    """The modules of the package that a module imports, late imports included, types excluded."""
    here = path.relative_to(PACKAGE).with_suffix("").parts
    top = [node for node in ast.parse(path.read_text("utf-8")).body if not isinstance(node, ast.If)]
    for node in (inner for one in top for inner in ast.walk(one)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*here[: -node.level], *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                yield from ("/".join(base), "/".join((*base, alias.name)))


def test_at_most_two_modules_import_each_other():
    """A reader can take the modules of the package one after another, or two at a time."""
    modules = {name(path).removesuffix(".py").removesuffix("/__init__"): path for path in MODULES}
    edges = [(own, other) for own, path in modules.items() for other in imports(path)]
    graph = networkx.DiGraph(edges).subgraph(modules)
    assert [ring for ring in networkx.strongly_connected_components(graph) if len(ring) > 2] == []


def test_every_package_is_asked_for():
    """What is imported is installed with the package or one of its extras, and nothing else is."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    asked = [
        *project["dependencies"],
        *(each for key in extras if key not in DEVELOPING for each in extras[key]),
    ]
    imported = {other for path in MODULES for other in packages_imported(path)}
    outside = {PACKAGE_OF.get(other, other) for other in imported}
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


def test_no_folder_has_the_name_of_a_public_function():
    """`sereval.evaluate` is the function, whichever module was loaded before it was asked for."""
    assert {room(path) for path in MODULES} & set(sereval.__all__) == set()


def test_the_wheel_has_every_file():
    """The files beside modules are data of a package."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["setuptools"]
    site = PACKAGE.parent
    shipped = {
        path
        for package, patterns in listed["package-data"].items()
        for pattern in patterns
        for path in (site / package.replace(".", "/")).glob(pattern)
    }
    others = {
        path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert others <= shipped
