"""The textbook's table of the edit distance, which the alignments of the package are held to."""


def edit_cost(left, right, weights):
    """The cost of the cheapest alignment of two sequences, by the table over all prefixes."""
    row = [k * weights.insertion for k in range(len(right) + 1)]
    for i, word in enumerate(left, 1):
        above, row = row, [i * weights.deletion]
        for k, other in enumerate(right):
            row.append(
                min(
                    above[k] + (word != other) * weights.substitution,
                    above[k + 1] + weights.deletion,
                    row[k] + weights.insertion,
                )
            )
    return row[-1]


def pairs_first(left, right, weights):
    """The operations of Le et al.'s program: its table of costs, read from the end.

    A pair is taken unless an insertion is strictly cheaper, and that unless a deletion is. Each
    operation has its kind and the positions of its words, as in ``words.WordOperation``.
    """
    costs = {}
    for i in range(len(left) + 1):
        for k in range(len(right) + 1):
            ways = [
                (costs[i - a, k - b] + cost, op, a, b)
                for op, a, b, cost in _steps(left[:i], right[:k], weights)
            ]
            costs[i, k] = min(cost for cost, *_ in ways) if ways else 0
    i, k = len(left), len(right)
    found = []
    while i or k:
        steps = _steps(left[:i], right[:k], weights)
        ways = [(costs[i - a, k - b] + cost, op, a, b) for op, a, b, cost in steps]
        _, op, a, b = min(ways, key=lambda way: way[0])  # of equals, the first
        i, k = i - a, k - b
        found.append((op, i if a else None, k if b else None))
    return found[::-1]


def _steps(left, right, weights):
    """The last steps to the end of two texts, with the number of words on either side."""
    if left and right:
        op = "correct" if left[-1] == right[-1] else "substitution"
        yield op, 1, 1, getattr(weights, op, 0)
    if right:
        yield "insertion", 0, 1, weights.insertion
    if left:
        yield "deletion", 1, 0, weights.deletion
