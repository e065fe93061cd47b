"""The option ``--normalise``: in which form words are compared by text, in every command."""

import json

import pytest
from cli_files import put

TABLE = "won't\twill not\nok\tokay\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Two sides whose words are the same by a table only."""
    monkeypatch.chdir(tmp_path)
    put("ref/d.ne", "<a> Bob </a> won't go , <b> OK </b>\n")
    put("hyp/d.ne", "<a> bob </a> will not go <b> okay </b>\n")
    put("rules/own.tsv", TABLE)
    return tmp_path


def value(run, command):
    """The only value of a measure, and its signature."""
    status, out, err = run(f"{command} --format json")
    assert (0, "") == (status, err)
    [found] = json.loads(out)["measures"]
    return found["value"], found["signature"], found["measure"]


def test_the_rate_has_the_words_of_the_table(here, run):
    """Four of five words are wrong without case, three of four by letters, none by the table."""
    assert (4 / 5, "WER|weights:unit|normalise:caseless") == (
        (found := value(run, "score ref hyp --measure WER(normalise=caseless)"))[0],
        found[1].rpartition("|")[0],
    )
    assert 3 / 4 == value(run, "score ref hyp --measure WER")[0]
    rate, signature, name = value(run, "score ref hyp --measure WER --normalise rules/own.tsv")
    assert (0, "WER(normalise=rules/own.tsv)") == (rate, name)
    assert "|normalise:table-" in signature
    assert (rate, signature, name) == value(
        run, "score ref hyp --measure WER(normalise=rules/own.tsv)"
    )


def test_a_projection_compares_as_the_rate_does(here, run):
    """By the table all words are correct, and the signature says so in every command."""
    for command in ("score", "audit", "compare", "agreement"):
        status, out, _ = run(f"{command} ref hyp --by text --normalise rules/own.tsv")
        assert status == 0
        assert "normalise:table-" in out
    status, out, _ = run("project ref hyp --by text --normalise rules/own.tsv --format json")
    assert (0, True) == (status, "normalise:table-" in out)


def test_a_report_names_the_table_among_its_inputs(here, run):
    """Provenance has its name and its hash; a named normalisation is an option."""
    report = json.loads(run("score ref hyp --by text --normalise rules/own.tsv --format json")[1])[
        "provenance"
    ]
    assert ["own.tsv"] == [one["name"] for one in report["inputs"]["normalise"]]
    report = json.loads(run("score ref hyp --by text --normalise exact --format json")[1])
    assert "normalise" not in report["provenance"]["inputs"]
    assert "--normalise exact" in " ".join(report["provenance"]["options"])


def test_tables_of_files_are_beside_them(here, run):
    """Paths in a settings file and in a campaign are relative to its folder; names are no paths."""
    for name, shown in (("own.tsv", "normalise:table-"), ("exact", "normalise:exact")):
        put("rules/set.toml", f'by = "text"\nnormalise = "{name}"\n')
        status, out, _ = run("--config rules/set.toml score ref hyp")
        assert (0, True) == (status, shown in out)
        put(
            "rules/campaign.toml",
            'reference = "../ref"\n[conditions.asr]\nby = "text"\n'
            f'normalise = "{name}"\n[systems.one]\nasr = "../hyp"\n',
        )
        status, out, err = run("compare --campaign rules/campaign.toml --resamples 10")
        assert (0, "", True) == (status, err, shown in out)


def test_a_bad_table_is_one_line(here, run):
    """With its place, and status 1."""
    put("rules/own.tsv", "one\n")
    message = "sereval: rules/own.tsv:1: found 0 tabs, expected words, a tab, words\n"
    for command in (
        "--by text --normalise rules/own.tsv",
        "--measure WER --normalise rules/own.tsv",
    ):
        assert (1, "", message) == run(f"score ref hyp {command}")
