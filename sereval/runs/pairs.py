"""From the sides of a run to the systems and their pairs, which are read while they are scored."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..corpus.corpus import ALTERED, Corpus, ReadPair, read_pair, read_tags
from ..corpus.entries import Entry, Side
from ..corpus.pairs import EMPTIED, UNASKED, UNHEARD, Pair, UnreadPair, apart, cut_as, unread_pairs
from ..documents.model import Reference
from ..documents.words import recut
from ..errors import POLICY, InputError, Problems, SerevalError, UsageFault
from ..evaluation.settings import Settings
from ..formats import FORMATS, WORDS
from ..formats.file import ReadingOptions
from ..schemes.table import MEASURED, OF_ELEMENTS, WITHOUT_ELEMENTS
from .scoring import Run, RunRequest, run_of
from .sides import Sides, SideSource, with_ids

if TYPE_CHECKING:
    from ..analysis.rates import Score
    from ..analysis.resampling import Resampling

_W = TypeVar("_W")

OF_POLICIES = (ALTERED, EMPTIED, UNASKED, UNHEARD)
"""The notes on what ``--altered-words`` and ``--missing`` change."""


def system_names(paths: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """The names of systems, one for each path."""
    if not names:
        return distinct_names(paths, "systems", "--system for each")
    if len(names) != len(paths):
        raise UsageFault(
            f"found {len(names)} --system for {len(paths)} HYPs, expected one for each HYP"
        )
    for name in names:
        if not name or names.count(name) > 1:
            raise UsageFault(f"found the system name {name!r}, expected different names")
    return names


def distinct_names(paths: Sequence[str], what: str, expected: str = "different paths") -> list[str]:
    """A name for each path: its last component that differs from path to path."""
    split = [os.path.normpath(path).split(os.sep)[::-1] for path in paths]
    for backwards in split:
        stem, suffix = os.path.splitext(backwards[0])
        if any(suffix.lower() in reader.suffixes for reader in FORMATS.values()):
            backwards[0] = stem
    longest = max(map(len, split))
    columns = list(zip(*([*b, *[""] * (longest - len(b))] for b in split), strict=True))
    for column in columns:  # from the last component on
        if all(column) and len(set(column)) == len(paths):
            return list(column)
    different = [column for column in reversed(columns) if len(set(column)) > 1]
    names = [
        "/".join(filter(None, parts)) or backwards[0]  # a path that is the end of another
        for *parts, backwards in zip(*different, split, strict=True)
    ]
    if len(set(names)) < len(paths):
        raise UsageFault(f"the paths do not tell the {what} apart, expected {expected}")
    return names


def words_of_each(words: Sequence[_W], hyps: Sequence[object]) -> Sequence[_W | None]:
    """The words of each system; ``None``: it has none."""
    if len(words) not in {0, 1, len(hyps)}:
        raise UsageFault(
            f"found {len(words)} --words for {len(hyps)} HYPs, expected one, or one for each HYP"
        )
    return (*words, *[words[0] if words else None] * (len(hyps) - len(words)))


def scores_for(resampling: Resampling | None, run: Run, corpus: Corpus) -> dict[str, Score]:
    """The scores of systems on the same words, with all that a comparison needs."""
    if run.scheme.counts in MEASURED:
        from ..analysis.measured import measuring  # most comparisons are of another rate

        measured = measuring([run.measure], run.settings).scores(corpus)
        return {name: one.scored(run.measure) for name, one in measured.items()}
    is_counted = resampling is not None and all(
        resampling.unit_of(len(pairs)) == "document" for pairs in corpus.systems.values()
    )
    found = run.counts(corpus) if is_counted else run.score(corpus)
    return {name: score.by(run.measure.figure) for name, score in found.items()}


def systems_of(
    asked: RunRequest,
    ref: SideSource,
    hyps: Mapping[str, SideSource | None],
    run: Run,
    *,
    sides: Sides | None = None,
    has_stand_ins: bool = False,
    is_located: bool = False,
) -> Corpus:
    """The documents of systems, which are read one by one as they are scored."""
    sides = sides or asked.sides
    of_each = words_of_each(sides.words, [*hyps])
    pairs: dict[str, list[UnreadPair]] = {}
    times: dict[tuple[Side, str], Entry] = {}
    for (name, hyp), own in zip(hyps.items(), of_each, strict=True):
        sources = {"ref": ref, "hyp": hyp, "align": sides.align, "words": own}
        try:
            read = _read(sources, run, asked.hooks.tell, sides)
            references, hypotheses, *of_words = read
            by_position = run.settings.altered_words == "position"
            pairs[name] = unread_pairs(
                references or [],
                cut_as(references or [], hypotheses or [], by_position=by_position),
                *of_words,
                missing=run.settings.missing,
                offers_missing=run.offers_missing,
                is_projected=run.settings.is_projected,
                has_stand_ins=has_stand_ins or run.settings.missing == "empty",
            )
        except (InputError, Problems):
            raise
        except SerevalError as error:
            if not is_located:
                raise
            raise InputError(str(error), path=hyp if isinstance(hyp, str) else None) from None
        times |= {(one.side, one.id): one for side in read[2:] for one in side or ()}
    used = {(one.side, one.id) for own in pairs.values() for pair in own for one in pair[2:] if one}
    spare = [entry for place, entry in times.items() if place not in used]
    reading = _reading(run, sides.alternatives)
    has_one_text = run.scheme.takes("altered_words") and not run.settings.is_projected
    check: Callable[[Pair], object] = _same_words if has_one_text else bool
    return Corpus(pairs, reading, spare=spare, jobs=run.jobs, watch=asked.hooks.watch, check=check)


def ways_to_read(
    asked: RunRequest, ref: SideSource, hyp: SideSource
) -> tuple[list[str], list[str]] | None:
    """The policies with which a system can be scored, and what they change; ``None``: no way."""
    reading: ReadingOptions = asked.values["reading"]
    taken: dict[str, str] = {}
    while True:
        read = dict(one.split("=") for name, one in taken.items() if "=" in one)
        policies = tuple(sorted({**dict(reading.policies), **read}.items()))
        others = {name: taken[name] for name in ("missing", "altered_words") if name in taken}
        tried = asked.but(reading=replace(reading, policies=policies), **others)
        try:
            corpus = systems_of(tried._replace(known={}), ref, {"": hyp}, run_of(tried))
            corpus.by_system(partial(apart, work=corpus.check))
        except SerevalError as error:
            found = [one.split(" ") for one in POLICY.findall(str(error))]
            new = {
                value.split("=")[0] if option == "--read" else option[2:].replace("-", "_"): value
                for option, value in reversed(found)
            }
            if new.keys() <= taken.keys():
                return None
            taken |= {name: value for name, value in new.items() if name not in taken}
            continue
        options = [
            f"--read {value}" if "=" in value else f"--{name.replace('_', '-')} {value}"
            for name, value in taken.items()
        ]
        changes = [
            f"{path or role}: {note.what}: {note.count}"
            for (role, path), notes in corpus.notes.items()
            for note in notes
            if note.choice in taken.values() or note.what in OF_POLICIES
        ]
        return options, changes


def _same_words(pair: Pair) -> None:
    """Refuse a pair of different words."""
    recut(*pair)


def _read(
    sources: Mapping[str, SideSource | None],
    run: Run,
    tell: Callable[[str, int, int], object],
    sides: Sides,
) -> list[list[Entry] | None]:
    """The documents of each side of a system that are to be scored."""
    ref = sources["ref"] or []
    if run.scheme.counts == "tags":
        sides = sides.with_tags(ref, sources["hyp"])
    if run.scheme in WITHOUT_ELEMENTS:
        sides = sides.wanting(ref=WORDS, hyp=WORDS)
    elif run.scheme in OF_ELEMENTS:
        sides = sides.wanting(hyp=WORDS)
    found, ids = sides.entries(sources), run.settings.documents
    return _selected(found, ids, ref, tell) if ids else found


def _reading(run: Run, alternatives: Sequence[str]) -> Callable[[UnreadPair], ReadPair]:
    """How the pairs of a system are read."""
    settings = run.settings
    read_one: Callable[[UnreadPair], ReadPair] = partial(
        read_pair,
        labels=settings.labels,
        is_found=run.scheme.has_places,
        max_states=settings.max_states,
        by_position=settings.altered_words == "position",
    )
    if run.scheme.counts == "tags":
        read_one = partial(read_tags, read=read_one)
    if alternatives:
        from ..formats.nlp import norm_files  # most scores have none

        return partial(_with_alternatives, read=read_one, files=norm_files(alternatives))
    return read_one


def _selected(
    sides: Sequence[list[Entry] | None],
    ids: Sequence[str],
    ref: SideSource,
    tell: Callable[[str, int, int], object],
) -> list[list[Entry] | None]:
    """The documents of each side that are to be scored."""
    references, path = sides[0] or [], ref if isinstance(ref, str) else None
    try:
        wanted = with_ids(references, ids)
    except SerevalError as error:
        raise InputError(str(error), path=path) from None
    tell(path or "", len(wanted), len(references))
    return [side and [entry for entry in side if entry.id in ids] for side in sides]


def _with_alternatives(
    pair: UnreadPair, read: Callable[[UnreadPair], ReadPair], files: dict[tuple[str, str], str]
) -> ReadPair:
    """Read a pair, and give its reference the alternatives of its files."""
    found = read(pair)
    reference, hypothesis = found.pair
    if isinstance(reference, Reference):
        return found  # the stage that needs the words that were said refuses it
    from ..formats.nlp import alternatives_of

    own = replace(reference, alternatives=alternatives_of(reference, files))
    return found._replace(pair=(own, hypothesis))


def check_labels(asked: RunRequest, corpora: Sequence[Corpus], *ways: Settings) -> None:
    """Check that each label that an option names is in some document, after all were read."""
    found = frozenset[str]().union(*(corpus.labels for corpus in corpora))
    for settings in ways:
        settings.labels.check(found, settings.neutral)
    asked.hooks.read(corpora)
