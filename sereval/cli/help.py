"""The help of the commands: options in named groups, examples, and the options of one scheme.

The group of an option stands with its declaration. An option with a letter, such as ``-t``, is
among those that most readers need, so it stands first. If a command has ``--scheme``, its help
shows the options that this scheme takes.

click prints all options in one list. cloup groups them, but its import alone doubles the time of
``sereval --version``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from . import ARGUMENTS

if TYPE_CHECKING:
    from ..schemes.table import Scheme

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


class GroupedOption(click.Option):
    """An option in a group of ``--help``.

    Args:
        group: one of ``GROUPS``; an option with a letter stands in the first one.
        arguments, attributes: as ``click.Option``.
    """

    def __init__(self, *arguments: Any, group: str = OTHERS, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.group = FIRST if any(len(name) == 2 for name in self.opts) else group

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The name of the option in messages: its long spelling."""
        return f"'{self.opts[-1]}'"


class Command(click.Command):
    """A command whose help has examples and groups of options.

    Args:
        examples: command lines without the name of the program.
        arguments, attributes: as ``click.Command``.
    """

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.examples = examples

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, then the examples."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}sereval {example}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group; then how the options of other schemes are shown."""
        scheme = _scheme(ctx)
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
            if record is not None and _is_taken(scheme, one.name or ""):
                groups[getattr(one, "group", OTHERS)].append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records, col_max=LONGEST)
        if scheme is not None:
            formatter.write_paragraph()
            formatter.write_text(
                f"These are the options of the scheme {scheme.name}. sereval schemes lists the "
                f"schemes; sereval {ctx.info_name} --scheme NAME --help shows the options of one."
            )


option: Callable[..., Callable[[Any], Any]] = partial(click.option, cls=GroupedOption)
"""``click.option`` with a ``group``."""

command: Callable[..., Callable[[Any], Any]] = partial(click.command, cls=Command)
"""``click.command`` with ``examples``."""


def _is_taken(scheme: Scheme | None, name: str) -> bool:
    """Whether a scheme takes an option; a command without schemes takes all its options."""
    return scheme is None or name in NEEDED or scheme.takes(name)


def _scheme(context: click.Context) -> Scheme | None:
    """The scheme of the command line or the settings; ``None``: the command has no schemes."""
    from ..schemes.table import SCHEMES  # --version does not wait for it

    options = {one.name: one for one in context.command.params}
    if "scheme" not in options:
        return None
    words = list(context.meta.get(ARGUMENTS, ()))
    lenient = click.Context(context.command, resilient_parsing=True)
    raw, _, _ = context.command.make_parser(lenient).parse_args(words)
    name = raw.get("scheme") or context.lookup_default("scheme") or options["scheme"].default
    return SCHEMES.get(str(name))


def write_commands(
    formatter: click.HelpFormatter, groups: Mapping[str, Sequence[click.Command]]
) -> None:
    """Write the commands with their summaries in full, group by group.

    Args:
        formatter: click's formatter.
        groups: the commands of each group.
    """
    width = max(len(one.name or "") for commands in groups.values() for one in commands)
    for title, commands in groups.items():
        with formatter.section(title):
            formatter.write_dl([*_summaries(commands, width)])


def _summaries(commands: Sequence[click.Command], width: int) -> Iterator[tuple[str, str]]:
    for one in commands:
        yield f"{one.name or '':{width}}", (one.help or "").partition("\n\n")[0].replace("\n", " ")
