"""Scheme ``nerval``: F1 of lists of entities whose texts may differ a little.

A hypothesis entity is correct if the reference has an entity with the same label whose text is
near: the edit distance over the length of the reference's text is at most a threshold. Each entity
is in at most one pair, and as many pairs as possible are made.

Source: Nerval, a program of Teklia; ie-eval, in any order of entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from ..corpus.corpus import Scorer
from ..evaluation.settings import Settings
from ..mapping.assignment import best_pairs, components
from .lists import BY_CHARACTERS, Lists, distances, list_scorer
from .result import Verdict, one_alone, verdicts


def nerval(settings: Settings) -> Scorer:
    """Score documents by their labels and by texts that are near."""
    return list_scorer("nerval", settings, _verdicts, [("threshold", settings.threshold)])


def _verdicts(lists: Lists, settings: Settings) -> Iterator[Verdict]:
    pairs = _pairs(lists, Fraction(settings.threshold))
    return verdicts(lists.labels, pairs, lists.correct("entity"), one_alone("entity"))


def _pairs(lists: Lists, threshold: Fraction) -> dict[int, int]:
    """As many pairs of near texts as possible, most of them equal; it does not matter which of
    equal entities are paired."""
    pairs: dict[int, int] = {}
    worth: dict[tuple[int, int], int] = {}
    most = len(lists.ours)
    for ours, theirs in lists.by_label.values():
        refs = _by_text({r: lists.ours[r].text for r in ours})
        hyps = _by_text({h: lists.theirs[h].text for h in theirs})
        if not refs or not hyps:
            continue
        costs = distances([*refs], [*hyps], BY_CHARACTERS)
        near = {k for k, one in enumerate(costs.values) if one <= threshold}
        by_r, by_h = [*refs.items()], [*hyps.items()]
        for part in components(
            (r, h)
            for h, row in enumerate(costs.ranks)
            for r, rank in enumerate(row)
            if rank in near
        ):
            for r, h in part:
                (our, of_our), (their, of_their) = by_r[r], by_h[h]
                if len(part) == 1:
                    pairs.update(zip(of_our, of_their, strict=False))
                else:
                    value = most + 1 + (our == their)
                    worth.update(dict.fromkeys(product(of_our, of_their), value))
    return pairs | best_pairs(worth)


def _by_text(texts: dict[int, str]) -> dict[str, list[int]]:
    """The indices of the entities of one side, by text."""
    found: dict[str, list[int]] = {}
    for k, text in texts.items():
        found.setdefault(text, []).append(k)
    return found
