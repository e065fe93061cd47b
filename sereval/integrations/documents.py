"""Documents from data in memory: lists, tags, offsets, spaCy's ``Doc``.

The module does not import spaCy; it only reads the attributes of a ``Doc``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..documents.characters import document_of_text
from ..documents.crossing import uncrossed
from ..documents.model import Document, Mention, tree
from ..documents.notes import Note
from ..documents.tags import Tags, detect, document_of_tags
from ..errors import SerevalError


def from_spans(
    words: Iterable[str], spans: Iterable[tuple[Any, ...]] = (), *, id: str = "-"
) -> Document:
    """Make a document from words and labelled spans.

    Args:
        words: the words in order.
        spans: ``(label, start, end)`` in frontiers, in any order; see :func:`sereval.tree`.
        id: the name of the document, by which documents pair.

    Returns:
        A document without times. Its elements are in document order, each with its parent.

    Raises:
        SerevalError: ``words`` is one string; a document refuses the words or the spans.

    >>> from_spans(["la", "Russie"], [("loc", 1, 2)]).elements
    (Element(label='loc', start=1, end=2, parent=None),)
    """
    if isinstance(words, str):
        raise SerevalError(f"{id}: found one text, expected a list of words")
    try:
        elements = tree(spans)
    except SerevalError as error:
        raise SerevalError(f"{id}: {error}") from None
    return Document(id, tuple(words), elements)


def from_tags(
    words: Iterable[str] | None,
    tags: Iterable[str] | Iterable[int],
    *,
    id: str = "-",
    names: Sequence[str] | None = None,
    scheme: str | None = None,
) -> Document:
    """Make a document from one tag for each word, in IOB1, IOB2, IOBES or BILOU.

    Args:
        words: the words in order; ``None``: unknown words, which become numbers.
        tags: one tag for each word, as text or as an index into ``names``.
        id: the name of the document, by which documents pair.
        names: the tags in the order of their indices, as in the features of a data set.
        scheme: ``iob2``, ``iob1``, ``iobes``, ``bilou``, or ``conlleval``, which accepts any tag;
            ``None``: the one with the fewest misplaced tags.

    Returns:
        The document. As in files, a tag that the scheme does not allow in its position is read as
        conlleval reads it, and counted in the notes.

    Raises:
        SerevalError: the numbers of tags and words differ; the tags fit no scheme; a tag is an
            index without a name in ``names``.

    >>> from_tags(["Jacques", "Chirac"], [1, 2], names=["O", "B-PER", "I-PER"]).elements
    (Element(label='PER', start=0, end=2, parent=None),)
    """
    named = tuple(_tag(tag, names) for tag in tags)
    held = tuple(map(str, range(len(named)))) if words is None else tuple(words)
    found = scheme or detect(named)
    if found is None:
        raise SerevalError(f"{id}: the tags are of no one scheme: IOB, IOBES or BILOU")
    return document_of_tags(id, held, Tags(named, scheme=found))


def _tag(tag: str | int, names: Sequence[str] | None) -> str:
    if isinstance(tag, str):
        return tag
    if names is None:
        raise SerevalError(f"tag {tag!r} is a number, expected the names of the tags with it")
    if not 0 <= tag < len(names):
        raise SerevalError(f"tag {tag!r}, expected a number below {len(names)}")
    return names[tag]


def from_offsets(
    text: str,
    entities: Iterable[Mapping[str, Any] | Sequence[Any]],
    *,
    id: str = "-",
) -> Document:
    """Make a document from a text and entities with character offsets.

    Args:
        text: the text. A new word begins after white space and at the start and the end of each
            entity.
        entities: objects with ``start``, ``end`` and ``label`` (or ``entity_group``, the key of
            Hugging Face pipelines), or tuples ``(start, end, label)``. ``end`` is the offset after
            the last character. Other keys are ignored.
        id: the name of the document, by which documents pair.

    Returns:
        A document without times. Each entity is an element on whole words; elements are in document
        order.

    Raises:
        SerevalError: an entity is outside the text or has no word; entities cross.

    >>> from_offsets("in Paris.", [{"start": 3, "end": 8, "label": "LOC"}]).words
    ('in', 'Paris', '.')
    """
    return document_of_text(id, text, [_stretch(entity, id) for entity in entities])


def _stretch(entity: Mapping[str, Any] | Sequence[Any], id: str) -> tuple[str, int, int]:
    if isinstance(entity, Mapping):
        label = entity.get("label", entity.get("entity_group"))
        start, end = entity.get("start"), entity.get("end")
    elif not isinstance(entity, str) and len(entity) == 3:
        start, end, label = entity
    else:
        start = end = label = None
    if label is None or start is None or end is None:
        raise SerevalError(
            f"{id}: entity {entity!r}, expected start, end and label; the tokens of a pipeline "
            "are entities with aggregation_strategy='simple'"
        )
    return label, start, end


CROSSING = ("refuse", "insertion")
"""The policies for spans that cross another span or have no word."""


def from_spacy(
    doc: Any,
    *,
    group: str | None = None,
    id: str = "-",
    crossing: str = "refuse",
    first: Iterable[tuple[str, int, int]] = (),
) -> Document:
    """Make a document from a ``Doc`` of spaCy. White space tokens are left out.

    Args:
        doc: a ``Doc`` with entities, or with groups of spans, which may be nested.
        group: the name of a group in ``doc.spans``; ``None``: ``doc.ents``.
        id: the name of the document, by which documents pair.
        crossing: the policy for spans that cross an earlier span or have no word: ``refuse``, or
            ``insertion``, which turns each into a mention without a place, counted in the notes.
        first: ``(label, start, end)`` of spans that take precedence where spans cross.

    Returns:
        A document without times. Its words are the tokens in their order, its elements the spans
        that are kept, in document order.

    Raises:
        SerevalError: there is no such group or policy; a span is refused.

    >>> import spacy
    >>> doc = spacy.blank("fr")("Jacques Chirac habite Paris")
    >>> doc.spans["quaero"] = [doc.char_span(0, 14, "pers.ind"), doc.char_span(0, 7, "name.first")]
    >>> [str(element) for element in from_spacy(doc, group="quaero").elements]
    ['pers.ind [0, 2)', 'name.first [0, 1)']
    """
    if crossing not in CROSSING:
        raise SerevalError(f"found {crossing!r}, expected one of {', '.join(CROSSING)}")
    if group is not None and group not in doc.spans:
        there = ", ".join(sorted(doc.spans)) or "none at all"
        raise SerevalError(f"{id}: no group of spans {group!r}, expected one of: {there}")
    spans = doc.ents if group is None else doc.spans[group]
    frontiers = [0]  # the frontier before each token
    for token in doc:
        frontiers.append(frontiers[-1] + (not token.is_space))
    words = [token.text for token in doc if not token.is_space]
    found = [(span.label_, frontiers[span.start], frontiers[span.end]) for span in spans]
    if crossing == "refuse":
        return from_spans(words, found, id=id)
    whole = [k for k, (_, start, end) in enumerate(found) if start < end]
    ahead = set(first)
    whole.sort(key=lambda k: found[k] not in ahead)
    kept = sorted(whole[k] for k in uncrossed([found[k][1:] for k in whole]))
    document = from_spans(words, [found[k] for k in kept], id=id)
    lost = [spans[k] for k in sorted({*range(len(found))} - {*kept})]
    if not lost:
        return document
    what = "spans that cross an earlier one or are white space, each an insertion"
    mentions = tuple(Mention(span.label_, span.text) for span in lost)
    return replace(document, mentions=mentions, notes=(Note(what, len(lost)),))


def document_from(value: Any, id: str) -> Document:
    """Make a document from any of the forms that a :class:`~sereval.Metric` accepts.

    Args:
        value: a `Document`; a list of tags, one for each word; ``(words, spans)`` with ``(label,
            start, end)`` in frontiers; an object with ``words`` and ``tags``, ``words`` and
            ``spans``, or ``text`` and ``entities``; a ``Doc`` of spaCy.
        id: the name of the document.

    Raises:
        SerevalError: the value has none of these forms, or its content is refused.

    >>> document_from(["B-PER", "O"], "d").elements
    (Element(label='PER', start=0, end=1, parent=None),)
    >>> document_from({"text": "Paris", "entities": [(0, 5, "LOC")]}, "d").words
    ('Paris',)
    """
    if isinstance(value, Document):
        return replace(value, id=id)
    if isinstance(value, Mapping):
        for keys, make in _OBJECTS.items():
            if keys == value.keys():
                return make(value, id)
    elif isinstance(value, tuple) and len(value) == 2 and not isinstance(value[1], str):
        return from_spans(*value, id=id)
    elif isinstance(value, list | tuple) and all(isinstance(tag, str) for tag in value):
        return from_tags(None, value, id=id)
    elif isinstance(value, list | tuple) and all(isinstance(tag, int) for tag in value):
        raise SerevalError(
            f"{id}: the tags are numbers, expected their names, as from_tags(names=…) looks them up"
        )
    elif hasattr(value, "ents"):
        return from_spacy(value, id=id)
    objects = [" and ".join(sorted(pair)) for pair in _OBJECTS]
    raise SerevalError(
        f"{id}: found {type(value).__name__}, expected a Document, tags, (words, spans), a Doc, "
        f"or an object with {', or '.join(objects)}"
    )


_OBJECTS: dict[frozenset[str], Callable[[Mapping[str, Any], str], Document]] = {
    frozenset({"words", "tags"}): lambda value, id: from_tags(value["words"], value["tags"], id=id),
    frozenset({"words", "spans"}): lambda value, id: from_spans(
        value["words"], value["spans"], id=id
    ),
    frozenset({"text", "entities"}): lambda value, id: from_offsets(
        value["text"], value["entities"], id=id
    ),
}
