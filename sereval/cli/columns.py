"""The schemes that score columns of tags: what they read, and what they print."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..columns import SCHEMES, Columns
from ..conlleval import ConllScore, conll, how_read, pairs_of, relabelled, stand_ins
from ..grammar import load
from ..model import Document, Reference, told
from ..readers import READERS, read_columns
from ..readers.columns import write_aligned
from ..report.conlleval import render
from ..report.scheme import FORMATS
from ..scheme import Options, SchemeScore
from .inputs import ANNOTATIONS, check_paths, named, read_side
from .scoring import LABEL_OPTIONS, asked_labels, split


def score_columns(
    report: tuple[str, str],
    ref: str,
    hyp: str,
    *,
    options: Options,
    is_bound: bool,
    aligned: str | None,
    **given: Any,
) -> tuple[str, dict[str, str]]:
    """The report of a scheme of columns, and what else is to be written, by path.

    Args:
        report: the scheme, and the format of its report.
        aligned: where the aligned file of ``evalita2011`` goes, if anywhere.
        given: the values of the other options of ``score``.
    """
    scheme, format = report
    check_paths([ref, hyp])
    sides = [list(_side(path, side, given)) for path, side in ((ref, "ref"), (hyp, "hyp"))]
    ours, theirs = named(given["name"], *sides)
    asked, _ = split(given, *LABEL_OPTIONS)
    labels = asked_labels(**asked, grammar=load(given["grammar"]) if given["grammar"] else None)
    how = (*labels.signature, *how_read(ours, theirs))
    ours, theirs, notes = relabelled(ours, theirs, labels)
    columns = (("columns", "+".join(given["columns"])),) if given["columns"] else ()
    if scheme == "conll":
        pairs = pairs_of(ours, theirs, missing=given["missing"])
        score = conll(pairs, elements=options.elements)
        notes = (*notes, *told([], stand_ins(pairs, theirs)))
        if given["missing"] != "error":
            settings = (*score.score.settings, ("missing", given["missing"]))
            score = replace(score, score=replace(score.score, settings=settings))
        return _report(score, format, _with(score.score, how, columns, notes)), {}
    from ..evalita import evalita, shifted  # not for conll

    found = evalita(pairs_of(ours, theirs), mode=options.mode, elements=options.elements)
    if is_bound:
        found = shifted(found)
    beside = {} if aligned is None else {aligned: write_aligned(found.aligned)}
    return _report(found.conll, format, _with(found.score, how, columns, notes)), beside


def _with(
    score: SchemeScore,
    how: Sequence[str],
    columns: Sequence[tuple[str, str]],
    notes: Sequence[str],
) -> SchemeScore:
    """A score that says which columns were read, and how, and what became of the labels."""
    parts = ((name, value) for name, _, value in (one.partition(":") for one in how))
    settings = (*score.settings, *columns, *parts)
    return replace(score, settings=settings, notes=(*notes, *score.notes))


def _side(
    path: str, side: str, given: Mapping[str, Any]
) -> Sequence[Document | Reference | Columns]:
    """Columns with their tags as they stand, or documents: of trees, or of any other format."""
    if given[f"{side}_format"] == "columns" or (
        given[f"{side}_format"] is None and _holds_columns(path)
    ):
        columns, tags = given["columns"], given["reading"]["policies"].get("tags")
        if len(columns) < 2:  # several are levels of trees, of which a level is asked for
            return read_columns(
                path,
                scheme=tags if tags in SCHEMES else None,
                encoding=given["encoding"],
                column=columns[0] if columns else None,
                policies=given["reading"]["policies"],
            )
    return read_side(path, side, ANNOTATIONS, given)


def _holds_columns(path: str) -> bool:
    reader = READERS["columns"]
    if not os.path.isdir(path):
        return os.path.splitext(path)[1].lower() in (*reader.suffixes, *reader.shared)
    return any(os.path.splitext(name)[1].lower() in reader.suffixes for name in os.listdir(path))


def _report(found: ConllScore, format: str, score: SchemeScore) -> str:
    score = replace(score, tokens=found.tokens)
    if format != "text":
        return FORMATS[format](score)
    notes = "".join(f"{note}\n" for note in score.notes)
    return f"{render(found)}\n{notes}{score.signature}\n"
