"""Documents that are read one by one: the same score, the same errors, and no memory of words."""

import json
import os
import subprocess
import sys

import pytest
from format_cases import ALL, READ
from paths import ROOT

from sereval import read
from sereval.corpus.corpus import KEPT, entries
from sereval.formats import FORMATS, ReadingOptions, files

pytestmark = pytest.mark.check


SIDE = "ref", "a path"


def beside(document):
    """What a file says of a document besides its value: notes, and tags as they stand."""
    return document.notes, getattr(document, "tags", None)


@pytest.mark.parametrize("kept", [0, KEPT])
@pytest.mark.parametrize("format", FORMATS)
def test_entries_are_documents(format, kept, tmp_path):
    """Every file of a format that is read has the same documents, at once or one by one."""
    for case in [case for case in READ if case.format == format and case.is_plain]:
        path = case.put(tmp_path)
        at_once = read(path, format=format)
        one_by_one = [
            entry.read()
            for entry in entries(files(path, ReadingOptions(format=format)), SIDE, kept)
        ]
        assert at_once == one_by_one
        assert [beside(d) for d in at_once] == [beside(d) for d in one_by_one]


def test_a_changed_file_is_read_again(tmp_path):
    """A later run reads what a file has then; the first file of a side stays in memory."""
    labels = []
    for label in ("A", "B"):
        for name in ("1.conll", "2.conll"):
            (tmp_path / name).write_text(f"-DOCSTART- O\n\nw B-{label}\n")
        [_, second] = entries(files(tmp_path, ReadingOptions()), SIDE, kept=1)
        labels += [element.label for element in second.read().elements]
    assert labels == ["A", "B"]


@pytest.mark.parametrize("format", FORMATS)
def test_entries_fail_as_documents_do(format, tmp_path):
    """Every file that is refused is so in the same words, read at once or one by one."""

    def complaint(reading):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared as a whole
            reading()
        return str(caught.value)

    options = ReadingOptions(format=format)
    for k, case in enumerate(ALL):
        if case.format == format and case.is_plain and not case.is_read:
            folder = tmp_path / str(k)
            folder.mkdir()
            path = case.put(folder)
            at_once = complaint(lambda path=path: read(path, format=format))
            assert at_once == complaint(
                lambda path=path: [one.read() for one in entries(files(path, options), SIDE)]
            )


# --- the command ---------------------------------------------------------------------------------


MEASURE = """
import sys
from memory import peak
from sereval.cli import main
status = main(sys.argv[1:])
print(peak() // 1024, file=sys.stderr)
sys.exit(status)
"""


def peak(*arguments):
    """Peak memory of a command, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests/support")])},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1])


def corpus(path, documents, words, folder=None):
    """Documents of so many words with an element over every tenth of them."""
    text = [f"w{k}" for k in range(words)]
    elements = [{"label": "loc", "start": k, "end": k + 1} for k in range(0, words, 10)]
    times = [[k, k + 1] for k in range(words)]
    with open(path, "w", encoding="utf-8") as stream:
        for number in range(documents):
            name = f"d{number:05}"
            record = {"id": name, "words": text, "times": times, "elements": elements}
            line = json.dumps(record) + "\n"
            stream.write(line)
            if folder is not None:
                (folder / f"{name}.jsonl").write_text(line, "utf-8")


STREAMED = (
    "score --tolerance 0",
    pytest.param("score --scheme quaero-lne", marks=pytest.mark.long),
    pytest.param("score --scheme mitre", marks=pytest.mark.long),
    pytest.param("score --scheme muc", marks=pytest.mark.long),
    pytest.param("score --scheme semeval2013", marks=pytest.mark.long),
    pytest.param("score --scheme slue", marks=pytest.mark.long),
    pytest.param("score --scheme conll", marks=pytest.mark.long),
    pytest.param("score --scheme evalita2011", marks=pytest.mark.long),
    pytest.param("score --scheme evalita2011 --upper-bound", marks=pytest.mark.long),
    "sweep --tolerance 0,0.1",
    "compare --tolerance 0 --resamples 10",
    pytest.param("compare --scheme semeval2013 --resamples 10", marks=pytest.mark.long),
)
"""Commands of which nothing is in memory but what they count."""


@pytest.fixture(scope="module")
def small_and_large(tmp_path_factory):
    """A corpus, and one of ten times as many documents."""
    folder = tmp_path_factory.mktemp("corpora")
    paths = folder / "small.jsonl", folder / "large.jsonl"
    for path, documents in zip(paths, (20, 200), strict=True):
        corpus(path, documents, 1000)
    return paths


@pytest.mark.parametrize("command", STREAMED)
def test_memory_does_not_grow_with_words(small_and_large, command):
    """Ten times the documents take a few MB more: their counts, and not their words."""
    few, many = (peak(*command.split(), path, path) for path in small_and_large)
    assert many < few + 20
