"""Several measures on the same documents, computed with as little repeated work as possible.

Measures of the definition with the same settings are read from the same counts. Counts with the
same tolerance share one projection. Each other scheme goes through the documents once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..alignment.blocks import UNIT, WEIGHTS
from ..alignment.normalise import normalisation
from ..corpus.corpus import Scorer, together
from ..documents.files import read_text, short_hash
from ..errors import InputError, SerevalError, nearest, one_line
from ..evaluation.evaluate import notes_of, sentences
from ..evaluation.report import errors_line, most_costly
from ..evaluation.settings import Settings, Signature
from ..evaluation.words import (
    BiasingList,
    WordErrors,
    WordScore,
    WordSettings,
    errors_of,
    unit_of,
    word_score,
)
from ..formats.file import File
from ..formats.records import Record, load, value
from ..measures import Errors
from ..render.report import Look, Report, Reported, filled, group_rows, lines, percent, rows
from ..schemes.measure import LABELLED, Measure
from ..schemes.table import BY_LIST, CHARACTERS, OF_ELEMENTS, SURVIVING

if TYPE_CHECKING:
    from .rates import Score

FORMS = {
    "measures": rows(
        *("measure text", "value", "better text", "errors number", "size number", "signature text")
    ),
    "documents": rows("document text", "measure text", "value", "errors number", "size number"),
}
"""The tables of the report."""


@dataclass(frozen=True, repr=False)
class Measured(Reported):
    """The values of measures.

    Args:
        scores: for each measure, in the order requested, the score that holds its value.
        read: the notes of the readers of either side, a sentence each: what they skipped, merged
            or added.

    >>> from sereval.evaluation.words import WordErrors, WordParts
    >>> from sereval.evaluation.words import DocumentErrors
    >>> errors = WordScore((DocumentErrors("d", WordParts(WordErrors(correct=1, S=1))),))
    >>> Measured({Measure("WER"): errors}).values
    {WER: 0.5}
    """

    scores: Mapping[Measure, Score]
    read: tuple[str, ...] = ()

    @cached_property
    def scored(self) -> dict[Measure, Score]:
        """The score that holds each measure, compared by it."""
        return {one: score.by(one.figure, str(one)) for one, score in self.scores.items()}

    @cached_property
    def values(self) -> dict[Measure, float | None]:
        """The value of each measure over all documents; ``None`` where its denominator is 0."""
        return {one: _value(score, score.errors) for one, score in self.scored.items()}

    @cached_property
    def documents(self) -> dict[str, dict[Measure, float | None]]:
        """The values of each document, in the order of ids."""
        found: dict[str, dict[Measure, float | None]] = {}
        for measure, score in self.scored.items():
            for id, errors in score.each_document():
                found.setdefault(id, {})[measure] = _value(score, errors)
        return found

    @property
    def word_errors(self) -> dict[Measure, WordErrors]:
        """The word errors that each measure of words counts, over all documents."""
        return {
            one: score.counted
            for one, score in self.scored.items()
            if isinstance(score, WordScore) and one.family is not SURVIVING
        }

    @property
    def signatures(self) -> dict[Measure, Signature]:
        """The signature of each measure: all settings that can change a result."""
        return {measure: score.signature for measure, score in self.scores.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader of the values, a sentence each."""
        of_scores = (
            note
            for score in self.scores.values()
            for note in (*score.remarks, *map(one_line, score.notes))
        )
        of_labels = (
            f"{one}: no element of the reference has this label{nearest(one.figure, known)}."
            for one, score in self.scores.items()
            if one.family in LABELLED and one.figure
            for known in [score.by("").by_label]
            if one.figure not in known
        )
        return tuple(dict.fromkeys([*self.read, *of_scores, *of_labels]))

    def report(self) -> Report:
        """The value and the signature of each measure, and its values by document."""
        scored = self.scored.items()
        tables = filled(
            FORMS,
            measures=(
                (
                    *(str(one), self.values[one], score.rate.is_better),
                    *(errors.total, errors.size, str(self.signatures[one])),
                )
                for one, score in scored
                for errors in [score.errors]
            ),
            documents=(
                (id, str(one), _value(score, errors), errors.total, errors.size)
                for one, score in scored
                for id, errors in score.each_document()
            ),
        )
        named = "; ".join(map(str, self.signatures.values()))
        return Report("score", tables, self._text, named, self.notes)

    def _text(self, look: Look) -> Iterator[str]:
        """A column for each measure: all documents, then each; notes and signatures last."""
        first = next(iter(self.scored.values()))
        documents = {id: (one.total, self.documents[id]) for id, one in first.each_document()}
        shown = most_costly(look, {}, documents, itemgetter(0))
        table = group_rows(
            ("", *map(str, self.scores)),
            {"": {"all": (None, self.values)}, **{name: of for name, of in shown.items() if of}},
            lambda row: map(percent, row[1].values()),
        )
        yield from lines(table, width=look.width)
        yield ""
        words = [
            f"{one}: {errors_line(errors, unit=unit_of(one.name))}"
            for one, errors in self.word_errors.items()
        ]
        if notes := [*words, *map(one_line, self.notes)]:
            yield from (*notes, "")
        yield from (f"{one}: {signature}" for one, signature in self.signatures.items())


def check_run(measures: Sequence[Measure], run: Settings) -> None:
    """Check that the settings of a run make sense for its measures."""
    if not measures:
        raise SerevalError("found no measure, expected one or more")
    for one in measures:
        if run.missing != "error" and not one.family.takes("missing"):
            raise SerevalError(f"measure {one} needs all hypotheses, expected none to be missing")
    if run.neutral and not any(one.family.takes("neutral") for one in measures):
        raise SerevalError("neutral labels have no effect here, expected a measure with costs")


def measuring(
    measures: Sequence[Measure],
    run: Settings,
    biasing: BiasingList | None = None,
) -> Scorer:
    """The scorer of several measures of a run; those that need the same share one score."""
    found = {one: _scorer_of(one, run, biasing) for one in measures}
    of_key = dict(found.values())
    work, score = together([*of_key.values(), Scorer(notes_of, sentences)])

    def measured(documents: Sequence[Any]) -> Measured:
        *scores, read = score(documents)
        of = dict(zip(of_key, scores, strict=True))
        return Measured({measure: of[key] for measure, (key, _) in found.items()}, read)

    return Scorer(work, measured)


def _scorer_of(
    measure: Measure, run: Settings, biasing: BiasingList | None
) -> tuple[object, Scorer]:
    """The scorer of a measure, after its key: measures with equal keys share one score."""
    family = measure.family
    if family.counts != "words":
        settings = measure.settings(run)
        return settings, family.scorer(replace(settings, figure=None))
    values = {name: str(one) for name, one in measure.values.items()}
    weights = WEIGHTS[values.get("weights", UNIT.name)]
    between = {"dropped": "", "kept": " "}.get(values.get("blanks", ""))
    normalise = normalisation(values["normalise"])
    how = WordSettings(weights, normalise, between, biasing, family in BY_LIST)
    parts: tuple[tuple[str, str], ...] = (*run.selection,)
    if family in OF_ELEMENTS or (how.by_list and biasing is None):
        parts = (*parts, *run.labels.signature)
    if family is CHARACTERS:
        parts = (("blanks", values["blanks"]), *parts)
    elif how.by_list:
        parts = (("biasing", biasing.signature if biasing else "elements"), *parts)
    score = partial(word_score, how=how, settings=parts, name=measure.scheme)
    key = measure.scheme, how._replace(biasing=None)
    return key, Scorer(partial(errors_of, how=how), score)


# Values read from a score


def _value(score: Score, errors: Errors) -> float | None:
    value = score.rate.of(errors)
    return None if value is None else float(value)


# --- biasing lists -------------------------------------------------------------------------------


EntryWords = tuple[str, ...]


def biasing_of(path: str | None, measures: Sequence[Measure]) -> BiasingList | None:
    """The biasing lists that measures take; a file that settings name may go unused."""
    # the file has one of three forms, by its suffix
    if path is None or not any(one.family in BY_LIST for one in measures):
        return None
    # docs/reference/measures.md shows the forms. The lists of Le et al., Interspeech 2021, for
    # LibriSpeech are .tsv, whose columns after the third are ignored.
    file, lower = File(path, text=read_text(path)), path.lower()
    lists: dict[str, EntryWords] = {"": ()}  # that of all documents, and others by document
    with file:
        if lower.endswith(".json"):
            found = value(file)
            of_each = found if isinstance(found, dict) else {"": found}
            lists |= {id: _words(own, id or "words") for id, own in of_each.items()}
        elif lower.endswith(".tsv"):
            for line in file.lines():
                id, *fields = line.rstrip("\r").split("\t")
                if not fields and not id.strip():
                    continue
                if len(fields) < 2:
                    raise SerevalError(
                        f"found {1 + len(fields)} columns, expected a document, its text and its "
                        "words"
                    )
                if id in lists:
                    raise SerevalError(f"found {id} a second time, expected it once")
                lists[id] = _words(load(fields[1]), id)
        else:
            lists[""] = tuple(line.strip() for line in file.lines() if line.strip())
    if not any(lists.values()):
        raise InputError("found no word, expected a biasing list", path=path)
    text = "\n".join(f"{id}\t{' '.join(sorted(lists[id]))}" for id in sorted(lists))
    return BiasingList(lists.pop("") or None, lists, short_hash(text))


def _words(found: object, where: str) -> EntryWords:
    return Record({where: found}, "biasing list").strings(where)
