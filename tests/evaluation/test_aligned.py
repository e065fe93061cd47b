"""Alignments that another program made: what is read, found and refused, and scored as it is."""

import json

import pytest
from cli_files import put
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA

from sereval import score
from sereval.alignment.blocks import SCLITE
from sereval.alignment.text import align_text
from sereval.evaluation.aligned import GivenAlignment, load_alignment
from sereval.evaluation.settings import ByWords

COLUMNS = "la\tO\t\tla\tO\nFIAT\tB-ORG\tS\tFIA\tB-ORG\nSpA\tI-ORG\tD\t\tO\n\n\t\tI\teh\tO\n"
PRA = """\
id: (a-001)
Scores: (#C #S #D #I) 1 1 1 0
REF:  la FIAT SPA
HYP:  la FIA  ***
Eval:    S    D

id: (a-002)
REF:  **
HYP:  EH
Eval: I
"""
SGML = """\
<SYSTEM title="x" ref_fname="r" hyp_fname="h">
<SPEAKER id="a">
<PATH id="(a-001)" word_cnt="3" labels="" file="" channel="">
C,"la","la":S,"fiat","fia":D,"spa",
</PATH>
<PATH id="(a-002)" word_cnt="0">
I,,"eh"
</PATH>
</SPEAKER>
</SYSTEM>
"""
UNITS = ((("la", "la"), ("fiat", "fia"), ("spa", "")), (("", "eh"),))
FOUND = [(True, True), (True, True), (True, False), (False, True)]


@pytest.mark.parametrize("text", [COLUMNS, PRA, SGML], ids=["columns", "pra", "sgml"])
def test_each_form_is_the_same_alignment(text, here):
    """EVALITA's columns and both reports of sclite are read alike, whatever their name."""
    put("given.txt", text)
    found = load_alignment("given.txt")
    assert found.units == UNITS
    assert found == GivenAlignment.of(UNITS)
    assert found.rows(["La", "FIAT", "SpA"], ["la", "FIA", "eh"]) == FOUND


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORDS = st.lists(st.sampled_from(["a", "b", "c", "—"]), max_size=6)


@given(WORDS, WORDS)
def test_an_alignment_of_its_own_is_itself(ours, theirs):
    """The cheapest alignment, word by word, given back, has the same operations and cost."""
    own = align_text(ours, theirs, SCLITE, "early")
    if any(
        block.ref[1] - block.ref[0] > 1 or block.hyp[1] - block.hyp[0] > 1 for block in own.blocks
    ):
        return
    rows = [
        (ours[i] if i < j else "", theirs[k] if k < m else "") for (i, j), (k, m), *_ in own.blocks
    ]
    found = ByWords(given=GivenAlignment.of([tuple(rows)])).align(ours, theirs)
    assert found.lengths == (len(ours), len(theirs)) if rows else found.blocks == ()
    assert [(block.ref, block.hyp, block.op) for block in found.blocks] == [
        (block.ref, block.hyp, block.op) for block in own.blocks
    ]
    assert found.cost == own.cost


SIDES = f"{DATA}/ref {DATA}/hyp/gazetteer/asr"


@pytest.mark.check
def test_evalita_scores_its_own_file(run, here):
    """The aligned file that `--aligned` writes gives the same score; only the signature differs."""
    command = f"score {SIDES} --scheme evalita2011 --elements outermost --format json"
    alone = json.loads(run(f"{command} --aligned out.tsv")[1])
    status, out, err = run(f"{command} --aligned-input out.tsv")
    assert (status, err) == (0, "")
    again = json.loads(out)
    for report in (alone, again):
        del report["provenance"]
    assert "|alignment:given-" in again.pop("signature")
    alone.pop("signature")
    assert again == alone


def test_schemes_by_text_take_it(here):
    """The extent of mitre and the places of a projection follow the alignment that is given."""
    put("ref.ne", "<P> NEWT GINGRICH </P>\n")
    put("hyp.ne", "<P> NEWT GOOD RICH </P>\n")
    for name, middle in (
        ("one", "GINGRICH\tO\tS\tGOOD\tO\n\tO\tI\tRICH\tO\n"),
        ("two", "\tO\tI\tGOOD\tO\nGINGRICH\tO\tS\tRICH\tO\n"),
    ):
        put(f"{name}.tsv", "NEWT\tO\t\tNEWT\tO\n" + middle)
    sides = {"reference": "ref.ne", "hypothesis": "hyp.ne", "name": "d"}
    extents = {
        name: score(
            **sides, scheme="mitre", extent_tolerance=0, by="text", aligned_input=f"{name}.tsv"
        )
        .total["extent"]
        .cor
        for name in ("one", "two")
    }
    assert extents == {"one": 0, "two": 1}
    rates = {
        name: score(**sides, by="text", aligned_input=f"{name}.tsv").ser for name in ("one", "two")
    }
    assert rates["two"] == 0.0
