"""Fills the reference pages of the site from the program, so that nothing stands there twice.

A page has a mark such as ``<!-- command: score -->`` at the end of a line.
When the site is built, mkdocs calls this hook, and what the mark names takes the place of the line,
which is for those who read the file.
"""

import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import click

from sereval.cli import GROUPS, cli
from sereval.cli.convert import cells
from sereval.cli.parameters import GROUPS as OPTION_GROUPS
from sereval.cli.parameters import OTHERS
from sereval.formats import FORMATS
from sereval.render.report import Table
from sereval.report.schemas import COMMANDS
from sereval.report.schemas import FORMS as REPORTS
from sereval.schemes.options import OPTIONS
from sereval.schemes.table import TABLE

PAGES = Path(__file__).parents[1] / "reference" / "commands"
MARK = re.compile(
    r"^.*<!-- (commands|command|formats|format|options|schemas|schemes|tables)(?:: ([\w-]+))? -->$",
    re.MULTILINE,
)
CODE = re.compile(r"(?<![\w`-])(--[a-z][\w-]*|[A-Z]_[A-Z]+[\w.,=]*\w|sereval \w+)")
SPECIAL = re.compile(r"([\\*_\[\]|])")

SHARED = (
    "The options of one scheme: `sereval {name} --scheme NAME --help-all`, or the column of "
    "schemes in [all options](../options.md)."
)


def on_page_markdown(markdown: str, **_: object) -> str:
    """The text of a page, whose marks are replaced."""
    return MARK.sub(lambda found: FILLS[found[1]](found[2]), markdown)


def all_commands() -> dict[str, click.Command]:
    """The commands by name, in the order of ``--help``."""
    context = click.Context(cli, info_name="sereval")
    names = [name for group in GROUPS.values() for name in group]
    found = {name: cli.get_command(context, name) for name in names}
    return {name: command for name, command in found.items() if command is not None}


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a command, in the order of ``--help``."""
    found = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return sorted(found, key=lambda one: OPTION_GROUPS.index(group_of(one)))


def group_of(option: click.Option) -> str:
    """The group of an option in ``--help``."""
    return str(getattr(option, "group", OTHERS))


def prose(text: str) -> str:
    """A text of the program as Markdown: names of options and classes are code."""
    parts = CODE.split(" ".join(text.replace("\b", "").split()))
    return "".join(
        f"`{part}`" if place % 2 else SPECIAL.sub(r"\\\1", html.escape(part, quote=False))
        for place, part in enumerate(parts)
    )


def spelling(option: click.Option, command: click.Command) -> str:
    """An option as ``--help`` spells it: its letter, its name, its value."""
    context = click.Context(command, info_name=command.name)
    record = option.get_help_record(context)
    assert record is not None
    return record[0]


def meaning(option: click.Option, command: click.Command) -> str:
    """What ``--help`` says of an option, with its default."""
    context = click.Context(command, info_name=command.name)
    context.show_default = True
    record = option.get_help_record(context)
    assert record is not None
    text, bracket, extra = record[1].rpartition("  [")
    found = prose(text) if bracket else prose(extra)
    return f"{found} *{prose(extra.removesuffix(']'))}*" if bracket else found


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table of Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def one_command(name: str) -> str:
    """A command: how it is called, what it does, examples, its options in groups."""
    command = all_commands()[name]
    parent = click.Context(cli, info_name="sereval")
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(["sereval", name, *command.collect_usage_pieces(context)])
    parts = [f"```text\n{usage}\n```"]
    parts += [prose(paragraph) for paragraph in (command.help or "").split("\n\n")]
    if examples := getattr(command, "examples", ()):
        lines = "\n".join(f"sereval {example}" for example in examples)
        parts.append(f"```sh\n{lines}\n```")
    if any(one.name == "scheme" for one in command.params):
        parts.append(SHARED.format(name=name))
    groups: dict[str, list[tuple[str, ...]]] = {}
    for one in options_of(command):
        row = (f"[`{spelling(one, command)}`](../options.md#{anchor(one)})", meaning(one, command))
        groups.setdefault(group_of(one), []).append(row)
    for group, rows in groups.items():
        parts.append(
            f"### {group} {{ data-search-exclude }}\n\n{table(('option', 'what it does'), rows)}"
        )
    return "\n\n".join(parts)


def anchor(option: click.Option) -> str:
    """The anchor of an option on the page of all options."""
    return option.opts[-1].strip("-")


def every_command(_: str | None) -> str:
    """The commands by what a reader wants, each with a link to its page."""
    found = all_commands()
    parts = []
    for title, names in GROUPS.items():
        rows = [
            (f"[`{name}`]({page_of(name)})", prose((found[name].help or "").partition("\n\n")[0]))
            for name in names
        ]
        parts.append(f"## {title}\n\n{table(('command', 'what it does'), rows)}")
    return "\n\n".join(parts)


@cache
def page_of(name: str) -> str:
    """The page that has the mark of a command, as a link from their list."""
    mark = f"<!-- command: {name} -->"
    [page] = (one.name for one in PAGES.glob("*.md") if mark in one.read_text("utf-8"))
    return page if page == f"{name}.md" else f"{page}#{name}"


def every_option(_: str | None) -> str:
    """The options in alphabetical order: what each does in which commands, schemes, signature."""
    found: dict[str, dict[str, list[str]]] = {}
    anchors = {}
    for name, command in all_commands().items():
        for one in options_of(command):
            key = one.opts[-1]
            anchors[key] = anchor(one)
            said = f"`{spelling(one, command)}`: {meaning(one, command)}"
            found.setdefault(key, {}).setdefault(said, []).append(name)
    parts = []
    for key in sorted(found):
        lines = [f"## `{key}` {{ #{anchors[key]} }}"]
        for said, names in found[key].items():
            pages = ", ".join(f"[{name}](commands/{page_of(name)})" for name in names)
            lines.append(f"{said}\n\nCommands: {pages}.")
        if scheme := in_schemes(key):
            lines.append(scheme)
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts)


def in_schemes(name: str) -> str:
    """The schemes that take a scoring option; empty for all others."""
    declared = [one for one in OPTIONS.values() if one.on_command_line.split("/")[0] == name]
    if not declared:
        return ""
    taken = [scheme.name for scheme in TABLE if scheme.takes(declared[0].name)]
    everywhere = len(taken) == len(TABLE)
    return f"Schemes: {'all' if everywhere else ', '.join(f'`{one}`' for one in taken)}."


def every_format(_: object) -> str:
    """The formats with what they hold and their suffixes, as ``sereval formats`` lists them."""
    heads = ("format", "holds", "written", "suffixes")
    return table(heads, [cells(one) for one in FORMATS.values()])


def every_scheme(_: object) -> str:
    """The schemes: what each scores, how it aligns words and pairs elements, figures, source."""
    heads = ("scheme", "scores", "words", "mapping", "figures", "source")
    rows = [
        (
            f"`{one.name}`",
            *map(prose, (one.description, one.words, one.mapping)),
            ", ".join(one.figures),
            prose(one.source),
        )
        for one in TABLE
    ]
    return table(heads, rows)


KINDS = {"row": "an object", "rows": "a list", "detail": "CSV and frames only"}


def every_table(_: object) -> str:
    """The tables of the reports of each command, with their columns."""
    found = []
    for name, forms in REPORTS.items():
        found.append(f"### `sereval {name}` {{ #{name} }}")
        for number, tables in enumerate(forms, 1):
            found += [f"Form {number}:"] if len(forms) > 1 else []
            rows = [
                f"| `{key}` | {KINDS[one.kind]} | {columns_of(one)} |"
                for key, one in tables.items()
            ]
            found.append("\n".join(["| table | JSON | columns |", "|---|---|---|", *rows]))
    return "\n\n".join(found)


def columns_of(table: Table) -> str:
    """The columns of a table with their types and units."""
    return ", ".join(
        f"`{one.name}` ({' '.join(filter(None, (one.type.removesuffix('?'), one.unit)))})"
        for one in table.columns
    )


FILLS: dict[str, Callable[[Any], str]] = {
    "command": one_command,
    "commands": every_command,
    "options": every_option,
    "formats": every_format,
    "format": lambda name: FORMATS[name].manual(),
    "tables": every_table,
    "schemes": every_scheme,
    "schemas": lambda _: ", ".join(f"[`{name}`](schemas/{name}.json)" for name in COMMANDS),
}
