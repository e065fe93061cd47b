"""The face: what `sereval` promises is there, typed, documented, and all that docs import."""

import ast
import dataclasses
import inspect
import pathlib
import re
import types
import typing

import pytest
from paths import ROOT

import sereval

FACE = {name: getattr(sereval, name) for name in sereval.__all__}
CLASSES = {name: value for name, value in FACE.items() if inspect.isclass(value)}
OF_SCHEMES = {"conll.md", "evalita2011.md"}  # which show columns of tags, as read
LATE = {  # what modules import for type checkers alone
    **CLASSES,
    "networkx": types.SimpleNamespace(DiGraph=dict),
}


def annotated(name, value):
    """What a public value consists of that has annotations: by its name, a function or class."""
    yield name, value
    if inspect.isclass(value):
        for key, member in inspect.getmembers_static(value):
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            is_ours = (getattr(function, "__module__", None) or "").startswith("sereval")
            if not key.startswith("_") and inspect.isfunction(function) and is_ours:
                yield f"{name}.{key}", function


def classes_in(annotation):
    """The classes of the package that an annotation names."""
    if isinstance(annotation, type) and annotation.__module__.startswith("sereval"):
        yield annotation
    bounds = [getattr(annotation, "__bound__", None), *getattr(annotation, "__constraints__", ())]
    for part in (*typing.get_args(annotation), typing.get_origin(annotation), *bounds):
        for each in part if isinstance(part, list) else [part]:  # of a callable, its arguments
            if each is not None:
                yield from classes_in(each)


@pytest.mark.parametrize("name", FACE)
def test_what_a_public_value_takes_and_returns_is_public(name):
    """Every class in the annotations of a public function, field or method is public itself."""
    found = {
        f"{where}: {each.__name__}"
        for where, value in annotated(name, FACE[name])
        if callable(value)
        and not where.endswith((".report", ".scorer"))  # what these return stays inside
        for annotation in typing.get_type_hints(value, localns=LATE).values()
        for each in classes_in(annotation)
        if each not in CLASSES.values()
    }
    assert sorted(found) == []


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


def test_type_checkers_see_the_same_face():
    """The names that are imported for type checkers come from where the face loads them."""
    text = pathlib.Path(sereval.__file__).read_text("utf-8")
    [block] = [node for node in ast.parse(text).body if isinstance(node, ast.If)]
    seen = {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}
    assert seen == {name: (home, name) for name, home in sereval._HOMES.items()}


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.[mi][dp]*"))],
    ids=lambda p: p.name,
)
def test_docs_import_the_face_alone(page):
    """What the documentation shows is had from `sereval` itself."""
    inner = re.findall(r"(?:from|import) sereval\.[\w.]+", page.read_text("utf-8"))
    assert inner == [] or page.name in OF_SCHEMES
