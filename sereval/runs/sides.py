"""The sides of a run: references, hypotheses and times of words, and the corpus that they make.

A side is a path, or documents in memory. Either gives entries, so all that follows is the same.
Documents are read while they are scored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from ..corpus.corpus import (
    ALTERED,
    EMPTIED,
    UNASKED,
    UNHEARD,
    Corpus,
    Pair,
    ReadPair,
    UnreadPair,
    apart,
    cut_as,
    read_pair,
    read_tags,
    under_name,
    unread_pairs,
)
from ..corpus.entries import IN_MEMORY, Entry, Side, entries, in_memory
from ..documents.model import Document, HasId, Reference
from ..documents.words import recut
from ..errors import POLICY, InputError, Problems, SerevalError, UsageFault, nearest
from ..evaluation.settings import Settings
from ..formats import (
    ANNOTATIONS,
    FORMATS,
    FOUND,
    POLICIES,
    TIMES,
    WORDS,
    ReadingOptions,
    files,
)
from ..formats.file import UNKNOWN_FORMAT
from ..formats.table import NO_ELEMENTS, SUFFIXES
from ..labels.grammar import load_grammar
from ..schemes.table import MEASURED, OF_ELEMENTS, WITHOUT_ELEMENTS
from .scoring import Run, RunRequest, run_of

if TYPE_CHECKING:
    from ..analysis.rates import Score
    from ..analysis.resampling import Resampling

SideSource: TypeAlias = str | Sequence[Document | Reference]
"""Where documents come from: a path, or the documents themselves."""

_D = TypeVar("_D", bound=HasId)

SIDES: Mapping[str, Iterable[str]] = {"ref": FOUND, "hyp": FOUND, "align": TIMES, "words": TIMES}
"""The formats that make sense for each side."""


class Sides(NamedTuple):
    """How the sides of a run are read, and what they have besides references and hypotheses.

    Args:
        reading: how files are read.
        formats: the format of each side; ``None``: the suffix of each file tells it.
        known: the documents of each path, by side and path, so that a folder is listed once.
        align: the times of the reference's words.
        words: the words of the systems: none, one for all, or one for each.
        alternatives: paths of the files of the references' alternatives.
        name: the name of the one document of every side; ``None``: documents keep their names.
        hyp_columns: the columns of the hypotheses; none: those of ``reading``.
        wanted: the formats that make sense for each side.
    """

    reading: ReadingOptions
    formats: Mapping[str, str | None]
    known: dict[Side, list[Entry]]
    align: SideSource | None = None
    words: Sequence[SideSource] = ()
    alternatives: Sequence[str] = ()
    name: str | None = None
    hyp_columns: tuple[str, ...] = ()
    wanted: Mapping[str, Iterable[str]] = SIDES

    def wanting(self, **wanted: Iterable[str]) -> Sides:
        """The same with other formats that make sense for some sides."""
        return self._replace(wanted={**self.wanted, **wanted})

    def with_tags(self, ref: SideSource, hyp: SideSource | None) -> Sides:
        """The same for a scheme that compares tags: of a folder with columns, columns alone."""
        found = {
            side: "columns"
            for side, source in (("ref", ref), ("hyp", hyp))
            if isinstance(source, str) and not self.formats.get(side) and _has_columns(source)
        }
        formats = {**self.formats, **found}
        return self.wanting(ref=ANNOTATIONS, hyp=ANNOTATIONS)._replace(formats=formats)

    def reading_of(self, side: str) -> ReadingOptions:
        """How the files of a side are read."""
        wanted, columns = tuple(self.wanted[side]), self.reading.columns
        if side == "hyp" and self.hyp_columns:
            columns = self.hyp_columns
        format = self.formats.get(side)
        return replace(self.reading, format=format, wanted=wanted, columns=columns)

    def entries(
        self, sources: Mapping[str, SideSource | None], named: str = ""
    ) -> list[list[Entry] | None]:
        """The documents of each side, unread; ``None`` for a side without a source."""
        found: list[list[Entry] | None] = []
        errors: list[SerevalError] = []
        for side, source in sources.items():
            reading = self.reading_of(side)
            if source is None or source == "":
                found.append(None)
            elif not isinstance(source, str):
                file = replace(IN_MEMORY, options=replace(reading, format=None))
                found.append(in_memory(source, side, file))
            else:
                try:
                    if (side, source) not in self.known:
                        option = named or f"--{side}-format"
                        self.known[side, source] = _at(source, side, reading, option)
                    found.append(self.known[side, source])
                except SerevalError as error:
                    errors.append(error)
        if errors:
            raise Problems.of(errors)
        return with_common_name(self.name, found)


def _at(path: str, side: str, reading: ReadingOptions, named: str) -> list[Entry]:
    """The documents at a path; a message about the format says how to name it."""
    try:
        return entries(files(path, reading), (side, path))
    except InputError as error:
        message = error.message
        if message.endswith(UNKNOWN_FORMAT):
            message += f", {named}"
        if side in ("ref", "hyp") and NO_ELEMENTS in message:
            times = "--align" if side == "ref" else "--words"
            message += f"; the times of {side.upper()}'s words go with {times}; "
            message += "--measure WER scores words alone"
        elif message != error.message and side in ("ref", "hyp") and path.lower().endswith(".txt"):
            message += " (inline if elements stand in tags, as in <loc> Dol </loc>)"
        if message == error.message:
            raise
        raise InputError(message, path=error.path) from None


def sides_of(asked: RunRequest) -> Sides:
    """The sides that the options ask for."""
    named = ("align", "words", "alternatives", "name", "hyp_columns")
    values = asked.values
    return Sides(
        **{name: values[name] for name in named if name in values},
        reading=reading_of(values, None, ()),
        formats={side: values.get(f"{side}_format") for side in SIDES},
        known=asked.known,
    )


def with_common_name(
    name: str | None, sides: Sequence[list[Entry] | None]
) -> list[list[Entry] | None]:
    """The documents of each side, under one id where each side has one document."""
    if name is not None:
        if any(side and len(side) > 1 for side in sides):
            raise SerevalError(
                f"found --name {name!r} and a side with several documents, expected one"
            )
        return [side and [entry._replace(id=name) for entry in side] for side in sides]
    if any(side is not None and len(side) != 1 for side in sides[:2]):
        only = (side[0] for side in sides if side and len(side) == 1)
        id = next((entry.id for entry in only if not _is_nameless(entry)), "-")
        return [
            side and [one._replace(id=id) if _is_nameless(one) else one for one in side]
            for side in sides
        ]
    every = [entry for side in sides if side for entry in side if len(side) == 1]
    id = next((entry.id for entry in every if not _is_nameless(entry)), "-")
    of_hyp = sides[1][0].id if len(sides) > 1 and sides[1] else id
    old = (id, of_hyp, id, of_hyp)
    return [side and _as_one(side, id, other) for side, other in zip(sides, old, strict=False)]


def _as_one(side: list[Entry], id: str, other: str) -> list[Entry]:
    """A side whose only document, or whose document of another id, gets this id."""
    found = side if len(side) == 1 else [one for one in side if one.id == other]
    if not found or found[0].id == id:
        return side
    [entry] = found
    others = [one for one in side if one is not entry and one.id != id]
    if _is_nameless(entry) or len(side) > 1:
        return [entry._replace(id=id), *others]
    return [under_name(entry, id)]


def with_ids(documents: Sequence[_D], ids: Sequence[str]) -> list[_D]:
    """The documents with these ids; without ids, all documents."""
    check_ids([document.id for document in documents], ids)
    return [document for document in documents if not ids or document.id in ids]


def check_ids(known: Sequence[str], ids: Iterable[str]) -> None:
    """Check that there is a document with each of some ids."""
    for one in ids:
        if one not in known:
            more = ", …" if len(known) > 3 else ""
            raise SerevalError(
                f"no document {one!r}, expected some of {', '.join(known[:3])}{more}"
                f"{nearest(one, known)}"
            )


def _is_nameless(entry: Entry) -> bool:
    """Whether a document comes from standard input; inside a file ``-`` is an ordinary id."""
    return entry.id == "-" == entry.file.path


def reading_of(
    values: Mapping[str, Any], format: str | None, wanted: Iterable[str]
) -> ReadingOptions:
    """How files are read."""
    reading: ReadingOptions = values["reading"]
    policies = dict(reading.policies)
    if values.get("unreadable", POLICIES["unreadable"][0]) != POLICIES["unreadable"][0]:
        policies["unreadable"] = values["unreadable"]
    return replace(
        reading,
        format=format,
        wanted=tuple(wanted),
        encoding=values["encoding"],
        tiers=values.get("tier", ()),
        columns=values["columns"],
        policies=tuple(sorted(policies.items())),
    )


def reading_policies(texts: Iterable[str]) -> ReadingOptions:
    """The reading options that policies ask for."""
    policies: dict[str, str] = {}
    labels: tuple[str, ...] = ()
    for text in texts:
        name, _, policy = text.partition("=")
        if name == "equal" and policy != "appearance":  # the policy names a grammar
            grammar = load_grammar(policy)
            policy, labels = grammar.name, (*grammar.types, *grammar.components)
        if policies.setdefault(name, policy) != policy:
            raise SerevalError(
                f"found {name}={policies[name]} and {name}={policy}, expected one of them"
            )
    return ReadingOptions(policies=tuple(sorted(policies.items())), labels=labels)


def column_names(text: str | None) -> tuple[str, ...]:
    """Names of columns, with commas between them."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


def _has_columns(path: str) -> bool:
    """Whether a path is a folder with files of columns; then its other files are not read."""
    names = os.listdir(path) if os.path.isdir(path) else []
    return any(SUFFIXES.get(os.path.splitext(name)[1].lower()) == "columns" for name in names)


# --- corpora -------------------------------------------------------------------------------------


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
    found = run.scorer(keeps_outcomes=not is_counted).scores(corpus)
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
    sides = sides or sides_of(asked)
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
