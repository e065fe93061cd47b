"""The options of scoring and of resampling, and their values on a command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from ..analysis.resampling import UNITS, Resampling
from ..runs.scoring import RunRequest
from ..schemes.options import OPTIONS, Option
from ..schemes.table import schemes_that_count
from .help import option
from .inputs import HOOKS
from .options import AtLeast, Share, choice_option, options, parsed
from .outputs import writable_as
from .paths import OUTPUTS

# The options of a command


def scoring_options(command: str, *units: str, **defaults: Any) -> Callable[[Any], Any]:
    """The scoring options of a command, as one decorator.

    Args:
        command: the name of the command, as in ``Option.commands``.
        units: the units that its schemes count, values of ``Scheme.counts``.
        defaults: the values of options that have another default in this command, by name.
    """
    schemes = schemes_that_count(*units)
    found = (
        one.of(command)._replace(default=defaults.get(one.name, one.default))
        for one in OPTIONS.values()
        if command in one.commands.split()
    )
    return options(
        *(
            _click_option(one._replace(help=f"{one.help} One of {', '.join(schemes)}."), schemes)
            if one.name == "scheme"
            else _click_option(one, one.choices)
            for one in found
        )
    )


def _click_option(declared: Option, choices: Sequence[str]) -> Callable[[Any], Any]:
    kind = click.Choice(choices) if choices else None
    callback = None if declared.parse is None else parsed(declared.parse)
    return option(
        *filter(None, (declared.letter, declared.on_command_line)),
        declared.name,
        group=declared.group,
        common=declared.is_common,
        type=kind if declared.least is None else AtLeast(declared.least),
        metavar=declared.metavar,
        default=declared.default,
        is_flag=declared.is_flag,
        multiple=declared.is_multiple,
        callback=writable_as() if declared.name in OUTPUTS else callback,
        help=declared.help,
    )


workers_options = options(
    option(
        "--jobs",
        group="Work",
        metavar="N",
        type=AtLeast(1),
        default=1,
        help="Number of processes that share the documents. It changes no figure.",
    ),
    option(
        "--scheduler",
        group="Work",
        metavar="ADDRESS",
        help="Score on the Dask cluster of this address, such as tcp://10.0.0.1:8786; needs "
        "sereval[dask].",
    ),
)


# The scoring that they ask for


def on_command_line(context: click.Context) -> dict[str, str]:
    """The options on the command line as they are written, by name of the parameter."""
    return {
        option.name: option.opts[-1]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def asked_of(values: Mapping[str, Any]) -> RunRequest:
    """What the user asks of the running command.

    Args:
        values: the values of its options, by name of the parameter.
    """
    context = click.get_current_context()
    source = context.get_parameter_source
    names = [option.name for option in context.command.params if option.name]
    offered = [one.type for one in context.command.params if one.name == "scheme"]
    values = dict(values)
    if "measures" in values:
        values["measure"] = values.pop("measures")
    if not isinstance(values.get("words", ()), tuple):
        values["words"] = (values["words"],) if values["words"] else ()
    return RunRequest(
        values,
        tuple(on_command_line(context)),
        tuple(name for name in names if source(name) is not ParameterSource.DEFAULT),
        tuple(choice for one in offered if isinstance(one, click.Choice) for choice in one.choices),
        what=context.info_name or "",
        hooks=HOOKS,
    )


# Resampling

DEFAULT = Resampling()


def resampling_options(
    resamples: str, confidence: float | None = DEFAULT.confidence, *, has_unit: bool = True
) -> Callable[[Any], Any]:
    """The options of resampling, as one decorator.

    Args:
        resamples: the help of ``--resamples``.
        confidence: the default of ``--confidence``; ``None``: without it there are no intervals.
        has_unit: whether the user chooses the unit; if not, there is a test and no interval.
    """
    unit = choice_option(
        "--unit",
        UNITS,
        "What is resampled; auto: documents, or utterances if there are fewer than 10 documents.",
        group="Intervals",
    )
    return options(
        option(
            "--resamples",
            group="Intervals",
            metavar="N",
            type=AtLeast(1),
            default=DEFAULT.resamples,
            help=resamples,
        ),
        option(
            "--seed",
            group="Intervals",
            metavar="N",
            type=AtLeast(0),
            default=DEFAULT.seed,
            help="Seed of the random numbers: equal seeds give equal reports.",
        ),
        option(
            "--confidence",
            group="Intervals",
            metavar="RATE",
            type=Share(),
            default=confidence,
            help=_confidence_help(confidence, has_unit=has_unit),
        ),
        *([unit] if has_unit else []),
    )


def _confidence_help(confidence: float | None, *, has_unit: bool) -> str:
    """The help of ``--confidence``; arguments as for :func:`resampling_options`."""
    if not has_unit:
        return "A difference is significant if p is at most 1 less this number."
    if confidence is None:
        return "Confidence level of the intervals, such as 0.95 or 95; without it there are none."
    return "Confidence level of the intervals."


def take_resampling(values: Mapping[str, Any]) -> tuple[Resampling, dict[str, Any]]:
    """The settings of resampling, and the values of the other options."""
    own = {name: values[name] for name in Resampling.__dataclass_fields__ if name in values}
    return Resampling(**own), {name: one for name, one in values.items() if name not in own}


def asked_resampling(values: Mapping[str, Any]) -> tuple[Resampling | None, dict[str, Any]]:
    """The settings of resampling if ``--confidence`` asks for an interval, and the other options.

    Raises:
        click.UsageError: an option of resampling without ``--confidence``.
    """
    if values["confidence"] is not None:
        return take_resampling(values)
    flags = on_command_line(click.get_current_context())
    for name in Resampling.__dataclass_fields__:
        if name in flags:
            raise click.UsageError(f"{flags[name]} goes with --confidence")
    return None, take_resampling({**values, "confidence": 0.5})[1]
