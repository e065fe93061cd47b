"""``sereval check``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import click

from ..corpus.pairing import exact
from ..documents.model import Document
from ..documents.notes import PLACES, Note
from ..errors import one_line
from ..formats import ANNOTATIONS, ReadingOptions, read_all
from ..labels.grammar import Grammar, bundled, load
from ..labels.relabel import SIDES, Labels, repeated
from ..report.labels import render
from .inputs import (
    columns_option,
    encoding_option,
    read_option,
    say,
    say_mentions,
)
from .outputs import write
from .scoring import asked_labels, scoring_options


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--grammar",
    metavar="GRAMMAR",
    required=True,
    help=f"A bundled grammar ({', '.join(bundled())}), or a TOML file.",
)
@click.option("--strict", is_flag=True, help="Fail if there is any violation.")
@click.option(
    "--from",
    "format",
    type=click.Choice(ANNOTATIONS),
    help="Format of the files; by default the suffix says it.",
)
@scoring_options("check")
@click.option(
    "--side",
    type=click.Choice(SIDES),
    default=SIDES[0],
    show_default=True,
    help="Which side of the --map the FILES are.",
)
@encoding_option
@read_option
@columns_option
def check(
    *,
    files: Sequence[str],
    grammar: str,
    strict: bool,
    format: str | None,
    label_map: str | None,
    only: tuple[str, ...] | None,
    level: int | None,
    side: str,
    encoding: str,
    reading: ReadingOptions,
    columns: tuple[str, ...],
) -> None:
    """List where annotated FILES break a grammar, and how often each label stands in them.

    Tags that their scheme does not allow where they stand are listed too, and what a policy of
    --read drops or joins, which is no violation. More than three equal lines of one file are one,
    with their number and the first places.
    """
    rules = load(grammar)
    labels = asked_labels(label_map=label_map, only=only, level=level, grammar=rules)
    how = replace(reading, format=format, wanted=ANNOTATIONS, encoding=encoding, columns=columns)
    read_from = {path: list(map(exact, read_all(path, how))) for path in files}
    labels = labels.knowing(*read_from.values())
    written: list[Document] = []  # a level takes from a label what says where components may stand
    documents: list[Document] = []
    for path, found in read_from.items():
        written += _on_side(side, replace(labels, level=None), found)
        changed = _on_side(side, labels, found)
        documents += changed
        say(path, changed)
        say_mentions(path, found)
    lines = _summed([*_violations(written, documents, rules), *_ill_formed(documents)])
    if strict:
        for line in lines:
            click.echo(f"sereval: {one_line(line)}", err=True)
        raise click.exceptions.Exit(bool(lines))
    lines += _summed(_asked_for(documents))
    table = render(_counts(documents), rules)
    write("".join(f"{one_line(line)}\n" for line in lines) + "\n" * bool(lines) + table, "-")


def _on_side(side: str, labels: Labels, found: Sequence[Document]) -> list[Document]:
    """Documents with the labels that are asked for, as those of one side."""
    ours, theirs = labels.applied(found, []) if side == SIDES[0] else labels.applied([], found)
    return [*ours, *theirs]


class _Complaint(NamedTuple):
    """What is to be said of one place of a file."""

    source: str | None
    line: int | None
    message: str

    def said(self) -> str:
        """It as a line."""
        return f"{self.source}:{self.line}: {self.message}"


def _summed(complaints: Iterable[_Complaint]) -> list[str]:
    """A line for each complaint; one for all equal ones of a file, if they are more than three."""
    equal: dict[tuple[str | None, str], list[_Complaint]] = {}
    for complaint in (found := list(complaints)):
        equal.setdefault((complaint.source, complaint.message), []).append(complaint)
    lines: list[str] = []
    for complaint in found:
        those = equal[complaint.source, complaint.message]
        if len(those) <= PLACES:
            lines.append(complaint.said())
        elif complaint is those[0]:
            first = list(dict.fromkeys(str(one.line) for one in those))[:PLACES]
            places = f"line{'s' * (len(first) > 1)} {', '.join(first)}"
            lines.append(f"{complaint.said()}; {len(those)} of them, the first on {places}")
    return lines


def _violations(
    written: Iterable[Document], documents: Iterable[Document], rules: Grammar
) -> Iterable[_Complaint]:
    """What breaks the grammar as it is written, and what stands twice once levels are cut."""
    for before, document in zip(written, documents, strict=True):
        found = [*rules.violations(before), *repeated(document, rules)]
        for violation in sorted(found, key=lambda violation: violation.element):
            yield _Complaint(document.source, violation.line, violation.message)


def _ill_formed(documents: Iterable[Document]) -> Iterable[_Complaint]:
    """What their readers read otherwise than it stands, as nothing else is to be done."""
    for document in documents:
        for note in document.notes:
            if not note.choice:
                yield from _places(document, note)


def _asked_for(documents: Iterable[Document]) -> Iterable[_Complaint]:
    """What they read otherwise as a policy says."""
    for document in documents:
        for note in document.notes:
            if note.choice:
                yield from _places(document, note)


def _places(document: Document, note: Note) -> Iterable[_Complaint]:
    for place in note.places:
        yield _Complaint(document.source, place.line, f"{place.what}, of the {note.what}")


def _counts(documents: Iterable[Document]) -> Mapping[str, Counter[str]]:
    """How often each label stands in each file.

    Files are called by their last names, if those differ; else from the folder that they share.
    """
    found: dict[str, Counter[str]] = {}
    for document in documents:
        labels = Counter(element.label for element in document.elements)
        path = document.source or document.id
        found[path] = found.get(path, Counter()) + labels
    short = {path: os.path.basename(path) for path in found}
    if len(set(short.values())) < len(short):
        try:
            shared = os.path.commonpath(found)
        except ValueError:  # some from the root, some not
            return found
        short = {path: os.path.relpath(path, shared or None) for path in found}
    return {short[path]: labels for path, labels in found.items()}
