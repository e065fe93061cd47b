"""Files of other people's programs, as they wrote them: read whole, or skipped where they are not.

``shared/corpora/formats`` says where each comes from.
"""

import json

import pytest
from paths import CORPORA, FORMATS

from sereval.formats import read
from sereval.integrations.documents import files_of

pytestmark = pytest.mark.skipif(
    not FORMATS.exists(), reason="the corpora are not part of the project"
)


def first_alternatives(path):
    """The words of a CTM by recording and channel, with those of later alternatives left out."""
    words = {}
    is_kept = True
    for line in path.read_text("utf-8").splitlines():
        columns = line.split()
        if not columns or line.startswith(";;"):
            continue
        if columns[4] in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>"):
            is_kept = columns[4] != "<ALT>"
        elif is_kept:
            words.setdefault((columns[0], columns[1]), []).append(columns[4])
    return words


@pytest.mark.parametrize(
    ("name", "documents", "skipped"), [("lvc_hypc.ctm", 4, 3), ("asclite_basic.ctm", 5, 4)]
)
def test_ctm_of_nist(name, documents, skipped):
    """NIST's test data, which have confidences at the tags of alternatives, are read whole."""
    found = read(FORMATS / name)
    expected = first_alternatives(FORMATS / name)

    assert documents == len(found)
    assert [sorted(words) for words in expected.values()] == [sorted(d.words) for d in found]
    assert skipped == sum(note.count for document in found for note in document.notes)


def test_tokens_of_gliner():
    """Real training data of GLiNER are read whole, and written as they were."""
    rows = json.loads((FORMATS / "gliner_sample_data.json").read_text("utf-8"))
    found = read(FORMATS / "gliner_sample_data.json")

    assert [row["tokenized_text"] for row in rows] == [list(one.words) for one in found]
    for row, one in zip(rows, found, strict=True):
        written = json.loads(files_of(one, "tokens").files[".tokens"])
        assert row["tokenized_text"] == written["tokenized_text"]
        assert sorted(row["ner"]) == sorted(written["ner"])
    assert (64, 236) == (len(found), sum(len(one.elements) for one in found))


@pytest.mark.skipif(not (CORPORA / "published").exists(), reason="not part of the project")
def test_errors_as_sclite_counts_them(run):
    """The errors of sclite's own test, with alternatives and with ids that differ in case."""
    sides = " ".join(str(CORPORA / f"published/sctk/csrnab.{side}") for side in ("ref", "hyp"))
    how = "--normalise caseless --format json --ref-format trn --hyp-format trn"
    _, out, _ = run(f"align {sides} {how} --by text --weights sclite")
    found = json.loads(out)
    total = [found["total"][key] for key in ("correct", "S", "D", "I", "reference")]
    wrong = [one for one in found["documents"] if one["wer"]]
    _, out, _ = run(f"score {sides} {how} --measure WER(weights=sclite)")
    [measure] = json.loads(out)["measures"]

    assert (131 + 12 + 26) / 1406 == measure["value"]
    assert [1263, 131, 12, 26, 1406] == total
    assert (51, 38) == (len(found["documents"]), len(wrong))
