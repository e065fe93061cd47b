"""A command line: its values, the run that it asks for, and the output of its command.

``command`` declares a command. What commands share is done once, by ``_run``: it checks what is
read and written, calls the command, and writes what it returns.

Every report in JSON has its provenance under ``provenance``: the command, the options that can
change its result, and its inputs; ``sereval gate`` scores with the same options again. A provenance
has no names of folders, so the same files give the same report in every folder. A report as text
has its origin: the sizes of its sides, and what limits them.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from filecmp import cmp, cmpfiles
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..corpus.corpus import Corpus, Entry, Side, Size
from ..documents.files import is_read_once, open_file
from ..documents.model import Note
from ..errors import InputError, UsageFault, meant, nearest, one_line
from ..formats import FORMATS, File
from ..labels import Labels
from ..render.report import PLAIN, Look, Report, counted
from ..runs.options import options_of
from ..runs.scoring import Request, refuse
from ..runs.sides import SIDES, named_systems
from ..schemes.measure import Option
from . import SETTINGS_FILE
from .outputs import (
    Result,
    Text,
    check_free,
    named_format,
    on_screen,
    print_notes,
    visible,
    warn,
    with_progress,
    write_all,
    write_files,
)
from .parameters import HELP_ALL_OPTION, WRITTEN, Command, DeclaredOption, argument, input_file

if TYPE_CHECKING:
    from ..report.page.recordings import Recording

Shown = Report | Text | None
"""What a command returns, to be written; ``None``: it has written its results."""


class Line:
    """A command line. The values of its parameters are attributes too."""

    def __init__(self, context: click.Context) -> None:
        self.click, self.values = context, dict(context.params)
        self.beside: dict[str, Result] = {}
        self.look, self.status = PLAIN, 0
        self.sizes: dict[Side, Size] = {}
        self.warning = ""
        self.request: Request | None = None
        # parameters from the command line or a file of settings, with their values as text
        self.in_use: list[tuple[click.Parameter, list[Any], ParameterSource]] = []
        for one in context.command.get_params(context):
            value, source = one.consume_value(context, context.meta[WRITTEN])
            if source is not None and source is not ParameterSource.DEFAULT and value is not None:
                own = [*value] if isinstance(value, list | tuple) else [value]
                self.in_use.append((one, own, source))
        # the paths of all files and folders that are read
        read = (input_file(one, value) for one, values, _ in self.in_use for value in values)
        self.inputs = [path for path in read if path is not None]
        # the options on the command line as they are written, by name of the parameter
        self.flags = {
            one.name or "": one.opts[-1]
            for one, _, source in self.in_use
            if isinstance(one, click.Option) and source is ParameterSource.COMMANDLINE
        }
        # the options from a file of settings that --config does not name
        self.settings = [
            word
            for one, values, source in self.in_use
            if source is ParameterSource.DEFAULT_MAP and SETTINGS_FILE in context.meta
            for word in _words_of(one, values)
        ]
        file = context.meta.get(SETTINGS_FILE)
        self.told = f"settings of {file}: {shlex.join(self.settings)}" if self.settings else ""

    def __getattr__(self, name: str) -> Any:
        return self.values[name]

    def asked(self, ref: Any = None, systems: Any = None) -> Request:
        """The run that the user asks for; other sides are those of REF and HYP or HYPs."""
        if systems is None:
            systems = self.systems if "hyps" in self.values else {"": self.values.get("hyp")}
        self.request = Request.of(
            self.click.info_name or "",
            self.values.get("ref", ref),
            systems,
            tuple(self.flags),
            tuple(one.name for one, *_ in self.in_use if one.name),
            with_progress,
            **self.values,
        )
        return self.request

    @property
    def systems(self) -> dict[str, str]:
        """The paths of systems by their names."""
        return named_systems(self.hyps, self.names)

    def terminal(self, width: int = PLAIN.width) -> Look:
        """The look of a drawing: that of the terminal, or of this width without one."""
        is_seen = self.format == "text" and self.output == "-"
        look = Look(width=width)
        if is_seen:
            from rich.console import Console  # slow to import

            console = Console()
            if console.is_terminal:
                colour = None if console.no_color else console.color_system
                look = Look(width=console.width, colour=colour)
        return look._replace(width=self.values.get("width") or look.width)

    def tell(self) -> None:
        """After all documents were read, check the options and print warnings and notes."""
        asked, self.request = self.request, None
        if asked is None or not asked.opened:
            return
        corpora = [corpus for corpus, _ in asked.opened]
        every = [one for corpus in corpora for one in corpus.entries]
        check_effect(self, (one.file for one in every))
        warn_of_grammar(
            self, asked.changes, frozenset().union(*(corpus.labels for corpus in corpora))
        )
        sizes = {side: size for corpus in corpora for side, size in corpus.sizes.items()}
        self.sizes = {side: sizes[side] for role in NAMES for side in sizes if side[0] == role}
        self.warning = nothing_to_score(self.sizes, every)
        if self.warning:
            warn(self.warning)
        else:
            columns, others = self.values.get("columns"), self.values.get("hyp_columns")
            for trap in traps(self.sizes, has_both=others not in (None, columns)):
                warn(trap)
        print_reading_notes(corpora)


# Commands


def command(
    arguments: str,
    *options: click.Parameter | Option,
    examples: Sequence[str] = (),
) -> Callable[[Callable[[Line], Shown]], Command]:
    """Declare a command, with the options of runs that it takes; its help is its docstring."""

    def decorate(work: Callable[[Line], Shown]) -> Command:
        parameters: list[click.Parameter] = [argument(one) for one in arguments.split()]
        parameters += [
            DeclaredOption(one) if isinstance(one, Option) else one
            for one in (*options_of(work.__name__).values(), *options)
        ]
        made = Command(
            work.__name__,
            params=[*parameters, HELP_ALL_OPTION],
            callback=lambda **_: _run(work),
            help=work.__doc__,
        )
        made.examples = examples
        return made

    return decorate


def _run(work: Callable[[Line], Shown]) -> None:
    """Run a command and write what it returns."""
    context = click.get_current_context()
    line = Line(context)
    if line.told:
        warn(line.told)
    try:
        if "format" in line.values:
            _check_format(line)
        check_paths(line)
        shown = work(line)
        line.tell()
        if isinstance(shown, Report):
            write_report(shown, line)
        elif shown is not None:
            write_all([(line.values.get("output", "-"), shown)])
    except UsageFault as error:
        raise click.UsageError(str(error)) from None
    if line.status:
        raise click.exceptions.Exit(line.status)


def _check_format(line: Line) -> None:
    """Find the format of the output; refuse options of other formats, and pages on a terminal."""
    formats: Any = next(one.type for one in line.click.command.params if one.name == "format")
    line.values["format"] = named_format(line.click, line.format, line.output, formats.choices)
    if line.format != "csv":
        refuse(line.flags, ["table"], "without --format csv")
    if line.format != "html":
        refuse(line.flags, ("audio", "embed", "split"), "without --format html")
    elif line.values.get("embed") and line.audio is None:
        raise UsageFault("--embed goes with --audio")
    elif line.split is not None and line.output == "-":
        raise UsageFault("--split makes files, expected -o and a folder")
    elif line.output == "-" and sys.stdout.isatty():
        raise UsageFault(
            f"--format {line.format} is not for a terminal, expected -o FILE, or a pipe"
        )


def check_paths(line: Line) -> None:
    """Check that standard input is read once, and that no file is written over, or twice."""
    inputs = line.inputs
    if inputs.count("-") > 1:
        raise UsageFault("standard input can be read once only, expected one '-'")
    written = {
        one.name: path
        for one in line.click.command.params
        if getattr(one.type, "role", "") == "output"
        if (path := line.values[one.name or ""]) is not None
    }
    files = [path for path in written.values() if path != "-"]
    if len({os.path.normcase(os.path.realpath(path)) for path in files}) < len(files):
        raise UsageFault(f"{files[-1]} would be written twice, expected two files")
    on_stdout = [name for name, path in written.items() if path == "-"]
    if len(on_stdout) > 1:
        other = next(name for name in on_stdout if name != "output")
        raise UsageFault(f"standard output takes one result, expected a file for --{other}")
    config = line.click.find_root().params.get("config")
    check_free(filter(os.path.isfile, files), [*inputs, *([config] if config else [])])


def write_report(report: Report, line: Line) -> None:
    """Write a report, with its origin; for CSV print its notes."""
    text: Text
    if line.format == "csv":
        text = report.csv(line.table)
        print_notes(report.notes)
    elif line.format == "jsonl":
        text = report.jsonl()
    elif line.format == "json":
        text = report.json(provenance(line))
    else:
        body, end, last = report.lines(line.look).rpartition("\n\n")
        told = (f"{one[0].upper()}{one[1:]}.\n" for one in origin(line))
        text = "".join((body, end, *told, last))
    shows = on_screen if line.format == "text" else visible
    write_all([*line.beside.items(), (line.output, text)], shows)


# What the readers found


def print_path_notes(path: str, notes: Iterable[Note]) -> None:
    """Print notes about a path on standard error."""
    for note in notes:
        warn(f"{path}: {note}")


def print_reading_notes(corpora: Sequence[Corpus]) -> None:
    """Print the notes of the readers on standard error, by side; of shared files only once."""
    notes = {side: own for corpus in reversed(corpora) for side, own in corpus.notes.items()}
    sides = dict.fromkeys(side for corpus in corpora for side in corpus.notes)
    for side in sorted(sides, key=lambda side: list(SIDES).index(side[0])):
        print_path_notes(side[1], notes[side])


def check_effect(line: Line, files: Iterable[File]) -> None:
    """Refuse options of the command line that say how to read, and have no effect on the files."""
    found, asked = {file.format for file in files}, dict(line.flags)
    asked.pop("tags", None)  # of convert, which writes tags
    if "reading" in asked:
        asked |= {name: f"--read {name}" for name, _ in line.reading.policies}
    for name in asked:
        option = name.removeprefix("hyp_")
        known = [one.name for one in FORMATS.values() if option in one.options]
        if known and found.isdisjoint(known):
            raise UsageFault(
                f"{asked[name]} has no effect on files of {', '.join(sorted(found))}, expected "
                f"files of {', '.join(known)}"
            )


def warn_of_grammar(line: Line, changes: Labels, labels: Iterable[str]) -> None:
    """Warn if the grammar of the command has none of the labels of the documents."""
    known, found = changes.grammar, sorted(labels)
    if known is None or changes.map is not None or not found:
        return
    if not {*known.types, *known.components} & {*found}:
        more = ", …" if len(found) > 3 else ""
        warn(f"grammar {line.grammar} has none of the labels found: {', '.join(found[:3])}{more}")


def warn_of_unknown(requested: Iterable[str], labels: Iterable[str]) -> bool:
    """Warn of labels that no element has, and return whether there are any."""
    known = set(labels)
    unknown = [label for label in requested if label not in known]
    for label in unknown:
        warn(f"no element has the label {label!r}{nearest(label, known)}")
    return bool(unknown)


# --- pages ---------------------------------------------------------------------------------------


def write_page(line: Line, found: object, title: str, **extras: Any) -> None:
    """Write the page of a result, and its other outputs; the members of ``Extras`` are beside."""
    from ..report.page import contents, pages  # slow to import

    runs, its = contents(found)
    line.tell()
    first = next(iter(next(iter(runs.values())).values()))[0]
    sounds = {} if line.audio is None else _recordings(line, first.ids)
    words = shlex.join(["sereval", str(line.click.info_name), *typed(line)])
    every = its._replace(title=one_line(title), command=words, recordings=sounds, **extras)
    files = pages(runs, every, line.split)
    if line.split is not None:
        write_files(files, line.output, line.inputs)
        write_all(line.beside.items())
    else:
        [(_, text)] = files
        write_all([*line.beside.items(), (line.output, text)])


def _recordings(line: Line, ids: Sequence[str]) -> dict[str, Recording]:
    """The recordings of documents; warns of documents without them."""
    from importlib.util import find_spec  # few pages have sound

    from ..report.page.recordings import recordings

    folder = line.audio
    from_folder = line.output if line.split is not None else os.path.dirname(line.output)
    try:
        found = recordings(folder, ids, None if line.embed else from_folder)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=folder) from None
    if silent := [id for id in ids if id not in found]:
        there = f"recordings for {len(found)} of {len(ids)} documents in {folder}"
        names = f"ID.wav, .flac, .mp3, .ogg or .m4a, such as {silent[0]}.wav"
        warn(f"{there}; expected {names}")
    mute = [one.name for one in found.values() if not one.name.endswith(".m4a")]
    if mute and find_spec("miniaudio") is None:
        warn(
            f"no wave form of {counted(len(mute), 'recording')} in {folder}, such as {mute[0]}:"
            " it needs the package miniaudio, which is not installed: pip install "
            "'sereval[sound]'"
        )
    if line.embed:
        size = sum(len(one.sound) for one in found.values()) / 1e6
        warn(f"{counted(len(found), 'recording')} in the page: {size:.1f} MB")
    return found


# Provenance and origin


NO_DIGIT = {"format", "show", "table"}
"""Options that change no result, besides those of outputs and processes."""


def provenance(line: Line) -> dict[str, Any]:
    """The provenance of a command."""
    options: list[str] = []
    inputs: dict[str, list[dict[str, Any]]] = {}
    sizes = {path: size for (_, path), size in line.sizes.items()}
    for parameter, values, _ in line.in_use:
        is_side = isinstance(parameter, click.Argument)
        files = [path for value in values if (path := input_file(parameter, value)) is not None]
        if files:
            known = sizes if is_side else {}
            inputs[parameter.name or ""] = [_input(path, known.get(path)) for path in files]
        if not _changes_nothing(parameter):
            options += _words_of(parameter, [v for v in values if input_file(parameter, v) is None])
    found: dict[str, Any] = {"command": line.click.info_name, "options": options, "inputs": inputs}
    if line.settings:
        found["settings"] = {"file": line.click.meta[SETTINGS_FILE], "options": line.settings}
    return found


def _changes_nothing(parameter: click.Parameter) -> bool:
    return (
        getattr(parameter.type, "role", "") == "output"
        or parameter.name in NO_DIGIT
        or getattr(parameter, "group", "") == "Work"
    )


def origin(line: Line) -> list[str]:
    """The lines of a report about its origin."""
    lines = [line.told]
    # both sides of an agreement are annotations of equal rank, and none a reference
    if {role for role, _ in line.sizes} == NAMES.keys() and line.click.info_name != "agreement":
        sizes = [
            f"{NAMES[side[0]]} {_path(side)}: {counted(size.documents, 'document')}, "
            f"{counted(size.elements, 'element')}"
            for side, size in line.sizes.items()
        ]
        lines += ["; ".join(sizes)] if len(sizes) == len(NAMES) else sizes
    return [*map(one_line, filter(None, [*lines, line.warning]))]


def _words_of(parameter: click.Parameter, values: Sequence[Any]) -> Iterator[str]:
    """An argument, or an option in the form of the command line."""
    for value in values:
        if not isinstance(parameter, click.Option):
            yield str(value)
        elif not parameter.is_flag:
            yield from (parameter.opts[-1], str(value))
        elif value or parameter.secondary_opts:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]


def typed(line: Line, without: Collection[str] = ()) -> Iterator[str]:
    """The arguments and options that were typed, but for outputs, processes and some others."""
    for parameter, values, source in line.in_use:
        is_typed = source is ParameterSource.COMMANDLINE and not _changes_nothing(parameter)
        if is_typed and parameter.name not in without:
            yield from _words_of(parameter, values)


def _input(path: str, size: Size | None) -> dict[str, Any]:
    """An input: the digests of a file or of the files of a folder that are not hidden, its size."""
    name = os.path.basename(os.path.normpath(path))
    places: dict[str, str] = {}
    if os.path.isdir(path):
        inside = (each for each in sorted(os.listdir(path)) if not each.startswith("."))
        found = ((each, os.path.join(path, each)) for each in inside)
        places = {each: place for each, place in found if os.path.isfile(place)}
    elif not is_read_once(path):  # a pipe was read already
        places = {name: path}
    import hashlib  # slow to import

    files = {}
    for each, place in places.items():
        with open_file(place) as file:
            # each such file has what the function asks for, but its type does not say so
            files[each] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    counts = {} if size is None else {"documents": size.documents, "elements": size.elements}
    return {"name": name, "files": files} | counts


NAMES = {"ref": "reference", "hyp": "hypothesis"}
"""The names, in reports, of the sides that have elements."""


def nothing_to_score(sizes: Mapping[Side, Size], entries: Iterable[Entry]) -> str:
    """The warning that no reference has an element; empty if one has."""
    own = {side: size for side, size in sizes.items() if side[0] == "ref"}
    found = {FORMATS[one.file.format].elements for one in entries if one.side in own}
    marks = sorted(found - {""})
    if not marks or any(size.left for size in own.values()):
        return ""  # words alone were scored, or there is an element
    paths = " and ".join(map(_path, own))
    number = sum(size.elements for size in own.values())
    if number:
        return (
            "nothing to score: --map, --only or --level leave none of "
            f"{counted(number, 'element')} of the reference {paths}"
        )
    others = (
        f"{_path(side)} has {size.elements}" for side, size in sizes.items() if side not in own
    )
    return (
        f"no elements in the reference: looked for {' or '.join(marks)} in {paths}; "
        f"the hypothesis {', '.join(others)}"
    )


def traps(sizes: Mapping[Side, Size], *, has_both: bool) -> Iterator[str]:
    """What is hardly meant: a side without words, the reference as hypothesis, other labels."""
    # if has_both, a file may hold the tags of both sides
    for (role, path), size in sizes.items():
        if size.documents and not size.words + size.elements:
            yield f"no words in the {NAMES[role]} {path}"
    references, hypotheses = (
        {side: size for side, size in sizes.items() if side[0] == role} for role in NAMES
    )
    for reference, ours in references.items():
        for hypothesis, theirs in hypotheses.items():
            paths = f"the hypothesis {_path(hypothesis)}", f"the reference {_path(reference)}"
            if not has_both and _are_same(reference[1], hypothesis[1]):
                yield f"{paths[0]} is byte for byte {paths[1]}"
            if ours.labels and theirs.labels and ours.labels.isdisjoint(theirs.labels):
                pairs = meant(sorted(theirs.labels), ours.labels)
                yield f"{paths[0]} shares no label with {paths[1]}{pairs}; rename them with --map"


def _are_same(one: str, other: str) -> bool:
    """Whether two files have the same bytes, or two folders the same files."""
    if not os.path.isdir(one) or not os.path.isdir(other):
        return os.path.isfile(one) and os.path.isfile(other) and cmp(one, other, shallow=False)
    names = os.listdir(one)
    same, *_ = cmpfiles(one, other, names, shallow=False)
    return {*same} == {*names} == {*os.listdir(other)}


def _path(side: Side) -> str:
    return "standard input" if side[1] == "-" else side[1]
