"""Alignment of the words of two texts, by spelling or by phones.

Two sequences of words and the weights of edits come in. A :class:`~.blocks.WordAlignment` comes
out. A projection takes the places of frontiers from it, and a report the word error rate.
"""
