"""The slot error rate as a module of Hugging Face's `evaluate`: ``evaluate.load("…/ser")``."""

import datasets
import evaluate

import sereval

DESCRIPTION = """
Scores named entities, nested ones too: slot error rate (SER), its six classes of slots, and
precision, recall and F1 of exact matches, by label too. Pairs are those of the mapping of least
cost.
"""

USAGE = """
Args:
    predictions: a list of tags for each sentence, in IOB1, IOB2, IOBES or BILOU.
    references: the same, with as many tags for each sentence.
    settings: keyword arguments of ``sereval.evaluate``, such as ``pairing="half"``.

Returns:
    ``ser``, ``precision``, ``recall``, ``f1``, ``cost``, the counts ``C``, ``S_S``, ``S_T``,
    ``S_ST``, ``D``, ``I``, ``Ref``, ``Hyp``, and ``labels`` with the same for each label.
"""

CITATION = """
Makhoul, Kubala, Schwartz, Weischedel: Performance measures for information extraction.
DARPA Broadcast News Workshop, 1999.
"""


class Ser(evaluate.Metric):
    """The slot error rate of lists of tags."""

    def _info(self):
        tags = datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=USAGE,
            features=datasets.Features({"predictions": tags, "references": tags}),
        )

    def _compute(self, predictions, references, **settings):
        return sereval.Metric(**settings).compute(predictions=predictions, references=references)
