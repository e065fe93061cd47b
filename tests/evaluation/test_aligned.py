"""Alignments that another program made: what is read, found and refused, and scored as it is."""

import json
from pathlib import Path

import pytest
from cli_files import put
from hypothesis import given
from hypothesis import strategies as st
from paths import DATA
from reports import named

from sereval import SerevalError, score
from sereval.alignment.blocks import SCLITE
from sereval.alignment.normalise import NORMALISATIONS
from sereval.alignment.text import align_text
from sereval.errors import InputError
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
GAPS = """\
id: (a-1)
REF:  b (c) D
HYP:  b     E
Eval:       S

id: (a-2)
REF:  (عع) FRESH       too
HYP:         OLD   (and) TWO
Eval:

>> REF:  x ***
>> HYP:  * YES
>> Eval: D I
"""
BY_SPEAKER = """\
<SYSTEM><SPEAKER id="a">
<PATH id="(a-0)" word_cnt="2" labels="<o,wa>" sequence="0" R_T1="1.060">
C,"(c)","",0.000+0.000:S,"um","about;;t",1.650+1.930
</PATH>
<PATH id="(a-1)" word_cnt="0" sequence="2">

</PATH>
</SPEAKER><SPEAKER id="b">
<PATH id="(b-0)" word_cnt="1" labels="<o,na>" sequence="1">
I,,"they",0.050+0.290:D,"x",,
</PATH>
</SPEAKER></SYSTEM>
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("la\tO\n", "line 1: found 2 columns in 'la\\tO', expected 5"),
        ("REF: a\nREF: b\n", "found REF: and HYP: out of turn"),
        ("REF: a b\nHYP: a\n", "found 2 words in 'a b' and 1 in 'a', expected as many, or"),
    ],
)
def test_what_is_no_alignment(text, expected, here):
    """One line names the file and what was expected."""
    put("given.txt", text)
    with pytest.raises(InputError) as caught:
        load_alignment("given.txt")
    assert expected in str(caught.value)
    assert caught.value.path == "given.txt"


def test_gaps_and_lines_that_go_on(here):
    """A word that may be left out stands over a gap; a long utterance goes on in further lines."""
    put("given.txt", GAPS)
    first, second = load_alignment("given.txt").units
    assert first == (("b", "b"), ("(c)", ""), ("d", "e"))
    assert second == (
        *(("(عع)", ""), ("fresh", "old"), ("", "(and)"), ("too", "two")),
        *(("x", ""), ("", "yes")),
    )
    assert load_alignment("given.txt").rows(["B", "c", "D"], ["b", "e"]) == [
        (True, True),
        (True, False),
        (True, True),
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "rows"),
    [
        ("REF:  ** 哦 ok", "HYP:  可 能 ok", [("", "可"), ("哦", "能"), ("ok", "ok")]),
        ("REF:  ***** x", "HYP:  été   x", [("", "été"), ("x", "x")]),
        ("REF:  *** x", "HYP:  été y", [("", "été"), ("x", "y")]),
        ("REF: a b   c", "HYP: long ** x", [("a", "long"), ("b", ""), ("c", "x")]),
        ("REF: a b", "HYP: a  b", [("a", "a"), ("b", "b")]),
        ("REF:", "HYP:", []),
    ],
)
def test_columns_of_any_width(ours, theirs, rows, here):
    """Columns are counted in bytes or in characters; without any, words are paired in order."""
    put("given.txt", f"{ours}\n{theirs}\n")
    assert load_alignment("given.txt").units == (tuple(rows),)


def test_utterances_by_their_numbers(here):
    """A report lists the utterances of each speaker; a document has them in their own order."""
    put("given.txt", BY_SPEAKER)
    found = load_alignment("given.txt")
    assert found.units == (
        (("(c)", ""), ("um", "about;;t")),
        (("", "they"), ("x", "")),
        (),
    )
    assert found.rows(["c", "um", "X"], ["about;;t", "they"]) == [
        *((True, False), (True, True)),
        *((False, True), (True, False)),
    ]


def test_the_same_words_need_no_alignment():
    """Two sides with the same words are aligned word by word, whether the file has them or not."""
    assert GivenAlignment.of(UNITS).rows(["x", "y"], ["x", "y"]) == [(True, True)] * 2


def test_documents_are_whole_units():
    """A document is one unit or several in turn; no words are found nowhere, others are refused."""
    found = GivenAlignment.of([*UNITS, (("b", "b"),)], "x.tsv")
    assert found.rows([], []) == []
    assert found.rows([], ["eh"]) == [(False, True)]
    assert found.rows(["b"], ["eh", "b"]) == [(False, True), (True, True)]
    for sides in ((["la"], ["fia"]), (["b"], []), (["x"], ["eh"])):
        with pytest.raises(SerevalError, match="x.tsv: no alignment of"):
            found.rows(*sides)


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


TWO = {  # of one text, both cheapest: GINGRICH is said as GOOD, or as RICH
    "one": "GINGRICH\tO\tS\tGOOD\tO\n\tO\tI\tRICH\tO\n",
    "two": "\tO\tI\tGOOD\tO\nGINGRICH\tO\tS\tRICH\tO\n",
}
BY_TEXT = "mitre.extent(extent=0),SER(by=text),evalita2011,semeval2013.exact(by=text)"


@pytest.fixture
def newt(here):
    put("ref.ne", "<P> NEWT GINGRICH </P>\n")
    put("hyp.ne", "<P> NEWT GOOD RICH </P>\n")
    for name, middle in TWO.items():
        put(f"{name}.tsv", "NEWT\tO\t\tNEWT\tO\n" + middle)


def test_measures_take_it(newt):
    """Each measure by text follows the alignment that is given; the others keep their own."""
    values, signatures = {}, {}
    for name in TWO:
        found = score(
            "ref.ne", "hyp.ne", name="d", measure=f"{BY_TEXT},WER,slue", aligned_input=f"{name}.tsv"
        )
        values[name] = [*found.values.values()]
        signatures[name] = ["alignment:given-" in str(one) for one in found.signatures.values()]
    assert values["one"] == [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]
    assert values["two"] == [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]
    assert signatures == dict.fromkeys(TWO, [True] * 4 + [False] * 2)


def test_a_measure_is_the_scheme(newt, run):
    """A measure of an alignment that is given is the figure that the scheme prints."""
    command = "ref.ne hyp.ne --name d --aligned-input two.tsv --format json"
    [alone] = json.loads(run(f"score {command} --measure mitre.extent")[1])["documents"]
    scheme = json.loads(run(f"score {command} --scheme mitre")[1])
    assert alone["value"] == named(scheme, "documents", "figure")["extent"]["f1"] == 1.0


def test_sweeps_take_it(newt, run):
    """A sweep of a measure by text follows it at each point, and names it in its signature."""
    status, out, err = run(
        "sweep ref.ne hyp.ne --name d --extent-tolerance 0,1 --measure mitre.extent "
        "--aligned-input one.tsv --format json"
    )
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert "|alignment:given-" in report["measures"][0]["signature"]
    found = [point["value"] for point in report["points"]]
    assert found == [0.0, 1.0]


BOTH = 'by = "text"\nweights = "unit"'


def test_campaigns_take_it(newt, run):
    """A condition of a campaign has its own alignment; other conditions have none."""
    systems = '[systems.s]\nmanual = "ref.ne"\none = "hyp.ne"\ntwo = "hyp.ne"\n'
    conditions = "".join(
        f'[conditions.{name}]\nby = "text"\naligned_input = "{name}.tsv"\n' for name in TWO
    )
    put("c.toml", f'reference = "ref.ne"\n[conditions.manual]\n{conditions}{systems}')
    command = "compare --campaign c.toml --name d --format json"
    status, out, err = run(f"{command} --measure 'mitre.extent(extent=0)'")
    assert (status, err) == (0, "")
    report = json.loads(out)
    values = {one["condition"]: one["value"] for one in report["systems"]}
    assert values == {"manual": 1.0, "one": 0.0, "two": 1.0}
    for scheme in ("quaero", "evalita2011"):
        status, out, err = run(f"{command} --scheme {scheme}")
        assert (status, err) == (0, "")
        assert out.count("|alignment:given-") >= 2
    put(
        "c.toml",
        'reference = "ref.ne"\n[conditions.one]\naligned_input = "one.tsv"\n'
        '[systems.s]\none = "hyp.ne"\n',
    )
    status, out, err = run(f"{command} --scheme quaero")
    assert (status, out) == (2, "")
    assert 'conditions.one.aligned_input goes with by = "text"' in err
    put(
        "c.toml",
        'reference = "ref.ne"\n[conditions.one]\naligned_input = "one.tsv"\n'
        'tolerance = 0.3\n[systems.s]\none = "hyp.ne"\n',
    )
    status, out, err = run(command)
    assert (status, out) == (1, "")
    assert 'conditions.one has aligned_input, expected it with by = "text"' in err
    put("c.toml", f"{Path('c.toml').read_text('utf-8')}".replace("tolerance = 0.3", BOTH))
    assert run(command) == (
        1,
        "",
        "sereval: c.toml: conditions.one has aligned_input and weights, expected one of them\n",
    )


WEIGHTED = "--aligned-input given.tsv --weights unit"
NO_WEIGHTS = "--weights has no effect with --aligned-input, expected one of them"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--aligned-input given.tsv", "--aligned-input goes with --by text"),
        ("--aligned-input given.tsv --by phones", "--aligned-input goes with --by text"),
        ("--aligned-input given.tsv --measure WER", "--aligned-input, which has no effect with"),
        ("--aligned-input given.tsv --measure SER@0.3", "--aligned-input, which has no effect"),
        ("--aligned-input given.tsv --measure slue,WER", "--aligned-input, which has no effect"),
        ("--aligned-input given.tsv --scheme slue", "--aligned-input has no effect with --scheme"),
        ("--aligned-input bad.tsv --by text", "bad.tsv"),
        (f"{WEIGHTED} --by text", NO_WEIGHTS),
        (f"{WEIGHTED} --scheme mitre", NO_WEIGHTS),
        (
            "--aligned-input given.tsv --measure WER,SER(by=text,weights=unit)",
            "--measure SER(by=text,weights=unit): weights has no effect with --aligned-input",
        ),
    ],
)
def test_where_it_has_no_effect(options, said, here, run):
    """An alignment that nothing takes is refused, and so is a file that holds none."""
    put("given.tsv", COLUMNS)
    put("bad.tsv", "x\n")
    put("d.ne", "Dol\n")
    status, out, err = run(f"score d.ne d.ne {options}")
    assert (status > 0, out) == (True, "")
    assert said in err


@pytest.mark.parametrize(
    "command", ["score d.ne d.ne", "compare d.ne d.ne e.ne", "audit d.ne d.ne"]
)
@pytest.mark.parametrize("weights", ["sclite", "unit"])
def test_weights_have_no_effect(command, weights, here, run):
    """No command aligns words by weights if the alignment is given; the default is refused too."""
    put("given.tsv", COLUMNS)
    put("d.ne", "Dol\n")
    put("e.ne", "Dol\n")
    status, out, err = run(f"{command} --by text --aligned-input given.tsv --weights {weights}")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].endswith(NO_WEIGHTS)


def test_the_signature_of_an_alignment_names_it():
    """The part has the digest of the rows, and a form of the words that is not the default."""
    given = GivenAlignment.of([(("a", "A"),)])
    exact = ByWords(given=given, normalise=NORMALISATIONS["exact"])

    assert f"by:text|alignment:given-{given.digest}" == str(ByWords(given=given).alignment)
    assert f"by:text|alignment:given-{given.digest}|normalise:exact" == str(exact.alignment)
    assert f"given-{given.digest}" == exact.align(["a"], ["A"]).how
    assert 4 == exact.align(["a"], ["A"]).cost
