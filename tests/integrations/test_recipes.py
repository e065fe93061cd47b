"""Files that ESPnet, NeMo and SpeechBrain write, scored as the page of recipes says."""

import json
import subprocess
import sys

import pytest
import recipes
from paths import CASES, ROOT
from recipes import KEPT

import sereval

TEST = CASES / "slurp" / "test.jsonl"
PREDICTIONS = CASES / "slurp" / "found.jsonl"
FOUND = [json.loads(line) for line in PREDICTIONS.read_text("utf-8").splitlines()]

DATES = [
    {"type": "date", "filler": "the friday"},
    {"type": "date", "filler": "friday"},
]
WRITE = {
    "espnet": "espnet2.fileio.datadir_writer",
    "nemo": "nemo.collections.asr.parts.utils.transcribe_utils",
    "speechbrain": "speechbrain.utils.metric_stats",
}
"""The module of each package that writes."""


def converted(script, path):
    """What a script of the page prints for a file, row by row, and its message."""
    program = [sys.executable, ROOT / "docs/examples/recipes" / script, path]
    done = subprocess.run(program, capture_output=True, check=True, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


# --- what the packages write ----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # of the packages
@pytest.mark.check
@pytest.mark.parametrize("package", WRITE)
def test_the_package_writes_what_is_kept(here, package):
    """The files of the folder are those of the package itself, byte for byte."""
    pytest.importorskip(WRITE[package])
    recipes.WRITERS[package](here)
    written = {path.name: path.read_bytes() for path in here.iterdir()}
    assert written == {path.name: path.read_bytes() for path in (KEPT / package).iterdir()}


@pytest.mark.check
def test_espnet():
    """Entities stand between the first and the last SEP; one without a filler is counted."""
    rows, message = converted("espnet.py", KEPT / "espnet/text")
    assert message == "1 entities that cannot be read\n"
    assert rows == [
        {"scenario": scenario, "action": action, "entities": entities, "file": f"audio-{name}.flac"}
        for scenario, action, name, entities in (
            ("calendar", "set", "1", DATES),
            ("calendar", "set", "1-headset", []),
            ("call", "make", "2", [{"type": "person", "filler": "jo's"}]),
        )
    ]


@pytest.mark.check
def test_nemo():
    """The dictionary of an answer; one that is cut off is an answer without entities."""
    rows, message = converted("nemo.py", KEPT / "nemo/meanings.json")
    assert message == "1 answers that cannot be read\n"
    assert rows == [
        {"file": "audio-1.flac", "entities": DATES},
        {"file": "audio-1-headset.flac", "entities": []},
        {"file": "audio-2.flac", "entities": []},
    ]


@pytest.mark.check
def test_words_of_nemo(here):
    """The words and times of a manifest are those of the file of words, whichever writes it."""
    rows, _ = converted("nemo_words.py", KEPT / "nemo/words.json")
    (here / "words.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    show, silence = sereval.read("words.jsonl")
    times = (0, 320), (320, 640), (720, 960)
    assert (show.words, show.times) == (("recevrons", "Benoît", "Magimel"), times)
    assert (silence.id, silence.words) == ("silence", ())
    for name in ("show.ctm", "session.ctm"):
        [same] = sereval.read(KEPT / "nemo" / name)
        assert (same.id, same.words, same.times) == ("show", show.words, show.times)


@pytest.mark.check
def test_words_of_speechbrain():
    """The recognised words of each alignment; a word may look like a gap, a name have a comma."""
    rows, _ = converted("speechbrain_words.py", KEPT / "speechbrain/wer.txt")
    assert {row["id"]: row["words"] for row in rows} == {
        "show, 1": ["recevons", "Benoît", "Benoît"],
        "show-2": [],
        "show-3": ["vingt", "<eps>", "ans"],
    }


# --- what they score ------------------------------------------------------------------------------


def figures(run, path, *options):
    """The figures of predictions; recordings without one are left out, which is a note."""
    status, out, _ = run(
        f"score --scheme slurp --missing drop --format json {TEST}", path, *options
    )
    assert status == 0
    return json.loads(out)["figures"]


@pytest.fixture
def expected(run):
    """The figures of the predictions themselves."""
    return figures(run, PREDICTIONS)


def test_the_predictions_of_speechbrain(here, run, expected):
    """The predictions that the recipe writes are those of SLURP."""
    lines = [json.dumps({**row, "intent": "x"}) for row in FOUND]
    (here / "predictions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert figures(run, "predictions.jsonl") == expected


@pytest.mark.check
@pytest.mark.parametrize("script", ["espnet.py", "nemo.py"])
def test_predictions_from_a_script(here, run, expected, script):
    """The figures are those of the predictions that were written as the model gives them."""
    if script == "nemo.py":
        rows = [
            {
                "audio_filepath": f"/data/{row['file']}",
                "pred_text": str({"entities": row["entities"]}).replace(",", "|"),
            }
            for row in FOUND
        ]
        lines = map(json.dumps, rows)
    else:
        names = {row["file"]: f"slurp_u_{row['file'].removesuffix('.flac')}" for row in FOUND}
        lines = (
            " ".join(
                [names[row["file"]], "x_y SEP"]
                + [f"{one['type']} FILL {one['filler']} SEP" for one in row["entities"]]
            )
            for row in FOUND
        )
    (here / "said").write_text("\n".join(lines) + "\n", "utf-8")
    found, _ = converted(script, here / "said")
    for row in found:
        row["file"] = row["file"].removeprefix("audio-")
    (here / "found.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    assert figures(run, "found.jsonl") == expected


# --- the page -------------------------------------------------------------------------------------
