"""Which program wrote a ``.json`` or ``.jsonl``, by the keys of its first object."""

from __future__ import annotations

import re

SUFFIXES = (".json", ".jsonl")
"""Several programs write them, and native files have them too."""

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
    ("labelstudio", frozenset({"data", "completions"})),
    ("labelstudio", frozenset({"annotator", "annotation_id"})),  # JSON-MIN
    ("mentions", frozenset({"id", "mentions"})),
    ("offsets", frozenset({"text", "entities"})),
    ("offsets", frozenset({"text", "spans"})),
    ("offsets", frozenset({"text", "label"})),
    ("offsets", frozenset({"text", "labels"})),
    ("offsets", frozenset({"text", "annotations"})),
    ("offsets", frozenset({"text", "answer"})),  # without any span
)
"""Formats with keys that only files of theirs have all of; the first one that fits is it."""

TOLD = frozenset(format for format, _ in SIGNS)
"""Formats that can be told by their keys."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:]', re.DOTALL)


def format_of(keys: set[str]) -> str | None:
    """The format whose files have such keys.

    >>> format_of({"text", "segments"}), format_of({"words"})
    ('whisper', None)
    """
    return next((format for format, sign in SIGNS if sign <= keys), None)


def first_keys(head: str) -> set[str]:
    """The keys of the first object of a text in JSON, or of the first one in a list.

    Args:
        head: the text, of which the beginning will do.

    >>> sorted(first_keys('[{"a": {"b": 1}, "c": [{"d": 2}]}, {"e": 3}]'))
    ['a', 'c']
    """
    keys: set[str] = set()
    depth = top = 0
    text = ""
    for found in _TOKEN.finditer(head):
        token = found[0]
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
