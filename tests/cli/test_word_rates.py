"""Word error rates beside the score, where the words of the two sides differ."""

import json

import pytest
from paths import DATA

SIDES = f"--align {DATA}/align --words {DATA}/asr"
REF, GAZETTEER, COMPROMISE = f"{DATA}/ref", f"{DATA}/hyp/gazetteer", f"{DATA}/hyp/compromise"
THROUGH_TIME = f"{REF} {GAZETTEER}/asr {SIDES} --tolerance 0.3"


@pytest.fixture
def words_of(run):
    """The member ``words`` of the report of a command in JSON."""

    def found(command):
        status, out, _ = run(f"{command} --format json")
        assert 0 == status
        report = json.loads(out)
        return {**report["words"], "labels": report["word_elements"]} if report["words"] else None

    return found


@pytest.mark.check
def test_score_has_the_rates_of_measure(run, words_of):
    """All rates are those that --measure gives."""
    words = words_of(f"score {THROUGH_TIME}")
    elements, *labels = words["labels"]
    names = ",".join(["WER", "entity-wer", *(f"entity-wer.{one['label']}" for one in labels)])
    _, out, _ = run(f"score {REF} {GAZETTEER}/asr --measure {names} --format json")
    rates = [words["wer"], elements["wer"], *(one["wer"] for one in labels)]
    assert [row["value"] for row in json.loads(out)["measures"]] == rates
    assert (1627, 276, 42, 60, "unit") == tuple(
        words[name] for name in ("reference", "S", "D", "I", "weights")
    )


@pytest.mark.check
def test_normalisation_through_time(run, words_of, tmp_path):
    """--normalise is that of the rates beside a score, which it does not change, and signed."""
    sides = f"{REF} {GAZETTEER}/asr"
    exact = words_of(f"score {sides} --by text --normalise exact")
    plain = json.loads(run(f"score {THROUGH_TIME} --format json")[1])
    for command in ("score", "compare --resamples 5", "blame --resamples 5", "audit"):
        name, _, more = command.partition(" ")
        inputs = (
            THROUGH_TIME
            if name != "blame"
            else f"{REF} {GAZETTEER}/manual {THROUGH_TIME[len(REF) :]}"
        )
        status, out, err = run(f"{name} {inputs} {more} --normalise exact")
        assert 0 == status, err
        assert "WER 44.9 %" in out
        assert "|tolerance:0.3|normalise:exact|" in out
    found = json.loads(run(f"score {THROUGH_TIME} --normalise exact --format json")[1])
    assert (exact["wer"], plain["counts"]["ser"]) == (found["words"]["wer"], found["counts"]["ser"])
    campaign = "\n".join(
        [
            f'reference = "{REF}"\nalign = "{DATA}/align"\n[conditions.asr]\ntolerance = 0.3',
            f'words = "{DATA}/asr"\nKEY\n[systems.s]\nasr = "{GAZETTEER}/asr"',
        ]
    )
    for key, status in (('normalise = "exact"', 0), ('weights = "unit"', 1)):
        (tmp_path / "c.toml").write_text(campaign.replace("KEY", key), "utf-8")
        found, out, err = run(f"compare --campaign {tmp_path}/c.toml --resamples 5")
        assert status == found
        assert "WER 44.9 %" in out or "conditions.asr: --weights goes with --by text" in err
    for command in (f"score {sides}", f"project {THROUGH_TIME}", f"doctor {THROUGH_TIME}"):
        status, out, err = run(f"{command} --normalise exact")
        assert (2, True) == (status, "--normalise goes with --by text" in err)
