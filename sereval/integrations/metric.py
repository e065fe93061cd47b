"""Scores in a training loop: a metric that takes batches, and a scorer for spaCy.

Both call :func:`sereval.evaluate`. They make documents from the data of the loop, and plain numbers
from the evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from math import nan
from typing import Any

from ..documents.model import Document, Mention, Reference, tree
from ..errors import SerevalError
from ..evaluation.evaluate import DocumentScore, Evaluation, evaluate, settings_from
from ..evaluation.report import IN_TEXT
from ..labels import Labels, load_grammar, load_map
from ..mapping.search import TooManyStates
from ..measures import Costs
from ..render.report import plain
from .documents import from_spacy, listed, paired


class Metric:
    """A metric with the interface of Hugging Face's ``evaluate``, which need not be installed.

    A prediction or a reference has one of the forms of
    :func:`sereval.integrations.documents.document_from`: a list of IOB tags; ``(words, spans)``;
    ``{"words", "tags"}``, ``{"words", "spans"}`` or ``{"text", "entities"}``; a `Document`; a
    ``Doc`` of spaCy. Predictions and references pair by their order.

    Args:
        jobs: as for :func:`sereval.evaluate`.
        settings: keyword arguments of :func:`sereval.evaluate`, such as ``tolerance``.

    Attributes:
        evaluation: the last evaluation, which holds more than the numbers; ``None`` before the
            first call of :meth:`compute`.

    Raises:
        TypeError: :func:`sereval.evaluate` has no such argument.
        SerevalError: it refuses a value.

    >>> metric = Metric()
    >>> metric.add_batch(predictions=[["B-PER", "O"]], references=[["B-PER", "I-PER"]])
    >>> found = metric.compute()
    >>> found["ser"], found["S_S"], found["labels"]["PER"]["Ref"]
    (0.5, 1, 1)
    """

    def __init__(self, *, jobs: int = 1, **settings: Any) -> None:
        settings_from(**settings)  # wrong settings fail here
        self.settings = {"jobs": jobs, **settings}
        self.evaluation: Evaluation | None = None
        self._sides: tuple[list[Document | Reference], ...] = ([], [])

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Add one pair.

        Args:
            prediction, reference: documents in one of the forms that the class describes.

        Raises:
            SerevalError: as :meth:`add_batch`.

        >>> metric = Metric()
        >>> metric.add(prediction=["B-PER"], reference=["B-LOC"])
        >>> metric.compute()["ser"]
        0.5
        """
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[Any], references: Iterable[Any]) -> None:
        """Add pairs of predictions and references.

        Args:
            predictions, references: documents in one of the forms that the class describes, in the
                same order on both sides.

        Raises:
            SerevalError: the sides have different lengths, or a value is not a document. Then
                nothing of the batch is added.

        >>> metric = Metric()
        >>> metric.add_batch(predictions=[["B-PER"], ["O"]], references=[["B-LOC"], ["O"]])
        >>> metric.compute()["ser"]
        0.5
        """
        sides = {
            "references": listed(references, "a list of references"),
            "predictions": listed(predictions, "a list of predictions"),
        }
        added = paired(sides, map(str, count(len(self._sides[0]))))
        for side, documents in zip(self._sides, added.values(), strict=True):
            side.extend(documents)

    def compute(self, *, predictions: Any = None, references: Any = None) -> dict[str, Any]:
        """Score all pairs added so far, and forget them.

        Args:
            predictions, references: further pairs to add first.

        Returns:
            The :func:`numbers` of the score.

        Raises:
            SerevalError: nothing was added, or :func:`sereval.evaluate` refuses the documents.

        >>> found = Metric().compute(predictions=[["B-PER"]], references=[["B-LOC"]])
        >>> found["ser"], found["S_T"]
        (0.5, 1)
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        if not self._sides[0]:
            raise SerevalError("nothing was added, expected predictions and references")
        references, predictions = self._sides
        self._sides = ([], [])
        self.evaluation = evaluate(references, predictions, **self.settings)
        return numbers(self.evaluation)


def numbers(score: Evaluation) -> dict[str, Any]:
    """The rates and counts of a score as plain numbers, and under ``labels`` of each label."""
    costs = score.settings.costs
    found = {
        name: {one.name: plain(one.value(counts, costs)) for one in IN_TEXT}
        for name, counts in {"": score.counts, **score.labels}.items()
    }
    return {**found.pop(""), "labels": found}


def ser_score(y_true: Iterable[Any], y_pred: Iterable[Any], **settings: Any) -> float:
    """The slot error rate, in the form of the metrics of scikit-learn.

    For a scorer, use ``make_scorer(sereval.ser_score, greater_is_better=False)``.

    Args:
        y_true, y_pred: documents in one of the forms that :class:`Metric` takes, such as tags, in
            the same order on both sides.
        settings: the keyword arguments of :func:`sereval.evaluate`.

    Returns:
        The rate, as a fraction; ``nan`` without any reference element.

    Raises:
        SerevalError: as :meth:`Metric.compute`.

    >>> ser_score([["B-PER", "I-PER"]], [["B-PER", "O"]])
    0.5
    """
    found = Metric(**settings).compute(predictions=y_pred, references=y_true)
    return nan if found["ser"] is None else float(found["ser"])


def spacy_scorer(
    group: str | None = None,
    name: str = "ser",
    costs: str | None = None,
    pairing: str = "word",
    neutral: list[str] | None = None,
    grammar: str | None = None,
    label_map: str | None = None,
    only: list[str] | None = None,
    level: int | None = None,
    max_states: int = 10_000,
) -> Callable[..., dict[str, Any]]:
    """A scorer for a component of spaCy, registered as ``sereval.ser_scorer.v1``.

    A configuration has ``@scorers = "sereval.ser_scorer.v1"`` under ``[components.ner.scorer]``.
    Under ``[training.score_weights]`` it names ``neg_ser``, for which greater values are better.

    Args:
        group: the name of a group of spans, which may be nested; ``None``: the group that the
            component fills, or ``doc.ents`` if it fills none.
        name: the name of the rate. Two components of one pipeline need different names.
        costs, pairing, neutral: as on the command line, such as ``S_S=0.5,D=2`` and ``half``.
        grammar, label_map, only, level: the changes of labels; the map is a path.
        max_states: the limit of the search for the best mapping of an example. An untrained
            component can find hundreds of spans in a sentence. Beyond the limit only exact matches
            are paired, which costs at least as much as the best mapping.

    Returns:
        A function from examples to ``ser``, ``neg_ser``, ``ser_p``, ``ser_r``, ``ser_f`` (of exact
        matches), ``ser_per_type`` and ``ser_unsettled`` (the number of examples beyond the limit).
        The figures of exact matches also have the names of spaCy's own scorer (``ents_f``,
        ``spans_sc_f``), which spaCy's tables and weights use. Examples without annotation are
        skipped, as in spaCy's own scorer. Without any reference element the rates are ``None``.

    Raises:
        SerevalError: the costs, the pairing, the labels, the grammar or the map are wrong.

    >>> import spacy
    >>> from spacy.training import Example
    >>> doc = spacy.blank("en")("Chirac met Putin")
    >>> gold = {"entities": [(0, 6, "PER"), (11, 16, "PER")]}
    >>> spacy_scorer()([Example.from_dict(doc, gold)])["ser"]
    1.0
    """
    labels = Labels(
        load_map(label_map) if label_map else None,
        tuple(only or ()),
        level,
        load_grammar(grammar) if grammar else None,
    )
    settings: dict[str, Any] = {
        "costs": costs and Costs.parse(costs),
        "pairing": pairing,
        "neutral": neutral or (),
        "labels": labels,
    }
    how = settings_from(**settings, max_states=max_states)  # fails here, not after an epoch

    def score(examples: Iterable[Any], **component: Any) -> dict[str, Any]:
        spans = group or component.get("spans_key")
        documents: list[DocumentScore] = []
        unsettled = 0
        for example in examples:
            gold, doc = example.reference, example.predicted
            if not (gold.has_annotation("ENT_IOB") if spans is None else spans in gold.spans):
                continue
            reference = from_spacy(gold, group=spans)
            right = {*_places(reference)}
            if spans is None or spans in doc.spans:
                found = from_spacy(doc, group=spans, crossing="insertion", first=right)
            else:
                found = replace(from_spacy(doc), elements=())
            try:
                own = evaluate([reference], [found], max_states=max_states, **settings)
            except TooManyStates:
                unsettled += 1
                own = evaluate([reference], [_exact_alone(right, found)], **settings)
            documents += own.documents
        rates = numbers(Evaluation(tuple(documents), how))
        return {
            name: rates["ser"],
            f"neg_{name}": None if rates["ser"] is None else -rates["ser"],
            **{f"{name}_{key[0]}": rates[key] for key in _EXACT},
            f"{name}_per_type": rates["labels"],
            f"{name}_unsettled": unsettled,
            **_own(rates, "ents" if spans is None else f"spans_{spans}"),
        }

    return score


def _places(document: Document) -> list[tuple[str, int, int]]:
    return [(e.label, e.start, e.end) for e in document.elements]


def _exact_alone(right: set[tuple[str, int, int]], found: Document) -> Document:
    """The prediction with exact matches as elements and all other elements as mentions."""
    places = _places(found)
    lost = (Mention(one[0], found.words[one[1]]) for one in places if one not in right)
    return replace(
        found,
        elements=tree(one for one in places if one in right),
        mentions=(*(found.mentions or ()), *lost),
    )


_EXACT = ("precision", "recall", "f1")


def _own(found: dict[str, Any], name: str) -> dict[str, Any]:
    """The figures of exact matches under spaCy's own names, 0 where one side has no element."""
    if not found["Ref"] and not found["Hyp"]:
        return {f"{name}_{key}": None for key in ("p", "r", "f", "per_type")}
    by_label = {
        label: {key[0]: row[key] or 0.0 for key in _EXACT} for label, row in found["labels"].items()
    }
    return {
        **{f"{name}_{key[0]}": found[key] or 0.0 for key in _EXACT},
        f"{name}_per_type": by_label,
    }
