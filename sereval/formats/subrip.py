"""SubRip, read as :mod:`.subtitles` says and written with a cue for each utterance."""

from __future__ import annotations

from ..documents.model import Document, Reference
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import quote
from .subtitles import clock, is_cue, is_style
from .subtitles import read_webvtt as read_subrip
from .utterances import utterances_of
from .writers import WrittenFiles

__all__ = ["read_subrip", "write_subrip"]


def write_subrip(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    utterances, lost = utterances_of(document, "SubRip")
    for word in document.words:
        if is_style(word):
            raise SerevalError(f"{document.id}: found {quote(word)}, which no SubRip can hold")
    for one in utterances:
        if is_cue(" ".join(one.words)):
            found = quote(" ".join(one.words))
            raise SerevalError(f"{document.id}: found {found}, which SubRip takes for times")
    cues = (
        f"{number}\n{clock(one.start)} --> {clock(one.end)}\n".replace(".", ",")
        + f"{' '.join(one.words)}\n"
        for number, one in enumerate(utterances, 1)
    )
    return WrittenFiles({".srt": "\n".join(cues)}, count_notes(lost))
