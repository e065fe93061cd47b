"""Biasing lists: files of the words that a recogniser was told to expect.

Three forms are read, by the suffix of the file::

    .json   ["Wolfson", "Dol"]            one list for all documents
            {"d1": ["Wolfson"]}           a list for each document, by id
    .tsv    d1 ⇥ ... ⇥ ["Wolfson"]        a line for each document: its id, its text or nothing,
                                          and its list in JSON; further columns are ignored
    other   Wolfson                       one list for all documents, a word a line

Source: Le et al., Interspeech 2021, whose lists of LibriSpeech are the second form.
"""

from __future__ import annotations

from ..documents.files import read_text, short_hash
from ..errors import InputError, SerevalError
from ..formats.file import File
from ..formats.records import Record, load, value
from ..measures.words import BiasingList

EntryWords = tuple[str, ...]


def load_biasing(path: str) -> BiasingList:
    """The biasing lists of a file."""
    source = File(path, text=read_text(path))
    lower = path.lower()
    words: EntryWords | None = None
    documents: dict[str, EntryWords] = {}
    if lower.endswith(".tsv"):
        documents = _rows(source)
    elif lower.endswith(".json"):
        words, documents = _json(source)
    else:
        words = tuple(line.strip() for _, line in source.lines() if line.strip())
    if not (words or any(documents.values())):
        raise InputError("found no word, expected a biasing list", path=path)
    return BiasingList(words, documents, _digest(words, documents))


def _rows(source: File) -> dict[str, EntryWords]:
    """The lists of a table with tabs."""
    found: dict[str, EntryWords] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        try:
            if len(fields) < 3:
                raise SerevalError(
                    f"found {len(fields)} columns, expected a document, its text and its words"
                )
            if fields[0] in found:
                raise SerevalError(f"found {fields[0]} a second time, expected it once")
            found[fields[0]] = _words(load(fields[2]), fields[0])
        except SerevalError as error:
            raise source.located(error, number) from None
    return found


def _json(source: File) -> tuple[EntryWords | None, dict[str, EntryWords]]:
    """One list for all documents, or the list of each."""
    found = value(source)
    try:
        if isinstance(found, dict):
            return None, {id: _words(words, id) for id, words in found.items()}
        return _words(found, "words"), {}
    except SerevalError as error:
        raise source.located(error) from None


def _words(found: object, where: str) -> EntryWords:
    return Record({where: found}, "biasing list").strings(where)


def _digest(words: EntryWords | None, documents: dict[str, EntryWords]) -> str:
    lists = {"": words or (), **documents}
    text = "\n".join(f"{id}\t{' '.join(sorted(lists[id]))}" for id in sorted(lists))
    return short_hash(text)
