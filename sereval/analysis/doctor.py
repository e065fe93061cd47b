"""Diagnosis: checks of a campaign before it is scored.

The checks concern the documents of one system: whether each document has its counterparts, whether
words that must be equal are equal, whether the clocks of the two sides agree, which labels only one
side has, which elements are repeated or were dropped, and whether the tolerance is wide enough for
the differences between times of the same words. The checks try the steps of scoring: if scoring
would refuse something, that is a finding with the same message. The other findings are mistakes
that would make a figure wrong or low without an error.

**Clocks.** How late are the words of a hypothesis, and does that grow? The two texts are aligned
word by word, without times (``align_text``). For each word common to both sides, the *lateness* is
the start in the hypothesis less the start in the reference. The *offset* is the median lateness.
The *drift* is the slope of the resistant line, which joins the medians of time and lateness in the
first third of the words and in the last third. Wrongly aligned words do not move either figure as
long as they are few.

Source: Tukey, Exploratory Data Analysis, 1977, chapter 10 (the resistant line).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from statistics import median_low
from typing import NamedTuple

from ..alignment.blocks import CORRECT, UNIT
from ..corpus.corpus import Entry, exact
from ..documents.mentions import find_mentions
from ..documents.model import (
    ODD_IDS,
    ODD_LABELS,
    TWICE,
    Document,
    Note,
    Reference,
    is_to_be_found,
    seconds,
    sum_notes,
)
from ..documents.words import time_words
from ..errors import SerevalError, meant, one_line
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..formats.answers import LEFT, UNREADABLE
from ..labels import SIDES, labels_of
from ..render.report import Report, counted, filled, percent, row, rows

OFFSET = DRIFT = 100
"""The least offset, and the least drift over a document, that are findings, in ms."""
LEAST_OFFSET, LEAST_DRIFT = 5, 30
"""The least number of common words from which an offset, or a drift, is computed."""


class Clock(NamedTuple):
    """A comparison of the hypothesis's times in one document with the reference's."""

    id: str
    words: int  # of the shorter side
    same: int  # words common to both sides
    drift: Fraction = Fraction(0)  # the growth of the lateness, in ms for each ms
    offset: int = 0  # the median lateness, in ms
    begin: int = 0  # the lateness at the first common word by the resistant line, in ms
    span: int = 0  # from the first common word to the last, in ms
    apart: Sequence[int] = ()  # between starts, and between ends, of common words, in ms

    @property
    def change(self) -> int:
        """The drift over the whole document, in ms."""
        return round(self.drift * self.span)

    @property
    def drifts(self) -> bool:
        """Whether the drift is a finding."""
        return abs(self.change) >= DRIFT


def clock(reference: Document, hypothesis: Document) -> Clock | None:
    """Compare the times of the words that two documents have in common."""
    if reference.times is None or hypothesis.times is None:
        return None
    from ..alignment.text import align_text  # slow to import, and few corpora need it

    blocks = align_text(reference.words, hypothesis.words, UNIT).blocks
    same = [(b.ref[0], b.hyp[0]) for b in blocks if b.op == CORRECT]
    words = min(len(reference.words), len(hypothesis.words))
    if len(same) < LEAST_OFFSET:
        return Clock(reference.id, words, len(same))
    times = [(reference.times[i], hypothesis.times[k]) for i, k in same]
    late = [(ours[0], theirs[0] - ours[0]) for ours, theirs in times]
    third, drift = len(late) // 3, Fraction(0)
    if len(late) >= LEAST_DRIFT:
        (left, low), (right, high) = (
            (median_low([at for at, _ in part]), median_low([lateness for _, lateness in part]))
            for part in (late[:third], late[-third:])
        )
        drift = Fraction(high - low, right - left) if right > left else drift
    rise, run = drift.as_integer_ratio()  # integers are compared faster than fractions
    first, last = late[0][0], late[-1][0]
    without_drift = median_low([run * lateness - rise * (at - first) for at, lateness in late])
    return Clock(
        reference.id,
        words,
        len(same),
        drift,
        median_low([lateness for _, lateness in late]),
        round(Fraction(without_drift, run)),
        last - first,
        [abs(b - a) for pair in times for a, b in zip(*pair, strict=True)],
    )


def at_share(numbers: Iterable[int], share: Fraction) -> int:
    """The least of some numbers such that this share of them does not exceed it."""
    ordered = sorted(numbers)
    return ordered[ceil(share * len(ordered)) - 1]


# What is read

ADVICE = {
    TWICE: ("elements", "remove the repetitions, each counts"),
    ODD_LABELS: ("labels", "use the same spelling on both sides, or rename them with --map FILE"),
    ODD_IDS: ("counterparts", "use the same spelling on both sides"),
    LEFT: ("elements", "check that no entity is among them"),
    UNREADABLE: ("elements", "ask the model for JSON, each scores as an empty answer"),
}
"""The check and the advice for each note of a reader that is a finding."""

CHOSEN = "elements", "check that the right elements were kept"
"""The same for a note that a policy drops crossing elements."""

TIMES = "--align", "--words"
"""The options that give times to the words of references and of hypotheses."""

PROJECTION = "projection"
"""The step of scoring that places references on the words of hypotheses."""


class Seen(NamedTuple):
    """What the documents of one id show: one of each side, and of the files with their times."""

    notes: Sequence[Sequence[Note]]
    known: frozenset[str]  # the labels of both sides before their changes
    labels: Sequence[Counter[str]]  # how often each label occurs on either side after its changes
    mentions: int  # of the hypothesis
    # why a step of scoring refuses them: the changes of labels of a side, the times of an option,
    # or the projection
    errors: Mapping[str, str]
    clock: Clock | None  # None: a side has no times


AnyDocument = Document | Reference | None


def look(
    documents: Sequence[AnyDocument], has_times: Sequence[bool], settings: Settings, by: str
) -> Seen:
    """What the documents of one id show; ``by`` is how mentions are found in words."""
    ours, *others = documents
    theirs, *times = (None if one is None else exact(one) for one in others)
    words = times[1] if has_times[1] else ours
    if theirs is not None and words is not None and is_to_be_found(theirs):
        whose, limit = "hypothesis" if has_times[1] else "reference", settings.max_states
        theirs = find_mentions(theirs, words, by=by, whose=whose, max_states=limit)
        theirs = replace(theirs, times=None) if has_times[1] else theirs  # they are added below
    errors: dict[str, str] = {}
    pair: list[AnyDocument] = [ours, theirs]
    known = labels_of(filter(None, pair))
    timed: list[AnyDocument] = [None, None]
    for k, document in enumerate(pair):
        step, its = SIDES[k], times[k]
        try:
            pair[k] = own = document and settings.labels.relabel(document, step)
            step = TIMES[k]
            timed[k] = own and its and time_words(exact(own), its) if has_times[k] else own
        except SerevalError as error:
            errors[step] = str(error)
    named = [(*one.elements, *(one.mentions or ())) if one else () for one in pair]
    labels = [Counter(one.label for one in side) for side in named]
    reference, hypothesis = timed
    found = None
    if reference is not None and isinstance(hypothesis, Document):
        try:
            projection(reference, hypothesis, settings)
        except SerevalError as error:
            errors[PROJECTION] = str(error)
        found = clock(reference, hypothesis) if isinstance(reference, Document) else None
    notes = [() if one is None else one.notes for one in documents]
    lost = pair[1].mentions if pair[1] else None
    return Seen(notes, known, labels, len(lost or ()), errors, found)


class Survey(NamedTuple):
    """What the documents of a campaign show."""

    # references, hypotheses, and the files of times of each, by id; None: no such files
    sides: Sequence[Mapping[str, Entry] | None]
    settings: Settings
    seen: Mapping[str, Seen]  # by id

    def errors(self, step: str) -> dict[str, str]:
        """Why a step of scoring refuses documents, by id."""
        return {id: one.errors[step] for id, one in self.seen.items() if step in one.errors}

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks of the documents that have times on both sides."""
        return tuple(one.clock for one in self.seen.values() if one.clock is not None)


# What is found

BY_PLACE = "--altered-words position"
"""What pairs words by their places, as a refusal says it."""

CHECKS = ("files", "counterparts", "words", "clocks", "elements", "labels", "tolerance")
"""The checks, in this order."""

STRANGE = Fraction(1, 3)
"""With a smaller share of common words, two documents may be of two recordings."""
BEYOND = Fraction(1, 10)
"""The greatest share of times that may differ by more than the tolerance."""
LISTED = 3
"""The most names that a message lists."""
FORMS = {
    "findings": rows(
        *("system text", "refused boolean", "check text", "message text", "advice text"),
        "documents texts",
    ),
    "systems": rows("system text", "documents integer", "refused boolean", "unseen texts"),
    "files": rows("system text", "path text", "program text"),
    "clocks": rows(
        *("system text", "document text", "words integer", "same integer", "drift"),
        *("offset integer ms", "begin integer ms", "change integer ms"),
    ),
    "apart": rows("system text", "share", "time integer ms"),
    "commands": rows("system text", "command text", "changes texts"),
    "total": row("refused boolean"),
}
"""The tables of the report."""

SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20))
"""The reported quantiles of the differences between times of the same words."""


class Finding(NamedTuple):
    """A mistake in the campaign."""

    check: str  # one of CHECKS
    message: str
    advice: str  # a way to correct it
    documents: tuple[str, ...] = ()  # the ids of those concerned; empty: no particular document
    is_refusal: bool = False  # scoring would refuse the campaign for it


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings for one system."""

    documents: int  # the number of references
    findings: tuple[Finding, ...]  # in the order of CHECKS
    clocks: tuple[Clock, ...] = ()  # of the documents that have times on both sides, in their order
    # the checks that were impossible because times or a tolerance are missing
    unseen: tuple[str, ...] = ()
    # the path of each file of a format of other programs, and the program that wrote it
    files: tuple[tuple[str, str], ...] = ()
    notes: Sequence[Sequence[Note]] = ()  # by side
    command: str = ""  # scores the system; empty: no policy takes what is refused
    changes: tuple[str, ...] = ()  # what the policies of the command change

    @property
    def is_refused(self) -> bool:
        """Whether scoring would refuse the campaign."""
        return any(finding.is_refusal for finding in self.findings)

    @property
    def apart(self) -> dict[Fraction, int]:
        """Quantiles of the differences between times of the same words, in ms, by share."""
        times = [ms for one in self.clocks for ms in one.apart]
        return {share: at_share(times, share) for share in SHARES} if times else {}


Sides = Sequence[Sequence[Entry] | None]
"""The documents of references, hypotheses, and of the files that give times to each side; ``None``:
there are no such files."""


def diagnosis(sides: Sides, settings: Settings, by: str = "exact") -> Diagnosis:
    """Check documents before they are scored; what scoring refuses is a finding too."""
    of_id = [None if side is None else {one.id: one for one in side} for side in sides]
    seen = {}
    for id in dict.fromkeys(id for side in of_id for id in side or ()):
        documents = [side[id].read() if side and id in side else None for side in of_id]
        seen[id] = look(documents, [side is not None for side in of_id[2:]], settings, by)
    found = Survey(of_id, settings, seen)
    findings = (finding for look_for in FINDERS for finding in look_for(found))
    clocks = found.clocks
    known = {"clocks": clocks, "tolerance": settings.tolerance and any(c.apart for c in clocks)}
    return Diagnosis(
        len(sides[0] or ()),
        in_order(findings),
        clocks,
        tuple(check for check, is_seen in known.items() if not is_seen),
        notes=[sum_notes(seen[id].notes[k] for id in side or ()) for k, side in enumerate(of_id)],
    )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of ``CHECKS``."""
    return tuple(sorted(findings, key=lambda finding: CHECKS.index(finding.check)))


def _without_counterpart(survey: Survey) -> Iterator[Finding]:
    """Documents whose counterparts are missing."""
    ours, theirs, *times = survey.sides
    ours, theirs, missing = ours or {}, theirs or {}, survey.settings.missing
    what = "references without a hypothesis"
    if missing == "error":
        advice = "add the files, or count them as empty with --missing empty"
        yield from _missing(what, ours, theirs, advice)
    elif missing == "empty" and survey.settings.is_projected:
        advice = "add the recogniser's words to --words"
        lost = ours.keys() - theirs.keys()
        yield from _missing(f"{what} and without words for an empty one", lost, times[1], advice)
    if missing != "drop":
        advice = "add the files, or leave out what only one side has with --missing drop"
        yield from _missing("hypotheses without a reference", theirs, ours, advice)
    for side, ids, its, option in zip(
        ("references", "hypotheses"), (ours, theirs), times, TIMES, strict=True
    ):
        if its is not None:
            yield from _missing(f"{side} without a time file", ids, its, f"add them to {option}")


def _missing(
    what: str, ids: Iterable[str], others: Iterable[str] | None, advice: str
) -> Iterator[Finding]:
    """A finding for the ids that are not among others, with a similar name as a hint."""
    own, known = {*ids}, {*(others or ())}
    if alone := tuple(sorted(own - known)):
        hint = meant(alone, known - own)
        message = f"{what}: {listed(alone)}"
        yield Finding("counterparts", message, advice + hint, alone, is_refusal=True)


def _notes_of_readers(survey: Survey) -> Iterator[Finding]:
    """The notes of the readers about elements and names, with their places."""
    for k, side in enumerate(SIDES):
        found = [
            (id, note)
            for id in survey.sides[k] or ()
            for note in survey.seen[id].notes[k]
            if note.what in ADVICE or note.choice == "crossing=drop"
        ]
        for one in sum_notes([note] for _, note in found):
            places = ", ".join(map(str, one.places))
            check, advice = ADVICE.get(one.what, CHOSEN)
            ids = tuple(id for id, note in found if note.what == one.what)
            message = f"{one.what}, in the {side}: {one.count} ({places})"
            yield Finding(check, message, advice, ids)


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """The first names of a list, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _words(survey: Survey) -> Iterator[Finding]:
    """Mentions that no words have, times of other words, documents that cannot be projected."""
    if count := sum(one.mentions for one in survey.seen.values()):
        yield Finding(
            "words",
            f"mentions that are not found in the words: {count}",
            "each is an insertion; --read mentions=nearest finds those that are spelled alike",
        )
    settings, placed = survey.settings, survey.errors(PROJECTION)
    advice = {
        option: f"transcribe alike in both, or name the right files with {option}"
        for option in TIMES
    }
    if not settings.is_projected:
        more = "for a recogniser's words use --tolerance 0.3 with times, or --by text"
        if any(BY_PLACE in error for error in placed.values()):
            more = f"if a toolkit rewrote words, score with {BY_PLACE}; {more}"
    elif settings.tolerance is not None:
        more = "name the files with the times with --align and --words, or use --by text"
    else:
        more = "score them with the same words, or through time"
    for step in (*TIMES, PROJECTION):
        if errors := survey.errors(step):
            first, *others = ids = sorted(errors)
            message = errors[first] + f" (and {len(others)} more documents)" * bool(others)
            yield Finding("words", message, advice.get(step, more), tuple(ids), is_refusal=True)


def _strange(survey: Survey) -> Iterator[Finding]:
    """Documents with few words in common."""
    clocks = survey.clocks
    strange = [each for each in clocks if each.words and each.same < STRANGE * each.words]
    if strange:
        first = strange[0]
        yield Finding(
            "counterparts",
            f"documents with few words in common: {listed([each.id for each in strange])}; "
            f"{first.id} has {first.same} of {first.words}",
            "check that files with the same name are of the same recording",
            tuple(each.id for each in strange),
        )


def _clocks(survey: Survey) -> Iterator[Finding]:
    """Clocks that drift, and clocks with an offset."""
    clocks = survey.clocks
    drifting = [each for each in clocks if each.drifts]
    if drifting:
        worst = max(drifting, key=lambda each: abs(each.change))
        rate = 1 + worst.drift
        yield Finding(
            "clocks",
            f"the clocks drift apart in {len(drifting)} of {len(clocks)} documents, most in "
            f"{worst.id}: the hypothesis is {_late(worst.begin)} at its beginning and "
            f"{_late(worst.begin + worst.change)} {seconds(worst.span)} s later, "
            f"{float(1000 * worst.drift):+.3g} ms a second",
            f"divide the hypothesis's times by {float(rate):.6f}: the audio of one side had "
            "another sampling rate",
            tuple(each.id for each in drifting),
        )
    late = [each for each in clocks if not each.drifts and abs(each.offset) >= OFFSET]
    if late:
        offsets = sorted(each.offset for each in late)
        middle = median_low(offsets)
        spread = f", {_late(offsets[0])} to {_late(offsets[-1])}" if len(set(offsets)) > 1 else ""
        advice = f"subtract {seconds(middle)} s from the hypothesis's times before scoring"
        if offsets[-1] - offsets[0] >= OFFSET:
            advice = "use the same audio for both sides: the offset differs between documents"
        yield Finding(
            "clocks",
            f"the hypothesis is {_late(middle)} in {len(late)} of {len(clocks)} documents{spread}"
            f"{'' if len(late) == len(clocks) else f': {listed([each.id for each in late])}'}",
            advice,
            tuple(each.id for each in late),
        )


def _late(ms: int) -> str:
    return f"{seconds(abs(ms))} s {'early' if ms < 0 else 'late'}"


def _tolerance(survey: Survey) -> Iterator[Finding]:
    """A tolerance that is smaller than many differences between times of the same words."""
    apart = [ms for one in survey.clocks for ms in one.apart]
    if survey.settings.tolerance is None or not apart:
        return
    least, number = min(survey.settings.tolerance), len(apart)
    beyond = sum(ms > least for ms in apart)
    if beyond <= BEYOND * number:
        return
    is_clock_wrong = any(each.drifts or abs(each.offset) >= OFFSET for each in survey.clocks)
    enough = seconds(at_share(apart, 1 - BEYOND))
    yield Finding(
        "tolerance",
        f"{beyond} of {number} starts and ends of the same words are further apart than the "
        f"tolerance of {seconds(least)} s",
        "correct the clocks first"
        if is_clock_wrong
        else f"--tolerance {enough} covers nine in ten",
    )


def _one_sided(survey: Survey) -> Iterator[Finding]:
    """Labels that are refused, or that only one side has, also on mentions without a place."""
    known = frozenset[str]().union(*(one.known for one in survey.seen.values()))
    refused = [error for side in SIDES for error in survey.errors(side).values()]
    try:
        survey.settings.labels.check(known)
    except SerevalError as error:
        refused = [str(error)]
    if refused:
        advice = "correct --map, --only or --level"
        yield Finding("labels", refused[0], advice, is_refusal=True)
        return
    ours, theirs = (
        sum((one.labels[k] for one in survey.seen.values()), Counter[str]()) for k in (0, 1)
    )
    if not ours or not theirs:
        empty = "reference" if not ours else "hypothesis"
        if ours or theirs:
            yield Finding(
                "labels", f"the {empty} has no element", "check that it is the right file"
            )
        return
    for mine, others, side, so in (
        (ours, theirs, "reference", "each is missed"),
        (theirs, ours, "hypothesis", "each is spurious or of a wrong type"),
    ):
        if alone := sorted(mine.keys() - others.keys()):
            counts = listed([f"{label} ({mine[label]})" for label in alone], 8)
            yield Finding(
                "labels",
                f"labels of the {side} only: {counts}; {so}",
                f"rename or remove labels with --map FILE{meant(alone, others.keys() - mine)}",
            )


FINDERS = (
    _without_counterpart,
    _notes_of_readers,
    _one_sided,
    _words,
    _strange,
    _clocks,
    _tolerance,
)
"""What looks for findings."""


def report_of(found: Mapping[str, Diagnosis]) -> Report:
    """The report on systems: their findings, their files and the clocks of their documents."""
    every = found.items()
    tables = filled(
        FORMS,
        findings=(
            (system, one.is_refusal, *one[:4]) for system, each in every for one in each.findings
        ),
        systems=((system, each.documents, each.is_refused, each.unseen) for system, each in every),
        files=((system, *file) for system, each in every for file in each.files),
        clocks=((system, *one[:6], one.change) for system, each in every for one in each.clocks),
        commands=((system, each.command, each.changes) for system, each in every if each.command),
        apart=((system, *one) for system, each in every for one in each.apart.items()),
        total=[(any(each.is_refused for each in found.values()),)],
    )
    return Report("doctor", tables, lambda _: _text(found))


def _text(found: Mapping[str, Diagnosis]) -> Iterator[str]:
    """A paragraph for each system: its files, faults that scoring refuses, other findings."""
    for system, each in found.items():
        yield from [] if system == next(iter(found)) else [""]
        documents = f": {counted(each.documents, 'document')}" if each.documents else ""
        yield one_line(system) + documents
        yield from (f"  {'file':<8}{one_line(path)}: {program}" for path, program in each.files)
        for finding in each.findings:
            mark = "refused" if finding.is_refusal else "look"
            yield f"  {mark:<8}{finding.check:<14}{one_line(finding.message)}"
            yield f"  {'':<22}→ {one_line(finding.advice)}"
        amiss = {finding.check for finding in each.findings}
        fine = [check for check in CHECKS if check not in amiss and check not in each.unseen]
        if fine and "files" not in amiss:
            yield f"  {'fine':<8}{', '.join(fine)}"
        if each.unseen:
            yield f"  {'unseen':<8}{', '.join(each.unseen)}"
        if each.apart:
            apart = ", ".join(
                f"{percent(float(share), 0)} % within {seconds(ms)} s"
                for share, ms in each.apart.items()
            )
            same, words = (sum(getattr(one, of) for one in each.clocks) for of in ("same", "words"))
            yield f"  {same} of {words} words are the same on both sides; their times: {apart}"
        if each.command:
            yield f"  {'type':<8}{one_line(each.command)}"
            yield from (f"  {'':<22}→ {one_line(change)}" for change in each.changes)
