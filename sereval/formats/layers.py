"""Layers of annotation, as INCEpTION and WebAnno have them: which ones are read, and how.

A layer has a name such as ``de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity``, and features
such as ``value``. The option ``columns`` names those to read, as ``NamedEntity.value``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..documents.characters import Characters, Stretch
from ..documents.model import Document
from ..documents.notes import Note, Place
from ..errors import SerevalError
from .crossing import annotate_text, place_at
from .source import Source, quote

NAMED_ENTITY = ("NamedEntity", "value")
"""The layer and the feature that are read by default."""
OTHERS = "annotations of other layers, skipped"


class Annotation(NamedTuple):
    """An annotation of a layer that is read: its label, characters and line."""

    label: str
    start: int
    end: int
    line: int


def requested(source: Source) -> list[tuple[str, str]]:
    """The layers and features to read.

    Args:
        source: the file, with its option ``columns``.

    Raises:
        SerevalError: a name that is no layer and feature.

    >>> requested(Source("a.xmi", "a", ""))
    [('NamedEntity', 'value')]
    """
    if not source.options.columns:
        return [NAMED_ENTITY]
    found = []
    for name in source.options.columns:
        layer, dot, feature = name.rpartition(".")
        if not layer or not feature or not dot:
            raise SerevalError(
                f"found {quote(name)}, expected a layer and a feature such as "
                f"{'.'.join(NAMED_ENTITY)}"
            )
        found.append((layer, feature))
    return found


def document_of(
    source: Source,
    text: str,
    annotations: Sequence[Annotation],
    tokens: Sequence[Characters] | None,
    others: int,
) -> Document:
    """The document of a text with annotations, by the policies of its file.

    Args:
        source: the file, with its policies ``crossing`` and ``equal``.
        text: the text.
        annotations: in the order of the file.
        tokens: the words; ``None``: white space separates them.
        others: the number of annotations of other layers.

    Raises:
        SerevalError: an annotation outside the text or without a word; crossing annotations, by
            policy.
    """

    def place(k: int) -> Place:
        return place_at(source, annotations[k].label, annotations[k].line)

    def refusal(*both: int) -> SerevalError:
        earlier, later = (annotations[k] for k in sorted(both))
        return source.error(
            f"{later.label} crosses {earlier.label} of line {earlier.line}, expected one in the "
            f"other or apart; {source.hint('crossing')}",
            later.line,
        )

    chosen = f"columns={'+'.join(source.options.columns)}"
    notes = (
        *([Note(OTHERS, others)] if others else []),
        *(
            [Note("annotations of the layers that were asked for", len(annotations), chosen)]
            if source.options.columns
            else []
        ),
    )
    return annotate_text(
        source,
        source.id,
        text,
        [Stretch(*one) for one in annotations],
        place,
        refusal,
        tokens=tokens,
        notes=notes,
    )
