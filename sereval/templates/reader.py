"""The strict reader of template files, in the notation of MUC-6 or as JSON lines.

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..documents.files import is_read_once, read_text, refuse_special
from ..errors import InputError, SerevalError, reason
from ..formats.file import File, quote
from . import records
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
TEMPLATES = re.compile(rb'"templates"\s*:\s*\[')
MOST_LOOKED_AT = 10_000
"""The most bytes of a line that are read to see whether it is one of a template file."""

NEXT = re.compile(r"\s/(?=\s|$)")
STATUS, OPTIONAL = "OBJ_STATUS", "OPTIONAL"

LOOKS = "a template file begins with <TYPE-DOCUMENT-NUMBER> :=, or with { where it is JSON lines"


def read_templates(path: str, *, key: bool, encoding: str = "utf-8") -> list[TemplateDocument]:
    """Read the documents of a file, of all files in a folder, or of standard input.

    Args:
        path: a file; a folder, whose hidden files are skipped; or ``-``.
        key: whether the file is a key, which may have alternatives and optional parts.
        encoding: the encoding of the files.

    Returns:
        The documents in the order of the files, with templates in the order of their file.

    Raises:
        InputError: the path or a file is wrong, with the line.
    """
    sources = (File(place, text=read_text(place, encoding)) for place in _files(path))
    return parse(sources, key=key)


def is_templates(path: str) -> bool:
    """Whether a file, or the first file of a folder, begins as template files do.

    Args:
        path: a file or a folder; ``-`` and anything else that can be read only once is not looked
            at, and is taken for something else.
    """
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
    """The documents of some files; an empty file has none.

    Args:
        sources: the files.
        key: whether the files are a key.

    Raises:
        InputError: a file is wrong, with the line.

    >>> [star] = parse([File("k", text='<ORG-024-1> :=\\nORG_NAME: "STAR TV"')], key=True)
    >>> star.id, str(star.templates[0].slots[0].fills[0])
    ('024', '"STAR TV"')
    """
    documents: list[TemplateDocument] = []
    places: dict[str, str] = {}
    for source in sources:
        for line, document in _of_file(source):
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


def _of_file(source: File) -> Iterable[tuple[int | None, TemplateDocument]]:
    """The documents of one file, each with its first line."""
    begins = source.text.lstrip()[:1]
    if not begins:
        return []
    if begins not in {"<", "{"}:
        raise source.error(f"found {quote(begins)}, expected: {LOOKS}")
    return records.parse(source) if begins == "{" else _notation(source)


# --- the notation of MUC-6 ------------------------------------------------------------------------


@dataclass
class _Draft:
    """A template whose lines are still being read."""

    id: str
    type: str
    line: int
    slots: dict[str, tuple[list[list[Value]], bool]] = field(default_factory=dict)

    def template(self) -> Template:
        """The finished template."""
        fills, _ = self.slots.get(STATUS, ([], False))
        return Template(
            self.id,
            self.type,
            tuple(
                TemplateSlot(name, tuple(Fill(tuple(values)) for values in fills), optional)
                for name, (fills, optional) in self.slots.items()
                if name != STATUS
            ),
            optional=bool(fills),
            line=self.line,
        )


def _notation(source: File) -> list[tuple[int, TemplateDocument]]:
    found: list[tuple[int, str, _Draft]] = []
    for line, text in source.lines():
        text = text.strip()
        try:
            if header := HEADER.fullmatch(text):
                document, template = _header(header[1], line)
                if found:
                    _check_filled(found[-1][2])
                found.append((line, document, template))
            elif text:
                if not found:
                    raise SerevalError(f"found {quote(text)}, expected: {LOOKS}")
                _line(text, found[-1][2])
        except SerevalError as error:
            raise source.error(str(error), line) from None
    try:
        _check_filled(found[-1][2])
    except SerevalError as error:
        raise source.error(str(error), found[-1][0]) from None
    return _group(found, source)


def _header(identifier: str, line: int) -> tuple[str, _Draft]:
    parts = IDENTIFIER.fullmatch(identifier)
    if not parts:
        raise SerevalError(f"found {quote(identifier)}, expected <TYPE-DOCUMENT-NUMBER>")
    return parts[2], _Draft(identifier, parts[1], line)


def _check_filled(template: _Draft) -> None:
    """Check that each slot has a fill; only the last slot of a template can lack one."""
    for name, (fills, _) in template.slots.items():
        if not fills:
            raise SerevalError(f"slot {name} before this line has no fill, expected one")


def _line(text: str, template: _Draft) -> None:
    """Add a slot with its first fill, a further fill, or an alternative to the last fill."""
    if opening := SLOT.match(text):
        _check_filled(template)
        name, text = opening[1], text[opening.end() :]
        if name in template.slots:
            raise SerevalError(f"slot {name} stands twice in <{template.id}>, expected it once")
        optional = text.startswith("/")
        template.slots[name] = [], optional
        text = text[optional:].strip()
        is_alternative = False
    else:
        is_alternative = text.startswith("/")
        text = text[is_alternative:].strip()
    if not template.slots:
        raise SerevalError(f"found {quote(text)}, expected a slot such as ORG_NAME:")
    name, (fills, _) = list(template.slots.items())[-1]
    if is_alternative and not fills:
        raise SerevalError(f"found / before the first fill of {name}, expected it behind the colon")
    if not text and not is_alternative:
        return  # the first fill is on the next line
    values = _values(text)
    if is_alternative:
        fills[-1] += values
    else:
        fills.append(values)
    if name == STATUS and [[OPTIONAL]] != [[value.text for value in fill] for fill in fills]:
        raise SerevalError(f"found {quote(text)} in {STATUS}, expected {OPTIONAL}, once")
    if len(fills) > MOST_FILLS or len(fills[-1]) > MOST_FILLS:
        raise SerevalError(f"more than {MOST_FILLS} fills in one slot, expected fewer")


def _values(text: str) -> list[Value]:
    """The alternatives of a fill on one line.

    >>> [str(value) for value in _values('"A / B" / <ORG-024-1> / UNITED KINGDOM')]
    ['"A / B"', '<ORG-024-1>', 'UNITED KINGDOM']
    """
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


def _group(
    found: list[tuple[int, str, _Draft]], source: File
) -> list[tuple[int, TemplateDocument]]:
    """Group templates by document. As for the MUC scorer, those of one document stand together."""
    documents: dict[str, tuple[int, list[Template]]] = {}
    for line, name, template in found:
        if name in documents and name != next(reversed(documents)):
            raise source.error(
                f"document {quote(name)} goes on after another, expected all of its templates "
                f"in one place; the first is in line {documents[name][0]}",
                line,
            )
        documents.setdefault(name, (line, []))[1].append(template.template())
    return [
        (line, TemplateDocument(name, tuple(templates)))
        for name, (line, templates) in documents.items()
    ]


# --- checks of both forms -------------------------------------------------------------------------


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
