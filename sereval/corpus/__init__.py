"""Many documents: which belong together, when each is read, and who works on them.

Files or documents of two sides come in, and a function to apply to each pair. Its results come out
in the order of the ids, whether one process, several, or a cluster did the work.
"""
