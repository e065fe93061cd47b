"""Commands that look at documents, and those that make documents from documents."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..alignment.normalise import normalisation
from ..analysis.baseline import EntityList
from ..corpus.corpus import Corpus, Entry, Pair, exact
from ..corpus.workers import each
from ..documents.model import PLACES, Document, Note, Reference, sum_notes
from ..documents.tags import WRITABLE
from ..errors import SerevalError, UsageFault, one_line
from ..evaluation.settings import Settings
from ..formats import ANNOTATIONS, FORMATS, WORDS, WRITERS, ReadingOptions, files, read_each
from ..formats.build import file_name
from ..formats.file import quote, stem_of
from ..formats.table import Format
from ..integrations.documents import files_of
from ..labels import SIDES, Labels, labels_of, repetitions
from ..render.picture import NARROWEST
from ..render.report import Report, lines
from ..report import show as drawing
from ..runs.options import FILES
from ..runs.scoring import Run
from ..runs.sides import Sides, groups_of, named_systems, with_ids
from ..schemes.measure import Option
from .line import (
    Line,
    check_effect,
    command,
    print_path_notes,
    print_reading_notes,
    warn_of_grammar,
    warn_of_unknown,
)
from .outputs import check_free, warn, with_progress, write_all, write_files
from .parameters import DOCUMENTS, LABELS, output_options, source_format

if TYPE_CHECKING:
    from ..analysis.stats import Sizes

_Finding: TypeAlias = tuple[str | None, int | None, str]
"""A file, a line, and a message about it."""

_D = TypeVar("_D", Document, Document | Reference)


def with_notes_told(path: str, documents: Iterable[_D]) -> Iterator[_D]:
    """Pass the documents of a path on; after the last, print their notes as above."""
    notes: tuple[Note, ...] = ()
    for document in documents:
        if document.notes:
            notes = sum_notes([notes, document.notes])
        yield document
    print_path_notes(path, notes)


def print_lost_mentions(path: str, count: int) -> None:
    """Print how many mentions have no place, for commands that look only at placed elements."""
    if count:
        print_path_notes(path, [Note("mentions without places, left out", count)])


@command(
    "files...",
    Option(
        "strict",
        "Fail if there is any violation.",
        group="Output",
        is_flag=True,
    ),
    Option(
        "side",
        "The side of FILES, which selects the rules of --map.",
        choices=SIDES,
        default=SIDES[0],
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
    asked = line.asked()
    labels, how = asked.changes, asked.sides.reading_of("ref", ANNOTATIONS)
    rules = labels.grammar
    if rules is None:
        raise UsageFault("found no --grammar, expected one")
    check_effect(line, (file for path in line.files for file in files(path, how)))
    of_all_levels = replace(labels, level=None)  # the grammar's rules are about these
    faults, odd = list[_Finding](), list[_Finding]()
    seen = set[str]()
    for path in line.files:
        notes, lost = tuple[Note, ...](), 0
        for document in map(exact, read_each(path, how)):
            seen |= labels_of([document])
            uncut, cut = (one.relabel(document, line.side) for one in (of_all_levels, labels))
            broken = [*rules.violations(uncut), *repetitions(cut, rules)]
            broken.sort(key=attrgetter("element"))
            faults += ((cut.source, one.line, one.message) for one in broken)
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
    from ..analysis.stats import report_of  # other commands do not wait for it

    heard = named_systems(line.words, line.names) if line.words else {}
    line.values["words"] = ()
    asked = line.asked(systems=heard)
    how, sides = asked.run, asked.sides.wanting(ref=ANNOTATIONS, hyp=WORDS)
    documents = _documents(line, how, sides)
    recognisers = {}
    if heard:
        from ..evaluation.words import WordSettings, errors_of  # other commands do not need it

        corpus = asked.corpus(how, sides)
        every = corpus.by_system(partial(errors_of, how=WordSettings()))
        recognisers = {name: {one.id: one for one in own} for name, own in every.items()}
        print_reading_notes([corpus])
    check_effect(line, (entry.file for side in sides.known.values() for entry in side))
    grouped = groups_of(line.groups, sides.reference_ids)
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
    warn_of_grammar(line, labels, own)
    print_path_notes(line.ref, sum_notes(notes for *_, notes in found))
    return {id: sizes for id, sizes, *_ in found}


def _count(entry: Entry, labels: Labels) -> tuple[str, Sizes, frozenset[str], tuple[Note, ...]]:
    """Read a document, change its labels and count it: its id, sizes, labels as read, notes."""
    from ..analysis.stats import sizes_of

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
        "Width of a line, in characters; by default that of the terminal, or 100 without one.",
        group="Output",
        metavar="N",
        least=NARROWEST,
    ),
    *output_options(("text",)),
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
    reading = line.asked().sides.reading_of("ref", ANNOTATIONS)
    check_effect(line, files(line.file, reading))
    found = list(with_notes_told(line.file, read_each(line.file, reading)))
    chosen = with_ids(found, line.ids)
    own = [one for one in chosen if isinstance(one, Document)]
    print_lost_mentions(line.file, sum(len(one.mentions or ()) for one in own))
    warn_of_unknown(line.labels, labels_of(chosen))
    line.look = line.terminal(width=100)
    return drawing.report_of(chosen, line.labels)


@command(
    "ref [hyp]",
    *output_options(("json", "text", "aref")),
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
    asked = line.asked()
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
    from ..evaluation.evaluate import projection  # other commands do not need it

    return projection(exact(pair[0]), pair[1], settings)[0]


RENAMED = "names of documents, replaced by the names of their files"


TARGET = (
    Option(
        "target_format",
        f"Format of OUT; by default the suffix says it. One of {', '.join(WRITERS)}.",
        flag="--to",
        is_common=True,
        group=FILES,
        choices=WRITERS,
        metavar="FORMAT",
    ),
    Option(
        "tags",
        "Scheme of the tags in columns (by default iob2), or in tokens (by default spans).",
        is_common=True,
        group=FILES,
        choices=WRITABLE,
    ),
)


@command(
    "source target",
    source_format("IN", FORMATS),
    *TARGET,
    examples=(
        "convert data/ref/lindbergh.ne lindbergh.jsonl",
        "convert data/ref brat/ --to brat",
        "convert data/ref conll/ --to columns",
    ),
)
def convert(line: Line) -> None:
    """Convert documents to another format.

    Standard error says what the format cannot hold. IN is a file, a folder, or - for
    standard input. OUT is a file, a folder, or - for standard output. A new folder needs a / at its
    end. In a folder each document has its own file.
    """
    source = line.source
    format = line.target_format or format_of(line.target)
    reading = line.asked().sides.reading_of("ref", FORMATS)
    check_effect(line, files(source, reading))
    documents = with_notes_told(source, read_each(source, reading))
    write_documents(documents, line.target, format, line.tags, [source])


@command(
    "train source target",
    Option(
        "ref_format",
        "Format of TRAIN; by default the suffix says it. As --from.",
        flag="--train-format",
        group=FILES,
        choices=ANNOTATIONS,
        metavar="FORMAT",
    ),
    source_format("IN", WORDS)._replace(name="hyp_format"),
    *TARGET,
    examples=(
        "baseline data/ref data/asr/titanic.ctm titanic.jsonl --to native",
        "baseline data/ref data/ref/titanic.ne titanic.ne --only outermost",
        "baseline data/ref data/asr found/ --to native --normalise letters",
    ),
)
def baseline(line: Line) -> None:
    """Find the entities of TRAIN in the words of IN.

    This is the baseline of a task. Each entity that has the same label everywhere in TRAIN is
    looked up in IN, from left to right, the longest entities first. Annotations of IN are ignored.
    OUT can be scored like the output of any system.
    """
    train, source = line.train, line.source
    format = line.target_format or format_of(line.target)
    asked = line.asked()
    reading = asked.sides.reading_of("ref", ANNOTATIONS)
    words = asked.sides.reading_of("hyp", WORDS)
    check_effect(line, [*files(train, reading), *files(source, words)])
    training = _labelled(train, reading, asked.changes)
    known = EntityList.of(with_notes_told(train, training), normalisation(line.normalise))
    found = _found(with_notes_told(source, map(exact, read_each(source, words))), known, train)
    write_documents(found, line.target, format, line.tags, [train, source])


def write_documents(
    documents: Iterable[Document | Reference],
    target: str,
    format: str,
    tags: str | None,
    sources: Sequence[str],
) -> None:
    """Write documents in a format, and print on standard error what it cannot hold."""
    lost, ids, unread = Counter[str](), set[str](), iter(documents)

    def made() -> Iterator[tuple[str, Mapping[str, str | bytes]]]:
        """The id and the files of each document."""
        for document in unread:
            try:
                written = files_of(document, format, tags=tags)
            except SerevalError:
                deque(unread, maxlen=0)  # an unreadable file is named first
                raise
            lost.update({note.what: note.count for note in written.lost})
            ids.add(document.id)
            yield document.id, written.files

    inputs = [*sources, *_beside(sources)]
    stems = {os.path.splitext(os.path.basename(target))[0]}
    if _is_folder(target):
        every = [*made()]
        stems = _check_names(ids, format)
        files = ((file_name(id, one), text) for id, own in every for one, text in own.items())
        write_files(files, target, inputs)
    elif WRITERS[format].holds_many:
        check_free([target] if target != "-" else [], inputs)
        write_all([(target, (str(text) for _, own in made() for text in own.values()))])
    else:
        _write_one([own for _, own in made()], target, format, inputs)
    if format != "native" and target != "-":
        lost[RENAMED] = len(ids - stems)
    for what, count in lost.items():
        if count:
            warn(f"lost in {format}: {what}: {count}")


def _check_names(ids: Collection[str], format: str) -> set[str]:
    """The names of the files of documents; none is the name of another document."""
    owners = {file_name(id, ""): id for id in ids}
    for stem, id in owners.items():
        if id != stem and stem in ids and FORMATS[format].names == "file":
            raise SerevalError(
                f"the file of document {quote(id)} would have the name of document "
                f"{quote(stem)}, expected other ids, or a format that holds ids: --to native"
            )
    return {*owners}


def _write_one(
    made: Sequence[Mapping[str, str | bytes]], target: str, format: str, inputs: Sequence[str]
) -> None:
    """Write the file of the only document, or several that belong together, beside the target."""
    if len(made) > 1:
        raise SerevalError(
            f"found {len(made)} documents, and a file of {format} holds one; "
            f"expected a folder, such as out{os.sep}"
        )
    [files] = made
    if target == "-":
        if len(files) > 1:
            raise UsageFault(f"{format} has {len(files)} files, expected OUT to be one of them")
        [text] = files.values()
        write_all([(target, text)])
        return
    folder, name = os.path.split(target)
    stem = os.path.splitext(name)[0]
    texts = {
        os.path.join(folder, name if one == WRITERS[format].suffix else stem + one): text
        for one, text in files.items()
    }
    check_free(texts, inputs)
    write_all(texts.items())


def _is_folder(target: str) -> bool:
    """Whether a path is a folder, or ends as one."""
    return os.path.isdir(target) or not os.path.basename(target)


def format_of(target: str) -> str:
    """The format that the suffix of a target says."""
    suffix = os.path.splitext(target)[1].lower()
    named = (n for n, reader in FORMATS.items() if suffix in reader.suffixes and n in WRITERS)
    format = None if _is_folder(target) else next(named, None)
    if format is None:
        raise UsageFault(
            f"{target} does not say its format, expected --to, or a suffix among "
            f"{' '.join(writer.suffix for writer in WRITERS.values())}"
        )
    return format


def _beside(sources: Iterable[str]) -> list[str]:
    """The paths of files that are read because they stand beside others."""
    suffixes = sorted({one.beside for one in FORMATS.values() if one.beside})
    beside = (stem_of(path) + suffix for path in sources for suffix in suffixes)
    return [*filter(os.path.isfile, beside)]


def _labelled(path: str, reading: ReadingOptions, labels: Labels) -> Iterator[Document]:
    """The training data with changed labels, one document at a time."""
    seen: frozenset[str] = frozenset()
    for document in map(exact, read_each(path, reading)):
        seen |= labels_of([document])
        yield labels.relabel(document)
    labels.check(seen)


def _found(documents: Iterable[Document], known: EntityList, train: str) -> Iterator[Document]:
    """Each document with its entities; after the last, the size of the list is printed."""
    yield from map(known.found_in, documents)
    counts = {
        "entities with one label, looked up": len(known.labels),
        "entities with several labels, left out": known.ambiguous,
    }
    print_path_notes(train, [Note(what, count) for what, count in counts.items() if count])


@command(
    "",
    examples=(
        "formats",
        "convert data/ref brat/ --to brat",
        "score data/ref data/hyp/gazetteer/manual --hyp-format inline",
    ),
)
def formats(_: Line) -> str:
    """List the formats of files.

    Each line has what a file holds, whether sereval writes it, and its suffixes. A suffix in
    brackets belongs to several formats; such a file is known by its keys or first line.
    """
    rows = [("format", "holds", "written", "suffixes"), *map(cells, FORMATS.values())]
    return "".join(f"{row}\n" for row in lines(rows, range(len(rows[0]))))


def cells(one: Format) -> tuple[str, ...]:
    """The cells of a format."""
    held = ["words"] if one.has_places else []
    held += ["times"] if one.has_times else []
    held += [("elements" if one.has_places else "mentions")] if one.elements else []
    suffixes = [*one.suffixes, *(f"({suffix})" for suffix in one.shared)]
    return one.name, ", ".join(held), "yes" if one.name in WRITERS else "no", " ".join(suffixes)
