"""The table of formats: all that is known of a format before its module is imported.

A format is a record here and three functions in its module: ``read_NAME(file)`` yields its
documents, each with its line; ``write_NAME(document, lost)`` gives the text of its file, if it has
a ``writer``; and ``recognise(head)`` names the format of a file whose suffix several formats share.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

from ..documents.tags import WRITABLE

PARTS = {
    "times": "times of words",
    "elements": "elements, which the format does not have",
    "mentions": "mentions without places",
    "alternatives": "alternatives",
    "breaks": "utterance boundaries",
}
"""The parts of a document that few formats hold, by attribute, and the notes on their loss."""


class Writer(NamedTuple):
    """How documents are written in a format."""

    suffix: str  # if a document has two files, that of the annotation
    holds: tuple[str, ...]  # the parts of a document that it can hold, as attributes
    is_fuzzy: bool = False  # holds fuzzy references
    holds_many: bool = False  # joined files of several documents are a file of the format
    schemes: tuple[str, ...] = ()  # of tags, to choose from; none: its elements are no tags


class Format(NamedTuple):
    """A format of files.

    Args:
        name: its name for users.
        module: the module that reads and writes it.
        expects: what a file must contain at least, for the message about an empty file.
        suffixes: suffixes of its files, in small letters; none: its name is the only one.
        elements: the form of its elements, for messages; empty: it has no elements.
        has_places: whether its elements stand on words; mentions do not.
        has_times: whether its words have, or may have, times.
        names: where the ids of documents come from. ``file``: the name of the file, which has one
            document. ``lines``: each line has an id. ``content``: the file must be read first.
        shared: suffixes that other formats or programs use too. Such a file is of this format if
            its module recognises it; a file that none recognises, if no other format has the suffix
            or the user names this one.
        beside: suffix of the file beside each of its files, such as the text that it annotates;
            with such a text, an empty file is allowed.
        folder_beside: the folder beside that of its files which may have the files beside; these
            may then be missing.
        is_binary: whether its files hold bytes instead of text.
        options: those of ``columns``, ``tier``, ``tags`` and ``unreadable`` that have an effect.
        writer: how it is written; ``None``: it is not written.
    """

    name: str
    module: str
    expects: str
    suffixes: tuple[str, ...] = ()
    elements: str = ""
    has_places: bool = True
    has_times: bool = False
    names: str = "content"
    shared: tuple[str, ...] = ()
    beside: str = ""
    folder_beside: str = ""
    is_binary: bool = False
    options: tuple[str, ...] = ()
    writer: Writer | None = None

    def function(self, name: str) -> Any:
        """A function of the module, which this imports; ``None``: it has none of that name."""
        module = import_module(f".{self.module}", __package__)
        return getattr(module, name, None)

    def manual(self) -> str:
        """Its section of the manual, which is the docstring of its reader."""
        from textwrap import dedent  # only manuals wait for it

        # Python 3.13 makes spaces of the tabs of a docstring, which writes them as symbols
        return dedent(str(self.function(f"read_{self.name}").__doc__)).strip().replace("␉", "\t")


_JSON = (".json", ".jsonl")

_FORMATS = (
    Format(
        "inline",
        "inline",
        "words, with or without tags; a document without words is written in native JSON, with "
        '"words": []',
        suffixes=(".ne",),
        elements="inline tags <label> … </label>",
        shared=(".txt",),
        writer=Writer(".ne", ("elements", "breaks")),
        names="file",
    ),
    Format(
        "sgml",
        "inline",
        "words, with or without tags of MUC",
        suffixes=(".sgml", ".sgm"),
        elements='tags such as <ENAMEX TYPE="PERSON"> … </ENAMEX>',
    ),
    Format(
        "columns",
        "columns",
        "lines such as 'Davide show B-PER'",
        suffixes=(".iob", ".iob2", ".bio", ".conll", ".conllu", ".conllup"),
        elements="tags such as B-PER",
        shared=(
            ".tsv",
            ".txt",
            ".conll2003",
            ".data",
            ".testa",
            ".testb",
            ".train",
            ".dev",
            ".test",
        ),
        writer=Writer(".conll", ("elements", "breaks"), schemes=tuple(WRITABLE)),
        options=("columns", "tags"),
    ),
    Format(
        "textgrid",
        "praat",
        "a TextGrid saved as text",
        has_times=True,
        writer=Writer(".TextGrid", ("times", "elements")),
        options=("tier",),
        names="file",
    ),
    Format(
        "ctm",
        "rows",
        "lines such as 'show 1 0.53 0.56 word'; a document without words is 'show 1 0 0 @'",
        has_times=True,
        writer=Writer(".ctm", ("times",), holds_many=True),
    ),
    Format(
        "stm",
        "rows",
        "lines such as 'show 1 ada 0.53 2.1 some words'",
        has_times=True,
        writer=Writer(".stm", ("times", "breaks"), holds_many=True),
    ),
    Format(
        "trn",
        "rows",
        "lines such as 'some words (ada-1)'",
        shared=(".txt",),
    ),
    Format(
        "kalditext",
        "rows",
        "lines such as 'ada-1 some words'",
        shared=(".txt",),
    ),
    Format(
        "csv",
        "rows",
        "a head with id and text, and a row for each document",
        shared=(".tsv",),
        options=("columns",),
    ),
    Format(
        "manifest",
        "rows",
        "a JSON object with audio_filepath and text on each line",
        has_times=True,
        shared=_JSON,
        options=("columns",),
    ),
    Format(
        "lines",
        "rows",
        "words, a document on each line",
    ),
    Format(
        "seglst",
        "rows",
        "a JSON list of utterances",
        has_times=True,
        shared=_JSON,
        writer=Writer(".seglst", ("times", "breaks")),
    ),
    Format(
        "rttm",
        "rows",
        "rows such as LEXEME show 1 0.53 0.56 word lex ada 0.9",
        has_times=True,
    ),
    Format(
        "webvtt",
        "subtitles",
        "the line WEBVTT and cues such as 00:00:01.000 --> 00:00:02.000 with their text",
        suffixes=(".vtt",),
        has_times=True,
        writer=Writer(".vtt", ("times", "breaks")),
        names="file",
    ),
    Format(
        "subrip",
        "subtitles",
        "cues such as 00:00:01,000 --> 00:00:02,000 with their text",
        suffixes=(".srt",),
        has_times=True,
        writer=Writer(".srt", ("times", "breaks")),
        names="file",
    ),
    Format(
        "nlp",
        "nlp",
        "the line token|speaker|ts|endTs|punctuation|case|tags|wer_tags",
        elements="numbers in wer_tags, or tags such as ['0:YEAR']",
        has_times=True,
        beside=".wer_tag.json",
        folder_beside="wer_tags",
        names="file",
    ),
    Format(
        "native",
        "native",
        "a JSON object on each line",
        suffixes=(".jsonl", ".json"),
        elements='objects in "elements"',
        has_times=True,
        names="lines",
        writer=Writer(".jsonl", tuple(PARTS), is_fuzzy=True, holds_many=True),
    ),
    Format(
        "aref",
        "inline",
        "words, with or without tags <annotation … />",
        elements="tags <annotation … />",
        writer=Writer(".aref", ("elements",), is_fuzzy=True),
        names="file",
    ),
    Format(
        "brat",
        "standoff",
        "the text that it annotates",
        suffixes=(".ann",),
        elements="lines such as T1 PER 0 5 Paris",
        beside=".txt",
        writer=Writer(".ann", ("elements", "breaks")),
        names="file",
    ),
    Format(
        "whisper",
        "words_json",
        'a JSON object with "segments"',
        has_times=True,
        shared=_JSON,
        names="file",
    ),
    Format(
        "vosk",
        "words_json",
        'JSON objects with "result"',
        has_times=True,
        shared=_JSON,
        names="file",
    ),
    Format(
        "kaldi",
        "words_json",
        'JSON objects with "result"',
        has_times=True,
        shared=_JSON,
        names="file",
    ),
    Format(
        "recogniser",
        "words_json",
        "the JSON of a recogniser, with the times of words",
        has_times=True,
        shared=_JSON,
        names="file",
    ),
    Format(
        "mfa",
        "words_json",
        "the line Begin,End,Label,Type,Speaker",
        has_times=True,
        shared=(".csv", *_JSON),
        options=("tier",),
        names="file",
    ),
    Format(
        "eaf",
        "timelines",
        "an annotation document of ELAN",
        has_times=True,
        options=("tier",),
        names="file",
    ),
    Format(
        "ace",
        "rare.layers",
        "an APF of ACE",
        suffixes=(".apf.xml",),
        elements="extents of mentions",
        beside=".sgm",
        options=("columns",),
        names="file",
    ),
    Format(
        "exb",
        "rare.transcriptions",
        "a basic transcription of EXMARaLDA",
        elements="events of the tiers that --columns names",
        has_times=True,
        options=("tier", "columns"),
        names="file",
    ),
    Format(
        "media",
        "rare.transcriptions",
        "the dialogues of MEDIA",
        elements="segments with a concept",
        has_times=True,
        shared=(".xml",),
        options=("columns",),
    ),
    Format(
        "transcriber",
        "timelines",
        "a transcription of Transcriber's",
        suffixes=(".trs",),
        elements='events of type="entities"',
        has_times=True,
        names="file",
    ),
    Format(
        "xmi",
        "rare.layers",
        "an XMI of UIMA",
        elements="annotations of a layer such as NamedEntity",
        options=("columns",),
        names="file",
    ),
    Format(
        "webanno",
        "rare.layers",
        "the line #FORMAT=WebAnno TSV 3.3",
        elements="values in the columns of a layer such as NamedEntity",
        shared=(".tsv",),
        options=("columns",),
        names="file",
    ),
    Format(
        "offsets",
        "annotated",
        'lines such as {"text": "Paris", "entities": [[0, 5, "loc"]]}',
        suffixes=(".offsets", ".prodigy", ".doccano"),
        elements='entities or spans such as [0, 5, "loc"]',
        shared=_JSON,
    ),
    Format(
        "tokens",
        "annotated",
        'objects such as {"tokenized_text": ["Paris"], "ner": [[0, 0, "loc"]]}',
        elements='spans such as [0, 0, "loc"], or tags such as B-loc, on listed words',
        shared=_JSON,
        writer=Writer(".tokens", ("elements",), holds_many=True, schemes=tuple(WRITABLE)),
        options=("tags",),
    ),
    Format(
        "docbin",
        "annotated",
        "a DocBin of spaCy",
        suffixes=(".spacy",),
        elements="entities, or the spans of a group",
        is_binary=True,
        writer=Writer(".spacy", ("elements", "breaks")),
    ),
    Format(
        "arrow",
        "annotated",
        "a data set of Hugging Face",
        suffixes=(".arrow", ".parquet"),
        elements="tags or entities in its columns",
        is_binary=True,
        options=("tags",),
    ),
    Format(
        "labelstudio",
        "annotated",
        "a JSON list of tasks",
        elements="results that label a text",
        shared=_JSON,
    ),
    Format(
        "slurp",
        "annotated",
        "lines of SLURP: sentences with recordings, or predictions",
        elements='spans or fillers in "entities"',
        shared=_JSON,
    ),
    Format(
        "slue",
        "annotated",
        "the line id, normalized_text, normalized_ner with tabs between them",
        elements="lists such as [['GPE', 17, 5]]",
        shared=(".tsv",),
        options=("columns",),
    ),
    Format(
        "mentions",
        "native",
        'lines such as {"id": "show", "mentions": [["loc", "Dol"]]}',
        suffixes=(".mentions.jsonl",),
        elements='pairs in "mentions"',
        has_places=False,
        shared=_JSON,
    ),
    Format(
        "answers",
        "answers",
        'the answer of a language model, or lines such as {"id": "show", "answer": "LOC: Dol"}',
        suffixes=(".answer", ".answers.jsonl"),
        elements="JSON, tables or lines such as LOC: Dol",
        has_places=False,
        shared=(*_JSON, ".txt", ".md"),
        options=("unreadable",),
    ),
)

FORMATS = {one.name: one._replace(suffixes=one.suffixes or (f".{one.name}",)) for one in _FORMATS}
"""Formats by name, in the order of lists for users."""

ANNOTATIONS = tuple(one.name for one in FORMATS.values() if one.elements and one.has_places)
"""Formats of elements on words."""

FOUND = tuple(one.name for one in FORMATS.values() if one.elements)
"""Formats of elements on words and of mentions."""

TIMES = tuple(one.name for one in FORMATS.values() if one.has_times)
"""Formats of words with times."""

WORDS = tuple(one.name for one in FORMATS.values() if one.has_places)
"""Formats of words."""

WRITERS = {one.name: one.writer for one in FORMATS.values() if one.writer is not None}
"""The writer of each format that has one."""

SUFFIXES = {suffix: one.name for one in FORMATS.values() for suffix in one.suffixes}
"""The format of each suffix; suffixes are compared without case."""


def listed(names: Iterable[str]) -> str:
    """The first three of some formats, for a message.

    >>> listed(["ctm", "vosk"])
    'ctm (.ctm), vosk (.vosk)'
    >>> listed(["vosk"])
    'vosk (.vosk .json .jsonl)'
    """
    found = [FORMATS[name] for name in names]
    suffixes = [one.suffixes if found[1:] else one.suffixes + one.shared for one in found]
    shown = [f"{one.name} ({' '.join(own)})" for one, own in zip(found, suffixes, strict=True)]
    return ", ".join([*shown[:3], *["… (see sereval formats)"] * (len(shown) > 3)])


def lacking(name: str) -> str:
    """What a message says of a format without elements or without places; empty: it has both."""
    if name not in FORMATS or FORMATS[name].elements and FORMATS[name].has_places:
        return ""
    return f" ({'mentions without places' if FORMATS[name].elements else NO_ELEMENTS})"


NO_ELEMENTS = "words but no elements"
