"""Strata: a score by the length, the depth or the sentence of elements, or by training data.

Each element falls into the stratum of its own property. A slot counts in the stratum of its
reference element, an insertion in its own; so the strata of a property add up to the whole.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from operator import itemgetter

from ..alignment.normalise import significant
from ..documents.files import read_text
from ..documents.model import Document
from ..errors import InputError, SerevalError, with_place
from ..evaluation.evaluate import Evaluation
from ..evaluation.report import COUNTS, IN_TEXT, with_bars
from ..formats.build import milliseconds
from ..formats.file import File
from ..formats.rows import RTTM, STM
from ..measures import Counts
from ..render.report import Look, Report, Reported, Table, columns, filled, grouped, lines, values
from .audit import Audit, AuditRow, audit
from .rates import counts_of_rows, utterances

Property = Callable[[Audit], Callable[[AuditRow], str]]
"""What tells the stratum of a row of a document."""


@dataclass(frozen=True, slots=True, repr=False)
class Strata(Reported):
    """A score, and by property the counts of each of its strata, in order."""

    score: Evaluation
    counts: Mapping[str, Mapping[str, Counts]]

    def report(self) -> Report:
        """The report of the score, with a table of strata."""
        report, costs = self.score.report(), self.score.settings.costs
        rows = (
            (name, stratum, *values(COUNTS, counts, costs))
            for name, of in self.counts.items()
            for stratum, counts in of.items()
        )
        tables = {**report.tables, **filled(STRATA, strata=rows)}
        return report._replace(tables=tables, text=partial(self._text, report))

    def _text(self, report: Report, look: Look) -> Iterator[str]:
        """The text of the score, with a table for each property before its signature."""
        *body, blank, signature = report.text(look)
        yield from body
        costs = self.score.settings.costs
        for name, of in self.counts.items():
            rows = grouped(IN_TEXT, {"": of}, costs, f"by {name}")
            errors: list[Fraction | None] = [None, *(its.cost(costs) for its in of.values())]
            yield from ("", *with_bars([*lines(rows)], errors, look))
        yield from (blank, signature)


STRATA = {"strata": Table((*columns("property text", "stratum text"), *COUNTS))}
"""The table of strata, beside those of the score."""


def strata(score: Evaluation, properties: Mapping[str, Property]) -> Strata:
    """A score that keeps outcomes by properties of its elements."""
    found: dict[str, dict[str, Counter[str]]] = {name: {} for name in properties}
    for document in audit(score):
        of_row = {name: property(document) for name, property in properties.items()}
        for row, counts in counts_of_rows(score, document):
            for name, stratum in of_row.items():
                found[name].setdefault(stratum(row), Counter()).update(counts)
    return Strata(
        score,
        {
            name: {stratum: Counts(**own) for stratum, own in sorted(of.items())}
            for name, of in found.items()
        },
    )


# Properties


def by_sentence_length(document: Audit) -> Callable[[AuditRow], str]:
    """The number of words of the sentence of each element, in the reference."""
    sizes, utterance = _sentences(document), utterances(document)
    return lambda row: _range(sizes[utterance(row)], (0, 10, 20, 40))


def by_density(document: Audit) -> Callable[[AuditRow], str]:
    """The elements of the reference per ten words in the sentence of each element."""
    sizes, utterance = _sentences(document), utterances(document)
    elements = Counter(map(utterance, document.references))
    densities = [-(-10 * elements[k] // max(1, size)) for k, size in enumerate(sizes)]
    return lambda row: _range(densities[utterance(row)], (0, 2, 5, 10))


def by_group(groups: Mapping[str, Collection[str]]) -> Property:
    """The groups of the document of each element."""

    def of(document: Audit) -> Callable[[AuditRow], str]:
        own = ", ".join(name for name, ids in groups.items() if document.id in ids)
        return lambda _: own or "no group"

    return of


def by_training(training: Iterable[Document]) -> Property:
    """Whether the training data have the text of each element, and the text with its label."""
    seen = {
        (_text_of(one.words[element.start : element.end]), element.label)
        for one in training
        for element in one.elements
    }
    known = {text for text, _ in seen}

    def of(row: AuditRow) -> str:
        text = _text_of(row.words)
        if (text, row.label) in seen:
            return "text and label"
        return "text only" if text in known else "never"

    return lambda _: of


Turn = tuple[int, int, str]
"""When a speaker begins and ends to say something, in ms, and the speaker."""


def read_turns(path: str) -> dict[str, list[Turn]]:
    """The turns of each recording, and of each of its channels, in RTTM or STM files."""
    files = [path]
    if os.path.isdir(path):
        there = (os.path.join(path, name) for name in sorted(os.listdir(path)))
        files = [one for one in there if one.lower().endswith((".rttm", ".stm"))]
    if not files:
        raise InputError("no file of turns, expected .rttm or .stm", path=path)
    found: dict[str, list[Turn]] = {}
    for name in files:
        is_stm = name.lower().endswith(".stm")
        file = File(name, text=read_text(name))
        with file:
            for row in file.rows(*((STM, 5) if is_stm else (RTTM,))):
                if not is_stm and row[0] not in ("SPEAKER", "LEXEME"):
                    continue
                recording, channel = row[:2] if is_stm else row[1:3]
                start, length = (
                    with_place("time", milliseconds, one) for one in row[3:5]
                )  # of both formats
                end = length if is_stm else start + length
                turn = start, end, row[2] if is_stm else row[7]
                for id in (recording, f"{recording}-{channel.upper()}"):
                    found.setdefault(id, []).append(turn)
    return found


def by_speaker(turns: Mapping[str, Sequence[Turn]]) -> Property:
    """The speaker of each element: whose turn has most of its time."""

    def of(document: Audit) -> Callable[[AuditRow], str]:
        own = turns.get(document.id)
        if not own:
            raise SerevalError(f"{document.id}: no turn of a speaker, expected some")
        sides = document.reference_words.times, document.hypothesis_words.times
        times = None if document.words.is_projected else sides[0] or sides[1]

        def speaker(row: AuditRow) -> str:
            time = row.time
            if times and row.span:  # both sides have the same words
                time = times[row.span[0]][0], times[row.span[1] - 1][1]
            if time is None:
                raise SerevalError(
                    f"{document.id}: no times, expected those of the words: --align, --words"
                )
            start, end = time
            shared = ((min(end, until) - max(start, at), name) for at, until, name in own)
            most, found = max(shared, key=itemgetter(0))
            return found if most > 0 or most == 0 == end - start else "nobody"

        return speaker

    return of


PROPERTIES: Mapping[str, Property] = {
    "length": lambda _: lambda row: _few(len(row.words)),
    "depth": lambda _: lambda row: _few(row.depth),
    "sentence-length": by_sentence_length,
    "density": by_density,
}
"""The properties that need no other data."""


def _text_of(words: Iterable[str]) -> str:
    """The letters, marks and numbers of words, case folded."""
    return " ".join(filter(None, map(significant, words)))


def _few(number: int) -> str:
    return str(number) if number < 4 else "4+"


def _range(number: int, ends: Sequence[int]) -> str:
    """The range that holds a number: its least and greatest member."""
    for low, high in pairwise((-1, *ends)):
        if number <= high:
            return str(high) if low + 1 == high else f"{low + 1}-{high}"
    return f"{ends[-1] + 1}+"


def _sentences(document: Audit) -> list[int]:
    """The number of words of each sentence of the reference."""
    annotated = document.annotated
    return [end - start for start, end in pairwise((0, *annotated.breaks, len(annotated.words)))]
