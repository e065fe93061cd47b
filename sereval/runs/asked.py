"""The options of a run as the user set them, on the command line or as arguments of a function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..schemes.options import OPTIONS
from ..schemes.table import SCHEMES


class Wording(NamedTuple):
    """How a message names options.

    Args:
        option: names an option by the name of its parameter, at the start of a message.
        value: names an option with a value.
    """

    option: Callable[[str], str]
    value: Callable[[str, object], str]


def flag(name: str) -> str:
    """The spelling of an option on the command line.

    Args:
        name: the name of its parameter.

    >>> flag("label_map"), flag("align")
    ('--map', '--align')
    """
    option = OPTIONS.get(name)
    return option.on_command_line if option else f"--{name.replace('_', '-')}"


def argument(name: str) -> str:
    """The name of an option as an argument in Python: its flag with underscores.

    Args:
        name: the name of its parameter.

    >>> argument("label_map"), argument("extent"), argument("is_bound")
    ('map', 'extent_tolerance', 'upper_bound')
    """
    return flag(name).removeprefix("--").replace("-", "_")


FLAGS = Wording(flag, lambda name, value: f"{flag(name)} {value}")
"""The wording of the command line."""

ARGUMENTS = Wording(
    lambda name: f"argument {argument(name)}",
    lambda name, value: f"{argument(name)}={str(value)!r}",
)
"""The wording of the functions in Python."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user asks of a run.

    Args:
        values: the values of all options, defaults included, by name of the parameter.
        named: the names of the options that the user set in the command or the call.
        chosen: the same, and those from a file of settings.
        schemes: the names of the schemes that the command or the function offers.
        wording: how messages name options.
        what: the name of the command or function.
    """

    values: Mapping[str, Any]
    named: Collection[str] = ()
    chosen: Collection[str] = ()
    schemes: Collection[str] = tuple(SCHEMES)
    wording: Wording = FLAGS
    what: str = "score"

    def but(self, **values: Any) -> Asked:
        """The same with other values of some options."""
        return replace(self, values={**self.values, **values})

    def option(self, name: str) -> str:
        """The name of an option, at the start of a message."""
        return self.wording.option(name)

    def value(self, name: str, value: object) -> str:
        """The name of an option, with a value."""
        return self.wording.value(name, value)
