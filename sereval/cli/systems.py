"""The option that names the systems of several HYPs."""

from __future__ import annotations

from .help import option

system_option = option(
    "--system",
    "names",
    group="Files and formats",
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default the part of each path that differs.",
)
