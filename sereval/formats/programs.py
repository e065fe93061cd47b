"""The program or the campaign of a file, as far as its format, its keys or its first line say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError
from .guess import keys_of
from .registry import RECOGNISERS, TOKENS
from .source import is_read_once, open_file
from .table import table

if TYPE_CHECKING:
    from . import File

PROGRAMS = {
    "inline": "",
    "native": "",
    "mentions": "",
    "sgml": "MUC or Hub-4",
    "textgrid": "Praat or an aligner",
    "ctm": "NIST's CTM",
    "stm": "NIST's STM",
    "rttm": "NIST's RTTM",
    "seglst": "meeteval",
    "webvtt": "WebVTT",
    "subrip": "SubRip",
    "nlp": "fstalign",
    "aref": "LNE's program",
    "brat": "brat",
    "whisper": "Whisper",
    "vosk": "Vosk",
    "kaldi": "kaldi-gstreamer-server",
    "mfa": "the Montreal Forced Aligner",
    "eaf": "ELAN",
    "ace": "ACE",
    "exb": "EXMARaLDA",
    "media": "MEDIA",
    "transcriber": "Transcriber",
    "xmi": "UIMA (INCEpTION, DKPro Core)",
    "webanno": "WebAnno or INCEpTION",
    "offsets": "Prodigy, doccano or another program of offsets",
    "docbin": "spaCy 3",
    "labelstudio": "Label Studio",
    "slurp": "SLURP",
    "answers": "a language model",
    "slue": "SLUE VoxPopuli",
}
"""The program of each format; empty: sereval's own format, which any program may write. Formats of
several programs are in ``_TOLD``."""

LAYOUTS = {
    "evalita": "EVALITA",
    "conll": "CoNLL",
    "germeval": "GermEval",
    "hipe": "HIPE",
    "conllup": "CoNLL-U Plus",
    "conllu": "CoNLL-U",
}
"""The campaign of each layout of columns."""


def origin_of(file: File) -> str:
    """The program or campaign of a file; empty: its format says none, or it cannot be read.

    Args:
        file: a file whose format is known.

    >>> from sereval.formats import File
    >>> origin_of(File("a.eaf", "eaf"))
    'ELAN'
    """
    if file.format in PROGRAMS or is_read_once(file.path):
        return PROGRAMS.get(file.format, "")
    try:
        return _TOLD[file.format](file)
    except (InputError, UnicodeError, LookupError):
        return ""  # the reader reports the fault


def _by_keys(file: File) -> str:
    with open_file(file.path) as opened:
        keys = keys_of(opened, file.options.encoding)
    signs = RECOGNISERS if file.format == "recogniser" else TOKENS
    return next((name for name, sign in signs if sign <= keys), "")


def _columns(file: File) -> str:
    return LAYOUTS[table(file.source()).layout]


_TOLD = {
    "recogniser": _by_keys,
    "tokens": _by_keys,
    "columns": _columns,
}
