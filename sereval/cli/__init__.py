"""The command line: a module for each command, and modules with what commands share.

This folder alone prints, opens outputs and sets the exit status: 0 done; 1 bad input, with one line
on standard error and no result; 2 wrong usage; 3 a score that does not pass a gate; 141 the reader
of standard output stopped reading. Standard output carries only results. A command reads its
options and the documents, which are scored as they are read, and writes its report with its origin
(``line``, ``outputs``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import Any

import click

from ..errors import Problems, SerevalError
from ..version import __version__
from .outputs import PathText, visible, warn

GROUPS = {
    "Score": {"score": "score", "sweep": "compare", "templates": "templates", "schemes": "score"},
    "Look": {"audit": "compare", "blame": "compare", "align": "compare", "show": "documents"},
    "Compare": {"compare": "compare", "agreement": "score"},
    "Prepare": {
        "doctor": "doctor",
        "check": "documents",
        "stats": "documents",
        "convert": "documents",
        "formats": "documents",
        "baseline": "documents",
        "project": "documents",
    },
    "Prove": {"gate": "prove", "selftest": "prove", "schema": "prove"},
}
"""The module of each command, by what a reader wants, in the order of ``--help``."""

COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}
"""The module of each command, which is its function there."""

SETTINGS_FILE = "sereval.settings_file"
"""The key, in the context, of a file of settings that ``--config`` does not name."""


class _Commands(click.Group):
    """The group of ``COMMANDS``, which loads a module only if its command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        wanted = (
            [cmd_name] if cmd_name in COMMANDS else COMMANDS
        )  # all commands: click suggests a similar one
        for name in wanted:
            if name not in self.commands:
                module = import_module(f".{COMMANDS[name]}", __package__)
                self.add_command(getattr(module, name))
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, group by group, with their summaries in full."""
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (f"{name:{width}}", " ".join((one.help or "").split("\n\n")[0].split()))
                        for name in names
                        if (one := self.get_command(ctx, name)) is not None
                    ]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The names of commands, without their summaries, which would load all their modules."""
        from click.shell_completion import CompletionItem  # click loads it for a shell alone

        known = [*self.list_commands(ctx), "help", "version"]
        names = [name for name in known if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*map(CompletionItem, names), *options]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words before the command; ``help`` and ``version`` are words for options."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        elif args == ["version"]:
            args = ["--version"]
        return super().parse_args(ctx, args)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    sys.stdout, sys.stderr = sys.stdout or StringIO(), sys.stderr or StringIO()  # if closed
    try:
        status = cli.main(arguments, prog_name="sereval", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        message = StringIO()
        error.show(message)
        if isinstance(error, click.UsageError):
            from .parameters import hint

            message.write(hint(error, sys.argv[1:] if arguments is None else arguments))
        click.echo(visible(message.getvalue()), err=True, nl=False)
        return error.exit_code
    except click.Abort:  # Ctrl-C, or a signal that ends the command as this does
        warn("interrupted")
        return 130
    except (SerevalError, MemoryError, OSError) as error:
        said = _describe(error)
        for line in said.split("\n") if isinstance(error, Problems) else [said]:
            warn(line)
        try:
            sys.stdout.flush()
        except OSError:
            # Python would try again when it exits
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SystemExit:  # click leaves if a reader stops reading, or when it completed words
        if "_SEREVAL_COMPLETE" in os.environ:
            raise
        return 141


def _describe(error: SerevalError | MemoryError | OSError) -> str:
    """The message of an error. An error of the system here concerns no file of a command."""
    if isinstance(error, SerevalError):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory to read the files"
    try:
        os.getcwd()
    except FileNotFoundError:
        return "working directory: it was deleted, expected one that exists"
    what = "standard output" if error.filename is None else os.fsdecode(error.filename)
    return f"{what}: {error.strerror or error}"


@click.group(
    cls=_Commands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option(
    "--config",
    metavar="FILE",
    type=PathText(),
    help="A TOML file of options, or none (default: pyproject.toml).",
)
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """Score named entities found in speech and other noisy text.
    The first command is sereval score REF HYP; sereval help COMMAND explains one.
    """
    from .parameters import defaults  # --version and --help do not wait for it

    context.default_map = defaults(context, cli, config) or context.default_map
