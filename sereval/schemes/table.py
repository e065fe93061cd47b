"""The table of schemes: one record for each scheme.

The choices of ``--scheme``, the refusal of options that a scheme does not take, help texts and the
table of the README are derived from these records. A new scheme is a module and a record. The
module of a scheme is imported when the scheme scores, because some imports are slow.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import NamedTuple

from ..corpus.corpus import Scorer
from ..evaluation.settings import Settings
from ..measures import ENTITY_WER, SURVIVAL

MAPPINGS = ("greedy", "optimal")
"""The ways to pair elements under ``mitre``, ``muc`` and ``slurp``; the first is the default."""

ERROR_RATES = ("ecer", "ewer")
"""The figures that are error rates over the entities of the reference; all others are F."""

THROUGH_TIME = ("tolerance", "unplaceable", "max_states", "align", "altered_words")
"""Options of a scheme that projects the reference, or compares the same words."""

THROUGH_WORDS = ("by", "weights", "normalise", "language", "cut", "words", "align")
"""Options of a scheme that aligns the words of both sides."""

COSTS = ("costs", "grammar", "neutral", "pairing")
"""Options of a scheme that maps elements at the least cost."""


EXTENTS = {"mitre": 1, "muc": 0}
"""The default tolerance of the extent of each scheme that takes one, in words."""


class Scheme(NamedTuple):
    """A scorer of the literature: how it aligns words, pairs elements and counts.

    Args:
        name: the name for ``--scheme``.
        description: what it counts, in one line.
        source: its source in the literature.
        words: which words are compared and how they are aligned, in a few words.
        mapping: how elements are paired, in a few words.
        figures: the names of its figures; the first is the default.
        options: the options that it takes and that some other scheme does not take.
        counts: the unit that it counts. ``slots``: the definition's classes of error. ``elements``:
            figures that add up over elements. ``lists``: labels and texts whose distances are
            fractions. ``tags``: tags in columns. ``words``: words.
        code: ``module:function`` of the function that scores, which is imported at the first score.

    >>> SCHEMES["muc"].figures, SCHEMES["muc"].takes("costs")
    (('all', 'type', 'text'), False)
    """

    name: str
    description: str
    source: str
    words: str
    mapping: str
    figures: tuple[str, ...]
    options: tuple[str, ...]
    counts: str
    code: str

    def takes(self, option: str) -> bool:
        """Whether the scheme takes an option. All schemes take an option that no record names.

        Args:
            option: the name of its parameter, such as ``max_states``.

        >>> SCHEMES["mitre"].takes("extent"), SCHEMES["mitre"].takes("costs")
        (True, False)
        """
        return option in self.options or not any(option in one.options for one in TABLE)

    @property
    def aligns_words(self) -> bool:
        """Whether the scheme always aligns the words of both sides."""
        return self.takes("by") and not self.takes("tolerance")

    @property
    def has_places(self) -> bool:
        """Whether the scheme compares places, so that mentions must be found in the words."""
        return self.words != "any"

    def scorer(self, settings: Settings) -> Scorer:
        """How the scheme scores with some settings."""
        found: Scorer = resolve_name(f"sereval.{self.code}")(settings)
        return found


QUAERO = Scheme(
    name="quaero",
    description="slot errors, each at its cost, as the definition says",
    source="Galibert et al., IJCNLP 2011, section 3",
    words="the same, by time, text or phones",
    mapping="of least cost",
    figures=("SER", "F1", "P", "R"),
    options=(*THROUGH_TIME, *THROUGH_WORDS, *COSTS, "missing", "is_bound"),
    counts="slots",
    code="evaluation.evaluate:slots",
)
"""The scheme of the definition."""

MITRE = Scheme(
    name="mitre",
    description="type, extent and content of entities where the words differ",
    source="Burger, Palmer and Hirschman, COLING-ACL 1998",
    words="by text or phones",
    mapping="greedy, or optimal",
    figures=("all", "type", "extent", "content"),
    options=(*THROUGH_WORDS, "missing", "extent", "mapping", "figure"),
    counts="elements",
    code="schemes.mitre:scorer",
)
"""The scheme for words that differ."""

TABLE = (
    QUAERO,
    QUAERO._replace(
        name="quaero-lne",
        description="slot errors, each at its cost, as LNE's program counts them",
        source="the output of LNE's program, of the Quaero and ETAPE evaluations",
        mapping="the search of LNE's program",
    ),
    MITRE,
    MITRE._replace(
        name="muc",
        description="type and text of entities, as the MUC scorer counts them",
        figures=("all", "type", "text"),
    ),
    Scheme(
        name="semeval2013",
        description="spans and labels by four rules; one counts a partial span as half correct",
        source="Segura-Bedmar, Martínez and Herrero-Zazo, SemEval 2013, section 4",
        words="the same, by time, text or phones",
        mapping="of the most credit",
        figures=("strict", "exact", "partial", "type"),
        options=(*THROUGH_TIME, *THROUGH_WORDS, "missing", "figure"),
        counts="elements",
        code="schemes.semeval:semeval2013",
    ),
    Scheme(
        name="slue",
        description="labels and texts as unordered lists, without places",
        source="Shon et al., ICASSP 2022",
        words="any",
        mapping="equal label and text, in no order",
        figures=("entity", "label"),
        options=("missing", "normalise", "figure"),
        counts="elements",
        code="schemes.lists:scorer",
    ),
    Scheme(
        name="slurp",
        description="labels and texts as lists; the distance of two texts counts as errors",
        source="Bastianelli et al., EMNLP 2020",
        words="any",
        mapping="the nearest text of equal label, in order, or optimal",
        figures=("slu", "word", "char"),
        options=("missing", "normalise", "mapping", "figure"),
        counts="lists",
        code="schemes.lists:scorer",
    ),
    Scheme(
        name="oi",
        description="error rates of labels and texts, by characters and by words",
        source="Villanova-Aparisi et al., DAS 2022; ie-eval",
        words="any",
        mapping="of least cost, in no order",
        figures=ERROR_RATES,
        options=("missing", "normalise", "figure"),
        counts="lists",
        code="schemes.lists:scorer",
    ),
    Scheme(
        name="nerval",
        description="labels and texts as unordered lists; near texts are correct",
        source="Nerval and ie-eval, Teklia",
        words="any",
        mapping="equal label and near text, most pairs",
        figures=("entity",),
        options=("missing", "normalise", "threshold", "figure"),
        counts="elements",
        code="schemes.lists:scorer",
    ),
    Scheme(
        name="conll",
        description="phrases and tags, as conlleval counts them",
        source="Tjong Kim Sang and Buchholz, CoNLL-2000",
        words="the same",
        mapping="exact spans",
        figures=("type",),
        options=("missing", "altered_words", "elements", "figure"),
        counts="tags",
        code="schemes.conll:conll",
    ),
    Scheme(
        name="evalita2011",
        description="phrases and tags of transcripts, as EVALITA 2011 counted them",
        source="Bartalesi Lenzi, Speranza and Sprugnoli, EVALITA 2011",
        words="by text, lower case",
        mapping="IOB columns",
        figures=("type", "type+content"),
        options=("elements", "mode", "aligned", "is_bound", "figure"),
        counts="tags",
        code="schemes.conll:evalita",
    ),
)
"""All schemes; the first is the default."""

LEAK = Scheme(
    name="leak",
    description="elements that are not covered whole, over all elements of the reference",
    source="redaction; this project",
    words="the same, by time",
    mapping="none",
    figures=("",),
    options=("tolerance", "align", "altered_words", "missing"),
    counts="coverage",
    code="schemes.coverage:scorer",
)
"""The elements of which a word is covered by no element, whatever its label; figures are labels."""

COVERAGE = (
    LEAK,
    LEAK._replace(
        name="exposed",
        description="documents with a leak; its bound is the certificate of Clopper and Pearson",
        figures=("documents", "bound"),
        options=(*LEAK.options, "certainty"),
    ),
    LEAK._replace(
        name="overredaction",
        description="covered words outside all elements, over all words outside them",
    ),
    LEAK._replace(
        name="spans",
        description="spans without labels, equal ones once",
        source="MEDDOCAN, Marimon et al., IberLEF 2019",
        words="the same",
        figures=("F1", "P", "R"),
        options=("altered_words", "missing", "merge"),
    ),
)
"""Measures of what is covered, which have no ``--scheme``."""

MEASURED = ("words", COVERAGE[0].counts)
"""The units of measures that are no schemes; they are counted by document."""

SCHEMES = {scheme.name: scheme for scheme in TABLE}
"""Schemes by name."""


OUTCOMES = ("slots", "elements", "lists", "tags")
"""The units of the schemes that give each element an outcome."""


def schemes_that_count(*units: str) -> tuple[str, ...]:
    """The names of the schemes that count some units, in the order of the table."""
    return tuple(scheme.name for scheme in TABLE if scheme.counts in units)


def schemes_with(option: str) -> tuple[str, ...]:
    """The names of the schemes that take an option, in the order of the table."""
    return tuple(scheme.name for scheme in TABLE if scheme.takes(option))


# --- word error rates ----------------------------------------------------------------------------


WORDS = Scheme(
    name="WER",
    description="word errors, the rate of a transcript",
    source="Levenshtein 1966; with weights, NIST's sclite",
    words="by text",
    mapping="none",
    figures=("WER",),
    options=("weights", "normalise"),
    counts="words",
    code="schemes.words:words",
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

BY_UNITS = (WORDS, *OF_ELEMENTS)
"""The measures whose default weights count the fewest errors; those of all others are sclite's."""
