"""References with alternatives, and all the texts that they allow, written out."""

from hypothesis import strategies as st

from sereval.documents.model import Alternative

WORDS = ["a", "b", "B.", "c", "—"]
texts = st.lists(st.sampled_from(WORDS), max_size=6)


@st.composite
def lattices(draw):
    """Words with alternatives that may share words, be inside others and cross."""
    words = draw(texts.filter(bool))
    frontier = st.integers(0, len(words))
    spans = draw(st.sets(st.tuples(frontier, frontier).filter(lambda s: s[0] < s[1]), max_size=4))
    reading = st.lists(st.sampled_from(WORDS), min_size=0, max_size=3).map(tuple)
    readings = st.lists(reading, min_size=1, max_size=2).map(tuple)
    return words, [Alternative(*span, draw(readings)) for span in sorted(spans)]


def expansions(words, alternatives, end):
    """All texts up to a frontier, each with its order of preference and the chosen readings.

    The preference is that of the last frontiers first: at each frontier at which alternatives end
    or begin, words as written are 0 and the readings that end there are numbered from 1.
    """
    if end == 0:
        yield [], [], []
        return
    ends = {0, len(words), *(f for one in alternatives for f in one[:2])}
    before = max(frontier for frontier in ends if frontier < end)
    ways = [(before, words[before:end], None)]
    for one in alternatives:
        if one.end == end:
            ways += [(one.start, [*r], (one.start, end, r)) for r in one.readings]
    for rank, (start, said, chosen) in enumerate(ways):
        for text, order, readings in expansions(words, alternatives, start):
            more = [] if chosen is None else [chosen]
            yield text + said, [rank, *order], readings + more
