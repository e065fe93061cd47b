"""Hostile input, as it is seen from the command line: a result that is right, or one clear line."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_files import put

from sereval.cli.outputs import visible

LEVELS = 10_000
DEEP = "<a>" * LEVELS + "x" + "</a>" * LEVELS
LAUGHS = "".join(
    f'<!ENTITY {a} "{f"&{b};" * 10}">' for a, b in zip("bcdefghij", "abcdefghi", strict=True)
)
XML = {
    "laughs": f'<!DOCTYPE x [<!ENTITY a "ha">{LAUGHS}]><Trans>&j;</Trans>',
    "external": '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Trans>&e;</Trans>',
    "fetched": '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd" [<!ENTITY % p SYSTEM "x">%p;]><a/>',
    "deep": DEEP,
}
JSON = {  # by suffix: a document with a place for a number
    "jsonl": '{"id":"d","words":["w"],"times":[[0,N]],"elements":[]}',
    "whisper": '{"segments":[{"start":0,"end":N,"words":[{"word":"w","start":0,"end":N}]}]}',
    "vosk": '{"result":[{"word":"w","start":0,"end":N,"conf":1}],"text":"w"}',
    "offsets": '{"text":"w","spans":[{"start":0,"end":N,"label":"a"}]}',
    "labelstudio": '[{"id":1,"data":{"text":"w"},"annotations":[{"result":[{"value":{"start":0,'
    '"end":N,"labels":["a"]},"type":"labels","from_name":"l","to_name":"t"}]}]}]',
    "kaldi": '{"status":0,"result":{"hypotheses":[{"transcript":"w","N":N}]}}',
    "recogniser": '{"audio_url":"a","words":[{"text":"w","start":0,"end":N}]}',
    "seglst": '[{"session_id":"d","words":"w","start_time":0,"end_time":N}]',
    "tokens": '{"tokenized_text":["w"],"ner":[[0,N,"a"]]}',
    "mfa": '{"start":0,"end":N,"tiers":{"words":{"type":"interval","entries":[[0,N,"w"]]}}}',
}
NUMBERS = ("1e400", "9" * 5000, "1e999999999", "NaN", "Infinity", "-Infinity", "-1")


@pytest.fixture
def refused(files, run):
    """The one line that refuses a file, without anything printed or written."""

    def refuse(path, content):
        put(path, content)
        status, out, err = run(f"convert {path} made.jsonl")
        assert (1, "", 1) == (status, out, len(err.splitlines())), err[:300]
        assert err.startswith(f"sereval: {path}"), err[:300]
        assert len(err) < 500
        assert not Path("made.jsonl").exists()
        return err

    return refuse


@pytest.mark.parametrize("attack", XML)
@pytest.mark.parametrize("suffix", ["eaf", "trs", "aref"])
def test_xml(suffix, attack, refused):
    """No entity is expanded or fetched, no depth overflows a stack."""
    assert "root:" not in refused(f"x.{suffix}", f'<?xml version="1.0"?>{XML[attack]}')


@pytest.mark.check
@pytest.mark.parametrize("suffix", ["ne", "sgml"])
def test_ten_thousand_levels(suffix, files, run):
    """Tags that nest as deep as they like are elements like any others."""
    tag = {"ne": ("<a>", "</a>"), "sgml": ('<ENAMEX TYPE="A">', "</ENAMEX>")}[suffix]
    put(f"x.{suffix}", " ".join([tag[0]] * LEVELS + ["x"] + [tag[1]] * LEVELS))
    status, out, _ = run(f"score x.{suffix} x.{suffix} --format json")
    assert (0, LEVELS) == (status, json.loads(out)["counts"]["C"])


@pytest.mark.parametrize("number", NUMBERS, ids=lambda text: text[:12])
@pytest.mark.parametrize("suffix", JSON)
def test_numbers_that_are_none(suffix, number, refused):
    """A number that is too large, negative or none is refused by every reader of JSON."""
    refused(f"x.{suffix}", JSON[suffix].replace("N", number))


@pytest.mark.parametrize("suffix", JSON)
@pytest.mark.parametrize("change", ["twice", "surrogate", "deep", "deeper"])
def test_json_that_is_none(suffix, change, refused):
    """A key twice, half a character, and brackets without end."""
    good = JSON[suffix].replace("N", "1")
    key = good[good.index('"') :].partition(":")[0]
    refused(
        f"x.{suffix}",
        {
            "twice": good.replace(f"{key}:", f"{key}:0,{key}:", 1),
            "surrogate": good.replace('"w"', '"\\ud800"'),
            "deep": '{"a":' * 100_000,
            "deeper": '{"a":' + "[" * 100_000,
        }[change],
    )


TOML = {  # what no reader of TOML says of itself
    "deep": "a = " + "[" * 100_000,
    "nested": "a = " + "[" * 2_000 + "]" * 2_000,
    "tables": "a = " + "{b=" * 2_000 + "1" + "}" * 2_000,
    "digits": f"a = {'9' * 5_000}",
    "half": 'a = "\\ud800"',
    "name": '"\\u001b[2J" = 1',
}
WITH_TOML = (
    *("--config x.toml score ref hyp", "score ref hyp --map x.toml"),
    *("score ref hyp --grammar x.toml", "compare --campaign x.toml"),
)


@pytest.mark.parametrize("of", TOML)
@pytest.mark.parametrize("command", WITH_TOML)
def test_toml_that_is_none(command, of, files, run):
    """Settings, maps, grammars and campaigns are refused in one line with the file's name."""
    put("x.toml", TOML[of])
    status, out, err = run(command)
    assert (1, "", 1) == (status, out, len(err.splitlines())), err[:300]
    assert err.startswith("sereval: x.toml:")
    assert "\x1b" not in err


@pytest.mark.parametrize("options", ["--level 1", "--only a"])
def test_a_label_of_many_levels(options, files, run):
    """The labels above it would take memory that grows with the square of its length."""
    label = ".".join("a" * 20_000)
    element = {"label": label, "start": 0, "end": 1}
    put("d.jsonl", json.dumps({"id": "d", "words": ["w"], "elements": [element]}))
    other = json.dumps({"id": "d", "words": ["w"], "elements": [{**element, "label": "b.c"}]})
    put("e.jsonl", other)
    said = "sereval: label a.a.a.a.a.a.a.a.a.a.… has 20000 levels, expected at most 100\n"
    assert (1, "", said) == run(f"score d.jsonl e.jsonl {options}")
    assert run("score d.jsonl d.jsonl")[0] == 0


# --- names and files ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["score odd hyp", "check odd --grammar quaero", "convert odd made/ --to native", "show odd"]
    + ["audit odd hyp", "compare odd hyp", "score odd hyp --format json"],
)
def test_odd_things_in_a_folder(command, files, run):
    """A pipe is no file and nobody waits for it; links that lead nowhere are errors."""
    put("odd/show.ne", "à <loc> Dol </loc>\n")
    os.mkdir("odd/folder.ne")
    os.symlink("../odd", "odd/again.ne")
    assert run(command)[0] == 0
    for made in Path("made").glob("*"):
        made.unlink()
    for name, make, reason in [
        ("pipe.ne", os.mkfifo, "found a pipe, a socket or a device, expected a file"),
        ("gone.ne", lambda path: os.symlink("nowhere", path), "No such file or directory"),
        ("loop.ne", lambda path: os.symlink("loop.ne", path), "Too many levels of symbolic links"),
    ]:
        make(f"odd/{name}")
        assert run(command) == (1, "", f"sereval: odd/{name}: {reason}\n")
        os.unlink(f"odd/{name}")


@pytest.mark.parametrize("format", ["inline", "native"])
def test_a_pipe_is_read_once(format, files, run):
    """A pipe that is named is read like a file, by commands that read twice too."""
    text = {
        "inline": "à <loc> Dol </loc>\n",
        "native": '{"id":"x","words":["à","Dol"],"elements":[{"label":"loc","start":1,"end":2}]}',
    }[format]
    put("x.ne", "à <loc> Dol </loc>\n")
    for options in ("", " --format json"):
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        command = f"score /dev/fd/{reading} x.ne --ref-format {format} --name x{options}"
        status, out, err = run(command)
        os.close(reading)
        assert (0, "") == (status, err)
    report = json.loads(out)
    assert report["counts"]["C"] == 1
    assert report["provenance"]["inputs"]["ref"][0]["files"] == {}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
@pytest.mark.parametrize(
    "command",
    [
        *("score /dev/zero hyp --ref-format inline", "score ref hyp --map /dev/zero"),
        *("--config /dev/urandom score ref hyp", "compare --campaign /dev/zero"),
        *("gate /dev/zero ref hyp", "templates /dev/zero ref", "convert /dev/zero - --from ctm"),
    ],
)
def test_what_never_ends(command, files, run):
    """A device that gives bytes for ever is refused before they are read."""
    status, out, err = run(f"{command} --to native" if "convert" in command else command)
    assert (1, "") == (status, out)
    assert re.fullmatch(r"sereval: /dev/\w+: found a device, expected a file\n", err)


# --- words and labels -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", ["", "--by text", "--scheme muc", "--scheme slue", "--scheme evalita2011"]
)
def test_marks_on_one_letter(options, files, run):
    """Python would take minutes to compose them: it is not asked to."""
    word = "a" + "\u0301\u0316" * 300_000
    put("a.ne", f"à <loc> {word} </loc>\n")
    put("b.ne", f"a\u0300 <loc> {word} </loc>\n")
    status, out, err = run(f"score a.ne b.ne --name d {options}")
    assert (1, "") == (status, out)
    assert "has more than 1000 combining marks, expected fewer" in err
    assert len(err) < 200


LABELS = [
    *(
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(1)",
        "\tx",
        "\x1b[2J\x1b]0;t\x07",
        "a\nb",
        "a\rb",
    ),
    *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "$(touch pwned)", "`id`"),
    *("body{color:red}</style>", "a\0b", "\u202eabc", "\u2028", "\x9b2J", "{{7*7}}", "{% raise %}"),
    *("%s%n", "]]>", "-->", "&lt;", "[red]x[/red]", "/etc/passwd", "../../x", "|", "#", "B-PER"),
]


@pytest.fixture
def hostile(files):
    """Words and labels that programs take for commands, on both sides, half of them wrong."""
    words = [word for label in LABELS for word in (label, "x")]
    times = [[k, k + 1] for k in range(len(words))]

    def document(shift):
        labels = [LABELS[(k + k % 2 * shift) % len(LABELS)] for k in range(len(LABELS))]
        spans = [
            {"label": label, "start": 2 * k, "end": 2 * k + 1} for k, label in enumerate(labels)
        ]
        return json.dumps({"id": "d", "words": words, "times": times, "elements": spans})

    put("ref.jsonl", document(0))
    put("hyp.jsonl", document(1))
    return files


SHOWN = [
    *("score ref.jsonl hyp.jsonl", "audit ref.jsonl hyp.jsonl --all", "show ref.jsonl"),
    *("compare ref.jsonl hyp.jsonl --resamples 9", "agreement ref.jsonl hyp.jsonl"),
    "blame ref.jsonl hyp.jsonl hyp.jsonl --tolerance 0 --resamples 9",
    *(f"score ref.jsonl hyp.jsonl --scheme {name}" for name in ("muc", "semeval2013", "mitre")),
    "score ref.jsonl hyp.jsonl --scheme conll --elements outermost",
    "sweep ref.jsonl hyp.jsonl --tolerance 0,1",
    "check ref.jsonl --grammar quaero",
    "doctor ref.jsonl hyp.jsonl",
    "align ref.jsonl hyp.jsonl",
    "align ref.jsonl hyp.jsonl --by time --width 40",
    "project ref.jsonl --words ref.jsonl --tolerance 0 --format text",
    "convert ref.jsonl made/ --to inline",
    "convert ref.jsonl made/ --to textgrid",
]


@pytest.mark.parametrize("command", SHOWN)
def test_text_has_no_commands_for_a_terminal(command, hostile, run):
    """What people read is printable, whatever it is about."""
    _, out, err = run(command)
    assert [c for c in out + err if not c.isprintable() and c != "\n"] == []


@pytest.mark.parametrize("command", ["score", "audit", "align"])
@pytest.mark.parametrize("format", ["csv", "json"])
def test_a_terminal_gets_no_commands(command, format, hostile, run, monkeypatch):
    """Data go into files as they are, and to a terminal as they can be seen."""
    format = "jsonl" if (command, format) == ("audit", "json") else format
    line = f"{command} ref.jsonl hyp.jsonl --format {format}"
    _, data, _ = run(line)
    assert "\x9b" in data
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert run(line)[0] == 0
    seen = stdout.buffer.getvalue().decode()
    assert seen == visible(data)
    assert [c for c in seen if not c.isprintable() and c not in "\n\t"] == []


@pytest.mark.long
def test_memory_is_that_of_the_input(tmp_path):
    """A file of one line takes memory in proportion to its size."""
    peaks = []
    for size in (50_000_000, 100_000_000):
        path = tmp_path / f"{size}.ne"
        path.write_text("abcdefg " * (size // 8), "utf-8")
        code = (
            "import sys; from memory import peak; from sereval import read; read(sys.argv[1]);"
            "print(peak())"
        )
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", code, path]
        done = subprocess.run(command, capture_output=True, env=env, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] < 2.2 * peaks[0]
