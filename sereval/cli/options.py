"""The options of the commands: types of values, and groups that several commands have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import click

from ..analysis.resampling import UNITS, Resampling
from ..errors import SerevalError
from ..formats import FORMATS, POLICIES, TIMES
from ..runs.scoring import WRITTEN
from ..runs.sides import column_names, reading_policies
from ..schemes.measure import parse_measure, parse_measures
from ..schemes.options import OPTIONS, Option
from ..schemes.table import schemes_that_count
from .parameters import GroupedOption, OutputPath, PathText, ReadingText

# Types


class AtLeast(click.IntRange):
    """The type of an option that takes a whole number with a lower limit."""

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


# Declarations

PATHS = ("FILE", "PATH", "TIMES", "GRAMMAR", "NAME|FILE", "LIST")
"""The placeholders of options whose value is a path."""


def parsed(parse: Callable[[Any], Any]) -> Callable[[Any, Any, Any], Any]:
    """The callback of an option that parses its text; an error becomes one of usage."""

    def callback(_context: click.Context, _option: click.Parameter, text: Any) -> Any:
        try:
            return None if text is None else parse(text)
        except SerevalError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def option(
    *names: str,
    type: Any = None,
    choices: Iterable[str] = (),
    least: int | None = None,
    parse: Callable[[Any], Any] | None = None,
    metavar: str | None = None,
    **attributes: Any,
) -> GroupedOption:
    """An option of a command."""
    if choices:
        type = click.Choice([*choices])
    elif least is not None:
        type = AtLeast(least)
    elif type is None and metavar in PATHS:
        type = PathText()
    callback = None if parse is None else parsed(parse)
    return GroupedOption(names, type=type, metavar=metavar, callback=callback, **attributes)


def choice_option(*names: str, choices: Sequence[str], **attributes: Any) -> GroupedOption:
    """An option with a choice of values, of which the first is the default."""
    return option(*names, choices=choices, default=choices[0], **attributes)


Options = tuple[GroupedOption, ...]

FILES = "Files and formats"

# Scoring


def scoring_options(command: str, *units: str, **defaults: Any) -> Options:
    """The scoring options of a command."""
    schemes = schemes_that_count(*units)
    found = []
    for one in OPTIONS.values():
        if command in one.commands.split():
            own = one._replace(default=defaults.get(one.name, one.default))
            if one.name == "scheme":
                own = own._replace(help=f"{own.help} One of {', '.join(schemes)}.", choices=schemes)
            found.append(_declared(own))
    return tuple(found)


def _declared(one: Option) -> GroupedOption:
    return option(
        *filter(None, (one.letter, one.on_command_line)),
        one.name,
        group=one.group,
        common=one.is_common,
        type=OutputPath() if one.name in WRITTEN else None,
        choices=one.choices,
        least=one.least,
        parse=one.parse,
        metavar=one.metavar,
        default=one.default,
        is_flag=one.is_flag,
        multiple=one.is_multiple,
        help=one.help,
    )


measure_option = option(
    "--measure",
    common=True,
    group="Scoring",
    metavar="MEASURE",
    parse=parse_measure,
    help="Scheme, figure and options in one name, such as SER(pairing=half)@0.3 or "
    "mitre.content(extent=2), instead of --scheme, --figure and the options themselves.",
)


def _measures_option(help: str) -> GroupedOption:
    return option(
        *("--measure", "measures"),
        common=True,
        group="Scoring",
        metavar="MEASURES",
        parse=parse_measures,
        help=help,
    )


several_option = _measures_option(
    "Measures instead of --scheme, --figure and the options themselves: names with commas "
    "between them, such as SER@0.3,F1@0.3,mitre.type. A name holds the options that differ from "
    "the defaults: SER(pairing=half)@0.3."
)
measures_option = _measures_option(
    "Print only these measures, from one run: names with commas between them, such as "
    "SER,F1,WER,mitre.type. A name holds the options that differ from the defaults: "
    "SER(pairing=half)@0.3."
)
alternatives_option = option(
    "--alternatives",
    group="Scoring",
    metavar="PATH",
    multiple=True,
    help="Other readings of stretches of REF: files ID.norm.json and ID.nlp as in Earnings-21, or "
    "folders with them. May be repeated. Word error rates take the reading that costs least.",
)
jobs_option = option(
    "--jobs",
    group="Work",
    metavar="N",
    least=1,
    default=1,
    help="Number of processes that share the documents. It changes no figure.",
)

DEFAULT = Resampling()


def resampling_options(
    resamples: str, confidence: float | None = DEFAULT.confidence, *, has_unit: bool = True
) -> Options:
    """The options of resampling."""
    of_confidence = "Confidence level of the intervals."
    if not has_unit:
        of_confidence = "A difference is significant if p is at most 1 less this number."
    elif confidence is None:
        of_confidence = (
            "Confidence level of the intervals, such as 0.95 or 95; without it there are none."
        )
    unit = choice_option(
        "--unit",
        choices=UNITS,
        help="What is resampled; auto: documents, or utterances if there are fewer than 10 "
        "documents.",
        group="Intervals",
    )
    return (
        option(
            "--resamples",
            group="Intervals",
            metavar="N",
            least=1,
            default=DEFAULT.resamples,
            help=resamples,
        ),
        option(
            "--seed",
            group="Intervals",
            metavar="N",
            least=0,
            default=DEFAULT.seed,
            help="Seed of the random numbers: equal seeds give equal reports.",
        ),
        option(
            "--confidence",
            group="Intervals",
            metavar="RATE",
            type=Share(),
            default=confidence,
            help=of_confidence,
        ),
        *([unit] if has_unit else []),
    )


# Files

system_option = option(
    *("--system", "names"),
    group=FILES,
    metavar="NAME",
    multiple=True,
    help="Name of a system, once for each HYP; by default the part of each path that differs.",
)

_CHOICES = (
    f"{name}={'SCHEME' if name == 'tags' else '|'.join(others)}"
    for name, (_, *others) in POLICIES.items()
    if name != "unreadable"  # it has an option of its own
)

encoding_option = option(
    "--encoding",
    group=FILES,
    metavar="NAME",
    default="utf-8",
    help="Encoding of all files that are read.",
)
reading_options: Options = (
    encoding_option,
    option(
        *("--read", "reading"),
        group=FILES,
        type=ReadingText(),
        metavar="NAME=POLICY",
        multiple=True,
        parse=reading_policies,
        help="What to do where a format leaves a choice: "
        f"{', '.join(_CHOICES)} (docs/reference/formats.md). May be repeated.",
    ),
    choice_option(
        "--unreadable",
        group=FILES,
        choices=POLICIES["unreadable"],
        help="What to do with an answer of a language model that cannot be read: refuse it "
        "(error), or take it as an empty one (empty), which is counted.",
    ),
    option(
        "--columns",
        group=FILES,
        metavar="NAME,…",
        parse=column_names,
        default="",
        show_default=False,
        help="The columns of tags in files of columns, by name or by number: the levels of one "
        "tree, the outermost first; by default the last column. word=NAME is the column of the "
        "words.",
    ),
)
tier_option = option(
    "--tier",
    group=FILES,
    metavar="NAME",
    multiple=True,
    help="Exact name of the tier of the words. May be repeated, for the tiers of several speakers.",
)


def format_option(
    *names: str, formats: Iterable[str], help: str, common: bool = False
) -> GroupedOption:
    """An option that names the format of files; ``help`` ends with the list of the formats."""
    return option(*names, group=FILES, choices=formats, metavar="FORMAT", help=help, common=common)


def file_options(what: str, formats: Iterable[str], *others: GroupedOption) -> Options:
    """The options of a command that reads files of one kind."""
    known = [*formats]
    source_format = format_option(
        *("--from", "source_format"),
        formats=known,
        help=f"Format of {what}; by default the suffix says it. One of {', '.join(known)}.",
        common=True,
    )
    return (source_format, *others, *reading_options)


def _side_options(more: str = "", **words: Any) -> Options:
    """The options of a command that reads both sides."""
    sides = {
        "ref": ("REF", FORMATS, f"One of {', '.join(FORMATS)}."),
        "hyp": ("HYP", FORMATS, "As --ref-format."),
        "align": ("--align", TIMES, f"One of {', '.join(TIMES)}."),
        "words": ("--words", TIMES, "As --align-format."),
    }
    return (
        option(
            *("-a", "--align"),
            metavar="TIMES",
            help="File or folder with the times of REF's words.",
        ),
        option(
            *("-w", "--words"),
            metavar="TIMES",
            help=f"File or folder with the times of HYP's words{more}.",
            **words,
        ),
        option(
            "--name",
            group=FILES,
            metavar="NAME",
            help="Name for the document, if REF and HYP have one each; by default REF's.",
        ),
        *(
            format_option(
                f"--{side}-format",
                formats=known,
                help=f"Format of {what}; by default its suffix says it. {which}",
            )
            for side, (what, known, which) in sides.items()
        ),
        option(
            "--hyp-columns",
            group=FILES,
            metavar="NAME,…",
            parse=column_names,
            default="",
            show_default=False,
            help="As --columns, for HYP; by default the same.",
        ),
        tier_option,
        *reading_options,
    )


side_options = _side_options()
systems_options = _side_options(
    more=": once for all HYPs, or once for each, in their order", multiple=True
)
groups_option = option(
    "--groups",
    group="Output",
    metavar="FILE",
    help="Report each group of documents too: a line for each document, its id, a tab and its "
    "group; or a TOML file.",
)

speakers_option = option(
    "--speakers",
    group="Output",
    metavar="PATH",
    help="Also score the elements of each speaker: whose turn in this RTTM or STM file, or folder "
    "of such files, has most of the time of an element.",
)

# Selection

document_option = option(
    *("--document", "documents"),
    common=True,
    group="Selection",
    metavar="ID",
    multiple=True,
    help="Show this document only. May be repeated.",
)
label_option = partial(
    option,
    *("--label", "labels"),
    group="Selection",
    common=True,
    metavar="LABEL",
    multiple=True,
)

# Output


def output_options(
    formats: Sequence[str],
    help: str = "Format of the result.",
    metavar: str = "FILE",
    output_help: str = "Write the result to this file, in the format of its suffix; by default, to "
    "standard output.",
) -> Options:
    """The options ``--format`` and ``--output``, whose suffix names the format."""
    table = option(
        "--table",
        group="Output",
        metavar="NAME",
        help="The table that csv has, by its name in the JSON; by default the first.",
    )
    return (
        choice_option("-f", "--format", choices=formats, help=help),
        *([table] if "csv" in formats else []),
        output_option(metavar, output_help),
        *(PAGE_OPTIONS if "html" in formats else ()),
    )


def output_option(metavar: str, help: str) -> GroupedOption:
    """The option ``--output``."""
    return option(
        *("-o", "--output"),
        type=OutputPath(),
        default="-",
        show_default=False,
        metavar=metavar,
        help=help,
    )


PAGE_OPTIONS: Options = (
    option(
        "--audio",
        group="Output",
        type=PathText("link"),
        metavar="DIR",
        help="Folder of recordings for html: ID.wav, .flac, .mp3, .ogg, .m4a.",
    ),
    option(
        "--embed",
        group="Output",
        is_flag=True,
        help="Put the recordings of --audio into the page, as they are, instead of links to them.",
    ),
    option(
        *("--split", "size"),
        group="Output",
        metavar="N",
        least=1,
        help="For html of a large corpus: pages of N documents each and an index, in the folder of "
        "-o.",
    ),
)
