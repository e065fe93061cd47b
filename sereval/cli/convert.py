"""``sereval convert``, ``baseline`` and ``formats``: documents that are made from documents."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..alignment.normalise import normalisation
from ..analysis.baseline import EntityList
from ..corpus.corpus import exact
from ..documents.model import Document, Note, Reference
from ..documents.tags import WRITABLE
from ..errors import SerevalError, UsageFault
from ..formats import ANNOTATIONS, FORMATS, WORDS, WRITERS, ReadingOptions, read_each
from ..formats import files as files_at
from ..formats.build import file_name
from ..formats.file import quote, stem_of
from ..formats.table import Format
from ..integrations.documents import files_of
from ..labels.relabel import Labels
from ..labels.relabel import labels_of as labels_in
from ..runs.options import FILES
from ..runs.scoring import labels_of
from ..runs.sides import reading_of
from ..schemes.options import Option
from .line import Line, check_effect, command, print_path_notes, with_notes_told
from .options import source_format
from .outputs import check_free, warn, write_all, write_files

RENAMED = "names of documents, replaced by the names of their files"


TARGET = (
    Option(
        "target_format",
        flag="--to",
        is_common=True,
        group=FILES,
        choices=(*WRITERS,),
        metavar="FORMAT",
        help=f"Format of OUT; by default the suffix says it. One of {', '.join(WRITERS)}.",
    ),
    Option(
        "tags",
        is_common=True,
        group=FILES,
        choices=(*WRITABLE,),
        help="Scheme of the tags in columns (by default iob2), or in tokens (by default spans).",
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
    reading = reading_of(line.values, line.source_format, FORMATS)
    check_effect(line, files_at(source, reading))
    documents = with_notes_told(source, read_each(source, reading))
    write_documents(documents, line.target, format, line.tags, [source])


@command(
    "train source target",
    Option(
        "train_format",
        group=FILES,
        choices=(*ANNOTATIONS,),
        metavar="FORMAT",
        help="Format of TRAIN; by default the suffix says it. As --from.",
    ),
    source_format("IN", WORDS),
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
    labels = labels_of(line.values)
    reading = reading_of(line.values, line.train_format, ANNOTATIONS)
    words = reading_of(line.values, line.source_format, WORDS)
    check_effect(line, [*files_at(train, reading), *files_at(source, words)])
    training = _labelled(train, reading, labels)
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
        seen |= labels_in([document])
        yield labels.relabel(document)
    if labels.has_changes:
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
    widths = [*(max(len(row[k]) for row in rows) for k in range(3)), 0]
    return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


def cells(one: Format) -> tuple[str, ...]:
    """The cells of a format."""
    held = ["words"] if one.has_places else []
    held += ["times"] if one.has_times else []
    held += [("elements" if one.has_places else "mentions")] if one.elements else []
    suffixes = [*one.suffixes, *(f"({suffix})" for suffix in one.shared)]
    return one.name, ", ".join(held), "yes" if one.name in WRITERS else "no", " ".join(suffixes)
