"""Diagnosis: checks of a campaign before it is scored.

The checks concern the documents of one system: whether each document has its counterparts, whether
words that must be equal are equal, whether the clocks of the two sides agree, which labels only one
side has, which elements are repeated or were dropped, and whether the tolerance is wide enough for
the differences between times of the same words. The checks try the steps of scoring: if scoring
would refuse something, that is a finding with the same message. The other findings are mistakes
that would make a figure wrong or low without an error.

**Clocks.** The two texts are aligned word by word, without times (``align_text``). For each word
common to both sides, the *lateness* is the start in the hypothesis less the start in the reference.
The *offset* is the median lateness. The *drift* is the slope of the resistant line, which joins the
medians of time and lateness in the first third of the words and in the last third. Wrongly aligned
words do not move either figure as long as they are few.

Source: Tukey, Exploratory Data Analysis, 1977, chapter 10 (the resistant line).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median_low
from typing import TypeVar

from ..alignment.blocks import CORRECT
from ..alignment.text import align_text
from ..alignment.weights import UNIT
from ..corpus.swaps import swaps
from ..documents.model import (
    Document,
    Element,
    Mention,
    Reference,
    ReferenceElement,
    seconds,
)
from ..documents.notes import Note
from ..documents.placements import Placements
from ..documents.recut import time_words
from ..errors import SerevalError, meant
from ..evaluation.evaluate import projection
from ..evaluation.placed import OPEN
from ..evaluation.settings import Settings
from ..formats import IDS, LABELS, TWICE
from ..formats.answers import LEFT, UNREADABLE

CHECKS = ("files", "counterparts", "words", "clocks", "elements", "labels", "tolerance")
"""The checks, in this order."""

OFFSET = DRIFT = 100
"""The least offset, and the least drift over a document, that are findings, in ms."""
LEAST_OFFSET, LEAST_DRIFT = 5, 30
"""The least number of common words from which an offset, or a drift, is computed."""
STRANGE = Fraction(1, 3)
"""With a smaller share of common words, two documents may be of two recordings."""
BEYOND = Fraction(1, 10)
"""The greatest share of times that may differ by more than the tolerance."""
LISTED = 3
"""The most names that a message lists."""
SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(19, 20))
"""The reported quantiles of the differences between times of the same words."""

ADVICE = {
    TWICE: ("elements", "remove the repetitions, each counts"),
    LABELS: ("labels", "use the same spelling on both sides, or rename them with --map FILE"),
    IDS: ("counterparts", "use the same spelling on both sides"),
    LEFT: ("elements", "check that no entity is among them"),
    UNREADABLE: ("elements", "ask the model for JSON, each scores as an empty answer"),
}
"""The check and the advice for each note of a reader that is a finding."""

_D = TypeVar("_D", Document, Document | Reference)


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


@dataclass(frozen=True, slots=True)
class Campaign:
    """The documents to be scored, as they were read.

    Args:
        references, hypotheses: the two sides.
        reference_times: documents from other files that give times to the references; ``None``:
            there are no such files.
        hypothesis_times: the same for the hypotheses.
    """

    references: Sequence[Document | Reference]
    hypotheses: Sequence[Document]
    reference_times: Sequence[Document] | None = None
    hypothesis_times: Sequence[Document] | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings for one system.

    Args:
        documents: the number of references.
        findings: the findings in the order of ``CHECKS``.
        clocks: the clocks of the documents that have times on both sides, in their order.
        unseen: the checks that were impossible because times or a tolerance are missing.
        files: the path of each file of a format of other programs, and the program that wrote it.
    """

    documents: int
    findings: tuple[Finding, ...]
    clocks: tuple[Clock, ...] = ()
    unseen: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether scoring would refuse the campaign."""
        return any(finding.is_refusal for finding in self.findings)

    @property
    def apart(self) -> dict[Fraction, int]:
        """Quantiles of the differences between times of the same words, in ms, by share."""
        times = sorted(ms for clock in self.clocks for ms in clock.apart)
        return {share: _at(times, share) for share in SHARES} if times else {}


def diagnosis(campaign: Campaign, settings: Settings) -> Diagnosis:
    """Check a campaign before it is scored.

    Args:
        campaign: the documents of both sides.
        settings: the settings of the scoring; checks that do not apply to them are left out.

    Returns:
        The findings. A refusal by a step of the scoring is a finding too, not an exception.

    >>> words = ("Jacques", "Chirac")
    >>> found = diagnosis(Campaign([Document("d", words)], [Document("e", words)]), Settings())
    >>> for finding in found.findings:
    ...     print(finding.message)
    references without a hypothesis: d
    hypotheses without a reference: e
    >>> found.is_refused
    True
    """
    findings = [*_without_counterpart(campaign, settings), *_notes_of_readers(campaign)]
    references, hypotheses = list(campaign.references), list(campaign.hypotheses)
    try:
        references, hypotheses = settings.labels.applied(references, hypotheses)
        findings += _one_sided(references, hypotheses)
    except SerevalError as error:
        advice = "correct --map, --only or --level"
        findings.append(Finding("labels", str(error), advice, is_refusal=True))
    findings += [*_mentions_without_places(hypotheses), *_open_places(hypotheses)]
    reference_times, hypothesis_times = campaign.reference_times, campaign.hypothesis_times
    swap = swaps(references, hypotheses, reference_times or (), hypothesis_times or ())
    ours, of_references = _add_times(references, reference_times, "--align", swap)
    theirs, of_hypotheses = _add_times(hypotheses, hypothesis_times, "--words", swap)
    findings += [*of_references, *of_hypotheses]
    of_id = {document.id: document for document in theirs}
    pairs = [(one, of_id[one.id]) for one in ours if one.id in of_id]
    findings += _refusals(pairs, settings)
    clocks = [clock(one, other) for one, other in pairs if isinstance(one, Document)]
    found = Diagnosis(len(campaign.references), (), tuple(filter(None, clocks)))
    findings += [*_strange(found.clocks), *_clocks(found.clocks), *_tolerance(found, settings)]
    findings.sort(key=lambda finding: CHECKS.index(finding.check))
    seen = {"clocks": found.clocks, "tolerance": found.apart and settings.tolerance}
    unseen = tuple(check for check, is_seen in seen.items() if not is_seen)
    return Diagnosis(found.documents, tuple(findings), found.clocks, unseen)


def _without_counterpart(campaign: Campaign, settings: Settings) -> Iterator[Finding]:
    """Documents whose counterparts are missing."""
    ours = [document.id for document in campaign.references]
    theirs = [document.id for document in campaign.hypotheses]
    with_words = {document.id for document in campaign.hypothesis_times or ()}
    unanswered = sorted(set(ours) - set(theirs))
    lost = [id for id in unanswered if settings.is_projected and id not in with_words]
    advice = "add the files, or give both one name with --name"
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
        ("references", ours, campaign.reference_times),
        ("hypotheses", theirs, campaign.hypothesis_times),
    ):
        if times is None:
            continue
        option = "--align" if side == "references" else "--words"
        known = [document.id for document in times]
        advice = f"add them to {option}"
        yield from _missing(f"{side} without a time file", ids, known, advice, against=known)


def _notes_of_readers(campaign: Campaign) -> Iterator[Finding]:
    """The notes of the readers about elements and names, with their places."""
    for side, documents in (
        ("reference", campaign.references),
        ("hypothesis", campaign.hypotheses),
    ):
        of_what: dict[str, list[tuple[str, Note]]] = {}
        for document in documents:
            for note in document.notes:
                if note.what in ADVICE or note.choice == "crossing=drop":
                    of_what.setdefault(note.what, []).append((document.id, note))
        for what, found in sorted(of_what.items()):
            count = sum(note.count for _, note in found)
            places = ", ".join(str(place) for _, note in found for place in note.places)
            check, advice = ADVICE.get(
                what, ("elements", "check that the right elements were kept")
            )
            ids = tuple(id for id, _ in found)
            yield Finding(check, f"{what}, in the {side}: {count} ({places})", advice, ids)


def _mentions_without_places(hypotheses: Iterable[Document]) -> Iterator[Finding]:
    """Mentions that were not found in the words."""
    count = sum(len(document.mentions or ()) for document in hypotheses)
    if count:
        yield Finding(
            "words",
            f"mentions that are not found in the words: {count}",
            "each is an insertion; --read mentions=nearest finds those that are spelled alike",
        )


def _open_places(hypotheses: Iterable[Document]) -> Iterator[Finding]:
    """Mentions that the words have more than one place for."""
    found: dict[str, int] = {}
    many: list[str] = []
    for document in hypotheses:
        if document.places is not None:
            try:
                found[document.id] = Placements(document.places).open
            except SerevalError:
                many.append(document.id)
    ids = tuple(id for id, count in found.items() if count)
    if ids or many:
        more = f", and too many to count in {listed(many)}" if many else ""
        yield Finding(
            "words",
            f"{OPEN}: {sum(found.values())}{more}",
            "--placement range prints the rates between which all placements lie",
            (*ids, *many),
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
    """The first names of a list, and the number of the others.

    >>> listed("abcd"), listed("ab")
    ('a, b, c and 1 more', 'a, b')
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _add_times(
    documents: Sequence[_D],
    times: Sequence[Document] | None,
    option: str,
    swap: Callable[[str], str],
) -> tuple[list[_D], list[Finding]]:
    """The documents with their times, and findings for times that belong to other words."""
    if times is None:
        return list(documents), []
    of_id = {document.id: document for document in times}
    found: list[_D] = []

    def add_times(document: _D) -> None:
        if document.id not in of_id:
            return
        if isinstance(document, Reference):
            raise SerevalError(f"{document.id}: found a fuzzy reference, which takes no times")
        try:
            found.append(time_words(document, of_id[document.id]))
        except SerevalError as error:
            raise SerevalError(f"{error}{swap(document.id)}") from None

    advice = f"transcribe alike in both, or name the right files with {option}"
    return found, list(_refusals_by(add_times, documents, advice))


def _refusals_by(
    step: Callable[[_D], None], documents: Iterable[_D], advice: str
) -> Iterator[Finding]:
    """One finding for all documents that a step of the scoring refuses."""
    errors: dict[str, str] = {}
    for document in documents:
        try:
            step(document)
        except SerevalError as error:
            errors[document.id] = str(error)
    if errors:
        ids = tuple(sorted(errors))
        more = f" (and {len(ids) - 1} more documents)" if len(ids) > 1 else ""
        yield Finding("words", errors[ids[0]] + more, advice, ids, is_refusal=True)


def _refusals(
    pairs: Sequence[tuple[Document | Reference, Document]], settings: Settings
) -> Iterator[Finding]:
    """Documents that cannot be projected under the settings."""
    of_id = {reference.id: hypothesis for reference, hypothesis in pairs}

    def project(reference: Document | Reference) -> None:
        projection(reference, of_id[reference.id], settings)

    if not settings.is_projected:
        advice = "for a recogniser's words use --tolerance 0.3 with times, or --by text"
    elif settings.tolerance is not None:
        advice = "name the files with the times with --align and --words, or use --by text"
    else:
        advice = "score them with the same words, or through time"
    yield from _refusals_by(project, (reference for reference, _ in pairs), advice)


# --------------------------------------------------------------------------------------- the clocks


def clock(reference: Document, hypothesis: Document) -> Clock | None:
    """Compare the times of the words that two documents have in common.

    Args:
        reference, hypothesis: one document on either side.

    Returns:
        ``None`` where a side has no times. With fewer than ``LEAST_OFFSET`` common words the clock
        has counts only.

    >>> words = tuple("abcde")
    >>> one = Document("d", words, times=tuple((k, k + 50) for k in range(0, 500, 100)))
    >>> two = Document("d", words, times=tuple((k, k + 50) for k in range(1500, 2000, 100)))
    >>> found = clock(one, two)
    >>> found.same, found.offset, found.drift
    (5, 1500, Fraction(0, 1))
    """
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
    apart = [ms for clock in found.clocks for ms in clock.apart]
    if settings.tolerance is None or not apart:
        return
    least = min(settings.tolerance)
    beyond = sum(ms > least for ms in apart)
    if beyond <= BEYOND * len(apart):
        return
    is_clock_wrong = any(each.drifts or abs(each.offset) >= OFFSET for each in found.clocks)
    enough = seconds(found.apart[1 - BEYOND])
    yield Finding(
        "tolerance",
        f"{beyond} of {len(apart)} starts and ends of the same words are further apart than the "
        f"tolerance of {seconds(least)} s",
        "correct the clocks first"
        if is_clock_wrong
        else f"--tolerance {enough} covers nine in ten",
    )


def _at(numbers: Sequence[int], share: Fraction) -> int:
    """The least of some increasing numbers such that this share of them does not exceed it."""
    return numbers[-(-share.numerator * len(numbers) // share.denominator) - 1]


# --------------------------------------------------------------------------------------- the labels


def _one_sided(
    references: Iterable[Document | Reference], hypotheses: Iterable[Document]
) -> Iterator[Finding]:
    """Labels that only one side has, also on mentions that have no place."""
    ours, theirs = (
        Counter(one.label for document in side for one in _labelled(document))
        for side in (references, hypotheses)
    )
    if not ours or not theirs:
        empty = "reference" if not ours else "hypothesis"
        if ours or theirs:
            yield Finding(
                "labels", f"the {empty} has no element", "check that it is the right file"
            )
        return
    yield from _only(ours, theirs, "reference", "each is missed")
    yield from _only(theirs, ours, "hypothesis", "each is spurious or of a wrong type")


def _labelled(
    document: Document | Reference,
) -> Iterator[Element | ReferenceElement | Mention]:
    """The elements of a document, and its mentions without a place."""
    yield from document.elements
    if isinstance(document, Document):
        yield from document.mentions or ()


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
