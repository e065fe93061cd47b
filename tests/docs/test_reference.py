"""The reference pages have every command, option and column of the program."""

import re

import pytest
import reference
from paths import ROOT

from sereval.cli import COMMANDS
from sereval.evaluation import report
from sereval.schemes import result as schemes

pytestmark = pytest.mark.check

REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def pages():
    """The text of each reference page as the site has it, by its path below docs/reference."""
    return {
        str(path.relative_to(REFERENCE)): reference.on_page_markdown(path.read_text("utf-8"))
        for path in REFERENCE.rglob("*.md")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_page(name, pages):
    """The page of a command has each of its options, or a link to what it is in all commands."""
    page = pages[f"commands/{reference.page_of(name)}".partition("#")[0]]
    for option in reference.options_of(reference.all_commands()[name]):
        anchor = f"{{ #{option.opts[-1].strip('-')} }}"
        linked = f"(../{reference.OPTIONS_PAGE}#{option.opts[-1].strip('-')})"
        assert anchor in page or linked in page and anchor in pages[reference.OPTIONS_PAGE]


def test_commands_are_listed(pages):
    """The list of commands leads to the page of each."""
    listed = re.findall(
        r"^\| \[`(\w+)`\]\((?:\1\.md|\w+\.md#\1)\)", pages["commands/index.md"], re.M
    )
    assert set(COMMANDS) == set(listed)


def test_no_mark_is_left(pages):
    """Each mark is one that the site fills."""
    texts = [path.read_text("utf-8") for path in REFERENCE.rglob("*.md")]
    marks = {mark for text in texts for mark in re.findall(r"<!-- (\w+)", text)}
    assert marks == {*reference.FILLS, *reference.WRITERS, "end"}
    left = {mark for text in pages.values() for mark in re.findall(r"<!-- (\w+)", text)}
    assert left == {*reference.WRITERS, "end"}


def test_columns(pages):
    """Each column of a score stands on the page of measures."""
    found = [*report.COUNTS, *schemes.FIGURES, *schemes.LISTS, *schemes.ERRORS]
    assert [] == [one.name for one in found if f"`{one.name}`" not in pages["measures.md"]]
