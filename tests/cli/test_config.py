"""Settings in a file, and what a shell is told of the command line."""

import pytest
from click.shell_completion import ShellComplete, get_completion_class

from sereval.cli import cli

# --- completion ----------------------------------------------------------------------------------


def completed(words, incomplete):
    """What a shell offers: values and their types."""
    complete = ShellComplete(cli, {}, "sereval", "_SEREVAL_COMPLETE")
    return {item.value: item.type for item in complete.get_completions(words.split(), incomplete)}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(shell):
    """There is a script for each shell, and it asks sereval."""
    script = get_completion_class(shell)(cli, {}, "sereval", "_SEREVAL_COMPLETE")
    source = script.source_template % script.source_vars()

    assert "_SEREVAL_COMPLETE" in source
    assert "sereval" in source


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        ("", "do", {"doctor": "plain"}),
        ("score", "--toler", {"--tolerance": "plain"}),
        ("score --missing", "e", {"error": "plain", "empty": "plain"}),
        ("score", "da", {"da": "file"}),
        ("score --align", "da", {"da": "file"}),
        ("", "--conf", {"--config": "plain"}),
    ],
)
def test_completion(words, incomplete, expected):
    """Commands, options and choices are completed, paths by the shell."""
    assert expected == completed(words, incomplete)
