"""The two ways of the CTM reader: a block of lines at once, and line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sereval.errors import InputError
from sereval.formats import rows
from sereval.formats.file import File

TIMES = ["0.53", "0.530", "12.5", "1", "1e1", "0.0005", "-0.1", "x", "123456789.5"]
WORDS = ["Dol", "l'été", "@", "<ALT_BEGIN>", "<ALT>", "<ALT_END>", "7"]
OTHERS = ["", "", " 0.9", " NA", " 0.98765 lex A", " much", " a b c d", " # é"]

odd = st.builds(
    "{} {} {} {} {}{}{}".format,
    st.sampled_from(["jfk", "jfk", "jfk", "dol", ";;x"]),
    st.sampled_from(["1", "1", "1", "A"]),
    st.sampled_from(TIMES[:3]) | st.sampled_from(TIMES),
    st.sampled_from(TIMES[:3]) | st.sampled_from(TIMES),
    st.sampled_from(WORDS[:2]) | st.sampled_from(WORDS),
    st.sampled_from(OTHERS[:4]) | st.sampled_from(OTHERS),
    st.sampled_from(["", "", "\r", " ", "\u2003"]),
)
plain = st.builds("jfk 1 {} {} Dol".format, st.sampled_from(TIMES[:3]), st.sampled_from(TIMES[:2]))
group = st.sampled_from(
    ["jfk 1 * * <ALT_BEGIN>\njfk 1 0 1 a\njfk 1 * * <ALT>\njfk 1 0 1 b\njfk 1 * * <ALT_END>"]
)
lines = st.one_of(plain, plain, plain, group, st.sampled_from(["", ";; asr", " \t"]), odd)


def read(text):
    """The documents of a CTM with their lines, times and notes, or the message about it."""
    try:
        return [
            (line, document, document.notes)
            for line, document in rows.read_ctm(File("a", text=text))
        ]
    except InputError as error:
        return str(error)


@given(st.lists(lines, max_size=12), st.integers(1, 5), st.sampled_from(["", "\n", "\n\n"]))
def test_blocks_are_read_as_their_lines(written, size, end):
    """A file has the documents, or the message, that it has when it is read line by line."""
    text = "\n".join(written) + end
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "BLOCK", size)
        at_once = read(text)
        patch.setattr(rows, "_add_block", lambda *_: False)
        assert read(text) == at_once


def test_plain_lines_are_read_at_once(monkeypatch):
    """No plain line is read by itself, whatever its channel, its confidence or its line end."""
    monkeypatch.delattr(rows, "_add_row")
    text = "".join(f"s{k // 3} A {k}.{k % 100:02d} 0.125 w{k} 0.5{k} lex\r\n" for k in range(600))
    found = [*rows.read_ctm(File("a", text=text))]

    assert [(1 + 3 * k, f"s{k}") for k in range(200)] == [(line, one.id) for line, one in found]
    assert [f"w{k}" for k in range(600)] == [word for _, one in found for word in one.words]
    assert found[-1][1].times[-1] == (599_990, 600_115)
