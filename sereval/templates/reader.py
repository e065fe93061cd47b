"""The strict reader of template files, in the notation of MUC-6 or as JSON lines.

The answer keys of MUC-6 have this notation. A header comes first, then a line for each slot
and a line for each further fill. ``/`` stands between alternatives and before the first fill of an
optional slot::

    <ORGANIZATION-9308040024-1> :=
        ORG_NAME: "STAR TV"
        ORG_ALIAS: / "STAR"
        ORG_TYPE: COMPANY
                / OTHER

JSON lines have a document on each line:
``{"id": "024", "templates": [{"id": "ORG-1", "type": "ORG", "slots": {"NAME": ["STAR TV"]}}]}``.
A fill is a string, ``{"pointer": "ORG-1"}``, or ``{"any": […]}`` for alternatives. An optional slot
is ``{"optional": true, "fills": […]}``; an optional template has ``"optional": true``.

Source: Kehler et al. 2001, figures 3 to 5; the user's manual of the MUC scoring software (M98-1030)
for ``/`` and ``OBJ_STATUS: OPTIONAL``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..documents.files import is_read_once, read_text, refuse_special
from ..errors import InputError, SerevalError, reason
from ..formats.file import File, quote
from ..formats.records import Record, each_line, show
from .model import (
    MOST_FILLS,
    MOST_TEMPLATES,
    Fill,
    Template,
    TemplateDocument,
    TemplateSlot,
    Value,
)

HEADER = re.compile(r"<([^<>\s]*)>[ \t]*:=")
IDENTIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_]*)-(\S+)-([0-9]+)")
SLOT = re.compile(r"([A-Za-z][A-Za-z0-9_]*):(?!=)[ \t]*")
STRING = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
TEMPLATES = re.compile(rb'"templates"\s*:\s*\[')
MOST_LOOKED_AT = 10_000
"""The most bytes of a line that are read to see whether it is one of a template file."""

NEXT = re.compile(r"\s/(?=\s|$)")
STATUS, OPTIONAL = "OBJ_STATUS", "OPTIONAL"

LOOKS = "a template file begins with <TYPE-DOCUMENT-NUMBER> :=, or with { where it is JSON lines"


def read_templates(path: str, *, key: bool, encoding: str = "utf-8") -> list[TemplateDocument]:
    """The documents of a file, of all files in a folder but hidden ones, or of standard input."""
    sources = (File(place, text=read_text(place, encoding)) for place in _files(path))
    return parse(sources, key=key)


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    try:
        names = sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError as error:
        raise InputError(reason(error, path), path=path) from None
    places = [os.path.join(path, name) for name in names]
    files = [place for place in places if not os.path.isdir(place)]
    for place in files:
        refuse_special(place)
    if not files:
        raise InputError("no file to read in this folder, expected template files", path=path)
    return files


def is_templates(path: str) -> bool:
    """Whether a file, or the first file of a folder, begins as template files do."""
    try:
        first = _files(path)[0]
        if path == "-" or is_read_once(first):
            return False
        with open(first, "rb") as file:
            begins = file.readline(MOST_LOOKED_AT).lstrip(b"\xef\xbb\xbf").strip()
    except (OSError, InputError):
        return False
    if begins.startswith(b"{"):
        return TEMPLATES.search(begins) is not None
    return HEADER.fullmatch(begins.decode("latin-1")) is not None


def parse(sources: Iterable[File], *, key: bool) -> list[TemplateDocument]:
    """The documents of some files; an empty file has none."""
    documents: list[TemplateDocument] = []
    places: dict[str, str] = {}
    for source in sources:
        begins = source.text.lstrip()[:1]
        if begins not in {"", "<", "{"}:
            raise source.error(f"found {quote(begins)}, expected: {LOOKS}")
        for line, document in _json(source) if begins == "{" else _notation(source):
            if document.id in places:
                raise source.error(
                    f"document {quote(document.id)} stands twice, expected all of its templates "
                    f"in one place; the first is in {places[document.id]}",
                    line,
                )
            _check(document, source, key=key)
            places[document.id] = f"{source.path}:{line}"
            documents.append(document)
    return documents


def _check(document: TemplateDocument, source: File, *, key: bool) -> None:
    """Check a document as a whole."""
    if len(document.templates) > MOST_TEMPLATES:
        raise source.error(
            f"document {quote(document.id)} has {len(document.templates)} templates, "
            f"expected at most {MOST_TEMPLATES}",
            document.templates[0].line,
        )
    known: set[str] = set()
    for template in document.templates:
        if template.id in known:
            raise source.error(f"<{template.id}> stands twice, expected it once", template.line)
        known.add(template.id)
    for template in document.templates:
        for message in _wrong(template, known, key=key):
            raise source.error(f"<{template.id}>: {message}", template.line)


def _wrong(template: Template, known: set[str], *, key: bool) -> Iterator[str]:
    if template.optional and not key:
        yield "found an optional template in a response, expected it in keys only"
    for slot in template.slots:
        if slot.optional and not key:
            yield f"found / before the first fill of {slot.name}, expected it in keys only"
        for fill in slot.fills:
            if len(fill.values) > 1 and not key:
                yield f"found alternatives in {slot.name}, expected them in keys only"
            for value in fill.values:
                if value.pointer and value.text not in known:
                    yield (
                        f"{slot.name} points at {value}, expected a template of the same document"
                    )


# --- the notation of MUC-6 ------------------------------------------------------------------------


@dataclass
class _Slot:
    """A slot whose lines are still being read."""

    line: int
    optional: bool
    fills: list[list[Value]] = field(default_factory=list)


@dataclass
class _Draft:
    """A template whose lines are still being read."""

    id: str
    type: str
    line: int
    slots: dict[str, _Slot] = field(default_factory=dict)

    def template(self, source: File) -> Template:
        """The finished template."""
        for name, slot in self.slots.items():
            if not slot.fills:
                raise source.error(f"slot {name} has no fill, expected one", slot.line)
        slots = tuple(
            TemplateSlot(name, tuple(Fill(tuple(values)) for values in slot.fills), slot.optional)
            for name, slot in self.slots.items()
            if name != STATUS
        )
        return Template(self.id, self.type, slots, STATUS in self.slots, self.line)


def _notation(source: File) -> Iterator[tuple[int, TemplateDocument]]:
    """The documents of a file; as for the MUC scorer, the templates of one stand together."""
    drafts: dict[str, list[_Draft]] = {}
    name = ""
    for line, text in source.lines():
        text = text.strip()
        with source.at(line):
            if header := HEADER.fullmatch(text):
                last, (type, name) = name, _identifier(header[1])
                if name in drafts and name != last:
                    raise SerevalError(
                        f"document {quote(name)} goes on after another, expected all of its "
                        f"templates in one place; the first is in line {drafts[name][0].line}"
                    )
                drafts.setdefault(name, []).append(_Draft(header[1], type, line))
            elif text and not drafts:
                raise SerevalError(f"found {quote(text)}, expected: {LOOKS}")
            elif text:
                _add(text, drafts[name][-1], line)
    for name, own in drafts.items():
        templates = tuple(draft.template(source) for draft in own)
        yield own[0].line, TemplateDocument(name, templates)


def _identifier(text: str) -> tuple[str, str]:
    """The type and the document of an identifier."""
    parts = IDENTIFIER.fullmatch(text)
    if not parts:
        raise SerevalError(f"found {quote(text)}, expected <TYPE-DOCUMENT-NUMBER>")
    return parts[1], parts[2]


def _add(text: str, template: _Draft, line: int) -> None:
    """Add a slot with its first fill, a further fill, or an alternative to the last fill."""
    opening = SLOT.match(text)
    if opening:
        name, text = opening[1], text[opening.end() :]
        if name in template.slots:
            raise SerevalError(f"slot {name} stands twice in <{template.id}>, expected it once")
        template.slots[name] = _Slot(line, text.startswith("/"))
    elif not template.slots:
        raise SerevalError(f"found {quote(text)}, expected a slot such as ORG_NAME:")
    name, slot = list(template.slots.items())[-1]
    is_marked = text.startswith("/")
    text = text[is_marked:].strip()
    if is_marked and not opening and not slot.fills:
        raise SerevalError(f"found / before the first fill of {name}, expected it behind the colon")
    if opening and not text:
        return  # the first fill is on the next line
    if is_marked and not opening:
        slot.fills[-1] += _values(text)
    else:
        slot.fills.append(_values(text))
    if name == STATUS and [[OPTIONAL]] != [[value.text for value in fill] for fill in slot.fills]:
        raise SerevalError(f"found {quote(text)} in {STATUS}, expected {OPTIONAL}, once")
    if len(slot.fills) > MOST_FILLS or len(slot.fills[-1]) > MOST_FILLS:
        raise SerevalError(f"more than {MOST_FILLS} fills in one slot, expected fewer")


def _values(text: str) -> list[Value]:
    """The alternatives of a fill on one line."""
    values = []
    while True:
        value, text = _value(text)
        values.append(value)
        if not text or len(values) > MOST_FILLS:  # the caller refuses too many
            return values
        if not text.startswith("/"):
            raise SerevalError(
                f"found {quote(text)} behind a fill, expected / or the end of the line; "
                "each further fill stands on a line of its own"
            )
        text = text[1:].lstrip()


def _value(text: str) -> tuple[Value, str]:
    """The value at the beginning of a text, and the rest of the text."""
    if text.startswith('"'):
        string = STRING.match(text)
        if not string or not string[1].strip():
            raise SerevalError(
                f'found {quote(text)}, expected a string that is not empty, with " at its end and '
                '\\" and \\\\ inside'
            )
        plain = re.sub(r"\\(.)", r"\1", string[1])
        return Value(plain, quoted=True), text[string.end() :].lstrip()
    if text.startswith("<"):
        identifier, end, rest = text[1:].partition(">")
        if not end or not IDENTIFIER.fullmatch(identifier):
            raise SerevalError(f"found {quote(text)}, expected <TYPE-DOCUMENT-NUMBER>")
        return Value(identifier, pointer=True), rest.lstrip()
    stop = NEXT.search(text)
    end_at = stop.start() if stop else len(text)
    plain = text[:end_at].rstrip()
    if not plain or plain.startswith("/") or set(plain) & set('"<>'):
        raise SerevalError(f"found {quote(text)}, expected a string, a pointer or a word of a set")
    return Value(plain), text[end_at:].lstrip()


# --- JSON lines -----------------------------------------------------------------------------------


def _json(source: File) -> Iterator[tuple[int, TemplateDocument]]:
    for line, record in each_line(source):
        with source.at(line):
            record.only(("id", "templates"))
            templates = [_template(Record(*each), line) for each in record.items("templates")]
            yield line, TemplateDocument(record.word("id"), tuple(templates))


def _template(record: Record, line: int) -> Template:
    record.only(("id", "type", "slots", "optional"))
    slots = record.record("slots")
    return Template(
        record.word("id"),
        _name(record.string("type"), record.name("type")),
        tuple(_slot(slots, name) for name in slots.values),
        optional=_is_optional(record),
        line=line,
    )


def _slot(slots: Record, name: str) -> TemplateSlot:
    """A slot: a list of fills, or an object that can also say that the slot is optional."""
    _name(name, slots.where)
    if not isinstance(slots.values[name], dict):
        return TemplateSlot(name, _fills(slots, name, "fills"))
    record = slots.record(name)
    record.only(("fills", "optional"))
    return TemplateSlot(name, _fills(record, "fills", "fills"), _is_optional(record))


def _fills(record: Record, key: str, what: str) -> tuple[Fill, ...]:
    return tuple(_fill(*each) for each in _some(record, key, what))


def _fill(value: Any, where: str) -> Fill:
    if isinstance(value, dict) and "any" in value:
        record = Record(value, where)
        record.only(("any",))
        return Fill(tuple(_json_value(*each) for each in _some(record, "any", "alternatives")))
    return Fill((_json_value(value, where),))


def _json_value(value: Any, where: str) -> Value:
    """A string, or a pointer, which is an object."""
    is_pointer = isinstance(value, dict)
    record = Record(value if is_pointer else {"pointer": value}, where)
    record.only(("pointer",))
    return Value(record.word("pointer"), pointer=is_pointer, quoted=not is_pointer)


def _some(record: Record, key: str, what: str) -> list[tuple[Any, str]]:
    """The items of a list, with their names for messages; the list has 1 to ``MOST_FILLS``."""
    items = list(record.items(key))
    if not 0 < len(items) <= MOST_FILLS:
        raise SerevalError(
            f"{record.name(key)}: found {len(items)} {what}, expected 1 to {MOST_FILLS}"
        )
    return items


def _name(text: str, where: str) -> str:
    """The name of a type or a slot. Options separate such names with commas and dots."""
    if not NAME.fullmatch(text):
        raise SerevalError(
            f"{where}: found {quote(text)}, expected a name of letters, digits, _ and -"
        )
    return text


def _is_optional(record: Record) -> bool:
    value = record.values.get("optional", False)
    if not isinstance(value, bool):
        raise SerevalError(
            f"{record.name('optional')}: found {show(value)}, expected true or false"
        )
    return value
