"""Statistics of annotated documents: words, elements and labels, for all and for groups of them.

Source: Galibert et al., IJCNLP 2011, table 1: the sizes of the training data and of the test data
of Quaero, with the word error rates of the recognisers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..documents.model import Document, depths
from ..errors import one_line
from ..evaluation.evaluate import by_kind
from ..evaluation.report import ERRORS, errors_cells
from ..evaluation.settings import Signature, SignaturePart
from ..evaluation.words import DocumentErrors, ElementErrors, WordParts, WordScore
from ..labels import Grammar
from ..render.report import (
    Look,
    Report,
    filled,
    group_rows,
    lines,
    percent,
    rounded,
    rows,
    side_by_side,
)

LEGEND = "Lines are utterances; words count as they are written."
RATES = "WER and survival, the share of elements that the recogniser left whole, in percent."

FORMS = {
    "groups": rows(
        *("group text", "documents integer", "lines integer", "words integer"),
        *("distinct_words integer", "elements integer", "distinct_labels integer"),
        *("types integer?", "distinct_types integer?"),
        *("components integer?", "distinct_components integer?"),
        *("unknown_labels integer?", "distinct_unknown_labels integer?"),
        *("elements_per_word", "mean_depth", "greatest_depth integer"),
    ),
    "labels": rows("group text", "label text", "elements integer"),
    "depths": rows("group text", "depth integer", "elements integer"),
    "words": rows("recogniser text", "group text", *ERRORS),
    "survival": rows(
        *("recogniser text", "group text", "label text?", "depth integer?"),
        *("elements integer", "lost integer", "survival"),
    ),
}
"""The tables of the report."""

StatsValue = int | float | None


class Sizes(NamedTuple):
    """The sizes of one document, or of several."""

    documents: int
    lines: int  # utterances; a document without boundaries of utterances has one
    words: Counter[str]  # how often each occurs, as it is written
    labels: Counter[str]
    depths: Counter[int]  # the number of elements at each depth; 1 is that of the outermost ones


def sizes_of(document: Document) -> Sizes:
    """The sizes of a document; mentions without places count as elements at depth 1."""
    mentions = document.mentions or ()
    found = depths([element.parent for element in document.elements]) + [1] * len(mentions)
    labels = Counter(one.label for one in document.elements)
    labels.update(one.label for one in mentions)
    lines = 1 + len(document.breaks) if document.words else 0
    return Sizes(1, lines, Counter(document.words), labels, Counter(found))


def total(parts: Sequence[Sizes]) -> Sizes:
    """The sizes of several documents together."""
    found = Sizes(len(parts), sum(one.lines for one in parts), Counter(), Counter(), Counter())
    for one in parts:
        found.words.update(one.words)
        found.labels.update(one.labels)
        found.depths.update(one.depths)
    return found


def numbers(sizes: Sizes, known: Mapping[str, Iterable[str]]) -> dict[str, StatsValue]:
    """The numbers of a group of documents, by name, with those of labels by kind."""
    words, elements = sizes.words.total(), sizes.labels.total()
    found: dict[str, StatsValue] = {
        "documents": sizes.documents,
        "lines": sizes.lines,
        "words": words,
        "distinct words": len(sizes.words),
        "elements": elements,
        "distinct labels": len(sizes.labels),
    }
    for kind, labels in known.items():
        counts = [sizes.labels[label] for label in labels if label in sizes.labels]
        found |= {kind: sum(counts), f"distinct {kind}": len(counts)}
    deep = sum(depth * number for depth, number in sizes.depths.items())
    return found | {
        "elements per word": elements / words if words else None,
        "mean depth": deep / elements if elements else None,
        "greatest depth": max(sizes.depths, default=0),
    }


def report_of(
    documents: Mapping[str, Sizes],
    recognisers: Mapping[str, Mapping[str, DocumentErrors]],  # word errors, by recogniser and by id
    groups: Mapping[str, Collection[str]],
    grammar: Grammar | None,  # tells types from components; None: the report does not
    settings: Iterable[SignaturePart],  # the changes of labels, for the signature
) -> Report:
    """The report on documents: the numbers of all and of each group."""
    named = {"all": documents.keys(), **groups}
    members = {name: [id for id in documents if id in ids] for name, ids in named.items()}
    sizes = {name: total([documents[id] for id in ids]) for name, ids in members.items()}
    errors = {
        recogniser: {name: WordScore(tuple(own[id] for id in ids)) for name, ids in members.items()}
        for recogniser, own in recognisers.items()
    }
    known = by_kind(sizes["all"].labels, grammar)
    values = {name: numbers(own, known) for name, own in sizes.items()}
    names = [column.name.replace("_", " ") for column in FORMS["groups"].columns[1:]]
    tables = filled(
        FORMS,
        groups=([group, *map(own.get, names)] for group, own in values.items()),
        labels=((g, *each) for g, own in sizes.items() for each in sorted(own.labels.items())),
        depths=((g, *each) for g, own in sizes.items() for each in sorted(own.depths.items())),
        words=(
            (name, group, *errors_cells(one.total))
            for name, of_group in errors.items()
            for group, one in of_group.items()
        ),
        survival=(
            (name, group, *key, own.elements, own.lost, own.survival)
            for name, of_group in errors.items()
            for group, one in of_group.items()
            for key, own in _elements(one.parts)
        ),
    )
    signed = [] if grammar is None else [("grammar", grammar.signature)]
    wer = [("wer", "unit")] if recognisers else []
    signature = Signature.of(("stats", None), *settings, *signed, *wer)
    shown = {
        name: {
            row: str(one) if isinstance(one, int) else rounded(one, 2, (0.0,))
            for row, one in own.items()
        }
        for name, own in values.items()
    }
    for recogniser, of_group in errors.items():
        for name, one in of_group.items():
            shown[name][f"WER {recogniser}"] = percent(one.total.rate)
    survived = {name: of_group["all"].parts for name, of_group in errors.items()}

    def text(_: Look) -> Iterator[str]:
        """A row for each number, a column for all documents and for each group; then survival."""
        heads = ["", *map(one_line, shown["all"])]
        cells = ([one_line(name), *own.values()] for name, own in shown.items())
        for table in side_by_side([heads], cells):
            yield from (*lines(table), "")
        yield from (*_survival(survived), "") if survived else ()
        yield from (f"{LEGEND} {RATES}" if survived else LEGEND, "", str(signature))

    return Report("stats", tables, text, signature)


_Key = tuple[str | None, int | None]


def _elements(parts: WordParts) -> Iterator[tuple[_Key, ElementErrors]]:
    """The errors of all elements, of those of each label, and of those of each depth."""
    yield (None, None), parts.entities
    yield from (((label, None), own) for label, own in parts.labels.items())
    yield from (((None, depth), own) for depth, own in parts.depths.items())


def _survival(of_each: Mapping[str, WordParts]) -> list[str]:
    """A table: the elements of all, of a label, of a depth; how many each recogniser left whole."""
    found: dict[str, dict[str, list[str]]] = {"": {}, "by label": {}, "by depth": {}}
    for parts in of_each.values():
        for (label, depth), own in _elements(parts):
            heading = "by label" if label else "by depth" if depth else ""
            row = found[heading].setdefault(label or str(depth or "all"), [str(own.elements)])
            row.append(percent(own.survival))
    return list(lines(group_rows(("survival", "Ref", *map(one_line, of_each)), found, list)))
