"""Input and outputs that a command line refuses, each in one line."""

import os

import pytest
from cli_files import HYPOTHESIS, everything, put
from paths import DATA
from sessions import SESSIONS, arguments, file_of, sessions, shown

REFUSED = sessions(SESSIONS / "refused.txt")
EMPTY = (
    "the file is empty, expected words, with or without tags; "
    'a document without words is written in native JSON, with "words": []'
)
OTHER_BYTES = {  # of a hypothesis
    b" \n\n": f"hyp/show.ne: {EMPTY}",
    HYPOTHESIS.encode("latin-1"): (
        "hyp/show.ne:1: found byte 0xe0 at offset 0, expected utf-8; is it in another encoding?"
    ),
}


@pytest.fixture
def refuse(here, run):
    """Runs a command that is refused: nothing is printed, written or left behind."""

    def refuse(command, expected):
        put("kept.json", "an older result\n")
        before = everything(here)
        for output in ("", "-o new.json", "--format json -o kept.json"):
            assert expected == shown(*run("", *arguments(f"{command} {output}")))
        assert before == everything(here)

    return refuse


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input(name, refuse):
    """Bad input is one line on stderr and status 1, wherever the result should go."""
    *files, command = REFUSED[name]
    for file in files:
        put(*file_of(file))
    refuse(command.text, command.shown)


@pytest.mark.parametrize("data", OTHER_BYTES)
def test_other_bytes(data, files, refuse):
    """So are bytes that are no text, and text that has no word."""
    put("hyp/show.ne", data)
    refuse("score ref hyp", [f"! sereval: {OTHER_BYTES[data]}", "[1]"])


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_output_in_a_folder_without_permission(files, run):
    """An output folder that may not be written to is named with the reason."""
    os.mkdir("locked", mode=0o500)
    expected = (1, "", "sereval: locked/result.txt: Permission denied\n")
    assert run("score ref hyp -o locked/result.txt") == expected


def test_two_policies_of_one_choice(run):
    """``--read`` takes one policy of each choice; the same one twice is one."""
    ref = DATA / "ref"
    status, out, err = run("stats --read marks=keep --read marks=hub4", ref)
    assert (status, out) == (2, "")
    assert "found marks=keep and marks=hub4, expected one of them" in err
    once, twice = (run("stats", *["--read", "marks=strip"] * times, ref) for times in (1, 2))
    assert once[0] == 0
    assert once == twice
