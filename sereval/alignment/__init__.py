"""Alignment of the words of two texts, by spelling or by phones.

Two sequences of words and the weights of edits come in. A :class:`~.blocks.WordAlignment` comes
out, from which a projection takes the places of frontiers, and a report the word error rate.
"""
