"""Which program wrote a file in JSON: all keys of its first object say so, however long it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.formats import read
from sereval.formats.find import first_keys


def put(path, value, **how):
    path.write_text(json.dumps(value, **how), "utf-8")
    return path


# --- keys ----------------------------------------------------------------------------------------


SCALARS = st.none() | st.integers() | st.text('"\\{}[]:, a', max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab:"), inner)
)
OBJECTS = st.dictionaries(st.text("abc{[:", max_size=3), VALUES, max_size=4)


@pytest.mark.check
@given(OBJECTS, st.booleans(), st.sampled_from([None, 2]))
def test_keys_of_the_first_object(value, is_list, indent):
    """They are those that a parser finds, and a second time where objects are listed."""
    text = json.dumps([value, {"z": 1}] if is_list else value, indent=indent)
    lists = {
        f"{key}[{{"
        for key, found in value.items()
        if isinstance(found, list) and found[:1]
        if isinstance(found[0], dict)
    }

    assert ({*value} | lists, True) == first_keys(text)


@pytest.mark.check
@given(OBJECTS, st.data())
def test_keys_of_a_beginning(value, data):
    """A text that is cut says so, and has no key that the whole has not."""
    text = json.dumps(value)
    keys, _ = first_keys(text)
    cut = data.draw(st.integers(1, len(text) - 1))
    found, is_whole = first_keys(text[:cut])

    assert found <= keys
    assert not is_whole


def test_escapes_are_passed_over_once():
    """A string of escaped quotes without an end costs no more than its length."""
    text = '{"a": 1, "text": "' + '\\"' * 10**6

    assert first_keys(text) == ({"a", "text"}, False)


@pytest.mark.parametrize("text", ["", "Dol", "  \ufeff", "Dol {", "<a>"])
def test_no_json(text):
    """What begins with no bracket has no keys, and nothing more of it need be read."""
    assert first_keys(text) == (set(), True)


@pytest.mark.parametrize("long", ["é" * 600_000, '"' * 600_000, "\\" * 600_000])
def test_keys_after_a_long_text(long, tmp_path):
    """A file is told by keys that come after a text longer than what is read at first."""
    value = {"text": f"Dol {long}", "entities": [[0, 3, "loc"]]}
    [document] = read(put(tmp_path / "d.jsonl", value, ensure_ascii=False))

    assert document.words[0] == "Dol"
    assert [str(element) for element in document.elements] == ["loc [0, 1)"]
