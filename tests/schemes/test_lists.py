"""Lists of labels and texts: what slurp, oi and nerval count, beside brute force."""

from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from sereval import Document, Mention
from sereval.evaluation.settings import Settings
from sereval.schemes.lists import BY_WORDS, LONGER, scorer
from sereval.schemes.result import Figure

TEXTS = st.sampled_from(["a", "b", "a b", "b a", "ab", "a b c", "bb c", "a a"])
MENTIONS = st.lists(st.builds(Mention, st.sampled_from("xy"), TEXTS), max_size=4)
DISTANCES = {"word": BY_WORDS, "char": LONGER}


def document(mentions, id="d"):
    return Document(id, (), mentions=tuple(mentions))


def score(scheme, ours, theirs, **options):
    return scorer(Settings(scheme=scheme, **options)).of([(document(ours), document(theirs))]).total


def of(one, other, distance):
    """The distance of two texts."""
    found = distance([one], [other])
    return Fraction(found.rows[0][0], found.unit)


def greedy(ours, theirs, distance):
    """The sum of distances by the words of the definition, label by label of each prediction."""
    left, found = list(ours), Fraction(0)
    for label, text in theirs:
        near = [
            (of(one.text, text, distance), k) for k, one in enumerate(left) if one.label == label
        ]
        if near:
            cost, k = min(near)
            found += cost
            del left[k]
    return found


def pairings(ours, theirs):
    """All sets of pairs of the same label that cannot have one more pair."""
    slots = [*range(len(theirs)), *[None] * len(ours)]
    for columns in {*permutations(slots, len(ours))}:
        yield [
            (ours[r], theirs[h])
            for r, h in enumerate(columns)
            if h is not None and ours[r].label == theirs[h].label
        ]


@given(MENTIONS, MENTIONS)
def test_slurp_counts_as_the_definition_says(ours, theirs):
    """Pairs are as many as labels allow; distances are on both sides; slu has the sums of both."""
    found = score("slurp", ours, theirs)
    count = sum(
        min(sum(m.label == label for m in side) for side in (ours, theirs)) for label in "xy"
    )
    for name, distance in DISTANCES.items():
        figure = found.get(name, Figure())
        assert (count, len(ours) - count, len(theirs) - count) == (
            figure.cor,
            figure.mis,
            figure.spu,
        )
        assert greedy(ours, theirs, distance) == figure.distance
    if found:
        assert found["slu"].distance == found["word"].distance + found["char"].distance
        assert found["slu"].cor == 2 * count


@settings(max_examples=60)
@given(MENTIONS, MENTIONS)
def test_the_best_pairing_is_the_best(ours, theirs):
    """``optimal`` has the least sum of distances of all pairings with the most pairs."""
    found = score("slurp", ours, theirs, mapping="optimal")
    every = list(pairings(ours, theirs))
    most = max(map(len, every))
    for name, distance in DISTANCES.items():
        sums = [
            sum((of(one.text, other.text, distance) for one, other in pairs), Fraction(0))
            for pairs in every
            if len(pairs) == most
        ]
        assert min(sums) == found.get(name, Figure()).distance
        assert most == found.get(name, Figure()).cor


@settings(max_examples=60)
@given(MENTIONS, MENTIONS)
def test_oi_is_the_least_assignment(ours, theirs):
    """The errors are those of the cheapest one-to-one pairs in a square matrix."""
    size = max(len(ours), len(theirs))
    found = score("oi", ours, theirs)
    for name, cut in (("ecer", str), ("ewer", str.split)):

        def cost(r, h, cut=cut):
            if r >= len(ours) or h >= len(theirs) or ours[r].label != theirs[h].label:
                return Fraction(1)
            text = cut(ours[r].text)
            return min(Fraction(1), Fraction(edits(text, cut(theirs[h].text)), len(text)))

        least = min(
            sum((cost(r, h) for r, h in enumerate(columns)), Fraction(0))
            for columns in permutations(range(size))
        )
        figure = found.get(name, Figure())
        assert (least, len(ours)) == (figure.edits, figure.possible)
        assert figure.error_rate == (float(least / len(ours)) if ours else None)


def edits(one, other):
    """The edit distance by its recurrence."""
    row = list(range(len(other) + 1))
    for k, left in enumerate(one, 1):
        before, row[0] = row[0], k
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


@settings(max_examples=60)
@given(MENTIONS, MENTIONS, st.sampled_from(["0", "0.3", "0.5", "1"]))
def test_nerval_has_the_most_near_pairs(ours, theirs, threshold):
    """No other one-to-one pairs of the same label have more texts within the threshold."""
    most = max(
        sum(
            Fraction(edits(one.text, other.text), len(one.text)) <= Fraction(threshold)
            for one, other in pairs
        )
        for pairs in pairings(ours, theirs)
    )
    figure = score("nerval", ours, theirs, threshold=threshold).get("entity", Figure())
    assert (most, len(ours), len(theirs)) == (figure.cor, figure.possible, figure.actual)


@given(MENTIONS, MENTIONS, st.randoms(use_true_random=False))
def test_order_means_nothing_without_greed(ours, theirs, chance):
    """Only the greedy pairing depends on the order of the lists."""
    schemes = [("slurp", {"mapping": "optimal"}), ("oi", {}), ("nerval", {})]
    before = [score(scheme, ours, theirs, **options) for scheme, options in schemes]
    chance.shuffle(ours)
    chance.shuffle(theirs)
    assert before == [score(scheme, ours, theirs, **options) for scheme, options in schemes]


# --- the corpus ----------------------------------------------------------------------------------
