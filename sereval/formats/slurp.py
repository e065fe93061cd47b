"""SLURP: JSON lines of sentences with their recordings, and of what a system found in each.

A sentence has ``tokens``, ``entities`` (each a type and the indices of its tokens), the same
entities inline in ``sentence_annotation`` (``[type : filler]``), and the recordings made of it. It
becomes a document for each recording, with the recording's file name as id. Its words are the
tokens in small letters, as the scorer of SLURP reads them; a note counts the words that this
changes.

A prediction has ``file`` and ``entities``, each a ``type`` and a ``filler``. It becomes a document
with mentions and no words.

Source: Bastianelli, Vanzo, Swietojanski and Rieser, EMNLP 2020; github.com/pswietojanski/slurp.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..documents.model import Document, Mention, Reference, tree
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .find import Head
from .records import Record, are_whole, load, of_type, whole
from .writers import ALTERNATIVES, BREAKS, MENTIONS, TIMES, WrittenFiles, exact

CAPITALS = "words with capital letters, in small letters as SLURP's scorer reads them"

_INLINE = re.compile(r"\[\s*([^\[\]:]+?)\s*:\s*([^\[\]]*?)\s*\]")


def recognise(head: Head) -> str:
    return "slurp" if head.has("tokens entities recordings", "file entities") else ""


def read_slurp(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file of SLURP: of sentences, or of predictions.

    Args:
        source: the file.

    Returns:
        A document for each recording, with its line.

    Raises:
        InputError: a line that is not JSON; a line of neither kind; entities that the inline
            annotation contradicts, that have tokens apart from each other, or that cross.

    >>> line = '{"file": "a.flac", "entities": [{"type": "date", "filler": "friday"}]}'
    >>> [(_, found)] = read_slurp(Source("a.jsonl", text=line))
    >>> found.id, found.mentions
    ('a.flac', (Mention(label='date', text='friday'),))
    """
    found: list[tuple[int | None, Document]] = []
    for line, text in source.lines():
        if text.strip(" \t\r"):
            try:
                record = Record(load(text), "line")
                read = _prediction if "file" in record else _sentence
                found += ((line, document) for document in read(record, source.path, line))
            except SerevalError as error:
                raise source.error(str(error), line) from None
    return found


def _prediction(record: Record, path: str, _: int) -> Iterator[Document]:
    """The document of a prediction."""
    record.where = f"recording {quote(record.string('file'))}"
    mentions = [
        Mention(whole(one.word("type"), f"{one.where}: "), one.word("filler"))
        for one in record.records("entities")
    ]
    of_type(record.get("entities"), list, record.name("entities"))
    yield Document(record.string("file"), (), source=path, mentions=tuple(mentions))


def _sentence(record: Record, path: str, line: int) -> Iterator[Document]:
    """The documents of a sentence, one for each recording."""
    if "slurp_id" in record:
        record.where = f"sentence {record.integer('slurp_id')}"
    tokens = [one.word("surface") for one in record.records("tokens")]
    words = tuple(token.lower() for token in tokens)
    spans = [_span(one, len(words)) for one in record.records("entities")]
    for key in ("tokens", "entities", "recordings"):
        of_type(record.get(key), list, record.name(key))
    if "sentence_annotation" in record:
        _check_inline(record, [(label, tokens[start:end]) for label, start, end in spans])
    elements = tree(spans, line)
    changed = sum(word != token for word, token in zip(words, tokens, strict=True))
    notes = count_notes({CAPITALS: changed})
    for recording in record.records("recordings"):
        yield Document(recording.string("file"), words, elements, source=path, notes=notes)


def _span(entity: Record, length: int) -> tuple[str, int, int]:
    """The label and the frontiers of an entity."""
    numbers = entity.integers("span")
    if not numbers or list(numbers) != list(range(numbers[0], numbers[0] + len(numbers))):
        raise SerevalError(f"{entity.name('span')}: expected tokens that follow one another")
    if numbers[0] < 0 or numbers[-1] >= length:
        raise SerevalError(f"{entity.name('span')}: expected tokens from 0 to {length - 1}")
    return entity.word("type"), numbers[0], numbers[-1] + 1


def _check_inline(record: Record, entities: list[tuple[str, list[str]]]) -> None:
    """Refuse entities that the inline annotation does not have, apart from blanks in them."""
    inline = [
        (label, "".join(filler.split()))
        for label, filler in _INLINE.findall(record.string("sentence_annotation"))
    ]
    spans = [(label, "".join(words)) for label, words in entities]
    both = Counter(inline), Counter(spans)
    differing = sorted((both[0] - both[1]) + (both[1] - both[0]))
    if differing:
        found = f"{record.name('sentence_annotation')}: found {quote(': '.join(differing[0]))}"
        raise SerevalError(f'{found} in it or in "entities" alone, expected it in both')


# ---------------------------------------------------------------------------------------- writing


def write_slurp(document: Document | Reference) -> WrittenFiles:
    """The line of a document, and notes on what it does not hold.

    A document with words is a sentence with one recording; one with mentions alone is a prediction.
    The inline annotation is left out where elements or brackets stand in a filler.
    """
    found = exact(document)
    texts = [*found.words, *(element.label for element in found.elements)]
    mentions = [text for mention in found.mentions or () for text in mention]
    for text in (found.id, *texts, *mentions):
        if not are_whole([text]) or text.strip() != text or not text.strip():
            raise SerevalError(f"{found.id}: found {quote(text)}, which no line of SLURP can hold")
    if not found.words and found.mentions is None:
        raise SerevalError(f"{found.id}: no word and no mention, expected some")
    is_sentence = bool(found.words)
    value = _as_sentence(found) if is_sentence else _as_prediction(found)
    lost = {
        TIMES: len(found.times or ()),
        MENTIONS: len(found.mentions or ()) if is_sentence else 0,
        ALTERNATIVES: len(found.alternatives),
        BREAKS: len(found.breaks),
        CAPITALS: sum(word != word.lower() for word in found.words),
    }
    text = json.dumps(value, ensure_ascii=False) + "\n"
    return WrittenFiles({".slurp": text}, count_notes(lost))


def _as_prediction(document: Document) -> dict[str, Any]:
    entities = [{"type": label, "filler": text} for label, text in document.mentions or ()]
    return {"file": document.id, "entities": entities}


def _as_sentence(document: Document) -> dict[str, Any]:
    words, elements = document.words, document.elements
    opened = {one.start: f"[{one.label} : " for one in elements}
    closed = {one.end - 1 for one in elements}
    inline = " ".join(
        f"{opened.get(k, '')}{word}{']' * (k in closed)}" for k, word in enumerate(words)
    )
    fillers = [(one.label, " ".join(words[one.start : one.end])) for one in elements]
    annotation = {"sentence_annotation": inline} if _INLINE.findall(inline) == fillers else {}
    return {
        "sentence": " ".join(words),
        **annotation,
        "tokens": [{"surface": word, "id": k} for k, word in enumerate(words)],
        "recordings": [{"file": document.id}],
        "entities": [
            {"span": list(range(one.start, one.end)), "type": one.label} for one in elements
        ],
    }
