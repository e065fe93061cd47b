"""The options that say what is read, and the reading itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import click

from ..corpus.pairing import emptied
from ..corpus.unread import Entry, swaps
from ..corpus.unread import exact as exact_one
from ..documents.mentions import find_mentions, is_to_be_found
from ..documents.model import Document, Note, Reference, noted
from ..documents.recut import time_words
from ..errors import InputError, SerevalError, meant, nearest, one_line
from ..formats import UNKNOWN_FORMAT, check_policies, read
from ..labels.grammar import load
from ..schemes.table import SCHEMES
from .places import RULES, WRITTEN

_D = TypeVar("_D")

ANNOTATIONS = (
    *("inline", "sgml", "columns", "native", "aref", "brat", "transcriber"),
    *("offsets", "labelstudio"),
)
FOUND = (*ANNOTATIONS, "mentions")
"""What a side may be: annotations, or what is still to be found in words."""
TIMES = ("textgrid", "ctm", "native", "whisper", "vosk", "kaldi", "mfa", "eaf", "transcriber")
WORDS = (*ANNOTATIONS, *(name for name in TIMES if name not in ANNOTATIONS))


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
) -> dict[str, Any]:
    """What ``--read`` says, as arguments of ``read``."""
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
        check_policies(policies, labels)
    except SerevalError as error:
        raise click.BadParameter(str(error)) from None
    return {"policies": policies, "labels": labels}


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


def read_sides(
    ref: str,
    hyp: str | None,
    *,
    empty: bool = False,
    hypotheses_are: Sequence[str] = FOUND,
    **given: Any,
) -> tuple[list[Document | Reference], list[Document]]:
    """Read both sides, and give their words the times that stand in other files.

    Args:
        empty: whether words without a hypothesis are a hypothesis without elements.
        hypotheses_are: the formats that HYP may have.
        given: the values of ``side_options``.
    """
    references, hypotheses, aligned, heard = read_files(
        ref, hyp, hypotheses_are=hypotheses_are, **given
    )
    swap = swaps(references, hypotheses, aligned, heard)
    if given["align"]:
        references = list(_timed(references, aligned, swap))
    wanted = list(filter(is_to_be_found, hypotheses))
    scheme = click.get_current_context().params.get("scheme")
    if scheme is not None and not SCHEMES[scheme].has_places:
        wanted = []
    found = in_words(wanted, heard, references, given["reading"]["policies"])
    say_notes(str(hyp), (n for n in noted(found) if n.choice.startswith("mentions=")))
    names = {document.id for document in wanted}
    hypotheses = [document for document in hypotheses if document.id not in names]
    if given["words"]:
        unheard = {document.id for document in references} - {one.id for one in hypotheses} - names
        hypotheses = list(_timed(hypotheses, heard, swap))
        if empty:
            hypotheses += [emptied(words) for words in heard if words.id in unheard]
    hypotheses += found
    return references, hypotheses


def read_files(
    ref: str, hyp: str | None, *, hypotheses_are: Sequence[str] = ANNOTATIONS, **given: Any
) -> list[list[Any]]:
    """What stands in the files: references, hypotheses, and the times of the words of either.

    Args:
        hypotheses_are, given: as for ``read_sides``.
    """
    check_paths([path for path in (ref, hyp, given["align"], given["words"]) if path])
    references = read_side(ref, "ref", FOUND, given)
    hypotheses = exact(read_side(hyp, "hyp", hypotheses_are, given)) if hyp else []
    aligned = exact(read_side(given["align"], "align", TIMES, given)) if given["align"] else []
    heard = exact(read_side(given["words"], "words", TIMES, given)) if given["words"] else []
    return named(given["name"], references, hypotheses, aligned, heard)


def words_of_each(words: Sequence[str], hyps: Sequence[str]) -> Sequence[str | None]:
    """The path of the words of each HYP; given are none, one for all, or one for each."""
    if len(words) not in {0, 1, len(hyps)}:
        raise click.UsageError(
            f"found {len(words)} times --words for {len(hyps)} HYPs, expected it once or for each"
        )
    return (*words, *[words[0] if words else None] * (len(hyps) - len(words)))


def check_ids(asked: Iterable[str], ids: Sequence[str]) -> None:
    """Documents that are asked for are there.

    Raises:
        SerevalError: one is not.
    """
    for one in asked:
        if one not in ids:
            more = ", …" if len(ids) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(ids[:3])}{more}"
                f"{nearest(one, ids)}"
            )


def say_unknown(asked: Iterable[str], known: Iterable[str]) -> bool:
    """A word on stderr for each label that nothing has, which may be a slip of the pen."""
    there = set(known)
    unknown = [label for label in asked if label not in there]
    for label in unknown:
        said = f"no element has the label {label!r}{nearest(label, there)}"
        click.echo(f"sereval: {one_line(said)}", err=True)
    return bool(unknown)


def check_paths(paths: Sequence[str]) -> None:
    """Standard input is read once, and nothing that is read, or written, is written over."""
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


def read_side(
    path: str, side: str, wanted: Sequence[str], given: Mapping[str, Any]
) -> list[Document | Reference]:
    with hinting(side):
        found = read(path, **how_read(side, wanted, given))
    say(path, found)
    return found


@contextmanager
def hinting(side: str) -> Iterator[None]:
    """What reads the paths of one side; where a path says no format, the option is named that can.

    Raises:
        InputError: as the reading.
    """
    try:
        yield
    except InputError as error:
        if not error.message.endswith(UNKNOWN_FORMAT):
            raise
        raise InputError(f"{error.message}, --{side}-format", path=error.path) from None


def how_read(side: str, wanted: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a reader takes, for the files of one side."""
    return {
        "format": given[f"{side}_format"],
        "wanted": wanted,
        "encoding": given["encoding"],
        "tier": given["tier"],
        "columns": given["columns"],
        **given["reading"],
    }


def say(path: str, documents: Iterable[Document | Reference]) -> None:
    """What was skipped, merged or made up in reading a path, on standard error."""
    say_notes(path, noted(documents))


def say_notes(path: str, notes: Iterable[Note]) -> None:
    """The same, for notes that are added up."""
    for note in notes:
        click.echo(one_line(f"sereval: {path}: {note}"), err=True)


def say_mentions(path: str, documents: Iterable[Document | Reference]) -> None:
    """How many mentions have no place, where only what has one is looked at."""
    count = sum(len(one.mentions or ()) for one in documents if isinstance(one, Document))
    if count:
        say_notes(path, [Note("mentions without places, left out", count)])


def exact(documents: Iterable[Document | Reference]) -> list[Document]:
    """Documents that are not fuzzy references."""
    return list(map(exact_one, documents))


def named(name: str | None, *sides: list[Any]) -> list[list[Any]]:
    """Bring the names of single documents together, where somebody says that they are the same.

    Args:
        name: given by the user for the one document of every side; else a document from standard
            input, which has no name, takes that of the first side that has one.
    """
    only = [side[0].id for side in sides if len(side) == 1 and not _is_nameless(side[0])]
    if name is not None:
        if any(len(side) > 1 for side in sides):
            raise SerevalError(f"one name, {name!r}, for several documents")
        return [[replace(document, id=name) for document in side] for side in sides]
    given = next(iter(only), "-")
    return [
        [replace(document, id=given) if _is_nameless(document) else document for document in side]
        for side in sides
    ]


def _is_nameless(document: Any) -> bool:
    """Whether it has the name of standard input; in a file ``-`` is a name like any other."""
    path = document.file.path if isinstance(document, Entry) else document.source
    return document.id == "-" and path in ("-", None)


def in_words(
    documents: Sequence[Document],
    heard: Sequence[Document],
    references: Sequence[Document | Reference],
    policies: Mapping[str, str],
) -> list[Document]:
    """Documents of mentions with words: the recogniser's if there are any, or the reference's."""
    by = policies.get("mentions", "exact")
    whose = "hypothesis" if heard else "reference"
    of_id = {words.id: words for words in heard or references}
    return [
        find_mentions(document, of_id[document.id], by=by, whose=whose)
        if document.id in of_id
        else document  # that nothing pairs with it is said where documents are paired
        for document in documents
    ]


def times_of(id: str, times: Mapping[str, _D], ids: Iterable[str]) -> _D:
    """What the time files have under a name; ``ids``: of all documents that they are for."""
    if id not in times:
        there = f"{', '.join(sorted(times)[:3])}{', …' if len(times) > 3 else ''}"
        hint = meant([id], times.keys() - set(ids)) or f" among: {there}"
        raise SerevalError(f"document {id} has no times, expected some of that name{hint}")
    return times[id]


def _timed(
    documents: Sequence[Document | Reference],
    times: Sequence[Document],
    swap: Callable[[str], str],
) -> Iterator[Document]:
    """Documents with the times of the time files of their names.

    Args:
        swap: says of a document whose times do not fit whether those of the other side do.
    """
    of_id = {timed.id: timed for timed in times}
    ids = [document.id for document in documents]
    for annotated in exact(documents):
        timed = times_of(annotated.id, of_id, ids)
        try:
            yield time_words(annotated, timed)
        except SerevalError as error:
            raise SerevalError(f"{error}{swap(annotated.id)}") from None
