"""JSON of Vosk, a recogniser based on Kaldi: results one after another, of words with times.

``vosk-transcriber`` writes all results in one value, as monologues.
"""

from __future__ import annotations

from collections import Counter

from ..documents.model import Document
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .records import Record, of_type, read_results
from .times import NOT_FINAL, OTHERS, Word

_RESULT = ("result", "text", "alternatives", "spk", "spk_frames")
_ALTERNATIVE = ("result", "text", "confidence")
_WORD = ("conf", "start", "end", "word")
_MONOLOGUES = ("schemaVersion", "monologues", "text")
_MONOLOGUE = ("speaker", "start", "end", "terms")
_TERM = ("confidence", "start", "end", "text", "type")
_PARTIAL = {"partial", "partial_result"}


def read_vosk(source: Source) -> list[tuple[int | None, Document]]:
    """The document of a file of Vosk.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document with the words of all results, in order of their starts. Notes count the
        alternatives and unfinished results that were skipped.

    Raises:
        InputError: a file that is not JSON; keys that Vosk does not write; a text without words;
            words that differ from the text; times that are no times.

    >>> text = '{"result": [{"conf": 1, "start": 0.1, "end": 0.48, "word": "Dol"}], "text": "Dol"}'
    >>> [(_, dol)] = read_vosk(Source("a.json", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((100, 480),))
    """
    return read_results(source, _words, "result", "results")


def _words(record: Record, skipped: Counter[str]) -> list[Word]:
    if "monologues" in record:
        return _monologues(record)
    if "partial" in record and _PARTIAL.issuperset(record.values):
        skipped[NOT_FINAL] += 1
        return []
    record.only(_RESULT)
    if "alternatives" not in record:
        return _result(record)
    if "result" in record or "text" in record:
        raise SerevalError(f'{record.where}: "alternatives" and a result, expected one of them')
    alternatives = record.records("alternatives")
    for alternative in alternatives:
        alternative.only(_ALTERNATIVE)
    skipped[OTHERS] += len(alternatives[1:])
    return _result(alternatives[0]) if alternatives else []


def _result(record: Record) -> list[Word]:
    text = of_type(record.get("text"), str, record.name("text"))
    if "result" not in record and text.strip():
        raise SerevalError(
            f'{record.where}: "text" {quote(text)} but no "result", expected words with times: '
            "was the recogniser run without SetWords(True)?"
        )
    words = []
    for word in record.records("result"):
        word.only(_WORD)
        words.append((*word.span(), word.word("word")))
    joined = " ".join(word for _, _, word in words)
    if joined.split() != text.split():
        raise SerevalError(
            f'{record.where}: words {quote(joined)}, expected those of "text", {quote(text)}'
        )
    return words


def _monologues(record: Record) -> list[Word]:
    """The words of the monologues of vosk-transcriber."""
    record.only(_MONOLOGUES)
    words: list[Word] = []
    for monologue in record.records("monologues"):
        monologue.only(_MONOLOGUE)
        for term in monologue.records("terms"):
            term.only(_TERM)
            words.append((*term.span(), term.word("text")))
    joined = "".join(word for _, _, word in words)
    text = "".join("".join(record.strings("text")).split()) if "text" in record else joined
    if joined != text:  # without white space: the text may be a list of its characters
        raise SerevalError(f'{record.where}: the terms are not the words of "text"')
    return words
