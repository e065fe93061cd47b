"""The command ``audit``: all its formats show the numbers of the report, and lose nothing."""

import csv
import io
import json
import re
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import textgrid
from hypothesis import assume, given
from hypothesis import strategies as st
from paths import CASES, ROOT, SPEECH
from rich.cells import cell_len
from strategies import scorings, timed_scorings

from sereval import Document, Reference, ReferenceElement, evaluate, tree
from sereval.analysis.audit import audit
from sereval.cli import main
from sereval.documents.model import Unplaceable
from sereval.documents.notes import Note
from sereval.formats.writers import file_name
from sereval.report import RENDERERS, audit_tables
from sereval.report.audits import AUDIT_FILES, AUDITS
from sereval.report.numbers import percent
from sereval.report.word_columns import by_time

CLASSES = ("C", "S_S", "S_T", "S_ST", "D", "I")
CASE_TIMES = ["--align", "align", "--words", "words.ctm", "--tolerance"]
FIGURE_4 = ["audit", "reference", "hypothesis_nothing", *CASE_TIMES, "0.3"]
COLLISION = ["audit", "reference", "hypothesis", *CASE_TIMES, "0.1"]
THROUGH_TIME = ["--align", "data/align", "--words", "data/asr", "--tolerance", "0.3"]


@pytest.fixture
def run(capsysbinary):
    """Runs a command line and gives its status, standard output and standard error."""

    def run(*arguments):
        status = main(list(arguments))
        out, err = capsysbinary.readouterr()
        return status, out.decode("utf-8"), err.decode("utf-8")

    return run


def everything(*_):
    return True


def made(evaluation, format, *given, **more):
    return AUDITS[format](list(audit(evaluation)), evaluation, *given, **more)


def read_jsonl(text):
    """The rows; the line behind them is no element."""
    *rows, told, nothing = text.split("\n")
    assert (nothing, "signature" in json.loads(told)) == ("", True)
    return [json.loads(line) for line in rows]


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- the same numbers everywhere ------------------------------------------------------------------

HEAD = re.compile(
    r"(?P<name>.*): SER (?P<ser>\S+) % \(cost (?P<cost>\S+) for (?P<ref>\d+) reference elements: "
    r"(?P<classes>[^;)]*)(?:; (?P<lost>\d+) unplaceable)?\)"
)
CASE = re.compile(r"  (C|S_S|S_T|S_ST|D|I|unplaceable) +([0-9.]+)  +(?=\S)")


def heads(text):
    """The scores in a text, by name: what is said of each document and of all."""
    unfolded = re.sub(r"\n  (?=\S+[,;) ])(?=[^\n]*\)\n)", " ", text)
    found = {}
    for match in HEAD.finditer(unfolded):
        counts = dict(part.split()[::-1] for part in match["classes"].split(", "))
        counts |= {"Ref": match["ref"], "cost": match["cost"], "unplaceable": match["lost"] or 0}
        found[match["name"]] = match["ser"], {name: Fraction(n) for name, n in counts.items()}
    return found


def expected_heads(report):
    rows = {"all documents": report}
    if len(report["documents"]) > 1:
        rows |= {row["id"]: row for row in report["documents"] if row["counts"]["Ref"]}
    return {
        name: (
            percent(row["ser"]),
            {k: Fraction(str(n)) for k, n in row["counts"].items() if k != "Hyp"},
        )
        for name, row in rows.items()
    }


def cases(text):
    """Class and cost of each slot that a text lists."""
    return [match.groups() for match in map(CASE.match, text.splitlines()) if match]


def tallied(cases):
    """Classes and costs of slots, added up; what does not count has no class."""
    slots, cost = Counter(), Fraction(0)
    for letter, price in cases:
        slots[letter or "unplaceable"] += 1
        cost += Fraction(str(price))
    return {c: slots[c] for c in CLASSES}, cost


def slots_of_rows(rows):
    """Class and cost of each slot, from rows of which a pair has two."""
    return [
        (row["class"], row["cost"])
        for row in rows
        if row["side"] == "reference" or row["partner"] in ("", None)
    ]


def classes_of_grid(text):
    """Classes of all slots as the tiers of a TextGrid show them."""
    slots = Counter()
    for name, intervals in tiers_by_textgrid(text):
        if name.startswith("class "):
            letters = [mark.split()[0] for _, _, mark in intervals if mark]
            side_is_reference = name.startswith("class ref")
            slots.update(c for c in letters if side_is_reference or c == "I")
    return {c: slots[c] for c in CLASSES}


def of_one(name, system, tolerance="0.3"):
    """What scores one bundled recording through time, run from the top of the project."""
    times = ["--align", f"data/align/{name}.TextGrid", "--words", f"data/asr/{name}.ctm"]
    return [
        f"data/ref/{name}.ne", f"data/hyp/{system}/asr/{name}.ne", *times, "--tolerance", tolerance
    ]  # fmt: skip


EVALUATIONS = {
    "all": ["data/ref", "data/hyp/compromise/asr", *THROUGH_TIME],
    "drop": of_one("berlinwall", "compromise", "0"),
    "miss": [*of_one("berlinwall", "gazetteer", "0"), "--unplaceable", "miss"],
    "merge": [*of_one("berlinwall", "compromise", "0"), "--unplaceable", "merge"],
    "costs": [*of_one("berlinwall", "compromise"), "--costs", "S_S=0.3,S_T=0.7,S_ST=1.25,D=0.1"],
    "same words": ["data/ref/panama.ne", "data/hyp/gazetteer/manual/panama.ne"],
}


@pytest.mark.check
@pytest.mark.parametrize("name", EVALUATIONS)
def test_every_output_has_the_numbers_of_the_report(name, run, monkeypatch, tmp_path):
    """Text, JSON lines, CSV and TextGrids of one evaluation add up to its JSON report."""
    monkeypatch.chdir(ROOT)
    given = EVALUATIONS[name]
    report = json.loads(run("score", *given, "--format", "json")[1])
    counts = report["counts"]
    expected = {c: counts[c] for c in CLASSES}, Fraction(str(counts["cost"]))

    text = run("audit", *given, "--all")[1]
    assert expected_heads(report) == heads(text)
    assert expected == tallied(cases(text))
    assert text.splitlines()[-1] == report["signature"]

    rows = read_jsonl(run("audit", *given, "--format", "jsonl")[1])
    table = read_csv(run("audit", *given, "--format", "csv")[1])
    for found in (rows, table):
        assert expected == tallied(slots_of_rows(found))
        assert expected[1] == sum(Fraction(str(row["cost"])) for row in found)
        assert counts["Hyp"] == sum(row["side"] == "hypothesis" for row in found)
        assert counts["unplaceable"] == sum(row["why"] not in ("", None) for row in found)
    assert counts["unplaceable"] == 2 * (name in ("drop", "miss", "merge"))

    if name == "same words":  # which have no times
        return
    assert run("audit", *given, "--format", "textgrid", "-o", str(tmp_path / "grids"))[0] == 0
    slots = Counter()
    for path in (tmp_path / "grids").iterdir():
        slots.update(classes_of_grid(path.read_text("utf-8")))
    assert expected[0] == {c: slots[c] for c in CLASSES}


@pytest.mark.check
@given(scorings())
def test_numbers_of_any_evaluation(scoring):
    """Any evaluation has the same classes and costs as text, JSON lines, CSV and report."""
    evaluation = scoring.run()
    report = json.loads(RENDERERS["json"](evaluation))
    counts = report["counts"]
    expected = {c: counts[c] for c in CLASSES}, Fraction(str(counts["cost"]))
    text = made(evaluation, "text", everything)
    assert expected == tallied(cases(text))
    assert expected_heads(report)["all documents"] == heads(text)["all documents"]
    assert expected == tallied(slots_of_rows(read_jsonl(made(evaluation, "jsonl"))))
    assert expected == tallied(slots_of_rows(read_csv(made(evaluation, "csv"))))


# --- rows -----------------------------------------------------------------------------------------


def test_indices_are_unique():
    """Elements that a file says were taken out share no index with others."""
    a, b, c = (
        ReferenceElement(("a",), (0,), (1,)),
        ReferenceElement(("b",), (0,), ()),
        ReferenceElement(("c",), (1,), (2,)),
    )
    lost = Unplaceable(ReferenceElement(("z",), (), ()), "dropped")
    reference = Reference("d", ("x", "y"), (a, b, c), (lost,))
    [document] = audit(evaluate([reference], [Document("d", ("x", "y"))]))
    assert sorted(row.label for row in document.references) == ["a", "b", "c", "z"]
    assert len({row.index for row in document.references}) == 4


@pytest.mark.check
@given(scorings())
def test_partners_answer_each_other(scoring):
    """A partner's partner is the element itself, of the same class."""
    for document in audit(scoring.run()):
        partner = {(row.side, row.index): other for row, other in document.with_partners()}
        assert len(partner) == len(document.rows)
        for row in document.rows:
            other = partner[row.side, row.index]
            if other is not None:
                assert partner[other.side, other.index] is row
                assert other.slot is row.slot


# --- text -----------------------------------------------------------------------------------------

TEXT_OF_FIGURE_4 = """\
figure4  167.6–168.45 s  S_S  D  cost 1.5
                  [pers.ind S_S──────────────]
                  [name.first C] [name.last D]
  ref   recevrons Benoît         Magimel            l' acteur
  hyp   recevrons Benoît         magie         mais l' acteur
                  [name.first C]
                  [pers.ind S_S]
  range <·········[pers.ind S_S··············>····]··>
  range                          [name.last D>····]··>
  S_S  0.5  pers.ind → pers.ind  “Benoît Magimel” → “Benoît”
              may start at recevrons | [Benoît]*; end after magie | [mais]* | l'
              hypothesis ends 2 words early
  D    1    name.last            “Magimel”  may start at [magie]*; end after magie | [mais]* | l'
"""


def test_text_of_figure_4(run, monkeypatch):
    """The paper's figure 4: both trees, the ranges of what is wrong, candidates and costs."""
    monkeypatch.chdir(CASES / "figure_4")
    status, out, err = run(*FIGURE_4)
    assert (status, err) == (0, "")
    assert out.startswith(TEXT_OF_FIGURE_4)


TAKEN = "“dubidget” is in its time, but taken by name “Budget”"
FATES = {
    "drop": ("unplaceable  0 ", f"{TAKEN}; dropped"),
    "miss": ("D    1 ", f"unplaceable: {TAKEN}; counted as a"),
    "merge": ("unplaceable  0 ", f"{TAKEN}; merged into name “Budget”"),
}


@pytest.mark.parametrize("policy", FATES)
def test_unplaceable_as_text(policy, run, monkeypatch):
    """An unplaceable element is listed with its cost, why it has no place and its fate."""
    monkeypatch.chdir(CASES / "collision")
    _, out, _ = run(*COLLISION, "--unplaceable", policy)
    lines = [line.strip() for line in out.splitlines()]
    begin, why = FATES[policy]
    [at] = [k for k, line in enumerate(lines) if line.startswith(begin) and "“du”" in line]
    assert lines[at + 1] == why


def test_long_stretches_are_left_out():
    """Words far from any tag are not shown, those near one are."""
    words = tuple(f"w{k}" for k in range(60))
    reference = Document("d", words, tree([("x", 10, 50), ("y", 30, 31)]))
    text = made(evaluate([reference], [Document("d", words)]), "text")
    picture = text[: text.index("\n  D  ")].split()
    shown = [int(word[1:]) for word in picture if re.fullmatch(r"w\d+", word)]
    assert shown == [*range(7, 14), *range(27, 34), *range(46, 53)]
    assert picture.count("…") == 2


def test_blocker_as_text():
    """An unplaceable element whose words another took names it, and stands in its block."""
    words = ("a", "b")
    times = ((0, 400), (400, 500))
    reference = Document("d", words, tree([("x", 0, 1), ("y", 1, 2)]), times)
    evaluation = evaluate([reference], [Document("d", ("ab",), (), ((0, 500),))], tolerance=450)
    [row] = [row for row in next(audit(evaluation)).rows if row.why]
    text = made(evaluation, "text")
    assert (row.label, row.blocker) == ("y", 0)
    assert "its words are taken by x “a”; dropped" in text
    assert len([line for line in text.splitlines() if line.startswith("d  0–0.5 s")]) == 1


def test_same_words_stand_once():
    """Where both sides are on the same words, a picture has them once."""
    reference = Document("d", ("Jacques", "Chirac"), tree([("pers", 0, 2), ("name", 0, 1)]))
    hypothesis = Document("d", reference.words, tree([("pers", 0, 1)]))
    text = made(evaluate([reference], [hypothesis]), "text")
    assert [line.split() for line in text.splitlines()].count(["Jacques", "Chirac"]) == 1
    assert "hypothesis ends 1 word early" in text


def test_correct_ones_are_not_listed(run, monkeypatch):
    """Correct elements are listed with --all or --class C only; the totals stay."""
    monkeypatch.chdir(CASES / "figure_4")
    plain, full, only = (run(*FIGURE_4, *more)[1] for more in ((), ("--all",), ("--class", "C")))
    listed = [[letter for letter, _ in cases(out)] for out in (plain, full, only)]
    assert listed == [["S_S", "D"], ["S_S", "C", "D"], ["C"]]
    assert len({out.splitlines()[-2] for out in (plain, full, only)}) == 1


@pytest.mark.check
@given(scorings(), st.sampled_from([20, 50, 80, 100]))
def test_lines_have_room(scoring, width):
    """No line of any audit is wider than asked for, but for the signature."""
    lines = made(scoring.run(), "text", everything, width=width).splitlines()
    assert [line for line in lines[:-1] if cell_len(line) > max(width, 50)] == []


@pytest.mark.check
@given(scorings(), st.sampled_from(["standard", "256", "truecolor"]))
def test_colours_change_no_character(scoring, colour):
    """Without the codes of its colours, a coloured text is the plain one."""
    evaluation = scoring.run()
    coloured = made(evaluation, "text", everything, colour=colour)
    without = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    plain = made(evaluation, "text", everything)
    assert [line.rstrip() for line in without.splitlines()] == plain.splitlines()
    assert "\x1b" not in plain


HOSTILE = {
    "comma": "a,b",
    "quote": 'a"b""c"',
    "formula": "=1+1",
    "markup": "[bold]a[/bold]",
    "xml": "<b>&amp;</b>",
    "bar": "a|b",
    "wide": "日本語",
    "combining": "e\u0301",
    "only combining": "\u0301",
    "emoji": "🙂",
    "spaces": " a  b ",
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "line separator": "a\u2028b",
    "escape": "\x1b[31ma",
    "null": "a\x00b",
    "surrogate": "a\\udce9b",
    "long": "x" * 300,
    "path": "../a/b",
    "hidden": ".a",
}


def hostile(text):
    """An evaluation in which id, words and labels are a text."""
    words, times = (text, text), ((0, 100), (100, 250))
    reference = Document(text, words, tree([(text, 0, 2), (text, 0, 1)]), times)
    hypothesis = Document(text, words, tree([(text, 1, 2)]), times)
    return evaluate([reference], [hypothesis], tolerance=10)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_in_tables(name):
    """Words, labels and ids of any characters come back from JSON lines and CSV as they were."""
    text = HOSTILE[name]
    evaluation = hostile(text)
    for row in read_jsonl(made(evaluation, "jsonl")):
        assert (row["document"], row["label"], set(row["words"])) == (text, text, {text})
    table = read_csv(made(evaluation, "csv"))
    assert {(row["document"], row["label"]) for row in table} == {(text, text)}
    assert table[0]["words"] == f"{text} {text}"


@pytest.mark.check
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_in_text(name):
    """Whatever the words, the text has no control character and no line too wide."""
    for width in (50, 100):
        lines = made(hostile(HOSTILE[name]), "text", everything, width=width).split("\n")
        assert all(line.replace("\u0301", "").isprintable() for line in lines)
        assert max(map(cell_len, lines[:-2])) <= width


# --- columns --------------------------------------------------------------------------------------


@pytest.mark.check
@given(timed_scorings())
def test_columns_hold_every_word_in_order(scoring):
    """The columns of a picture hold each word of either side once, in order."""
    for document in audit(scoring.run()):
        own, scored = document.reference_words, document.hypothesis_words
        found = by_time(own, scored)
        assert [c.reference for c in found if c.reference is not None] == [*range(len(own.words))]
        assert [c.hypothesis for c in found if c.hypothesis is not None] == [
            *range(len(scored.words))
        ]


# --- tables ---------------------------------------------------------------------------------------

OF_MAGIMEL = {
    "blocker": None,
    "class": "D",
    "cost": 1,
    "depth": 2,
    "document": "figure4",
    "ends": [3, 4, 5],
    "figures": {},
    "index": 2,
    "into": None,
    "label": "name.last",
    "labels": ["name.last"],
    "parent": 0,
    "partner": None,
    "partner_label": None,
    "placement": [2, 4],
    "side": "reference",
    "span": [2, 3],
    "starts": [2],
    "strict": [2, 4],
    "time": [167.95, 168.45],
    "why": None,
    "words": ["Magimel"],
}


def test_jsonl_of_figure_4(run, monkeypatch):
    """A line has every field under its name, sorted, with numbers as numbers."""
    monkeypatch.chdir(CASES / "figure_4")
    rows = read_jsonl(run(*FIGURE_4, "--format", "jsonl")[1])
    assert len(rows) == 5
    assert OF_MAGIMEL in rows
    assert all(list(row) == sorted(OF_MAGIMEL) for row in rows)
    [pair] = [row for row in rows if row["side"] == "hypothesis" and row["class"] == "S_S"]
    assert (pair["partner"], pair["partner_label"], pair["cost"]) == (0, "pers.ind", 0)


def test_notes_stand_with_the_result(run, monkeypatch):
    """What was made up in reading is said in text and JSON lines, with the signature."""
    monkeypatch.chdir(CASES / "read_notes")
    given = ["audit", "ref.jsonl", "hyp.jsonl", "--words", "show.whisper", "--tolerance", "0"]
    note = "words without times, put between their neighbours"

    assert f"Hypothesis: {note}: 1." == run(*given)[1].splitlines()[-2]
    *_, told = run(*given, "--format", "jsonl")[1].splitlines()
    assert {"hypothesis": {note: 1}} == json.loads(told)["notes"]
    assert run(*given)[1].splitlines()[-1] == json.loads(told)["signature"]


def test_csv_of_figure_4(run, monkeypatch):
    """The CSV has the documented columns, and nothing where nothing is defined."""
    monkeypatch.chdir(CASES / "figure_4")
    out = run(*FIGURE_4, "--format", "csv", "--label", "name.last")[1]
    assert out == (
        f"{','.join(audit_tables.COLUMNS)}\n"
        "figure4,reference,2,0,2,name.last,name.last,Magimel,2,3,167.95,168.45,D,,,1,2,3 4 5,"
        "2,4,2,4,,,,\n"
    )


def test_columns_are_documented():
    """The page on the audit has the columns of the CSV in their order, and the keys of JSON."""
    page = (ROOT / "docs" / "audit.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*?) \| (`.*?) \| ", page.split("| CSV | JSON")[1], re.MULTILINE)
    named = [[name for row in rows for name in re.findall(r"`(\w+)`", row[k])] for k in (0, 1)]
    assert tuple(named[0]) == audit_tables.COLUMNS
    assert sorted(named[1]) == sorted(OF_MAGIMEL)


@pytest.mark.check
@given(scorings())
def test_csv_and_jsonl_agree(scoring):
    """The CSV has the rows of the JSON lines, in the same order, with the same values."""
    evaluation = scoring.run()
    rows, table = (read_jsonl(made(evaluation, "jsonl")), read_csv(made(evaluation, "csv")))
    for row, cells in zip(rows, table, strict=True):
        for name in ("document", "side", "label", "class", "partner_label", "why"):
            assert (row[name] or "") == cells[name]
        for name in ("index", "parent", "depth", "partner", "blocker", "into"):
            assert row[name] == (int(cells[name]) if cells[name] else None)
        for name in ("starts", "ends"):
            assert row[name] == [int(k) for k in cells[name].split()]
        for name, one, two in (
            ("span", "start", "end"),
            ("time", "start_time", "end_time"),
            ("strict", "strict_start", "strict_end"),
            ("placement", "placed_start", "placed_end"),
        ):
            pair = [Fraction(cells[one]), Fraction(cells[two])] if cells[one] else None
            assert (row[name] and [Fraction(str(n)) for n in row[name]]) == pair
        assert Fraction(str(row["cost"])) == Fraction(cells["cost"])


# --- filters --------------------------------------------------------------------------------------


def test_filters_show_less_of_the_same(run, monkeypatch):
    """A filter leaves out rows, and changes nothing in those that stay."""
    monkeypatch.chdir(ROOT)
    given = ["audit", *of_one("berlinwall", "compromise", "0"), "--format", "jsonl"]
    *every, told = run(*given)[1].splitlines()
    rows = [json.loads(line) for line in every]
    for options, holds in (
        (["--class", "S_T,D"], lambda row: row["class"] in ("S_T", "D")),
        (["--class", "unplaceable"], lambda row: row["why"] is not None),
        (["--label", "loc.adm.reg"],
         lambda row: "loc.adm.reg" in (*row["labels"], row["partner_label"])),
        (["--label", "amount"], lambda row: "amount" in (*row["labels"], row["partner_label"])),
        (["--label", "amount", "--label", "kind", "--class", "D", "--document", "berlinwall"],
         lambda row: row["label"] in ("amount", "kind") and row["class"] == "D"),
    ):  # fmt: skip
        expected = [line for line, row in zip(every, rows, strict=True) if holds(row)]
        assert run(*given, *options)[1].splitlines() == [*expected, told]
        assert 0 < len(expected) < len(every)
    pairs = [row for row in rows if row["partner_label"] == "loc.adm.reg" != row["label"]]
    assert pairs  # so that there is a partner to find


@pytest.mark.parametrize("format", AUDITS)
def test_filter_without_a_match(format, run, monkeypatch):
    """A filter that leaves nothing says so on stderr, and is no failure."""
    monkeypatch.chdir(CASES / "figure_4")
    options = ["--class", "I,S_T", "--label", "name.last", "--document", "figure4"]
    status, _, err = run(*FIGURE_4, "--format", format, *options)
    message = "sereval: no element matches --class I,S_T --label name.last --document figure4\n"
    assert (status, err) == (0, message)
    assert run(*FIGURE_4, "--format", format)[2] == ""


def test_filter_of_what_is_not_there(run, monkeypatch):
    """A document that is not there is bad input; of a label that nothing has a word is said."""
    monkeypatch.chdir(CASES / "figure_4")

    assert run(*FIGURE_4, "--document", "figure5") == (
        1,
        "",
        "sereval: no document 'figure5', expected some of figure4, the nearest known is figure4\n",
    )
    status, _, err = run(*FIGURE_4, "--label", "name.frist")
    assert (0, "sereval: no element has the label 'name.frist'" in err) == (status, True)


USAGE = {
    "unknown class": ("--class S_X", "'S_X', expected some of C,S_S,S_T,S_ST,D,I,unplaceable"),
    "no class": ("--class ,", "found ''"),
    "lower case": ("--class d", "found 'd'"),
    "no folder": ("--format textgrid", "makes files, expected -o and a folder"),
    "filtered page": ("--format html --class D -o x", "filters of its own"),
    "audio": ("--audio align", "--audio is for --format html"),
}  # fmt: skip


@pytest.mark.parametrize("name", USAGE)
def test_usage(name, run, monkeypatch):
    """What cannot be meant is a usage error, before anything is computed."""
    monkeypatch.chdir(CASES / "figure_4")
    options, message = USAGE[name]
    status, out, err = run(*FIGURE_4, *options.split())
    assert (status, out) == (2, "")
    assert message in " ".join(err.split())


# --- terminal -------------------------------------------------------------------------------------


def test_no_colour_where_nobody_looks(run, monkeypatch, tmp_path):
    """Pipes and files have plain text of 100 columns; colours follow FORCE_COLOR and NO_COLOR."""
    monkeypatch.chdir(CASES / "figure_4")
    for variable in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    plain = run(*FIGURE_4)[1]
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    coloured = run(*FIGURE_4)[1]
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain != coloured
    run(*FIGURE_4, "-o", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text("utf-8") == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(*FIGURE_4)[1] == plain


# --- TextGrids ------------------------------------------------------------------------------------


def tiers_by_textgrid(text):
    """Tiers as the textgrid package reads them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.TextGrid")
        file.write_text(text, "utf-8")
        grid = textgrid.TextGrid.fromFile(str(file))
    return [(tier.name, [(i.minTime, i.maxTime, i.mark) for i in tier]) for tier in grid]


def tiers_by_praatio(text):
    """Tiers as praatio reads them."""

    from praatio import textgrid as praatio

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.TextGrid")
        file.write_text(text, "utf-8")
        grid = praatio.openTextgrid(str(file), includeEmptyIntervals=True)
    return [
        (name, [(e.start, e.end, e.label) for e in grid.getTier(name).entries])
        for name in grid.tierNames
    ]


def grids(evaluation, *given):
    return AUDIT_FILES["textgrid"](list(audit(evaluation)), evaluation, *given)


@pytest.mark.check
@given(timed_scorings())
def test_textgrid_holds_everything(scoring):
    """Every word and element is on its tiers with its time; tiers tile the whole time."""
    evaluation = scoring.run()
    for document in audit(evaluation):
        text = grids(evaluation)[file_name(document.id, ".TextGrid")]
        found = {}
        tiers = tiers_by_textgrid(text)
        for name, intervals in tiers:
            whole = [bound for _, lane in tiers[:1] for bound in (lane[0][0], lane[-1][1])]
            assert [intervals[0][0], intervals[-1][1]] == whole
            for before, after in zip(intervals, intervals[1:], strict=False):
                assert before[1] == after[0]
            kind = re.sub(r" \((\d+|no length)\)", "", name)
            moment = "(no length)" in name
            found.setdefault(kind, []).extend(
                (start, start if moment else end, mark) for start, end, mark in intervals if mark
            )
        assert {k: sorted(v) for k, v in found.items()} == expected_tiers(document)


def expected_tiers(document):
    """What the tiers of each kind should hold, from the rows."""
    expected = {}

    def add(kind, time, mark):
        expected.setdefault(kind, []).append((time[0] / 1000, time[1] / 1000, mark))

    for kind, side in (("words", document.reference_words), ("asr", document.hypothesis_words)):
        expected[kind] = []
        for time, word in zip(side.times, side.words, strict=True):
            add(kind, time, word)
    for row in document.rows:
        kind = f"{row.side[:3]} {row.depth}"
        letter = [] if row.slot is None else [row.slot.value]
        add(kind, row.time, "|".join(row.labels))
        add(f"class {kind}", row.time, " ".join(letter + ["unplaceable"] * (row.why is not None)))
    return {kind: sorted(marks) for kind, marks in expected.items()}


@pytest.mark.check
@given(timed_scorings())
def test_two_readers_agree_on_textgrids(scoring):
    """The textgrid package and praatio read the same tiers from what is written."""
    pytest.importorskip("praatio")
    spoken = [document.times for side in scoring[:2] for document in side]
    assume(all(start >= 0 for times in spoken for start, _ in times))  # praatio drops the sign
    for text in grids(scoring.run()).values():
        assert tiers_by_textgrid(text) == tiers_by_praatio(text)


@pytest.mark.parametrize("name", sorted(HOSTILE.keys() - {"spaces"}))
def test_hostile_in_textgrid(name):
    """Words and labels of any characters keep their place; two readers agree on them."""
    pytest.importorskip("praatio")
    [text] = grids(hostile(HOSTILE[name])).values()
    tiers = dict(tiers_by_textgrid(text))
    assert list(tiers.items()) == tiers_by_praatio(text)
    marks = {mark for _, _, mark in tiers["words"]}
    assert marks == {HOSTILE[name]} or not HOSTILE[name].isprintable()
    assert len(marks) == 1


def test_tiers_of_a_textgrid():
    """Overlapping words go to a further tier, words without length to one of their own."""
    reference = Document("d", ("a",), tree([("x", 0, 1)]), ((0, 1000),))
    times = ((0, 600), (400, 900), (900, 900))
    hypothesis = Document("d", ("b", "c", "d"), tree([("x", 2, 3)]), times)
    evaluation = evaluate([reference], [hypothesis], tolerance=0)
    tiers = dict(tiers_by_textgrid(grids(evaluation)["d.TextGrid"]))
    assert list(tiers) == [
        "words", "ref 1", "class ref 1", "asr", "asr (2)", "asr (no length)",
        "hyp 1", "hyp 1 (no length)", "class hyp 1", "class hyp 1 (no length)",
    ]  # fmt: skip
    assert tiers["asr (2)"] == [(0, 0.4, ""), (0.4, 0.9, "c"), (0.9, 1, "")]
    assert tiers["asr (no length)"] == [(0, 0.9, ""), (0.9, 0.901, "d"), (0.901, 1, "")]
    assert tiers["class ref 1"] == [(0, 1, "S_S")]


def test_textgrid_is_read_as_times(run, monkeypatch, tmp_path):
    """The words of a TextGrid written here are read here as they were."""
    monkeypatch.chdir(ROOT)
    out = str(tmp_path / "grids")
    given = [*of_one("panama", "compromise"), "--format"]
    assert run("audit", *given, "textgrid", "-o", out) == (0, "", "")
    again = [out if path.startswith("data/align") else path for path in given]
    assert run("audit", *again, "jsonl") == run("audit", *given, "jsonl")


def test_notes_of_a_textgrid():
    """What was skipped or made up in reading stands on a last tier, over all words."""
    times = ((100, 400), (400, 900))
    reference = Document("d", ("a", "b"), times=times, notes=(Note("relations, skipped", 2),))
    evaluation = evaluate([reference], [Document("d", ("a", "b"), times=times)])
    tiers = tiers_by_textgrid(grids(evaluation)["d.TextGrid"])
    said = "Reference: relations, skipped: 2."
    assert tiers[-1] == ("notes", [(0, 0.1, ""), (0.1, 0.9, said)])


def test_textgrid_needs_times(run, monkeypatch, tmp_path):
    """Without times on both sides there is an error, and no folder is left behind."""
    monkeypatch.chdir(CASES / "figure_4")
    folder = tmp_path / "grids"
    status, out, err = run(*FIGURE_4[:2], "reference", "--format", "textgrid", "-o", str(folder))
    message = "sereval: figure4: the reference has no times, a TextGrid needs those of both sides\n"
    assert (status, out, err) == (1, "", message)
    assert not folder.exists()


@pytest.mark.check
def test_all_textgrids_or_none(run, monkeypatch, tmp_path):
    """Where one file cannot be written, none is, and nothing is left of the attempt."""
    monkeypatch.chdir(ROOT)
    (tmp_path / "titanic.TextGrid").mkdir()
    given = ["audit", "data/ref", "data/hyp/compromise/asr", *THROUGH_TIME]
    status, _, err = run(*given, "--format", "textgrid", "-o", str(tmp_path))
    assert (status, [path.name for path in tmp_path.iterdir()]) == (1, ["titanic.TextGrid"])
    assert "it is a folder, expected a file or nothing" in err


def test_no_folder_is_left_behind(run, monkeypatch, tmp_path):
    """A folder that was made for files that cannot be written is gone again."""
    monkeypatch.chdir(CASES / "figure_4")
    given = [*FIGURE_4, "--name", "x" * 300, "--format", "textgrid"]
    given[3:5] = ["--align", *map(str, Path("align").iterdir())]
    given[1:3] = [str(file) for folder in given[1:3] for file in Path(folder).iterdir()]
    status, _, err = run(*given, "-o", str(tmp_path / "grids"))
    assert (status, [*tmp_path.iterdir()]) == (1, [])
    assert err.strip().endswith("File name too long")


def test_inputs_are_not_replaced(run, monkeypatch, tmp_path):
    """A TextGrid that was read is not written over."""
    monkeypatch.chdir(CASES / "figure_4")
    align = tmp_path / "align"
    align.mkdir()
    [source] = Path("align").iterdir()
    (align / source.name).write_bytes(source.read_bytes())
    given = [str(align) if part == "align" else part for part in FIGURE_4]
    status, _, err = run(*given, "--format", "textgrid", "-o", str(align))
    assert (status, (align / source.name).read_bytes()) == (1, source.read_bytes())
    assert "it is among the files to be read" in err


@pytest.mark.check
def test_documents_of_textgrids(run, monkeypatch, tmp_path):
    """--document chooses the files, and --class what is on the tiers of elements."""
    monkeypatch.chdir(ROOT)
    given = ["audit", "data/ref", "data/hyp/compromise/asr", *THROUGH_TIME, "--document", "panama"]
    run(*given, "--class", "I", "--format", "textgrid", "-o", str(tmp_path / "grids"))
    [path] = (tmp_path / "grids").iterdir()
    names = [name for name, _ in tiers_by_textgrid(path.read_text("utf-8"))]
    assert path.name == "panama.TextGrid"
    assert names == ["words", "asr", "hyp 2", "class hyp 2"]


NAMES = ["a/b", "..", ".a", "a:b", "a%2Fb", "con\x00", "émission", "日本", 'a"b', "a\nb", "a b"]


def test_file_names():
    """A file's name stays in its folder, and no two ids have the same."""
    names = [file_name(id, ".TextGrid") for id in NAMES]
    assert len(set(names)) == len(names)
    for name in names:
        assert Path(name).name == name
        assert not name.startswith(".")
        assert name.isprintable()


def test_page_in_a_file_or_a_folder(run, monkeypatch, tmp_path):
    """The page goes into the file that is named, or into a folder; both are the same page."""
    monkeypatch.chdir(CASES / "figure_4")
    for path in ("page.html", "pages"):
        assert run(*FIGURE_4, "--format", "html", "-o", str(tmp_path / path)) == (0, "", "")
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "pages/index.html").read_bytes()
    status, out, err = run(*FIGURE_4, "--format", "html", "--audio", "nowhere")
    assert (status, out, err) == (1, "", "sereval: nowhere: No such file or directory\n")


@pytest.mark.long
@pytest.mark.skipif(not SPEECH.is_dir(), reason="needs the speech corpus")
@pytest.mark.parametrize("system", ["compromise", "crf", "gaz"])
@pytest.mark.parametrize("corpus", ["human", "tts"])
def test_recordings(corpus, system, run, tmp_path):
    """On recordings each slot is listed once, no line is too wide, and two readers agree."""
    pytest.importorskip("praatio")
    folder = SPEECH / corpus
    times = ["--align", f"{folder}/align", "--words", f"{folder}/asr", "--tolerance", "0.3"]
    given = [f"{folder}/ref", f"{folder}/hyp/{system}/asr", *times]
    report = json.loads(run("score", *given, "--format", "json")[1])
    text = run("audit", *given, "--all")[1]
    assert {c: report["counts"][c] for c in CLASSES} == tallied(cases(text))[0]
    assert max(map(cell_len, text.splitlines()[:-1])) <= 100
    run("audit", *given, "--format", "textgrid", "-o", str(tmp_path / "grids"))
    for path in (tmp_path / "grids").iterdir():
        grid = path.read_text("utf-8")
        assert tiers_by_textgrid(grid) == tiers_by_praatio(grid)
