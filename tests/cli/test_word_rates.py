"""Word error rates beside the score, where the words of the two sides differ."""

import csv
import json

import pytest
from paths import DATA
from reports import named

from sereval.documents.model import Document, tree
from sereval.evaluation.evaluate import evaluate
from sereval.measures.words import WordErrors

SIDES = f"--align {DATA}/align --words {DATA}/asr"
REF, GAZETTEER, COMPROMISE = f"{DATA}/ref", f"{DATA}/hyp/gazetteer", f"{DATA}/hyp/compromise"
LINE = "WER 23.2 % of 1627 words (276 substituted, 42 deleted, 60 inserted)\nentity WER 20.1 %"
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


def of_systems(report):
    """The same of each system of a report that has several."""
    found = {row.pop("system"): {**row, "labels": []} for row in report["words"]}
    for row in report["word_elements"]:
        found[row.pop("system")]["labels"].append(row)
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
def test_text_of_each_command(run):
    """One line, the same in every command; a column where rows have words of their own."""
    systems = f"{REF} {GAZETTEER}/asr {COMPROMISE}/asr {SIDES}"
    for command, times in (
        (f"score {THROUGH_TIME} --grammar quaero", 1),
        (f"sweep {systems} --tolerance 0,0.3", 2),
        (f"compare {systems} --tolerance 0.3 --resamples 20", 1),
        (f"score {REF} {GAZETTEER}/asr --scheme mitre", 1),
        (f"score {REF} {GAZETTEER}/asr --by text --scheme semeval2013", 1),
        (f"score {REF} {GAZETTEER}/asr --scheme slue", 1),
    ):
        _, out, _ = run(command)
        assert times == out.count(f"{LINE}\n"), command
    _, out, _ = run(f"score {THROUGH_TIME} --grammar quaero --show all")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    ends = [rows[name][-1] for name in ("all", "librivox", "pers.ind", "types")]
    assert ["23.2", "26.8", "53.1", "58.6"] == ends  # kinds have no words of their own
    for view in ("summary", "all"):
        _, out, _ = run(f"score {THROUGH_TIME} --grammar quaero --show {view}")
        assert max(map(len, out.partition("WER of")[0].splitlines())) <= 80
    _, out, _ = run(f"audit {THROUGH_TIME} --document librivox")
    assert f"\n{LINE}\n" in out


@pytest.mark.check
def test_same_words_have_no_rates(run, words_of):
    """Neither on the same words, nor through time, nor with another scheme."""
    manual = f"{REF} {GAZETTEER}/manual"
    for command in (
        f"score {manual}",
        f"score {manual} --by text",
        f"score {manual} --scheme semeval2013",
        f"score {manual} --scheme mitre",
        f"compare {manual} --resamples 20",
    ):
        _, out, _ = run(command)
        assert "WER" not in out, command
    assert words_of(f"score {manual}") is None


def test_what_says_no_words_has_no_rates(tmp_path, run):
    """Mentions and the stand-ins of missing hypotheses were not recognised."""
    (tmp_path / "r.ne").write_text("to <loc> Dol </loc> today\n", "utf-8")
    mentions = {"id": "r", "mentions": [{"label": "loc", "text": "Dole"}]}
    (tmp_path / "h.jsonl").write_text(json.dumps(mentions) + "\n", "utf-8")
    _, out, _ = run(f"score {tmp_path}/r.ne {tmp_path}/h.jsonl --scheme slue --name r")
    assert "entity" in out
    assert "WER" not in out
    (tmp_path / "h").mkdir()
    (tmp_path / "ref").mkdir()
    for name in "ab":
        (tmp_path / "ref" / f"{name}.ne").write_text("to <loc> Dol </loc> today\n", "utf-8")
    (tmp_path / "h" / "a.ne").write_text("to <loc> Dole </loc> today\n", "utf-8")
    sides = f"{tmp_path}/ref {tmp_path}/h"
    _, out, _ = run(f"score {sides} --scheme mitre --missing empty")
    assert "all" in out
    assert "WER" not in out


@pytest.mark.check
def test_processes_and_normalisation(run, words_of):
    """Processes change no count; the normalisation of the projection is that of the rate."""
    alone = words_of(f"score {THROUGH_TIME}")
    assert alone == words_of(f"score {THROUGH_TIME} --jobs 2")
    sides = f"{REF} {GAZETTEER}/asr"
    exact = words_of(f"score {sides} --by text --normalise exact")
    assert exact["wer"] > alone["wer"] == words_of(f"score {sides} --by text")["wer"]
    _, out, _ = run(f"sweep {sides} {SIDES} --tolerance 0,0.3 --format json")
    assert [alone] == [*of_systems(json.loads(out)).values()]


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


def rows_of(run, command):
    status, out, _ = run(f"{command} --format csv")
    assert 0 == status
    return list(csv.DictReader(out.splitlines()))


@pytest.mark.check
def test_csv_of_compare(run):
    """A row for all words, for elements, and for each label."""
    command = f"compare {THROUGH_TIME} --resamples 20"
    found = {r["label"]: float(r["wer"]) for r in rows_of(run, f"{command} --table word_elements")}
    assert found["pers.ind"] == 0.53125
    assert "" in found
    rows = rows_of(run, f"{command} --table words")
    assert [0.2323] == [round(float(row["wer"]), 4) for row in rows]


@pytest.mark.check
def test_csv_of_sweep(run):
    """A system has each rate once, without a tolerance, in tables beside that of points."""
    command = f"sweep {REF} {GAZETTEER}/asr {COMPROMISE}/asr {SIDES} --tolerance 0,0.3"
    assert {"0", "0.3"} == {row["tolerance"] for row in rows_of(run, command)}
    rows, elements = (rows_of(run, f"{command} --table {t}") for t in ("words", "word_elements"))
    assert not {"tolerance"} & {*rows[0], *elements[0]}
    systems = of_systems(json.loads(run(f"{command} --format json")[1]))
    assert ["gazetteer", "compromise"] == [*systems]
    for name, words in systems.items():
        assert [words["wer"]] == [float(r["wer"]) for r in rows if r["system"] == name]
        own = [(r["label"], float(r["wer"])) for r in elements if r["system"] == name]
        assert [(one["label"] or "", one["wer"]) for one in words["labels"]] == own


def test_rates_without_a_wrong_word(tmp_path, run):
    """Words that were compared have rates in tables, also if all are right; text has none."""
    (tmp_path / "r.ne").write_text("to <loc> Dol </loc> today\n", "utf-8")
    same = f"{tmp_path}/r.ne {tmp_path}/r.ne --by text"
    [row] = rows_of(run, f"score {same} --table words")
    assert ("3", "0.0") == (row["correct"], row["wer"])
    assert "WER" not in run(f"score {same}")[1]


@pytest.mark.check
def test_groups_have_their_own_rates(tmp_path, run):
    """Of slots and of the figures of a scheme: those of the documents of the group."""
    (tmp_path / "groups").write_text("librivox\ta\n", "utf-8")
    for more in ("--by text", "--scheme mitre"):
        command = f"compare {REF} {GAZETTEER}/asr {more} --resamples 5 --format json"
        alone = json.loads(run(f"{command} --documents librivox")[1])
        grouped = json.loads(run(f"{command} --groups {tmp_path}/groups")[1])
        for table in ("words", "word_elements"):
            rows = [row for row in grouped[table] if row.pop("group") == "a"]
            assert alone[table] == rows != []


@pytest.mark.check
def test_last_line_of_an_audit(run, words_of):
    """The JSON lines end with the same counts, and a report is verified with them."""
    _, out, _ = run(f"audit {THROUGH_TIME} --format jsonl")
    last = json.loads(out.splitlines()[-1])
    found = {**last["words"], "labels": last["word_elements"]}
    assert words_of(f"score {THROUGH_TIME}") == found


def test_in_python():
    """An evaluation counts word errors when it is asked; one document alone may be right."""
    said = [
        Document(id, ("at", "Dol"), tree([("loc", 1, 2)]), times=((0, 100), (100, 400)))
        for id in "ab"
    ]
    wrong = Document("b", ("at", "Dole"), times=((0, 100), (100, 400)))
    evaluation = evaluate(said, [said[0], wrong], tolerance=0)
    assert WordErrors(correct=3, S=1) == evaluation.word_errors.total
    assert (
        0.5
        == evaluation.word_errors.labels["loc"].rate
        == named(json.loads(evaluation.to_json()), "word_elements")["loc"]["wer"]
    )
    assert evaluate(said, said, tolerance=0).word_errors is None
    assert evaluate(said, said).word_errors is None
