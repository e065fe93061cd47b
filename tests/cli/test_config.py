"""Settings in a file, and what a shell is told of the command line."""

import json

import pytest
from cli_files import put
from click import Context
from click.shell_completion import ShellComplete, get_completion_class

from sereval.cli import COMMANDS, cli, completion

SETTINGS = """
tolerance = 0.3
align = "times"
words = "times"

[score]
unplaceable = "miss"

[audit]
unplaceable = "merge"
"""


@pytest.fixture
def here(here):
    """A folder with both sides of a document; times and settings in a folder of their own."""
    for side in ("ref", "hyp"):
        put(f"{side}/d.ne", "<a> one </a> two")
    put("campaign/times/d.ctm", "d 1 0.0 0.4 one\nd 1 0.5 0.4 two\n")
    put("campaign/sereval.toml", SETTINGS)
    return here


def test_report_says_settings(here, run):
    """What came from a file is among the options that a report keeps."""
    _, out, _ = run("--config campaign/sereval.toml score ref hyp --format json")
    kept = json.loads(out)["provenance"]

    assert ["--tolerance", "0.3", "--unplaceable", "miss"] == kept["options"]
    assert "d.ctm" in kept["inputs"]["align"][0]["files"]


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


def test_script_is_printed(run, monkeypatch, capsysbinary):
    """The variable makes the program print the script, and do nothing else."""
    monkeypatch.setenv("_SEREVAL_COMPLETE", "zsh_source")
    with pytest.raises(SystemExit) as done:
        run("")

    assert 0 == done.value.code
    assert b"#compdef sereval" in capsysbinary.readouterr().out


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


def test_an_unknown_command_has_no_options_of_its_own():
    """After a name that no command has, only the options of the program are offered."""
    assert completed("", "--") == completed("scores", "--")


def test_every_path_is_completed():
    """Each option that names what is read or written, and each argument, is a path to a shell."""
    texts = [
        f"{name} {parameter.opts[-1]}"
        for name in COMMANDS
        for parameter in cli.get_command(Context(cli), name).params
        if any(word in (parameter.metavar or "") for word in ("FILE", "TIMES", "DIR"))
        if parameter.type.name != "path"
    ]

    assert [] == texts
