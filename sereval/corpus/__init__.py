"""Corpora: pairs of documents with the same id, and work on each pair.

Files or documents of two sides come in, and a function to apply to each pair. The results come out
in the order of the ids, from one process or several.
"""
