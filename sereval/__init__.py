"""Scores structured named entities found in speech and other noisy text.

``evaluate`` pairs the documents of both sides, projects each reference onto the words of its
hypothesis, finds the best mapping and counts the slots. ``project`` and ``best_mapping`` are two of
these steps::

    import sereval

    references = sereval.read("ref/")                    # annotated, on a clean transcript
    hypotheses = sereval.read("hyp/")                    # a system's output
    evaluation = sereval.evaluate(references, hypotheses)
    evaluation.ser, evaluation.counts, evaluation.labels

A duration is in seconds (``0.3``) or has its unit (``"300ms"``); documents hold times in integer
milliseconds. Positions are frontiers between words, spans are half open.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

if TYPE_CHECKING:  # the same names, for type checkers and editors
    from .alignment.blocks import Block as Block
    from .alignment.blocks import Weights as Weights
    from .alignment.blocks import WordAlignment as WordAlignment
    from .alignment.normalise import Forms as Forms
    from .alignment.normalise import Normalisation as Normalisation
    from .alignment.normalise import normalisation as normalisation
    from .alignment.phones import align_phones as align_phones
    from .alignment.text import align_text as align_text
    from .analysis.annotators import Annotators as Annotators
    from .analysis.annotators import Coefficients as Coefficients
    from .analysis.annotators import PairOfAnnotators as PairOfAnnotators
    from .analysis.annotators import annotators as annotators
    from .analysis.audit import Audit as Audit
    from .analysis.audit import AuditRow as AuditRow
    from .analysis.audit import Audits as Audits
    from .analysis.balance import Balance as Balance
    from .analysis.balance import Case as Case
    from .analysis.balance import Corners as Corners
    from .analysis.balance import Mishearing as Mishearing
    from .analysis.blame import Blame as Blame
    from .analysis.blame import DocumentBlame as DocumentBlame
    from .analysis.campaign import Campaign as Campaign
    from .analysis.campaign import SystemBlame as SystemBlame
    from .analysis.collate import CollatedAnswer as CollatedAnswer
    from .analysis.collate import CollatedItem as CollatedItem
    from .analysis.collate import Collation as Collation
    from .analysis.compare import Comparison as Comparison
    from .analysis.compare import Condition as Condition
    from .analysis.compare import Difference as Difference
    from .analysis.compare import Interval as Interval
    from .analysis.compare import LabelDifference as LabelDifference
    from .analysis.compare import System as System
    from .analysis.curves import Curve as Curve
    from .analysis.gate import Change as Change
    from .analysis.gate import Gate as Gate
    from .analysis.gate import GateRate as GateRate
    from .analysis.gate import Part as Part
    from .analysis.grids import Axis as Axis
    from .analysis.grids import grid as grid
    from .analysis.measured import Measured as Measured
    from .analysis.measured import measure as measure
    from .analysis.rates import Score as Score
    from .analysis.references import References as References
    from .analysis.resampling import Resampling as Resampling
    from .analysis.significance import Significance as Significance
    from .analysis.stability import Credit as Credit
    from .analysis.stability import Criterion as Criterion
    from .analysis.stability import CriterionCounts as CriterionCounts
    from .analysis.stability import Stability as Stability
    from .analysis.stability import Swing as Swing
    from .analysis.sweep import Sweep as Sweep
    from .corpus.executor import Workers as Workers
    from .documents.checks import Alternative as Alternative
    from .documents.mentions import find_mentions as find_mentions
    from .documents.model import Document as Document
    from .documents.model import Element as Element
    from .documents.model import Mention as Mention
    from .documents.model import Reference as Reference
    from .documents.model import ReferenceElement as ReferenceElement
    from .documents.model import Unplaceable as Unplaceable
    from .documents.model import tree as tree
    from .documents.notes import Note as Note
    from .documents.notes import Place as Place
    from .documents.places import MentionPlaces as MentionPlaces
    from .documents.places import MentionWords as MentionWords
    from .documents.recut import time_words as time_words
    from .documents.tags import Phrase as Phrase
    from .documents.tags import Tags as Tags
    from .errors import SerevalError as SerevalError
    from .evaluation.aligned import GivenAlignment as GivenAlignment
    from .evaluation.aligned import load_alignment as load_alignment
    from .evaluation.evaluate import evaluate as evaluate
    from .evaluation.placed import PlacementRange as PlacementRange
    from .evaluation.settings import ByWords as ByWords
    from .evaluation.settings import Settings as Settings
    from .evaluation.settings import Signature as Signature
    from .evaluation.totals import DocumentScore as DocumentScore
    from .evaluation.totals import Evaluation as Evaluation
    from .evaluation.totals import Mapped as Mapped
    from .evaluation.totals import ScoreInterval as ScoreInterval
    from .evaluation.words import DocumentErrors as DocumentErrors
    from .evaluation.words import Readings as Readings
    from .evaluation.words import WordScore as WordScore
    from .formats import parse as parse
    from .formats import read as read
    from .integrations.assertions import assert_ser_at_most as assert_ser_at_most
    from .integrations.assertions import assert_ser_not_grown as assert_ser_not_grown
    from .integrations.documents import from_offsets as from_offsets
    from .integrations.documents import from_spacy as from_spacy
    from .integrations.documents import from_spans as from_spans
    from .integrations.documents import from_tags as from_tags
    from .integrations.metric import Metric as Metric
    from .integrations.metric import ser_score as ser_score
    from .integrations.metric import spacy_scorer as spacy_scorer
    from .integrations.pandas import from_frame as from_frame
    from .labels.grammar import Grammar as Grammar
    from .labels.grammar import Violation as Violation
    from .labels.grammar import bundled_grammars as bundled_grammars
    from .labels.grammar import load_grammar as load_grammar
    from .labels.relabel import LabelMap as LabelMap
    from .labels.relabel import Labels as Labels
    from .labels.relabel import load_map as load_map
    from .mapping.best import Mapping as Mapping
    from .mapping.best import Preference as Preference
    from .mapping.best import Rules as Rules
    from .mapping.best import best_mapping as best_mapping
    from .mapping.best import upper_bound as upper_bound
    from .measures.figures import Figure as Figure
    from .measures.rates import Errors as Errors
    from .measures.rates import Rate as Rate
    from .measures.slots import Costs as Costs
    from .measures.slots import Counts as Counts
    from .measures.slots import Slot as Slot
    from .measures.words import BiasingList as BiasingList
    from .measures.words import ElementErrors as ElementErrors
    from .measures.words import WordErrors as WordErrors
    from .measures.words import WordParts as WordParts
    from .projection.project import project as project
    from .projection.project import project_aligned as project_aligned
    from .report.schemas import schema as schema
    from .runs.biasing import load_biasing as load_biasing
    from .runs.calls import audit as audit
    from .runs.calls import blame as blame
    from .runs.calls import campaign as campaign
    from .runs.calls import collate as collate
    from .runs.calls import compare as compare
    from .runs.calls import gate as gate
    from .runs.calls import references as references
    from .runs.calls import score as score
    from .runs.calls import stability as stability
    from .runs.calls import sweep as sweep
    from .schemes.measure import Measure as Measure
    from .schemes.measure import parse_measure as parse_measure
    from .schemes.measure import parse_measures as parse_measures
    from .schemes.result import Account as Account
    from .schemes.result import AlignedRow as AlignedRow
    from .schemes.result import DocumentFigures as DocumentFigures
    from .schemes.result import SchemeScore as SchemeScore
    from .schemes.result import Verdict as Verdict
    from .schemes.table import Scheme as Scheme


_HOMES = {
    "Account": "schemes.result",
    "AlignedRow": "schemes.result",
    "Alternative": "documents.checks",
    "Annotators": "analysis.annotators",
    "Audit": "analysis.audit",
    "AuditRow": "analysis.audit",
    "Audits": "analysis.audit",
    "Axis": "analysis.grids",
    "Balance": "analysis.balance",
    "BiasingList": "measures.words",
    "Blame": "analysis.blame",
    "Block": "alignment.blocks",
    "ByWords": "evaluation.settings",
    "Campaign": "analysis.campaign",
    "Case": "analysis.balance",
    "Change": "analysis.gate",
    "CollatedAnswer": "analysis.collate",
    "CollatedItem": "analysis.collate",
    "Coefficients": "analysis.annotators",
    "Collation": "analysis.collate",
    "Comparison": "analysis.compare",
    "Condition": "analysis.compare",
    "Corners": "analysis.balance",
    "Costs": "measures.slots",
    "Counts": "measures.slots",
    "Credit": "analysis.stability",
    "Criterion": "analysis.stability",
    "CriterionCounts": "analysis.stability",
    "Curve": "analysis.curves",
    "Difference": "analysis.compare",
    "Document": "documents.model",
    "DocumentBlame": "analysis.blame",
    "DocumentErrors": "evaluation.words",
    "DocumentFigures": "schemes.result",
    "DocumentScore": "evaluation.totals",
    "Element": "documents.model",
    "ElementErrors": "measures.words",
    "Errors": "measures.rates",
    "Evaluation": "evaluation.totals",
    "Figure": "measures.figures",
    "Forms": "alignment.normalise",
    "Gate": "analysis.gate",
    "GateRate": "analysis.gate",
    "GivenAlignment": "evaluation.aligned",
    "Grammar": "labels.grammar",
    "Interval": "analysis.compare",
    "LabelDifference": "analysis.compare",
    "LabelMap": "labels.relabel",
    "Labels": "labels.relabel",
    "Mapped": "evaluation.totals",
    "Mapping": "mapping.best",
    "Measure": "schemes.measure",
    "Measured": "analysis.measured",
    "Mention": "documents.model",
    "MentionPlaces": "documents.places",
    "MentionWords": "documents.places",
    "Metric": "integrations.metric",
    "Mishearing": "analysis.balance",
    "Normalisation": "alignment.normalise",
    "Note": "documents.notes",
    "PairOfAnnotators": "analysis.annotators",
    "Part": "analysis.gate",
    "Phrase": "documents.tags",
    "Place": "documents.notes",
    "PlacementRange": "evaluation.placed",
    "Preference": "mapping.best",
    "Rate": "measures.rates",
    "Readings": "evaluation.words",
    "Reference": "documents.model",
    "ReferenceElement": "documents.model",
    "References": "analysis.references",
    "Resampling": "analysis.resampling",
    "Rules": "mapping.best",
    "Scheme": "schemes.table",
    "SchemeScore": "schemes.result",
    "ScoreInterval": "evaluation.totals",
    "SerevalError": "errors",
    "Score": "analysis.rates",
    "Settings": "evaluation.settings",
    "Signature": "evaluation.settings",
    "Significance": "analysis.significance",
    "Slot": "measures.slots",
    "Stability": "analysis.stability",
    "Sweep": "analysis.sweep",
    "Swing": "analysis.stability",
    "System": "analysis.compare",
    "SystemBlame": "analysis.campaign",
    "Tags": "documents.tags",
    "Unplaceable": "documents.model",
    "Verdict": "schemes.result",
    "Violation": "labels.grammar",
    "Weights": "alignment.blocks",
    "WordAlignment": "alignment.blocks",
    "WordErrors": "measures.words",
    "WordParts": "measures.words",
    "WordScore": "evaluation.words",
    "Workers": "corpus.executor",
    "align_phones": "alignment.phones",
    "align_text": "alignment.text",
    "annotators": "analysis.annotators",
    "assert_ser_at_most": "integrations.assertions",
    "assert_ser_not_grown": "integrations.assertions",
    "audit": "runs.calls",
    "best_mapping": "mapping.best",
    "blame": "runs.calls",
    "bundled_grammars": "labels.grammar",
    "campaign": "runs.calls",
    "collate": "runs.calls",
    "compare": "runs.calls",
    "evaluate": "evaluation.evaluate",
    "find_mentions": "documents.mentions",
    "from_frame": "integrations.pandas",
    "from_offsets": "integrations.documents",
    "from_spacy": "integrations.documents",
    "from_spans": "integrations.documents",
    "from_tags": "integrations.documents",
    "gate": "runs.calls",
    "grid": "analysis.grids",
    "load_alignment": "evaluation.aligned",
    "load_biasing": "runs.biasing",
    "load_grammar": "labels.grammar",
    "load_map": "labels.relabel",
    "measure": "analysis.measured",
    "normalisation": "alignment.normalise",
    "parse": "formats",
    "parse_measure": "schemes.measure",
    "parse_measures": "schemes.measure",
    "project": "projection.project",
    "project_aligned": "projection.project",
    "read": "formats",
    "references": "runs.calls",
    "schema": "report.schemas",
    "score": "runs.calls",
    "ser_score": "integrations.metric",
    "spacy_scorer": "integrations.metric",
    "stability": "runs.calls",
    "sweep": "runs.calls",
    "time_words": "documents.recut",
    "tree": "documents.model",
    "upper_bound": "mapping.best",
}
"""The module of each public name."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used. The command line uses none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return globals().setdefault(name, value)


def __dir__() -> list[str]:
    return ["__version__", *__all__]
