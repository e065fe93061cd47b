"""The sides of a run: references, hypotheses and times of words, and how they are read.

A side is a path, or documents in memory. Either gives entries, so all that follows is the same.
Documents are read while they are scored.

A campaign has systems in several conditions, which are versions of the words. A file in TOML names
conditions by their paths; a mapping of the same form also by documents.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ..alignment.normalise import LETTERS, NORMALISATIONS, normalisation
from ..corpus.corpus import IN_MEMORY, Entry, entries, in_memory, under_name
from ..documents.files import read_text, read_toml
from ..documents.model import Document, HasId, Reference
from ..errors import InputError, Problems, SerevalError, UsageFault, located, naming, nearest
from ..evaluation.settings import OWNERS, Settings
from ..formats import FORMATS, FOUND, TIMES, ReadingOptions, files
from ..formats.file import UNKNOWN_FORMAT, File
from ..formats.table import NO_ELEMENTS
from ..labels import load_grammar
from ..projection import duration_text
from ..schemes.measure import OPTIONS, Measure, check_alignment

SideSource: TypeAlias = str | Sequence[Document | Reference]
"""Where documents come from: a path, or the documents themselves."""

Listed: TypeAlias = list[Entry] | None
"""The documents of a side, unread; ``None``: it has no source."""

_D = TypeVar("_D", bound=HasId)

SIDES: Mapping[str, Iterable[str]] = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""The formats that make sense for each side."""

ALIGNMENT_OPTIONS = ("tolerance", "by", *OWNERS)

Table: TypeAlias = Mapping[str, object]
"""A table of a campaign, as it is written."""


class Sides(NamedTuple):
    """The references and the systems of a run, what they have besides, and how they are read.

    A campaign has some for each of its conditions, which are versions of the words.
    """

    ref: SideSource
    systems: Mapping[str, SideSource | None]  # by name; one system may have no name
    reading: ReadingOptions
    formats: Mapping[str, str | None]  # of each side; None: the suffix of each file tells it
    # the documents of each side and path as read, so that a folder is listed once
    known: dict[tuple[str, str, ReadingOptions], list[Entry]]
    align: SideSource | None = None  # the times of the reference's words
    words: Sequence[SideSource] = ()  # of the systems: none, one for all, or one for each
    alternatives: Sequence[str] = ()  # paths of the files of the references' alternatives
    name: str | None = None  # of the one document of every side; None: documents keep their names
    hyp_columns: tuple[str, ...] | None = None  # None: those of reading
    wanted: Mapping[str, Iterable[str]] = SIDES  # the formats that make sense for each side
    condition: str = ""  # its name; empty: it is made from the run
    alignment: Settings | None = None  # those of the alignment of words; None: as the run says

    @property
    def is_projected(self) -> bool:
        """Whether the words are a recogniser's; otherwise they are the reference's own."""
        return self.alignment is None or self.alignment.is_projected

    def wanting(self, **wanted: Iterable[str]) -> Sides:
        """The same with other formats that make sense for some sides."""
        return self._replace(wanted={**self.wanted, **wanted})

    def of_each(self) -> Iterator[Sides]:
        """The sides of each system alone."""
        words = self.words
        if len(words) not in {0, 1, len(self.systems)}:
            raise UsageFault(
                f"found {len(words)} --words for {len(self.systems)} HYPs, expected one, or one "
                "for each HYP"
            )
        for k, (name, hyp) in enumerate(self.systems.items()):
            yield self._replace(systems={name: hyp}, words=words[k : k + 1] or words[:1])

    def reading_of(self, side: str, wanted: Iterable[str] = ()) -> ReadingOptions:
        """How the files of a side are read; other formats may make sense for it."""
        columns = self.hyp_columns if side == "hyp" else None
        return replace(
            self.reading,
            format=self.formats.get(side),
            wanted=tuple(wanted or self.wanted[side]),
            columns=columns or self.reading.columns,
        )

    def entries(self) -> list[Listed]:
        """The documents of each side of the only system; ``None`` for a side without a source."""
        [hyp] = self.systems.values()
        sources = (self.ref, hyp, self.align, next(iter(self.words), None))
        found: list[Listed] = []
        errors: list[SerevalError] = []
        for side, source in zip(SIDES, sources, strict=True):
            try:
                found.append(None if source is None else self.listed(side, source))
            except SerevalError as error:
                errors.append(error)
        if errors:
            raise Problems.of(errors)
        return with_common_name(self.name, found)

    def selected(self, ids: Sequence[str]) -> list[Listed]:
        """The same of the documents with these ids; without ids, all."""
        found = self.entries()
        if not ids:
            return found
        with located(self.ref if isinstance(self.ref, str) else None):
            check_ids([entry.id for entry in found[0] or []], ids)
        return [side and [entry for entry in side if entry.id in ids] for side in found]

    def listed(self, side: str, source: SideSource, named: str = "") -> list[Entry]:
        """The documents of a side, unread; ``named`` is the option that names its format."""
        reading = self.reading_of(side)
        if not isinstance(source, str):
            return in_memory(
                source, side, replace(IN_MEMORY, options=replace(reading, format=None))
            )
        key = side, source, reading
        if key not in self.known:
            try:
                self.known[key] = entries(files(source, reading), (side, source))
            except InputError as error:
                message = _advised(error.message, side, source, named or f"--{side}-format")
                raise InputError(message, path=error.path, line=error.line) from None
        return self.known[key]

    @property
    def reference_ids(self) -> set[str]:
        """The ids of the references that were listed."""
        paths = {one.id for (side, *_), own in self.known.items() if side == "ref" for one in own}
        return paths if isinstance(self.ref, str) else {one.id for one in self.ref}


def _advised(message: str, side: str, path: str, named: str) -> str:
    """A message about the files of a side, with the option that names their format."""
    advised = message + f", {named}" * message.endswith(UNKNOWN_FORMAT)
    if side not in ("ref", "hyp"):
        return advised
    if NO_ELEMENTS in message:
        times = "--align" if side == "ref" else "--words"
        advised += f"; the times of {side.upper()}'s words go with {times}; "
        advised += "--measure WER scores words alone"
    elif message != advised and path.lower().endswith(".txt"):
        advised += " (inline if elements stand in tags, as in <loc> Dol </loc>)"
    return advised


def sides_of(
    ref: SideSource,
    systems: Mapping[str, SideSource | None],
    /,
    reading: ReadingOptions,
    encoding: str,
    tier: tuple[str, ...] = (),
    columns: tuple[str, ...] | None = (),
    **values: Any,
) -> Sides:
    """The sides that the values of options ask for."""
    named = ("align", "alternatives", "name", "hyp_columns")
    words = values.get("words") or ()
    return Sides(
        ref,
        systems,
        replace(reading, encoding=encoding, tiers=tier, columns=columns or ()),
        {side: values.get(f"{side}_format") for side in SIDES},
        {},
        words=words if isinstance(words, tuple) else (words,),
        **{name: values[name] for name in named if values.get(name) is not None},
    )


def with_common_name(name: str | None, sides: Sequence[Listed]) -> list[Listed]:
    """The documents of each side, under one id where each side has one document."""
    if name is not None:
        if any(side and len(side) > 1 for side in sides):
            raise SerevalError(
                f"found --name {name!r} and a side with several documents, expected one"
            )
        return [side and [entry._replace(id=name) for entry in side] for side in sides]
    if any(side is not None and len(side) != 1 for side in sides[:2]):
        return [*sides]
    every = [entry for side in sides if side and len(side) == 1 for entry in side]
    id = next((entry.id for entry in every if not _is_nameless(entry)), "-")
    found = [
        [one._replace(id=id) if _is_nameless(one) else under_name(one, id) for one in side]
        if side and len(side) == 1 and side[0].id != id
        else side
        for side in sides
    ]
    [*_, times], [_, hyp, *_] = found, sides
    if times and hyp and len(times) > 1 and hyp[0].id != id:  # the times of HYP have its own name
        own = [one._replace(id=id) for one in times if one.id == hyp[0].id]
        found[-1] = [*(one for one in times if one.id != id), *own] if own else times
    return found


def with_ids(documents: Sequence[_D], ids: Sequence[str]) -> list[_D]:
    """The documents with these ids; without ids, all documents."""
    check_ids([document.id for document in documents], ids)
    return [document for document in documents if not ids or document.id in ids]


def check_ids(known: Sequence[str], ids: Iterable[str]) -> None:
    """Check that there is a document with each of some ids."""
    for one in ids:
        if one not in known:
            more = ", …" if len(known) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(known[:3])}{more}"
                f"{nearest(one, known)}"
            )


def _is_nameless(entry: Entry) -> bool:
    """Whether a document comes from standard input; inside a file ``-`` is an ordinary id."""
    return entry.id == "-" == entry.file.path


def reading_policies(texts: Iterable[str]) -> ReadingOptions:
    """The reading options that policies ask for."""
    policies: dict[str, str] = {}
    labels: tuple[str, ...] = ()
    for text in texts:
        name, _, policy = text.partition("=")
        if name == "equal" and policy != "appearance":  # the policy names a grammar
            grammar = load_grammar(policy)
            policy, labels = grammar.name, (*grammar.types, *grammar.components)
        if policies.setdefault(name, policy) != policy:
            raise SerevalError(
                f"found {name}={policies[name]} and {name}={policy}, expected one of them"
            )
    return ReadingOptions(policies=tuple(sorted(policies.items())), labels=labels)


def named_systems(paths: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """The paths of systems by their names, which are given or are in the paths."""
    names = names or distinct_names(paths, "systems", "--system for each")
    if len(names) != len(paths):
        raise UsageFault(
            f"found {len(names)} --system for {len(paths)} HYPs, expected one for each HYP"
        )
    for name in names:
        if not name or names.count(name) > 1:
            raise UsageFault(f"found the system name {name!r}, expected different names")
    return dict(zip(names, paths, strict=True))


def distinct_names(paths: Sequence[str], what: str, expected: str = "different paths") -> list[str]:
    """A name for each path: its last component that differs from path to path."""
    split = [os.path.normpath(path).split(os.sep)[::-1] for path in paths]
    for backwards in split:
        stem, suffix = os.path.splitext(backwards[0])
        if any(suffix.lower() in reader.suffixes for reader in FORMATS.values()):
            backwards[0] = stem
    columns = list(zip_longest(*split, fillvalue=""))
    for column in columns:  # from the last component on
        if all(column) and len(set(column)) == len(paths):
            return list(column)
    different = [column for column in reversed(columns) if len(set(column)) > 1]
    names = [
        "/".join(filter(None, parts)) or backwards[0]  # a path that is the end of another
        for *parts, backwards in zip(*different, split, strict=True)
    ]
    if len(set(names)) < len(paths):
        raise UsageFault(f"the paths do not tell the {what} apart, expected {expected}")
    return names


# Campaigns


_KEYS = ("reference", "conditions", "systems")
"""The keys that a campaign file must have."""


def read_campaign(path: str, sides: Sides) -> list[Sides]:
    """The conditions of a campaign, in the order of the file, with their sides."""
    file = Path(path)
    # decimals stay text: 0.3 is exactly 300 ms
    paths = partial(_paths, file.parent)
    return read_toml(
        file, lambda written: conditions_of(written, file.parent, sides, paths), decimals=str
    )


def conditions_of(
    campaign: Table,
    folder: Path,
    sides: Sides,
    sources_of: Callable[[Table], Mapping[str, SideSource]],
) -> list[Sides]:
    """The conditions of a campaign, in their order; ``sources_of`` takes what stands for sides."""
    _check_keys(campaign, "the file", {*_KEYS, "align"})
    for key in _KEYS:
        if key not in campaign:
            raise SerevalError(f"no key {key!r}, expected one in the file")
    conditions, systems = (
        {name: _table(row, f"{key}.{name}") for name, row in _table(campaign[key], key).items()}
        for key in ("conditions", "systems")
    )
    written = {name: campaign[name] for name in ("reference", "align") if name in campaign}
    alignments = {}
    for name, row in conditions.items():
        where = f"conditions.{name}"
        _check_keys(row, where, {"words", *ALIGNMENT_OPTIONS})
        alignments[name] = _alignment(folder, row, where)
        if "words" in row:
            if not alignments[name].is_projected:
                raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
            written[f"{where}.words"] = row["words"]
    for name, row in systems.items():
        _check_keys(row, f"systems.{name}", conditions)
        written |= {f"systems.{name}.{condition}": cell for condition, cell in row.items()}
    sources = sources_of(written)
    found = []
    for name, alignment in alignments.items():
        outputs = {
            system: sources[f"systems.{system}.{name}"]
            for system, cells in systems.items()
            if name in cells
        }
        if not outputs:
            raise SerevalError(f"conditions.{name} has no system, expected at least one")
        through = alignment.through
        has_times = alignment.tolerance is not None or through and through.cut == "times"
        own = sides._replace(
            condition=name,
            alignment=alignment,
            ref=sources["reference"],
            systems=outputs,
            align=sources.get("align") if has_times else None,
            words=[source for at, source in sources.items() if at == f"conditions.{name}.words"],
        )
        found.append(own)
    return found


def _paths(folder: Path, written: Table) -> dict[str, SideSource]:
    """The paths of a file, relative to its folder."""
    found: dict[str, SideSource] = {}
    for where, value in written.items():
        if not isinstance(value, str) or not value:
            raise SerevalError(f"{where} is {value!r}, expected a path")
        found[where] = str(folder / value)
    return found


def _table(value: object, where: str) -> Table:
    if not isinstance(value, dict) or not value and where in {"conditions", "systems"}:
        raise SerevalError(f"{where} is {value!r}, expected a table [{where}] with entries")
    return value


def _check_keys(row: Table, where: str, known: Iterable[str]) -> None:
    for key in row:
        if key not in known:
            raise SerevalError(
                f"unknown key {key!r} in {where}, expected one of {', '.join(sorted(known))}"
            )


def _alignment(folder: Path, row: Table, where: str) -> Settings:
    """The settings that say how words are aligned in a condition, and compared through time."""
    values = {}
    for key in ALIGNMENT_OPTIONS:
        if key not in row:
            continue
        value = row[key]
        with naming(f"{where}.{key}"):
            if key == "tolerance" and row.get("by", "time") == "time":
                value = duration_text(value)
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise SerevalError(f"found {value!r}, expected a name")
            if key == "normalise" and value and value not in NORMALISATIONS:
                value = folder / str(value)
            values[key] = OPTIONS[key].value_of(str(value))
    tolerance, by = values.pop("tolerance", None), values.get("by", "time")
    form = LETTERS.name
    if isinstance(tolerance, tuple):
        form = values.pop("normalise", form)
    with naming(where):
        check_alignment(by, values, tolerance)
        aligned = Measure(options=(*values.items(),), tolerance=tolerance)
        return aligned.settings(Settings(normalise=normalisation(form)))


# Groups of documents


Groups: TypeAlias = str | Mapping[str, Collection[str]] | None
"""The ids of the documents of each group, a file with them, or nothing."""


def groups_of(path: Groups, ids: Collection[str]) -> Mapping[str, Collection[str]]:
    """The ids of the documents of each group, which are among the references; or no group."""
    if path is None:
        return {}
    if not isinstance(path, str):
        check_ids(sorted(ids), chain(*path.values()))
        return path
    found: dict[str, list[str]] = {}
    file = File(path, text=read_text(path))
    with file:
        for line in file.lines():
            if not line.strip():
                continue
            cells = [cell.strip() for cell in line.split("\t")]
            if len(cells) != 2 or not all(cells):
                raise SerevalError(
                    f"found {line.strip()!r}, expected a document, a tab and its group"
                )
            id, group = cells
            own = found.setdefault(group, [])
            if id in own:
                raise SerevalError(f"document {id} is twice in group {group}, expected it once")
            own.append(id)
    if not found:
        raise InputError("no document, expected the group of each", path=path)
    with located(path):
        check_ids(sorted(ids), chain(*found.values()))
    return found
