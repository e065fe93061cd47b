"""The values that every stage works on: documents, elements, references, mentions and tags.

In come words, spans, tags, texts with character offsets and lists of mentions, from a reader or
from Python. Out come documents whose elements form a forest, or an error that says what is wrong.
"""
