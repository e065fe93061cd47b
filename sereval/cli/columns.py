"""The schemes that score columns of tags: what they read, and what they print."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ..corpus.entries import entries
from ..corpus.pairing import emptied
from ..corpus.pairs import WithNotes
from ..corpus.unread import (
    PairResult,
    Part,
    Size,
    Streamed,
    UnreadPair,
    elements_in,
    unread_pairs,
)
from ..documents.model import Document, Note
from ..documents.tags import SCHEMES, Aligned
from ..evaluation.settings import Settings
from ..evaluation.totals import chosen, sentences
from ..formats import ANNOTATIONS, File, TagFile, column_files, files
from ..formats import FORMATS as KNOWN
from ..formats.columns import write_aligned
from ..formats.rows import WORD
from ..labels.relabel import Labels, labels_of
from ..report.conlleval import render
from ..report.scheme import FORMATS
from ..schemes.conll import (
    ConllScore,
    Given,
    Shown,
    Side,
    added,
    both_sides,
    counted,
    documents,
    notes_of,
    relabelled,
)
from ..schemes.result import SchemeScore
from .inputs import check_paths, hinting, how_read
from .outputs import with_progress
from .scoring import ScoringOptions
from .unread import check_read, named

_R = TypeVar("_R")


def score_columns(
    ref: str,
    hyp: str,
    how: ScoringOptions,
    *,
    format: str,
    aligned: str | None,
    **given: Any,
) -> tuple[str, dict[str, str]]:
    """The report of a scheme of columns, and what else is to be written, by path.

    Args:
        format: of the report.
        aligned: where the aligned file of ``evalita2011`` goes, if anywhere.
        given: the values of ``side_options``.
    """
    check_paths([ref, hyp])
    settings, options = how.settings, how.options
    sides = [
        entries(_files(path, side, given), (side, path))
        for side, path in (("ref", ref), ("hyp", hyp))
    ]
    ours, theirs = named(given["name"], sides)
    pairs = Streamed(
        unread_pairs(ours or [], theirs or [], missing=settings.missing),
        partial(read_tags, labels=settings.labels),
        workers=how.workers,
        watch=with_progress,
    )
    read, elements = WithNotes(pairs, _notes), options.elements
    aligned_rows: tuple[Aligned, ...] = ()
    if how.scheme.name == "conll":
        found = added(
            read.each(partial(_of_sides, work=partial(counted, elements=elements))),
            elements=elements,
        )
    else:
        from ..schemes.evalita import ADDED, without_rows  # not for conll

        work, total = ADDED["bound" if settings.is_bound else "found"]
        of_one: Callable[[Any], Any] = partial(work, mode=options.mode, elements=elements)
        of_one = of_one if aligned is not None else partial(without_rows, work=of_one)
        scored = total(
            read.each(partial(_of_sides, work=of_one)), mode=options.mode, elements=elements
        )
        found, aligned_rows = scored.conll, scored.aligned
    check_read([pairs], settings.labels)
    score = _told(found.score, settings, read.notes, given["columns"])
    beside = {} if aligned is None else {aligned: write_aligned(aligned_rows)}
    return _report(found, format, score), beside


Told = tuple[tuple[Shown, tuple[Note, ...]], tuple[Shown, tuple[Note, ...]]]
"""What there is to say about the tags of either side as they were read, and the other notes."""


def _notes(pair: tuple[Given, Given]) -> Told:
    ours, theirs = ((one.read, one.notes) for one in pair)
    return ours, theirs


def _of_sides(pair: tuple[Given, Given], work: Callable[[tuple[Side, Side]], _R]) -> _R:
    return work((pair[0].side, pair[1].side))


def read_tags(pair: UnreadPair, labels: Labels) -> PairResult[tuple[Given, Given]]:
    """Read both sides of a pair, columns with their tags as they stand."""
    ours = pair.reference.read()
    theirs = pair.hypothesis.read() if pair.hypothesis else emptied(Document(ours.id, ours.words))
    given = relabelled((ours, theirs), labels)
    parts = [
        Part(
            entry.side,
            # of tags the report has all notes
            () if isinstance(entry.file, TagFile) else notes_of(side),
            Size(1, elements_in(side), elements_in(changed.side)),
        )
        for entry, side, changed in zip(pair, (ours, theirs), given, strict=False)
        if entry
    ]
    found = labels_of(documents((ours, theirs))) if labels.is_asked else frozenset()
    return PairResult(given, tuple(parts), found)


def _told(
    score: SchemeScore, how: Settings, read: Sequence[Told], columns: Sequence[str]
) -> SchemeScore:
    """A score that says which columns were read, and how, and what became of the labels."""
    shown = [(ours[0], theirs[0]) for ours, theirs in read]
    notes = [(ours[1], theirs[1]) for ours, theirs in read]
    gold, found = both_sides(shown)
    parts = (one.partition(":") for one in (*how.labels.signature, *chosen(notes)))
    settings = (
        *score.settings,
        *([("missing", how.missing)] if how.missing != "error" else []),
        *([("columns", "+".join(columns))] if columns else []),
        *((name, value) for name, _, value in parts),
    )
    said = *gold.notes("reference"), *found.notes("hypothesis"), *sentences(notes)
    return replace(score, settings=settings, notes=(*said, *score.notes))


def _files(path: str, side: str, given: Mapping[str, Any]) -> Iterator[File]:
    """Columns with their tags as they stand, or documents: of trees, or of any other format."""
    if given[f"{side}_format"] == "columns" or (
        given[f"{side}_format"] is None and _holds_columns(path)
    ):
        options = how_read(side, ANNOTATIONS, given)
        tags = options.policy("tags")
        # several columns are levels of trees, of which a level is asked for
        if sum(not name.startswith(WORD) for name in options.columns) < 2:
            yield from column_files(path, options, scheme=tags if tags in SCHEMES else None)
            return
    with hinting(side):
        yield from files(path, how_read(side, ANNOTATIONS, given))


def _holds_columns(path: str) -> bool:
    reader = KNOWN["columns"]
    if not os.path.isdir(path):
        return os.path.splitext(path)[1].lower() in (*reader.suffixes, *reader.shared)
    return any(os.path.splitext(name)[1].lower() in reader.suffixes for name in os.listdir(path))


def _report(found: ConllScore, format: str, score: SchemeScore) -> str:
    score = replace(score, tokens=found.tokens)
    if format != "text":
        return FORMATS[format](score)
    notes = "".join(f"{note}\n" for note in score.notes)
    return f"{render(found)}\n{notes}{score.signature}\n"
