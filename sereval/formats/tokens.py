"""JSON of annotated words: GLiNER, DyGIE++, SpERT, tags of Hugging Face's data sets, spaCy 2.

Each object has a list of words, and spans on them or a tag for each. `TOKENS` has the keys
that identify the program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple

from ..documents.model import Document, tree
from ..documents.notes import Note, count_notes
from ..documents.tags import OUTSIDE, Phrase, Tags, detect, document_of_tags, spell_tags
from ..errors import SerevalError
from .build import Notes, Span, nested
from .file import DETECT, File, quote
from .find import Head
from .records import Record, of_type, values, whole
from .writers import ANYTHING, ELEMENTS, WrittenFiles, check_texts, check_words, lost_of

_Span = tuple[str, int, int]


class _AnnotatedWords(NamedTuple):
    """The words of an object, and its spans or its tags."""

    line: int
    program: str
    id: str
    words: tuple[str, ...]
    breaks: tuple[int, ...]
    spans: Sequence[_Span] = ()
    tags: tuple[str, ...] | None = None


TOKENS = (
    ("GLiNER", "tokenized_text ner"),
    ("DyGIE++", "sentences ner"),
    ("DyGIE++", "sentences predicted_ner"),
    ("SpERT", "tokens entities"),
    ("a data set of Hugging Face", "tokens ner_tags"),
    ("a data set of Hugging Face", "tokens tags"),
    ("spaCy 2", "id paragraphs"),
)
"""Programs and the keys that identify their files."""


def program(head: Head) -> str:
    return next((name for name, sign in TOKENS if head.has(sign)), "")


def recognise(head: Head) -> str:
    has_words = "tokens[{" not in head.keys  # else they are objects, as SLURP's
    return "tokens" if has_words and program(head) else ""


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
    found: list[_AnnotatedWords] = []
    with file.at() as here:
        for here.line, value in values(file):
            for k, item in enumerate(value if isinstance(value, list) else [value]):
                where = f"documents[{k}]" if isinstance(value, list) else "document"
                id = f"{file.id}-{len(found) + 1}"
                found.append(_annotated(Record(item, where), here.line, id))
    if not found:
        raise SerevalError("found an empty list, expected annotated words")
    scheme = _scheme(file, found)
    for one in found:
        with file.at(one.line):
            yield one.line, _document(file, one, scheme)


def _annotated(record: Record, line: int, id: str) -> _AnnotatedWords:
    keys = {*record.values}
    program = next((name for name, sign in TOKENS if {*sign.split()} <= keys), None)
    if program is None:
        shown = ", ".join(sorted(keys)[:4])
        expected = ", ".join(dict.fromkeys(name for name, _ in TOKENS))
        raise SerevalError(f"{record.where}: keys ({shown}) of none of {expected}")
    named = next((key for key in ("doc_key", "id") if not record.is_absent(key)), None)
    if named is not None:
        value = record.values[named]
        id = str(record.integer(named)) if isinstance(value, int) else record.string(named)
    return _READERS[program](record, _AnnotatedWords(line, program, id, (), ()))


# --- the programs --------------------------------------------------------------------------------


def _gliner(record: Record, found: _AnnotatedWords) -> _AnnotatedWords:
    """Spans ``[first, last, label]``."""
    words = record.strings("tokenized_text")
    spans = [_span(item, where, 0, len(words)) for item, where in record.items("ner")]
    return found._replace(words=words, spans=spans)


def _dygie(record: Record, found: _AnnotatedWords) -> _AnnotatedWords:
    """Spans ``[first, last, label, …]`` by sentence, counted through the document."""
    if "ner" in record and "predicted_ner" in record:
        raise SerevalError(f'{record.where}: "ner" and "predicted_ner", expected one of them')
    key = "ner" if "ner" in record else "predicted_ner"
    sentences = [_words(item, where) for item, where in record.items("sentences")]
    lists = [(of_type(item, list, where), where) for item, where in record.items(key)]
    if len(lists) != len(sentences):
        raise SerevalError(
            f"{record.name(key)}: {len(lists)} lists, expected one for each of "
            f"{len(sentences)} sentences"
        )
    ends = list(accumulate(map(len, sentences)))
    spans = [
        _span(item, f"{where}[{k}]", end - len(words), end)
        for (items, where), words, end in zip(lists, sentences, ends, strict=True)
        for k, item in enumerate(items)
    ]
    return _of_sentences(found, sentences)._replace(spans=spans)


def _spert(record: Record, found: _AnnotatedWords) -> _AnnotatedWords:
    """Spans ``{"type", "start", "end"}``; ``end`` is a frontier."""
    words = record.strings("tokens")
    spans = []
    for one in record.records("entities"):
        start, end = one.integer("start"), one.integer("end")
        _check(one.where, start, end, 0, len(words))
        spans.append((one.string("type"), start, end))
    return found._replace(words=words, spans=spans)


def _hugging_face(record: Record, found: _AnnotatedWords) -> _AnnotatedWords:
    """A tag for each word, with its name."""
    key = "ner_tags" if "ner_tags" in record else "tags"
    words = record.strings("tokens")
    numbers = [item for item, _ in record.items(key) if isinstance(item, int)]
    if numbers:
        raise SerevalError(
            f"{record.name(key)}: found the number {numbers[0]}, expected the names of the tags: "
            "only the data set has them (features, int2str)"
        )
    return found._replace(words=words, tags=record.strings(key))


def _spacy(record: Record, found: _AnnotatedWords) -> _AnnotatedWords:
    """Tags of BILUO in paragraphs and sentences; ``-`` would be a tag that is not known."""
    tokens = [
        sentence.records("tokens")
        for paragraph in record.records("paragraphs")
        for sentence in paragraph.records("sentences")
    ]
    words = [tuple(token.string("orth") for token in sentence) for sentence in tokens]
    tags = tuple(token.string("ner") for sentence in tokens for token in sentence)
    return _of_sentences(found, words)._replace(tags=tags)


_READERS: dict[str, Callable[[Record, _AnnotatedWords], _AnnotatedWords]] = {
    "GLiNER": _gliner,
    "DyGIE++": _dygie,
    "SpERT": _spert,
    "a data set of Hugging Face": _hugging_face,
    "spaCy 2": _spacy,
}


def _of_sentences(found: _AnnotatedWords, sentences: Sequence[Sequence[str]]) -> _AnnotatedWords:
    words = tuple(word for sentence in sentences for word in sentence)
    ends = {*accumulate(map(len, sentences))} - {0, len(words)}
    return found._replace(words=words, breaks=tuple(sorted(ends)))


def _words(item: Any, where: str) -> tuple[str, ...]:
    """A list of words."""
    items = of_type(item, list, where)
    for k, word in enumerate(items):
        whole(str(of_type(word, str, f"{where}[{k}]")), f"{where}[{k}]: ")
    return tuple(items)


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


# --- documents -----------------------------------------------------------------------------------


def _scheme(file: File, found: Sequence[_AnnotatedWords]) -> str:
    """The scheme of the tags of a file."""
    policy = file.policy("tags")
    if policy != DETECT or all(one.tags is None for one in found):
        return policy
    tags = [tag for one in found for tag in one.tags or ()]
    frontiers = {0}
    done = 0
    for one in found:
        frontiers |= {done + k for k in one.breaks if one.tags is not None}
        done += len(one.tags or ())
        frontiers.add(done)
    named = detect(tags, sorted(frontiers - {0, len(tags)}))
    if named is not None:
        return named
    for one in found:
        for k, tag in enumerate(one.tags or ()):
            if tag != OUTSIDE and tag[1:2] != "-":
                raise file.error(
                    f"document {quote(one.id)}: word {k} has the tag {quote(tag)}, expected tags "
                    "such as B-PER",
                    one.line,
                )
    raise file.error("tags of several schemes, expected those of one")


def _document(file: File, one: _AnnotatedWords, scheme: str) -> Document:
    written_by = count_notes({f"words in the JSON of {one.program}": len(one.words)})
    if one.tags is None:
        notes = Notes()
        named = [
            Span(label, start, end, one.line, f"{label} (words {start} to {end - 1} of {one.id})")
            for label, start, end in one.spans
        ]
        kept = nested(file, named, notes)
        return Document(
            one.id,
            one.words,
            tree((*named[k][:3], None, one.line) for k in kept),
            breaks=one.breaks,
            source=file.path,
            notes=(*written_by, *notes.all()),
        )
    is_detected = file.policy("tags") == DETECT
    made = document_of_tags(one.id, one.words, Tags(one.tags, one.breaks, scheme, is_detected))
    count = len(one.tags) - one.tags.count(OUTSIDE)
    read = (
        Note(f"no tagging scheme named; tags read as {scheme.upper()}", count)
        if is_detected
        else Note(f"tags, read as {scheme}", count, f"tags={scheme}")
    )
    elements = tuple(replace(element, line=one.line) for element in made.elements)
    return replace(
        made,
        elements=elements,
        source=file.path,
        notes=(*written_by, *((read,) if count else ()), *made.notes),
        tags=made.tags and replace(made.tags, elements=elements),
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
