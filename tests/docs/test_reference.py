"""The reference pages have every command, option and column of the program."""

import re

import pytest
from paths import ROOT

from sereval.cli import COMMANDS
from sereval.evaluation import report
from sereval.schemes import result as schemes

pytestmark = pytest.mark.check

REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def pages(made):
    """The text of each reference page as the site has it, by its path below docs/reference."""
    return {
        str(path.relative_to(REFERENCE)): made.on_page_markdown(path.read_text("utf-8"))
        for path in REFERENCE.rglob("*.md")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_page(name, made, pages):
    """The page of a command has each of its options with its whole help, linked to its entry."""
    command = made.all_commands()[name]
    page = pages[f"commands/{made.page_of(name)}".partition("#")[0]]
    assert f"sereval {name} " in page
    for option in made.options_of(command):
        assert f"](../options.md#{made.anchor(option)})" in page
        assert made.prose(option.help) in page
        assert f"{{ #{made.anchor(option)} }}" in pages["options.md"]


def test_commands_are_listed(pages):
    """The list of commands leads to the page of each."""
    listed = re.findall(
        r"^\| \[`(\w+)`\]\((?:\1\.md|\w+\.md#\1)\)", pages["commands/index.md"], re.M
    )
    assert set(COMMANDS) == set(listed)


def test_no_mark_is_left(made, pages):
    """Each mark is one that the site fills."""
    assert [] == [name for name, text in pages.items() if "<!--" in text]
    texts = [path.read_text("utf-8") for path in REFERENCE.rglob("*.md")]
    marks = {mark for text in texts for mark, _ in made.MARK.findall(text)}
    assert marks == set(made.FILLS)


def test_columns(pages):
    """Each column of a score stands on the page of measures."""
    found = [*report.COUNTS, *schemes.FIGURES, *schemes.LISTS, *schemes.ERRORS]
    assert [] == [one.name for one in found if f"`{one.name}`" not in pages["measures.md"]]
