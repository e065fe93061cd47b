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
