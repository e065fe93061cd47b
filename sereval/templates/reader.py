"""The strict reader of template files, in the notation of MUC-6.

The answer keys of MUC-6 have this notation. A header comes first, then a line for each slot
and a line for each further fill. ``/`` stands between alternatives and before the first fill of an
optional slot::

    <ORGANIZATION-9308040024-1> :=
        ORG_NAME: "STAR TV"
        ORG_ALIAS: / "STAR"
        ORG_TYPE: COMPANY
                / OTHER

Source: Kehler et al. 2001, figures 3 to 5; the user's manual of the MUC scoring software (M98-1030)
for ``/`` and ``OBJ_STATUS: OPTIONAL``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain, groupby

from ..documents.files import is_read_once, read_text
from ..documents.model import canonical
from ..errors import SerevalError
from ..formats.file import File, Head, quote
from .align import (
    Fill,
    Template,
    TemplateDocument,
    TemplateSlot,
    Value,
    written,
)

HEADER = re.compile(r"<([^<>\s]*)>[ \t]*:=")
IDENTIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_]*)-(\S+)-([0-9]+)")
SLOT = re.compile(r"([A-Za-z][A-Za-z0-9_]*):(?!=)[ \t]*")
VALUE = re.compile(
    r"""\s* (?: "(?P<string> (?:[^"\\]|\\["\\])* )"
           | <(?P<pointer> [^<>]* )>
           | (?P<word> (?!/)[^\s"<>] [^"<>]*? ) (?= \Z | \s/(?:\s|\Z) )
         ) \s*""",
    re.VERBOSE,
)
MOST_LOOKED_AT = 10_000
"""The most characters of a line that are read to see whether it is one of a template file."""

STATUS, OPTIONAL = "OBJ_STATUS", "OPTIONAL"


def read_templates(path: str, *, key: bool, encoding: str = "utf-8") -> list[TemplateDocument]:
    """The documents of a file, or of standard input; an empty file has none."""
    source = File(path, text=read_text(path, encoding))
    found: dict[str, TemplateDocument] = {}
    for id, together in groupby(_templates(source), lambda one: _identifier(one.id)[1]):
        document = TemplateDocument(id, [*together])
        if id in found:
            raise source.error(
                f"document {quote(id)} goes on after another, expected all of its templates in "
                f"one place; the first is in line {found[id].templates[0].line}",
                document.templates[0].line,
            )
        for template, message in _wrong(document, key=key):
            raise source.error(f"<{template.id}>: {message}", template.line)
        found[id] = document
    return [*found.values()]


def is_templates(path: str) -> bool:
    """Whether a file begins as template files do."""
    is_kept = not is_read_once(path) and os.path.isfile(path)
    begins = Head(File(path)).read(size=MOST_LOOKED_AT) if is_kept else ""
    return bool(HEADER.fullmatch(begins.partition("\n")[0].strip()))


def _wrong(document: TemplateDocument, *, key: bool) -> Iterator[tuple[Template, str]]:
    """What is wrong in a document as a whole, each with its template."""
    known = {template.id: template for template in document.templates}
    for template in document.templates:
        if known[template.id] is not template:
            yield known[template.id], "stands twice, expected it once"
        if template.optional and not key:
            yield template, "found an optional template in a response, expected it in keys only"
        for name, slot in template.slots.items():
            if slot.optional and not key:
                yield template, f"found / before the first fill of {name}, expected it in keys only"
            if not slot.fills:
                yield template, f"found no fill in {name}, expected at least one"
            if any(len(fill) > 1 for fill in slot.fills) and not key:
                yield template, f"found alternatives in {name}, expected them in keys only"
            for value in chain.from_iterable(slot.fills):
                if value.pointer and value.text not in known:
                    found = f"{name} points at {value}, expected a template of the same document"
                    yield template, found


# --- the notation of MUC-6 ------------------------------------------------------------------------


def _templates(source: File) -> list[Template]:
    """The templates of a file."""
    templates: list[Template] = []
    slots: dict[str, TemplateSlot] = {}
    with source:
        for text in source.lines():
            text = text.strip()
            if header := HEADER.fullmatch(text):
                type, _ = _identifier(header[1])
                slots = {}
                templates.append(Template(header[1], type, slots, line=source.here or 0))
            elif text and not templates:
                raise SerevalError(
                    f"found {quote(text)}, expected: a template file begins with "
                    "<TYPE-DOCUMENT-NUMBER> :="
                )
            elif text:
                _add(text, slots)
    return [_with_status(template, source) for template in templates]


def _identifier(text: str) -> tuple[str, str]:
    """The type and the document of an identifier."""
    parts = IDENTIFIER.fullmatch(text)
    if not parts:
        raise SerevalError(f"found {quote(text)}, expected <TYPE-DOCUMENT-NUMBER>")
    return parts[1], parts[2]


def _add(text: str, slots: dict[str, TemplateSlot]) -> None:
    """Add a slot with its first fill, a further fill, or an alternative to the last fill."""
    opening = SLOT.match(text)
    if opening:
        text = text[opening.end() :]
    elif not slots:
        raise SerevalError(f"found {quote(text)}, expected a slot such as ORG_NAME:")
    is_marked = text.startswith("/")
    text = text.removeprefix("/").strip()
    if opening:
        name = opening[1]
        if name in slots:
            raise SerevalError(f"slot {name} stands twice in one template, expected it once")
        slots[name] = TemplateSlot([_values(text)] if text else [], is_marked)
        return
    name, (fills, _) = list(slots.items())[-1]
    if not is_marked:
        fills.append(_values(text))
    elif fills:
        fills[-1] += _values(text)
    else:
        raise SerevalError(f"found / before the first fill of {name}, expected it behind the colon")


def _values(text: str) -> Fill:
    """The alternatives of a fill on one line."""
    values = []
    at = 0
    while True:
        found = VALUE.match(text, at)
        string, pointer, word = found.groups("") if found else ("", "", "")
        if found is None or not (string.strip() or pointer or word):
            raise SerevalError(
                f'found {quote(text[at:])}, expected a string that is not empty, with " at its '
                'end and \\" and \\\\ inside; a pointer <TYPE-DOCUMENT-NUMBER>; or a word of a set'
            )
        if pointer:
            _identifier(pointer)
        content = pointer or canonical(re.sub(r"\\(.)", r"\1", string) or word.rstrip())
        values.append(Value(content, bool(pointer), bool(string)))
        at = found.end()
        if at == len(text):
            return tuple(values)
        if text[at] != "/":
            raise SerevalError(
                f"found {quote(text[at:])} behind a fill, expected / or the end of the line; "
                "each further fill stands on a line of its own"
            )
        at += 1


def _with_status(template: Template, source: File) -> Template:
    """The template, without the slot that says whether it is optional."""
    status = template.slots.pop(STATUS, None)
    if status is None:
        return template
    if status.fills != [(Value(OPTIONAL),)]:
        found = quote(", ".join(map(written, status.fills)))
        message = f"<{template.id}>: found {found} in {STATUS}, expected {OPTIONAL}, once"
        raise source.error(message, template.line)
    return template._replace(optional=True)
