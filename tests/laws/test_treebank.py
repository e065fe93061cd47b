"""Constituents of spoken sentences, scored like entities, against labelled brackets."""

import json
import re
from collections import Counter

import pytest
from paths import DATA

from sereval.cli import main

TREEBANK = DATA / "treebank"
WORDS = {"ref": "ref", "hyp/manual": "ref", "hyp/asr": "hyp/gazetteer/asr"}


def brackets(folder):
    """(label, start, end) of the constituents, read by nothing of the package, and the words."""
    found, words, opened = Counter(), [], []
    for token in (TREEBANK / folder / "librivox.ne").read_text("utf-8").split():
        if tag := re.fullmatch(r"<(/?)(\w+)>", token):
            if tag[1]:
                label, start = opened.pop()
                assert label == tag[2]
                found[label, start, len(words)] += 1
            else:
                opened.append((tag[2], len(words)))
        else:
            words.append(token)
    assert not opened
    return found, words


def report(capsys, *options):
    """What the command line says, as JSON."""
    assert main(["score", str(TREEBANK / "ref"), *options, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_exact_matches_are_labelled_brackets(capsys):
    """Precision and recall are those of PARSEVAL: the brackets that both sides have."""
    (gold, _), (found, _) = brackets("ref"), brackets("hyp/manual")
    common = (gold & found).total()
    exact = report(capsys, str(TREEBANK / "hyp/manual"))["counts"]
    assert (exact["C"], exact["precision"], exact["recall"]) == (
        common,
        common / found.total(),
        common / gold.total(),
    )
    assert (common, found.total(), gold.total()) == (55, 62, 67)


@pytest.mark.parametrize("folder", WORDS)
def test_words_are_those_of_the_demo_corpus(folder):
    """The sentences are those of librivox, word for word."""
    text = (DATA / WORDS[folder] / "librivox.ne").read_text("utf-8")
    assert re.sub(r"<[^>]*>", " ", text).split() == brackets(folder)[1]


def test_constituents_are_projected(capsys):
    """On the recogniser's words the figures are those of the page, by time and by text."""
    asr = str(TREEBANK / "hyp/asr")
    times = ["--align", str(DATA / "align"), "--words", str(DATA / "asr"), "--tolerance", "0.1"]
    for options in (times, ["--by", "text"]):
        found = report(capsys, asr, *options)
        assert (found["counts"]["cost"], found["counts"]["Ref"]) == (17.5, 65)
        assert found["counts"]["unplaceable"] == 2
