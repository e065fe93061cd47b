"""Neutral labels: elements that cost nothing on either side, paired or not, and still count."""

import csv
import io
import json
from random import Random

import pytest
from cli_files import put
from stabilities import stability

from sereval import Document, evaluate, tree
from sereval.analysis.sweep import sweep
from sereval.evaluation.evaluate import Settings

WORDS = tuple("abcdef")
NOISY = frozenset({"noisy"})


@pytest.fixture(autouse=True)
def _folder(here):
    put("ref/d.ne", "<noisy> a b </noisy> <loc> c </loc> d")
    put("hyp/d.ne", "a b <loc> c </loc> <bad> d </bad>")


def test_score(run):
    """`score --neutral`, once and twice; the reports say how many errors it was."""
    for options, cost, note in [
        ("", 2, None),
        ("--neutral noisy", 1, "1 error with a neutral label, at no cost."),
        ("--neutral noisy --neutral bad", 0, "2 errors with a neutral label, at no cost."),
    ]:
        status, out, err = run(f"score ref hyp {options} --format json")
        report = json.loads(out)
        assert (status, err, report["counts"]["cost"]) == (0, "", cost)
        assert sum(n or 0 for name, n in report["counts"].items() if "neutral" in name) == 2 - cost
        _, text, _ = run(f"score ref hyp {options}")
        assert (note in text.splitlines()) if note else "neutral" not in text


def test_audit(run):
    """`audit --neutral`: the rows of neutral slots cost 0, in all formats."""
    _, out, _ = run("audit ref hyp --neutral noisy --format csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, text, _ = run("audit ref hyp --neutral noisy")
    _, page, _ = run("audit ref hyp --neutral noisy --format html")

    assert [row["cost"] for row in rows] == ["0", "0", "0", "1"]
    assert "(cost 1 for 2 reference elements: 1 C, 0 S_S, 0 S_T, 0 S_ST, 1 D, 1 I)" in text
    assert "1 error with a neutral label, at no cost." in page


TIMES = tuple((200 * k, 200 * k + 200) for k in range(6))


def timed(rng):
    spans = [(rng.choice(("noisy", "loc", "org")), k, k + rng.choice((1, 2))) for k in (0, 2, 4)]
    return Document("d", WORDS, tree(rng.sample(spans, rng.randrange(4))), times=TIMES)


@pytest.mark.check
@pytest.mark.parametrize("scheme", ["quaero", "quaero-lne"])
def test_sweep_and_stability(scheme):
    """What they count with neutral labels is what one evaluation counts, classes at no cost too."""
    rng = Random(4)
    for _ in range(30):
        sides = [timed(rng)], [timed(rng)]
        how = {"scheme": scheme, "neutral": NOISY}
        found = sweep(sides[0], {"a": sides[1]}, (0, 200), **how)
        expected = [evaluate(*sides, tolerance=ms / 1000, **how).counts for ms in (0, 200)]
        assert expected == list(found.systems["a"])
        of = stability("m", {"a": sides}, Settings((200, 200), **how))
        assert of.at(of.base).counts["a"] == expected[1]
        assert of.credit("a").alone == sum(
            element.label != "noisy" for side in sides for element in side[0].elements
        )


def test_comparison(tmp_path, run):
    """Compared systems are charged nothing for neutral labels, in differences by label either."""
    for name, text in {"r": "<x> a </x> <y> b </y>", "s": "a b", "t": "<x> a </x> b"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.ne").write_text(f"{text}\n")
    command = f"compare {tmp_path}/r {tmp_path}/s {tmp_path}/t --neutral x --resamples 9"
    _, out, _ = run(f"{command} --format json")
    report = json.loads(out)
    assert [row["errors"] for row in report["systems"]] == [1, 1]
    assert [label["errors"] for label in report["labels"]] == [0, 0]
    _, out, _ = run(command)
    assert "s: 1 error with a neutral label, at no cost." in out.splitlines()


def test_a_neutral_label_that_nothing_has_is_said(tmp_path, run):
    """A slip of the pen would change a score in silence, so a label of nothing is refused."""
    (tmp_path / "d.ne").write_text("<amount> ten </amount> times\n", "utf-8")
    side = tmp_path / "d.ne"
    said = (
        "neutral has the label amuont, expected one of a document or of the grammar, the nearest "
        "known is amount"
    )

    for command in ("score", "audit", "compare"):
        asked = f"{command} {side} {side} --neutral"
        assert run(f"{asked} amuont") == (1, "", f"sereval: {said}\n")
        assert run(f"{asked} amount")[0] == 0
    timed = tmp_path / "d.jsonl"
    timed.write_text(
        '{"id": "d", "words": ["ten"], "times": [[0, 9]], "elements": '
        '[{"label": "amount", "start": 0, "end": 1}]}\n',
        "utf-8",
    )
    assert said in run(f"sweep {timed} {timed} --tolerance 0:1:1 --neutral amuont")[2]
