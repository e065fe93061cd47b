"""The speech corpus, where it is at hand: systems on the words of recognisers, with their times."""

import pathlib

import pytest
from paths import SPEECH
from strategies import Scoring

import sereval
from sereval.documents.model import Document

PARTS = ("human", "tts")
SYSTEMS = ("compromise", "crf", "gaz")
CONDITIONS = ("asr", "asr_adapted")
TIERS = {"textgrid": "words", "ctm": None}
on_speech = pytest.mark.skipif(
    not SPEECH.is_dir(), reason="the speech corpus, ../shared/corpora/speech, is not here"
)


def timed_by(documents: list[Document], times: pathlib.Path, format: str) -> list[Document]:
    """Documents with the times of the files of the same names."""
    of_id = {d.id: d for d in sereval.read(times, format=format, tier=TIERS[format])}
    return [sereval.time_words(d, of_id[d.id]) for d in documents]


def spoken(part: str, system: str, condition: str) -> Scoring:
    """One system's output on one kind of recogniser's words, and the reference."""
    folder = SPEECH / part
    references = sereval.read(folder / "ref", format="inline")
    hypotheses = sereval.read(folder / "hyp" / system / condition, format="inline")
    return Scoring(
        timed_by(references, folder / "align", "textgrid"),
        timed_by(hypotheses, folder / condition, "ctm"),
        0,
    )
