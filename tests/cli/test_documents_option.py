"""`--documents`: a part of a larger reference, in every command that scores."""

import json

import pytest
from cli_files import put

WORDS = "<loc> Dol </loc> à <pers> Ada </pers>\n"
COMMANDS = {
    "score": "score ref hyp",
    "measures": "score ref hyp --measure SER,WER,entity-WER",
    "conll": "score ref hyp --scheme conll",
    "compare": "compare ref hyp --resamples 5",
    "sweep": "sweep ref hyp --align t --words t --tolerance 0,0.1",
    "blame": "blame ref hyp hyp --by text --resamples 5",
}


@pytest.fixture
def here(here):
    """Three documents in the reference, two in the hypothesis, one of them bad."""
    for name in ("a", "b", "c"):
        put(f"ref/{name}.ne", WORDS)
        put(f"t/{name}.ctm", f"{name} 1 0 0.2 Dol\n{name} 1 0.2 0.2 à\n{name} 1 0.4 0.2 Ada\n")
    put("hyp/a.ne", WORDS)
    put("hyp/b.ne", "<loc> Dol </loc> à Ada\n")
    put("list.txt", "b\n\n a \n")
    return here


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_part_is_scored(here, run, command):
    """Without it the hypothesis lacks a document; a file and ids give one report."""
    status, out, err = run(command)
    assert (1, "") == (status, out)
    assert "documents of the reference without a hypothesis: 1 of 3 (c)" in err
    status, out, err = run(f"{command} --documents a,b --format json")
    assert (0, "") == (status, err)
    _, of_file, _ = run(f"{command} --documents list.txt --format json")
    ours, theirs = json.loads(out), json.loads(of_file)
    assert ours.pop("provenance")["options"] != theirs.pop("provenance")["options"]
    assert ours == theirs
    assert "|documents:2-" in out


def test_what_is_left_out_is_not_read(here, run):
    """The other documents may hold errors."""
    put("ref/c.ne", "<loc> Dol\n")
    assert 0 == run("score ref hyp --documents a --align t --words t --tolerance 0.1")[0]
