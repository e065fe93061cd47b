"""The reference carried onto other words: through time, or through an alignment of words.

A reference document, the hypothesis's words and a tolerance come in. A fuzzy reference comes out:
which frontiers each element may start and end at, and which elements have no place.
"""
