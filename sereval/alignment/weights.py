"""The weights of word errors: an alignment by text is the cheapest one by these weights."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """The costs of word errors, as integers; correct words cost nothing.

    Args:
        name: the name, as in ``WEIGHTS``.
        insertion, deletion, substitution: the cost of one word error of this kind.

    >>> SCLITE.of("substitution"), UNIT.of("substitution")
    (4, 1)
    """

    name: str
    insertion: int
    deletion: int
    substitution: int

    def of(self, operation: str) -> int:
        """The weight of an operation; 0 for an operation that is no error.

        Args:
            operation: one of ``blocks.OPERATIONS``.
        """
        return int(getattr(self, operation, 0))

    def of_run(self, ref: int, hyp: int) -> int:
        """The cost of a run of errors.

        Every word of the shorter side is paired, because a substitution costs less than a deletion
        and an insertion.

        Args:
            ref, hyp: the number of words on either side.

        >>> SCLITE.of_run(3, 2), UNIT.of_run(3, 2)
        (11, 3)
        """
        if ref < hyp:
            return self.substitution * ref + self.insertion * (hyp - ref)
        return self.substitution * hyp + self.deletion * (ref - hyp)


SCLITE = Weights("sclite", 3, 3, 4)
UNIT = Weights("unit", 1, 1, 1)
WEIGHTS = {weights.name: weights for weights in (SCLITE, UNIT)}
"""The weights to choose from, by name."""

TIES = ("early", "spelling", "anchored")
"""The ways to choose among the cheapest alignments by ``text``, by name."""
