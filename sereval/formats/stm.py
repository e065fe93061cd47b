"""STM of NIST: an utterance on each line, with its start and end.

``file channel speaker start end [<label>] words``, times in seconds. Of alternatives
``{ twenty / 20 }`` the first is read.

Source: the manual of NIST's SCTK, file formats of sclite.
"""

from __future__ import annotations

import re
from collections import Counter

from ..documents.model import Document, Reference, seconds
from ..documents.notes import count_notes
from ..errors import SerevalError
from .file import File as Source
from .file import quote
from .records import with_place
from .times import OTHERS, milliseconds
from .utterances import (
    UNKNOWN,
    Utterance,
    check_blank,
    checked,
    document_of,
    lines_of,
    utterances_of,
)
from .writers import WrittenFiles

IGNORED = "utterances that are not to be scored, skipped"
_IGNORE = "IGNORE_TIME_SEGMENT_IN_SCORING"
_GROUP = re.compile(r"\{([^{}]*)\}")
_Channel = tuple[str, str]


def read_stm(source: Source) -> list[tuple[int | None, Document]]:
    """The documents of an STM.

    The policy ``times``: words share the time of their utterance by their numbers of characters
    (``spread``), or have ``none``.

    Args:
        source: the file.

    Returns:
        A document for each file and channel, with the line of its first utterance. Its id is the
        file, or ``file-channel`` if that file has several channels. Words are in order of their
        starts, and each utterance begins with a break.

    Raises:
        InputError: fewer than five columns; a time that is negative or no number; an end before its
            start; braces that are not closed or stand in others; no utterance.

    >>> [(line, jfk)] = read_stm(Source("a.stm", text="jfk 1 jack 0 1.0 <o> we { go / goes }"))
    >>> line, jfk.id, jfk.words, jfk.times
    (1, 'jfk', ('we', 'go'), ((0, 500), (500, 1000)))
    """
    found: dict[_Channel, list[Utterance]] = {}
    lines: dict[_Channel, int] = {}
    skipped: dict[_Channel, Counter[str]] = {}
    for line, text in source.lines():
        columns = text.split(None, 5)
        if not columns or columns[0].startswith(";;"):
            continue
        channel = (columns[0], columns[1] if len(columns) > 1 else "")
        lines.setdefault(channel, line)
        try:
            one = _utterance(columns, skipped.setdefault(channel, Counter()))
        except SerevalError as error:
            raise source.error(str(error), line) from None
        found.setdefault(channel, []).extend([one] if one else [])
    if not found:
        raise source.error("no utterance found, expected lines such as 'show 1 ada 0.5 2.1 words'")
    channels = Counter(file for file, _ in found)
    return [
        (
            lines[file, channel],
            document_of(
                source,
                file if channels[file] == 1 else f"{file}-{channel}",
                utterances,
                skipped[file, channel],
            ),
        )
        for (file, channel), utterances in found.items()
    ]


def _utterance(columns: list[str], skipped: Counter[str]) -> Utterance | None:
    """The utterance of a line; ``None`` if it is not to be scored."""
    if len(columns) < 5:
        raise SerevalError(
            f"found {len(columns)} columns, expected at least 5: "
            "file channel speaker start end [<label>] words"
        )
    start = with_place("start", milliseconds, columns[3])
    end = with_place("end", milliseconds, columns[4])
    text = columns[5].strip() if len(columns) == 6 else ""
    if text.startswith("<"):
        text = text.partition(">")[2] if ">" in text.split()[0] else _no_label(text)
    if text.strip() == _IGNORE:
        skipped[IGNORED] += 1
        return None
    kept, groups = _GROUP.subn(lambda group: f" {_first(group[1], skipped)} ", text)
    if "{" in kept or "}" in kept:
        raise SerevalError(f"{quote(kept.strip())}: a brace without its other one, or in another")
    return checked(start, end, (kept if groups else text).split())


def _no_label(text: str) -> str:
    raise SerevalError(f"found {quote(text.split()[0])}, expected a label such as <o,f0,male>")


def _first(group: str, skipped: Counter[str]) -> str:
    """The first of some alternatives; ``@`` stands for no word."""
    first, *others = re.split(r"(?:^|\s)/(?:\s|$)", group)
    if not others:
        raise SerevalError(f"found {quote('{' + group + '}')}, expected ' / ' between alternatives")
    skipped[OTHERS] += len(others)
    return " ".join(word for word in first.split() if word != "@")


# ---------------------------------------------------------------------------------------- writing


def write_stm(document: Document | Reference) -> WrittenFiles:
    """The file of a document, and notes on what it does not hold."""
    utterances, lost = utterances_of(document, "STM")
    check_blank(document.id, document.id, "the id of a document")
    for one in utterances:
        text = " ".join(one.words)
        if "{" in text or "}" in text or text == _IGNORE or document.id.startswith(";;"):
            shown = quote(document.id if document.id.startswith(";;") else text)
            raise SerevalError(f"{document.id}: found {shown}, which no STM can hold")
    rows = ((document.id, "1", UNKNOWN, *_columns(one)) for one in utterances)
    return WrittenFiles({".stm": lines_of(rows)}, count_notes(lost))


def _columns(one: Utterance) -> list[str]:
    """The columns of an utterance; a label keeps a first word such as <unk> a word."""
    label = ["<o>"] if one.words[0].startswith("<") else []
    return [seconds(one.start), seconds(one.end), *label, *one.words]
