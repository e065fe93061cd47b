"""`sereval compare --campaign`: what the recognisers cost, and groups of documents."""

import json

import pytest
from cli_files import put
from paths import CORPORA, DATA, ROOT
from reports import named

CAMPAIGN = ROOT / "docs" / "examples" / "campaign.toml"
GROUPS = ROOT / "docs" / "examples" / "groups.tsv"
FEW = ["--resamples", "30"]

SAID = "mister <pers> Ada </pers> went to <loc> Dol </loc>\n"
ON_SAID = "mister <pers> Ada </pers> went to Dol\n"
HEARD = "mister <pers> Eda </pers> went to <loc> Dol </loc>\n"
FILE = """
reference = "ref"
[conditions.manual]
[conditions.first]
by = "text"
[conditions.second]
by = "text"
[systems.crf]
manual = "hyp"
first = "heard"
second = "ref"
[systems.gaz]
manual = "ref"
second = "hyp"
[systems.new]
first = "heard"
"""


@pytest.fixture
def here(here):
    """Three documents, on which three systems were run; some lack some of the words."""
    for name in ("a", "b", "c"):
        put(f"ref/{name}.ne", SAID)
        put(f"hyp/{name}.ne", ON_SAID)
        put(f"heard/{name}.ne", HEARD if name == "a" else SAID)
    put("c.toml", FILE)
    put("g.tsv", "a\tnews\nb\ttalk\nb\tnews\n")
    return here


def as_json(run, *words):
    """The report of a command in JSON, without its provenance."""
    status, out, err = run(*words, "--format", "json")
    assert (0, "") == (status, err)
    report = json.loads(out)
    del report["provenance"]
    return report


def of(report, table, **names):
    """The rows of a table with these names, without them."""
    return [
        {name: cell for name, cell in row.items() if name not in names}
        for row in report[table]
        if all(row.get(name) == value for name, value in names.items())
    ]


def test_each_recogniser_has_its_cost(here, run):
    """Of each system that was run on manual words too: the figures of blame, and of words."""
    report = as_json(run, "compare --campaign c.toml", *FEW)
    found = report["blame_corners"]
    assert [("crf", "first"), ("crf", "second"), ("gaz", "second")] == [
        (one["system"], one["condition"]) for one in found
    ]
    first, second, gaz = found
    assert first["manual"] == 3
    assert [0, 3] == [second["recognised"], gaz["recognised"]]
    alone = as_json(run, "blame ref hyp heard --by text", *FEW)
    names = {"system": "crf", "condition": "first"}
    assert of(report, "blame_corners", **names) == [alone["corners"]]
    [words] = of(report, "blame_words", **names)
    assert words == alone["words"]
    assert {"S": 1, "D": 0, "I": 0, "reference": 15}.items() <= words.items()


def test_the_table_is_that_of_blame(here, run):
    """Both commands print the same tables; compare prints those of its own before and after."""
    text = FILE.split("[systems.new]")[0].replace('second = "hyp"', 'first = "ref"\nsecond = "hyp"')
    put("c.toml", text)
    _, of_blame, _ = run("blame --campaign c.toml", *FEW)
    _, of_compare, _ = run("compare --campaign c.toml", *FEW)
    table, _, _ = of_blame.partition("\nReference ref")
    assert "crf     first" in table
    assert "█" in table
    assert table.rpartition("\n\n")[0] in of_compare


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[conditions.second]\n", '[conditions.second]\ntolerance = "1w"\n'),
        ('[conditions.first]\nby = "text"', "[conditions.first]"),
        ("[conditions.manual]", '[conditions.manual]\nby = "text"'),
    ],
    ids=["one on manual words", "two on manual words", "none"],
)
def test_without_exactly_one_version_of_manual_words(here, run, old, new):
    """There is nothing to divide, and the comparison is what it is."""
    put("heard/a.ne", SAID)
    put("c.toml", FILE.replace(old, new))
    report = as_json(run, "compare --campaign c.toml", *FEW)
    assert bool(report["blame_corners"]) == old.startswith("[conditions.second")


def test_other_schemes_have_no_blame(here, run):
    """Blame is about slot errors."""
    put("c.toml", FILE.replace("[conditions.manual]", '[conditions.manual]\nby = "text"'))
    report = as_json(run, "compare --campaign c.toml --scheme muc --groups g.tsv", *FEW)
    assert report["blame_corners"] == []
    assert ["news", "talk"] == [group["group"] for group in report["groups"]]


def test_a_group_is_a_run_with_its_documents(here, run):
    """All figures of a group are those of `--documents` with its ids, signatures too."""
    for options in ("", "--scheme quaero-lne"):
        command = f"compare --campaign c.toml {options}"
        report = as_json(run, command, "--groups", "g.tsv", *FEW)
        tables = [name for name, rows in report.items() if isinstance(rows, list) and rows]
        tables = [name for name in tables if name not in ("groups", "identical", "notes")]
        whole = as_json(run, command, *FEW)
        assert all(of(report, name, group=None) == whole[name] for name in tables)
        for group in report["groups"]:
            ids = ",".join(group["documents"])
            own = as_json(run, command, "--documents", ids, *FEW)
            assert all(of(report, name, group=group["group"]) == own[name] for name in tables)


def test_groups_of_systems_without_a_campaign(here, run):
    """Groups need no campaign; documents in no group are counted."""
    status, out, err = run("compare ref hyp heard --groups g.tsv --by text", *FEW)
    assert (0, "") == (status, err)
    assert out.startswith("All documents: 3 documents\n")
    assert "\nGroup news: 2 documents\n" in out
    assert "\n1 document in no group.\n" in out
    assert "\nnews, by text: SER|by:text|" in out


def test_groups_in_toml(here, run):
    """A document with its group, or with several."""
    put("g.toml", 'a = "news"\nb = ["talk", "news"]\n')
    one, two = (
        as_json(run, "compare ref hyp --groups", name, *FEW) for name in ("g.tsv", "g.toml")
    )
    assert named(one, "groups") == named(two, "groups")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.tsv", "a news\n", "g.tsv:1: found 'a news', expected a document, a tab and its group"),
        (
            "g.tsv",
            "a\tnews\na\tnews\n",
            "g.tsv: document a is twice in group news, expected it once",
        ),
        ("g.tsv", "\n", "g.tsv: no document, expected the group of each"),
        ("g.tsv", "a\tnews\nd\ttalk\n", "g.tsv: no document 'd', expected some of a, b, c"),
        ("g.toml", "a = 1\n", "g.toml: a is 1, expected a group or a list of groups"),
        ("g.toml", "a\n", "g.toml:1: not TOML: "),
        ("none.tsv", None, "none.tsv: No such file or directory"),
    ],
)
def test_bad_groups(here, run, name, text, said):
    """One line with the file and what was expected; nothing is printed."""
    if text is not None:
        put(name, text)
    status, out, err = run("compare ref hyp --groups", name, *FEW)
    assert (1, "", 1) == (status, out, err.count("\n"))
    assert err.startswith(f"sereval: {said}")


def test_stability_has_no_groups(here, run):
    """An option without effect is refused."""
    status, out, err = run("compare ref hyp --stability --groups g.tsv")
    assert (2, "") == (status, out)
    assert "--groups has no effect with --stability" in err


def test_groups_of_selected_documents(here, run):
    """Documents that were not selected are in no group; a group without documents is left out."""
    report = as_json(run, "compare ref hyp --groups g.tsv --documents a,c", *FEW)
    assert [("news", ["a"])] == [(one["group"], one["documents"]) for one in report["groups"]]


EARNINGS = CORPORA / "earnings21"
SYSTEMS = ("crf", "gazetteer", "compromise")
RECOGNISERS = ("google", "amazon", "rev-kaldi", "librispeech")
COSTS = {  # the corners of ../shared/spec/blame.md
    ("crf", "google"): (3147.5, 114, 4200),
    ("crf", "librispeech"): (3147.5, 40, 6038),
    ("gazetteer", "google"): (4424, 114, 5105),
    ("gazetteer", "librispeech"): (4424, 40, 6805),
}


def stated():
    """The slot error rates of the corpus's README, in percent, by system and words."""
    lines = (EARNINGS / "README.md").read_text("utf-8").splitlines()
    rows = (line.strip("|").split("|") for line in lines)
    cells = ([cell.strip() for cell in row] for row in rows)
    return {(row[0], row[1]): row[2] for row in cells if row[0] in SYSTEMS and len(row) > 9}


@pytest.mark.long
@pytest.mark.skipif(not EARNINGS.is_dir(), reason="../shared/corpora/earnings21 is not here")
def test_a_whole_campaign(here, run):
    """The rates are those of the corpus's README, the costs those of the definition of blame."""
    lines = [f'reference = "{EARNINGS}/ref"', f'align = "{EARNINGS}/align"', "[conditions.manual]"]
    for name in RECOGNISERS:
        lines += [f"[conditions.{name}]", f'words = "{EARNINGS}/asr/{name}"', "tolerance = 0.3"]
    for system in SYSTEMS:
        lines += [f"[systems.{system}]"]
        lines += [f'{n} = "{EARNINGS}/hyp/{system}/{n}"' for n in ("manual", *RECOGNISERS)]
    put("c.toml", "\n".join(lines))
    report = as_json(run, "compare --campaign c.toml --jobs 2", *FEW)
    found = {
        (row["system"], row["condition"]): f"{100 * row['value']:.1f}" for row in report["systems"]
    }
    assert stated() == found
    corners = {(one["system"], one["condition"]): one for one in report["blame_corners"]}
    assert len(SYSTEMS) * len(RECOGNISERS) == len(corners)
    for key, costs in COSTS.items():
        assert costs == tuple(corners[key][name] for name in ("manual", "perfect", "recognised"))


@pytest.mark.check
def test_the_bundled_campaign(run):
    """Nine recordings in two groups: the columns of the report in text."""
    status, out, _ = run("compare --campaign", CAMPAIGN, "--groups", GROUPS, *FEW)
    assert status == 0
    assert {path.stem for path in (DATA / "ref").iterdir()} == {
        line.split("\t")[0] for line in GROUPS.read_text("utf-8").splitlines()
    }
    assert "compromise  asr     55.9           44.0      11.9      0.0   23.2      20.1\n" in out
    assert out.count("What the recognisers cost") == 3
    assert " in no group" not in out
