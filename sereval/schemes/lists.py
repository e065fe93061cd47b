"""The schemes without places: ``slue``, ``nerval``, ``oi`` and ``slurp`` compare labels and texts.

Each side of a document is a multiset of mentions: the labels and texts of its elements, then its
mentions. The text of an element is its words with spaces between them. Composed and decomposed
accents (NFC, NFD) are the same characters. No place is compared, so the two sides need no words in
common, and the right text in the wrong place is correct. Texts are compared as they are written,
or in the form of a normalisation.

``slue``, micro-averaged over documents (utterances in SLUE); an entity that both sides have twice
is correct twice:

======= ===========================================================
figure  a hypothesis entity is correct if the reference has
======= ===========================================================
entity  an entity with the same label and the same text
label   an entity with the same label
======= ===========================================================

``nerval``: a hypothesis entity is correct if the reference has an entity with the same label whose
text is near: the edit distance over the length of the reference's text is at most a threshold. Each
entity is in at most one pair, and as many pairs as possible are made.

``oi``: OI-ECER and OI-EWER, order-independent error rates. Entities are paired one to one at the
least total cost. A pair with one label costs the edit distance of its texts, in characters
(``ecer``) or in words (``ewer``), divided by the length of the reference's text, but at most 1. A
pair with two labels costs 1, and so does an entity in no pair. So only the longer list has entities
in no pair. The rate is the total cost divided by the number of reference entities.

``slurp``: entities are paired within a document (a recording in SLURP) and a label. Each hypothesis
entity, in the order of the list, takes the nearest reference entity that is still free; of equally
near ones, the first. A pair is a true positive; the distance of its texts is added to the false
positives and to the false negatives. A hypothesis entity without a partner is a false positive, a
reference entity without a partner a false negative. ``word`` and ``char`` pair by their own
distances. The figures depend on the order of the hypothesis's lists; ``mapping="optimal"`` pairs as
many entities at the least sum of distances instead, whatever the order.

======= ==========================================================================
figure  distance of a pair
======= ==========================================================================
slu     none of its own: its counts are the sums of those of ``word`` and ``char``
word    word errors over the words of the reference text; it can exceed 1
char    edits over the characters of the longer text
======= ==========================================================================

Sources: Shon et al., ICASSP 2022, and its toolkit (``slue``); Nerval, a program of Teklia, and
ie-eval (``nerval``); ie-eval, and Villanova-Aparisi, Martínez-Hinarejos, Romero and Pastor-Gadea,
DAS 2022 (``oi``); Bastianelli, Vanzo, Swietojanski and Rieser, EMNLP 2020 (``slurp``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain

from ..alignment.normalise import EXACT
from ..corpus.corpus import Pair, Scorer, exact
from ..documents.checks import canonical
from ..documents.model import Document, Mention
from ..evaluation.settings import ByWords, Settings
from ..measures.figures import NONE, ErrorFigure, ListFigure
from ..measures.slots import PAIR, Slot
from .result import (
    FigureRow,
    Judged,
    Verdict,
    all_correct,
    one_alone,
    scheme_scorer,
    slot_row,
    verdicts,
)
from .texts import BY_CHARACTERS, BY_WORDS, Distance, Distances, distances


class Lists:
    """The labels and texts of the entities of reference (``ours``) and hypothesis (``theirs``)."""

    def __init__(self, documents: Iterable[Document], settings: Settings) -> None:
        is_exact, form = settings.texts == EXACT, settings.texts.forms
        self.ours, self.theirs = (
            [
                Mention(label, canonical(text if is_exact else " ".join(form(text.split()).texts)))
                for label, text in (
                    *((e.label, " ".join(one.words[e.start : e.end])) for e in one.elements),
                    *(one.mentions or ()),
                )
            ]
            for one in documents
        )
        self.labels = [one.label for one in self.ours], [one.label for one in self.theirs]

    def near(
        self, distance: Distance, choose: Callable[[Distances], dict[int, int]]
    ) -> dict[int, tuple[int, Fraction]]:
        """The partner of each reference entity of its label, and the distance of their texts."""
        found: dict[int, tuple[int, Fraction]] = {}
        for ours, theirs in filter(all, alike(*map(enumerate, self.labels))):
            texts = [self.ours[r].text for r in ours], [self.theirs[h].text for h in theirs]
            costs = distances(*texts, distance)
            found |= {ours[r]: (theirs[h], costs.at(h, r)) for h, r in choose(costs).items()}
        return found

    def slot(self, r: int, h: int) -> Slot:
        """The class that is nearest to a pair: texts stand for spans."""
        ours, theirs = self.ours[r], self.theirs[h]
        return PAIR[ours.label == theirs.label, ours.text == theirs.text]

    def all_correct(self, name: str, pairs: Mapping[int, int]) -> Iterator[Verdict]:
        """The verdicts in a figure in which each pair is correct."""
        return all_correct(name, self.labels, pairs, self.slot)


def alike(
    ours: Iterable[tuple[int, Hashable]], theirs: Iterable[tuple[int, Hashable]]
) -> Iterable[tuple[list[int], list[int]]]:
    """The indices of either side that have the same key."""
    found: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, keys in enumerate((ours, theirs)):
        for k, key in keys:
            found.setdefault(key, ([], []))[side].append(k)
    return found.values()


def _slue(lists: Lists, _: Settings) -> Iterator[Verdict]:
    """The verdicts on pairs of equal entities; then in these pairs and others of one label."""
    same = _in_order(alike(enumerate(lists.ours), enumerate(lists.theirs)))
    taken = {*same.values()}
    left = (
        [(r, label) for r, label in enumerate(lists.labels[0]) if r not in same],
        [(h, label) for h, label in enumerate(lists.labels[1]) if h not in taken],
    )
    yield from lists.all_correct("entity", same)
    yield from lists.all_correct("label", same | _in_order(alike(*left)))


def _in_order(groups: Iterable[tuple[list[int], list[int]]]) -> dict[int, int]:
    """The first of a group with the first of the other side, and so on."""
    return {r: h for ours, theirs in groups for r, h in zip(ours, theirs, strict=False)}


def _nerval(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    """The verdicts in as many pairs of near texts as possible, most of them equal."""
    threshold, pair = Fraction(settings.threshold), 1 + len(lists.ours)

    def choose(costs: Distances) -> dict[int, int]:
        most = int(threshold * costs.unit)
        return costs.best(lambda cost: pair + (cost == 0) if cost <= most else 0)

    near = lists.near(BY_CHARACTERS, choose)
    return lists.all_correct("entity", {r: h for r, (h, _) in near.items()})


def _oi(lists: Lists, _: Settings) -> Iterator[Verdict]:
    for name, distance in (("ecer", BY_CHARACTERS), ("ewer", BY_WORDS)):
        yield from _error_rate(lists, name, distance)


def _error_rate(lists: Lists, name: str, distance: Distance) -> Iterator[Verdict]:
    """The verdicts of one figure: one left on one side and one left on the other are one slot."""
    near = lists.near(distance, lambda costs: costs.best(lambda cost: costs.unit - cost))
    taken = {h for h, _ in near.values()}
    ours, theirs = lists.labels
    left = sorted((r for r in range(len(ours)) if r not in near), key=ours.__getitem__)
    others = sorted((h for h in range(len(theirs)) if h not in taken), key=theirs.__getitem__)

    def paired(r: int, h: int) -> tuple[Slot, FigureRow]:
        if r not in near:
            return lists.slot(r, h), slot_row(name, "inc", ErrorFigure)
        return lists.slot(r, h), {name: ErrorFigure(cor=1, distance=near[r][1])}

    pairs = {r: h for r, (h, _) in near.items()} | dict(zip(left, others, strict=False))
    return verdicts(lists.labels, pairs, paired, one_alone(name, ErrorFigure))


CHARACTERS = Distance(str, max)
"""The edits of characters over the length of the longer text."""


def _slurp(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    """The verdicts in the pairs by words, in those by characters, and for ``slu``."""
    choose = greedy_pairs if settings.mapping == "greedy" else least_pairs
    words, characters = (lists.near(one, choose) for one in (BY_WORDS, CHARACTERS))
    yield from _with_distances(lists, "slu", [words, characters])
    yield from _with_distances(lists, "word", [words])
    yield from _with_distances(lists, "char", [characters])


def _with_distances(
    lists: Lists, figure: str, pairings: Sequence[dict[int, tuple[int, Fraction]]]
) -> Iterator[Verdict]:
    """The verdicts in the first pairing, with the counts of each entity in all pairings."""
    taken = [{h for h, _ in pairing.values()} for pairing in pairings]

    def counted(r: int | None, h: int | None) -> FigureRow:
        found = [pairing[r] for pairing in pairings if r in pairing]
        mis = 0 if r is None else len(pairings) - len(found)
        spu = 0 if h is None else sum(h not in others for others in taken)
        return _row(figure, len(found), mis, spu, sum((d for _, d in found), NONE))

    pairs = {r: h for r, (h, _) in pairings[0].items()}
    return verdicts(lists.labels, pairs, lambda r, h: (lists.slot(r, h), counted(r, h)), counted)


@lru_cache(maxsize=1 << 12)
def _row(figure: str, cor: int, mis: int, spu: int, distance: Fraction) -> FigureRow:
    """The counts of a slot; most are equal to others."""
    return {figure: ListFigure(cor, 0, 0, mis, spu, distance)}


def greedy_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row if each row, in order, takes the nearest column that is left."""
    left = list(range(len(costs.rows[0])))
    found = {}
    for h, row in enumerate(costs.rows[: len(left)]):
        found[h] = min(left, key=row.__getitem__)
        left.remove(found[h])
    return found


def least_pairs(costs: Distances) -> dict[int, int]:
    """The column of each row in as many pairs as possible at the least sum of distances."""
    above = costs.unit + max(map(max, costs.rows))  # no pair is worth 0: as many as possible
    return costs.best(lambda cost: above - cost)


Verdicts = Callable[[Lists, Settings], Iterable[Verdict]]


def _scorer(scheme: str, verdicts: Verdicts, own: tuple[str, ...], settings: Settings) -> Scorer:
    """The scorer of a scheme; ``own``: the settings that are signed, and that only it has."""
    form = [("normalise", settings.texts.name)] if settings.texts != EXACT else []
    how = ((name, getattr(settings, name)) for name in own)
    told = {
        "settings": (*how, *form, *settings.reading_signature),
        "words": replace(settings, through=ByWords()),
    }
    judge = partial(_judged, verdicts=verdicts)
    return scheme_scorer(scheme, settings, judge, lambda *_: told)


slue = partial(_scorer, "slue", _slue, ())
nerval = partial(_scorer, "nerval", _nerval, ("threshold",))
oi = partial(_scorer, "oi", _oi, ())
slurp = partial(_scorer, "slurp", _slurp, ("mapping",))


def _judged(pair: Pair, settings: Settings, verdicts: Verdicts) -> Judged:
    lists = Lists((exact(pair[0]), pair[1]), settings)
    return Judged(verdicts(lists, settings), labels=chain(*lists.labels))
