"""Which program wrote a ``.json``, by the keys of its first object."""

from __future__ import annotations

import re

HEAD = 1 << 18
"""No more bytes of a file are looked at: a key may come after a long text."""

SIGNS: tuple[tuple[str, frozenset[str]], ...] = (
    ("native", frozenset({"id", "words"})),
    ("whisper", frozenset({"segments"})),
    ("whisper", frozenset({"text", "words"})),
    ("whisper", frozenset({"start", "end", "text"})),  # a list of segments
    ("kaldi", frozenset({"status", "result"})),
    ("kaldi", frozenset({"result", "segment-start"})),
    ("vosk", frozenset({"result", "text"})),
    ("vosk", frozenset({"alternatives"})),
    ("vosk", frozenset({"partial"})),
    ("vosk", frozenset({"monologues", "schemaVersion"})),
    ("mfa", frozenset({"tiers"})),
    ("labelstudio", frozenset({"data", "annotations"})),
    ("offsets", frozenset({"text", "entities"})),
    ("offsets", frozenset({"text", "spans"})),
)
"""Formats with keys that only files of theirs have all of; the first one that fits is it."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:]', re.DOTALL)


def format_of(head: str) -> str | None:
    """The format of a text in JSON, of which the beginning will do.

    >>> format_of('{"text": " Dol", "segments": [{"id": 0'), format_of('{"words": []}')
    ('whisper', None)
    """
    keys = first_keys(head)
    return next((format for format, sign in SIGNS if sign <= keys), None)


def first_keys(head: str) -> set[str]:
    """The keys of the first object, or of the first one in a list.

    >>> sorted(first_keys('[{"a": {"b": 1}, "c": [{"d": 2}]}, {"e": 3}]'))
    ['a', 'c']
    """
    keys: set[str] = set()
    depth = top = 0
    text = ""
    for token in _TOKEN.findall(head):
        if token in "{[":
            depth += 1
            top = top or (depth if token == "{" else 0)
        elif token in "}]":
            depth -= 1
            if top and depth < top:
                break
        elif token == ":":
            keys |= {text} if depth == top else set()
        else:
            text = token[1:-1]
    return keys
