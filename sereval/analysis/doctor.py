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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from operator import itemgetter
from statistics import median_low

from ..alignment.blocks import CORRECT, UNIT
from ..alignment.text import align_text
from ..corpus.corpus import exact, swap_hint
from ..corpus.entries import Entry
from ..documents.mentions import find_mentions
from ..documents.model import Document, Note, Reference, is_to_be_found, seconds, sum_notes
from ..documents.odd import IDS, LABELS, TWICE
from ..documents.words import time_words
from ..errors import SerevalError, meant, one_line
from ..evaluation.evaluate import projection
from ..evaluation.settings import Settings
from ..formats.answers import LEFT, UNREADABLE
from ..labels.relabel import AS_THEY_ARE, SIDES, Labels, labels_of
from ..render.report import Report, filled, row, rows
from ..render.text import counted, percent

OFFSET = DRIFT = 100
"""The least offset, and the least drift over a document, that are findings, in ms."""
LEAST_OFFSET, LEAST_DRIFT = 5, 30
"""The least number of common words from which an offset, or a drift, is computed."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A comparison of the hypothesis's times in one document with the reference's.

    Args:
        id: the id of the document.
        words: the number of words of the shorter side.
        same: the number of words common to both sides.
        begin: the lateness at the first common word according to the resistant line, in ms.
        offset: the median lateness, in ms.
        drift: the growth of the lateness, in ms for each ms.
        span: the time from the first common word to the last, in ms.
        apart: the absolute differences between starts, and between ends, of the common words, in
            ms, in increasing order.
    """

    id: str
    words: int
    same: int
    begin: int = 0
    offset: int = 0
    drift: Fraction = Fraction(0)
    span: int = 0
    apart: tuple[int, ...] = field(default=(), repr=False)

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
    blocks = align_text(reference.words, hypothesis.words, UNIT).blocks
    same = [(b.ref[0], b.hyp[0]) for b in blocks if b.op == CORRECT]
    words = min(len(reference.words), len(hypothesis.words))
    if len(same) < LEAST_OFFSET:
        return Clock(reference.id, words, len(same))
    times = [(reference.times[i], hypothesis.times[k]) for i, k in same]
    late = [(ours[0], theirs[0] - ours[0]) for ours, theirs in times]
    drift = _slope(late)
    first, last = late[0][0], late[-1][0]
    return Clock(
        reference.id,
        words,
        len(same),
        round(median_low([lateness - drift * (at - first) for at, lateness in late])),
        median_low([lateness for _, lateness in late]),
        drift,
        last - first,
        tuple(sorted(abs(b - a) for pair in times for a, b in zip(*pair, strict=True))),
    )


def _slope(points: Sequence[tuple[int, int]]) -> Fraction:
    """The slope of the resistant line through points sorted by their first number."""
    third = len(points) // 3
    if len(points) < LEAST_DRIFT:
        return Fraction(0)
    (left, low), (right, high) = (
        (median_low([x for x, _ in part]), median_low([y for _, y in part]))
        for part in (points[:third], points[-third:])
    )
    return Fraction(high - low, right - left) if right > left else Fraction(0)


def differences(clocks: Iterable[Clock]) -> Counter[int]:
    """How often each difference between times of the same words occurs."""
    found = Counter[int]()
    for each in clocks:
        found.update(each.apart)
    return found


def at_share(numbers: Counter[int], share: Fraction) -> int:
    """The least of some numbers such that this share of them does not exceed it."""
    place = -(-share.numerator * numbers.total() // share.denominator)
    below = 0
    for number in sorted(numbers):
        below += numbers[number]
        if below >= place:
            return number
    raise AssertionError("no numbers")  # the caller has some


# What is read

ADVICE = {
    TWICE: ("elements", "remove the repetitions, each counts"),
    LABELS: ("labels", "use the same spelling on both sides, or rename them with --map FILE"),
    IDS: ("counterparts", "use the same spelling on both sides"),
    LEFT: ("elements", "check that no entity is among them"),
    UNREADABLE: ("elements", "ask the model for JSON, each scores as an empty answer"),
}
"""The check and the advice for each note of a reader that is a finding."""


Sides = Sequence[Sequence[Entry] | None]
"""The documents of references, hypotheses, and of the files that give times to each side; ``None``:
there are no such files."""

_Place = tuple[int, str]
"""The number of a document on its side, and its id."""


class Survey:
    """The labels, notes and times of the documents to be scored.

    Args:
        sides: the documents.
        settings: the settings of the scoring.
        labels: the changes of labels.
        by: how mentions are found in words, a policy ``mentions``.
    """

    def __init__(self, sides: Sides, settings: Settings, labels: Labels, by: str) -> None:
        self.settings, self.changes, self.by = settings, labels, by
        self.labels = Counter[str](), Counter[str]()
        self.mentions = 0
        self._notes: tuple[list[tuple[_Place, Note]], list[tuple[_Place, Note]]] = [], []
        self.errors: tuple[dict[str, str], dict[str, str], dict[str, str]] = {}, {}, {}
        self.clocks: list[Clock] = []
        self._seen: set[str] = set()
        self._refused: list[tuple[int, int, str]] = []
        self._known: dict[int, int] = {}
        read = [dict[int, tuple[Note, ...]]() for _ in sides]
        numbers = [{one.id: number for number, one in enumerate(side or ())} for side in sides]
        for id in dict.fromkeys(id for own in numbers for id in own):
            places = [own.get(id) for own in numbers]
            documents: list[Document | Reference | None] = []
            for side, place, notes in zip(sides, places, read, strict=True):
                found = None if side is None or place is None else side[place].read()
                if found is not None and place is not None and found.notes:
                    notes[place] = found.notes
                documents.append(found)
            self._add(places, documents, [side is not None for side in sides[2:]])
        self.read = [sum_notes(own[number] for number in sorted(own)) for own in read]

    def _add(
        self,
        places: Sequence[int | None],
        documents: Sequence[Document | Reference | None],
        has_times: Sequence[bool],
    ) -> None:
        """Add the documents of one id, one of each side."""
        ours, *others = documents
        theirs, *times = (None if one is None else exact(one) for one in others)
        words = times[1] if has_times[1] else ours
        if theirs is not None and words is not None and is_to_be_found(theirs):
            whose, limit = "hypothesis" if has_times[1] else "reference", self.settings.max_states
            theirs = find_mentions(theirs, words, by=self.by, whose=whose, max_states=limit)
            theirs = replace(theirs, times=None) if has_times[1] else theirs  # they are added below
        pair = self._add_side(0, places[0], ours), self._add_side(1, places[1], theirs)
        self._add_places(places[1], pair[1])
        swap = partial(swap_hint, *pair, *times)
        reference, hypothesis = (
            self._with_times(side, one, times[side], swap) if has_times[side] else one
            for side, one in enumerate(pair)
        )
        self._compare(reference, hypothesis)

    def _add_side(
        self, side: int, number: int | None, document: Document | Reference | None
    ) -> Document | Reference | None:
        """The document of a side with changed labels, after its notes and labels were counted."""
        if document is None or number is None:
            return None
        self._notes[side].extend(
            ((number, document.id), note)
            for note in document.notes
            if note.what in ADVICE or note.choice == "crossing=drop"
        )
        try:
            if self.changes.has_changes:
                self._seen |= labels_of([document])
                document = self.changes.relabel(document, SIDES[side])
        except SerevalError as error:
            self._refused.append((side, number, str(error)))
        self.labels[side].update(element.label for element in document.elements)
        if isinstance(document, Document):
            self.labels[side].update(mention.label for mention in document.mentions or ())
        return document

    def refused_labels(self) -> str:
        """Why the changes of labels are refused; empty: they are not."""
        try:
            if self.changes.has_changes:
                self.changes.check(frozenset(self._seen))
        except SerevalError as error:
            return str(error)
        return min(self._refused)[2] if self._refused else ""

    def _add_places(self, number: int | None, hypothesis: Document | Reference | None) -> None:
        """Count the mentions of a hypothesis that have no place, or more than one."""
        if not isinstance(hypothesis, Document) or number is None:
            return
        self.mentions += len(hypothesis.mentions or ())

    def _with_times(
        self,
        side: int,
        document: Document | Reference | None,
        times: Document | Reference | None,
        swap: Callable[[], str],
    ) -> Document | Reference | None:
        """A document with the times of its words; ``None``: there are none that fit."""
        if document is None or times is None:
            return None
        try:
            if isinstance(document, Reference):
                raise SerevalError(f"{document.id}: found a fuzzy reference, which takes no times")
            try:
                return time_words(document, exact(times))
            except SerevalError as error:
                raise SerevalError(f"{error}{swap()}") from None
        except SerevalError as error:
            self.errors[side][document.id] = str(error)
            return None

    def _compare(
        self, reference: Document | Reference | None, hypothesis: Document | Reference | None
    ) -> None:
        """Project a reference, and compare the clocks of both sides."""
        if reference is None or not isinstance(hypothesis, Document):
            return
        try:
            projection(reference, hypothesis, self.settings)
        except SerevalError as error:
            self.errors[2][reference.id] = str(error)
        found = clock(reference, hypothesis) if isinstance(reference, Document) else None
        if found is not None:
            once = self._known.setdefault
            self.clocks.append(replace(found, apart=tuple(once(ms, ms) for ms in found.apart)))

    @property
    def notes(self) -> dict[str, list[tuple[str, Note]]]:
        """The id and the note of each finding of a reader, by side, in the order of the side."""
        return {
            side: [(id, note) for (_, id), note in sorted(own, key=itemgetter(0))]
            for side, own in zip(("reference", "hypothesis"), self._notes, strict=True)
        }


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


@dataclass(frozen=True, slots=True)
class Finding:
    """A mistake in the campaign.

    Args:
        check: one of ``CHECKS``.
        message: a description of the mistake.
        advice: a way to correct it.
        documents: the ids of the documents concerned; empty: no particular document.
        is_refusal: whether scoring would refuse the campaign for it.
    """

    check: str
    message: str
    advice: str
    documents: tuple[str, ...] = ()
    is_refusal: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings for one system.

    Args:
        documents: the number of references.
        findings: the findings in the order of ``CHECKS``.
        clocks: the clocks of the documents that have times on both sides, in their order.
        unseen: the checks that were impossible because times or a tolerance are missing.
        files: the path of each file of a format of other programs, and the program that wrote it.
        notes: the notes of the readers, by side.
        command: the command that scores the system; empty: no policy takes what is refused.
        changes: what the policies of the command change.
    """

    documents: int
    findings: tuple[Finding, ...]
    clocks: tuple[Clock, ...] = ()
    unseen: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    notes: Sequence[Sequence[Note]] = ()
    command: str = ""
    changes: tuple[str, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether scoring would refuse the campaign."""
        return any(finding.is_refusal for finding in self.findings)

    @property
    def apart(self) -> dict[Fraction, int]:
        """Quantiles of the differences between times of the same words, in ms, by share."""
        times = differences(self.clocks)
        return {share: at_share(times, share) for share in SHARES} if times else {}


def diagnosis(sides: Sides, settings: Settings, by: str = "exact") -> Diagnosis:
    """Check documents before they are scored; what scoring refuses is a finding too."""
    survey = Survey(sides, settings, settings.labels, by)
    refusal = survey.refused_labels()
    if refusal:
        survey = Survey(sides, settings, AS_THEY_ARE, by)
        advice = "correct --map, --only or --level"
        of_labels = [Finding("labels", refusal, advice, is_refusal=True)]
    else:
        of_labels = [*_one_sided(*survey.labels)]
    clocks = tuple(survey.clocks)
    found = Diagnosis(len(sides[0] or ()), (), clocks, notes=survey.read)
    findings = [
        *_without_counterpart(sides, settings),
        *_notes_of_readers(survey.notes),
        *of_labels,
        *_mentions_without_places(survey.mentions),
        *_refusals(survey, settings),
        *_strange(clocks),
        *_clocks(clocks),
        *_tolerance(found, settings),
    ]
    seen = {"clocks": clocks, "tolerance": found.apart and settings.tolerance}
    unseen = tuple(check for check, is_seen in seen.items() if not is_seen)
    return replace(found, findings=in_order(findings), unseen=unseen)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of ``CHECKS``."""
    return tuple(sorted(findings, key=lambda finding: CHECKS.index(finding.check)))


def _without_counterpart(sides: Sides, settings: Settings) -> Iterator[Finding]:
    """Documents whose counterparts are missing."""
    ours, theirs = ([document.id for document in side or ()] for side in sides[:2])
    with_words = {document.id for document in sides[3] or ()}
    unanswered = sorted(set(ours) - set(theirs))
    lost = [id for id in unanswered if settings.is_projected and id not in with_words]
    advice = "add the files, or leave out what only one side has with --missing drop"
    if settings.missing == "error":
        yield from _missing(
            "references without a hypothesis",
            unanswered,
            theirs,
            "add the files, or count them as empty with --missing empty",
        )
    elif settings.missing == "empty":
        yield from _missing(
            "references without a hypothesis and without words for an empty one",
            lost,
            sorted(with_words),
            "add the recogniser's words to --words",
        )
    if settings.missing != "drop":
        yield from _missing("hypotheses without a reference", theirs, ours, advice, against=ours)
    for side, ids, times in (
        ("references", ours, sides[2]),
        ("hypotheses", theirs, sides[3]),
    ):
        if times is None:
            continue
        option = "--align" if side == "references" else "--words"
        known = [document.id for document in times]
        advice = f"add them to {option}"
        yield from _missing(f"{side} without a time file", ids, known, advice, against=known)


def _notes_of_readers(
    notes: Mapping[str, Iterable[tuple[str, Note]]],
) -> Iterator[Finding]:
    """The notes of the readers about elements and names, with their places."""
    for side, of_side in notes.items():
        of_what: dict[str, list[tuple[str, Note]]] = {}
        for id, note in of_side:
            of_what.setdefault(note.what, []).append((id, note))
        for what, found in sorted(of_what.items()):
            count = sum(note.count for _, note in found)
            places = ", ".join(str(place) for _, note in found for place in note.places)
            check, advice = ADVICE.get(
                what, ("elements", "check that the right elements were kept")
            )
            ids = tuple(id for id, _ in found)
            yield Finding(check, f"{what}, in the {side}: {count} ({places})", advice, ids)


def _mentions_without_places(count: int) -> Iterator[Finding]:
    """Mentions that were not found in the words."""
    if count:
        yield Finding(
            "words",
            f"mentions that are not found in the words: {count}",
            "each is an insertion; --read mentions=nearest finds those that are spelled alike",
        )


def _missing(
    what: str,
    ids: Sequence[str],
    others: Sequence[str],
    advice: str,
    *,
    against: Iterable[str] = (),
) -> Iterator[Finding]:
    """A finding for the ids that are not in ``against``, with a similar name as a hint."""
    alone = tuple(sorted(set(ids) - set(against)))
    if not alone:
        return
    hint = meant(alone, set(others) - set(ids))
    message = f"{what}: {listed(alone)}"
    yield Finding("counterparts", message, advice + hint, alone, is_refusal=True)


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """The first names of a list, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _refusals(survey: Survey, settings: Settings) -> Iterator[Finding]:
    """Times that belong to other words, and documents that cannot be projected."""
    for option, errors in zip(("--align", "--words"), survey.errors, strict=False):
        advice = f"transcribe alike in both, or name the right files with {option}"
        yield from _refusals_by(errors, advice)
    if not settings.is_projected:
        advice = "for a recogniser's words use --tolerance 0.3 with times, or --by text"
        if any(BY_PLACE in error for error in survey.errors[2].values()):
            advice = f"if a toolkit rewrote words, score with {BY_PLACE}; {advice}"
    elif settings.tolerance is not None:
        advice = "name the files with the times with --align and --words, or use --by text"
    else:
        advice = "score them with the same words, or through time"
    yield from _refusals_by(survey.errors[2], advice)


def _refusals_by(errors: Mapping[str, str], advice: str) -> Iterator[Finding]:
    """One finding for all documents that a step of the scoring refuses."""
    if errors:
        ids = tuple(sorted(errors))
        more = f" (and {len(ids) - 1} more documents)" if len(ids) > 1 else ""
        yield Finding("words", errors[ids[0]] + more, advice, ids, is_refusal=True)


def _strange(clocks: Iterable[Clock]) -> Iterator[Finding]:
    """Documents with few words in common."""
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


def _clocks(clocks: Sequence[Clock]) -> Iterator[Finding]:
    """Clocks that drift, and clocks with an offset."""
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


def _tolerance(found: Diagnosis, settings: Settings) -> Iterator[Finding]:
    """A tolerance that is smaller than many differences between times of the same words."""
    apart = differences(found.clocks)
    if settings.tolerance is None or not apart:
        return
    least, number = min(settings.tolerance), apart.total()
    beyond = sum(count for ms, count in apart.items() if ms > least)
    if beyond <= BEYOND * number:
        return
    is_clock_wrong = any(each.drifts or abs(each.offset) >= OFFSET for each in found.clocks)
    enough = seconds(found.apart[1 - BEYOND])
    yield Finding(
        "tolerance",
        f"{beyond} of {number} starts and ends of the same words are further apart than the "
        f"tolerance of {seconds(least)} s",
        "correct the clocks first"
        if is_clock_wrong
        else f"--tolerance {enough} covers nine in ten",
    )


# --------------------------------------------------------------------------------------- the labels


def _one_sided(ours: Mapping[str, int], theirs: Mapping[str, int]) -> Iterator[Finding]:
    """Labels that only one side has, also on mentions that have no place."""
    if not ours or not theirs:
        empty = "reference" if not ours else "hypothesis"
        if ours or theirs:
            yield Finding(
                "labels", f"the {empty} has no element", "check that it is the right file"
            )
        return
    yield from _only(ours, theirs, "reference", "each is missed")
    yield from _only(theirs, ours, "hypothesis", "each is spurious or of a wrong type")


def _only(
    mine: Mapping[str, int], others: Mapping[str, int], side: str, so: str
) -> Iterator[Finding]:
    alone = sorted(mine.keys() - others.keys())
    if not alone:
        return
    counted = listed([f"{label} ({mine[label]})" for label in alone], 8)
    hint = meant(alone, others.keys() - mine.keys())
    yield Finding(
        "labels",
        f"labels of the {side} only: {counted}; {so}",
        f"rename or remove labels with --map FILE{hint}",
    )


def report_of(found: Mapping[str, Diagnosis]) -> Report:
    """The report on systems: their findings, their files and the clocks of their documents."""
    every = found.items()
    tables = filled(
        FORMS,
        findings=(
            (system, one.is_refusal, one.check, one.message, one.advice, one.documents)
            for system, each in every
            for one in each.findings
        ),
        systems=((system, each.documents, each.is_refused, each.unseen) for system, each in every),
        files=((system, *file) for system, each in every for file in each.files),
        clocks=(
            (system, one.id, one.words, one.same, one.drift, one.offset, one.begin, one.change)
            for system, each in every
            for one in each.clocks
        ),
        commands=((system, each.command, each.changes) for system, each in every if each.command),
        apart=((system, *one) for system, each in every for one in each.apart.items()),
        total=[(any(each.is_refused for each in found.values()),)],
    )
    return Report("doctor", tables, lambda _: _text(found))


def _text(found: Mapping[str, Diagnosis]) -> Iterator[str]:
    """A paragraph for each system: its files, faults that scoring refuses, other findings."""
    for k, (system, each) in enumerate(found.items()):
        yield from [""] if k else []
        yield from _paragraph(system, each)


def _paragraph(system: str, found: Diagnosis) -> Iterator[str]:
    documents = f": {counted(found.documents, 'document')}" if found.documents else ""
    yield one_line(system) + documents
    yield from (f"  {'file':<8}{one_line(path)}: {program}" for path, program in found.files)
    for finding in found.findings:
        mark = "refused" if finding.is_refusal else "look"
        yield f"  {mark:<8}{finding.check:<14}{one_line(finding.message)}"
        yield f"  {'':<22}→ {one_line(finding.advice)}"
    amiss = {finding.check for finding in found.findings}
    fine = [check for check in CHECKS if check not in amiss and check not in found.unseen]
    if fine and "files" not in amiss:
        yield f"  {'fine':<8}{', '.join(fine)}"
    if found.unseen:
        yield f"  {'unseen':<8}{', '.join(found.unseen)}"
    if found.apart:
        apart = ", ".join(
            f"{percent(float(share), 0)} % within {seconds(ms)} s"
            for share, ms in found.apart.items()
        )
        same, words = (sum(getattr(one, of) for one in found.clocks) for of in ("same", "words"))
        yield f"  {same} of {words} words are the same on both sides; their times: {apart}"
    if found.command:
        yield f"  {'type':<8}{one_line(found.command)}"
        yield from (f"  {'':<22}→ {one_line(change)}" for change in found.changes)
