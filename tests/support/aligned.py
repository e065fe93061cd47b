"""Documents whose words are aligned, as the tests write and show them."""

from sereval.formats import inline
from sereval.formats.source import Source


def annotated(text):
    """A document in the inline format."""
    return inline.parse(Source("d.ne", "d", text))[0][1]


def shown(reference, hypothesis, alignment):
    """An alignment as pairs of texts, ``*`` for nothing."""
    left, right = reference.split(), hypothesis.split()
    return [
        (" ".join(left[slice(*block.ref)]) or "*", " ".join(right[slice(*block.hyp)]) or "*")
        for block in alignment.blocks
    ]
