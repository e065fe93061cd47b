"""Lists of mentions and all their places, found the slow way."""

import itertools

from hypothesis import strategies as st

from sereval import Mention
from sereval.documents.mentions import NEAR
from sereval.documents.words import significant

TEXTS = ["ab", "abc", "a b", "b", "abcd", "abcdefgh ij", "abcdefgh", "xyz"]
WORDS = ["a", "b", "ab", "abc", "abcd", "abcdefgh", "abcdxfgh", "ij", ","]


def edit_distance(one, other):
    """Plain Levenshtein, row by row."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row, above = [i], row
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def every_place(words, text, by):
    """All spans whose text is the mention's, or near it, with the distance; the slow way."""
    for start, end in itertools.combinations(range(len(words) + 1), 2):
        if not significant(words[start]) or not significant(words[end - 1]):
            continue
        heard = "".join(map(significant, words[start:end]))
        distance = edit_distance(heard, significant(text))
        if not distance or (
            by == "nearest" and distance * NEAR <= max(len(heard), len(significant(text)))
        ):
            yield start, end, distance


def fits(chosen):
    """Whether each mention is after or inside every earlier one, no label twice on its words."""
    for (label, start, end, _), (other, s, e, _) in itertools.combinations(chosen, 2):
        if not (end <= s or (start <= s and e <= end)):
            return False
        if (label, start, end) == (other, s, e):
            return False
    return True


def drawn_mentions(labels=("x", "y")):
    return st.lists(st.builds(Mention, st.sampled_from(labels), st.sampled_from(TEXTS)), max_size=4)
