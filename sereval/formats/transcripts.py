"""Transcripts without times, an utterance on each line: sclite's trn, and Kaldi's text."""

from __future__ import annotations

from collections.abc import Iterator

from ..documents.checks import Alternative
from ..documents.model import Document
from ..errors import SerevalError
from .file import File
from .rows import readings


def read_trn(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```trn
    SO FAR THIS YEAR THE { INDUSTRY'S / INDUSTRY } SLIDE HAS { @ / ALWAYS } BEEN APPARENT (4T0C0203)
    ```

    The transcripts that sclite scores: an utterance on each line, and its id between parentheses at
    the end. Blank lines and lines that begin with `;;` are comments. Each utterance is a document;
    **ids are put in small letters**, because sclite compares them without case.

    * Of the [alternatives](alternatives.md) between braces, the first with a word is among
      the words of the document, and the others are what may be said instead: word errors are those
      of the closest. `@` stands for no word.
    * Other parentheses are part of their words.

    Refused: a line without an id; braces that stand in others, or have one alternative.
    """
    with file.at() as here:
        for here.line, text in file.lines():
            text = text.strip()
            if text and not text.startswith(";;"):
                said, _, id = text.removesuffix(")").rpartition("(")
                if not text.endswith(")") or id.split() != [id]:
                    raise SerevalError(
                        "no id found, expected one at the end, as in 'words (ada-1)'"
                    )
                yield here.line, _document(file, id.lower(), said)


def _document(file: File, id: str, text: str) -> Document:
    words: list[str] = []
    alternatives: list[Alternative] = []
    for found in readings(text):
        taken = next(filter(None, found), ())
        others = tuple(one for one in dict.fromkeys(found) if one != taken)
        if taken and others:
            alternatives.append(Alternative(len(words), len(words) + len(taken), others))
        words += taken
    return Document(id, tuple(words), source=file.path, alternatives=tuple(alternatives))


def read_kalditext(file: File) -> Iterator[tuple[int, Document]]:
    """
    ```kalditext
    ada-1 recevrons Benoît
    ada-2 vingt ans
    ```

    Kaldi's file `text`: an utterance on each line, its id and its words. Each is a document; one
    without words is one in which nothing is said. The file has no suffix, so its format must be
    named, unless it ends in `.kalditext`.
    """
    for line, text in file.lines():
        if text.strip():
            id, *words = text.split()
            yield line, Document(id, tuple(words), source=file.path)
