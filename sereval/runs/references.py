"""Several references: the sides of a run to the scores of one hypothesis against each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..analysis.references import References
from ..corpus.corpus import Corpus
from ..corpus.pairs import UnreadPair
from ..errors import UsageFault
from .arguments import asked_with
from .lists import sources_of
from .pairs import check_labels, pairs_of
from .scoring import RunRequest, scoring_of, split
from .sides import SideSource


def score_references(
    refs: Mapping[str, SideSource], hyp: SideSource, asked: RunRequest, **hooks: Any
) -> tuple[References, list[Corpus]]:
    """Score a hypothesis against each of several references.

    Args:
        refs: the references, by name.
        hyp: the hypothesis.
        asked: the options of the run.
        hooks: as for ``systems_of``.

    Returns:
        The scores, and the pairs that were read.

    Raises:
        UsageFault: a scheme that does not classify elements; a range of placements.
    """
    how, sides = scoring_of(asked)
    if how.scheme.counts not in ("slots", "elements"):
        raise UsageFault(
            "several references are for schemes that classify elements, expected them without "
            f"--scheme {how.scheme.name}"
        )
    if how.settings.placement == "range":
        raise UsageFault(
            "--placement range is for one reference, expected --placement best or --placement worst"
        )
    _, sides = split(sides, ("aligned", "measure", "biasing"))
    ways = {**sides, "known": {}, **hooks}
    read = {name: pairs_of(ref, hyp, how, **ways) for name, ref in refs.items()}
    first = next(iter(read.values())).systems[""]
    for one in read.values():  # the only documents of all sides are one document
        pairs = one.systems[""]
        if len(pairs) == len(first) == 1:
            entries = (entry and replace(entry, id=first[0].id) for entry in pairs[0])
            one.systems = {"": [UnreadPair._make(entries)]}
    found = References({name: how.count(corpus)[""] for name, corpus in read.items()})
    check_labels([*read.values()], how.settings)
    return found, [*read.values()]


def references(references: Mapping[str, Any], hypothesis: Any, **options: Any) -> References:
    """Score a hypothesis against several references, as ``sereval score --reference`` does.

    Args:
        references: the references by name, each as for :func:`sereval.score`.
        hypothesis: as for :func:`sereval.score`.
        options: the options of ``sereval score`` that say how to score.

    Returns:
        The score against each reference, the mean of their rates, and the best.

    Raises:
        SerevalError: as for the command; fewer than two references.
        TypeError: there is no such argument.

    >>> gold, other = [["B-PER"], ["O"]], [["B-LOC"], ["B-LOC"]]
    >>> found = references({"ann": gold, "bob": other}, [["B-LOC"], ["O"]])
    >>> [float(rate) for rate in found.rates.values()], float(found.best_rate), found.chosen
    ([0.5, 0.5], 0.0, {'0': 'bob', '1': 'ann'})
    """
    asked = asked_with("score", options, "slots", "elements")
    times = {name: asked.values[name] for name in ("align", "words")}
    refs = {f"reference {name}": ref for name, ref in references.items()}
    found = sources_of({**refs, "hypothesis": hypothesis})
    sides = {name: sources_of({name: value})[name] for name, value in times.items()}
    named = {name: found[f"reference {name}"] or [] for name in references}
    values = {**asked.values, **sides}
    scored, _ = score_references(named, found["hypothesis"] or [], asked.with_values(values))
    return scored
