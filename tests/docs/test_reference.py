"""The reference pages have every command, option, column and message of the program."""

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest
from paths import ROOT, TESTS

import sereval.report
from sereval.cli import COMMANDS
from sereval.report.columns import Column
from sereval.runs.arguments import in_python

pytestmark = pytest.mark.check

REFERENCE = ROOT / "docs" / "reference"
SYSTEM = re.compile(
    r"No such file|Is a directory|unknown encoding|is not one of|Missing|settings of|wrote "
)
"""Messages of the operating system and of click, and a line made of options."""


@pytest.fixture(scope="module")
def pages(made):
    """The text of each reference page as the site has it, by its path below docs/reference."""
    reference, _ = made
    return {
        str(path.relative_to(REFERENCE)): reference.on_page_markdown(path.read_text("utf-8"))
        for path in REFERENCE.rglob("*.md")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_page(name, made, pages):
    """The page of a command has each of its options with its whole help, linked to its entry."""
    reference, _ = made
    command = reference.all_commands()[name]
    page = pages[f"commands/{name}.md"]
    assert f"sereval {name} " in page
    for option in reference.options_of(command):
        assert f"](../options.md#{reference.anchor(option)})" in page
        assert reference.prose(option.help) in page
        assert f"{{ #{reference.anchor(option)} }}" in pages["options.md"]


def test_commands_are_listed(pages):
    """The list of commands leads to the page of each."""
    listed = re.findall(r"^\| \[`(\w+)`\]\(\1\.md\)", pages["commands/index.md"], re.M)
    assert set(COMMANDS) == set(listed)


def test_no_mark_is_left(made, pages):
    """Each mark is one that the site fills."""
    reference, _ = made
    assert [] == [name for name, text in pages.items() if "<!--" in text]
    texts = [path.read_text("utf-8") for path in REFERENCE.rglob("*.md")]
    marks = {mark for text in texts for mark, _ in reference.MARK.findall(text)}
    assert marks == set(reference.FILLS)


def columns():
    """The headings of all columns that reports declare."""
    for module in iter_modules(sereval.report.__path__, "sereval.report."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, tuple):
                yield from (one for one in value if type(one) is Column)


def test_columns(pages):
    """Each heading stands on the page of columns, and the keys of JSON where they differ."""
    found = {*columns()}
    text = pages["columns.md"]
    assert len(found) > 30
    assert [] == [one.name for one in found if f"`{one.name}`" not in text]


def pattern(message):
    """What a message looks like when its values stand in it."""
    return ".*?".join(map(re.escape, re.split(r"‹[^›]*›|…", message.text)))


def test_messages(made):
    """Each message that a session of the command line shows is one of the list."""
    _, messages = made
    listed = re.compile("|".join(pattern(one) for one in messages.messages()))
    sessions = sorted((TESTS / "cli" / "sessions").glob("*.txt"))
    said = [
        line
        for path in sessions
        for line in path.read_text("utf-8").splitlines()
        if line.startswith(("! sereval: ", "! Error: "))
    ]
    assert len(said) > 100
    assert [] == [line for line in said if not listed.search(line) and not SYSTEM.search(line)]


def test_folders_of_messages(made):
    """Each folder of the package has its title, so that no message is passed over."""
    _, messages = made
    folders = {path.name for path in messages.PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders - {"grammars"} | {"errors"} == set(messages.TITLES)  # there once installed


def test_messages_in_python(made):
    """Functions of Python speak of arguments; an option is named in a quoted command only."""
    _, messages = made
    option = re.compile(r"(?<![\w-])--[a-z-]+")
    texts = [one.text for one in messages.messages() if not one.module.startswith("cli.")]
    assert sum(bool(option.search(text)) for text in texts) > 20
    assert {"--format"} == {name for text in texts for name in option.findall(in_python(text))}
