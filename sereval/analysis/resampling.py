"""The settings of resampling: how many samples, of what, and the confidence of intervals."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import SerevalError
from ..evaluation.settings import Signature

UNITS = ("auto", "document", "utterance")
FEW = 10
"""With fewer documents than this, ``auto`` chooses utterances."""

MOST_RESAMPLES = 1_000_000
"""The most resamples. More would use much memory and change no visible digit."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """The settings of resampling, which make every result repeatable.

    Args:
        resamples: the number of resamples of the bootstrap; also the most arrangements that a
            permutation test tries.
        seed: the seed of PCG64, 0 or more.
        confidence: the confidence of the intervals, between 0 and 1.
        unit: the unit that is drawn: ``document``, ``utterance``, or ``auto``, which means
            utterances where there are fewer than ``FEW`` documents.

    Raises:
        SerevalError: a value is out of its range.

    >>> print(Resampling().signature("document"))
    interval:expanded|resamples:10000|seed:2011|confidence:0.95|unit:document
    """

    resamples: int = 10_000
    seed: int = 2011
    confidence: float = 0.95
    unit: str = "auto"

    def __post_init__(self) -> None:
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            raise SerevalError(f"found {self.resamples} resamples, expected 1 to {MOST_RESAMPLES}")
        if self.seed < 0:
            raise SerevalError(f"found the seed {self.seed}, expected 0 or more")
        if not 0 < self.confidence < 1:
            raise SerevalError(
                f"found the confidence {self.confidence}, expected a number between 0 and 1"
            )
        if self.unit not in UNITS:
            raise SerevalError(f"found {self.unit!r}, expected one of {', '.join(UNITS)}")

    def unit_of(self, documents: int) -> str:
        """The unit for a number of documents.

        Args:
            documents: the number.

        >>> Resampling().unit_of(FEW), Resampling().unit_of(FEW - 1)
        ('document', 'utterance')
        """
        few = "utterance" if documents < FEW else "document"
        return few if self.unit == "auto" else self.unit

    def signature(self, unit: str) -> Signature:
        """The signature of the settings.

        Args:
            unit: the chosen unit: ``document`` or ``utterance``.

        >>> str(Resampling(resamples=100).signature("document"))
        'interval:expanded|resamples:100|seed:2011|confidence:0.95|unit:document'
        """
        return Signature(
            [
                ("interval", "expanded"),
                ("resamples", str(self.resamples)),
                ("seed", str(self.seed)),
                ("confidence", f"{self.confidence:g}"),
                ("unit", unit),
            ]
        )
