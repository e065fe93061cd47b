"""The parameters of commands: arguments, options in groups, their help, and files of settings.

The group of an option stands with its declaration. An option with a letter, such as ``-t``, or with
the mark ``common`` is among those that most readers need. ``--help`` shows only these, if a command
has more than fit on a screen; ``--help-all`` shows all. If a command has ``--scheme``, its help
shows the options that this scheme takes.

click prints all options in one list. cloup groups them, but its import alone doubles the time of
``sereval --version``.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Any

import click

from ..documents.files import read_toml
from ..errors import SerevalError, near, nearest
from ..runs.options import BUNDLED, FILES
from ..schemes.measure import Option
from ..schemes.table import SCHEMES, Scheme
from . import SETTINGS_FILE
from .outputs import OutputPath, PathText

FIRST = "Frequent options"
"""The group of the options with a letter."""

OTHERS = "Other options"
"""The group of the options that name none."""

GROUPS = (
    FIRST,
    "Files and formats",
    "Projection",
    "Labels",
    "Scoring",
    "Scheme",
    "Intervals",
    "Selection",
    "Output",
    "Work",
    OTHERS,
)
"""The groups, in the order of ``--help``."""

LONGEST = 24
"""The most columns before the text of an option; a longer option has a line of its own."""

NEEDED = ("grammar",)
"""Options that a scheme accepts for the sake of others: ``--only types`` needs a grammar."""


FEW = 6
"""The most options of a command that ``--help`` shows in full."""

ARGUMENTS = {
    "ref": ("REF", "The reference: a file, a folder, or - for standard input."),
    "hyp": ("HYP", "The hypothesis, what a system found: as REF."),
    "hyps": ("HYP", "The hypotheses of one or more systems, what each found: as REF."),
    "manual": ("HYP_MANUAL", "What the system found in the words of REF."),
    "recognised": ("HYP_ASR", "What the system found in the words of the recogniser."),
    "a": ("A", "The annotations of one annotator: a file or a folder."),
    "b": ("B", "Those of another annotator."),
    "others": ("C", "Those of further annotators."),
    "files": ("FILES", "Annotated files, or folders of them."),
    "file": ("FILE", "A file, a folder, or - for standard input."),
    "train": ("TRAIN", "Annotated documents: a file or a folder."),
    "source": ("IN", "The documents to read: a file, a folder, or - for standard input."),
    "target": ("OUT", "The file or folder to write."),
    "key": ("KEY", "The templates of the reference: a file, a folder, or - for standard input."),
    "response": ("RESPONSE", "The templates of one or more systems: as KEY."),
    "report": ("REPORT.json", "A report that a command wrote with --format json."),
    "name": ("COMMAND", "The command whose report the schema describes."),
}
"""The placeholder of each argument, and what it is."""


def argument(spec: str) -> click.Argument:
    """An argument by its name: in brackets it may be left out, with dots it may be repeated."""
    name = spec.strip("[].")
    metavar = ARGUMENTS[name][0]
    is_needed, is_many = not spec.startswith("["), spec.endswith("...")
    shown = (metavar if is_needed else f"[{metavar}]") + "..." * is_many
    nargs = -1 if is_many else 1
    kind = PathText("output" if name == "target" else "input")
    return click.Argument([name], type=kind, required=is_needed, nargs=nargs, metavar=shown)


class Command(click.Command):
    """A command whose help has examples and groups of options."""

    examples: Sequence[str] = ()  # command lines without the name of the program

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a command line, which may not repeat an option that has one value."""
        if not ctx.resilient_parsing:
            ctx.meta[WRITTEN], _, order = self.make_parser(ctx).parse_args(list(args))
            for one in dict.fromkeys(order):
                is_single = isinstance(one, click.Option) and not (one.multiple or one.is_eager)
                if is_single and order.count(one) > 1:
                    raise click.UsageError(f"found {one.opts[-1]} twice, expected it once", ctx)
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, the arguments, then the examples."""
        super().format_help_text(ctx, formatter)
        own = [one.name for one in self.params if isinstance(one, click.Argument)]
        arguments = [ARGUMENTS[name or ""] for name in own]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}sereval {example}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group, or the first sentence of each common one."""
        scheme = _scheme(ctx)
        taken = [
            one
            for one in self.get_params(ctx)
            if isinstance(one, click.Option)
            if scheme is None or one.name in NEEDED or scheme.takes(one.name or "")
        ]
        is_short = len(taken) > FEW and HELP_ALL not in ctx.meta
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for one in taken:
            if (record := one.get_help_record(ctx)) is None:
                continue
            if not is_short:
                groups[getattr(one, "group", OTHERS)].append(record)
            elif getattr(one, "is_common", False):
                # the first sentence, without what stands in brackets after it
                first = re.split(r"(?<=[^ ]{2}\.)\s|[;:]\s|\s+\[", record[1], maxsplit=1)[0]
                groups[FIRST].append((record[0], first.rstrip(".") + "."))
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records, col_max=LONGEST)
        more = ""
        if is_short:
            more = f"sereval {ctx.info_name} --help-all lists all {len(taken)} options in full."
        elif scheme is not None:
            more = (
                f"These are the options of the scheme {scheme.name}. sereval schemes lists the "
                f"schemes; sereval {ctx.info_name} --scheme NAME --help-all shows the options of "
                "one."
            )
        if more:
            formatter.write_paragraph()
            formatter.write_text(more)


def _ask_for_all(ctx: click.Context, _option: click.Parameter, value: Any) -> None:
    """Print the help with all options."""
    if value and not ctx.resilient_parsing:
        ctx.meta[HELP_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


WRITTEN = "sereval.written"
"""The key, in the context, of the values of a command line as they are written, by parameter."""

HELP_ALL = "sereval.help_all"
"""The key, in the context, that asks for all options."""

HELP_ALL_OPTION = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_ask_for_all,
    help="Show this message with all options and exit.",
)


def _scheme(context: click.Context) -> Scheme | None:
    """The scheme of the command line or the settings; ``None``: the command has no schemes."""
    options = {one.name: one for one in context.command.params}
    if "scheme" not in options:
        return None
    written = context.meta.get(WRITTEN, {}).get("scheme")
    name = written or context.lookup_default("scheme") or options["scheme"].default
    return SCHEMES.get(str(name))


def hint(error: click.UsageError, words: Sequence[str]) -> str:
    """What to type instead of a command line that is refused; empty: nothing is known."""
    paths = [word for word in words if os.path.exists(word)]
    command = words[0] if words else ""
    if isinstance(error, click.NoSuchOption) and error.option_name == "--config":
        return f"Type: sereval --config FILE {command} …\n"
    if "No such command" in error.message and "Did you mean" not in error.format_message():
        if known := near(command, ("help", "version")):
            return f"Type: sereval {known}\n"
        if command in paths or len(words) > 1:
            return f"Type: sereval score {shlex.join(words)}{' HYP' * (len(words) == 1)}\n"
    if "unexpected extra argument" not in error.message or len(paths) < 3:
        return ""
    folders = [path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths]
    sides = [*dict.fromkeys(folders)]
    if len(paths) > len(sides) == 2:
        return f"For all files of two folders type: sereval {command} {shlex.join(sides)}\n"
    if command == "score":
        return f"For several systems type: sereval compare {shlex.join(words[1:])}\n"
    count = {"audit": 2, "align": 2, "blame": 3}.get(command)
    if count is None or any(word not in paths for word in words[1 : count + 2]):
        return ""
    rest = [*dropwhile(paths.__contains__, words[count + 1 :])]
    one = [*words[: count + 1], *rest]
    return f"For one system at a time type: sereval {shlex.join(one)}\n"


# --- files --------------------------------------------------------------------------------------


def input_file(parameter: click.Parameter, value: Any) -> str | None:
    """The input file that a value of a parameter names; ``None``: it names none."""
    kind, text = parameter.type, str(value)
    if parameter.name == "reading":  # one of the policies names a grammar
        what, _, path = text.partition("=")
        return path if what == "equal" and path not in ("appearance", *BUNDLED["grammar"]) else None
    if (
        not isinstance(kind, PathText)
        or kind.role != "input"
        or text in BUNDLED.get(parameter.name or "", ())
    ):
        return None
    return None if parameter.name == "documents" and not os.path.isfile(text) else text


PATHS = ("FILE", "PATH", "TIMES", "GRAMMAR", "NAME|FILE", "LIST")
"""The placeholders of options whose value is a path."""


class DeclaredOption(click.Option):
    """An option of a command; one with a letter stands in the first group of ``--help``."""

    def __init__(self, one: Option, type: Any = None) -> None:
        if type is None and not one.is_flag:
            type = PathText() if one.metavar in PATHS else str
        super().__init__(
            [*filter(None, (one.letter, one.on_command_line)), one.name],
            type=click.Choice([*one.choices]) if one.choices else type,
            metavar=one.metavar,
            default=bool(one.default) if one.is_flag else one.default,
            is_flag=one.is_flag,
            multiple=one.is_multiple,
            help=one.help,
        )
        self.declared = one
        self.group = FIRST if one.letter else one.group
        self.is_common = bool(one.letter) or one.is_common  # shown in the short help

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The value that the option makes of its text; an error becomes one of usage."""
        found = super().process_value(ctx, value)
        try:
            return self.declared.value_of(found)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None


def source_format(what: str, formats: Collection[str]) -> Option:
    """The option that names the format of the only files that a command reads."""
    return Option(
        "ref_format",
        f"Format of {what}; by default the suffix says it. One of {', '.join(formats)}.",
        flag="--from",
        group=FILES,
        is_common=True,
        choices=formats,
        metavar="FORMAT",
    )


# Selection

DOCUMENTS = Option(
    "ids",
    "Show this document only. May be repeated.",
    flag="--document",
    is_common=True,
    group="Selection",
    metavar="ID",
    is_multiple=True,
)
LABELS = Option(
    "labels",
    "Show only elements with this label or whose partner has it. May be repeated.",
    flag="--label",
    is_common=True,
    group="Selection",
    metavar="LABEL",
    is_multiple=True,
)

# Output


def output_options(
    formats: Sequence[str],
    help: str = "Format of the result.",
    metavar: str = "FILE",
    output_help: str = "Write the result to this file, in the format of its suffix; by default, to "
    "standard output.",
) -> Iterator[Option | click.Option]:
    """The options ``--format`` and ``--output``, whose suffix names the format."""
    yield Option(
        "format",
        help,
        letter="-f",
        choices=formats,
        default=formats[0],
    )
    if "csv" in formats:
        yield Option(
            "table",
            "The table that csv has, by its name in the JSON; by default the first.",
            group="Output",
            metavar="NAME",
        )
    yield output_option(metavar, output_help)
    if "html" in formats:
        yield from PAGE_OPTIONS


def output_option(metavar: str, help: str) -> click.Option:
    """The option ``--output``."""
    one = Option("output", help, letter="-o", default="-", metavar=metavar)
    found = DeclaredOption(one, OutputPath("output"))
    found.show_default = False
    return found


PAGE_OPTIONS = (
    DeclaredOption(
        Option(
            "audio",
            "Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
            group="Output",
            metavar="DIR",
        ),
        PathText("link"),
    ),
    Option(
        "embed",
        "Put the recordings of --audio into the page, as they are, instead of links to them.",
        group="Output",
        is_flag=True,
    ),
    Option(
        "split",
        "For html of a large corpus: pages of N documents each and an index, in the folder of -o.",
        group="Output",
        metavar="N",
        least=1,
    ),
)


# --- files of settings ---------------------------------------------------------------------------

# Options at the top of a file are for all commands; options in a table are for the command of that
# name. They become defaults of the options, in click's default_map. So the command line overrides
# them, click checks them like the command line, and signatures show the values in use.

PROJECT = Path("pyproject.toml")
"""The file with the settings, in ``[tool.sereval]``, if ``--config`` names no file."""

NONE = "none"
"""The value of ``--config`` that turns settings off."""


def defaults(
    context: click.Context, group: click.Group, path: str | None
) -> dict[str, dict[str, Any]]:
    """Defaults of the options of the running command, from a file of settings."""
    file = Path(path or PROJECT)
    if path == NONE or path is None and not file.is_file():
        return {}
    if path is None:
        context.meta[SETTINGS_FILE] = str(file)

    def parse(written: dict[str, Any]) -> dict[str, dict[str, Any]]:
        at, table = "", written
        if file.name == PROJECT.name:
            at, table = "tool.sereval.", written.get("tool", {}).get("sereval")
            if table is None and path is not None:
                raise SerevalError("no table [tool.sereval], expected the settings there")
        return {} if table is None else _defaults(context, group, table, file, at)

    return read_toml(file, parse, decimals=str)  # decimals stay text: 0.3 is exactly 300 ms


def _defaults(
    context: click.Context, group: click.Group, written: Mapping[str, Any], file: Path, at: str
) -> dict[str, dict[str, Any]]:
    """The values of a file for the running command; keys of other commands are checked."""
    options = {
        name: {
            max(one.opts, key=len).removeprefix("--"): one
            for one in command.params
            if isinstance(one, DeclaredOption)
        }
        for name in group.list_commands(context)
        if (command := group.get_command(context, name)) is not None
    }
    common = {key: value for key, value in written.items() if not isinstance(value, dict)}
    of_command = {key: value for key, value in written.items() if key not in common}
    _check(common, {*(key for own in options.values() for key in own), *options}, at, "")
    _check(of_command, options, at, "")
    for name, table in of_command.items():
        _check(table, options[name], at, f"{name}.")
    running = context.invoked_subcommand or ""
    own, found = options.get(running, {}), dict[str, Any]()
    for place, table in ((at, common), (f"{at}{running}.", of_command.get(running, {}))):
        for key in table.keys() & own.keys():
            found[own[key].name or ""] = _value(context, place + key, own[key], table[key], file)
    return {running: found}


def _check(table: Mapping[str, Any], known: Iterable[str], at: str, command: str) -> None:
    """Refuse keys that are no options."""
    for key in table:
        if key not in known:
            what = f"an option of {command[:-1]}" if command else "an option, or a command"
            raise SerevalError(
                f"unknown key {at}{command}{key}, expected {what}{nearest(key, known)}"
            )


def _value(context: click.Context, key: str, option: click.Option, value: Any, file: Path) -> Any:
    """A value as the command line would have it, which the option takes."""
    items = value if option.multiple and isinstance(value, list) else [value]
    kind: Any = bool if option.is_flag else str | int
    for one in items:
        if not isinstance(one, kind) or isinstance(one, bool) != option.is_flag:
            several = " or a list of them" if option.multiple else ""
            expected = "true or false" if option.is_flag else f"a string or a number{several}"
            raise SerevalError(f"{key} is {one!r}, expected {expected}")
        if "\0" in str(one):
            raise SerevalError(f"{key} is {one!r}, expected a text without a null character")
    if not option.is_flag:
        texts = [_located(option, str(one), file.parent) for one in items]
        value = texts if option.multiple else texts[0]
        if SETTINGS_FILE in context.meta and any(_reaches_out(option, one) for one in texts):
            raise SerevalError(
                f"{key} counts only in a file that --config names, expected "
                f"--config {PROJECT}, or {max(option.opts, key=len)} on the command line"
            )
    try:
        option.process_value(context, value)
    except (click.BadParameter, SerevalError) as error:
        raise SerevalError(f"{key}: {error}") from None
    return value


def _located(option: click.Option, text: str, folder: Path) -> str:
    """A path, relative to the folder of the file; other values unchanged."""
    path = str(folder / text)
    if option.name == "reading" and (grammar := input_file(option, text)) is not None:
        return f"equal={folder / grammar}"
    is_path = isinstance(option.type, PathText) and text != "-"
    is_name = (
        text in BUNDLED.get(option.name or "", ())
        or option.name == "documents"
        and not Path(path).is_file()
    )
    return path if is_path and not is_name else text


def _reaches_out(option: click.Option, text: str) -> bool:
    """Whether a setting names a file, opens a connection, starts processes, or lifts a limit."""
    kind = option.type
    if (
        getattr(option, "group", "") == "Work"
        or isinstance(kind, PathText)
        and kind.role != "input"
    ):
        return True
    if option.name == "measure":
        from ..alignment.normalise import SUFFIX

        return SUFFIX in text.lower()  # it may name a table of words
    return input_file(option, text) is not None
