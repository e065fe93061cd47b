"""Documents from what a reader found: spans become elements, words get times, notes are counted.

Two spans of a tree cannot cross, and of two equal spans either can be the outer one. The policies
``crossing`` and ``equal`` decide.

A decimal time is rounded once, halves up, from its text, so binary fractions have no effect
(definition, section 4). Halves go up below zero too, so that a constant added to all times keeps
their differences.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor
from operator import gt

from ..documents.files import SURROGATE
from ..documents.model import (
    Alternative,
    Document,
    Element,
    Note,
    Place,
    Reference,
    Time,
    crossing,
    seconds,
    tree,
    uncrossed,
)
from ..documents.tags import (
    MISPLACED,
    OUTSIDE,
    SCHEMES,
    Tags,
    detect,
    foreign,
    misplaced,
)
from ..documents.words import Cut, Span, spread
from ..errors import SerevalError, one_line, with_place
from .file import DETECT, File, quote


class Notes:
    """The notes of a document while it is read, in the order of their first count."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._places: defaultdict[str, list[Place]] = defaultdict(list)

    def add(self, what: str, count: int = 1, choice: str = "", *, at: Place | None = None) -> None:
        """Count something."""
        self._counts[what, choice] += count
        if at is not None:
            self._places[what].append(at)

    def chosen(self, file: File, what: str, count: int) -> None:
        """Count what is read from the columns that the user named, if any."""
        if columns := file.options.columns:
            self.add(what, count, f"columns={'+'.join(columns)}")

    def all(self) -> tuple[Note, ...]:
        """A note for each count that is not 0, or of columns that the user named."""
        return tuple(
            Note(what, count, choice, tuple(self._places[what]))
            for (what, choice), count in self._counts.items()
            if count or choice.startswith("columns=")
        )


def document_of_spans(
    file: File,
    id: str,
    words: Sequence[str],
    spans: Sequence[Span],
    notes: Notes,
    times: Sequence[Time] | None = None,
    breaks: Iterable[int] = (),
    alternatives: Iterable[Alternative] = (),
) -> Document:
    """The document of words and spans, nested by the policies; a break at an end is none."""
    elements: tuple[Element, ...] = ()
    if spans:
        kept = uncrossed_spans(file, spans, notes)
        policy = file.policy("equal")
        if policy != "appearance":
            rank = {label: place for place, label in enumerate(file.options.labels)}
            last = len(rank)  # for labels that the grammar does not have
            kept.sort(key=lambda k: rank.get(spans[k].label, last))
            counts = Counter((spans[k].start, spans[k].end) for k in kept)
            equal = sum(n for n in counts.values() if n > 1)
            what = "annotations on the same words, nested by the grammar"
            notes.add(what, equal, f"equal={policy}")
        elements = tree(spans[k].element for k in kept)
    return Document(
        id,
        tuple(words),
        elements,
        None if times is None else tuple(times),
        tuple([k for k in breaks if 0 < k < len(words)]),
        file.path,
        notes.all(),
        alternatives=tuple(alternatives),
    )


def uncrossed_spans(file: File, spans: Sequence[Span | Element], notes: Notes) -> list[int]:
    """Indices of the spans without those that the policy ``crossing`` drops."""
    bare = [(span.start, span.end) for span in spans]
    kept = [*range(len(spans))]
    if crossed := crossing(bare):
        if file.policy("crossing") == "refuse":
            first, second = (spans[k] for k in sorted(crossed))
            of_line = f" of line {first.line}" if first.line not in (None, second.line) else ""
            raise file.error(
                f"{second} crosses {first}{of_line}, expected one in the other or apart; "
                f"{file.hint('crossing')}",
                second.line,
            )
        kept = uncrossed(bare)
        for k in sorted({*range(len(spans))} - {*kept}):
            what, at = "annotations that cross an earlier one, dropped", str(spans[k])
            notes.add(what, 1, "crossing=drop", at=file.place(at, spans[k].line))
    return kept


# --- tags ----------------------------------------------------------------------------------------


def scheme_of(
    file: File, tags: Sequence[str], breaks: Sequence[int], line: Callable[[int], int]
) -> tuple[str, int]:
    """The one scheme of the tags of a file, or an error, and whether some may be misplaced."""
    policy = file.policy("tags")
    if policy == DETECT:
        detected, wrong = detect(tags, breaks)
        if detected:
            return detected, wrong
        # the first tag after which no scheme is left
        place = max(foreign(tags, name) or 0 for name in SCHEMES if name != "conlleval")
        expected = (
            "O, B-…, I-… with E-…, S-… (IOBES) or L-…, U-… (BILOU); --read tags=conlleval takes any"
        )
    else:
        found, expected = foreign(tags, policy), f"one of {policy}"
        if found is None:
            return policy, 1
        place = found
    raise file.error(f"tag {quote(tags[place])}, expected {expected}", line(place))


def read_tags(
    file: File,
    tags: Tags,
    wrong: int,
    line: Callable[[int], int],
    notes: Notes,
    of: str = "",
    id: str = "",
) -> Tags:
    """The tags of a document with the elements that they spell, and notes on them."""
    own, scheme = tags.tags, tags.scheme
    elements = tuple([Element(label, a, b, None, line(a)) for label, a, b in tags.phrases])
    if file.policy("tags") == DETECT:
        what, choice = f"no tagging scheme named; tags read as {scheme.upper()}", ""
    else:
        what, choice = f"tags, read as {scheme}", f"tags={scheme}"
    notes.add(what, len(own) - own.count(OUTSIDE), choice)
    for k in misplaced(own, tags.breaks, scheme) if wrong else ():
        at = Place(own[k], f"word {k} of {id}", line(k)) if id else file.place(own[k], line(k))
        notes.add(MISPLACED.format(of, scheme), at=at)
    return tags._replace(elements=elements)


# --- times ---------------------------------------------------------------------------------------

Word = tuple[int, int, str]
"""Start and end in ms, and the word."""

LATEST = 10**9
"""The greatest distance of a time from zero, in seconds: about 31 years."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_PLAIN = re.compile(r"([0-9]{1,8})\.([0-9]{1,3})")
_PLAIN_TEXT = r"(?:[0-9]{1,8}\.[0-9]{1,3} )*+"
_THOUSANDTHS = r"(?:[0-9]{1,8}\.[0-9]{3} )*+"  # as most programs write

NOT_SECONDS = "words that last more than 60 s, as if their times were milliseconds"
UNTIMED = "words without times, put between their neighbours"
"""Texts of notes on the times of native documents, and on words that share a gap."""

NOT_FINAL = "results that are not final, skipped"
OTHERS = "alternatives after the first, skipped"
"""Texts of notes on parts of a recogniser's output that are not read."""


def number(text: str) -> Decimal:
    """The exact value of a decimal number."""
    if not is_number(text):
        raise SerevalError(f"found {quote(text)}, expected a decimal number")
    return Decimal(text)


def is_number(text: str) -> bool:
    """Whether :func:`number` takes a text."""
    return _NUMBER.fullmatch(text) is not None


def milliseconds(time: str | int | Decimal, units: int = 1) -> int:
    """A time in seconds as integer milliseconds, halves up."""
    if isinstance(time, str) and units == 1 and (plain := _PLAIN.fullmatch(time)):
        return int(plain[1]) * 1000 + int(plain[2].ljust(3, "0"))  # ten times as fast
    value = number(time) if isinstance(time, str) else Decimal(time)
    if not value.is_finite() or abs(value) > LATEST * units:
        raise SerevalError(f"found {value / units:.9g} s, expected a time of at most {LATEST} s")
    return floor(Fraction(value) * 1000 / units + Fraction(1, 2))


def plain_milliseconds(text: str) -> list[int] | None:
    """Times in seconds as integer milliseconds, if all have a plain form."""
    if re.fullmatch(_THOUSANDTHS, text):
        return [*map(int, text.replace(".", "").split())]
    if not re.fullmatch(_PLAIN_TEXT, text):
        return None
    return [round(1000 * float(number)) for number in text.split()]


def span_of(**texts: str) -> Time:
    """The time of a word, from texts in seconds by the names that messages give them."""
    return check_span(*(with_place(name, milliseconds, text) for name, text in texts.items()))


def check_span(start: int, end: int) -> Time:
    """The start and the end of a word, if one can have them."""
    if start < 0:
        raise SerevalError(f"found {seconds(start)} s, expected a time that is not negative")
    if end < start:
        raise SerevalError(f"ends ({seconds(end)} s) before it starts ({seconds(start)} s)")
    return start, end


SPREAD = "words without times of their own, given some by their length"


class Moments:
    """The times of words of which only some moments have one, as in turns with ``<Sync>``."""

    def __init__(self, words: list[str]) -> None:
        self.words = words  # the reader adds to this list
        self.times: list[Time] = []
        self.breaks: list[int] = []
        self.now = self.end = 0

    def advance(self, time: int) -> None:
        """Go on to a moment, which is not before the last one or after the turn."""
        if not self.now <= time <= self.end:
            raise SerevalError(
                f"time {seconds(time)} s, expected {seconds(self.now)} s (the time before) "
                f"to {seconds(self.end)} s (the end of the turn)"
            )
        widths = [len(word) for word in self.words[len(self.times) :]]
        self.times += spread(widths, self.now, time)
        self.now = time
        if self.words and self.breaks[-1:] != [len(self.words)]:
            self.breaks.append(len(self.words))


def share(words: Cut, stretches: Iterable[tuple[int, int, int, int]]) -> tuple[list[Time], int]:
    """The times of the words of a text, of which some stretches have times."""
    found: list[list[int]] = [[] for _ in words.words]
    shared: set[int] = set()
    for start, end, first, last in stretches:
        inside = range(bisect_right(words.ends, first), bisect_left(words.starts, last))
        if first == last:
            continue
        shared.update(inside if len(inside) > 1 else ())
        widths = [min(words.ends[k], last) - max(words.starts[k], first) for k in inside]
        for k, time in zip(inside, spread(widths, start, end), strict=True):
            found[k] += time
    return [(min(one), max(one)) for one in found], len(shared)


def fill(texts: Sequence[str], times: Sequence[Time | None], around: Time) -> list[Time]:
    """The times of all words; words without times share the gap between the others by length."""
    found: list[Time] = []
    before, end = around
    known = [(k, time) for k, time in enumerate(times) if time is not None]
    last = max(end, known[-1][1][1] if known else before)
    for k, (start, end) in (*known, (len(times), (last, last))):
        if gap := [len(text) for text in texts[len(found) : k]]:
            found += spread(gap, min(before, start), start)
        found.append((start, end))
        before = end
    return found[:-1]


# --- timed words ---------------------------------------------------------------------------------

SILENCE = frozenset({"", "sp", "sil", "<eps>"})
"""Texts of intervals without speech."""
MERGED = "tiers whose words were merged by their start"
NO_WORD = "files in which no word was found"

_NAMES = (
    r"(?is)(.* - )?words?",
    "ORT-MAU",  # WebMAUS
    "ORT",  # WebMAUS, before it wrote the former
)
"""Patterns of the names of tiers of words; the first that matches a tier of the file applies."""


LONGEST = 60_000
"""The longest possible word, in ms. A whole window of Whisper lasts half as long."""


def too_long(times: Sequence[Time], words: Sequence[str]) -> int:
    """The number of words that last more than 60 s, if they are more than half of all; else 0."""
    lengths = [end - start for start, end in times]
    if max(lengths, default=0) <= LONGEST:
        return 0
    pairs = zip(lengths, words, strict=False)
    are_long = [ms > LONGEST * max(len(word.split()), 1) for ms, word in pairs if ms]
    found = sum(are_long)
    return found if 2 * found > len(are_long) else 0


def check_seconds(times: Sequence[Time], words: Sequence[str]) -> None:
    """Refuse words of which more than half are ``too_long``, as if their times were ms."""
    if found := too_long(times, words):
        raise SerevalError(
            f"{found} of {len(words)} words last more than {LONGEST // 1000} s, expected times in "
            "seconds: are they milliseconds?"
        )


def in_order(
    file: File,
    id: str,
    words: Sequence[str],
    times: Sequence[Time] | None,
    notes: Notes,
    firsts: Iterable[int] = (),
    spans: Sequence[Span] = (),  # only on words that are in order
    alternatives: Iterable[Alternative] = (),
) -> Document:
    """The document of words by their starts, if they have times; utterances begin at ``firsts``."""
    order: Sequence[int] = range(len(words))
    place = order
    starts = [start for start, _ in times or ()]
    if any(map(gt, starts, starts[1:])):
        order = sorted(order, key=starts.__getitem__)
        place = sorted(order, key=order.__getitem__)
    kept = []
    for start, end, readings in alternatives:
        at, last = place[start], place[end - 1]
        if last - at == end - start - 1:
            kept.append(Alternative(at, last + 1, readings))
        else:  # other words are between them
            notes.add(OTHERS, len(readings))
    return document_of_spans(
        file,
        id,
        [words[k] for k in order],
        spans,
        notes,
        None if times is None else [times[k] for k in order],
        sorted(place[k] for k in firsts if k < len(words)),
        sorted(kept),
    )


def document_of_words(file: File, words: Sequence[Word], notes: Notes) -> Document:
    """The document of all words of a file, whose times are in seconds."""
    times, texts = [(start, end) for start, end, _ in words], [word for _, _, word in words]
    check_seconds(times, texts)
    notes.add(NO_WORD, not words)
    return in_order(file, file.id, texts, times, notes)


def document_of_tiers(
    file: File, tiers: Sequence[tuple[str, Iterable[Word]]], notes: Notes
) -> Document:
    """The document of the tiers of words among those of a file, without their silence."""
    asked = file.options.tiers
    found = word_tiers([name for name, _ in tiers], asked)
    words = [word for k in found for word in tiers[k][1] if word[2] not in SILENCE]
    if asked:
        named = "tier that was" if len(asked) == 1 else "tiers that were"
        notes.add(
            f"words of the {named} asked for",
            len(words),
            f"tier={'+'.join(map(_sign, sorted({*asked})))}",
        )
    notes.add(MERGED, len(found) if len(found) > 1 else 0)
    return document_of_words(file, words, notes)


def _sign(tier: str) -> str:
    """The name of a tier for a signature, without the characters that separate its parts."""
    return re.sub("[%,|+]", lambda found: f"%{ord(found[0]):02X}", one_line(tier))


def word_tiers(names: Sequence[str], asked: Sequence[str]) -> list[int]:
    """Indices of the tiers of words, in the order of the file."""
    by_name = ([k for k, name in enumerate(names) if re.fullmatch(one, name)] for one in _NAMES)
    found = [k for k, name in enumerate(names) if name in asked]
    found = found if asked else next(filter(None, by_name), [])
    speakers = {names[k] if asked else names[k].casefold().removesuffix("s") for k in found}
    is_whole = {*asked} <= {*names} and 0 < len(found) == len(speakers)
    if not is_whole or (not asked and len(found) > 1 and "word" in speakers):
        expected = ", ".join(map(quote, asked)) or "'words', or 'SPEAKER - words' of each speaker"
        there = ", ".join(map(quote, names)) or "none"
        raise SerevalError(f"the tiers are {there}, expected {expected}, once: name one of them")
    return found


# --- writing -------------------------------------------------------------------------------------

PLACES = "elements with several places, put at one"
LABELS = "labels besides an element's own"
UNPLACEABLE = "elements without a place"
STRICT = "elements with strict frontiers, which break ties"
PROJECTION = "descriptions of the projection"
SHOWN = "elements, which no reader takes from a TextGrid"
UTTERANCES = "times of words, of which those of utterances are kept"
MOMENTS = "words without length, given 1 ms"

ANYTHING = "^$"
EDGE = r"^\s|\s$"
"""Patterns of what a text may not have, besides what no text may have: nothing; white space at an
edge."""


def file_name(id: str, suffix: str) -> str:
    """The name of a document's file: its id, in which ``%`` codes replace forbidden characters."""
    return one_line(re.sub(_UNSAFE, lambda found: f"%{ord(found[0]):02X}", id)) + suffix


_UNSAFE = r'(?i)^\.|[%/\\:*?"<>|\x00-\x1f\x7f]|^(?=(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)).'
"""The first character of a hidden name, characters that no name may have, and the first character
of names that Windows reserves for devices."""


def lines_of(document: Document, words: Sequence[str]) -> str:
    """Words with a line for each utterance of a document."""
    lines = pairwise([0, *document.breaks, len(words)])
    return "".join(f"{' '.join(words[start:end])}\n" for start, end in lines)


def check_texts(id: str, format: str, texts: Iterable[str], forbidden: str = r"\s") -> None:
    """Refuse a text of a document that no reader of a format gives back as it is."""
    wrong = re.compile(f"^$|\0|{SURROGATE}|{forbidden}")
    for text in texts:
        if wrong.search(text):
            raise SerevalError(f"{id}: found {quote(text)}, which no {format} can hold")


def check_words(
    document: Document | Reference,
    format: str,
    forbidden: str = r"\s|^\ufeff",
    labels: str | None = None,
) -> None:
    """Refuse a document without a word, or with one or a label that a format cannot hold."""
    if not document.words:
        raise SerevalError(f"{document.id}: no word, expected at least one")
    check_texts(document.id, format, document.words, forbidden)
    if labels is not None:
        check_texts(document.id, format, [one.label for one in document.elements], labels)


def times_of(document: Document, format: str) -> Sequence[Time]:
    """The times of the words of a document, for a format of words and times."""
    if not document.times:
        raise SerevalError(f"{document.id}: no words with times, expected some for {format}")
    if document.times[0][0] < 0:
        raise SerevalError(
            f"{document.id}: word 0 starts at {seconds(document.times[0][0])} s, expected no time "
            "before that of the recording"
        )
    return document.times


def times_of_seconds(document: Document, format: str) -> Sequence[Time]:
    """The times of words, for a format whose reader refuses words of more than a minute."""
    times = times_of(document, format)
    if count := too_long(times, document.words):
        raise SerevalError(
            f"{document.id}: {count} words last more than a minute, expected times that a reader "
            "takes for seconds"
        )
    return times
