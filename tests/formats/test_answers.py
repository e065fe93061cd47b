"""Answers of language models: what is read, and that all else is counted."""

import json
from pathlib import Path

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
    [(_, found)] = read_answers(File("a.answer", text=text, options=options or ReadingOptions()))
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
        assert str(caught.value).endswith("; --unreadable empty takes it as empty")
    else:
        assert answer(text) == found


@given(PAIRS, st.sampled_from(["objects", "pairs", "fence", "comma"]), st.data())
def test_an_answer_that_breaks_off_is_refused(pairs, form, data):
    """JSON is never read up to a point where it breaks off."""
    whole = FORMS[form](pairs).removeprefix("```json\n").removesuffix("\n```")
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    with pytest.raises(InputError):
        answer(cut)


@pytest.mark.parametrize(
    ("text", "mentions", "left", "none"),
    [
        ("PER: Paris, France", [("PER", "Paris, France")], 0, 0),  # commas cut nothing
        ('{"PER": ["Ada", 3, {"x": 1}], "LOC": null}', [("PER", "Ada")], 2, 1),
        ('{"entities": {"PER": ["Ada"]}, "n": 1}', [("PER", "Ada")], 1, 0),
        ('{"entities": [], "note": "nobody"}', [], 1, 0),
        ('[{"label": "PER"}, {"label": "LOC", "text": "Dol"}]', [("LOC", "Dol")], 1, 0),
        ('[{"type": "PER", "text": null}, ["LOC", "Dol"]]', [("LOC", "Dol")], 1, 0),
        ('[{"label": "A", "label": "B", "text": "x"}, ["LOC", "Dol"]]', [("LOC", "Dol")], 1, 0),
        ('["Ada", ["LOC", "Dol"]]', [("LOC", "Dol")], 1, 0),
        ("[[\"PER\", 'Ada']] as in [1], {x}.", [("PER", "Ada")], 1, 0),
        ("PER:\n- Ada\n- Eve\nThese.\n- Bob\n", [("PER", "Ada"), ("PER", "Eve")], 2, 0),
        ("PER:\nLOC: Dol\n", [("LOC", "Dol")], 1, 0),
        ("| a | b |\n|---|---|\n| PER | Ada |\nLOC: Dol", [("LOC", "Dol")], 3, 0),
        ("<think>\nPER: Eve\nLOC: Dol", None, None, None),
        ("[]\n[]", [], 1, 0),
        # several labels on a line, but no label after a comma inside a text
        ("PER: Ada, LOC: Dol; ORG: none", [("PER", "Ada"), ("LOC", "Dol")], 0, 1),
        ("- **PER:** Ada | **LOC:** Dol", [("PER", "Ada"), ("LOC", "Dol")], 0, 0),
        ("PER: Ada, at 10:30, x:y", [("PER", "Ada, at 10:30, x:y")], 0, 0),
        # members of objects on a line each, in any order
        (
            "- label: PER\n  text: Ada\n- text: Dol\n  label: LOC",
            [("PER", "Ada"), ("LOC", "Dol")],
            0,
            0,
        ),
        ("Entity: Ada\nType: PER\nScore: 1", [("PER", "Ada")], 1, 0),
        ("label: PER\ntext: Ada\nlabel: LOC", [("PER", "Ada")], 1, 0),
        ("label: PER\ntext: none", [], 0, 1),
        (
            "type: PER\nname: Ada\nORG: X\ntype: b",
            [("type", "PER"), ("name", "Ada"), ("ORG", "X"), ("type", "b")],
            0,
            0,
        ),
        # marks of emphasis, bars in cells, tags
        ("PER: *Ada*\nLOC: _Dol_", [("PER", "Ada"), ("LOC", "Dol")], 0, 0),
        ("|Type|Text|\n|--|--|\n| PER | A \\| B |", [("PER", "A | B")], 0, 0),
        ("Answer: <PER>Ada</PER>\nLOC: Dol", [("LOC", "Dol")], 1, 0),
        ("Answer: <PER>Ada</PER> in <LOC>Dol</LOC>", None, None, None),
    ],
)
def test_what_is_not_read_is_counted(text, mentions, left, none):
    """Worked by hand; ``None``: the answer is refused."""
    if mentions is None:
        with pytest.raises(InputError):
            answer(text)
        return
    found = answer(text)
    assert [Mention(*one) for one in mentions] == [*found.mentions]
    assert (left, none) == (counted(found, LEFT), counted(found, NONE))
    assert left == sum(len(note.places) for note in found.notes)


# --------------------------------------------------------------------------- the command line


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put("ref/a.ne", "<PER> Ada </PER> in <LOC> Dol </LOC>\n")
    put("ref/b.ne", "<PER> Eve </PER>\n")
    put("hyp/a.answer", 'One.\nTwo.\n[["PER", "Ada"], ["LOC", "Dol"],]\nThree.\nFour.\n')
    put("hyp/b.answer", "I do not know.\n")


def test_unreadable_answers(here, run):
    """An error with its place, or empty, counted and in the signature; the same in Python."""
    status, out, err = run("score ref hyp --scheme slue")
    assert (1, "") == (status, out)
    assert "hyp/b.answer:1: found neither JSON nor a table" in err
    assert err.endswith("; --unreadable empty takes it as empty\n")
    command = "score ref hyp --scheme slue --unreadable empty"
    status, out, err = run(command)
    assert (0, "|hypothesis read:unreadable=empty|" in out) == (status, True)
    assert "taken as empty: 1, the first 'I do not know.' at b.answer:1" in out
    assert out == run("score ref hyp --scheme slue --read unreadable=empty")[1]
    found = sereval.score("ref", "hyp", scheme="slue", unreadable="empty")
    assert (2, 1) == (found.total["entity"].cor, found.total["entity"].mis)
    with pytest.raises(InputError, match="b.answer:1"):
        sereval.score("ref", "hyp", scheme="slue")


def test_all_pieces_are_listed(here, run):
    """By audit, and by doctor with the advice to look at them."""
    _, out, _ = run("audit ref hyp --unreadable empty")
    for place in ("'One.' at a.answer:1", "'Four.' at a.answer:5"):
        assert f"a: not read: {place}\n" in out
    assert "b: not read: 'I do not know.' at b.answer:1\n" in out
    _, out, _ = run("doctor ref hyp --unreadable empty")
    assert "pieces of answers, not read, in the hypothesis: 4 ('One.' at a.answer:1, " in out
    assert "answers that cannot be read, taken as empty, in the hypothesis: 1 (" in out


def test_text_files_need_the_name_of_the_format(here, run):
    """A file of text may be anything."""
    put("hyp/b.answer", "PER: Eve\n")
    for name in "ab":
        put(f"txt/{name}.txt", Path(f"hyp/{name}.answer").read_text("utf-8"))
    assert 1 == run("score ref txt")[0]
    assert 1 == run("score ref/a.ne txt/a.txt")[0]
    found, expected = (
        json.loads(run(f"score ref {hyp} --format json")[1])
        for hyp in ("txt --hyp-format answers", "hyp")
    )
    assert (0, found["counts"]) == (found["counts"]["ser"], expected["counts"])
