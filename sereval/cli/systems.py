"""The option that names the systems of several HYPs."""

from __future__ import annotations

import click

system_option = click.option(
    "--system",
    "names",
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default the part of each path that differs.",
)
