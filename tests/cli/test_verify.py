"""`sereval verify`: a report in JSON says enough to be made again, and lies do not pass."""

import hashlib
import json
import random
import shutil

import pytest
from paths import DATA, ROOT, TESTS

import sereval

pytestmark = pytest.mark.check

TEMPLATES = TESTS / "templates"
REF, GAZETTEER, COMPROMISE = (str(DATA / p) for p in ("ref", "hyp/gazetteer", "hyp/compromise"))
TIMES = ["--align", str(DATA / "align"), "--words", str(DATA / "asr")]
ASR = [REF, f"{GAZETTEER}/asr"]
MANUAL = [REF, f"{GAZETTEER}/manual"]
COARSE = ["--map", str(ROOT / "docs/examples/coarse.toml")]
QUAERO = ["--grammar", "quaero"]
FIGURE_3 = [str(TEMPLATES / "figure_3" / name) for name in ("key.muc", "response.muc")]
OTHER = str(TEMPLATES / "figure_4" / "response.muc")

REPORTS = {  # a command, what it reads, its options
    "score": ("score", [*ASR, *TIMES], ["--tolerance", "0.3", "--grammar", "quaero"]),
    "costs": ("score", MANUAL, ["--costs", "S_S=0.25", "--neutral", "kind", "--neutral", "name"]),
    "lne": ("score", MANUAL, ["--scheme", "quaero-lne"]),
    "semeval": ("score", MANUAL, ["--scheme", "semeval2013"]),
    "mitre": ("score", [*ASR], ["--scheme", "mitre", "--extent-tolerance", "2"]),
    "conll": ("score", MANUAL, ["--scheme", "conll", "--elements", "outermost"]),
    "labels": ("score", [*MANUAL, *COARSE], ["--only", "types", "--level", "1", *QUAERO]),
    "depth": ("score", MANUAL, ["--pairing", "half", "--costs", "S_T.depth=2"]),
    "muc": ("score", ASR, ["--scheme", "muc", "--mapping", "optimal"]),
    "evalita": ("score", ASR, ["--scheme", "evalita2011", "--elements", "innermost", "--repair"]),
    "slue": ("score", [*ASR, *COARSE], ["--scheme", "slue"]),
    "words": ("score", ASR, ["--tolerance", "1w", "--by", "text"]),
    "stability": ("compare", [*MANUAL, f"{COMPROMISE}/manual"], ["--stability"]),
    "bound": ("score", ASR, ["--by", "text", "--upper-bound"]),
    "sweep": ("sweep", [*ASR, *TIMES], ["--tolerance", "0:0.2:0.1"]),
    "compare": ("compare", [*MANUAL, f"{COMPROMISE}/manual"], ["--resamples", "50"]),
    "measures": ("score", MANUAL, ["--measure", "SER,WER,muc.text"]),
    "blame": ("blame", [*MANUAL, ASR[1], *TIMES], ["--tolerance", "0.3", "--resamples", "50"]),
    "agreement": ("agreement", MANUAL, ["--places", "9", "--open"]),
    "stats": ("stats", [REF], QUAERO),
    "responses": ("templates", [*FIGURE_3, OTHER], ["--slot-weights", "POST=2"]),
    "states": ("compare", [*FIGURE_3, OTHER], ["--stability"]),
    "templates": ("templates", FIGURE_3, ["--criterion", "restrictive", "--no-listing"]),
}


@pytest.fixture
def made(run, tmp_path):
    """Makes a report in JSON, and gives its path."""

    def made(command, read, options, folder=tmp_path):
        path = folder / "report.json"
        assert run(command, *read, *options, "--format", "json", "-o", path)[0] == 0
        return path

    return made


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_holds(name, made, run):
    """What it read is all that a report needs to be made again, digit for digit."""
    command, read, options = REPORTS[name]
    path = made(command, read, [*options, "--jobs", "2"] if name == "depth" else options)
    kept = json.loads(path.read_text("utf-8"))["provenance"]
    assert (kept["command"], kept["options"]) == (command, options)
    status, out, err = run("verify", path, *read)
    assert (status, err) == (0, "")
    assert out.startswith("all ")
    assert out.endswith(" values hold\n")


def test_others_may_help(made, run):
    """A report is made again by as many processes as somebody has, whatever made it."""
    path = made(*REPORTS["score"])
    status, out, _ = run("verify", path, *REPORTS["score"][1], "--jobs", "2")
    assert status == 0
    assert out.endswith(" values hold\n")
    status, _, err = run("verify", path, *REPORTS["score"][1], "--jobs", "0")
    assert status == 2
    assert "--jobs" in err


def places(value):
    """Where single values stand: what holds them, and their key or number."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(each, dict | list):
            yield from places(each)
        else:
            yield value, key


@pytest.mark.parametrize("name", REPORTS)
def test_any_value_counts(name, made, run):
    """Whichever value is another, of another type, or missing, the report does not hold."""
    path = made(*REPORTS[name])
    text = path.read_text("utf-8")
    chance = random.Random(name)
    for change in ("other", "type", "missing"):
        report = json.loads(text)
        kept = report.pop("provenance")
        holder, key = chance.choice([at for at in places(report) if isinstance(at[0], dict)])
        value = holder.pop(key)
        if change == "other":
            holder[key] = 7 if value is None else value + {str: "x"}.get(type(value), 1)
        elif change == "type":
            holder[key] = float(value) if type(value) is int else [value]
        path.write_text(json.dumps({**report, "provenance": kept}), "utf-8")
        status, _, err = run("verify", path, *REPORTS[name][1])
        assert status == 1, (change, key, value)
        assert f"{key}: " in err


def test_settings_from_a_file(tmp_path, run):
    """A report has the options of a file of settings as if they had been given, and needs no
    file to be made again."""
    settings = tmp_path / "settings.toml"
    coarse = json.dumps(COARSE[1])
    settings.write_text(f'[score]\nmap = {coarse}\ncosts = "S_T=0.25"\nlevel = 1\n', "utf-8")
    path = tmp_path / "report.json"
    score = ["score", *MANUAL, "--format", "json", "-o", path]
    assert run("--config", settings, *score)[0] == 0
    kept = json.loads(path.read_text("utf-8"))["provenance"]
    assert {"--costs", "S_T=0.25", "--level", "1"} == set(kept["options"])
    assert ["hyp", "label_map", "ref"] == sorted(kept["inputs"])
    settings.write_text("[score]\nlevel = 9\n", "utf-8")
    assert run("verify", path, *MANUAL, *COARSE)[0] == 0
    assert run("verify", path, *MANUAL)[0] == 1


def test_digests_are_of_the_bytes(made):
    """Each file that was read is there with its SHA-256, under the name of its argument."""
    path = made(*REPORTS["score"])
    inputs = json.loads(path.read_text("utf-8"))["provenance"]["inputs"]
    assert list(inputs) == ["align", "hyp", "ref", "words"]
    [ref] = inputs["ref"]
    assert ref["files"] == {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted((DATA / "ref").iterdir())
    }


def test_a_report_does_not_know_where_it_was_made(tmp_path, made):
    """The same files in another folder give the same bytes, at any number of jobs."""
    moved = tmp_path / "elsewhere"
    shutil.copytree(DATA / "ref", moved / "ref")
    shutil.copytree(DATA / "hyp/gazetteer/manual", moved / "manual")
    here = made("score", MANUAL, []).read_bytes()
    there = made("score", [moved / "ref", moved / "manual"], ["--jobs", "2"], moved)
    assert there.read_bytes() == here


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"S_S": 70', '"S_S": 71', "counts.S_S: 71 in the report, 70 now"),
        ('"0.3"', '"0.4"', "counts.C: 598 in the report, 607 now"),
        ("tolerance:0.3", "tolerance:0.2", "signature: "),
    ],
)
def test_a_changed_digit_is_found(old, new, place, made, run):
    """A report that says another figure, setting or signature than is found again is refused."""
    path = made(*REPORTS["score"])
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    status, out, err = run("verify", path, *REPORTS["score"][1])
    assert (1, "") == (status, out)
    assert place in err


def test_another_input_is_named(tmp_path, made, run):
    """Files that are not those of the report are named, whether the digits hold or not."""
    ref, hyp = tmp_path / "ref", tmp_path / "hyp"
    shutil.copytree(DATA / "ref", ref)
    shutil.copytree(DATA / "hyp/gazetteer/manual", hyp)
    path = made("score", [ref, hyp], [])
    changed = hyp / "titanic.ne"
    changed.write_text(changed.read_text("utf-8") + "\n", "utf-8")
    status, out, _ = run("verify", path, ref, hyp)
    assert (0, "input hyp: titanic.ne has changed") == (status, out.splitlines()[0])
    for side in (ref, hyp):
        (side / "titanic.ne").unlink()
    status, _, err = run("verify", path, ref, hyp)
    assert status == 1
    assert "input hyp: titanic.ne is missing" in err
    assert "documents: " in err


@pytest.mark.parametrize("name", ["score", "sweep", "compare", "stability", "templates"])
def test_another_version_is_said(name, made, run):
    """Digits of another version may hold; which versions they are is said, once."""
    path = made(*REPORTS[name])
    text = path.read_text("utf-8").replace(f"version:{sereval.__version__}", "version:0.0.9")
    path.write_text(text, "utf-8")
    status, out, _ = run("verify", path, *REPORTS[name][1])
    first, second = out.splitlines()
    assert status == 0
    assert first == f"made by version 0.0.9, made again by version {sereval.__version__}"
    assert second.endswith(" values hold")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda report: report["provenance"].update(more=1),
            "provenance.more: 1 in the report, nothing now",
        ),
        (lambda report: report["provenance"].update(options=["--costs", "D=1"] * 2), "options"),
        (
            lambda report: report.update(signature=report["signature"].partition("|version:")[0]),
            "signature: ",
        ),
    ],
    ids=["another key", "another option", "no version"],
)
def test_what_it_was_made_of_counts(change, said, made, run):
    """What the report says it was made of is compared like its figures, and a version is said."""
    path = made("score", MANUAL, [])
    report = json.loads(path.read_text("utf-8"))
    change(report)
    path.write_text(json.dumps(report), "utf-8")
    status, _, err = run("verify", path, *MANUAL)
    assert status == 1
    assert said in err


def test_an_option_that_is_none(files, run):
    """A report with an option that its command does not have is refused in one line."""
    kept = {"command": "score", "options": ["--nothing"], "inputs": {}}
    (files / "report.json").write_text(json.dumps({"provenance": kept}), "utf-8")
    status, out, err = run("verify report.json ref hyp")
    [line] = err.splitlines()
    assert (1, "", True) == (status, out, "its options: " in line)


def test_what_is_missing_is_said(made, run):
    """Who gives a report without its inputs is told what they were."""
    coarse = DATA.parent / "docs/examples/coarse.toml"
    read = [*ASR, f"{COMPROMISE}/asr", *TIMES, "--map", str(coarse)]
    path = made("sweep", read, ["--tolerance", "0.3"])
    status, _, err = run("verify", path)
    assert status == 2
    assert err.startswith("Usage: sereval verify")
    what = "sweep, which read REF HYP HYP --align --words --map"
    assert err.endswith(f"Missing argument 'REF'; {path} was made by {what}\n")
