"""Projection of a reference onto other words, through time or through an alignment of words.

A reference document, the hypothesis's words and a tolerance come in. A fuzzy reference comes out:
the frontiers where each element may start and end, and the elements that have no place.
"""
