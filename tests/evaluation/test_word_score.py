"""Word errors by label and by biasing list are parts of the same operations as all word errors."""

from functools import partial

from edit_distance import edit_cost
from hypothesis import given
from hypothesis import strategies as st

from sereval.alignment.blocks import CORRECT, INSERTION, SCLITE, UNIT
from sereval.alignment.words import word_operations
from sereval.documents.model import Document, tree
from sereval.evaluation.words import (
    BiasingList,
    ElementErrors,
    WordErrors,
    WordSettings,
    errors_of,
)

SIDES = st.lists(st.sampled_from(["a", "b", "c", "."]), max_size=9)
SETTINGS = st.sampled_from([WordSettings(UNIT, by_list=True), WordSettings(SCLITE, by_list=True)])


@st.composite
def pairs(draw):
    """A reference with nested elements of three labels and utterances, and a hypothesis."""
    words = tuple(draw(SIDES))
    spans = draw(st.lists(st.tuples(st.sampled_from("xyz"), *[st.integers(0, 9)] * 2), max_size=5))
    kept = []
    for label, start, end in spans:
        crosses = any(s < start < e < end or start < s < end < e for _, s, e in kept)
        if start < end <= len(words) and not crosses:
            kept.append((label, start, end))
    kept.sort(key=lambda one: (one[1], -one[2]))
    breaks = tuple(sorted(draw(st.sets(st.integers(1, 8)))))
    breaks = tuple(k for k in breaks if k < len(words))
    reference = Document("d", words, tree(kept), breaks=breaks)
    return reference, Document("d", tuple(draw(SIDES)))


def naive(reference, operations, labels):
    """The errors of the elements with some labels, by the sentences of the definition."""
    elements = [element for element in reference.elements if element.label in labels]
    compared = [ref for _, ref, _ in operations if ref is not None]
    counts = dict.fromkeys(("correct", "substitution", "deletion", "insertion", "border"), 0)
    for k, (op, ref, _) in enumerate(operations):
        if op != INSERTION:
            counts[op] += any(e.start <= ref < e.end for e in elements)
            continue
        seen = sum(ref is not None for _, ref, _ in operations[:k])
        around = [*compared[max(0, seen - 1) : seen + 1]] if seen else compared[:1]
        held = [sum(e.start <= place < e.end for place in around) for e in elements]
        is_between = 0 < seen < len(compared)
        is_inside = is_between and 2 in held
        counts["insertion"] += is_inside
        counts["border"] += not is_inside and any(held)
    lost = sum(map(partial(is_lost, operations), elements))
    return ElementErrors(WordErrors.of(counts), counts["border"], len(elements), lost)


def is_lost(operations, element):
    """Whether a word of an element is wrong, or a word is inserted between two of its words."""
    inside = [k for k, (_, ref, _) in enumerate(operations) if ref in {*range(*span(element))}]
    own = operations[inside[0] : inside[-1] + 1] if inside else []
    return any(op != CORRECT for op, _, _ in own)


def span(element):
    return element.start, element.end


@given(pairs(), SETTINGS)
def test_errors_of_elements_are_those_of_the_definition(pair, how):
    """A word of several elements counts once in each label and once in all; insertions are inside
    an element or at its border."""
    found = errors_of(pair, how).parts
    operations = word_operations(pair[0].words, pair[1].words, how.weights).operations
    known = sorted({element.label for element in pair[0].elements})
    assert known == [*found.labels]
    assert len(pair[0].elements) == sum(one.elements for one in found.depths.values())
    assert found.entities.lost == sum(one.lost for one in found.depths.values())
    assert naive(pair[0], operations, known) == found.entities
    for label in known:
        assert naive(pair[0], operations, [label]) == found.labels[label]


@given(st.lists(st.text("abé.", min_size=1)), st.lists(st.text("abé.", min_size=1)))
def test_character_errors_are_the_edit_distance(left, right):
    """CER counts the fewest edits of the characters of the normalised words, joined."""
    forms = [[word.replace(".", "") for word in side] for side in (left, right)]
    for between in ("", " "):
        found = errors_of(
            (Document("d", tuple(left)), Document("d", tuple(right))), WordSettings(between=between)
        ).parts.words
        texts = [between.join(filter(None, side)) for side in forms]
        assert edit_cost(*texts, UNIT) == found.S + found.D + found.I
        assert len(texts[0]) == found.ref


@given(pairs(), SETTINGS)
def test_parts_add_up(pair, how):
    """Elements, their borders and the rest are all errors, and so are words in a list and not."""
    found = errors_of(pair, how).parts
    operations = word_operations(pair[0].words, pair[1].words, how.weights).operations
    inside = {k for e in pair[0].elements for k in range(e.start, e.end)}
    apart = [op for op, ref, _ in operations if ref is not None and ref not in inside]
    own = found.entities.errors
    for op, all_of, of_elements in (
        ("correct", found.words.correct, own.correct),
        ("substitution", found.words.S, own.S),
        ("deletion", found.words.D, own.D),
    ):
        assert all_of == of_elements + apart.count(op)
    assert own.I + found.entities.border <= found.words.I
    assert min(*found.biased, *found.unbiased) >= 0


@given(pairs(), SETTINGS)
def test_words_of_elements_stand_for_a_list(pair, how):
    """Without utterances, the words of the elements as a list split the errors in the same way."""
    whole = Document("d", pair[0].words, pair[0].elements), pair[1]
    words = [whole[0].words[k] for e in whole[0].elements for k in range(e.start, e.end)]
    by_list = how._replace(biasing=BiasingList(tuple(words)))
    assert errors_of(whole, by_list).parts.biased == errors_of(whole, how).parts.biased
