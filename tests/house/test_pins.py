"""Development is pinned, the terms of what the package needs are listed, the wheel is whole."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from paths import ROOT

import sereval

pytestmark = pytest.mark.check

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
EXTRAS = PROJECT["optional-dependencies"]
PINS = [Requirement(line) for line in (ROOT / "requirements-dev.txt").read_text().splitlines()]
DEVELOPING = ("bench", "dev", "docs")
PACKAGE = Path(sereval.__file__).parent
SITE = PACKAGE.parent
"""Where the package is: the checkout, or the packages of an environment that has the wheel."""


def asked(*extras: str) -> list[Requirement]:
    """What is asked for by name, by the package and these extras."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return [one for one in map(Requirement, lines) if one.name != PROJECT["name"]]


@pytest.mark.parametrize("requirement", asked(*EXTRAS), ids=str)
def test_every_requirement_is_pinned(requirement: Requirement):
    """The file of pins has every package of pyproject.toml, in a version that it allows."""
    pins = [
        pin for pin in PINS if canonicalize_name(pin.name) == canonicalize_name(requirement.name)
    ]
    assert pins
    for pin in pins:
        [version] = [specifier.version for specifier in pin.specifier]
        assert requirement.specifier.contains(version, prereleases=True)


def test_pins_name_no_place():
    """Pins are names and versions, from wherever packages are had."""
    assert all(pin.url is None for pin in PINS)
    assert [[one.operator for one in pin.specifier] for pin in PINS] == [["=="]] * len(PINS)


def test_terms_are_listed():
    """Each package that the package asks for has its terms in docs/reference/licences.md."""
    page = (ROOT / "docs" / "reference" / "licences.md").read_text("utf-8")
    listed = {canonicalize_name(name) for name in re.findall(r"^\| ([\w.-]+) \| \S", page, re.M)}
    wanted = asked(*(extra for extra in EXTRAS if extra not in DEVELOPING))
    assert {canonicalize_name(one.name) for one in wanted} - listed == set()


def test_the_wheel_has_every_folder():
    """Each folder with modules is listed, and the files beside modules belong to one of them."""
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    packages = {path.relative_to(SITE).as_posix().replace("/", ".") for path in folders}
    assert {*SETUPTOOLS["packages"]} == packages | {*SETUPTOOLS["package-dir"]}
    shipped = {
        path
        for package, patterns in SETUPTOOLS["package-data"].items()
        for pattern in patterns
        for path in (SITE / package.replace(".", "/")).glob(pattern)
    }
    others = {
        path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert others <= shipped


def test_each_benchmark_begins():
    """The programs of bench use names that the package still has."""
    names = sorted(path.stem for path in (ROOT / "bench").glob("*.py"))
    run = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"],
        cwd=ROOT / "bench",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
