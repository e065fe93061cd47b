"""Several columns of tags as levels of one tree: what is written so reads back, or is refused."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import forests

from sereval.documents.model import Document
from sereval.formats import ReadingOptions, columns
from sereval.formats.file import File

PREFIXES = {  # of an element's words: the first of several, the next, the last, an only one
    "iob2": "BIIB",
    "iobes": "BIES",
    "bilou": "BILU",
    "conlleval": "BIIB",
}
WORDS = 7


def depths(elements):
    """The number of ancestors of each element."""
    found = []
    for element in elements:
        found.append(0 if element.parent is None else found[element.parent] + 1)
    return found


def column(elements, scheme):
    """One level in the letters of a scheme."""
    first, inside, last, only = PREFIXES[scheme]
    tags = ["O"] * WORDS
    for element in elements:
        size = element.end - element.start
        letters = only if size == 1 else first + inside * (size - 2) + last
        for k, letter in zip(range(element.start, element.end), letters, strict=True):
            tags[k] = f"{letter}-{element.label}"
    return tags


def read(rows, names, columns_asked=(), policies=()):
    """The one document of a file of the layout of HIPE."""
    text = "\n".join("\t".join(row) for row in [["TOKEN", *names], *rows])
    options = ReadingOptions(columns=tuple(columns_asked), policies=tuple(dict(policies).items()))
    [document] = columns.read_columns(File("d.tsv", text=text, options=options))
    return document


@given(forests(WORDS), st.sampled_from(sorted(PREFIXES)))
def test_levels_read_back(elements, scheme):
    """A tree with a column for each depth reads back to the same tree, in any scheme."""
    depth = depths(elements)
    levels = [
        column([e for e, d in zip(elements, depth, strict=True) if d == level], scheme)
        for level in range(max(depth, default=0) + 1)
    ]
    names = [f"L{k}" for k in range(len(levels))]
    words = tuple("#_ab-,1")
    document = read(zip(words, *levels, strict=True), names, names, policies={"tags": scheme})

    assert Document("d", words, elements) == document
    assert len(elements) == sum(note.count for note in document.notes if "elements" in note.what)


@given(st.lists(st.sampled_from(["O", "_", "B-x", "I-x", "I-y", "B-y"]), min_size=1, max_size=9))
def test_no_tag_is_lost(tags):
    """Each word with a tag is in an element, however ill formed the tags are; _ is nothing."""
    document = read([("w", tag) for tag in tags], ["NE"])
    covered = {k for element in document.elements for k in range(element.start, element.end)}

    assert {k for k, tag in enumerate(tags) if tag not in "O_"} == covered
    assert all(document.elements[k].line for k in range(len(document.elements)))
