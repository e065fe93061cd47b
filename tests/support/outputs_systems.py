"""Readers of what compares an evaluation with others: other tolerances, systems, annotators."""

import csv
import re
from fractions import Fraction
from pathlib import Path

from outputs import ALL, Element, Outputs, Rows, figures, of_json, tally

POLICIES = ("drop", "miss", "merge")
COMPARED = ("--resamples", "5", "--collate", "collated.csv")


def sweep_text(out: Outputs) -> Rows:
    """The system's own table; the first table, of all systems, has the same rate."""
    lines = [line.split() for line in out.text("sweep", systems=2).splitlines()]
    heads = [k for k, line in enumerate(lines) if line[:1] == ["tolerance"]]
    shared = next(k for k in heads if out.case.system in lines[k])
    own = next(k for k in heads if lines[k - 1] == [out.case.system])
    table = {}
    for k in (shared, own):
        [row] = (row for row in lines[k + 1 : k + 3] if row[0] == out.case.tolerance)
        table[k] = dict(zip(lines[k], row, strict=True))
    assert table[shared][out.case.system] == table[own]["SER"]
    return {ALL: figures(table[own], table[own].values())}


def sweep_json(out: Outputs) -> Rows:
    points = out.json("sweep", systems=2)["systems"][out.case.system]
    [row] = [row for row in points if float(row["tolerance"]) == float(out.case.tolerance)]
    return {ALL: of_json(row)}


def sweep_csv(out: Outputs) -> Rows:
    values = {
        row["measure"]: row["value"]
        for row in out.csv("sweep", systems=2)
        if (row["system"], row["tolerance"]) == (out.case.system, out.case.tolerance)
    }
    rates = {"SER": "ser", "precision": "precision", "recall": "recall", "F1": "f1"}
    exact = {rates[name]: float(values.pop(name)) for name in rates}
    return {ALL: {**exact, **{name: Fraction(value) for name, value in values.items()}}}


def compare_text(out: Outputs) -> Rows:
    text = out.text("compare", *COMPARED, systems=2)
    ser = re.findall(rf"^{out.case.system} +(\S+) \[", text, re.MULTILINE)[0]
    [lost] = re.findall(r"(\d+) unplaceable", text) or [0]
    return {ALL: {"SER": ser, "unplaceable": int(lost)}}


def compare_json(out: Outputs) -> Rows:
    [condition] = out.json("compare", *COMPARED, systems=2)["conditions"]
    [row] = [row for row in condition["systems"] if row["name"] == out.case.system]
    return {ALL: {**row, "cost": Fraction(str(row["cost"]))}}


def compare_csv(out: Outputs) -> Rows:
    row = {
        row["measure"]: row["value"]
        for row in out.csv("compare", *COMPARED, systems=2)
        if row["system"] == out.case.system and not row["against"] and not row["label"]
    }
    counts = {name: Fraction(row[name]) for name in ("cost", "Ref", "unplaceable")}
    return {ALL: {"ser": float(row["ser"]), **counts}}


def collated_csv(out: Outputs) -> Rows:
    """The system's column: a class, then what it found."""
    out.path("compare", *COMPARED, systems=2)
    elements = []
    with Path("collated.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            own = row["labels"].split("|")[0]
            letter, label, *_ = [*row[out.case.system].split(" ", 2), ""]
            letter = letter.replace("unplaceable", "")
            if row["side"] == "reference":
                elements.append(Element(row["document"], own, "Ref", letter))
            if label:
                elements.append(Element(row["document"], label, "Hyp", letter))
    return tally(elements)


def stability_text(out: Outputs) -> Rows:
    """The row of the criterion that was asked for; policies with the same figures share one."""
    lines = [line.split() for line in out.text("compare", "--stability", systems=2).splitlines()]
    [head] = [line for line in lines if line[:3] == ["tolerance", "pairing", "unplaceable"]]
    for tolerance, pairing, *rest in (line for line in lines if len(line) > 3):
        policies = [word for word in rest if word in POLICIES]
        if (tolerance, pairing) == (out.case.tolerance, "word") and out.case.policy in policies:
            return {ALL: {"SER": rest[len(policies) :][head.index(out.case.system) - 3]}}
    return {}


def _is_asked(out: Outputs, row) -> bool:
    asked = (out.case.tolerance, "word", out.case.policy)
    return asked == (row["tolerance"], row["pairing"], row["unplaceable"])


def stability_json(out: Outputs) -> Rows:
    [condition] = out.json("compare", "--stability", systems=2)["conditions"]
    assert _is_asked(out, condition["asked"])
    [row] = [row for row in condition["criteria"] if _is_asked(out, row)]
    cost = condition["credit"][out.case.system]["word"]
    return {ALL: {"ser": row["systems"][out.case.system], "cost": Fraction(str(cost))}}


def stability_csv(out: Outputs) -> Rows:
    rows = out.csv("compare", "--stability", systems=2)
    [row] = [row for row in rows if _is_asked(out, row) and row["system"] == out.case.system]
    counts = {name: Fraction(row[name]) for name in ("cost", "Ref")}
    return {ALL: {"ser": float(row["ser"]), **counts}}


# --- between annotators ---------------------------------------------------------------------------


def agreement_text(out: Outputs) -> Rows:
    """Its F, which is F1 where the mapping's pairs are all exact pairs."""
    rows: Rows = {}
    head, *lines = out.text("agreement").splitlines()
    columns = head.split()
    for line in lines:
        name, *cells = line.rsplit(maxsplit=len(columns)) or [""]
        if len(cells) == len(columns):
            found = dict(zip(columns, cells, strict=True))
            sides = {"Ref": int(found["A"]), "Hyp": int(found["B"])}
            row = ("label", name) if rows else ALL
            rows[row] = {**sides, "C": int(found["correct"]), "F shown": found["F"]}
    return rows


def agreement_json(out: Outputs) -> Rows:
    found = out.json("agreement")
    rows = {ALL: found, **{("label", label): row for label, row in found["labels"].items()}}
    names = {"A": "Ref", "B": "Hyp", "correct": "C"}
    return {
        name: {"F": row["F"], **{names[key]: row["counts"][key] for key in names}}
        for name, row in rows.items()
    }
