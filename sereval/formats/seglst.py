"""SegLST of CHiME and meeteval: a JSON list of utterances with their session, speaker and times."""

from __future__ import annotations

import json

from ..documents.model import Document, Reference, seconds
from ..documents.notes import count_notes
from .file import File as Source
from .find import Head
from .records import Record, of_type, value, whole, with_place
from .times import milliseconds
from .utterances import UNKNOWN, Utterance, checked, document_of, utterances_of
from .writers import WrittenFiles


def recognise(head: Head) -> str:
    return "seglst" if head.has("session_id words") else ""


def read_seglst(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of a file in SegLST.

    The policy ``times``: words share the time of their utterance by their numbers of characters
    (``spread``), or have ``none``.

    Args:
        source: the file.

    Returns:
        A document for each ``session_id``, in order of appearance. Words are in order of their
        starts, and each utterance begins with a break. Other keys are ignored.

    Raises:
        InputError: a file that is no JSON list of objects; an utterance without a session, words or
            times; a time that is negative or no number; an end before its start.

    >>> text = '[{"session_id": "a", "words": "à Dol", "start_time": 0, "end_time": "0.4"}]'
    >>> [(_, one)] = read_seglst(Source("x.json", text=text))
    >>> one.id, one.words, one.times
    ('a', ('à', 'Dol'), ((0, 100), (100, 400)))
    """
    found: dict[str, list[Utterance]] = {}
    for k, item in enumerate(of_type(value(source), list, "the file")):
        record = Record(item, f"utterance {k}")
        found.setdefault(record.string("session_id"), []).append(_utterance(record))
    if not found:
        raise source.error("found an empty list, expected utterances")
    return [(None, document_of(source, id, utterances)) for id, utterances in found.items()]


def _utterance(record: Record) -> Utterance:
    text = str(of_type(record.get("words"), str, record.name("words")))
    words = whole(text, f"{record.name('words')}: ").split() if text else []
    start, end = _time(record, "start_time"), _time(record, "end_time")
    return with_place(record.where, checked, start, end, words)


def _time(record: Record, key: str) -> int:
    """A number of seconds, which may be a string."""
    found = record.get(key)
    if isinstance(found, str):
        return with_place(record.name(key), milliseconds, found)
    return record.time(key)


def write_seglst(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    utterances, lost = utterances_of(document, "SegLST")
    rows = (
        f'{{"session_id": {_text(document.id)}, "speaker": "{UNKNOWN}", '
        f'"start_time": {seconds(one.start)}, "end_time": {seconds(one.end)}, '
        f'"words": {_text(" ".join(one.words))}}}'
        for one in utterances
    )
    text = "[\n" + ",\n".join(rows) + "\n]\n"
    return WrittenFiles({".seglst": text}, count_notes(lost))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
