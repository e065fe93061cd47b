"""Documents from data in memory: lists, tags, offsets, spaCy's ``Doc``, frames of pandas.

The module does not import spaCy; it only reads the attributes of a ``Doc``. pandas is an optional
dependency.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import accumulate, repeat
from typing import Any, NamedTuple, TypeAlias

from ..documents.model import (
    Document,
    Element,
    Mention,
    Note,
    Place,
    Reference,
    checked_span,
    cut_short,
    tree,
    uncrossed,
)
from ..documents.tags import MISPLACED, Tags, detect, foreign, misplaced
from ..documents.words import Span, cut
from ..errors import InputError, SerevalError, naming
from ..evaluation.evaluate import placed
from ..formats import FORMATS, WRITERS, parse
from ..formats.build import LABELS, PLACES, UNPLACEABLE, Notes, milliseconds
from ..formats.table import PARTS


def from_spans(
    words: Iterable[str] | Mapping[str, object],
    spans: Iterable[tuple[Any, ...]] = (),
    *,
    id: str = "-",
    times: Iterable[tuple[Any, Any]] | None = None,
    unit: str | None = None,
) -> Document:
    """Make a document from words and labelled spans.

    Args:
        words: the words in order; or the output of a recogniser such as Whisper as its JSON holds
            it, which gives the times too.
        spans: ``(label, start, end)`` in frontiers, in any order; see :func:`sereval.tree`.
        id: the name of the document, by which documents pair.
        times: start and end of each word, in seconds: ``(0.0, 0.25)``; ``None``: unknown.
        unit: ``s`` or ``ms``, the unit of times; ``None``: seconds, of which none is a whole
            number other than 0, which could be meant as milliseconds.

    Returns:
        The document. Its elements are in document order, each with its parent.

    Raises:
        SerevalError: ``words`` is one string; a document refuses the words, times or spans.

    >>> from_spans(["la", "Russie"], [("loc", 1, 2)]).elements
    (Element(label='loc', start=1, end=2, parent=None),)
    >>> from_spans(["la", "Russie"], times=[(0, 0.25), (0.25, 0.8)]).times
    ((0, 250), (250, 800))
    """
    with naming(id):
        elements = tree(listed(spans, "a list of spans (label, start, end)"))
        if isinstance(words, Mapping):
            heard = replace(recognised(words, id), elements=elements)
        else:
            heard = Document(id, tuple(listed(words, "a list of words")), elements)
    return heard if times is None else replace(heard, times=times_in_ms(times, unit, id))


def listed(values: Any, expected: str) -> list[Any]:
    """A list of a user, with lists and numbers of Python in place of those of numpy."""
    if hasattr(values, "columns"):
        raise SerevalError(f"found a {type(values).__name__}, expected {expected}")
    if isinstance(values, str | Mapping) or not hasattr(values, "__iter__"):
        raise SerevalError(f"found {cut_short(values)}, expected {expected}")
    found: list[Any] = plain(list(values))
    return found


def plain(value: Any) -> Any:
    """A value with lists and numbers of Python in place of arrays and numbers of numpy."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if type(value) in (list, tuple) and not {*map(type, value)} <= {str, int}:
        return type(value)(map(plain, value))
    return value


def recognised(output: Any, id: str) -> Document:
    """The words of a recogniser's output, with their times if it has some."""
    try:
        [found] = parse(json.dumps(output, default=plain), id=id)
    except InputError as error:
        raise SerevalError(f"{id}: the output of a recogniser: {error.message}") from None
    except (TypeError, ValueError):
        raise SerevalError(f"{id}: found {cut_short(output)}, expected one JSON") from None
    if not isinstance(found, Document):
        raise SerevalError(f"{id}: found a fuzzy reference, expected the words of a recogniser")
    return replace(found, id=id)


def times_in_ms(times: Any, unit: str | None, id: str) -> tuple[tuple[int, int], ...]:
    """The times of words in ms."""
    if unit not in (None, "s", "ms"):
        raise SerevalError(f"{id}: found the unit {unit!r}, expected 's' or 'ms'")
    found: list[tuple[int, int]] = []
    pairs = listed(times, "a list of times (start, end)")
    try:
        for pair in pairs:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise SerevalError(f"found {cut_short(pair)}, expected (start, end)")
            found.append((_ms(pair[0], unit), _ms(pair[1], unit)))
    except SerevalError as error:
        raise SerevalError(f"{id}: word {len(found)}: {error}") from None
    return tuple(found)


def _ms(time: Any, unit: str | None) -> int:
    """A time in ms."""
    if type(time) not in (int, float, Decimal):
        raise SerevalError(f"found the time {cut_short(time)}, expected a number")
    if unit == "ms":
        if time % 1:
            raise SerevalError(f"found {time!r} ms, expected a whole number")
        return int(time)
    if unit is None and isinstance(time, int) and time:
        raise SerevalError(
            f"found the time {time}, expected seconds such as {time}.0; or unit='ms' or unit='s'"
        )
    return milliseconds(repr(time) if isinstance(time, float) else time)


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
    names = None if names is None else listed(names, "the names of the tags")
    with naming(id):
        named = tuple(_tag(tag, names) for tag in listed(tags, "a list of tags"))
        said = _numbers(len(named)) if words is None else listed(words, "a list of words")
        if len(named) != len(said):
            raise SerevalError(f"{len(named)} tags for {len(said)} words")
        scheme = scheme or detect(named)[0]
        if scheme is None:
            raise SerevalError("the tags are of no one scheme: IOB, IOBES or BILOU")
        if (k := foreign(named, scheme)) is not None:
            raise SerevalError(f"word {k} has the tag {named[k]!r}, expected one of {scheme}")
        own = Tags(named, scheme=scheme)
        elements = tuple(Element(*phrase) for phrase in own.phrases)
    wrong = misplaced(named, (), scheme)
    places = tuple(Place(named[k], f"word {k} of {id}") for k in wrong)
    notes = (Note(MISPLACED.format("", scheme), len(wrong), places=places),) if wrong else ()
    own = own._replace(elements=elements)
    return Document(id, tuple(said), elements, notes=notes, tags=own)


def _tag(tag: str | int, names: Sequence[str] | None) -> str:
    if isinstance(tag, str):
        return tag
    if type(tag) is not int:
        raise SerevalError(f"found the tag {cut_short(tag)}, expected a text or a number")
    if names is None:
        raise SerevalError(f"tag {tag!r} is a number, expected the names of the tags with it")
    if tag == -100:
        raise SerevalError("tag -100 marks a piece that is no word, expected it left out")
    if not 0 <= tag < len(names):
        raise SerevalError(f"tag {tag!r}, expected a number below {len(names)}")
    return names[tag]


def from_offsets(
    text: str,
    entities: Iterable[Mapping[str, object] | Sequence[Any]],
    *,
    id: str = "-",
) -> Document:
    """Make a document from a text and entities with character offsets.

    Args:
        text: the text. A new word begins after white space and at the start and the end of each
            entity.
        entities: objects with ``start``, ``end`` and ``label`` (or ``entity_group``, the key of
            Hugging Face pipelines), or tuples ``(start, end, label)``. ``end`` is the offset after
            the last character; ``score`` the confidence. Other keys are ignored.
        id: the name of the document, by which documents pair.

    Returns:
        A document without times. Each entity is an element on whole words; elements are in document
        order.

    Raises:
        SerevalError: an entity is outside the text or has no word; entities cross.

    >>> from_offsets("in Paris.", [{"start": 3, "end": 8, "label": "LOC"}]).words
    ('in', 'Paris', '.')
    """
    if not isinstance(text, str):
        raise SerevalError(f"{id}: found {cut_short(text)}, expected a text")
    with naming(id):
        found = listed(entities, "a list of entities (start, end, label)")
        words = cut(text, [_span(entity, id) for entity in found])
        elements = tree(span.element for span in words.spans)
    return Document(id, words.words, elements, breaks=words.breaks)


def _span(entity: object, id: str) -> Span:
    score = None
    if isinstance(entity, Mapping):
        score = plain(entity.get("score"))
        label = entity.get("label", entity.get("entity_group"))
        start, end = plain(entity.get("start")), plain(entity.get("end"))
    elif isinstance(entity, list | tuple) and len(entity) == 3:
        start, end, label = entity
    else:
        start = end = label = None
    if label is None or start is None or end is None:
        raise SerevalError(
            f"{id}: entity {cut_short(entity)}, expected start, end and label; the tokens of a "
            "pipeline are entities with aggregation_strategy='simple'"
        )
    return Span(label, start, end, confidence=score)


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
        group: the name of a group in ``doc.spans``, whose ``scores`` are confidences; ``None``:
            ``doc.ents``.
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
    >>> doc = spacy.blank("en")("Jacques Chirac lives in Paris")
    >>> doc.spans["quaero"] = [doc.char_span(0, 14, "pers.ind"), doc.char_span(0, 7, "name.first")]
    >>> [str(element) for element in from_spacy(doc, group="quaero").elements]
    ['pers.ind [0, 2)', 'name.first [0, 1)']
    """
    if crossing not in CROSSING:
        raise SerevalError(f"found {crossing!r}, expected one of {', '.join(CROSSING)}")
    if not hasattr(doc, "ents"):
        raise SerevalError(f"{id}: found {cut_short(doc)}, expected a Doc of spaCy")
    if group is not None and group not in doc.spans:
        there = ", ".join(sorted(doc.spans)) or "none at all"
        raise SerevalError(f"{id}: no group of spans {group!r}, expected one of: {there}")
    spans = doc.ents if group is None else doc.spans[group]
    # the frontier before each token
    frontiers = [*accumulate((not token.is_space for token in doc), initial=0)]
    words = [token.text for token in doc if not token.is_space]
    scores = [*getattr(spans, "attrs", {}).get("scores", ())]
    sure = map(float, scores) if len(scores) == len(spans) else repeat(None)
    found = [
        (span.label_, frontiers[span.start], frontiers[span.end], None, None, score)
        for span, score in zip(spans, sure, strict=False)
    ]
    kept = found
    lost: list[Mention] = []
    if crossing == "insertion":
        ahead = {*first}
        whole = [k for k, (_, start, end, *_) in enumerate(found) if start < end]
        whole.sort(key=lambda k: found[k][:3] not in ahead)
        places = {whole[k] for k in uncrossed([found[k][1:3] for k in whole])}
        kept = [found[k] for k in sorted(places)]
        lost = [Mention(one.label_, one.text) for k, one in enumerate(spans) if k not in places]
    document = from_spans(words, kept, id=id)
    if not lost:
        return document
    what = "spans that cross an earlier one or are white space, each an insertion"
    return replace(document, mentions=tuple(lost), notes=(Note(what, len(lost)),))


# --- documents from any form ---------------------------------------------------------------------


def paired(
    sides: Mapping[str, Sequence[Any]], ids: Iterable[str]
) -> dict[str, list[Document | Reference]]:
    """The documents of sides that pair by their order, each value in any of the forms below."""
    # spans alone get as many words as the other sides have
    longest = max(map(len, sides.values()))
    for name, side in sides.items():
        if len(side) != longest:
            raise SerevalError(
                f"argument {name}: found {len(side)} documents, expected {longest}: plain lists "
                "pair by their order"
            )
    found: dict[str, list[Document | Reference]] = {name: [] for name in sides}
    for id, *values in zip(ids, *sides.values(), strict=False):
        for name, value in zip(sides, values, strict=True):
            with naming(f"argument {name}"):
                found[name].append(document_from(value, id))
        size = max(len(side[-1].words) for side in found.values())
        for side, value in zip(found.values(), values, strict=True):
            if len(side[-1].words) < size:
                side[-1] = document_from(value, id, size)
    return found


def document_from(value: Any, id: str, size: int = 0) -> Document | Reference:
    """Make a document from any of the forms that :func:`sereval.score` accepts."""
    # spans alone have this number of words, if one of them does not reach further
    if isinstance(value, Document | Reference):
        return replace(value, id=id)
    value = plain(value)
    if isinstance(value, Mapping):
        if make := _OBJECTS.get(frozenset(value)):
            return make(**value, id=id)
    elif isinstance(value, tuple) and len(value) == 2 and not isinstance(value[1], str):
        return from_spans(*value, id=id)
    elif hasattr(value, "ents"):
        return from_spacy(value, id=id)
    elif isinstance(value, list | tuple) and (found := _from_list(value, id, size)):
        return found
    raise SerevalError(
        f"{id}: found {cut_short(value)}, expected a Document, tags, (words, spans), a Doc, or an "
        "object with words and tags, words and spans, or text and entities; from_tags takes the "
        "tokens and ner_tags of a data set"
    )


def _from_list(value: Sequence[Any], id: str, size: int) -> Document | None:
    """The document of a list of spans, of tags or of mentions; ``None``: it is no such list."""
    spans: list[Any] | None = None
    # objects with label, start and end are those of nervaluate, whose end is the last word
    if all(isinstance(one, Mapping) and one.keys() >= {"label", "start", "end"} for one in value):
        found = (checked_span((one["label"], one["start"], one["end"])) for one in value)
        spans = [(label, start, end + 1) for label, start, end in found]
    elif all(
        isinstance(one, tuple | list) and len(one) == 3 and not isinstance(one[1], str)
        for one in value
    ):
        spans = [*map(checked_span, value)]
    if spans is not None:
        words = _numbers(max([size, *(end for *_, end in spans)]))
        return from_spans(words, spans, id=id)
    if _are_texts(value):
        return from_tags(None, value, id=id)
    if all(_are_texts(one) and len(one) == 2 for one in value):
        return Document(id, (), mentions=tuple(Mention(*pair) for pair in value))
    return None


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _numbers(size: int) -> tuple[str, ...]:
    """The words of a document whose words are unknown."""
    return tuple(map(str, range(size)))


_OBJECTS: dict[frozenset[str], Callable[..., Document]] = {
    frozenset({"words", "tags"}): from_tags,
    frozenset({"words", "spans"}): from_spans,
    frozenset({"text", "entities"}): from_offsets,
}

# --- files ---------------------------------------------------------------------------------------


class WrittenFiles(NamedTuple):
    """The files of one document."""

    # text, or bytes in a binary format, by suffix; the main one first
    files: dict[str, str | bytes]
    lost: tuple[Note, ...] = ()  # on the parts left out


def files_of(
    document: Document | Reference, format: str, *, tags: str | None = None
) -> WrittenFiles:
    """Convert a document to the files of a format."""
    known, writer, lost = FORMATS[format], WRITERS[format], Notes()
    if tags is not None and not writer.schemes:
        raise SerevalError(f"{format} has no scheme of tags, found {tags!r}")
    if isinstance(document, Reference) and not writer.is_fuzzy:
        reference, document = placed(document)
        lost.add(PLACES, sum(len(e.starts) > 1 or len(e.ends) > 1 for e in reference.elements))
        lost.add(LABELS, sum(len(e.labels) - 1 for e in reference.elements))
        lost.add(UNPLACEABLE, len(reference.unplaceable))
    for part, what in PARTS.items():
        if part not in writer.holds:
            lost.add(what, len(getattr(document, part, None) or ()))
    chosen = {} if tags is None else {"tags": tags}
    text = known.function(f"write_{format}")(document, lost, **chosen)
    texts = text if isinstance(text, tuple) else (text,)
    files = zip((writer.suffix, known.beside), texts, strict=False)
    return WrittenFiles(dict(files), lost.all())


Frame: TypeAlias = Any
"""A ``pandas.DataFrame``, untyped because pandas has no types and may not be installed."""


def from_frame(
    words: Frame, elements: Frame | None = None, *, unit: str | None = None
) -> list[Document]:
    """Make documents from a frame of words and an optional frame of elements.

    Args:
        words: one row for each word, in order, with the columns ``document`` and ``word``.
            Optional columns are ``start`` and ``end``, and ``tag``, in IOB, IOBES or BILOU.
        elements: one row for each element, in any order, with the columns ``document``, ``label``,
            ``start`` and ``end``, the last two in frontiers of the document; ``None``: the tags, if
            any, give the elements.
        unit: the unit of the times of words, as for :func:`sereval.from_spans`: ``None`` for
            seconds, of which none is a whole number; ``s`` or ``ms``.

    Returns:
        The documents in the order of their first words.

    Raises:
        SerevalError: a column is missing or has an empty cell; there are both elements and tags;
            an element has a document without words; a document refuses its content.

    >>> import pandas
    >>> words = pandas.DataFrame({"document": ["d", "d"], "word": ["la", "Russie"]})
    >>> spans = pandas.DataFrame({"document": ["d"], "label": ["loc"], "start": [1], "end": [2]})
    >>> from_frame(words, spans)[0].elements
    (Element(label='loc', start=1, end=2, parent=None),)
    """
    spans = {} if elements is None else _rows(elements, ("label", "start", "end"), "elements")
    columns = {*getattr(words, "columns", ())}
    times = ("start", "end") if columns & {"start", "end"} else ()
    tags = ("tag",) if "tag" in columns else ()
    if tags and elements is not None:
        raise SerevalError("found elements and a column of tags, expected one of them")
    found = []
    for id, rows in _rows(words, ("word", *tags, *times), "words").items():
        named, *more = zip(*rows, strict=True)
        if tags:
            document = from_tags(named, more.pop(0), id=id)
        else:
            document = from_spans(named, spans.pop(id, ()), id=id)
        at = times_in_ms([*zip(*more, strict=True)], unit, id) if times else None
        found.append(replace(document, times=at))
    for id in spans:
        raise SerevalError(f"an element of document {id!r}, expected one that has words")
    return found


def _rows(table: Frame, columns: Iterable[str], name: str) -> dict[str, list[tuple[Any, ...]]]:
    """The cells of some columns by document, row by row, as plain values; none is empty."""
    columns = ("document", *columns)
    if not hasattr(table, "columns"):
        raise SerevalError(f"found {cut_short(table)}, expected a data frame of the {name}")
    for column in columns:
        if column not in table.columns:
            there = ", ".join(map(str, table.columns))
            raise SerevalError(f"no column {column!r} in the {name}, expected it among: {there}")
        if table[column].isna().any():
            raise SerevalError(f"column {column!r} of the {name} has an empty cell, expected none")
    found: dict[str, list[tuple[Any, ...]]] = {}
    for id, *cells in zip(*(table[column].tolist() for column in columns), strict=True):
        found.setdefault(str(id), []).append(tuple(cells))
    return found
