"""Which program wrote a file in JSON: all keys of its first object say so, however long it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.formats.find import first_keys

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
