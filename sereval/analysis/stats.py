"""Statistics of annotated documents: words, elements and labels, for all and for groups of them.

Source: Galibert et al., IJCNLP 2011, table 1: the sizes of the training data and of the test data
of Quaero, with the word error rates of the recognisers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..documents.model import Document, depths
from ..errors import one_line
from ..evaluation.settings import Signature, SignaturePart
from ..labels.grammar import Grammar
from ..measures.words import WordErrors
from ..render.report import Report, Reported, filled, rows
from ..render.text import lines, percent, rounded, side_by_side
from ..version import __version__

LEGEND = "Lines are utterances; words count as they are written."

FORMS = {
    "groups": rows(
        *("group text", "documents integer", "lines integer", "words integer"),
        *("distinct_words integer", "elements integer", "distinct_labels integer"),
        *("types integer?", "distinct_types integer?"),
        *("components integer?", "distinct_components integer?"),
        *("unknown_labels integer?", "distinct_unknown_labels integer?"),
        *("elements_per_word", "mean_depth", "greatest_depth integer"),
    ),
    "labels": rows("group text", "label text", "elements integer"),
    "depths": rows("group text", "depth integer", "elements integer"),
    "words": rows(
        *("recogniser text", "group text", "reference integer", "correct integer"),
        *("S integer", "D integer", "I integer", "wer"),
    ),
}
"""The tables of the report."""

StatsValue = int | float | None


@dataclass(frozen=True)
class Sizes:
    """The sizes of one document, or of several; they add up with ``+`` and :func:`sum`.

    Args:
        documents: the number of documents.
        lines: the number of utterances; a document without boundaries of utterances has one.
        words: how often each word occurs, as it is written.
        labels: the number of elements of each label.
        depths: the number of elements at each depth; 1 is the depth of the outermost ones.
    """

    documents: int = 0
    lines: int = 0
    words: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, document: Document) -> Sizes:
        """The sizes of a document."""
        mentions = document.mentions or ()
        found = depths([element.parent for element in document.elements]) + [1] * len(mentions)
        labels = [element.label for element in document.elements]
        labels += [mention.label for mention in mentions]
        lines = 1 + len(document.breaks) if document.words else 0
        return cls(1, lines, Counter(document.words), Counter(labels), Counter(found))

    def __add__(self, other: Sizes) -> Sizes:
        return Sizes(
            self.documents + other.documents,
            self.lines + other.lines,
            self.words + other.words,
            self.labels + other.labels,
            self.depths + other.depths,
        )

    def __radd__(self, zero: int) -> Sizes:
        """Let :func:`sum` begin with 0."""
        return self + Sizes() if zero == 0 else NotImplemented

    @property
    def elements(self) -> int:
        """The number of elements."""
        return self.labels.total()

    @property
    def density(self) -> float | None:
        """Elements per word; ``None`` if there is no word."""
        words = self.words.total()
        return self.elements / words if words else None

    @property
    def deepest(self) -> int:
        """The depth of the deepest element; 0 without elements."""
        return max(self.depths, default=0)

    @property
    def depth(self) -> float | None:
        """The mean depth of the elements; ``None`` without elements."""
        if not self.elements:
            return None
        return sum(depth * number for depth, number in self.depths.items()) / self.elements

    def kinds(self, grammar: Grammar | None) -> dict[str, Counter[str]]:
        """The labels by kind: types, components, and unknown labels if there are any."""
        if grammar is None:
            return {}
        found: dict[str, Counter[str]] = {"types": Counter(), "components": Counter()}
        for label, number in self.labels.items():
            if grammar.is_type(label):
                kind = "types"
            else:
                kind = "components" if grammar.is_component(label) else "unknown labels"
            found.setdefault(kind, Counter())[label] = number
        return found


@dataclass(frozen=True, repr=False)
class Statistics(Reported):
    """The sizes of documents, and the word errors of recognisers.

    Args:
        documents: the sizes of each document, by id.
        recognisers: by recogniser, the word errors of each document, by id.
        groups: the ids of the documents of each group.
        grammar: distinguishes types from components; ``None``: reports do not.
        settings: the changes of labels, for the signature.
    """

    documents: Mapping[str, Sizes]
    recognisers: Mapping[str, Mapping[str, WordErrors]] = field(default_factory=dict)
    groups: Mapping[str, Collection[str]] = field(default_factory=dict)
    grammar: Grammar | None = None
    settings: tuple[SignaturePart, ...] = ()

    @property
    def members(self) -> dict[str, list[str]]:
        """The ids of all documents and of each group, in the order of the documents."""
        named = {"all": self.documents.keys(), **self.groups}
        return {name: [id for id in self.documents if id in ids] for name, ids in named.items()}

    @property
    def rows(self) -> dict[str, Sizes]:
        """The sizes of all documents and of each group."""
        return {name: self._sum(ids) for name, ids in self.members.items()}

    def _sum(self, ids: Iterable[str]) -> Sizes:
        return sum((self.documents[id] for id in ids), Sizes())

    def errors(self, recogniser: str) -> dict[str, WordErrors]:
        """The word errors of a recogniser, over all documents and over each group."""
        own = self.recognisers[recogniser]
        return {
            name: WordErrors(*map(sum, zip(WordErrors(), *(own[id] for id in ids), strict=True)))
            for name, ids in self.members.items()
        }

    @property
    def signature(self) -> Signature:
        """All names and values that can change a result; its text is one line."""
        named = [] if self.grammar is None else [("grammar", self.grammar.signature)]
        wer = [("wer", "unit")] if self.recognisers else []
        return Signature([("stats", None), *self.settings, *named, *wer, ("version", __version__)])

    def report(self) -> Report:
        """The numbers of all documents and of each group."""
        sizes = self.rows
        values = {name: dict(self._values(name, own)) for name, own in sizes.items()}
        names = [column.name for column in FORMS["groups"].columns[1:]]
        words = {name: self.errors(name) for name in self.recognisers}
        tables = filled(
            FORMS,
            groups=(
                [group, *(own.get(name.replace("_", " ")) for name in names)]
                for group, own in values.items()
            ),
            labels=((g, *each) for g, own in sizes.items() for each in sorted(own.labels.items())),
            depths=((g, *each) for g, own in sizes.items() for each in sorted(own.depths.items())),
            words=(
                (name, group, one.ref, *one, one.rate)
                for name, of_group in words.items()
                for group, one in of_group.items()
            ),
        )
        return Report("stats", tables, lambda look: self._text(values), self.signature)

    def _values(self, group: str, sizes: Sizes) -> Iterator[tuple[str, StatsValue]]:
        """The numbers of a group, by name."""
        yield "documents", sizes.documents
        yield "lines", sizes.lines
        yield "words", sizes.words.total()
        yield "distinct words", len(sizes.words)
        yield "elements", sizes.elements
        yield "distinct labels", len(sizes.labels)
        for kind in self.rows["all"].kinds(self.grammar):
            labels: Mapping[str, int] = sizes.kinds(self.grammar).get(kind, {})
            yield kind, sum(labels.values())
            yield f"distinct {kind}", len(labels)
        yield "elements per word", sizes.density
        yield "mean depth", sizes.depth
        yield "greatest depth", sizes.deepest
        for name in self.recognisers:
            yield f"WER {name}", self.errors(name)[group].rate

    def _text(self, values: Mapping[str, Mapping[str, StatsValue]]) -> Iterator[str]:
        """A row for each number, and a column for all documents and for each group."""
        names = list(values["all"])
        shown = (
            [one_line(name), *map(_shown, names, own.values())] for name, own in values.items()
        )
        for table in side_by_side([["", *map(one_line, names)]], shown):
            yield from lines(table)
            yield ""
        yield f"{LEGEND} WER in percent." if self.recognisers else LEGEND
        yield ""
        yield str(self.signature)


def _shown(name: str, value: StatsValue) -> str:
    if name.startswith("WER "):
        return percent(value)
    return str(value) if isinstance(value, int) else rounded(value, 2, (0.0,))
