"""``sereval align``, and the measures of words on the command line."""

import csv
import json

import pytest
from cli_files import put
from paths import CORPORA

from sereval.cli import main


@pytest.fixture
def files(here):
    """Two documents with the recogniser's words in CTM."""
    put("ref/a.ne", "at the <loc> New York </loc> desk")
    put("ref/b.ne", "<pers> Dol </pers> spoke")
    put("asr/a.ctm", "a 1 0.0 0.2 at\na 1 0.3 0.5 Newark\na 1 0.9 0.3 desk\n")
    put("asr/b.ctm", "b 1 0.0 0.2 Dole\nb 1 0.3 0.5 spoke\n")
    return here


def test_formats_have_the_same_operations(files, run):
    """Text, JSON, CSV and CTM; the reference may be in any format with words."""
    status, out, err = run("align ref asr --document a")
    assert (0, "") == (status, err)
    assert "0 ref at the New York   desk\n  hyp at *** *** Newark desk\n" in out
    rows = [*csv.DictReader(run("align ref asr --format csv --context 0")[1].splitlines())]
    assert ["deletion", "deletion", "substitution", "substitution"] == [
        row["operation"] for row in rows
    ]
    ctm = run("align ref asr --format ctm")[1].splitlines()
    assert "a 1 0.300 0.500 Newark 1.00 York sub" == ctm[3]
    assert run("align asr asr --by time")[1].count("0  0.0") == 3


FBAI = CORPORA / "fbai"


@pytest.mark.check
@pytest.mark.skipif(not FBAI.is_dir(), reason="the corpus ../shared/corpora/fbai is not here")
def test_librispeech_with_rare_words(here, run):
    """The command line prints the figures of the program of Le et al., all digits."""
    for name, side in (("test-clean.tsv", "ref"), ("b1.tsv", "hyp")):
        rows = (line.split("\t") for line in (FBAI / name).read_text("utf-8").splitlines())
        made = [json.dumps({"id": row[0], "words": row[1].split(), "elements": []}) for row in rows]
        put(f"{side}.jsonl", "\n".join(made))
    status = main(
        [
            *("score", "ref.jsonl", "hyp.jsonl", "--format", "json", "-o", "made.json"),
            *("--measure", "WER(weights=sclite),U-WER,B-WER", "--normalise", "exact"),
            *("--biasing", str(FBAI / "test-clean.tsv")),
        ]
    )
    measures = json.loads((here / "made.json").read_text("utf-8"))["measures"]
    values = [100 * each["value"] for each in measures]
    expected = {3.6537583688374924, 2.3710349247036206, 14.077417115084186}
    assert (0, expected) == (status, {*values})
