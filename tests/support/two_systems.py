"""References, and what two systems of different skill make of them."""

import random

from strategies import seeded_forest

from sereval import Document, evaluate, tree


def corpus(seed, documents=12, words=8, size=5):
    """References, and what two systems of different skill make of them."""
    rng = random.Random(seed)
    text = tuple(f"w{k}" for k in range(words))
    references, good, bad = [], [], []
    for k in range(documents):
        forest = seeded_forest(rng, words, size)
        references.append(Document(f"d{k:02}", text, forest))
        for side, kept in ((good, 0.8), (bad, 0.4)):
            spans = [(e.label, e.start, e.end) for e in forest if rng.random() < kept]
            side.append(Document(f"d{k:02}", text, tree(spans)))
    return references, good, bad


def evaluated(seed):
    """The scores of both systems, by name."""
    references, good, bad = corpus(seed)
    return {"good": evaluate(references, good), "bad": evaluate(references, bad)}
