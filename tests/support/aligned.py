"""Documents whose words are aligned, as the tests write and show them."""

from sereval.formats import inline
from sereval.formats.file import File


def annotated(text):
    """A document in the inline format."""
    [found] = inline.read_inline(File("d.ne", text=text))
    return found


def shown(reference, hypothesis, alignment):
    """An alignment as pairs of texts, ``*`` for nothing."""
    left, right = reference.split(), hypothesis.split()
    return [
        (" ".join(left[slice(*block.ref)]) or "*", " ".join(right[slice(*block.hyp)]) or "*")
        for block in alignment.blocks
    ]


def suffix_costs(left, right, weights):
    """The cheapest cost of what is left from each pair of frontiers on."""
    n, m = len(left), len(right)
    costs = {(n, m): 0}
    for i in range(n, -1, -1):
        for k in range(m, -1, -1):
            ways = []
            if k < m:
                ways.append(weights.insertion + costs[i, k + 1])
            if i < n:
                ways.append(weights.deletion + costs[i + 1, k])
            if i < n and k < m:
                pair = 0 if left[i] == right[k] else weights.substitution
                ways.append(pair + costs[i + 1, k + 1])
            if ways:
                costs[i, k] = min(ways)
    return costs
