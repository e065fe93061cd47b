"""Tables of what tests try and of what they expect, in TOML files beside the tests."""

import tomllib
from pathlib import Path


def tables(test):
    """The tables of a test file by their names; an array is a tuple.

    Args:
        test: the path of the test file, beside which a file of the same name ends in ``.toml``.
    """
    return as_tuples(tomllib.loads(Path(test).with_suffix(".toml").read_text("utf-8")))


def as_tuples(value):
    """A value of a table."""
    if isinstance(value, dict):
        return {name: as_tuples(one) for name, one in value.items()}
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value
