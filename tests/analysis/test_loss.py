"""The loss of systems on the words of recognisers, as in table 2 of Galibert et al. 2011."""

from fractions import Fraction

import pytest

from sereval.analysis.compare import Resampling, compare
from sereval.evaluation.evaluate import DocumentScore, Evaluation
from sereval.evaluation.settings import Settings
from sereval.measures import Counts

TABLE_2 = {  # Galibert et al. 2011, table 2: whole data, broadcast news, broadcast conversations
    "P1": ((489, 714, 711, 683, 752), (427, 553, 527, 585, 614), (553, 879, 899, 783, 892)),
    "P2": ((333, 611, 663, 593, 632), (297, 485, 538, 522, 535), (370, 739, 790, 666, 730)),
    "P3": ((410, 722, 687, 707, 729), (391, 556, 545, 603, 618), (430, 893, 833, 812, 841)),
}
WORDS_OF_TABLE_2 = ("Man.", "ASR1", "ASR1+", "ASR2", "ASR3")


def table_2(part):
    """A comparison whose systems have the slot error rates of table 2."""

    def score(words, errors):
        counts = Counts(C=1000 - errors, D=errors, hyp=1000 - errors)
        document = DocumentScore("d", {"loc": counts}, ((), ()), {})
        return Evaluation((document,), Settings(tolerance=None if words == "Man." else (300, 300)))

    conditions = {
        words: {system: score(words, rows[part][k]) for system, rows in TABLE_2.items()}
        for k, words in enumerate(WORDS_OF_TABLE_2)
    }
    return compare(conditions, Resampling(resamples=1, unit="document"))


def test_the_losses_that_the_paper_names():
    """It is from 19.4 points (P1 on ASR2) to 33 (P2 on ASR1+), as section 4 says."""
    comparison = table_2(0)
    losses = {
        (system, condition.name): comparison.loss(condition, system)
        for condition in comparison.conditions
        for system in TABLE_2
    }
    assert comparison.manual_for(comparison.conditions[0]).name == "Man."
    assert [losses.pop((system, "Man.")) for system in TABLE_2] == [None] * 3
    assert min(losses, key=losses.get) == ("P1", "ASR2")
    assert max(losses, key=losses.get) == ("P2", "ASR1+")
    assert (min(losses.values()), max(losses.values())) == (Fraction(194, 1000), Fraction(33, 100))


@pytest.mark.parametrize("part", range(3))
def test_table_2_is_printed(part):
    """The table has the rates of the paper, and the loss of each system on each recogniser."""
    printed = str(table_2(part))
    for system, rows in TABLE_2.items():
        manual, *others = rows[part]
        for errors in others:
            assert f"{errors / 10:.1f}" in printed
            assert f"{(errors - manual) / 10:+.1f}" in printed, system
