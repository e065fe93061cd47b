"""JSON of annotated words: GLiNER, DyGIE++, SpERT, tags of Hugging Face's data sets.

Each object has a list of words, and spans on them or a tag for each. `TOKENS` has the keys
that identify the program.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from ..documents.model import Document, Mention, tree
from ..documents.tags import Phrase, Tags, spell_tags
from ..documents.words import Span
from ..errors import SerevalError
from .build import (
    ANYTHING,
    Notes,
    check_texts,
    check_words,
    document_of_spans,
    read_tags,
    scheme_of,
)
from .file import Documents, File, Head, quote
from .records import Record, items, objects, of_type, strings, whole

_Span = tuple[str, int, int]

HUGGING_FACE = "a data set of Hugging Face"
TOKENS = (
    ("GLiNER", "tokenized_text", "ner"),
    ("DyGIE++", "sentences", "ner"),
    ("DyGIE++", "sentences", "predicted_ner"),
    ("SpERT", "tokens", "entities"),
    (HUGGING_FACE, "tokens", "ner_tags"),
    (HUGGING_FACE, "tokens", "tags"),
)
"""Programs, and the keys of words and elements that identify their files."""


class _Annotated(NamedTuple):
    """The words of an object, and its spans or its tags."""

    line: int
    program: str
    id: str
    words: list[str]
    breaks: tuple[int, ...]
    spans: list[_Span]
    tags: tuple[str, ...]


def recognise(head: Head) -> str:
    if head.has("tokens entities recordings", "file entities"):
        return "slurp"
    has_words = "tokens[{" not in head.keys  # else they are objects, as SLURP's
    return (
        "tokens" if has_words and head.has(*[f"{words} {key}" for _, words, key in TOKENS]) else ""
    )


def read_tokens(file: File) -> Documents:
    """
    ```tokens
    {"tokenized_text": ["recevrons", "Benoît", "Magimel"], \
"ner": [[1, 2, "pers.ind"], [1, 1, "name.first"]]}
    ```

    JSON that lists the words of a document, with spans on them or a tag for each. Objects stand one
    after another over any number of lines, or in lists. The keys show which program wrote an
    object; a note names the program and counts the words.

    | program | words | elements |
    |---|---|---|
    | GLiNER | `tokenized_text` | `ner`: `[first, last, label]` |
    | DyGIE++ | `sentences` | `ner` or `predicted_ner`, a list for each sentence: \
`[first, last, label, …]`, counted through the document |
    | SpERT | `tokens` | `entities`: `{"type", "start", "end"}`, `end` is the word after the last |
    | data sets of Hugging Face | `tokens` | `ner_tags` or `tags`: the names of the tags |

    * The id of a document is `id` or `doc_key`, a text or a whole number; without it, the documents
      are `file-1`, `file-2`, ….
    * Sentences of DyGIE++ begin with boundaries of utterances. A span stays in its
      sentence.
    * Tags are read as in [columns](#columns): all tags of a file have one scheme.
    * Other keys are ignored, also relations and coreference.

    Refused: **numbers instead of names of tags**, because only the data set knows the names
    (`features`); unknown tags; `ner` and `predicted_ner` in one object.
    """
    yield from documents_of_tokens(file, objects(file))


def documents_of_tokens(file: File, records: Iterable[tuple[int, Record]]) -> Documents:
    """The documents of objects, each with its line."""
    found: list[_Annotated] = []
    with file.at() as here:
        for here.line, record in records:
            found.append(_annotated(record, here.line, f"{file.id}-{len(found) + 1}"))
    if not found:
        raise SerevalError("found an empty list, expected annotated words")
    tags = [tag for one in found for tag in one.tags]
    ends = {*accumulate(len(one.tags) for one in found)} - {0, len(tags)}
    scheme = scheme_of(file, tags, sorted(ends), [one.line for one in found for _ in one.tags])
    for one in found:
        with file.at(one.line):
            yield one.line, _document(file, one, scheme)


def _annotated(record: Record, line: int, id: str) -> _Annotated:
    keys = record.values.keys()
    found = next((row for row in TOKENS if {*row[1:]} <= keys), None)
    if found is None:
        shown = ", ".join(sorted(keys)[:4])
        expected = ", ".join(dict.fromkeys(name for name, *_ in TOKENS))
        raise SerevalError(f"{record.where}: keys ({shown}) of none of {expected}")
    named = next((key for key in ("doc_key", "id") if not record.is_absent(key)), None)
    id = id if named is None else record.naming(named)
    program, of_words, key = found
    has_tags = program == HUGGING_FACE
    tags = _tags(record, key) if has_tags else ()
    if of_words == "sentences":
        if {"ner", "predicted_ner"} <= keys:
            raise SerevalError(f'{record.where}: "ner" and "predicted_ner", expected one of them')
        sentences = [strings(*item) for item in record.items(of_words)]
        lists = [items(*item) for item in record.items(key)]
        if len(lists) != len(sentences):
            raise SerevalError(
                f"{record.name(key)}: {len(lists)} lists, expected one for each of "
                f"{len(sentences)} sentences"
            )
    else:
        sentences, lists = [record.strings(of_words)], [iter(()) if has_tags else record.items(key)]
    read = _object if program == "SpERT" else _list
    words, breaks, spans = list[str](), list[int](), list[_Span]()
    for sentence, own in zip(sentences, lists, strict=True):
        first = len(words)
        breaks += [first] if first and sentence else []
        words += sentence
        for item, where in own:
            label, start, end = read(item, where)
            if not first <= start < end <= len(words):
                raise SerevalError(
                    f"{where}: words {start} to {end - 1}, expected some of {first} to "
                    f"{len(words) - 1}"
                )
            spans.append((label, start, end))
    if has_tags and len(tags) != len(words):
        raise SerevalError(f"{record.where}: {len(tags)} tags for {len(words)} words")
    return _Annotated(line, program, id, words, tuple(breaks), spans, tags)


def _tags(record: Record, key: str) -> tuple[str, ...]:
    numbers = [item for item, _ in record.items(key) if isinstance(item, int)]
    if numbers:
        raise SerevalError(
            f"{record.name(key)}: found the number {numbers[0]}, expected the names of the tags: "
            "only the data set has them (features, int2str)"
        )
    return record.strings(key)


def _object(item: Any, where: str) -> _Span:
    """A span whose ``end`` is a frontier."""
    one = Record(item, where)
    return one.string("type"), one.integer("start"), one.integer("end")


def _list(item: Any, where: str) -> _Span:
    """A span with its first and its last word."""
    values = of_type(item, list, where)
    if len(values) < 3:
        raise SerevalError(f"{where}: {len(values)} items, expected first and last word, label")
    start, end = (int(of_type(values[k], int, f"{where}[{k}]")) for k in (0, 1))
    return whole(str(of_type(values[2], str, f"{where}[2]")), f"{where}[2]: "), start, end + 1


def _document(file: File, one: _Annotated, scheme: str) -> Document:
    notes, id, words, breaks = Notes(), one.id, one.words, one.breaks
    notes.add(f"words in the JSON of {one.program}", len(words))
    if one.tags:
        lines = [one.line] * len(words)
        tags = read_tags(file, Tags(one.tags, breaks, scheme), lines, notes, id=id)
        return Document(
            id, tuple(words), tags.elements, None, breaks, file.path, notes.all(), tags=tags
        )
    spans = [
        Span(label, first, end, one.line, f"{label} (words {first} to {end - 1} of {id})")
        for label, first, end in one.spans
    ]
    return document_of_spans(file, id, words, spans, notes, breaks=breaks)


# --- writing -------------------------------------------------------------------------------------

INSIDE = "elements inside others, which tags in one list cannot hold"


def write_tokens(document: Document, lost: Notes, tags: str = "") -> str:
    """The file of a document, and notes on what it does not hold."""
    check_texts(document.id, "list of tokens", [document.id], ANYTHING)
    check_words(document, "list of tokens", ANYTHING, ANYTHING)
    if not tags:
        spans = [(one.start, one.end - 1, one.label) for one in document.elements]
        value: dict[str, Any] = {"id": document.id, "tokenized_text": document.words, "ner": spans}
    else:
        outer = [Phrase(e.label, e.start, e.end) for e in document.elements if e.parent is None]
        lost.add(INSIDE, len(document.elements) - len(outer))
        spelled = spell_tags(outer, len(document.words), tags)
        value = {"id": document.id, "tokens": document.words, "ner_tags": spelled}
    return json.dumps(value, ensure_ascii=False) + "\n"


# --- spaCy 3 ------------------------------------------------------------------------------------

GROUP = "sc"
"""The name of the group of spans that is written; spaCy's pipes have it by default."""
SKIPPED = "spans in groups beside the entities, skipped"
GROUPED = f"elements, written into the group of spans {GROUP} as some are inside others"

_BROKEN = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError),
    zlib.error,
)
"""The exceptions that spaCy raises for damaged files."""


def read_docbin(file: File) -> Documents:
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
        yield None, _of_doc(file, file.id if len(docs) == 1 else f"{file.id}-{k}", doc, group)


def _imported(message: Callable[[str], SerevalError]) -> Any:
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
    spacy = _imported(file.error)
    try:
        found = spacy.tokens.DocBin().from_bytes(file.data)
        docs = list(found.get_docs(spacy.vocab.Vocab()))
    except _BROKEN:
        raise file.error("spaCy cannot read it, expected a DocBin") from None
    if not docs:
        raise file.error("found no document in it, expected one or more")
    return docs


def _of_doc(file: File, id: str, doc: Any, group: str | None) -> Document:
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
        notes.add("spans of a group, read as no document has entities", len(spans))
    breaks = {frontiers[token.i] for token in doc if token.is_sent_start} - {0, len(words)}
    return document_of_spans(file, id, words, spans, notes, breaks=sorted(breaks))


def write_docbin(document: Document, lost: Notes) -> bytes:
    """The file of a document, and notes on what it does not hold."""
    check_words(document, "DocBin", labels=ANYTHING)
    spacy = _imported(SerevalError)
    starts = {0, *document.breaks} if document.breaks else set()
    doc = spacy.tokens.Doc(
        spacy.vocab.Vocab(),
        words=list(document.words),
        sent_starts=[k in starts for k in range(len(document.words))] if starts else None,
    )
    make = spacy.tokens.Span
    spans = [make(doc, one.start, one.end, label=one.label) for one in document.elements]
    is_nested = any(element.parent is not None for element in document.elements)
    if is_nested:
        doc.spans[GROUP] = spans
    else:
        doc.set_ents(spans, default="outside")
    lost.add(GROUPED, len(document.elements) if is_nested else 0)
    data: bytes = spacy.tokens.DocBin(docs=[doc], store_user_data=False).to_bytes()
    return data


# --- SLURP --------------------------------------------------------------------------------------

CAPITALS = "words with capital letters, in small letters as SLURP's scorer reads them"


def read_slurp(file: File) -> Documents:
    """
    ```slurp
    {"tokens": [{"surface": "call"}, {"surface": "mona"}], "recordings": [{"file": "1.flac"}], \
"entities": [{"span": [1], "type": "person"}]}
    {"file": "2.flac", "entities": [{"type": "person", "filler": "mona"}]}
    ```

    The corpus SLURP has a line for each sentence, with the recordings made of it, and systems write
    a line for each recording. Both are read from `.jsonl` by their keys.

    * A sentence becomes a document for each of its recordings, whose file name is the id. The words
      are `tokens`, the elements are `entities`, whose `span` counts tokens. **Words are put in
      small letters**, as the scorer of SLURP reads them; a note counts those that this changes.
    * A prediction becomes a document with [mentions](#mentions): the `type` and the `filler` of
      each entity, in their order. All other keys are ignored.

    Refused: entities whose tokens are apart from each other, or that cross.
    """
    for line, record in objects(file):
        with file.at(line):
            read = _prediction if "file" in record else _sentence
            for document in read(record, file, line):
                yield line, document


def _prediction(record: Record, file: File, _: int) -> Iterator[Document]:
    id = record.string("file")
    record.where = f"recording {quote(id)}"
    entities = _records(record, "entities")
    mentions = [Mention(one.word("type"), one.word("filler")) for one in entities]
    yield Document(id, (), source=file.path, mentions=tuple(mentions))


def _sentence(record: Record, file: File, line: int) -> Iterator[Document]:
    """The documents of a sentence, one for each recording."""
    if "slurp_id" in record:
        record.where = f"sentence {record.integer('slurp_id')}"
    tokens = [one.word("surface") for one in _records(record, "tokens")]
    words = tuple(token.lower() for token in tokens)
    elements = tree([_slurp_span(one, len(words)) for one in _records(record, "entities")], line)
    notes = Notes()
    notes.add(CAPITALS, sum(word != token for word, token in zip(words, tokens, strict=True)))
    for one in _records(record, "recordings"):
        id = one.string("file")
        yield Document(id, words, elements, source=file.path, notes=notes.all())


def _records(record: Record, key: str) -> list[Record]:
    record.get(key)
    return record.records(key)


def _slurp_span(entity: Record, length: int) -> tuple[str, int, int]:
    """The label and the frontiers of an entity."""
    numbers = entity.integers("span")
    if not numbers or list(numbers) != list(range(numbers[0], numbers[0] + len(numbers))):
        raise SerevalError(f"{entity.name('span')}: expected tokens that follow one another")
    if numbers[0] < 0 or numbers[-1] >= length:
        raise SerevalError(f"{entity.name('span')}: expected tokens from 0 to {length - 1}")
    return entity.word("type"), numbers[0], numbers[-1] + 1
