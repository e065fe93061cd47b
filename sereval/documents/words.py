"""Match two divisions of one text into words, for scoring and for the times of words.

One side may write as one word what the other writes as two (``l'acteur``, ``l' acteur``). This
module never guesses words: both sides have the same characters, or an error shows where they
differ. ``recut`` compares all characters (definition, section 6). ``time_words`` compares letters,
marks and numbers only, in any case.

All functions take time linear in the number of characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from os.path import commonprefix
from typing import NamedTuple, TypeVar
from unicodedata import category, normalize

from ..errors import InputError, SerevalError
from .model import (
    Document,
    Note,
    Reference,
    ReferenceElement,
    Time,
    canonical,
    changed,
    seconds,
)

_R = TypeVar("_R", Document, Reference, Document | Reference)

WILDCARDS = frozenset({"<unk>", "spn", "<spoken_noise>"})
"""Words that aligners and recognisers write for an unknown word; case does not count."""

COMPOSED = "words with accents composed otherwise than the reference's (NFC, NFD), taken as equal"

_CONTEXT = 3  # words shown on each side of a mismatch
_LONGEST = 40  # characters shown of a word: a text without spaces is one long word


def sharing(times: Sequence[Time]) -> Callable[[Time], list[tuple[int, int]]]:
    """What finds the words that share time with a stretch, and how much; words come by start."""
    starts, ends = [start for start, _ in times], [end for _, end in times]
    latest = [*accumulate(ends, max)]

    def of(stretch: Time) -> list[tuple[int, int]]:
        start, end = stretch
        found = []
        for k in range(bisect_right(latest, start), bisect_left(starts, end)):
            begin, until = starts[k], ends[k]  # max and min are slower
            shared = (end if end < until else until) - (start if start > begin else begin)
            if shared > 0:
                found.append((k, shared))
        return found

    return of


def recut(reference: _R, hypothesis: Document, *, advice: str | None = None) -> tuple[_R, Document]:
    """Both sides of a comparison, cut into the same words."""
    if reference.words == hypothesis.words:
        return reference, hypothesis
    ours, theirs = ([canonical(word) for word in side.words] for side in (reference, hypothesis))
    text = "".join(ours)
    if text != "".join(theirs):
        raise _difference(reference, hypothesis, (ours, theirs), advice)
    mine, others = _offsets(ours), _offsets(theirs)
    union = list(dict.fromkeys(sorted(mine + others)))  # two sorted runs: a merge, linear
    cut = _recut(reference, text, mine, union)
    judged: Document = _recut(hypothesis, text, others, union)
    if (ours, theirs) != ([*reference.words], [*hypothesis.words]):
        owners = ([bisect_right(side, at) - 1 for at in union[:-1]] for side in (mine, others))
        said, heard = reference.words, hypothesis.words
        count = sum(  # the words that are equal in canonical form only
            said[r] != heard[h] and (said[r] != ours[r] or heard[h] != theirs[h])
            for r, h in zip(*owners, strict=True)
        )
        if count:
            judged = replace(judged, notes=(*judged.notes, Note(COMPOSED, count)))
    return cut, judged


def _offsets(words: Sequence[str]) -> list[int]:
    """The number of characters before each frontier."""
    return list(accumulate(map(len, words), initial=0))


def _recut(document: _R, text: str, offsets: Sequence[int], union: Sequence[int]) -> _R:
    """A document whose words begin at ``offsets``, with words that begin at ``union``."""
    place = {offset: k for k, offset in enumerate(union)}
    moved = [place[offset] for offset in offsets]  # the frontier at the same character
    words = tuple(text[a:b] for a, b in pairwise(union))
    times = _piece_times(document.times, union, moved)
    if isinstance(document, Document):
        elements = tuple(
            replace(e, start=moved[e.start], end=moved[e.end]) for e in document.elements
        )
        breaks = tuple(moved[k] for k in document.breaks)
        alternatives = tuple(
            one._replace(start=moved[one.start], end=moved[one.end])
            for one in document.alternatives
        )
        return replace(
            document,
            words=words,
            times=times,
            elements=elements,
            breaks=breaks,
            alternatives=alternatives,
        )
    fuzzy = tuple(_recut_element(e, moved) for e in document.elements)
    unplaceable = tuple(
        replace(lost, element=_recut_element(lost.element, moved)) for lost in document.unplaceable
    )
    return replace(document, words=words, times=times, elements=fuzzy, unplaceable=unplaceable)


def _recut_element(element: ReferenceElement, moved: Sequence[int]) -> ReferenceElement:
    strict = element.strict
    return replace(
        element,
        starts=tuple(moved[k] for k in element.starts),
        ends=tuple(moved[k] for k in element.ends),
        strict=None if strict is None else (moved[strict[0]], moved[strict[1]]),
    )


def _piece_times(
    times: Sequence[Time] | None,
    union: Sequence[int],
    moved: Sequence[int],
) -> tuple[Time, ...] | None:
    """The time of each word shared among its pieces by length in characters."""
    if times is None:
        return None
    pieces: list[Time] = []
    for k, (start, end) in enumerate(times):
        # where speech overlaps, the next word may start before the last piece of this one would
        latest = times[k + 1][0] if k + 1 < len(times) else end
        cut = pairwise(union[moved[k] : moved[k + 1] + 1])
        parts = spread([after - before for before, after in cut], start, end)
        pieces += pairwise([*(min(begin, latest) for begin, _ in parts), end])
    return tuple(pieces)


def spread(widths: Sequence[int], start: int, end: int) -> list[Time]:
    """The times of words that share a gap in proportion to their widths, halves up."""
    total = sum(widths) or 1
    frontiers = [
        start + (2 * (end - start) * before + total) // (2 * total)
        for before in accumulate(widths, initial=0)
    ]
    return [*pairwise(frontiers)]


def time_words(annotated: Document, timed: Document) -> Document:
    """An annotation with the times of its time file, which may cut the text into other words.

    Both sides are compared by their *significant* characters: Unicode letters, marks and numbers,
    in canonical form and case folded. Other characters do not count. A timed word ``<unk>``,
    ``spn`` or ``<spoken_noise>`` (in any case) stands for one word of the annotation, or for the
    rest of a word that has begun.

    A significant character of an annotated word belongs to the timed word that contains it.
    Another character belongs to the timed word of the nearest significant character before it in
    its word or, at the beginning of the word, after it. The characters that belong to a timed word
    share its time evenly. An annotated word lasts from the start of its first character to the end
    of its last one (ms, halves up)::

        time file   |      l'acteur       |     joue     |
        annotation  | l' |     acteur     | joue         ,
                    0   200              800           1200

    A token without significant characters takes the time of an equal token at the same place of
    the time file, if there is one. Any other such token is a point in time, so that an element
    that begins with a quote or ends with a comma has the time of its words. In a run of such
    tokens, look for the first one at which an element starts that ends after the run. This token
    and those after it stand at the start of the next word; those before it stand at the end of
    the previous word. Where speech overlaps, a start that would be later than the next word's
    start becomes that start; ends stay.

    Args:
        annotated: words and elements, without times.
        timed: words with times in ms, as read from a TextGrid or CTM file.

    Returns:
        ``annotated`` with times in ms and the notes of both. If the words of both sides are equal,
        the times are a copy.

    Raises:
        SerevalError: ``annotated`` has times; ``timed`` has none; the words differ (the message
            shows the first mismatch and counts words from 0); no word of a non-empty annotation
            has a time.

    >>> timed = Document("d", ("L'acteur", "joue"), times=((0, 800), (800, 1200)))
    >>> time_words(Document("d", ("l'", "acteur", "joue", ",")), timed).times
    ((0, 200), (200, 800), (800, 1200), (1200, 1200))
    """
    if timed.times is None:
        raise SerevalError(f"{annotated.id}: the time file{_file(timed)} has no times")
    if annotated.times is not None:
        raise SerevalError(
            f"{annotated.id}: times were given twice, in the annotation{_file(annotated)} "
            f"and in a time file{_file(timed)}"
        )
    notes = annotated.notes + timed.notes
    if annotated.words == timed.words:
        return changed(annotated, times=timed.times, notes=notes)
    folds = [_folds(word) for word in annotated.words]
    ends = list(accumulate(sum(map(len, word)) for word in folds))
    owners, asides = _match(annotated, timed, folds, ends)
    times = _spread(folds, owners, timed.times)
    times |= {k: timed.times[owner] for k, owner in _pairs(annotated.words, folds, ends, asides)}
    if annotated.words and not times:
        raise SerevalError(
            f"{annotated.id}: no word of the annotation{_file(annotated)} has a time "
            f"in the time file{_file(timed)}: it is all punctuation"
        )
    last_first = sorted(times, reverse=True)
    # starts are put in order; only those of words that begin inside a timed word change
    starts = accumulate((times[k][0] for k in last_first), min)
    known = {k: (start, times[k][1]) for k, start in zip(last_first, starts, strict=True)}
    ordered = tuple(_fill(known, annotated)) if known else ()
    return replace(annotated, times=ordered, notes=notes)


def significant(text: str) -> str:
    """The significant characters of a text: letters, marks and numbers, case folded, in NFD."""
    return "".join(_folds(text))


def _folds(word: str) -> list[str]:
    """The significant characters of each character of a word in NFC; empty: not significant."""
    return [_fold(character) for character in canonical(word)]


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    # Case folding maps the two cases of a letter such as U+0390 to different strings, which are
    # canonically equivalent: NFD makes them equal.
    folded = normalize("NFD", character.casefold())
    return "".join(c for c in folded if category(c)[0] in "LMN")


_Asides = dict[tuple[int, str], deque[int]]
"""Timed tokens without significant characters, by the number of significant characters before
them, and by their text."""


def _match(
    annotated: Document, timed: Document, folds: Sequence[Sequence[str]], ends: Sequence[int]
) -> tuple[list[int], _Asides]:
    """The timed word of each significant character, and the tokens without any."""
    text = "".join(fold for word in folds for fold in word)
    owners: list[int] = []
    asides: _Asides = {}
    for k, word in enumerate(timed.words):
        at = len(owners)
        folded = "".join(_folds(word))
        if word.casefold() in WILDCARDS and at < len(text):
            owners.extend([k] * (ends[bisect_right(ends, at)] - at))
        elif not folded:
            asides.setdefault((at, canonical(word)), deque()).append(k)
        elif text.startswith(folded, at):
            owners.extend([k] * len(folded))
        else:
            same = len(commonprefix((text[at : at + len(folded)], folded)))
            raise _mismatch(annotated, timed, ends, at + same, (k, same))
    if len(owners) < len(text):
        raise _mismatch(annotated, timed, ends, len(owners), (len(timed.words), 0))
    return owners, asides


def _spread(
    folds: Sequence[Sequence[str]], owners: Sequence[int], timed: Sequence[Time]
) -> dict[int, Time]:
    """The time of each annotated word that has significant characters."""
    held: list[list[int]] = []  # of each word, the timed word of each character
    at = 0
    for word in folds:
        begin = at
        held.append([])
        for fold in word if any(word) else ():
            last = at + len(fold)
            held[-1] += dict.fromkeys(owners[at:last] or [owners[max(at - 1, begin)]])
            at = last
    whole = Counter(chain.from_iterable(held))
    parts: dict[int, Iterator[Time]] = {}
    times: dict[int, Time] = {}
    for k, own in enumerate(held):
        for owner in {*own} - parts.keys():
            parts[owner] = iter(spread([1] * whole[owner], *timed[owner]))
        pieces = [next(parts[owner]) for owner in own]
        if pieces:  # where speech overlaps, an earlier word can end last
            times[k] = pieces[0][0], max(end for _, end in pieces)
    return times


def _pairs(
    words: Sequence[str], folds: Sequence[Sequence[str]], ends: Sequence[int], asides: _Asides
) -> Iterator[tuple[int, int]]:
    """Pairs of equal tokens without significant characters at the same place, in order."""
    last = 0
    for k, word in enumerate(words):
        if any(folds[k]):
            continue
        same = asides.get((ends[k], canonical(word)))
        while same and same[0] < last:
            same.popleft()
        if same:
            last = same.popleft()
            yield k, last


def _fill(known: Mapping[int, Time], annotated: Document) -> Iterator[Time]:
    """All times, with points for the words whose times are not known; at least one is."""
    reach = [0] * len(annotated.words)  # the farthest end of the elements that start at each word
    for element in annotated.elements:
        reach[element.start] = max(reach[element.start], element.end)
    for before, after in pairwise((-1, *sorted(known), len(reach))):
        start = known[after][0] if after in known else known[before][1]
        end = known[before][1] if before in known else start
        opens = next((k for k in range(before + 1, after) if reach[k] > after), after)
        # the end stays even if it is later than the next start: an element may end here
        yield from [(min(end, start), end)] * (opens - before - 1)
        yield from [(start, start)] * (after - opens)
        if after in known:
            yield known[after]


def _difference(
    reference: Document | Reference,
    hypothesis: Document,
    words: tuple[Sequence[str], Sequence[str]],
    advice: str | None,
) -> SerevalError:
    """The error for two sides whose characters differ; ``words`` are theirs, in NFC."""
    ours, theirs = words
    if all([*side] == [str(k) for k in range(len(side))] for side in words):  # lists of tags
        tags = "1 tag" if len(ours) == 1 else f"{len(ours)} tags"
        return SerevalError(
            f"document {reference.id}: the reference has {tags}, the hypothesis {len(theirs)}"
        )
    left, right = "".join(ours), "".join(theirs)
    at = len(commonprefix((left, right)))
    mine, others = _offsets(ours), _offsets(theirs)
    k, m = (bisect_right(offsets, at) - 1 for offsets in (mine, others))
    return SerevalError(
        f"{reference.id}: the words differ at word {k}"
        f"{'' if k == m else f' (word {m} of the hypothesis)'}: "
        f'reference{_file(reference)} "{_around(ours, k, at - mine[k])}", '
        f'hypothesis{_file(hypothesis)} "{_around(theirs, m, at - others[m])}"; '
        f"{_advice(reference, hypothesis, left, right, advice)}"
    )


def _advice(
    reference: Document | Reference, hypothesis: Document, left: str, right: str, advice: str | None
) -> str:
    """What the message advises on two texts that differ."""
    if canonical(left) == canonical(right):
        return "a cut stands between a letter and its combining mark"
    if left.casefold() == right.casefold():
        return "they differ only in case"
    if advice:
        return advice
    if reference.times is None or hypothesis.times is None:
        same = "without --tolerance or --by both sides must have the same words"
        is_as_long = len(reference.words) == len(hypothesis.words)
        return f"{same}, or be paired by --altered-words position" if is_as_long else same
    return "both sides have times: a tolerance would compare them through time"


def _mismatch(
    annotated: Document, timed: Document, ends: Sequence[int], at: int, place: tuple[int, int]
) -> SerevalError:
    """The error for a time file whose words differ from the words of the annotation."""
    k = bisect_right(ends, at)
    m, ahead = place
    assert timed.times is not None  # checked by the caller
    when = f" at {seconds(timed.times[m][0])} s" if m < len(timed.times) else ""
    return SerevalError(
        f"{annotated.id}: the words of the annotation and of its time file differ: "
        f'annotation{_file(annotated)}, word {k}: "'
        f'{_around(annotated.words, k, at - (ends[k - 1] if k else 0))}"; '
        f'time file{_file(timed)}, word {m}{when}: "{_around(timed.words, m, ahead)}"'
    )


def _file(side: Document | Reference) -> str:
    return "" if side.source is None else f" ({side.source})"


def _around(words: Sequence[str], k: int, at: int) -> str:
    """Word ``k`` in brackets between its neighbours; ``at``: the character to be shown."""
    low, high = max(0, k - _CONTEXT), k + 1 + _CONTEXT
    shown = [_clip(word) for word in words[low:k]]
    shown.append(f"[{_clip(words[k], at)}]" if k < len(words) else "[end]")
    shown.extend(_clip(word) for word in words[k + 1 : high])
    return " ".join([*["…"] * (low > 0), *shown, *["…"] * (high < len(words))])


def _clip(word: str, at: int = 0) -> str:
    """A word on one line, the part around a character if it is long."""
    if len(word) > _LONGEST:
        low = max(0, at - _LONGEST // 2)
        high = low + _LONGEST
        word = "…" * (low > 0) + word[low:high] + "…" * (high < len(word))
    # a no-break space or a line end must be visible: it may be the difference
    return word if word.isprintable() else repr(word)[1:-1]


# Documents from texts whose annotations count characters.
#
# An annotation beside a text counts characters; an element counts words. White space separates the
# words of a text, unless tokens come with it. An annotation that begins or ends inside a word cuts
# that word in two, as a tag in running text does.

Characters = tuple[int, int]
"""A stretch of a text, ``[start, end)``, in characters (code points)."""


class Span(NamedTuple):
    """A labelled span of words, or of characters of a text."""

    label: str
    start: int  # a frontier, or its first character
    end: int  # a frontier, or the character after its last
    line: int | None = None  # in its file; None: unknown
    name: str = ""  # in messages; empty: its label
    confidence: float | None = None  # of its element

    def __str__(self) -> str:
        return self.name or self.label

    @property
    def element(self) -> tuple[str, int, int, None, int | None, float | None]:
        """Its element, for a tree."""
        return self.label, self.start, self.end, None, self.line, self.confidence


class Cut(NamedTuple):
    """Words with their places in the text they were cut from."""

    words: tuple[str, ...]
    starts: tuple[int, ...]  # in characters, [start, end), with ``ends``
    ends: tuple[int, ...]
    breaks: tuple[int, ...]  # frontiers at which a new line begins
    spans: tuple[Span, ...]  # those that cut them, on the words


def cut(text: str, spans: Sequence[Span], tokens: Sequence[Characters] | None = None) -> Cut:
    """Cut a text into words, also where a span of characters begins or ends."""
    for span in spans:
        label, start, end, *_ = span
        for place in (start, end):
            if type(place) is not int:
                raise SerevalError(f"{label} stands at {place!r}, expected whole characters")
        if not 0 <= start <= end <= len(text):
            raise SerevalError(
                f"{label} [{start}, {end}), expected a stretch of the {len(text)} characters"
            )
    runs = (
        [run.span() for run in re.finditer(r"\S+", text)] if tokens is None else _runs(text, tokens)
    )
    inner = sorted({place for span in spans for place in span[1:3]})
    bounds: list[Characters] = []
    for start, end in runs:
        cuts = inner[bisect_right(inner, start) : bisect_left(inner, end)]
        bounds += zip([start, *cuts], [*cuts, end], strict=True)
    starts, ends = zip(*bounds, strict=True) if bounds else ((), ())
    lines = {bisect_left(starts, at) for at, character in enumerate(text) if character == "\n"}
    placed = []
    for span in spans:
        start, end = bisect_left(starts, span.start), bisect_right(ends, span.end)
        if start >= end:
            raise InputError(f"{span} is empty, expected words in it", line=span.line)
        placed.append(span._replace(start=start, end=end))
    return Cut(
        tuple(text[start:end] for start, end in bounds),
        starts,
        ends,
        tuple(sorted(lines - {0, len(bounds)})),
        tuple(placed),
    )


def _runs(text: str, tokens: Sequence[Characters]) -> list[Characters]:
    """Tokens in order, without white space around them, and without those that are white space."""
    before = 0
    for start, end in tokens:
        if not before <= start < end <= len(text):
            raise SerevalError(
                f"token [{start}, {end}) of {len(text)} characters, expected tokens in order"
            )
        before = end
    inside = [(start, end, text[start:end]) for start, end in tokens]
    return [
        (end - len(one.lstrip()), start + len(one.rstrip()))
        for start, end, one in inside
        if not one.isspace()
    ]
