"""Grammars of labels, and changes of labels before projection: maps, restrictions and levels.

A *grammar* distinguishes types from components and finds labels and nestings that its scheme does
not allow. It is a TOML file in ``sereval/grammars/`` or of the user, and names its source. Scoring
needs no grammar; without one, sereval assumes nothing about labels.

The changes of labels are the same for every command that scores::

    read ── relabel ──▶ project ── map ── measure
              map, only, level

They change both sides in three steps, in this order. A *map* renames, merges and removes labels;
each side may have its own rules. *only* removes the elements that are not to be counted: those with
other labels and then, with ``outermost``, those inside another element. A *level* replaces each
label by its ancestor at that level. The children of a removed element become
children of its parent; nothing else moves. Files with the changed labels would give the same score.

The grammar defines the hierarchy of its labels. For all other labels, dots define it:
``loc.adm.town`` is below ``loc.adm``, which is below ``loc``.

Source: Galibert et al., IJCNLP 2011, section 2; ``docs/reference/labels.md``
says which parts are rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .documents.files import labels, read_toml, short_hash, values
from .documents.files import labels as listed
from .documents.model import Document, Element, Note, Reference, ReferenceElement
from .errors import SerevalError, nearest, one_line

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
    folder = Path(__file__).parent / "grammars"
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
    return read_toml(file, lambda written: _grammar_of(written, way))


_load_bundled = cache(load_grammar)


def _grammar_of(written: dict[str, Any], way: tuple[Path, ...]) -> Grammar:
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


SIDES = ("reference", "hypothesis")

KINDS = ("types", "components")
"""The words that ``only`` takes besides labels. They stand for labels of the grammar."""

OUTERMOST = "outermost"
"""The word that ``only`` takes for the elements that no other element contains."""

Table = Mapping[str, str | None]
"""The new name of a label; ``None``: the label is removed."""

_R = TypeVar("_R", Document, Reference, Document | Reference)


@dataclass(frozen=True, slots=True)
class LabelMap:
    """The labels of each side that are renamed, merged or removed.

    A new name may itself have a new name: with ``a`` to ``b`` and ``b`` to ``c``, ``a`` becomes
    ``c``. Labels with the same new name are merged.

    Args:
        reference, hypothesis: new name by old name; ``None``: the label is removed.
        known: labels that the map may name although no document has them; new names are known.

    Raises:
        SerevalError: labels that are renamed in a circle; an empty label.

    >>> both = {"pers.ind": "pers", "pers.coll": "pers", "amount": None}
    >>> LabelMap(both, both).reference["pers.coll"]
    'pers'
    """

    reference: Table = field(default_factory=dict, hash=False)
    hypothesis: Table = field(default_factory=dict, hash=False)
    known: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        new = {name for side in SIDES for name in getattr(self, side).values() if name is not None}
        object.__setattr__(self, "known", self.known | new)
        for side in SIDES:
            object.__setattr__(self, side, _follow(getattr(self, side)))

    @property
    def signature(self) -> str:
        """Eight digits of a hash; maps with the same rules have the same digits."""
        tables = (getattr(self, side).items() for side in SIDES)
        return digest(
            [sorted((old, new or "") for old, new in table if old != new) for table in tables]
        )


def _follow(table: Table) -> dict[str, str | None]:
    """Every label with its final name; a label that is renamed to itself stays."""
    found: dict[str, str | None] = {}
    for old in table:
        way = [old]
        while (new := table.get(way[-1], way[-1])) != way[-1] and new is not None:
            if not new:
                raise SerevalError(f"{old} is renamed to an empty label")
            if new in way:
                circle = [*way[way.index(new) :], new]
                raise SerevalError(f"labels are renamed in a circle: {' > '.join(circle)}")
            way.append(new)
        found[old] = new
    return found


def load_map(path: str | os.PathLike[str]) -> LabelMap:
    """A map of labels from a TOML file.

    Args:
        path: the file; ``docs/reference/labels.md`` describes its keys.

    Raises:
        InputError: a file that is not TOML; an unknown key; a value of the wrong type; a label
            that occurs twice; labels that are renamed in a circle.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "coarse.toml")
    ...     _ = file.write_text('[both]\\nremove = ["amount"]\\n', "utf-8")
    ...     load_map(file).reference
    {'amount': None}
    """
    file = Path(path)
    return read_toml(file, lambda written: _map_of(written, file))


def _map_of(written: dict[str, Any], file: Path) -> LabelMap:
    grammar, both, *sides = values(
        written, {"from": str, "both": dict, **dict.fromkeys(SIDES, dict)}
    )
    shared = _rules(both, "both")
    tables = [_rules(side, name) for name, side in zip(SIDES, sides, strict=True)]
    for name, table in zip(SIDES, tables, strict=True):
        for label in table:
            if label in shared:
                raise SerevalError(f"{label} stands in both and in {name}, expected one of them")
    known: frozenset[str] = frozenset()
    if grammar:
        known = frozenset(load_grammar(grammar, file).labels)
    ours, theirs = ({**shared, **table} for table in tables)
    return LabelMap(ours, theirs, known)


def _rules(written: dict[str, Any], where: str) -> dict[str, str | None]:
    rename, remove = values(written, {"rename": dict, "remove": list}, of=f"{where}.")
    for old, new in rename.items():
        if not isinstance(new, str) or not new:
            raise SerevalError(f"{where}.rename.{old} is {new!r}, expected a label")
    removed = listed(remove, f"{where}.remove")
    for label in removed:
        if label in rename:
            raise SerevalError(f"{label} is renamed and removed in {where}, expected one of them")
    return {**rename, **dict.fromkeys(removed)}


MOST_LEVELS = 100
"""The most levels of a label; annotation schemes have three or four."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The changes of the labels of both sides, in the order of the arguments.

    Args:
        map: the map that renames, merges and removes labels; ``None``: no map.
        only: the labels to count, each with all labels below it. ``types`` and ``components``
            stand for the types and the components of the grammar. Empty: all labels are counted.
            ``outermost`` keeps, of the elements left, those without a parent.
        level: labels below this level become their ancestor at this level; 1 is the level of the
            main labels. ``None``: no change.
        grammar: defines the hierarchy of labels; ``None``: dots define it.

    Raises:
        SerevalError: a level below 1; types or components without a grammar; an empty label or
            one with a comma or ``|``, which separate the parts of a signature.

    >>> Labels(only=("loc", "pers.ind"), level=1).signature
    (('only', 'loc,pers.ind'), ('level', '1'), ('hierarchy', 'dots'))
    """

    map: LabelMap | None = None
    only: tuple[str, ...] = ()
    level: int | None = None
    grammar: Grammar | None = None

    def __post_init__(self) -> None:
        if self.level is not None and (type(self.level) is not int or self.level < 1):
            raise SerevalError(f"level {self.level!r}, expected an integer of 1 or more")
        for what in self.only:
            if not what or not {",", "|"}.isdisjoint(what):
                raise SerevalError(f"only {what!r}, expected a label without a comma or |")
            if what in KINDS and self.grammar is None:
                raise SerevalError(f"only {what}, expected a grammar too: it defines the {what}")

    @property
    def has_changes(self) -> bool:
        """Whether any change is requested."""
        return self.map is not None or bool(self.only) or self.level is not None

    @property
    def signature(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the changes that can change a score, in the order of the steps."""
        parts = {
            "map": self.map.signature if self.map is not None else "",
            "only": one_line(",".join(sorted(self.only))),
            "level": str(self.level or ""),
        }
        if self._named or self.level is not None:
            parts["hierarchy"] = "dots" if self.grammar is None else self.grammar.signature
        return tuple((name, value) for name, value in parts.items() if value)

    @property
    def _named(self) -> tuple[str, ...]:
        """The labels and kinds of labels among ``only``."""
        return tuple(what for what in self.only if what != OUTERMOST)

    def path(self, label: str) -> tuple[str, ...]:
        """The labels above a label, the main label first, and the label itself.

        Args:
            label: a label, which the grammar need not have.

        Raises:
            SerevalError: the label has more than ``MOST_LEVELS`` levels.

        >>> Labels().path("loc.adm.town")
        ('loc', 'loc.adm', 'loc.adm.town')
        """
        if self.grammar and label in self.grammar.labels:
            return self.grammar.path(label)
        ends = [k for k, letter in enumerate(label) if letter == "." and k > 0]
        if len(ends) >= MOST_LEVELS:
            raise SerevalError(
                f"label {one_line(label[:20])}… has {len(ends) + 1} levels, "
                f"expected at most {MOST_LEVELS}"
            )
        return (*(label[:k] for k in ends), label)

    def relabel(self, document: _R, side: str = "reference") -> _R:
        """A document of a side with changed labels, and notes on how many elements changed.

        >>> from sereval.documents.model import tree
        >>> dol = Document("d", ("Dol",), tree([("org", 0, 1), ("loc.adm.town", 0, 1)]))
        >>> found = Labels(only=("loc",), level=2).relabel(dol)
        >>> found.elements, [str(note) for note in found.notes]
        ((Element(label='loc.adm', start=0, end=1, parent=None),), \
['elements not counted, not being among loc: 1', 'elements named by their level 2: 1'])
        """
        if not self.has_changes:
            return document
        found: Document | Reference = document
        for step in self._steps(side):
            found = _relabel(found, step)
        if not isinstance(found, Document) or not isinstance(document, Document):
            return found  # type: ignore[return-value]
        twice = _count_doubles(found.elements) - _count_doubles(document.elements)
        what = "elements that came to have the label and the words of another"
        notes: tuple[Note, ...] = (Note(what, twice),) if twice > 0 else ()
        return replace(found, notes=(*found.notes, *notes))

    def check(self, found: frozenset[str], neutral: Collection[str] = ()) -> None:
        """Refuse labels of the map, of ``only`` or of ``neutral`` that exist nowhere.

        Args:
            found: the labels of all documents.
            neutral: labels that cost nothing.

        Raises:
            SerevalError: no document and no grammar has such a label.
        """
        if not (self.has_changes or neutral):
            return
        known = found
        if self.grammar is not None:
            known |= {*self.grammar.labels}
        if self.map is not None:
            known |= self.map.known
            for table in (self.map.reference, self.map.hypothesis):
                _check_known(table, known, "the map")
        above = {label for each in known for label in self.path(each)}
        kinds = KINDS if self.grammar is not None else ()
        _check_known(self._named, above.union(kinds), "only")
        _check_known(neutral, above, "neutral")

    def _steps(self, side: str) -> Iterator[Step]:
        """The steps that change the documents of a side, in order."""
        if self.map is not None:
            new: Table = getattr(self.map, side)
            what = ("elements renamed by the map", "elements removed by the map")
            yield Step(lambda label, _: new.get(label, label), *what)
        if self._named:
            counted = ", ".join(sorted(self._named))
            yield Step(self._counted, "", f"elements not counted, not being among {counted}")
        if OUTERMOST in self.only:
            inside = "elements not counted, being inside another"
            yield Step(lambda label, parent: label if parent is None else None, "", inside)
        if self.level is not None:
            level, named = self.level, f"elements named by their level {self.level}"
            yield Step(lambda label, _: self.path(label)[:level][-1], named, "")

    def _counted(self, label: str, _: int | None) -> str | None:
        if not set(self._named).isdisjoint(self.path(label)):
            return label
        kinds = [what for what in self.only if what in KINDS]
        if self.grammar is not None and kinds:
            if label not in self.grammar.labels:
                raise SerevalError(
                    f"label {label} is neither a type nor a component of {self.grammar.name}"
                    f"{nearest(label, self.grammar.labels)}; a map can rename or remove it"
                )
            if any(label in getattr(self.grammar, what) for what in kinds):
                return label
        return None


AS_THEY_ARE = Labels()
"""No change of labels."""


def labels_of(documents: Iterable[Document | Reference]) -> frozenset[str]:
    """All labels of documents: of elements, mentions and unplaceable elements."""
    found: set[str] = set()
    for document in documents:
        if isinstance(document, Document):
            found.update([element.label for element in document.elements])
            found.update([mention.label for mention in document.mentions or ()])
        else:
            others = (lost.element for lost in document.unplaceable)
            found.update(label for e in (*document.elements, *others) for label in e.labels)
    return frozenset(found)


def unused_notes(neutral: Iterable[str], labels: Collection[str]) -> list[str]:
    """Messages on neutral labels that no element has after the changes of labels."""
    return [
        one_line(f"No element has the neutral label {label}{nearest(label, labels)}")
        for label in sorted(neutral)
        if label not in labels
    ]


def _check_known(requested: Iterable[str], known: Iterable[str], where: str) -> None:
    known = set(known)
    for label in requested:
        if label not in known:
            below = sorted(one for one in known if one.startswith(f"{label}."))
            more = ", …" if len(below) > 2 else ""
            hint = f"; {', '.join(below[:2])}{more} are below it, and named one by one"
            raise SerevalError(
                f"{where} has the label {label}, expected one of a document or of the grammar"
                f"{hint if below else nearest(label, known)}"
            )


class Step(NamedTuple):
    """A change of labels, and the text of its notes."""

    # the new name of a label under a parent; None: the element is removed
    change: Callable[[str, int | None], str | None]
    renamed: str  # text of the note, as is ``removed``
    removed: str

    def names(self, labels: Sequence[str], parent: int | None = None) -> tuple[str, ...]:
        """The new names of an element's labels, its own first; none: it is removed."""
        new = (self.change(label, parent) for label in labels)
        return tuple(dict.fromkeys(name for name in new if name is not None))


def _count_doubles(elements: Iterable[Element]) -> int:
    """The number of elements with the label and the words of an earlier one."""
    places = [(element.label, element.start, element.end) for element in elements]
    return len(places) - len(set(places))


def repetitions(document: Document, grammar: Grammar) -> list[Violation]:
    """The elements with the label and the words of another element around them."""
    seen: set[tuple[str, int, int, int | None]] = set()
    homes: list[int | None] = []  # for each element, the type that its children are a part of
    found = []
    for index, element in enumerate(document.elements):
        home = None if element.parent is None else homes[element.parent]
        is_part = element.label in grammar.components
        homes.append(home if is_part else index)
        place = element.label, element.start, element.end, home if is_part else None
        if place in seen:
            message = f"label {element.label} twice on the same words"
            found.append(Violation(index, element.line, message))
        seen.add(place)
    return found


def _relabel(document: _R, step: Step) -> _R:
    """A document or fuzzy reference after a step: elements without a label left are removed."""
    counts = {step.removed: 0, step.renamed: 0}
    # of each element, its place, or that of the nearest ancestor that is left
    place: dict[int | None, int | None] = {None: None}
    gone: set[int | None] = set()

    def named(labels: tuple[str, ...], parent: int | None = None) -> tuple[str, ...]:
        new = step.names(labels, parent)
        counts[step.renamed if new else step.removed] += new != labels
        return new

    kept: list[Element | ReferenceElement] = []
    for element in document.elements:
        new, parent = named(element.labels, element.parent), place[element.parent]
        index = len(place) - 1
        place[index] = len(kept) if new else parent
        kept += [element.labelled(new, parent)] if new else []
        gone |= set() if new else {index}
    if isinstance(document, Document):
        mentions = [(one, named((one.label,))) for one in document.mentions or ()]
        left = tuple(one._replace(label=new[0]) for one, new in mentions if new)
        changed: dict[str, Any] = {"mentions": document.mentions and left}
    else:
        found = []
        for one in document.unplaceable:
            new = step.names(one.element.labels, one.element.parent)
            if new and one.into not in gone:
                own = one.element.labelled(new, place[one.element.parent])
                found.append(replace(one, element=own, into=place[one.into]))
            else:
                counts[step.removed] += 1
        changed = {"unplaceable": tuple(found)}
    notes: tuple[Note, ...] = tuple(Note(what, count) for what, count in counts.items() if count)
    changed |= {"elements": tuple(kept), "notes": (*document.notes, *notes)}
    return replace(document, **changed)
