"""The published schemas as checks: reports in JSON that tests see are held to them."""

import json
from functools import cache

import jsonschema

from sereval.report.schemas import COMMANDS, schema

LARGEST = 100_000
"""Number of characters above which a report is not held to its schema: jsonschema is slow, and the
parts of a large report have the forms of those of a small one."""


@cache
def validator(name):
    """The validator of the reports of a command."""
    return jsonschema.Draft202012Validator(schema(name))


def faults(name, report):
    """Where a report differs from the schema of its command, as text; empty if nowhere."""
    found = validator(name).iter_errors(report)
    return [f"{list(one.absolute_path)}: {one.message[:300]}" for one in found]


def check_output(words, out):
    """Hold what a command wrote on standard output to its schema, if it is a report in JSON.

    Args:
        words: the command line after the name of the program.
        out: what it wrote.
    """
    name = next((word for word in words if word in COMMANDS), None)
    asked = [
        word.partition("=")[2] or after
        for word, after in zip(words, [*words[1:], ""], strict=True)
        if word in ("-f", "--format") or word.startswith("--format=")
    ]
    if name is None or not out or asked[-1:] not in (["json"], ["jsonl"]):
        return
    are_lines = asked == ["jsonl"] or name == "project"
    reports = out.rstrip("\n").split("\n") if are_lines else [out]
    for report in reports:
        if len(report) > LARGEST:
            continue
        assert faults(name, json.loads(report)) == []
