"""Corpora: pairs of documents by id, read one at a time, worked on by one process or many.

Files or documents of two sides come in, and a function to apply to each pair. Its results come out
in the order of the ids, whether one process, several, or a cluster did the work.
"""
