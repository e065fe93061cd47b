"""Templates: what is scored where a file is empty, and which criterion an option stands for."""

import json
from pathlib import Path

import pytest
from paths import TESTS


@pytest.fixture
def figure_3(here):
    """The folder of a key, its response, and files without a template."""
    for name in ("key.muc", "response.muc"):
        Path(name).write_bytes((TESTS / "templates" / "figure_3" / name).read_bytes())
    Path("empty.muc").write_text("")
    Path("blank.muc").write_text("\n \n")


def counts(out):
    return {name: n for name, n in json.loads(out)["counts"].items() if name not in ("POS", "ACT")}


@pytest.mark.parametrize("name", ["empty.muc", "blank.muc"])
def test_an_empty_response(run, figure_3, name):
    """A system that found nothing writes an empty file: all of the key is missing."""
    status, out, err = run(f"templates key.muc {name} --missing empty --format json")
    assert (status, err) == (0, "")
    assert {"COR": 0, "INC": 0, "MIS": 15, "SPU": 0} == counts(out)
    assert json.loads(out)["notes"] == ["Documents in the key only: 1."]


def test_an_empty_key(run, figure_3):
    """Where the key has no template all of the response is spurious."""
    status, out, _ = run("templates empty.muc response.muc --missing empty --format json")
    assert status == 0
    assert {"COR": 0, "INC": 0, "MIS": 0, "SPU": 13} == counts(out)


def test_an_empty_response_has_to_be_asked_for(run, figure_3):
    """Without the option the refusal says that there is no template, and names the option."""
    assert run("templates key.muc empty.muc") == (
        1,
        "",
        "sereval: no template in the response: document 024 has no response, expected one with "
        "the same id; --missing empty counts it as one without templates\n",
    )


def test_an_empty_file_beside_others(run, figure_3):
    """In a folder an empty file has no document, and the others are scored."""
    Path("folder").mkdir()
    Path("folder/a.muc").write_bytes(Path("response.muc").read_bytes())
    _, expected, _ = run("templates key.muc response.muc --no-listing")
    Path("folder/b.muc").write_text("")
    assert run("templates key.muc folder --no-listing") == (0, expected, "")


def test_nothing_at_all(run, figure_3):
    """Two empty files are no score, and an empty key has no values to count."""
    status, out, err = run("templates empty.muc blank.muc --missing empty")
    assert (status, out) == (1, "")
    assert err == "sereval: no template in key and response, expected some in one of them\n"
    status, out, err = run("templates empty.muc --entropy")
    assert (status, out) == (1, "")
    assert err == "sereval: empty.muc: no template found, expected at least one\n"


def test_slots_of_low_entropy_stand_for_their_criterion(run, figure_3):
    """Who names slots of low entropy, and no criterion, is given the one that has them."""
    _, expected, _ = run("templates key.muc response.muc --low-entropy A --criterion restrictive")
    assert run("templates key.muc response.muc --low-entropy A") == (0, expected, "")
    assert "criterion:restrictive|low:A|" in expected


def test_slots_of_low_entropy_beside_the_other_criterion(run, figure_3):
    """A criterion that is named is kept: the slots have no effect then, and a note says so."""
    named = "templates key.muc response.muc --criterion standard --format json"
    _, expected, _ = run(named)
    status, out, err = run(f"{named} --low-entropy A,B")
    assert (status, err) == (0, "")
    found, plain = json.loads(out), json.loads(expected)
    assert found["counts"] == plain["counts"]
    assert found["signature"] == plain["signature"]
    assert found["notes"] == [
        "Slots of low entropy were given, and have no part in the criterion standard: A, B."
    ]
