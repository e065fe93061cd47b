"""The table of schemes: one record a scheme agrees with its module, the search and the README."""

import re
from importlib import import_module

import pytest
from paths import ROOT

from sereval.evaluation.settings import SEARCHES, Settings
from sereval.schemes import evalita, mitre, oi, semeval
from sereval.schemes.table import (
    MAPPINGS,
    SCHEMES,
    TABLE,
    schemes_that_count,
    schemes_with,
)


def test_schemes_have_names_of_their_own():
    """No two records have one name."""
    assert len(TABLE) == len(SCHEMES)


def test_schemes_of_slots_are_those_of_the_search():
    """The schemes that count slots are those for which a mapping can be searched."""
    assert tuple(SEARCHES) == schemes_that_count("slots")
    assert Settings().scheme == TABLE[0].name


@pytest.mark.parametrize("scheme", TABLE, ids=lambda scheme: scheme.name)
def test_each_scheme_has_code(scheme):
    """The module of a scheme is there, and has the function that the record names."""
    module, _, function = scheme.code.partition(":")
    assert callable(getattr(import_module(f"sereval.schemes.{module}"), function))


def test_names_are_those_of_the_modules():
    """What the command line offers without loading a scheme is what the scheme has."""
    assert SCHEMES["semeval2013"].figures == tuple(semeval.REGIMES)
    assert SCHEMES["oi"].figures == tuple(oi.FIGURES)
    assert SCHEMES["evalita2011"].figures == tuple(evalita.FIGURES)
    assert MAPPINGS == tuple(mitre.MAPPINGS)
    assert Settings().mapping == MAPPINGS[0]


def test_an_option_that_no_scheme_names_has_a_part_in_all():
    """Labels and workers are for every scheme; costs are for those that have some."""
    assert schemes_with("level") == schemes_with("jobs") == tuple(SCHEMES)
    assert schemes_with("costs") == ("quaero", "quaero-lne")


def test_the_readme_names_the_schemes():
    """The README names every scheme, in the order of the table."""
    text = (ROOT / "README.md").read_text("utf-8").partition("`--scheme` takes ")[2]
    found = re.findall(r"`([\w-]+)`", text.partition(".")[0])
    assert [one.name for one in TABLE] == found


def test_the_documents_have_the_table():
    """docs/reference/schemes/schemes.md lists all that a record says of a scheme."""
    text = (ROOT / "docs" / "reference" / "schemes" / "schemes.md").read_text("utf-8")
    found = re.findall(r"^\| \[`([\w-]+)`\]\([\w./-]+\.md\) \| (.*) \|$", text, re.MULTILINE)
    expected = [
        (
            one.name,
            " | ".join(
                [one.description, one.words, one.mapping, ", ".join(one.figures), one.source]
            ),
        )
        for one in TABLE
    ]
    assert expected == found
