"""The command line: statuses, what is printed where, what is written and what is not."""

import io
import json
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from cli_files import (
    ALIGNED,
    CTM,
    HEARD,
    HYPOTHESIS,
    REFERENCE,
    THROUGH_TIME,
    everything,
    grid,
    put,
)
from click import Context
from paths import ROOT, TESTS

from sereval import __version__
from sereval.cli import COMMANDS, cli


def figures(found):
    """What a command did and printed, less what a report says it was made of."""
    status, out, err = found
    out = re.sub(r"^Reference .*\n", "", out, flags=re.MULTILINE)
    if out.startswith("{"):
        report = json.loads(out)
        del report["provenance"]
        out = json.dumps(report, ensure_ascii=False)
    return status, out, err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_option(command, run):
    """The help is on stdout, and names every option of the command under one of its schemes."""
    status, out, err = run(f"{command} --help-all")
    assert (status, err) == (0, "")
    parameters = cli.get_command(Context(cli), command).params
    taken = [name for option in parameters[1:] for name in option.opts]
    schemes = [one.type.choices for one in parameters if one.name == "scheme"]
    for scheme in chain(*schemes):
        out += run(f"{command} --scheme {scheme} --help-all")[1]
    for option in taken:
        assert f"{option} " in out or f"{option}," in out or not option.startswith("-")


def test_help_names_every_command(run):
    """The help of the program is on stdout, and mentions every command."""
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    listed = out[out.index("\nScore:\n") :].splitlines()
    assert {line.split()[0] for line in listed if re.match(r"  \S", line)} == {*COMMANDS}


def test_version(run):
    """The version is that of the package."""
    assert run("--version") == run("version") == (0, f"sereval {__version__}\n", "")


# --- files, folders, standard input and output ----------------------------------------------------


def test_module_is_the_command_line(files, run):
    """``python -m sereval`` in a process of its own does what ``main`` does."""
    command = "score ref - --hyp-format inline --format json"
    done = subprocess.run(
        [sys.executable, "-m", "sereval", *command.split()],
        input=HYPOTHESIS.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    expected = figures(run("score ref hyp --format json"))
    assert figures((done.returncode, done.stdout.decode("utf-8"), done.stderr.decode())) == expected


@pytest.mark.parametrize("format", ["text", "json", "csv"])
@pytest.mark.parametrize(
    ("text", "command"),
    [
        (REFERENCE, "score - hyp --ref-format inline"),
        (HYPOTHESIS, "score ref - --hyp-format inline"),
        (HYPOTHESIS, "score ref/show.ne - --hyp-format inline"),
    ],
)
def test_standard_input_is_a_file(text, command, format, files, run, stdin):
    """A dash for REF or HYP gives the same bytes as the file; the other side gives the name."""
    expected = figures(run(f"score ref hyp --format {format}"))
    stdin(text)
    assert figures(run(f"{command} --format {format}")) == expected
    assert expected[0] == 0


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (CTM, "--words words.ctm", "--words - --words-format ctm"),
        (ALIGNED, "--align align", "--align - --align-format textgrid"),
    ],
)
def test_times_from_standard_input(text, old, new, files, run, stdin):
    """A dash for a CTM or a TextGrid gives the same bytes as the file."""
    expected = run(f"score ref heard {THROUGH_TIME}")
    stdin(text)
    assert run(f"score ref heard {THROUGH_TIME.replace(old, new)}") == expected
    assert expected[0] == 0


@pytest.mark.parametrize("format", ["text", "json", "csv"])
def test_output_file(format, files, run):
    """A file gets the bytes of stdout, replaces an older one, and a dash is stdout."""
    command = f"score ref hyp --format {format}"
    _, expected, _ = run(command)
    put("result", "older and longer\n" * 1000)
    before = everything(files)
    assert run(f"{command} -o result")[:2] == (0, "")
    assert Path("result").read_bytes() == expected.encode("utf-8")
    assert everything(files).keys() == before.keys()
    assert run(f"{command} -o -") == (0, expected, "")


def test_new_file_has_usual_permissions(files, run):
    """A result can be read by whom the user lets read new files."""
    put("made", "by hand")
    run("score ref hyp -o result")
    assert Path("result").stat().st_mode == Path("made").stat().st_mode


def test_a_file_is_a_folder_of_one(files, run):
    """Files and folders of the same documents give the same report."""
    put(
        "all.jsonl",
        '{"id":"show","words":["à","Dol"],"elements":[{"label":"loc","start":1,"end":2}]}',
    )
    expected = figures(run("score ref hyp"))
    assert figures(run("score ref/show.ne hyp/show.ne")) == expected
    assert figures(run("score ref all.jsonl")) == expected
    assert expected[0] == 0


def test_strays_in_folders(files, run):
    """Hidden files, folders and other suffixes in a folder are passed over."""
    expected = run("score ref hyp")
    put("ref/.show.ne.swp", "\0")
    put("ref/.hidden.ne", "<never closed")
    put("ref/README", "two documents")
    put("ref/show.ne~", "older")
    put("ref/show.TextGrid", "not read here")
    put("ref/older.ne/show.ne", "a folder")
    assert run("score ref hyp") == expected
    assert expected[0] == 0


def test_suffixes_have_no_case(files, run):
    """A suffix in capitals says the same."""
    expected = run(f"score ref heard {THROUGH_TIME}")
    os.rename("align/show.TextGrid", "align/show.textgrid")
    os.rename("words.ctm", "words.CTM")
    assert run(f"score ref heard {THROUGH_TIME.replace('.ctm', '.CTM')}") == expected
    assert expected[0] == 0


def test_format_goes_before_suffix(files, run):
    """A file with any suffix is read as what the option says."""
    expected = figures(run(f"score ref heard {THROUGH_TIME}"))
    for path in ("ref/show.ne", "heard/show.ne"):
        put(path.replace(".ne", ".txt"), Path(path).read_bytes())
    put("words.txt", CTM)
    put("show.txt", ALIGNED)
    command = (
        "score ref/show.txt heard/show.txt --align show.txt --words words.txt --tolerance 0.1 "
        "--ref-format inline --hyp-format inline --align-format textgrid --words-format ctm"
    )
    assert figures(run(command)) == expected
    assert expected[0] == 0


def test_encoding(files, run):
    """Files in Latin-1 are read with ``--encoding latin-1``; the result is UTF-8 all the same."""
    for path in ("ref/show.ne", "hyp/show.ne"):
        put(path, Path(path).read_text("utf-8").replace("loc", "lieu.é"))
    expected = figures(run("score ref hyp --format json"))
    for path in ("ref/show.ne", "hyp/show.ne"):
        put(path, Path(path).read_text("utf-8").encode("latin-1"))
    assert figures(run("score ref hyp --format json --encoding latin-1")) == expected
    assert "lieu.é" in expected[1]


def test_words_without_times(files, run):
    """Words that a recogniser gave no times are counted in JSON and on the page too."""
    words = '{"word": "à", "start": 0, "end": 0.2}, {"word": "d\'"}, {"word": "or"}'
    put("asr/show.json", f'{{"segments": [{{"start": 0, "end": 0.6, "words": [{words}]}}]}}')
    put("hyp/show.ne", HEARD)
    command = "score ref hyp --align align --words asr --words-format whisper --tolerance 0.1"
    what = "words without times, put between their neighbours"

    assert [f"Hypothesis: {what}: 2."] == json.loads(run(f"{command} --format json")[1])["notes"]
    page = run(f"{command.replace('score', 'audit')} --format html")[1]
    assert f"Hypothesis: {what}: 2." in page
    other = json.loads(run(f"{command} --scheme semeval2013 --format json")[1])
    assert f"Hypothesis: {what}: 2." in other["notes"]


def test_words_of_a_missing_hypothesis(files, run):
    """Through time, a missing hypothesis is the recogniser's words without elements."""
    put("nothing.jsonl", '{"id": "show", "words": ["à", "d\'", "or"], "elements": []}')
    expected = run(f"score ref nothing.jsonl {THROUGH_TIME} --format json")
    os.mkdir("none")
    put("none/other.ne", "rien\n")
    put("ref/other.ne", "rien\n")
    put("align/other.TextGrid", grid((0, 1, "rien")))
    put("words.ctm", CTM + "other 1 0 1 rien\n")
    status, out, _ = run(f"score ref none {THROUGH_TIME} --missing empty --format json")
    assert (status, json.loads(out)["counts"]) == (0, json.loads(expected[1])["counts"])


def test_an_empty_file_beside_templates(here, run):
    """In a folder an empty file has no document, and the others are scored."""
    key, response = (TESTS / f"templates/figure_3/{name}.muc" for name in ("key", "response"))
    expected = run(f"templates {key} {response} --no-listing")
    put("folder/a.muc", response.read_bytes())
    put("folder/b.muc", "")
    assert run(f"templates {key} folder --no-listing") == expected
    assert expected[0] == 0


def test_check_files_of_one_name(files, run):
    """Files that are called alike are told apart by their folders, also by whole paths."""
    put("one/deep/a.ne", REFERENCE)
    put("two/a.ne", REFERENCE)
    for first, shown in (("", f"{files}/two/a.ne"), (f"{files}/", "two/a.ne")):
        _, out, _ = run(f"check {first}one/deep/a.ne {files}/two/a.ne --grammar quaero")
        heads = [line.split()[3:] for line in out.splitlines() if line.startswith("label ")]
        assert ["one/deep/a.ne", shown] == [name for row in heads for name in row]  # of all tables


def test_interrupt(files, monkeypatch, run):
    """An interrupt is status 130 and a word on stderr, no traceback."""

    class Interrupted(io.BytesIO):
        def read(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    status, out, err = run("score - hyp --ref-format inline -o result")
    assert (status, out, err.strip()) == (130, "", "sereval: interrupted")
    assert not Path("result").exists()
