"""The published schemas as checks: every report in JSON that a test sees is held to its own."""

import json
from functools import cache

import jsonschema

from sereval.report.schemas import SCHEMAS, schema


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
    name = next((word for word in words if word in SCHEMAS), None)
    asked = [
        word.partition("=")[2] or after
        for word, after in zip(words, [*words[1:], ""], strict=True)
        if word in ("-f", "--format") or word.startswith("--format=")
    ]
    if name is None or not out or asked[-1:] not in (["json"], ["jsonl"]):
        return
    reports = out.rstrip("\n").split("\n") if asked == ["jsonl"] else [out]
    for report in reports:
        assert faults(name, json.loads(report)) == []
