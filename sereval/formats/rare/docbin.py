"""Files ``.spacy`` of spaCy 3: documents with entities, or with a group of spans, in a ``DocBin``.

Source: the documentation of spaCy, "DocBin".
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from ...documents.model import Document, Element
from ...documents.notes import count_notes
from ...errors import SerevalError
from ..build import Notes, Span, document_of_spans
from ..file import File, quote
from ..writers import (
    ANYTHING,
    BREAKS,
    ELEMENTS,
    WrittenFiles,
    check_texts,
    check_words,
    lost_of,
)

GROUP = "sc"
"""The name of the group of spans that is written; spaCy's pipes have it by default."""
READ = "spans of a group, read as no document has entities"
SKIPPED = "spans in groups beside the entities, skipped"
NESTED = f"elements, written into the group of spans {GROUP} as some are inside others"

_BROKEN = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError),
    zlib.error,
)
"""The exceptions that spaCy raises for damaged files."""


def read_docbin(file: File) -> Iterator[tuple[None, Document]]:
    """
    The files of spaCy 3 (`spacy convert`, `DocBin.to_disk`). They need the [extra
    `spacy`](../install.md#extras). Each `Doc` is a document; its id is the file's name, with a
    number if there are several. Tokens of white space are no words, and sentences begin with
    boundaries of utterances. The elements are the entities (`doc.ents`). If no `Doc` of the file
    has an entity and all groups of spans have one name, the elements are the spans of that group,
    which may nest; a note counts them. Groups beside entities are skipped.

    `sereval convert` writes elements as entities. If an element is inside another, all are written
    into the group of spans `sc` instead, because entities cannot nest.

    Refused: groups of several names but no entity.
    """
    docs = _docs(file)
    names = sorted({name for doc in docs for name, spans in doc.spans.items() if len(spans)})
    has_entities = any(len(doc.ents) for doc in docs)
    if len(names) > 1 and not has_entities:
        raise file.error(f"groups of spans {', '.join(names)} but no entity, expected one of them")
    group = names[0] if names and not has_entities else None
    for k, doc in enumerate(docs, 1):
        yield None, _document(file, file.id if len(docs) == 1 else f"{file.id}-{k}", doc, group)


def _spacy(message: Callable[[str], SerevalError]) -> Any:
    try:
        import spacy.tokens  # an extra, and slow to import
        import spacy.vocab
    except ImportError:
        raise message(
            "a file of spaCy needs spaCy, which is not installed: pip install 'sereval[spacy]'"
        ) from None
    return spacy


def _docs(file: File) -> list[Any]:
    """The documents as spaCy reads them."""
    spacy = _spacy(file.error)
    try:
        found = spacy.tokens.DocBin().from_bytes(file.data)
        docs = list(found.get_docs(spacy.vocab.Vocab()))
    except _BROKEN:
        raise file.error("spaCy cannot read it, expected a DocBin") from None
    if not docs:
        raise file.error("found no document in it, expected one or more")
    return docs


def _document(file: File, id: str, doc: Any, group: str | None) -> Document:
    words = [token.text for token in doc if not token.text.isspace()]
    frontiers = [*accumulate((not token.text.isspace() for token in doc), initial=0)]
    spans = []
    for span in doc.ents if group is None else doc.spans.get(group, ()):
        label, start, end = span.label_, frontiers[span.start], frontiers[span.end]
        if not label or start == end:
            raise file.error(f"document {quote(id)}: a span {quote(label)} without label or word")
        spans.append(Span(label, start, end, name=f"{label} [{start}, {end}) of {id}"))
    notes = Notes()
    if group is None:
        notes.add(SKIPPED, sum(len(found) for found in doc.spans.values()))
    else:
        notes.add(READ, len(spans))
    breaks = {frontiers[token.i] for token in doc if token.is_sent_start} - {0, len(words)}
    return document_of_spans(file, id, words, spans, notes, breaks=sorted(breaks))


# ---------------------------------------------------------------------------------------- writing


def write_docbin(document: Document) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold.

    Elements that are in no others are entities. If some are in others, all are in a group of spans.
    """
    check_words(document, "DocBin")
    labels = [element.label for element in document.elements]
    check_texts(document.id, "DocBin", labels, ANYTHING)
    spacy = _spacy(SerevalError)
    starts = {0, *document.breaks} if document.breaks else set()
    doc = spacy.tokens.Doc(
        spacy.vocab.Vocab(),
        words=list(document.words),
        sent_starts=[k in starts for k in range(len(document.words))] if starts else None,
    )
    spans = [_span(spacy, doc, element) for element in document.elements]
    is_nested = any(element.parent is not None for element in document.elements)
    if is_nested:
        doc.spans[GROUP] = spans
    else:
        doc.set_ents(spans, default="outside")
    data = spacy.tokens.DocBin(docs=[doc], store_user_data=False).to_bytes()
    lost = {
        **lost_of(document, ELEMENTS, BREAKS),
        NESTED: len(document.elements) if is_nested else 0,
    }
    return WrittenFiles({".spacy": data}, count_notes(lost))


def _span(spacy: Any, doc: Any, element: Element) -> Any:
    return spacy.tokens.Span(doc, element.start, element.end, label=element.label)
