"""Entities without places: found where they fit best, and insertions where they are not."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mention_places import WORDS, drawn_mentions, every_place, fits
from strategies import forests

import sereval
from sereval import Document, Mention, SerevalError, find_mentions
from sereval.documents.mentions import FINDERS, Search


def objective(chosen):
    """What is least: unfound mentions, distances, mentions on the words of the one around, starts,
    ends, numbers in the list.

    Mentions that share their words lie one in the other, so that all but one of them count.
    """
    spans = [span[2:4] for span in chosen]
    return (
        -len(chosen),
        sum(span[4] for span in chosen),
        len(spans) - len({*spans}),
        sum(start for start, _ in spans),
        sum(end for _, end in spans),
        sum(span[0] for span in chosen),
    )


def put_on(mentions, words, by):
    """A document of these words with these mentions on them."""
    said = Document("d", (), mentions=tuple(mentions))
    return find_mentions(said, Document("d", tuple(words)), by=by)


def brute_force(mentions, words, by):
    """The least objective over all ways to put mentions on their places, or nowhere."""
    choices = [
        [None, *((k, label, *place) for place in every_place(words, text, by))]
        for k, (label, text) in enumerate(mentions)
    ]
    ways = ([one for one in way if one is not None] for way in itertools.product(*choices))
    return min(objective(chosen) for chosen in ways if fits([one[1:] for one in chosen]))


REPEATED = st.builds(Mention, st.sampled_from("xy"), st.sampled_from(["a", "b", "a a", "ab"]))


@pytest.mark.parametrize("by", FINDERS)
@given(
    mentions=st.one_of(drawn_mentions(), st.lists(REPEATED, max_size=5)),
    words=st.one_of(
        *(st.lists(st.sampled_from(of), max_size=6) for of in (WORDS, ["a", "b", ","]))
    ),
)
def test_the_best_way_is_found(by, mentions, words):
    """No way to put the mentions on words is better than the one that is found."""
    chosen = [(k, mentions[k].label, *at) for k, at in Search(mentions, words, by).best().items()]

    assert fits([one[1:] for one in chosen])
    assert brute_force(mentions, words, by) == objective(chosen)


def own_mentions(document):
    """What a system would say of its elements, had it no places."""
    return tuple(
        Mention(element.label, " ".join(document.words[element.start : element.end]))
        for element in document.elements
    )


@pytest.mark.parametrize("by", FINDERS)
@given(data=st.data())
def test_mentions_of_a_document_are_found_where_they_were(by, data):
    """Where no word is like another, labels and texts are all that a document is made of."""
    words = ("Jacques", "Chirac", "habite", "Paris", "depuis", "1932")
    elements = data.draw(forests(len(words)))
    spans = [(e.label, e.start, e.end) for e in elements]
    document = Document("d", words, sereval.tree(dict.fromkeys(spans)))

    found = find_mentions(Document("d", (), mentions=own_mentions(document)), document, by=by)

    assert (document.words, document.elements, ()) == (found.words, found.elements, found.mentions)


@pytest.mark.parametrize(
    ("text", "is_near"),
    [
        ("abcd", True),
        ("abcx", True),
        ("abxx", False),
        ("abc", True),
        ("ab", False),
        ("abcde", True),
    ],
)
def test_near_is_a_quarter(text, is_near):
    """At most a quarter of the characters of the longer text may be edited."""
    assert is_near == (not put_on([Mention("x", text)], ["abcd"], "nearest").mentions)


# --- what is not found ---------------------------------------------------------------------------


# --- said where only places are looked at --------------------------------------------------------


def test_too_many_ways():
    """What could only be searched for longer than anybody waits is refused; the limit is raised."""
    again = [Mention(f"label{k}", "Dol") for k in range(8)] * 2
    said, words = Document("d", (), mentions=tuple(again)), Document("d", ("Dol",))
    with pytest.raises(SerevalError, match="d: 16 mentions can stand .* a larger --max-states"):
        find_mentions(said, words, max_states=50)
    assert 8 == len(find_mentions(said, words, max_states=5000).elements)
