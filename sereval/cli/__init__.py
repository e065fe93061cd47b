"""The command line: arguments to calls to files.

The only room that prints, opens outputs and sets an exit status: 0 done, 1 bad input (one line on
stderr, nothing on stdout, no output file), 2 usage. Standard output carries nothing but results.
One module per command; ``inputs`` and ``outputs`` hold what commands share.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from functools import wraps
from importlib import import_module
from typing import Any

import click

from ..errors import SerevalError, one_line
from ..version import __version__
from .places import Place, with_places
from .signals import Ended
from .streams import Closed, visible

COMMANDS = {
    "score": "score",
    "compare": "compare",
    "sweep": "sweep",
    "audit": "audit",
    "project": "project",
    "agreement": "agreement",
    "templates": "templates",
    "check": "check",
    "show": "show_command",
    "convert": "convert",
    "verify": "verify",
    "doctor": "doctor",
}
"""What each command is called in the module of its name, which is loaded when it is wanted."""

ARGUMENTS = "sereval.arguments"
"""Where the context has the words that its command was called with, for ``provenance``."""

FOUND = "sereval.found"
"""Where the context has the name of a file of settings that nobody asked for."""


class _Commands(click.Group):
    """The group of ``COMMANDS``: nobody waits for the modules of a command that does not run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        wanted = [cmd_name] if cmd_name in COMMANDS else COMMANDS  # all, to say what was meant
        for name in wanted:
            if name not in self.commands:
                module = import_module(f".{name}", __package__)
                self.add_command(_telling(with_places(getattr(module, COMMANDS[name]))))
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, and what is left for it, which the context keeps."""
        name, command, rest = super().resolve_command(ctx, args)
        ctx.meta[ARGUMENTS] = tuple(rest)
        return name, command, rest


def _telling(command: click.Command) -> click.Command:
    """The command, which names the settings that nobody asked for before it does its work."""
    work = command.callback
    assert work is not None

    @wraps(work)
    def tell_and_work(*args: Any, **given: Any) -> Any:
        context = click.get_current_context()
        if FOUND in context.meta:
            from .provenance import say_settings  # for those who have some

            say_settings(context)
        return work(*args, **given)

    command.callback = tell_and_work
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        arguments: without the program's name; ``None``: those of this process.
    """
    sys.stdout, sys.stderr = sys.stdout or Closed(), sys.stderr or Closed()
    try:
        status = cli.main(arguments, prog_name="sereval", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        click.echo(visible(said.getvalue()), err=True, nl=False)
        return error.exit_code
    except SerevalError as error:
        click.echo(f"sereval: {one_line(str(error))}", err=True)
        _give_up_output()
        return 1
    except click.Abort as abort:
        signal = abort.__cause__
        how, number = ("ended", signal.number) if isinstance(signal, Ended) else ("interrupted", 2)
        click.echo(f"sereval: {how}", err=True)
        return 128 + number
    except MemoryError:
        click.echo("sereval: not enough memory for what is to be read", err=True)
        return 1
    except BrokenPipeError:  # whoever read the result has seen enough
        _give_up_output()
        return 141
    except OSError as error:  # the commands look after the files that they are given
        click.echo(f"sereval: {_what_failed(error)}", err=True)
        _give_up_output()
        return 1


def _give_up_output() -> None:
    """Drop what standard output does not take: Python would try to write it again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _what_failed(error: OSError) -> str:
    """What the system refused, where no command knows."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return "working directory: it was deleted, expected one that exists"
    what = "standard output" if error.filename is None else os.fsdecode(error.filename)
    return f"{one_line(what)}: {error.strerror or error}"


@click.group(cls=_Commands, context_settings={"max_content_width": 100})
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option(
    "--config",
    metavar="FILE",
    type=Place(),
    help="A TOML file with options, for where the command line does not say them; by default "
    "[tool.sereval] of pyproject.toml, if it is here. none: no file.",
)
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """Score structured named entities found in speech and other noisy text.

    REF, HYP and TIMES are files, folders, or - for standard input; documents pair by name.
    """
    from .config import defaults  # not for --version and --help, which nobody wants to wait for

    context.default_map = defaults(context, config) or context.default_map
