"""Whose errors they are: the laws of the shares, and a case worked by hand."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from edit_distance import edit_cost
from hypothesis import given
from hypothesis import strategies as st
from paths import CORPORA, ROOT
from readings import expansions, lattices, texts
from strategies import forests, timed

import sereval
from sereval import (
    ByWords,
    Costs,
    Document,
    Labels,
    SerevalError,
    Workers,
    blame,
    evaluate,
    project,
    tree,
    upper_bound,
)
from sereval.alignment.blocks import UNIT
from sereval.alignment.normalise import LETTERS
from sereval.alignment.words import word_operations
from sereval.analysis.balance import GROUPS, OUTCOMES, Corners
from sereval.analysis.blame import Blame, check_sums
from sereval.analysis.causes import Recognition
from sereval.analysis.resampling import Resampling
from sereval.documents.checks import Alternative

EXAMPLE = ROOT / "docs" / "examples" / "blame"
EARNINGS = CORPORA / "earnings21"
SAMPLES = Resampling(resamples=20)
COSTS = ["S_S=0.5", "S_S=0.3,S_T=0.7,D=2,I=0.25", "S_T.depth=3", "S_S=0,S_T=1,S_ST=1.5"]


@st.composite
def campaigns(draw, most=3):
    """References with times, the same system on manual and on recognised words, and settings."""
    triples = []
    for k in range(draw(st.integers(1, most))):
        reference, recognised = draw(timed(f"d{k}"))
        words = len(reference.words)
        breaks = tuple(sorted(draw(st.sets(st.integers(1, words - 1))))) if words > 1 else ()
        reference = replace(reference, breaks=breaks)
        triples.append((reference, reference_like(reference, draw(forests(words))), recognised))
    labels = {element.label for reference, *_ in triples for element in reference.elements}
    settings = {
        "tolerance": draw(st.sampled_from([0, "10ms", "50ms", 1.0])),
        "costs": Costs.parse(draw(st.sampled_from(COSTS))),
        "neutral": draw(st.sampled_from([frozenset(), labels & frozenset("a")])),
        "pairing": draw(st.sampled_from(["word", "half", "label"])),
    }
    return triples, settings


def reference_like(reference, elements):
    """Other elements on the words of a reference, without times."""
    return Document(reference.id, reference.words, elements)


def of(triples, **settings):
    return blame(*map(list, zip(*triples, strict=True)), **settings)


@given(campaigns())
def test_the_shares_add_up(drawn):
    """Overall, by label and by document the shares add up to the cost on recognised words."""
    triples, settings = drawn
    found = of(triples, **settings)
    scale = settings["costs"].scale
    parts = [found.balance, *found.labels.values(), *(one.balance for one in found.documents)]
    for part in parts:
        corners = part.corners
        assert Fraction(corners.recognised, scale) == sum(corners.shares.values())
        assert corners.recognised == corners.manual + corners.perfect + corners.interaction
    for parts in (found.labels.values(), (one.balance for one in found.documents)):
        assert sum((one.corners for one in parts), Corners(scale=scale)) == found.corners
        shares = [one.corners.shares["recogniser"] for one in found.labels.values()]
        assert sum(shares) == found.shares["recogniser"]


@given(campaigns())
def test_the_corners_are_scores(drawn):
    """Each corner is the cost that ``evaluate`` finds, with missed elements."""
    triples, settings = drawn
    found = of(triples, **settings)
    references, manual, recognised = map(list, zip(*triples, strict=True))
    timed_manual = [
        replace(one, times=reference.times)
        for one, reference in zip(manual, references, strict=True)
    ]

    def cost(hypotheses, **changes):
        score = evaluate(references, hypotheses, **{**settings, **changes}, unplaceable="miss")
        return score.counts.cost(settings["costs"])

    expected = {
        "manual": cost(timed_manual),
        "perfect": cost(recognised, is_bound=True),
        "recognised": cost(recognised),
    }
    assert expected == {name: found.corners.costs[name] for name in expected}
    assert cost(manual, tolerance=None) == found.manual_without_tolerance
    assert sum(len(one.elements) for one in references) == found.corners.reference


@pytest.mark.check
@given(campaigns())
def test_every_element_has_one_cell(drawn):
    """Each reference element is in one group and, if it changed, has one cause."""
    triples, settings = drawn
    found = of(triples, **settings)
    balance = found.balance
    assert sum(balance.outcomes.values()) == found.corners.reference
    assert {name for cell in balance.table for name in cell} <= {*OUTCOMES}
    assert tuple(balance.outcomes) == GROUPS
    for group in ("lost", "found"):
        assert sum(balance.causes[group].values()) == balance.outcomes[group]
    cases = list(found.cases)
    change = sum(case.change for case in cases)
    assert change == found.corners.recognised - found.corners.manual
    insertions = sum(balance.insertions.values())
    assert len(cases) == found.corners.reference + insertions
    assert all((case.cause is None) == (case.group in (None, "kept", "wrong")) for case in cases)


@pytest.mark.check
@given(campaigns())
def test_equal_words_cost_the_recogniser_nothing(drawn):
    """With the manual words, times and output, the recogniser's share is 0 at any tolerance."""
    triples, settings = drawn
    same = [(r, m, replace(m, times=r.times)) for r, m, _ in triples]
    found = of(same, **settings)
    assert found.shares["recogniser"] == 0
    assert (found.corners.perfect, found.corners.interaction) == (0, 0)
    outcomes = found.balance.outcomes
    assert (outcomes["lost"], outcomes["found"]) == (0, 0)
    assert all(one.corners.shares["recogniser"] == 0 for one in found.labels.values())


@given(campaigns())
def test_a_perfect_system_has_no_share(drawn):
    """The reference on its own words, the upper bound on the others: the system's share is 0."""
    triples, settings = drawn
    perfect = []
    for reference, _, recognised in triples:
        projected = project(
            reference, recognised, tolerance=settings["tolerance"], unplaceable="miss"
        )
        own = reference_like(reference, reference.elements)
        perfect.append((reference, own, upper_bound(projected)))
    found = of(perfect, **settings)
    assert found.shares["system"] == 0
    assert found.corners.manual == 0
    assert found.corners.perfect == found.corners.recognised
    assert found.balance.insertions == {"manual": 0, "recognised": 0}


@pytest.mark.check
@given(campaigns(), st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_nothing(drawn, chance):
    """Each side may come in any order: the report is the same, digit for digit."""
    triples, settings = drawn
    sides = [list(side) for side in zip(*triples, strict=True)]
    expected = [*blame(*sides, **settings).report(SAMPLES).json()]
    for side in sides:
        chance.shuffle(side)
    assert expected == [*blame(*sides, **settings).report(SAMPLES).json()]


@pytest.mark.check
@given(campaigns())
def test_the_units_add_up(drawn):
    """Utterances and documents have the same sums, and their intervals hold the rates of one."""
    triples, settings = drawn
    found = of(triples, **settings)
    nothing = Corners(scale=settings["costs"].scale)
    for unit in ("document", "utterance"):
        assert sum(found.units(unit), nothing) == found.corners
    assert {*found.intervals(SAMPLES)} == {*found.corners.costs}


@given(campaigns(most=2))
def test_blame_by_text(drawn):
    """An alignment of words may stand for the tolerance; the laws are the same."""
    triples, settings = drawn
    by_text = {**settings, "tolerance": None, "through": ByWords()}
    found = of(triples, **by_text)
    assert sum(found.shares.values()) == found.corners.costs["recognised"]
    same = of([(r, m, m) for r, m, _ in triples], **by_text)
    assert same.shares["recogniser"] == 0


def test_a_sum_that_is_off_ends_the_run():
    """A case with another cost than the score counts is found, whatever else agrees."""
    found = worked()
    check_sums(found)
    [document] = found.documents
    first, *others = document.cases
    for wrong in (
        replace(first, costs=(first.costs[0] + 1, first.costs[1])),
        replace(first, costs=(first.costs[0], first.costs[1] + 1)),
        replace(first, recognised="unplaceable", costs=(first.costs[0], 2)),
    ):
        changed = replace(document, cases=(wrong, *others))
        with pytest.raises(SerevalError, match="visit: the elements' sum"):
            check_sums(replace(found, documents=(changed,)))
    with pytest.raises(SerevalError, match="visit: the elements' sum"):
        check_sums(replace(found, documents=(replace(document, cases=tuple(others)),)))
    [lost] = [case for case in document.cases if case.label == "name.last"]
    cases = [replace(lost, cause=None) if case is lost else case for case in document.cases]
    with pytest.raises(SerevalError, match="the causes' sum"):
        check_sums(replace(found, documents=(replace(document, cases=tuple(cases)),)))


# A case worked by hand (docs/reference/commands/blame.md)


def worked(**settings) -> Blame:
    sides = (sereval.read(EXAMPLE / f"{name}.jsonl") for name in SIDES)
    return blame(*sides, tolerance=0.1, **settings)


SIDES = ("reference", "manual", "recognised")


def test_the_worked_case():
    """The costs, shares, outcomes and causes derived in docs/reference/commands/blame.md."""
    found = worked()
    half = Fraction(1, 2)
    expected = {
        "manual": 3 * half,
        "perfect": Fraction(1),
        "recognised": 7 * half,
        "interaction": Fraction(1),
        "recogniser": 3 * half,
        "system": Fraction(2),
    }
    assert expected == found.corners.costs
    assert [
        ("pers", "S_S", "C", "found", "misheard", ("jack", "Chirac")),
        ("name.first", "C", "D", "lost", "misheard", ("jack",)),
        ("name.last", "C", "S_T", "lost", "context", ("Chirac",)),
        ("loc", "D", "unplaceable", "wrong", None, ()),
        ("org", None, "I", None, None, ()),
    ] == [
        (case.label, case.manual, case.recognised, case.group, case.cause, case.heard)
        for case in found.cases
    ]
    shares = {label: one.corners.shares["recogniser"] for label, one in found.labels.items()}
    assert {
        "loc": half,
        "name.first": half,
        "name.last": half / 2,
        "org": half,
        "pers": -half / 2,
    } == shares
    assert "<Blame: blame|context:2|" in repr(found)


def test_the_context_is_an_argument():
    """With no word of context, a right element among wrong words is unexplained."""
    found = worked(context=0)
    assert {"deleted": 0, "misheard": 1, "context": 0, "unexplained": 1} == found.balance.causes[
        "lost"
    ]
    with pytest.raises(SerevalError, match="context of -1 words"):
        worked(context=-1)


def test_the_tolerance_forgives_on_manual_words_too():
    """A boundary within the tolerance costs nothing on either words; the strict score says it."""
    words, times = ("euh", "Dol"), ((0, 100), (100, 500))
    gold = Document("d", words, tree([("loc", 1, 2)]), times)
    wide = Document("d", words, tree([("loc", 0, 2)]))
    found = blame([gold], [wide], [replace(wide, times=times)], tolerance=0.1)
    assert (found.corners.manual, found.shares["recogniser"]) == (0, 0)
    assert found.manual_without_tolerance == Fraction(1, 2)


def test_words_cut_otherwise_take_the_times():
    """The manual output may cut the same characters into other words."""
    gold = Document("d", ("l'acteur", "joue"), tree([("func", 0, 1)]), ((0, 800), (800, 1000)))
    manual = Document("d", ("l'", "acteur", "joue"), tree([("func", 0, 2)]))
    recognised = Document("d", ("lac", "joue"), (), ((0, 800), (800, 1000)))
    found = blame([gold], [manual], [recognised], tolerance=0.05)
    assert (found.corners.manual, found.corners.recognised) == (0, 2)
    assert [case.heard for case in found.cases] == [("lac",)]


def test_alternatives_are_not_misheard():
    """What is said in another reading is right, as in the word error rate; notes say so."""
    years = (Alternative(1, 2, (("twenty", "twenty"),)),)
    said = Document("d", ("in", "2020", "we", "won"), tree([("year", 1, 2), ("org", 2, 3)]))
    heard = Document("d", ("in", "twenty", "twenty", "we", "one"))
    found = blame([replace(said, alternatives=years)], [said], [heard], through=ByWords())
    assert [
        ("context", ("twenty", "twenty")),
        ("context", ("we",)),
    ] == [(case.cause, case.heard) for case in found.cases]
    assert not found.mishearings
    assert "words:unit|alternatives:cheapest|" in str(found.signature)
    assert (1, 5) == (found.words.total.S, found.words.total.ref)
    note = "\nAlternatives: 1 of 1 are counted in another reading.\n"
    assert 1 == found.report(SAMPLES).lines().count(note)
    plain = blame([said], [said], [heard], through=ByWords())
    assert ("misheard", 3) == (next(plain.cases).cause, plain.words.total.S + plain.words.total.I)
    assert "lternatives" not in plain.report(SAMPLES).lines()


@given(lattice=lattices(), heard=texts)
def test_alternatives_against_all_texts(lattice, heard):
    """Causes and word errors are those of the cheapest text written out; costs do not move."""
    words, alternatives = lattice
    spans: list[tuple[int, int]] = []
    for start, end, _ in alternatives:  # an element for all that share words
        if spans and start < spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    said = Document("d", tuple(words), tree([("x", *span) for span in spans]))
    sides = [said], [Document("d", tuple(heard))]
    how = {"through": ByWords(), "context": 0}
    found = blame([replace(said, alternatives=tuple(alternatives))], *sides, **how)
    assert blame([said], *sides, **how).corners == found.corners

    def cost(text):
        return edit_cost(*(LETTERS.forms(side).texts for side in (text, heard)), UNIT)

    best, _, _, text, chosen = min(
        (cost(text), len(chosen), order, text, chosen)
        for text, order, chosen in expansions(words, alternatives, len(words))
    )
    assert best == sum(found.words.total) - found.words.total.correct
    written = Recognition(word_operations(text, heard), heard)
    for case in found.cases:
        if case.recognised != "unplaceable":
            start, end = (
                frontier
                + sum(
                    len(one.reading) - (one.end - one.start)
                    for one in chosen
                    if one.end <= frontier
                )
                for frontier in case.span
            )
            assert ("lost", written.cause(start, end, 0)) == (case.group, case.cause)


def test_labels_change_first():
    """A map or a restriction changes all three sides; a label of one side alone is known."""
    sides = [sereval.read(EXAMPLE / f"{name}.jsonl") for name in SIDES]
    found = blame(*sides, tolerance=0.1, labels=Labels(only=("org", "loc")))
    assert ["loc", "org"] == sorted(found.labels)
    assert "only:loc,org" in str(found.signature)


@pytest.mark.check
def test_jobs_change_no_digit():
    """Two processes give the report of one."""
    sides = [
        sereval.read(ROOT / "data" / place, format="inline")
        for place in ("ref", "hyp/gazetteer/manual", "hyp/gazetteer/asr")
    ]
    small = [[one for one in side if one.id in ("panama", "librivox")] for side in sides]
    by_text = {"through": ByWords(), "workers": Workers(2)}
    expected = [*blame(*small, through=ByWords()).report(SAMPLES).json()]
    assert expected == [*blame(*small, **by_text).report(SAMPLES).json()]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r, m, h: ([r], [m], [h], {}), "expected --tolerance, or --by text or phones"),
        (lambda r, m, h: ([r], [], [h], {"tolerance": 0}), "has no hypothesis \\(visit\\)"),
        (lambda r, m, h: ([r], [m], [], {"tolerance": 0}), "has no hypothesis \\(visit\\)"),
        (
            lambda r, m, h: ([r], [replace(m, words=("mister", "X", *m.words[2:]))], [h], TIMED),
            "visit: ",
        ),
        (lambda r, m, h: ([replace(r, times=None)], [m], [h], TIMED), "reference has no times"),
        (lambda r, m, h: ([r], [m], [replace(h, times=None)], TIMED), "hypothesis has no times"),
        (lambda r, m, h: ([sereval.Reference.exact(r)], [m], [h], TIMED), "fuzzy reference"),
    ],
)
def test_refusals(change, said):
    """What cannot be told apart is refused in one line."""
    sides = [sereval.read(EXAMPLE / f"{name}.jsonl")[0] for name in SIDES]
    *arguments, settings = change(*sides)
    with pytest.raises(SerevalError, match=said) as error:
        blame(*arguments, **settings)
    assert "\n" not in str(error.value)


TIMED = {"tolerance": 0.1}


# Earnings-21

LONG = partial(pytest.param, marks=pytest.mark.long)


@pytest.mark.check
@pytest.mark.skipif(not EARNINGS.is_dir(), reason="../shared/corpora/earnings21 is not here")
@pytest.mark.parametrize(
    ("system", "recogniser", "costs", "strict", "wer"),
    [
        ("crf", "google", ("3147.5", "114", "938.5", "4200"), "3230", 16.9),
        LONG("crf", "librispeech", ("3147.5", "40", "2850.5", "6038"), "3230", 51.2),
        LONG("gazetteer", "google", ("4424", "114", "567", "5105"), "4485.5", 16.9),
        ("gazetteer", "librispeech", ("4424", "40", "2341", "6805"), "4485.5", 51.2),
    ],
)
def test_the_sums_of_earnings21(system, recogniser, costs, strict, wer):
    """The costs of two systems on two recognisers' words, at a tolerance of 0.3 s."""

    def with_times(documents, folder):
        times = {one.id: one for one in sereval.read(folder)}
        return [sereval.time_words(one, times[one.id]) for one in documents]

    found = blame(
        with_times(sereval.read(EARNINGS / "ref"), EARNINGS / "align"),
        sereval.read(EARNINGS / "hyp" / system / "manual"),
        with_times(
            sereval.read(EARNINGS / "hyp" / system / recogniser), EARNINGS / "asr" / recogniser
        ),
        tolerance=0.3,
    )
    names = ("manual", "perfect", "interaction", "recognised")
    assert tuple(map(Fraction, costs)) == tuple(found.corners.costs[name] for name in names)
    assert Fraction(strict) == found.manual_without_tolerance
    assert found.corners.reference == 7667
    assert wer == round(100 * found.words.total.rate, 1)
    total = sum(one.corners.shares["system"] for one in found.labels.values())
    assert total == found.shares["system"]
    report = json.loads("".join(found.report(SAMPLES).json()))["corners"]
    causes = [number for name, number in report.items() if name.startswith("lost_")]
    assert sum(causes) == report["lost"]


def test_random_documents_of_any_size():
    """On longer documents too the sums hold, which each run checks."""
    chance = random.Random(13)
    words = [f"w{k % 50}" for k in range(400)]
    times = tuple((300 * k, 300 * k + 250) for k in range(400))
    spans = [(chance.choice("abc"), k, k + chance.randint(1, 3)) for k in range(0, 396, 4)]
    gold = Document("d", tuple(words), tree(spans), times)
    kept = [k for k in range(400) if chance.random() < 0.8]
    heard = tuple(words[k] if chance.random() < 0.8 else "x" for k in kept)
    found = [(chance.choice("abc"), k, k + 1) for k in range(0, len(kept), 3)]
    recognised = Document("d", heard, tree(found), tuple(times[k] for k in kept))
    manual = Document("d", gold.words, tree(spans[::2]))
    of_all = blame([gold], [manual], [recognised], tolerance=0.1)
    assert sum(of_all.shares.values()) == of_all.corners.costs["recognised"]
    assert all(of_all.balance.causes["lost"][cause] for cause in ("deleted", "misheard"))
