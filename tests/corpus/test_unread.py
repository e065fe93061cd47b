"""Documents that are read one by one: the same score, the same errors, and no memory of words."""

import json
import os
import subprocess
import sys
from functools import partial

import pytest
from cli_files import CTM, THROUGH_TIME, put
from format_cases import ALL, READ
from paths import DATA, ROOT

from sereval import evaluate, read
from sereval.corpus.corpus import Corpus, read_pair
from sereval.corpus.entries import KEPT, entries
from sereval.corpus.pairs import unread_pairs
from sereval.errors import InputError
from sereval.evaluation.settings import Settings
from sereval.formats import FORMATS, ReadingOptions, files
from sereval.labels.relabel import AS_THEY_ARE
from sereval.schemes.slots import slots

pytestmark = pytest.mark.check


SIDE = "ref", "a path"


def unread(path):
    return entries(files(path), SIDE)


def test_counts_are_those_of_evaluate():
    """What is read one by one counts as what is read at once, on the demo corpus."""
    sides = DATA / "ref", DATA / "hyp/compromise/manual"
    at_once = evaluate(*map(read, sides))
    pairs = {"": unread_pairs(*map(unread, sides))}
    corpus = Corpus(pairs, partial(read_pair, labels=AS_THEY_ARE))
    score = slots(Settings()).scores(corpus)[""]
    assert score.documents == tuple(one._replace(mapped=None) for one in at_once.documents)
    assert (at_once.signature, {}) == (score.signature, corpus.notes)


@pytest.mark.parametrize(
    ("path", "line", "place"),
    [
        ("a.jsonl", '{"id": "ID", "words": ["w"], "elements": []}\n', "a.jsonl:1"),
        ("a.ctm", "ID 1 0.0 0.5 w\n", "a.ctm"),
    ],
)
def test_a_file_that_changes_while_it_is_read(path, line, place, here):
    """A document that is not where its name was is an error, not another document."""
    put("0.ctm", "first 1 0.0 0.5 w\n")  # is kept
    put(path, line.replace("ID", "one"))
    *_, entry = entries([*files("0.ctm"), *files(path)], SIDE, kept=0)
    put(path, line.replace("ID", "two"))
    with pytest.raises(InputError, match=f"^{place}: document one is no longer in the file"):
        entry.read()


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


ODD = [
    '{"id": "a", "words": ["x"]}',
    '  {"words": ["y"], "id": "b"}',
    "",
    '{ "id" : "c\\u00e9 \\"q\\"", "words": ["z"]}',
    '{"id": "d\u2028e", "words": ["z"]}',
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_names_of_lines(tmp_path, encoding, end):
    """Names stand anywhere in their lines, are written in any way, in any encoding."""
    path = tmp_path / "a.jsonl"
    lines = ODD[:-1] if encoding == "cp1252" else ODD
    path.write_bytes(end.join(lines).encode(encoding))
    name = encoding.removesuffix("-sig")
    found = entries(files(path, ReadingOptions(encoding=name)), SIDE)
    assert [d.id for d in read(path, encoding=name)] == [entry.id for entry in found]
    assert read(path, encoding=name) == [entry.read() for entry in found]


def test_what_is_wrong_with_a_line_has_its_number(tmp_path):
    """A line that is read alone is wrong where it stands in the file."""
    path = tmp_path / "a.jsonl"
    good = '{"id": "a", "words": ["x"]}\n'
    for bad in (
        b'{"id": "b", "words": [1]}\n',
        b'{"id": "b", "words": ["\xff"]}\n',
        b'{"id": 1}\n',
    ):
        path.write_bytes(good.encode() + b"\n" + bad)
        with pytest.raises(ValueError, match=r"a\.jsonl:3: "):
            [entry.read() for entry in entries(files(path), SIDE)]


# --- the command ---------------------------------------------------------------------------------


TWO_SIDES = pytest.mark.parametrize("command", ["score", "audit", "agreement", "project"])
"""Commands that read both sides, all of them by turns."""


@TWO_SIDES
def test_times_that_nobody_needs_are_read_too(command, run, files):
    """A time file without a document is refused if it is bad, as those that are needed."""
    put("align/other.TextGrid", "no TextGrid\n")
    status, out, err = run(f"{command} ref heard {THROUGH_TIME}")
    assert (1, "") == (status, out)
    assert err.startswith("sereval: align/other.TextGrid:1: ")


@TWO_SIDES
def test_notes_are_said_once_for_each_path(command, run, files):
    """What is made up while reading is said by path, whoever reads, in the order of the sides."""
    for name in ("show", "other"):
        words = [{"word": "à", "start": 0, "end": 0.2}, {"word": "Dol"}, {"word": "x", "end": 1}]
        text = json.dumps(
            {"segments": [{"start": 0, "end": 1, "text": "à Dol", "words": words[:2]}]}
        )
        put(f"heard/{name}.whisper", text)
        put(f"ref/{name}.ne", "à <loc> Dol </loc>\n")
        put(f"hyp/{name}.ne", "à <loc> Dol </loc>\n")
        put(f"align/{name}.TextGrid", (files / "align/show.TextGrid").read_bytes())
    command += " ref hyp --align align --words heard --words-format whisper --tolerance 0.1"
    one = run(command)
    assert (0, "sereval: heard: words without times, put between their neighbours: 2\n") == (
        one[0],
        one[2],
    )
    if not command.startswith("project"):
        assert one == run(f"{command} --jobs 2")


def test_an_empty_hypothesis_is_the_words_that_were_heard(run, files):
    """--missing empty takes the words of the time file, read when their turn comes."""
    put("ref/other.ne", "à <loc> Dol </loc>\n")
    put("align/other.TextGrid", (files / "align/show.TextGrid").read_bytes())
    put("words.ctm", CTM + CTM.replace("show", "other"))
    command = f"score ref heard {THROUGH_TIME} --missing empty --format json"
    one = run(command)
    assert (0, "") == (one[0], one[2])
    assert [1, 1] == [each["Ref"] for each in json.loads(one[1])["documents"]] or one
    assert one == run(f"{command} --jobs 2")


@TWO_SIDES
def test_labels_are_looked_for_in_all_documents(command, run, files):
    """A label that one document has is known, one that none has is refused, after the last."""
    put("ref/other.ne", "à <org> Dol </org>\n")
    put("hyp/other.ne", "à <org> Dol </org>\n")
    command += " ref hyp --by text" if command == "project" else " ref hyp --jobs 2"
    assert run(f"{command} --only org")[0] == 0
    status, out, err = run(f"{command} --only prod")
    assert (1, "") == (status, out)
    assert "only has the label prod, expected one of a document or of the grammar" in err


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


@pytest.mark.long
@pytest.mark.parametrize("form", ["file", "folder"])
def test_ten_thousand_documents(tmp_path, form):
    """10 000 documents of 1 000 words are scored in under 300 MB, in one file or in as many."""
    (tmp_path / "folder").mkdir()
    corpus(tmp_path / "file.jsonl", 10_000, 1000, tmp_path / "folder" if form == "folder" else None)
    path = tmp_path / ("file.jsonl" if form == "file" else "folder")
    assert peak("score", path, path, "--tolerance", "0", "--format", "json") < 300
