"""The face: what `sereval` promises is there, typed, documented, and all that docs import."""

import dataclasses
import inspect
import re

import pytest
import reference
from paths import ROOT

import sereval

FACE = {name: getattr(sereval, name) for name in sereval.__all__}
CLASSES = {name: value for name, value in FACE.items() if inspect.isclass(value)}
OF_SCHEMES = {"conll.md"}  # which show columns of tags, as read


@pytest.mark.parametrize("name", CLASSES)
def test_public_values_say_what_they_hold(name):
    """The docstring of a public value names each of its fields."""
    value = CLASSES[name]
    fields = getattr(value, "_fields", ())
    if dataclasses.is_dataclass(value):
        fields = [one.name for one in dataclasses.fields(value) if one.name[0] != "_"]
    text = " ".join(inspect.getdoc(base) or "" for base in value.__mro__ if base is not object)
    assert [field for field in fields if not re.search(rf"\b{field}\b[^:\n]*:", text)] == []


def test_the_face_is_all_that_is_shown():
    """`dir(sereval)` has the public names and the version, whatever was loaded."""
    assert sorted(["__version__", *sereval.__all__]) == dir(sereval)


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.[mi][dp]*"))],
    ids=lambda p: p.name,
)
def test_docs_import_the_face_alone(page):
    """What the documentation shows is had from `sereval` itself."""
    inner = re.findall(r"(?:from|import) sereval\.[\w.]+", page.read_text("utf-8"))
    assert inner == [] or page.name in OF_SCHEMES


@pytest.mark.parametrize(
    "page", sorted(reference.REFERENCE.rglob("*.md")), ids=lambda page: page.name
)
def test_options_are_written(page):
    """The options in the reference are those of the program: ``make golden`` writes them."""
    text = page.read_text("utf-8")
    assert text == reference.with_options(text)
