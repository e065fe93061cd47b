"""The report of sereval on a model.

python scripts/score.py MODEL DOCUMENTS.spacy REPORT.json
"""

import pathlib
import sys

import spacy
from spacy.tokens import Doc, DocBin

import sereval

model, documents, report = sys.argv[1:]
nlp = spacy.load(model)
references, hypotheses = [], []
for k, gold in enumerate(DocBin().from_disk(documents).get_docs(nlp.vocab)):
    found = nlp(Doc(nlp.vocab, words=[token.text for token in gold]))
    references.append(sereval.from_spacy(gold, group="sc", id=str(k)))
    # crossing spans that a tree cannot hold count as insertions
    hypotheses.append(sereval.from_spacy(found, group="sc", id=str(k), crossing="insertion"))
evaluation = sereval.evaluate(references, hypotheses)
print(evaluation)
pathlib.Path(report).write_text(evaluation.to_json(), "utf-8")
