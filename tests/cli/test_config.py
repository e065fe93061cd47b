"""Settings in a file, and what a shell is told of the command line."""

import pytest
from click import Context
from click.shell_completion import ShellComplete, get_completion_class

from sereval.cli import COMMANDS, cli, completion

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
        ("check --grammar", "quaero-p", {"quaero-press": "plain", "quaero-p": "file"}),
        ("", "--conf", {"--config": "plain"}),
    ],
)
def test_completion(words, incomplete, expected):
    """Commands, options, choices and bundled grammars are completed, paths by the shell."""
    found = completed(words, incomplete)
    assert expected == found
    assert "file" not in [*found.values()][1:]  # bash forgets what came before it


@pytest.mark.parametrize("name", COMMANDS)
def test_a_completion_offers_what_the_command_has(name):
    """Without the command's module, a shell is told the same options and values in each place."""

    def offered(command):
        """The options with their help, then the values of each parameter."""
        context = Context(command, info_name=name, resilient_parsing=True)
        options = [vars(item) for item in command.shell_complete(context, "-")]
        values = [
            [vars(item) for item in one.shell_complete(context, start)]
            for one in command.get_params(context)
            for start in ("", "t", "-")
        ]
        return options, values

    assert offered(cli.get_command(Context(cli), name)) == offered(completion.command(name))
