"""How many documents are in memory at a time: of a corpus that is read one by one, a few.

Documents are counted as they are made and as they are given up, so the count is the same in each
run; ``tests/corpus/test_unread.py`` and ``bench/stream.py`` measure the memory of whole processes.
"""

import json

import pytest

from sereval.documents.model import Document

DOCUMENTS = 40
MOST = 12
"""The most documents at a time: those of one id on all sides, before and after each step."""


@pytest.fixture
def alive(monkeypatch):
    """The documents in memory, by identity, and the most that there were at a time."""
    found, most = set(), [0]
    check = Document.__post_init__

    def made(self):
        check(self)
        found.add(id(self))
        most[0] = max(most[0], len(found))

    monkeypatch.setattr(Document, "__post_init__", made)
    monkeypatch.setattr(Document, "__del__", lambda self: found.discard(id(self)), raising=False)
    return most


@pytest.fixture
def corpus(tmp_path):
    """Two sides with a document on each line, and the same as folders."""
    times = [[k, k + 1] for k in range(6)]
    for side, label in (("ref", "loc.adm.town"), ("hyp", "org.ent")):
        (tmp_path / side).mkdir()
        with open(tmp_path / f"{side}.jsonl", "w", encoding="utf-8") as file:
            for number in range(DOCUMENTS):
                words = [f"w{number}", *"abcde"]
                elements = [{"label": label, "start": 1, "end": 2}]
                record = {"id": f"d{number:02}", "words": words, "times": times}
                file.write(json.dumps({**record, "elements": elements}) + "\n")
                text = f"w{number} <{label}> a </{label}> b c d e\n"
                (tmp_path / side / f"d{number:02}.ne").write_text(text, "utf-8")
    return tmp_path


LINES = (
    *("score {ref} {hyp}", "score {ref} {hyp} -t 0.1 -f json", "sweep {ref} {hyp} -t 0,0.1"),
    *("score {ref} {hyp} --scheme mitre", "score {ref} {hyp} --scheme semeval2013 -t 0.1"),
    *("compare {ref} {hyp} {ref} -t 0.1 --resamples 10", "agreement {ref} {hyp}"),
    *("blame {ref} {ref} {hyp} -t 0.1", "blame {ref} {ref} {hyp} -t 0.1 --format json"),
    *(
        "blame {ref} {ref} {hyp} -t 0.1 --format csv",
        "doctor {ref} {hyp} -t 0.1",
        "doctor {ref} {hyp}",
    ),
    *("convert {ref} {out}.jsonl", "convert {ref} {out}/ --to inline", "check {ref} -g quaero"),
    *("project {ref} {hyp} -t 0.1 -o {out}.json", "project {ref} {hyp} -t 0.1 -f text"),
    "baseline {ref} {hyp} {out}.jsonl --only outermost",
    *("convert {ref} {out}/ --to brat", "check {ref} {hyp} -g quaero --only loc,org --level 1"),
)


@pytest.mark.parametrize("command", LINES)
def test_documents_in_memory(alive, corpus, run, command):
    """A command that streams has a few documents in memory, in one file or in many."""
    for suffix in (".jsonl", ""):
        names = {"ref": corpus / f"ref{suffix}", "hyp": corpus / f"hyp{suffix}"}
        if not suffix and "-t " in command:
            continue  # these files have no times
        alive[0] = 0
        status, _, err = run(command.format(**names, out=corpus / f"out{len(suffix)}"))
        assert status == 0, err
        assert 0 < alive[0] <= MOST
