"""One scorer of the bench, in a process of its own: reads two files, prints what it found.

    python bench/peer.py nervaluate reference.iob hypothesis.iob

Columns: ``precision recall F`` of exact spans with the right label, as the library gives them.
Lines of text: the number of word errors. It imports nothing that the library does not need, so
that the process takes the time and the memory of the library.
"""

import sys


def columns(path):
    """Tags of each document of a file of columns."""
    documents = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = line.split()
            if not cells:
                continue
            if cells[0] == "-DOCSTART-":
                documents.append([])
            else:
                if not documents:
                    documents.append([])
                documents[-1].append(cells[-1])
    return documents


def texts(path):
    """Lines of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def nervaluate(ref, hyp):
    """All of what it computes: four regimes, in all and by label."""
    from nervaluate import Evaluator

    gold, found = columns(ref), columns(hyp)
    labels = sorted({tag[2:] for tags in gold + found for tag in tags if tag != "O"})
    strict = Evaluator(gold, found, tags=labels, loader="list").evaluate()["overall"]["strict"]
    return strict.precision, strict.recall, strict.f1


def seqeval(ref, hyp):
    """Its default, conlleval's way of reading tags."""
    from seqeval.metrics import f1_score, precision_score, recall_score

    sides = columns(ref), columns(hyp)
    return precision_score(*sides), recall_score(*sides), f1_score(*sides)


def jiwer(ref, hyp):
    """Words aligned one by one, all lines."""
    import jiwer

    found = jiwer.process_words(texts(ref), texts(hyp))
    return (found.substitutions + found.deletions + found.insertions,)


def meeteval(ref, hyp):
    """Word errors of one speaker, line by line."""
    from meeteval.wer.wer.siso import siso_word_error_rate

    sides = zip(texts(ref), texts(hyp), strict=True)
    return (sum(siso_word_error_rate(*pair).errors for pair in sides),)


def sereval(ref, hyp):
    """The alignment by text with unit weights, as the others have."""
    from sereval.alignment.blocks import UNIT
    from sereval.alignment.text import align_text

    errors = 0
    for ours, theirs in zip(texts(ref), texts(hyp), strict=True):
        counts = align_text(ours.split(), theirs.split(), UNIT).counts
        errors += counts["substitution"] + counts["deletion"] + counts["insertion"]
    return (errors,)


if __name__ == "__main__":
    peers = {each.__name__: each for each in (nervaluate, seqeval, jiwer, meeteval, sereval)}
    print(*map(float, peers[sys.argv[1]](*sys.argv[2:])))
