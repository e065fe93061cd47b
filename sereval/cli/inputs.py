"""The options that say what is read, and what is said of it on standard error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import click

from ..documents.model import Document, Reference
from ..documents.notes import Note, notes_of
from ..errors import InputError, SerevalError, nearest, one_line
from ..formats import FOUND, TIMES, UNKNOWN_FORMAT, ReadingOptions
from ..labels.grammar import load
from .places import RULES, WRITTEN

_D = TypeVar("_D")


class AtLeast(click.IntRange):
    """A whole number that is not too small; click's own words for it are for programmers."""

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


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order of ``--help``."""

    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _format_option(side: str, what: str, formats: Iterable[str]) -> Callable[[Any], Any]:
    return click.option(
        f"--{side}-format",
        type=click.Choice(list(formats)),
        help=f"Format of {what}, if its suffix does not say it.",
    )


def _policies(
    _context: click.Context, _option: click.Parameter, given: Sequence[str]
) -> ReadingOptions:
    """What ``--read`` says."""
    policies: dict[str, str] = {}
    labels: tuple[str, ...] = ()
    for text in given:
        name, _, policy = text.partition("=")
        if name == "equal" and policy != "appearance":  # which is a grammar
            try:
                grammar = load(policy)
            except SerevalError as error:
                raise click.BadParameter(str(error)) from None
            policy, labels = grammar.name, (*grammar.types, *grammar.components)
        policies[name] = policy
    try:
        return ReadingOptions(policies=tuple(sorted(policies.items())), labels=labels)
    except SerevalError as error:
        raise click.BadParameter(str(error)) from None


read_option = click.option(
    "--read",
    "reading",
    metavar="NAME=POLICY",
    multiple=True,
    callback=_policies,
    help="What to do where a format leaves a choice: discontinuous=hull|first, crossing=drop, "
    "equal=GRAMMAR, marks=strip, tags=SCHEME, mentions=nearest (docs/formats.md). May be repeated.",
)


def _listed(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


columns_option = click.option(
    "--columns",
    metavar="NAME,…",
    callback=_listed,
    help="Of files of columns, those that hold tags, the outermost first: levels of one tree, by "
    "name or by number. The last one, if not given. word=NAME is the one that holds the words.",
)

tier_option = click.option(
    "--tier",
    metavar="NAME",
    multiple=True,
    help="Exact name of the tier of the words. May be repeated, for the tiers of several speakers.",
)

encoding_option = click.option(
    "--encoding", metavar="NAME", default="utf-8", show_default=True, help="Of all files read."
)


def _side_options(words: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The options of a command that reads both sides; ``--words`` is given."""
    return options(
        click.option(
            "--align", metavar="TIMES", help="Times of REF's words, in a format of --align-format."
        ),
        words,
        click.option("--name", help="Name of the document, where REF and HYP are one of each."),
        _format_option("ref", "REF", FOUND),
        _format_option("hyp", "HYP", FOUND),
        _format_option("align", "--align", TIMES),
        _format_option("words", "--words", TIMES),
        tier_option,
        encoding_option,
        read_option,
        columns_option,
    )


WORDS_HELP = "Times of HYP's words, in a format of --words-format"

side_options = _side_options(click.option("--words", metavar="TIMES", help=f"{WORDS_HELP}."))

systems_options = _side_options(  # for commands that take several HYPs
    click.option(
        "--words",
        metavar="TIMES",
        multiple=True,
        help=f"{WORDS_HELP}. Once for all HYPs, or once for each, in their order.",
    )
)


def words_of_each(words: Sequence[str], hyps: Sequence[object]) -> Sequence[str | None]:
    """The path of the words of each HYP.

    Args:
        words: none, one for all HYPs, or one for each.

    Raises:
        UsageError: another number of them.
    """
    if len(words) not in {0, 1, len(hyps)}:
        raise click.UsageError(
            f"found {len(words)} times --words for {len(hyps)} HYPs, expected it once or for each"
        )
    return (*words, *[words[0] if words else None] * (len(hyps) - len(words)))


def check_ids(asked: Iterable[str], ids: Sequence[str]) -> None:
    """Check that the documents that are asked for exist.

    Raises:
        SerevalError: one does not.
    """
    for one in asked:
        if one not in ids:
            more = ", …" if len(ids) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(ids[:3])}{more}"
                f"{nearest(one, ids)}"
            )


def say_unknown(asked: Iterable[str], known: Iterable[str]) -> bool:
    """Say on stderr which labels no element has, and return whether there are any."""
    there = set(known)
    unknown = [label for label in asked if label not in there]
    for label in unknown:
        message = f"no element has the label {label!r}{nearest(label, there)}"
        click.echo(f"sereval: {one_line(message)}", err=True)
    return bool(unknown)


def check_paths(paths: Sequence[str]) -> None:
    """Check that standard input is read once, and that no file is written over.

    Raises:
        UsageError: standard input is to be read twice, or a file to be written twice.
        InputError: a file is to be read and written.
    """
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read once only, expected one '-'")
    context = click.get_current_context()
    given = context.find_root().params | context.params
    rules = ("config", *RULES)
    paths = [*paths, *(given[name] for name in rules if given.get(name) is not None)]
    outputs = [given[name] for name in WRITTEN if given.get(name) not in (None, "-")]
    if len({os.path.realpath(output) for output in outputs}) < len(outputs):
        raise click.UsageError(f"{outputs[-1]} would be written twice, expected two files")
    for output in filter(os.path.isfile, outputs):
        for path in paths:
            inside = os.path.isdir(path) and os.path.samefile(path, os.path.dirname(output) or ".")
            if inside or (os.path.exists(path) and os.path.samefile(path, output)):
                raise InputError("it is among the files to be read, expected another", path=output)


@contextmanager
def hinting(side: str) -> Iterator[None]:
    """Around the reading of one side: an error about an unknown format names the side's option.

    Raises:
        InputError: as the reading.
    """
    try:
        yield
    except InputError as error:
        if not error.message.endswith(UNKNOWN_FORMAT):
            raise
        raise InputError(f"{error.message}, --{side}-format", path=error.path) from None


def how_read(side: str, wanted: tuple[str, ...], given: Mapping[str, Any]) -> ReadingOptions:
    """How the files of one side are read."""
    reading: ReadingOptions = given["reading"]
    return replace(
        reading,
        format=given[f"{side}_format"],
        wanted=wanted,
        encoding=given["encoding"],
        tiers=given["tier"],
        columns=given["columns"],
    )


def say(path: str, documents: Iterable[Document | Reference]) -> None:
    """Write the notes of the documents of a path on stderr, added up."""
    say_notes(path, notes_of(documents))


def say_notes(path: str, notes: Iterable[Note]) -> None:
    """Write notes about a path on stderr."""
    for note in notes:
        click.echo(one_line(f"sereval: {path}: {note}"), err=True)


def say_mentions(path: str, documents: Iterable[Document | Reference]) -> None:
    """Say on stderr how many mentions have no place, for commands that look at places alone."""
    count = sum(len(one.mentions or ()) for one in documents if isinstance(one, Document))
    if count:
        say_notes(path, [Note("mentions without places, left out", count)])
