"""Annotated documents as files of spaCy: elements become spans of the group ``sc``.

    python scripts/documents.py DATA LANGUAGE HELD_OUT

DATA is a file or a folder in any format that sereval reads. HELD_OUT has the ids of the documents
for ``corpus/dev.spacy``, with commas between them.
"""

import sys

import spacy
from spacy.tokens import Doc, DocBin, Span

import sereval

data, language, held_out = sys.argv[1:]
nlp = spacy.blank(language)
parts = {"train": DocBin(), "dev": DocBin()}
for document in sereval.read(data):
    doc = Doc(nlp.vocab, words=list(document.words))
    doc.spans["sc"] = [Span(doc, e.start, e.end, e.label) for e in document.elements]
    parts["dev" if document.id in held_out.split(",") else "train"].add(doc)
for name, docs in parts.items():
    docs.to_disk(f"corpus/{name}.spacy")
