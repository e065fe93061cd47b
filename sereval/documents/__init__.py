"""The values that every stage works on: documents, elements, references, mentions and tags.

Words, spans, tags, texts with character offsets and lists of mentions come in, from a reader or
from Python. Documents come out whose elements form a forest, or an error that names the fault.
"""
