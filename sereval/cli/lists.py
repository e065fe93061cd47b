"""``sereval formats``, ``sereval schemes`` and ``sereval schema``: what there is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from textwrap import wrap

import click

from ..formats import FORMATS, WRITERS
from ..formats.table import Format
from ..report import schemas
from ..schemes.options import OPTIONS
from ..schemes.table import TABLE, Scheme
from .line import Line, command
from .options import output_option
from .outputs import named_format


@command(
    "",
    examples=(
        "formats",
        "convert data/ref brat/ --to brat",
        "score data/ref data/hyp/gazetteer/manual --hyp-format inline",
    ),
)
def formats(_: Line) -> str:
    """List the formats of files.

    Each line has what a file holds, whether sereval writes it, and its suffixes. A suffix in
    brackets belongs to several formats; such a file is known by its keys or first line.
    """
    rows = [("format", "holds", "written", "suffixes"), *map(cells, FORMATS.values())]
    widths = [*(max(len(row[k]) for row in rows) for k in range(3)), 0]
    return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


def cells(one: Format) -> tuple[str, ...]:
    """The cells of a format."""
    held = ["words"] if one.has_places else []
    held += ["times"] if one.has_times else []
    held += [("elements" if one.has_places else "mentions")] if one.elements else []
    suffixes = [*one.suffixes, *(f"({suffix})" for suffix in one.shared)]
    return one.name, ", ".join(held), "yes" if one.name in WRITERS else "no", " ".join(suffixes)


@command(
    "",
    examples=(
        "schemes",
        "score --scheme mitre --help-all",
        "score data/ref data/hyp/gazetteer/manual --scheme muc",
    ),
)
def schemes(_: Line) -> str:
    """List the schemes: what each counts, its figures and its options.

    The options that all schemes take are left out. sereval score --scheme NAME --help-all shows all
    options of one scheme with what they do.
    """
    return "\n\n".join("\n".join(_lines(scheme)) for scheme in TABLE) + "\n"


WIDTH = max(len(scheme.name) for scheme in TABLE) + 2


def _lines(scheme: Scheme) -> Iterator[str]:
    """The lines of a scheme: its name with what it counts, its figures, its options."""
    texts = (
        scheme.description,
        f"figures: {', '.join(scheme.figures)}",
        f"options: {', '.join(_flags(scheme.options))}",
    )
    margin = " " * WIDTH
    for k, text in enumerate(texts):
        yield from wrap(
            text,
            80,
            initial_indent=margin if k else f"{scheme.name:{WIDTH}}",
            subsequent_indent=margin,
            break_on_hyphens=False,
            break_long_words=False,
        )


def _flags(names: Iterable[str]) -> list[str]:
    """The options with these names as the command line spells them."""
    return [OPTIONS[name].on_command_line if name in OPTIONS else f"--{name}" for name in names]


@command(
    "",
    click.Argument(["name"], metavar="COMMAND", type=click.Choice(schemas.COMMANDS)),
    output_option("FILE", "Write to this file."),
    examples=("schema score", "schema audit", "schema compare -o compare.schema.json"),
)
def schema(line: Line) -> str:
    """Print the JSON schema of a command's report.

    COMMAND is a command with --format json, or audit, whose schema is that of a line of --format
    jsonl. The schema of project is that of a document in sereval's own format.
    """
    named_format(line.click, "json", line.output, ["json"])
    return json.dumps(schemas.schema(line.name), indent=2) + "\n"
