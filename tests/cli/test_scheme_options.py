"""Schemes on the command line: what belongs to which, and what nobody may overlook."""

import pytest
from cli_files import put

COLUMNS = "il O\ndi O\nDavide B-PER\nRebellin I-PER\n"


@pytest.fixture
def columns(here):
    """Two column files of one document each, and a reference with a word that is not heard."""
    put("a.iob", COLUMNS)
    put("b.iob", COLUMNS.replace("I-PER", "O"))
    put("ref/d.ne", "serie <org> A </org> o <org> B </org> di calcio\n")
    put("hyp/d.ne", "serie <org> A </org> o di calcio\n")
    return here
