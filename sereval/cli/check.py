"""``sereval check``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import click

from ..corpus.pairs import exact
from ..documents.model import Document
from ..documents.notes import PLACES
from ..errors import one_line
from ..formats import ANNOTATIONS, read_all
from ..labels.grammar import Grammar, bundled, load
from ..labels.relabel import SIDES, Labels, repetitions
from ..report.labels import render
from ..runs.scoring import labels_of
from ..runs.sides import reading_of
from .help import command, option
from .inputs import file_options, print_document_notes, print_lost_mentions
from .options import choice_option
from .outputs import write
from .scoring import scoring_options
from .streams import warn


@command(examples=("check ref -g quaero",))
@click.argument("files", nargs=-1, required=True)
@option(
    "-g",
    "--grammar",
    metavar="GRAMMAR",
    required=True,
    help=f"A bundled grammar ({', '.join(bundled())}), or a TOML file.",
)
@option("--strict", group="Output", is_flag=True, help="Fail if there is any violation.")
@scoring_options("check")
@choice_option(
    "--side", SIDES, "The side of FILES, which selects the rules of --map.", group="Labels"
)
@file_options("FILES", ANNOTATIONS)
def check(
    *,
    files: Sequence[str],
    grammar: str,
    strict: bool,
    side: str,
    label_map: str | None,
    only: tuple[str, ...] | None,
    level: int | None,
    source_format: str | None,
    **values: Any,
) -> None:
    """List where annotated FILES break a grammar.

    A table counts the labels in each file. The list also has tags that the tagging scheme does not
    allow where they stand. Elements that a policy of --read drops or joins are listed too, but they
    are no violations.
    More than three equal lines of a file become one line, with their number and the first places.
    """
    rules = load(grammar)
    labels = labels_of(label_map=label_map, only=only, level=level, grammar=rules)
    how = reading_of(values, source_format, ANNOTATIONS)
    read_from = {path: list(map(exact, read_all(path, how))) for path in files}
    labels = labels.knowing(*read_from.values())
    uncut: list[Document] = []  # the grammar's rules are about labels of all levels
    documents: list[Document] = []
    for path, found in read_from.items():
        uncut += _on_side(side, replace(labels, level=None), found)
        relabelled = _on_side(side, labels, found)
        documents += relabelled
        print_document_notes(path, relabelled)
        print_lost_mentions(path, found)
    oddities, choices = _findings_of_notes(documents)
    lines = _sum_findings([*_violations(uncut, documents, rules), *oddities])
    if strict:
        for line in lines:
            warn(line)
        raise click.exceptions.Exit(bool(lines))
    lines += _sum_findings(choices)
    table = render(_counts(documents), rules)
    write("".join(f"{one_line(line)}\n" for line in lines) + "\n" * bool(lines) + table, "-")


def _on_side(side: str, labels: Labels, found: Sequence[Document]) -> list[Document]:
    """Documents of one side, relabelled."""
    ours, theirs = labels.applied(found, []) if side == SIDES[0] else labels.applied([], found)
    return [*ours, *theirs]


class _Finding(NamedTuple):
    """A message about one place of a file."""

    source: str | None
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.message}"


def _sum_findings(findings: Iterable[_Finding]) -> list[str]:
    """A line for each finding; one line for more than three equal findings of a file."""
    equal: dict[tuple[str | None, str], list[_Finding]] = {}
    for finding in (found := list(findings)):
        equal.setdefault((finding.source, finding.message), []).append(finding)
    lines: list[str] = []
    for finding in found:
        same = equal[finding.source, finding.message]
        if len(same) <= PLACES:
            lines.append(str(finding))
        elif finding is same[0]:
            first = list(dict.fromkeys(str(one.line) for one in same))[:PLACES]
            places = f"line{'s' * (len(first) > 1)} {', '.join(first)}"
            lines.append(f"{finding}; {len(same)} of them, the first on {places}")
    return lines


def _violations(
    uncut: Iterable[Document], documents: Iterable[Document], rules: Grammar
) -> Iterable[_Finding]:
    """Where documents break the grammar, and where elements are equal after relabelling.

    Args:
        uncut: the documents with labels of all levels.
        documents: the same documents with labels cut at a level.
    """
    for before, document in zip(uncut, documents, strict=True):
        found = [*rules.violations(before), *repetitions(document, rules)]
        for violation in sorted(found, key=lambda violation: violation.element):
            yield _Finding(document.source, violation.line, violation.message)


def _findings_of_notes(documents: Iterable[Document]) -> tuple[list[_Finding], list[_Finding]]:
    """The places in the notes of the readers: first from notes without a choice, then with one."""
    oddities: list[_Finding] = []
    choices: list[_Finding] = []
    for document in documents:
        for note in document.notes:
            (choices if note.choice else oddities).extend(
                _Finding(document.source, place.line, f"{place.what}, of the {note.what}")
                for place in note.places
            )
    return oddities, choices


def _counts(documents: Iterable[Document]) -> Mapping[str, Counter[str]]:
    """The number of elements with each label, by file.

    The name of a file is the last component of its path. If two names are equal, the name is the
    path from the folder that all files share.
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
        except ValueError:  # relative and absolute paths
            return found
        short = {path: os.path.relpath(path, shared or None) for path in found}
    return {short[path]: labels for path, labels in found.items()}
