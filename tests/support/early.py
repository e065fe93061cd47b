"""The alignment of the policy ``early`` by kaldialign, which reads a table over all prefixes."""

import kaldialign

GAP = -1


def early_pairs(left, right, *, sclite):
    """The pairs ``(i, k)`` of the cheapest alignment with its gaps as early as possible.

    kaldialign reads its table from the end, with insertion before deletion before pair. With both
    sides reversed it begins at the front.
    """
    backwards = kaldialign.align(left[::-1], right[::-1], GAP, sclite_mode=sclite)
    i = k = 0
    pairs = []
    for ours, theirs in reversed(backwards):
        if GAP not in (ours, theirs):
            pairs.append((i, k))
        i, k = i + (ours != GAP), k + (theirs != GAP)
    return pairs
