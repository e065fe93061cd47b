"""The table of formats, `FORMATS`: a record for each format.

Suffixes, choices of options, messages and writers derive from this table. A new reader needs two
files: its module, with a function ``parse(source) -> [(line, document), …]``, and its record here,
with its keys in ``SIGNS`` if its files are JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ..documents.model import Document, Reference
from ..documents.tags import WRITABLE
from ..errors import SerevalError

if TYPE_CHECKING:
    from .source import Source
    from .writers import WrittenFiles

ParsedDocuments = Sequence[tuple[int | None, Document | Reference]]
"""The documents of a file, each with its line if the format has several in a file."""


class Writer(NamedTuple):
    """How documents are written in a format.

    Args:
        suffix: suffix of the files; if a document has two files, the suffix of the annotation.
        module: the module with the function ``written``; empty: the one that reads the format.
        is_fuzzy: whether the format holds fuzzy references.
        holds_many: whether the joined files of several documents are a file of the format.
        schemes: the schemes of tags to choose from; none: its elements are no tags.
    """

    suffix: str
    module: str = ""
    is_fuzzy: bool = False
    holds_many: bool = False
    schemes: tuple[str, ...] = ()


class Format(NamedTuple):
    """A format of files.

    Args:
        name: its name for users.
        suffixes: suffixes of its files, in small letters.
        expects: what a file must contain at least, for the message about an empty file.
        elements: the form of its elements, for messages; empty: it has no elements.
        has_places: whether its elements stand on words; mentions do not.
        has_times: whether its words have, or may have, times.
        names: where the ids of documents come from. ``file``: the name of the file, which has one
            document. ``lines``: each line has an id. ``content``: the file must be read first.
        shared: suffixes that other formats or programs use too; in a folder they count only if the
            user names this format.
        head: a regular expression for the first line of a file with a shared suffix; empty: none.
        beside: suffix of the file beside each of its files, such as the text that it annotates;
            with such a text, an empty file is allowed.
        is_beside_optional: whether that file may be missing.
        utf16: whether a byte order mark of UTF-16 overrides the requested encoding.
        says_encoding: whether its files may name their encoding, as XML does.
        is_binary: whether its files hold bytes instead of text.
        module: the module that reads it; empty: the one with its name.
        writer: how it is written; ``None``: it is not written.
    """

    name: str
    suffixes: tuple[str, ...]
    expects: str
    elements: str = ""
    has_places: bool = True
    has_times: bool = False
    names: str = "file"
    shared: tuple[str, ...] = ()
    head: str = ""
    beside: str = ""
    is_beside_optional: bool = False
    utf16: bool = False
    says_encoding: bool = False
    is_binary: bool = False
    module: str = ""
    writer: Writer | None = None

    def parse(self, source: Source) -> ParsedDocuments:
        """The documents of a file; this imports the module that reads them.

        Args:
            source: the file.

        Raises:
            InputError: a fault in the file, with its path.
        """
        try:
            found: ParsedDocuments = self._function(self.module or self.name, "parse")(source)
        except SerevalError as error:
            raise source.located(error) from None
        return found

    def write(self, document: Document | Reference, tags: str | None = None) -> WrittenFiles:
        """The files of a document, for a format with a writer.

        Args:
            document: the document.
            tags: one of the writer's schemes, if it has any; ``None``: what it writes by default.
        """
        options = {} if tags is None else {"tags": tags}
        module = (self.writer and self.writer.module) or self.module or self.name
        found: WrittenFiles = self._function(module, "written")(document, **options)
        return found

    def encoding(self, data: bytes) -> str | None:
        """The encoding that a file names; ``None``: it names none."""
        if not self.says_encoding:
            return None
        found: str | None = self._function("xml", "encoding_of")(data)
        return found

    def _function(self, module: str, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(f".{module}", __package__), name)
        return found


_JSON, _LINES = (".json",), (".jsonl",)

_FORMATS = (
    Format(
        "inline",
        (".ne",),
        "words, with or without tags; a document without words is written in native JSON, with "
        '"words": []',
        elements="inline tags <label> … </label>",
        writer=Writer(".ne"),
    ),
    Format(
        "sgml",
        (".sgml", ".sgm"),
        "words, with or without tags of MUC",
        elements='tags such as <ENAMEX TYPE="PERSON"> … </ENAMEX>',
        names="content",
    ),
    Format(
        "columns",
        (".iob", ".iob2", ".bio", ".conll", ".conllu", ".conllup"),
        "lines such as 'Davide show B-PER'",
        elements="tags such as B-PER",
        names="content",
        shared=(".tsv",),
        writer=Writer(".conll", schemes=tuple(WRITABLE)),
    ),
    Format(
        "textgrid",
        (".textgrid",),
        "a TextGrid saved as text",
        has_times=True,
        utf16=True,
        module="praat",
        writer=Writer(".TextGrid", "praat_write"),
    ),
    Format(
        "ctm",
        (".ctm",),
        "lines such as 'show 1 0.53 0.56 word'",
        has_times=True,
        names="content",
        writer=Writer(".ctm", holds_many=True),
    ),
    Format(
        "stm",
        (".stm",),
        "lines such as 'show 1 ada 0.53 2.1 some words'",
        has_times=True,
        names="content",
        writer=Writer(".stm", holds_many=True),
    ),
    Format(
        "seglst",
        (".seglst",),
        "a JSON list of utterances",
        has_times=True,
        names="content",
        shared=_JSON,
        writer=Writer(".seglst"),
    ),
    Format(
        "rttm",
        (".rttm",),
        "rows such as LEXEME show 1 0.53 0.56 word lex ada 0.9",
        has_times=True,
        names="content",
    ),
    Format(
        "webvtt",
        (".vtt",),
        "the line WEBVTT and cues such as 00:00:01.000 --> 00:00:02.000 with their text",
        has_times=True,
        module="subtitles",
        writer=Writer(".vtt"),
    ),
    Format(
        "subrip",
        (".srt",),
        "cues such as 00:00:01,000 --> 00:00:02,000 with their text",
        has_times=True,
        writer=Writer(".srt"),
    ),
    Format(
        "nlp",
        (".nlp",),
        "the line token|speaker|ts|endTs|punctuation|case|tags|wer_tags",
        elements="numbers in wer_tags, or tags such as ['0:YEAR']",
        has_times=True,
        beside=".wer_tag.json",
        is_beside_optional=True,
        writer=Writer(".nlp"),
    ),
    Format(
        "native",
        (".jsonl", ".json"),
        "a JSON object on each line",
        elements='objects in "elements"',
        has_times=True,
        names="lines",
        writer=Writer(".jsonl", is_fuzzy=True, holds_many=True),
    ),
    Format(
        "aref",
        (".aref",),
        "words, with or without tags <annotation … />",
        elements="tags <annotation … />",
        writer=Writer(".aref", is_fuzzy=True),
    ),
    Format(
        "brat",
        (".ann",),
        "the text that it annotates",
        elements="lines such as T1 PER 0 5 Paris",
        beside=".txt",
        writer=Writer(".ann"),
    ),
    Format("whisper", (".whisper",), 'a JSON object with "segments"', has_times=True, shared=_JSON),
    Format("vosk", (".vosk",), 'JSON objects with "result"', has_times=True, shared=_JSON),
    Format("kaldi", (".kaldi",), 'JSON objects with "result"', has_times=True, shared=_JSON),
    Format(
        "recogniser",
        (".recogniser",),
        "the JSON of a recogniser, with the times of words",
        has_times=True,
        shared=_JSON,
        module="recognisers",
    ),
    Format(
        "mfa",
        (".mfa",),
        "the line Begin,End,Label,Type,Speaker",
        has_times=True,
        shared=(".csv", *_JSON),
    ),
    Format("eaf", (".eaf",), "an annotation document of ELAN", has_times=True),
    Format(
        "ace",
        (".apf.xml",),
        "an APF of ACE",
        elements="extents of mentions",
        beside=".sgm",
        says_encoding=True,
    ),
    Format(
        "exb",
        (".exb",),
        "a basic transcription of EXMARaLDA",
        elements="events of the tiers that --columns names",
        has_times=True,
        says_encoding=True,
    ),
    Format(
        "media",
        (".media",),
        "the dialogues of MEDIA",
        elements="segments with a concept",
        has_times=True,
        names="content",
        shared=(".xml",),
        says_encoding=True,
    ),
    Format(
        "transcriber",
        (".trs",),
        "a transcription of Transcriber's",
        elements='events of type="entities"',
        has_times=True,
        says_encoding=True,
    ),
    Format(
        "xmi",
        (".xmi",),
        "an XMI of UIMA",
        elements="annotations of a layer such as NamedEntity",
        says_encoding=True,
    ),
    Format(
        "webanno",
        (".webanno",),
        "the line #FORMAT=WebAnno TSV 3.3",
        elements="values in the columns of a layer such as NamedEntity",
        shared=(".tsv",),
        head="#FORMAT=WebAnno TSV",
    ),
    Format(
        "offsets",
        (".offsets", ".prodigy", ".doccano"),
        'lines such as {"text": "Paris", "entities": [[0, 5, "loc"]]}',
        elements='entities or spans such as [0, 5, "loc"]',
        names="content",
        shared=_LINES,
    ),
    Format(
        "tokens",
        (".tokens",),
        'objects such as {"tokenized_text": ["Paris"], "ner": [[0, 0, "loc"]]}',
        elements='spans such as [0, 0, "loc"], or tags such as B-loc, on listed words',
        names="content",
        shared=(*_JSON, *_LINES),
        writer=Writer(".tokens", holds_many=True, schemes=tuple(WRITABLE)),
    ),
    Format(
        "docbin",
        (".spacy",),
        "a DocBin of spaCy",
        elements="entities, or the spans of a group",
        names="content",
        is_binary=True,
        writer=Writer(".spacy"),
    ),
    Format(
        "labelstudio",
        (".labelstudio",),
        "a JSON list of tasks",
        elements="results that label a text",
        names="content",
        shared=_JSON,
    ),
    Format(
        "slurp",
        (".slurp",),
        "lines of SLURP: sentences with recordings, or predictions",
        elements='spans or fillers in "entities"',
        names="content",
        shared=_LINES,
        writer=Writer(".slurp", holds_many=True),
    ),
    Format(
        "slue",
        (".slue",),
        "the line id, normalized_text, normalized_ner with tabs between them",
        elements="lists such as [['GPE', 17, 5]]",
        names="content",
        shared=(".tsv",),
        head=r"id\t(?:.*\t)?(?:raw|normalized)_ner(?:\t|$)",
    ),
    Format(
        "mentions",
        (".mentions.jsonl",),
        'lines such as {"id": "show", "mentions": [["loc", "Dol"]]}',
        elements='pairs in "mentions"',
        has_places=False,
        names="content",
        shared=_LINES,
    ),
    Format(
        "answers",
        (".answer", ".answers.jsonl"),
        'the answer of a language model, or lines such as {"id": "show", "answer": "LOC: Dol"}',
        elements="JSON, tables or lines such as LOC: Dol",
        has_places=False,
        names="content",
        shared=(*_LINES, ".txt", ".md"),
        head=r"(?!)",  # such files may be anything, so the user must name the format
    ),
)

FORMATS = {one.name: one for one in _FORMATS}
"""Formats by name, in the order of lists for users."""

ANNOTATIONS = tuple(one.name for one in FORMATS.values() if one.elements and one.has_places)
"""Formats of elements on words."""

FOUND = tuple(one.name for one in FORMATS.values() if one.elements)
"""Formats of elements on words and of mentions."""

TIMES = tuple(one.name for one in FORMATS.values() if one.has_times)
"""Formats of words with times."""

WORDS = (*ANNOTATIONS, *(name for name in TIMES if name not in ANNOTATIONS))
"""Formats of words."""

WRITERS = {one.name: one.writer for one in FORMATS.values() if one.writer is not None}
"""The writer of each format that has one."""

SUFFIXES = {suffix: one.name for one in FORMATS.values() for suffix in one.suffixes}
"""The format of each suffix; suffixes are compared without case."""

RECOGNISERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("AWS Transcribe", frozenset({"jobName", "results"})),
    ("AssemblyAI", frozenset({"audio_url", "words"})),
    ("the BBC's words and paragraphs", frozenset({"words[{", "paragraphs"})),
    ("ElevenLabs", frozenset({"language_code", "words"})),
    ("Gentle", frozenset({"transcript", "words"})),
    ("Azure's speech service", frozenset({"recognizedPhrases"})),
    ("Azure's speech SDK", frozenset({"NBest"})),
    ("Azure's speech SDK", frozenset({"RecognitionStatus", "Offset"})),
    ("Azure's fast transcription", frozenset({"combinedPhrases", "phrases"})),
    ("Rev AI", frozenset({"monologues"})),
    ("whisper.cpp", frozenset({"transcription"})),
    ("a pipeline of Transformers", frozenset({"text", "chunks"})),
    ("Speechmatics", frozenset({"format", "results"})),
    ("Speechmatics", frozenset({"job", "results"})),
    ("IBM's speech service", frozenset({"result_index", "results"})),
    ("Google's speech service", frozenset({"results[{"})),
    ("Deepgram", frozenset({"metadata", "results"})),
    ("Google's speech service", frozenset({"results"})),
)
"""Programs whose JSON the format ``recogniser`` reads, with keys that identify their files; of
several that fit, the first one counts."""

TOKENS: tuple[tuple[str, frozenset[str]], ...] = (
    ("GLiNER", frozenset({"tokenized_text", "ner"})),
    ("DyGIE++", frozenset({"sentences", "ner"})),
    ("DyGIE++", frozenset({"sentences", "predicted_ner"})),
    ("SpERT", frozenset({"tokens", "entities"})),
    ("a data set of Hugging Face", frozenset({"tokens", "ner_tags"})),
    ("a data set of Hugging Face", frozenset({"tokens", "tags"})),
    ("spaCy 2", frozenset({"id", "paragraphs"})),
)
"""Programs whose JSON the format ``tokens`` reads, with keys that identify their files."""

SIGNS: tuple[tuple[str, frozenset[str]], ...] = (
    ("vosk", frozenset({"monologues", "schemaVersion"})),
    *(("recogniser", keys) for _, keys in RECOGNISERS),
    ("seglst", frozenset({"session_id", "words"})),
    ("whisper", frozenset({"segments"})),
    ("whisper", frozenset({"start", "end", "text"})),  # a list of segments
    ("whisper", frozenset({"start", "end", "words"})),
    ("native", frozenset({"id", "words"})),
    ("whisper", frozenset({"text", "words"})),
    ("whisper", frozenset({"words[{"})),
    ("kaldi", frozenset({"status", "result"})),
    ("kaldi", frozenset({"result", "segment-start"})),
    ("vosk", frozenset({"result", "text"})),
    ("vosk", frozenset({"alternatives"})),
    ("vosk", frozenset({"partial"})),
    ("mfa", frozenset({"tiers"})),
    ("labelstudio", frozenset({"data", "annotations"})),
    ("labelstudio", frozenset({"data", "completions"})),
    ("labelstudio", frozenset({"annotator", "annotation_id"})),  # JSON-MIN
    ("mentions", frozenset({"id", "mentions"})),
    ("answers", frozenset({"id", "answer"})),
    ("slurp", frozenset({"tokens", "entities", "recordings"})),
    ("slurp", frozenset({"file", "entities"})),
    *(("tokens", keys) for _, keys in TOKENS),
    ("offsets", frozenset({"text", "entities"})),
    ("offsets", frozenset({"text", "spans"})),
    ("offsets", frozenset({"text", "label"})),
    ("offsets", frozenset({"text", "labels"})),
    ("offsets", frozenset({"text", "annotations"})),
    ("offsets", frozenset({"text", "answer"})),  # without any span
)
"""Keys that identify the format of a JSON file; of several that fit, the first one counts.

They are not part of the records, because the keys of different formats alternate in this order.
"""


def listed(names: Iterable[str], format: str | None = None) -> str:
    """Formats with their suffixes, for a message.

    Args:
        names: names of the formats.
        format: the format that the user named, whose shared suffixes are listed too.

    >>> listed(["ctm", "vosk"], "vosk")
    'ctm (.ctm), vosk (.vosk .json)'
    """
    found = [FORMATS[name] for name in names]
    suffixes = [one.suffixes + one.shared * (one.name == format) for one in found]
    pairs = zip(found, suffixes, strict=True)
    return ", ".join(f"{one.name} ({' '.join(of_one)})" for one, of_one in pairs)
