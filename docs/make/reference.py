"""Fills the reference pages from the program, so that no fact is written twice.

What the options of the commands are stands in the pages, between marks such as
``<!-- command: score -->`` and ``<!-- end -->``. ``python docs/make/reference.py`` writes it anew.
A mark at the end of a line, such as ``<!-- schemes -->``, is filled on the site alone: when it is
built, mkdocs calls this hook, and what the mark names takes the place of the line, which is for
those who read the file.
"""

import re
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import click

from sereval.cli import GROUPS, cli
from sereval.cli.documents import cells
from sereval.cli.parameters import GROUPS as OPTION_GROUPS
from sereval.cli.parameters import OTHERS, DeclaredOption
from sereval.formats import FORMATS
from sereval.render.report import Table
from sereval.report.schemas import COMMANDS
from sereval.report.schemas import FORMS as REPORTS
from sereval.schemes.measure import OPTIONS
from sereval.schemes.table import TABLE

REFERENCE = Path(__file__).parents[1] / "reference"
PAGES = REFERENCE / "commands"
MARK = re.compile(
    r"^.*<!-- (commands|formats|format|schemas|schemes|tables)(?:: ([\w-]+))? -->$", re.MULTILINE
)
WRITTEN = re.compile(r"(<!-- (command|options)(?:: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)
CODE = re.compile(
    r"(?<![\w`(-])(--[a-z][\w-]*|[A-Z][A-Z,]*_[A-Z]+[\w.,=]*\w|[a-z]+=[\w|]+|sereval \w+)"
)
LISTS = re.compile(r" One of [^.]*\.")  # of names, which have pages of their own
FIRST = re.compile(r"^\* (`(?:-\w, )?--([\w-]+)[^`]*`)", re.MULTILINE)
OPTIONS_PAGE = "options.md"
OTHERS_TOO = f"[As other commands](../{OPTIONS_PAGE}#options):"
NAMES = re.compile(re.escape(OTHERS_TOO) + r"[^*#<]*")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The text of a page: its marks are replaced, its options have anchors and links to them."""
    markdown = MARK.sub(lambda found: FILLS[found[1]](found[2]), markdown)
    return WRITTEN.sub(lambda found: anchored(found[0]), markdown)


def anchored(text: str) -> str:
    """A list of options with an anchor at the first meaning of each, and links to those shared."""
    known = set()

    def item(found: re.Match[str]) -> str:
        is_first = found[2] not in known
        known.add(found[2])
        return f"* {found[1]}{{ #{found[2]} }}" if is_first else found[0]

    def names(found: re.Match[str]) -> str:
        return re.sub(r"`--([\w-]+)`", rf"[`--\1`](../{OPTIONS_PAGE}#\1)", found[0])

    return NAMES.sub(names, FIRST.sub(item, text))


def with_options(text: str) -> str:
    """A page whose options are those of the program."""
    return WRITTEN.sub(lambda found: f"{found[1]}{WRITERS[found[2]](found[3])}\n{found[4]}", text)


def all_commands() -> dict[str, click.Command]:
    """The commands by name, in the order of ``--help``."""
    context = click.Context(cli, info_name="sereval")
    names = [name for group in GROUPS.values() for name in group]
    found = {name: cli.get_command(context, name) for name in names}
    return {name: command for name, command in found.items() if command is not None}


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a command, in the order of ``--help``."""
    found = [one for one in command.params if isinstance(one, DeclaredOption)]
    return sorted(found, key=lambda one: OPTION_GROUPS.index(group_of(one)))


def group_of(option: click.Option) -> str:
    """The group of an option in ``--help``."""
    return str(getattr(option, "group", OTHERS))


def prose(text: str) -> str:
    """A text of the program as Markdown: names of options and classes are code."""
    return CODE.sub(r"`\1`", " ".join(text.replace("\b", "").split()))


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
    found = prose(LISTS.sub("", text if bracket else extra))
    return f"{found} *{extra.removesuffix(']').capitalize()}.*" if bracket else found


def in_schemes(name: str) -> str:
    """The schemes that take a scoring option, or those that do not; empty: all do."""
    declared = [one for one in OPTIONS.values() if one.on_command_line.split("/")[0] == name]
    taken = [one.name for one in TABLE if not declared or one.takes(declared[0].name)]
    others = [one.name for one in TABLE if one.name not in taken]
    all_but, shown = ("", taken) if len(taken) <= len(others) else ("all but ", others)
    return f" *Schemes: {all_but}{', '.join(shown)}.*" if others else ""


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table of Markdown."""
    escaped = [tuple(cell.replace("|", r"\|") for cell in row) for row in rows]
    lines = [heads, ("---",) * len(heads), *escaped]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@cache
def meanings() -> dict[str, dict[str, tuple[str, str]]]:
    """Of each command the options in order, each with its spelling and its meaning."""
    return {
        name: {
            one.opts[-1]: (spelling(one, command), meaning(one, command))
            for one in options_of(command)
        }
        for name, command in all_commands().items()
    }


@cache
def shared() -> dict[tuple[str, ...], tuple[str, str]]:
    """The options that mean the same in several commands: their group, and how it is written."""
    seen: dict[tuple[str, ...], tuple[str, str]] = {}
    found = {}
    for name, command in all_commands().items():
        groups = {one.opts[-1]: group_of(one) for one in options_of(command)}
        for option, (spelled, said) in meanings()[name].items():
            key = identity(option, spelled, said)
            if key in seen:
                found[key] = seen[key]
            seen.setdefault(key, (groups[option], item(spelled, said + in_schemes(option))))
    return dict(sorted(found.items()))


def identity(option: str, spelled: str, said: str) -> tuple[str, ...]:
    """What tells one meaning of an option from another: its choices and what it does."""
    return option, spelled if "[" in spelled else "", said


def item(spelled: str, said: str) -> str:
    """An option in a list."""
    return wrapped(f"* `{spelled}`: {said}", indent="  ")


def wrapped(text: str, indent: str = "") -> str:
    """A text in lines that are not too long."""
    return textwrap.fill(
        text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def one_command(name: str) -> str:
    """A command: how it is called, its own options, the names of those that others have too."""
    command = all_commands()[name]
    context = click.Context(command, info_name=name, **cli.context_settings)
    parts = [f"`sereval {' '.join([name, *command.collect_usage_pieces(context)])}`"]
    has_schemes = any(one.name == "scheme" for one in command.params)
    own, others = [], []
    for option, (spelled, said) in meanings()[name].items():
        if identity(option, spelled, said) in shared():
            others.append(f"`{option}`")
        else:
            own.append(item(spelled, said + (in_schemes(option) if has_schemes else "")))
    parts += ["\n".join(own)] if own else []
    parts += [wrapped(f"{OTHERS_TOO} {', '.join(others)}.")] if others else []
    return "\n\n".join(parts)


def shared_options(_: str | None) -> str:
    """The options that several commands have, by group."""
    groups: dict[str, list[str]] = {name: [] for name in OPTION_GROUPS}
    for group, text in shared().values():
        groups[group].append(text)
    return "\n\n".join(
        f"### {name}\n\n" + "\n".join(items) for name, items in groups.items() if items
    )


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
    "commands": every_command,
    "formats": every_format,
    "format": lambda name: FORMATS[name].manual(),
    "tables": every_table,
    "schemes": every_scheme,
    "schemas": lambda _: ", ".join(f"[`{name}`](schemas/{name}.json)" for name in COMMANDS),
}
WRITERS: dict[str, Callable[[Any], str]] = {"command": one_command, "options": shared_options}

if __name__ == "__main__":
    for path in REFERENCE.rglob("*.md"):
        path.write_text(with_options(path.read_text("utf-8")), "utf-8")
