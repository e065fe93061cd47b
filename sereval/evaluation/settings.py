"""Settings: all that can change a digit of a score besides its input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..alignment.blocks import WordAlignment
from ..alignment.text import SCLITE, TIES, Weights, align_text
from ..errors import SerevalError, one_line
from ..labels.grammar import Grammar
from ..labels.relabel import AS_THEY_ARE, Labels
from ..mapping.best import PAIRINGS, as_lne, cheapest
from ..mapping.search import MAX_STATES
from ..measures.slots import Costs, Nearness
from ..projection.project import POLICIES, both_tolerances, described


@dataclass(frozen=True, slots=True)
class ByWords:
    """A projection through an alignment of words, for documents without times.

    Args:
        by: ``text`` or ``phones``.
        weights: of word errors; ``phones`` has its own.
        language: of the words, as espeak-ng names it; ``text`` needs none.
        tolerance: in words, on either side of what the alignment leaves open.
        ties: of ``text``, which of the cheapest alignments: a name of ``align.TIES``.

    >>> ByWords(tolerance=1).signature
    'by:text|weights:sclite|tolerance:1w'
    """

    by: str = "text"
    weights: Weights = SCLITE
    language: str = "en-us"
    tolerance: int = 0
    ties: str = "spelling"

    def __post_init__(self) -> None:
        if self.by not in BY_WORDS:
            raise SerevalError(f"found {self.by!r}, expected one of {', '.join(BY_WORDS)}")
        if self.ties not in TIES:
            raise SerevalError(f"ties {self.ties!r}, expected one of {', '.join(TIES)}")

    @property
    def signature(self) -> str:
        """What it adds to a signature, in the place of a tolerance in time."""
        how = f"weights:{self.weights.name}" if self.by == "text" else f"language:{self.language}"
        ties = f"|ties:{self.ties}" if self.by == "text" and self.ties != "spelling" else ""
        return f"by:{self.by}|{how}|tolerance:{self.tolerance}w{ties}"

    def align(self, reference: Sequence[str], hypothesis: Sequence[str]) -> WordAlignment:
        """The alignment of two texts."""
        if self.by == "text":
            return align_text(reference, hypothesis, self.weights, self.ties)
        from ..alignment.phones import align_phones  # slow to import, with all that it needs

        return align_phones(reference, hypothesis, self.language)


BY_WORDS = ("text", "phones")
"""The units by which words are aligned."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can change a digit of a score besides its input, and the limit of the search.

    Args:
        tolerance: of starts and of ends, in ms; ``None`` compares on the same words.
        unplaceable: policy for elements without a place: ``drop``, ``miss`` or ``merge``.
        costs: of the five classes of error.
        missing: a reference without a hypothesis is an ``error``, or counts as ``empty``.
        pairing: which pairs a mapping may hold: ``word`` (the definition's), ``half``, ``label``.
        scheme: whose mapping it is: ``quaero``, the definition's, or ``quaero-lne``, that of LNE's
            program.
        through: an alignment of the words in the place of a tolerance in time.
        is_bound: whether what a perfect tagger would find is scored, not the hypothesis's elements.
        neutral: labels that cost nothing on either side, paired or not.
        labels: what becomes of the labels of both sides before anything else.
        max_states: how many states the search of a cluster may come upon before it is refused, and
            all of a document, a thousand elements of it; it changes no digit, and is not in the
            signature.

    >>> Settings(tolerance=(300, 300)).signature
    'SER|tolerance:0.3|unplaceable:drop|costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1'
    """

    tolerance: tuple[int, int] | None = None
    unplaceable: str = "drop"
    costs: Costs = Costs()
    missing: str = "error"
    pairing: str = "word"
    scheme: str = "quaero"
    through: ByWords | None = None
    is_bound: bool = False
    neutral: frozenset[str] = frozenset()
    labels: Labels = AS_THEY_ARE
    max_states: int = MAX_STATES

    def __post_init__(self) -> None:
        for choice, choices in (
            (self.unplaceable, POLICIES),
            (self.missing, MISSING),
            (self.pairing, PAIRINGS),
            (self.scheme, SEARCHES),
        ):
            if choice not in choices:
                raise SerevalError(f"found {choice!r}, expected one of {', '.join(choices)}")
        for label in self.neutral:
            if not label or not {",", "|"}.isdisjoint(label):
                raise SerevalError(f"neutral label {label!r}, expected one without a comma or |")
        if self.max_states < 1:
            raise SerevalError(f"found {self.max_states} states at most, expected 1 or more")
        if self.tolerance is not None:
            both_tolerances(self.tolerance)
        if self.tolerance is not None and self.through is not None:
            raise SerevalError(
                "a tolerance in time and an alignment of words, expected one of them"
            )

    @property
    def is_projected(self) -> bool:
        """Whether the reference is carried onto other words than its own."""
        return self.tolerance is not None or self.through is not None

    @property
    def _words(self) -> str:
        """How the words of the two sides come together."""
        if self.through is not None:
            return self.through.signature
        return f"tolerance:{described(self.tolerance)}"

    @property
    def nearness(self) -> Nearness | None:
        """How many levels of a label are right; ``None`` if no cost depends on it."""
        return self.labels.nearness(self.costs.depth)

    @property
    def _labels(self) -> tuple[str, ...]:
        """What becomes of labels, and the hierarchy that costs are shared out by."""
        parts = self.labels.signature
        hierarchy = f"hierarchy:{self.labels.hierarchy}"
        return parts if self.costs.depth == 1 or hierarchy in parts else (*parts, hierarchy)

    @property
    def signature(self) -> str:
        """One line that lets two people see whether their digits can be compared.

        ``none`` as tolerance says that both sides are on the same words.
        """
        return "|".join(
            [
                f"SER|{self._words}|unplaceable:{self.unplaceable}",
                *([f"scheme:{self.scheme}"] if self.scheme != "quaero" else []),
                *(["upper-bound"] if self.is_bound else []),
                *([f"missing:{self.missing}"] if self.missing != "error" else []),
                *([f"pairing:{self.pairing}"] if self.pairing != "word" else []),
                *([one_line(f"neutral:{','.join(sorted(self.neutral))}")] if self.neutral else []),
                *self._labels,
                f"costs:{self.costs}",
            ]
        )

    def words_signature(self, ways: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """What a scheme without costs has in its signature: how the words came together.

        Args:
            ways: of each reference how it says that it was projected.
        """
        parts = [*self._words.split("|"), f"unplaceable:{self.unplaceable}"]
        if not self.is_projected and any(ways):
            parts.append("reference:fuzzy")
        if self.missing != "error":
            parts.append(f"missing:{self.missing}")
        parts += self.labels.signature
        return tuple((name, value) for name, _, value in (part.partition(":") for part in parts))


def settings_of(
    *,
    tolerance: int | tuple[int, int] | None = None,
    costs: Costs | None = None,
    neutral: Iterable[str] = (),
    labels: Labels = AS_THEY_ARE,
    grammar: Grammar | None = None,
    **others: Any,
) -> Settings:
    """Settings from what a user gives: the one place where they are made.

    Args:
        tolerance: in ms, of starts and ends alike, or a pair; ``None``: the same words.
        costs: ``None``: the definition's.
        neutral: labels that cost nothing.
        labels: what becomes of labels.
        grammar: has their hierarchy, unless ``labels`` have that of another.
        others: fields of ``Settings``.

    Raises:
        SerevalError: as ``Settings``.

    >>> settings_of(tolerance=300, neutral=["loc"]).signature
    'SER|tolerance:0.3|unplaceable:drop|neutral:loc|costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1'
    """
    return Settings(
        tolerance=None if tolerance is None else both_tolerances(tolerance),
        costs=costs or Costs(),
        neutral=frozenset(neutral),
        labels=labels.by(grammar),
        **others,
    )


SEARCHES = {"quaero": cheapest, "quaero-lne": as_lne}
"""The preference of the search for a mapping, by scheme."""

MISSING = ("error", "empty")
"""Policies for a reference without a hypothesis."""
