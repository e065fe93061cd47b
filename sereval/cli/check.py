"""``sereval check``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import click

from ..corpus.pairs import exact
from ..documents.model import PLACES, Document, Note, sum_notes
from ..errors import one_line
from ..formats import ANNOTATIONS, read_each
from ..formats import files as files_at
from ..labels.grammar import Grammar, bundled_grammars, load_grammar
from ..labels.relabel import SIDES, repetitions
from ..labels.relabel import labels_of as labels_in
from ..report.labels import render
from ..runs.scoring import labels_of
from ..runs.sides import reading_of
from .help import command, option
from .inputs import check_effect, file_options, print_lost_mentions, print_path_notes
from .options import choice_option
from .outputs import write
from .scoring import scoring_options
from .streams import warn


@command(
    examples=(
        "check data/ref -g quaero",
        "check data/ref/titanic.ne data/ref/panama.ne -g quaero",
        "check data/hyp/gazetteer/manual -g quaero --only types",
    )
)
@click.argument("files", nargs=-1, required=True)
@option(
    "-g",
    "--grammar",
    metavar="GRAMMAR",
    required=True,
    help=f"A bundled grammar ({', '.join(bundled_grammars())}), or a TOML file.",
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
    rules = load_grammar(grammar)
    labels = labels_of(label_map, only, level, rules)
    how = reading_of(values, source_format, ANNOTATIONS)
    check_effect(file for path in files for file in files_at(path, how))
    of_all_levels = replace(labels, level=None)  # the grammar's rules are about these
    found, seen, told = _Report(rules), set[str](), list[tuple[str, tuple[Note, ...], int]]()
    for path in files:
        notes, lost = tuple[Note, ...](), 0
        for document in map(exact, read_each(path, how)):
            seen |= labels_in([document])
            uncut = of_all_levels.relabel(document, side)
            relabelled = uncut if labels.level is None else labels.relabel(document, side)
            found.add(uncut, relabelled)
            notes = sum_notes([notes, relabelled.notes])
            lost += len(document.mentions or ())
        told.append((path, notes, lost))
    if labels.has_changes:
        labels.check(frozenset(seen))
    for path, notes, lost in told:
        print_path_notes(path, notes)
        print_lost_mentions(path, lost)
    lines = found.faults.lines()
    if strict:
        for line in lines:
            warn(line)
        raise click.exceptions.Exit(bool(lines))
    lines += found.choices.lines()
    table = render(_by_name(found.counts), rules)
    write("".join(f"{one_line(line)}\n" for line in lines) + "\n" * bool(lines) + table, "-")


class _Finding(NamedTuple):
    """A message about one place of a file."""

    source: str | None
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.message}"


class _Equal:
    """The findings of a file with one message: their number and the first of them.

    Attributes:
        count: how many there are.
        first: the first of them, each with its place in the list of all findings.
        lines: the first lines that have one.
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[tuple[tuple[int, int], str]] = []
        self.lines: list[str] = []

    def add(self, place: tuple[int, int], finding: _Finding) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < PLACES:
            self.first.append((place, str(finding)))
        line = str(finding.line)
        if len(self.lines) < PLACES and line not in self.lines:
            self.lines.append(line)

    def shown(self) -> list[tuple[tuple[int, int], str]]:
        """The lines of the report, each with its place among all: one line for more than three."""
        if self.count <= PLACES:
            return self.first
        place, text = self.first[0]
        places = f"line{'s' * (len(self.lines) > 1)} {', '.join(self.lines)}"
        return [(place, f"{text}; {self.count} of them, the first on {places}")]


class _Findings:
    """Findings; those of one file with one message are counted together."""

    def __init__(self) -> None:
        self._equal: dict[tuple[str | None, str], _Equal] = {}
        self._number = 0

    def add(self, findings: Iterable[_Finding], part: int = 0) -> None:
        """Add findings to a part of the list; the parts stand one after the other."""
        for finding in findings:
            self._number += 1
            same = self._equal.setdefault((finding.source, finding.message), _Equal())
            same.add((part, self._number), finding)

    def lines(self) -> list[str]:
        """The lines of the report."""
        every = (one for same in self._equal.values() for one in same.shown())
        return [text for _, text in sorted(every)]


class _Report:
    """The findings in all documents, and the number of their elements.

    Args:
        rules: the grammar.

    Attributes:
        faults: violations of the grammar, then what readers found odd.
        choices: what a policy of a reader dropped or joined.
        counts: the number of elements with each label, by path.
    """

    def __init__(self, rules: Grammar) -> None:
        self.rules = rules
        self.faults, self.choices = _Findings(), _Findings()
        self.counts: dict[str, Counter[str]] = {}

    def add(self, uncut: Document, document: Document) -> None:
        """Check a document.

        Args:
            uncut: the document with labels of all levels.
            document: the same document with labels cut at a level.
        """
        self.faults.add(_violations(uncut, document, self.rules))
        for note in document.notes:
            found = (
                _Finding(document.source, place.line, f"{place.what}, of the {note.what}")
                for place in note.places
            )
            self.choices.add(found) if note.choice else self.faults.add(found, part=1)
        path = document.source or document.id
        labels = self.counts.setdefault(path, Counter())
        labels.update(element.label for element in document.elements)


def _violations(uncut: Document, document: Document, rules: Grammar) -> Iterator[_Finding]:
    """Where a document breaks the grammar, and where elements are equal after relabelling."""
    found = [*rules.violations(uncut), *repetitions(document, rules)]
    for violation in sorted(found, key=lambda violation: violation.element):
        yield _Finding(document.source, violation.line, violation.message)


def _by_name(counts: Mapping[str, Counter[str]]) -> Mapping[str, Counter[str]]:
    """The counts of each file by its name.

    The name of a file is the last component of its path. If two names are equal, the name is the
    path from the folder that all files share.
    """
    short = {path: os.path.basename(path) for path in counts}
    if len(set(short.values())) < len(short):
        try:
            shared = os.path.commonpath(counts)
        except ValueError:  # relative and absolute paths
            return counts
        short = {path: os.path.relpath(path, shared or None) for path in counts}
    return {short[path]: labels for path, labels in counts.items()}
