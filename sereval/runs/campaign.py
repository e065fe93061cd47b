"""Campaigns: systems in several conditions, what recognisers cost them, and groups of documents.

A condition is a version of the words. A file in TOML names conditions by their paths; a mapping of
the same form also by documents. A comparison without a campaign has one condition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..alignment.normalise import (
    LETTERS,
    NORMALISATIONS,
    Normalisation,
    check_normalisation,
    normalisation,
)
from ..corpus.corpus import Corpus
from ..corpus.entries import Side, have_same_output
from ..documents.files import read_text, read_toml
from ..documents.model import HasId
from ..errors import InputError, SerevalError, nearest
from ..evaluation.settings import ByWords, Settings
from ..evaluation.totals import Evaluation
from ..formats.file import File
from ..schemes.options import Alignment, alignment_of, any_tolerance, check_alignment
from .scoring import ALIGNMENT_OPTIONS, Run, RunRequest
from .sides import Sides, SideSource, sides_of, systems_of

if TYPE_CHECKING:  # loaded when something is scored
    from ..analysis.blame import SystemBlame
    from ..analysis.rates import Score

_KEYS = ("reference", "conditions", "systems")
"""The keys that a campaign file must have."""

SAME_WORDS, THROUGH_TIME, WORDS = "same words", "through time", "words"
"""The names of the only condition of a comparison without a campaign."""

ON_REFERENCE: Alignment = (None, None)
"""The words of a condition are the reference's own."""


class Condition(NamedTuple):
    """A condition: where its documents are, and how its words are aligned.

    Args:
        ref: the references.
        systems: the hypotheses of each system.
        name: its name; empty: it is made from the run.
        alignment: the tolerance in time or the alignment of words; ``None``: as the run says, which
            also has the times of words.
        align, words: the times of the words of the references, and of the hypotheses.
        normalise: in which form words are compared through time; ``None``: as the run says.
    """

    ref: SideSource
    systems: Mapping[str, SideSource]
    name: str = ""
    alignment: Alignment | None = None
    align: SideSource | None = None
    words: Sequence[SideSource] = ()
    normalise: Normalisation | None = None

    @property
    def is_projected(self) -> bool:
        """Whether the words are a recogniser's; otherwise they are the reference's own."""
        return self.alignment != ON_REFERENCE

    def sides(self, asked: RunRequest) -> Sides:
        """How its sides are read."""
        if self.alignment is None:
            return sides_of(asked)
        return sides_of(asked)._replace(align=self.align, words=self.words)

    def run(self, run: Run) -> Run:
        """The scoring with its alignment."""
        if self.alignment is None:
            by_words = run.settings.through or ByWords()
            return run.but(through=by_words) if run.scheme.aligns_words else run
        tolerance, through = self.alignment
        form = self.normalise or run.settings.normalise
        return run.but(tolerance=tolerance, through=through, normalise=form)


def read_campaign(path: str) -> list[Condition]:
    """The conditions of a campaign, in the order of the file."""
    file = Path(path)
    # decimals stay text: 0.3 is exactly 300 ms
    return read_toml(file, lambda written: conditions_of(written, file.parent), decimals=str)


def conditions_of(
    campaign: Mapping[str, Any],
    folder: Path,
    source: Callable[[str, Any], SideSource] | None = None,
) -> list[Condition]:
    """The conditions of a campaign, in their order."""
    _check_keys(campaign, "the file", {*_KEYS, "align"})
    for key in _KEYS:
        if key not in campaign:
            raise SerevalError(f"no key {key!r}, expected one in the file")
    conditions = _table(campaign["conditions"], "conditions")
    systems = {
        name: _table(row, f"systems.{name}")
        for name, row in _table(campaign["systems"], "systems").items()
    }
    for name, row in systems.items():
        _check_keys(row, f"systems.{name}", conditions)
    find = source or partial(_path, folder)
    return [_condition(campaign, systems, name, folder, find) for name in conditions]


def _condition(
    campaign: Mapping[str, Any],
    systems: Mapping[str, Mapping[str, Any]],
    name: str,
    folder: Path,
    source: Callable[[str, Any], SideSource],
) -> Condition:
    where = f"conditions.{name}"
    row = _table(campaign["conditions"][name], where)
    _check_keys(row, where, {"words", *ALIGNMENT_OPTIONS})
    align = campaign.get("align")
    alignment, form = _alignment(folder, row, where)
    tolerance, through = alignment
    has_times = tolerance is not None or through is not None and through.cut == "times"
    if alignment == ON_REFERENCE and "words" in row:
        raise SerevalError(f"{where} has words and no tolerance, expected both or neither")
    outputs = {
        system: source(f"systems.{system}.{name}", cells[name])
        for system, cells in systems.items()
        if name in cells
    }
    if not outputs:
        raise SerevalError(f"{where} has no system, expected at least one")
    return Condition(
        source("reference", campaign["reference"]),
        outputs,
        name,
        alignment,
        source("align", align) if align is not None and has_times else None,
        [source(f"{where}.words", row["words"])] if "words" in row else [],
        form,
    )


def _path(folder: Path, where: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise SerevalError(f"{where} is {value!r}, expected a path")
    return str(folder / value)


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not value and where in {"conditions", "systems"}:
        raise SerevalError(f"{where} is {value!r}, expected a table [{where}] with entries")
    return value


def _check_keys(row: Mapping[str, Any], where: str, known: Iterable[str]) -> None:
    for key in row:
        if key not in known:
            raise SerevalError(
                f"unknown key {key!r} in {where}, expected one of {', '.join(sorted(known))}"
            )


def _alignment(
    folder: Path, row: Mapping[str, Any], where: str
) -> tuple[Alignment, Normalisation | None]:
    """How the words of both sides are aligned in a condition, and compared through time."""
    values = {key: row[key] for key in ALIGNMENT_OPTIONS if key in row}
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            expected = "seconds such as 0.3" if key == "tolerance" else "a name"
            raise SerevalError(f"{where}.{key} is {value!r}, expected {expected}")
    place = f"{where}.tolerance" if values.keys() == {"tolerance"} else where
    try:
        if "normalise" in values and values["normalise"] not in NORMALISATIONS:
            values["normalise"] = str(folder / check_normalisation(str(values["normalise"])))
        if "tolerance" in values:
            values["tolerance"] = any_tolerance(str(values["tolerance"]))
        is_timed = isinstance(values.get("tolerance"), tuple) and "by" not in values
        form = normalisation(values.pop("normalise", LETTERS.name)) if is_timed else None
        check_alignment(values.get("by", "time"), values, values.get("tolerance"))
        return alignment_of(**values), form
    except SerevalError as error:
        raise SerevalError(f"{place}: {error}") from None


# Systems in conditions


class Systems(NamedTuple):
    """The systems of one condition, unread: its name, the scoring with its alignment, and they."""

    name: str
    run: Run
    corpus: Corpus


def in_condition(condition: Condition, asked: RunRequest, run: Run) -> Systems:
    """The systems of a condition, unread."""
    run = condition.run(run)
    name = SAME_WORDS if run.settings.tolerance is None else THROUGH_TIME
    if run.settings.through is not None or run.scheme.name == "evalita2011":
        name = f"by {(run.settings.through or ByWords()).by}"
    if run.scheme.counts == "words":
        name = WORDS
    corpus = systems_of(asked, condition.ref, condition.systems, run, sides=condition.sides(asked))
    return Systems(condition.name or name, run, corpus)


def identical_systems(
    condition: Systems, scores: Mapping[str, Score]
) -> tuple[tuple[str, ...], ...]:
    """The systems of a condition with the same output; those with equal rates are read again."""
    from ..analysis.rates import exact_rate

    found: list[list[str]] = []
    for name in sorted(scores):
        for group in found:
            first = group[0]
            is_level = exact_rate(scores[first]) == exact_rate(scores[name])
            if is_level and _are_copies(condition.corpus, first, name):
                group.append(name)
                break
        else:
            found.append([name])
    return tuple(tuple(group) for group in found if len(group) > 1)


def _are_copies(corpus: Corpus, one: str, other: str) -> bool:
    """Whether two systems have the same output, on words with the same times."""
    return all(
        have_same_output(
            *([getattr(pair, side) for pair in corpus.systems[name]] for name in (one, other))
        )
        for side in ("hyp_times", "hypothesis")
    )


# What the recognisers cost


class Recogniser(NamedTuple):
    """Systems on reference words and on those of one recogniser, unread.

    Args:
        condition: the name of the recogniser's words.
        run: the scoring, with the alignment of these words.
        manual, recognised: the systems on reference words, and on the recogniser's.
    """

    condition: str
    run: Run
    manual: Corpus
    recognised: Corpus


def blame_each(recognisers: Iterable[Recogniser], context: int | None = None) -> list[SystemBlame]:
    """The blame of each system on the words of each recogniser."""
    from ..analysis.blame import (
        CONTEXT_WORDS,
        SideScore,
        SystemBlame,
        blame_together,
        score_manual,
    )

    near = CONTEXT_WORDS if context is None else context
    known: dict[tuple[str, ...], dict[str, list[SideScore]]] = {}
    found = []
    for condition, run, manual, recognised in recognisers:
        settings = run.settings
        key = (str(settings.signature), *manual.systems)
        if key not in known:
            known[key] = score_manual(manual, settings)
        blames = blame_together(known[key], recognised, settings, context=near)
        found += [SystemBlame(system, condition, blame) for system, blame in blames.items()]
    return found


def campaign_blames(
    conditions: Sequence[Condition],
    scored: Mapping[str, Mapping[str, Score]],
    run: Run,
    asked: RunRequest,
) -> list[SystemBlame]:
    """What the recognisers of a campaign cost each system that was run on reference words too."""
    manual = [one for one in conditions if not one.is_projected]
    if run.scheme.name != Settings().scheme or len(manual) != 1:
        return []
    [own] = manual
    both = [own]
    for one in conditions:
        if one is not own and not any(map(_has_mentions, scored[one.name].values())):
            shared = {name: hyp for name, hyp in one.systems.items() if name in own.systems}
            both.append(one._replace(systems=shared))
    return blame_each(recognisers(both, None, run, asked)) if len(both) > 1 else []


def _has_mentions(score: Score) -> bool:
    """Whether the mentions of a hypothesis were found in the words of the reference."""
    notes = score.notes["hypothesis"] if isinstance(score, Evaluation) else ()
    return any(note.choice.endswith(":reference") for note in notes)


def recognisers(
    conditions: Sequence[Condition], path: str | None, run: Run, asked: RunRequest
) -> list[Recogniser]:
    """The systems on the words of each recogniser, in the order of the campaign."""
    manual = [one for one in conditions if not one.is_projected]
    if len(manual) != 1 or len(conditions) < 2:
        s = "" if len(conditions) == 1 else "s"
        raise InputError(
            f"{len(manual)} of {len(conditions)} condition{s} without a tolerance, expected one, "
            "on reference words, and others with a tolerance",
            path=path,
        )
    [own] = manual
    found = []
    for one in conditions:
        if one is own:
            continue
        heard, sides = one.run(run), one.sides(asked)
        for system in one.systems:
            if system not in own.systems:
                raise InputError(
                    f"systems.{system} has {one.name} and no {own.name}, expected both", path=path
                )
        said = heard.but(tolerance=None, through=None)
        hyps = {name: own.systems[name] for name in one.systems}
        plain = sides._replace(words=(), alternatives=())  # reference words have no word errors
        on_manual = systems_of(asked, one.ref, hyps, said, sides=plain, is_located=True)
        on_heard = systems_of(asked, one.ref, one.systems, heard, sides=sides, is_located=True)
        found.append(Recogniser(one.name, heard, on_manual, on_heard))
    return found


# Groups of documents


def read_groups(path: str) -> dict[str, list[str]]:
    """The ids of the documents of each group, in the order of the file."""
    if path.lower().endswith(".toml"):
        return read_toml(Path(path), lambda written: _groups(_of_toml(written)))
    source = File(path, text=read_text(path))
    with source.at():
        return _groups(_of_lines(source))


def _groups(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id, group in rows:
        own = found.setdefault(group, [])
        if id in own:
            raise SerevalError(f"document {id} is twice in group {group}, expected it once")
        own.append(id)
    if not found:
        raise SerevalError("no document, expected the group of each")
    return found


def _of_toml(written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for id, value in written.items():
        for group in value if isinstance(value, list) else [value]:
            if not isinstance(group, str) or not group:
                raise SerevalError(f"{id} is {value!r}, expected a group or a list of groups")
            yield id, group


def _of_lines(source: File) -> Iterator[tuple[str, str]]:
    for number, line in source.lines():
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            error = SerevalError(
                f"found {line.strip()!r}, expected a document, a tab and its group"
            )
            raise source.located(error, number)
        yield cells[0], cells[1]


def check_groups(
    path: str | None,
    groups: Mapping[str, Collection[str]],
    known: Mapping[Side, Sequence[HasId]],
    references: Iterable[SideSource] = (),
) -> None:
    """Check that the reference has each document of each group."""
    ids = {entry.id for (side, _), every in known.items() if side == "ref" for entry in every}
    ids |= {one.id for each in references if not isinstance(each, str) for one in each}
    for id in (id for own in groups.values() for id in own):
        if id not in ids:
            there = f"{', '.join(sorted(ids)[:3])}{', …' if len(ids) > 3 else ''}"
            raise InputError(
                f"no document {id!r}, expected some of {there}{nearest(id, ids)}", path=path
            )
