"""Any scheme's score compared and audited: errors over a size, by document, utterance and label."""

import csv
import io
import json
import random
from collections import Counter
from fractions import Fraction

import pytest
from cli_files import put
from pages import Payload
from pairing import paired
from reports import named
from strategies import seeded_forest

from sereval import Document, evaluate, tree
from sereval.analysis.audit import HYPOTHESIS, audit
from sereval.analysis.compare import by_label, compare, difference
from sereval.analysis.rates import exact_rate
from sereval.analysis.resampling import Resampling
from sereval.analysis.units import tally
from sereval.evaluation.evaluate import ByWords, Settings
from sereval.schemes.table import SCHEMES, schemes_that_count

EVERY = [
    (scheme, figure)
    for scheme in schemes_that_count("elements")
    for figure in SCHEMES[scheme].figures
]
WORDS = tuple(f"w{k}" for k in range(12))


def heard(rng):
    """The words with some lost, some wrong and some put in."""
    found = []
    for word in WORDS:
        draw = rng.random()
        found += [] if draw < 0.1 else ["x"] if draw < 0.2 else [word]
        found += ["y"] if draw > 0.9 else []
    return tuple(found or ["x"])


def corpus(seed, documents=4):
    """References in utterances, and what a system made of what a recogniser heard of them."""
    rng = random.Random(seed)
    references, hypotheses = [], []
    for k in range(documents):
        forest = seeded_forest(rng, len(WORDS), 6)
        references.append(Document(f"d{k}", WORDS, forest, breaks=(4, 8)))
        words = heard(rng)
        hypotheses.append(Document(f"d{k}", words, seeded_forest(rng, len(words), 6)))
    return references, hypotheses


def scored(scheme, figure, references, hypotheses, **settings):
    how = Settings(**{"through": ByWords(), "unplaceable": "miss", "figure": figure, **settings})
    pairs = paired(references, hypotheses, how)
    return SCHEMES[scheme].scorer(how).of(pairs)


@pytest.mark.check
@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_units_add_up(scheme, figure):
    """What documents and utterances have above and below the line makes the scheme's own F."""
    for seed in range(20):
        score = scored(scheme, figure, *corpus(seed))
        total = score.total[figure]
        expected = 2 * total.cor + total.par, total.possible + total.actual

        for unit in ("document", "utterance"):
            above, below = zip(*tally(score, unit).values(), strict=True)
            assert expected == (sum(above), sum(below))
        assert float(exact_rate(score)) == pytest.approx(total.f(), abs=1e-15)


def test_utterances_of_aligned_words():
    """What is spurious belongs to the utterance of the last paired word up to its first one."""
    reference = Document("d", ("a", "b", "c", "d"), tree([("P", 1, 2)]), breaks=(2,))
    spans = [("P", 1, 2), ("P", 2, 3), ("P", 5, 6)]
    hypothesis = Document("d", ("a", "b", "x", "c", "d", "y"), tree(spans))

    score = scored("mitre", "all", [reference], [hypothesis])
    assert {("d", 0): (6, 9), ("d", 1): (0, 3)} == tally(score, "utterance")
    score = evaluate([reference], [hypothesis], through=ByWords())
    assert {("d", 0): (2, 1), ("d", 1): (2, 0)} == tally(score, "utterance")


@pytest.mark.check
@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_rows_of_the_audit_are_what_is_counted(scheme, figure):
    """Each figure counts what the rows say: reference elements, and what is spurious."""
    for seed in range(20):
        score = scored(scheme, figure, *corpus(seed))
        rows = [row for document in audit(score) for row in document.rows]
        for name in set(score.total) - {"all"}:
            counted = Counter(
                row.figures[name]
                for row in rows
                if row.slot is not None and (row.side != HYPOTHESIS or row.figures[name] == "SPU")
            )
            total = score.total[name]
            expected = {c.upper(): getattr(total, c) for c in ("cor", "inc", "par", "mis", "spu")}
            assert {c: n for c, n in expected.items() if n} == counted
        assert score.errors.total == sum(row.cost for row in rows)
        assert score.errors.size == sum(row.size for row in rows)


@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_labels_add_up(scheme, figure):
    """Differences by label add up to the difference of all errors."""
    references, one = corpus(1)
    other = [Document(d.id, d.words, d.elements[:2]) for d in one]
    a, b = (scored(scheme, figure, references, of) for of in (one, other))
    found = by_label(a, b)

    assert sum(label.total for label in found) == a.errors.total - b.errors.total
    assert sum(label.D for label in found) == a.errors.D - b.errors.D


def worked(*spans):
    return [
        Document(id, ("a", "b", "c"), tree(these)) for id, these in zip("de", spans, strict=True)
    ]


REFERENCE = worked([("P", 0, 1), ("L", 1, 2)], [("P", 0, 2)])
GOOD = worked([("P", 0, 1), ("L", 1, 2)], [("P", 0, 1)])
BAD = worked([("P", 0, 1)], [("P", 0, 2), ("O", 2, 3)])
WORKED = [  # figure; above and below of d and e, for the good and the bad system; p
    ("strict", [(4, 4), (0, 2)], [(2, 3), (2, 3)]),
    ("exact", [(4, 4), (0, 2)], [(2, 3), (2, 3)]),
    ("partial", [(4, 4), (1, 2)], [(2, 3), (2, 3)]),
    ("type", [(4, 4), (2, 2)], [(2, 3), (2, 3)]),
]


@pytest.mark.parametrize(("figure", "good", "bad"), WORKED)
def test_worked_case(figure, good, bad):
    """Figures by hand: F is 2 credit over POS + ACT, and the better system has the greater."""
    a, b = (
        scored("semeval2013", figure, REFERENCE, system, through=None) for system in (GOOD, BAD)
    )
    assert (good, bad) == tuple(list(tally(score).values()) for score in (a, b))
    [condition] = compare({"m": {"bad": b, "good": a}}, Resampling(unit="document")).conditions
    [pair] = condition.differences
    above, below = map(sum, zip(*good, strict=True))

    assert pair.rate == Fraction(4, 6) - Fraction(above, below) == difference(b, a)
    assert pair.test.exact
    assert a.rate.is_better == "higher"


def test_one_measure():
    """Scores of two schemes, or of two figures, are not put side by side."""
    a, b = (scored("semeval2013", f, REFERENCE, GOOD, through=None) for f in ("strict", "type"))
    for one, other in ((a, b), (a, evaluate(REFERENCE, GOOD))):
        with pytest.raises(Exception, match="different schemes"):
            compare({"m": {"a": one, "b": other}})


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def files(here):
    """A reference, and two systems on a recogniser's words."""
    put("ref/d.ne", "a <P> b c </P> d\n<L> e </L> f <P> g </P>\n")
    put("good/d.ne", "a <P> b x </P> d <L> e </L> f g\n")
    put("bad/d.ne", "a <P> b </P> x d <P> e </P> f g\n")
    return here


def compared(run, options):
    status, out, err = run(f"compare ref good bad --resamples 50 --format json {options}")
    assert (status, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_the_same_counts_as_score(scheme, figure, files, run):
    """Each system has the counts that ``sereval score`` gives it."""
    how = "--by text" if scheme == "semeval2013" else ""
    report = compared(run, f"--scheme {scheme} --figure {figure} {how}")
    [condition] = report["conditions"]
    words = "same words" if scheme in ("slue", "nerval") else "by text"
    assert (condition["condition"], condition["unit"]) == (words, "utterance")
    for row in report["systems"]:
        _, out, _ = run(f"score ref {row['system']} --scheme {scheme} {how} --format json")
        alone = named(json.loads(out), "figures")[figure]
        del alone["figure"]
        assert row["value"] == alone.pop("f1")
        assert {name: row[name] for name in alone} == alone
        assert row["errors"] == alone["POS"] + alone["ACT"] - 2 * alone["COR"] - alone["PAR"]


def test_defaults_are_said(files, run):
    """Which figure was compared is in the signature, and which is better in the report."""
    report = compared(run, "--scheme semeval2013 --by text")
    [condition] = report["conditions"]
    assert (condition["measure"], condition["better"]) == ("F of strict", "higher")
    assert "|figure:strict|" in condition["signature"]
    report = compared(run, "--by text")
    [condition] = report["conditions"]
    assert (condition["measure"], condition["better"]) == ("Slot error rate", "lower")


def test_formats(files, run):
    """Text and CSV show the figures of the JSON."""
    rates = {row["system"]: row["value"] for row in compared(run, "--scheme mitre")["systems"]}
    _, out, _ = run("compare ref good bad --resamples 50 --scheme mitre --format csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rates == {row["system"]: float(row["value"]) for row in rows}
    _, out, _ = run("compare ref good bad --resamples 50 --scheme mitre")
    assert out.startswith("F of all in percent, higher is better, with 95 % intervals")
    for name, rate in rates.items():
        assert any(
            line.startswith(name) and f"{100 * rate:.1f} [" in line for line in out.splitlines()
        )


@pytest.mark.check
def test_conditions_of_a_campaign(files, run):
    """Conditions align words as they say; what they say of it is checked."""
    put(
        "c.toml",
        'reference = "ref"\n[conditions.text]\nby = "text"\ntolerance = "1w"\n'
        '[conditions.phones]\nby = "phones"\n[systems.good]\ntext = "good"\nphones = "good"\n',
    )
    status, out, _ = run("compare --campaign c.toml --resamples 9 --format json")
    assert status == 0
    signatures = [condition["signature"] for condition in json.loads(out)["conditions"]]
    assert ["|by:text|" in signatures[0], "|by:phones|" in signatures[1]] == [True, True]
    assert "|tolerance:1w|" in signatures[0]
    put("c.toml", (files / "c.toml").read_text("utf-8").replace('"1w"', "0.3"))
    status, out, err = run("compare --campaign c.toml --resamples 9")
    assert (status, out) == (1, "")
    assert "conditions.text: --by text takes a tolerance in words" in err


@pytest.mark.parametrize("given", ["--by text", "--scheme mitre", "--scheme semeval2013 --by text"])
def test_collated(given, files, run):
    """Collated errors have a row for each element, whatever the scheme, on aligned words too."""
    status, _, err = run(f"compare ref good bad {given} --resamples 9 --collate c.csv")
    assert (status, err.count("sereval: wrote c.csv (")) == (0, 1)
    rows = list(csv.DictReader(io.StringIO((files / "c.csv").read_text("utf-8"))))
    found = {(r["labels"], r["words"]): (r["good"].split()[0], r["bad"].split()[0]) for r in rows}
    assert found["P", "g"] == ("D", "D")
    assert found["L", "e"] == ("C", "S_T")


# --- the audit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_tables_of_the_audit(scheme, figure, files, run):
    """JSON lines and CSV say what each element counts as, and all of it adds up to the score."""
    how = f"ref good --scheme {scheme}{' --by text' if scheme == 'semeval2013' else ''}"
    _, out, _ = run(f"score {how} --format json")
    total = named(json.loads(out), "figures")
    _, out, _ = run(f"audit {how} --figure {figure} --format jsonl")
    rows = [row for row in map(json.loads, out.splitlines()) if "side" in row]
    for row in rows:
        row["figures"] = dict(part.split("=") for part in row["figures"])
    for name in set(total) - {"all"}:
        found = Counter(
            row["figures"][name]
            for row in rows
            if row["side"] == "reference" or row["figures"][name] == "SPU"
        )
        assert found == {c: total[name][c] for c in found}
        assert found.total() == sum(total[name][c] for c in ("COR", "INC", "PAR", "MIS", "SPU"))
    errors = total[figure]["POS"] + total[figure]["ACT"] - 2 * total[figure]["COR"]
    assert sum(row["cost"] for row in rows) == errors - total[figure]["PAR"]
    _, out, _ = run(f"audit {how} --figure {figure} --format csv")
    for row, told in zip(csv.DictReader(io.StringIO(out)), rows, strict=True):
        assert dict(part.split("=") for part in row["figures"].split()) == told["figures"]


@pytest.mark.check
@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_page(scheme, figure, files, run):
    """The page has the score, what it is, and what each error counts as."""
    how = f"ref good --scheme {scheme}{' --by text' if scheme == 'semeval2013' else ''}"
    _, out, _ = run(f"score {how} --format json")
    total = named(json.loads(out), "figures")[figure]
    status, page, _ = run(f"audit {how} --figure {figure} --format html")
    assert status == 0
    data = Payload(page).data
    [cells] = data["figures"][0][0]["totals"]
    found = dict(zip(data["columns"], cells, strict=True))
    assert (f"{100 * total['f1']:.1f}", str(total["POS"])) == (found["F"], found["POS"])
    assert data["rate"] == f"F of {figure}"
    names = {"semeval2013": "strict COR, exact COR", "slue": "entity COR", "nerval": "entity COR"}
    name = names.get(scheme, "type COR")
    assert name in page


def test_textgrid(run, here):
    """Praat is told what is not correct; times are shown, though mitre does not look at them."""
    row = '"times":[[0,0.2],[0.2,0.6]],"elements":[{"label":"loc","start":%d,"end":2}]}\n'
    for side, start in (("ref", 1), ("hyp", 0)):
        put(f"{side}.jsonl", '{"id":"d","words":["à","Dol"],' + row % start)
    status, _, err = run("audit ref.jsonl hyp.jsonl --scheme mitre --format textgrid -o out")
    assert (status, err) == (0, "sereval: wrote 1 file in out (1.4 kB)\n")
    assert '"S_S (extent INC)"' in (here / "out" / "d.TextGrid").read_text("utf-8")
