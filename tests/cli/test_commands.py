"""The command line: statuses, what is printed where, what is written and what is not."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_files import (
    ALIGNED,
    CTM,
    FUZZY,
    HEARD,
    HYPOTHESIS,
    NATIVE,
    REFERENCE,
    THROUGH_TIME,
    everything,
    grid,
    put,
)
from click import Context
from paths import CASES, CORPORA, ROOT

from sereval import __version__
from sereval.cli import COMMANDS, cli
from sereval.labels.grammar import bundled

SPEECH = CORPORA / "speech/human"


def figures(found):
    """What a command did and printed, less what a report says it was made of."""
    status, out, err = found
    out = re.sub(r"^Reference .*\n", "", out, flags=re.MULTILINE)
    if out.startswith("{"):
        report = json.loads(out)
        del report["provenance"]
        out = json.dumps(report, ensure_ascii=False)
    return status, out, err


# --- bad input ------------------------------------------------------------------------------------

ANNOTATED = (
    "inline (.ne), sgml (.sgml .sgm), columns (.iob .iob2 .bio .conll .conllup), "
    "native (.jsonl .json), aref (.aref), brat (.ann), transcriber (.trs), "
    "offsets (.offsets .prodigy .doccano), labelstudio (.labelstudio), mentions (.mentions.jsonl)"
)

BAD_INPUT = {
    "empty file": (
        {"ref/show.ne": ""},
        "score ref hyp",
        "ref/show.ne: the file is empty, expected words, with or without tags; "
        'a document without words is written in native JSON, with "words": []',
    ),
    "file of white space": (
        {"hyp/show.ne": " \n\n"},
        "score ref hyp",
        "hyp/show.ne: the file is empty, expected words, with or without tags; "
        'a document without words is written in native JSON, with "words": []',
    ),
    "empty folder": (
        {"empty/notes.txt": "no annotation"},
        "score empty hyp",
        f"empty: no file to read in this folder, which has 1 '.txt'; expected {ANNOTATED}",
    ),
    "empty folder of hypotheses": (
        {"empty/notes.txt": "no annotation"},
        "score ref empty",
        f"empty: no file to read in this folder, which has 1 '.txt'; expected {ANNOTATED}",
    ),
    "no such file": ({}, "score nowhere hyp", "nowhere: No such file or directory"),
    "a folder that is nearly there": (
        {},
        "score reff hyp",
        "reff: No such file or directory, the nearest there is ref",
    ),
    "a file that is nearly there": (
        {},
        "score ref/shwo.ne hyp",
        "ref/shwo.ne: No such file or directory, the nearest there is ref/show.ne",
    ),
    "a grammar that is nearly there": (
        {},
        "score ref ref --grammar quareo",
        "no grammar 'quareo', expected a TOML file or one of: conll, ester2, etape, evalita2011, "
        "hipe2020, muc, ontonotes, quaero, quaero-2011, quaero-press, the nearest known is quaero",
    ),
    "unknown suffix": (
        {"show.txt": REFERENCE},
        "score show.txt hyp",
        f"show.txt: suffix '.txt', expected {ANNOTATED}; or name its format, --ref-format",
    ),
    "CTM as reference": (
        {},
        "score words.ctm hyp",
        f"words.ctm: suffix '.ctm', expected {ANNOTATED}; or name its format, --ref-format",
    ),
    "crossing tags": (
        {"ref/show.ne": "à\n<loc> Dol\n<name> de </loc> Bretagne </name>\n"},
        "score ref hyp",
        "ref/show.ne:3: </loc> found where </name> is expected (opened on line 3); "
        "it crosses <loc> of line 2; --read crossing=drop takes it",
    ),
    "crossing elements": (
        {
            "ref.jsonl": '{"id":"show","words":["à","Dol","de"],"elements":['
            '{"label":"loc","start":0,"end":2},{"label":"name","start":1,"end":3}]}\n'
        },
        "score ref.jsonl hyp",
        "ref.jsonl:1: document 'show': elements loc [0, 2) and name [1, 3) cross; "
        "--read crossing=drop takes it",
    ),
    "unclosed tag": (
        {"hyp/show.ne": "à\n<loc> <name> Dol </name>\n"},
        "score ref hyp",
        "hyp/show.ne:2: <loc> is never closed",
    ),
    "TextGrid of other words": (
        {"align/show.TextGrid": grid((0, 0.2, "à"), (0.2, 0.6, "Dole"))},
        f"score ref heard {THROUGH_TIME}",
        "show: the words of the annotation and of its time file differ: "
        'annotation (ref/show.ne), word 2: "à Dol [end]"; '
        'time file (align/show.TextGrid), word 1 at 0.2 s: "à [Dole]"',
    ),
    "CTM of other words": (
        {"words.ctm": CTM.replace("or", "art")},
        f"score ref heard {THROUGH_TIME}",
        "show: the words of the annotation and of its time file differ: "
        'annotation (heard/show.ne), word 2: "à d\' [or]"; '
        'time file (words.ctm), word 2 at 0.3 s: "à d\' [art]"',
    ),
    "TextGrid with times going backwards": (
        {"align/show.TextGrid": grid((0, 0.2, "à"), (0.1, 0.6, "Dol"))},
        f"score ref heard {THROUGH_TIME}",
        "align/show.TextGrid:16: interval starts (0.1 s) before the one ahead ends (0.2 s), "
        "expected intervals in order, without overlap",
    ),
    "native document with times going backwards": (
        {"ref.jsonl": NATIVE.replace("[[0,0.2]", "[[0.3,0.4]")},
        "score ref.jsonl ref.jsonl --tolerance 0.1",
        "ref.jsonl:1: show: word 1 starts (0.2 s) before the word ahead of it (0.3 s), "
        "expected words by start time",
    ),
    "CTM without words": (
        {"words.ctm": ";; nothing was heard\n"},
        f"score ref heard {THROUGH_TIME}",
        "words.ctm: no words found, expected lines such as 'show 1 0.53 0.56 word'; "
        "a document without words is written as 'show 1 0 0 @', or in native JSON "
        'with "words": []',
    ),
    "empty CTM": (
        {"words.ctm": ""},
        f"score ref heard {THROUGH_TIME}",
        "words.ctm: the file is empty, expected lines such as 'show 1 0.53 0.56 word'",
    ),
    "no times for a document": (
        {"words.ctm": CTM.replace("show", "news")},
        f"score ref heard {THROUGH_TIME}",
        "document show has no times, expected some of that name among: news",
    ),
    "no such tier": (
        {},
        f"score ref heard {THROUGH_TIME} --tier phones",
        "align/show.TextGrid: no interval tier 'phones'; the tiers are 'words': name one of them",
    ),
    "missing hypothesis": (
        {"ref/news.ne": "rien\n"},
        "score ref hyp",
        "document news has no hypothesis, expected one of that name among: show",
    ),
    "missing hypotheses": (
        {"ref/news.ne": "rien\n", "ref/debate.ne": "rien\n"},
        "score ref hyp",
        "document debate has no hypothesis (nor have 1 more), "
        "expected one of that name among: show",
    ),
    "missing reference": (
        {"hyp/news.ne": "rien\n"},
        "score ref hyp",
        "document news has no reference, expected one of that name among: show",
    ),
    "missing reference, missing hypotheses count as empty": (
        {"hyp/news.ne": "rien\n"},
        "score ref hyp --missing empty",
        "document news has no reference, expected one of that name among: show",
    ),
    "no words for a missing hypothesis": (
        {"ref/news.ne": "rien\n", "align/news.TextGrid": grid((0, 1, "rien"))},
        f"score ref heard {THROUGH_TIME} --missing empty",
        "document news has no hypothesis, and no words to count as an empty one; "
        "expected the recogniser's words for it",
    ),
    "other words without a tolerance": (
        {},
        "score ref heard",
        'show: the words differ at word 1: reference (ref/show.ne) "à [Dol]", '
        'hypothesis (heard/show.ne) "à [d\'] or"; '
        "without --tolerance or --by both sides must have the same words",
    ),
    "tolerance without times of the reference": (
        {},
        "score ref heard --words words.ctm --tolerance 0.1",
        "show: the reference has no times, a tolerance needs them: --align reads some",
    ),
    "tolerance without times of the hypothesis": (
        {},
        "score ref heard --align align --tolerance 0.1",
        "show: the hypothesis has no times, a tolerance needs them: --words reads some",
    ),
    "times given twice": (
        {"ref.jsonl": NATIVE},
        "score ref.jsonl hyp --align align --tolerance 0.1",
        "show: times were given twice, in the annotation (ref.jsonl) "
        "and in a time file (align/show.TextGrid)",
    ),
    "document twice in a file": (
        {"ref.jsonl": NATIVE + "\n" + NATIVE},
        "score ref.jsonl hyp",
        "ref.jsonl:3: document 'show' stands twice, expected ids to be unique; "
        "the first is in ref.jsonl:1",
    ),
    "document twice in a folder": (
        {"hyp/all.jsonl": NATIVE},
        "score ref hyp",
        "hyp/show.ne: document 'show' stands twice, expected ids to be unique; "
        "the first is in hyp/all.jsonl:1",
    ),
    "not UTF-8": (
        {"hyp/show.ne": HYPOTHESIS.encode("latin-1")},
        "score ref hyp",
        "hyp/show.ne:1: found byte 0xe0 at offset 0, expected utf-8; is it in another encoding?",
    ),
    "unknown encoding": (
        {},
        "score ref hyp --encoding klingon",
        "ref/show.ne: encoding 'klingon': unknown encoding: klingon",
    ),
    "not JSON": (
        {"ref.jsonl": "{]\n"},
        "score ref.jsonl hyp",
        "ref.jsonl:1: not JSON: Expecting property name enclosed in double quotes at column 2, "
        "expected a whole document, one JSON object, on each line",
    ),
    "unknown grammar": (
        {},
        "score ref hyp --grammar klingon",
        f"no grammar 'klingon', expected a TOML file or one of: {', '.join(bundled())}",
    ),
    "standard input without a format": (
        {},
        "score ref -",
        "-: standard input has no suffix: name its format, --hyp-format",
    ),
    "fuzzy reference and a tolerance": (
        {"ref.jsonl": FUZZY},
        "score ref.jsonl heard --words words.ctm --tolerance 0.1",
        "show: a fuzzy reference is projected, it takes no tolerance",
    ),
    "fuzzy reference, merge": (
        {"ref.jsonl": FUZZY},
        "score ref.jsonl hyp --unplaceable merge",
        "show: a fuzzy reference cannot be merged, its elements have no times; "
        "expected drop or miss",
    ),
    "fuzzy hypothesis": (
        {"fuzzy.jsonl": FUZZY},
        "score ref fuzzy.jsonl",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
    "fuzzy hypothesis in LNE's format": (
        {"show.aref": "Dol"},
        "score ref show.aref",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
    "fuzzy reference to project": (
        {"ref.jsonl": FUZZY},
        "project ref.jsonl words.ctm --tolerance 0.1",
        "show: found a fuzzy reference (starts and ends), "
        "expected a document with one start and end for each element",
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input(name, files, run):
    """Bad input is one line on stderr and status 1; nothing is printed, written or left behind."""
    changed, command, message = BAD_INPUT[name]
    for path, content in changed.items():
        put(path, content)
    put("kept.json", "an older result\n")
    before = everything(files)
    expected = (1, "", f"sereval: {message}\n")
    assert run(command) == expected
    assert run(f"{command} -o new.json") == expected
    assert run(f"{command} --format json -o kept.json") == expected
    assert everything(files) == before


BAD_OUTPUT = {
    "nowhere/result.txt": "nowhere: no such folder, expected one to write to",
    "hyp": "hyp: Is a directory",
    "words.ctm/result.txt": "words.ctm: no such folder, expected one to write to",
}


@pytest.mark.parametrize("path", BAD_OUTPUT)
def test_bad_output(path, files, run):
    """An output that cannot be written is bad input too, and leaves no temporary file behind."""
    before = everything(files)
    expected = (1, "", f"sereval: {BAD_OUTPUT[path]}\n")
    assert run(f"score ref hyp -o {path}") == expected
    assert everything(files) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_output_in_a_folder_without_permission(files, run):
    """An output folder that may not be written to is named with the reason."""
    os.mkdir("locked", mode=0o500)
    expected = (1, "", "sereval: locked/result.txt: Permission denied\n")
    assert run("score ref hyp -o locked/result.txt") == expected


# --- usage ----------------------------------------------------------------------------------------

USAGE = {
    "score": "",
    "score ref": "",
    "project ref --tolerance 0.1": "",
    "score ref hyp more": "",
    "score ref hyp --collar 0.3": "",
    "score ref hyp --unplaceable ignore": "",
    "score ref hyp --format yaml": "",
    "score ref hyp --ref-format ctm": "",
    "tally ref hyp": "",
    "check ref": "",
    "check --grammar quaero": "",
    "project ref hyp": "",
    "score ref hyp --tolerance -0.1": "Invalid value for '--tolerance': found '-0.1', "
    "expected a duration that is not negative",
    "score ref hyp --tolerance 3frames": "Invalid value for '--tolerance': found '3frames', "
    "expected a duration such as 0.3 (in seconds), 0.3s or 300ms",
    "score ref hyp --tolerance 1,2,3": "Invalid value for '--tolerance': found '1,2,3', "
    "expected one duration, or two: START,END",
    "score ref hyp --tolerance 0,3": "Invalid value for '--tolerance': found '0,3', "
    "expected 0.3; or, if two are meant, 0s,3s",
    "score ref hyp --costs D": "Invalid value for '--costs': cost 'D', "
    "expected CLASS=NUMBER such as S_S=0.5",
    "score ref hyp --costs D=-1": "Invalid value for '--costs': cost D=-1, "
    "expected a decimal from 0 to 999999999, such as 0.5",
    "score ref hyp --costs D=1e3": "Invalid value for '--costs': cost D=1e3, "
    "expected a decimal from 0 to 999999999, such as 0.5",
    "score ref hyp --costs D=1,D=2": "Invalid value for '--costs': cost D is given twice",
    "score ref hyp --costs C=1": "Invalid value for '--costs': unknown cost 'C', "
    "expected one of S_S, S_T, S_ST, D, I",
}


@pytest.mark.parametrize("command", USAGE)
def test_usage(command, files, run):
    """A wrong command line is status 2, usage and reason on stderr, before any file is read."""
    put("ref/show.ne", "<never closed")
    status, out, err = run(command)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: sereval ")
    assert err.splitlines()[-1].startswith(f"Error: {USAGE[command]}")


PROMISED = {
    "score": "--align --words --tolerance --unplaceable --costs --grammar --jobs --format -o",
    "project": "--align --words --tolerance --unplaceable --format -o",
    "compare": "--campaign --system --tolerance --seed --resamples --collate --stability --jobs -o",
    "audit": "--align --words --tolerance --class --label --document --audio --jobs --format -o",
    "agreement": "--places --open --tolerance --jobs --format -o",
    "templates": "--format -o",
    "verify": "--help",
    "sweep": "--align --words --tolerance --system --jobs --plot --format -o",
    "check": "--grammar --strict",
    "show": "--document --label --width --format -o",
    "convert": "--from --to --tier --encoding --read --columns",
    "doctor": "--align --words --tolerance --by --missing --map --format -o",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_every_option(command, run):
    """The help of a command is on stdout, and mentions every option that the command takes."""
    status, out, err = run(f"{command} --help")
    assert (status, err) == (0, "")
    taken = [
        name for option in cli.get_command(Context(cli), command).params[1:] for name in option.opts
    ]
    for option in [*PROMISED[command].split(), *taken]:
        assert f"{option} " in out or f"{option}," in out or not option.startswith("-")


def test_help_names_every_command(run):
    """The help of the program is on stdout, and mentions every command."""
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    assert {line.split()[0] for line in out.split("Commands:\n")[1].splitlines()} == set(PROMISED)


def test_version(run):
    """The version is that of the package."""
    assert run("--version") == (0, f"sereval {__version__}\n", "")


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


def test_times_from_standard_input(files, run, stdin):
    """A dash for a CTM gives the same bytes as the file."""
    expected = run(f"score ref heard {THROUGH_TIME}")
    stdin(CTM)
    command = f"score ref heard {THROUGH_TIME.replace('words.ctm', '-')} --words-format ctm"
    assert run(command) == expected
    assert expected[0] == 0


@pytest.mark.parametrize("format", ["text", "json", "csv"])
def test_output_file(format, files, run):
    """A file gets the bytes of stdout, replaces an older one, and a dash is stdout."""
    command = f"score ref hyp --format {format}"
    _, expected, _ = run(command)
    put("result", "older and longer\n" * 1000)
    before = everything(files)
    assert run(f"{command} -o result") == (0, "", "")
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
    """Words that a recogniser gave no times are counted on stderr and with every score."""
    words = '{"word": "à", "start": 0, "end": 0.2}, {"word": "d\'"}, {"word": "or"}'
    put("asr/show.json", f'{{"segments": [{{"start": 0, "end": 0.6, "words": [{words}]}}]}}')
    put("hyp/show.ne", HEARD)
    expected = run(f"score ref hyp {THROUGH_TIME}")
    command = "score ref hyp --align align --words asr --words-format whisper --tolerance 0.1"
    status, out, err = run(command)
    what = "words without times, put between their neighbours"

    assert (status, f"sereval: asr: {what}: 2\n") == (0, err)
    assert out.splitlines()[:5] == expected[1].splitlines()[:5]
    assert f"\nHypothesis: {what}: 2.\n" in out
    for other in ("agreement", "compare", "sweep"):
        assert f"Hypothesis: {what}: 2.\n" in run(command.replace("score", other))[1]
    assert {"hypothesis": {what: 2}} == json.loads(run(f"{command} --format json")[1])["notes"]
    page = run(f"{command.replace('score', 'audit')} --format html")[1]
    assert f"Hypothesis: {what}: 2." in page
    other = command.replace("0.1", "0.1 --scheme semeval2013")
    assert f"Hypothesis: {what}: 2." in json.loads(run(f"{other} --format json")[1])["notes"]


def test_schemes_of_columns_say_how_others_were_read(run, monkeypatch):
    """What was skipped or chosen in reading trees is said with the score of their columns."""
    monkeypatch.chdir(CASES / "brat")
    command = "score ref.ann hyp.ne --name show --elements outermost --scheme conll --format json"
    policies = "--read discontinuous=hull --read crossing=drop"
    report = json.loads(run(f"{command} {policies}")[1])

    assert "Reference: relations, skipped: 1." in report["notes"]
    assert "|reference read:crossing=drop,discontinuous=hull|" in report["signature"]


def test_order_of_documents(files, run):
    """Nothing depends on the order of documents in a file."""
    lines = [NATIVE.replace("show", f"show{k}") for k in (3, 1, 2)]
    put("one.jsonl", "".join(lines))
    put("other.jsonl", "".join(sorted(lines)))
    expected = figures(run("score one.jsonl one.jsonl --format json"))[:2]
    assert figures(run("score other.jsonl one.jsonl --format json"))[:2] == expected
    assert figures(run("score one.jsonl other.jsonl --format json"))[:2] == expected


def test_missing_hypothesis_as_empty(files, run):
    """A missing hypothesis counts as one without elements, and the signature says so."""
    put("ref/news.ne", "<pers> Ada </pers>\n")
    status, out, err = run("score ref hyp --missing empty --format json")
    report = json.loads(out)
    assert (status, err, report["counts"]["D"]) == (0, "", 2)
    assert [document["id"] for document in report["documents"]] == ["news", "show"]
    assert "|missing:empty|" in report["signature"]


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


def test_interrupt(files, monkeypatch, run):
    """An interrupt is status 130 and a word on stderr, no traceback."""

    class Interrupted(io.BytesIO):
        def read(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    status, out, err = run("score - hyp --ref-format inline -o result")
    assert (status, out, err.strip()) == (130, "", "sereval: interrupted")
    assert not Path("result").exists()


def test_terminal(files, monkeypatch, run):
    """Whether somebody looks at stderr changes nothing on stdout."""
    expected = run("score ref hyp")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run("score ref hyp")[:2] == expected[:2]


# --- project --------------------------------------------------------------------------------------

TIMED = '{{"id":"{}","words":["Dol"],"times":[[0.0,0.5]]}}\n'
FIGURE_4 = "project reference --align align --words words.ctm --tolerance 0.3"


def test_projection_of_figure_4(monkeypatch, run):
    """The candidates of the paper's figure 4, as the definition lists them (section 7, case 2)."""
    monkeypatch.chdir(CASES / "figure_4")
    status, out, err = run(FIGURE_4)
    reference = json.loads(out)
    assert (status, err) == (0, "")
    assert reference["words"] == ["recevrons", "Benoît", "magie", "mais", "l'", "acteur"]
    assert reference["elements"] == [
        {"label": "pers.ind", "starts": [0, 1], "ends": [3, 4, 5], "strict": [1, 4]},
        {"label": "name.first", "starts": [0, 1], "ends": [2], "parent": 0, "strict": [1, 2]},
        {"label": "name.last", "starts": [2], "ends": [3, 4, 5], "parent": 0, "strict": [2, 4]},
    ]


def test_projection_as_text(monkeypatch, run):
    """The readable projection names the candidate words, the strict one in brackets."""
    monkeypatch.chdir(CASES / "figure_4")
    expected = """\
figure4: 3 elements placed, 0 unplaceable
element        reference words   may start before [strict]   may end after [strict]
pers.ind       Benoît Magimel    0 recevrons, [1 Benoît]     2 magie, [3 mais], 4 l'
  name.first   Benoît            0 recevrons, [1 Benoît]     [1 Benoît]
  name.last    Magimel           [2 magie]                   2 magie, [3 mais], 4 l'
"""
    assert run(f"{FIGURE_4} --format text") == (0, expected, "")


def test_projection_as_aref(monkeypatch, run, tmp_path):
    """Figure 4 projected and written in LNE's format is the file of its case."""
    monkeypatch.chdir(CASES / "figure_4")
    fuzzy = tmp_path / "figure4.aref"
    status, out, err = run(f"{FIGURE_4} --format aref -o {fuzzy}")
    assert (0, "") == (status, out)
    assert err.splitlines() == [
        "sereval: lost in aref: times of words: 6",
        "sereval: lost in aref: elements with strict frontiers, which break ties: 3",
        "sereval: lost in aref: descriptions of the projection: 1",
    ]
    assert fuzzy.read_text("utf-8") == (CASES / "aref_figure_4/figure4.aref").read_text("utf-8")


def test_unplaceable_elements_are_lost_in_aref(files, run):
    """The format has no room for them, which is said: scored with it, they would cost nothing."""
    words = '"words": ["à", "Dol"], "times": [[0, 0.2], [0.2, 0.6]]'
    name = '{"label": "name", "start": 0, "end": 1}, {"label": "loc", "start": 1, "end": 2}'
    put("one.jsonl", f'{{"id": "d", {words}, "elements": [{name}]}}')
    put("heard.jsonl", '{"id": "d", "words": ["adol"], "times": [[0, 0.6]], "elements": []}')
    project = "project one.jsonl heard.jsonl --tolerance 0.1 --unplaceable miss --format"
    assert run(f"{project} aref")[2].count("lost in aref: elements without a place: 1") == 1
    assert "lost" not in run(f"{project} json")[2]


def test_projection_of_several_as_aref(files, run):
    """A file in LNE's format holds one document."""
    for path in ("two.jsonl", "words.jsonl"):
        put(path, "".join(TIMED.format(id) for id in ("a", "b")))
    command = "project two.jsonl words.jsonl --tolerance 0.1 --format aref"
    assert run(command) == (1, "", "sereval: found 2 documents, expected one: aref holds no more\n")


@pytest.mark.parametrize(
    ("policy", "fate"),
    [("drop", "(dropped)"), ("miss", "(missed)"), ("merge", "(merged into name)")],
)
def test_unplaceable_as_text(policy, fate, monkeypatch, run):
    """The readable projection shows an unplaceable element and what became of it."""
    monkeypatch.chdir(CASES / "collision")
    command = f"project reference words.ctm --align align --tolerance 0.1 --unplaceable {policy}"
    status, out, err = run(f"{command} --format text")
    lines = out.splitlines()
    assert (status, err, lines[0]) == (0, "", "show: 2 elements placed, 1 unplaceable")
    [kind] = [line for line in lines if line.startswith("  kind")]
    assert kind.split() == ["kind", *fate.split(), "du", "[0", "dubidget]", "nowhere"]


ROUND_TRIPS = [
    ("figure_4", "words.ctm", "hypothesis_nothing", "0.3", "drop"),
    ("two_tolerances", "hypothesis_magie --words words.ctm", "hypothesis_magie", "0", "miss"),
    ("collision", "words.ctm", "hypothesis", "0.1", "drop"),
    ("collision", "words.ctm", "hypothesis", "0.1", "miss"),
    ("collision", "words.ctm", "hypothesis", "0.1", "merge"),
    ("one_ctm", "words.ctm", "hypothesis", "0.1", "drop"),
]


@pytest.mark.parametrize(("case", "words", "hypothesis", "tolerance", "policy"), ROUND_TRIPS)
def test_project_then_score(case, words, hypothesis, tolerance, policy, monkeypatch, run, stdin):
    """Scoring a projected reference gives the figures of scoring through time at once."""
    monkeypatch.chdir(CASES / case)
    [align] = Path().glob("align*")
    settings = f"--align {align} --tolerance {tolerance} --unplaceable {policy}"
    _, fuzzy, _ = run(f"project reference {words} {settings}")
    stdin(fuzzy)
    again = "miss" if policy == "miss" else "drop"
    _, out, _ = run(f"score - {hypothesis} --ref-format native --unplaceable {again} --format json")
    _, at_once, _ = run(f"score reference {hypothesis} --words words.ctm {settings} --format json")
    reports = [json.loads(text) for text in (out, at_once)]
    for report in reports:
        del report["signature"], report["provenance"]
    assert reports[0] == reports[1]


@pytest.mark.skipif(not SPEECH.is_dir(), reason="needs the speech corpus")
@pytest.mark.parametrize("policy", ["drop", "miss"])
def test_project_then_score_a_recording(policy, run, tmp_path):
    """The round trip keeps every figure on a real recording too."""
    times = f"--align {SPEECH}/align/lj001b.TextGrid --words {SPEECH}/asr/lj001b.ctm"
    settings = f"{times} --tolerance 0.3 --unplaceable {policy}"
    reference, hypothesis = f"{SPEECH}/ref/lj001b.ne", f"{SPEECH}/hyp/gaz/asr/lj001b.ne"
    fuzzy = tmp_path / "fuzzy.jsonl"
    assert run(f"project {reference} {settings} -o {fuzzy}") == (0, "", "")
    _, at_once, _ = run(f"score {reference} {hypothesis} {settings} --format csv")
    expected = (0, at_once, "")
    assert run(f"score {fuzzy} {hypothesis} --unplaceable {policy} --format csv") == expected


# --- check ----------------------------------------------------------------------------------------

WRONG = """le
<pers.ind> <name.frist> Jacques </name.frist> </pers.ind>
<name> Dol </name> <org.adm> <title> maire </title> </org.adm>
"""
VIOLATIONS = """\
a/wrong.ne:2: unknown label name.frist, the nearest known is name.first
a/wrong.ne:3: component name outside any type
a/wrong.ne:3: component title in org.adm, expected in pers.ind

"""
RIGHT = """\
label      kind       all
name.last  component    1
pers.ind   type         1
all                     2
"""
WRONG_LABELS = """\
label       kind       all
name        component    1
name.frist  unknown      1
org.adm     type         1
pers.ind    type         1
title       component    1
all                      5
"""
BOTH = """\
label       kind       all  right.ne  wrong.ne
name        component    1         0         1
name.frist  unknown      1         0         1
name.last   component    1         1         0
org.adm     type         1         0         1
pers.ind    type         2         1         1
title       component    1         0         1
all                      7         2         5
"""


def test_check(files, run):
    """Violations are listed with file and line, and labels counted by file; it is no failure."""
    put("a/right.ne", "<pers.ind> <name.last> Chirac </name.last> </pers.ind>\n")
    put("a/wrong.ne", WRONG)
    assert run("check a/wrong.ne --grammar quaero") == (0, VIOLATIONS + WRONG_LABELS, "")
    assert run("check a --grammar quaero") == (0, VIOLATIONS + BOTH, "")
    assert run("check a/right.ne a/wrong.ne --grammar quaero") == (0, VIOLATIONS + BOTH, "")
    assert run("check a/right.ne --grammar quaero") == (0, RIGHT, "")


def test_check_strict(files, run):
    """Violations are a failure under ``--strict``, and there is none without a violation."""
    put("a/right.ne", "<pers.ind> <name.last> Chirac </name.last> </pers.ind>\n")
    put("b/typo.ne", "<pers.ind>\n<name.lats> Chirac </name.lats> </pers.ind>\n")
    message = "b/typo.ne:2: unknown label name.lats, the nearest known is name.last"
    assert run("check a --grammar quaero --strict") == (0, "", "")
    assert run("check b --grammar quaero --strict") == (1, "", f"sereval: {message}\n")


ILL_FORMED = "I-LOC, of the tags that iob2 does not allow where they stand, read all the same"


def test_check_lists_all_that_is_ill_formed(files, run):
    """Three ill-formed tags are listed one by one, and a failure if that is asked for."""
    put("a.iob", "Paris O\nvaut I-LOC\n\n" + "une I-LOC\n\n" * 2)
    listed = [f"a.iob:{line}: {ILL_FORMED}\n" for line in (2, 4, 6)]

    status, out, err = run("check a.iob --grammar conll --read tags=iob2")
    assert (0, "".join(listed)) == (status, out.partition("\n\n")[0] + "\n")
    assert "stand, read all the same: 3, the first I-LOC at a.iob:2, I-LOC at a.iob:4, I" in err
    status, out, err = run("check a.iob --grammar conll --read tags=iob2 --strict")
    assert (1, "") == (status, out)
    assert "".join(f"sereval: {line}" for line in listed) in err


def test_check_lists_what_a_policy_drops(files, run):
    """What a policy of ``--read`` drops is listed one by one, and no failure."""
    put("a.txt", "a b c")
    put("a.ann", "T1\tLOC 0 3\ta b\nT2\tLOC 2 5\tb c\n")

    status, out, _ = run("check a.ann --grammar conll --read crossing=drop")
    assert (0, "a.ann:2: T2, of the annotations that cross an earlier one, dropped") == (
        status,
        out.partition("\n")[0],
    )
    assert 0 == run("check a.ann --grammar conll --read crossing=drop --strict")[0]


def test_check_native(files, run):
    """A violation in native JSON has the line of its document."""
    line = '{"id":"%s","words":["Dol"],"elements":[{"label":"%s","start":0,"end":1}]}\n'
    put("all.jsonl", line % ("a", "loc.adm.town") + line % ("b", "loc.adm.twon"))
    message = "all.jsonl:2: unknown label loc.adm.twon, the nearest known is loc.adm.town\n"
    status, out, err = run("check all.jsonl --grammar quaero")
    assert (status, out.partition("\n\n")[0] + "\n", err) == (0, message, "")


def test_check_files_of_one_name(files, run):
    """Files that are called alike are told apart by their folders."""
    put("one/deep/a.ne", "<loc.oro> Dol </loc.oro>\n")
    put("two/a.ne", "<loc.oro> Dol </loc.oro>\n")
    shown = {
        "one/deep/a.ne two/a.ne": ["one/deep/a.ne", "two/a.ne"],
        f"one/deep/a.ne {files}/two/a.ne": ["one/deep/a.ne", f"{files}/two/a.ne"],
        f"{files}/one/deep/a.ne {files}/two/a.ne": ["one/deep/a.ne", "two/a.ne"],
    }
    for paths, expected in shown.items():
        _, out, _ = run(f"check {paths} --grammar quaero")
        heads = [line.split()[3:] for line in out.splitlines() if line.startswith("label ")]
        assert expected == [name for row in heads for name in row]  # of several tables, if wide


def test_check_standard_input(files, run, stdin):
    """A dash is standard input, whose format has to be named."""
    stdin(WRONG)
    expected = VIOLATIONS.replace("a/wrong.ne", "-") + WRONG_LABELS
    assert run("check - --grammar quaero --from inline") == (0, expected, "")


def test_check_relabelled(files, run):
    """Labels may be changed first; what then stands twice on the same words is listed."""
    put("a.ne", "<loc.fac>\n<loc.oro> Dol </loc.oro> </loc.fac> <pres> x </pres>\n")
    put("map.toml", '[hypothesis]\nremove = ["pres"]\n')
    options = "--grammar quaero --map map.toml --side hypothesis --level 1"
    status, out, err = run(f"check a.ne {options}")
    assert (status, out) == (
        0,
        "a.ne:2: label loc twice on the same words\n\n"
        "label  kind  all\nloc    type    2\nall            2\n",
    )
    assert err == (
        "sereval: a.ne: elements named by their level 1: 2\n"
        "sereval: a.ne: elements removed by the map: 1\n"
        "sereval: a.ne: elements that came to have the label and the words of another: 1\n"
    )
    assert run(f"check a.ne {options} --strict")[:2] == (1, "")


def test_check_at_a_level(files, run):
    """Where components may stand is looked at before labels are cut; what stands twice, after."""
    put(
        "a.ne",
        "<loc.adm.town>\n<loc.adm.nat> <name> Dol </name> </loc.adm.nat>\n</loc.adm.town> "
        "<pers.ind> <title> Mr </title> </pers.ind>\n<title> Dr </title>\n",
    )
    lines = run("check a.ne --grammar quaero --level 1")[1].splitlines()

    assert lines[: lines.index("")] == [
        "a.ne:2: label loc twice on the same words",
        "a.ne:4: component title outside any type, expected in pers.ind",
    ]


def test_check_bad_input(files, run):
    """What cannot be read is an error, with or without ``--strict``."""
    put("a/show.ne", "<pers.ind> Chirac\n")
    message = "sereval: a/show.ne:1: <pers.ind> is never closed\n"
    assert run("check a --grammar quaero") == (1, "", message)
    assert run("check a --grammar quaero --strict") == (1, "", message)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score ref hyp --level one", "found 'one', expected a whole number of 1 or more"),
        ("show ref --width 3", "found '3', expected a whole number of 40 or more"),
        ("compare ref hyp --confidence 95", "found '95', expected a number between 0 and 1, such"),
        ("sweep ref hyp", "Missing option '--tolerance'. Expected tolerances in seconds, such as"),
        ("check ref", "Missing option '--grammar'. Expected a TOML file or one of: conll, ester2"),
    ],
)
def test_numbers_and_options_in_words(files, run, command, message):
    """What click would say for programmers is said for users, with what to give."""
    status, out, err = run(command)
    assert (2, "") == (status, out)
    assert message in err
