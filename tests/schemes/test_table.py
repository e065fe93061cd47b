"""The table of schemes: one record a scheme agrees with its module, the search and the README."""

import re

from paths import ROOT

from sereval.schemes.table import (
    TABLE,
)


def test_the_documents_have_the_table():
    """docs/reference/schemes/schemes.md lists all that a record says of a scheme."""
    text = (ROOT / "docs" / "reference" / "schemes" / "schemes.md").read_text("utf-8")
    found = re.findall(r"^\| \[`([\w-]+)`\]\([\w./#-]+\) \| (.*) \|$", text, re.MULTILINE)
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
