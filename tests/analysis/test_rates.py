"""Any scheme's score compared and audited: errors over a size, by document, utterance and label."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from pairing import paired
from strategies import seeded_forest

from sereval import Document, tree
from sereval.analysis.audit import HYPOTHESIS, audit
from sereval.analysis.compare import by_label, compare, difference
from sereval.analysis.rates import exact_rate, tally
from sereval.analysis.resampling import Resampling
from sereval.evaluation.settings import ByWords, Settings
from sereval.schemes.table import SCHEMES, schemes_that_count

EVERY = [
    (scheme, figure)
    for scheme in schemes_that_count("elements")
    for figure in SCHEMES[scheme].figures
]
WORDS = tuple(f"w{k}" for k in range(12))


def heard(rng):
    """The words with some lost, some wrong and some put in."""
    found = []
    for word in WORDS:
        draw = rng.random()
        found += [] if draw < 0.1 else ["x"] if draw < 0.2 else [word]
        found += ["y"] if draw > 0.9 else []
    return tuple(found or ["x"])


def corpus(seed, documents=4):
    """References in utterances, and what a system made of what a recogniser heard of them."""
    rng = random.Random(seed)
    references, hypotheses = [], []
    for k in range(documents):
        forest = seeded_forest(rng, len(WORDS), 6)
        references.append(Document(f"d{k}", WORDS, forest, breaks=(4, 8)))
        words = heard(rng)
        hypotheses.append(Document(f"d{k}", words, seeded_forest(rng, len(words), 6)))
    return references, hypotheses


def scored(scheme, figure, references, hypotheses, **settings):
    usual = {"through": ByWords(), "unplaceable": "miss"}
    how = Settings(figure=figure, scheme=scheme, **{**usual, **settings})
    pairs = paired(references, hypotheses, how)
    return SCHEMES[scheme].scorer(how).of(pairs)


@pytest.mark.check
@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_units_add_up(scheme, figure):
    """What documents and utterances have above and below the line makes the scheme's own F."""
    for seed in range(20):
        score = scored(scheme, figure, *corpus(seed))
        total = score.total[figure]
        expected = 2 * total.cor + total.par, total.possible + total.actual

        for unit in ("document", "utterance"):
            above, below = zip(*tally(score, unit).values(), strict=True)
            assert expected == (sum(above), sum(below))
        assert float(exact_rate(score)) == pytest.approx(total.f(), abs=1e-15)


@pytest.mark.check
@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_rows_of_the_audit_are_what_is_counted(scheme, figure):
    """Each figure counts what the rows say: reference elements, and what is spurious."""
    for seed in range(20):
        score = scored(scheme, figure, *corpus(seed))
        rows = [row for document in audit(score) for row in document.rows]
        for name in set(score.total) - {"all"}:
            counted = Counter(
                row.figures[name]
                for row in rows
                if row.slot is not None and (row.side != HYPOTHESIS or row.figures[name] == "SPU")
            )
            total = score.total[name]
            expected = {c.upper(): getattr(total, c) for c in ("cor", "inc", "par", "mis", "spu")}
            assert {c: n for c, n in expected.items() if n} == counted
        assert score.errors.total == sum(row.cost for row in rows)
        assert score.errors.size == sum(row.size for row in rows)


@pytest.mark.parametrize(("scheme", "figure"), EVERY)
def test_labels_add_up(scheme, figure):
    """Differences by label add up to the difference of all errors."""
    references, one = corpus(1)
    other = [Document(d.id, d.words, d.elements[:2]) for d in one]
    a, b = (scored(scheme, figure, references, of) for of in (one, other))
    found = by_label(a, b)

    assert sum(label.errors.total for label in found) == a.errors.total - b.errors.total
    assert sum(label.errors.D for label in found) == a.errors.D - b.errors.D


def worked(*spans):
    return [
        Document(id, ("a", "b", "c"), tree(these)) for id, these in zip("de", spans, strict=True)
    ]


REFERENCE = worked([("P", 0, 1), ("L", 1, 2)], [("P", 0, 2)])
GOOD = worked([("P", 0, 1), ("L", 1, 2)], [("P", 0, 1)])
BAD = worked([("P", 0, 1)], [("P", 0, 2), ("O", 2, 3)])
WORKED = [  # figure; above and below of d and e, for the good and the bad system; p
    ("strict", [(4, 4), (0, 2)], [(2, 3), (2, 3)]),
    ("exact", [(4, 4), (0, 2)], [(2, 3), (2, 3)]),
    ("partial", [(4, 4), (1, 2)], [(2, 3), (2, 3)]),
    ("type", [(4, 4), (2, 2)], [(2, 3), (2, 3)]),
]


@pytest.mark.parametrize(("figure", "good", "bad"), WORKED)
def test_worked_case(figure, good, bad):
    """Figures by hand: F is 2 credit over POS + ACT, and the better system has the greater."""
    a, b = (
        scored("semeval2013", figure, REFERENCE, system, through=None) for system in (GOOD, BAD)
    )
    assert (good, bad) == tuple(list(tally(score).values()) for score in (a, b))
    [condition] = compare({"m": {"bad": b, "good": a}}, Resampling(unit="document")).conditions
    [pair] = condition.differences
    above, below = map(sum, zip(*good, strict=True))

    assert pair.rate == Fraction(4, 6) - Fraction(above, below) == difference(b, a)
    assert pair.test.exact
    assert a.rate.is_better == "higher"


# --- the command ----------------------------------------------------------------------------------


# --- the audit ------------------------------------------------------------------------------------
