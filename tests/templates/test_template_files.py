"""Templates: the notation that is read, and the command that scores them."""

import pytest
from paths import CASES
from tables import tables

from sereval.errors import InputError
from sereval.templates.reader import read_templates

TABLES = tables(__file__)


# --- the notation ---------------------------------------------------------------------------------


WRONG = [
    *TABLES["wrong"],
    ("ORG_NAME: x", 1, "found 'ORG_NAME: x', expected: a template file begins", True),
]


@pytest.mark.parametrize(("text", "line", "message", "key"), WRONG)
def test_what_is_refused(text, line, message, key, tmp_path):
    """What a file cannot say is refused with its line, in one line."""
    file = tmp_path / "k"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_templates(str(file), key=key)
    assert message in str(caught.value)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


# --- the command line -----------------------------------------------------------------------------


def test_text(run, monkeypatch):
    """The text has the listing of figure 3, its counts and its rates."""
    monkeypatch.chdir(CASES / "kehler_figure_3")
    status, out, err = run("templates key.muc response.muc")
    assert (status, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["cor", "POST", '"CEO"', '"CEO"'] in lines
    assert ["mis", "ORG_ALIAS", '"STAR"'] in lines
    assert ["spu", "ORG_LOCALE", "WHAMPOA"] in lines
    assert ["all", "8", "3", "4", "2", "15", "13", "61.54", "53.33", "57.14"] in lines
    _, short, _ = run("templates key.muc response.muc --no-listing")
    assert out.endswith(short)
    assert "WHAMPOA" not in short
