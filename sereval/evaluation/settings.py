"""The settings of a score, which are all that can change it besides the documents.

At the end stands what all scores have in common.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from ..alignment.blocks import SCLITE, TIES, Weights, WordAlignment
from ..alignment.normalise import EXACT, LETTERS, Normalisation
from ..documents.model import cut_short
from ..errors import SerevalError, check_choice, one_line, with_place
from ..labels import AS_THEY_ARE, SIDES, Grammar, Labels, digest
from ..mapping.best import PAIRINGS, as_lne, cheapest
from ..mapping.search import MAX_STATES
from ..measures import Costs
from ..projection import POLICIES, tolerance_text
from ..version import __version__

if TYPE_CHECKING:
    from ..documents.model import Document
    from .words import WordScore

SignaturePart: TypeAlias = tuple[str, str | None]
"""A name with its value; ``None``: the name alone."""


class Signature(tuple[SignaturePart, ...]):
    """Names with their values, in order.

    >>> signature = Signature([("SER", None), ("tolerance", "0.3"), ("version", "1")])
    >>> print(signature)
    SER|tolerance:0.3|version:1
    """

    __slots__ = ()

    @classmethod
    def of(cls, *parts: SignaturePart) -> Signature:
        """The signature of these parts and, last, the version.

        Args:
            parts: names with their values, in order; ``None``: a name alone.

        >>> [name for name, _ in Signature.of(("SER", None), ("tolerance", "0.3"))]
        ['SER', 'tolerance', 'version']
        """
        return cls((*parts, ("version", __version__)))

    def __str__(self) -> str:
        """The line that reports print."""
        return "|".join(name if value is None else f"{name}:{value}" for name, value in self)


def joint(signatures: Iterable[Signature]) -> Signature:
    """The joint signature of scores that differ only in how their files were read.

    Args:
        signatures: the signatures of scores with the same settings; each ends with the version.

    Returns:
        Each name once, with all its values.

    >>> one = Signature([("SER", None), ("version", "1")])
    >>> other = Signature([("SER", None), ("hypothesis read", "tags=iob1"), ("version", "1")])
    >>> joint([one, other]) == joint([other, one]) == other
    True
    """
    found: dict[str, dict[str, None]] = {}
    for name, value in chain.from_iterable(signatures):
        found.setdefault(name, {}).update(dict.fromkeys(filter(None, (value or "").split(","))))
    found["version"] = found.pop("version")  # last, as in each of them
    return Signature((name, ",".join(values) or None) for name, values in found.items())


@dataclass(frozen=True, slots=True)
class ByWords:
    """A projection through an alignment of words, for documents without times.

    Args:
        by: the kind of alignment: ``text`` or ``phones``.
        weights: the weights of word errors in an alignment by ``text``.
        language: the language of the words in an alignment by ``phones``, as espeak-ng names it.
        tolerance: in words, on either side of the frontiers that the alignment leaves open.
        ties: the policy that chooses among the cheapest alignments by ``text``: a name of
            ``alignment.blocks.TIES``.
        normalise: in which form words are compared in an alignment by ``text``.
        cut: where the texts are cut into pieces that are aligned one by one: ``words``, long
            documents at runs of equal words; ``times``, all documents where equal words were said
            together (``cuts_by_time``).

    Raises:
        SerevalError: an unknown ``by``, ``ties`` or ``cut``.

    >>> print(ByWords(tolerance=1).signature)
    by:text|weights:sclite|tolerance:1w
    """

    by: str = "text"
    weights: Weights = SCLITE
    language: str = "en-us"
    tolerance: int = 0
    ties: str = "spelling"
    normalise: Normalisation = LETTERS
    cut: str = "words"

    def __post_init__(self) -> None:
        for choice, choices in ((self.by, BY_WORDS), (self.cut, CUTS), (self.ties, TIES)):
            check_choice(choice, choices)

    @property
    def alignment(self) -> Signature:
        """The parts of a signature that say how words are aligned."""
        named = [("language", self.language)]
        if self.by == "text":
            named = [("weights", self.weights.name), *normalisation_part(self.normalise)]
        cut = [("cut", self.cut)] if self.cut != CUTS[0] else []
        return Signature([("by", self.by), *named, *cut])

    @property
    def signature(self) -> Signature:
        """The parts of a signature that replace a tolerance in time."""
        has_ties = self.by == "text" and self.ties != "spelling"
        ties = [("ties", self.ties)] if has_ties else []
        return Signature([*self.alignment, ("tolerance", f"{self.tolerance}w"), *ties])

    def align_documents(self, reference: Document, hypothesis: Document) -> WordAlignment:
        """Align the words of two documents, cut as ``cut`` says.

        Args:
            reference, hypothesis: documents; with times, if ``cut`` is ``times``.

        Raises:
            SerevalError: a side has no times; as ``align_text`` and ``align_phones``.

        >>> from sereval import Document
        >>> said = Document("d", ("in", "New", "York"), times=((0, 1), (1, 2), (2, 3)))
        >>> ByWords(cut="times").align_documents(said, said).cost
        0
        """
        words = reference.words, hypothesis.words
        at = None
        if self.cut == "times":
            from ..alignment.words import cuts_by_time  # few scores need the times here

            for name, side in zip(SIDES, (reference, hypothesis), strict=True):
                if side.times is None and side.words:
                    raise SerevalError(
                        f"{side.id}: the {name} has no times, expected them for --cut times, from "
                        "--align and --words"
                    )
            times = reference.times or (), hypothesis.times or ()
            at = with_place(reference.id, cuts_by_time, *words, times, self.normalise)
        if self.by == "text":
            from ..alignment.text import align_text  # many scores need no alignment

            return align_text(*words, self.weights, self.ties, normalise=self.normalise, at=at)
        from ..alignment.phones import align_phones  # slow to import, with all that it needs

        return align_phones(*words, self.language, at=at)


BY_WORDS = ("text", "phones")
"""The ways to align words."""

CUTS = ("words", "times")
"""Where texts are cut before their words are aligned; the first is the default."""

OWNERS = {
    "weights": ("text",),
    "normalise": ("text",),
    "language": ("phones",),
    "cut": BY_WORDS,
}
"""The ways to align words that each option of an alignment belongs to."""


def normalisation_part(normalise: Normalisation) -> list[tuple[str, str]]:
    """The part of a signature that says in which form words are compared; none for the default.

    Args:
        normalise: the normalisation.

    >>> from sereval.alignment.normalise import EXACT
    >>> normalisation_part(EXACT), normalisation_part(LETTERS)
    ([('normalise', 'exact')], [])
    """
    return [("normalise", normalise.name)] if normalise != LETTERS else []


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can change a score besides the documents, and the limit of the search.

    Args:
        tolerance: the tolerance of starts and the tolerance of ends, in ms; ``None``: both sides
            have the same words.
        unplaceable: policy for elements without a place: ``drop``, ``miss`` or ``merge``.
        missing: policy for a reference without a hypothesis. ``error`` refuses it; ``empty`` takes
            the hypothesis as one without elements, unless references are projected; ``drop`` leaves
            out the documents that only one side has.
        pairing: the rule for the pairs of a mapping. ``word``, as in the definition: the two spans
            share a word. ``half``: they share half the words of the longer span. ``label``: the
            label or the span is right.
        scheme: the name of the scheme or of another measure; ``evaluate`` takes ``quaero``, the
            definition, and ``quaero-lne``, whose figures are those of LNE's program. Under
            ``quaero-lne`` precision, recall and F1 count the correct pairs of the mapping.
        through: an alignment of words that replaces a tolerance in time.
        is_bound: whether to score the upper bound: the elements that a perfect tagger would find on
            the hypothesis's words, in place of the hypothesis's elements.
        neutral: labels that cost nothing on either side, in a pair or not; their slots are counted.
        labels: the changes of the labels of both sides, which come first: a map, a restriction, a
            level. ``grammar`` defines the hierarchy of labels unless ``labels`` has a grammar.
        costs: the cost of each of the five classes of error.
        documents: the ids of the documents that were selected from a larger reference; none: all
            documents.
        normalise: in which form words are compared for the word errors beside a score through time;
            an alignment of words has its own.
        max_states: how many states the search of a cluster may visit; a document may visit as many
            for each thousand of its elements. It changes no result and is not in the signature.
        extent: tolerance of the extent, in words (``mitre``, ``muc``); ``None``: the scheme's.
        mapping: ``greedy``, as in the paper, or ``optimal`` (``mitre``, ``muc``, ``slurp``).
        threshold: the largest distance of a correct text, a decimal (``nerval``).
        elements: which elements of a tree are scored: ``outermost`` or ``innermost``; ``None``
            refuses trees (``conll``, ``evalita2011``).
        mode: how a phrase counts that an inserted word splits: ``official`` counts two phrases,
            ``repair`` counts one (``evalita2011``).
        figure: the figure for comparisons of systems and for the audit, one of ``Scheme.figures``;
            ``None``: the score keeps counts only.
        grammar: distinguishes types from components in the reports (``quaero``, ``quaero-lne``),
            and gives the hierarchy of labels, unless ``labels`` has one.
        aligned: path of the aligned file (``evalita2011``); ``None``: its rows are not kept.
        altered_words: policy for a hypothesis with other words than the reference, where nothing is
            projected. ``error`` refuses it; ``position`` pairs as many words in as many sentences
            by their places, whatever they are.
        merge: ``adjacent``: spans without a letter or digit between them are one (``spans``).
        certainty: that of the certificate (``exposed``).
        texts: in which form texts of elements are compared (``slue``, ``slurp``, ``oi``,
            ``nerval``).

    Raises:
        SerevalError: an unknown choice; a bad neutral label, tolerance or limit; a tolerance in
            time together with an alignment.

    >>> print(Settings(tolerance=(300, 300)).signature)
    SER|tolerance:0.3|unplaceable:drop|costs:S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1
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
    documents: tuple[str, ...] = ()
    normalise: Normalisation = LETTERS
    max_states: int = MAX_STATES
    extent: int | None = None
    mapping: str = "greedy"
    threshold: str = "0.3"
    elements: str | None = None
    mode: str = "official"
    figure: str | None = None
    grammar: Grammar | None = None
    aligned: str | None = None
    altered_words: str = "error"
    merge: str = "none"
    certainty: str = "0.95"
    texts: Normalisation = EXACT

    def __post_init__(self) -> None:
        for name, kind in KINDS.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                expected = f"expected one of the class {kind[0].__name__}"
                raise SerevalError(f"{name}: found {cut_short(value)}, {expected}")
        labels = replace(self.labels, grammar=self.labels.grammar or self.grammar)
        object.__setattr__(self, "labels", labels)
        for name, choices in CHOICES.items():
            check_choice(getattr(self, name), choices)
        for label in self.neutral:
            if not label or not {",", "|"}.isdisjoint(label):
                raise SerevalError(f"neutral label {label!r}, expected one without a comma or |")
        is_pair_of_ms = isinstance(self.tolerance, tuple) and (
            len(self.tolerance) == 2 and all(type(ms) is int and ms >= 0 for ms in self.tolerance)
        )
        for is_wrong, message in (
            (self.max_states < 1, f"found {self.max_states} states at most, expected 1 or more"),
            (
                self.tolerance is not None and not is_pair_of_ms,
                f"the tolerance {self.tolerance!r} of Settings, expected those of starts and of "
                "ends in ms, such as (300, 300)",
            ),
            (
                self.tolerance is not None and self.through is not None,
                "a tolerance in time and an alignment of words, expected one of them",
            ),
            (
                self.is_projected and self.altered_words != "error",
                "words through which a reference is projected are not paired by position",
            ),
        ):
            if is_wrong:
                raise SerevalError(message)

    @property
    def is_projected(self) -> bool:
        """Whether the reference is projected onto the hypothesis's words."""
        return self.tolerance is not None or self.through is not None

    @property
    def words_signature(self) -> Signature:
        """The parts of the signature about the tolerance or the alignment of words."""
        if self.through is not None:
            return self.through.signature
        named = normalisation_part(self.normalise)
        return Signature([("tolerance", tolerance_text(self.tolerance)), *named])

    @property
    def selection(self) -> list[tuple[str, str]]:
        """The part of a signature about selected documents: their number, and a hash of their ids.

        >>> Settings(documents=("a", "b")).selection
        [('documents', '2-3554d2b8')]
        """
        ids = sorted(self.documents)
        return [("documents", f"{len(ids)}-{digest(ids)}")] if ids else []

    def _changed(self, *names: str) -> list[tuple[str, str]]:
        """The parts of the signature about some choices, without those of the default."""
        found = ((name, getattr(self, name)) for name in names)
        known = self.__dataclass_fields__
        return [(name.replace("_", "-"), own) for name, own in found if own != known[name].default]

    @property
    def signature(self) -> Signature:
        """The names and values that two scores must share to be comparable.

        The tolerance ``none`` means that both sides have the same words.
        """
        neutral = one_line(",".join(sorted(self.neutral)))
        return Signature(
            [
                ("SER", None),
                *self.words_signature,
                ("unplaceable", self.unplaceable),
                *self._changed("scheme"),
                *([("upper-bound", None)] if self.is_bound else []),
                *self.selection,
                *self._changed("missing", "altered_words", "pairing"),
                *([("neutral", neutral)] if self.neutral else []),
                *self.labels.signature,
                ("costs", str(self.costs)),
            ]
        )

    @property
    def reading_signature(self) -> Signature:
        """The signature of a scheme that uses neither words nor costs."""
        policies = self._changed("missing", "altered_words")
        return Signature([*self.selection, *policies, *self.labels.signature])


def selected(settings: Any, ids: Collection[str]) -> Any:
    """Settings, or the parts of a signature, with the selection of these documents."""
    if isinstance(settings, Settings):
        return replace(settings, documents=tuple(ids))
    [selection] = Settings(documents=tuple(ids)).selection
    return (*(part for part in settings if part[0] != selection[0]), selection)


SEARCHES = {"quaero": cheapest, "quaero-lne": as_lne}
"""The preference of the search for a mapping, by scheme."""

CONTEXT_WORDS = 2
"""How many words on either side are near an element, unless the user says otherwise."""

MISSING = ("error", "empty", "drop")
"""The policies for a reference without a hypothesis; ``drop`` holds for either side."""

ALTERED_WORDS = ("error", "position")
"""The policies for other words than the reference's."""

CHOICES: dict[str, Collection[str]] = {
    "unplaceable": POLICIES,
    "missing": MISSING,
    "altered_words": ALTERED_WORDS,
    "pairing": PAIRINGS,
}
"""The names that some settings may have."""

KINDS: dict[str, tuple[type, ...]] = {
    "scheme": (str,),
    "costs": (Costs,),
    "labels": (Labels,),
    "grammar": (Grammar, NoneType),
    "max_states": (int,),
    "through": (ByWords, NoneType),
}
"""The classes of other settings."""


@dataclass(frozen=True)
class OfDocuments:
    """What is found in documents with some settings."""

    documents: tuple[Any, ...]
    settings: Any

    def only(self, ids: Collection[str]) -> Self:
        """The same of some of the documents; its signature names them."""
        documents = tuple(one for one in self.documents if one.id in ids)
        return replace(self, documents=documents, settings=selected(self.settings, ids))


@dataclass(frozen=True)
class CountedScore(OfDocuments):
    """What all scores have: documents, settings, and the figure by which they are compared."""

    figure: str = ""

    @property
    def ids(self) -> list[str]:
        """The ids of its documents."""
        return [one.id for one in self.documents]

    @property
    def mapped(self) -> tuple[Any, ...]:
        """What is kept of each document besides counts; empty if nothing is."""
        return tuple(one.mapped for one in self.documents if one.mapped is not None)

    @property
    def word_score(self) -> WordScore | None:
        """The errors of the hypotheses' words; ``None``: this kind of score has none."""
        return None

    @property
    def word_errors(self) -> WordScore | None:
        """The errors of the hypotheses' words, for all words and by label.

        ``None`` if no word is wrong, or if words were not compared: both sides have the same, or
        one has only mentions.
        """
        return self.word_score and self.word_score.if_wrong
