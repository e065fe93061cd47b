"""JSON of annotated words: GLiNER, DyGIE++, SpERT, tags of Hugging Face's data sets, spaCy 2.

Each object has a list of words, and spans on them or a tag for each. `TOKENS` has the keys
that identify the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from ..documents.model import Document
from ..documents.notes import count_notes
from ..documents.tags import Phrase, spell_tags
from ..errors import SerevalError
from .build import Notes, Span, TagColumn, document_of_spans, read_tags
from .file import File
from .find import Head
from .records import Record, of_type, strings, values, whole
from .writers import ANYTHING, ELEMENTS, WrittenFiles, check_texts, check_words, lost_of

_Span = tuple[str, int, int]
_Content = tuple[Sequence[Sequence[str]], list[_Span], tuple[str, ...]]
"""The words of an object by sentence, its spans, and its tags; it has one of these two."""


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
    has_words = "tokens[{" not in head.keys  # else they are objects, as SLURP's
    return "tokens" if has_words and head.has(*[sign for _, sign, _ in TOKENS]) else ""


def read_tokens(file: File) -> Iterator[tuple[int, Document]]:
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
    | spaCy 2, training data | `orth` of the tokens of each sentence | `ner`, a tag of each token |

    * The id of a document is `id` or `doc_key`, a text or a whole number; without it, the documents
      are `file-1`, `file-2`, ….
    * Sentences of DyGIE++ and spaCy begin with boundaries of utterances. A span stays in its
      sentence.
    * Tags are read as in [columns](#columns): all tags of a file have one scheme.
    * Other keys are ignored, also relations and coreference.

    Refused: **numbers instead of names of tags**, because only the data set knows the names
    (`features`); unknown tags (`-` in spaCy); `ner` and `predicted_ner` in one object.
    """
    found: list[_Annotated] = []
    with file.at() as here:
        for here.line, value in values(file):
            for k, item in enumerate(value if isinstance(value, list) else [value]):
                where = f"documents[{k}]" if isinstance(value, list) else "document"
                id = f"{file.id}-{len(found) + 1}"
                found.append(_annotated(Record(item, where), here.line, id))
    if not found:
        raise SerevalError("found an empty list, expected annotated words")
    starts = [*accumulate((len(one.tags) for one in found), initial=0)]
    column = read_tags(
        file,
        [tag for one in found for tag in one.tags],
        sorted(
            {
                start + k
                for one, start in zip(found, starts, strict=False)
                for k in (0, *one.breaks)
                if one.tags
            }
            - {0}
        ),
        [one.line for one in found for _ in one.tags],
    )
    for one, start in zip(found, starts, strict=False):
        with file.at(one.line):
            yield one.line, _document(file, one, column, start)


def _annotated(record: Record, line: int, id: str) -> _Annotated:
    keys = {*record.values}
    found = next((row for row in TOKENS if {*row[1].split()} <= keys), None)
    if found is None:
        shown = ", ".join(sorted(keys)[:4])
        expected = ", ".join(dict.fromkeys(name for name, *_ in TOKENS))
        raise SerevalError(f"{record.where}: keys ({shown}) of none of {expected}")
    named = next((key for key in ("doc_key", "id") if not record.is_absent(key)), None)
    if named is not None:
        value = record.values[named]
        id = str(record.integer(named)) if isinstance(value, int) else record.string(named)
    program, _, read = found
    sentences, spans, tags = read(record)
    words = [word for sentence in sentences for word in sentence]
    breaks = {*accumulate(map(len, sentences))} - {0, len(words)}
    return _Annotated(line, program, id, words, tuple(sorted(breaks)), spans, tags)


def _document(file: File, one: _Annotated, column: TagColumn, start: int) -> Document:
    notes = Notes()
    notes.add(f"words in the JSON of {one.program}", len(one.words))
    if not one.tags:
        spans = [
            Span(label, first, end, one.line, f"{label} (words {first} to {end - 1} of {one.id})")
            for label, first, end in one.spans
        ]
        return document_of_spans(file, one.id, one.words, spans, notes, breaks=one.breaks)
    tags = column.part(start, start + len(one.tags), one.breaks, id=one.id)
    every = (*notes.all(), *tags.notes)
    words = tuple(one.words)
    return Document(one.id, words, tags.elements, None, one.breaks, file.path, every, tags=tags)


# --- the programs --------------------------------------------------------------------------------


def _gliner(record: Record) -> _Content:
    """Spans ``[first, last, label]``."""
    words = record.strings("tokenized_text")
    return [words], [_span(*item, 0, len(words)) for item in record.items("ner")], ()


def _dygie(record: Record) -> _Content:
    """Spans ``[first, last, label, …]`` by sentence, counted through the document."""
    if "ner" in record and "predicted_ner" in record:
        raise SerevalError(f'{record.where}: "ner" and "predicted_ner", expected one of them')
    key = "ner" if "ner" in record else "predicted_ner"
    sentences = [strings(*item) for item in record.items("sentences")]
    lists = [(of_type(item, list, where), where) for item, where in record.items(key)]
    if len(lists) != len(sentences):
        raise SerevalError(
            f"{record.name(key)}: {len(lists)} lists, expected one for each of "
            f"{len(sentences)} sentences"
        )
    spans = [
        _span(item, f"{where}[{k}]", end - len(words), end)
        for (items, where), words, end in zip(
            lists, sentences, accumulate(map(len, sentences)), strict=True
        )
        for k, item in enumerate(items)
    ]
    return sentences, spans, ()


def _spert(record: Record) -> _Content:
    """Spans ``{"type", "start", "end"}``; ``end`` is a frontier."""
    words = record.strings("tokens")
    spans = []
    for one in record.records("entities"):
        start, end = one.integer("start"), one.integer("end")
        _check(one.where, start, end, 0, len(words))
        spans.append((one.string("type"), start, end))
    return [words], spans, ()


def _hugging_face(record: Record) -> _Content:
    """A tag for each word, with its name."""
    key = "ner_tags" if "ner_tags" in record else "tags"
    numbers = [item for item, _ in record.items(key) if isinstance(item, int)]
    if numbers:
        raise SerevalError(
            f"{record.name(key)}: found the number {numbers[0]}, expected the names of the tags: "
            "only the data set has them (features, int2str)"
        )
    words, tags = record.strings("tokens"), record.strings(key)
    if len(tags) != len(words):
        raise SerevalError(f"{record.where}: {len(tags)} tags for {len(words)} words")
    return [words], [], tags


def _spacy(record: Record) -> _Content:
    """Tags of BILUO in paragraphs and sentences; ``-`` would be a tag that is not known."""
    tokens = [
        sentence.records("tokens")
        for paragraph in record.records("paragraphs")
        for sentence in paragraph.records("sentences")
    ]
    words = [[token.string("orth") for token in sentence] for sentence in tokens]
    return words, [], tuple(token.string("ner") for sentence in tokens for token in sentence)


TOKENS: tuple[tuple[str, str, Callable[[Record], _Content]], ...] = (
    ("GLiNER", "tokenized_text ner", _gliner),
    ("DyGIE++", "sentences ner", _dygie),
    ("DyGIE++", "sentences predicted_ner", _dygie),
    ("SpERT", "tokens entities", _spert),
    ("a data set of Hugging Face", "tokens ner_tags", _hugging_face),
    ("a data set of Hugging Face", "tokens tags", _hugging_face),
    ("spaCy 2", "id paragraphs", _spacy),
)
"""Programs, the keys that identify their files, and their readers."""


def _span(item: Any, where: str, first: int, last: int) -> _Span:
    """A span with an inclusive end, inside some words."""
    items = of_type(item, list, where)
    if len(items) < 3:
        raise SerevalError(f"{where}: {len(items)} items, expected first and last word, label")
    start, end = (int(of_type(items[k], int, f"{where}[{k}]")) for k in (0, 1))
    _check(where, start, end + 1, first, last)
    return whole(str(of_type(items[2], str, f"{where}[2]")), f"{where}[2]: "), start, end + 1


def _check(where: str, start: int, end: int, first: int, last: int) -> None:
    if not first <= start < end <= last:
        raise SerevalError(
            f"{where}: words {start} to {end - 1}, expected some of {first} to {last - 1}"
        )


# ---------------------------------------------------------------------------------------- writing


INSIDE = "elements inside others, which tags in one list cannot hold"


def write_tokens(document: Document, tags: str | None = None) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold.

    Args:
        document: a document with at least one word.
        tags: ``None``: spans, as GLiNER has them; else the scheme of the tags, which are written
            beside the words, as in data sets of Hugging Face.
    """
    check_words(document, "list of tokens", ANYTHING)
    texts = [document.id, *(element.label for element in document.elements)]
    check_texts(document.id, "list of tokens", texts, ANYTHING)
    lost = lost_of(document, ELEMENTS)
    if tags is None:
        spans = [(one.start, one.end - 1, one.label) for one in document.elements]
        value: dict[str, Any] = {"id": document.id, "tokenized_text": document.words, "ner": spans}
    else:
        outer = [Phrase(e.label, e.start, e.end) for e in document.elements if e.parent is None]
        lost[INSIDE] = len(document.elements) - len(outer)
        spelled = spell_tags(outer, len(document.words), tags)
        value = {"id": document.id, "tokens": document.words, "ner_tags": spelled}
    text = json.dumps(value, ensure_ascii=False) + "\n"
    return WrittenFiles({".tokens": text}, count_notes(lost))
