"""The agreement of several annotators: other packages, worked examples, laws, the command."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sereval
from sereval import SerevalError, from_spans
from sereval.analysis.annotators import alpha, annotators, kappa

WORDS = ["one", "two", "three", "four", "five"]
VALUES = st.sampled_from(["", "a", "b", "c"])
RATINGS = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.tuples(*[VALUES] * raters), min_size=1, max_size=12)
)
WITH_GAPS = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.tuples(*[st.none() | VALUES] * raters), min_size=1, max_size=12)
)


def counted(ratings):
    return {unit: ratings.count(unit) for unit in ratings}


def document(id="d", *spans):
    return from_spans(WORDS, spans, id=id)


def fleiss_example():
    """The 10 subjects, 14 raters and 5 categories of the table that Fleiss 1971 is known for."""
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1
    7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    rows = [row.split() for row in table.replace("\n", "|").split("|")]
    return [tuple(k for k, n in enumerate(row) for _ in range(int(n))) for row in rows]


def test_the_example_of_fleiss():
    """The example that textbooks show has kappa 0.210."""
    assert f"{float(kappa(counted(fleiss_example()))):.3f}" == "0.210"


def test_the_example_of_krippendorff():
    """The nominal data with missing values of Krippendorff 2011, section C: alpha 0.743."""
    coders = """1 2 3 3 2 1 4 1 2 . . .|1 2 3 3 2 2 4 1 2 5 . 3
    . 3 3 3 2 3 4 2 2 5 1 .|1 2 3 3 2 4 4 1 2 5 1 ."""
    rows = [row.split() for row in coders.replace("\n", "|").split("|")]
    units = [tuple(None if v == "." else v for v in unit) for unit in zip(*rows, strict=True)]
    assert f"{float(alpha(counted(units))):.3f}" == "0.743"


@pytest.mark.check
@given(RATINGS)
def test_kappa_is_that_of_statsmodels(ratings):
    """Fleiss' kappa equals that of statsmodels wherever it is defined."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    found = kappa(counted(ratings))
    if found is not None:
        table, _ = inter_rater.aggregate_raters([[ord(v or "-") for v in u] for u in ratings])
        assert float(found) == pytest.approx(inter_rater.fleiss_kappa(table))


@pytest.mark.check
@given(WITH_GAPS)
def test_alpha_is_that_of_krippendorff(ratings):
    """Alpha with missing values equals that of the package krippendorff."""
    package = pytest.importorskip("krippendorff")
    found = alpha(counted(ratings))
    if found is not None:
        data = [
            [float("nan") if v is None else ord(v or "-") for v in u]
            for u in zip(*ratings, strict=True)
        ]
        expected = package.alpha(reliability_data=data, level_of_measurement="nominal")
        assert float(found) == pytest.approx(expected)


@given(RATINGS, st.randoms(use_true_random=False))
def test_the_order_of_annotators_and_units_is_of_no_account(ratings, random):
    """Shuffled annotators and units have the same coefficients."""
    order = list(range(len(ratings[0])))
    random.shuffle(order)
    shuffled = [tuple(unit[k] for k in order) for unit in ratings]
    random.shuffle(shuffled)
    expected = kappa(counted(ratings)), alpha(counted(ratings))
    assert (kappa(counted(shuffled)), alpha(counted(shuffled))) == expected


def test_units_worked_by_hand():
    """Elements on other words are other units; nested elements on the same words are two."""
    found = annotators(
        {
            "ann": [document("d", ("loc", 0, 2), ("name", 0, 2))],
            "bob": [document("d", ("loc", 0, 2))],
            "eve": [document("d", ("loc", 0, 1))],
        }
    )
    # units: [0,1) void void loc; [0,2) loc loc void, then name void void
    assert found.all["elements"].units == 3
    ours = counted([((), (), "loc"), ("loc", "loc", ()), ("name", (), ())])
    assert found.all["elements"].kappa == kappa(ours)
    assert found.all["words"].units == 5
    both = ("loc", "name")
    words = [(both, ("loc",), ("loc",)), (both, ("loc",), ()), *[((), (), ())] * 3]
    assert found.all["words"].alpha == alpha(counted(words))
    assert found.labels["loc"].kappa == kappa(
        counted([(True, True, True), (True, True, False), *[(False,) * 3] * 3])
    )
    assert [pair.correct for pair in found.pairs] == [1, 0, 0]
    assert [float(pair.f) for pair in found.pairs] == [2 / 3, 0.0, 0.0]


def test_documents_that_some_annotated():
    """Fleiss' kappa counts documents that all annotated, alpha those that two did."""
    loc = ("loc", 0, 1)
    found = annotators(
        {
            "ann": [document("d", loc), document("e", loc), document("f", loc)],
            "bob": [document("d", loc), document("e")],
            "eve": [document("d", loc)],
        }
    )
    assert found.shared == 1
    assert found.all["words"].units == 10
    assert found.all["words"].kappa == 1
    assert found.all["words"].alpha < 1
    assert (found.pairs[0].a, found.pairs[0].b) == (2, 1)


def test_places_are_void_units():
    """Places that no annotator used are agreement."""
    sides = {name: [document("d", (label, 0, 1))] for name, label in zip("abc", "xxy", strict=True)}
    few, many = (annotators(sides, places=n).all["elements"] for n in (0, 10))
    assert (few.units, many.units) == (1, 10)
    assert few.kappa < many.kappa < 1


def test_how_the_agreement_shows_itself():
    """The result has tables, HTML and the JSON of the command."""
    sides = {name: [document("d", (label, 0, 1))] for name, label in zip("abc", "xxy", strict=True)}
    found = sereval.annotators(sides)
    assert found.to_frame()["label"].tolist()[2:] == ["x", "y"]
    assert found.to_frame("pairs")["F"].tolist() == [1.0, 0.0, 0.0]
    assert "<table" in found._repr_html_()
    assert json.loads(found.to_json())["total"]["shared"] == 1


def test_what_is_refused():
    """One annotator, no common document, other words and negative places are refused."""
    one = [document()]
    for given_, message in (
        ({"a": one}, "found one annotator, expected two or more"),
        ({"a": one, "b": [document("e")]}, "no document that two annotators annotated"),
        ({"a": one, "b": [from_spans(["other"], id="d")]}, "expected the same words from all"),
    ):
        with pytest.raises(SerevalError, match=message):
            annotators(given_)
    with pytest.raises(SerevalError, match="-1 places, expected 0 or more"):
        annotators({"a": one, "b": one}, places=-1)


# --- the command ---------------------------------------------------------------------------------


def result(label, start, end):
    return {"type": "labels", "value": {"start": start, "end": end, "labels": [label]}}


def annotation(by, *results, **more):
    return {"completed_by": by, "result": list(results), **more}


TASKS = [
    {
        "id": 1,
        "data": {"text": "in Paris"},
        "annotations": [
            annotation({"id": 3, "email": "ann@x.org"}, result("LOC", 3, 8)),
            annotation({"id": 4, "email": "bob@x.org"}, result("ORG", 3, 8)),
            annotation(5, result("LOC", 3, 8)),
            annotation(5, was_cancelled=True),
        ],
    },
    {
        "id": 2,
        "data": {"text": "Dol is far"},
        "annotations": [
            annotation({"id": 3, "email": "ann@x.org"}, result("LOC", 0, 3)),
            annotation({"id": 4, "email": "bob@x.org"}, result("LOC", 0, 3)),
        ],
    },
]


def test_an_export_of_label_studio(here, run):
    """Each annotator of an export has his own annotations; tasks that he did not do are missing."""
    (here / "tasks.json").write_text(json.dumps(TASKS), "utf-8")
    status, out, err = run("agreement tasks.json --format json --ref-format labelstudio")
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert [(one["name"], one["documents"]) for one in report["annotators"]] == [
        ("5", 1),
        ("ann@x.org", 2),
        ("bob@x.org", 2),
    ]
    assert (report["total"]["shared"], report["units"][0]["units"]) == (1, 2)
    ann = sereval.read("tasks.json", format="labelstudio", policies={"annotator": "ann@x.org"})
    assert [one.elements[0].label for one in ann] == ["LOC", "LOC"]
    with pytest.raises(SerevalError, match="no annotation by eve, expected some"):
        sereval.read("tasks.json", format="labelstudio", policies={"annotator": "eve"})


def test_an_export_in_short():
    """JSON-MIN has a row for each annotation."""
    from sereval.formats.file import File, ReadingOptions
    from sereval.formats.offsets import annotators as names
    from sereval.formats.offsets import read_labelstudio

    rows = [
        {
            "id": 1,
            "text": "in Paris",
            "label": [{"start": 3, "end": 8, "labels": [label]}],
            "annotator": by,
        }
        for by, label in ((3, "LOC"), (4, "ORG"))
    ]
    text = json.dumps(rows)
    assert names(File("a.json", text=text)) == ["3", "4"]
    options = ReadingOptions(policies=(("annotator", "4"),))
    [(_, found)] = read_labelstudio(File("a.json", text=text, options=options))
    assert found.elements[0].label == "ORG"


def test_folders_of_annotators(files, run):
    """Three folders are three annotators; the report has a row for each kind of unit and label."""
    status, out, err = run("agreement ref hyp ref2 --only name,loc".replace("ref2", "hyp2"))
    assert status == 1
    import shutil

    shutil.copytree("hyp", "third")
    status, out, err = run("agreement ref hyp third")
    assert (status, err) == (0, "")
    assert "ref: 1 document, 2 elements" in out
    assert "1 document annotated by all" in out
    assert out.endswith("agreement|annotators:3|places:0|version:0.1.0\n")


def test_options_without_effect(files, run):
    """What aligns or maps annotations is refused for several annotators."""
    status, _, err = run("agreement ref hyp hyp/show.ne --tolerance 0.3")
    assert (status, err.splitlines()[-1]) == (
        2,
        "Error: --tolerance has no effect with several annotators, expected two",
    )
    for options, message in (
        ("--open", "--open has no effect with several annotators"),
        ("--only person", "person"),
    ):
        status, _, err = run(f"agreement ref hyp hyp/show.ne {options}")
        assert status in (1, 2)
        assert message in err
    status, _, err = run("agreement ref")
    assert status == 2
    assert "found one path, expected the annotations of two or more annotators" in err
