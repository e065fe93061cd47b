"""Files ``.spacy`` of spaCy 3: documents with entities, or with a group of spans, in a ``DocBin``.

Source: the documentation of spaCy, "DocBin".
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

from ..documents.model import Document, Element, Reference, tree
from ..documents.notes import Note, Place, count_notes
from ..errors import SerevalError
from .crossing import nested
from .file import File as Source
from .file import quote
from .inline import check_writable
from .records import are_whole
from .writers import WrittenFiles, exact, lost_of

GROUP = "sc"
"""The name of the group of spans that is written; spaCy's pipes have it by default."""
READ = "spans of a group, read as no document has entities"
SKIPPED = "spans in groups beside the entities, skipped"
NESTED = f"elements, written into the group of spans {GROUP} as some are inside others"

_BROKEN = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError)
"""The exceptions that spaCy raises for damaged files."""
_LARGEST = 1 << 30
"""The most bytes of a file when it is unpacked."""


def read_docbin(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a ``DocBin``.

    The policies ``crossing`` and ``equal`` apply to the spans of a group; entities cannot cross.

    Args:
        source: the file, in ``source.data``.

    Returns:
        A document for each ``Doc``; its id is the file's, with a number if there are several.
        Tokens of white space are no words. A break stands where a sentence begins. The elements
        are the entities; if no document has any, and all groups of spans have one name, the spans
        of this group.

    Raises:
        InputError: spaCy is not installed, or cannot read the file; groups of several names but no
            entity; a span without a word; spans that cross.
    """
    docs = _docs(source)
    names = sorted({name for doc in docs for name, spans in doc.spans.items() if len(spans)})
    has_entities = any(len(doc.ents) for doc in docs)
    if len(names) > 1 and not has_entities:
        raise source.error(
            f"groups of spans {', '.join(names)} but no entity, expected one of them"
        )
    group = names[0] if names and not has_entities else None
    return [
        (None, _document(source, source.id if len(docs) == 1 else f"{source.id}-{k}", doc, group))
        for k, doc in enumerate(docs, 1)
    ]


def _spacy(message: Callable[[str], SerevalError]) -> Any:
    try:
        import spacy.tokens  # an extra, and slow to import
        import spacy.vocab
    except ImportError:
        raise message(
            "a file of spaCy needs spaCy, which is not installed: pip install 'sereval[spacy]'"
        ) from None
    return spacy


def _docs(source: Source) -> list[Any]:
    """The documents as spaCy reads them."""
    spacy = _spacy(source.error)
    _check_packed(source)
    try:
        found = spacy.tokens.DocBin().from_bytes(source.data)
        docs = list(found.get_docs(spacy.vocab.Vocab()))
    except _BROKEN:
        raise source.error("spaCy cannot read it, expected a DocBin") from None
    if not docs:
        raise source.error("found no document in it, expected one or more")
    return docs


def _check_packed(source: Source) -> None:
    """Refuse a file that is not packed whole, or is too large when it is unpacked."""
    packed = zlib.decompressobj()
    try:
        packed.decompress(source.data or b"", _LARGEST)
    except zlib.error:
        raise source.error("it is not packed as spaCy packs it, expected a DocBin") from None
    if not packed.eof:
        raise source.error("it is cut short or holds more than 1 GiB, expected a whole DocBin")


def _document(source: Source, id: str, doc: Any, group: str | None) -> Document:
    frontiers = [0]  # the frontier before each token
    for token in doc:
        frontiers.append(frontiers[-1] + (not token.text.isspace()))
    spans = [
        (span.label_, frontiers[span.start], frontiers[span.end])
        for span in (doc.ents if group is None else doc.spans.get(group, ()))
    ]
    words = tuple(token.text for token in doc if not token.text.isspace())
    for label, start, end in spans:
        if not label or start == end:
            raise source.error(f"document {quote(id)}: a span {quote(label)} without label or word")
    kept, notes = _nested(source, id, spans)
    others = sum(len(found) for found in doc.spans.values()) if group is None else 0
    counts = {READ: len(spans) if group else 0, SKIPPED: others}
    begins = {frontiers[token.i] for token in doc if token.is_sent_start and token.i}
    return Document(
        id,
        words,
        tree(spans[k] for k in kept),
        breaks=tuple(sorted(begins - {0, len(words)})),
        source=source.path,
        notes=(*count_notes(counts), *notes),
    )


def _nested(
    source: Source, id: str, spans: Sequence[tuple[str, int, int]]
) -> tuple[list[int], tuple[Note, ...]]:
    """The spans that become elements, by the policies ``crossing`` and ``equal``."""

    def shown(k: int) -> str:
        return f"{spans[k][0]} [{spans[k][1]}, {spans[k][2]})"

    def refusal(*both: int) -> SerevalError:
        earlier, later = map(shown, sorted(both))
        return source.error(
            f"document {quote(id)}: {later} crosses {earlier}, expected one in the other or apart; "
            f"{source.hint('crossing')}"
        )

    return nested(source, spans, lambda k: Place(shown(k), id), refusal)


# ---------------------------------------------------------------------------------------- writing


def write_docbin(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold.

    Elements that are in no others are entities. If some are in others, all are in a group of spans.
    """
    found = exact(document)
    check_writable(found)
    if not are_whole([*found.words, *(element.label for element in found.elements)]):
        raise SerevalError(f"{found.id}: half of a surrogate pair, expected none")
    spacy = _spacy(SerevalError)
    starts = {0, *found.breaks} if found.breaks else set()
    doc = spacy.tokens.Doc(
        spacy.vocab.Vocab(),
        words=list(found.words),
        sent_starts=[k in starts for k in range(len(found.words))] if starts else None,
    )
    spans = [_span(spacy, doc, element) for element in found.elements]
    is_nested = any(element.parent is not None for element in found.elements)
    if is_nested:
        doc.spans[GROUP] = spans
    else:
        doc.set_ents(spans, default="outside")
    data = spacy.tokens.DocBin(docs=[doc], store_user_data=False).to_bytes()
    lost = {**lost_of(found), NESTED: len(found.elements) if is_nested else 0}
    return WrittenFiles({".spacy": data}, count_notes(lost))


def _span(spacy: Any, doc: Any, element: Element) -> Any:
    return spacy.tokens.Span(doc, element.start, element.end, label=element.label)
