"""Commands that look at annotated documents: ``check``, ``stats``, ``show`` and ``project``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TypeAlias

from ..analysis.stats import Sizes, report_of, sizes_of
from ..corpus.corpus import Corpus, Pair, exact
from ..corpus.entries import Entry
from ..corpus.workers import each
from ..documents.model import PLACES, Document, Note, Reference, sum_notes
from ..errors import UsageFault, one_line
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..evaluation.words import WordSettings, errors_of
from ..formats import ANNOTATIONS, WORDS, files, read_each
from ..labels.grammar import Grammar
from ..labels.relabel import SIDES, Labels, labels_of, repetitions
from ..render.picture import NARROWEST
from ..render.report import Report
from ..report import show as drawing
from ..runs import scoring
from ..runs.campaign import check_groups, read_groups
from ..runs.scoring import Run
from ..runs.sides import Sides, reading_of, system_names, with_ids
from ..schemes.options import Option
from .convert import write_documents
from .line import (
    Line,
    check_effect,
    command,
    print_lost_mentions,
    print_path_notes,
    print_reading_notes,
    warn_of_grammar,
    warn_of_unknown,
)
from .options import (
    DOCUMENTS,
    LABELS,
    output_options,
    source_format,
)
from .outputs import warn, with_progress

_Finding: TypeAlias = tuple[str | None, int | None, str]
"""A file, a line, and a message about it."""


@command(
    "files...",
    Option("strict", group="Output", is_flag=True, help="Fail if there is any violation."),
    Option(
        "side",
        choices=SIDES,
        default=SIDES[0],
        help="The side of FILES, which selects the rules of --map.",
        group="Labels",
    ),
    source_format("FILES", ANNOTATIONS),
    examples=(
        "check data/ref -g quaero",
        "check data/ref/titanic.ne data/ref/panama.ne -g quaero",
        "check data/hyp/gazetteer/manual -g quaero --only types",
    ),
)
def check(line: Line) -> str | None:
    """List where annotated FILES break a grammar.

    The list also has tags that the tagging scheme does not allow where they stand. More than three
    equal lines of a file become one line, with their number and the first places.
    """
    labels = scoring.labels_of(line.values)
    rules = labels.grammar
    if rules is None:
        raise UsageFault("found no --grammar, expected one")
    how = reading_of(line.values, line.source_format, ANNOTATIONS)
    check_effect(line, (file for path in line.files for file in files(path, how)))
    of_all_levels = replace(labels, level=None)  # the grammar's rules are about these
    faults, odd = list[_Finding](), list[_Finding]()
    seen = set[str]()
    for path in line.files:
        notes, lost = tuple[Note, ...](), 0
        for document in map(exact, read_each(path, how)):
            seen |= labels_of([document])
            uncut, cut = (one.relabel(document, line.side) for one in (of_all_levels, labels))
            faults += _violations(uncut, cut, rules)
            odd += (
                (cut.source, place.line, f"{place.what}, of the {note.what}")
                for note in cut.notes
                if not note.choice  # what a policy takes is no violation
                for place in note.places
            )
            notes = sum_notes([notes, cut.notes])
            lost += len(document.mentions or ())
        print_path_notes(path, notes)
        print_lost_mentions(path, lost)
    labels.check(frozenset(seen))
    lines = _lines([*faults, *odd])
    if line.strict:
        for one in lines:
            warn(one)
        line.status = int(bool(lines))
        return None
    return "".join(f"{one_line(one)}\n" for one in lines)


def _lines(findings: Sequence[_Finding]) -> list[str]:
    """The lines of the report; more than three findings of a file with one message are a line."""
    equal: dict[tuple[str | None, str], list[int | None]] = {}
    for source, line, message in findings:
        equal.setdefault((source, message), []).append(line)
    found = []
    for source, line, message in findings:
        lines, more = equal.get((source, message), []), ""
        if len(lines) > PLACES:
            places = [*map(str, dict.fromkeys(lines))][:PLACES]
            first = f"line{'s' * (len(places) > 1)} {', '.join(places)}"
            more = f"; {len(lines)} of them, the first on {first}"
            del equal[source, message]
        if lines:
            found.append(f"{source}:{line}: {message}{more}")
    return found


def _violations(uncut: Document, document: Document, rules: Grammar) -> Iterator[_Finding]:
    """Where a document breaks the grammar, and where elements are equal after relabelling."""
    found = [*rules.violations(uncut), *repetitions(document, rules)]
    for violation in sorted(found, key=lambda violation: violation.element):
        yield document.source, violation.line, violation.message


@command(
    "ref",
    source_format("REF", ANNOTATIONS),
    *output_options(("text", "json", "csv")),
    examples=(
        "stats data/ref -g quaero",
        "stats data/ref -g quaero -w data/asr",
        "stats data/ref -f json",
    ),
)
def stats(line: Line) -> Report:
    """Count documents, words, elements and labels of REF.

    The report has distinct words and labels, types and components with --grammar, elements per word
    and depth. With --words it has the word error rate of each recogniser, and the share of elements
    that it left whole, by label and by depth.
    """
    ref, words = line.ref, line.words
    heard = dict(zip(system_names(words, line.names), words, strict=True)) if words else {}
    asked = line.asked(ref, heard, ref_format=line.source_format, words=())
    how, sides = asked.run, asked.sides.wanting(ref=ANNOTATIONS, hyp=WORDS)
    documents = _documents(line, how, sides)
    recognisers = {}
    if words:
        corpus = asked.corpus(how, sides)
        every = corpus.by_system(partial(errors_of, how=WordSettings()))
        recognisers = {name: {one.id: one for one in own} for name, own in every.items()}
        print_reading_notes([corpus])
    check_effect(line, (entry.file for side in sides.known.values() for entry in side))
    grouped = read_groups(line.groups)
    check_groups(line.groups, grouped, sides.reference_ids)
    labels, grammar = how.settings.labels.signature, how.settings.grammar
    return report_of(documents, recognisers, grouped, grammar, labels)


def _documents(line: Line, how: Run, sides: Sides) -> dict[str, Sizes]:
    """The sizes of each document, by id."""
    labels = how.settings.labels
    found = list(
        each(
            partial(_count, labels=labels),
            sides.listed("ref", line.ref, "--from"),
            name=attrgetter("id"),
            jobs=line.jobs,
            watch=with_progress,
            size=attrgetter("size"),
        )
    )
    own = frozenset[str]().union(*(known for _, _, known, _ in found))
    labels.check(own)
    warn_of_grammar(line, own)
    print_path_notes(line.ref, sum_notes(notes for *_, notes in found))
    return {id: sizes for id, sizes, *_ in found}


def _count(entry: Entry, labels: Labels) -> tuple[str, Sizes, frozenset[str], tuple[Note, ...]]:
    """Read a document, change its labels and count it: its id, sizes, labels as read, notes."""
    document = exact(entry.read())
    changed = labels.relabel(document)
    return document.id, sizes_of(changed), labels_of([document]), changed.notes


@command(
    "file",
    DOCUMENTS,
    LABELS._replace(
        help="Show elements with this label only, and the words around them. May be repeated."
    ),
    Option(
        "width",
        group="Output",
        metavar="N",
        least=NARROWEST,
        help="Width of a line, in characters; by default that of the terminal, or 100 without one.",
    ),
    *output_options(("text", "csv")),
    source_format("FILE", ANNOTATIONS),
    examples=(
        "show data/ref/lindbergh.ne",
        "show data/ref --document titanic --label pers.ind",
    ),
)
def show(line: Line) -> Report:
    """Draw the elements of FILE as brackets over its words.

    An element of a fuzzy reference is drawn in one of its places. The other frontiers where it may
    start or end are marked under the words.
    """
    reading = reading_of(line.values, line.source_format, ANNOTATIONS)
    check_effect(line, files(line.file, reading))
    found = list(read_each(line.file, reading))
    print_path_notes(line.file, sum_notes(one.notes for one in found))
    chosen = with_ids(found, line.documents)
    own = [one for one in chosen if isinstance(one, Document)]
    print_lost_mentions(line.file, sum(len(one.mentions or ()) for one in own))
    warn_of_unknown(line.labels, labels_of(chosen))
    line.look = line.terminal(width=100)
    return drawing.report_of(chosen, line.labels)


@command(
    "ref [hyp]",
    *output_options(("json", "text", "csv", "aref")),
    examples=(
        "project data/ref -w data/asr -a data/align -t 0.3",
        "project data/ref data/hyp/gazetteer/asr --by text",
        "project data/ref -w data/asr -a data/align -t 0.3 -o fuzzy.jsonl",
    ),
)
def project(line: Line) -> Report | None:
    """Project REF onto the words of another transcript.

    The words are those of HYP or of --words. The result is a fuzzy reference, which lists where
    each element may start and end.
    """
    asked = line.asked(line.ref, {"": line.hyp})
    how = asked.run
    if not how.settings.is_projected:
        raise UsageFault("a projection needs a --tolerance in time, or --by text or phones")
    if line.hyp is None and not line.words:
        raise UsageFault("expected HYP or --words: the words to carry REF onto")
    pairs = asked.corpus(how, asked.sides.wanting(hyp=WORDS), has_stand_ins=True)
    projected = _projected(line, pairs, how.settings)
    if line.format in ("json", "aref"):
        format = "native" if line.format == "json" else line.format
        write_documents(projected, line.output, format, None, line.inputs)
        return None
    line.look = line.terminal(width=100)
    return drawing.report_of(list(projected), command="project")


def _projected(line: Line, pairs: Corpus, settings: Settings) -> Iterator[Reference]:
    """The projection of each reference; in the end what was read is checked and told."""
    for _, reference in pairs.each(partial(_project, settings=settings)):
        yield reference
    settings.labels.check(pairs.labels, settings.neutral)
    check_effect(line, (entry.file for entry in pairs.entries))
    print_reading_notes([pairs])


def _project(pair: Pair, settings: Settings) -> Reference:
    """The projection of a reference onto the words of its hypothesis."""
    return projection(exact(pair[0]), pair[1], settings)[0]
