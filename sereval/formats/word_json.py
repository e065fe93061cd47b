"""JSON of recognisers: words with their times."""

from __future__ import annotations

from .find import Head
from .kaldi import read_kaldi
from .recognisers import RECOGNISERS, read_recogniser
from .vosk import read_vosk
from .whisper import read_whisper

__all__ = ["program", "read_kaldi", "read_recogniser", "read_vosk", "read_whisper", "recognise"]


def program(head: Head) -> str:
    return next((name for name, sign in RECOGNISERS if head.has(sign)), "")


def recognise(head: Head) -> str:
    if head.has("monologues schemaVersion"):
        return "vosk"
    if program(head):
        return "recogniser"
    if head.has("segments", "start end text", "start end words", "text words", "words[{"):
        return "whisper"
    if head.has("status result", "result segment-start"):
        return "kaldi"
    return "vosk" if head.has("result text", "alternatives", "partial") else ""
