"""The score inside a training loop: an object that is fed batches, and a scorer for spaCy.

Both are shells around :func:`sereval.evaluate`: they turn what a loop has in hand into documents,
and the evaluation into plain numbers.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..documents.mention import Mention
from ..documents.model import Document, tree
from ..errors import SerevalError
from ..evaluation.evaluate import Evaluation, evaluate
from ..evaluation.settings import Settings
from ..labels.grammar import load
from ..labels.relabel import Labels, load_map
from ..mapping.solver import Unsettled
from ..measures.slots import Costs, Counts, Slot
from .documents import document_from, from_spacy


class Metric:
    """A metric as users of Hugging Face's ``evaluate`` know it; nothing of theirs is needed.

    A prediction or reference is whatever
    :func:`sereval.integrations.documents.document_from` takes: a list of IOB tags;
    ``(words, spans)``; ``{"words", "tags"}``, ``{"words", "spans"}`` or ``{"text", "entities"}``;
    a `Document`; a ``Doc`` of spaCy. They pair by their order.

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
        for k, (reference, prediction) in enumerate(zip(ours, theirs, strict=True), first):
            if _are_tags(reference) and _are_tags(prediction) and len(reference) != len(prediction):
                raise SerevalError(
                    f"{k}: {len(prediction)} predicted tags for {len(reference)} of the reference, "
                    "expected one for each word"
                )
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


def _are_tags(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(tag, str) for tag in value)


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
    """A scorer for a component of spaCy, which names it ``sereval.ser_scorer.v1``.

    In a configuration: ``[components.ner.scorer]``, ``@scorers = "sereval.ser_scorer.v1"``, and
    in ``[training.score_weights]`` ``neg_ser``, which is the greater the better.

    Args:
        group: name of a group of spans, which may be nested; ``None``: that of the component, if
            it fills one, or ``doc.ents``.
        name: what the rate is called; two components of a pipeline need two names.
        costs, pairing, neutral: as on the command line: ``S_S=0.5,D=2``, ``half``, labels.
        grammar, label_map, only, level: what becomes of labels first; the map is a path.
        max_states: how far to search for the best mapping of an example. A component that has
            learnt nothing yet finds hundreds of spans in a sentence; beyond that, exact matches
            alone are paired, which costs no less than the best mapping.

    Returns:
        A function from examples to ``ser``, ``neg_ser``, ``ser_p``, ``ser_r``, ``ser_f`` (exact
        matches), ``ser_per_type`` and ``ser_unsettled`` (in how many examples exact matches alone
        are paired); and exact matches again under the names that spaCy's own scorer has for them
        (``ents_f``, ``spans_sc_f``), which its tables and weights look for. Examples without
        annotation are passed over, as spaCy's own scorer does; without any other, or any reference
        element, rates are ``None``.

    Raises:
        SerevalError: costs, a pairing, labels, a grammar or a map that are none.

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
        load(grammar) if grammar else None,
    )
    settings: dict[str, Any] = {
        "costs": Costs.parse(costs) if costs else Costs(),
        "pairing": pairing,
        "neutral": frozenset(neutral or ()),
        "labels": labels,
    }
    Settings(**settings, max_states=max_states)  # what is wrong fails here, not after an epoch

    def score(examples: Iterable[Any], **component: Any) -> dict[str, Any]:
        spans = group or component.get("spans_key")
        metric, unsettled = Metric(**settings), 0
        pairs = list(_annotated(examples, spans))
        for gold, found in pairs:
            try:
                evaluate([gold], [found], max_states=max_states, **settings)
            except Unsettled:
                unsettled += 1
                metric.add(prediction=_exact_alone(gold, found), reference=gold)
            else:
                metric.add(prediction=found, reference=gold)
        rates = metric.compute() if pairs else {**numbers(Counts(), Costs()), "labels": {}}
        return {
            **_scores(rates, name),
            f"{name}_unsettled": unsettled,
            **_own(rates, "ents" if spans is None else f"spans_{spans}"),
        }

    return score


def _annotated(examples: Iterable[Any], group: str | None) -> Iterator[tuple[Document, Document]]:
    """Both sides of the examples that have annotation."""
    for example in examples:
        gold = example.reference
        if gold.has_annotation("ENT_IOB") if group is None else group in gold.spans:
            reference = from_spacy(gold, group=group)
            yield reference, _predicted(example.predicted, group, reference)


def _exact_alone(gold: Document, found: Document) -> Document:
    """What was found with the elements that the reference has; all others are without a place."""
    there = Counter((e.label, e.start, e.end) for e in gold.elements)
    kept, lost = [], []
    for element in found.elements:
        place = element.label, element.start, element.end
        if gold.words == found.words and there[place]:
            there[place] -= 1
            kept.append(place)
        else:
            lost.append(Mention(element.label, found.words[element.start]))
    mentions = (*(found.mentions or ()), *lost)
    return replace(found, elements=tree(kept), mentions=mentions)


def _predicted(doc: Any, group: str | None, gold: Document) -> Document:
    """What a component found; one that found nothing may leave no group behind.

    A component that has learnt little finds spans that cross, and training goes on all the same:
    what the reference has is kept, then what comes first.
    """
    if group is not None and group not in doc.spans:
        return replace(from_spacy(doc), elements=())
    right = {(e.label, e.start, e.end) for e in gold.elements}
    return from_spacy(doc, group=group, crossing="insertion", first=right)


def _scores(found: dict[str, Any], name: str) -> dict[str, Any]:
    """The numbers under names in the manner of spaCy."""
    ser = found["ser"]
    return {
        name: ser,
        f"neg_{name}": None if ser is None else -ser,
        **{f"{name}_{key[0]}": found[key] for key in _EXACT},
        f"{name}_per_type": found["labels"],
    }


_EXACT = ("precision", "recall", "f1")


def _own(found: dict[str, Any], name: str) -> dict[str, Any]:
    """Exact matches under spaCy's own names, and as it has them: 0 where one side has nothing."""
    if not found["Ref"] and not found["Hyp"]:
        return {f"{name}_{key}": None for key in ("p", "r", "f", "per_type")}
    by_label = {
        label: {key[0]: row[key] or 0.0 for key in _EXACT} for label, row in found["labels"].items()
    }
    return {
        **{f"{name}_{key[0]}": found[key] or 0.0 for key in _EXACT},
        f"{name}_per_type": by_label,
    }
