"""Readers of what is written about one evaluation: each gives back the figures of an output.

Figures are in rows: of everything, of a document, of a label or of a kind. A reader goes by
columns, keys and separators; it knows no sentences.
"""

import csv
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
import textgrid

from sereval.cli import main
from sereval.report.audits import AUDITS
from sereval.report.numbers import percent

CLASSES = ("C", "S_S", "S_T", "S_ST", "D", "I")
SLOTS = (*CLASSES, "Ref", "Hyp")
COUNTS = (*SLOTS, "cost", "unplaceable", "ser")
SHOWN = ("SER", "P", "R", "F1")  # in percent, as text
EXACT = ("exact_C", "precision", "recall", "f1")  # with all their digits

ALL = ("all", "")
Rows = dict[tuple[str, str], dict[str, object]]  # by kind of row and name, then by figure


class Case(NamedTuple):
    """An evaluation: its reference and two systems, the first of which is looked at."""

    inputs: str
    system: str
    tolerance: str = "none"
    policy: str = "drop"
    options: str = ""
    grammar: str = ""
    without: str = ""  # a command that does not take it


class Outputs:
    """Makes the outputs of a case in the folder at hand, each once."""

    def __init__(self, case: Case):
        self.case, self.made = case, {}

    def path(self, command: str, *options: str, systems: int = 1, suffix: str = "") -> Path:
        """What a command has written, a file or a folder."""
        key = (command, *options, suffix)
        if key not in self.made:
            case = self.case
            path = self.made[key] = Path(f"output{len(self.made)}{suffix}")
            given = [*case.inputs.split()[: 1 + systems], "--unplaceable", case.policy]
            if case.tolerance != "none":
                points = f"0,{case.tolerance}" if command == "sweep" else case.tolerance
                given += ["--tolerance", points]
            if case.grammar and "--stability" not in options:  # which has no kinds
                given += ["--grammar", case.grammar]
            arguments = [command, *given, *case.options.split(), *options, "-o", str(path)]
            assert main(arguments) == 0, arguments
        return self.made[key]

    def text(self, command: str, *options: str, systems: int = 1) -> str:
        return self.path(command, *options, systems=systems).read_text("utf-8")

    def json(self, command: str, *options: str, systems: int = 1):
        return json.loads(self.text(command, "--format", "json", *options, systems=systems))

    def csv(self, command: str, *options: str, systems: int = 1) -> list[dict[str, str]]:
        text = self.text(command, "--format", "csv", *options, systems=systems)
        return list(csv.DictReader(text.splitlines()))

    def evaluation(self):
        """The evaluation behind the audit."""
        if "evaluation" in self.made:
            return self.made["evaluation"]
        seen = []
        render = AUDITS["jsonl"]

        def watched(audits, evaluation, *rest, **look):
            seen.append(evaluation)
            return render(audits, evaluation, *rest, **look)

        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(AUDITS, "jsonl", watched)
            self.path("audit", "--format", "jsonl", suffix=".jsonl")
        [self.made["evaluation"]] = seen
        return self.made["evaluation"]


# --- figures --------------------------------------------------------------------------------------


def figures(columns: Iterable[str], cells: Iterable[str]) -> dict[str, object]:
    """A row of a table: rates as they are shown, counts and cost as numbers, the rest not."""
    return {
        column: cell if column in SHOWN else Fraction(cell)
        for column, cell in zip(columns, cells, strict=True)
        if column in SHOWN or column in COUNTS
    }


def rated(rows: Rows) -> Rows:
    """Rows with the rate that their sums make."""
    for row in rows.values():
        row["ser"] = float(row["cost"] / row["Ref"]) if row["Ref"] else None
    return rows


class Element(NamedTuple):
    """An element of one side, Ref or Hyp; the letter of its class is empty if it has none."""

    document: str
    label: str
    side: str
    letter: str
    cost: Fraction = Fraction(0)
    is_lost: bool = False


def tally(elements: Iterable[Element]) -> Rows:
    """Elements counted, altogether, by document and by label; a pair is its reference element's."""
    rows: Rows = {}
    for document, label, side, letter, cost, is_lost in elements:
        for row in (ALL, ("document", document), ("label", label)):
            counts = rows.setdefault(row, dict.fromkeys(COUNTS, 0))
            counts["cost"] += cost
            counts["unplaceable"] += is_lost
            if letter:
                counts[side] += 1
                counts[letter] += side == "Ref" or letter == "I"
    return rated(rows)


def of_json(entry) -> dict[str, object]:
    """A row of JSON, with all that another output may show of it."""
    counts, exact = entry["counts"], entry["exact"]
    rates = {name: exact[name] for name in ("precision", "recall", "f1")}
    sides = counts["Ref"] + counts["Hyp"]
    own = 2 * counts["C"] / sides if sides else None  # of the mapping's pairs, not of exact ones
    return {
        **{name: Fraction(str(value)) for name, value in counts.items()},
        "ser": entry["ser"],
        "exact_C": exact["C"],
        **rates,
        **dict(zip(SHOWN, map(percent, (entry["ser"], *rates.values())), strict=True)),
        "F": own,
        "F shown": f"{own:.3f}" if sides else "n/a",
    }


def report(out: Outputs) -> Rows:
    """The JSON report, which all others are compared with."""
    found = out.json("score")
    return {
        ALL: of_json(found),
        **{("document", each["id"]): of_json(each) for each in found["documents"]},
        **{("label", label): of_json(each) for label, each in found["labels"].items()},
        **{("kind", kind): of_json(each) for kind, each in found.get("kinds", {}).items()},
    }


# --- score ----------------------------------------------------------------------------------------


def score_text(out: Outputs) -> Rows:
    """The tables; the headline says what the first row says."""
    rows: Rows = {}
    columns, kind = [], "all"
    text = out.text("score", "--show", "all")
    for line in text.splitlines():
        if line.split()[:2] == ["Ref", "Hyp"]:
            columns = line.split()
        elif line.startswith("by "):
            kind = line[3:]
        name, *cells = line.rsplit(maxsplit=len(columns)) or [""]
        if columns and re.fullmatch(r"([\d.]+|n/a)( ([\d.]+|n/a)){12,13}", " ".join(cells)):
            row = ("kind" if kind == "all" else kind, name)
            rows[row if rows else ALL] = figures(columns[: len(cells)], cells)
    heads = re.findall(r"^SER (\S+) %\D+([\d.]+)\D+(\d+)", text, re.MULTILINE)
    [(ser, cost, ref)] = heads
    assert (ser, int(ref)) == (rows[ALL]["SER"], rows[ALL]["Ref"])
    assert rows[ALL]["cost"] == Fraction(cost)
    [lost] = re.findall(r"(\d+) unplaceable", text) or [0]
    rows[ALL]["unplaceable"] = int(lost)
    return rows


def score_json(out: Outputs) -> Rows:
    """What the labels add up to, and the documents, and the kinds if there are any."""
    found = out.json("score")
    groups = [found["labels"].values(), found["documents"]]
    groups += [found["kinds"].values()] if "kinds" in found else []
    sums = [
        (
            {name: sum(Fraction(str(row["counts"][name])) for row in rows) for name in COUNTS[:-1]},
            sum(row["exact"]["C"] for row in rows),
        )
        for rows in groups
    ]
    counts, exact = sums[0]
    assert all(each == sums[0] for each in sums)
    assert exact == found["exact"]["C"]
    return rated({ALL: counts})


def score_csv(out: Outputs) -> Rows:
    rows: Rows = {}
    for line in out.csv("score"):
        if line["class"].partition(":")[0] in ("WER", "entity-wer"):
            continue  # word errors have no cost
        for row in (ALL, ("document", line["document"]), ("label", line["label"])):
            counts = rows.setdefault(row, dict.fromkeys((*CLASSES, "Ref", "cost"), 0))
            counts[line["class"]] += int(line["count"])
            counts["Ref"] += int(line["count"]) * (line["class"] != "I")
            counts["cost"] += Fraction(line["cost"])
    return rated(rows)


# --- audit ----------------------------------------------------------------------------------------


def audit_heads(out: Outputs) -> Rows:
    """The line over each document, and the one under all."""
    rows: Rows = {}
    text = re.sub(r"\n +", " ", out.text("audit", "--all"))
    assert text.splitlines()[-1] == out.json("score")["signature"]
    for name, ser, inside in re.findall(r"^(\S.*): SER (\S+) % \((.*?)\)", text, re.MULTILINE):
        cost, ref = re.findall(r"[\d.]+", inside)[:2]
        counts = {name: int(n) for n, name in re.findall(r"(\d+) (S_ST|S_[ST]|[CDI])\b", inside)}
        [lost] = re.findall(r"(\d+) unplaceable", inside) or [0]
        row = ALL if name == "all documents" else ("document", name)
        rows[row] = {"SER": ser, "cost": Fraction(cost), "Ref": int(ref), **counts}
        rows[row]["unplaceable"] = int(lost)
    return rows


def audit_entries(out: Outputs) -> Rows:
    """The slots that are listed under each picture."""
    elements, document = [], ""
    slot = re.compile(r"  (S_ST|S_[ST]|[CDI]|unplaceable) +([\d.]+) +(\S+)(?: → (\S+))?(?: |$)")
    for line in out.text("audit", "--all").splitlines():
        if head := re.match(r"(\S.*?)  \d", line):
            document = head[1]
        if found := slot.match(line):
            letter, cost, label, answer = found.groups()
            letter, side = letter.replace("unplaceable", ""), "Hyp" if letter == "I" else "Ref"
            own = label.split("|")[0]
            elements.append(Element(document, own, side, letter, Fraction(cost)))
            if answer:
                elements.append(Element(document, answer, "Hyp", letter))
    return tally(elements)


def _audit_rows(rows) -> Rows:
    """Rows of the audit's tables, whose columns have these names in JSON and in CSV."""
    sides = {"reference": "Ref", "hypothesis": "Hyp"}
    return tally(
        Element(
            *(row["document"], row["label"], sides[row["side"]], row["class"] or ""),
            *(Fraction(str(row["cost"])), bool(row["why"])),
        )
        for row in rows
    )


def audit_jsonl(out: Outputs) -> Rows:
    lines = map(json.loads, out.text("audit", "--format", "jsonl").splitlines())
    return _audit_rows(line for line in lines if "document" in line)  # the last is the signature


def audit_csv(out: Outputs) -> Rows:
    return _audit_rows(out.csv("audit"))


def audit_textgrid(out: Outputs) -> Rows:
    """The tiers of classes, which have no labels."""
    elements = []
    for path in out.path("audit", "--format", "textgrid").iterdir():
        id = path.stem.replace("%3C", "<").replace("%3E", ">")
        for tier in textgrid.TextGrid.fromFile(path):
            if tier.name.startswith("class "):
                side = tier.name.split()[1].title()
                for mark in filter(None, (interval.mark for interval in tier)):
                    letter, is_lost, _ = mark.partition("unplaceable")
                    elements.append(Element(id, "", side, letter.strip(), is_lost=bool(is_lost)))
    return tally(elements)
