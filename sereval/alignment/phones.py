"""Word alignment by sound, in which several words may be aligned with several.

A recogniser writes NEWARK for NEW YORK and GOOD RICH for GINGRICH. An alignment of single words
leaves one of these words without a partner, or with a wrong one. Here both sides are written in
phones, the phones are aligned at least cost, and words that share enough phones form a block::

    reference   n  u  j ɔ ɹ k   d ɛ s k
                NEW   YORK      DESK
                |  |  .    |    .  . | |      aligned phones
                NEWARK          BASK          one block of two words to one, one of one to one
    hypothesis  n  u  ə    ɹ k  b æ s k

**Phones** come from espeak-ng, which pronounces each word by itself, in any of its languages.
**Costs** come from panphon. A pair of phones costs the weighted number of articulatory features in
which the two differ. A phone without a partner costs a quarter of the sum of all weights. All costs
are multiples of 1/16 and are kept as integers, so nothing is rounded. **Ties** are broken as by
``early`` in ``text``: read from the front, an inserted phone comes before a deleted one, and both
before a pair.

**Blocks.** Two words are linked if at least half of the phones of the shorter word are aligned with
phones of the other. Words that are linked directly or through others form one block, with all words
between them. An unlinked word is paired with the next unlinked word of the other side if any of
their phones are aligned. Otherwise it is inserted or deleted.

**Long documents** are cut at runs of equal words, as in ``text``. If both sides have times,
documents of any length can be cut where equal words were said together (``time``).

Source: Burger, Palmer and Hirschman, 1998, section 2.2, whose own phonetic aligner (Fisher and
Fiscus 1993) did the same for English.
"""

from __future__ import annotations

import locale
import logging
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from ..documents.model import Span
from ..errors import SerevalError, nearest
from .blocks import (
    CORRECT,
    SUBSTITUTION,
    Block,
    Pieces,
    Point,
    TextSides,
    WordAlignment,
    cut_points,
    pair_of,
    points_at,
    texts_of,
    tile,
)
from .normalise import significant

if TYPE_CHECKING:
    import numpy

    Costs: TypeAlias = numpy.ndarray[Any, Any]

Run = tuple[Span, Span]
"""Words of either side."""

PIECES = Pieces(16_000_000, 100, 600)
"""By sound, documents of up to about 900 words (4 000 phones) a side are not cut."""
COUNTED = 400_000_000
"""The largest product of phones at which the cost of cuts is computed exactly."""
GAP = 29
"""A phone without a partner, in 1/16: a quarter of the sum of panphon's weights, 7.25."""

_SPELT_OTHERWISE = str.maketrans({"ɚ": "əɹ", "ᵻ": "ɨ"})  # symbols of espeak that panphon lacks
_INSTALL = 'it needs the extra: pip install "sereval[phones]"'


_Side = Mapping[int, tuple[str, ...]]
"""The phones of the words that have some, by their positions in the document, in order."""


def align_phones(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    language: str = "en-us",
    *,
    at: Sequence[Point] | None = None,
) -> WordAlignment:
    """The cheapest alignment of two texts by how they sound.

    Args:
        reference: the annotated words.
        hypothesis: the recogniser's words.
        language: a language of espeak-ng, such as ``en-us``, ``fr-fr`` or ``it``.
        at: frontiers of the words of both sides where the texts are cut, as for ``align_text``.

    Returns:
        Blocks of any number of words on either side. ``cost`` is the cost of the phones, in 1/16 of
        panphon's weights. ``slack`` is 0 for a document that is not cut. Up to ``counted`` it is
        the exact cost of the cuts; above, it is an upper bound, which may be far too high.

    Raises:
        SerevalError: the extra ``phones`` is not installed; espeak-ng lacks the language.

    >>> newark = align_phones("the New York desk".split(), "the Newark bask".split())
    >>> [(block.ref, block.hyp) for block in newark.blocks]
    [((0, 1), (0, 1)), ((1, 3), (1, 2)), ((3, 4), (2, 3))]
    """
    spelt = phones_of({*map(_plain, reference), *map(_plain, hypothesis)} - {""}, language)
    left, right = sides = [
        {k: phones for k, word in enumerate(words) if (phones := spelt.get(_plain(word)))}
        for words in (reference, hypothesis)
    ]
    both = [[*chain.from_iterable(side.values())] for side in sides]
    ids = {phone: number for number, phone in enumerate(dict.fromkeys(chain(*both)))}
    table = _distances(list(ids))
    ours, theirs = ([ids[phone] for phone in phones] for phones in both)
    forms = [*map(significant, reference)], [*map(significant, hypothesis)]
    texts = texts_of([forms[0][k] for k in left], [forms[1][k] for k in right])
    said, heard = ([*accumulate(map(len, side.values()), initial=0)] for side in sides)
    found = cut_points(texts, PIECES, points_at(at or (), [*left], [*right]), (said, heard))
    points = [(said[i], heard[k]) for i, k in found]  # in phones
    cost, pairs = 0, []
    for (i, k), (j, m) in pairwise(points):
        part, aligned = _cheapest(table, ours[i:j], theirs[k:m])
        cost += part
        pairs += [(a + i, b + k) for a, b in aligned]
    slack = _slack(table, ours, theirs, cost) if len(points) > 2 else 0
    blocks = tile(_blocks(left, right, pairs, forms), (reference, hypothesis), forms)
    how = f"by:phones language:{language}{' cut:times' if at is not None else ''}"
    return WordAlignment(tuple(blocks), cost, slack, how)


# ------------------------------------------------------------------------------------ the phones


def phones_of(words: set[str], language: str) -> Mapping[str, tuple[str, ...]]:
    """The phones of each word, pronounced by itself, as panphon's segments."""
    # Two symbols of espeak-ng are replaced by panphon's. Then tones, stress and symbols that
    # panphon does not know are removed. If nothing is left of a word, its letters stand for its
    # phones.
    features = _features()
    todo = sorted(words)
    backend = _backend(language)
    found = backend.phonemize(todo, strip=True) if words else []
    if len(found) < len(words):
        # if espeak gives no phones for a word, phonemizer leaves out its line
        found = ["".join(backend.phonemize([word], strip=True)) for word in todo]
    return {
        word: tuple(features.ipa_segs(ipa.translate(_SPELT_OTHERWISE))) or tuple(significant(word))
        for word, ipa in zip(todo, found, strict=True)
    }


@lru_cache(maxsize=8)
def _backend(language: str) -> Any:
    """espeak-ng in a language, from the library and data that come with its wheel."""
    try:
        import espeakng_loader
        from phonemizer.backend import EspeakBackend
        from phonemizer.backend.espeak.wrapper import EspeakWrapper
    except ImportError as error:
        raise SerevalError(f"alignment by phones: {error.name} is missing; {_INSTALL}") from None
    EspeakWrapper.set_library(espeakng_loader.get_library_path())
    EspeakWrapper.set_data_path(espeakng_loader.get_data_path())
    quiet = logging.Logger("sereval.alignment.phones", logging.CRITICAL)
    try:
        return EspeakBackend(
            language, with_stress=False, language_switch="remove-flags", logger=quiet
        )
    except RuntimeError:  # phonemizer raises it for a language that espeak-ng lacks
        near = nearest(language, EspeakBackend.supported_languages())
    raise SerevalError(
        f"espeak-ng does not start in {language!r}{near}, expected a language that it speaks, such "
        "as en-us"
    )


@cache
def _features() -> Any:
    try:
        with warnings.catch_warnings():  # Python warns about the package's source code
            warnings.simplefilter("ignore")
            import panphon
    except ImportError as error:
        raise SerevalError(f"alignment by phones: {error.name} is missing; {_INSTALL}") from None
    try:
        table = panphon.FeatureTable()
    except UnicodeDecodeError:
        table = None
    if table is None or "ɹ" not in table.seg_dict:  # panphon decodes it by the locale
        raise SerevalError(
            f"alignment by phones: panphon's table was read as {locale.getencoding()}, expected "
            "UTF-8: set PYTHONUTF8=1"
        )
    return table


def _plain(word: str) -> str:
    """A word without punctuation and without capitals, which espeak may spell letter by letter."""
    if not significant(word):
        return ""
    kept = (c if c in "'’-" or significant(c) else " " for c in word.casefold())
    return " ".join("".join(kept).split())


def _distances(phones: Sequence[str]) -> Costs:
    """The cost of a pair of phones, in 1/16, by the numbers of the phones."""
    # As in panphon's ``jt_weighted_feature_edit_distance``, it is the sum over the features of
    # weight times difference, where ``+`` and ``-`` differ by 2 and ``0`` is between them. Features
    # and weights are in panphon's order; its weights are multiples of 1/8. A pair with a phone
    # without features costs as much as leaving both phones without a partner.
    import numpy

    features = _features()
    weights = [round(16 * weight) for weight in features.weights]
    vectors = [features.word_to_vector_list(phone, numeric=True) for phone in phones]
    table = numpy.full((len(phones), len(phones)), 2 * GAP, dtype=numpy.int32)
    for a, one in enumerate(vectors):
        for b, other in enumerate(vectors):
            if a == b:
                table[a, b] = 0
            elif len(one) == 1 == len(other):
                # there is a weight for all features but the tones, which come last
                triples = zip(weights, one[0], other[0], strict=False)
                table[a, b] = sum(weight * abs(x - y) for weight, x, y in triples)
    return table


# ---------------------------------------------------------------------------------- the alignment


def _cheapest(table: Costs, ours: Sequence[int], theirs: Sequence[int]) -> tuple[int, list[Point]]:
    """The least cost, and the pairs of phones of the first cheapest alignment."""
    # ``costs[i, k]`` is the least cost of the phones from ``i`` and ``k`` on.
    import numpy

    n, m = len(ours), len(theirs)
    costs = numpy.empty((n + 1, m + 1), dtype=numpy.int32)
    for i, row in _rows(table, ours, theirs):
        costs[i] = row
    pairs = []
    i = k = 0
    while i < n and k < m:
        here = costs[i, k]
        if here == costs[i, k + 1] + GAP:
            k += 1
        elif here == costs[i + 1, k] + GAP:
            i += 1
        else:
            pairs.append((i, k))
            i, k = i + 1, k + 1
    return int(costs[0, 0]), pairs


def _rows(table: Costs, ours: Sequence[int], theirs: Sequence[int]) -> Any:
    """The rows of the table of costs from the last to the first, with their numbers."""
    # Along a row each insertion adds ``GAP``. So a running minimum of the costs, less the
    # insertions up to the end, gives the least cost of all insertions at once.
    import numpy

    columns = numpy.asarray(theirs, dtype=numpy.intp)
    ahead = GAP * numpy.arange(len(theirs), -1, -1, dtype=numpy.int32)  # from k to the end
    row = ahead.copy()
    yield len(ours), row
    for i in range(len(ours) - 1, -1, -1):
        best = row + GAP
        numpy.minimum(best[:-1], row[1:] + table[ours[i]][columns], out=best[:-1])
        row = numpy.minimum.accumulate((best - ahead)[::-1])[::-1] + ahead
        yield i, row


def _slack(
    table: Costs,
    ours: Sequence[int],
    theirs: Sequence[int],
    cost: int,
) -> int:
    """The most that an alignment may cost beyond the cheapest."""
    # If the whole table would take too long, every pair of different phones is counted at the cost
    # of the most similar pair. The least cost is then at least a multiple of the unit distance.
    if len(ours) * len(theirs) <= COUNTED:
        for _, row in _rows(table, ours, theirs):
            optimum = int(row[0])
        return cost - optimum
    from rapidfuzz.distance import Levenshtein

    different = table[table > 0]
    alike = min(GAP, int(different.min())) if different.size else 0
    return cost - alike * Levenshtein.distance(ours, theirs)


# ------------------------------------------------------------------------------------- the blocks


def _blocks(
    left: _Side,
    right: _Side,
    pairs: Sequence[Point],
    forms: TextSides,
) -> list[Block]:
    """The blocks with words on both sides, in order, from the aligned phones."""
    said, heard = ([k for k in side for _ in side[k]] for side in (left, right))
    blocks = []
    for ref, hyp in _join(Counter((said[a], heard[b]) for a, b in pairs), left, right):
        ours = {k: len(left[k]) for k in range(*ref) if k in left}
        theirs = {k: len(right[k]) for k in range(*hyp) if k in right}
        same = len(ours) == 1 == len(theirs) and forms[0][ref[0]] == forms[1][hyp[0]]
        blocks.append(pair_of(ours, theirs, CORRECT if same else SUBSTITUTION))
    return blocks


def _join(shared: Mapping[Point, int], ours: _Side, theirs: _Side) -> list[Run]:
    """The words that form blocks, as ranges of both sides in order."""
    blocks: list[Run] = []
    for r, h in sorted(shared):
        if 2 * shared[r, h] < min(len(ours[r]), len(theirs[h])):
            continue
        (i, j), (k, m) = blocks[-1] if blocks else ((0, 0), (0, 0))
        if r < j or h < m:  # a word of the block before: it grows
            blocks[-1] = (i, r + 1), (k, h + 1)
        else:
            blocks.append(((r, r + 1), (h, h + 1)))
    taken = [{w for block in blocks for w in range(*block[side])} for side in (0, 1)]
    for r, h in sorted(shared):
        if r not in taken[0] and h not in taken[1]:
            taken[0].add(r)
            taken[1].add(h)
            blocks.append(((r, r + 1), (h, h + 1)))
    return sorted(blocks)
