"""Parts of the options of several commands: types of values, and groups of options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import click

from ..errors import SerevalError
from .help import OTHERS, option


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order of ``--help``."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def parsed(parse: Callable[[str], Any]) -> Callable[[Any, Any, str | None], Any]:
    """The callback of an option that parses its text.

    Args:
        parse: makes the value from the text; its ``SerevalError`` becomes a usage error.
    """

    def callback(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def choice_option(
    flag: str,
    values: Iterable[str],
    help: str,
    *,
    group: str = OTHERS,
    letter: str | None = None,
    common: bool = False,
) -> Callable[[Any], Any]:
    """An option with a choice of values, of which the first is the default."""
    names = list(values)
    flags = filter(None, (letter, flag))
    return option(
        *flags,
        group=group,
        common=common,
        type=click.Choice(names),
        default=names[0],
        help=help,
    )


class AtLeast(click.IntRange):
    """The type of an option that takes a whole number with a lower limit.

    Args:
        least: the smallest number.
    """

    def __init__(self, least: int) -> None:
        super().__init__(min=least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of a text."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(
                f"found {str(value)!r}, expected a whole number of {self.min} or more", param, ctx
            )


class Share(click.FloatRange):
    """The type of an option that takes a number between 0 and 1, or a percentage above 1."""

    def __init__(self) -> None:
        super().__init__(0, 1, min_open=True, max_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of a text: ``0.95`` and ``95`` are equal."""
        found = value
        if re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,9})?", str(value)) and Decimal(value) > 1:
            found = Decimal(value) / 100
        try:
            return float(super().convert(found, param, ctx))
        except click.BadParameter:
            self.fail(
                f"found {str(value)!r}, expected a number between 0 and 1, such as 0.95, "
                "or a percentage, such as 95",
                param,
                ctx,
            )
