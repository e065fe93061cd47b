"""Scores of whole command lines, from files to JSON, with figures computed by hand.

``sereval/cases`` has the sessions; ``python tests/support/golden.py`` rewrites what they print, but
never the figures.
"""

import json
import shlex
from fractions import Fraction

import pytest
from paths import CASES
from sessions import by_hand

from sereval.cli.prove import CASES as PACKAGED
from sereval.schemes.table import schemes_that_count

LINES = by_hand(PACKAGED)
LISTS = schemes_that_count("lists")


def exact(text):
    """A rate as written by hand, ``1.5/3``; ``None`` for ``undefined``."""
    if text == "undefined":
        return None
    cost, _, slots = text.partition("/")
    return float(Fraction(cost) / Fraction(slots or 1))


def computed(figures):
    """Figures of a line of ``args``; a class that it does not name has no slot."""
    zero = dict.fromkeys(("C", "S_S", "S_T", "S_ST", "D", "I", "unplaceable"), 0)
    counts = zero | {name: float(n) for name, n in figures.items() if name not in ("exact", "ser")}
    return counts, int(figures["exact"]), exact(figures["ser"])


def counted(figures):
    """What the figures of another scheme count, such as ``type.COR``; what is 0 is not named."""
    return {
        f"{name}.{count}": figure[count]
        for name, figure in figures.items()
        for count in ("COR", "INC", "PAR", "MIS", "SPU")
        if figure[count]
    }


def test_there_are_cases():
    """Cases are found, each with one command or more."""
    assert len({case.session for case in LINES}) >= 40


@pytest.mark.parametrize("case", LINES, ids=lambda case: f"{case.session}: {case.line}")
def test_case(case, monkeypatch, run):
    """Every command gives the figures computed by hand."""
    monkeypatch.chdir(CASES / case.session)
    status, out, _ = run("", *shlex.split(case.line), "--format", "json")
    report, expected = json.loads(out), dict(case.figures)
    assert status == 0
    figures = {row["figure"]: row for row in report.get("figures", ())}
    if "total" in report:  # of templates
        total = report["total"] | {"f": report["total"]["f1"]}
        assert {name: exact(text) for name, text in expected.items()} == {
            name: total[name] for name in expected
        }
    elif "measures" in report:
        values = {row["measure"]: row["value"] for row in report["measures"]}
        assert {name: exact(text) for name, text in expected.items()} == values
    elif report["signature"].partition("|")[0] in LISTS:
        named = {name: name.split(".") for name in expected}
        values = {name: figures[one][key] for name, (one, key) in named.items()}
        assert {name: pytest.approx(exact(text)) for name, text in expected.items()} == values
    elif figures:
        accuracy = expected.pop("accuracy", None)
        rates = {name: expected.pop(name) for name in list(expected) if name.endswith(".f1")}
        found = {name: figures[name[:-3]]["f1"] for name in rates}
        assert {name: exact(text) for name, text in rates.items()} == found
        assert {name: int(n) for name, n in expected.items()} == counted(figures)
        tokens = report["tokens"] or {"accuracy": None}
        assert (accuracy and exact(accuracy)) == tokens["accuracy"]
    else:
        found, (counts, *rest) = report["counts"], computed(expected)
        named = {name: found[name] for name in counts}
        assert (named, found["exact"], found["ser"]) == (counts, *rest)
