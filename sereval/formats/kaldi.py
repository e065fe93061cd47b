"""JSON of kaldi-gstreamer-server: a result for each segment, with times from its start."""

from __future__ import annotations

from collections import Counter

from ..documents.model import Document
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .records import Record, of_type, read_results, with_place
from .times import NOT_FINAL, OTHERS, Word, check_span

_MESSAGE = (
    *("status", "result", "segment", "segment-start", "segment-length", "total-length", "id"),
    *("message", "adaptation_state"),
)
_RESULT = ("hypotheses", "final", "diarization")
_HYPOTHESIS = (
    *("transcript", "original-transcript", "confidence", "likelihood"),
    *("word-alignment", "phone-alignment"),
)
_WORD = ("word", "start", "length", "confidence", "phones")


def read_kaldi(source: Source) -> list[tuple[int | None, Document]]:
    """The document of the messages of a server.

    Args:
        source: the file; the document takes its id.

    Returns:
        One document with the words of the first hypothesis of each final result, in order of their
        starts. Notes count the other hypotheses and results.

    Raises:
        InputError: a file that is not JSON; keys that the server does not write; a transcript
            without words; times that are no times.

    >>> word = '{"word": "Dol", "start": 0.1, "length": 0.38}'
    >>> found = '{"hypotheses": [{"transcript": "Dol", "word-alignment": [%s]}], "final": true}'
    >>> text = f'{{"status": 0, "segment-start": 2.0, "result": {found % word}}}'
    >>> [(_, dol)] = read_kaldi(Source("a.json", text=text))
    >>> dol.words, dol.times
    (('Dol',), ((2100, 2480),))
    """
    return read_results(source, _words, "messages[0]", "messages")


def _words(message: Record, skipped: Counter[str]) -> list[Word]:
    message.only(_MESSAGE)
    if message.is_absent("result"):
        return []
    result = Record(message.get("result"), message.name("result"))
    result.only(_RESULT)
    hypotheses = result.records("hypotheses")
    for hypothesis in hypotheses:
        hypothesis.only(_HYPOTHESIS)
    is_final = result.values.get("final", True)
    if not is_final or not hypotheses:
        skipped[NOT_FINAL] += not is_final  # a partial version of a later result
        return []
    skipped[OTHERS] += len(hypotheses) - 1
    return _words_of_alignment(hypotheses[0], message.time("segment-start"))


def _words_of_alignment(record: Record, start: int) -> list[Word]:
    transcript = of_type(record.get("transcript"), str, record.name("transcript"))
    if "word-alignment" not in record and transcript.strip():
        raise SerevalError(
            f'{record.where}: "transcript" {quote(transcript)} but no "word-alignment", expected '
            "words with times: does the server's configuration ask for them?"
        )
    words = []
    for word in record.records("word-alignment"):
        word.only(_WORD)
        first = start + word.time("start")
        span = first, first + word.time("length")
        with_place(word.where, check_span, *span)
        words.append((*span, word.word("word")))
    return words
