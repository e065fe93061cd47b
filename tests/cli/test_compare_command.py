"""`sereval compare`: campaigns, usage, and rates that are those of `score`."""

import json

import pytest
from cli_files import CTM, put

from sereval import Costs

CAMPAIGN = """\
reference = "ref.jsonl"

[conditions.manual]
[conditions.heard]
words = "words.ctm"
tolerance = 0.1

[systems.crf]
manual = "crf.jsonl"
[systems.gaz]
manual = "gaz.jsonl"
heard = "heard.jsonl"
"""


DOL = '"elements": [{"label": "loc", "start": 1, "end": %d}]}\n'
SYSTEMS = {
    "ref": '{"id": "show", "words": ["à", "Dol"], "times": [[0, 0.2], [0.2, 0.6]], ' + DOL % 2,
    "crf": '{"id": "show", "words": ["à", "Dol"]}\n',
    "gaz": '{"id": "show", "words": ["à", "Dol"], ' + DOL % 2,
    "heard": '{"id": "show", "words": ["à", "d\'", "or"], ' + DOL % 3,
}


@pytest.fixture
def campaign(here):
    """Two systems, one of them on a recogniser's words too."""
    for name, text in SYSTEMS.items():
        put(f"campaign/{name}.jsonl", text)
    put("campaign/words.ctm", CTM)
    put("campaign/c.toml", CAMPAIGN)
    return here / "campaign/c.toml"


def test_campaign(campaign, run):
    """Conditions are columns in the order of the file; a missing cell is n/a."""
    status, out, err = run(f"compare --campaign {campaign} --resamples 20")
    assert (0, "") == (status, err)
    rows = [line.split() for line in out.splitlines()[2:5]]
    heads = ["manual", "heard", "heard:", "loss", "heard:", "WER"]
    gaz = ["gaz", "0.0", "0.0", "0.0", "100.0"]
    assert [heads, ["crf", "100.0", "n/a", "n/a"], gaz] == rows


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("reference =", "refrence =", "unknown key 'refrence' in the file"),
        ('reference = "ref.jsonl"', "", "no key 'reference'"),
        ("words =", "wrods =", "unknown key 'wrods' in conditions.heard, expected one of aligned_"),
        ("heard = ", "herd = ", "unknown key 'herd' in systems.gaz, expected one of heard, man"),
        ("tolerance = 0.1", "", "conditions.heard has words and no tolerance"),
        ("tolerance = 0.1", "tolerance = -1", "conditions.heard.tolerance: "),
        ("tolerance = 0.1", "tolerance = true", "conditions.heard.tolerance is True"),
        ('manual = "crf.jsonl"', "manual = 1", "systems.crf.manual is 1, expected a path"),
        ('heard = "heard.jsonl"', "", "conditions.heard has no system"),
        ("[conditions.manual]", "[conditions.manual", "not TOML"),
    ],
)
def test_campaign_errors(campaign, run, old, new, message):
    """What is wrong with a campaign is said with its place, and nothing is printed."""
    text = campaign.read_text("utf-8")
    assert old in text
    campaign.write_text(text.replace(old, new, 1), "utf-8")
    status, out, err = run(f"compare --campaign {campaign}")
    assert (1, "") == (status, out)
    assert err.startswith(f"sereval: {campaign}:")
    assert message in err


def test_costs_of_any_size_print(run, campaign):
    """Costs with many decimals are exact from the option to the report."""
    base = campaign.parent
    command = f"compare {base}/ref.jsonl {base}/crf.jsonl {base}/gaz.jsonl --resamples 9"
    status, out, _ = run(f"{command} --costs D=0.333333333333333333 --format json")
    rates = [s["value"] for s in json.loads(out)["systems"]]
    assert (0, [pytest.approx(1 / 3), 0.0]) == (status, rates)
    assert Costs.of({"D": "0.333333333333333333"}).scale == 10**18
