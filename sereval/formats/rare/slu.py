"""Corpora of spoken language understanding: the JSON lines of SLURP, the tables of SLUE VoxPopuli.

Source: Bastianelli, Vanzo, Swietojanski and Rieser, EMNLP 2020; github.com/pswietojanski/slurp.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...documents.model import Document, Mention, tree
from ...documents.notes import count_notes
from ...errors import SerevalError
from ..build import Notes, Span, document_of_annotations
from ..file import File, quote
from ..find import Head
from ..records import Record, load
from ..writers import EDGE, ELEMENTS, MENTIONS, WrittenFiles, check_texts, lost_of

CAPITALS = "words with capital letters, in small letters as SLURP's scorer reads them"


def recognise(head: Head) -> str:
    columns = head.line.split("\t")
    if columns[0] == "id" and not TEXTS.keys().isdisjoint(columns):
        return "slue"
    return "slurp" if head.has("tokens entities recordings", "file entities") else ""


def read_slurp(file: File) -> Iterator[tuple[int, Document]]:
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

    `sereval convert` writes a document with words as a sentence with one recording, named after it,
    and a document with mentions alone as a prediction.

    Refused: entities whose tokens are apart from each other, or that cross.
    """
    with file.at() as here:
        for here.line, text in file.lines():
            if text.strip(" \t\r"):
                record = Record(load(text), "line")
                read = _prediction if "file" in record else _sentence
                for document in read(record, file, here.line):
                    yield here.line, document


def _prediction(record: Record, file: File, _: int) -> Iterator[Document]:
    id = record.string("file")
    record.where = f"recording {quote(id)}"
    entities = _listed(record, "entities")
    mentions = [Mention(one.word("type"), one.word("filler")) for one in entities]
    yield Document(id, (), source=file.path, mentions=tuple(mentions))


def _sentence(record: Record, file: File, line: int) -> Iterator[Document]:
    """The documents of a sentence, one for each recording."""
    if "slurp_id" in record:
        record.where = f"sentence {record.integer('slurp_id')}"
    tokens = [one.word("surface") for one in _listed(record, "tokens")]
    words = tuple(token.lower() for token in tokens)
    elements = tree([_span(one, len(words)) for one in _listed(record, "entities")], line)
    changed = sum(word != token for word, token in zip(words, tokens, strict=True))
    notes = count_notes({CAPITALS: changed})
    for recording in _listed(record, "recordings"):
        yield Document(recording.string("file"), words, elements, source=file.path, notes=notes)


def _listed(record: Record, key: str) -> list[Record]:
    record.get(key)
    return record.records(key)


def _span(entity: Record, length: int) -> tuple[str, int, int]:
    """The label and the frontiers of an entity."""
    numbers = entity.integers("span")
    if not numbers or list(numbers) != list(range(numbers[0], numbers[0] + len(numbers))):
        raise SerevalError(f"{entity.name('span')}: expected tokens that follow one another")
    if numbers[0] < 0 or numbers[-1] >= length:
        raise SerevalError(f"{entity.name('span')}: expected tokens from 0 to {length - 1}")
    return entity.word("type"), numbers[0], numbers[-1] + 1


# ---------------------------------------------------------------------------------------- writing


def write_slurp(document: Document) -> WrittenFiles:
    """The line of a document, and notes on what it does not hold.

    A document with words is a sentence with one recording; one with mentions alone is a prediction.
    """
    mentions = [text for mention in document.mentions or () for text in mention]
    texts = [document.id, *document.words, *(one.label for one in document.elements), *mentions]
    check_texts(document.id, "line of SLURP", texts, EDGE)
    if not document.words and document.mentions is None:
        raise SerevalError(f"{document.id}: no word and no mention, expected some")
    is_sentence = bool(document.words)
    value = _as_sentence(document) if is_sentence else _as_prediction(document)
    lost = lost_of(document, ELEMENTS, *([] if is_sentence else [MENTIONS]))
    lost[CAPITALS] = sum(word != word.lower() for word in document.words)
    text = json.dumps(value, ensure_ascii=False) + "\n"
    return WrittenFiles({".slurp": text}, count_notes(lost))


def _as_prediction(document: Document) -> dict[str, Any]:
    entities = [{"type": label, "filler": text} for label, text in document.mentions or ()]
    return {"file": document.id, "entities": entities}


def _as_sentence(document: Document) -> dict[str, Any]:
    words = document.words
    return {
        "sentence": " ".join(words),
        "tokens": [{"surface": word, "id": k} for k, word in enumerate(words)],
        "recordings": [{"file": document.id}],
        "entities": [
            {"span": list(range(one.start, one.end)), "type": one.label}
            for one in document.elements
        ],
    }


# --- SLUE -----------------------------------------------------------------------------------------

TEXTS = {"normalized_ner": "normalized_text", "raw_ner": "raw_text"}
"""The columns of entities, each with the column of their text; the first one is read by default."""

_ITEM = re.compile(r"\[(?:'([^']*)'|\"([^\"]*)\"), ?([0-9]{1,9}), ?([0-9]{1,9})\]")
_LIST = re.compile(rf"\[(?:{_ITEM.pattern}(?:, ?{_ITEM.pattern})*)?\]")


def read_slue(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```slue
    id\tnormalized_text\tnormalized_ner
    20131007-PLENARY-19_2\tin july twenty twelve\t[['DATE', 3, 18]]
    20131007-PLENARY-19_3\tthank you\tNone
    ```

    The tables of SLUE VoxPopuli. The first line names the columns, tabs separate them, and quotes
    are as in CSV. Each line is a document with its `id`. `normalized_ner` has the entities of
    `normalized_text`: label, first character and length. `--columns raw_ner` reads those of
    `raw_text` instead. Other columns are ignored. Entities cut words. SLUE's own preparation
    removes punctuation and merges labels; here `--map` does the latter.
    """
    name, *others = file.options.columns or [*TEXTS][:1]
    if others or name not in TEXTS:
        found = ", ".join(file.options.columns)
        raise file.error(f"columns {found}, expected one of {', '.join(TEXTS)}", 1)
    names, is_empty = ("id", TEXTS[name], name), True
    with file.at() as here:
        for here.line, row in file.table(*names, delimiter="\t"):
            is_empty = False
            yield here.line, _annotated(file, here.line, *(row[column] for column in names))
        here.line = None
        if is_empty:
            raise SerevalError("no line found below the header, expected some")


def _annotated(file: File, line: int, id: str, text: str, entities: str) -> Document:
    if not id:
        raise SerevalError("no id, expected that of the recording")
    if entities not in ("", "None") and not _LIST.fullmatch(entities):
        raise SerevalError(f"found {quote(entities)}, expected a list such as [['GPE', 17, 5]]")
    spans = [
        Span(one or other, int(start), int(start) + int(length), line)
        for one, other, start, length in _ITEM.findall(entities)
    ]
    if not all(span.label for span in spans):
        raise SerevalError(f"found {quote(entities)}, expected a label for each entity")
    notes = Notes()
    for name in file.options.columns:
        notes.add(f"entities of column {name}", len(spans), f"columns={name}")
    return document_of_annotations(file, id, text, spans, notes)
