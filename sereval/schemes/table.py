"""The table of schemes: one record a scheme, from which all else about it derives.

The choices of ``--scheme``, the refusal of options without a part, help texts and the table of the
README are read from here. A new scheme is its module and its record. A module is imported when its
scheme scores, so that nobody waits for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..corpus.pairing import Pair
from ..corpus.pairs import Pairs
from ..evaluation.settings import Settings

if TYPE_CHECKING:
    from ..evaluation.totals import Score
    from .result import Options, SchemeScore

MAPPINGS = ("greedy", "optimal")
"""The ways to pair elements under ``mitre`` and ``muc``; the first is the default."""

THROUGH_TIME = ("tolerance", "unplaceable", "max_states", "align")
"""Options of a scheme that projects the reference."""

THROUGH_WORDS = ("by", "weights", "language", "words")
"""Options of a scheme that aligns the words of both sides."""

COSTS = ("costs", "grammar", "neutral", "pairing")
"""Options of a scheme that maps elements at the least cost."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scorer of the literature: how words meet, which elements are paired, what is counted.

    Args:
        name: as in ``--scheme``.
        description: what it counts, in one line.
        source: in the literature.
        words: how the words of both sides meet.
        mapping: which elements are paired.
        figures: what it measures; the first is the default.
        options: names of the options that it takes, of those that not every scheme takes.
        counts: ``slots``, the classes of error of the definition; ``elements``, figures of which
            each element has a part, so that it can be compared and audited; ``tags``, columns.
        code: the module and the function that score, which are imported at the first score.

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
        """Whether an option has a part in the scheme; one that no record names has a part in all.

        Args:
            option: name of its parameter, such as ``max_states``.
        """
        return option in self.options or not any(option in one.options for one in TABLE)

    @property
    def aligns_words(self) -> bool:
        """Whether it aligns the words of both sides also where nobody asks for it."""
        return self.takes("by") and not self.takes("tolerance")

    @property
    def has_places(self) -> bool:
        """Whether it looks where elements stand, so that mentions have to be found in words."""
        return self.words != "any"

    def score(
        self, pairs: Pairs[Pair], settings: Settings, options: Options
    ) -> Score | SchemeScore:
        """The score of pairs of documents.

        Args:
            pairs: references and hypotheses.
            settings: how their words meet, and what becomes of their labels.
            options: of the scheme.

        Raises:
            SerevalError: documents that the scheme does not take.
        """
        module, _, function = self.code.partition(":")
        run: Any = getattr(import_module(f".{module}", __package__), function)
        found: Score | SchemeScore = run(pairs, settings, options)
        return found


TABLE = (
    Scheme(
        name="quaero",
        description="slot errors at a cost, the definition's rate",
        source="Galibert et al., IJCNLP 2011, section 3",
        words="the same, by time, text or phones",
        mapping="of least cost",
        figures=("SER", "F1", "P", "R"),
        options=(*THROUGH_TIME, *THROUGH_WORDS, *COSTS, "missing", "is_bound"),
        counts="slots",
        code="slots:slots",
    ),
    Scheme(
        name="quaero-lne",
        description="slot errors at a cost, as LNE's program prints them",
        source="the output of LNE's program, of the Quaero and ETAPE evaluations",
        words="the same, by time, text or phones",
        mapping="the search of LNE's program",
        figures=("SER", "F1", "P", "R"),
        options=(*THROUGH_TIME, *THROUGH_WORDS, *COSTS, "missing", "is_bound"),
        counts="slots",
        code="slots:slots",
    ),
    Scheme(
        name="mitre",
        description="type, extent and content of entities where the words differ",
        source="Burger, Palmer and Hirschman, COLING-ACL 1998",
        words="by text or phones",
        mapping="greedy, or optimal",
        figures=("all", "type", "extent", "content"),
        options=(*THROUGH_WORDS, "missing", "extent", "mapping", "figure"),
        counts="elements",
        code="mitre:mitre",
    ),
    Scheme(
        name="muc",
        description="type and text of entities, as the MUC scorer",
        source="Burger, Palmer and Hirschman, COLING-ACL 1998",
        words="by text or phones",
        mapping="greedy, or optimal",
        figures=("all", "type", "text"),
        options=(*THROUGH_WORDS, "missing", "mapping", "figure"),
        counts="elements",
        code="mitre:muc",
    ),
    Scheme(
        name="semeval2013",
        description="spans and labels in four regimes, of which one counts a part as half",
        source="Segura-Bedmar, Martínez and Herrero-Zazo, SemEval 2013, section 4",
        words="the same, by time, text or phones",
        mapping="of the most credit",
        figures=("strict", "exact", "partial", "type"),
        options=(*THROUGH_TIME, *THROUGH_WORDS, "missing", "figure"),
        counts="elements",
        code="semeval:semeval2013",
    ),
    Scheme(
        name="slue",
        description="labels and texts as unordered lists, without places",
        source="Shon et al., ICASSP 2022",
        words="any",
        mapping="equal label and text, in no order",
        figures=("entity", "label"),
        options=("missing", "figure"),
        counts="elements",
        code="slue:slue",
    ),
    Scheme(
        name="conll",
        description="phrases and tags, as conlleval",
        source="Tjong Kim Sang and Buchholz, CoNLL-2000",
        words="the same",
        mapping="exact spans",
        figures=("type",),
        options=("missing", "elements"),
        counts="tags",
        code="conll:conll",
    ),
    Scheme(
        name="evalita2011",
        description="phrases and tags of transcripts, as EVALITA 2011",
        source="Bartalesi Lenzi, Speranza and Sprugnoli, EVALITA 2011",
        words="by text, lower case",
        mapping="IOB columns",
        figures=("type", "type+content"),
        options=("elements", "is_repaired", "aligned", "is_bound"),
        counts="tags",
        code="evalita:evalita",
    ),
)
"""All schemes; the first is the default."""

SCHEMES = {scheme.name: scheme for scheme in TABLE}
"""Schemes by name."""


def schemes_that_count(*units: str) -> tuple[str, ...]:
    """The names of the schemes that count ``slots``, ``elements`` or ``tags``, in their order.

    >>> schemes_that_count("slots")
    ('quaero', 'quaero-lne')
    """
    return tuple(scheme.name for scheme in TABLE if scheme.counts in units)


def schemes_with(option: str) -> tuple[str, ...]:
    """The names of the schemes that take an option, in their order.

    >>> schemes_with("mapping")
    ('mitre', 'muc')
    """
    return tuple(scheme.name for scheme in TABLE if scheme.takes(option))
