"""Answers of language models: what is read, and that all else is counted."""

import json

import pytest
from cli_files import put
from hypothesis import given, settings
from hypothesis import strategies as st

import sereval
from sereval.documents.model import Mention
from sereval.errors import InputError
from sereval.formats.answers import LEFT, NONE, UNREADABLE, read_answers
from sereval.formats.file import File, ReadingOptions

EMPTY = ReadingOptions(policies=(("unreadable", "empty"),))


def answer(text, options=None):
    """The document of one answer."""
    [found] = read_answers(File("a.answer", text=text, options=options or ReadingOptions()))
    return found


def counted(document, what):
    return sum(note.count for note in document.notes if note.what == what)


LABELS = st.from_regex(r"[A-Za-z][A-Za-z._-]{0,8}", fullmatch=True).filter(
    lambda one: one.lower() not in sereval.formats.answers.LABELS
)
WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9'.]{0,6}", fullmatch=True)
TEXTS = (
    st.lists(WORDS, min_size=1, max_size=3)
    .map(" ".join)
    .filter(
        lambda one: (
            one.lower() not in ("none", "null") and one[0] not in "'." and one[-1] not in "'"
        )
    )
)
PAIRS = st.lists(st.tuples(LABELS, TEXTS), min_size=1, max_size=5)
FORMS = {
    "objects": lambda pairs: json.dumps([{"label": a, "text": b} for a, b in pairs]),
    "pairs": lambda pairs: json.dumps(pairs),
    "fence": lambda pairs: "\n".join(
        ["```json", json.dumps([{"type": a, "value": b} for a, b in pairs]), "```"]
    ),
    "comma": lambda pairs: json.dumps([{"label": a, "text": b} for a, b in pairs])[:-1] + ",]",
    "python": lambda pairs: repr([{"label": a, "text": b} for a, b in pairs]),
    "table": lambda pairs: "\n".join(
        ["| Label | Text |", "|---|---|", *(f"| {a} | {b} |" for a, b in pairs)]
    ),
    "lines": lambda pairs: "\n".join(f"{a}: {b}" for a, b in pairs),
    "items": lambda pairs: "\n".join(f"- **{a}**: {b}" for a, b in pairs),
    "numbered": lambda pairs: "\n".join(f"{k}. {a}: {b}" for k, (a, b) in enumerate(pairs, 1)),
}


@pytest.mark.check
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(pairs=PAIRS, before=st.booleans())
def test_every_form_has_the_same_entities(form, pairs, before):
    """In the order of the answer; a sentence before them is counted, and changes nothing."""
    said = "Sure, here they are.\n\n" if before else ""
    found = answer(said + FORMS[form](pairs))
    assert tuple(Mention(*pair) for pair in pairs) == found.mentions
    assert (before, 0) == (counted(found, LEFT), counted(found, NONE))


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text):
    """With the policy ``empty`` an answer that is else refused is counted, and has nothing."""
    found = answer(text, EMPTY)
    if counted(found, UNREADABLE):
        assert found.mentions == ()
        with pytest.raises(InputError, match=r"^a\.answer:\d+: ") as caught:
            answer(text)
        assert str(caught.value).endswith("; --read unreadable=empty takes it as empty")
    else:
        assert answer(text) == found


@given(PAIRS, st.sampled_from(["objects", "pairs", "fence", "comma"]), st.data())
def test_an_answer_that_breaks_off_is_refused(pairs, form, data):
    """JSON is never read up to a point where it breaks off."""
    whole = FORMS[form](pairs).removeprefix("```json\n").removesuffix("\n```")
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    with pytest.raises(InputError):
        answer(cut)


# --------------------------------------------------------------------------- the command line


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put("ref/a.ne", "<PER> Ada </PER> in <LOC> Dol </LOC>\n")
    put("ref/b.ne", "<PER> Eve </PER>\n")
    put("hyp/a.answer", 'One.\nTwo.\n[["PER", "Ada"], ["LOC", "Dol"],]\nThree.\nFour.\n')
    put("hyp/b.answer", "I do not know.\n")
