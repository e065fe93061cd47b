"""Marks of HUB-4: what is kept, what is counted, and times of segments."""

from hypothesis import given
from hypothesis import strategies as st

from sereval.formats.build import Notes
from sereval.formats.file import File, ReadingOptions
from sereval.formats.inline import Marks, read_sgml

PLAIN = ["and", "New", "York,", "12%", "AT&T", "I'm", "--", "F.B.I.", "long-term"]
MARKED = {  # a text with marks, and the words that are left
    "{breath}": [],
    "{he laughs loudly}": [],
    "[[music]]": [],
    "[door_slam/]": [],
    "[/door_slam]": [],
    "(( ))": [],
    "(())": [],
    "((unclear speech))": ["unclear", "speech"],
    "((^Newt {cough}))": ["Newt"],
    "#at once#": ["at", "once"],
    "**unbeknowable**": ["unbeknowable"],
    "*poodleish": ["poodleish"],
    "+probably+": ["probably"],
    "+Gingrich,": ["Gingrich,"],
    "+two words+": ["two", "words"],
    "@NATO": ["NATO"],
    "^Newt": ["Newt"],
    "Franco-^German": ["Franco-German"],
    "~VCR": ["VCR"],
    "%uh": ["uh"],
    "_F_B_I": ["F.", "B.", "I."],
    "^_N_A_T_O,": ["N.", "A.", "T.", "O.,"],
    "_F_B_I's": ["F.", "B.", "I.'s"],
    "absolu-": ["absolu-"],
    "+": [],
}


def made():
    """Marks of an empty file."""
    options = ReadingOptions(policies=(("marks", "hub4"),))
    return Marks(File("a.sgml", options=options), Notes())


@given(st.lists(st.sampled_from([*PLAIN, *MARKED])), st.data())
def test_what_is_left_of_marks(pieces, data):
    """Words without marks stay as they are; lines may break anywhere; notes count every piece."""
    expected = [word for piece in pieces for word in MARKED.get(piece, [piece])]
    words = " ".join(pieces).split()
    cut = data.draw(st.integers(0, len(words)))
    marks = made()

    assert expected == marks.words(words[:cut]) + marks.words(words[cut:])
    marks.finish()
    once = [note for piece in pieces if piece in MARKED for note in notes_of(piece)]
    assert sum(once) == sum(note.count for note in marks.notes.all())
    assert all(note.choice == "marks=hub4" for note in marks.notes.all())


def notes_of(piece):
    """The counts of the notes of a piece; each marked piece has one at least."""
    marks = made()
    marks.words(piece.split())
    counts = [note.count for note in marks.notes.all()]
    assert counts
    return counts


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 900), st.integers(0, 3)), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_words_share_the_time_between_moments(segments):
    """Words of a stretch tile the time between its two moments, in the order of the file."""
    lines, expected, now = [], [], 0
    for stretches in segments:
        end = now + sum(length for length, _ in stretches)
        lines.append(f"<Segment S_time={now / 1000} E_time={end / 1000}>")
        for length, words in stretches:
            lines.append(f"<Sync Time={now / 1000}> {'a ' * words}")
            expected.append((now, now + length, words))
            now += length
        lines.append("</Segment>")
    options = ReadingOptions(policies=(("marks", "hub4"),))
    [found] = read_sgml(File("a.sgml", text="\n".join(lines), options=options))

    times = list(found.times or ())
    for start, end, words in expected:
        own, times = times[:words], times[words:]
        if own:
            assert (start, end) == (own[0][0], own[-1][1])
            assert all(one[1] == other[0] for one, other in zip(own, own[1:], strict=False))
    assert not times
