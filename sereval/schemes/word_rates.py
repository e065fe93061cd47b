"""The word error rates as measures: records like those of schemes, which have no ``--scheme``.

Their figures are computed in ``evaluation.words``.
"""

from __future__ import annotations

from ..alignment.blocks import SCLITE, UNIT
from ..measures.rates import ENTITY_WER, SURVIVAL
from .table import Scheme

WORDS = Scheme(
    name="WER",
    description="word errors, the rate of a transcript",
    source="Levenshtein 1966; with weights, NIST's sclite",
    words="by text",
    mapping="none",
    figures=("WER",),
    options=("weights", "normalise"),
    counts="words",
    code="words:words",
)
"""The word error rate; it ignores elements."""

CHARACTERS = WORDS._replace(
    name="CER",
    description="character errors, the rate of a transcript without blanks or of OCR",
    figures=("CER",),
    options=("normalise", "blanks"),
)
"""The character error rate; it ignores elements."""

WITHOUT_ELEMENTS = (WORDS, CHARACTERS)
"""The measures for which the words of both sides are enough."""

ENTITY_WORDS = WORDS._replace(
    name=ENTITY_WER,
    description="word errors inside elements, over their words",
    source="Del Rio et al., Interspeech 2021 (Earnings-21, fstalign)",
    figures=("",),
)
"""The word error rate of elements; its figures are labels, and without one all elements."""

SURVIVING = ENTITY_WORDS._replace(
    name=SURVIVAL,
    description="elements that the recogniser left whole, over all elements of the reference",
    source="this project",
)
"""The share of elements without a word error; its figures are labels, as above."""

OF_ELEMENTS = (ENTITY_WORDS, SURVIVING)
"""The measures of words whose figures are labels."""

BIASED_WORDS = WORDS._replace(
    name="B-WER",
    description="word errors of the words in a biasing list, over these words",
    source="Le et al., Interspeech 2021",
    figures=("B-WER",),
)
UNBIASED_WORDS = BIASED_WORDS._replace(
    name="U-WER",
    description="word errors of the words that are not in a biasing list, over these words",
    figures=("U-WER",),
)

BY_LIST = (BIASED_WORDS, UNBIASED_WORDS)
"""The measures that a biasing list splits."""

WORD_WEIGHTS = {
    WORDS.name: UNIT.name,
    ENTITY_WORDS.name: UNIT.name,
    SURVIVING.name: UNIT.name,
    BIASED_WORDS.name: SCLITE.name,
    UNBIASED_WORDS.name: SCLITE.name,
}
"""The default weights of each measure of words, by name."""
