"""`campaign`, `stability`, `collate` and the interval of `score`: as their commands."""

import json

import pytest
from paths import DATA, ROOT

import sereval
from sereval import SerevalError
from sereval.analysis.rates import exact_rate

FEW = "panama,titanic"  # two short recordings
REF, ASR, OTHER = (str(DATA / path) for path in ("ref", "hyp/gazetteer/asr", "hyp/compromise/asr"))
TIMES = {"align": str(DATA / "align"), "words": str(DATA / "asr")}
FLAGS = ["--align", TIMES["align"], "--words", TIMES["words"]]
CAMPAIGN, GROUPS = (ROOT / "docs" / "examples" / name for name in ("campaign.toml", "groups.tsv"))


def as_returned(text):
    """A report in JSON as a function returns it."""
    report = json.loads(text)
    del report["provenance"]
    return report


def test_copies_are_told():
    """Systems with the same output are named; equal rates alone are no reason."""
    gold, one, other = [["B-PER", "B-LOC"]], [["B-PER", "O"]], [["O", "B-LOC"]]
    [found] = sereval.compare(gold, {"a": one, "b": other, "c": one, "d": gold}).conditions
    assert (("a", "c"),) == found.identical


@pytest.mark.check
def test_a_campaign_gives_the_report_of_its_command(run):
    """A campaign of a file, with groups, is that of the command."""
    options = ["--documents", FEW, "--groups", GROUPS, "--resamples", "50", "--format", "json"]
    status, out, _ = run("compare --campaign", CAMPAIGN, *options)
    found = sereval.campaign(CAMPAIGN, groups=GROUPS, documents=FEW, resamples=50)
    assert (status, as_returned(out)) == (0, json.loads(found.to_json()))
    assert list(found.to_frame("blame_corners").columns[:3]) == ["group", "system", "condition"]
    assert len(found.to_frame("systems")) == 2 * 4
    assert "<table" in found._repr_html_()


@pytest.mark.check
def test_a_campaign_of_documents_is_that_of_their_paths():
    """A campaign in a mapping, with documents or paths, is that of its file."""
    hyp = DATA / "hyp"
    paths = {
        name: {way: str(hyp / name / way) for way in ("manual", "asr")}
        for name in ("compromise", "gazetteer")
    }
    conditions = {"manual": {}, "asr": {"words": TIMES["words"], "tolerance": 0.3}}
    by_path = {
        "reference": REF,
        "align": TIMES["align"],
        "conditions": conditions,
        "systems": paths,
    }
    read = {
        name: {way: sereval.read(path) for way, path in row.items()} for name, row in paths.items()
    }
    in_memory = {
        "reference": sereval.read(REF),
        "align": sereval.read(TIMES["align"]),
        "conditions": {
            **conditions,
            "asr": {"words": sereval.read(TIMES["words"]), "tolerance": "300ms"},
        },
        "systems": read,
    }
    groups = {"clear": ["panama"]}
    ways = {"groups": groups, "resamples": 20, "documents": FEW}
    expected = sereval.campaign(CAMPAIGN, **ways).to_json()
    for given in (by_path, in_memory):
        assert sereval.campaign(given, **ways).to_json() == expected


@pytest.mark.check
def test_stability_gives_the_report_of_its_command(run):
    """The stability of systems is that of the command."""
    flags = [*FLAGS, "--documents", FEW, "--format", "json"]
    _, out, _ = run("compare --stability --tolerance 0.3", REF, ASR, OTHER, *flags)
    found = sereval.stability(REF, ASR, OTHER, tolerance=0.3, documents=FEW, **TIMES)
    assert as_returned(out) == json.loads(found.to_json())
    columns = ["condition", "tolerance", "pairing", "unplaceable"]
    assert found.to_frame().columns[:4].tolist() == columns
    assert len(found.plot().axes) == 1


@pytest.mark.check
def test_times_beside_measures_that_align_words():
    """Times that one measure needs are not refused for another one, which aligns words."""
    sides = [DATA / "ref", DATA / "hyp" / "gazetteer" / "asr"]
    options = {"align": DATA / "align", "words": DATA / "asr", "resamples": 10, "system": ["a"]}
    both = sereval.compare(*sides, tolerance=0.3, measure="SER,mitre.type", **options)
    alone = sereval.compare(*sides, measure="mitre.type", resamples=10, system=["a"])
    scores = [found.systems[0].evaluation for found in (alone.conditions[0], both.conditions[1])]
    assert exact_rate(scores[0]) == exact_rate(scores[1])
    with pytest.raises(SerevalError, match="--align goes with --cut times"):
        sereval.compare(*sides, measure="muc,mitre.type", **options)


@pytest.mark.check
def test_a_collation_gives_the_rows_of_its_command(run, tmp_path):
    """The collated elements are those that the command writes."""
    path = tmp_path / "errors.csv"
    run("compare --tolerance 0.3 --resamples 1", REF, ASR, OTHER, *FLAGS, "--collate", path)
    found = sereval.collate(REF, ASR, OTHER, tolerance=0.3, **TIMES)
    assert path.read_text("utf-8") == "".join(found.report().csv())
    assert len(found.to_frame()) == len(found.items)
    assert found.to_html().startswith("<!")


@pytest.mark.parametrize("scheme", ["quaero", "muc"])
def test_the_interval_of_a_score_is_that_of_its_command(run, scheme):
    """`confidence` gives the score the interval that the command prints."""
    paths = (REF, str(DATA / "hyp/gazetteer/manual"))
    options = f"--scheme {scheme} --confidence 0.9 --resamples 20 --seed 7 --format json"
    _, out, _ = run(f"score {options}", *paths)
    found = sereval.score(*paths, scheme=scheme, confidence=0.9, resamples=20, seed=7)
    assert found.interval.resamples == 20
    assert as_returned(out) == json.loads(found.to_json())


GOLD, BAD = [["B-PER", "O"]], [["B-LOC", "O"]]
REFUSED = {
    "no confidence": (
        lambda: sereval.score(GOLD, BAD, resamples=3),
        "--resamples goes with --confidence",
    ),
    "measure": (
        lambda: sereval.score(GOLD, BAD, confidence=0.9, measure="F1"),
        "--confidence has no effect with --measure",
    ),
    "no key": (lambda: sereval.campaign({"reference": GOLD}), "no key 'conditions'"),
    "alignment": (
        lambda: sereval.campaign(CAMPAIGN, tolerance=0.3),
        "--tolerance and a campaign, expected one of them",
    ),
    "whole number": (
        lambda: sereval.campaign(
            {"reference": GOLD, "conditions": {"asr": {"tolerance": 300}}, "systems": {"s": {}}}
        ),
        "argument tolerance: found 300, expected seconds",
    ),
    "group": (
        lambda: sereval.campaign(
            {"reference": GOLD, "conditions": {"a": {}}, "systems": {"s": {"a": BAD}}},
            groups={"news": ["x"]},
        ),
        "no document 'x', expected some of 0",
    ),
    "stability by text": (
        lambda: sereval.stability(GOLD, {"s": BAD}, by="text"),
        "stability is about slot error rates through time",
    ),
    "alternatives": (
        lambda: sereval.stability(GOLD, {"s": BAD}, alternatives="norm"),
        "--alternatives goes with --measure WER",
    ),
    "collation of rates": (
        lambda: sereval.collate(GOLD, {"s": BAD}, measure="F1"),
        "collate needs the outcome of each element, expected it without --measure F1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    """A wrong argument is named."""
    call, message = REFUSED[name]
    with pytest.raises(SerevalError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.check
def test_what_has_a_chart():
    """A score, its audit, a blame and a campaign draw themselves."""
    manual = str(DATA / "hyp/gazetteer/manual")
    blame = sereval.blame(REF, manual, ASR, tolerance=0.3, documents=FEW, **TIMES)
    bars = sereval.score(REF, manual).plot().axes[0].patches
    costs = sum(bar.get_width() for bar in bars)
    counts = sereval.score(REF, manual).counts
    assert costs == pytest.approx(float(counts.cost(sereval.Costs())))
    bars = sereval.audit(REF, manual).plot().axes[0].patches
    assert costs == pytest.approx(sum(bar.get_width() for bar in bars))
    bars = sereval.audit(REF, manual, scheme="muc", by="text").plot().axes[0].patches
    assert sum(bar.get_width() for bar in bars) > 0
    shares = sum(bar.get_width() for bar in blame.plot().axes[0].patches)
    assert shares == pytest.approx(float(sum(blame.shares.values())))
    assert len(sereval.campaign(CAMPAIGN, resamples=5, documents=FEW).plot().axes) == 1


def test_results_show_themselves():
    """Results of systems have tables and HTML."""
    results = [
        sereval.stability(GOLD, {"good": GOLD, "bad": BAD}),
        sereval.collate(GOLD, {"bad": BAD}),
        sereval.references({"ann": GOLD, "bob": BAD}, GOLD),
        sereval.gate(sereval.score(GOLD, GOLD), GOLD, BAD),
    ]
    for result in results:
        assert "<table" in result._repr_html_()
        assert len(result.to_frame())
