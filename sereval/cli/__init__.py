"""The command line: arguments to calls to files.

The only room that prints, opens outputs and sets an exit status: 0 done, 1 bad input (one line on
stderr, nothing on stdout, no output file), 2 usage. Standard output carries nothing but results.
One module per command; ``inputs`` and ``outputs`` hold what commands share.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from .. import __version__
from ..errors import SerevalError, one_line
from .agreement import agreement
from .audit import audit
from .check import check
from .compare import compare
from .config import defaults
from .convert import convert
from .doctor import doctor
from .places import Place, with_places
from .project import project
from .provenance import Commands
from .score import score
from .show import show_command as show
from .sweep import sweep
from .templates import templates
from .verify import verify


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        arguments: without the program's name; ``None``: those of this process.
    """
    try:
        status = cli.main(arguments, prog_name="sereval", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SerevalError as error:
        click.echo(f"sereval: {one_line(str(error))}", err=True)
        return 1
    except click.Abort:
        click.echo("sereval: interrupted", err=True)
        return 130
    except BrokenPipeError:  # whoever read the result has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:  # of --help and --version: the commands look after their own
        click.echo(f"sereval: standard output: {error.strerror or error}", err=True)
        return 1


@click.group(cls=Commands, context_settings={"max_content_width": 100})
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
    context.default_map = defaults(context, config)


for command in (
    score,
    compare,
    sweep,
    audit,
    project,
    agreement,
    templates,
    check,
    show,
    convert,
    verify,
    doctor,
):
    cli.add_command(with_places(command))
