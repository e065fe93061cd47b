"""The score inside a training loop: an object that is fed batches, and a scorer for spaCy.

Both are shells around :func:`sereval.evaluate`: they turn what a loop has in hand into documents,
and the evaluation into plain numbers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from .errors import SerevalError
from .evaluate import Evaluation, evaluate
from .interop import document_from, from_spacy
from .model import Document
from .score import Costs, Counts, Slot


class Metric:
    """A metric as users of Hugging Face's ``evaluate`` know it; nothing of theirs is needed.

    A prediction or reference is whatever :func:`sereval.interop.document_from` takes: a list of
    IOB tags; ``(words, spans)``; ``{"words", "tags"}``, ``{"words", "spans"}`` or
    ``{"text", "entities"}``; a `Document`; a ``Doc`` of spaCy. They pair by their order.

    Args:
        settings: keyword arguments of :func:`sereval.evaluate`, such as ``tolerance``.

    Attributes:
        evaluation: the last one computed, with all that the numbers leave out.

    >>> metric = Metric()
    >>> metric.add_batch(predictions=[["B-PER", "O"]], references=[["B-PER", "I-PER"]])
    >>> found = metric.compute()
    >>> found["ser"], found["S_S"], found["labels"]["PER"]["Ref"]
    (0.5, 1, 1)
    """

    def __init__(self, **settings: Any) -> None:
        inspect.signature(evaluate).bind((), (), **settings)  # a misspelt one fails here
        self.settings = settings
        self.evaluation: Evaluation | None = None
        self._sides: tuple[list[Document], list[Document]] = ([], [])

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Add one pair."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[Any], references: Iterable[Any]) -> None:
        """Add pairs, in the same order on both sides.

        Raises:
            SerevalError: more on one side than on the other; what is no document. Then none of
                the batch is added.
        """
        ours, theirs = list(references), list(predictions)
        if len(ours) != len(theirs):
            raise SerevalError(
                f"{len(theirs)} predictions for {len(ours)} references, expected one for each"
            )
        first = len(self._sides[0])
        for side, values in zip(
            self._sides,
            [
                [document_from(value, str(k)) for k, value in enumerate(values, first)]
                for values in (ours, theirs)
            ],
            strict=True,
        ):
            side.extend(values)

    def compute(self, *, predictions: Any = None, references: Any = None) -> dict[str, Any]:
        """The numbers for all that was added, which is forgotten then.

        Args:
            predictions, references: pairs to add before.

        Returns:
            As :func:`numbers`, and ``labels`` with the same for each label.

        Raises:
            SerevalError: nothing was added, sides on different words, and all that
                :func:`sereval.evaluate` refuses.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        if not self._sides[0]:
            raise SerevalError("nothing was added, expected predictions and references")
        references, predictions = self._sides
        self._sides = ([], [])
        self.evaluation = evaluate(references, predictions, **self.settings)
        costs = self.evaluation.settings.costs
        labels = {label: numbers(c, costs) for label, c in self.evaluation.labels.items()}
        return {**numbers(self.evaluation.counts, costs), "labels": labels}


def numbers(counts: Counts, costs: Costs) -> dict[str, Any]:
    """Rates and counts as plain numbers; a rate is ``None`` where its denominator is 0.

    >>> numbers(Counts(C=1, hyp=1, exact=1, exact_hyp=1), Costs())["f1"]
    1.0
    """
    return {
        "ser": counts.ser(costs),
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "cost": float(counts.cost(costs)),
        **{slot.value: counts[slot] for slot in Slot},
        "Ref": counts.ref,
        "Hyp": counts.hyp,
    }


def spacy_scorer(group: str | None = None) -> Callable[..., dict[str, Any]]:
    """A scorer for a component of spaCy, which names it ``sereval.ser_scorer.v1``.

    In a configuration: ``[components.ner.scorer]``, ``@scorers = "sereval.ser_scorer.v1"``, and
    in ``[training.score_weights]`` ``neg_ser``, which is the greater the better.

    Args:
        group: name of a group of spans, which may be nested; ``None``: ``doc.ents``.

    Returns:
        A function from examples to ``ser``, ``neg_ser``, ``ser_p``, ``ser_r``, ``ser_f`` (exact
        matches) and ``ser_per_type``. Examples without annotation are passed over, as spaCy's own
        scorer does; without any other, or any reference element, rates are ``None``.

    >>> import spacy
    >>> from spacy.training import Example
    >>> doc = spacy.blank("en")("Chirac met Putin")
    >>> gold = {"entities": [(0, 6, "PER"), (11, 16, "PER")]}
    >>> spacy_scorer()([Example.from_dict(doc, gold)])["ser"]
    1.0
    """

    def score(examples: Iterable[Any], **_settings: Any) -> dict[str, Any]:
        metric, is_empty = Metric(), True
        for example in examples:
            gold = example.reference
            if gold.has_annotation("ENT_IOB") if group is None else group in gold.spans:
                found = _predicted(example.predicted, group)
                metric.add(prediction=found, reference=from_spacy(gold, group=group))
                is_empty = False
        return _scores(
            {**numbers(Counts(), Costs()), "labels": {}} if is_empty else metric.compute()
        )

    return score


def _predicted(doc: Any, group: str | None) -> Document:
    """What a component found; one that found nothing may leave no group behind."""
    if group is not None and group not in doc.spans:
        return replace(from_spacy(doc), elements=())
    return from_spacy(doc, group=group)


def _scores(found: dict[str, Any]) -> dict[str, Any]:
    """The numbers under the names of spaCy."""
    ser = found["ser"]
    return {
        "ser": ser,
        "neg_ser": None if ser is None else -ser,
        "ser_p": found["precision"],
        "ser_r": found["recall"],
        "ser_f": found["f1"],
        "ser_per_type": found["labels"],
    }
