"""Grammars: the labels of an annotation scheme, and the types in which a component may stand.

A *grammar* distinguishes types from components and finds labels and nestings that its scheme does
not allow. It is a TOML file in ``sereval/grammars/`` or of the user, and names its source. Scoring
needs no grammar; without one, sereval assumes nothing about labels.

Source: Galibert et al., IJCNLP 2011, section 2; ``docs/reference/labels.md``
says which parts are rules.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..documents.files import labels, read_toml, short_hash, values
from ..documents.model import Document
from ..errors import SerevalError, nearest

if TYPE_CHECKING:
    import networkx


class Violation(NamedTuple):
    """An element that a grammar does not allow at its place."""

    element: int  # its index in the document
    line: int | None  # of its opening tag; None: the document was not read from a file
    message: str  # what was found and, if the grammar defines it, what was expected


@dataclass(frozen=True)
class Grammar:
    """The labels of an annotation scheme and the rules of their nesting.

    Args:
        name: its name in reports.
        source: the publication that defines the scheme.
        subtypes: the direct subtypes of each type. A type without subtypes may be left out if it
            is itself a subtype.
        transverse: the components that may stand in every type.
        specific: all other components, each with the types in which it may stand. It may also
            stand in their subtypes.

    Attributes:
        types, components, labels: all labels, in the order of the arguments.
        main_types: the types that are not subtypes.
        graph: a node for each label, an edge for each rule; built when it is first asked for.

    Raises:
        SerevalError: types that are their own subtypes; a subtype of two types; a label that is
            both a type and a component; a component that may stand in no type.

    >>> grammar = Grammar("toy", "none", {"pers": ("pers.ind",)}, specific={"title": ("pers",)})
    >>> grammar.types, grammar.components, grammar.main_types
    (('pers', 'pers.ind'), ('title',), ('pers',))
    >>> grammar.graph.edges["pers.ind", "title"]
    {'relation': 'contains'}
    """

    name: str
    source: str
    subtypes: Mapping[str, Sequence[str]] = field(hash=False)
    transverse: Sequence[str] = ()
    specific: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        assert self._homes is not None  # rules that contradict one another are refused

    @cached_property
    def types(self) -> tuple[str, ...]:
        """All types, each once."""
        every = (label for head, below in self.subtypes.items() for label in (head, *below))
        return tuple(dict.fromkeys(every))

    @cached_property
    def components(self) -> tuple[str, ...]:
        """All components."""
        return (*self.transverse, *self.specific)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All types, and all components."""
        return (*self.types, *self.components)

    @property
    def main_types(self) -> tuple[str, ...]:
        """The types that are not subtypes."""
        return tuple(label for label in self.subtypes if label not in self._above)

    @cached_property
    def _above(self) -> dict[str, str]:
        """The type above each subtype; a type below itself, or below two types, is refused."""
        above: dict[str, str] = {}
        for label, lower in self.subtypes.items():
            for subtype in lower:
                if above.setdefault(subtype, label) != label:
                    raise SerevalError(
                        f"{subtype} is a subtype of both {above[subtype]} and {label}"
                    )
        for label in self.subtypes:
            way = [label]
            while (outer := above.get(way[-1])) is not None:
                if outer in way:
                    circle = [outer, *reversed(way[way.index(outer) :])]
                    raise SerevalError(f"types are their own subtypes: {' > '.join(circle)}")
                way.append(outer)
        return above

    @cached_property
    def _homes(self) -> dict[str, frozenset[str]]:
        """The types in which each component may stand, with their subtypes, if they agree."""
        allowed = dict.fromkeys(self.transverse, self.main_types) | dict(self.specific)
        if len(allowed) < len(self.components):
            both = next(label for label in self.transverse if label in self.specific)
            raise SerevalError(f"component {both} is both transverse and specific")
        holds: dict[str, set[str]] = {label: set() for label in self.types}
        for label in self.types:
            for outer in self.path(label):
                holds[outer].add(label)
        for component, homes in allowed.items():
            if component in holds:
                raise SerevalError(f"{component} is both a type and a component")
            for home in homes:
                if home not in holds:
                    raise SerevalError(f"component {component} stands in {home}, which is no type")
            if not homes:
                raise SerevalError(f"component {component} stands in no type")
        return {
            component: frozenset(label for home in homes for label in holds[home])
            for component, homes in allowed.items()
        }

    @cached_property
    def graph(self) -> networkx.DiGraph[str]:
        """A frozen graph, with a node for each label and its ``kind`` (``type``, ``component``).

        The ``relation`` of an edge is ``subtype``, from a type to a direct subtype, or
        ``contains``, from a type to a component that may stand in it. Nestings that no rule
        restricts (a type in anything, anything in a component) have no edges.
        """
        import networkx  # slow to import, and not needed to score

        graph: networkx.DiGraph[str] = networkx.DiGraph(name=self.name)
        graph.add_nodes_from(self.types, kind="type")
        graph.add_nodes_from(self.components, kind="component")
        graph.add_edges_from(((up, low) for low, up in self._above.items()), relation="subtype")
        for component, homes in self._homes.items():
            inside = ((label, component) for label in self.types if label in homes)
            graph.add_edges_from(inside, relation="contains")
        return networkx.freeze(graph)

    @property
    def signature(self) -> str:
        """Its name and, unless it is a bundled grammar, eight digits of a hash of its content.

        Grammars with the same labels, kinds and paths, in any order, have the same digits.

        >>> load_grammar("conll").signature, Grammar("conll", "none", {"PER": ()}).signature
        ('conll', 'conll~356de7a4')
        """
        if self.name in bundled_grammars() and self == _load_bundled(self.name):
            return self.name
        paths = sorted(
            (*self.path(label), kind)
            for kind, labels in (("type", self.types), ("component", self.components))
            for label in labels
        )
        return f"{self.name}~{digest(paths)}"

    def path(self, label: str) -> tuple[str, ...]:
        """The types above a label, the main type first, and the label itself.

        Args:
            label: a label of the grammar.

        >>> load_grammar("quaero").path("loc.adm.town"), load_grammar("quaero").path("name.last")
        (('loc', 'loc.adm', 'loc.adm.town'), ('name.last',))
        """
        way = [label]
        while way[-1] in self._above:
            way.append(self._above[way[-1]])
        return tuple(reversed(way))

    def violations(self, document: Document) -> list[Violation]:
        """The elements that the grammar does not allow at their places, in document order.

        There are three rules. A label belongs to the grammar. A component stands inside a type.
        The nearest type around a component is one in which the component may stand. Inside an
        element with an unknown label only the first rule applies, so that each mistake gives one
        violation.

        Args:
            document: elements with any labels.

        >>> from sereval.documents.model import Element
        >>> document = Document(
        ...     "d", ("Budget",), (Element("org.adm", 0, 1), Element("title", 0, 1, parent=0))
        ... )
        >>> [violation.message for violation in load_grammar("quaero").violations(document)]
        ['component title in org.adm, expected in pers.ind']
        """
        found: list[Violation] = []
        around: list[str | None] = []  # for each element, the label that its children stand in
        for index, element in enumerate(document.elements):
            outer = None if element.parent is None else around[element.parent]
            around.append(outer if element.label in self.components else element.label)
            message = self._objection(element.label, outer)
            if message is not None:
                found.append(Violation(index, element.line, message))
        return found

    def _objection(self, label: str, outer: str | None) -> str | None:
        """The message about a label inside ``outer``; ``None``: the label is allowed there."""
        if label not in self.labels:
            return f"unknown label {label}{nearest(label, self.labels)}"
        if label in self.types or outer not in (None, *self.types):
            return None
        homes = self.specific.get(label)
        expected = f", expected in {' or '.join(homes)}" if homes else ""
        if outer is None:
            return f"component {label} outside any type{expected}"
        if outer not in self._homes[label]:
            return f"component {label} in {outer}{expected}"
        return None


def digest(value: object) -> str:
    """Eight hexadecimal digits that are the same for equal values of JSON."""
    import json  # slow to import

    return short_hash(json.dumps(value, ensure_ascii=False))


def bundled_grammars() -> dict[str, Path]:
    """The grammars that come with the package, by name, in alphabetical order.

    Returns:
        The TOML file of each grammar.

    >>> "quaero" in bundled_grammars()
    True
    """
    folder = Path(__file__).parents[1] / "grammars"
    return dict(sorted((file.stem, file) for file in folder.glob("*.toml")))


def load_grammar(name_or_path: str | os.PathLike[str], *extending: Path) -> Grammar:
    """A bundled grammar by its name, or one from a TOML file.

    Args:
        name_or_path: a name of ``bundled_grammars()``, or the path of a file. If it is both, it is
            the name. The value of ``extends`` in the file is also a name or a path, relative to the
            folder of the file.
        extending: the files that name it, each the one before; a path is relative to the folder of
            the last.

    Returns:
        The grammar, with the labels and the rules of the grammars that it extends.

    Raises:
        SerevalError: neither a bundled name nor a file.
        InputError: a file that is not TOML; an unknown or missing key; rules that contradict one
            another; grammars that extend one another in a circle.

    >>> quaero = load_grammar("quaero")
    >>> len(quaero.main_types), len(quaero.types), len(quaero.components)
    (8, 55, 29)
    >>> "name.last" in quaero.components, "name.last" in quaero.types
    (True, False)
    """
    name, shipped = os.fspath(name_or_path), bundled_grammars()
    file = shipped.get(name, Path(*extending[-1:]).parent / name)
    if not file.is_file():
        raise SerevalError(
            f"no grammar {name!r}, expected a TOML file or one of: {', '.join(shipped)}"
            f"{nearest(name, shipped)}"
        )
    way = (*extending, file)
    if file in extending:
        circle = " > ".join(map(str, way))
        raise SerevalError(f"grammars extend one another in a circle: {circle}")
    return read_toml(file, lambda written: _parse(written, way))


_load_bundled = cache(load_grammar)


def _parse(written: dict[str, Any], way: tuple[Path, ...]) -> Grammar:
    name, source, extends, types, components = values(
        written,
        {"name": str, "source": str, "extends": str, "types": dict, "components": dict},
    )
    transverse, specific = values(
        components, {"transverse": list, "specific": dict}, of="components."
    )
    for key, value in (("name", name), ("source", source), ("types", types or extends)):
        if not value:
            raise SerevalError(f"no {key}")
    base = load_grammar(extends, *way) if extends else None
    return Grammar(
        name,
        source,
        _join(base.subtypes if base else {}, types, "types"),
        labels([*(base.transverse if base else ()), *transverse], "components.transverse"),
        _join(base.specific if base else {}, specific, "components.specific"),
    )


def _join(
    base: Mapping[str, Sequence[str]], written: dict[str, Any], where: str
) -> dict[str, Sequence[str]]:
    """A table of lists, each with the labels of the extended grammar first."""
    joined = dict(base)
    for label, more in written.items():
        own = labels(more, f"{where}.{label}")
        joined[label] = labels([*base.get(label, ()), *own], f"{where}.{label}")
    return joined
