"""The other scorers of the literature, on the same three stages.

Pairs of documents, or columns of tags, and the options of a scheme come in. A
:class:`~.result.Result` comes out: the figures that the scheme's source prints.
"""
